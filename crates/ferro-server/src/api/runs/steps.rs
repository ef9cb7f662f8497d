//! What a log tells about each step of a run: how it went, what came in and from where, what came out, and why. A pure
//! fold over the events, so that nothing has to be kept but what is shown.

mod inputs;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ferro_engine::{At, Body, Cause, Event, Kept, ModelCall, NodeResult, Overrides, Plan, Skipped};

use super::detail::{Call, Given, Input, Output, Source, Spent, State, Step, Trouble};
use super::shown::Shown;
use crate::api::wire::{Meta, value::kind};

/// What is known besides the log.
pub struct About<'a> {
    pub plan: Option<&'a Plan>,
    pub meta: &'a Meta,
    pub tweaks: &'a Overrides,
    pub overrides: &'a Overrides,
    pub given: Given<'a>,
}

/// How much of it is wanted.
#[derive(Clone)]
pub enum Scope<'a> {
    /// Every step, with values cut at so many bytes; at most so many steps.
    All { bytes: usize, steps: usize },
    /// One node, with values cut at so many bytes.
    One { node: &'a str, bytes: usize },
}

pub struct Steps<'a> {
    about: About<'a>,
    scope: Scope<'a>,
    /// Nodes whose outputs the wanted one may have got.
    before: HashSet<Arc<str>>,
    began: i64,
    planned: Vec<Arc<str>>,
    list: Vec<Step>,
    open: HashMap<At, usize>,
    /// By node, in the order they finished.
    finished: HashMap<Arc<str>, Vec<(Vec<u32>, usize)>>,
    /// What loops go through.
    items: HashMap<At, Vec<Shown>>,
    /// By node that was made inactive: by whom, and why.
    decided: HashMap<Arc<str>, (Arc<str>, Option<String>)>,
    failed: HashSet<Arc<str>>,
    cancelled: bool,
    over: bool,
    left_out: usize,
}

/// The steps, and how many more there are.
pub struct Told {
    pub began: Option<i64>,
    pub steps: Vec<Step>,
    pub left_out: usize,
}

impl<'a> Steps<'a> {
    pub fn new(about: About<'a>, scope: Scope<'a>) -> Self {
        let before = match (&scope, about.plan) {
            (Scope::One { node, .. }, Some(plan)) => plan.predecessors(node).into_iter().cloned().collect(),
            _ => HashSet::new(),
        };
        Self {
            about,
            scope,
            before,
            began: 0,
            planned: Vec::new(),
            list: Vec::new(),
            open: HashMap::new(),
            finished: HashMap::new(),
            items: HashMap::new(),
            decided: HashMap::new(),
            failed: HashSet::new(),
            cancelled: false,
            over: false,
            left_out: 0,
        }
    }

    pub fn take(&mut self, event: &Event) {
        if self.began == 0 {
            self.began = event.at;
        }
        let now = self.millis(event.at);
        match &event.body {
            Body::Planned { nodes, .. } => self.planned.clone_from(nodes),
            Body::NodeStarted { at, .. } => self.started(at, now),
            Body::NodeFinished { at, result } => self.finished(at, result, now),
            Body::NodeFailed {
                at, failure, usage, ..
            } => {
                self.failed.insert(Arc::clone(&at.node));
                let stopped = self.cancelled && failure.cause == Cause::Cancelled;
                if let Some(step) = self.step(at, now) {
                    step.state = if stopped { State::Cancelled } else { State::Failed };
                    step.finished_ms = Some(now);
                    step.usage = usage.map(Spent::from);
                    step.error = Some(Trouble {
                        message: failure.message.clone(),
                        advice: failure.advice.clone(),
                        detail: failure.detail.clone(),
                    });
                }
            }
            Body::NodeSkipped { at, why } => self.skipped(at, *why),
            Body::VariableRead {
                at,
                field,
                name,
                value,
            } => self.variable(at, field.as_deref(), name, value.as_ref()),
            Body::ModelCalled { at, call } => self.called(at, call),
            Body::Asked { at, question, .. } => {
                if let Some(step) = self.step(at, now) {
                    step.state = State::Waiting;
                    step.why = Some(format!("waits for a person: {}", question.prompt));
                }
            }
            Body::CancelRequested => self.cancelled = true,
            Body::RunEnded { .. } => self.over = true,
            _ => {}
        }
    }

    /// Nodes that the log never came to are at the end.
    pub fn told(mut self) -> Told {
        let known: HashSet<String> = self.list.iter().map(|step| step.node.clone()).collect();
        for node in std::mem::take(&mut self.planned) {
            let at = At {
                node,
                rounds: Vec::new(),
            };
            if known.contains(&*at.node) {
                continue;
            }
            let over = self.over;
            if let Some(step) = self.place(&at).and_then(|place| self.list.get_mut(place)) {
                (step.state, step.why) = if over {
                    (
                        State::Skipped,
                        Some("the run ended without coming to it".to_owned()),
                    )
                } else {
                    (State::Queued, None)
                };
            }
        }
        if let Scope::One { node, .. } = self.scope {
            self.list.retain(|step| step.node == node);
        }
        Told {
            began: (self.began != 0).then_some(self.began),
            steps: self.list,
            left_out: self.left_out,
        }
    }

    fn millis(&self, at: i64) -> f64 {
        (at - self.began) as f64 / 1000.0
    }

    /// How much of a node's values is kept.
    fn most(&self, node: &Arc<str>) -> usize {
        match &self.scope {
            Scope::All { bytes, .. } => *bytes,
            Scope::One { node: wanted, bytes } if **wanted == **node || self.before.contains(node) => *bytes,
            Scope::One { .. } => 0,
        }
    }

    fn name<'n>(&'n self, node: &'n str) -> &'n str {
        self.about.meta.display_name(node)
    }

    /// The place of an execution, new or known. `None` when there is no room for more.
    fn place(&mut self, at: &At) -> Option<usize> {
        if let Some(place) = self.open.get(at) {
            return Some(*place);
        }
        if let Scope::All { steps, .. } = self.scope
            && self.list.len() >= steps
        {
            self.left_out += 1;
            return None;
        }
        let planned = self.about.plan.and_then(|plan| plan.node(&at.node));
        let r#type = planned.map_or_else(String::new, |node| {
            node.component().unwrap_or(&node.info().r#type).to_owned()
        });
        self.list.push(Step {
            name: self.name(&at.node).to_owned(),
            node: at.node.to_string(),
            r#type,
            iteration: iteration(&at.rounds),
            state: State::Queued,
            started_ms: None,
            finished_ms: None,
            usage: None,
            error: None,
            why: None,
            inputs: Vec::new(),
            outputs: Vec::new(),
            calls: Vec::new(),
        });
        self.open.insert(at.clone(), self.list.len() - 1);
        Some(self.list.len() - 1)
    }

    /// An execution that is known to have begun by now.
    fn step(&mut self, at: &At, now: f64) -> Option<&mut Step> {
        let place = self.place(at)?;
        let step = self.list.get_mut(place)?;
        step.started_ms.get_or_insert(now);
        Some(step)
    }

    fn started(&mut self, at: &At, now: f64) {
        let inputs = self.inputs(at);
        if let Some(step) = self.step(at, now) {
            step.state = State::Running;
            step.why = None;
            step.inputs = inputs;
        }
    }

    fn finished(&mut self, at: &At, result: &NodeResult, now: f64) {
        let most = self.most(&at.node);
        for node in &result.inactivated {
            self.decided.insert(
                Arc::clone(node),
                (Arc::clone(&at.node), result.outputs.why.clone()),
            );
        }
        let began_here = self.open.contains_key(at);
        let Some(place) = self.place(at) else { return };
        let step = &mut self.list[place];
        step.started_ms.get_or_insert(now);
        if let Some(items) = &result.each {
            step.why = Some(rounds(items.len()));
            let shown = items.iter().take(MOST_ITEMS).map(|item| Shown::of(item, most));
            self.items.insert(at.clone(), shown.collect());
            return;
        }
        step.state = if result.reused { State::Reused } else { State::Done };
        step.finished_ms = Some(now);
        // What was taken over was paid for in another run.
        step.usage = result.outputs.usage.filter(|_| !result.reused).map(Spent::from);
        step.why = match (&result.outputs.why, result.reused, began_here) {
            (Some(why), ..) if !result.reused => Some(why.clone()),
            (_, true, true) => Some("it is frozen, so its last result was used".to_owned()),
            (_, true, false) => {
                Some("its result was taken over from the run this one was forked from".to_owned())
            }
            _ => None,
        };
        step.outputs = result
            .outputs
            .values
            .iter()
            .map(|(name, value)| Output {
                name: name.to_string(),
                r#type: kind(value),
                shown: Shown::of(value, most),
            })
            .collect();
        let done = self.finished.entry(Arc::clone(&at.node)).or_default();
        done.push((at.rounds.clone(), place));
    }

    fn skipped(&mut self, at: &At, skipped: Skipped) {
        let why = match skipped {
            Skipped::Inactive => match self.decided.get(&at.node) {
                Some((router, Some(why))) => format!("{} took another branch: {why}", self.name(router)),
                Some((router, None)) => format!("{} took another branch", self.name(router)),
                None => "its branch was not taken".to_owned(),
            },
            Skipped::Blocked => match self.culprit(&at.node) {
                Some(node) => format!("it needs {}, which failed", self.name(&node)),
                None => "something it needs failed".to_owned(),
            },
            Skipped::Cancelled => "the run was stopped before it began".to_owned(),
        };
        if let Some(step) = self.place(at).and_then(|place| self.list.get_mut(place)) {
            step.state = match skipped {
                Skipped::Cancelled => State::Cancelled,
                Skipped::Inactive | Skipped::Blocked => State::Skipped,
            };
            step.why = Some(why);
        }
    }

    /// The nearest node before this one that failed.
    fn culprit(&self, node: &str) -> Option<Arc<str>> {
        let plan = self.about.plan?;
        let mut seen = HashSet::new();
        let mut open = std::collections::VecDeque::from(plan.predecessors(node));
        while let Some(before) = open.pop_front() {
            if !seen.insert(before) {
                continue;
            }
            if self.failed.contains(before) {
                return Some(Arc::clone(before));
            }
            open.extend(plan.predecessors(before));
        }
        None
    }

    fn variable(&mut self, at: &At, field: Option<&str>, name: &str, value: Option<&Kept>) {
        let most = self.most(&at.node);
        let Some(place) = self.open.get(at).copied() else {
            return;
        };
        let shown = value.map_or(Shown::SECRET, |value| {
            let mut shown = Shown::text(&value.text, most);
            (shown.bytes, shown.cut) = (value.bytes, shown.cut || value.cut);
            shown
        });
        let inputs = &mut self.list[place].inputs;
        let known = inputs
            .iter_mut()
            .find(|input| input.source == Source::Variable && input.field == field.unwrap_or(name));
        match known {
            Some(input) => (input.from, input.shown) = (Some(name.to_owned()), shown),
            None => inputs.push(Input {
                field: field.unwrap_or(name).to_owned(),
                label: field.unwrap_or(name).to_owned(),
                source: Source::Variable,
                from: Some(name.to_owned()),
                shown,
            }),
        }
    }

    fn called(&mut self, at: &At, call: &ModelCall) {
        let most = self.most(&at.node);
        let started = self.millis(call.began);
        let Some(place) = self.open.get(at).copied() else {
            return;
        };
        self.list[place].calls.push(Call {
            provider: call.provider.clone(),
            model: call.model.clone(),
            started_ms: started,
            finished_ms: started + call.duration_us as f64 / 1000.0,
            request: Shown::kept(&call.request, most),
            response: Shown::kept(&call.answer, most),
            usage: call.usage.map(Spent::from),
            error: call.error.clone(),
        });
    }
}

/// Items of a loop whose values are shown in its rounds.
const MOST_ITEMS: usize = 1000;

fn rounds(items: usize) -> String {
    match items {
        1 => "one item, so one round".to_owned(),
        many => format!("{many} items, so {many} rounds"),
    }
}

/// `2` in the second round of a loop, `2.1` in the first round of a loop inside it.
fn iteration(rounds: &[u32]) -> Option<String> {
    let rounds: Vec<String> = rounds
        .iter()
        .map(|round| u64::from(*round).saturating_add(1).to_string())
        .collect();
    (!rounds.is_empty()).then(|| rounds.join("."))
}
