//! What a field's name says about where its value may be found in a text.

use crate::rehearsal::classify::feeling;
use crate::rehearsal::extract::{
    dates, emails, iso_date, keywords, labelled, names, numbers, numbers_at, phones, urls,
};
use crate::rehearsal::summary::summary;
use crate::rehearsal::words::{sentences, shorten, words};

/// A text for a field of this name; `None` when the text has nothing for it.
pub(super) fn text(name: &str, text: &str) -> Option<String> {
    if let Some(said) = labelled(text, name) {
        return Some(said.to_owned());
    }
    let parts = words(name);
    let is = |list: &[&str]| parts.iter().any(|part| list.contains(&part.as_str()));
    let own = |found: &str| found.to_owned();
    if is(&["email", "mail"]) {
        return emails(text).first().copied().map(own);
    }
    if is(&["url", "link", "website", "uri", "href", "homepage"]) {
        return urls(text).first().copied().map(own);
    }
    if is(&["phone", "telephone", "mobile"]) {
        return phones(text).into_iter().next();
    }
    if is(&["date", "day", "deadline", "birthday", "due"]) {
        return dates(text).into_iter().next();
    }
    if is(&["sentiment", "feeling", "mood", "tone"]) {
        return Some(own(feeling(text)));
    }
    if is(&[
        "name", "person", "author", "customer", "sender", "contact", "user",
    ]) {
        let whole = names(text).into_iter().next()?;
        let mut pieces = whole.split(' ');
        return match () {
            () if is(&["first", "given"]) => pieces.next().map(own),
            () if is(&["last", "family", "surname"]) => pieces.next_back().map(own),
            () => Some(whole),
        };
    }
    if is(&["reason", "reasoning", "explanation", "rationale", "justification"]) {
        return Some(format!("Filled in by fixed rules {}.", super::super::LABEL));
    }
    if is(&["title", "subject", "headline", "heading"]) {
        let first = sentences(text).into_iter().next()?;
        return Some(shorten(first.trim_end_matches(['.', ':']), 80));
    }
    if is(&[
        "summary",
        "description",
        "abstract",
        "overview",
        "answer",
        "response",
        "result",
        "output",
    ]) {
        let chosen = summary(text, 2).join(" ");
        return (!chosen.is_empty()).then_some(chosen);
    }
    if is(&["text", "content", "message", "body", "input", "note", "notes"]) {
        let text = text.trim();
        return (!text.is_empty()).then(|| own(text));
    }
    if is(&["category", "topic", "keyword", "tag"]) {
        return keywords(text, 1).into_iter().next();
    }
    if is(GENERIC_NUMBERS) {
        return number(name, text).map(|number| number.to_string());
    }
    None
}

/// A text in one of JSON Schema's formats.
pub(super) fn formatted(format: &str, text: &str) -> Option<String> {
    match format {
        "date" => iso_date(text),
        "date-time" => iso_date(text).map(|date| format!("{date}T00:00:00Z")),
        "email" | "idn-email" => emails(text).first().map(|found| (*found).to_owned()),
        "uri" | "url" | "iri" => {
            let found = urls(text).into_iter().find(|url| url.starts_with("http"));
            found.map(str::to_owned)
        }
        _ => None,
    }
}

/// The emptiest text of a format.
pub(super) fn blank(format: &str) -> &'static str {
    match format {
        "date" => "1970-01-01",
        "date-time" => "1970-01-01T00:00:00Z",
        "time" => "00:00:00Z",
        "duration" => "PT0S",
        "email" | "idn-email" => "nobody@example.invalid",
        "uri" | "url" | "iri" => "https://example.invalid/",
        "hostname" => "example.invalid",
        "uuid" => "00000000-0000-0000-0000-000000000000",
        "ipv4" => "0.0.0.0",
        "ipv6" => "::",
        _ => "",
    }
}

const GENERIC_NUMBERS: &[&str] = &[
    "age", "amount", "cost", "count", "number", "price", "quantity", "sum", "total", "value", "year",
];

pub(super) fn number(name: &str, text: &str) -> Option<f64> {
    if let Some(said) = labelled(text, name) {
        return numbers(said).into_iter().next();
    }
    let all = numbers_at(text);
    let lower = text.to_lowercase();
    let parts = words(name);
    // The number that stands nearest to a word of the name, before it or after.
    let spoken = parts
        .iter()
        .filter(|part| part.len() > 2)
        .find_map(|part| lower.find(part.as_str()));
    if let Some(at) = spoken {
        let near = all.iter().map(|(place, number)| (place.abs_diff(at), number));
        return near
            .filter(|(far, _)| *far <= 40)
            .min_by_key(|(far, _)| *far)
            .map(|(_, number)| *number);
    }
    let generic = parts.iter().any(|part| GENERIC_NUMBERS.contains(&part.as_str()));
    all.first().filter(|_| generic).map(|(_, number)| *number)
}

/// Several texts for a list of this name.
pub(super) fn texts(name: &str, text: &str) -> Vec<String> {
    if let Some(said) = labelled(text, name) {
        let pieces = said.split([',', ';']).map(str::trim);
        return pieces
            .filter(|piece| !piece.is_empty())
            .map(str::to_owned)
            .collect();
    }
    let parts: Vec<String> = words(name)
        .iter()
        .map(|word| super::super::words::stem(word))
        .collect();
    let is = |list: &[&str]| parts.iter().any(|part| list.contains(&part.as_str()));
    let own = |found: Vec<&str>| found.into_iter().map(str::to_owned).collect();
    match () {
        () if is(&["email", "mail"]) => own(emails(text)),
        () if is(&["url", "link", "uri", "website"]) => own(urls(text)),
        () if is(&["phone", "telephone"]) => phones(text),
        () if is(&["date", "deadline"]) => dates(text),
        () if is(&["name", "people", "person", "author", "entity"]) => names(text),
        () if is(&["keyword", "tag", "topic", "category", "subject"]) => keywords(text, 5),
        () if is(&["point", "summary", "highlight", "key", "fact", "takeaway"]) => summary(text, 3),
        () if is(&["sentence", "line"]) => own(sentences(text)),
        () => Vec::new(),
    }
}

pub(super) fn list_of_numbers(name: &str, text: &str) -> Vec<f64> {
    match labelled(text, name) {
        Some(said) => numbers(&said.replace([',', ';'], " ")),
        None => numbers(text),
    }
}
