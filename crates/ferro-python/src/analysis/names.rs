//! Names: which may be one, and which was meant.

use super::declared::Class;
use std::collections::HashMap;

pub(super) fn is_identifier(name: &str) -> bool {
    let mut characters = name.chars();
    characters
        .next()
        .is_some_and(|first| first.is_alphabetic() || first == '_')
        && characters.all(|c| c.is_alphanumeric() || c == '_')
        && !is_keyword(name)
}

fn is_keyword(name: &str) -> bool {
    matches!(
        name,
        "False"
            | "None"
            | "True"
            | "and"
            | "as"
            | "assert"
            | "async"
            | "await"
            | "break"
            | "class"
            | "continue"
            | "def"
            | "del"
            | "elif"
            | "else"
            | "except"
            | "finally"
            | "for"
            | "from"
            | "global"
            | "if"
            | "import"
            | "in"
            | "is"
            | "lambda"
            | "nonlocal"
            | "not"
            | "or"
            | "pass"
            | "raise"
            | "return"
            | "try"
            | "while"
            | "with"
            | "yield"
    )
}

pub(super) fn suggest_identifier(name: &str) -> String {
    let plain: String = name
        .trim()
        .chars()
        .take(64)
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect();
    match plain.chars().next() {
        None => "value".to_owned(),
        Some(first) if first.is_alphabetic() && !is_keyword(&plain) => plain.to_lowercase(),
        _ => format!("value_{plain}").to_lowercase(),
    }
}

/// A method that differs by little: a slip of the pen.
pub(super) fn nearest<'a>(wanted: &str, line: &[&Class<'a>]) -> Option<&'a str> {
    let mut near: HashMap<&str, usize> = HashMap::new();
    for class in line {
        for (name, def) in &class.methods {
            let far = distance(wanted, name);
            if def.is_some() && far <= 2 + wanted.len() / 8 {
                near.insert(name, far);
            }
        }
    }
    near.into_iter()
        .min_by_key(|(name, far)| (*far, *name))
        .map(|(name, _)| name)
}

fn distance(a: &str, b: &str) -> usize {
    if a.len() > 64 || b.len() > 64 || a.len().abs_diff(b.len()) > 8 {
        return usize::MAX;
    }
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut before = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let change = before + usize::from(x != *y);
            before = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(before + 1);
        }
    }
    row.last().copied().unwrap_or(usize::MAX)
}
