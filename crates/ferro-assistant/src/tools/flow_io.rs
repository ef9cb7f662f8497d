//! `describe_flow_io`: where a flow begins and ends, from its wires rather than from names.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use ferro_agent::Tool;
use ferro_model::read::Node;
use ferro_model::{Descriptor, Document, Registry};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::{Kit, Told, made};

/// Nodes of one kind that are listed.
const MOST: usize = 30;
/// What an agent's tools are wired by.
const TOOLSET: &str = "component_as_tool";

pub(super) fn tool(kit: &Kit) -> Arc<dyn Tool> {
    let told = Told {
        name: "describe_flow_io",
        description: "Says from the wiring which components are the flow's inputs, outputs and tools.",
        arguments: json!({}),
        required: &[],
    };
    made(kit, told, async |kit, _| {
        let registry = kit.work.registry();
        Ok(kit.work.look(|document| ends(document, &registry)))
    })
}

fn ends(document: &Document, registry: &Registry) -> Json {
    let wires = document.wires();
    let (mut fed, mut feeding, mut tools) = (HashSet::new(), HashSet::new(), BTreeSet::new());
    for wire in &wires {
        feeding.insert(wire.source);
        // What comes back to the head of a loop does not feed it from outside.
        if !wire.into_loop {
            fed.insert(wire.target);
        }
        if wire.output == TOOLSET {
            tools.insert(wire.source);
        }
    }
    let mut found = Found::default();
    for id in document.ids() {
        let id = id.as_str();
        if tools.contains(id) {
            found.tools.push(id);
            continue;
        }
        match (fed.contains(id), feeding.contains(id)) {
            (true, true) => found.inner.push(id),
            (false, true) => found.sources.push(id),
            (true, false) => found.sinks.push(id),
            (false, false) => found.alone.push(id),
        }
    }
    found.told(document, registry)
}

#[derive(Default)]
struct Found<'d> {
    tools: Vec<&'d str>,
    sources: Vec<&'d str>,
    sinks: Vec<&'d str>,
    inner: Vec<&'d str>,
    alone: Vec<&'d str>,
}

impl Found<'_> {
    fn told(&self, document: &Document, registry: &Registry) -> Json {
        let kind = |id: &str| kind(document, id);
        let says = |id: &str, what: fn(&Descriptor) -> bool| {
            kind(id).is_some_and(|kind| registry.get(&kind).is_some_and(|known| what(known)))
        };
        let nodes = |ids: &[&str]| -> Vec<Json> {
            let nodes = ids.iter().take(MOST).filter_map(|id| document.node(id));
            nodes.map(|node| end(&node)).collect()
        };
        let alone: Vec<&str> = self
            .alone
            .iter()
            .copied()
            .filter(|id| kind(id).is_some())
            .collect();
        // What a run's input enters by its kind; without any, whatever the wires begin at.
        let asked = self.sources.iter().chain(&alone).copied();
        let asked: Vec<&str> = asked.filter(|id| says(id, |known| known.is_input)).collect();
        let inputs = if asked.is_empty() { &self.sources } else { &asked };
        // An answer may be handed on as well, so nodes in the middle count when their kind says so.
        let answers = self.sinks.iter().chain(&self.inner).chain(&alone).copied();
        let answers: Vec<&str> = answers.filter(|id| says(id, |known| known.is_output)).collect();
        let outputs = if answers.is_empty() { &self.sinks } else { &answers };
        let tools = self.tools.iter().take(MOST).filter_map(|id| document.node(id));
        let text = match (inputs.len(), outputs.len()) {
            (0, 0) if alone.is_empty() => "The canvas is empty.".to_owned(),
            (into, out) => format!(
                "{into} in, {out} out, {} tools, {} unconnected.",
                self.tools.len(),
                alone.len()
            ),
        };
        json!({
            "inputs": nodes(inputs),
            "outputs": nodes(outputs),
            "tools": tools.map(|node| plain(&node)).collect::<Vec<_>>(),
            "unconnected": alone.iter().take(MOST).collect::<Vec<_>>(),
            "text": text,
        })
    }
}

/// What a node's JSON says of its type; nothing else of it is read.
#[derive(Deserialize)]
struct Kind {
    #[serde(default)]
    r#type: Json,
    #[serde(default)]
    data: KindOfData,
}

#[derive(Default, Deserialize)]
struct KindOfData {
    #[serde(default)]
    r#type: Json,
}

/// The type of a node; `None` for notes.
fn kind(document: &Document, id: &str) -> Option<String> {
    let kind: Option<Kind> = serde_json::from_str(document.node_text(id)?).ok();
    // What cannot be read is of no type we know, but is there.
    let Some(kind) = kind else {
        return Some(String::new());
    };
    let (shape, own) = (kind.r#type.as_str(), kind.data.r#type.as_str());
    let is_note = matches!(shape, Some("noteNode" | "note")) || own == Some("note");
    (!is_note).then(|| own.or(shape).unwrap_or_default().to_owned())
}

fn plain(node: &Node<'_>) -> Json {
    json!({ "id": node.id, "type": node.r#type })
}

fn end(node: &Node<'_>) -> Json {
    let mut told = plain(node);
    let is_text = |name: &str| {
        node.field(name)
            .is_some_and(|field| field.show && field.r#type == "str")
    };
    let usual = ["input_value", "text", "template", "url"]
        .into_iter()
        .find(|name| is_text(name));
    let first = || {
        let mut fields = node.fields.iter();
        fields.find(|field| is_text(&field.name) && !field.advanced && !field.password)
    };
    let field = usual
        .map(str::to_owned)
        .or_else(|| first().map(|field| field.name.to_string()));
    told["value_field"] = field.into();
    told
}
