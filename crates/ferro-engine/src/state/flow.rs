//! How decisions travel along the wires.

use std::sync::Arc;

use super::{Command, Given, NodeState, RunState, Status, WireState};
use crate::event::Skipped;
use crate::plan::Route;
use crate::value::Value;

impl NodeState {
    /// Every data wire is decided, and a control wire has fired if any could.
    pub(super) fn is_ready(&self) -> bool {
        matches!(self.status, Status::Waiting) && self.pending == 0 && (self.fired || self.controls == 0)
    }
}

impl RunState {
    /// Follows everything that was decided to its consequences. A work list, not recursion: a flow may be a
    /// chain of thousands.
    pub(super) fn settle(&mut self) {
        if self.cancelled {
            self.decided.clear();
        }
        if self.decided.is_empty() {
            return;
        }
        let plan = Arc::clone(&self.plan);
        while let Some(node) = self.decided.pop_front() {
            for &wire in &plan.nodes[node as usize].outs {
                match plan.wires[wire as usize].route {
                    Route::Plain => self.wire_decided(wire),
                    Route::Exit(_) => {
                        let value = match self.produced(wire) {
                            WireState::Delivered(value) => Some(value.cloned().unwrap_or_default()),
                            _ => None,
                        };
                        if let Some(value) = value {
                            self.exits.insert(wire, value);
                        }
                    }
                    Route::Item | Route::Feedback | Route::Back => {}
                }
            }
            if let Some(body) = plan.nodes[node as usize].body {
                self.loop_settled(node, body);
            }
            self.one_less(plan.nodes[node as usize].region);
        }
    }

    pub(super) fn wire_decided(&mut self, wire: u32) {
        let (target, control) = (
            self.plan.wires[wire as usize].to,
            self.plan.wires[wire as usize].control,
        );
        let fires = control && matches!(self.wire_state(wire), WireState::Delivered(_));
        let state = &mut self.nodes[target as usize];
        if !matches!(state.status, Status::Waiting) {
            return;
        }
        if control {
            state.controls = state.controls.saturating_sub(1);
            state.fired |= fires;
        } else {
            state.pending = state.pending.saturating_sub(1);
        }
        if state.is_ready() {
            self.decide(target);
        }
    }

    /// What a node that begins to wait has to wait for.
    pub(super) fn count_wires(&mut self, node: u32) {
        let (mut pending, mut controls, mut fired) = (0, 0, false);
        for &wire in &self.plan.nodes[node as usize].ins {
            let control = self.plan.wires[wire as usize].control;
            match self.wire_state(wire) {
                WireState::Undecided if control => controls += 1,
                WireState::Undecided => pending += 1,
                WireState::Delivered(_) => fired |= control,
                _ => {}
            }
        }
        let state = &mut self.nodes[node as usize];
        (state.pending, state.controls, state.fired) = (pending, controls, fired);
    }

    /// Nothing is left to wait for: the node runs, or it never will.
    pub(super) fn decide(&mut self, node: u32) {
        let skipped = if self.cancelled {
            Some((Status::Blocked, Skipped::Cancelled))
        } else {
            self.verdict(node)
        };
        match skipped {
            None => {
                self.nodes[node as usize].status = Status::Running;
                self.commands.push(match self.seeds.remove(&node) {
                    Some(outputs) => Command::Reuse { node, outputs },
                    None => Command::Run {
                        node,
                        given: Given::default(),
                    },
                });
            }
            Some((status, why)) => {
                self.nodes[node as usize].status = status;
                let at = self.at(node);
                self.commands.push(Command::Skip { node, at, why });
                self.decided.push_back(node);
            }
        }
    }

    /// Why a node does not run. A field whose every wire comes from branches not taken starves it, unless the
    /// same router reaches the node another way: then the field keeps what was typed into it.
    fn verdict(&mut self, node: u32) -> Option<(Status, Skipped)> {
        let plan = Arc::clone(&self.plan);
        let ins = &plan.nodes[node as usize].ins;
        let mut inactive: Vec<(u32, Arc<[u32]>)> = Vec::new();
        let (mut has_control, mut fired, mut stopped) = (false, false, false);
        for &wire in ins {
            let control = plan.wires[wire as usize].control;
            let state = self.wire_state(wire);
            has_control |= control && !matches!(state, WireState::Absent);
            match state {
                WireState::Blocked if control => stopped = true,
                WireState::Blocked => return Some((Status::Blocked, Skipped::Blocked)),
                WireState::Delivered(_) => fired |= control,
                WireState::Inactive(causes) => inactive.push((wire, causes)),
                WireState::Undecided | WireState::Absent => {}
            }
        }
        if inactive.is_empty() && (fired || !has_control) {
            return None;
        }
        let mut causes: Vec<u32> = Vec::new();
        if has_control && !fired {
            if stopped {
                return Some((Status::Blocked, Skipped::Blocked));
            }
            let because = inactive
                .iter()
                .filter(|(wire, _)| plan.wires[*wire as usize].control);
            causes.extend(because.flat_map(|(_, causes)| causes.iter()));
        }
        let delivers = |&wire: &u32| {
            !plan.wires[wire as usize].control && matches!(self.wire_state(wire), WireState::Delivered(_))
        };
        let delivered: Vec<u32> = ins.iter().copied().filter(delivers).collect();
        let mut fed = vec![false; plan.nodes[node as usize].fields.len()];
        for &wire in &delivered {
            fed[plan.wires[wire as usize].slot as usize] = true;
        }
        for (wire, because) in inactive {
            let wire = &plan.wires[wire as usize];
            if wire.control || fed[wire.slot as usize] {
                continue;
            }
            causes.extend(
                because
                    .iter()
                    .filter(|&&cause| !self.reached_otherwise(cause, &delivered)),
            );
        }
        if causes.is_empty() {
            return None;
        }
        causes.sort_unstable();
        causes.dedup();
        Some((Status::Inactive(causes.into()), Skipped::Inactive))
    }

    /// Whether one of these wires comes from the router too, along another of its branches.
    fn reached_otherwise(&mut self, router: u32, wires: &[u32]) -> bool {
        if wires.is_empty() {
            return false;
        }
        let plan = &self.plan;
        let downstream = self.downstream.entry(router).or_insert_with(|| {
            let mut bits = vec![0_u64; plan.nodes.len().div_ceil(64)];
            for (node, _) in plan
                .downstream(router)
                .into_iter()
                .enumerate()
                .filter(|(_, reached)| *reached)
            {
                bits[node / 64] |= 1 << (node % 64);
            }
            bits
        });
        wires.iter().any(|&wire| {
            let from = plan.wires[wire as usize].from as usize;
            downstream[from / 64] >> (from % 64) & 1 == 1
        })
    }

    /// What a wire that the node waits for brings.
    fn wire_state(&self, wire: u32) -> WireState<'_> {
        let plan = &self.plan;
        let left = match plan.wires[wire as usize].route {
            Route::Plain => return self.produced(wire),
            Route::Feedback => return WireState::Absent,
            Route::Back => {
                let carried = self.carried.get(&wire);
                return carried.map_or(WireState::Absent, |value| WireState::Delivered(Some(value)));
            }
            Route::Item => return WireState::Delivered(self.item(plan.wires[wire as usize].from)),
            Route::Exit(left) => left,
        };
        let region = &self.regions[left as usize];
        if !region.settled {
            return WireState::Undecided;
        }
        if region.broken {
            return WireState::Blocked;
        }
        match self.exits.get(&wire) {
            Some(value) => WireState::Delivered(Some(value)),
            None => match self.produced(wire) {
                WireState::Blocked => WireState::Blocked,
                WireState::Inactive(causes) => WireState::Inactive(causes),
                _ => WireState::Inactive(Arc::from([self.entry_of(left)])),
            },
        }
    }

    fn item(&self, node: u32) -> Option<&Value> {
        let body = self.plan.nodes[node as usize].body?;
        match &self.nodes[node as usize].status {
            Status::Looping { items, .. } => items.get(self.regions[body as usize].round as usize),
            _ => None,
        }
    }

    /// What a wire's source did in this round.
    pub(super) fn produced(&self, wire: u32) -> WireState<'_> {
        let wire = &self.plan.wires[wire as usize];
        match &self.nodes[wire.from as usize].status {
            Status::Done(outputs) if outputs.stopped.iter().any(|name| **name == *wire.output) => {
                WireState::Inactive(Arc::from([wire.from]))
            }
            Status::Done(outputs) => WireState::Delivered(outputs.get(&wire.output)),
            Status::Failed | Status::Blocked => WireState::Blocked,
            Status::Inactive(causes) => WireState::Inactive(Arc::clone(causes)),
            _ => WireState::Undecided,
        }
    }

    /// What wires bring to a node that is about to run, one entry a field. What came back in a cycle wins.
    pub(crate) fn inputs(&self, node: u32) -> Vec<(Arc<str>, Value)> {
        let planned = &self.plan.nodes[node as usize];
        if planned.ins.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<Found> = (0..planned.fields.len()).map(|_| Found::Nothing).collect();
        for &at in &planned.ins {
            let wire = &self.plan.wires[at as usize];
            if wire.control || wire.route == Route::Feedback {
                continue;
            }
            let WireState::Delivered(Some(value)) = self.wire_state(at) else {
                continue;
            };
            let place = &mut found[wire.slot as usize];
            match place {
                Found::List(values) => values.push(value.clone()),
                _ if wire.list => *place = Found::List(vec![value.clone()]),
                Found::Came(_) if wire.route != Route::Back => {}
                _ if wire.route == Route::Back => *place = Found::Came(value.clone()),
                _ => *place = Found::One(value.clone()),
            }
        }
        let fields = planned.fields.iter().zip(found);
        fields
            .filter_map(|(field, found)| Some((Arc::clone(field), found.value()?)))
            .collect()
    }
}

/// What wires brought for one field.
enum Found {
    Nothing,
    One(Value),
    /// Back, from the round before.
    Came(Value),
    List(Vec<Value>),
}

impl Found {
    fn value(self) -> Option<Value> {
        match self {
            Self::Nothing => None,
            Self::One(value) | Self::Came(value) => Some(value),
            Self::List(mut values) if values.len() == 1 => values.pop(),
            Self::List(values) => {
                let flat = values.into_iter().flat_map(|value| match value {
                    Value::List(items) => items.to_vec(),
                    other => vec![other],
                });
                Some(Value::List(flat.collect()))
            }
        }
    }
}
