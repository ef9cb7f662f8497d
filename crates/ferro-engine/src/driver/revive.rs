//! Making again what a run lost with the process that began it: model clients, tools. Nobody hears of it: as far
//! as the log is concerned, these nodes have finished.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::BoxFuture;

use super::Driver;
use super::node::Task;
use crate::component::{Outcome, Step};
use crate::context::Sink;
use crate::event::Body;
use crate::failure::{Cause, Failure};
use crate::state::{Command, Given};

impl Driver {
    /// Sets a node aside until what it needs has been made again. `None` when it needs nothing.
    pub(super) fn park(&mut self, node: u32, given: &Given) -> Option<Vec<Command>> {
        if !self.state.has_lost_values() {
            return None;
        }
        let lost = self.state.lost_before(node);
        if lost.is_empty() {
            return None;
        }
        self.parked.push(Command::Run {
            node,
            given: given.clone(),
        });
        let mut commands = Vec::new();
        for source in lost {
            if self.reviving.insert(source) {
                commands.extend(self.revive(source));
            }
        }
        Some(commands)
    }

    fn revive(&mut self, node: u32) -> Vec<Command> {
        let muted = Arc::new(Muted {
            heard: AtomicBool::new(false),
            sink: Arc::clone(&self.context.sink),
        });
        let mut context = self.context_of(node);
        context.sink = Arc::clone(&muted) as Arc<dyn Sink>;
        let task = Task {
            node,
            revived: true,
            stop: context.cancel.clone(),
        };
        let step = match self.step(node, Given::default(), context) {
            Ok(step) => step,
            Err(failure) => Step::Now(Err(failure)),
        };
        match step {
            Step::Now(outcome) => {
                muted.heard.store(true, Ordering::Release);
                self.revived(node, outcome)
            }
            Step::Later(work) => {
                self.enqueue(task, async move {
                    let outcome = work.await;
                    muted.heard.store(true, Ordering::Release);
                    outcome
                });
                Vec::new()
            }
        }
    }

    pub(super) fn revived(&mut self, node: u32, outcome: Result<Outcome, Failure>) -> Vec<Command> {
        self.reviving.remove(&node);
        let parked = std::mem::take(&mut self.parked);
        let failure = match outcome {
            Ok(Outcome::Done(outputs)) => {
                self.state.refill(node, &outputs);
                // They are looked at again: some may wait for more.
                return parked;
            }
            Ok(_) => Failure::new(Cause::Unavailable, "it did not produce it again"),
            Err(failure) => failure,
        };
        let name = &self.plan.nodes[node as usize].info.display_name;
        let failure = Failure {
            message: format!(
                "what {name} had made was lost when the program stopped, and could not be made again: {}",
                failure.message
            ),
            ..failure
        };
        let mut commands = Vec::new();
        for command in parked {
            match &command {
                Command::Run { node: waiting, .. } if self.state.lost_before(*waiting).contains(&node) => {
                    commands.extend(self.complete(
                        *waiting,
                        tokio::time::Instant::now(),
                        Err(failure.clone()),
                    ));
                }
                _ => commands.push(command),
            }
        }
        commands
    }
}

/// Lets nothing through until the value has been made; what is made may speak afterwards.
struct Muted {
    heard: AtomicBool,
    sink: Arc<dyn Sink>,
}

impl Sink for Muted {
    fn hide(&self, secret: &str) {
        self.sink.hide(secret);
    }

    fn masked(&self, failure: Failure) -> Failure {
        self.sink.masked(failure)
    }

    fn emit(&self, body: Body) {
        if self.heard.load(Ordering::Acquire) {
            self.sink.emit(body);
        }
    }

    fn settle(&self, body: Body) -> BoxFuture<'_, Result<(), Failure>> {
        if self.heard.load(Ordering::Acquire) {
            return self.sink.settle(body);
        }
        Box::pin(async {
            Err(Failure::new(
                Cause::Unavailable,
                "it changes something outside, which must not happen twice",
            ))
        })
    }
}
