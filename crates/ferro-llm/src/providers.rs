//! The wire formats: one codec each, pure, without IO. `exchange.rs` does the talking.

pub(crate) mod anthropic;
pub(crate) mod embeddings;
pub(crate) mod gemini;
mod listing;
pub(crate) mod ollama;
pub(crate) mod openai;
pub(crate) mod responses;
pub(crate) mod watsonx;
mod wire;

pub(crate) use listing::{check, list};

use std::collections::BTreeMap;

use ferro_net::Secret;
use http::{HeaderMap, StatusCode};
use serde_json::Value as Json;
use url::Url;

use crate::chat::{ChatEvent, ChatRequest};
use crate::error::LlmError;
use crate::frames::{Frame, Framing};

/// One model of one provider, ready to be asked.
#[derive(Clone)]
pub(crate) struct Target {
    /// The provider's id, such as `openai`.
    pub provider: &'static str,
    /// As people see it, such as `OpenAI`.
    pub label: &'static str,
    pub model: String,
    /// Without a slash at its end.
    pub base_url: String,
    /// `None` where no key is needed.
    pub key: Option<Secret>,
    /// Provider-specific: `project_id`, `api_version`, `site_url`, `app_name`, …
    pub extra: BTreeMap<&'static str, String>,
    /// The model thinks before it answers: some providers then refuse a temperature.
    pub reasoning: bool,
}

/// A request about to leave.
pub(crate) struct Outgoing {
    pub url: Url,
    pub headers: Vec<(&'static str, String)>,
    /// Credentials: never printed.
    pub secrets: Vec<(&'static str, Secret)>,
    pub body: Json,
}

/// A wire format.
pub(crate) trait Codec: Send + Sync {
    fn request(&self, target: &Target, request: &ChatRequest) -> Result<Outgoing, LlmError>;

    fn framing(&self) -> Framing {
        Framing::Sse
    }

    /// Reads one answer.
    fn decoder(&self, target: &Target) -> Box<dyn Decoder>;

    /// What an answer with an error status says.
    fn refusal(&self, target: &Target, status: StatusCode, headers: &HeaderMap, body: &[u8]) -> LlmError {
        crate::error::refusal(target, status, headers, body)
    }

    /// Makes a refused request one that may be taken, where the refusal says what is wrong with it: models differ in
    /// the settings they know, and no list of them stays true. `false` when nothing can be done.
    fn adapt(&self, _body: &mut Json, _refusal: &LlmError) -> bool {
        false
    }
}

/// The state of one answer being read.
pub(crate) trait Decoder: Send {
    /// One frame. Pushes what it says. After [`ChatEvent::Stop`] was pushed for good ([`Decoder::is_done`]) no more
    /// frames come.
    fn frame(&mut self, frame: Frame, out: &mut Vec<ChatEvent>) -> Result<(), LlmError>;

    /// The answer came as one JSON document instead of a stream.
    fn whole(&mut self, body: Json, out: &mut Vec<ChatEvent>) -> Result<(), LlmError>;

    /// The body ended. Pushes the `Stop` if the answer is whole although its last mark is missing, and fails when it
    /// broke off.
    fn end(&mut self, out: &mut Vec<ChatEvent>) -> Result<(), LlmError>;

    /// Nothing that follows matters.
    fn is_done(&self) -> bool;
}

/// Where a request goes: the base URL and a path below it.
pub(crate) fn endpoint(target: &Target, path: &str) -> Result<Url, LlmError> {
    let text = format!("{}{path}", target.base_url);
    Url::parse(&text).map_err(|error| {
        LlmError::new(
            crate::error::Class::Configuration,
            format!("the base URL of {} is not a URL: {error}", target.label),
        )
        .advice("Correct it in Settings › Model providers; it looks like https://host/v1.")
    })
}
