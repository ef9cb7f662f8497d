//! Writing a tree: pretty for people, compact for programs.

use super::order::Role;
use super::tree::{Tree, quoted};

/// A list or object of plain values no longer than this stays on one line.
const SHORT: usize = 100;

pub(super) fn pretty(tree: &Tree<'_>, role: Role, indent: usize, text: &mut String) {
    if let Some(line) = on_one_line(tree, role) {
        text.push_str(&line);
        return;
    }
    match tree {
        Tree::Scalar(literal) => text.push_str(literal),
        Tree::Lines(lines) => {
            text.push_str("{\"$lines\": [");
            let lines: Vec<String> = lines.iter().map(|line| quoted(line)).collect();
            each(lines.iter(), indent, text, |line, text| text.push_str(line));
            text.push_str("]}");
        }
        Tree::Array(items) => {
            text.push('[');
            let inside = role.inside("");
            each(items.iter(), indent, text, |item, text| {
                pretty(item, inside, indent + 1, text)
            });
            text.push(']');
        }
        Tree::Object(object) => {
            text.push('{');
            let members = role.sorted(object);
            each(members.into_iter(), indent, text, |(key, value), text| {
                text.push_str(&key.literal);
                text.push_str(": ");
                pretty(value, role.inside(&key.name), indent + 1, text);
            });
            text.push('}');
        }
    }
}

/// Each on a line of its own, and the end back where the start was.
fn each<T>(items: impl Iterator<Item = T>, indent: usize, text: &mut String, write: impl Fn(T, &mut String)) {
    for (place, item) in items.enumerate() {
        if place > 0 {
            text.push(',');
        }
        new_line(indent + 1, text);
        write(item, text);
    }
    new_line(indent, text);
}

fn new_line(indent: usize, text: &mut String) {
    text.push('\n');
    for _ in 0..indent {
        text.push_str("  ");
    }
}

/// Objects we know get a line per member, so that a change of one is a change of one line; the rest is compact.
fn on_one_line(tree: &Tree<'_>, role: Role) -> Option<String> {
    let known = !matches!(role, Role::Plain | Role::Place);
    let flat = |tree: &Tree<'_>| matches!(tree, Tree::Scalar(_));
    let line = match tree {
        Tree::Array(items) if items.is_empty() => return Some("[]".to_owned()),
        Tree::Object(object) if object.members.is_empty() => return Some("{}".to_owned()),
        Tree::Array(items) if !known && items.iter().all(flat) => {
            let items: Vec<&str> = items.iter().filter_map(literal).collect();
            format!("[{}]", items.join(", "))
        }
        Tree::Object(object) if !known && object.members.iter().all(|(_, value)| flat(value)) => {
            let members = role.sorted(object).into_iter();
            let members =
                members.filter_map(|(key, value)| Some(format!("{}: {}", key.literal, literal(value)?)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        _ => return None,
    };
    (line.len() <= SHORT || role == Role::Place).then_some(line)
}

fn literal<'t>(tree: &'t Tree<'_>) -> Option<&'t str> {
    match tree {
        Tree::Scalar(literal) => Some(literal),
        _ => None,
    }
}

pub(super) fn compact(tree: &Tree<'_>, text: &mut String) {
    let list = |text: &mut String, place: usize| {
        if place > 0 {
            text.push(',');
        }
    };
    match tree {
        Tree::Scalar(literal) => text.push_str(literal),
        Tree::Lines(lines) => text.push_str(&quoted(&lines.join("\n"))),
        Tree::Array(items) => {
            text.push('[');
            for (place, item) in items.iter().enumerate() {
                list(text, place);
                compact(item, text);
            }
            text.push(']');
        }
        Tree::Object(object) => {
            text.push('{');
            for (place, (key, value)) in object.members.iter().enumerate() {
                list(text, place);
                text.push_str(&key.literal);
                text.push(':');
                compact(value, text);
            }
            text.push('}');
        }
    }
}
