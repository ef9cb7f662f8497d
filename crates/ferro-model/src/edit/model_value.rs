//! The value of a field that holds a model, brought into its one form: `[{"provider": …, "name": …}]`.
//!
//! Language models write it in many ways: as an object, as JSON or YAML inside a string, or as a whole list inside
//! the name. A bare name stays a text; whoever runs the flow looks it up.

use serde_json::{Map, Value};

pub(super) fn normalise(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(unwrap_entry).collect(),
        Value::Object(_) => Value::Array(vec![unwrap_entry(value)]),
        Value::String(text) => match structured(&text) {
            Some(Value::Array(items)) => items.into_iter().map(unwrap_entry).collect(),
            Some(entry) => Value::Array(vec![unwrap_entry(entry)]),
            None => Value::String(text),
        },
        other => other,
    }
}

/// An entry whose name is a description in itself stands for that.
fn unwrap_entry(entry: Value) -> Value {
    let inner = entry.get("name").and_then(Value::as_str).and_then(structured);
    match inner {
        Some(Value::Array(mut items)) if items.first().is_some_and(Value::is_object) => items.swap_remove(0),
        Some(inner @ Value::Object(_)) => inner,
        _ => entry,
    }
}

/// An object or a list written as text; `None` for anything that may be a plain name.
fn structured(text: &str) -> Option<Value> {
    let text = text.trim();
    if let Ok(value @ (Value::Array(_) | Value::Object(_))) = serde_json::from_str(text) {
        return Some(value);
    }
    let listed = text.starts_with("- ");
    if listed || (text.contains(": ") && text.contains('\n')) {
        plain_yaml(text)
    } else {
        None
    }
}

/// The little YAML that models write here: one flat map, or a list of flat maps.
fn plain_yaml(text: &str) -> Option<Value> {
    let mut items: Vec<Map<String, Value>> = Vec::new();
    let mut listed = false;
    for line in text.lines() {
        let mut line = line.trim();
        if line.is_empty() {
            continue;
        }
        if let Some(rest) = line.strip_prefix("- ") {
            listed = true;
            items.push(Map::new());
            line = rest.trim();
        } else if items.is_empty() {
            items.push(Map::new());
        }
        let (key, value) = line.split_once(':')?;
        let value = value.trim();
        let value = value
            .strip_prefix('"')
            .and_then(|value| value.strip_suffix('"'))
            .or_else(|| {
                value
                    .strip_prefix('\'')
                    .and_then(|value| value.strip_suffix('\''))
            })
            .unwrap_or(value);
        items.last_mut()?.insert(key.trim().to_owned(), value.into());
    }
    if listed {
        Some(items.into_iter().map(Value::Object).collect())
    } else {
        items.into_iter().next().map(Value::Object)
    }
}
