//! Problems inside one node: values that are missing, of the wrong type, or name a variable that is not there.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Check, Problem, Severity, about};
use crate::read::{Field, Json, Node};

impl<'a> Check<'_, 'a> {
    pub(super) fn node_fields(&mut self, place: usize, node: &Node<'a>, known: Option<&BTreeSet<String>>) {
        for field in &node.fields {
            let wired = self.wired.contains(&(place, field.name.as_ref()));
            // The agent gives it.
            let argument = field.tool_mode && node.tool_mode;
            if !field.show || wired || argument || field.name == "code" {
                continue;
            }
            if is_empty(field) {
                if field.required {
                    self.error(
                        "missing_field",
                        node,
                        Some(&field.name),
                        format!("{} is missing {}.", node.name, field.display_name),
                        if field.input_types.as_ref().is_some_and(|types| !types.is_empty()) {
                            "Set its value or wire something into it."
                        } else {
                            "Set its value."
                        },
                    );
                }
                continue;
            }
            if field.load_from_db {
                self.variable(node, field, known);
            } else if field.required && has_empty_key(field) {
                self.error(
                    "empty_key",
                    node,
                    Some(&field.name),
                    format!(
                        "{} of {} has a value without a key.",
                        field.display_name, node.name
                    ),
                    "Name the key, or remove that row.",
                );
            } else if let Some(reason) = wrong(field) {
                self.error(
                    "wrong_type",
                    node,
                    Some(&field.name),
                    format!("{} of {} {reason}.", field.display_name, node.name),
                    "Correct the value.",
                );
            }
        }
    }

    fn variable(&mut self, node: &Node<'_>, field: &Field<'_>, known: Option<&BTreeSet<String>>) {
        let (Some(known), Some(name)) = (known, field.value.and_then(Json::text)) else {
            return;
        };
        if known.contains(name.as_ref()) {
            return;
        }
        let problem = about(
            if field.required {
                Severity::Error
            } else {
                Severity::Warning
            },
            "unknown_variable",
            node,
            // A person may have typed the secret itself where a name belongs, so the message does not repeat it.
            format!(
                "{} of {} names a variable that does not exist.",
                field.display_name, node.name
            ),
            "Create the variable, choose another, or type the value itself.",
        );
        self.found.push(Problem {
            field: Some(field.name.to_string()),
            ..problem
        });
    }
}

fn is_empty(field: &Field<'_>) -> bool {
    let empty = |json: Json<'_>| {
        let text = json.as_str();
        match text.as_bytes().first() {
            Some(b'"') => json.text().is_some_and(|text| text.trim().is_empty()),
            Some(b'[' | b'{') => text
                .get(1..text.len() - 1)
                .is_none_or(|inside| inside.trim().is_empty()),
            _ => text == "null",
        }
    };
    if !field.value.is_none_or(empty) {
        return false;
    }
    // A file field keeps what was chosen beside its value.
    field.r#type != "file" || {
        let path = match field.json.to_value() {
            Value::Object(mut entry) => entry.remove("file_path").unwrap_or_default(),
            _ => Value::Null,
        };
        match path {
            Value::String(path) => path.is_empty(),
            Value::Array(paths) => paths.is_empty(),
            _ => true,
        }
    }
}

/// A required dictionary in which some row was left unnamed.
fn has_empty_key(field: &Field<'_>) -> bool {
    let is_empty = |key: &Value| key.as_str().is_some_and(str::is_empty);
    field.r#type == "dict"
        && match field.value.map(Json::to_value) {
            Some(Value::Object(object)) => object.contains_key(""),
            Some(Value::Array(rows)) => rows.iter().any(|row| row.get("key").is_some_and(is_empty)),
            _ => false,
        }
}

/// Why the value cannot be what the field's type says. Texts that read as the type are fine, as in Langflow.
fn wrong(field: &Field<'_>) -> Option<String> {
    let wanted: (&str, fn(&Value) -> bool) = match field.r#type.as_ref() {
        "int" => ("a whole number", is_int),
        "float" | "slider" => ("a number", is_number),
        "bool" => ("true or false", is_bool),
        "dict" | "NestedDict" => ("an object", is_object),
        "table" => ("a list of rows", is_rows),
        _ => return None,
    };
    let value = field.value?.to_value();
    let fits = match &value {
        Value::Array(items) if field.list && field.r#type != "table" => items.iter().all(wanted.1),
        value => wanted.1(value),
    };
    (!fits).then(|| {
        format!(
            "should be {}, not {}",
            wanted.0,
            described(&value, field.password)
        )
    })
}

fn described(value: &Value, secret: bool) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Bool(one) => one.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(_) if secret => "that text".to_owned(),
        Value::String(text) if text.chars().count() <= 40 => format!("`{text}`"),
        Value::String(_) => "a long text".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

fn is_int(value: &Value) -> bool {
    match value {
        Value::Number(number) => {
            number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|n| n.fract() == 0.0)
        }
        Value::String(text) => {
            blank(text)
                || text
                    .trim()
                    .parse::<f64>()
                    .is_ok_and(|n| n.is_finite() && n.fract() == 0.0)
        }
        _ => false,
    }
}

fn is_number(value: &Value) -> bool {
    match value {
        Value::Number(_) => true,
        Value::String(text) => blank(text) || text.trim().parse::<f64>().is_ok_and(f64::is_finite),
        _ => false,
    }
}

fn is_bool(value: &Value) -> bool {
    match value {
        Value::Bool(_) => true,
        Value::Number(number) => matches!(number.as_u64(), Some(0 | 1)),
        Value::String(text) => {
            blank(text)
                || ["true", "false", "1", "0", "yes", "no"].contains(&text.trim().to_lowercase().as_str())
        }
        _ => false,
    }
}

fn is_object(value: &Value) -> bool {
    match value {
        Value::Object(_) => true,
        // Rows of `key` and `value`, or several objects.
        Value::Array(items) => items.iter().all(Value::is_object),
        Value::String(text) => {
            blank(text)
                || serde_json::from_str(text).is_ok_and(|value: Value| value.is_object() || value.is_array())
        }
        _ => false,
    }
}

fn is_rows(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().all(Value::is_object),
        Value::Object(_) => true,
        Value::String(text) => blank(text),
        _ => false,
    }
}

fn blank(text: &str) -> bool {
    text.trim().is_empty()
}
