//! Reads answers of the Responses API.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use super::super::openai::{Calls, Piece, usage};
use super::super::wire::{broke_off, not_json, text};
use super::super::{Decoder, Target};
use crate::chat::{ChatEvent, StopReason};
use crate::error::{LlmError, in_stream};
use crate::frames::{Frame, lenient};

pub(super) struct Reader {
    target: Target,
    calls: Calls,
    /// Thoughts nothing has followed yet.
    open: Vec<Json>,
    /// Thoughts that text followed.
    spoken: Vec<Json>,
    /// The items whose words came piece by piece: their last event repeats them.
    told: BTreeSet<u64>,
    thought: bool,
    refused: bool,
    done: bool,
}

impl Reader {
    pub(super) fn new(target: &Target) -> Self {
        Self {
            target: target.clone(),
            calls: Calls::new(target.label),
            open: Vec::new(),
            spoken: Vec::new(),
            told: BTreeSet::new(),
            thought: false,
            refused: false,
            done: false,
        }
    }

    fn event(&mut self, event: &Json, kind: &str, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        let place = event
            .get("output_index")
            .and_then(Json::as_u64)
            .unwrap_or_default();
        let delta = text(event, "delta").unwrap_or_default();
        match kind {
            "response.output_text.delta" => self.say(place, delta, out),
            "response.refusal.delta" => {
                self.refused = true;
                self.say(place, delta, out);
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                self.think(place, delta, out);
            }
            "response.reasoning_summary_part.added" if self.thought => {
                out.push(ChatEvent::Reasoning("\n\n".to_owned()));
            }
            "response.output_item.added" => self.begin(place, item(event), out)?,
            "response.function_call_arguments.delta" => self.argue(place, delta, out)?,
            "response.output_item.done" => self.complete(place, item(event), out)?,
            "response.completed" | "response.incomplete" | "response.failed" | "response.cancelled" => {
                let response = event.get("response").unwrap_or(event);
                self.close(response, kind.trim_start_matches("response."), out)?;
            }
            "error" | "response.error" => return Err(in_stream(&self.target, event)),
            _ if event.get("error").is_some_and(|error| !error.is_null()) => {
                return Err(in_stream(&self.target, event));
            }
            _ => {}
        }
        Ok(())
    }

    fn say(&mut self, place: u64, words: &str, out: &mut Vec<ChatEvent>) {
        if words.is_empty() {
            return;
        }
        self.told.insert(place);
        self.spoken.append(&mut self.open);
        out.push(ChatEvent::Text(words.to_owned()));
    }

    fn think(&mut self, place: u64, words: &str, out: &mut Vec<ChatEvent>) {
        if words.is_empty() {
            return;
        }
        self.told.insert(place);
        self.thought = true;
        out.push(ChatEvent::Reasoning(words.to_owned()));
    }

    /// An item begins. Thoughts are complete before what they lead to begins.
    fn begin(&mut self, place: u64, item: &Json, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        if text(item, "type") != Some("function_call") {
            return Ok(());
        }
        let thoughts = std::mem::take(&mut self.open);
        let signature = (!thoughts.is_empty()).then(|| Json::Array(thoughts).to_string());
        let piece = Piece {
            key: Some(place),
            id: text(item, "call_id")
                .or_else(|| text(item, "id"))
                .unwrap_or_default(),
            name: text(item, "name").unwrap_or_default(),
            arguments: "",
        };
        self.calls.add(piece, signature, out)
    }

    fn argue(&mut self, place: u64, chunk: &str, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        let piece = Piece {
            key: Some(place),
            arguments: chunk,
            ..Piece::default()
        };
        self.calls.add(piece, None, out)
    }

    /// An item is complete; what did not come piece by piece is taken from it.
    fn complete(&mut self, place: u64, item: &Json, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        match text(item, "type").unwrap_or_default() {
            "reasoning" => {
                if !self.told.contains(&place) {
                    for words in texts(item, "summary").chain(texts(item, "content")) {
                        self.think(place, words, out);
                    }
                }
                // Without its content a thought means nothing to a provider that keeps none.
                if text(item, "encrypted_content").is_some() {
                    self.open.push(to_send_back(item));
                }
            }
            "message" if !self.told.contains(&place) => {
                for part in item.get("content").and_then(Json::as_array).into_iter().flatten() {
                    if let Some(refusal) = text(part, "refusal") {
                        self.refused = true;
                        self.say(place, refusal, out);
                    }
                    self.say(place, text(part, "text").unwrap_or_default(), out);
                }
            }
            "function_call" => {
                if self.calls.arguments(place).is_none() {
                    self.begin(place, item, out)?;
                }
                if self.calls.arguments(place) == Some("") {
                    self.argue(place, text(item, "arguments").unwrap_or_default(), out)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self, response: &Json, status: &str, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        if let Some(usage) = response.get("usage").and_then(usage) {
            out.push(ChatEvent::Usage(usage));
        }
        if status == "failed" || response.get("error").is_some_and(|error| !error.is_null()) {
            return Err(in_stream(&self.target, response));
        }
        self.calls.finish(out);
        if !self.spoken.is_empty() {
            let thoughts = Json::Array(std::mem::take(&mut self.spoken));
            out.push(ChatEvent::ReasoningSignature(thoughts.to_string()));
        }
        let why = response
            .pointer("/incomplete_details/reason")
            .and_then(Json::as_str);
        out.push(ChatEvent::Stop(match (status, why) {
            ("completed", _) if !self.calls.is_empty() => StopReason::ToolCalls,
            ("completed", _) if self.refused => StopReason::Other("refusal".to_owned()),
            ("completed", _) => StopReason::End,
            (_, Some("max_output_tokens")) => StopReason::Length,
            (_, Some("content_filter")) => StopReason::ContentFilter,
            (_, Some(why)) => StopReason::Other(why.to_owned()),
            (status, None) => StopReason::Other(status.to_owned()),
        }));
        self.done = true;
        Ok(())
    }
}

impl Decoder for Reader {
    fn frame(&mut self, frame: Frame, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        let data = frame.data.trim();
        if data.is_empty() || data == "[DONE]" {
            return Ok(());
        }
        let event = lenient(data).map_err(|error| not_json(self.target.label, &error))?;
        // Go-betweens drop one or the other.
        let kind = text(&event, "type").unwrap_or(&frame.event).to_owned();
        self.event(&event, &kind, out)
    }

    fn whole(&mut self, body: Json, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        let Some(items) = body.get("output").and_then(Json::as_array) else {
            if body.get("error").is_some_and(|error| !error.is_null()) {
                return Err(in_stream(&self.target, &body));
            }
            return Err(LlmError::garbled(self.target.label, "a document without output"));
        };
        for (place, item) in (0..).zip(items) {
            self.complete(place, item, out)?;
        }
        let status = text(&body, "status").unwrap_or("completed");
        self.close(&body, status, out)
    }

    fn end(&mut self, _: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        Err(broke_off(self.target.label))
    }

    fn is_done(&self) -> bool {
        self.done
    }
}

fn item(event: &Json) -> &Json {
    event.get("item").unwrap_or(&Json::Null)
}

fn texts<'a>(item: &'a Json, list: &str) -> impl Iterator<Item = &'a str> {
    let parts = item.get(list).and_then(Json::as_array);
    parts.into_iter().flatten().filter_map(|part| text(part, "text"))
}

/// Its id would be looked up where nothing is kept.
fn to_send_back(item: &Json) -> Json {
    json!({
        "type": "reasoning",
        "summary": item.get("summary").filter(|summary| summary.is_array()).cloned().unwrap_or_else(|| json!([])),
        "encrypted_content": item.get("encrypted_content"),
    })
}
