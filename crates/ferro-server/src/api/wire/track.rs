//! `Track`: what encoders of Langflow's formats remember of a run while they write it down.

use std::collections::HashSet;
use std::sync::Arc;

use ferro_engine::{Body, Event};

use super::components::{LogLine, Logs};
use super::message::{Ids, is_error};
use super::meta::Meta;

/// A node may say this much before it is done; what it says after that is in the log only.
const MAX_LINES: usize = 1_000;

pub struct Track {
    pub meta: Arc<Meta>,
    pub ids: Ids,
    logs: Logs,
    state: Vec<Progress>,
    /// Nodes whose failure has been told by a message.
    told: HashSet<Arc<str>>,
    pub any_failed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    /// Takes no part in this run.
    Out,
    Ahead,
    Done,
    Skipped,
}

impl Track {
    pub fn new(meta: Arc<Meta>) -> Self {
        Self {
            // Until a plan says otherwise everything takes part.
            state: vec![Progress::Ahead; meta.nodes().len()],
            ..Self::without_progress(meta)
        }
    }

    /// For who does not ask what comes next: it costs a look-up for every node of the flow.
    pub fn without_progress(meta: Arc<Meta>) -> Self {
        Self {
            ids: Ids::default(),
            logs: Logs::new(),
            state: Vec::new(),
            told: HashSet::new(),
            any_failed: false,
            meta,
        }
    }

    /// Call before writing the event down.
    pub fn observe(&mut self, event: &Event) {
        self.ids.observe(event);
        match &event.body {
            Body::Planned { nodes, .. } => {
                self.state.fill(Progress::Out);
                nodes.iter().for_each(|node| self.set(node, Progress::Ahead));
            }
            Body::NodeFinished { at, result } if result.each.is_none() => {
                self.set(&at.node, Progress::Done);
                result
                    .inactivated
                    .iter()
                    .for_each(|node| self.set(node, Progress::Skipped));
            }
            Body::NodeFailed { at, .. } => {
                self.any_failed = true;
                self.set(&at.node, Progress::Skipped);
            }
            Body::NodeSkipped { at, .. } => self.set(&at.node, Progress::Skipped),
            Body::Message { message, node, .. } if is_error(message) => {
                self.told.insert(Arc::clone(node));
            }
            Body::Log { node, name, message } => {
                let lines = self.logs.entry(Arc::clone(node)).or_default();
                if lines.len() < MAX_LINES {
                    lines.push(LogLine::new(name, message, self.meta.limits));
                }
            }
            _ => {}
        }
    }

    fn set(&mut self, node: &str, progress: Progress) {
        if self.state.is_empty() {
            return;
        }
        if let Some(state) = self.meta.index_of(node).and_then(|at| self.state.get_mut(at)) {
            *state = progress;
        }
    }

    /// What a node has written since it was last asked.
    pub fn take_logs(&mut self, node: &str) -> Vec<LogLine> {
        if self.logs.is_empty() {
            return Vec::new();
        }
        self.logs.remove(node).unwrap_or_default()
    }

    /// Whether a message has told already that this node failed.
    pub fn has_told(&self, node: &str) -> bool {
        self.told.contains(node)
    }

    /// Nodes that can begin now that `node` is done: nothing else is missing for them.
    pub fn next_of(&self, node: &str) -> Vec<&str> {
        let nodes = self.meta.nodes();
        let Some(done) = self.meta.get(node) else {
            return Vec::new();
        };
        let is_ahead = |at: &usize| self.state.get(*at) == Some(&Progress::Ahead);
        let next = done
            .next
            .iter()
            .filter(|at| is_ahead(at))
            .filter_map(|at| nodes.get(*at));
        let ready = next.filter(|node| !node.before.iter().any(is_ahead));
        ready.map(|node| node.id.as_str()).collect()
    }
}
