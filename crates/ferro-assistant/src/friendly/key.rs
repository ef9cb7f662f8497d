//! A key that is not there: people are told which variable to set, by the name they gave it.

use std::sync::LazyLock;

use regex::Regex;

const MISSING: [&str; 5] = [
    "does not exist",
    "could not be resolved",
    "is required",
    "is not set",
    "needs its",
];

/// What to set, when a text says that a variable for a key is missing.
pub(super) fn missing(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    if !MISSING.iter().any(|mark| lower.contains(mark)) {
        return None;
    }
    let mut names: Vec<&str> = Vec::new();
    for found in VARIABLE.as_ref()?.find_iter(text) {
        if !names.contains(&found.as_str()) {
            names.push(found.as_str());
        }
    }
    let (name, others) = names.split_first()?;
    let or = others.first().map(|other| format!(", or `{other}`,"));
    Some(format!(
        "The variable `{name}` is not set. Set it{} in Settings › Model providers.",
        or.unwrap_or_default()
    ))
}

static VARIABLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\b(?:[A-Z][A-Z0-9]*_)*(?:API_)?(?:KEY|TOKEN|SECRET)(?:_[A-Z0-9]+)*\b").ok()
});
