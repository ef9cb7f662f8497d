//! Quoting: texts of others inside a request, without a way out of their block.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

/// At most so many characters, and a word about it when there were more.
pub(crate) fn cut(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        Some((end, _)) => format!("{}\n... [truncated]", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The text with every marker of ours made harmless: it can neither end the block it stands in nor begin another.
pub(crate) fn defused(text: &str) -> String {
    let text = text.replace('\0', "");
    let Some(markers) = MARKERS.as_ref() else {
        // Without the pattern no bracket may stay.
        return text.replace('[', "(");
    };
    let text: Cow<'_, str> = markers.replace_all(&text, "(${marker}");
    text.replace("User refinement:", "User refinement -")
}

/// Lines that would begin another turn are marked as quoted.
pub(super) fn without_speakers(text: &str) -> String {
    let Some(speakers) = SPEAKERS.as_ref() else {
        return text
            .replace("User:", "User -")
            .replace("Assistant:", "Assistant -");
    };
    speakers.replace_all(text, "> ${speaker}").into_owned()
}

static MARKERS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\[(?P<marker>\s*(?:end\s+of\b|canvas\s+reference|available\s+language|conversation\s+history|previous\s+plan|documentation\s+passages|headless\s+run|the\s+person\s+has|session\s+context|the\s+request\s+below|request\s+to\s+classify))",
    )
    .ok()
});

static SPEAKERS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?im)^\s*(?P<speaker>(?:user|assistant|system)\s*:)").ok());
