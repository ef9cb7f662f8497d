//! Changing one value inside JSON text and leaving every other byte as it was.
//!
//! A value is addressed by the keys that lead to it. Of a repeated key the last counts, as everywhere.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::scan::{Cursor, Kind};

/// What was cut out of an object: enough to put it back so that the text is the same again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// Which member it was.
    pub index: usize,
    /// Key, value and the separators around them.
    pub text: String,
}

struct Member<'a> {
    key: Cow<'a, str>,
    /// From the key's first quote.
    start: usize,
    value: Range<usize>,
}

/// The members of the object at `range`, with offsets into `text`.
fn members(text: &str, range: Range<usize>) -> Option<Vec<Member<'_>>> {
    let inside = text.get(range.clone())?;
    let mut cursor = Cursor::new(inside, usize::MAX);
    if cursor.kind() != Kind::Object {
        return None;
    }
    cursor.enter();
    let mut found = Vec::new();
    while let Some((start, key)) = cursor.next_key_at() {
        let value = cursor.value();
        found.push(Member {
            key,
            start: range.start + start,
            value: range.start + value.start..range.start + value.start + value.text.len(),
        });
    }
    Some(found)
}

/// Where the value at `path` is.
fn find(text: &str, path: &[impl AsRef<str>]) -> Option<Range<usize>> {
    let mut range = 0..text.len();
    for key in path {
        let members = members(text, range)?;
        range = members
            .into_iter()
            .rfind(|member| member.key == key.as_ref())?
            .value;
    }
    Some(range)
}

/// The text of the value at `path`.
pub(crate) fn get<'a>(text: &'a str, path: &[impl AsRef<str>]) -> Option<&'a str> {
    text.get(find(text, path)?)
}

/// How much of `path` is there as objects, for a value that is to be put at its end.
pub(crate) fn objects(text: &str, path: &[impl AsRef<str>]) -> usize {
    let mut depth = 0;
    while depth < path.len() {
        match find(text, &path[..depth]).and_then(|range| members(text, range)) {
            Some(members) if members.iter().any(|member| member.key == path[depth].as_ref()) => depth += 1,
            _ => break,
        }
    }
    depth
}

/// Puts `value` in the place of the one at `path`; `None` when there is none.
pub(crate) fn replace(text: &str, path: &[impl AsRef<str>], value: &str) -> Option<String> {
    let range = find(text, path)?;
    let mut new = text.to_owned();
    new.replace_range(range, value);
    Some(new)
}

/// Adds a member at the end of the object that holds it; `None` when that is no object.
pub(crate) fn append(text: &str, path: &[impl AsRef<str>], value: &str) -> Option<String> {
    let (key, parent) = path.split_last()?;
    let range = find(text, parent)?;
    let members = members(text, range.clone())?;
    let key = serde_json::to_string(key.as_ref()).ok()?;
    let (at, separator) = match members.last() {
        Some(last) => (last.value.end, separator(text, &members)),
        None => (range.start + 1, (String::new(), ":".to_owned())),
    };
    let mut new = text.to_owned();
    new.insert_str(at, &format!("{}{key}{}{value}", separator.0, separator.1));
    Some(new)
}

/// What the object has between a value and the next key, and between a key and its value, so that a new member
/// looks like the others.
fn separator(text: &str, members: &[Member<'_>]) -> (String, String) {
    let between = |range: Range<usize>| text.get(range).unwrap_or_default().to_owned();
    let before = match members {
        [.., one, two] => between(one.value.end..two.start),
        _ => ",".to_owned(),
    };
    let colon = members.last().map_or(":".to_owned(), |last| {
        let end = Cursor::new(text.get(last.start..).unwrap_or_default(), usize::MAX).value();
        between(last.start + end.text.len()..last.value.start)
    });
    (before, colon)
}

/// Takes the member at `path` out.
pub(crate) fn cut(text: &str, path: &[impl AsRef<str>]) -> Option<(String, Cut)> {
    let (key, parent) = path.split_last()?;
    let range = find(text, parent)?;
    let members = members(text, range.clone())?;
    let index = members.iter().rposition(|member| member.key == key.as_ref())?;
    let place = place(&members, index, range.start, members.get(index)?.value.end);
    let taken = text.get(place.clone())?.to_owned();
    let mut new = text.to_owned();
    new.replace_range(place, "");
    Some((new, Cut { index, text: taken }))
}

/// The first member goes with the separator after it, any other with the one before.
fn place(members: &[Member<'_>], index: usize, object: usize, end: usize) -> Range<usize> {
    match (
        index.checked_sub(1).and_then(|before| members.get(before)),
        members.get(index),
        members.get(index + 1),
    ) {
        (Some(before), ..) => before.value.end..end,
        (None, Some(this), Some(after)) => this.start..after.start,
        (None, ..) => object + 1..end,
    }
}

/// Puts back what [`cut`] took, where it was; `None` when there is no such object any more.
pub(crate) fn paste(text: &str, path: &[impl AsRef<str>], cut: &Cut) -> Option<String> {
    let (_, parent) = path.split_last()?;
    let range = find(text, parent)?;
    let members = members(text, range.clone())?;
    let index = cut.index.min(members.len());
    let (at, first_of_several) = match (
        index.checked_sub(1).and_then(|before| members.get(before)),
        members.first(),
    ) {
        (Some(before), _) => (before.value.end, false),
        (None, Some(first)) => (first.start, true),
        (None, None) => (range.start + 1, false),
    };
    // The object may have changed in between: a separator may be missing or one too many.
    let body = cut
        .text
        .trim_matches(|letter: char| letter.is_whitespace() || letter == ',');
    let (starts, ends) = (
        cut.text.trim_start().starts_with(','),
        cut.text.trim_end().ends_with(','),
    );
    let fits = match (index, first_of_several) {
        (0, true) => !starts && ends,
        (0, false) => !starts && !ends,
        _ => starts && !ends,
    };
    let piece = match (fits, index, first_of_several) {
        (true, ..) => cut.text.clone(),
        (false, 0, true) => format!("{body},"),
        (false, 0, false) => body.to_owned(),
        (false, ..) => format!(",{body}"),
    };
    let mut new = text.to_owned();
    new.insert_str(at, &piece);
    Some(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{ "a": 1, "b": {"c" : [1, 2],  "d":"x"}, "e": {} }"#;

    #[test]
    fn finds_and_replaces() {
        assert_eq!(get(TEXT, &["b", "c"]), Some("[1, 2]"));
        assert_eq!(get(TEXT, &["b", "z"]), None);
        assert_eq!(get(TEXT, &["a", "z"]), None);
        assert_eq!(
            replace(TEXT, &["b", "d"], "9").unwrap(),
            r#"{ "a": 1, "b": {"c" : [1, 2],  "d":9}, "e": {} }"#
        );
        assert_eq!(objects(TEXT, &["b", "z", "y"]), 1);
    }

    #[test]
    fn what_is_appended_can_be_cut_again() {
        let longer = append(TEXT, &["b", "new"], "true").unwrap();
        assert_eq!(
            longer,
            r#"{ "a": 1, "b": {"c" : [1, 2],  "d":"x",  "new":true}, "e": {} }"#
        );
        assert_eq!(cut(&longer, &["b", "new"]).unwrap().0, TEXT);
        let filled = append(TEXT, &["e", "new"], "0").unwrap();
        assert_eq!(cut(&filled, &["e", "new"]).unwrap().0, TEXT);
    }

    #[test]
    fn what_is_cut_can_be_pasted_back() {
        for path in [&["a"][..], &["b"], &["e"], &["b", "c"], &["b", "d"]] {
            let (shorter, piece) = cut(TEXT, path).unwrap();
            serde_json::from_str::<serde_json::Value>(&shorter).unwrap();
            assert_eq!(paste(&shorter, path, &piece).unwrap(), TEXT, "{path:?}");
        }
        let only = r#"{"a": { "b" : 1 }}"#;
        let (shorter, piece) = cut(only, &["a", "b"]).unwrap();
        assert_eq!(paste(&shorter, &["a", "b"], &piece).unwrap(), only);
    }

    #[test]
    fn a_piece_fits_an_object_that_changed() {
        let (_, first) = cut(TEXT, &["a"]).unwrap();
        assert_eq!(paste("{}", &["a"], &first).unwrap(), r#"{"a": 1}"#);
        let (_, second) = cut(TEXT, &["e"]).unwrap();
        assert_eq!(
            paste(r#"{"z":0}"#, &["e"], &second).unwrap(),
            r#"{"z":0, "e": {}}"#
        );
        assert_eq!(paste("{}", &["e"], &second).unwrap(), r#"{"e": {}}"#);
    }
}
