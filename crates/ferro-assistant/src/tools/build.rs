//! `build_flow`: a whole flow out of one text, in the place of the one on the canvas.

use std::collections::HashSet;
use std::sync::Arc;

use ferro_agent::{Tool, ToolError};
use ferro_model::edit::Edit;
use ferro_model::read::{NodeKind, read};
use ferro_model::spec::{Spec, build_spec, parse};
use ferro_model::{Document, EditError, FlowData, Registry};
use serde_json::{Map, Value as Json, json};

use super::{Kit, Told, describe, find, fit, made, secrets};
use crate::work::{Whole, Work, has_refresh, id_ending};

/// Bytes of a spec.
const LONGEST_SPEC: usize = 256 * 1024;
const MOST_NODES: usize = 500;

pub(super) fn tool(kit: &Kit) -> Arc<dyn Tool> {
    let told = Told {
        name: "build_flow",
        description: "Builds a whole new flow from a spec and proposes it in the place of the canvas.\nname: …\nnodes:\n  A: ChatInput\n  B: Agent\nedges:\n  A.message -> B.input_value\nconfig:\n  B.system_prompt: |\n    text\nEvery node must be wired.",
        arguments: json!({ "spec": { "type": "string" } }),
        required: &["spec"],
    };
    made(kit, told, async |kit, arguments| {
        let text = arguments.whole_text("spec")?;
        if text.len() > LONGEST_SPEC {
            return Err(ToolError::new(format!(
                "The spec has more than {LONGEST_SPEC} bytes; build something smaller."
            )));
        }
        let registry = kit.work.registry();
        let spec = checked(&text, &registry)?;
        let mut notes = Vec::new();
        let mut finish = |document: &mut Document, id: &str| finished(&kit.work, document, id, &mut notes);
        let built = build_spec(&spec, &registry, &mut id_ending, &mut finish);
        let built = built.map_err(|error| {
            ToolError::new(format!(
                "{error} Mend the spec and call build_flow again; what you looked up still holds."
            ))
        })?;
        let orphans = orphans(&built.data);
        if built.node_count > 1 && !orphans.is_empty() {
            return Err(rejected(&orphans, &built.node_id_map));
        }
        let data = models_by_wire(&kit.work, &built.data)?;
        let types: Vec<&str> = spec.nodes.iter().map(|node| node.r#type.as_str()).collect();
        let said = format!(
            "Built a flow of {} components: {}.",
            built.node_count,
            find::listed(types.iter()).replace('`', "")
        );
        let whole = Whole {
            name: built.name.clone(),
            description: built.description,
            data,
            said: said.clone(),
        };
        kit.work.replace(whole).await?;
        notes.insert(0, said);
        let map: Map<String, Json> = built
            .node_id_map
            .into_iter()
            .map(|(spec, real)| (spec, real.into()))
            .collect();
        Ok(json!({
            "name": (!built.name.is_empty()).then_some(built.name),
            "node_count": built.node_count,
            "edge_count": built.edge_count,
            "node_id_map": map,
            "text": notes.join(" "),
        }))
    })
}

/// The spec with the types as they are really called, and nothing in it that is the person's to set.
fn checked(text: &str, registry: &Registry) -> Result<Spec, ToolError> {
    let mut spec = parse(unfenced(text)).map_err(|error| ToolError::new(format!("Invalid spec: {error}")))?;
    if spec.nodes.len() > MOST_NODES || spec.edges.len() > 2 * MOST_NODES {
        return Err(ToolError::new(format!(
            "The spec has more than {MOST_NODES} nodes or twice as many edges; build something smaller."
        )));
    }
    for node in &mut spec.nodes {
        let known = describe::known(registry, &node.r#type)?;
        node.r#type.clone_from(&known.r#type);
        let config = spec.config.iter_mut().filter(|(id, _)| *id == node.id);
        for (field, value) in config.flat_map(|(_, fields)| fields) {
            let spec = known.find_field(field);
            if spec.is_some_and(secrets::is_secret_spec) {
                return Err(ToolError::new(format!(
                    "`{}.{field}` is a secret, which only the person sets. Leave it out and tell them.",
                    node.id
                )));
            }
            if known.by_code && field == "code" || spec.is_some_and(|spec| spec.r#type == "code") {
                return Err(ToolError::new(format!(
                    "`{}.{field}` is code. Write the component with generate_component and use its type instead.",
                    node.id
                )));
            }
            if let (true, Json::String(text)) = (
                spec.is_some_and(|spec| spec.list && spec.r#type == "str"),
                &*value,
            ) {
                *value = fit::listed(text);
            }
        }
    }
    Ok(spec)
}

/// Models like to put texts between fences.
fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let Some(rest) = text.strip_prefix("```") else {
        return text;
    };
    let rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
    rest.trim_end().strip_suffix("```").unwrap_or(rest)
}

/// Gives a new node a model that can be asked, and the fields that follow from what is set in it.
fn finished(
    work: &Work,
    document: &mut Document,
    id: &str,
    notes: &mut Vec<String>,
) -> Result<(), EditError> {
    let mut values = models(work, document, id, notes);
    if let Some(node) = document.node(id) {
        let registry = work.registry();
        let known = registry.get(&node.r#type);
        for field in known.into_iter().flat_map(|known| secrets::named_by_code(known)) {
            notes.push(format!(
                "{id}.{field} is a secret and was left empty; only the person sets it."
            ));
            values.insert(field.to_owned(), Json::String(String::new()));
        }
        // Set to what they are, so that what follows from them comes.
        let others = node
            .fields
            .iter()
            .filter(|field| has_refresh(field) && !field.load_from_db);
        for field in others {
            let now = || field.to_value().unwrap_or_default();
            values.entry(field.name.to_string()).or_insert_with(now);
        }
    }
    let edit = Edit::Configure {
        node: id.to_owned(),
        values,
    };
    work.apply_all(document, vec![edit]).map(|_| ())
}

/// For each field of a node that chooses a language model, one that can be asked.
pub(super) fn models(
    work: &Work,
    document: &Document,
    id: &str,
    notes: &mut Vec<String>,
) -> Map<String, Json> {
    let mut values = Map::new();
    let Some(node) = document.node(id) else {
        return values;
    };
    for field in node
        .fields
        .iter()
        .filter(|field| fit::is_language_model(&field.json.to_value()))
    {
        let now = field.to_value().unwrap_or_default();
        // What is no model at all is for the problems list.
        if let Ok(Some(settled)) = work.rules.settle(&now) {
            notes.extend(settled.note.map(|note| format!("{id}: {note}")));
            values.insert(field.name.to_string(), settled.value);
        }
    }
    values
}

/// A model that is wired in instead of chosen must say so, or the canvas drops the wire.
fn models_by_wire(work: &Work, data: &FlowData) -> Result<FlowData, ToolError> {
    let view = read(data);
    let field = |id: &str, input: &str| {
        let node = view.nodes.iter().find(|node| node.id == id)?;
        Some(node.field(input)?.r#type == "model")
    };
    let wired = view
        .edges
        .iter()
        .filter(|edge| field(&edge.target, edge.to.name()) == Some(true));
    let edits: Vec<Edit> = wired
        .map(|edge| Edit::ConnectionMode {
            node: edge.target.to_string(),
            on: true,
        })
        .collect();
    if edits.is_empty() {
        return Ok(data.clone());
    }
    let mut document = Document::new(data);
    work.apply_all(&mut document, edits)
        .map_err(crate::work::refused)?;
    document
        .to_data()
        .map_err(|error| ToolError::new(error.to_string()))
}

/// Nodes that no wire touches.
fn orphans(data: &FlowData) -> Vec<String> {
    let view = read(data);
    let wired: HashSet<&str> = view
        .edges
        .iter()
        .flat_map(|edge| [edge.source.as_ref(), edge.target.as_ref()])
        .collect();
    let nodes = view.nodes.iter().filter(|node| node.kind != NodeKind::Note);
    nodes
        .filter(|node| !wired.contains(node.id.as_ref()))
        .map(|node| node.id.to_string())
        .collect()
}

fn rejected(orphans: &[String], ids: &[(String, String)]) -> ToolError {
    metrics::counter!("assistant_flow_orphan_rejection_total").increment(1);
    tracing::error!(orphan_node_ids = ?orphans, "flow_builder.spec.orphan");
    let named: Vec<&str> = ids
        .iter()
        .filter(|(_, real)| orphans.contains(real))
        .map(|(spec, _)| spec.as_str())
        .collect();
    ToolError::new(format!(
        "Nothing was built: no wire touches {}. Wire every node under `edges:`, or leave it out, and call build_flow \
         again.",
        find::listed(named.iter())
    ))
}
