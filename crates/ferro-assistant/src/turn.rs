//! One turn: from a request to its `complete`.
//!
//! `pipeline.rs` has the stages in their order, `builder.rs` the one that does something, `desk.rs` what the model works
//! with, `talk.rs` how often it is asked, `ending.rs` what is said at the end.

mod builder;
mod desk;
mod ending;
mod flags;
mod pipeline;
mod prose;
mod talk;

use std::sync::Arc;

use ferro_model::FlowData;
use ferro_model::edit::Patch;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::UnboundedSender;

use crate::event::{AssistEvent, Completed, ErrorDetail};
use crate::host::{Available, Canvas, Host, ModelChoice};
pub(crate) use desk::Desk;
use pipeline::Pipeline;

/// How a plan is kept in what is remembered of a turn.
pub(crate) const PLAN_LEAD: &str = "The plan I proposed:";

/// What was asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// As the person wrote it.
    pub input: String,
    /// How often a component may be written at most, the first time included.
    pub max_attempts: Option<u32>,
    /// Earlier turns that are told to the model.
    pub history_limit: Option<usize>,
    /// Rounds of tool calls.
    pub iterations_limit: Option<u32>,
    /// The component the person has before them, and the field of it.
    pub focus: Option<(String, Option<String>)>,
    /// Nobody looks on: what would be proposed is done.
    pub headless: bool,
    /// The person has an admin's rights: they may see raw causes.
    pub admin: bool,
    /// For the log.
    pub user_id: String,
    pub session_id: Option<String>,
}

/// An exchange that was brought to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastTurn {
    pub user: String,
    pub assistant: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    GenerateComponent,
    BuildFlow,
    RunFlow,
    ComponentThenFlow,
    ManageFiles,
    Question,
    OffTopic,
}

/// Everything one turn works with.
pub struct Turn {
    pub request: Request,
    pub canvas: Option<Canvas>,
    pub model: ModelChoice,
    pub available: Vec<Available>,
    /// Oldest first.
    pub history: Vec<PastTurn>,
    pub host: Arc<dyn Host>,
    /// Try flows out before they are proposed.
    pub verify: bool,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub intent: Option<Intent>,
    pub end: End,
    /// To be remembered; only of a turn that answered something.
    pub record: Option<PastTurn>,
    /// The flow with all that the turn did to it.
    pub changed: Option<Changed>,
}

#[derive(Clone, Debug)]
pub enum End {
    Completed(Box<Completed>),
    Failed { message: String, detail: ErrorDetail },
}

#[derive(Clone, Debug)]
pub struct Changed {
    pub name: String,
    pub description: String,
    pub data: FlowData,
    /// All of it as one step, for one undo. Empty when a whole new flow is proposed.
    pub patch: Patch,
}

impl Intent {
    /// As events and metrics name it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::GenerateComponent => "generate_component",
            Self::BuildFlow => "build_flow",
            Self::RunFlow => "run_flow",
            Self::ComponentThenFlow => "component_then_flow",
            Self::ManageFiles => "manage_files",
            Self::Question => "question",
            Self::OffTopic => "off_topic",
        }
    }
}

/// Works through a turn. Events go to `out` as they happen; the last one says how it ended. Dropping the future stops
/// everything: the model, the tools, the run of a flow.
pub async fn assist(turn: Turn, out: UnboundedSender<AssistEvent>) -> Outcome {
    Pipeline::new(turn, out).run().await
}
