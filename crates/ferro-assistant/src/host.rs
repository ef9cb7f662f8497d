//! What the assistant needs of the world around it.

use std::path::PathBuf;
use std::sync::Arc;

use ferro_llm::{ChatModel, LlmError};
use ferro_model::{FlowData, Problem, Registry};
use futures_util::future::BoxFuture;
use serde_json::Value as Json;

use crate::event::RunMetrics;

/// One person's world: everything here acts for them and with their rights.
pub trait Host: Send + Sync + 'static {
    /// What they can build with, their own components included. Asked again after one was generated.
    fn registry(&self) -> BoxFuture<'_, Result<Arc<Registry>, HostError>>;

    /// Checks the code of a component: what can be said without running it, then a worker tries it.
    fn validate(&self, code: String) -> BoxFuture<'_, Result<Validated, Invalid>>;

    /// Keeps a component that passed. `false` when it is refused for its name or size, which is no reason to fail.
    fn register(&self, class_name: String, code: String) -> BoxFuture<'_, Result<bool, HostError>>;

    /// What is wrong with a flow before it runs, unsafe code of its nodes included.
    fn problems(&self, flow: FlowData) -> BoxFuture<'_, Result<Vec<Problem>, HostError>>;

    /// Runs a flow that need not be saved, once, and waits for it: at most two minutes. `input` goes to chat inputs.
    fn run(&self, flow: FlowData, input: Option<String>) -> BoxFuture<'_, RunReport>;

    /// Why trying this flow out could do something in the world (send, write, delete, pay, ask a person), if it could.
    fn effects(&self, flow: &FlowData) -> Option<String>;

    /// The component of a node (`data.node`, of this type) after one of its fields was set to what it holds now: with the
    /// fields and outputs that follow from it. `None` where nothing follows, or that cannot be said.
    fn refreshed(&self, r#type: &str, component: Json, field: &str) -> Option<Json> {
        let _ = (r#type, component, field);
        None
    }

    /// The flows one can begin from.
    fn templates(&self) -> Vec<Template>;

    /// Keeps the flow as it is now as a version, unless the last one is the same or there is nothing on the canvas.
    /// Its id. Called once a turn, before the first change.
    fn restore_point(&self) -> BoxFuture<'_, Result<Option<String>, HostError>>;

    /// The folder of the person's files. It exists.
    fn files(&self) -> Option<PathBuf>;

    /// The flow as it is saved now: somebody may have changed it since the turn read it.
    fn saved(&self) -> BoxFuture<'_, Result<Option<FlowData>, HostError>>;
}

/// Something around the assistant does not work. The message is for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct HostError(pub String);

/// Code that passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Validated {
    pub class_name: String,
}

/// Code that did not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Invalid {
    /// For the model and for people: what is wrong, with the line, and what to do instead.
    pub message: String,
    pub class_name: Option<String>,
    /// Refused as unsafe rather than broken.
    pub r#unsafe: bool,
    /// Nothing the model can change: no worker, not allowed here.
    pub hopeless: bool,
}

/// How a run went.
#[derive(Clone, Debug, PartialEq)]
pub struct RunReport {
    /// What the flow answered, at most 4,000 characters; or what went wrong.
    pub result: Result<String, String>,
    /// The node that failed.
    pub failed_node: Option<String>,
    pub metrics: RunMetrics,
    pub timed_out: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    pub name: String,
    pub description: String,
    pub data: FlowData,
}

/// The flow the turn is about, as it was read once at the beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canvas {
    pub flow_id: String,
    pub name: String,
    pub description: String,
    pub data: FlowData,
}

/// A provider this person has a key for, or that needs none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Available {
    pub provider: String,
    /// Names of language models that are on, the preferred first.
    pub models: Vec<String>,
    pub rehearsal: bool,
}

pub type OpenModel = Arc<dyn Fn(&str) -> Result<Arc<dyn ChatModel>, LlmError> + Send + Sync>;

/// The model of this turn, and those to try when there is no such model for the key.
#[derive(Clone)]
pub struct ModelChoice {
    pub provider: String,
    pub model: String,
    /// Of the same provider, best first; may name `model` again.
    pub candidates: Vec<String>,
    pub open: OpenModel,
    pub rehearsal: bool,
}
