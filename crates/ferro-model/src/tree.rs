//! A document's text cut into the values a reader looks at, in one pass.
//!
//! Asking `members` level by level scans the text once per level, and nearly all of a flow is the code at the
//! bottom of it.

use std::borrow::Cow;

use crate::scan::{Cursor, Kind, Unique};

/// One value: its text, and what is inside it as far down as it was cut.
#[derive(Debug)]
pub(crate) struct Tree<'a> {
    pub(crate) text: &'a str,
    inside: Inside<'a>,
}

#[derive(Debug)]
enum Inside<'a> {
    Object(Object<'a>),
    Array(Vec<Tree<'a>>),
    /// Neither, or deeper than was asked for.
    Uncut,
}

/// An object's members in document order, each key once.
#[derive(Debug, Default)]
pub(crate) struct Object<'a>(pub(crate) Vec<(Cow<'a, str>, Tree<'a>)>);

impl<'a> Tree<'a> {
    /// Cuts `levels` levels of objects and arrays out of valid JSON.
    pub(crate) fn cut(text: &'a str, levels: usize) -> Self {
        Self::next(&mut Cursor::new(text, usize::MAX), levels)
    }

    fn next(cursor: &mut Cursor<'a>, levels: usize) -> Self {
        let kind = cursor.kind();
        let start = cursor.offset();
        let inside = match kind {
            Kind::Object if levels > 0 => {
                cursor.enter();
                let mut members = Unique::default();
                while let Some(key) = cursor.next_key() {
                    members.put(key, Self::next(cursor, levels - 1));
                }
                Inside::Object(Object(members.list))
            }
            Kind::Array if levels > 0 => {
                cursor.enter();
                let mut items = Vec::new();
                while cursor.next_item() {
                    items.push(Self::next(cursor, levels - 1));
                }
                Inside::Array(items)
            }
            _ => {
                let text = cursor.value().text;
                return Self {
                    text,
                    inside: Inside::Uncut,
                };
            }
        };
        Self {
            text: cursor.since(start),
            inside,
        }
    }

    pub(crate) fn object(&self) -> Option<&Object<'a>> {
        match &self.inside {
            Inside::Object(object) => Some(object),
            _ => None,
        }
    }

    pub(crate) fn items(&self) -> Option<&[Tree<'a>]> {
        match &self.inside {
            Inside::Array(items) => Some(items),
            _ => None,
        }
    }
}

impl<'a> Object<'a> {
    pub(crate) fn tree(&self, key: &str) -> Option<&Tree<'a>> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, tree)| tree)
    }

    pub(crate) fn get(&self, key: &str) -> Option<&'a str> {
        self.tree(key).map(|tree| tree.text)
    }

    pub(crate) fn is_true(&self, key: &str) -> bool {
        self.get(key) == Some("true")
    }
}
