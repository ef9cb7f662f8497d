//! `Meta`: what encoders know of a flow's nodes besides what its events say.

use std::collections::HashMap;

use ferro_model::read::{Flow, NodeKind};
use ferro_model::{FlowData, read, ungroup};

/// The nodes of one document. Made once per document and shared by its runs.
#[derive(Debug, Default)]
pub struct Meta {
    nodes: Vec<NodeMeta>,
    index: HashMap<String, usize>,
    pub limits: Limits,
}

/// What is shown of large values; the run itself keeps them whole.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of one text.
    pub text: usize,
    /// Items of one list, rows of one table.
    pub items: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            text: 100_000,
            items: 1_000,
        }
    }
}

impl Limits {
    pub const NONE: Self = Self {
        text: usize::MAX,
        items: usize::MAX,
    };
}

/// Whether a node takes part in a conversation, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Input,
    Output,
    Other,
}

#[derive(Debug)]
pub struct NodeMeta {
    pub id: String,
    /// Without the suffix of an instance: `ChatOutput`.
    pub r#type: String,
    pub display_name: String,
    pub outputs: Vec<OutputMeta>,
    pub role: Role,
    /// Nodes wired to its outputs, once each, in the order of the wires.
    pub next: Vec<usize>,
    /// Nodes wired into it, once each.
    pub before: Vec<usize>,
}

#[derive(Debug)]
pub struct OutputMeta {
    pub name: String,
    pub display_name: String,
    pub types: Vec<String>,
}

impl NodeMeta {
    /// Nothing hangs on it.
    pub fn is_terminal(&self) -> bool {
        self.next.is_empty()
    }

    /// A chat input or output: its results are a message somebody said.
    pub fn is_chat(&self) -> bool {
        matches!(self.r#type.as_str(), "ChatInput" | "ChatOutput")
    }

    /// Langflow looks for the kind in the id; ids given by other programs may not say it.
    fn is_of(&self, kind: &str) -> bool {
        let says = |text: &str| text.to_ascii_lowercase().contains(kind);
        says(&self.id) || says(&self.r#type)
    }

    fn is_called(&self, name: &str) -> bool {
        self.id == name || self.display_name == name
    }
}

impl Meta {
    /// With groups opened, as runs see the document.
    pub fn of_document(data: &FlowData) -> Self {
        Self::of(&ungroup(read(data)))
    }

    pub fn of(flow: &Flow<'_>) -> Self {
        let mut meta = Self::default();
        for node in &flow.nodes {
            if matches!(node.kind, NodeKind::Note) || meta.index.contains_key(&*node.id) {
                continue;
            }
            let outputs = node.outputs.iter().map(|output| OutputMeta {
                name: output.name.to_string(),
                display_name: output.display_name.to_string(),
                types: output.types.iter().map(ToString::to_string).collect(),
            });
            meta.index.insert(node.id.to_string(), meta.nodes.len());
            meta.nodes.push(NodeMeta {
                id: node.id.to_string(),
                r#type: node.r#type.to_string(),
                display_name: node.name.to_string(),
                outputs: outputs.collect(),
                role: role(&node.r#type, &node.id),
                next: Vec::new(),
                before: Vec::new(),
            });
        }
        for edge in &flow.edges {
            let (Some(&from), Some(&to)) = (meta.index.get(&*edge.source), meta.index.get(&*edge.target))
            else {
                continue;
            };
            if !meta.nodes[from].next.contains(&to) {
                meta.nodes[from].next.push(to);
                meta.nodes[to].before.push(from);
            }
        }
        meta
    }

    pub fn get(&self, id: &str) -> Option<&NodeMeta> {
        self.index_of(id).and_then(|at| self.nodes.get(at))
    }

    pub fn index_of(&self, id: &str) -> Option<usize> {
        self.index.get(id).copied()
    }

    pub fn nodes(&self) -> &[NodeMeta] {
        &self.nodes
    }

    pub fn display_name<'a>(&'a self, id: &'a str) -> &'a str {
        self.get(id).map_or(id, |node| &node.display_name)
    }
}

/// Langflow tells the part a node plays by its type, and by the beginning of its id.
fn role(r#type: &str, id: &str) -> Role {
    let prefix = id.split('-').next().unwrap_or_default();
    let is = |names: &[&str]| names.contains(&r#type) || names.contains(&prefix);
    if is(&["ChatInput", "TextInput", "Webhook"]) {
        Role::Input
    } else if is(&["ChatOutput", "TextOutput", "DataOutput"]) {
        Role::Output
    } else {
        Role::Other
    }
}

/// Which results a caller of a run wants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// Chat outputs; every output when the flow has none.
    #[default]
    Chat,
    /// Text outputs; every output when the flow has none.
    Text,
    /// Every output.
    Any,
    /// Every node.
    Debug,
    /// The nodes with these ids or names.
    Named(Vec<String>),
}

impl Wanted {
    /// From `output_type` and `output_component` of a request. `None`: there is no such type.
    pub fn of(output_type: Option<&str>, output_component: Option<&str>) -> Option<Self> {
        if let Some(name) = output_component.filter(|name| !name.is_empty()) {
            return Some(Self::Named(vec![name.to_owned()]));
        }
        Some(match output_type.unwrap_or("chat") {
            "chat" => Self::Chat,
            "text" => Self::Text,
            "any" => Self::Any,
            "debug" => Self::Debug,
            _ => return None,
        })
    }

    /// For each node of the flow, whether its result is wanted.
    pub fn select(&self, meta: &Meta) -> Vec<bool> {
        let all = |test: &dyn Fn(&NodeMeta) -> bool| meta.nodes.iter().map(test).collect::<Vec<_>>();
        let is_output = |node: &NodeMeta| node.role == Role::Output;
        let of_kind = |kind: &str| all(&|node| is_output(node) && node.is_of(kind));
        let chosen = match self {
            Self::Chat => of_kind("chat"),
            Self::Text => of_kind("text"),
            Self::Any => all(&is_output),
            Self::Debug => return vec![true; meta.nodes.len()],
            Self::Named(names) => return all(&|node| names.iter().any(|name| node.is_called(name))),
        };
        // Asked for a chat, a flow that only has a text output answers with that.
        if chosen.contains(&true) {
            chosen
        } else {
            all(&is_output)
        }
    }
}
