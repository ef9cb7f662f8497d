//! `configure_component`: values for several fields at once.

use std::sync::Arc;

use ferro_agent::{Tool, ToolError};
use ferro_model::edit::Edit;
use ferro_model::read::{Field, Node};
use serde_json::{Map, Value as Json, json};

use super::edit::{Proposed, propose};
use super::fit::{Fit, fit};
use super::{Kit, Told, made, values, wires};

pub(super) fn tool(kit: &Kit) -> Arc<dyn Tool> {
    let told = Told {
        name: "configure_component",
        description: "Sets fields of a component. A model is [{\"provider\": \"…\", \"name\": \"…\"}].",
        arguments: json!({
            "component_id": { "type": "string" },
            "params": { "type": ["object", "string"], "description": "Values by field name, as JSON." },
        }),
        required: &["component_id", "params"],
    };
    made(kit, told, async |kit, arguments| {
        let id = kit.work.find_node(&arguments.text("component_id")?)?;
        let params = params(arguments.value("params")?)?;
        let work = &kit.work;
        let proposing = work.rules.propose_existing_edits && !work.rules.headless && work.is_existing(&id);
        let wanted = work.look(|document| {
            let node = document
                .node(&id)
                .ok_or_else(|| ToolError::new(format!("`{id}` is not in the flow any more.")))?;
            Wanted::read(&kit, &node, params, proposing)
        })?;
        let configured: Vec<String> = wanted.configured();
        let mut text = wanted.notes;
        if !wanted.edits.is_empty() {
            let done = work.change(wanted.edits).await?;
            if done.unchanged {
                text.push("Everything was set so already.".to_owned());
            }
        }
        let (mut proposed, mut refused) = (Vec::new(), Vec::new());
        for (field, value) in wanted.proposals {
            match propose(&kit, &id, &field, value).await {
                Ok(Proposed::Waits) => proposed.push(field),
                Ok(Proposed::Set) => {}
                Err(error) => refused.push(error.message),
            }
        }
        if proposed.is_empty() && configured.is_empty() && !refused.is_empty() {
            return Err(ToolError::new(refused.join(" ")));
        }
        if !proposed.is_empty() {
            text.push("What is proposed waits for the person; do not set it again.".to_owned());
        }
        text.extend(refused);
        Ok(json!({
            "component_id": id, "configured": configured, "proposed": proposed,
            "text": (!text.is_empty()).then(|| text.join(" ")),
        }))
    })
}

/// An object, or a text that holds one.
fn params(given: Json) -> Result<Map<String, Json>, ToolError> {
    let given = match given {
        Json::String(text) => serde_json::from_str(&text).unwrap_or_default(),
        other => other,
    };
    match given {
        Json::Object(params) if !params.is_empty() => Ok(params),
        _ => Err(ToolError::new(
            r#"`params` must be a JSON object with a value for each field, such as {"system_prompt": "…"}."#,
        )),
    }
}

/// Models take it for a field.
fn as_tool(node: &Node<'_>, value: &Json) -> Result<Edit, ToolError> {
    if *value != Json::Bool(true) {
        return Err(ToolError::new(format!(
            "`{}` stops being a tool only on the canvas; or remove it and add it again.",
            node.id
        )));
    }
    Ok(Edit::ToolMode {
        node: node.id.to_string(),
        on: true,
    })
}

/// What a call wants, sorted by how it comes about.
#[derive(Default)]
struct Wanted {
    edits: Vec<Edit>,
    proposals: Vec<(String, Json)>,
    notes: Vec<String>,
}

impl Wanted {
    fn read(
        kit: &Kit,
        node: &Node<'_>,
        params: Map<String, Json>,
        proposing: bool,
    ) -> Result<Self, ToolError> {
        let mut wanted = Self::default();
        let mut live = Map::new();
        let id = || node.id.to_string();
        for (name, value) in params {
            let Some(field) = node.field(&name) else {
                if name == "tool_mode" {
                    wanted.edits.push(as_tool(node, &value)?);
                    continue;
                }
                return Err(values::unknown_field(node, &name));
            };
            if field.r#type == "code" {
                return Err(ToolError::new(format!(
                    "`{name}` of `{}` is code, which the person looks at first: use propose_field_edit, or write a new \
                     component with generate_component.",
                    node.id
                )));
            }
            let is_text = value.is_string();
            match fit(&kit.work.rules, node, field, value)? {
                Fit::ByWire => wanted.edits.push(Edit::ConnectionMode { node: id(), on: true }),
                Fit::Value { value, note } => {
                    wanted.notes.extend(note);
                    if field.r#type == "model" && wires::is_by_wire(node) {
                        wanted.edits.push(Edit::ConnectionMode {
                            node: id(),
                            on: false,
                        });
                    }
                    let is_text = value.is_string() || is_text && value.is_array();
                    if proposing && is_text && !is_choice(field) {
                        wanted.proposals.push((name, value));
                    } else {
                        live.insert(name, value);
                    }
                }
            }
        }
        if !live.is_empty() {
            wanted.edits.push(Edit::Configure {
                node: id(),
                values: live,
            });
        }
        Ok(wanted)
    }

    /// Names of what is set at once.
    fn configured(&self) -> Vec<String> {
        let names = self.edits.iter().flat_map(|edit| match edit {
            Edit::Configure { values, .. } => values.keys().cloned().collect(),
            Edit::ToolMode { .. } => vec!["tool_mode".to_owned()],
            Edit::ConnectionMode { on: true, .. } => vec!["model".to_owned()],
            _ => Vec::new(),
        });
        names.collect()
    }
}

/// One of a few values rather than a text of the person's own: nothing to read old beside new.
fn is_choice(field: &Field<'_>) -> bool {
    let options = || field.json.to_value().get("options").is_some_and(Json::is_array);
    matches!(&*field.r#type, "model" | "tab") || field.name == "model_name" || options()
}
