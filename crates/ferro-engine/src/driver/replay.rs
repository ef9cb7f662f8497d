//! Going on from a log: what is finished there stays finished.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use serde_json::json;
use tokio::time::Instant;
use uuid::Uuid;

use super::Driver;
use crate::component::{Answer, Question};
use crate::context::now;
use crate::event::{At, Body, Event};
use crate::plan::{Plan, RegionKind};
use crate::state::{AGAIN, Command, EFFECT_UNKNOWN};

/// What a log tells about executions, beside what the state makes of it.
#[derive(Default)]
struct Past {
    planned: bool,
    /// Begun and not ended, with the number of the attempt.
    begun: HashMap<At, u32>,
    /// About to change the outside world and not ended.
    effects: HashSet<At>,
    /// Questions whether to repeat such a change.
    doubts: HashMap<Uuid, At>,
    /// Questions that answer themselves: when, and how.
    timers: Vec<(i64, Uuid, Answer)>,
    skipped: HashSet<At>,
    rounds: HashSet<(At, u32)>,
    failed: HashSet<At>,
}

impl Past {
    fn take(&mut self, event: &Event) {
        match &event.body {
            Body::Planned { .. } => self.planned = true,
            Body::NodeStarted { at, attempt } => {
                self.begun.insert(at.clone(), *attempt);
            }
            Body::EffectStarted { at } => {
                self.effects.insert(at.clone());
            }
            Body::NodeFinished { at, .. } => self.ended(at),
            Body::NodeFailed { at, .. } => {
                self.ended(at);
                self.failed.insert(at.clone());
            }
            Body::NodeSkipped { at, .. } => {
                self.skipped.insert(at.clone());
            }
            Body::RoundStarted { at, round, .. } => {
                self.rounds.insert((at.clone(), *round));
            }
            Body::Asked {
                at,
                request_id,
                question,
            } => {
                if question.kind == EFFECT_UNKNOWN {
                    self.doubts.insert(*request_id, at.clone());
                } else {
                    self.ended(at);
                }
                if let Some((after, answer)) = by_itself(question) {
                    let after = i64::try_from(after.as_micros()).unwrap_or(i64::MAX);
                    self.timers
                        .push((event.at.saturating_add(after), *request_id, answer));
                }
            }
            Body::Answered { request_id, .. } => {
                if let Some(at) = self.doubts.remove(request_id) {
                    self.effects.remove(&at);
                }
            }
            _ => {}
        }
    }

    fn ended(&mut self, at: &At) {
        self.begun.remove(at);
        self.effects.remove(at);
    }
}

/// The answer a question gives itself, and after how long.
pub(super) fn by_itself(question: &Question) -> Option<(Duration, Answer)> {
    let after = Duration::from_millis(question.timeout_ms?);
    let answer = Answer {
        action_id: question.fallback.clone()?,
        ..Answer::default()
    };
    Some((after, answer))
}

impl Driver {
    pub(super) fn go_on(&mut self, history: Vec<Event>) -> Vec<Command> {
        if let (Some(first), Some(last)) = (history.first(), history.last()) {
            self.before_us = u64::try_from(last.at - first.at).unwrap_or_default();
        }
        let mut commands = self.state.start();
        let first = commands.clone();
        let mut past = Past::default();
        for event in history {
            past.take(&event);
            match &event.body {
                Body::NodeFinished { result, .. } => {
                    if let Some(usage) = result.outputs.usage {
                        *self.usage.get_or_insert_default() += usage;
                    }
                }
                Body::NodeFailed {
                    at, failure, usage, ..
                } => {
                    if let Some(usage) = usage {
                        *self.usage.get_or_insert_default() += *usage;
                    }
                    if self.failure.is_none() {
                        self.failure = Some(self.named(at, failure));
                    }
                }
                _ => {}
            }
            commands.extend(self.state.on(&event.body));
        }
        self.journal.push(Body::Resumed);
        if !past.planned {
            self.planned(&first);
        }
        let mut unfinished = self.unfinished(commands, &past);
        self.skipped = std::mem::take(&mut past.skipped);
        let mut asked = Vec::new();
        unfinished.retain(|command| {
            let Command::Run { node, .. } = command else {
                return true;
            };
            let at = self.state.at(*node);
            // Only what had begun is a second attempt.
            if let Some(attempt) = past.begun.get(&at) {
                self.attempts.insert(*node, attempt + 1);
            }
            let doubtful = past.effects.contains(&at);
            if doubtful {
                asked.push(at);
            }
            !doubtful
        });
        for at in asked {
            let name = self
                .plan
                .node(&at.node)
                .map_or("", |node| node.info().display_name.as_str());
            let question = doubt(name);
            unfinished.extend(self.ask(at, question));
        }
        for (when, request_id, answer) in past.timers {
            if self.state.waits_for(&request_id) {
                let left = Duration::from_micros(u64::try_from(when - now()).unwrap_or_default());
                self.timers.push((Instant::now() + left, request_id, answer));
            }
        }
        unfinished
    }

    /// Of all that the state ever asked for, what still has to be done: executions that have no end, and what
    /// was not told before the log broke off.
    fn unfinished(&self, commands: Vec<Command>, past: &Past) -> Vec<Command> {
        let open: HashSet<u32> = self.state.running_nodes().into_iter().collect();
        let mut last: HashMap<u32, usize> = HashMap::new();
        for (place, command) in commands.iter().enumerate() {
            if let Command::Run { node, .. } | Command::Reuse { node, .. } = command {
                last.insert(*node, place);
            }
        }
        let keep = |place: usize, command: &Command| match command {
            Command::Run { node, .. } | Command::Reuse { node, .. } => {
                open.contains(node) && last[node] == place
            }
            Command::Break { at, .. } => !past.failed.contains(at),
            Command::Skip { at, .. } => !past.skipped.contains(at),
            Command::Round { at, round, .. } => !past.rounds.contains(&(at.clone(), *round)),
            Command::Finish => true,
        };
        let kept = commands
            .into_iter()
            .enumerate()
            .filter(|(place, command)| keep(*place, command));
        kept.map(|(_, command)| command).collect()
    }
}

fn doubt(name: &str) -> Question {
    Question {
        kind: EFFECT_UNKNOWN.to_owned(),
        prompt: format!(
            "The program stopped while {name} was changing something outside. It is not known whether that happened. Do it again?"
        ),
        options: vec![
            json!({ "id": AGAIN, "label": "Do it again" }),
            json!({ "id": "stop", "label": "Do not, and fail this branch" }),
        ],
        ..Question::default()
    }
}

/// What a fork takes over: results of finished nodes that do not come after `from`. A cycle or the body of a loop
/// is run as a whole or not at all.
pub fn reusable(plan: &Plan, history: &[Event], from: Option<&str>) -> HashMap<String, crate::Outputs> {
    let after = from
        .and_then(|id| plan.index.get(id))
        .map(|&node| plan.descendants(node));
    let mut taken = HashMap::new();
    for event in history {
        let Body::NodeFinished { at, result } = &event.body else {
            continue;
        };
        let Some(&node) = plan.index.get(&at.node) else {
            continue;
        };
        let planned = &plan.nodes[node as usize];
        let comes_after = after.as_ref().is_some_and(|after| after[node as usize]);
        let whole = at.rounds.is_empty() && result.each.is_none() && result.live.is_empty();
        // What its body left behind is not among the loop's own outputs.
        let leaves = planned
            .body
            .is_some_and(|body| !plan.regions[body as usize].exits.is_empty());
        if whole && !comes_after && !leaves && plan.regions[planned.region as usize].kind == RegionKind::Whole
        {
            taken.insert(at.node.to_string(), result.outputs.clone());
        }
    }
    taken
}
