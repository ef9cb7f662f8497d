//! JSON for callers that ask for it in words, without a schema.

use serde_json::{Value as Json, json};

use super::LABEL;
use super::ask::Ask;
use super::schema::{fill, like};
use super::summary::summary;
use super::words::{body, quoted, sentences};

/// The prompt, in words, wants JSON and nothing else.
pub(super) fn wants_json(text: &str) -> bool {
    let lower = text.to_lowercase();
    sentences(&lower).iter().any(|sentence| {
        let verb = ["respond", "answer with", "reply", "return", "output", "produce"]
            .iter()
            .any(|verb| sentence.contains(verb));
        let form = [
            "json object",
            "json array",
            "valid json",
            "as json",
            "in json",
            "only json",
            "json format",
            "json only",
        ];
        verb && form.iter().any(|form| sentence.contains(form))
    })
}

/// An object for callers that want JSON and give no schema: like the example in the prompt, or with the keys it
/// names.
pub(super) fn object(ask: &Ask<'_>) -> Json {
    let mut source = ask.source();
    for prompt in [&ask.task, &ask.system] {
        let Some((example, text)) = example(prompt) else {
            continue;
        };
        source = source.replace(text, " ");
        return fill(&like(&example), &source);
    }
    let instruction = format!("{}\n{}", ask.system, ask.task);
    let mut properties = serde_json::Map::new();
    for key in quoted(&instruction) {
        let plain = key.len() <= 40 && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if plain && instruction.to_lowercase().contains("key") {
            properties.insert(key.to_owned(), json!({"type": "string"}));
        }
    }
    if properties.is_empty() {
        let said = summary(body(&source).unwrap_or(&source), 2).join(" ");
        return json!({"answer": said, "note": LABEL.trim_matches(['(', ')'])});
    }
    fill(&json!({"type": "object", "properties": properties}), &source)
}

/// The first JSON object in a prompt, and its text.
fn example(prompt: &str) -> Option<(Json, &str)> {
    for (at, _) in prompt.match_indices('{').take(20) {
        let rest = &prompt[at..];
        let mut read = serde_json::Deserializer::from_str(rest).into_iter::<Json>();
        if let Some(Ok(value @ Json::Object(_))) = read.next() {
            let text = rest.get(..read.byte_offset())?;
            return value
                .as_object()
                .is_some_and(|object| !object.is_empty())
                .then_some((value, text));
        }
    }
    None
}
