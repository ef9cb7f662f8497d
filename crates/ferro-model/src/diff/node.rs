//! The changes inside one node, and inside the document around nodes and wires.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::{Map, Value};

use super::Change;
use super::value::{Pair, differing, shown};
use crate::read::{Members, Node, NodeKind};
use crate::scan::{items, members, string_content};

/// What the canvas keeps about a node while it is open; saying that it changed would only be noise.
const TRANSIENT: [&str; 6] = [
    "selected",
    "dragging",
    "measured",
    "buildStatus",
    "positionAbsolute",
    "resizing",
];

pub(super) fn changes(old: &Node<'_>, new: &Node<'_>) -> Vec<Change> {
    if old.json == new.json {
        return Vec::new();
    }
    let mut found = Changes {
        note: new.kind == NodeKind::Note,
        list: Vec::new(),
    };
    let (before, after) = (object(Some(old.json.as_str())), object(Some(new.json.as_str())));
    let (mut first, mut last) = (Vec::new(), Vec::new());
    for pair in differing(&before, &after) {
        if pair.key == "data" {
            first.push(pair)
        } else {
            last.push(pair)
        }
    }
    for pair in first {
        found.data(pair);
    }
    let mut resized = false;
    for pair in last {
        let key = pair.key.clone();
        match key.as_ref() {
            key if TRANSIENT.contains(&key) => {}
            "position" => found.push("position", "Position", pair),
            "type" => found.push("type", "Kind", pair),
            "width" | "height" => resized |= !pair.is_same(),
            key => found.other(key, pair),
        }
    }
    if resized {
        let size = |node: &Members<'_>| {
            let sides = ["width", "height"].map(|side| (side.to_owned(), shown(node.get(side))));
            Value::Object(Map::from_iter(sides))
        };
        found.add("size", "Size", size(&before), size(&after));
    }
    found.list
}

/// Keys of the document besides its nodes and edges; where it was looked at from does not count.
pub(super) fn document_changes(old: &str, new: &str) -> Vec<Change> {
    let mut found = Changes {
        note: false,
        list: Vec::new(),
    };
    let rest = |text| {
        let mut document = object(Some(text));
        document
            .0
            .retain(|(key, _)| !matches!(key.as_ref(), "nodes" | "edges" | "viewport"));
        document
    };
    for pair in differing(&rest(old), &rest(new)) {
        found.other(&format!("data.{}", pair.key), pair);
    }
    found.list
}

struct Changes {
    note: bool,
    list: Vec<Change>,
}

impl Changes {
    fn data(&mut self, pair: Pair<'_>) {
        let (Some(old), Some(new)) = (pair.old.and_then(members), pair.new.and_then(members)) else {
            return self.other("data", pair);
        };
        let (old, new) = (Members(old), Members(new));
        let (old_component, new_component) = (object(old.get("node")), object(new.get("node")));
        let (old_name, new_name) = (name(&old, &old_component), name(&new, &new_component));
        let renamed = old_name != new_name;
        if renamed {
            let value =
                |name: Option<Cow<'_, str>>| name.map_or(Value::Null, |name| name.into_owned().into());
            self.add("display_name", "Name", value(old_name), value(new_name));
        }
        for pair in differing(&old, &new) {
            match pair.key.as_ref() {
                key if TRANSIENT.contains(&key) => {}
                "display_name" if renamed => {}
                "selected_output" => self.push("selected_output", "Selected output", pair),
                "type" => self.push("data.type", "Type", pair),
                "description" => self.push("data.description", "Description", pair),
                "showNode" => {
                    let minimised = |text: Option<&str>| text == Some("false");
                    let (old, new) = (minimised(pair.old), minimised(pair.new));
                    if old != new {
                        self.add("minimised", "Minimised", old.into(), new.into());
                    }
                }
                "node" if pair.old.and_then(members).is_some() && pair.new.and_then(members).is_some() => {
                    self.component(&old_component, &new_component, renamed);
                }
                key => self.other(&format!("data.{key}"), pair),
            }
        }
    }

    fn component(&mut self, old: &Members<'_>, new: &Members<'_>, renamed: bool) {
        for pair in differing(old, new) {
            match pair.key.as_ref() {
                "display_name" if renamed => {}
                "description" => self.push(
                    "description",
                    if self.note { "Text" } else { "Description" },
                    pair,
                ),
                "frozen" => self.push("frozen", "Frozen", pair),
                "tool_mode" => self.push("tool_mode", "Tool mode", pair),
                "flow" => self.push("flow", "Inner flow", pair),
                "template" => self.template(pair),
                "outputs" => self.outputs(pair),
                key => self.other(&format!("data.node.{key}"), pair),
            }
        }
    }

    fn template(&mut self, pair: Pair<'_>) {
        let is_odd = |text: Option<&str>| text.is_some_and(|text| text != "null" && members(text).is_none());
        if is_odd(pair.old) || is_odd(pair.new) {
            return self.push("fields", "Fields", pair);
        }
        for pair in differing(&object(pair.old), &object(pair.new)) {
            match (
                pair.key.as_ref(),
                pair.old.and_then(members),
                pair.new.and_then(members),
            ) {
                ("backgroundColor", ..) if self.note => self.push("colour", "Colour", pair),
                (name, Some(old), Some(new)) if !pair.is_secret() => {
                    self.field(name, &Members(old), &Members(new))
                }
                (name, old, new) => {
                    let label = label(name, &Members(new.or(old).unwrap_or_default()));
                    let path = format!("fields.{name}");
                    self.push(&path, &label, pair);
                }
            }
        }
    }

    fn field(&mut self, name: &str, old: &Members<'_>, new: &Members<'_>) {
        let label = if new.get("display_name").is_some() {
            label(name, new)
        } else {
            label(name, old)
        };
        for pair in differing(old, new) {
            match (name, pair.key.as_ref()) {
                ("code", "value") => self.push("code", "Code", pair),
                (_, "value") => self.push(&format!("fields.{name}.value"), &label, pair),
                (_, key) => {
                    let (path, label) = (format!("fields.{name}.{key}"), format!("{label} ({key})"));
                    self.push(&path, &label, pair);
                }
            }
        }
    }

    fn outputs(&mut self, pair: Pair<'_>) {
        let (Some(old), Some(new)) = (by_name(pair.old), by_name(pair.new)) else {
            return self.push("outputs", "Outputs", pair);
        };
        let order = |one: &Members<'_>, other: &Members<'_>| -> Vec<String> {
            let other: HashSet<&str> = other.0.iter().map(|(name, _)| name.as_ref()).collect();
            let names = one.0.iter().map(|(name, _)| name.as_ref());
            names
                .filter(|name| other.contains(name))
                .map(str::to_owned)
                .collect()
        };
        let (old_order, new_order) = (order(&old, &new), order(&new, &old));
        if old_order != new_order {
            self.add("outputs", "Order of outputs", old_order.into(), new_order.into());
        }
        for pair in differing(&old, &new) {
            let name = pair.key.clone();
            let label = format!("Output {}", label(&name, &object(pair.new.or(pair.old))));
            let path = format!("outputs.{name}");
            match (pair.old.and_then(members), pair.new.and_then(members)) {
                (Some(old), Some(new)) => {
                    for pair in differing(&Members(old), &Members(new)) {
                        self.push(
                            &format!("{path}.{}", pair.key),
                            &format!("{label} ({})", pair.key),
                            pair,
                        );
                    }
                }
                _ => self.push(&path, &label, pair),
            }
        }
    }

    /// Anything else, down to the values that differ, so that nothing changes unseen.
    fn other(&mut self, path: &str, pair: Pair<'_>) {
        match (pair.old.and_then(members), pair.new.and_then(members)) {
            (Some(old), Some(new)) if !pair.is_secret() => {
                for pair in differing(&Members(old), &Members(new)) {
                    self.other(&format!("{path}.{}", pair.key), pair);
                }
            }
            _ => {
                let label = path
                    .strip_prefix("data.node.")
                    .or(path.strip_prefix("data."))
                    .unwrap_or(path);
                self.push(path, label, pair);
            }
        }
    }

    fn push(&mut self, path: &str, label: &str, pair: Pair<'_>) {
        if !pair.is_same() {
            let (old, new) = pair.shown();
            self.add(path, label, old, new);
        }
    }

    fn add(&mut self, path: &str, label: &str, old: Value, new: Value) {
        self.list.push(Change {
            path: path.to_owned(),
            label: label.to_owned(),
            old,
            new,
        });
    }
}

fn object(text: Option<&str>) -> Members<'_> {
    Members(text.and_then(members).unwrap_or_default())
}

/// The name shown on a card: renaming a node writes it into its own copy of the component.
fn name<'a>(data: &Members<'a>, component: &Members<'a>) -> Option<Cow<'a, str>> {
    let text = |members: &Members<'a>| members.get("display_name").and_then(string_content);
    text(component)
        .filter(|name| !name.trim().is_empty())
        .or_else(|| text(data))
}

fn label(name: &str, object: &Members<'_>) -> String {
    let label = object
        .get("display_name")
        .and_then(string_content)
        .filter(|label| !label.trim().is_empty());
    label.map_or_else(|| name.to_owned(), Cow::into_owned)
}

/// Outputs under their names; `None` when one has no name or two share one.
fn by_name(outputs: Option<&str>) -> Option<Members<'_>> {
    let mut found = Members::default();
    let mut names = HashSet::new();
    for text in items(outputs?)? {
        let name = object(Some(text)).get("name").and_then(string_content)?;
        if !names.insert(name.clone()) {
            return None;
        }
        found.0.push((name, text));
    }
    Some(found)
}
