//! A node as a tool: what it offers an agent instead of its outputs, and the table of what a person set for it.

use ferro_engine::{ToolOutput, tool_arguments, tool_outputs};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Map, Value as Json, json};

pub fn enter_tool_mode(node: &mut Json, descriptor: &Descriptor) {
    let rows = node
        .pointer("/template/tools_metadata/value")
        .and_then(Json::as_array);
    let none = Map::new();
    let template = node["template"].as_object().unwrap_or(&none);
    let value = tool_rows(descriptor, template, rows.map_or(&[], Vec::as_slice));
    node["template"]["tools_metadata"] = tools_field(value);
    node["outputs"] = json!([OutputSpec::toolset().to_json()]);
    node["tool_mode"] = true.into();
}

pub(super) fn leave_tool_mode(node: &mut Json, descriptor: &Descriptor) {
    if let Some(template) = node["template"].as_object_mut() {
        template.remove("tools_metadata");
    }
    node["outputs"] = descriptor.outputs.iter().map(OutputSpec::to_json).collect();
    node["tool_mode"] = false.into();
}

fn tools_field(value: Json) -> Json {
    let mut field = FieldSpec::other("tools_metadata", "Actions", "tools", "ToolsInput")
        .list()
        .refresh()
        .to_json();
    field["value"] = value;
    field["info"] = "Which of its outputs an agent may use, and under which names.".into();
    field
}

/// One row per output that can be a tool. What a person set stays as long as the tools are the same.
fn tool_rows(descriptor: &Descriptor, template: &Map<String, Json>, before: &[Json]) -> Json {
    let rows: Vec<Json> = tool_outputs(descriptor)
        .iter()
        .map(|tool| tool_row(descriptor, template, tool))
        .collect();
    let tag = |row: &Json| row.pointer("/tags/0").and_then(Json::as_str).map(str::to_owned);
    let same = rows.len() == before.len()
        && rows
            .iter()
            .all(|row| before.iter().any(|old| tag(old) == tag(row)));
    let kept = |mut row: Json| {
        let old = before.iter().find(|old| tag(old) == tag(&row)).filter(|_| same);
        let Some(old) = old.and_then(Json::as_object) else {
            return row;
        };
        for (key, usual) in [
            ("name", Some("display_name")),
            ("description", Some("display_description")),
            ("status", None),
            ("approval", None),
            ("approval_actions", None),
        ] {
            // What was never changed follows the component.
            let changed = usual.is_none_or(|usual| old.get(key) != old.get(usual));
            if let Some(value) = old.get(key).filter(|value| changed && !value.is_null()) {
                row[key] = value.clone();
            }
        }
        row
    };
    rows.into_iter().map(kept).collect()
}

fn tool_row(descriptor: &Descriptor, template: &Map<String, Json>, tool: &ToolOutput<'_>) -> Json {
    json!({
        "name": tool.name,
        "description": tool.description,
        "tags": [tool.output.method],
        "status": true,
        "approval": false,
        "approval_actions": [],
        "display_name": tool.name,
        "display_description": tool.description,
        "readonly": false,
        "args": tool_arguments(descriptor, template),
    })
}

/// An agent tells flows apart by their names, not by that of the node which runs them.
pub fn name_tools(node: &mut Json, flow: &str, description: &str) {
    let fit = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = flow.chars().map(fit).take(64).collect();
    let description = match description.trim() {
        "" => format!("Runs the flow {flow} and gives its answer."),
        said => said.to_owned(),
    };
    let rows = node.pointer_mut("/template/tools_metadata/value");
    for row in rows.and_then(Json::as_array_mut).into_iter().flatten() {
        for (said, usual, new) in [
            ("name", "display_name", &name),
            ("description", "display_description", &description),
        ] {
            if row[said] == row[usual] {
                row[said] = new.as_str().into();
            }
            row[usual] = new.as_str().into();
        }
    }
}
