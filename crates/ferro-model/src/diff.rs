//! What changed between two documents, in the words of someone looking at the canvas.
//!
//! Nodes are matched by id and wires by what they join, so reordered nodes and reformatted handles are no
//! change. `node.rs` finds the changes inside one node, `text.rs` writes the plain-text form.

mod node;
mod text;
mod value;

use std::collections::HashMap;

use serde::Serialize;
use serde_json::Value;

use crate::document::FlowData;
use crate::handle::TargetHandle;
use crate::read::{Edge, Flow, Node, NodeKind, Port, read};

/// What stands in the place of a literal secret.
pub const MASK: &str = "••••••";

/// The difference between an old and a new document.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct FlowDiff {
    /// Nothing that counts differs; where nodes were looked at from (the viewport) does not count.
    pub identical: bool,
    pub summary: DiffSummary,
    /// The whole diff as plain text, one line per change.
    pub text: String,
    /// In the order of the new document.
    pub nodes_added: Vec<NodeRef>,
    /// In the order of the old document.
    pub nodes_removed: Vec<NodeRef>,
    /// In the order of the new document.
    pub nodes_changed: Vec<NodeChanges>,
    pub wires_added: Vec<WireRef>,
    pub wires_removed: Vec<WireRef>,
    /// Changes outside nodes and wires: the flow's name and such, see [`diff_meta`].
    pub flow_changes: Vec<Change>,
}

/// The length of each list in [`FlowDiff`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct DiffSummary {
    pub nodes_added: usize,
    pub nodes_removed: usize,
    pub nodes_changed: usize,
    pub wires_added: usize,
    pub wires_removed: usize,
    pub flow_changed: usize,
}

/// A node, as a reader of the diff knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NodeRef {
    pub id: String,
    /// The name on the node, or its id when it has none.
    pub name: String,
    pub kind: NodeKind,
    /// The component's type, such as `ChatInput`.
    pub r#type: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NodeChanges {
    /// The node as it is in the new document.
    pub node: NodeRef,
    pub changes: Vec<Change>,
}

/// One value that differs. Literal secrets are masked in `old` and `new`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// `fields.<name>.<key>`, `outputs.<name>.<key>`, `position`, `size`, `code`, …, or the place in the JSON.
    pub path: String,
    pub label: String,
    /// Null when it was not there.
    pub old: Value,
    /// Null when it is no longer there.
    pub new: Value,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WireRef {
    pub from: WireEnd,
    pub to: WireEnd,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WireEnd {
    /// The node's id.
    pub node: String,
    /// The node's name, or its id when the node is missing or has no name.
    pub name: String,
    /// The output or field, empty when the wire does not say.
    pub port: String,
}

/// Compares two documents. Wires are the same when they join the same output and field; where a node stands
/// in the list, and how an edge looks, do not count.
pub fn diff(old: &FlowData, new: &FlowData) -> FlowDiff {
    if old == new {
        return FlowDiff::default().finish();
    }
    let (before, after) = (read(old), read(new));
    let (old_nodes, new_nodes) = (by_id(&before), by_id(&after));
    let only_in = |flow: &Flow<'_>, other: &HashMap<&str, &Node<'_>>| {
        flow.nodes
            .iter()
            .filter(|node| !other.contains_key(node.id.as_ref()))
            .map(NodeRef::of)
            .collect()
    };
    let nodes_changed = after.nodes.iter().filter_map(|node| {
        let changes = node::changes(old_nodes.get(node.id.as_ref())?, node);
        (!changes.is_empty()).then(|| NodeChanges {
            node: NodeRef::of(node),
            changes,
        })
    });
    FlowDiff {
        nodes_added: only_in(&after, &old_nodes),
        nodes_removed: only_in(&before, &new_nodes),
        nodes_changed: nodes_changed.collect(),
        wires_added: wires_missing_from(&before, &after, &new_nodes),
        wires_removed: wires_missing_from(&after, &before, &old_nodes),
        flow_changes: node::document_changes(old.as_str(), new.as_str()),
        ..FlowDiff::default()
    }
    .finish()
}

/// Adds what the caller knows about the flow besides its document (its name, description, …): every pair that
/// differs becomes one of `flow_changes`.
pub fn diff_meta(mut diff: FlowDiff, pairs: impl IntoIterator<Item = Change>) -> FlowDiff {
    diff.flow_changes
        .extend(pairs.into_iter().filter(|pair| pair.old != pair.new));
    diff.finish()
}

impl FlowDiff {
    /// Derives the summary and the text from the lists.
    fn finish(mut self) -> Self {
        self.summary = DiffSummary {
            nodes_added: self.nodes_added.len(),
            nodes_removed: self.nodes_removed.len(),
            nodes_changed: self.nodes_changed.len(),
            wires_added: self.wires_added.len(),
            wires_removed: self.wires_removed.len(),
            flow_changed: self.flow_changes.len(),
        };
        self.identical = self.summary == DiffSummary::default();
        self.text = text::write(&self);
        self
    }
}

impl NodeRef {
    fn of(node: &Node<'_>) -> Self {
        Self {
            id: node.id.to_string(),
            name: node.name.to_string(),
            kind: node.kind,
            r#type: node.r#type.to_string(),
        }
    }
}

fn by_id<'f, 'a>(flow: &'f Flow<'a>) -> HashMap<&'f str, &'f Node<'a>> {
    flow.nodes.iter().map(|node| (node.id.as_ref(), node)).collect()
}

/// The wires of `flow` that `other` lacks; a wire drawn twice has to be there twice.
fn wires_missing_from(other: &Flow<'_>, flow: &Flow<'_>, nodes: &HashMap<&str, &Node<'_>>) -> Vec<WireRef> {
    let mut there: HashMap<WireKey<'_>, usize> = HashMap::new();
    for edge in &other.edges {
        *there.entry(WireKey::of(edge)).or_default() += 1;
    }
    let end = |id: &str, port: &str| WireEnd {
        node: id.to_owned(),
        name: nodes.get(id).map_or(id, |node| node.name.as_ref()).to_owned(),
        port: port.to_owned(),
    };
    let mut missing = Vec::new();
    for edge in &flow.edges {
        match there.get_mut(&WireKey::of(edge)) {
            Some(count) if *count > 0 => *count -= 1,
            _ => missing.push(WireRef {
                from: end(&edge.source, edge.from.name()),
                to: end(&edge.target, edge.to.name()),
            }),
        }
    }
    missing
}

#[derive(PartialEq, Eq, Hash)]
struct WireKey<'a> {
    from: (&'a str, &'a str),
    to: (&'a str, &'a str),
    /// A field and an output may share a name.
    into_loop: bool,
}

impl<'a> WireKey<'a> {
    fn of(edge: &'a Edge<'_>) -> Self {
        Self {
            from: (&edge.source, edge.from.name()),
            to: (&edge.target, edge.to.name()),
            into_loop: matches!(edge.to, Port::Handle(TargetHandle::Loop(_))),
        }
    }
}
