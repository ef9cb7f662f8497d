//! OpenAI chat completions, and watsonx, which wraps them differently.

use bytes::Bytes;
use serde_json::{Value as Json, json};

use super::format::{CREATED, MODEL};
use super::turn::{Call, Said};

pub(super) fn frames(said: &Said, usage: bool) -> Vec<Bytes> {
    let mut frames: Vec<Bytes> = deltas(said)
        .into_iter()
        .map(|(delta, finish)| {
            frame(&chunk(
                &json!([choice(&delta, finish)]),
                usage.then_some(&Json::Null),
            ))
        })
        .collect();
    if usage {
        frames.push(frame(&chunk(&json!([]), Some(&usage_of(said)))));
    }
    frames.push(Bytes::from_static(b"data: [DONE]\n\n"));
    frames
}

fn frame(data: &Json) -> Bytes {
    format!("data: {data}\n\n").into()
}

/// A chunk. With usage asked for every chunk has the field, and all but the last have it as null.
fn chunk(choices: &Json, usage: Option<&Json>) -> Json {
    let mut chunk = json!({
        "id": "chatcmpl-fake", "object": "chat.completion.chunk", "created": CREATED, "model": MODEL,
        "service_tier": "default", "system_fingerprint": "fp_fake", "choices": choices,
    });
    if let Some(usage) = usage {
        chunk["usage"] = usage.clone();
    }
    chunk
}

fn choice(delta: &Json, finish: Option<&str>) -> Json {
    json!({"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish})
}

/// The changes that make up an answer; the last has the reason why it ends.
fn deltas(said: &Said) -> Vec<(Json, Option<&'static str>)> {
    let mut deltas = vec![json!({"role": "assistant", "content": "", "refusal": null})];
    let thoughts = said
        .reasoning
        .iter()
        .map(|token| json!({"reasoning_content": token}));
    deltas.extend(thoughts);
    deltas.extend(said.tokens.iter().map(|token| json!({"content": token})));
    for (index, call) in said.tools.iter().enumerate() {
        deltas.push(json!({"tool_calls": [{
            "index": index, "id": call.id, "type": "function", "function": {"name": call.name, "arguments": ""},
        }]}));
        let pieces = call.pieces().into_iter();
        deltas.extend(
            pieces.map(|piece| json!({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})),
        );
    }
    let mut deltas: Vec<_> = deltas.into_iter().map(|delta| (delta, None)).collect();
    deltas.push((json!({}), Some(finish(said))));
    deltas
}

fn finish(said: &Said) -> &'static str {
    if said.cut {
        "length"
    } else if said.tools.is_empty() {
        "stop"
    } else {
        "tool_calls"
    }
}

fn usage_of(said: &Said) -> Json {
    let (input, output) = (said.input, said.output());
    json!({
        "prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output,
        "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
        "completion_tokens_details": {
            "reasoning_tokens": said.reasoning.len(), "audio_tokens": 0,
            "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0,
        },
    })
}

fn message(said: &Said) -> Json {
    let content = if said.tokens.is_empty() {
        Json::Null
    } else {
        said.text().into()
    };
    let mut message = json!({"role": "assistant", "content": content, "refusal": null, "annotations": []});
    if !said.reasoning.is_empty() {
        message["reasoning_content"] = said.thought().into();
    }
    if !said.tools.is_empty() {
        let call = |call: &Call| {
            json!({
                "id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments},
            })
        };
        message["tool_calls"] = said.tools.iter().map(call).collect();
    }
    message
}

pub(super) fn whole(said: &Said) -> Json {
    json!({
        "id": "chatcmpl-fake", "object": "chat.completion", "created": CREATED, "model": MODEL,
        "choices": [{"index": 0, "message": message(said), "logprobs": null, "finish_reason": finish(said)}],
        "usage": usage_of(said), "service_tier": "default", "system_fingerprint": "fp_fake",
    })
}

/// No `[DONE]`: the stream just ends, with the usage in its last event.
pub(super) fn watsonx_frames(said: &Said) -> Vec<Bytes> {
    let deltas = deltas(said);
    let last = deltas.len() - 1;
    let frame = |(at, (delta, finish)): (usize, (Json, Option<&str>))| {
        let mut data = watsonx(&json!([{"index": 0, "finish_reason": finish, "delta": delta}]));
        if at == last {
            data["usage"] = watsonx_usage(said);
        }
        Bytes::from(format!("id: {}\nevent: message\ndata: {data}\n\n", at + 1))
    };
    deltas.into_iter().enumerate().map(frame).collect()
}

fn watsonx(choices: &Json) -> Json {
    json!({
        "id": "chat-fake", "model_id": MODEL, "model": MODEL, "choices": choices, "created": CREATED,
        "model_version": "1.0.0", "created_at": "2025-06-15T15:06:40.000Z",
    })
}

fn watsonx_usage(said: &Said) -> Json {
    let (input, output) = (said.input, said.output());
    json!({"completion_tokens": output, "prompt_tokens": input, "total_tokens": input + output})
}

pub(super) fn watsonx_whole(said: &Said) -> Json {
    let mut data = watsonx(&json!([{"index": 0, "message": message(said), "finish_reason": finish(said)}]));
    data["usage"] = watsonx_usage(said);
    data
}
