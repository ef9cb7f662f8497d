//! `read`: a typed view of a document, borrowed from its text.
//!
//! Tolerant: what one node or edge has wrong becomes an [`Issue`] and a default, never an error, because a
//! flow with one odd node must still open.

mod reader;

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use crate::document::FlowData;
use crate::handle::{SourceHandle, TargetHandle};
use crate::scan::{items, members, string_content};
use reader::Reader;

/// A document's nodes and edges, in document order.
#[derive(Debug, Clone)]
pub struct Flow<'a> {
    pub nodes: Vec<Node<'a>>,
    pub edges: Vec<Edge<'a>>,
    pub issues: Vec<Issue>,
}

/// Something that is not as it should be and was replaced by a default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Issue {
    /// Such as `nodes[3].data.node.outputs`.
    pub path: String,
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeKind {
    Component,
    Note,
    /// A node with a flow inside.
    Group,
    Workflow,
    Unknown,
}

#[derive(Debug, Clone)]
pub struct Node<'a> {
    pub id: Cow<'a, str>,
    pub kind: NodeKind,
    /// `data.type`, or the node's own `type` for workflow nodes.
    pub r#type: Cow<'a, str>,
    /// The name shown on the node; its type or id when it has none.
    pub name: Cow<'a, str>,
    pub position: Option<Position>,
    pub fields: Vec<Field<'a>>,
    pub outputs: Vec<Output<'a>>,
    /// The whole node.
    pub json: Json<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    pub x: f64,
    pub y: f64,
}

/// An entry of a component's template.
#[derive(Debug, Clone)]
pub struct Field<'a> {
    pub name: Cow<'a, str>,
    /// The label; the name when the field has none.
    pub display_name: Cow<'a, str>,
    pub r#type: Cow<'a, str>,
    pub password: bool,
    /// The value is the name of a variable.
    pub load_from_db: bool,
    pub required: bool,
    pub show: bool,
    pub advanced: bool,
    pub value: Option<Json<'a>>,
}

impl Field<'_> {
    /// The value is a literal that must not be shown.
    pub fn is_secret(&self) -> bool {
        self.password && !self.load_from_db
    }
}

#[derive(Debug, Clone)]
pub struct Output<'a> {
    pub name: Cow<'a, str>,
    pub display_name: Cow<'a, str>,
    pub types: Vec<Cow<'a, str>>,
}

#[derive(Debug, Clone)]
pub struct Edge<'a> {
    pub id: Option<Cow<'a, str>>,
    pub source: Cow<'a, str>,
    pub target: Cow<'a, str>,
    pub from: Port<'a, SourceHandle>,
    pub to: Port<'a, TargetHandle>,
}

/// Where on its node an edge is attached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Port<'a, H> {
    /// A data port of a component.
    Handle(H),
    /// A control port of a workflow node, such as `approve`; also a handle that could not be read.
    Named(Cow<'a, str>),
    /// The edge does not say: the node's only port.
    Only,
}

impl Port<'_, SourceHandle> {
    /// The output's name, or the old handle's first type; empty when there is none.
    pub fn name(&self) -> &str {
        match self {
            Port::Handle(handle) => source_name(handle),
            Port::Named(name) => name,
            Port::Only => "",
        }
    }
}

impl Port<'_, TargetHandle> {
    /// The field's name, or the output's for a loop; empty when there is none.
    pub fn name(&self) -> &str {
        match self {
            Port::Handle(TargetHandle::Field(field)) => &field.field_name,
            Port::Handle(TargetHandle::Loop(end)) => source_name(end),
            Port::Named(name) => name,
            Port::Only => "",
        }
    }
}

fn source_name(handle: &SourceHandle) -> &str {
    handle
        .name
        .as_deref()
        .or(handle.types().first().map(String::as_str))
        .unwrap_or_default()
}

/// The text of one JSON value inside a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Json<'a>(pub(crate) &'a str);

impl<'a> Json<'a> {
    pub fn as_str(self) -> &'a str {
        self.0
    }

    /// The string it is, if it is one.
    pub fn text(self) -> Option<Cow<'a, str>> {
        string_content(self.0)
    }

    /// Parsed. Numbers and escapes that Rust cannot hold make it the text itself, as a string.
    pub fn to_value(self) -> Value {
        serde_json::from_str(self.0).unwrap_or_else(|_| Value::String(self.0.to_owned()))
    }
}

/// Reads a whole document.
pub fn read(flow: &FlowData) -> Flow<'_> {
    let mut reader = Reader::default();
    let document = Members(members(flow.as_str()).unwrap_or_default());
    let each = |key| {
        document
            .get(key)
            .and_then(items)
            .unwrap_or_default()
            .into_iter()
            .enumerate()
    };
    let nodes = each("nodes")
        .map(|(index, text)| reader.node(&format!("nodes[{index}]"), text))
        .collect();
    let edges = each("edges")
        .map(|(index, text)| reader.edge(&format!("edges[{index}]"), text))
        .collect();
    Flow {
        nodes,
        edges,
        issues: reader.issues,
    }
}

/// One object's members, looked up by key.
#[derive(Default)]
pub(crate) struct Members<'a>(pub(crate) Vec<(Cow<'a, str>, &'a str)>);

impl<'a> Members<'a> {
    pub(crate) fn get(&self, key: &str) -> Option<&'a str> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, text)| *text)
    }
}

pub(crate) fn is_note(node_type: &str, data_type: &str) -> bool {
    matches!(node_type, "noteNode" | "note") || data_type == "note"
}
