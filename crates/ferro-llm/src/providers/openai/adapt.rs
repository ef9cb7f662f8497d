//! What to leave out of a request that a model refused for one of its settings.

use serde_json::{Value as Json, json};

use super::super::wire::json_only;
use crate::error::LlmError;

/// Settings that an answer can do without.
const OPTIONAL: [&str; 8] = [
    "temperature",
    "top_p",
    "stop",
    "seed",
    "parallel_tool_calls",
    "stream_options",
    "reasoning_effort",
    "reasoning_format",
];

/// Words with which servers say that they do not know a setting.
const UNKNOWN: [&str; 10] = [
    "unsupported",
    "not supported",
    "does not support",
    "doesn't support",
    "unrecognized",
    "unknown",
    "not permitted",
    "not allowed",
    "extra inputs",
    "must be verified",
];

/// Changes the body so that the same refusal cannot come again, and says whether it could.
pub(crate) fn adapt(body: &mut Json, refusal: &LlmError) -> bool {
    let said = format!(
        "{} {}",
        refusal.code.as_deref().unwrap_or_default(),
        refusal.cause
    )
    .to_ascii_lowercase();
    let Some(body) = body.as_object_mut() else {
        return false;
    };
    if !UNKNOWN.iter().any(|word| said.contains(word)) {
        return false;
    }
    let names = |setting: &str| is_named(&said, setting);
    for (old, new) in [
        ("max_tokens", "max_completion_tokens"),
        ("max_completion_tokens", "max_tokens"),
    ] {
        if names(old)
            && let Some(limit) = body.remove(old)
        {
            // Where both names are wrong, the second refusal takes the setting away.
            if names(new) {
                body.insert(new.to_owned(), limit);
            }
            return true;
        }
    }
    if names("json_schema")
        && let Some(schema) = body
            .get("response_format")
            .and_then(|format| format.pointer("/json_schema/schema"))
    {
        let told = json!({ "role": "system", "content": json_only(Some(schema)) });
        if let Some(messages) = body.get_mut("messages").and_then(Json::as_array_mut) {
            messages.insert(0, told);
            body.insert("response_format".to_owned(), json!({ "type": "json_object" }));
            return true;
        }
    }
    // Thoughts are shown to verified organisations only; the answer comes without them.
    if (names("summary") || names("reasoning.summary") || said.contains("reasoning summar"))
        && let Some(reasoning) = body.get_mut("reasoning").and_then(Json::as_object_mut)
        && reasoning.remove("summary").is_some()
    {
        return true;
    }
    if said.contains("encrypted content") && body.remove("include").is_some() {
        return true;
    }
    let mut optional = OPTIONAL.into_iter().filter(|setting| names(setting));
    if optional.any(|setting| body.remove(setting).is_some()) {
        return true;
    }
    // Some models answer only in one piece.
    if (names("stream") || names("streaming")) && body.get("stream") == Some(&Json::Bool(true)) {
        body.insert("stream".to_owned(), false.into());
        body.remove("stream_options");
        return true;
    }
    false
}

/// Whether the text has the name as a word of its own: `stop` is part of `stopped`.
fn is_named(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Class;

    #[track_caller]
    fn check(said: &str, before: Json, expected: Option<Json>) {
        let refusal = LlmError::new(Class::Request, "no").cause(said);
        let mut body = before;
        let changed = adapt(&mut body, &refusal);
        assert_eq!(changed.then_some(body), expected);
    }

    #[test]
    fn a_setting_the_model_does_not_know_goes() {
        check(
            "Unsupported value: 'temperature' does not support 0.1 with this model.",
            json!({"model": "m", "temperature": 0.1, "top_p": 1}),
            Some(json!({"model": "m", "top_p": 1})),
        );
        check(
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            json!({"max_tokens": 5}),
            Some(json!({"max_completion_tokens": 5})),
        );
        check(
            "[{\"loc\":[\"body\",\"stream_options\"],\"msg\":\"Extra inputs are not permitted\"}]",
            json!({"stream": true, "stream_options": {}}),
            Some(json!({"stream": true})),
        );
        check(
            "Your organization must be verified to generate reasoning summaries.",
            json!({"reasoning": {"effort": "low", "summary": "auto"}}),
            Some(json!({"reasoning": {"effort": "low"}})),
        );
        check(
            "Your organization must be verified to stream this model.",
            json!({"stream": true, "stream_options": {}}),
            Some(json!({"stream": false})),
        );
    }

    #[test]
    fn a_schema_the_model_does_not_take_is_told_to_it() {
        let before = json!({"messages": [], "response_format": {"type": "json_schema",
            "json_schema": {"name": "n", "schema": {"type": "object"}}}});
        let refusal = LlmError::new(Class::Request, "no")
            .cause("This model does not support response format `json_schema`.");
        let mut body = before;
        assert!(adapt(&mut body, &refusal));
        assert_eq!(body["response_format"], json!({"type": "json_object"}));
        assert!(
            body["messages"][0]["content"]
                .as_str()
                .unwrap()
                .contains("{\"type\":\"object\"}")
        );
        assert!(!adapt(&mut body, &refusal));
    }

    #[test]
    fn other_refusals_stay() {
        check("temperature must be below 2", json!({"temperature": 3}), None);
        check("unknown word in the text: stopped", json!({"stop": ["x"]}), None);
        check("'seed' is not supported", json!({"model": "m"}), None);
    }
}
