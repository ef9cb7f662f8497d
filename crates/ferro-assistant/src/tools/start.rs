//! What people are told the moment a tool begins.

use serde_json::{Map, Value as Json};

use crate::event::AssistEvent;

/// So much of what a model wrote is shown.
const LONGEST: usize = 80;

/// `None` for tools that change nothing.
pub(super) fn event(tool: &str, arguments: &Map<String, Json>) -> Option<AssistEvent> {
    let text = |key: &str| {
        let text = arguments.get(key).and_then(Json::as_str)?.trim();
        let line: String = text
            .chars()
            .filter(|letter| !letter.is_control())
            .take(LONGEST)
            .collect();
        (!line.is_empty()).then_some(line)
    };
    let or = |key: &str, else_: &str| text(key).unwrap_or_else(|| else_.to_owned());
    let label = match tool {
        "add_component" => format!("Adding {}", or("component_type", "a component")),
        "remove_component" => format!("Removing {}", or("component_id", "a component")),
        "connect_components" => {
            format!(
                "Connecting {} to {}",
                or("source_id", "a component"),
                or("target_id", "another")
            )
        }
        "disconnect_components" => {
            format!(
                "Disconnecting {} from {}",
                or("source_id", "a component"),
                or("target_id", "another")
            )
        }
        "configure_component" => format!("Setting up {}", or("component_id", "a component")),
        "rename_component" => format!("Renaming {}", or("component_id", "a component")),
        "propose_field_edit" => {
            format!(
                "Proposing a new {} for {}",
                or("field_name", "value"),
                or("component_id", "a component")
            )
        }
        "build_flow" => "Building the flow".to_owned(),
        "use_template" => format!("Opening the template {}", or("template_name", ""))
            .trim_end()
            .to_owned(),
        "run_flow" => "Running the flow".to_owned(),
        "generate_component" => "Writing a component".to_owned(),
        _ => return None,
    };
    Some(AssistEvent::ToolStart {
        tool: tool.to_owned(),
        label,
        component_type: text("component_type"),
        component_id: text("component_id"),
        source_id: text("source_id"),
        target_id: text("target_id"),
        field: text("field_name"),
        template_name: text("template_name"),
    })
}
