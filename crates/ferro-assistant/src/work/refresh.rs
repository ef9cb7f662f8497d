//! Fields that others depend on: which fields and outputs a node has may follow from what is set in it. On the canvas
//! the server is asked after such a change; here the host is.

use ferro_model::edit::{Change, Edit, Patch};
use ferro_model::read::Field;
use ferro_model::{Document, Registry};
use serde_json::{Map, Value as Json};

use crate::host::Host;

/// Parts of a node that follow from others.
const PARTS: [&str; 3] = ["outputs", "custom_fields", "field_order"];

/// What a node needs after these fields of it were set; nothing for most.
pub(super) fn refreshed(
    host: &dyn Host,
    registry: &Registry,
    document: &Document,
    (id, set): (&str, &[String]),
) -> Vec<Edit> {
    let Some(node) = document.node(id) else {
        return Vec::new();
    };
    // A node that is its code is asked by running it, which is not for an edit to do.
    let is_own = node.edited || registry.get_alike(&node.r#type).is_none();
    let asks = |field: &&Field<'_>| set.iter().any(|name| *name == field.name) && has_refresh(field);
    let fields: Vec<String> = node
        .fields
        .iter()
        .filter(asks)
        .map(|field| field.name.to_string())
        .collect();
    if is_own || fields.is_empty() {
        return Vec::new();
    }
    let before = node.component();
    let mut after = before.clone();
    for field in fields {
        // What the host refuses is a problem of the flow, which is told where problems are.
        after = host
            .refreshed(&node.r#type, after.clone(), &field)
            .unwrap_or(after);
    }
    edits(document, id, &before, &after)
}

pub(crate) fn has_refresh(field: &Field<'_>) -> bool {
    field.json.to_value().get("real_time_refresh") == Some(&Json::Bool(true))
}

fn edits(document: &Document, id: &str, before: &Json, after: &Json) -> Vec<Edit> {
    let mut changes = Vec::new();
    let mut set = |path: &[&str], to: Option<&Json>| changes.extend(Change::of_value(document, id, path, to));
    let empty = Map::new();
    let template = |node: &'static str, of: &'_ Json| -> Map<String, Json> {
        of.get(node).and_then(Json::as_object).unwrap_or(&empty).clone()
    };
    let (old, new) = (template("template", before), template("template", after));
    for (field, entry) in &new {
        let path = ["data", "node", "template", field];
        match (old.get(field).and_then(Json::as_object), entry.as_object()) {
            _ if old.get(field) == Some(entry) => {}
            // Member by member: what stays may be a secret, and is nobody's business.
            (Some(old), Some(new)) => {
                for key in new.keys().chain(old.keys().filter(|key| !new.contains_key(*key))) {
                    if old.get(key) != new.get(key) {
                        set(&[&path[..], &[key]].concat(), new.get(key));
                    }
                }
            }
            _ => set(&path, Some(entry)),
        }
    }
    for field in old.keys().filter(|field| !new.contains_key(*field)) {
        set(&["data", "node", "template", field], None);
    }
    for part in PARTS {
        if before.get(part) != after.get(part) {
            set(&["data", "node", part], after.get(part));
        }
    }
    let mut edits = Vec::new();
    if !changes.is_empty() {
        edits.push(Edit::Patch(Patch { changes }));
    }
    edits.extend(loose(document, id, after));
    edits
}

/// Wires whose port is gone go, too.
fn loose(document: &Document, id: &str, after: &Json) -> Vec<Edit> {
    let outputs = after.get("outputs").and_then(Json::as_array);
    let has_output = |name: &str| outputs.is_none_or(|all| all.iter().any(|one| one["name"] == name));
    let has_field = |name: &str| after["template"].get(name).is_some();
    let wires = document.wires().into_iter();
    let gone = wires.filter(|wire| {
        wire.source == id && !has_output(wire.output)
            || wire.target == id && !has_field(wire.input) && !(wire.into_loop && has_output(wire.input))
    });
    gone.map(|wire| Edit::Disconnect {
        source: wire.source.to_owned(),
        target: wire.target.to_owned(),
        output: Some(wire.output.to_owned()),
        input: Some(wire.input.to_owned()),
    })
    .collect()
}
