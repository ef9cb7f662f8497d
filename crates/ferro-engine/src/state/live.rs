//! Values that live only in a process: a run that another process began has lost them, and makes them again.

use std::collections::HashSet;
use std::sync::Arc;

use super::{RunState, Status};
use crate::component::Outputs;
use crate::plan::Route;

impl RunState {
    pub(crate) fn has_lost_values(&self) -> bool {
        !self.hollow.is_empty()
    }

    /// Nodes that must run again before `node` can, because it needs what they had: those first that need
    /// nothing lost themselves.
    pub(crate) fn lost_before(&self, node: u32) -> Vec<u32> {
        let (mut found, mut seen, mut open) = (Vec::new(), HashSet::new(), vec![node]);
        while let Some(at) = open.pop() {
            let before = self.lost_sources(at);
            if before.is_empty() && at != node {
                found.push(at);
            }
            open.extend(before.into_iter().filter(|&source| seen.insert(source)));
        }
        found
    }

    fn lost_sources(&self, node: u32) -> Vec<u32> {
        let wires = self.plan.nodes[node as usize]
            .ins
            .iter()
            .map(|&wire| &self.plan.wires[wire as usize]);
        let lost = wires.filter(|wire| {
            let names = self.hollow.get(&wire.from);
            wire.route == Route::Plain
                && names.is_some_and(|names| names.iter().any(|name| **name == *wire.output))
        });
        lost.map(|wire| wire.from).collect()
    }

    /// Puts back what a node had lost. Everything else it produced stays as the log has it.
    pub(crate) fn refill(&mut self, node: u32, again: &Outputs) {
        let Some(names) = self.hollow.remove(&node) else {
            return;
        };
        let Status::Done(outputs) = &mut self.nodes[node as usize].status else {
            return;
        };
        let outputs = Arc::make_mut(outputs);
        for (name, value) in &mut outputs.values {
            if let Some(made) = names
                .iter()
                .any(|lost| *lost == **name)
                .then(|| again.get(name))
                .flatten()
            {
                *value = made.clone();
            }
        }
    }
}
