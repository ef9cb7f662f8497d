//! Anthropic's messages.

use bytes::Bytes;
use serde_json::{Value as Json, json};

use super::format::MODEL;
use super::turn::{Call, Said};

pub(super) fn frames(said: &Said) -> Vec<Bytes> {
    let mut start = message(said);
    start["content"] = json!([]);
    start["stop_reason"] = Json::Null;
    start["usage"]["output_tokens"] = 1.into();
    let mut frames = vec![event(&json!({"type": "message_start", "message": start}))];
    let mut index = 0;
    let mut block = |start: Json, deltas: Vec<Json>| {
        frames.push(event(
            &json!({"type": "content_block_start", "index": index, "content_block": start}),
        ));
        if index == 0 {
            frames.push(event(&json!({"type": "ping"})));
        }
        let delta = |delta| event(&json!({"type": "content_block_delta", "index": index, "delta": delta}));
        frames.extend(deltas.into_iter().map(delta));
        frames.push(event(&json!({"type": "content_block_stop", "index": index})));
        index += 1;
    };
    if !said.reasoning.is_empty() {
        let thoughts = said
            .reasoning
            .iter()
            .map(|token| json!({"type": "thinking_delta", "thinking": token}));
        let signature = json!({"type": "signature_delta", "signature": SIGNATURE});
        block(
            json!({"type": "thinking", "thinking": "", "signature": ""}),
            thoughts.chain([signature]).collect(),
        );
    }
    if !said.tokens.is_empty() {
        let tokens = said
            .tokens
            .iter()
            .map(|token| json!({"type": "text_delta", "text": token}));
        block(json!({"type": "text", "text": ""}), tokens.collect());
    }
    for call in &said.tools {
        // The first piece is always empty.
        let pieces = [""].into_iter().chain(call.pieces());
        block(
            json!({"type": "tool_use", "id": id(call), "name": call.name, "input": {}}),
            pieces
                .map(|piece| json!({"type": "input_json_delta", "partial_json": piece}))
                .collect(),
        );
    }
    frames.push(event(&json!({
        "type": "message_delta", "delta": {"stop_reason": stop(said), "stop_sequence": null},
        "usage": {"output_tokens": said.output()},
    })));
    frames.push(event(&json!({"type": "message_stop"})));
    frames
}

const SIGNATURE: &str = "c2lnbmVkIGJ5IHRoZSBmYWtl";

fn id(call: &Call) -> String {
    format!("toolu_{}", call.id)
}

fn event(data: &Json) -> Bytes {
    let name = data["type"].as_str().unwrap_or_default();
    format!("event: {name}\ndata: {data}\n\n").into()
}

fn stop(said: &Said) -> &'static str {
    if said.cut {
        "max_tokens"
    } else if said.tools.is_empty() {
        "end_turn"
    } else {
        "tool_use"
    }
}

fn message(said: &Said) -> Json {
    let mut content = Vec::new();
    if !said.reasoning.is_empty() {
        content.push(json!({"type": "thinking", "thinking": said.thought(), "signature": SIGNATURE}));
    }
    if !said.tokens.is_empty() {
        content.push(json!({"type": "text", "text": said.text()}));
    }
    let calls = said.tools.iter();
    content.extend(
        calls.map(
            |call| json!({"type": "tool_use", "id": id(call), "name": call.name, "input": call.parsed()}),
        ),
    );
    json!({
        "id": "msg_fake", "type": "message", "role": "assistant", "model": MODEL, "content": content,
        "stop_reason": stop(said), "stop_sequence": null,
        "usage": {
            "input_tokens": said.input, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
            "output_tokens": said.output(), "service_tier": "standard",
        },
    })
}

pub(super) fn whole(said: &Said) -> Json {
    message(said)
}
