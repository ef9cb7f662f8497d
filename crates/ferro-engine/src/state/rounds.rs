//! How rounds of loops and cycles begin and end.

use std::sync::Arc;

use super::{Broken, Command, Given, RegionState, RunState, Status, WireState};
use crate::event::Skipped;
use crate::plan::{RegionKind, Route};

impl RunState {
    /// Something directly in the region is decided.
    pub(super) fn one_less(&mut self, mut region: u32) {
        loop {
            let state = &mut self.regions[region as usize];
            if !state.live || state.open == 0 {
                return;
            }
            state.open -= 1;
            if state.open > 0 {
                return;
            }
            match self.plan.regions[region as usize].kind {
                RegionKind::Whole => {
                    self.commands.push(Command::Finish);
                    return;
                }
                RegionKind::Loop(node) => {
                    self.round_ended(node, region);
                    return;
                }
                RegionKind::Cycle(entry) => {
                    if self.goes_round(entry, region) {
                        return;
                    }
                    self.regions[region as usize].live = false;
                    self.region_settled(region);
                    region = self.plan.regions[region as usize].parent;
                }
            }
        }
    }

    /// The loop itself is decided, and with it what its body leaves behind.
    pub(super) fn loop_settled(&mut self, node: u32, body: u32) {
        self.regions[body as usize].live = false;
        if !self.regions[body as usize].begun && !self.cancelled {
            self.skip_body(node, body);
        }
        self.region_settled(body);
    }

    /// No round ever began.
    fn skip_body(&mut self, node: u32, body: u32) {
        let plan = Arc::clone(&self.plan);
        let causes: Option<Arc<[u32]>> = match &self.nodes[node as usize].status {
            Status::Inactive(causes) => Some(Arc::clone(causes)),
            Status::Done(_) => Some(Arc::from([node])),
            _ => None,
        };
        for &inner in &plan.regions[body as usize].all_nodes {
            let (status, why) = match &causes {
                Some(causes) => (Status::Inactive(Arc::clone(causes)), Skipped::Inactive),
                None => (Status::Blocked, Skipped::Blocked),
            };
            self.nodes[inner as usize].status = status;
            let at = self.at(inner);
            self.commands.push(Command::Skip { node: inner, at, why });
        }
    }

    pub(super) fn begin_round(&mut self, node: u32, body: u32) {
        let of = match &self.nodes[node as usize].status {
            Status::Looping { items, .. } => u32::try_from(items.len()).ok(),
            _ => None,
        };
        let (at, round) = (self.at(node), self.regions[body as usize].round);
        self.commands.push(Command::Round { at, round, of });
        self.start_region(body);
    }

    fn round_ended(&mut self, node: u32, body: u32) {
        let plan = Arc::clone(&self.plan);
        let round = self.regions[body as usize].round;
        if let Some(why) = self.broke(body, round) {
            self.regions[body as usize].live = false;
            let at = self.at(node);
            self.commands.push(Command::Break { at, why });
            return;
        }
        let mut brought = Vec::new();
        for &wire in &plan.nodes[node as usize].ins {
            if plan.wires[wire as usize].route != Route::Feedback {
                continue;
            }
            if let WireState::Delivered(Some(value)) = self.produced(wire) {
                brought.push(value.clone());
            }
        }
        let Status::Looping { items, results } = &mut self.nodes[node as usize].status else {
            return;
        };
        results.extend(brought);
        let next = round + 1;
        if (next as usize) < items.len() {
            self.regions[body as usize].round = next;
            self.begin_round(node, body);
            return;
        }
        self.regions[body as usize].live = false;
        let collected = Some(std::mem::take(results));
        self.nodes[node as usize].status = Status::Running;
        self.run(
            node,
            Given {
                collected,
                ..Given::default()
            },
        );
    }

    /// Why a round was for nothing, if it was.
    fn broke(&self, body: u32, round: u32) -> Option<Broken> {
        let nodes = &self.plan.regions[body as usize].all_nodes;
        let is = |wanted: fn(&Status) -> bool| {
            nodes
                .iter()
                .copied()
                .find(|&node| wanted(&self.nodes[node as usize].status))
        };
        if let Some(node) = is(|status| matches!(status, Status::Failed)) {
            return Some(Broken::BodyFailed { node, round });
        }
        let node = is(|status| matches!(status, Status::Blocked))?;
        Some(Broken::BodyBlocked { node, round })
    }

    /// Begins the next round of a cycle, if something came back to its entry and nothing in it failed.
    fn goes_round(&mut self, entry: u32, region: u32) -> bool {
        let plan = Arc::clone(&self.plan);
        let failed = |&node: &u32| matches!(self.nodes[node as usize].status, Status::Failed);
        if plan.regions[region as usize].all_nodes.iter().any(failed) {
            return false;
        }
        let ins = plan.nodes[entry as usize].ins.iter().copied();
        let back: Vec<u32> = ins
            .filter(|&wire| plan.wires[wire as usize].route == Route::Back)
            .collect();
        let mut brought = Vec::new();
        for &wire in &back {
            if let WireState::Delivered(value) = self.produced(wire) {
                brought.push((wire, value.cloned().unwrap_or_default()));
            }
        }
        if brought.is_empty() {
            return false;
        }
        let round = self.regions[region as usize].round + 1;
        if round >= self.limits.rounds {
            self.regions[region as usize].broken = true;
            let why = Broken::TooManyRounds {
                limit: self.limits.rounds,
            };
            let at = self.at(entry);
            self.commands.push(Command::Break { at, why });
            // Not left to the event: a loop around this must know before its next round.
            self.fail(entry);
            return false;
        }
        for wire in &back {
            self.carried.remove(wire);
        }
        self.carried.extend(brought);
        self.regions[region as usize].round = round;
        let at = self.at(entry);
        self.commands.push(Command::Round { at, round, of: None });
        self.start_region(region);
        true
    }

    fn region_settled(&mut self, region: u32) {
        self.regions[region as usize].settled = true;
        let plan = Arc::clone(&self.plan);
        for &wire in &plan.regions[region as usize].exits {
            self.wire_decided(wire);
        }
    }

    /// Begins a round: everything inside is as if it had never run, but what left the region stays.
    pub(super) fn start_region(&mut self, region: u32) {
        let plan = Arc::clone(&self.plan);
        let inside = &plan.regions[region as usize];
        for &node in &inside.all_nodes {
            self.nodes[node as usize].status = Status::Dormant;
            self.hollow.remove(&node);
        }
        for &inner in &inside.inner {
            self.regions[inner as usize] = RegionState::default();
            for wire in &plan.regions[inner as usize].exits {
                self.exits.remove(wire);
            }
        }
        let mut open = vec![region];
        let mut begun = Vec::with_capacity(inside.nodes.len());
        while let Some(region) = open.pop() {
            let state = &mut self.regions[region as usize];
            (state.begun, state.live, state.settled, state.broken) = (true, true, false, false);
            let inside = &plan.regions[region as usize];
            state.open = inside.nodes.len() + inside.cycles.len();
            begun.extend(&inside.nodes);
            for &cycle in &inside.cycles {
                for &wire in &plan.nodes[self.entry_of(cycle) as usize].ins {
                    self.carried.remove(&wire);
                }
                open.push(cycle);
            }
        }
        begun.sort_unstable();
        for &node in &begun {
            self.nodes[node as usize].status = Status::Waiting;
        }
        for &node in &begun {
            self.count_wires(node);
        }
        for &node in &begun {
            if self.nodes[node as usize].is_ready() {
                self.decide(node);
            }
        }
        if plan.nodes.is_empty() {
            self.commands.push(Command::Finish);
        }
    }

    pub(super) fn entry_of(&self, region: u32) -> u32 {
        match self.plan.regions[region as usize].kind {
            RegionKind::Cycle(entry) => entry,
            RegionKind::Loop(node) => node,
            RegionKind::Whole => 0,
        }
    }
}
