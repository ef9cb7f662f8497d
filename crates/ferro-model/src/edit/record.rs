//! Doing steps on a document while writing them down.

use serde_json::Value;

use super::EditError;
use super::patch::{Change, Conflict, Inserted, Patch, SetValue};
use super::splice;
use super::working::Document;
use crate::document::FlowData;
use crate::read::Node;

/// A document being edited, and the steps so far.
pub(super) struct Record<'d> {
    pub(super) document: &'d mut Document,
    changes: Vec<Change>,
}

impl<'d> Record<'d> {
    pub(super) fn new(document: &'d mut Document) -> Self {
        Self {
            document,
            changes: Vec::new(),
        }
    }

    pub(super) fn finish(self) -> Patch {
        Patch {
            changes: self.changes,
        }
    }

    /// Takes everything back.
    pub(super) fn undo(self) {
        // What was just done can be undone: nothing has come in between.
        let _ = Patch {
            changes: self.changes,
        }
        .inverse()
        .apply(self.document);
    }

    fn step(&mut self, change: Change) -> Result<(), Conflict> {
        change.apply(self.document)?;
        self.changes.push(change);
        Ok(())
    }

    pub(super) fn patch(&mut self, patch: Patch) -> Result<(), EditError> {
        patch.apply(self.document)?;
        self.changes.extend(patch.changes);
        Ok(())
    }

    pub(super) fn set_flow(&mut self, text: String) -> Result<(), EditError> {
        // Checked here for the message; the step would only say that it is wrong.
        let data = FlowData::parse(&text)?;
        let change = Change::Replace {
            from: self.document.text(),
            to: data.as_str().to_owned(),
        };
        Ok(self.step(change)?)
    }

    pub(super) fn node(&self, id: &str) -> Result<Node<'_>, EditError> {
        self.document
            .node(id)
            .ok_or_else(|| EditError::UnknownNode { node: id.to_owned() })
    }

    pub(super) fn insert_node(&mut self, node: &Value) -> Result<(), EditError> {
        let change = Change::InsertNode(Inserted {
            index: self.document.ids().len(),
            text: node.to_string(),
            gap: None,
        });
        Ok(self.step(change)?)
    }

    pub(super) fn remove_node(&mut self, id: &str) -> Result<(), EditError> {
        let (Some(index), Some(text)) = (self.document.node_place(id), self.document.node_text(id)) else {
            return Err(EditError::UnknownNode { node: id.to_owned() });
        };
        let text = text.to_owned();
        let gap = self.document.node_gap(index);
        Ok(self.step(Change::RemoveNode(Inserted { index, text, gap }))?)
    }

    pub(super) fn insert_wire(&mut self, edge: &Value) -> Result<(), EditError> {
        let change = Change::InsertWire(Inserted {
            index: self.document.wire_count(),
            text: edge.to_string(),
            gap: None,
        });
        Ok(self.step(change)?)
    }

    pub(super) fn remove_wire(&mut self, index: usize) {
        let Some(text) = self.document.edge_text(index).map(str::to_owned) else {
            return;
        };
        let gap = self.document.wire_gap(index);
        // The text was just read from there.
        let _ = self.step(Change::RemoveWire(Inserted { index, text, gap }));
    }

    /// Removes every wire for which `goes` holds.
    pub(super) fn remove_wires(&mut self, goes: impl Fn(&crate::ports::Wire<'_>) -> bool) {
        let wires = self.document.wires();
        let gone: Vec<usize> = (0..wires.len()).filter(|&index| goes(&wires[index])).collect();
        for index in gone.into_iter().rev() {
            self.remove_wire(index);
        }
    }

    /// Sets one value of a node. What leads there and is missing is made; what is the same already is left alone.
    pub(super) fn set(&mut self, node: &str, path: &[&str], value: &Value) -> Result<(), EditError> {
        let Some(text) = self.document.node_text(node) else {
            return Err(EditError::UnknownNode {
                node: node.to_owned(),
            });
        };
        let there = splice::objects(text, path);
        let (path, value) = if there < path.len() {
            let mut value = value.clone();
            for key in path.iter().skip(there + 1).rev() {
                value = Value::Object([((*key).to_owned(), value)].into_iter().collect());
            }
            (path.get(..=there).unwrap_or(path), value)
        } else {
            (path, value.clone())
        };
        let from = splice::get(text, path).map(str::to_owned);
        let same = from
            .as_deref()
            .is_some_and(|from| serde_json::from_str::<Value>(from).is_ok_and(|from| from == value));
        if same {
            return Ok(());
        }
        let change = Change::Set(SetValue {
            node: node.to_owned(),
            path: path.iter().map(|&key| key.to_owned()).collect(),
            from,
            to: Some(value.to_string()),
            cut: None,
        });
        Ok(self.step(change)?)
    }

    /// Takes one value of a node out, if it is there.
    pub(super) fn unset(&mut self, node: &str, path: &[&str]) -> Result<(), EditError> {
        let Some(text) = self.document.node_text(node) else {
            return Ok(());
        };
        let (Some(from), Some((_, cut))) = (splice::get(text, path), splice::cut(text, path)) else {
            return Ok(());
        };
        let change = Change::Set(SetValue {
            node: node.to_owned(),
            path: path.iter().map(|&key| key.to_owned()).collect(),
            from: Some(from.to_owned()),
            to: None,
            cut: Some(cut),
        });
        Ok(self.step(change)?)
    }
}
