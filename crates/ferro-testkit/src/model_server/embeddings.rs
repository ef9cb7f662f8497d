//! Vectors: texts that share words point the same way.

use serde_json::{Value as Json, json};

use super::format::MODEL;
use super::http::Asked;

const DIMENSIONS: u64 = 16;

pub(super) fn answer(asked: &Asked, body: &Json) -> Option<Json> {
    if asked.method != "POST" {
        return None;
    }
    let path = asked.path.as_str();
    let size = |name: &str| body[name].as_u64().unwrap_or(DIMENSIONS);
    if path.ends_with("/ml/v1/text/embeddings") {
        let texts = texts(&body["inputs"]);
        let results: Vec<_> = texts
            .iter()
            .map(|text| json!({"embedding": vector(text, DIMENSIONS), "input": text}))
            .collect();
        return Some(json!({
            "model_id": MODEL, "created_at": "2025-06-15T15:06:40.000Z", "results": results,
            "input_token_count": tokens(&texts),
        }));
    }
    if path.ends_with("/embeddings") {
        let texts = texts(&body["input"]);
        let vector = |(index, text): (usize, &String)| json!({"object": "embedding", "index": index, "embedding": vector(text, size("dimensions"))});
        let data: Vec<_> = texts.iter().enumerate().map(vector).collect();
        let tokens = tokens(&texts);
        let usage = json!({"prompt_tokens": tokens, "total_tokens": tokens});
        return Some(json!({"object": "list", "data": data, "model": MODEL, "usage": usage}));
    }
    if path.ends_with(":batchEmbedContents") {
        let requests = body["requests"].as_array().map_or(&[][..], Vec::as_slice);
        let vectors: Vec<_> = requests.iter().map(gemini).collect();
        return Some(json!({"embeddings": vectors}));
    }
    if path.ends_with(":embedContent") {
        return Some(json!({"embedding": gemini(body)}));
    }
    if path.ends_with("/api/embed") {
        let texts = texts(&body["input"]);
        let vectors: Vec<_> = texts
            .iter()
            .map(|text| vector(text, size("dimensions")))
            .collect();
        return Some(json!({
            "model": MODEL, "embeddings": vectors, "total_duration": 1_000_000, "load_duration": 100_000,
            "prompt_eval_count": tokens(&texts),
        }));
    }
    None
}

fn gemini(request: &Json) -> Json {
    let text = request["content"]["parts"][0]["text"]
        .as_str()
        .unwrap_or_default();
    let size = request["outputDimensionality"].as_u64().unwrap_or(DIMENSIONS);
    json!({"values": vector(text, size)})
}

/// One text or a list of them.
fn texts(input: &Json) -> Vec<String> {
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    match input {
        Json::Array(items) => items.iter().map(text).collect(),
        one => vec![text(one)],
    }
}

fn tokens(texts: &[String]) -> usize {
    texts.iter().map(|text| text.split_whitespace().count()).sum()
}

/// Of length one: every word adds to a place of its own.
fn vector(text: &str, size: u64) -> Vec<f64> {
    let mut vector = vec![0.0_f64; size.clamp(1, 4096) as usize];
    for word in text.to_lowercase().split_whitespace() {
        let hash = word.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let place = (hash >> 8) as usize % vector.len();
        vector[place] += 1.0;
    }
    let length = vector.iter().map(|value| value * value).sum::<f64>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|value| *value /= length);
    } else {
        vector[0] = 1.0;
    }
    vector
}
