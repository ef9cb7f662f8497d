//! `Plan`: a flow made ready to run. Pure, immutable, shared by every run of the same document.

mod build;
mod own;
mod regions;

pub use own::{Unsafe, unsafe_code};

use std::collections::HashMap;
use std::sync::Arc;

use ferro_model::FlowData;
use serde_json::{Map, Value as Json};

use crate::call::NodeInfo;
use crate::catalog::{Catalog, Entry};
use crate::failure::Failure;

/// More nodes than this and a flow is refused.
pub const MAX_NODES: usize = 10_000;

/// Which part of a flow is to run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Selection {
    #[default]
    Whole,
    /// This node and what it needs.
    UpTo(String),
    /// This node, what follows from it, and what those need.
    From(String),
}

pub struct Plan {
    pub(crate) nodes: Vec<PlanNode>,
    pub(crate) wires: Vec<Wire>,
    /// The first is the whole flow.
    pub(crate) regions: Vec<Region>,
    pub(crate) index: HashMap<Arc<str>, u32>,
}

pub(crate) struct PlanNode {
    pub id: Arc<str>,
    pub info: Arc<NodeInfo>,
    /// Or why it cannot run here.
    pub entry: Result<Entry, Failure>,
    pub literals: Arc<[(Arc<str>, Arc<Json>)]>,
    /// Fields whose value is the name of a variable.
    pub variables: Vec<VariableField>,
    /// Fields whose value must not be shown.
    pub secrets: Vec<Arc<str>>,
    pub wanted: Arc<[Arc<str>]>,
    /// Fields that wires enter, each once; a wire's `slot` is a place in here.
    pub fields: Vec<Arc<str>>,
    pub ins: Vec<u32>,
    pub outs: Vec<u32>,
    pub region: u32,
    pub frozen: bool,
    pub tool_mode: bool,
    /// The output that each item of a loop leaves by.
    pub loop_output: Option<Arc<str>>,
    /// The loop's body.
    pub body: Option<u32>,
}

#[derive(Clone)]
pub(crate) struct VariableField {
    pub field: Arc<str>,
    pub variable: String,
    pub password: bool,
    /// See [`ferro_model::FieldSpec::lenient`].
    pub lenient: bool,
}

pub(crate) struct Wire {
    pub from: u32,
    pub output: Arc<str>,
    pub to: u32,
    /// Which of the target's wired fields it enters.
    pub slot: u32,
    pub list: bool,
    /// Says "then" and carries nothing.
    pub control: bool,
    pub route: Route,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// The source is decided in the target's own region or around it.
    Plain,
    /// An item of a loop, into its body.
    Item,
    /// Out of a loop or cycle, the outermost one that is left: known when that has settled.
    Exit(u32),
    /// Into a loop port: the result of a round.
    Feedback,
    /// Into the entry of a cycle: begins the next round.
    Back,
}

pub(crate) struct Region {
    pub parent: u32,
    pub kind: RegionKind,
    /// Directly in it, in document order.
    pub nodes: Vec<u32>,
    /// In it or in a region inside it.
    pub all_nodes: Vec<u32>,
    /// Regions inside it, at any depth.
    pub inner: Vec<u32>,
    /// Cycles directly in it.
    pub cycles: Vec<u32>,
    /// Wires that leave it for the region around it or further.
    pub exits: Vec<u32>,
    /// How many loops and cycles are around a node of it.
    pub depth: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RegionKind {
    Whole,
    /// Body of the loop that this node is.
    Loop(u32),
    /// Nodes that lead back to this one.
    Cycle(u32),
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    #[error("the flow has {0} nodes; {MAX_NODES} is the most that can run. Split it with Run Flow")]
    TooManyNodes(usize),
    #[error("the wires {} go round in a circle that nothing ends; close it through the item port of a Loop, or put an If-Else into it", .0.join(" → "))]
    EndlessCycle(Vec<String>),
    #[error("the loops {0} and {1} overlap; put one wholly inside the other or apart")]
    OverlappingLoops(String, String),
    #[error("loops are nested deeper than {0}")]
    TooDeep(usize),
    #[error("the flow has no node `{0}`")]
    NoSuchNode(String),
    #[error("the flow has more than one chat input ({}); keep one", .0.join(", "))]
    SeveralChatInputs(Vec<String>),
    /// Each as `name (id), line N: finding`.
    #[error("Refused to run: unsafe component code detected — {}", .0.join("; "))]
    UnsafeCode(Vec<String>),
    /// Anything else about the document as a whole.
    #[error("{0}")]
    Document(String),
}

/// What a plan tells about a node: for encoders, tweaks and lists.
#[derive(Clone, Copy)]
pub struct NodeView<'a>(&'a PlanNode);

impl<'a> NodeView<'a> {
    pub fn id(self) -> &'a Arc<str> {
        &self.0.id
    }

    pub fn info(self) -> &'a NodeInfo {
        &self.0.info
    }

    /// It serves as a tool that a person must agree to.
    pub fn asks_leave(self) -> bool {
        self.0.tool_mode && crate::tools::asks_leave(&self.0.info.template)
    }

    pub fn is_input(self) -> bool {
        self.0.entry.as_ref().is_ok_and(|entry| entry.descriptor.is_input)
    }

    pub fn is_output(self) -> bool {
        self.0
            .entry
            .as_ref()
            .is_ok_and(|entry| entry.descriptor.is_output)
    }

    /// Nothing is wired to it.
    pub fn is_terminal(self) -> bool {
        self.0.outs.is_empty()
    }

    /// Why it cannot run here, if it cannot.
    pub fn unavailable(self) -> Option<&'a Failure> {
        self.0.entry.as_ref().err()
    }

    /// The type it runs as.
    pub fn component(self) -> Option<&'a str> {
        self.0
            .entry
            .as_ref()
            .ok()
            .map(|entry| entry.descriptor.r#type.as_str())
    }

    /// It runs Python that the node brought along.
    pub fn runs_own_code(self) -> bool {
        self.0.entry.as_ref().is_ok_and(|entry| entry.descriptor.by_code)
    }

    pub fn template(self) -> &'a Map<String, Json> {
        &self.0.info.template
    }
}

impl Plan {
    pub fn new(flow: &FlowData, catalog: &Catalog, selection: &Selection) -> Result<Self, PlanError> {
        build::build(flow, catalog, selection)
    }

    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeView<'_>> {
        self.nodes.iter().map(NodeView)
    }

    pub fn node(&self, id: &str) -> Option<NodeView<'_>> {
        self.index.get(id).map(|&at| NodeView(&self.nodes[at as usize]))
    }

    /// Ids of the nodes straight after this one.
    pub fn successors(&self, id: &str) -> Vec<Arc<str>> {
        let Some(&at) = self.index.get(id) else {
            return Vec::new();
        };
        let mut found: Vec<u32> = self.nodes[at as usize]
            .outs
            .iter()
            .map(|&w| self.wires[w as usize].to)
            .collect();
        found.sort_unstable();
        found.dedup();
        found
            .into_iter()
            .map(|n| Arc::clone(&self.nodes[n as usize].id))
            .collect()
    }

    /// Nodes from which `node` can be reached, and `node` itself.
    pub(crate) fn ancestors(&self, node: u32) -> Vec<bool> {
        self.spread(node, |at| {
            self.nodes[at as usize]
                .ins
                .iter()
                .map(|&wire| self.wires[wire as usize].from)
        })
    }

    /// Nodes that can be reached from `node`, and `node` itself.
    pub(crate) fn descendants(&self, node: u32) -> Vec<bool> {
        self.spread(node, |at| {
            self.nodes[at as usize]
                .outs
                .iter()
                .map(|&wire| self.wires[wire as usize].to)
        })
    }

    /// As [`Plan::descendants`], but within one round: not by the wires that begin the next.
    pub(crate) fn downstream(&self, node: u32) -> Vec<bool> {
        self.spread(node, |at| {
            let wires = self.nodes[at as usize]
                .outs
                .iter()
                .map(|&wire| &self.wires[wire as usize]);
            wires
                .filter(|wire| !matches!(wire.route, Route::Feedback | Route::Back))
                .map(|wire| wire.to)
        })
    }

    fn spread<I: Iterator<Item = u32>>(&self, node: u32, next: impl Fn(u32) -> I) -> Vec<bool> {
        let mut seen = vec![false; self.nodes.len()];
        let mut open = vec![node];
        seen[node as usize] = true;
        while let Some(at) = open.pop() {
            for other in next(at) {
                if !std::mem::replace(&mut seen[other as usize], true) {
                    open.push(other);
                }
            }
        }
        seen
    }
}

impl std::fmt::Debug for Plan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Plan({} nodes, {} wires, {} regions)",
            self.nodes.len(),
            self.wires.len(),
            self.regions.len()
        )
    }
}
