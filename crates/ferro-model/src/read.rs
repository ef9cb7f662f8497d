//! `read`: a typed view of a document, borrowed from its text.
//!
//! Tolerant: what one node or edge has wrong becomes an [`Issue`] and a default, never an error, because a
//! flow with one odd node must still open.

mod reader;

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use crate::document::FlowData;
use crate::handle::{Proxy, SourceHandle, TargetHandle};
use crate::model_value;
use crate::ports::{TO_TOOLKIT, TOOLSET};
use crate::scan::string_content;
use crate::tree::Tree;
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
    /// Serves an agent as a tool: fields with `tool_mode` are its arguments.
    pub tool_mode: bool,
    /// Its Python was changed by hand, so the component of this type is not what it is.
    pub edited: bool,
    /// Keeps the result of its last run.
    pub frozen: bool,
    /// Which output a node with a choice of outputs shows.
    pub selected_output: Option<Cow<'a, str>>,
    /// The flow inside a group: an object with `data`.
    pub flow: Option<Json<'a>>,
    /// The whole node.
    pub json: Json<'a>,
}

impl<'a> Node<'a> {
    pub fn field(&self, name: &str) -> Option<&Field<'a>> {
        self.fields.iter().find(|field| field.name == name)
    }

    pub fn output(&self, name: &str) -> Option<&Output<'a>> {
        self.outputs.iter().find(|output| output.name == name)
    }

    /// The Python it brings along.
    pub fn code(&self) -> Option<Cow<'a, str>> {
        let field = self.field("code")?;
        let is_code = field.r#type.is_empty() || field.r#type == "code";
        let code = field.value?.text().filter(|_| is_code)?;
        (!code.trim().is_empty()).then_some(code)
    }

    /// What its metadata says the code of the built-in component is.
    pub fn code_hash(&self) -> Option<Cow<'a, str>> {
        let path = ["data", "node", "metadata", "code_hash"];
        let hash = crate::edit::get(self.json.as_str(), &path).and_then(string_content);
        hash.filter(|hash| !hash.is_empty())
    }

    /// Can serve an agent as a tool, as far as the node itself says.
    pub(crate) fn tool_capable(&self) -> bool {
        let says = crate::edit::get(self.json.as_str(), &["data", "node", "add_tool_output"]);
        says == Some("true") || self.fields.iter().any(|field| field.tool_mode)
    }

    /// The component as the node has it (`data.node`).
    pub fn component(&self) -> Value {
        let text = crate::edit::get(self.json.as_str(), &["data", "node"]);
        text.map(|text| Json(text).to_value()).unwrap_or_default()
    }
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
    /// Takes several wires, or holds several values.
    pub list: bool,
    /// An argument of the tool that the node can be.
    pub tool_mode: bool,
    /// Types of wires it takes; `None` when the entry does not say.
    pub input_types: Option<Vec<Cow<'a, str>>>,
    /// The inner node's field for which a group shows this one.
    pub proxy: Option<Proxy>,
    pub value: Option<Json<'a>>,
    /// The whole entry.
    pub json: Json<'a>,
}

impl Field<'_> {
    /// The value, parsed; a model in its one form, however it was saved.
    pub fn to_value(&self) -> Option<Value> {
        let value = self.value?;
        Some(self.repaired().unwrap_or_else(|| value.to_value()))
    }

    /// The whole entry, parsed, with its value as [`Field::to_value`] has it.
    pub fn entry(&self) -> Value {
        let mut entry = self.json.to_value();
        if let (Value::Object(entry), Some(value)) = (&mut entry, self.repaired()) {
            entry.insert("value".to_owned(), value);
        }
        entry
    }

    /// The model in its one form when it was saved in another.
    pub(crate) fn repaired(&self) -> Option<Value> {
        if self.r#type != "model" {
            return None;
        }
        let saved = serde_json::from_str(self.value?.as_str()).ok()?;
        let value = model_value::coerce(&saved);
        (value != saved).then_some(value)
    }

    /// The value is a literal that must not be shown.
    pub fn is_secret(&self) -> bool {
        self.password && !self.load_from_db
    }
}

#[derive(Debug, Clone)]
pub struct Output<'a> {
    pub name: Cow<'a, str>,
    /// The method of Langflow's class; empty where the file does not say.
    pub method: Cow<'a, str>,
    pub display_name: Cow<'a, str>,
    pub types: Vec<Cow<'a, str>>,
    /// Which of several types it gives now.
    pub selected: Option<Cow<'a, str>>,
    /// A wire may enter here, closing a loop.
    pub allows_loop: bool,
    /// Types besides its own that such a wire may carry.
    pub loop_types: Vec<Cow<'a, str>>,
    /// Has a handle of its own beside its siblings.
    pub group: bool,
    pub hidden: bool,
    /// The inner node's output for which a group shows this one; `field` is its name.
    pub proxy: Option<Proxy>,
    /// The whole entry.
    pub json: Json<'a>,
}

impl<'a> Output<'a> {
    /// What a node in tool mode offers instead of its own outputs. A name alone does not make it so: components may
    /// have an output of that name themselves.
    pub fn is_toolset(&self) -> bool {
        let usual = self.method.is_empty() || self.method == TO_TOOLKIT;
        self.name == TOOLSET && usual && self.types.iter().any(|known| known == "Tool")
    }

    /// The types a wire out of it says it carries: all, or the chosen one of several.
    pub fn offered(&self) -> Vec<Cow<'a, str>> {
        match &self.selected {
            Some(selected) if self.types.len() > 1 && !selected.is_empty() => vec![selected.clone()],
            _ => self.types.clone(),
        }
    }

    /// What a wire that closes a loop here may carry.
    pub fn loop_inputs(&self) -> Vec<Cow<'a, str>> {
        let own = self.selected.as_ref().or(self.types.first());
        own.into_iter().chain(&self.loop_types).cloned().collect()
    }
}

#[derive(Debug, Clone)]
pub struct Edge<'a> {
    pub id: Option<Cow<'a, str>>,
    pub source: Cow<'a, str>,
    pub target: Cow<'a, str>,
    pub from: Port<'a, SourceHandle>,
    pub to: Port<'a, TargetHandle>,
    /// The whole edge.
    pub json: Json<'a>,
}

impl Edge<'_> {
    /// Closes a loop: it enters an output, not a field.
    pub fn into_loop(&self) -> bool {
        matches!(self.to, Port::Handle(TargetHandle::Loop(_)))
    }
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

/// How deep a reader looks: document, list, node, `data`, `node`, `template`, field.
const LEVELS: usize = 7;

/// Reads a whole document.
pub fn read(flow: &FlowData) -> Flow<'_> {
    read_text(flow.as_str())
}

/// Reads any valid JSON as a document; what is missing is empty.
pub(crate) fn read_text(text: &str) -> Flow<'_> {
    let mut reader = Reader::default();
    let document = Tree::cut(text, LEVELS);
    let each = |key| {
        let list = document.object().and_then(|object| object.tree(key));
        list.and_then(Tree::items).unwrap_or_default().iter().enumerate()
    };
    let nodes = each("nodes")
        .map(|(index, tree)| reader.node(&format!("nodes[{index}]"), tree))
        .collect();
    let edges = each("edges")
        .map(|(index, tree)| reader.edge(&format!("edges[{index}]"), tree))
        .collect();
    Flow {
        nodes,
        edges,
        issues: reader.issues,
    }
}

/// One node by itself; what is odd about it goes unsaid.
pub(crate) fn read_node(text: &str) -> Node<'_> {
    Reader::default().node("", &Tree::cut(text, LEVELS - 2))
}

/// One edge by itself.
pub(crate) fn read_edge(text: &str) -> Edge<'_> {
    Reader::default().edge("", &Tree::cut(text, 2))
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
