//! In which order the members of the objects we know are written.

use super::tree::{Key, Object, Tree};

/// What an object or array in a flow is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Flow,
    Document,
    Nodes,
    Node,
    NodeData,
    Component,
    Template,
    /// A field, an output or an edge: its members sorted.
    Entry,
    Entries,
    /// Where a node stands and such: on one line.
    Place,
    /// Anything else keeps its order.
    Plain,
}

/// What the canvas notes about a node, after everything that matters.
const CANVAS: [&str; 10] = [
    "position",
    "positionAbsolute",
    "measured",
    "width",
    "height",
    "style",
    "resizing",
    "selected",
    "dragging",
    "viewport",
];

impl Role {
    /// Of the outermost value.
    pub(super) fn of(tree: &Tree<'_>) -> Self {
        let Tree::Object(object) = tree else {
            return Self::Plain;
        };
        let has = |object: &Object<'_>, name: &str| object.members.iter().any(|(key, _)| key.name == name);
        let data = object
            .members
            .iter()
            .find(|(key, _)| key.name == "data")
            .map(|(_, data)| data);
        match data {
            Some(Tree::Object(data)) if has(data, "nodes") => Self::Flow,
            _ if has(object, "nodes") => Self::Document,
            _ => Self::Plain,
        }
    }

    /// Of the member of this object under `key`, or of each item of this array.
    pub(super) fn inside(self, key: &str) -> Self {
        match (self, key) {
            (Self::Flow, "data") => Self::Document,
            (Self::Document, "nodes") => Self::Nodes,
            (Self::Document, "edges") | (Self::Component, "outputs") => Self::Entries,
            (Self::Document | Self::Node, key) if CANVAS.contains(&key) => Self::Place,
            (Self::Nodes, _) => Self::Node,
            (Self::Node, "data") => Self::NodeData,
            (Self::NodeData, "node") => Self::Component,
            (Self::Component, "template") => Self::Template,
            (Self::Component, "flow") => Self::Flow,
            (Self::Template | Self::Entries, _) => Self::Entry,
            (Self::Place, _) => Self::Place,
            _ => Self::Plain,
        }
    }

    /// The members in the order they are written.
    pub(super) fn sorted<'t, 'a>(self, object: &'t Object<'a>) -> Vec<&'t (Key<'a>, Tree<'a>)> {
        let mut members: Vec<_> = object.members.iter().collect();
        let (first, last): (&[&str], &[&str]) = match self {
            Self::Plain | Self::Template => return members,
            Self::Flow => (&["name", "description", "id"], &["data"]),
            Self::Document => (&["nodes", "edges"], &CANVAS),
            Self::Node => (&["id", "type", "data"], &CANVAS),
            Self::NodeData => (&["id", "type"], &["node"]),
            Self::Component => (&["display_name", "description"], &["outputs", "template", "flow"]),
            Self::Entry => (&["source", "target"], &["value"]),
            Self::Nodes | Self::Entries | Self::Place => (&[], &[]),
        };
        members.sort_by(|(one, _), (other, _)| {
            let rank = |key: &Key<'_>| {
                let at = |list: &[&str]| list.iter().position(|name| *name == key.name);
                match (at(first), at(last)) {
                    (Some(place), _) => (0, place),
                    (None, None) => (1, 0),
                    (None, Some(place)) => (2, place),
                }
            };
            rank(one)
                .cmp(&rank(other))
                .then_with(|| one.name.cmp(&other.name))
        });
        members
    }
}
