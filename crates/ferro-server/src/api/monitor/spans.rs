//! What a log tells about each time a node ran.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use ferro_engine::{At, Body, Event, Failure, NodeResult, Usage};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::api::wire::{
    Meta, Moment, Rfc3339,
    components::{Broken, LogLine, Produced, Tokens},
    message::Ids,
    value::summary,
};

/// One time a node ran.
pub struct Execution<'e> {
    pub at: &'e At,
    pub id: String,
    /// Microseconds since 1970.
    pub started: i64,
    pub ended: i64,
    pub outcome: Outcome<'e>,
    pub logs: Vec<LogLine>,
    /// Spent before it failed.
    lost: Option<Usage>,
    /// The last model it asked, where the run keeps that.
    pub model: Option<&'e str>,
    /// What came in: each node before it, and a line about what that produced.
    pub inputs: BTreeMap<Arc<str>, String>,
    /// The execution of the loop around it, as a place in the list.
    pub parent: Option<usize>,
}

#[derive(Clone, Copy)]
pub enum Outcome<'e> {
    Open,
    Done(&'e NodeResult),
    Failed(&'e Failure),
}

impl<'e> Execution<'e> {
    fn new(event: &Event, at: &'e At) -> Self {
        Self {
            at,
            id: event.id.to_string(),
            started: event.at,
            ended: event.at,
            outcome: Outcome::Open,
            logs: Vec::new(),
            lost: None,
            model: None,
            inputs: BTreeMap::new(),
            parent: None,
        }
    }

    pub fn is_over(&self) -> bool {
        !matches!(self.outcome, Outcome::Open)
    }

    pub fn micros(&self) -> u64 {
        u64::try_from(self.ended - self.started).unwrap_or_default()
    }

    pub fn failure(&self) -> Option<&'e Failure> {
        match self.outcome {
            Outcome::Failed(failure) => Some(failure),
            _ => None,
        }
    }

    pub fn usage(&self) -> Option<Tokens> {
        match self.outcome {
            Outcome::Done(result) => result.outputs.usage.map(Tokens::from),
            Outcome::Failed(_) => self.lost.map(Tokens::from),
            Outcome::Open => None,
        }
    }

    /// `data` of a finished node in the build stream, as JSON.
    pub fn data(&self, meta: &Meta, ids: &Ids) -> Option<Box<RawValue>> {
        match self.outcome {
            Outcome::Open => None,
            Outcome::Done(result) => {
                let produced = Produced::new(&self.at.node, result, meta, ids, &self.logs);
                raw(&produced.built())
            }
            Outcome::Failed(failure) => {
                let node = meta.get(&self.at.node);
                raw(&Broken::new(node, failure, self.micros(), &self.logs))
            }
        }
    }

    /// Only its outputs, as JSON.
    pub fn outputs(&self, meta: &Meta, ids: &Ids) -> Option<Box<RawValue>> {
        let Outcome::Done(result) = self.outcome else {
            return None;
        };
        let produced = Produced::new(&self.at.node, result, meta, ids, &[]);
        raw(&produced.outputs())
    }

    pub fn start_time(&self) -> Rfc3339 {
        Rfc3339(Moment(self.started))
    }

    pub fn end_time(&self) -> Option<Rfc3339> {
        self.is_over().then_some(Rfc3339(Moment(self.ended)))
    }
}

pub fn raw(value: &impl Serialize) -> Option<Box<RawValue>> {
    serde_json::value::to_raw_value(value).ok()
}

/// In the order they began.
pub fn executions<'e>(events: &'e [Event], meta: &Meta) -> Vec<Execution<'e>> {
    let mut list: Vec<Execution<'e>> = Vec::new();
    let mut open: HashMap<&At, usize> = HashMap::new();
    let mut last: HashMap<&str, String> = HashMap::new();
    // By depth, the loop that goes round there now.
    let mut loops: Vec<Option<usize>> = Vec::new();
    for event in events {
        match &event.body {
            Body::NodeStarted { at, .. } => {
                begin(event, at, meta, (&mut list, &mut open), (&last, &loops));
            }
            Body::NodeFinished { at, result } if result.each.is_none() => {
                let place = begin(event, at, meta, (&mut list, &mut open), (&last, &loops));
                open.remove(at);
                finish(&mut list[place], event, Outcome::Done(result));
                if let Some((_, value)) = result.outputs.values.first() {
                    last.insert(&at.node, summary(value));
                }
            }
            Body::NodeFailed {
                at, failure, usage, ..
            } => {
                let place = begin(event, at, meta, (&mut list, &mut open), (&last, &loops));
                open.remove(at);
                finish(&mut list[place], event, Outcome::Failed(failure));
                list[place].lost = *usage;
            }
            Body::RoundStarted { at, .. } => {
                let depth = at.rounds.len();
                loops.truncate(depth);
                loops.resize(depth, None);
                loops.push(open.get(at).copied());
            }
            Body::ModelCalled { at, call } => {
                if let Some(place) = open.get(at) {
                    list[*place].model = Some(&call.model);
                }
            }
            Body::Log { node, name, message } => {
                let writer = list.iter_mut().rev().find(|one| one.at.node == *node);
                if let Some(writer) = writer {
                    writer.logs.push(LogLine::new(name, message, meta.limits));
                }
            }
            _ => {}
        }
    }
    list
}

type Lists<'l, 'e> = (&'l mut Vec<Execution<'e>>, &'l mut HashMap<&'e At, usize>);

/// The execution that is open there, or a new one: what was taken over from another run never began here.
fn begin<'e>(
    event: &Event,
    at: &'e At,
    meta: &Meta,
    (list, open): Lists<'_, 'e>,
    (last, loops): (&HashMap<&str, String>, &[Option<usize>]),
) -> usize {
    if let Some(place) = open.get(at) {
        return *place;
    }
    let mut execution = Execution::new(event, at);
    let depth = at.rounds.len();
    execution.parent = depth
        .checked_sub(1)
        .and_then(|depth| loops.get(depth).copied().flatten());
    let before = meta.get(&at.node).into_iter().flat_map(|node| &node.before);
    for node in before.filter_map(|place| meta.nodes().get(*place)) {
        if let Some(summary) = last.get(node.id.as_str()) {
            execution
                .inputs
                .insert(Arc::from(node.id.as_str()), summary.clone());
        }
    }
    list.push(execution);
    open.insert(at, list.len() - 1);
    list.len() - 1
}

fn finish<'e>(execution: &mut Execution<'e>, event: &Event, outcome: Outcome<'e>) {
    execution.ended = event.at;
    execution.outcome = outcome;
}
