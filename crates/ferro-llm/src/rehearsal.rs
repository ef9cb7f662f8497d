//! The rehearsal model: offline, deterministic, not an AI.
//!
//! It follows a handful of rules, so that every feature of the product can be tried, shown and tested without a key:
//! it repeats, chooses sentences, finds things by their shape, fills schemas and calls tools that a request clearly
//! means. Plain answers begin with [`LABEL`]; JSON, labels for programs and tool calls do not, because it would break
//! them. Token figures are estimates: a word is four thirds of a token.
//!
//! One file a skill: `chat.rs` chooses among the rules for plain answers; `summary.rs`, `extract.rs` and
//! `classify.rs` carry them out; `schema.rs` writes JSON; `tools.rs` makes calls; `speak.rs` says it all.

mod ask;
mod chat;
mod classify;
mod embed;
mod extract;
mod prose_json;
mod recall;
mod schema;
mod speak;
mod summary;
mod tools;
mod words;

use std::collections::VecDeque;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use futures_util::stream;

use crate::chat::{ChatEvent, ChatRequest, Effort, Format, Usage};
use crate::error::LlmError;
use crate::model::{ChatModel, ChatStream, Embedder, Embeddings, ModelInfo};
use ask::Ask;
pub use tools::Call;

pub const PROVIDER_ID: &str = "rehearsal";
pub const PROVIDER: &str = "Rehearsal";
pub const MODEL: &str = "rehearsal";
pub const EMBEDDING_MODEL: &str = "rehearsal-embedding";

/// How plain answers begin.
pub const LABEL: &str = "(offline rehearsal, not an AI)";

/// About 25 words a second: people can read along.
const PACE: Duration = Duration::from_millis(40);

pub(crate) struct Rehearsal {
    info: ModelInfo,
    pace: Duration,
}

impl Rehearsal {
    /// `pace` is the pause before each word; zero says everything at once.
    pub(crate) fn new(info: ModelInfo, pace: Option<Duration>) -> Self {
        Self {
            info,
            pace: pace.unwrap_or(PACE),
        }
    }
}

impl ChatModel for Rehearsal {
    fn info(&self) -> &ModelInfo {
        &self.info
    }

    fn stream(&self, request: ChatRequest) -> ChatStream {
        let pace = self.pace;
        let said = stream::once(async move {
            let events = speak::events(&request, reply(&request));
            spoken(events, pace)
        });
        said.flatten().boxed()
    }
}

/// Says what another follower of rules has made up, as this one says things: at its pace, counted as it counts.
pub fn say(request: &ChatRequest, text: String, calls: Vec<Call>, pace: Option<Duration>) -> ChatStream {
    let reply = Reply {
        text,
        calls,
        ..Reply::default()
    };
    spoken(speak::events(request, reply), pace.unwrap_or(PACE)).boxed()
}

/// One event after the other, with a pause before each word.
fn spoken(
    events: VecDeque<ChatEvent>,
    pace: Duration,
) -> impl stream::Stream<Item = Result<ChatEvent, LlmError>> {
    stream::unfold(events, move |mut events| async move {
        let event = events.pop_front()?;
        let slow = matches!(
            event,
            ChatEvent::Text(_) | ChatEvent::Reasoning(_) | ChatEvent::ToolArguments { .. }
        );
        if slow && !pace.is_zero() {
            tokio::time::sleep(pace).await;
        }
        Some((Ok(event), events))
    })
}

/// What will be said.
#[derive(Default)]
struct Reply {
    reasoning: String,
    text: String,
    calls: Vec<Call>,
}

fn reply(request: &ChatRequest) -> Reply {
    let ask = Ask::read(request);
    let calls = tools::calls(&ask);
    let mut reply = Reply::default();
    let rule = if !calls.is_empty() {
        reply.calls = calls;
        "call the tools that the request means"
    } else {
        match &request.format {
            Format::Schema { schema, .. } => {
                reply.text = schema::fill(schema, &ask.source()).to_string();
                "fill the schema from the text"
            }
            Format::Json => {
                reply.text = prose_json::object(&ask).to_string();
                "write the JSON that was asked for"
            }
            Format::Text => {
                let answer = chat::answer(&ask);
                reply.text = answer.text;
                answer.rule
            }
        }
    };
    // Whoever asks for effort wants to see where thoughts are shown.
    if request.effort.is_some_and(|effort| effort != Effort::Minimal) {
        reply.reasoning = format!("No thinking takes place here. The rule that fits: {rule}.");
    }
    reply
}

pub(crate) struct RehearsalEmbedder {
    info: ModelInfo,
}

impl RehearsalEmbedder {
    pub(crate) fn new(info: ModelInfo) -> Self {
        Self { info }
    }
}

impl Embedder for RehearsalEmbedder {
    fn info(&self) -> &ModelInfo {
        &self.info
    }

    fn embed(&self, texts: Vec<String>) -> BoxFuture<'static, Result<Embeddings, LlmError>> {
        Box::pin(async move {
            let usage = Usage {
                input: texts.iter().map(|text| speak::tokens(text)).sum(),
                ..Usage::default()
            };
            Ok(Embeddings {
                vectors: texts.iter().map(|text| embed::vector(text)).collect(),
                usage: Some(usage),
            })
        })
    }
}
