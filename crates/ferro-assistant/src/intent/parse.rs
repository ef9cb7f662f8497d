//! The classifier's answer, in whatever shape the model gives it.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value as Json;

use super::Classified;
use crate::turn::Intent;

/// JSON, JSON in a fence, JSON among words, the name of an intent in quotation marks; else it is a question.
pub(super) fn answer(text: &str, input: &str) -> Classified {
    let found = [Some(text.trim()), fenced(text), embedded(text)];
    for json in found.into_iter().flatten() {
        let Ok(said) = serde_json::from_str::<Json>(json) else {
            continue;
        };
        if let Some(intent) = told(&said, "intent").as_deref().and_then(named) {
            return Classified {
                intent,
                translation: told(&said, "translation").unwrap_or_else(|| input.to_owned()),
                requested_model: told(&said, "requested_model"),
                requested_provider: told(&said, "requested_provider"),
            };
        }
    }
    let intent = keyword(text).unwrap_or(Intent::Question);
    tracing::warn!(?intent, "intent.unreadable: the model did not answer with JSON");
    Classified::plain(intent, input)
}

/// Models write `null`, `"none"` and `""` for the same nothing.
fn told(said: &Json, key: &str) -> Option<String> {
    let text = said.get(key)?.as_str()?.trim();
    let nothing = ["", "null", "none", "n/a", "unknown"];
    (!nothing.contains(&text.to_lowercase().as_str())).then(|| text.to_owned())
}

fn named(name: &str) -> Option<Intent> {
    let name = name.trim().to_lowercase().replace([' ', '-'], "_");
    serde_json::from_value(name.into()).ok()
}

/// What stands in the first code block.
fn fenced(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("```")?;
    let (_, body) = rest.split_once('\n')?;
    Some(body.split_once("```").map_or(body, |(body, _)| body).trim())
}

/// From the first brace to the last.
fn embedded(text: &str) -> Option<&str> {
    let object = text.get(text.find('{')?..=text.rfind('}')?)?;
    object.contains("\"intent\"").then_some(object)
}

/// Only names that no sentence holds by chance: "question" does not count.
fn keyword(text: &str) -> Option<Intent> {
    let found = KEYWORD.as_ref()?.captures(text)?;
    named(found.get(1).or_else(|| found.get(2))?.as_str())
}

static KEYWORD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"(?i)(?:["'`*](generate_component|component_then_flow|build_flow|run_flow|off_topic)["'`*]|"intent"\s*:\s*"(manage_files|question)")"#,
    )
    .ok()
});
