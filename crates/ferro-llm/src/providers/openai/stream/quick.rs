//! The frame that comes hundreds of times an answer: more words and nothing else. Taking just them out of it costs a
//! fraction of building the whole document.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;

/// The words of a frame that says nothing but words. `None` for every other frame, also a broken one: those are read
/// with care.
pub(super) fn words(data: &str) -> Option<Cow<'_, str>> {
    let chunk: Chunk<'_> = serde_json::from_str(data).ok()?;
    let [choice] = chunk.choices;
    let said = choice.delta;
    let more = [
        chunk.error,
        chunk.errors,
        chunk.usage,
        chunk.x_groq,
        choice.error,
        choice.finish_reason,
        said.reasoning_content,
        said.reasoning,
        said.reasoning_details,
        said.refusal,
        said.tool_calls,
    ];
    let is_plain = choice.index.is_none_or(|index| index == 0) && more.iter().all(Option::is_none);
    is_plain.then_some(said.content)
}

/// Everything that [`super::Reader`] looks at. `null` counts as not there.
#[derive(Deserialize)]
struct Chunk<'a> {
    #[serde(borrow)]
    choices: [Choice<'a>; 1],
    error: Option<IgnoredAny>,
    errors: Option<IgnoredAny>,
    usage: Option<IgnoredAny>,
    x_groq: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    index: Option<u64>,
    #[serde(borrow)]
    delta: Delta<'a>,
    error: Option<IgnoredAny>,
    finish_reason: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Delta<'a> {
    #[serde(borrow)]
    content: Cow<'a, str>,
    reasoning_content: Option<IgnoredAny>,
    reasoning: Option<IgnoredAny>,
    reasoning_details: Option<IgnoredAny>,
    refusal: Option<IgnoredAny>,
    tool_calls: Option<IgnoredAny>,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn only_words_are_taken() {
        let plain = json!({
            "id": "c", "created": 1, "usage": null, "error": null,
            "choices": [{
                "index": 0, "delta": { "role": "assistant", "content": "hi", "refusal": null, "tool_calls": null },
                "logprobs": { "content": [{ "token": "hi" }] }, "finish_reason": null,
            }],
        });
        assert_eq!(words(&plain.to_string()).as_deref(), Some("hi"));
        for (place, value) in [
            ("/error", json!({ "message": "no" })),
            ("/usage", json!({ "prompt_tokens": 1 })),
            ("/choices", json!([])),
            ("/choices/0/index", json!(1)),
            ("/choices/0/finish_reason", json!("stop")),
            ("/choices/0/delta", json!(null)),
            ("/choices/0/delta/content", json!(null)),
            (
                "/choices/0/delta/content",
                json!([{ "type": "text", "text": "hi" }]),
            ),
            ("/choices/0/delta/refusal", json!("no")),
            ("/choices/0/delta/tool_calls", json!([])),
        ] {
            let mut other = plain.clone();
            *other.pointer_mut(place).unwrap() = value;
            assert_eq!(words(&other.to_string()), None, "{other}");
        }
        for (key, value) in [("errors", json!(["no"])), ("x_groq", json!({ "usage": {} }))] {
            let mut other = plain.clone();
            other[key] = value;
            assert_eq!(words(&other.to_string()), None, "{other}");
        }
        for key in ["reasoning_content", "reasoning", "reasoning_details"] {
            let mut other = plain.clone();
            other["choices"][0]["delta"][key] = json!("hm");
            assert_eq!(words(&other.to_string()), None, "{other}");
        }
        for broken in [
            "",
            "{",
            r#"{"choices":[{"delta":{"content":"hi"}}]} x"#,
            r#"{"choices":[{"delta":{"content":"hi"},"logprobs":NaN}]}"#,
        ] {
            assert_eq!(words(broken), None, "{broken}");
        }
    }

    proptest! {
        #[test]
        fn words_are_what_they_were(text in "\\PC{0,40}[\"\\\\\n\t😀]?") {
            let frame = json!({ "choices": [{ "delta": { "content": text } }] }).to_string();
            let read = words(&frame);
            prop_assert_eq!(read.as_deref(), Some(text.as_str()));
        }
    }
}
