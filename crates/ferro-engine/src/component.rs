//! `Component`: what a node does when it runs. Implemented once per type, shared by every node of it.

use std::borrow::Cow;

use ferro_model::Descriptor;
use futures_util::future::BoxFuture;
use serde_json::Value as Json;

use crate::call::Call;
use crate::failure::Failure;
use crate::value::{Usage, Value};

pub trait Component: Send + Sync + 'static {
    /// What it is. Asked once, when the catalogue is made.
    fn descriptor(&self) -> Descriptor;

    /// Does the work. Answer `Step::Now` only when it takes microseconds: it runs on the scheduler's own thread.
    fn run(&self, call: Call) -> Step;

    /// A field with `refresh` was set to `value`: shows, hides and fills in what depends on it. `node` is the
    /// node's JSON (`data.node`) in which the value has been set already.
    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        let _ = (node, field, value);
        Ok(())
    }
}

/// The work, done or to be awaited.
pub enum Step {
    Now(Result<Outcome, Failure>),
    Later(BoxFuture<'static, Result<Outcome, Failure>>),
}

impl Step {
    pub fn later(work: impl Future<Output = Result<Outcome, Failure>> + Send + 'static) -> Self {
        Self::Later(Box::pin(work))
    }

    /// Work that keeps a processor busy for longer than a moment.
    pub fn busy(work: impl FnOnce() -> Result<Outcome, Failure> + Send + 'static) -> Self {
        Self::later(async move {
            match tokio::task::spawn_blocking(work).await {
                Ok(outcome) => outcome,
                Err(error) => Err(Failure::new(
                    crate::failure::Cause::Internal,
                    format!("the component stopped unexpectedly: {error}"),
                )),
            }
        })
    }
}

impl From<Result<Outcome, Failure>> for Step {
    fn from(outcome: Result<Outcome, Failure>) -> Self {
        Self::Now(outcome)
    }
}

#[derive(Clone, Debug)]
pub enum Outcome {
    Done(Outputs),
    /// Runs what hangs on `item` once for each of these, one after the other. Then the component is called again
    /// with [`Call::collected`].
    Each(Vec<Value>),
    /// Waits for a person. Then the component is called again with [`Call::answer`], and may ask once more.
    Ask(Question),
}

/// What a node produced.
#[derive(Clone, Debug, Default)]
pub struct Outputs {
    pub values: Vec<(Cow<'static, str>, Value)>,
    /// Outputs whose branch is not taken.
    pub stopped: Vec<Cow<'static, str>>,
    /// What the node shows on the canvas; the first output's value when there is none.
    pub status: Option<Json>,
    /// Tokens spent on it.
    pub usage: Option<Usage>,
    /// Why it chose the branch it chose, in one sentence.
    pub why: Option<String>,
}

impl Outputs {
    pub fn one(name: impl Into<Cow<'static, str>>, value: Value) -> Outcome {
        Self::new().with(name, value).done()
    }

    pub fn new() -> Self {
        Self::default()
    }

    #[must_use]
    pub fn with(mut self, name: impl Into<Cow<'static, str>>, value: Value) -> Self {
        self.values.push((name.into(), value));
        self
    }

    #[must_use]
    pub fn stop(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        self.stopped.push(name.into());
        self
    }

    #[must_use]
    pub fn status(mut self, status: impl Into<Json>) -> Self {
        self.status = Some(status.into());
        self
    }

    /// Says in one sentence why this branch is taken.
    #[must_use]
    pub fn because(mut self, why: impl Into<String>) -> Self {
        self.why = Some(why.into());
        self
    }

    pub fn done(self) -> Outcome {
        Outcome::Done(self)
    }

    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value)
    }
}

/// What a person is asked.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Question {
    /// `human_input`, `tool_approval`, `effect_unknown`, …
    pub kind: String,
    pub prompt: String,
    /// The buttons: `[{"id": "approve", "label": "Approve", …}]`.
    pub options: Vec<Json>,
    /// Values to fill in, as field descriptions.
    #[serde(default)]
    pub fields: Vec<Json>,
    /// After this long the answer is `fallback`.
    #[serde(default)]
    pub timeout_ms: Option<u64>,
    /// The option that is taken when nobody answers.
    #[serde(default)]
    pub fallback: Option<String>,
    /// What the node must know again when the answer comes ([`crate::Call::memory`]), perhaps in another process.
    /// Kept in the log and shown to nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Json>,
}

/// What a person decided.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Answer {
    /// The id of the chosen option.
    pub action_id: String,
    /// Values filled in, and anything else that was sent with the decision.
    #[serde(default)]
    pub values: serde_json::Map<String, Json>,
}
