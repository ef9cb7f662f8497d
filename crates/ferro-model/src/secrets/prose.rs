//! Secrets in the middle of texts.

use std::ops::Range;

use super::Edit;
use super::names::{is_reference, is_secret_name, scheme};

const STARS: &str = "***";

/// What to put in the place of every secret in `text`.
pub(super) fn secrets(text: &str) -> Vec<Edit> {
    let mut found = Vec::new();
    addresses(text, &mut found);
    parameters(text, &mut found);
    bearers(text, &mut found);
    if is_curl(text) {
        curl(text, &mut found);
    }
    found.into_iter().map(|range| (range, STARS.to_owned())).collect()
}

type Ranges = Vec<Range<usize>>;

fn is_literal(text: &str) -> bool {
    let text = text.trim();
    !text.bytes().all(|byte| byte == b'*') && !is_reference(text)
}

fn hide(text: &str, range: Range<usize>, found: &mut Ranges) {
    if text.get(range.clone()).is_some_and(is_literal) {
        found.push(range);
    }
}

/// Where an address, or a part of one, ends.
fn ends_address(char: char) -> bool {
    char.is_whitespace() || matches!(char, '#' | '"' | '\'' | '`' | '<' | '>' | '\\' | ')')
}

/// `scheme://user:secret@host`
fn addresses(text: &str, found: &mut Ranges) {
    for (at, mark) in text.match_indices("://") {
        let start = at + mark.len();
        let rest = text.get(start..).unwrap_or_default();
        let end = rest
            .find(|char| ends_address(char) || matches!(char, '/' | '?'))
            .unwrap_or(rest.len());
        let host = rest.get(..end).unwrap_or_default();
        if let Some((person, _)) = host.rsplit_once('@')
            && let Some((user, secret)) = person.split_once(':')
        {
            let from = start + user.len() + 1;
            hide(text, from..from + secret.len(), found);
        }
    }
}

/// `?api_key=secret` and `&token=secret`
fn parameters(text: &str, found: &mut Ranges) {
    let mut hidden = Ranges::new();
    for (at, _) in text.match_indices(['?', '&']) {
        // A value may hold question marks; what is hidden is not searched again.
        if hidden.last().is_none_or(|last| at >= last.end) {
            parameter(text, at + 1, &mut hidden);
        }
    }
    found.extend(hidden);
}

/// A name, `=` and a value at `start`.
fn parameter(text: &str, start: usize, found: &mut Ranges) {
    let rest = text.get(start..).unwrap_or_default();
    let is_part = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-' | '.');
    let name = rest.find(|char| !is_part(char)).unwrap_or(rest.len());
    let (name, value) = rest.split_at(name);
    let Some(value) = value.strip_prefix('=').filter(|_| is_secret_name(name)) else {
        return;
    };
    let end = value
        .find(|char| ends_address(char) || char == '&')
        .unwrap_or(value.len());
    let from = start + name.len() + 1;
    hide(text, from..from + end, found);
}

/// `Bearer secret`. Words of a sentence are shorter, and have no digits.
fn bearers(text: &str, found: &mut Ranges) {
    let lower = text.to_ascii_lowercase();
    for (at, mark) in lower.match_indices("bearer ") {
        if text
            .get(..at)
            .is_some_and(|before| before.ends_with(char::is_alphanumeric))
        {
            continue;
        }
        let start = at + mark.len();
        let rest = text.get(start..).unwrap_or_default();
        let is_part = |char: char| {
            char.is_ascii_alphanumeric() || matches!(char, '.' | '_' | '~' | '+' | '/' | '=' | '-')
        };
        let end = rest.find(|char| !is_part(char)).unwrap_or(rest.len());
        let token = rest.get(..end).unwrap_or_default();
        if token.len() >= 20 || token.len() >= 8 && token.bytes().any(|byte| byte.is_ascii_digit()) {
            hide(text, start..start + end, found);
        }
    }
}

fn is_curl(text: &str) -> bool {
    let rest = text.trim_start().strip_prefix("curl");
    rest.is_some_and(|rest| rest.starts_with(char::is_whitespace))
}

/// Options of cURL that take a credential, and how it looks.
fn curl(text: &str, found: &mut Ranges) {
    let words = words(text);
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let said = text.get(word.clone()).unwrap_or_default();
        // `--header=x` and `-Hx` carry their value with them.
        let (option, own) = match said.split_once('=') {
            Some((option, _)) if option.starts_with("--") => (option, Some(option.len() + 1)),
            _ if said.starts_with('-')
                && !said.starts_with("--")
                && said.len() > 2
                && said.is_char_boundary(2) =>
            {
                (said.split_at(2).0, Some(2))
            }
            _ => (said, None),
        };
        if !OPTIONS.contains(&option) {
            continue;
        }
        let value = match own {
            Some(skip) => Some(unquoted(text, word.start + skip..word.end)),
            None => rest.next().cloned(),
        };
        if let Some(value) = value {
            credential(text, option, value, found);
        }
    }
}

const OPTIONS: [&str; 18] = [
    "-H",
    "--header",
    "--proxy-header",
    "-u",
    "--user",
    "-U",
    "--proxy-user",
    "-b",
    "--cookie",
    "--oauth2-bearer",
    "--pass",
    "--proxy-pass",
    "-d",
    "--data",
    "--data-raw",
    "--data-binary",
    "--data-urlencode",
    "--json",
];

fn credential(text: &str, option: &str, value: Range<usize>, found: &mut Ranges) {
    let said = text.get(value.clone()).unwrap_or_default();
    match option {
        "-H" | "--header" | "--proxy-header" => {
            let Some((name, secret)) = said.split_once(':').filter(|(name, _)| is_secret_name(name)) else {
                return;
            };
            let mut start = value.start + name.len() + 1 + (secret.len() - secret.trim_start().len());
            start += scheme(secret.trim_start());
            hide(text, start..value.end, found);
        }
        "-u" | "--user" | "-U" | "--proxy-user" => {
            if let Some(colon) = said.find(':') {
                hide(text, value.start + colon + 1..value.end, found);
            }
        }
        // Without `=` it names a file.
        "-b" | "--cookie" => {
            if said.contains('=') {
                hide(text, value, found);
            }
        }
        "--oauth2-bearer" | "--pass" | "--proxy-pass" => hide(text, value, found),
        _ => {
            let mut start = value.start;
            if said.trim_start().starts_with('{') {
                members(text, value, found);
                return;
            }
            for pair in said.split('&') {
                parameter(text.get(..value.end).unwrap_or_default(), start, found);
                start += pair.len() + 1;
            }
        }
    }
}

/// `"name": "secret"` in JSON that stands in a command.
fn members(text: &str, json: Range<usize>, found: &mut Ranges) {
    let body = text.get(json.clone()).unwrap_or_default();
    let mut last: Option<&str> = None;
    let mut pos = 0;
    while let Some(open) = body.get(pos..).and_then(|rest| rest.find('"')).map(|at| pos + at) {
        let rest = body.get(open + 1..).unwrap_or_default();
        let mut escaped = false;
        let Some(len) = rest.find(|char| {
            let ends = char == '"' && !escaped;
            escaped = char == '\\' && !escaped;
            ends
        }) else {
            return;
        };
        let said = rest.get(..len).unwrap_or_default();
        pos = open + 1 + len + 1;
        let is_name = body
            .get(pos..)
            .is_some_and(|after| after.trim_start().starts_with(':'));
        if is_name {
            last = Some(said);
        } else if last.take().is_some_and(is_secret_name) {
            let start = json.start + open + 1;
            hide(text, start..start + len, found);
        }
    }
}

/// The words of a command, without their quotes.
fn words(text: &str) -> Ranges {
    let mut words = Vec::new();
    let mut start = None;
    let mut quote = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        match quote {
            Some(open) => {
                if char == '\\' && open == '"' {
                    chars.next();
                } else if char == open {
                    quote = None;
                }
            }
            None if char == '\\' => {
                // A line that goes on in the next one.
                let breaks = chars.peek().is_some_and(|(_, next)| matches!(next, '\n' | '\r'));
                if !breaks {
                    start.get_or_insert(at);
                    chars.next();
                }
            }
            None if char.is_whitespace() => {
                if let Some(start) = start.take() {
                    words.push(unquoted(text, start..at));
                }
            }
            None => {
                start.get_or_insert(at);
                if matches!(char, '"' | '\'') {
                    quote = Some(char);
                }
            }
        }
    }
    if let Some(start) = start {
        words.push(unquoted(text, start..text.len()));
    }
    words
}

fn unquoted(text: &str, word: Range<usize>) -> Range<usize> {
    let said = text.get(word.clone()).unwrap_or_default();
    let (said, skip) = match said.strip_prefix('$') {
        Some(rest) if rest.starts_with('\'') => (rest, 1),
        _ => (said, 0),
    };
    let quoted = said.len() >= 2
        && ['"', '\'']
            .iter()
            .any(|quote| said.starts_with(*quote) && said.ends_with(*quote));
    if quoted {
        word.start + skip + 1..word.end - 1
    } else {
        word
    }
}
