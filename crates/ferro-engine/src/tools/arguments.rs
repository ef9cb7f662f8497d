//! The arguments of a node's tools: which fields a model fills in, and how they are described to it.

use ferro_model::Descriptor;
use serde_json::{Map, Value as Json, json};

use super::tool_name;

/// A field that a model fills in.
pub(super) struct Argument<'a> {
    pub field: &'a str,
    /// The name the model knows it by: providers take few characters.
    pub name: String,
    property: Json,
    required: bool,
}

/// Those of the component, unless the node says otherwise, and those that the node has on top, such as the inputs of
/// a flow that it runs.
pub(super) fn arguments<'a>(
    descriptor: &'a Descriptor,
    template: &'a Map<String, Json>,
) -> Vec<Argument<'a>> {
    let said = |name: &str| template.get(name).and_then(|entry| entry.get("tool_mode"));
    let own = descriptor
        .fields
        .iter()
        .filter(|field| field.tool_mode && said(&field.name) != Some(&Json::Bool(false)))
        .map(|field| Argument {
            field: &field.name,
            name: tool_name(&field.name),
            property: property(
                &field.r#type,
                field.list,
                &field.display_name,
                &field.info,
                json!(field.options),
            ),
            required: field.required,
        });
    let more = template
        .iter()
        .filter(|(name, _)| descriptor.find_field(name).is_none() && said(name) == Some(&Json::Bool(true)))
        .map(|(field, entry)| {
            let text = |key: &str| entry.get(key).and_then(Json::as_str).unwrap_or_default();
            let is = |key: &str| entry.get(key) == Some(&Json::Bool(true));
            let options = entry.get("options").cloned().unwrap_or_default();
            Argument {
                field,
                name: tool_name(field),
                property: property(
                    text("type"),
                    is("list"),
                    text("display_name"),
                    text("info"),
                    options,
                ),
                required: is("required"),
            }
        });
    own.chain(more).collect()
}

/// One member of a JSON Schema.
fn property(kind: &str, list: bool, title: &str, info: &str, options: Json) -> Json {
    let kind = match kind {
        "int" => "integer",
        "float" | "slider" => "number",
        "bool" => "boolean",
        "dict" | "NestedDict" => "object",
        _ => "string",
    };
    let mut one = json!({ "type": kind });
    let texts = |list: &Vec<Json>| !list.is_empty() && list.iter().all(Json::is_string);
    if options.as_array().is_some_and(texts) {
        one["enum"] = options;
    }
    let mut property = if list {
        json!({ "type": "array", "items": one })
    } else {
        one
    };
    property["title"] = title.into();
    property["description"] = if info.is_empty() { title } else { info }.into();
    property
}

/// The fields of a node that a model fills in when it calls one of its tools, as members of a JSON Schema.
pub fn tool_arguments(descriptor: &Descriptor, template: &Map<String, Json>) -> Map<String, Json> {
    let all = arguments(descriptor, template).into_iter();
    all.map(|argument| (argument.name, argument.property)).collect()
}

pub(super) fn schema(descriptor: &Descriptor, template: &Map<String, Json>) -> Json {
    let mut required = Vec::new();
    let mut properties = Map::new();
    let all = arguments(descriptor, template);
    // The only argument, without a value of its own, is what the tool is called for.
    let is_alone = all.len() == 1;
    for argument in all {
        if argument.required || is_alone && is_empty(descriptor, template, argument.field) {
            required.push(argument.name.clone());
        }
        properties.insert(argument.name, argument.property);
    }
    json!({ "type": "object", "properties": properties, "required": required })
}

/// A visible field that nobody has filled in.
fn is_empty(descriptor: &Descriptor, template: &Map<String, Json>, field: &str) -> bool {
    let entry = template.get(field);
    let known = descriptor.find_field(field);
    let shown = match entry.and_then(|entry| entry.get("show")) {
        Some(Json::Bool(shown)) => *shown,
        _ => known.is_none_or(|known| known.show),
    };
    let value = entry.and_then(|entry| entry.get("value"));
    let value = value.or_else(|| known.map(|known| &known.value));
    shown
        && match value {
            None | Some(Json::Null) => true,
            Some(Json::String(text)) => text.is_empty(),
            Some(Json::Array(items)) => items.is_empty(),
            Some(_) => false,
        }
}
