//! JSON with its order and its numbers as written.

use std::borrow::Cow;

use crate::scan::{Cursor, Kind, Unique, string_content};

/// What marks a text of several lines.
const LINES: &str = "$lines";

#[derive(Debug)]
pub(super) enum Tree<'a> {
    /// A number, a word, or a text, as JSON writes it.
    Scalar(Cow<'a, str>),
    Array(Vec<Tree<'a>>),
    Object(Object<'a>),
    /// A text of several lines.
    Lines(Vec<String>),
}

#[derive(Debug)]
pub(super) struct Object<'a> {
    /// Where it starts.
    at: usize,
    pub(super) members: Vec<(Key<'a>, Tree<'a>)>,
}

#[derive(Debug, Clone)]
pub(super) struct Key<'a> {
    pub(super) name: Cow<'a, str>,
    /// As JSON writes it.
    pub(super) literal: Cow<'a, str>,
}

impl<'a> Tree<'a> {
    /// Reads valid JSON of bounded depth.
    pub(super) fn read(text: &'a str) -> Self {
        Self::next(&mut Cursor::new(text, usize::MAX))
    }

    fn next(cursor: &mut Cursor<'a>) -> Self {
        match cursor.kind() {
            Kind::Object => {
                let at = cursor.offset();
                cursor.enter();
                let mut members = Unique::default();
                while let Some((start, name)) = cursor.next_key_at() {
                    let written = cursor.since(start);
                    let literal = canonical(written);
                    let value = Self::next(cursor);
                    members.put(name, (literal, value));
                }
                let members = members.list.into_iter();
                Self::Object(Object {
                    at,
                    members: members
                        .map(|(name, (literal, value))| (Key { name, literal }, value))
                        .collect(),
                })
            }
            Kind::Array => {
                cursor.enter();
                let mut items = Vec::new();
                while cursor.next_item() {
                    items.push(Self::next(cursor));
                }
                Self::Array(items)
            }
            Kind::String => Self::Scalar(canonical(cursor.value().text)),
            _ => Self::Scalar(Cow::Borrowed(cursor.value().text)),
        }
    }

    /// Texts of several lines marked, and what looks like the mark told apart from it.
    pub(super) fn escaped(self) -> Self {
        match self {
            Self::Scalar(literal) => match string_content(&literal) {
                Some(text) if text.contains('\n') => {
                    Self::Lines(text.split('\n').map(str::to_owned).collect())
                }
                _ => Self::Scalar(literal),
            },
            Self::Array(items) => Self::Array(items.into_iter().map(Self::escaped).collect()),
            Self::Object(mut object) => {
                if let [(key, _)] = object.members.as_mut_slice()
                    && key.name.strip_suffix(LINES).is_some_and(only_dollars)
                {
                    key.rename(format!("${}", key.name));
                }
                object.members = object
                    .members
                    .into_iter()
                    .map(|(key, value)| (key, value.escaped()))
                    .collect();
                Self::Object(object)
            }
            lines @ Self::Lines(_) => lines,
        }
    }

    /// The reverse of `escaped`; an error has the place and what is wrong there.
    pub(super) fn unescaped(self) -> Result<Self, (usize, &'static str)> {
        match self {
            Self::Array(items) => {
                let items: Result<Vec<_>, _> = items.into_iter().map(Self::unescaped).collect();
                Ok(Self::Array(items?))
            }
            Self::Object(mut object) => {
                let members = object.members.into_iter();
                let members: Result<Vec<_>, _> = members
                    .map(|(key, value)| Ok((key, value.unescaped()?)))
                    .collect();
                object.members = members?;
                match object.members.as_mut_slice() {
                    [(key, lines)] if key.name == LINES => joined(lines).map(Self::Scalar).ok_or((
                        object.at,
                        "`$lines` must be a list of texts without line breaks; write each line as one text",
                    )),
                    [(key, _)] if key.name.strip_suffix(LINES).is_some_and(only_dollars) => {
                        key.rename(key.name.get(1..).unwrap_or_default().to_owned());
                        Ok(Self::Object(object))
                    }
                    _ => Ok(Self::Object(object)),
                }
            }
            other => Ok(other),
        }
    }
}

impl Key<'_> {
    fn rename(&mut self, name: String) {
        self.literal = Cow::Owned(quoted(&name));
        self.name = Cow::Owned(name);
    }
}

fn only_dollars(text: &str) -> bool {
    text.bytes().all(|byte| byte == b'$')
}

/// The literal of the text that these lines are; `None` when they are not lines.
fn joined<'a>(lines: &Tree<'a>) -> Option<Cow<'a, str>> {
    let Tree::Array(lines) = lines else {
        return None;
    };
    let mut text = String::new();
    for (place, line) in lines.iter().enumerate() {
        let Tree::Scalar(literal) = line else {
            return None;
        };
        let line = string_content(literal)?;
        // One line with a break in it would come back as two.
        if line.contains('\n') {
            return None;
        }
        if place > 0 {
            text.push('\n');
        }
        text.push_str(&line);
    }
    Some(Cow::Owned(quoted(&text)))
}

/// One way to write each text. What is no Unicode text stays as it is.
fn canonical(literal: &str) -> Cow<'_, str> {
    match string_content(literal) {
        Some(Cow::Borrowed(_)) | None => Cow::Borrowed(literal),
        Some(Cow::Owned(text)) => Cow::Owned(quoted(&text)),
    }
}

pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
