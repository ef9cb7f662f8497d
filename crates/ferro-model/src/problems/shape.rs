//! Problems of the graph: cycles that cannot end, loops that get nothing back, nodes that nothing runs.
//!
//! A node counts as unreachable when
//! - it is a workflow node, the flow has a `start`, and no wires lead from a start to it;
//! - it is in tool mode and nothing takes its toolset, so no agent will ever call it;
//! - everything that feeds it is unreachable;
//! - it is joined to nothing while the flow has other nodes.
//!
//! A component whose result nobody takes is not reported: it may write a file or send a message.

use std::collections::HashSet;

use super::Check;
use crate::graph::Graph;
use crate::read::{Node, NodeKind};

/// Workflow nodes that choose where to go on, so that a cycle through them can end.
const CHOOSING: [&str; 4] = ["while", "ifElse", "userApproval", "guardrails"];

/// More names than this make no message clearer.
const NAMES: usize = 8;

impl<'a> Check<'_, 'a> {
    pub(super) fn shape(&mut self) {
        let wires: Vec<(usize, usize, bool)> = self
            .flow
            .edges
            .iter()
            .filter_map(|edge| {
                let from = *self.places.get(edge.source.as_ref())?;
                let to = *self.places.get(edge.target.as_ref())?;
                Some((from, to, edge.into_loop()))
            })
            .collect();
        self.endless(&wires);
        self.loops(&wires);
        self.unreachable(&wires);
    }

    /// Cycles without a wire into a loop port and without a node that chooses.
    fn endless(&mut self, wires: &[(usize, usize, bool)]) {
        let chooses = |place: usize| {
            let node = self.flow.nodes.get(place);
            let known = self.known.get(place).copied().flatten();
            let routes = known.is_some_and(|known| known.routes);
            // Python with several outputs may stop some of them.
            let own = |node: &Node<'a>| {
                let is_own = node.edited || known.is_none();
                is_own && node.outputs.len() > 1 && node.code().is_some()
            };
            routes
                || node.is_some_and(own)
                || node.is_some_and(|node| {
                    node.kind == NodeKind::Workflow && CHOOSING.contains(&node.r#type.as_ref())
                })
        };
        let fixed = wires
            .iter()
            .filter(|(from, _, into_loop)| !into_loop && !chooses(*from));
        let graph = Graph::new(self.flow.nodes.len(), fixed.map(|&(from, to, _)| (from, to)));
        for cycle in graph.cycles() {
            let nodes: Vec<&Node<'a>> = cycle
                .iter()
                .filter_map(|&place| self.flow.nodes.get(place))
                .collect();
            let mut names: Vec<&str> = nodes.iter().take(NAMES).map(|node| node.name.as_ref()).collect();
            if nodes.len() > NAMES {
                names.push("…");
            }
            if let Some(first) = nodes.first() {
                self.error(
                    "endless_cycle",
                    first,
                    None,
                    format!(
                        "These nodes wait for each other and would never end: {}.",
                        names.join(", ")
                    ),
                    "Remove one of the wires, or lead it back into the loop port of a Loop.",
                );
            }
        }
    }

    /// A loop port that something leaves, but to which nothing behind it comes back.
    fn loops(&mut self, wires: &[(usize, usize, bool)]) {
        if self
            .flow
            .nodes
            .iter()
            .all(|node| node.outputs.iter().all(|output| !output.allows_loop))
        {
            return;
        }
        let edges = self.flow.edges.iter();
        let left: HashSet<(&str, &str)> = edges
            .map(|edge| (edge.source.as_ref(), edge.from.name()))
            .collect();
        let whole = Graph::new(
            self.flow.nodes.len(),
            wires.iter().map(|&(from, to, _)| (from, to)),
        );
        let mut cycle_of: Vec<Option<usize>> = vec![None; self.flow.nodes.len()];
        for (number, cycle) in whole.cycles().into_iter().enumerate() {
            for place in cycle {
                cycle_of[place] = Some(number);
            }
        }
        let mut fed = vec![false; self.flow.nodes.len()];
        for &(from, to, into_loop) in wires {
            fed[to] |= into_loop && cycle_of[from].is_some() && cycle_of[from] == cycle_of[to];
        }
        for (place, node) in self.flow.nodes.iter().enumerate() {
            let unfed = node.outputs.iter().find(|output| {
                output.allows_loop && !fed[place] && left.contains(&(node.id.as_ref(), output.name.as_ref()))
            });
            if let Some(output) = unfed {
                self.error(
                    "loop_without_return",
                    node,
                    Some(&output.name),
                    format!(
                        "Nothing leads from {} ({}) back into it, so it never gets a result.",
                        node.name, output.display_name
                    ),
                    "Wire the last node of the loop's body back into that port.",
                );
            }
        }
    }

    fn unreachable(&mut self, wires: &[(usize, usize, bool)]) {
        let nodes = &self.flow.nodes;
        let counted = nodes.iter().filter(|node| node.kind != NodeKind::Note).count();
        let mut joined = vec![false; nodes.len()];
        let mut leaves = vec![false; nodes.len()];
        let mut feeders = vec![0usize; nodes.len()];
        for &(from, to, into_loop) in wires {
            joined[from] = true;
            joined[to] = true;
            leaves[from] = true;
            feeders[to] += usize::from(!into_loop);
        }
        let is_start = |node: &Node<'_>| node.kind == NodeKind::Workflow && node.r#type == "start";
        let whole = Graph::new(nodes.len(), wires.iter().map(|&(from, to, _)| (from, to)));
        let starts: Vec<usize> = (0..nodes.len())
            .filter(|&place| is_start(&nodes[place]))
            .collect();
        let started = (!starts.is_empty()).then(|| whole.reachable(starts));
        let mut why: Vec<Option<&str>> = vec![None; nodes.len()];
        let mut open = Vec::new();
        for (place, node) in nodes.iter().enumerate() {
            let reason = if node.kind == NodeKind::Note {
                None
            } else if !joined[place] && counted > 1 {
                Some("is joined to nothing")
            } else if node.kind == NodeKind::Workflow
                && started.as_ref().is_some_and(|started| !started[place])
            {
                Some("is not reached from the start")
            } else if node.tool_mode && !leaves[place] {
                Some("is a tool that no agent has")
            } else {
                None
            };
            why[place] = reason;
            open.extend(reason.map(|_| place));
        }
        // What only unreachable nodes feed is unreachable too.
        while let Some(place) = open.pop() {
            for &to in &whole.next[place] {
                feeders[to] = feeders[to].saturating_sub(1);
                if feeders[to] == 0 && why[to].is_none() {
                    why[to] = Some("waits for nodes that never run");
                    open.push(to);
                }
            }
        }
        for (place, reason) in why.into_iter().enumerate() {
            if let Some(reason) = reason {
                let node = &self.flow.nodes[place];
                self.warn(
                    "unreachable_node",
                    node,
                    format!("{} {reason}.", node.name),
                    "Wire it to the rest of the flow, or remove it.",
                );
            }
        }
    }
}
