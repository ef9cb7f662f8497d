//! Taking literal secrets out of a document before it leaves its owner.

use std::ops::Range;

use serde_json::value::RawValue;

use crate::document::{FlowData, MAX_DEPTH};
use crate::scan::{Cursor, Kind, Span};

/// A document without literal secrets, and how many fields lost theirs.
#[derive(Debug, Clone)]
pub struct Stripped {
    pub data: FlowData,
    pub removed: usize,
}

/// Replaces the value of every field that has `password: true` and does not name a variable
/// (`load_from_db: true`) with `""`, wherever the field is: in a node, in a group's inner flow, in a dialog.
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
    let mut found = Found::default();
    walk(&mut Cursor::new(text, MAX_DEPTH), &mut found);
    let Found { mut literals, fields } = found;
    literals.sort_by_key(|range| range.start);
    literals.dedup();
    let mut stripped = String::with_capacity(text.len());
    let mut kept = 0;
    for literal in literals {
        stripped.push_str(text.get(kept..literal.start).unwrap_or_default());
        stripped.push_str("\"\"");
        kept = literal.end;
    }
    stripped.push_str(text.get(kept..).unwrap_or_default());
    (stripped, fields)
}

#[derive(Default)]
struct Found {
    literals: Vec<Range<usize>>,
    fields: usize,
}

fn walk(cursor: &mut Cursor<'_>, found: &mut Found) {
    match cursor.kind() {
        Kind::Object => object(cursor, found),
        Kind::Array => {
            cursor.enter();
            while cursor.next_item() {
                walk(cursor, found);
            }
        }
        _ => {
            cursor.value();
        }
    }
}

fn object(cursor: &mut Cursor<'_>, found: &mut Found) {
    cursor.enter();
    let (mut password, mut literal) = (false, true);
    let mut values = Vec::new();
    while let Some(key) = cursor.next_key() {
        match key.as_ref() {
            // Also names that fields have: a template's `password` may be a field, with a secret inside.
            "password" if cursor.kind() == Kind::Bool => password |= cursor.value().text == "true",
            "load_from_db" if cursor.kind() == Kind::Bool => literal = cursor.value().text != "true",
            "value" => {
                // Every one of a repeated key: the one that a parser ignores is still readable in the text.
                values.push(cursor.clone().value());
                walk(cursor, found);
            }
            _ => walk(cursor, found),
        }
    }
    if password && literal {
        let before = found.literals.len();
        for value in values {
            literals(value, &mut found.literals);
        }
        found.fields += usize::from(found.literals.len() > before);
    }
}

/// Every string and number in `value`: a secret may be a list of keys or a number.
fn literals(value: Span<'_>, found: &mut Vec<Range<usize>>) {
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
                if text != "\"\"" {
                    found.push(value.start + start..value.start + start + text.len());
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
