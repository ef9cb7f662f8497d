//! Gemini's `generateContent`.

use bytes::Bytes;
use serde_json::{Value as Json, json};

use super::format::MODEL;
use super::turn::{Call, Said};

pub(super) fn frames(said: &Said) -> Vec<Bytes> {
    let parts = parts(
        &said.reasoning.iter().map(String::as_str).collect::<Vec<_>>(),
        &said.tokens.iter().map(String::as_str).collect::<Vec<_>>(),
        &said.tools,
    );
    let mut frames: Vec<_> = parts
        .iter()
        .map(|part| frame(&answer(said, &json!([part]), None)))
        .collect();
    // Ends with an empty text: the reason to stop has a frame of its own.
    frames.push(frame(&answer(said, &json!([{"text": ""}]), Some(finish(said)))));
    frames
}

fn frame(data: &Json) -> Bytes {
    format!("data: {data}\r\n\r\n").into()
}

fn parts(thoughts: &[&str], texts: &[&str], calls: &[Call]) -> Vec<Json> {
    let thoughts = thoughts.iter().map(|text| json!({"text": text, "thought": true}));
    let texts = texts.iter().map(|text| json!({"text": text}));
    // It has no ids for calls, and signs the first of them only.
    let calls = calls.iter().enumerate().map(|(at, call)| {
        let mut part = json!({"functionCall": {"name": call.name, "args": call.parsed()}});
        if at == 0 {
            part["thoughtSignature"] = "c2lnbmVkIGJ5IHRoZSBmYWtl".into();
        }
        part
    });
    thoughts.chain(texts).chain(calls).collect()
}

/// It stops with `STOP` for calls, too.
fn finish(said: &Said) -> &'static str {
    if said.cut { "MAX_TOKENS" } else { "STOP" }
}

fn answer(said: &Said, parts: &Json, finish: Option<&str>) -> Json {
    let mut candidate = json!({"content": {"parts": parts, "role": "model"}, "index": 0});
    if let Some(finish) = finish {
        candidate["finishReason"] = finish.into();
    }
    // What was thought is counted beside the candidates, not within.
    let thoughts = said.reasoning.len() as u64;
    let (input, output) = (said.input, said.output());
    let mut usage = json!({
        "promptTokenCount": input, "candidatesTokenCount": output.saturating_sub(thoughts),
        "totalTokenCount": input + output,
        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": input}],
    });
    if thoughts > 0 {
        usage["thoughtsTokenCount"] = thoughts.into();
    }
    json!({"candidates": [candidate], "usageMetadata": usage, "modelVersion": MODEL, "responseId": "fake"})
}

pub(super) fn whole(said: &Said) -> Json {
    let (thought, text) = (said.thought(), said.text());
    let some = |text: &'_ str| -> usize { usize::from(!text.is_empty()) };
    let parts = parts(
        &[thought.as_str()][..some(&thought)],
        &[text.as_str()][..some(&text)],
        &said.tools,
    );
    answer(said, &parts.into(), Some(finish(said)))
}
