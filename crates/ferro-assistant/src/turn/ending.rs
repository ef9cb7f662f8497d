//! How a turn ends: with what is said about it, which is what happened and not what the model claims.

use ferro_agent::{AgentError, Stopped};
use ferro_model::read::{Flow, read};

use super::desk::Desk;
use super::flags::own_words;
use super::pipeline::Pipeline;
use super::{End, Intent, Outcome, PLAN_LEAD, PastTurn};
use crate::conflicts::{Counts, conflicts};
use crate::event::{AssistEvent, Completed, Conflict, ErrorDetail, TurnUsage};
use crate::friendly::{deepest_cause, friendly_error};
use crate::host::HostError;
use crate::sanitise::offends;
use crate::tools::secrets::without_keys_in;
use crate::work::MAX_TOOL_CALLS;

/// What a model says that says nothing.
const SILENT: &str = "The model gave no answer. Ask again, or choose another model.";

/// The list of all of them comes with the event.
const SHOWN_CHANGES: usize = 10;

/// Why a turn did not come to its end.
pub(super) struct Failure {
    message: String,
    /// For metrics.
    kind: &'static str,
    step: &'static str,
    tool: Option<String>,
    cause: String,
    advice: String,
}

impl Failure {
    pub(super) fn of(error: &AgentError, step: &'static str) -> Self {
        let (kind, tool, cause) = match error {
            AgentError::Model(error) => {
                let cause = if error.cause.is_empty() {
                    &error.message
                } else {
                    &error.cause
                };
                (error.class.as_str(), None, cause.clone())
            }
            AgentError::Iterations { .. } => ("iterations", None, error.to_string()),
            AgentError::Malformed { tool, .. } => {
                ("malformed_tool_call", Some(tool.clone()), error.to_string())
            }
            AgentError::Tool { tool, message } => ("tool", Some(tool.clone()), message.clone()),
            AgentError::Shape { .. } => ("shape", None, error.to_string()),
        };
        Self {
            message: friendly_error(error),
            kind,
            step,
            tool,
            cause: deepest_cause(&cause),
            advice: error.advice().to_owned(),
        }
    }

    pub(super) fn host(error: HostError) -> Self {
        Self {
            message: error.to_string(),
            kind: "host",
            step: "starting",
            tool: None,
            cause: String::new(),
            advice: "Try again; if it stays so, look at the server's log.".to_owned(),
        }
    }
}

impl Pipeline {
    /// Answered without asking the main model. Not remembered: there is nothing to come back to.
    pub(super) fn refuse(self, intent: Option<Intent>, text: &str) -> Outcome {
        let completed = Completed {
            result: text.to_owned(),
            ..Completed::default()
        };
        self.end(intent, completed, None)
    }

    /// Fills in what really happened, and ends.
    pub(super) async fn complete(
        self,
        intent: Option<Intent>,
        mut completed: Completed,
        desk: Option<&Desk>,
    ) -> Outcome {
        let silent = completed.result.trim().is_empty();
        if silent {
            SILENT.clone_into(&mut completed.result);
        } else if offends(&completed.result) {
            Self::content_refusal().clone_into(&mut completed.result);
        }
        if let Some(desk) = desk {
            let work = &desk.work;
            completed.changes = work.changes();
            let files = work.files();
            completed
                .changes
                .extend(files.iter().map(|path| format!("Wrote the file {path}.")));
            completed.conflicts = self.conflicts(desk).await;
            completed.restore_version_id = work.restore_version();
            completed.run_metrics = work.last_run().map(|run| run.metrics);
            completed.usage = sum(completed.usage, work.run_usage());
        }
        let mut record = PastTurn {
            user: without_keys_in(own_words(&self.turn.request.input)),
            assistant: without_keys_in(&completed.result),
        };
        // Whoever approves of a plan, in the next turn, says no more than that.
        if let Some(plan) = desk.and_then(|desk| desk.work.plan()) {
            record.assistant.push_str(&format!("\n\n{PLAN_LEAD}\n{plan}"));
        }
        let failed = completed.validated == Some(false);
        let outcome = self.end(intent, completed, desk);
        Outcome {
            // A component that nobody could write is nothing to come back to.
            record: (!silent && !failed).then_some(record),
            ..outcome
        }
    }

    fn end(self, intent: Option<Intent>, mut completed: Completed, desk: Option<&Desk>) -> Outcome {
        tracing::info!(
            session_id = self.turn.request.session_id,
            "flow_builder.working_flow.reset"
        );
        completed.intent = intent.map(|intent| intent.as_str().to_owned());
        completed.usage = sum(completed.usage, self.model.usage());
        completed.notices.extend(self.model.notices());
        let (provider, model) = self.model.used();
        completed.provider = Some(provider);
        completed.model_name = Some(model);
        completed.rehearsal = self.turn.model.rehearsal;
        completed.duration_seconds = self.account.seconds();
        let attempts = completed.validation_attempts.or(completed.verification_attempts);
        self.account.completed(completed.validated, attempts.unwrap_or(1));
        self.out.say(AssistEvent::Complete {
            data: Box::new(completed.clone()),
        });
        Outcome {
            intent,
            end: End::Completed(Box::new(completed)),
            record: None,
            changed: desk.and_then(|desk| desk.work.changed()),
        }
    }

    pub(super) fn fail(self, intent: Option<Intent>, failure: Failure, desk: Option<&Desk>) -> Outcome {
        let mut message = self.model.exhausted().unwrap_or(failure.message);
        let changes = desk.map(|desk| desk.work.changes()).unwrap_or_default();
        if self.turn.request.headless {
            message = format!("{message} Nothing was saved.");
        } else if !changes.is_empty() {
            message = format!("{message} Done before it failed: {}", listed(&changes));
        }
        let secretless = |text: String| desk.map_or(text.clone(), |desk| desk.without_secrets(&text));
        let cause =
            Some(secretless(failure.cause)).filter(|cause| self.turn.request.admin && !cause.is_empty());
        let component = failure.tool.as_ref().and_then(|_| desk?.component_id());
        let detail = ErrorDetail {
            step: failure.step.to_owned(),
            component_id: component,
            tool: failure.tool,
            raw_cause: cause,
            recommendation: Some(failure.advice).filter(|advice| !advice.is_empty()),
            restore_version_id: desk.and_then(|desk| desk.work.restore_version()),
        };
        self.account.failed(failure.kind, &message);
        self.out.say(AssistEvent::Error {
            message: message.clone(),
            detail: Some(detail.clone()),
        });
        Outcome {
            intent,
            end: End::Failed { message, detail },
            record: None,
            changed: desk.and_then(|desk| desk.work.changed()),
        }
    }

    /// What somebody else did to the flow meanwhile.
    async fn conflicts(&self, desk: &Desk) -> Vec<Conflict> {
        let Some(canvas) = &self.turn.canvas else {
            return Vec::new();
        };
        let Some(changed) = desk.work.changed() else {
            return Vec::new();
        };
        match self.turn.host.saved().await {
            Ok(Some(saved)) => {
                let counts = if desk.proposes() {
                    Counts::Theirs
                } else {
                    Counts::Ours
                };
                let mut found = conflicts(&canvas.data, &changed.data, &saved, counts);
                if !found.is_empty() {
                    let saved = read(&saved);
                    found.retain(|conflict| !is_own(desk, &saved, conflict));
                }
                found
            }
            Ok(None) => Vec::new(),
            Err(error) => {
                tracing::warn!(%error, "assistant.conflicts: the saved flow cannot be read");
                Vec::new()
            }
        }
    }
}

/// What is saved is what the turn itself said before it said something else: the page was quick.
fn is_own(desk: &Desk, saved: &Flow<'_>, conflict: &Conflict) -> bool {
    let Some(field) = &conflict.field else {
        return false;
    };
    let node = saved.nodes.iter().find(|node| node.id == conflict.component_id);
    let value = node.and_then(|node| node.field(field)?.to_value());
    value.is_some_and(|value| desk.work.told_value(&conflict.component_id, field, &value))
}

/// A turn that may not go on is over but did not fail: what it says then. `None` for real failures.
pub(super) fn out_of_rounds(stopped: &Stopped, desk: &Desk) -> Option<String> {
    let why = match &stopped.error {
        AgentError::Iterations { limit, done } => {
            format!("I stopped after {limit} rounds of using tools without finishing ({done}).")
        }
        AgentError::Tool { .. } if desk.work.tool_calls() >= MAX_TOOL_CALLS => {
            format!("I stopped after using tools {MAX_TOOL_CALLS} times in this turn without finishing.")
        }
        AgentError::Model(error) if desk.model.spent() => {
            let mut letters = error.message.chars();
            let first = letters.next().map(|first| first.to_uppercase().to_string());
            format!("{}{}.", first.unwrap_or_default(), letters.as_str())
        }
        _ => return None,
    };
    let changes = desk.work.changes();
    let done = if changes.is_empty() {
        "Nothing was changed.".to_owned()
    } else {
        format!("Done so far: {}", listed(&changes))
    };
    let said = stopped.text.trim();
    let gap = if said.is_empty() { "" } else { "\n\n" };
    Some(format!(
        "{said}{gap}{why} {done} Write \"continue\" to go on, or ask for a smaller step."
    ))
}

/// Changes in one text; the last ones are counted where there are many.
pub(super) fn listed(changes: &[String]) -> String {
    let shown = changes.iter().take(SHOWN_CHANGES).map(String::as_str);
    let mut text = shown.collect::<Vec<_>>().join(" ");
    let more = changes.len().saturating_sub(SHOWN_CHANGES);
    if more > 0 {
        text.push_str(&format!(" And {more} more."));
    }
    text
}

pub(super) fn sum(one: TurnUsage, other: TurnUsage) -> TurnUsage {
    TurnUsage {
        input_tokens: one.input_tokens.saturating_add(other.input_tokens),
        output_tokens: one.output_tokens.saturating_add(other.output_tokens),
        total_tokens: one.total_tokens.saturating_add(other.total_tokens),
    }
}
