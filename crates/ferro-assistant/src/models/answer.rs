//! One answer: from the model that can give it, no longer than can be used.

use std::sync::Arc;

use ferro_llm::{ChatEvent, ChatRequest, ChatStream, Class, LlmError, StopReason, Usage};
use futures_util::{StreamExt as _, stream};

use super::{Phase, TurnModel};

/// Calls of tools in one answer. What comes after them is not listened to.
pub(super) const MAX_CALLS: usize = 64;
/// Text, thoughts and arguments of one answer together.
const MAX_BYTES: usize = 2 * 1024 * 1024;
/// Of all answers of a turn: they are all told to the model again.
const MAX_TURN_BYTES: usize = 8 * 1024 * 1024;

pub(super) fn answer(turn: Arc<TurnModel>, phase: Phase, request: ChatRequest) -> ChatStream {
    let listening = Listening {
        meter: Meter {
            turn,
            phase,
            usage: None,
            bytes: 0,
        },
        request: Some(request),
        stream: None,
        model: String::new(),
    };
    stream::unfold(Some(listening), |listening| async move {
        let mut listening = listening?;
        match listening.next().await? {
            Ok(event @ ChatEvent::Stop(_)) => Some((Ok(event), None)),
            Ok(event) => Some((Ok(event), Some(listening))),
            Err(error) => Some((Err(error), None)),
        }
    })
    .boxed()
}

struct Listening {
    meter: Meter,
    /// Kept until the first piece of an answer: another model may have to be asked the same.
    request: Option<ChatRequest>,
    stream: Option<ChatStream>,
    model: String,
}

/// Counts what an answer cost when it is over, also when nobody listens to its end.
struct Meter {
    turn: Arc<TurnModel>,
    phase: Phase,
    usage: Option<Usage>,
    bytes: usize,
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.turn.keep(self.bytes);
        if let Some(usage) = self.usage {
            self.turn.meter(self.phase, usage);
        }
    }
}

impl Listening {
    async fn next(&mut self) -> Option<Result<ChatEvent, LlmError>> {
        loop {
            let mut stream = match self.stream.take() {
                Some(stream) => stream,
                None => match self.ask() {
                    Ok(stream) => stream,
                    Err(error) => return Some(Err(error)),
                },
            };
            match stream.next().await? {
                Ok(event) => {
                    self.request = None;
                    self.stream = Some(stream);
                    return Some(self.within_bounds(event));
                }
                // It has begun: what was said cannot be taken back.
                Err(error) if self.request.is_none() => return Some(Err(error)),
                Err(error) => match self.meter.turn.swap(&self.model, error) {
                    Ok(()) => {}
                    Err(error) => return Some(Err(error)),
                },
            }
        }
    }

    /// Opens models until there is one.
    fn ask(&mut self) -> Result<ChatStream, LlmError> {
        let turn = &self.meter.turn;
        if self.model.is_empty() {
            turn.count()?;
        }
        loop {
            let (name, opened) = turn.current();
            self.model = name;
            match (opened, &self.request) {
                (Ok(model), Some(request)) => return Ok(model.stream(request.clone())),
                (Ok(_), None) => return Ok(stream::empty().boxed()),
                (Err(error), _) => turn.swap(&self.model, error)?,
            }
        }
    }

    fn within_bounds(&mut self, event: ChatEvent) -> Result<ChatEvent, LlmError> {
        match &event {
            ChatEvent::Usage(usage) => self.meter.usage = Some(*usage),
            ChatEvent::Text(text) | ChatEvent::Reasoning(text) => self.meter.bytes += text.len(),
            ChatEvent::ToolArguments { chunk, .. } => self.meter.bytes += chunk.len(),
            ChatEvent::ToolStart { index, .. } if *index >= MAX_CALLS => {
                tracing::warn!(
                    model = self.model,
                    "assistant.answer.cut model={} calls={MAX_CALLS}: more calls in one answer are not listened to",
                    self.model
                );
                return Ok(ChatEvent::Stop(StopReason::ToolCalls));
            }
            _ => {}
        }
        if self.meter.bytes > MAX_BYTES || self.meter.turn.heard(self.meter.bytes) > MAX_TURN_BYTES {
            return Err(LlmError::new(
                Class::Server,
                format!("`{}` gave an answer that does not end", self.model),
            )
            .advice("Ask again, or choose another model."));
        }
        Ok(event)
    }
}
