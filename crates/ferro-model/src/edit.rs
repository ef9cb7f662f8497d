//! Edits: what a person, a program or the assistant does to a flow, as values that can be applied, undone, sent
//! and merged.
//!
//! [`apply`] checks an [`Edit`] against the document and turns it into a [`Patch`], which knows how to undo itself
//! and how to meet someone else's. Untouched parts of the document keep every byte. `nodes.rs`, `fields.rs` and
//! `wires.rs` hold the rules of each edit, `patch.rs` the steps, `working.rs` the document they change.

mod fields;
mod nodes;
mod patch;
mod record;
mod splice;
mod wires;
mod working;

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use thiserror::Error;

pub use patch::{Change, Conflict, Inserted, Patch, SetValue};
pub use splice::Cut;
pub(crate) use splice::{append, get, replace};
pub use working::Document;

use crate::descriptor::Registry;
use crate::document::DocumentError;
use crate::ports::Refusal;
use record::Record;

/// Gives the five letters and digits that end a new node's id.
pub type IdSource<'a> = &'a mut dyn FnMut() -> String;

/// One change to a flow. In JSON the kind is `op`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Edit {
    /// A new node of a component.
    Add {
        r#type: String,
        /// Chosen by the caller; `<type>-<five letters and digits>` when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        #[serde(default)]
        x: f64,
        #[serde(default)]
        y: f64,
    },
    /// A node, and all wires at it.
    Remove {
        node: String,
    },
    Connect {
        source: String,
        output: String,
        target: String,
        input: String,
    },
    /// Every wire between two nodes, or those at the named ports.
    Disconnect {
        source: String,
        target: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        output: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input: Option<String>,
    },
    /// Values of fields.
    Configure {
        node: String,
        values: Map<String, Value>,
    },
    /// Another document in the place of this one.
    SetFlow {
        data: JsonText,
    },
    /// Which of several outputs a node shows. Wires from the others go.
    SelectOutput {
        node: String,
        output: String,
    },
    /// A model is wired in instead of chosen.
    ConnectionMode {
        node: String,
        on: bool,
    },
    /// The node serves an agent as a tool.
    ToolMode {
        node: String,
        on: bool,
    },
    Move {
        moves: Vec<Moved>,
    },
    /// A new note, or a change to one.
    Note {
        /// The note to change; a new one when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        node: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        color: Option<String>,
        #[serde(default)]
        x: f64,
        #[serde(default)]
        y: f64,
    },
    /// The steps themselves: how other edits are undone.
    Patch(Patch),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Moved {
    pub node: String,
    pub x: f64,
    pub y: f64,
}

/// JSON as it is written. Reads from a string that holds JSON, or from JSON itself.
#[derive(Clone, PartialEq, Eq)]
pub struct JsonText(pub String);

impl fmt::Debug for JsonText {
    // It may hold secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JsonText({} bytes)", self.0.len())
    }
}

impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for JsonText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Value::deserialize(deserializer)? {
            Value::String(text) => Self(text),
            value => Self(value.to_string()),
        })
    }
}

/// What an edit did.
#[derive(Debug, Clone, PartialEq)]
pub struct Applied {
    /// What takes it back.
    pub inverse: Edit,
    pub patch: Patch,
    /// The node that came.
    pub node: Option<String>,
}

/// Why an edit was refused; the document is as it was.
#[derive(Debug, Error)]
pub enum EditError {
    #[error("there is no component of the type `{type}`; there is {available}", r#type = .r#type)]
    UnknownType { r#type: String, available: String },
    #[error("there is no node `{node}` in the flow; it may have been removed")]
    UnknownNode { node: String },
    #[error("there is a node `{node}` already; choose another id")]
    NodeExists { node: String },
    #[error("`{node}` has no field `{field}`; it has {available}")]
    UnknownField {
        node: String,
        field: String,
        available: String,
    },
    #[error(
        "`{field}` of `{node}` is no field but something the editor keeps there; the fields are {available}"
    )]
    ReservedField {
        node: String,
        field: String,
        available: String,
    },
    #[error("`{node}` has no output `{output}`; it has {available}")]
    UnknownOutput {
        node: String,
        output: String,
        available: String,
    },
    #[error("`{node}` cannot be a tool: none of its fields is a tool argument")]
    NoTool { node: String },
    #[error("the outputs of `{node}` outside tool mode are not known, because there is no component `{type}` here; add the node again", r#type = .r#type)]
    NoWayBack { node: String, r#type: String },
    #[error(
        "the outputs of `{node}` outside tool mode are in its Python code, which is not looked at here; turn tool mode off on the canvas"
    )]
    OutputsInCode { node: String },
    #[error("`{node}` has no field that holds a model")]
    NoModel { node: String },
    #[error("`{node}` is not a note")]
    NotANote { node: String },
    #[error("a position must be two finite numbers")]
    NotFinite,
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Conflict(#[from] Conflict),
    #[error(transparent)]
    Document(#[from] DocumentError),
}

/// Applies an edit, wholly or not at all. `ids` is asked when a new node needs an id.
pub fn apply(
    document: &mut Document,
    registry: &Registry,
    edit: Edit,
    ids: IdSource<'_>,
) -> Result<Applied, EditError> {
    let mut record = Record::new(document);
    let outcome = match edit {
        Edit::Add { r#type, id, x, y } => record.add(registry, &r#type, (id, ids), (x, y)).map(Some),
        Edit::Remove { node } => record.remove(&node).map(|()| None),
        Edit::Connect {
            source,
            output,
            target,
            input,
        } => record
            .connect(registry, (&source, &output), (&target, &input))
            .map(|()| None),
        Edit::Disconnect {
            source,
            target,
            output,
            input,
        } => {
            record.disconnect((&source, output.as_deref()), (&target, input.as_deref()));
            Ok(None)
        }
        Edit::Configure { node, values } => record.configure(&node, values).map(|()| None),
        Edit::SetFlow { data } => record.set_flow(data.0).map(|()| None),
        Edit::SelectOutput { node, output } => record.select_output(&node, &output).map(|()| None),
        Edit::ConnectionMode { node, on: true } => record.wire_model(&node).map(|()| None),
        Edit::ConnectionMode { node, on: false } => record.choose_model(&node).map(|()| None),
        Edit::ToolMode { node, on: true } => record.tool_mode_on(registry, &node).map(|()| None),
        Edit::ToolMode { node, on: false } => record.tool_mode_off(registry, &node).map(|()| None),
        Edit::Move { moves } => record.move_nodes(&moves).map(|()| None),
        Edit::Note {
            node: Some(node),
            text,
            color,
            ..
        } => record.change_note(&node, text, color).map(|()| None),
        Edit::Note {
            text, color, x, y, ..
        } => record.add_note(ids, text, color, (x, y)).map(Some),
        Edit::Patch(patch) => record.patch(patch).map(|()| None),
    };
    match outcome {
        Ok(node) => {
            let patch = record.finish();
            Ok(Applied {
                inverse: Edit::Patch(patch.inverse()),
                patch,
                node,
            })
        }
        Err(error) => {
            record.undo();
            Err(error)
        }
    }
}

impl Edit {
    /// The two as one, where that means the same: moves, values of one node, a text typed letter by letter, patches.
    pub fn merge(&self, later: &Self) -> Option<Self> {
        match (self, later) {
            (Self::Move { moves }, Self::Move { moves: later }) => {
                let mut merged: Vec<Moved> = moves
                    .iter()
                    .filter(|one| later.iter().all(|other| other.node != one.node))
                    .cloned()
                    .collect();
                merged.extend(later.iter().cloned());
                Some(Self::Move { moves: merged })
            }
            (
                Self::Configure { node, values },
                Self::Configure {
                    node: same,
                    values: later,
                },
            ) if node == same => {
                let mut values = values.clone();
                values.extend(later.clone());
                Some(Self::Configure {
                    node: node.clone(),
                    values,
                })
            }
            (
                Self::Note {
                    node: Some(node),
                    text,
                    color,
                    x,
                    y,
                },
                Self::Note {
                    node: Some(same),
                    text: new_text,
                    color: new_color,
                    ..
                },
            ) if node == same => Some(Self::Note {
                node: Some(node.clone()),
                text: new_text.clone().or_else(|| text.clone()),
                color: new_color.clone().or_else(|| color.clone()),
                x: *x,
                y: *y,
            }),
            (Self::Patch(first), Self::Patch(second)) => {
                Some(Self::Patch(first.clone().then(second.clone())))
            }
            (Self::SetFlow { .. }, Self::SetFlow { .. }) => Some(later.clone()),
            (Self::ToolMode { node, .. }, Self::ToolMode { node: same, .. })
            | (Self::ConnectionMode { node, .. }, Self::ConnectionMode { node: same, .. })
                if node == same && self == later =>
            {
                Some(later.clone())
            }
            _ => None,
        }
    }
}

fn listed<T: AsRef<str>>(names: impl IntoIterator<Item = T>) -> String {
    const MOST: usize = 30;
    let names: Vec<String> = names
        .into_iter()
        .map(|name| format!("`{}`", name.as_ref()))
        .collect();
    match names.len() {
        0 => "none".to_owned(),
        count if count <= MOST => names.join(", "),
        count => format!("{} and {} more", names[..MOST].join(", "), count - MOST),
    }
}
