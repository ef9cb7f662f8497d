//! Ollama's chat: one JSON document a line.

use bytes::Bytes;
use serde_json::{Value as Json, json};

use super::format::MODEL;
use super::turn::{Call, Said};

pub(super) fn frames(said: &Said) -> Vec<Bytes> {
    let mut frames = Vec::new();
    for token in &said.reasoning {
        frames.push(line(&said_so_far(
            &json!({"role": "assistant", "content": "", "thinking": token}),
        )));
    }
    for token in &said.tokens {
        frames.push(line(&said_so_far(
            &json!({"role": "assistant", "content": token}),
        )));
    }
    // A call comes whole.
    for (at, call) in said.tools.iter().enumerate() {
        let calls = [tool(at, call)];
        frames.push(line(&said_so_far(
            &json!({"role": "assistant", "content": "", "tool_calls": calls}),
        )));
    }
    frames.push(line(&done(said, &json!({"role": "assistant", "content": ""}))));
    frames
}

fn line(data: &Json) -> Bytes {
    format!("{data}\n").into()
}

fn said_so_far(message: &Json) -> Json {
    json!({"model": MODEL, "created_at": "2025-06-15T15:06:40.000000Z", "message": message, "done": false})
}

fn done(said: &Said, message: &Json) -> Json {
    let mut last = said_so_far(message);
    let figures = json!({
        "done": true, "done_reason": if said.cut { "length" } else { "stop" },
        "total_duration": 5_000_000, "load_duration": 1_000_000,
        "prompt_eval_count": said.input, "prompt_eval_duration": 2_000_000,
        "eval_count": said.output(), "eval_duration": 2_000_000,
    });
    for (name, value) in figures.as_object().into_iter().flatten() {
        last[name] = value.clone();
    }
    last
}

/// Arguments are an object, not text.
fn tool(at: usize, call: &Call) -> Json {
    json!({"function": {"index": at, "name": call.name, "arguments": call.parsed()}})
}

pub(super) fn whole(said: &Said) -> Json {
    let mut message = json!({"role": "assistant", "content": said.text()});
    if !said.reasoning.is_empty() {
        message["thinking"] = said.thought().into();
    }
    if !said.tools.is_empty() {
        message["tool_calls"] = said
            .tools
            .iter()
            .enumerate()
            .map(|(at, call)| tool(at, call))
            .collect();
    }
    done(said, &message)
}
