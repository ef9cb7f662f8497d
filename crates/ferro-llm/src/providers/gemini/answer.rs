//! Google's `generateContent`: what comes back, one candidate piece by piece.

use http::{HeaderMap, StatusCode};
use serde_json::Value as Json;

use crate::chat::{ChatEvent, StopReason, Usage};
use crate::error::{Class, LlmError};
use crate::frames::{Frame, lenient};
use crate::providers::wire::{self, broke_off, count, made_up_id, next_call, not_json};
use crate::providers::{Decoder, Target};

pub(super) struct Reader {
    target: Target,
    calls: usize,
    usage: Option<Usage>,
    /// The figures were pushed as they are.
    told: bool,
    begun: bool,
    done: bool,
}

impl Reader {
    pub(super) fn new(target: &Target) -> Self {
        Self {
            target: target.clone(),
            calls: 0,
            usage: None,
            told: false,
            begun: false,
            done: false,
        }
    }

    fn read(&mut self, data: &Json, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        if data.get("error").is_some() {
            return Err(self.failed(data));
        }
        self.count(data.get("usageMetadata"));
        let blocked = data
            .get("promptFeedback")
            .and_then(|said| wire::text(said, "blockReason"));
        if let Some(reason) = blocked {
            return Err(self.blocked(reason));
        }
        let candidate = data
            .get("candidates")
            .and_then(|all| all.get(0))
            .unwrap_or(&Json::Null);
        let parts = candidate.get("content").and_then(|content| content.get("parts"));
        let before = out.len();
        for part in parts.and_then(Json::as_array).into_iter().flatten() {
            self.part(part, out)?;
        }
        self.begun |= out.len() > before;
        let stop = wire::text(candidate, "finishReason").map(|reason| self.reason(reason));
        // Not before the first word: with nothing said, a failure can still be followed by another try.
        if self.begun || stop.is_some() {
            self.tell(out);
        }
        self.done |= stop.is_some();
        out.extend(stop.map(ChatEvent::Stop));
        Ok(())
    }

    fn part(&mut self, part: &Json, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        let signature = wire::text(part, "thoughtSignature").map(str::to_owned);
        if let Some(call) = part.get("functionCall") {
            let index = next_call(self.target.label, &mut self.calls)?;
            out.push(ChatEvent::ToolStart {
                index,
                id: wire::text(call, "id").map_or_else(|| made_up_id(index), str::to_owned),
                name: wire::text(call, "name").unwrap_or_default().to_owned(),
                signature,
            });
            let chunk = match call.get("args") {
                Some(Json::Null) | None => "{}".to_owned(),
                Some(args) => args.to_string(),
            };
            out.push(ChatEvent::ToolArguments { index, chunk });
            return Ok(());
        }
        let is_thought = part.get("thought").and_then(Json::as_bool).unwrap_or(false);
        if let Some(text) = wire::text(part, "text") {
            let text = text.to_owned();
            out.push(if is_thought {
                ChatEvent::Reasoning(text)
            } else {
                ChatEvent::Text(text)
            });
        }
        out.extend(signature.map(ChatEvent::ReasoningSignature));
        Ok(())
    }

    fn reason(&self, reason: &str) -> StopReason {
        match reason {
            "STOP" if self.calls > 0 => StopReason::ToolCalls,
            "STOP" => StopReason::End,
            "MAX_TOKENS" => StopReason::Length,
            "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE"
            | "IMAGE_SAFETY" | "MODEL_ARMOR" => StopReason::ContentFilter,
            other => StopReason::Other(other.to_owned()),
        }
    }

    /// Thoughts are not part of the candidates' tokens; what is cached is part of the prompt's.
    fn count(&mut self, given: Option<&Json>) {
        let Some(given) = given.filter(|given| given.is_object()) else {
            return;
        };
        let of = |key: &str| count(given.get(key)).unwrap_or(0);
        let thoughts = of("thoughtsTokenCount");
        let usage = Usage {
            input: of("promptTokenCount").saturating_add(of("toolUsePromptTokenCount")),
            output: of("candidatesTokenCount").saturating_add(thoughts),
            cached: of("cachedContentTokenCount"),
            reasoning: thoughts,
        };
        self.told &= self.usage == Some(usage);
        self.usage = Some(usage);
    }

    fn tell(&mut self, out: &mut Vec<ChatEvent>) {
        if !self.told {
            self.told = true;
            out.extend(self.usage.map(ChatEvent::Usage));
        }
    }

    fn blocked(&self, reason: &str) -> LlmError {
        let mut error = LlmError::new(
            Class::ContentPolicy,
            format!("{} refused the content", self.target.label),
        )
        .advice("Change the text; the provider's policy decides.")
        .cause(format!("the prompt was blocked: {reason}"));
        error.code = Some(reason.into());
        error
    }

    fn failed(&self, data: &Json) -> LlmError {
        let code = data.get("error").and_then(|error| error.get("code"));
        let code = count(code).and_then(|code| u16::try_from(code).ok());
        let status = code.and_then(|code| StatusCode::from_u16(code).ok());
        let status = status.filter(|status| !status.is_success());
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = data.to_string();
        super::refusal(&self.target, status, &HeaderMap::new(), body.as_bytes())
    }
}

impl Decoder for Reader {
    fn frame(&mut self, frame: Frame, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        let data = lenient(&frame.data).map_err(|error| not_json(self.target.label, &error))?;
        self.read(&data, out)
    }

    /// One answer, or the pieces of a stream as a list.
    fn whole(&mut self, body: Json, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        match &body {
            Json::Array(pieces) => {
                for piece in pieces {
                    if !self.done {
                        self.read(piece, out)?;
                    }
                }
            }
            one => self.read(one, out)?,
        }
        if self.done { Ok(()) } else { self.end(out) }
    }

    fn end(&mut self, _: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        Err(broke_off(self.target.label))
    }

    fn is_done(&self) -> bool {
        self.done
    }
}
