//! Templates: `{name}` with `{{` and `}}` for literal braces, or `{{name}}` with single braces left alone.

use std::borrow::Cow;

use ferro_engine::Failure;
use serde_json::{Map, Value as Json};

/// How a template marks its variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `{name}`; `{{` and `}}` stand for braces.
    Braces,
    /// `{{name}}`; single braces are text.
    DoubleBraces,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    Text(&'a str),
    /// What stands between the braces, trimmed and not checked.
    Slot(&'a str),
}

/// Cuts a template into text and slots. `field` is named in errors.
pub(crate) fn parse<'a>(template: &'a str, style: Style, field: &str) -> Result<Vec<Piece<'a>>, Failure> {
    match style {
        Style::Braces => parse_braces(template, field),
        Style::DoubleBraces => parse_double(template, field),
    }
}

fn parse_braces<'a>(template: &'a str, field: &str) -> Result<Vec<Piece<'a>>, Failure> {
    let mut pieces = Vec::new();
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        if at > 0 {
            pieces.push(Piece::Text(&rest[..at]));
        }
        let brace = &rest[at..=at];
        let after = &rest[at + 1..];
        if after.starts_with(brace) {
            pieces.push(Piece::Text(brace));
            rest = &after[1..];
        } else if brace == "}" {
            return Err(unbalanced(
                template,
                after,
                field,
                "There is a } without a { before it",
            ));
        } else {
            let Some(end) = after
                .find(['{', '}'])
                .filter(|&end| after[end..].starts_with('}'))
            else {
                return Err(unbalanced(
                    template,
                    after,
                    field,
                    "There is a { without a } after it",
                ));
            };
            pieces.push(Piece::Slot(after[..end].trim()));
            rest = &after[end + 1..];
        }
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    Ok(pieces)
}

fn parse_double<'a>(template: &'a str, field: &str) -> Result<Vec<Piece<'a>>, Failure> {
    let mut pieces = Vec::new();
    let mut rest = template;
    while let Some(at) = rest.find("{{") {
        if at > 0 {
            pieces.push(Piece::Text(&rest[..at]));
        }
        let after = &rest[at + 2..];
        let Some(end) = after.find("}}") else {
            return Err(unbalanced(
                template,
                after,
                field,
                "There is a {{ without a }} after it",
            ));
        };
        pieces.push(Piece::Slot(after[..end].trim()));
        rest = &after[end + 2..];
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    Ok(pieces)
}

/// `after` is what follows the brace in question: that tells the line.
fn unbalanced(template: &str, after: &str, field: &str, what: &str) -> Failure {
    let before = &template[..template.len() - after.len()];
    let line = before.matches('\n').count() + 1;
    Failure::input(field, format!("{what} (line {line})"))
        .advice("Close it, or double it ({{ or }}) if you mean the character itself.")
}

/// Puts the pieces together; `lookup` says what a slot holds.
pub(crate) fn render<'a>(
    pieces: &[Piece<'_>],
    mut lookup: impl FnMut(&str) -> Result<Cow<'a, str>, Failure>,
) -> Result<String, Failure> {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(part) => text.push_str(part),
            Piece::Slot(name) => text.push_str(&lookup(name)?),
        }
    }
    Ok(text)
}

/// What `{name}` means for a JSON object: a key, a path such as `user.name` or `tags[0]`, or `data` for all of it.
pub(crate) fn pick<'a>(map: &'a Map<String, Json>, name: &str) -> Option<Cow<'a, str>> {
    let found = map.get(name).or_else(|| follow(map, name));
    if let Some(value) = found {
        return Some(show(value));
    }
    (name == "data").then(|| Cow::Owned(serde_json::to_string(map).unwrap_or_default()))
}

fn follow<'a>(map: &'a Map<String, Json>, path: &str) -> Option<&'a Json> {
    let mut parts = path.split(['.', '[']);
    let mut value = map.get(parts.next()?)?;
    for part in parts {
        let part = part.strip_suffix(']').unwrap_or(part);
        value = match value {
            Json::Object(map) => map.get(part.trim_matches(['"', '\'']))?,
            Json::Array(items) => items.get(part.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(value)
}

/// A JSON value inside running text: nothing for null, no quotes around text.
pub(crate) fn show(value: &Json) -> Cow<'_, str> {
    match value {
        Json::Null => Cow::Borrowed(""),
        Json::String(text) => Cow::Borrowed(text),
        other => Cow::Owned(other.to_string()),
    }
}

/// `\n`, `\t` and the like, written out in a field, become the characters.
pub(crate) fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('\\') => out.push('\\'),
            Some(other) => out.extend(['\\', other]),
            None => out.push('\\'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(template: &str, style: Style, expected: &str) {
        let shown = match parse(template, style, "t") {
            Ok(pieces) => pieces
                .iter()
                .map(|piece| match piece {
                    Piece::Text(text) => (*text).to_owned(),
                    Piece::Slot(name) => format!("<{name}>"),
                })
                .collect(),
            Err(failure) => format!("error: {}", failure.message),
        };
        assert_eq!(shown, expected);
    }

    #[test]
    fn single_braces() {
        check("Hi { name }!", Style::Braces, "Hi <name>!");
        check("{{\"a\": {x}}}", Style::Braces, "{\"a\": <x>}");
        check("", Style::Braces, "");
        check(
            "a\n{b",
            Style::Braces,
            "error: There is a { without a } after it (line 2)",
        );
        check(
            "a } b",
            Style::Braces,
            "error: There is a } without a { before it (line 1)",
        );
        check(
            "{a {b}",
            Style::Braces,
            "error: There is a { without a } after it (line 1)",
        );
        check("é{ü}", Style::Braces, "é<ü>");
    }

    #[test]
    fn double_braces() {
        check("{\"a\": {{ x }}}", Style::DoubleBraces, "{\"a\": <x>}");
        check("}} {a}", Style::DoubleBraces, "}} {a}");
        check(
            "{{a",
            Style::DoubleBraces,
            "error: There is a {{ without a }} after it (line 1)",
        );
    }

    #[test]
    fn slots_reach_into_objects() {
        let Json::Object(map) = json!({ "a": { "b": [1, { "c": "x" }] }, "a.b": null, "n": 2.5 }) else {
            return;
        };
        assert_eq!(pick(&map, "a.b[1].c").as_deref(), Some("x"));
        assert_eq!(
            pick(&map, "a.b").as_deref(),
            Some(""),
            "a key of that very name comes first"
        );
        assert_eq!(pick(&map, "n").as_deref(), Some("2.5"));
        assert_eq!(pick(&map, "a.x"), None);
        assert!(pick(&map, "data").is_some_and(|all| all.contains("\"n\":2.5")));
    }

    #[test]
    fn written_out_characters() {
        assert_eq!(unescape(r"a\n\tb\\n\q\"), "a\n\tb\\n\\q\\");
    }
}
