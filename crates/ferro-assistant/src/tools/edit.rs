//! `propose_field_edit`: a new value for one field, which a person agrees to first.

use std::sync::Arc;

use ferro_agent::{Tool, ToolError};
use ferro_model::edit::Edit;
use serde_json::{Map, Value as Json, json};

use super::fit::{Fit, fit};
use super::{Kit, Told, made, values};
use crate::event::FieldEdit;

pub(super) fn tool(kit: &Kit) -> Arc<dyn Tool> {
    let told = Told {
        name: "propose_field_edit",
        description: "Proposes a new value for one field of a component; the person accepts or dismisses it.",
        arguments: json!({
            "component_id": { "type": "string" }, "field_name": { "type": "string" }, "new_value": {},
        }),
        required: &["component_id", "field_name", "new_value"],
    };
    made(kit, told, async |kit, arguments| {
        let id = kit.work.find_node(&arguments.text("component_id")?)?;
        let field = arguments.text("field_name")?;
        let (value, note) = fitting(&kit, &id, &field, arguments.value("new_value")?)?;
        let text = match propose(&kit, &id, &field, value).await? {
            Proposed::Waits => format!("Proposed a new `{field}` for `{id}`; it waits for the person."),
            Proposed::Set => format!("Set `{field}` of `{id}`."),
        };
        let text = note.into_iter().fold(text, |text, note| format!("{text} {note}"));
        Ok(json!({ "component_id": id, "field": field, "text": text }))
    })
}

fn fitting(kit: &Kit, id: &str, name: &str, value: Json) -> Result<(Json, Option<String>), ToolError> {
    kit.work.look(|document| {
        let node = document.node(id).ok_or_else(|| ToolError::new(format!("`{id}` is not in the flow any more.")))?;
        let field = node.field(name).ok_or_else(|| values::unknown_field(&node, name))?;
        let unseen = kit.work.rules.headless || !kit.work.is_existing(id);
        if field.r#type == "code" && unseen {
            return Err(ToolError::new(format!(
                "`{name}` of `{id}` is code, which nobody would look at first; write a component with generate_component."
            )));
        }
        match fit(&kit.work.rules, &node, field, value)? {
            Fit::Value { value, note } => Ok((value, note)),
            Fit::ByWire => Err(ToolError::new("A model that comes by wire is connected with connect_components.")),
        }
    })
}

/// What became of a proposal.
pub(super) enum Proposed {
    Waits,
    /// Nobody is there to agree, or there is nothing of theirs to change.
    Set,
}

/// Proposes a value that fits its field.
pub(super) async fn propose(kit: &Kit, id: &str, field: &str, value: Json) -> Result<Proposed, ToolError> {
    let work = &kit.work;
    let same = work.look(|document| {
        let node = document.node(id)?;
        Some(node.field(field)?.to_value()? == value)
    });
    if same == Some(true) {
        return Err(ToolError::new(format!(
            "`{field}` of `{id}` has that value already; there is nothing to propose."
        )));
    }
    if work.is_pending(id, field, &value) {
        return Err(ToolError::new(format!(
            "That edit of `{field}` waits for the person already; do not propose it again."
        )));
    }
    if work.rules.headless || !work.is_existing(id) {
        let values = Map::from_iter([(field.to_owned(), value)]);
        work.change(vec![Edit::Configure {
            node: id.to_owned(),
            values,
        }])
        .await?;
        return Ok(Proposed::Set);
    }
    let shown = values::shown(work, id)?;
    let (component_type, name, old, by_name) = shown
        .read(|node| {
            let field = node.field(field);
            let old = field.map(|field| shown.value(field)).unwrap_or_default();
            let by_name = field.is_some_and(|field| field.load_from_db);
            (node.r#type.to_string(), node.name.to_string(), old, by_name)
        })
        .unwrap_or_default();
    let place = work.look(|document| document.ids().iter().position(|known| known == id));
    let Some(place) = place else {
        return Err(ToolError::new(format!("`{id}` is not in the flow any more.")));
    };
    let key = field.replace('~', "~0").replace('/', "~1");
    let entry = format!("/data/nodes/{place}/data/node/template/{key}");
    let mut patch = vec![json!({ "op": "replace", "path": format!("{entry}/value"), "value": value })];
    if by_name {
        // Otherwise the new text would be taken for the name of a variable.
        patch.push(json!({ "op": "replace", "path": format!("{entry}/load_from_db"), "value": false }));
    }
    work.propose_edit(FieldEdit {
        id: eight_digits(),
        component_id: id.to_owned(),
        component_type,
        field: field.to_owned(),
        old_value: old,
        new_value: value.clone(),
        description: format!("Change {field} of {name}"),
        patch,
    })
    .await?;
    Ok(Proposed::Waits)
}

fn eight_digits() -> String {
    let mut bytes = [0; 4];
    // Only told apart by the page; without chance the place in the list does it.
    let _ = getrandom::fill(&mut bytes);
    format!("{:08x}", u32::from_be_bytes(bytes))
}
