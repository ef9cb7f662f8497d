//! How a run ends before its time.

use std::collections::HashSet;
use std::time::Duration;

use futures_util::StreamExt as _;

use super::Driver;
use crate::event::{Body, RunStatus, Skipped};
use crate::failure::{Cause, Failure};
use crate::state::Command;

/// How long nodes have for that; people who press Stop do not wait longer.
const LAST_WORDS: Duration = Duration::from_millis(150);

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    Cancelled,
    TimedOut,
    /// It waits for a person and nobody can answer.
    Unanswered,
    /// Nothing is under way and not everything is decided: no order of these nodes exists.
    Stuck,
}

impl Driver {
    pub(super) fn stop(&mut self, stop: Stop) -> RunStatus {
        self.running.clear();
        self.starting.clear();
        self.done.clear();
        let (status, failure) = self.reason(stop);
        if stop == Stop::Stuck {
            for node in self.state.stuck() {
                let at = self.state.at(node);
                if self.skipped.contains(&at) {
                    continue;
                }
                self.journal.push(Body::NodeSkipped {
                    at,
                    why: Skipped::Blocked,
                });
            }
        } else {
            self.cut_off(stop);
        }
        self.failure = failure.or_else(|| self.failure.take());
        status
    }

    fn reason(&self, stop: Stop) -> (RunStatus, Option<Failure>) {
        match stop {
            Stop::Cancelled => (RunStatus::Cancelled, None),
            Stop::TimedOut => {
                let limit = self.limits.run.as_secs();
                let failure = Failure::new(Cause::Timeout, format!("the run took longer than {limit} s"))
                    .advice("Give it more time, or run it in the background.");
                (RunStatus::TimedOut, Some(failure))
            }
            Stop::Unanswered => {
                let failure =
                    Failure::unavailable("the run waits for a person's answer, and nobody here can give one")
                        .advice("Run it where somebody can answer.");
                (RunStatus::Failed, Some(failure))
            }
            Stop::Stuck => {
                let stuck = self.state.stuck();
                let named = stuck
                    .iter()
                    .take(10)
                    .map(|&node| self.plan.nodes[node as usize].info.display_name.as_str());
                let names = named.collect::<Vec<_>>().join(", ");
                let failure = Failure::new(Cause::Input, format!("these nodes wait for each other: {names}"))
                    .advice("Follow the wires between them and remove the one that leads back.");
                (RunStatus::Failed, Some(failure))
            }
        }
    }

    /// Nodes under way hear that the run stops and may say what they have, such as an answer that was being written.
    /// Whoever takes longer is cut off.
    pub(super) async fn hear_last_words(&mut self) {
        self.cancel.cancel();
        let all = async { while self.running.next().await.is_some() {} };
        // Whether they were done in time makes no difference to what follows.
        let _ = tokio::time::timeout(LAST_WORDS, all).await;
    }

    /// Says first that the run stops: whoever goes on from this log must not take up what was cut off.
    fn cut_off(&mut self, stop: Stop) {
        let left = self.queue.drain(..).chain(self.parked.drain(..));
        let not_begun: HashSet<u32> = left
            .filter_map(|command| match command {
                Command::Run { node, .. } | Command::Reuse { node, .. } => Some(node),
                _ => None,
            })
            .collect();
        let mut skipped = Vec::new();
        if !self.state.is_cancelled() {
            skipped = self.tell(Body::CancelRequested);
        }
        let (cause, message) = match stop {
            Stop::TimedOut => (Cause::Timeout, "the run ran out of time"),
            _ => (Cause::Cancelled, "the run was stopped"),
        };
        for node in self.state.open_nodes() {
            let at = self.state.at(node);
            if !not_begun.contains(&node) {
                let failure = Failure::new(cause, message);
                let usage = self.journal.spent(&at);
                if let Some(usage) = usage {
                    *self.usage.get_or_insert_default() += usage;
                }
                self.tell(Body::NodeFailed {
                    at,
                    failure,
                    duration_us: 0,
                    usage,
                });
            } else if !self.skipped.contains(&at) {
                self.journal.push(Body::NodeSkipped {
                    at,
                    why: Skipped::Cancelled,
                });
            }
        }
        for command in skipped {
            if matches!(command, Command::Skip { .. }) {
                self.perform(command);
            }
        }
    }
}
