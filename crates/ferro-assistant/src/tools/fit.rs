//! Bringing a value that a model wrote to the form its field has.

use ferro_agent::ToolError;
use ferro_model::model_value;
use ferro_model::read::{Field, Node};
use serde_json::{Number, Value as Json};

use super::{find, secrets};
use crate::work::Rules;

/// A value that fits, or what to do instead of setting it.
pub(super) enum Fit {
    Value {
        value: Json,
        /// What the model must tell, when it is not what it asked for.
        note: Option<String>,
    },
    /// The model comes in by wire.
    ByWire,
}

/// Choices that a refusal lists.
const OPTIONS: usize = 20;

pub(super) fn fit(rules: &Rules, node: &Node<'_>, field: &Field<'_>, value: Json) -> Result<Fit, ToolError> {
    let place = format!("`{}` of `{}`", field.name, node.id);
    if secrets::is_secret(field) {
        return Err(ToolError::new(format!(
            "{place} is a secret, which only the person sets: on the component itself, or as a variable. Tell them so, \
             and leave it out."
        )));
    }
    if secrets::is_where_keys_go(node, field) {
        return Err(ToolError::new(format!(
            "{place} is the address that a key is sent to, which only the person sets. Tell them so, and leave it out."
        )));
    }
    if field.r#type == "model" {
        return model(rules, field, &value, &place);
    }
    let wrong = |wanted: &str| {
        Err(ToolError::new(format!(
            "{place} takes {wanted}; the value was not set."
        )))
    };
    let entry = field.json.to_value();
    let is = |key: &str| entry.get(key) == Some(&Json::Bool(true));
    let value = match (&*field.r#type, value) {
        ("int", Json::String(text)) => match text.trim().parse::<i64>() {
            Ok(number) => number.into(),
            Err(_) => return wrong("a whole number"),
        },
        ("int", Json::Number(number)) if number.is_f64() => match number.as_f64() {
            Some(float) if float.fract() == 0.0 => Json::from(float as i64),
            _ => return wrong("a whole number"),
        },
        ("float" | "slider", Json::String(text)) => match text.trim().parse().ok().and_then(Number::from_f64)
        {
            Some(number) => Json::Number(number),
            None => return wrong("a number"),
        },
        ("int" | "float" | "slider", value) if !value.is_number() && !value.is_null() => {
            return wrong("a number");
        }
        ("bool", Json::String(text)) => match text.trim().to_lowercase().as_str() {
            "true" | "yes" | "on" => true.into(),
            "false" | "no" | "off" => false.into(),
            _ => return wrong("true or false"),
        },
        ("bool", value) if !value.is_boolean() => return wrong("true or false"),
        ("dict" | "NestedDict" | "table", Json::String(text)) => match serde_json::from_str(&text) {
            Ok(value @ (Json::Object(_) | Json::Array(_))) => value,
            _ => return wrong("JSON"),
        },
        (
            "str" | "prompt" | "mustache" | "query" | "tab" | "code",
            value @ (Json::Number(_) | Json::Bool(_)),
        ) if !is("list") => value.to_string().into(),
        ("str", Json::String(text)) if is("list") => listed(&text),
        (_, value) => value,
    };
    let options: Vec<&str> = entry
        .get("options")
        .and_then(Json::as_array)
        .into_iter()
        .flatten()
        .filter_map(Json::as_str)
        .collect();
    if let (Some(text), false) = (value.as_str(), options.is_empty() || is("combobox") || is("list"))
        && !options.contains(&text)
    {
        return match options.iter().find(|option| option.eq_ignore_ascii_case(text)) {
            Some(option) => Ok(plain((*option).into())),
            None => {
                let shown: Vec<&&str> = options.iter().take(OPTIONS).collect();
                wrong(&format!("one of {}", find::listed(shown.into_iter())))
            }
        };
    }
    Ok(plain(value))
}

fn plain(value: Json) -> Fit {
    Fit::Value { value, note: None }
}

fn model(rules: &Rules, field: &Field<'_>, value: &Json, place: &str) -> Result<Fit, ToolError> {
    if !is_language_model(&field.json.to_value()) {
        return Ok(plain(model_value::coerce(value)));
    }
    match rules.settle(value) {
        Ok(Some(settled)) => Ok(Fit::Value {
            value: settled.value,
            note: settled.note,
        }),
        Ok(None) => Ok(Fit::ByWire),
        Err(error) => Err(ToolError::new(format!(
            r#"{place}: {error}. Write it as [{{"provider": "…", "name": "…"}}]."#
        ))),
    }
}

/// The texts of a field that holds several, however they were written: as JSON, with dashes, or as one alone.
pub(super) fn listed(text: &str) -> Json {
    if let Ok(items @ Json::Array(_)) = serde_json::from_str(text) {
        return items;
    }
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let dashed: Option<Vec<&str>> = lines.iter().map(|line| line.strip_prefix("- ")).collect();
    match dashed {
        Some(items) if items.is_empty() => Json::Array(Vec::new()),
        Some(items) => items.into(),
        None => vec![text.to_owned()].into(),
    }
}

/// A field of this template entry chooses among language models; embeddings have other ones.
pub(super) fn is_language_model(entry: &Json) -> bool {
    entry.get("type").and_then(Json::as_str) == Some("model")
        && entry.get("model_type").and_then(Json::as_str) != Some("embedding")
}
