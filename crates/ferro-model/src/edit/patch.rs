//! Patches: what an edit did to a document, step by step, so that it can be undone, sent and put on top of others.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::splice::{self, Cut};
use super::working::{Document, OwnWire};
use crate::document::FlowData;
use crate::read::{read_edge, read_node};

/// Steps in the order they are taken.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patch {
    pub changes: Vec<Change>,
}

/// One step. JSON is kept as text, because how it is written is part of the document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum Change {
    InsertNode(Inserted),
    RemoveNode(Inserted),
    InsertWire(Inserted),
    RemoveWire(Inserted),
    /// One value inside a node.
    Set(SetValue),
    /// The whole document.
    Replace {
        from: String,
        to: String,
    },
}

/// A node or edge that comes or goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inserted {
    pub index: usize,
    pub text: String,
    /// What stood before it in the list; without it, what stands before the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetValue {
    pub node: String,
    /// The keys that lead to the value.
    pub path: Vec<String>,
    /// The value before; absent when there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The value after; absent when it is taken out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Where in its object the value stands that is taken out or put back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<Cut>,
}

/// A patch that does not fit the document it meets, because that has changed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Conflict {
    #[error("the node `{node}` is no longer there; reload the flow and do it again")]
    NodeGone { node: String },
    #[error("there is a node `{node}` already; reload the flow and do it again")]
    NodeExists { node: String },
    #[error("`{}` of `{node}` has been changed by someone else; reload the flow and do it again", path.join("."))]
    ValueChanged { node: String, path: Vec<String> },
    #[error(
        "the wire from `{source_id}` to `{target_id}` is no longer there; reload the flow and do it again"
    )]
    WireGone { source_id: String, target_id: String },
    #[error("the flow has been replaced by someone else; reload it and do it again")]
    FlowReplaced,
    #[error(
        "the change is not valid JSON or would make the document invalid; reload the flow and do it again"
    )]
    Malformed,
}

impl Patch {
    /// What undoes it.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self {
            changes: self.changes.iter().rev().map(Change::inverse).collect(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Takes every step or none.
    pub fn apply(&self, document: &mut Document) -> Result<(), Conflict> {
        let before = document.clone();
        for change in &self.changes {
            if let Err(conflict) = change.apply(document) {
                *document = before;
                return Err(conflict);
            }
        }
        Ok(())
    }

    /// Both, one after the other; values that are set twice are set once.
    #[must_use]
    pub fn then(mut self, later: Self) -> Self {
        for change in later.changes {
            match (self.changes.last_mut(), change) {
                (Some(Change::Set(first)), Change::Set(second))
                    if first.node == second.node && first.path == second.path && first.to == second.from =>
                {
                    match (&first.from, &second.to) {
                        // There and back again.
                        (from, to) if from == to && first.cut.is_none() && second.cut.is_none() => {
                            self.changes.pop();
                        }
                        (Some(_), Some(_)) | (None, Some(_))
                            if first.cut.is_none() && second.cut.is_none() =>
                        {
                            first.to = second.to;
                        }
                        _ => self.changes.push(Change::Set(second)),
                    }
                }
                (_, change) => self.changes.push(change),
            }
        }
        self
    }

    /// The patch for someone whose document has had `remote` applied first; a conflict when both speak of the same
    /// thing and mean different things. What both mean alike is left out.
    pub fn rebase(&self, remote: &Self) -> Result<Self, Conflict> {
        let mut changes = Vec::new();
        for local in &self.changes {
            let mut already = false;
            for other in &remote.changes {
                already |= local.meets(other)?;
            }
            if !already {
                changes.push(local.clone());
            }
        }
        Ok(Self { changes })
    }
}

impl Change {
    /// The step that puts a value in a node, or takes it out where `to` is `None`. `None` when that is no step: there is
    /// no such node, or nothing to take out. What leads to the value must be there.
    pub fn of_value(document: &Document, node: &str, path: &[&str], to: Option<&Value>) -> Option<Self> {
        let text = document.node_text(node)?;
        let cut = match to {
            Some(_) => None,
            None => Some(splice::cut(text, path)?.1),
        };
        Some(Self::Set(SetValue {
            node: node.to_owned(),
            path: path.iter().map(|&key| key.to_owned()).collect(),
            from: splice::get(text, path).map(str::to_owned),
            to: to.map(Value::to_string),
            cut,
        }))
    }

    #[must_use]
    pub fn inverse(&self) -> Self {
        match self.clone() {
            Self::InsertNode(node) => Self::RemoveNode(node),
            Self::RemoveNode(node) => Self::InsertNode(node),
            Self::InsertWire(edge) => Self::RemoveWire(edge),
            Self::RemoveWire(edge) => Self::InsertWire(edge),
            Self::Set(SetValue {
                node,
                path,
                from,
                to,
                cut,
            }) => Self::Set(SetValue {
                node,
                path,
                from: to,
                to: from,
                cut,
            }),
            Self::Replace { from, to } => Self::Replace { from: to, to: from },
        }
    }

    pub(super) fn apply(&self, document: &mut Document) -> Result<(), Conflict> {
        match self {
            Self::InsertNode(new) => {
                valid(&new.text)?;
                let id = read_node(&new.text).id.into_owned();
                // An odd document may have a node whose id is empty; one without any is no node.
                if id.is_empty() && splice::get(&new.text, &["id"]) != Some("\"\"") {
                    return Err(Conflict::Malformed);
                }
                if document.node_place(&id).is_some() {
                    return Err(Conflict::NodeExists { node: id });
                }
                document.insert_node(new.index, new.text.clone(), checked_gap(new)?);
            }
            Self::RemoveNode(old) => {
                let id = read_node(&old.text).id.into_owned();
                match document.node_place(&id) {
                    Some(place) if document.node_text(&id) == Some(&old.text) => {
                        document.remove_node(place);
                    }
                    Some(_) => {
                        return Err(Conflict::ValueChanged {
                            node: id,
                            path: Vec::new(),
                        });
                    }
                    None => return Err(Conflict::NodeGone { node: id }),
                }
            }
            Self::InsertWire(new) => {
                valid(&new.text)?;
                // A wire to nowhere may be put back, but an edge without ends is no edge.
                if splice::get(&new.text, &["source"]).is_none()
                    || splice::get(&new.text, &["target"]).is_none()
                {
                    return Err(Conflict::Malformed);
                }
                document.insert_edge(new.index, new.text.clone(), checked_gap(new)?);
            }
            Self::RemoveWire(old) => match document.edge_place(old.index, &old.text) {
                Some(place) => {
                    document.remove_edge(place);
                }
                None => {
                    let wire = OwnWire::of(&read_edge(&old.text));
                    return Err(Conflict::WireGone {
                        source_id: wire.source,
                        target_id: wire.target,
                    });
                }
            },
            Self::Set(set) => set.apply(document)?,
            Self::Replace { from, to } => {
                if document.text() != *from {
                    return Err(Conflict::FlowReplaced);
                }
                let data = FlowData::parse(to).map_err(|_| Conflict::Malformed)?;
                *document = Document::new(&data);
            }
        }
        Ok(())
    }

    /// Whether `other` has done the same already; a conflict when the two cannot both be.
    fn meets(&self, other: &Self) -> Result<bool, Conflict> {
        let id = |inserted: &Inserted| read_node(&inserted.text).id.into_owned();
        let ends = |inserted: &Inserted| OwnWire::of(&read_edge(&inserted.text));
        match (self, other) {
            (Self::Replace { .. }, _) | (_, Self::Replace { .. }) if self == other => Ok(true),
            (Self::Replace { .. }, _) | (_, Self::Replace { .. }) => Err(Conflict::FlowReplaced),
            (Self::Set(mine), Self::Set(theirs)) => mine.meets(theirs),
            (Self::InsertNode(mine), Self::InsertNode(theirs)) if id(mine) == id(theirs) => {
                Err(Conflict::NodeExists { node: id(mine) })
            }
            (Self::RemoveNode(mine), Self::RemoveNode(theirs)) => Ok(id(mine) == id(theirs)),
            (Self::RemoveNode(mine), Self::Set(theirs)) if id(mine) == theirs.node => {
                Err(Conflict::ValueChanged {
                    node: theirs.node.clone(),
                    path: theirs.path.clone(),
                })
            }
            (Self::Set(mine), Self::RemoveNode(theirs)) if mine.node == id(theirs) => {
                Err(Conflict::NodeGone {
                    node: mine.node.clone(),
                })
            }
            (Self::InsertWire(wire), Self::RemoveNode(node))
            | (Self::RemoveNode(node), Self::InsertWire(wire)) => {
                let (wire, node) = (ends(wire), id(node));
                if wire.source == node || wire.target == node {
                    return Err(Conflict::NodeGone { node });
                }
                Ok(false)
            }
            (Self::InsertWire(mine), Self::InsertWire(theirs)) => Ok(ends(mine) == ends(theirs)),
            (Self::RemoveWire(mine), Self::RemoveWire(theirs)) => Ok(mine.text == theirs.text),
            _ => Ok(false),
        }
    }
}

impl SetValue {
    fn apply(&self, document: &mut Document) -> Result<(), Conflict> {
        let Some(text) = document.node_text(&self.node) else {
            return Err(Conflict::NodeGone {
                node: self.node.clone(),
            });
        };
        let changed = || Conflict::ValueChanged {
            node: self.node.clone(),
            path: self.path.clone(),
        };
        // The id is how everything else finds the node.
        if self.path.is_empty() || self.path.as_slice() == ["id"] {
            return Err(Conflict::Malformed);
        }
        if splice::get(text, &self.path) != self.from.as_deref() {
            return Err(changed());
        }
        let new = match (&self.from, &self.to, &self.cut) {
            (_, Some(to), None) => {
                valid(to)?;
                match self.from {
                    Some(_) => splice::replace(text, &self.path, to),
                    None => splice::append(text, &self.path, to),
                }
            }
            (None, Some(_), Some(cut)) => splice::paste(text, &self.path, cut)
                // A forged cut could bring other keys along.
                .filter(|new| splice::cut(new, &self.path).is_some_and(|(old, _)| old == text)),
            (Some(_), Some(to), Some(_)) => splice::replace(text, &self.path, to),
            (_, None, _) => splice::cut(text, &self.path).map(|(text, _)| text),
        };
        let new = new.ok_or_else(changed)?;
        valid(&new)?;
        // A forged patch could bring a second `id`, or another value than it says.
        if read_node(&new).id != self.node || splice::get(&new, &self.path) != self.to.as_deref() {
            return Err(Conflict::Malformed);
        }
        document.set_node_text(&self.node, new);
        Ok(())
    }

    fn meets(&self, other: &Self) -> Result<bool, Conflict> {
        if self.node != other.node {
            return Ok(false);
        }
        if self.path == other.path && self.to == other.to {
            return Ok(true);
        }
        if self.path.starts_with(&other.path) || other.path.starts_with(&self.path) {
            return Err(Conflict::ValueChanged {
                node: self.node.clone(),
                path: self.path.clone(),
            });
        }
        Ok(false)
    }
}

fn valid(text: &str) -> Result<(), Conflict> {
    crate::scan::check_depth(text.as_bytes(), crate::document::MAX_DEPTH).map_err(|_| Conflict::Malformed)?;
    serde_json::from_str::<serde::de::IgnoredAny>(text).map_err(|_| Conflict::Malformed)?;
    Ok(())
}

/// A gap may hold white space and one comma.
fn checked_gap(new: &Inserted) -> Result<Option<String>, Conflict> {
    match &new.gap {
        Some(gap) if gap.trim() != "," => Err(Conflict::Malformed),
        gap => Ok(gap.clone()),
    }
}
