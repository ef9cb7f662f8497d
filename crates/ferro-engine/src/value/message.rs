//! `Message`: a text somebody said, with who said it, where, and what came along.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};
use uuid::Uuid;

use super::weigh;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sender {
    User,
    #[default]
    Machine,
}

impl Sender {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "User",
            Self::Machine => "Machine",
        }
    }
}

/// Tokens a model read and wrote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub total_tokens: u64,
    /// Part of the input that the provider knew already.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub cached_tokens: u64,
    /// Part of the output that was thinking.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub reasoning_tokens: u64,
    /// What it cost, in billionths of a dollar; 0 where no price is known.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub cost_nanousd: u64,
}

impl Usage {
    /// The larger of each figure: for two counts of the same thing, one of which may have missed something.
    #[must_use]
    pub fn at_least(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.max(other.input_tokens),
            output_tokens: self.output_tokens.max(other.output_tokens),
            total_tokens: self.total_tokens.max(other.total_tokens),
            cached_tokens: self.cached_tokens.max(other.cached_tokens),
            reasoning_tokens: self.reasoning_tokens.max(other.reasoning_tokens),
            cost_nanousd: self.cost_nanousd.max(other.cost_nanousd),
        }
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        // The figures are a provider's word: nonsense must not end the run.
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
        self.total_tokens = self.total_tokens.saturating_add(other.total_tokens);
        self.cached_tokens = self.cached_tokens.saturating_add(other.cached_tokens);
        self.reasoning_tokens = self.reasoning_tokens.saturating_add(other.reasoning_tokens);
        self.cost_nanousd = self.cost_nanousd.saturating_add(other.cost_nanousd);
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Message {
    /// Set once it has been shown or stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    pub text: String,
    pub sender: Sender,
    pub sender_name: String,
    pub session_id: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub context_id: String,
    /// Paths of the person's files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// `message`, `error`, …; empty means `message`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub category: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub error: bool,
    /// Colours, source, state, usage, duration: as the message table keeps them.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub properties: Map<String, Json>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub content_blocks: Vec<Json>,
    /// Microseconds since 1970 UTC; 0 until it has been shown or stored.
    #[serde(skip_serializing_if = "is_zero")]
    pub timestamp: i64,
    /// Anything else it carries besides its text.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub data: Map<String, Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_nothing(value: &u64) -> bool {
    *value == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_zero(value: &i64) -> bool {
    *value == 0
}

impl Message {
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// As programs and templates see it.
    pub fn to_json(&self) -> Json {
        let mut map = self.data.clone();
        map.insert("text".to_owned(), Json::String(self.text.clone()));
        map.insert("sender".to_owned(), self.sender.as_str().into());
        map.insert("sender_name".to_owned(), self.sender_name.clone().into());
        map.insert("session_id".to_owned(), self.session_id.clone().into());
        if !self.files.is_empty() {
            map.insert("files".to_owned(), json!(self.files));
        }
        Json::Object(map)
    }

    pub(crate) fn weight(&self) -> usize {
        let extras = self
            .properties
            .values()
            .chain(self.data.values())
            .map(weigh)
            .sum::<usize>();
        self.text.len() + extras + self.content_blocks.iter().map(weigh).sum::<usize>()
    }

    pub(crate) fn to_record(&self) -> Json {
        serde_json::to_value(self).unwrap_or_default()
    }

    pub(crate) fn from_record(record: Json) -> Option<Self> {
        serde_json::from_value(record).ok()
    }
}
