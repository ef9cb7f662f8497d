//! The one part of a wrapped error that says something.

use std::sync::LazyLock;

use regex::Regex;

/// Wrappers are taken off so often at most.
const WRAPPERS: usize = 5;
/// Shorter than this, what stands behind a wrapper says nothing.
const MEANINGFUL: usize = 10;
/// The longest cause that is kept, for those who may see it whole.
const CAUSE_CHARS: usize = 2000;

/// What a provider said, where its error is quoted; else the text without `Error building Component …:` around it.
pub(crate) fn deepest_cause(text: &str) -> String {
    let text = text.trim();
    let cause = provider_message(text).unwrap_or_else(|| unwrapped(text).to_owned());
    cause.chars().take(CAUSE_CHARS).collect()
}

/// `'message': '…'` in the form Python prints it, or `"message": "…"` as JSON has it.
fn provider_message(text: &str) -> Option<String> {
    let found = MESSAGE.as_ref()?.captures(text)?;
    let message = ["single", "double"].iter().find_map(|name| found.name(name))?;
    let message = message
        .as_str()
        .replace("\\'", "'")
        .replace("\\\"", "\"")
        .replace("\\n", " ");
    let message = message.trim();
    (!message.is_empty()).then(|| message.to_owned())
}

fn unwrapped(text: &str) -> &str {
    let mut inner = text;
    for _ in 0..WRAPPERS {
        let is_wrapped = ["Error building Component", "Error running graph"]
            .iter()
            .any(|wrapper| inner.starts_with(wrapper));
        let Some((_, rest)) = inner.split_once(':').filter(|_| is_wrapped) else {
            break;
        };
        let rest = rest.trim();
        if rest.chars().count() < MEANINGFUL {
            break;
        }
        inner = rest;
    }
    inner
}

static MESSAGE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(?s)['"]message['"]\s*:\s*(?:'(?P<single>(?:[^'\\]|\\.)*)'|"(?P<double>(?:[^"\\]|\\.)*)")"#)
        .ok()
});
