//! Which files a field names.

use ferro_engine::{Call, Value};
use serde_json::Value as Json;

/// The paths in a file field, or in whatever a wire brought: texts, lists, or JSON with a `file_path`.
pub(crate) fn paths_in(call: &Call, name: &str) -> Vec<String> {
    let entry = call.node.template.get(name);
    let saved = entry
        .and_then(|entry| entry.get("file_path"))
        .map(in_json)
        .unwrap_or_default();
    let Some(value) = call.get(name) else { return saved };
    // The value of an untouched file field is what people see; the path stands beside it.
    let untouched =
        !call.is_wired(name) && entry.and_then(|entry| entry.get("value")) == Some(&value.to_json());
    if untouched && !saved.is_empty() {
        return saved;
    }
    in_value(&value)
}

fn in_value(value: &Value) -> Vec<String> {
    match value {
        Value::Message(message) if !message.files.is_empty() => message.files.clone(),
        Value::Message(message) => in_text(&message.text),
        Value::List(items) => items.iter().flat_map(in_value).collect(),
        Value::Table(table) => table.rows().flat_map(|row| in_json(&Json::Object(row))).collect(),
        Value::Data(data) => in_json(&Json::Object(data.map.clone())),
        Value::Plain(json) => in_json(json),
        Value::Null | Value::Tools(_) | Value::Live(_) => Vec::new(),
    }
}

fn in_json(json: &Json) -> Vec<String> {
    match json {
        Json::String(text) => in_text(text),
        Json::Array(items) => items.iter().flat_map(in_json).collect(),
        Json::Object(map) => {
            let known = ["file_path", "path", "files", "text"];
            known
                .iter()
                .find_map(|key| map.get(*key))
                .map(in_json)
                .unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

fn in_text(text: &str) -> Vec<String> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use ferro_engine::{Context, NodeInfo};
    use serde_json::json;

    use super::*;

    fn call(template: Json, fields: Json, wired: Vec<(&str, Value)>) -> Call {
        let (Json::Object(template), Json::Object(fields)) = (template, fields) else {
            panic!("objects")
        };
        Call::new(
            NodeInfo {
                template,
                ..NodeInfo::default()
            },
            fields,
            wired,
            Context::nowhere(),
        )
    }

    #[test]
    fn the_path_beside_the_value_counts_unless_it_was_changed() {
        let template = json!({ "path": { "value": "a.csv", "file_path": ["u/a.csv", "u/b.csv"] } });
        assert_eq!(
            paths_in(
                &call(template.clone(), json!({ "path": "a.csv" }), vec![]),
                "path"
            ),
            ["u/a.csv", "u/b.csv"]
        );
        assert_eq!(
            paths_in(&call(template.clone(), json!({}), vec![]), "path"),
            ["u/a.csv", "u/b.csv"]
        );
        assert_eq!(
            paths_in(&call(template, json!({ "path": "u/c.csv" }), vec![]), "path"),
            ["u/c.csv"]
        );
    }

    #[test]
    fn wires_bring_paths_in_many_shapes() {
        let paths = |value: Value| paths_in(&call(json!({}), json!({}), vec![("path", value)]), "path");
        assert_eq!(paths(Value::text("a\n b ")), ["a", "b"]);
        assert_eq!(
            paths(Value::from_json(json!([{ "file_path": "a" }, { "text": "b" }]))),
            ["a", "b"]
        );
        assert!(paths(Value::from_json(json!({ "other": 1 }))).is_empty());
    }
}
