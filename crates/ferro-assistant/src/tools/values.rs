//! `get_field_value`: what is set on a node, without its secrets.

use std::sync::Arc;

use ferro_agent::{Tool, ToolError};
use ferro_model::read::{Field, Node, NodeKind};
use serde_json::{Map, Value as Json, json};

use super::secrets::{self, Shown};
use super::{Kit, Told, find, made};
use crate::work::Work;

/// Characters of one value that are shown at a time.
const MOST: usize = 2000;
/// Of each, when all of a node are asked for.
const EACH: usize = 200;

pub(super) fn tool(kit: &Kit) -> Arc<dyn Tool> {
    let told = Told {
        name: "get_field_value",
        description: "Reads one field of a component in the flow, or all that are set. Secrets are not shown.",
        arguments: json!({
            "component_id": { "type": "string" },
            "field_name": { "type": "string" },
            "offset": { "type": "integer", "description": "Where to go on in a long text." },
        }),
        required: &["component_id"],
    };
    made(kit, told, async |kit, arguments| {
        let id = kit.work.find_node(&arguments.text("component_id")?)?;
        let (field, offset) = (arguments.some_text("field_name"), arguments.number("offset"));
        let shown = shown(&kit.work, &id)?;
        shown
            .read(|node| match (node.kind, field) {
                (NodeKind::Note, _) => Ok(note(node, offset)),
                (_, Some(field)) => one(&shown, node, &field, offset),
                (_, None) => Ok(all(&shown, node)),
            })
            .unwrap_or_else(|| Err(unreadable(&id)))
    })
}

/// The node without its secrets.
pub(super) fn shown(work: &Work, id: &str) -> Result<Shown, ToolError> {
    let shown = work.look(|document| document.node_text(id).and_then(Shown::of));
    shown.ok_or_else(|| unreadable(id))
}

fn unreadable(id: &str) -> ToolError {
    ToolError::new(format!(
        "The component `{id}` cannot be read; look at another one."
    ))
}

fn note(node: &Node<'_>, offset: usize) -> Json {
    let component = node.component();
    let text = component
        .get("description")
        .and_then(Json::as_str)
        .unwrap_or_default();
    let (value, text) = part(&secrets::without_keys_in(text), offset, MOST);
    json!({ "component_id": node.id, "type": "note", "value": value, "text": text })
}

fn one(shown: &Shown, node: &Node<'_>, name: &str, offset: usize) -> Result<Json, ToolError> {
    let Some(field) = node.field(name) else {
        return Err(unknown_field(node, name));
    };
    let (value, text) = capped(shown.value(field), offset, MOST);
    Ok(json!({
        "component_id": node.id,
        "type": node.r#type,
        "field": name,
        "value": value,
        "text": text,
    }))
}

pub(super) fn unknown_field(node: &Node<'_>, name: &str) -> ToolError {
    let names: Vec<&str> = fields(node).map(|field| field.name.as_ref()).collect();
    ToolError::new(format!(
        "`{}` has no field `{name}`; it has {}.",
        node.id,
        find::listed(names.iter())
    ))
}

fn fields<'n, 'a>(node: &'n Node<'a>) -> impl Iterator<Item = &'n Field<'a>> {
    let is_own = |field: &&Field<'_>| field.show && field.r#type != "code" && field.name != "tools_metadata";
    node.fields.iter().filter(is_own)
}

/// What is set and visible; advanced fields only when something is in them.
fn all(shown: &Shown, node: &Node<'_>) -> Json {
    let mut values = Map::new();
    for field in fields(node) {
        let value = shown.value(field);
        let empty = match &value {
            Json::Null => true,
            Json::String(text) => text.is_empty(),
            Json::Array(items) => items.is_empty(),
            Json::Object(members) => members.is_empty(),
            _ => false,
        };
        if !(empty && (field.advanced || field.input_types.is_some())) {
            let (value, _) = capped(value, 0, EACH);
            values.insert(field.name.to_string(), value);
        }
    }
    json!({ "component_id": node.id, "type": node.r#type, "name": node.name, "fields": values })
}

/// A value that is short enough to be shown, and how to read on.
fn capped(value: Json, offset: usize, most: usize) -> (Json, Option<String>) {
    match value {
        Json::String(text) => {
            let (text, more) = part(&text, offset, most);
            (text.into(), more)
        }
        Json::Array(_) | Json::Object(_) => {
            let text = value.to_string();
            if offset == 0 && text.chars().count() <= most {
                return (value, None);
            }
            let (text, more) = part(&text, offset, most);
            (text.into(), more)
        }
        other => (other, None),
    }
}

fn part(text: &str, offset: usize, most: usize) -> (String, Option<String>) {
    let total = text.chars().count();
    let part: String = text.chars().skip(offset).take(most).collect();
    let end = offset.saturating_add(most);
    if total <= end {
        return (part, None);
    }
    if most < MOST {
        return (format!("{part}… [{total} characters]"), None);
    }
    let more = format!("Characters {offset} to {end} of {total}; go on with offset {end}.");
    (part, Some(more))
}
