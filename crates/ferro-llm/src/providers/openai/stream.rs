//! Reads answers of chat completions: OpenAI's, and those of everybody who speaks like it.

mod quick;

use serde_json::{Map, Value as Json, json};

use super::super::wire::{broke_off, not_json, text};
use super::super::{Decoder, Target};
use super::calls::Calls;
use super::usage;
use crate::chat::{ChatEvent, StopReason};
use crate::error::{LlmError, in_stream};
use crate::frames::{Frame, lenient};

pub(crate) struct Reader {
    target: Target,
    calls: Calls,
    /// What OpenRouter wants back with the next question, in the order it came.
    details: Vec<Json>,
    /// Something that belongs to an answer has come.
    begun: bool,
    refused: bool,
    stop: Option<StopReason>,
    done: bool,
}

impl Reader {
    pub(crate) fn new(target: &Target) -> Self {
        Self {
            target: target.clone(),
            calls: Calls::new(target.label),
            details: Vec::new(),
            begun: false,
            refused: false,
            stop: None,
            done: false,
        }
    }

    fn chunk(&mut self, chunk: &Json, whole: bool, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        let is_error = |key| chunk.get(key).is_some_and(|error| !error.is_null());
        if is_error("error") || is_error("errors") {
            return Err(in_stream(&self.target, chunk));
        }
        let choices = chunk.get("choices").and_then(Json::as_array);
        if choices.is_none() && whole {
            return Err(LlmError::garbled(self.target.label, "a document without choices"));
        }
        // One answer is asked for; a second one has no place to go.
        let is_first = |choice: &&Json| choice.get("index").and_then(Json::as_u64).unwrap_or(0) == 0;
        for choice in choices.into_iter().flatten().filter(is_first) {
            if choice.get("error").is_some_and(|error| !error.is_null()) {
                return Err(in_stream(&self.target, choice));
            }
            self.begun = true;
            let said = choice.get("delta").or_else(|| choice.get("message"));
            if let Some(said) = said {
                self.said(said, whole, out)?;
            }
            if let Some(reason) = text(choice, "finish_reason") {
                self.stop = Some(stop_reason(reason));
            }
        }
        let figures = chunk.get("usage").filter(|usage| usage.is_object());
        if let Some(usage) = figures.or_else(|| chunk.pointer("/x_groq/usage")).and_then(usage) {
            out.push(ChatEvent::Usage(usage));
        }
        if let Some(error) = chunk.pointer("/x_groq/error").filter(|error| !error.is_null()) {
            return Err(in_stream(&self.target, &json!({ "error": error })));
        }
        Ok(())
    }

    /// A delta, or a whole message.
    fn said(&mut self, said: &Json, whole: bool, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        // The same thought under two names: servers that moved from one to the other send both.
        if let Some(thought) = text(said, "reasoning_content").or_else(|| text(said, "reasoning")) {
            out.push(ChatEvent::Reasoning(thought.to_owned()));
        }
        for detail in said
            .get("reasoning_details")
            .and_then(Json::as_array)
            .into_iter()
            .flatten()
        {
            add_detail(&mut self.details, detail);
        }
        match said.get("content") {
            Some(Json::String(words)) if !words.is_empty() => out.push(ChatEvent::Text(words.clone())),
            Some(Json::Array(parts)) => parts.iter().for_each(|part| content_part(part, out)),
            _ => {}
        }
        if let Some(refusal) = text(said, "refusal") {
            self.refused = true;
            out.push(ChatEvent::Text(refusal.to_owned()));
        }
        let calls = said.get("tool_calls").and_then(Json::as_array);
        for (position, call) in (0..).zip(calls.into_iter().flatten()) {
            self.calls.take(call, whole.then_some(position), out)?;
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Vec<ChatEvent>) {
        self.calls.finish(out);
        if !self.details.is_empty() {
            let details = Json::Array(std::mem::take(&mut self.details));
            out.push(ChatEvent::ReasoningSignature(details.to_string()));
        }
        let reason = match self.stop.take() {
            // Some servers say "stop" after tool calls too.
            None | Some(StopReason::End) if !self.calls.is_empty() => StopReason::ToolCalls,
            None | Some(StopReason::End) if self.refused => StopReason::Other("refusal".to_owned()),
            None => StopReason::End,
            Some(reason) => reason,
        };
        out.push(ChatEvent::Stop(reason));
        self.done = true;
    }
}

impl Decoder for Reader {
    fn frame(&mut self, frame: Frame, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        let data = frame.data.trim();
        if data.is_empty() {
            return Ok(());
        }
        if data == "[DONE]" {
            if !self.begun {
                return Err(LlmError::garbled(self.target.label, "an empty stream"));
            }
            self.finish(out);
            return Ok(());
        }
        if frame.event != "error"
            && let Some(words) = quick::words(data)
        {
            self.begun = true;
            if !words.is_empty() {
                out.push(ChatEvent::Text(words.into_owned()));
            }
            return Ok(());
        }
        let chunk = lenient(data).map_err(|error| not_json(self.target.label, &error))?;
        if frame.event == "error" {
            return Err(in_stream(&self.target, &chunk));
        }
        self.chunk(&chunk, false, out)
    }

    fn whole(&mut self, body: Json, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        self.chunk(&body, true, out)?;
        if !self.begun {
            return Err(LlmError::garbled(
                self.target.label,
                "a document with no choice in it",
            ));
        }
        self.finish(out);
        Ok(())
    }

    fn end(&mut self, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        if self.stop.is_none() {
            return Err(broke_off(self.target.label));
        }
        self.finish(out);
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.done
    }
}

fn content_part(part: &Json, out: &mut Vec<ChatEvent>) {
    if let Some(words) = text(part, "text") {
        out.push(ChatEvent::Text(words.to_owned()));
    }
    // Mistral's way of thinking aloud.
    for thought in part
        .get("thinking")
        .and_then(Json::as_array)
        .into_iter()
        .flatten()
    {
        if let Some(words) = text(thought, "text") {
            out.push(ChatEvent::Reasoning(words.to_owned()));
        }
    }
}

fn stop_reason(reason: &str) -> StopReason {
    match reason {
        "stop" | "eos" | "eos_token" | "end_turn" | "stop_sequence" => StopReason::End,
        "length" | "max_tokens" | "model_length" => StopReason::Length,
        "tool_calls" | "function_call" => StopReason::ToolCalls,
        "content_filter" => StopReason::ContentFilter,
        other => StopReason::Other(other.to_owned()),
    }
}

/// Pieces of one thought become one again: it must go back as the model gave it.
fn add_detail(details: &mut Vec<Json>, detail: &Json) {
    let Some(piece) = detail.as_object() else { return };
    let kind = |map: &Map<String, Json>| (map.get("type").cloned(), map.get("index").cloned());
    let is_text = piece
        .get("type")
        .and_then(Json::as_str)
        .is_some_and(|kind| matches!(kind, "reasoning.text" | "reasoning.summary"));
    let last = details.last_mut().and_then(Json::as_object_mut);
    match last {
        Some(last) if is_text && kind(last) == kind(piece) => {
            for (key, value) in piece {
                match (key.as_str(), last.get_mut(key), value) {
                    ("text" | "summary", Some(Json::String(so_far)), Json::String(more)) => {
                        so_far.push_str(more)
                    }
                    (_, _, Json::Null) => {}
                    _ => {
                        last.insert(key.clone(), value.clone());
                    }
                }
            }
        }
        _ => details.push(detail.clone()),
    }
}
