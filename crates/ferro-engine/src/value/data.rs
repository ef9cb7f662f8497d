//! `Data`: a JSON object, one key of which is its text.

use std::borrow::Cow;

use serde_json::{Map, Value as Json};

#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    pub map: Map<String, Json>,
    /// Which key holds the text; `text` unless someone said otherwise.
    pub text_key: Cow<'static, str>,
}

impl Data {
    pub fn new(map: Map<String, Json>) -> Self {
        Self {
            map,
            text_key: Cow::Borrowed("text"),
        }
    }

    pub fn from_text(text: &str) -> Self {
        let mut map = Map::new();
        map.insert("text".to_owned(), Json::String(text.to_owned()));
        Self::new(map)
    }

    /// The text, or the whole object as JSON when it has none.
    pub fn text(&self) -> Cow<'_, str> {
        match self.map.get(&*self.text_key) {
            Some(Json::String(text)) => Cow::Borrowed(text),
            Some(Json::Null) | None => Cow::Owned(serde_json::to_string(&self.map).unwrap_or_default()),
            Some(other) => Cow::Owned(other.to_string()),
        }
    }
}
