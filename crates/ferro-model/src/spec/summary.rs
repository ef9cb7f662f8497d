//! What a document holds, in short: for a language model's prompt and for listings. Never any values.

use std::fmt::Write as _;

use serde::Serialize;

use crate::document::FlowData;
use crate::handle::TargetHandle;
use crate::read::{NodeKind, Port, read};

/// Components and wires as text. `name` is the flow's.
pub fn flow_to_spec_summary(name: Option<&str>, data: &FlowData) -> String {
    let flow = read(data);
    if flow.nodes.is_empty() {
        return "(empty canvas)".to_owned();
    }
    let mut text = format!("name: {}\n\ncomponents:", name.unwrap_or("Untitled"));
    for node in &flow.nodes {
        let r#type = if node.r#type.is_empty() { "?" } else { &node.r#type };
        let _ = write!(text, "\n  {}: {}", node.id, r#type);
    }
    if !flow.edges.is_empty() {
        text.push_str("\n\nconnections:");
    }
    for edge in &flow.edges {
        let known = |name: &str| {
            if name.is_empty() {
                "?".to_owned()
            } else {
                name.to_owned()
            }
        };
        // Wires into a loop show no port: that is the form assistants know.
        let input = match &edge.to {
            Port::Handle(TargetHandle::Loop(_)) => "?".to_owned(),
            to => known(to.name()),
        };
        let _ = write!(
            text,
            "\n  {}.{} -> {}.{input}",
            edge.source,
            known(edge.from.name()),
            edge.target
        );
    }
    text
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FlowInfo {
    pub name: String,
    pub description: String,
    pub node_count: usize,
    pub edge_count: usize,
    pub components: Vec<ComponentInfo>,
    /// Ids of nodes where text comes in.
    pub inputs: Vec<String>,
    /// Ids of nodes where text goes out.
    pub outputs: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ComponentInfo {
    pub id: String,
    pub display_name: String,
    pub r#type: String,
}

pub fn flow_info(name: Option<&str>, description: &str, data: &FlowData) -> FlowInfo {
    let flow = read(data);
    let with = |kinds: [&str; 2]| {
        let nodes = flow.nodes.iter().filter(|node| node.kind != NodeKind::Note);
        nodes
            .filter(|node| kinds.iter().any(|kind| node.r#type.contains(kind)))
            .map(|node| node.id.to_string())
            .collect()
    };
    FlowInfo {
        name: name.unwrap_or("Unknown").to_owned(),
        description: description.to_owned(),
        node_count: flow.nodes.len(),
        edge_count: flow.edges.len(),
        components: flow
            .nodes
            .iter()
            .map(|node| ComponentInfo {
                id: node.id.to_string(),
                display_name: node.name.to_string(),
                r#type: node.r#type.to_string(),
            })
            .collect(),
        inputs: with(["ChatInput", "TextInput"]),
        outputs: with(["ChatOutput", "TextOutput"]),
    }
}
