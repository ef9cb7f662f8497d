//! A node in tool mode: its component as something a model can call.

use std::sync::Arc;

use ferro_model::{Descriptor, FieldSpec};
use serde_json::{Map, Value as Json, json};

use crate::call::Call;
use crate::catalog::Entry;
use crate::component::{Outcome, Outputs, Step};
use crate::failure::Failure;
use crate::value::{Tool, Value};

/// The name of the output that offers them.
pub const TOOL_OUTPUT: &str = "component_as_tool";

/// One tool for each output that can be one.
pub(crate) fn toolkit(entry: &Entry, call: &Call) -> Vec<Tool> {
    let descriptor = &entry.descriptor;
    let outputs = descriptor
        .outputs
        .iter()
        .filter(|output| output.tool_mode && !output.types.contains(&"Tool"));
    outputs
        .filter_map(|output| {
            let row = settings(call, &output.method);
            if row.is_some_and(|row| row.get("status") == Some(&Json::Bool(false))) {
                return None;
            }
            let said = |key: &str| {
                let text = row.and_then(|row| row.get(key)).and_then(Json::as_str);
                text.filter(|text| !text.is_empty()).map(str::to_owned)
            };
            let (entry, call, name) = (entry.clone(), call.clone(), output.name.clone());
            Some(Tool {
                name: tool_name(&said("name").unwrap_or_else(|| output.method.clone())),
                description: said("description").unwrap_or_else(|| match output.info.as_str() {
                    "" => descriptor.description.clone(),
                    info => info.to_owned(),
                }),
                schema: schema(descriptor),
                call: Arc::new(move |arguments| {
                    let (entry, call, name) = (entry.clone(), call.clone(), name.clone());
                    Box::pin(async move { use_tool(&entry, call, &name, arguments).await })
                }),
            })
        })
        .collect()
}

/// What the person set for this tool in the node's table of actions.
fn settings<'a>(call: &'a Call, method: &str) -> Option<&'a Map<String, Json>> {
    let rows = call
        .node
        .template
        .get("tools_metadata")?
        .get("value")?
        .as_array()?;
    let rows = rows.iter().filter_map(Json::as_object);
    rows.into_iter().find(|row| {
        let tag = row
            .get("tags")
            .and_then(Json::as_array)
            .and_then(|tags| tags.first());
        tag.and_then(Json::as_str) == Some(method)
    })
}

fn tool_name(text: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    text.chars().map(|c| if allowed(c) { c } else { '-' }).collect()
}

fn arguments(descriptor: &Descriptor) -> impl Iterator<Item = &FieldSpec> {
    descriptor.fields.iter().filter(|field| field.tool_mode)
}

fn schema(descriptor: &Descriptor) -> Json {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in arguments(descriptor) {
        let kind = match field.r#type {
            "int" => "integer",
            "float" | "slider" => "number",
            "bool" => "boolean",
            "dict" | "NestedDict" => "object",
            _ => "string",
        };
        let mut property = if field.list {
            json!({ "type": "array", "items": { "type": kind } })
        } else {
            json!({ "type": kind })
        };
        property["description"] = if field.info.is_empty() {
            field.display_name.clone()
        } else {
            field.info.clone()
        }
        .into();
        if !field.options.is_empty() {
            property["enum"] = json!(field.options);
        }
        if field.required {
            required.push(field.name.clone());
        }
        properties.insert(field.name.clone(), property);
    }
    json!({ "type": "object", "properties": properties, "required": required })
}

async fn use_tool(
    entry: &Entry,
    mut call: Call,
    output: &str,
    given: Map<String, Json>,
) -> Result<Value, Failure> {
    for (name, value) in given {
        if entry
            .descriptor
            .find_field(&name)
            .is_none_or(|field| !field.tool_mode)
        {
            let known: Vec<_> = arguments(&entry.descriptor)
                .map(|field| field.name.as_str())
                .collect();
            let message = format!("the tool has no argument `{name}`; it takes {}", known.join(", "));
            return Err(Failure::input(&name, message));
        }
        call.wired.retain(|(known, _)| **known != *name);
        call.overrides.retain(|(known, _)| **known != *name);
        call.overrides
            .push((Arc::from(name), Value::Plain(Arc::new(value))));
    }
    call.wanted = Arc::from([Arc::from(output)]);
    let outcome = match entry.component.run(call) {
        Step::Now(outcome) => outcome,
        Step::Later(work) => work.await,
    };
    match outcome? {
        Outcome::Done(Outputs { values, .. }) => {
            let found = values.into_iter().find(|(name, _)| name == output);
            Ok(found.map(|(_, value)| value).unwrap_or_default())
        }
        Outcome::Each(items) => Ok(Value::List(items.into())),
        Outcome::Ask(_) => Err(Failure::unavailable("a tool cannot stop to ask a person")),
    }
}
