//! Taking literal secrets out of a document before it leaves its owner. The web page's `stripSecrets` follows the same
//! rules; both are held to `tests/secrets.json`.

mod names;
mod prose;

use std::cmp::Reverse;
use std::ops::Range;

use serde_json::value::RawValue;

use crate::document::{FlowData, MAX_DEPTH};
use crate::scan::{Cursor, Kind, Span, string_content};

use self::names::{is_reference, is_secret_name};

/// A document without literal secrets, and how many fields lost theirs.
#[derive(Debug, Clone)]
pub struct Stripped {
    pub data: FlowData,
    pub removed: usize,
}

/// Takes out every literal secret, wherever its field is: in a node, in a group's inner flow, in a dialog.
///
/// - The value of a field that has `password: true`, is made for secrets or is a text by a secret's name becomes `""`,
///   unless it names a variable (`load_from_db: true`).
/// - In other values, what stands under a secret's name becomes `""`: members of dictionaries, and rows such as
///   `{"key": "Authorization", "value": "…"}`.
/// - In texts, bearer tokens, passwords and keys in addresses, and credentials in cURL commands become `***`.
///
/// Everything else stays byte for byte as it was.
pub fn strip_secrets(flow: &FlowData) -> Stripped {
    let (text, removed) = strip_text(flow.as_str());
    if removed == 0 {
        return Stripped {
            data: flow.clone(),
            removed,
        };
    }
    // One literal in place of another keeps JSON valid; were it ever not, no document is safer than the secret.
    let raw = RawValue::from_string(text).unwrap_or_else(|_| RawValue::NULL.to_owned());
    Stripped {
        data: flow.with_text(raw),
        removed,
    }
}

/// `strip_secrets` for any valid JSON text.
pub(crate) fn strip_text(text: &str) -> (String, usize) {
    let found = Found::in_text(text, false, 0);
    let fields = found.fields;
    (edited(text, found.edits), fields)
}

/// A piece of text, and what takes its place.
type Edit = (Range<usize>, String);

fn edited(text: &str, mut edits: Vec<Edit>) -> String {
    // Of two edits at one place, the one that leaves less.
    edits.sort_by_key(|(range, new)| (range.start, new.len(), Reverse(range.end)));
    let mut made = String::with_capacity(text.len());
    let mut kept = 0;
    for (range, new) in edits {
        if range.start < kept {
            continue;
        }
        made.push_str(text.get(kept..range.start).unwrap_or_default());
        made.push_str(&new);
        kept = range.end;
    }
    made.push_str(text.get(kept..).unwrap_or_default());
    made
}

/// Texts that hold JSON that holds texts that hold JSON.
const MAX_WITHIN: usize = 4;

#[derive(Default)]
struct Found {
    edits: Vec<Edit>,
    fields: usize,
    /// How many texts this one stands in.
    within: usize,
}

impl Found {
    fn in_text(text: &str, in_value: bool, within: usize) -> Self {
        let mut found = Self {
            within,
            ..Self::default()
        };
        found.walk(&mut Cursor::new(text, MAX_DEPTH), "", in_value);
        found
    }

    /// `name` is what the value stands under; `in_value`, whether it is part of a field's value.
    fn walk(&mut self, cursor: &mut Cursor<'_>, name: &str, in_value: bool) {
        match cursor.kind() {
            Kind::Object => self.object(cursor, name, in_value),
            Kind::Array => {
                cursor.enter();
                while cursor.next_item() {
                    self.walk(cursor, name, in_value);
                }
            }
            kind => {
                let span = cursor.value();
                if in_value && is_secret_name(name) {
                    self.empty(span, Flag::Named);
                } else if in_value && kind == Kind::String {
                    self.text(span);
                }
            }
        }
    }

    fn object(&mut self, cursor: &mut Cursor<'_>, name: &str, in_value: bool) {
        cursor.enter();
        let mut about = About::default();
        let mut values = Vec::new();
        let mut removed = false;
        while let Some(key) = cursor.next_key() {
            about.observe(&key, &mut cursor.clone());
            if key == "value" {
                // Every one of a repeated key: the one that a parser ignores is still readable in the text.
                values.push(cursor.clone().value());
                let before = self.edits.len();
                self.walk(cursor, "", true);
                removed |= self.edits.len() > before;
            } else {
                self.walk(cursor, &key, in_value);
            }
        }
        if let Some(flag) = about.flag(name, in_value) {
            for value in values {
                let before = self.edits.len();
                self.empty(value, flag);
                removed |= self.edits.len() > before;
            }
        }
        self.fields += usize::from(removed && !in_value);
    }

    /// Every string and number in `value`: a secret may be a list of keys or a number.
    fn empty(&mut self, value: Span<'_>, flag: Flag) {
        let mut cursor = Cursor::new(value.text, MAX_DEPTH);
        let mut open = Vec::new();
        loop {
            match cursor.kind() {
                kind @ (Kind::Object | Kind::Array) => {
                    cursor.enter();
                    open.push(kind);
                }
                Kind::String | Kind::Number => {
                    let Span { start, text } = cursor.value();
                    let refers = || string_content(text).is_some_and(|text| is_reference(&text));
                    if text != "\"\"" && !(flag == Flag::Named && refers()) {
                        let start = value.start + start;
                        self.edits.push((start..start + text.len(), "\"\"".to_owned()));
                    }
                }
                _ => {
                    cursor.value();
                }
            }
            loop {
                let more = match open.last() {
                    None => return,
                    Some(Kind::Object) => cursor.next_key().is_some(),
                    Some(_) => cursor.next_item(),
                };
                if more {
                    break;
                }
                open.pop();
            }
        }
    }

    fn text(&mut self, literal: Span<'_>) {
        let Some(text) = string_content(literal.text) else {
            return;
        };
        let cleaned = if is_json(&text) && self.within < MAX_WITHIN {
            let found = Self::in_text(&text, true, self.within + 1);
            (!found.edits.is_empty()).then(|| edited(&text, found.edits))
        } else {
            let edits = prose::secrets(&text);
            (!edits.is_empty()).then(|| edited(&text, edits))
        };
        if let Some(cleaned) = cleaned {
            let literal_end = literal.start + literal.text.len();
            let new = serde_json::Value::String(cleaned).to_string();
            self.edits.push((literal.start..literal_end, new));
        }
    }
}

fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
        && crate::scan::check_depth(text.as_bytes(), MAX_DEPTH).is_ok()
        && serde_json::from_str::<&RawValue>(text).is_ok()
}

/// Why a value is a secret.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flag {
    /// Its field says so.
    Marked,
    /// What it is called says so.
    Named,
}

/// What an object says of its `value`.
#[derive(Default)]
struct About {
    marked: bool,
    from_variable: bool,
    named: bool,
    has_name: bool,
    has_type: bool,
    is_text: bool,
}

impl About {
    fn observe(&mut self, key: &str, cursor: &mut Cursor<'_>) {
        // Fields may have these names, too: a template's `password` may be a field, with a secret inside.
        match (key, cursor.kind()) {
            ("password", Kind::Bool) => self.marked |= cursor.value().text == "true",
            ("load_from_db", Kind::Bool) => self.from_variable = cursor.value().text == "true",
            ("type" | "_input_type" | "name" | "key" | "header", Kind::String) => {
                let text = cursor.string().unwrap_or_default();
                match key {
                    "type" => {
                        self.has_type = true;
                        self.is_text |= text == "str";
                        self.marked |= text == "auth";
                    }
                    "_input_type" => self.marked |= names::SECRET_INPUTS.contains(&text.as_ref()),
                    _ => {
                        self.has_name |= key == "name" && !text.is_empty();
                        self.named |= is_secret_name(&text);
                    }
                }
            }
            _ => {}
        }
    }

    fn flag(&self, name: &str, in_value: bool) -> Option<Flag> {
        if self.from_variable {
            None
        } else if self.marked {
            Some(Flag::Marked)
        } else {
            let named = self.named || !self.has_name && is_secret_name(name);
            // Outside of values only fields hold secrets: choices in a list may be called `Token`.
            let fits = self.is_text || in_value && !self.has_type;
            (named && fits).then_some(Flag::Named)
        }
    }
}
