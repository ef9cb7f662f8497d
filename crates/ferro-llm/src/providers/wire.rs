//! What several wire formats have in common.

use ferro_net::Secret;
use serde_json::{Map, Value as Json, json};

use crate::error::{Class, LlmError};

/// Tool calls of one answer. A model that wants more is out of its mind, or the server is hostile.
pub(super) const MAX_CALLS: usize = 128;

/// The next call's number, unless there are too many.
pub(super) fn next_call(label: &str, calls: &mut usize) -> Result<usize, LlmError> {
    let index = *calls;
    if index >= MAX_CALLS {
        return Err(LlmError::new(
            Class::Server,
            format!("{label} asked for more than {MAX_CALLS} tool calls in one answer"),
        )
        .advice("Ask for less at once, or use another model."));
    }
    *calls += 1;
    Ok(index)
}

/// The id of a call whose provider gives none: unique within its answer.
pub(super) fn made_up_id(index: usize) -> String {
    format!("call_{index}")
}

pub(super) fn is_made_up(id: &str) -> bool {
    let is_number =
        |part: &str| matches!(part.len(), 1..=3) && part.bytes().all(|byte| byte.is_ascii_digit());
    // A second number tells the calls of several answers apart.
    id.strip_prefix("call_")
        .is_some_and(|rest| rest.splitn(2, '_').all(is_number))
}

/// The body ended in the middle of an answer.
pub(super) fn broke_off(label: &str) -> LlmError {
    LlmError::new(Class::Network, format!("the answer of {label} broke off"))
        .cause("the stream ended without its last mark")
        .advice("Try again.")
}

pub(super) fn bearer(key: &Secret) -> (&'static str, Secret) {
    ("authorization", Secret::new(format!("Bearer {}", key.expose())))
}

/// A count, whatever kind of number it is written as. What is none counts as not said.
pub(super) fn count(value: Option<&Json>) -> Option<u64> {
    /// More than any model takes: a figure beyond it is a mistake, and sums of figures must fit in a database.
    const MOST: u64 = 1_000_000_000_000;
    let value = value?;
    let number = value.as_u64().or_else(|| {
        value
            .as_f64()
            .filter(|n| n.is_finite() && *n >= 0.0)
            .map(|n| n as u64)
    });
    number.map(|number| number.min(MOST))
}

pub(super) fn text<'a>(value: &'a Json, key: &str) -> Option<&'a str> {
    value.get(key)?.as_str().filter(|text| !text.is_empty())
}

/// A call's arguments for providers that take only an object. A model that wrote something else sees it again.
pub(super) fn arguments(written: &str) -> Json {
    match serde_json::from_str(written) {
        Ok(Json::Object(object)) => Json::Object(object),
        _ if written.trim().is_empty() => json!({}),
        _ => json!({ "arguments": written }),
    }
}

/// A tool's schema, which must be one of an object.
pub(super) fn object_schema(schema: &Json) -> Json {
    let mut object = schema.as_object().cloned().unwrap_or_default();
    object.insert("type".to_owned(), json!("object"));
    object.entry("properties").or_insert_with(|| json!({}));
    Json::Object(object)
}

/// What is said to models that cannot be held to a schema.
pub(super) fn json_only(schema: Option<&Json>) -> String {
    match schema {
        Some(schema) => {
            format!("Answer with JSON only, without any other text, that fits this JSON Schema:\n{schema}")
        }
        None => "Answer with one JSON object only, without any other text.".to_owned(),
    }
}

/// Sets a member unless there is nothing to set.
pub(super) fn put(body: &mut Map<String, Json>, key: &str, value: Option<impl Into<Json>>) {
    if let Some(value) = value {
        body.insert(key.to_owned(), value.into());
    }
}

pub(super) fn not_json(label: &str, error: &serde_json::Error) -> LlmError {
    LlmError::garbled(label, format!("not JSON: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_ids_are_known_again() {
        for id in ["call_0", "call_127", "call_0_2", "call_12_345"] {
            assert!(is_made_up(id), "{id}");
        }
        for id in [
            "",
            "call_",
            "call_0_",
            "call_1234",
            "call_0_1_2",
            "call_a1B2",
            "toolu_1",
        ] {
            assert!(!is_made_up(id), "{id}");
        }
    }

    #[test]
    fn no_count_is_too_large_to_be_added_up() {
        let read = |value: Json| count(Some(&value));
        assert_eq!((read(json!(7)), read(json!(7.9))), (Some(7), Some(7)));
        assert_eq!(
            (read(json!(-1)), read(json!("7")), count(None)),
            (None, None, None)
        );
        assert_eq!(read(json!(u64::MAX)), read(json!(1e300)));
        assert!(read(json!(u64::MAX)).is_some_and(|most| most.checked_mul(1000).is_some()));
    }
}
