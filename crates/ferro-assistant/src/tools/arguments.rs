//! What a call was given.

use ferro_agent::ToolError;
use serde_json::{Map, Value as Json};

/// Arguments of one call, read leniently: models mean well and write loosely.
pub(crate) struct Arguments(pub Map<String, Json>);

impl Arguments {
    /// A text that must be there.
    pub(crate) fn text(&self, name: &str) -> Result<String, ToolError> {
        self.some_text(name).ok_or_else(|| {
            ToolError::new(format!(
                "`{name}` is missing or empty; call the tool again with a text for it."
            ))
        })
    }

    /// A text, if it is there and not empty.
    pub(crate) fn some_text(&self, name: &str) -> Option<String> {
        let text = match self.0.get(name)? {
            Json::String(text) => text.trim().to_owned(),
            Json::Number(number) => number.to_string(),
            _ => return None,
        };
        (!text.is_empty()).then_some(text)
    }

    /// A text as it was written, white space included.
    pub(crate) fn whole_text(&self, name: &str) -> Result<String, ToolError> {
        match self.0.get(name) {
            Some(Json::String(text)) if !text.trim().is_empty() => Ok(text.clone()),
            _ => self.text(name),
        }
    }

    /// Anything that must be there.
    pub(crate) fn value(&self, name: &str) -> Result<Json, ToolError> {
        self.0
            .get(name)
            .cloned()
            .ok_or_else(|| ToolError::new(format!("`{name}` is missing; call the tool again with it.")))
    }

    pub(crate) fn number(&self, name: &str) -> usize {
        let number = match self.0.get(name) {
            Some(Json::Number(number)) => number.as_u64(),
            Some(Json::String(text)) => text.trim().parse().ok(),
            _ => None,
        };
        number
            .and_then(|number| usize::try_from(number).ok())
            .unwrap_or_default()
    }
}
