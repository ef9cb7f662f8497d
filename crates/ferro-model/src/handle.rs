//! Handles: how an edge names the output it leaves and the field it enters.
//!
//! The canvas stores each as JSON text in which every quote is written `œ`, and a copy as a plain object in
//! `edge.data`. Two handles are the same when they parse to the same value; the canvas compares the text, so
//! what we write is canonical: keys sorted at every level, no spaces.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde_json::{Map, Value};
use thiserror::Error;

/// Stands for `"` in a handle's text.
const QUOTE: char = 'œ';

/// Why a handle's text or object means nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HandleError {
    #[error("the handle is not an object written with `œ` for quotes; draw the wire again")]
    NotAnObject,
    #[error("the handle has no `{0}`; draw the wire again")]
    Missing(&'static str),
}

/// The end of a wire at the node it leaves. The target of a loop has the same shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceHandle {
    /// The type of the node, such as `ChatInput`.
    pub data_type: Option<String>,
    /// The node's id.
    pub id: String,
    /// The output's name. Handles from before outputs had names have none.
    pub name: Option<String>,
    pub output_types: Vec<String>,
    /// What old handles have instead of `output_types`.
    pub base_classes: Vec<String>,
}

/// The end of a wire at the node it enters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetHandle {
    Field(FieldHandle),
    /// A wire that closes a loop enters an output.
    Loop(SourceHandle),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldHandle {
    pub field_name: String,
    /// The node's id.
    pub id: String,
    pub input_types: Option<Vec<String>>,
    /// The type of the field, such as `str`.
    pub r#type: Option<String>,
    /// For a field that a group shows on behalf of an inner node.
    pub proxy: Option<Proxy>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proxy {
    /// The inner node's id.
    pub id: String,
    pub field: String,
}

impl SourceHandle {
    pub fn from_value(value: &Value) -> Result<Self, HandleError> {
        let object = value.as_object().ok_or(HandleError::NotAnObject)?;
        Ok(Self {
            data_type: text(object, "dataType"),
            id: text(object, "id").ok_or(HandleError::Missing("id"))?,
            name: text(object, "name"),
            output_types: texts(object, "output_types").unwrap_or_default(),
            base_classes: texts(object, "baseClasses").unwrap_or_default(),
        })
    }

    pub fn to_value(&self) -> Value {
        let mut object = Map::new();
        if !self.base_classes.is_empty() {
            object.insert("baseClasses".into(), self.base_classes.clone().into());
        }
        object.insert("dataType".into(), self.data_type.clone().into());
        object.insert("id".into(), self.id.clone().into());
        if let Some(name) = &self.name {
            object.insert("name".into(), name.clone().into());
        }
        if self.base_classes.is_empty() || !self.output_types.is_empty() {
            object.insert("output_types".into(), self.output_types.clone().into());
        }
        Value::Object(object)
    }

    /// The types this end offers, under whichever key they were written.
    pub fn types(&self) -> &[String] {
        if self.output_types.is_empty() {
            &self.base_classes
        } else {
            &self.output_types
        }
    }
}

impl TargetHandle {
    pub fn from_value(value: &Value) -> Result<Self, HandleError> {
        let object = value.as_object().ok_or(HandleError::NotAnObject)?;
        let Some(field_name) = text(object, "fieldName") else {
            let end = SourceHandle::from_value(value)?;
            return match end.name {
                Some(_) => Ok(Self::Loop(end)),
                None => Err(HandleError::Missing("fieldName")),
            };
        };
        Ok(Self::Field(FieldHandle {
            field_name,
            id: text(object, "id").ok_or(HandleError::Missing("id"))?,
            input_types: texts(object, "inputTypes"),
            r#type: text(object, "type"),
            proxy: object.get("proxy").and_then(Value::as_object).and_then(|proxy| {
                Some(Proxy {
                    id: text(proxy, "id")?,
                    field: text(proxy, "field")?,
                })
            }),
        }))
    }

    pub fn to_value(&self) -> Value {
        let field = match self {
            Self::Loop(end) => return end.to_value(),
            Self::Field(field) => field,
        };
        let mut object = Map::new();
        object.insert("fieldName".into(), field.field_name.clone().into());
        object.insert("id".into(), field.id.clone().into());
        object.insert("inputTypes".into(), field.input_types.clone().into());
        if let Some(proxy) = &field.proxy {
            let mut inner = Map::new();
            inner.insert("field".into(), proxy.field.clone().into());
            inner.insert("id".into(), proxy.id.clone().into());
            object.insert("proxy".into(), Value::Object(inner));
        }
        object.insert("type".into(), field.r#type.clone().into());
        Value::Object(object)
    }

    /// The id of the node the wire enters.
    pub fn id(&self) -> &str {
        match self {
            Self::Field(field) => &field.id,
            Self::Loop(end) => &end.id,
        }
    }
}

impl FromStr for SourceHandle {
    type Err = HandleError;

    fn from_str(text: &str) -> Result<Self, HandleError> {
        Self::from_value(&decode(text)?)
    }
}

impl FromStr for TargetHandle {
    type Err = HandleError;

    fn from_str(text: &str) -> Result<Self, HandleError> {
        Self::from_value(&decode(text)?)
    }
}

impl fmt::Display for SourceHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&encode(&self.to_value()))
    }
}

impl fmt::Display for TargetHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&encode(&self.to_value()))
    }
}

fn decode(text: &str) -> Result<Value, HandleError> {
    serde_json::from_str(&text.replace(QUOTE, "\"")).map_err(|_| HandleError::NotAnObject)
}

// `to_value` inserts keys in alphabetical order, so the text is canonical whichever map `serde_json` is built with.
fn encode(value: &Value) -> String {
    // A real `œ` would be read back as a quote, so it is escaped before the quotes are replaced.
    value.to_string().replace(QUOTE, "\\u0153").replace('"', "œ")
}

/// A handle's text as we write it, with every key it has; `None` when it is no handle.
pub fn canonical_text(text: &str) -> Option<String> {
    decoded(text).map(|value| encoded(&value))
}

pub(crate) fn decoded(text: &str) -> Option<Value> {
    decode(text).ok().filter(Value::is_object)
}

/// [`encode`] for objects that others made: their keys are sorted first, whichever map `serde_json` is built with.
pub(crate) fn encoded(value: &Value) -> String {
    fn sorted(value: &Value) -> Value {
        match value {
            Value::Object(object) => {
                let ordered: BTreeMap<&String, Value> =
                    object.iter().map(|(key, value)| (key, sorted(value))).collect();
                let ordered = ordered.into_iter();
                Value::Object(ordered.map(|(key, value)| (key.clone(), value)).collect())
            }
            Value::Array(items) => items.iter().map(sorted).collect(),
            other => other.clone(),
        }
    }
    encode(&sorted(value))
}

fn text(object: &Map<String, Value>, key: &str) -> Option<String> {
    object.get(key)?.as_str().map(str::to_owned)
}

fn texts(object: &Map<String, Value>, key: &str) -> Option<Vec<String>> {
    let list = object.get(key)?.as_array()?;
    Some(list.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}
