//! Schemas for answers, as OpenAI takes them.

use serde_json::{Map, Value as Json, json};

use super::super::wire::json_only;
use crate::chat::Format;

/// Deeper schemas are refused in strict mode.
const DEEPEST: usize = 10;

/// The `response_format` of chat completions, without its name for the schema inside: `text.format` of the newer API
/// has the same members one level up.
pub(crate) fn response_format(format: &Format) -> Option<Json> {
    match format {
        Format::Text => None,
        Format::Json => Some(json!({ "type": "json_object" })),
        Format::Schema { name, schema } => Some(json!({
            "type": "json_schema",
            "json_schema": { "name": plain_name(name), "schema": schema, "strict": is_strict(schema) },
        })),
    }
}

pub(crate) fn text_format(format: &Format) -> Option<Json> {
    match format {
        Format::Text => None,
        Format::Json => Some(json!({ "type": "json_object" })),
        Format::Schema { name, schema } => Some(json!({
            "type": "json_schema", "name": plain_name(name), "schema": schema, "strict": is_strict(schema),
        })),
    }
}

/// What must be said besides: JSON mode is refused when nobody has said "JSON".
pub(crate) fn reminder(format: &Format, said: &[Json]) -> Option<String> {
    let is_said = || {
        said.iter()
            .any(|message| message.to_string().to_ascii_lowercase().contains("json"))
    };
    (*format == Format::Json && !is_said()).then(|| json_only(None))
}

fn plain_name(name: &str) -> String {
    let kept = name.chars().map(|c| {
        if c.is_ascii_alphanumeric() || c == '-' {
            c
        } else {
            '_'
        }
    });
    let name: String = kept.take(64).collect();
    if name.is_empty() {
        "answer".to_owned()
    } else {
        name
    }
}

/// Whether the schema is one that strict mode takes: it refuses others instead of doing its best.
pub(crate) fn is_strict(schema: &Json) -> bool {
    schema.get("type").and_then(Json::as_str) == Some("object") && is_strict_below(schema, DEEPEST)
}

fn is_strict_below(schema: &Json, depth: usize) -> bool {
    const KNOWN: [&str; 22] = [
        "$defs",
        "$ref",
        "$schema",
        "additionalProperties",
        "anyOf",
        "const",
        "description",
        "enum",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "items",
        "maxItems",
        "maximum",
        "minItems",
        "minimum",
        "multipleOf",
        "pattern",
        "properties",
        "required",
        "title",
        "type",
    ];
    let (Some(schema), Some(depth)) = (schema.as_object(), depth.checked_sub(1)) else {
        return false;
    };
    if schema.contains_key("$ref") {
        return schema.len() == 1;
    }
    let is_known = schema.keys().all(|key| KNOWN.contains(&key.as_str()));
    let says_what = ["type", "anyOf", "enum", "const"]
        .iter()
        .any(|key| schema.contains_key(*key));
    is_known && says_what && is_closed(schema) && parts(schema).all(|part| is_strict_below(part, depth))
}

/// An object that has all its members and no others.
fn is_closed(schema: &Map<String, Json>) -> bool {
    let is_object = match schema.get("type") {
        Some(Json::String(kind)) => kind == "object",
        Some(Json::Array(kinds)) => kinds.iter().any(|kind| kind == "object"),
        _ => schema.contains_key("properties"),
    };
    if !is_object {
        return true;
    }
    let required = schema.get("required").and_then(Json::as_array);
    let is_required = |name: &String| required.is_some_and(|all| all.iter().any(|one| one == name));
    let members = schema.get("properties").and_then(Json::as_object);
    schema.get("additionalProperties") == Some(&Json::Bool(false))
        && members.is_some_and(|members| members.keys().all(is_required))
}

fn parts(schema: &Map<String, Json>) -> impl Iterator<Item = &Json> {
    let named = ["properties", "$defs"]
        .into_iter()
        .filter_map(|key| schema.get(key)?.as_object());
    let listed = schema.get("anyOf").and_then(Json::as_array);
    named
        .flat_map(Map::values)
        .chain(listed.into_iter().flatten())
        .chain(schema.get("items"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_only_where_every_object_is_closed() {
        let open = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]});
        let mut closed = open.clone();
        closed["additionalProperties"] = json!(false);
        assert!(!is_strict(&open));
        assert!(is_strict(&closed));

        let with = |inner: Json| json!({"type": "object", "additionalProperties": false, "required": ["x"], "properties": {"x": inner}});
        assert!(is_strict(&with(closed.clone())));
        assert!(is_strict(&with(
            json!({"type": "array", "items": closed.clone()})
        )));
        assert!(is_strict(&with(
            json!({"anyOf": [{"type": "null"}, closed.clone()]})
        )));
        assert!(is_strict(&with(json!({"$ref": "#/$defs/x"}))));
        for loose in [
            open.clone(),
            json!({"type": "array", "items": open}),
            json!({"type": "string", "default": "a"}),
            json!({"oneOf": [{"type": "null"}]}),
            json!({"$ref": "#/$defs/x", "description": "d"}),
            json!({}),
            json!(true),
        ] {
            assert!(!is_strict(&with(loose.clone())), "{loose}");
        }

        let mut optional = closed.clone();
        optional["required"] = json!([]);
        assert!(!is_strict(&optional));
        assert!(!is_strict(&json!({"type": "array", "items": closed})));
        let deep = (0..30).fold(json!({"type": "string"}), |inner, _| with(inner));
        assert!(!is_strict(&deep));
    }

    #[test]
    fn names_are_made_fit() {
        assert_eq!(plain_name("Größe 1"), "Gr__e_1");
        assert_eq!(plain_name(""), "answer");
        assert_eq!(plain_name(&"x".repeat(99)).len(), 64);
    }
}
