//! What is wrong with a flow before it runs, node by node, with what to do about it.
//!
//! An error means that a run would fail or leave something out; a warning, that the flow runs but probably not as
//! meant. `fields.rs` looks inside nodes, `wires.rs` at what joins them, `shape.rs` at the graph as a whole.
//! Everything is linear in nodes, fields and wires.

mod fields;
mod shape;
mod wires;

use std::collections::{BTreeSet, HashMap, HashSet};

use serde::Serialize;

use crate::descriptor::{Descriptor, Registry};
use crate::document::FlowData;
use crate::read::{Flow, Node, NodeKind, read};
use crate::ungroup::ungroup;

/// A flow with more nodes is not looked at, nor run.
pub const MAX_NODES: usize = 10_000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    pub severity: Severity,
    /// For programs: `missing_field`, `incompatible_wire`, …
    pub code: &'static str,
    /// The node's id.
    pub node: Option<String>,
    /// The name shown on the node.
    pub node_name: Option<String>,
    pub field: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub advice: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
}

/// All problems in the order of the document. `known_variables` are the names the owner has; without them no
/// variable is looked for.
pub fn problems(
    flow: &FlowData,
    registry: &Registry,
    known_variables: Option<&BTreeSet<String>>,
) -> Vec<Problem> {
    let count = flow.summary().nodes;
    if count > MAX_NODES {
        return vec![too_many(count)];
    }
    let view = ungroup(read(flow));
    if view.nodes.len() > MAX_NODES {
        return vec![too_many(view.nodes.len())];
    }
    let mut check = Check::new(&view, registry);
    check.issues();
    check.nodes(known_variables);
    check.wires();
    check.shape();
    check.found
}

fn too_many(count: usize) -> Problem {
    Problem {
        severity: Severity::Error,
        code: "too_many_nodes",
        node: None,
        node_name: None,
        field: None,
        message: format!("The flow has {count} nodes; at most {MAX_NODES} can run."),
        advice: "Split it into several flows and call them with Run Flow.".to_owned(),
    }
}

struct Check<'f, 'a> {
    flow: &'f Flow<'a>,
    registry: &'f Registry,
    /// What the registry knows of each node, by place; nothing of those that are what their code says.
    known: Vec<Option<&'f Descriptor>>,
    places: HashMap<&'f str, usize>,
    /// Where each field is, by place of its node: a node may have very many.
    fields: HashMap<(usize, &'f str), usize>,
    /// Fields that a wire fills.
    wired: HashSet<(usize, &'f str)>,
    found: Vec<Problem>,
}

impl<'f, 'a> Check<'f, 'a> {
    fn new(flow: &'f Flow<'a>, registry: &'f Registry) -> Self {
        let places: HashMap<&str, usize> = flow
            .nodes
            .iter()
            .enumerate()
            .map(|(place, node)| (node.id.as_ref(), place))
            .collect();
        let mut fields = HashMap::new();
        for (place, node) in flow.nodes.iter().enumerate() {
            for (index, field) in node.fields.iter().enumerate() {
                fields.insert((place, field.name.as_ref()), index);
            }
        }
        let wired = flow
            .edges
            .iter()
            .filter(|edge| !edge.into_loop() && places.contains_key(edge.source.as_ref()))
            .filter_map(|edge| Some((*places.get(edge.target.as_ref())?, edge.to.name())))
            .collect();
        let mut by_type: HashMap<&str, Option<&Descriptor>> = HashMap::new();
        let known = flow.nodes.iter().map(|node| {
            let r#type = node.r#type.as_ref();
            *by_type
                .entry(r#type)
                .or_insert_with(|| registry.get_alike(r#type).map(AsRef::as_ref))
        });
        Self {
            known: known.collect(),
            flow,
            registry,
            places,
            fields,
            wired,
            found: Vec::new(),
        }
    }

    fn issues(&mut self) {
        for issue in &self.flow.issues {
            self.found.push(Problem {
                severity: Severity::Warning,
                code: "malformed",
                node: None,
                node_name: None,
                field: None,
                message: format!("`{}` {}.", issue.path, issue.message),
                advice: "It was read as if it were empty; correct it or add the node again.".to_owned(),
            });
        }
    }

    fn nodes(&mut self, known_variables: Option<&BTreeSet<String>>) {
        let mut chat_inputs = 0;
        for (place, node) in self.flow.nodes.iter().enumerate() {
            if node.kind == NodeKind::Note {
                continue;
            }
            self.component(place, node);
            self.node_fields(place, node, known_variables);
            let known = self.known.get(place).copied().flatten();
            if known.map_or(node.r#type.as_ref(), |known| known.r#type.as_str()) == "ChatInput" {
                chat_inputs += 1;
                if chat_inputs == 2 {
                    self.warn(
                        "several_chat_inputs",
                        node,
                        "The flow has more than one Chat Input, and each gets the same message.".to_owned(),
                        "Keep one and draw several wires from it.",
                    );
                }
            }
        }
    }

    /// Unknown types, and code that is not the type's own. A node with Python of its own needs neither.
    fn component(&mut self, place: usize, node: &Node<'a>) {
        let known = self.known.get(place).copied().flatten();
        if (known.is_some() && !node.edited) || node.code().is_some() {
            return;
        }
        if self.registry.get(&node.r#type).is_none() {
            self.error(
                "unknown_component",
                node,
                None,
                format!("There is no component of the type `{}` here.", node.r#type),
                "Replace it with a component of this installation, or remove it.",
            );
        } else {
            self.error(
                "missing_code",
                node,
                Some("code").filter(|name| node.field(name).is_some()),
                format!("{} should have Python code of its own and has none.", node.name),
                "Open its code and write it, or add the component anew.",
            );
        }
    }

    fn error(
        &mut self,
        code: &'static str,
        node: &Node<'_>,
        field: Option<&str>,
        message: String,
        advice: &str,
    ) {
        let problem = about(Severity::Error, code, node, message, advice);
        self.found.push(Problem {
            field: field.map(str::to_owned),
            ..problem
        });
    }

    fn warn(&mut self, code: &'static str, node: &Node<'_>, message: String, advice: &str) {
        self.found
            .push(about(Severity::Warning, code, node, message, advice));
    }
}

fn about(severity: Severity, code: &'static str, node: &Node<'_>, message: String, advice: &str) -> Problem {
    Problem {
        severity,
        code,
        node: Some(node.id.to_string()),
        node_name: Some(node.name.to_string()),
        field: None,
        message,
        advice: advice.to_owned(),
    }
}
