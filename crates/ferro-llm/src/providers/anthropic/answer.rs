//! Anthropic's Messages API: what comes back, block by block.

use std::collections::HashMap;

use http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::chat::{ChatEvent, StopReason, Usage};
use crate::error::LlmError;
use crate::frames::{Frame, lenient};
use crate::providers::wire::{self, MAX_CALLS, broke_off, count, made_up_id, next_call, not_json};
use crate::providers::{Decoder, Target};

/// A thought as the API wants it back.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum Thought {
    Seen {
        thinking: String,
        signature: String,
    },
    /// Encrypted: nobody but the provider reads it.
    Hidden {
        data: String,
    },
}

impl Thought {
    fn block(self) -> Json {
        match self {
            Self::Seen { thinking, signature } => {
                json!({ "type": "thinking", "thinking": thinking, "signature": signature })
            }
            Self::Hidden { data } => json!({ "type": "redacted_thinking", "data": data }),
        }
    }
}

/// The contract has one text and one signature for all thoughts of an answer. One thought fits as it is; several,
/// and hidden ones, travel inside the signature, for the API takes them back only as they were.
fn sign(thoughts: &[Thought]) -> String {
    match thoughts {
        [Thought::Seen { signature, .. }] => signature.clone(),
        all => serde_json::to_string(all).unwrap_or_default(),
    }
}

/// The blocks for an answer's thoughts. The opposite of [`sign`].
pub(super) fn thoughts(text: &str, signature: &str, out: &mut Vec<Json>) {
    // A signature of the provider is base64 and never begins like this.
    if signature.starts_with('[') {
        if let Ok(all) = serde_json::from_str::<Vec<Thought>>(signature) {
            out.extend(all.into_iter().map(Thought::block));
        }
        return;
    }
    let one = Thought::Seen {
        thinking: text.to_owned(),
        signature: signature.to_owned(),
    };
    out.push(one.block());
}

/// A block that has begun and that we must remember.
enum Block {
    Tool {
        index: usize,
        /// Arguments that came with the beginning, for servers that do not stream them.
        whole: Option<String>,
        streamed: bool,
    },
    Thought {
        text: String,
        signature: String,
    },
}

/// What came from the cache or went into it is not part of the fresh input.
#[derive(Clone, Copy, Default)]
struct Figures {
    fresh: u64,
    read: u64,
    written: u64,
    output: u64,
}

impl Figures {
    fn event(self) -> ChatEvent {
        ChatEvent::Usage(Usage {
            input: self.fresh.saturating_add(self.read).saturating_add(self.written),
            output: self.output,
            cached: self.read,
            reasoning: 0,
        })
    }
}

pub(super) struct Reader {
    target: Target,
    blocks: HashMap<u64, Block>,
    calls: usize,
    thoughts: Vec<Thought>,
    figures: Option<Figures>,
    /// Something was pushed. Before that an error can still be followed by another try.
    begun: bool,
    stop: Option<StopReason>,
    done: bool,
}

impl Reader {
    pub(super) fn new(target: &Target) -> Self {
        Self {
            target: target.clone(),
            blocks: HashMap::new(),
            calls: 0,
            thoughts: Vec::new(),
            figures: None,
            begun: false,
            stop: None,
            done: false,
        }
    }

    /// Pushes a piece, and with the first one the figures known so far: the reader may go away any time.
    fn push(&mut self, event: ChatEvent, out: &mut Vec<ChatEvent>) {
        out.push(event);
        if !self.begun {
            self.begun = true;
            out.extend(self.figures.map(Figures::event));
        }
    }

    fn start(&mut self, at: u64, block: &Json, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        match wire::text(block, "type").unwrap_or_default() {
            "text" => self.say(wire::text(block, "text"), out),
            "tool_use" => {
                let index = next_call(self.target.label, &mut self.calls)?;
                let id = wire::text(block, "id").map_or_else(|| made_up_id(index), str::to_owned);
                let name = wire::text(block, "name").unwrap_or_default().to_owned();
                let whole = match block.get("input") {
                    Some(Json::Object(input)) if input.is_empty() => None,
                    Some(Json::Null) | None => None,
                    Some(input) => Some(input.to_string()),
                };
                self.blocks.insert(
                    at,
                    Block::Tool {
                        index,
                        whole,
                        streamed: false,
                    },
                );
                let start = ChatEvent::ToolStart {
                    index,
                    id,
                    name,
                    signature: None,
                };
                self.push(start, out);
            }
            "thinking" => {
                let text = wire::text(block, "thinking").unwrap_or_default().to_owned();
                let signature = wire::text(block, "signature").unwrap_or_default().to_owned();
                if !text.is_empty() {
                    self.push(ChatEvent::Reasoning(text.clone()), out);
                }
                // Bounded like calls; nobody thinks that often in one answer.
                if self.blocks.len() < 2 * MAX_CALLS {
                    self.blocks.insert(at, Block::Thought { text, signature });
                }
            }
            "redacted_thinking" => {
                let data = wire::text(block, "data").unwrap_or_default().to_owned();
                self.keep(Thought::Hidden { data }, out);
            }
            // Blocks of the provider's own tools say nothing to us.
            _ => {}
        }
        Ok(())
    }

    fn say(&mut self, text: Option<&str>, out: &mut Vec<ChatEvent>) {
        if let Some(text) = text {
            self.push(ChatEvent::Text(text.to_owned()), out);
        }
    }

    fn keep(&mut self, thought: Thought, out: &mut Vec<ChatEvent>) {
        if self.thoughts.len() < MAX_CALLS {
            self.thoughts.push(thought);
            self.push(ChatEvent::ReasoningSignature(sign(&self.thoughts)), out);
        }
    }

    fn delta(&mut self, at: u64, delta: &Json, out: &mut Vec<ChatEvent>) {
        match wire::text(delta, "type").unwrap_or_default() {
            "text_delta" => self.say(wire::text(delta, "text"), out),
            "thinking_delta" => {
                let Some(more) = wire::text(delta, "thinking") else {
                    return;
                };
                if let Some(Block::Thought { text, .. }) = self.blocks.get_mut(&at) {
                    text.push_str(more);
                }
                self.push(ChatEvent::Reasoning(more.to_owned()), out);
            }
            "signature_delta" => {
                let more = wire::text(delta, "signature").unwrap_or_default();
                if let Some(Block::Thought { signature, .. }) = self.blocks.get_mut(&at) {
                    signature.push_str(more);
                }
            }
            "input_json_delta" => {
                let Some(chunk) = wire::text(delta, "partial_json") else {
                    return;
                };
                if let Some(Block::Tool { index, streamed, .. }) = self.blocks.get_mut(&at) {
                    *streamed = true;
                    let (index, chunk) = (*index, chunk.to_owned());
                    self.push(ChatEvent::ToolArguments { index, chunk }, out);
                }
            }
            _ => {}
        }
    }

    fn stop_block(&mut self, at: u64, out: &mut Vec<ChatEvent>) {
        match self.blocks.remove(&at) {
            Some(Block::Tool {
                index,
                whole,
                streamed: false,
            }) => {
                let chunk = whole.unwrap_or_else(|| "{}".to_owned());
                self.push(ChatEvent::ToolArguments { index, chunk }, out);
            }
            Some(Block::Thought { text, signature }) if !signature.is_empty() => {
                let thinking = text;
                self.keep(Thought::Seen { thinking, signature }, out);
            }
            _ => {}
        }
    }

    /// The figures; a later message repeats only some of them.
    fn count(&mut self, given: Option<&Json>) {
        let Some(given) = given.filter(|given| given.is_object()) else {
            return;
        };
        let figures = self.figures.get_or_insert_default();
        let known = [
            ("input_tokens", &mut figures.fresh),
            ("cache_read_input_tokens", &mut figures.read),
            ("cache_creation_input_tokens", &mut figures.written),
            ("output_tokens", &mut figures.output),
        ];
        for (key, figure) in known {
            if let Some(said) = count(given.get(key)) {
                *figure = said;
            }
        }
    }

    fn stopped(&mut self, reason: Option<&str>) {
        let Some(reason) = reason else { return };
        self.stop = Some(match reason {
            "end_turn" | "stop_sequence" => StopReason::End,
            "max_tokens" | "model_context_window_exceeded" => StopReason::Length,
            "tool_use" => StopReason::ToolCalls,
            "refusal" => StopReason::ContentFilter,
            other => StopReason::Other(other.to_owned()),
        });
    }

    fn finish(&mut self, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        let Some(stop) = self.stop.take() else {
            return Err(self.cut(broke_off(self.target.label), out));
        };
        out.extend(self.figures.map(Figures::event));
        out.push(ChatEvent::Stop(stop));
        self.done = true;
        Ok(())
    }

    /// An error after the beginning comes with what was spent.
    fn cut(&self, error: LlmError, out: &mut Vec<ChatEvent>) -> LlmError {
        if self.begun {
            out.extend(self.figures.map(Figures::event));
        }
        error
    }

    fn failed(&self, body: &Json, out: &mut Vec<ChatEvent>) -> LlmError {
        let kind = body.get("error").and_then(|error| wire::text(error, "type"));
        let status = match kind.unwrap_or_default() {
            "invalid_request_error" => StatusCode::BAD_REQUEST,
            "authentication_error" => StatusCode::UNAUTHORIZED,
            "billing_error" => StatusCode::PAYMENT_REQUIRED,
            "permission_error" => StatusCode::FORBIDDEN,
            "not_found_error" => StatusCode::NOT_FOUND,
            "request_too_large" => StatusCode::PAYLOAD_TOO_LARGE,
            "rate_limit_error" => StatusCode::TOO_MANY_REQUESTS,
            "timeout_error" => StatusCode::GATEWAY_TIMEOUT,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let body = body.to_string();
        let error = super::refusal(&self.target, status, &HeaderMap::new(), body.as_bytes());
        self.cut(error, out)
    }
}

impl Decoder for Reader {
    fn frame(&mut self, frame: Frame, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        let data = match lenient(&frame.data) {
            Ok(data) => data,
            Err(error) => return Err(self.cut(not_json(self.target.label, &error), out)),
        };
        let at = count(data.get("index")).unwrap_or(0);
        match wire::text(&data, "type").unwrap_or(&frame.event) {
            "message_start" => {
                let message = data.get("message").unwrap_or(&Json::Null);
                self.count(message.get("usage"));
            }
            "content_block_start" => {
                let block = data.get("content_block").unwrap_or(&Json::Null);
                self.start(at, block, out)?;
            }
            "content_block_delta" => {
                let delta = data.get("delta").unwrap_or(&Json::Null);
                self.delta(at, delta, out);
            }
            "content_block_stop" => self.stop_block(at, out),
            "message_delta" => {
                self.count(data.get("usage"));
                self.stopped(
                    data.get("delta")
                        .and_then(|delta| wire::text(delta, "stop_reason")),
                );
            }
            "message_stop" => {
                self.stop.get_or_insert(StopReason::End);
                self.finish(out)?;
            }
            "error" => return Err(self.failed(&data, out)),
            // Pings, and events that are newer than we are.
            _ => {}
        }
        Ok(())
    }

    fn whole(&mut self, body: Json, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        if body.get("error").is_some() {
            return Err(self.failed(&body, out));
        }
        let Some(Json::Array(blocks)) = body.get("content") else {
            return Err(LlmError::garbled(self.target.label, "it has no content"));
        };
        self.count(body.get("usage"));
        for (at, block) in (0..).zip(blocks) {
            self.start(at, block, out)?;
            self.stop_block(at, out);
        }
        self.stopped(wire::text(&body, "stop_reason").or(Some("end_turn")));
        self.finish(out)
    }

    fn end(&mut self, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        self.finish(out)
    }

    fn is_done(&self) -> bool {
        self.done
    }
}
