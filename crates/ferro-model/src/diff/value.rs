//! Comparing values by meaning, and showing them without their secrets.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;

use super::MASK;
use crate::read::Members;
use crate::scan::{Kind, kind_of};
use crate::secrets::strip_text;

/// Equal as JSON: spaces, key order and the way a number is written do not count, and null is nothing.
fn same(old: Option<&str>, new: Option<&str>) -> bool {
    let (old, new) = (old.unwrap_or("null"), new.unwrap_or("null"));
    if old == new {
        return true;
    }
    match (serde_json::from_str(old), serde_json::from_str(new)) {
        (Ok(old), Ok(new)) => equal(&old, &new),
        _ => false,
    }
}

fn equal(old: &Value, new: &Value) -> bool {
    match (old, new) {
        // The canvas writes 1.0 as 1.
        (Value::Number(old), Value::Number(new)) => {
            old == new || (old.is_f64() || new.is_f64()) && old.as_f64() == new.as_f64()
        }
        (Value::Array(old), Value::Array(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| equal(old, new))
        }
        (Value::Object(old), Value::Object(new)) => {
            old.len() == new.len()
                && old
                    .iter()
                    .all(|(key, old)| new.get(key).is_some_and(|new| equal(old, new)))
        }
        _ => old == new,
    }
}

/// A value for the reader of a diff, with the secrets of fields inside it masked.
pub(super) fn shown(text: Option<&str>) -> Value {
    let Some(text) = text else { return Value::Null };
    match serde_json::from_str(text) {
        Ok(mut value) => {
            mask_fields(&mut value);
            value
        }
        // Valid JSON that Rust cannot hold (1e999, an unpaired surrogate) is shown as text.
        Err(_) => Value::String(strip_text(text).0),
    }
}

/// A value that is a secret.
fn masked(text: Option<&str>) -> Value {
    let Some(text) = text else { return Value::Null };
    match serde_json::from_str(text) {
        Ok(mut value) => {
            mask_all(&mut value);
            value
        }
        Err(_) => Value::String(MASK.to_owned()),
    }
}

fn mask_fields(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(mask_fields),
        Value::Object(members) => {
            let is = |key: &str| members.get(key) == Some(&Value::Bool(true));
            let secret = is("password") && !is("load_from_db");
            for (key, value) in members.iter_mut() {
                if secret && key == "value" {
                    mask_all(value)
                } else {
                    mask_fields(value)
                }
            }
        }
        _ => {}
    }
}

fn mask_all(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(mask_all),
        Value::Object(members) => members.values_mut().for_each(mask_all),
        Value::String(text) if text.is_empty() => {}
        Value::String(_) | Value::Number(_) => *value = Value::String(MASK.to_owned()),
        Value::Null | Value::Bool(_) => {}
    }
}

/// A key with its text on each side, and whether that text is a secret.
pub(super) struct Pair<'a> {
    pub(super) key: Cow<'a, str>,
    pub(super) old: Option<&'a str>,
    pub(super) new: Option<&'a str>,
    secret: (bool, bool),
}

impl Pair<'_> {
    pub(super) fn is_same(&self) -> bool {
        same(self.old, self.new)
    }

    pub(super) fn is_secret(&self) -> bool {
        self.secret.0 || self.secret.1
    }

    /// Both sides for the reader of a diff.
    pub(super) fn shown(&self) -> (Value, Value) {
        let side = |text, secret| if secret { masked(text) } else { shown(text) };
        (side(self.old, self.secret.0), side(self.new, self.secret.1))
    }

    fn is_objects(&self) -> bool {
        let is_object = |text: &str| kind_of(text) == Kind::Object;
        self.old.is_some_and(is_object) && self.new.is_some_and(is_object)
    }
}

/// The keys whose values differ: in the new object's order, then the old one's.
///
/// Two objects count as soon as their texts differ. Whoever goes into them finds out; comparing them here as
/// well would parse a deep document once per level.
pub(super) fn differing<'a>(old: &Members<'a>, new: &Members<'a>) -> Vec<Pair<'a>> {
    let is = |members: &Members<'_>, key: &str| members.get(key) == Some("true");
    // What was or becomes a password hides both values, unless a value is a variable's name.
    let password = is(old, "password") || is(new, "password");
    let secret = (
        password && !is(old, "load_from_db"),
        password && !is(new, "load_from_db"),
    );
    let pair = |key: &Cow<'a, str>, old, new| Pair {
        key: key.clone(),
        old,
        new,
        secret: if key == "value" { secret } else { (false, false) },
    };
    let mut rest: HashMap<&str, &'a str> = old.0.iter().map(|(key, text)| (key.as_ref(), *text)).collect();
    let mut pairs = Vec::new();
    for (key, text) in &new.0 {
        pairs.push(pair(key, rest.remove(key.as_ref()), Some(*text)));
    }
    for (key, text) in &old.0 {
        if rest.contains_key(key.as_ref()) {
            pairs.push(pair(key, Some(*text), None));
        }
    }
    pairs.retain(|pair| {
        if pair.is_objects() {
            pair.old != pair.new
        } else {
            !pair.is_same()
        }
    });
    pairs
}
