//! The contract: what is asked of a model, and what comes back piece by piece.

use std::sync::Arc;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    System,
    User,
    Assistant,
    /// The results of tools.
    Tool,
}

/// Something that is not text: an image for models that see, a document for those that read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Media {
    /// Such as `image/png`.
    pub mime: String,
    /// As its owner named it; may be empty.
    #[serde(default)]
    pub name: String,
    #[serde(with = "base64_bytes")]
    pub bytes: Bytes,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    Text(String),
    Image(Media),
    File(Media),
    /// What the model thought. Sent back to providers that ask for it, with the signature they gave it.
    Reasoning {
        text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    },
    ToolCall(ToolCall),
    ToolResult {
        /// The id of the call it answers.
        id: String,
        /// The tool's name: some providers know no ids.
        name: String,
        content: String,
        #[serde(default)]
        is_error: bool,
    },
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Ours to make up where the provider gives none.
    pub id: String,
    pub name: String,
    /// The arguments as the model wrote them: JSON if all went well.
    pub arguments: String,
    /// Opaque, from the provider, to be sent back with the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatMessage {
    pub role: Role,
    pub parts: Vec<Part>,
}

impl ChatMessage {
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self {
            role,
            parts: vec![Part::Text(text.into())],
        }
    }

    pub fn system(text: impl Into<String>) -> Self {
        Self::new(Role::System, text)
    }

    pub fn user(text: impl Into<String>) -> Self {
        Self::new(Role::User, text)
    }

    pub fn assistant(text: impl Into<String>) -> Self {
        Self::new(Role::Assistant, text)
    }

    /// All its text, joined.
    pub fn text(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|part| match part {
            Part::ToolCall(call) => Some(call),
            _ => None,
        })
    }
}

/// A tool as the model is told of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    pub name: String,
    pub description: String,
    /// JSON Schema of the arguments, an object.
    pub schema: Json,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ToolChoice {
    #[default]
    Auto,
    /// Some tool must be called.
    Required,
    /// This one must be called.
    Named(String),
    None,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub enum Format {
    #[default]
    Text,
    /// Any JSON object.
    Json,
    /// JSON that fits a schema.
    Schema { name: String, schema: Json },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    Minimal,
    Low,
    Medium,
    High,
}

impl Effort {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Minimal => "minimal",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// One question to a model. What a provider does not know (a seed, an effort) it is not sent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChatRequest {
    /// In the order they were said; system messages first.
    pub messages: Vec<ChatMessage>,
    pub tools: Vec<ToolSpec>,
    pub tool_choice: ToolChoice,
    /// Several calls in one turn; `None` leaves it to the provider.
    pub parallel_tools: Option<bool>,
    pub temperature: Option<f64>,
    pub top_p: Option<f64>,
    pub max_tokens: Option<u32>,
    pub stop: Vec<String>,
    pub seed: Option<i64>,
    pub effort: Option<Effort>,
    pub format: Format,
    /// Shown the body each time one is sent.
    pub seen_by: Option<SeenBy>,
}

/// Somebody who looks at what is sent. Headers, and so keys, are not shown.
#[derive(Clone)]
pub struct SeenBy(Arc<Look>);

type Look = dyn Fn(&[u8]) + Send + Sync;

impl SeenBy {
    pub fn new(look: impl Fn(&[u8]) + Send + Sync + 'static) -> Self {
        Self(Arc::new(look))
    }

    pub(crate) fn show(&self, body: &[u8]) {
        (self.0)(body);
    }
}

impl std::fmt::Debug for SeenBy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SeenBy")
    }
}

impl PartialEq for SeenBy {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl ChatRequest {
    pub fn new(messages: Vec<ChatMessage>) -> Self {
        Self {
            messages,
            ..Self::default()
        }
    }
}

/// Tokens of one answer. The parts are included in the sums: cached in input, reasoning in output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub input: u64,
    pub output: u64,
    #[serde(default)]
    pub cached: u64,
    #[serde(default)]
    pub reasoning: u64,
}

impl Usage {
    pub fn total(&self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
        self.cached = self.cached.saturating_add(other.cached);
        self.reasoning = self.reasoning.saturating_add(other.reasoning);
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// It said all it had to say.
    End,
    /// `max_tokens` or the context was full.
    Length,
    ToolCalls,
    /// The provider's filter stopped it.
    ContentFilter,
    /// Anything else, in the provider's words.
    Other(String),
}

/// A piece of an answer. Tool calls are told apart by `index`, counted from 0 in the order they begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChatEvent {
    Text(String),
    Reasoning(String),
    /// Belongs to the reasoning so far.
    ReasoningSignature(String),
    ToolStart {
        index: usize,
        id: String,
        name: String,
        signature: Option<String>,
    },
    /// More of the arguments of the call at `index`, which has started before.
    ToolArguments {
        index: usize,
        chunk: String,
    },
    /// The figures so far; a later one replaces an earlier one.
    Usage(Usage),
    /// The last event of a whole answer. A stream that ends without it broke off and says so with an error.
    Stop(StopReason),
}

/// A whole answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChatResponse {
    pub text: String,
    pub reasoning: String,
    pub reasoning_signature: Option<String>,
    pub tool_calls: Vec<ToolCall>,
    /// `None` when the provider gave no figures.
    pub usage: Option<Usage>,
    /// `None` when it broke off.
    pub stop: Option<StopReason>,
}

impl ChatResponse {
    /// Takes in one more piece.
    pub fn add(&mut self, event: ChatEvent) {
        match event {
            ChatEvent::Text(text) => self.text.push_str(&text),
            ChatEvent::Reasoning(text) => self.reasoning.push_str(&text),
            ChatEvent::ReasoningSignature(signature) => self.reasoning_signature = Some(signature),
            ChatEvent::ToolStart {
                index,
                id,
                name,
                signature,
            } => {
                // Codecs count up by one, so this only ever adds one.
                if index >= self.tool_calls.len() {
                    self.tool_calls.resize_with(index + 1, ToolCall::default);
                }
                let call = &mut self.tool_calls[index];
                call.id = id;
                call.name = name;
                call.signature = signature;
            }
            ChatEvent::ToolArguments { index, chunk } => {
                if let Some(call) = self.tool_calls.get_mut(index) {
                    call.arguments.push_str(&chunk);
                }
            }
            ChatEvent::Usage(usage) => self.usage = Some(usage),
            ChatEvent::Stop(reason) => self.stop = Some(reason),
        }
    }

    /// What the assistant said, to be sent back with the next question.
    pub fn to_message(&self) -> ChatMessage {
        let mut parts = Vec::new();
        if !self.reasoning.is_empty() || self.reasoning_signature.is_some() {
            parts.push(Part::Reasoning {
                text: self.reasoning.clone(),
                signature: self.reasoning_signature.clone(),
            });
        }
        if !self.text.is_empty() {
            parts.push(Part::Text(self.text.clone()));
        }
        parts.extend(self.tool_calls.iter().cloned().map(Part::ToolCall));
        ChatMessage {
            role: Role::Assistant,
            parts,
        }
    }
}

/// Bytes in JSON, for conversations that are written down while somebody is asked for leave.
mod base64_bytes {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use bytes::Bytes;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(bytes: &Bytes, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = STANDARD.decode(text).map_err(serde::de::Error::custom)?;
        Ok(bytes.into())
    }
}
