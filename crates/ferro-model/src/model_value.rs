//! The value of a field that holds a model, in its one form: `[{"provider": …, "name": …}]`.
//!
//! Language models and old files write it in many ways: as one object, as JSON or YAML inside a string, as a whole
//! list inside the name. [`coerce`] brings these to the one form where values are set ([`crate::edit`]), where they
//! are read ([`crate::read::Field::to_value`]) and where documents are upgraded ([`crate::upgrade`]). A bare name stays
//! a text: whoever runs the flow looks it up among the models there are.

mod yaml;

use serde::Serialize;
use serde_json::{Map, Value};
use thiserror::Error;

/// Instead of a model: it comes in by wire.
pub const BY_WIRE: &str = "connect_other_models";

/// How often a description may be wrapped in a text. Two have been seen; without a bound a short text made for it
/// would keep us busy.
const WRAPPINGS: usize = 4;

/// A model as a field names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModelRef {
    /// Empty when only the name is known.
    pub provider: String,
    pub name: String,
}

/// Why a value names no model.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ModelValueError {
    #[error("no model is chosen; choose one in the model field")]
    Empty,
    #[error("the model comes in by wire, but no wire is there; connect one, or choose a model")]
    ByWire,
    #[error("the model field holds {found}, not a model; choose one from its list")]
    NotAModel { found: &'static str },
}

/// The value in its one form. What is in it already, a bare name, and what is no model at all come back as they are.
#[must_use]
pub fn coerce(value: &Value) -> Value {
    match value {
        Value::Array(items) => entries(items.clone()),
        Value::Object(_) => entries(vec![value.clone()]),
        Value::String(text) => match unwrapped(text) {
            Some(Value::Array(items)) => entries(items),
            Some(entry) => entries(vec![entry]),
            None => value.clone(),
        },
        other => other.clone(),
    }
}

/// The models a value names, best first. Bare names come back without a provider, `Unknown` counts as none.
pub fn parse(value: &Value) -> Result<Vec<ModelRef>, ModelValueError> {
    let value = coerce(value);
    let items = match &value {
        Value::Null => return Err(ModelValueError::Empty),
        Value::String(text) if text == BY_WIRE => return Err(ModelValueError::ByWire),
        Value::String(_) => std::slice::from_ref(&value),
        Value::Array(items) => items,
        other => return Err(not_a_model(other)),
    };
    let mut models = Vec::new();
    for item in items {
        let (provider, name) = match item {
            Value::String(name) => ("", name.trim()),
            Value::Object(entry) => (text_of(entry, "provider"), text_of(entry, "name")),
            other => return Err(not_a_model(other)),
        };
        if name == BY_WIRE {
            return Err(ModelValueError::ByWire);
        }
        if name.is_empty() {
            continue;
        }
        let known = !provider.eq_ignore_ascii_case("unknown");
        models.push(ModelRef {
            provider: if known { provider.to_owned() } else { String::new() },
            name: name.to_owned(),
        });
    }
    if models.is_empty() {
        return Err(ModelValueError::Empty);
    }
    Ok(models)
}

fn text_of<'e>(entry: &'e Map<String, Value>, key: &str) -> &'e str {
    entry.get(key).and_then(Value::as_str).unwrap_or_default().trim()
}

fn not_a_model(value: &Value) -> ModelValueError {
    ModelValueError::NotAModel {
        found: match value {
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::Array(_) => "a list in a list",
            _ => "something else",
        },
    }
}

/// Each entry without its wrappings.
fn entries(items: Vec<Value>) -> Value {
    let mut all = Vec::with_capacity(items.len());
    for item in items {
        match &item {
            Value::String(text) => match unwrapped(text) {
                Some(Value::Array(inner)) => all.extend(inner.into_iter().map(unwrapped_entry)),
                Some(inner) => all.push(unwrapped_entry(inner)),
                None => all.push(item),
            },
            _ => all.push(unwrapped_entry(item)),
        }
    }
    Value::Array(all)
}

/// An entry whose name is a description in itself stands for that. A provider that was known outside, and not
/// inside, is kept. Wrapped too often, it stays as it is.
fn unwrapped_entry(entry: Value) -> Value {
    let mut inside = entry.clone();
    for _ in 0..WRAPPINGS {
        let Some(described) = inside.get("name").and_then(Value::as_str).and_then(described) else {
            return inside;
        };
        let first = match described {
            Value::Array(items) => items.into_iter().next(),
            other => Some(other),
        };
        let outside = inside.get("provider").and_then(Value::as_str).unwrap_or_default();
        match first {
            Some(Value::Object(mut first)) => {
                if is_unknown(text_of(&first, "provider")) && !is_unknown(outside.trim()) {
                    first.insert("provider".to_owned(), outside.into());
                }
                inside = Value::Object(first);
            }
            Some(name @ Value::String(_)) => inside["name"] = name,
            _ => return inside,
        }
    }
    match inside.get("name").and_then(Value::as_str).and_then(described) {
        Some(_) => entry,
        None => inside,
    }
}

fn is_unknown(provider: &str) -> bool {
    provider.is_empty() || provider.eq_ignore_ascii_case("unknown")
}

/// A description of models written as text, maybe as text within text.
fn unwrapped(text: &str) -> Option<Value> {
    let mut text = text.to_owned();
    for _ in 0..WRAPPINGS {
        if let Some(value) = described(&text) {
            return Some(value);
        }
        // A string that holds a string, as JSON.
        match serde_json::from_str(text.trim()) {
            Ok(Value::String(inner)) => text = inner,
            _ => return None,
        }
    }
    None
}

/// A map with a name, or a list of such maps and of names, written as JSON or YAML; `None` for anything else, which
/// may be a plain name.
fn described(text: &str) -> Option<Value> {
    let text = text.trim();
    if !looks_structured(text) {
        return None;
    }
    let value = serde_json::from_str(text).ok().or_else(|| yaml::read(text))?;
    let names = |value: &Value| value.get("name").is_some_and(Value::is_string);
    let sound = match &value {
        Value::Object(_) => names(&value),
        Value::Array(items) => items.iter().all(|item| item.is_string() || names(item)),
        _ => false,
    };
    sound.then_some(value)
}

/// A model's name may hold a colon or a dash, but no name looks like this.
fn looks_structured(text: &str) -> bool {
    text.starts_with(['{', '[']) || text.starts_with("- ") || (text.contains(':') && text.contains('\n'))
}
