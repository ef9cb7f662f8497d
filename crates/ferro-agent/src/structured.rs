//! Answers that must be JSON of a certain shape.
//!
//! Without tools the provider is asked for the shape. With tools the model is told in words: several providers refuse
//! a shape and tools in one question, or make the shape a tool of its own. Either way the answer is checked here.

use ferro_llm::{ChatMessage, ChatRequest, Format, Role};
use serde_json::Value as Json;

use crate::schema;

/// Reads the answer. `Ok(None)` when any text will do.
pub(crate) fn read(format: &Format, text: &str) -> Result<Option<Json>, Vec<String>> {
    let schema = match format {
        Format::Text => return Ok(None),
        Format::Json => None,
        Format::Schema { schema, .. } => Some(schema),
    };
    let mut json = match serde_json::from_str::<Json>(bare(text)) {
        Ok(json) => json,
        Err(error) => return Err(vec![format!("the answer is not JSON ({error})")]),
    };
    let Some(schema) = schema else {
        return if json.is_object() {
            Ok(Some(json))
        } else {
            Err(vec!["the answer is not a JSON object".to_owned()])
        };
    };
    schema::coerce(schema, &mut json);
    let found = schema::problems(schema, &json);
    if found.is_empty() {
        Ok(Some(json))
    } else {
        Err(found)
    }
}

/// The JSON in a text: models like to fence it, or to say a word before it.
fn bare(text: &str) -> &str {
    let text = text.trim();
    if text.starts_with(['{', '[']) {
        return text;
    }
    if let Some((_, fenced)) = text.split_once("```") {
        let inner = fenced.split("```").next().unwrap_or(fenced);
        // The first line names the language.
        let body = inner.split_once('\n').map_or(inner, |(first, rest)| {
            if first.trim().chars().all(char::is_alphanumeric) {
                rest
            } else {
                inner
            }
        });
        return body.trim();
    }
    match (text.find('{'), text.rfind('}')) {
        (Some(from), Some(to)) if from < to => &text[from..=to],
        _ => text,
    }
}

/// Has the model told in words what the provider is not asked for.
pub(crate) fn instruct(request: &mut ChatRequest) {
    let words = match std::mem::take(&mut request.format) {
        Format::Text => return,
        Format::Json => "When you answer, answer with one JSON object and nothing else.".to_owned(),
        Format::Schema { schema, .. } => format!(
            "When you answer, answer with JSON that fits this JSON Schema and nothing else, no words around it, no \
             code fence:\n{schema}"
        ),
    };
    let is_system = |message: &ChatMessage| message.role == Role::System;
    let place = request
        .messages
        .iter()
        .take_while(|message| is_system(message))
        .count();
    request.messages.insert(place, ChatMessage::system(words));
}

/// What the model is told when its answer does not fit.
pub(crate) fn complaint(format: &Format, problems: &[String]) -> String {
    let shape = match format {
        Format::Schema { schema, .. } => format!("JSON that fits this schema: {schema}"),
        _ => "one JSON object".to_owned(),
    };
    format!(
        "Your answer does not have the right shape: {}. Answer again with nothing but {shape}",
        problems.join("; ")
    )
}
