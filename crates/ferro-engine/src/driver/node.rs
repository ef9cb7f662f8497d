//! One node: from a command to a call, and from its outcome to an event.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use futures_util::FutureExt as _;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::replay::by_itself;
use super::variables::with_variables;
use super::{Done, Driver, micros};
use crate::call::Call;
use crate::component::{Outcome, Outputs, Question, Step};
use crate::context::Context;
use crate::event::{At, Body, NodeResult, Skipped};
use crate::failure::{Cause, Failure};
use crate::plan::PlanNode;
use crate::state::{Broken, Command, Given};
use crate::tools::{TOOL_OUTPUT, toolkit};
use crate::value::{Usage, Value, weigh};

/// Work to be done, and how it is told to stop.
pub(super) struct Task {
    pub node: u32,
    /// It runs only for what it had lost.
    pub revived: bool,
    pub stop: CancellationToken,
}

impl Driver {
    pub(super) fn perform(&mut self, command: Command) -> Vec<Command> {
        match command {
            Command::Run { node, given } => self.run_node(node, given),
            Command::Reuse { node, outputs } => {
                let at = self.state.at(node);
                let result = NodeResult {
                    outputs,
                    reused: true,
                    ..NodeResult::default()
                };
                self.finish(at, result)
            }
            Command::Skip { at, why, .. } => {
                self.journal.push(Body::NodeSkipped { at, why });
                Vec::new()
            }
            Command::Round { at, round, of } => {
                self.journal.push(Body::RoundStarted { at, round, of });
                Vec::new()
            }
            Command::Break { at, why } => self.break_off(at, why),
            Command::Finish => {
                self.finished = true;
                Vec::new()
            }
        }
    }

    fn run_node(&mut self, node: u32, given: Given) -> Vec<Command> {
        if let Some(commands) = self.park(node, &given) {
            return commands;
        }
        let began = Instant::now();
        let at = self.state.at(node);
        let attempt = self.attempts.remove(&node).unwrap_or(1);
        self.journal.push(Body::NodeStarted { at, attempt });
        let planned = &self.plan.nodes[node as usize];
        if let Some(outputs) = self.thawed(planned) {
            let at = self.state.at(node);
            let result = NodeResult {
                outputs,
                duration_us: micros(began),
                reused: true,
                ..NodeResult::default()
            };
            return self.finish(at, result);
        }
        let context = self.context_of(node);
        let stop = context.cancel.clone();
        match self.step(node, given, context) {
            Ok(Step::Now(outcome)) => self.complete(node, began, outcome),
            Ok(Step::Later(work)) => {
                let task = Task {
                    node,
                    revived: false,
                    stop,
                };
                self.enqueue(task, work);
                Vec::new()
            }
            Err(failure) => self.complete(node, began, Err(failure)),
        }
    }

    /// The run as a node sees it.
    pub(super) fn context_of(&self, node: u32) -> Context {
        let planned = &self.plan.nodes[node as usize];
        let mut context = self.context.at(&planned.id, self.state.rounds(node));
        context.cancel = self.cancel.child_token();
        if self.usage.is_some()
            && planned
                .entry
                .as_ref()
                .is_ok_and(|entry| entry.descriptor.is_output)
        {
            context.upstream = self.usage_before(node);
        }
        context
    }

    /// Calls the component. `Err` when it cannot run here.
    pub(super) fn step(&self, node: u32, given: Given, context: Context) -> Result<Step, Failure> {
        let planned = &self.plan.nodes[node as usize];
        let entry = planned.entry.as_ref().map_err(Failure::clone)?;
        let call = Call {
            node: Arc::clone(&planned.info),
            literals: Arc::clone(&planned.literals),
            overrides: self.overrides.of(node),
            wired: self.state.inputs(node),
            absent: Vec::new(),
            wanted: Arc::clone(&planned.wanted),
            cx: context,
            answer: given.answer,
            memory: given.memory.map(Arc::unwrap_or_clone),
            collected: given.collected,
            round: self.state.cycle_round(node),
        };
        for field in &planned.secrets {
            if let Some(value) = call.get(field) {
                self.journal.hide(&value.to_text());
            }
        }
        let named = self.overrides.variables_of(node);
        if planned
            .variables
            .iter()
            .chain(named)
            .any(|variable| !call.is_set(&variable.field))
        {
            let (plan, entry) = (Arc::clone(&self.plan), entry.clone());
            let (journal, named) = (Arc::clone(&self.journal), named.to_vec());
            return Ok(Step::later(async move {
                let planned = &plan.nodes[node as usize];
                let call = with_variables(named.iter().chain(&planned.variables), call, &journal).await?;
                match step(&entry, planned, call) {
                    Step::Now(outcome) => outcome,
                    Step::Later(work) => work.await,
                }
            }));
        }
        let made = catch_unwind(AssertUnwindSafe(|| step(entry, planned, call)));
        Ok(made.unwrap_or_else(|_| Step::Now(Err(panicked()))))
    }

    pub(super) fn enqueue(
        &mut self,
        task: Task,
        work: impl Future<Output = Result<Outcome, Failure>> + Send + 'static,
    ) {
        let limit = self.limits.node;
        self.starting.push_back(Box::pin(async move {
            let began = Instant::now();
            let guarded = AssertUnwindSafe(work).catch_unwind();
            let outcome = match tokio::time::timeout(limit, guarded).await {
                Ok(Ok(outcome)) => outcome,
                Ok(Err(_)) => Err(panicked()),
                Err(_) => {
                    // Reaches what the work left running elsewhere, such as a thread.
                    task.stop.cancel();
                    Err(Failure::new(
                        Cause::Timeout,
                        format!("it took longer than {} s", limit.as_secs()),
                    )
                    .advice("Give the node less to do, or raise the limit."))
                }
            };
            Done {
                node: task.node,
                began,
                outcome,
                revived: task.revived,
            }
        }));
    }

    /// What a frozen node produced last time.
    fn thawed(&self, node: &PlanNode) -> Option<Outputs> {
        if !node.frozen || node.loop_output.is_some() {
            return None;
        }
        self.context.host.frozen(&node.id)
    }

    pub(super) fn complete(
        &mut self,
        node: u32,
        began: Instant,
        outcome: Result<Outcome, Failure>,
    ) -> Vec<Command> {
        let at = self.state.at(node);
        let mut result = NodeResult {
            duration_us: micros(began),
            ..NodeResult::default()
        };
        let outcome = outcome.and_then(|outcome| self.within_limits(outcome));
        match outcome {
            Ok(Outcome::Done(mut outputs)) => {
                if let Some(spent) = self.journal.spent(&at) {
                    outputs.usage = Some(outputs.usage.unwrap_or_default().at_least(spent));
                }
                let planned = &self.plan.nodes[node as usize];
                let lasts = outputs.values.iter().all(|(_, value)| value.is_recordable());
                if planned.frozen && planned.loop_output.is_none() && lasts {
                    self.context.host.freeze(&planned.id, &outputs);
                }
                if let Some(usage) = outputs.usage {
                    *self.usage.get_or_insert_default() += usage;
                }
                result.outputs = outputs;
                self.finish(at, result)
            }
            Ok(Outcome::Each(items)) => {
                result.each = Some(items);
                self.finish(at, result)
            }
            Ok(Outcome::Ask(question)) => self.ask(at, question),
            Err(failure) => self.fail(at, failure, result.duration_us),
        }
    }

    fn within_limits(&self, outcome: Outcome) -> Result<Outcome, Failure> {
        match &outcome {
            Outcome::Done(outputs) => {
                let weight: usize = outputs.values.iter().map(|(_, value)| value.weight()).sum();
                if weight > self.limits.output {
                    let (megabytes, limit) = (weight >> 20, self.limits.output >> 20);
                    return Err(
                        Failure::limit(format!("it put out {megabytes} MB; {limit} MB is the most"))
                            .advice("Split the work, or pass files instead of their contents."),
                    );
                }
            }
            Outcome::Each(items) if items.len() > self.limits.items => {
                return Err(Failure::limit(format!(
                    "the loop has {} items; {} is the most",
                    items.len(),
                    self.limits.items
                )));
            }
            Outcome::Ask(Question {
                state: Some(state), ..
            }) if weigh(state) > self.limits.output => {
                let (megabytes, limit) = (weigh(state) >> 20, self.limits.output >> 20);
                return Err(Failure::limit(format!(
                    "it must remember {megabytes} MB while it waits for an answer; {limit} MB is the most"
                ))
                .advice("Pass files instead of their contents, or give it less to remember."));
            }
            _ => {}
        }
        Ok(outcome)
    }

    fn finish(&mut self, at: At, mut result: NodeResult) -> Vec<Command> {
        // Taken in before it is written, to know what it made inactive; nothing awaits in between.
        let mut body = Body::NodeFinished {
            at,
            result: std::mem::take(&mut result),
        };
        let commands = self.state.on(&body);
        if let Body::NodeFinished { result, .. } = &mut body {
            let inactive = commands.iter().filter_map(|command| match command {
                Command::Skip {
                    node,
                    why: Skipped::Inactive,
                    ..
                } => Some(Arc::clone(&self.plan.nodes[*node as usize].id)),
                _ => None,
            });
            result.inactivated = inactive.collect();
        }
        self.journal.push(body);
        commands
    }

    fn fail(&mut self, at: At, failure: Failure, duration_us: u64) -> Vec<Command> {
        let failure = self.journal.masked(failure);
        let usage = self.journal.spent(&at);
        if let Some(usage) = usage {
            *self.usage.get_or_insert_default() += usage;
        }
        if self.failure.is_none() {
            self.failure = Some(self.named(&at, &failure));
        }
        self.tell(Body::NodeFailed {
            at,
            failure,
            duration_us,
            usage,
        })
    }

    /// The failure of a node as the failure of the run.
    pub(super) fn named(&self, at: &At, failure: &Failure) -> Failure {
        let name = self
            .plan
            .node(&at.node)
            .map_or("", |node| node.info().display_name.as_str());
        Failure {
            message: format!("{name}: {}", failure.message),
            ..failure.clone()
        }
    }

    pub(super) fn ask(&mut self, at: At, question: Question) -> Vec<Command> {
        let request_id = Uuid::now_v7();
        if let Some((after, answer)) = by_itself(&question) {
            self.timers.push((Instant::now() + after, request_id, answer));
        }
        self.tell(Body::Asked {
            at,
            request_id,
            question,
        })
    }

    fn break_off(&mut self, at: At, why: Broken) -> Vec<Command> {
        let name = |node: u32| &self.plan.nodes[node as usize].info.display_name;
        let mut failure = match why {
            Broken::BodyFailed { node, round } => Failure::new(
                Cause::Input,
                format!("round {} failed in {}", round + 1, name(node)),
            )
            .advice("Mend what failed there, or leave the item out."),
            Broken::BodyBlocked { node, round } => Failure::new(
                Cause::Input,
                format!(
                    "round {} could not be finished: {} needs a node that failed",
                    round + 1,
                    name(node)
                ),
            ),
            Broken::TooManyRounds { limit } => Failure::limit(format!(
                "the circle was gone through {limit} times without an end"
            ))
            .advice("Check the condition of the If-Else in it, or lower its Max Iterations."),
            Broken::NotAgain => Failure::new(
                Cause::Cancelled,
                "the program stopped while this node was acting, and it was decided not to do it again",
            ),
        };
        if let (Broken::BodyFailed { .. } | Broken::BodyBlocked { .. }, Some(first)) = (why, &self.failure) {
            failure.detail.clone_from(&first.message);
        }
        self.fail(at, failure, 0)
    }

    /// Tokens spent by everything that led to this node.
    fn usage_before(&self, node: u32) -> Option<Usage> {
        let before = self.plan.ancestors(node);
        let mut total: Option<Usage> = None;
        for (at, _) in (0_u32..).zip(&before).filter(|(_, before)| **before) {
            if let Some(usage) = self.state.outputs(at).and_then(|outputs| outputs.usage) {
                *total.get_or_insert_default() += usage;
            }
        }
        total
    }
}

fn step(entry: &crate::catalog::Entry, node: &PlanNode, call: Call) -> Step {
    if node.tool_mode && (call.wanted.is_empty() || call.wanted.iter().any(|name| &**name == TOOL_OUTPUT)) {
        let tools = toolkit(entry, &call);
        return Step::Now(Ok(Outputs::one(TOOL_OUTPUT, Value::Tools(tools.into()))));
    }
    entry.component.run(call)
}

fn panicked() -> Failure {
    Failure::new(Cause::Internal, "the component stopped unexpectedly")
        .advice("This is a mistake in Ferroflow; please report it.")
}
