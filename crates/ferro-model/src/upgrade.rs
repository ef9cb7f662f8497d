//! Upgrades: what old versions of Langflow wrote, brought to the form that this one writes.
//!
//! Old names of types (`Prompt`, `parser`, `ext:…`) and of ports (`Data`, `DataFrame`) are understood wherever they
//! are read, so they stay: rewriting them would make the flow foreign to the version it came from. What is rewritten
//! is what other programs compare as text. Everything else keeps every byte, keys nobody knows included, and
//! upgrading twice changes nothing more.

use serde::Serialize;
use serde_json::Value;

use crate::descriptor::{OutputSpec, Registry};
use crate::document::FlowData;
use crate::edit::{Document, append, get, replace};
use crate::handle::{canonical_text, decoded, encoded};
use crate::ports::compatible;
use crate::read::{Edge, NodeKind, Port, read_edge};
use crate::scan::string_content;

/// One thing that was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UpgradeNote {
    /// For programs: `handle_rewritten`, `handle_named`, `handle_copied`, `outputs_added`,
    /// `model_repaired`.
    pub code: &'static str,
    /// The node it is about; of a wire, the one it enters.
    pub node: String,
    pub message: String,
}

/// The document in its present form, and what was changed. A document in its present form comes back as it is.
pub fn upgrade(flow: &FlowData, registry: &Registry) -> (FlowData, Vec<UpgradeNote>) {
    let mut notes = Vec::new();
    let mut document = Document::new(flow);
    // Wires are named after outputs, so those come first.
    missing_outputs(&mut document, registry, &mut notes);
    old_wires(&mut document, &mut notes);
    broken_models(&mut document, &mut notes);
    match document.to_data() {
        Ok(data) if !notes.is_empty() => (data, notes),
        _ => (flow.clone(), Vec::new()),
    }
}

/// The document with every model in its one form, for whoever saves it; `None` when that is how it is. All other
/// bytes stay.
pub fn repair_models(flow: &FlowData) -> Option<FlowData> {
    // Most documents need no closer look.
    if !flow.as_str().contains("\"model\"") {
        return None;
    }
    let mut notes = Vec::new();
    let mut document = Document::new(flow);
    broken_models(&mut document, &mut notes);
    let changed = document.to_data().ok()?;
    (!notes.is_empty()).then_some(changed)
}

/// Models that were saved as text, or with a text in the place of their name.
fn broken_models(document: &mut Document, notes: &mut Vec<UpgradeNote>) {
    for id in document.ids().to_vec() {
        let (Some(node), Some(text)) = (document.node(&id), document.node_text(&id)) else {
            continue;
        };
        let mut new = None;
        for field in &node.fields {
            let Some(value) = field.repaired() else {
                continue;
            };
            let path = ["data", "node", "template", &field.name, "value"];
            let Some(changed) = replace(new.as_deref().unwrap_or(text), &path, &value.to_string()) else {
                continue;
            };
            notes.push(UpgradeNote {
                code: "model_repaired",
                node: id.clone(),
                message: format!(
                    "The model in {} of {} is now written as a list.",
                    field.display_name, node.name
                ),
            });
            new = Some(changed);
        }
        if let Some(new) = new {
            document.set_node_text(&id, new);
        }
    }
}

/// Nodes from before outputs were written down get those of their type.
fn missing_outputs(document: &mut Document, registry: &Registry, notes: &mut Vec<UpgradeNote>) {
    for id in document.ids().to_vec() {
        let (Some(node), Some(text)) = (document.node(&id), document.node_text(&id)) else {
            continue;
        };
        let path = ["data", "node", "outputs"];
        let from = get(text, &path);
        let old = node.kind == NodeKind::Component && matches!(from, None | Some("null"));
        let Some(known) = registry
            .get_alike(&node.r#type)
            .filter(|known| old && !known.outputs.is_empty())
        else {
            continue;
        };
        let outputs: Vec<Value> = if node.tool_mode {
            vec![OutputSpec::toolset().to_json()]
        } else {
            known.outputs.iter().map(OutputSpec::to_json).collect()
        };
        let outputs = Value::from(outputs).to_string();
        let new = match from {
            Some(_) => replace(text, &path, &outputs),
            None => append(text, &path, &outputs),
        };
        // Where there is no component at all, outputs have nowhere to go.
        let Some(new) = new else {
            continue;
        };
        notes.push(UpgradeNote {
            code: "outputs_added",
            node: id.clone(),
            message: format!("{} got the outputs of its component.", node.name),
        });
        document.set_node_text(&id, new);
    }
}

fn old_wires(document: &mut Document, notes: &mut Vec<UpgradeNote>) {
    for index in 0..document.wire_count() {
        let Some(old) = document.edge_text(index).map(str::to_owned) else {
            continue;
        };
        let edge = read_edge(&old);
        let mut text = old.clone();
        name_output(document, &edge, &mut text, notes);
        for key in ["sourceHandle", "targetHandle"] {
            rewrite_handle(&edge, key, &mut text, notes);
        }
        if text != old {
            document.set_edge_text(index, text);
        }
    }
}

/// A handle that says only which classes it gives (`baseClasses`) is led to the one output that gives them.
fn name_output(document: &Document, edge: &Edge<'_>, text: &mut String, notes: &mut Vec<UpgradeNote>) {
    let Port::Handle(handle) = &edge.from else {
        return;
    };
    let Some(source) = document.node(&edge.source) else {
        return;
    };
    if handle.name.is_some() || handle.base_classes.is_empty() {
        return;
    }
    let fitting = source
        .outputs
        .iter()
        .filter(|output| compatible(&output.types, &handle.base_classes).is_ok());
    let [output] = fitting.collect::<Vec<_>>()[..] else {
        return;
    };
    let types: Vec<String> = output.offered().iter().map(ToString::to_string).collect();
    for path in [&["data", "sourceHandle"][..], &["sourceHandle"]] {
        let Some(old) = get(text, path) else {
            continue;
        };
        let as_text = path.len() == 1;
        let object = if as_text {
            string_content(old).and_then(|old| decoded(&old))
        } else {
            serde_json::from_str(old).ok()
        };
        let Some(Value::Object(mut object)) = object else {
            continue;
        };
        object.remove("baseClasses");
        object.insert("name".to_owned(), output.name.as_ref().into());
        object.insert("output_types".to_owned(), types.clone().into());
        let object = Value::Object(object);
        let new = if as_text {
            Value::from(encoded(&object)).to_string()
        } else {
            object.to_string()
        };
        if let Some(new) = replace(text, path, &new) {
            *text = new;
        }
    }
    notes.push(UpgradeNote {
        code: "handle_named",
        node: edge.target.to_string(),
        message: format!(
            "The wire from {} now leaves by the output `{}`.",
            source.name, output.name
        ),
    });
}

/// Handles that are not written as the canvas writes them, and copies for the executor that are missing.
fn rewrite_handle(edge: &Edge<'_>, key: &str, text: &mut String, notes: &mut Vec<UpgradeNote>) {
    let target = edge.target.to_string();
    let Some(old) = get(text, &[key])
        .and_then(string_content)
        .map(|old| old.into_owned())
    else {
        return;
    };
    let Some(new) = canonical_text(&old) else {
        return;
    };
    if new != old {
        let id = get(text, &["id"])
            .and_then(string_content)
            .map(|id| id.into_owned());
        if let Some(written) = replace(text, &[key], &Value::from(new.as_str()).to_string()) {
            *text = written;
        }
        // The canvas builds the id from the handles.
        if let Some(id) = id.filter(|id| id.starts_with("reactflow__edge-") && id.contains(&old))
            && let Some(written) = replace(text, &["id"], &Value::from(id.replace(&old, &new)).to_string())
        {
            *text = written;
        }
        notes.push(UpgradeNote {
            code: "handle_rewritten",
            node: target.clone(),
            message: format!("A wire's `{key}` is now written as the canvas writes it."),
        });
    }
    let has_data = get(text, &["data"]).is_some_and(|data| data.starts_with('{'));
    if get(text, &["data", key]).is_some() || (!has_data && get(text, &["data"]).is_some()) {
        return;
    }
    let Some(object) = decoded(&new) else {
        return;
    };
    let written = if has_data {
        append(text, &["data", key], &object.to_string())
    } else {
        append(
            text,
            &["data"],
            &Value::Object([(key.to_owned(), object)].into_iter().collect()).to_string(),
        )
    };
    if let Some(written) = written {
        *text = written;
        notes.push(UpgradeNote {
            code: "handle_copied",
            node: target,
            message: format!("A wire got the copy of its `{key}` that runs read."),
        });
    }
}
