//! `add_component`, `remove_component`, `rename_component`.

use std::sync::Arc;

use ferro_agent::{Tool, ToolError};
use ferro_model::edit::Edit;
use ferro_model::read::NodeKind;
use serde_json::{Map, Value as Json, json};

use super::{Kit, Told, describe, fit, made, secrets};
use crate::work::Side;

/// Characters of a component's name.
const LONGEST_NAME: usize = 120;

pub(super) fn add(kit: &Kit) -> Arc<dyn Tool> {
    let told = Told {
        name: "add_component",
        description: "Puts one component on the canvas at once. Returns its id.",
        arguments: json!({ "component_type": { "type": "string" } }),
        required: &["component_type"],
    };
    made(kit, told, async |kit, arguments| {
        let registry = kit.work.registry();
        let known = Arc::clone(describe::known(&registry, &arguments.text("component_type")?)?);
        let id = kit.work.fresh_id(&known.r#type);
        let side = if known.is_input { Side::Left } else { Side::Right };
        let (x, y) = kit.work.free_place(side);
        let mut edits = vec![Edit::Add {
            r#type: known.r#type.clone(),
            id: Some(id.clone()),
            x,
            y,
        }];
        let rules = &kit.work.rules;
        let models = known
            .fields
            .iter()
            .filter(|field| fit::is_language_model(&field.to_json()) && !rules.can_ask(&field.value));
        let usual = rules.usual_model();
        let mut values: Map<String, Json> = models
            .map(|field| (field.name.clone(), usual.value.clone()))
            .collect();
        let mut text = vec![format!("Added {}.", known.display_name)];
        if known.legacy {
            text.push("It is out of date: prefer another one.".to_owned());
        }
        if !values.is_empty() {
            text.extend(usual.note);
        }
        for field in secrets::named_by_code(&known) {
            text.push(format!(
                "Its field {field} is a secret and was left empty; only the person sets it."
            ));
            values.insert(field.to_owned(), Json::String(String::new()));
        }
        if !values.is_empty() {
            edits.push(Edit::Configure {
                node: id.clone(),
                values,
            });
        }
        kit.work.change(edits).await?;
        Ok(json!({ "id": id, "type": known.r#type, "text": text.join(" ") }))
    })
}

pub(super) fn remove(kit: &Kit) -> Arc<dyn Tool> {
    let told = Told {
        name: "remove_component",
        description: "Takes one component, and the wires at it, off the canvas at once.",
        arguments: json!({ "component_id": { "type": "string" } }),
        required: &["component_id"],
    };
    made(kit, told, async |kit, arguments| {
        let node = kit.work.find_node(&arguments.text("component_id")?)?;
        let wires = kit.work.look(|document| {
            let wires = document.wires();
            wires
                .iter()
                .filter(|wire| wire.source == node || wire.target == node)
                .count()
        });
        let done = kit.work.change(vec![Edit::Remove { node: node.clone() }]).await?;
        let text = match wires {
            0 => done.said.join(" "),
            wires => format!("{} Its wires went with it: {wires}.", done.said.join(" ")),
        };
        Ok(json!({ "removed": node, "text": text }))
    })
}

pub(super) fn rename(kit: &Kit) -> Arc<dyn Tool> {
    let told = Told {
        name: "rename_component",
        description: "Changes the name that a component shows on the canvas.",
        arguments: json!({ "component_id": { "type": "string" }, "name": { "type": "string" } }),
        required: &["component_id", "name"],
    };
    made(kit, told, async |kit, arguments| {
        let id = kit.work.find_node(&arguments.text("component_id")?)?;
        let name = arguments.text("name")?;
        let name: String = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.chars().count() > LONGEST_NAME {
            return Err(ToolError::new(format!(
                "The name is longer than {LONGEST_NAME} characters; choose a shorter one."
            )));
        }
        let (is_note, now) = kit.work.look(|document| {
            let node = document.node(&id);
            let is_note = node.as_ref().is_some_and(|node| node.kind == NodeKind::Note);
            (is_note, node.map(|node| node.name.to_string()))
        });
        if is_note {
            return Err(ToolError::new(format!(
                "`{id}` is a note, which has no name; name a component."
            )));
        }
        if now.as_deref() == Some(&name) {
            return Ok(json!({ "component_id": id, "text": "It has that name already." }));
        }
        let Some(edit) = kit.work.rename_edit(&id, &name) else {
            return Err(ToolError::new(format!("`{id}` is not in the flow any more.")));
        };
        let done = kit.work.change(vec![edit]).await?;
        Ok(json!({ "component_id": id, "name": name, "text": done.said.join(" ") }))
    })
}
