//! The arguments of a call, found in the request.

use serde_json::{Map, Value as Json, json};

use crate::chat::ToolSpec;
use crate::rehearsal::ask::Ask;
use crate::rehearsal::extract::{emails, is_date, urls};
use crate::rehearsal::schema::Filler;
use crate::rehearsal::words::{body, is_common, quoted, shorten, stem, words};

/// Calls made because the request has several addresses for a tool that takes one.
const MOST_URLS: usize = 4;

pub(super) struct Arguments<'a> {
    ask: &'a Ask<'a>,
    tool: &'a ToolSpec,
}

impl<'a> Arguments<'a> {
    pub fn new(ask: &'a Ask<'a>, tool: &'a ToolSpec) -> Self {
        Self { ask, tool }
    }

    /// One set of arguments for each call. None when something required was not found, unless the call must be made.
    pub fn all(&self, must: bool) -> Vec<Json> {
        let Some(first) = self.one(must) else {
            return Vec::new();
        };
        let found = urls(&self.ask.task);
        let single = first
            .iter()
            .find(|(_, value)| value.as_str().is_some_and(|value| found.first() == Some(&value)));
        let Some(key) = single.map(|(key, _)| key.clone()).filter(|_| found.len() > 1) else {
            return vec![Json::Object(first)];
        };
        let each = found.iter().take(MOST_URLS).map(|url| {
            let mut arguments = first.clone();
            arguments.insert(key.clone(), json!(url));
            Json::Object(arguments)
        });
        each.collect()
    }

    fn one(&self, must: bool) -> Option<Map<String, Json>> {
        let schema = &self.tool.schema;
        let required: Vec<&str> = schema
            .get("required")
            .and_then(Json::as_array)
            .into_iter()
            .flatten()
            .filter_map(Json::as_str)
            .collect();
        let mut arguments = Map::new();
        for (name, property) in super::properties(self.tool) {
            let needed = required.contains(&name.as_str());
            if let Some(value) = self.found(name, property, needed) {
                arguments.insert(name.clone(), value);
            } else if needed {
                let default = property.get("default").cloned();
                let (value, sure) = self.filled(name, property);
                if !must && !sure && default.is_none() {
                    return None;
                }
                arguments.insert(name.clone(), default.filter(|_| !sure).unwrap_or(value));
            }
        }
        Some(arguments)
    }

    fn filled(&self, name: &str, property: &Json) -> (Json, bool) {
        let mut filler = Filler::new(&self.tool.schema, &self.ask.task);
        let value = filler.value(name, property, 0);
        (value, filler.found > 0)
    }

    /// What the name of an argument says to look for; optional ones only when that is beyond doubt.
    fn found(&self, name: &str, property: &Json, needed: bool) -> Option<Json> {
        let task = self.ask.task.as_str();
        let parts: Vec<String> = words(name).iter().map(|word| stem(word)).collect();
        let is = |list: &[&str]| parts.iter().any(|part| list.contains(&part.as_str()));
        let list = property.get("type").and_then(Json::as_str) == Some("array");
        let texts = |all: Vec<&str>| match all.first() {
            None => None,
            Some(_) if list => Some(json!(all)),
            Some(first) => Some(json!(first)),
        };
        if property.get("enum").is_some() || property.get("anyOf").is_some_and(|_| !needed) {
            let (value, sure) = self.filled(name, property);
            return Some(value).filter(|_| sure);
        }
        match property.get("type").and_then(Json::as_str) {
            None | Some("string" | "array") => {}
            Some("integer" | "number") => {
                let (value, sure) = self.filled(name, property);
                return Some(value).filter(|_| sure);
            }
            Some(_) => return None,
        }
        if is(&["url", "link", "uri"]) {
            return texts(urls(task));
        }
        if is(&["email", "recipient"]) {
            return texts(emails(task));
        }
        if is(&["expression", "formula", "equation", "calculate"]) {
            return expression(task).map(Json::String);
        }
        if is(&["timezone", "tz", "zone"]) {
            return zone(task).map(|zone| json!(zone));
        }
        if is(&["path", "file", "filename"]) {
            return texts(paths(task));
        }
        if list || !needed && property.get("default").is_some_and(|default| default != "") {
            return None;
        }
        if is(&["query", "search", "keyword", "term", "topic", "question", "q"]) {
            return Some(json!(subject(task, self.tool)));
        }
        if needed
            && is(&[
                "text",
                "input",
                "message",
                "content",
                "prompt",
                "body",
                "task",
                "instruction",
                "request",
            ])
        {
            let text = quoted(task)
                .into_iter()
                .next()
                .or_else(|| body(task))
                .unwrap_or(task);
            return Some(json!(text));
        }
        None
    }
}

/// What a search is for: the words in quotation marks, else the request without the words that only command.
fn subject(task: &str, tool: &ToolSpec) -> String {
    if let Some(part) = quoted(task).into_iter().next() {
        return part.to_owned();
    }
    let tool = words(&tool.name);
    let command = |word: &str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        is_common(&bare)
            || tool.contains(&bare)
            || matches!(
                stem(&bare).as_str(),
                "search"
                    | "find"
                    | "look"
                    | "google"
                    | "web"
                    | "internet"
                    | "online"
                    | "information"
                    | "wikipedia"
                    | "tool"
            )
    };
    let kept: Vec<&str> = task.split_whitespace().skip_while(|word| command(word)).collect();
    let kept = kept.join(" ");
    let kept = kept.trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '?' | '!' | ':'));
    shorten(if kept.is_empty() { task } else { kept }, 200)
}

/// The longest sum in a text, in signs a calculator reads. At least two numbers and something between them.
pub(super) fn expression(text: &str) -> Option<String> {
    let mut text = format!(" {} ", text.to_lowercase());
    for (said, sign) in [
        (" plus ", " + "),
        (" minus ", " - "),
        (" multiplied by ", " * "),
        (" times ", " * "),
        (" divided by ", " / "),
        (" to the power of ", " ** "),
        ("×", "*"),
        ("÷", "/"),
        ("^", "**"),
    ] {
        text = text.replace(said, sign);
    }
    let mut best: Option<String> = None;
    for run in text.split(|c: char| {
        !(c.is_ascii_digit() || matches!(c, '+' | '-' | '*' | '/' | '%' | '(' | ')' | '.' | ' ' | ','))
    }) {
        let run = run.trim_matches(|c: char| !(c.is_ascii_digit() || matches!(c, '(' | ')' | '-')));
        let run = run.trim_end_matches('-').trim();
        if is_sum(run) && best.as_ref().is_none_or(|best| best.len() < run.len()) {
            best = Some(run.to_owned());
        }
    }
    // `1,000 * 2` is written with a comma by people only.
    best.map(|sum| sum.replace(',', ""))
}

fn is_sum(run: &str) -> bool {
    let numbers: Vec<&str> = run
        .split(|c: char| !c.is_ascii_digit() && c != '.')
        .filter(|part| part.bytes().any(|b| b.is_ascii_digit()))
        .collect();
    let signs = run.trim_start_matches('-').contains(['+', '-', '*', '/', '%']);
    let mut depth = 0i32;
    for c in run.chars() {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth < 0 {
            return false;
        }
    }
    // Two numbers side by side are a list or a telephone number, not a sum.
    let pieces: Vec<&str> = run.split_whitespace().collect();
    let bare = |piece: &&str| {
        piece
            .bytes()
            .all(|b| b.is_ascii_digit() || b == b'.' || b == b',')
    };
    let side = pieces.windows(2).any(|pair| pair.iter().all(bare));
    numbers.len() >= 2 && signs && depth == 0 && !side && is_date(run).is_none()
}

/// `Europe/Berlin` or `UTC`.
fn zone(text: &str) -> Option<&str> {
    let bare = text
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let zone = |word: &&str| {
        let parts = word.split_once('/');
        *word == "UTC"
            || parts.is_some_and(|(area, city)| {
                [area, city]
                    .iter()
                    .all(|part| part.starts_with(char::is_uppercase))
            })
    };
    bare.into_iter().find(zone)
}

fn paths(text: &str) -> Vec<&str> {
    let bare = text
        .split_whitespace()
        .map(|word| word.trim_matches(['"', '\'', '`', ',', ';', '(', ')', '?', '!']));
    let bare = bare.map(|word| word.trim_end_matches('.'));
    let path = |word: &&str| {
        let ending = word.rsplit_once('.').is_some_and(|(name, ending)| {
            !name.is_empty()
                && (1..=5).contains(&ending.len())
                && ending.bytes().all(|b| b.is_ascii_alphanumeric())
                && ending.bytes().any(|b| b.is_ascii_alphabetic())
        });
        (ending || word.starts_with('/')) && word.len() > 2 && !word.contains("://") && !word.contains('@')
    };
    bare.filter(path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_found_in_sentences() {
        for (text, sum) in [
            ("What is 2 + 2?", Some("2 + 2")),
            ("what's (3+4)*2, please", Some("(3+4)*2")),
            ("12 times 4", Some("12 * 4")),
            ("1,000 divided by 8.", Some("1000 / 8")),
            ("2^10", Some("2**10")),
            ("on 2026-11-15 at 10", None),
            ("call 030 1234567", None),
            ("I am 36 years old", None),
        ] {
            assert_eq!(expression(text).as_deref(), sum, "{text}");
        }
    }
}
