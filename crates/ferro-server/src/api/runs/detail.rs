//! Looking into a run: its steps, what went in and came out, and why.

use axum::Json as Answer;
use axum::extract::State as AppStateOf;
use ferro_engine::Usage;
use ferro_store::{RunId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::RunRead;
use super::shown::Shown;
use super::steps::{About, Scope, Steps, Told};
use crate::api::AppState;
use crate::app::runs::{self, Looked, request::InputType};
use crate::error::{AppError, ErrorBody, Result};
use crate::http::extract::{Path, Query};
use crate::http::identity::Actor;

/// How much of a value the list shows.
const IN_LIST: usize = 4 * 1024;
/// How much of one a single step shows.
const ALONE: usize = 1024 * 1024;
/// How many steps the list has at most.
const MOST_STEPS: usize = 2000;

/// A run, step by step.
#[derive(Serialize, ToSchema)]
pub struct RunDetail {
    pub run: RunRead,
    /// What the run was given.
    pub input: Option<String>,
    /// Steps count their time from here.
    #[schema(value_type = String, format = DateTime)]
    pub started_at: Timestamp,
    /// In the order they began; those that never did are at the end.
    pub steps: Vec<Step>,
    /// How many more steps there are: rounds of long loops.
    pub steps_left_out: usize,
    /// Whether what models are asked and answer is kept with this run.
    pub records_calls: bool,
}

/// One time a node ran, or why it did not.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = RunStep)]
pub struct Step {
    pub node: String,
    pub name: String,
    /// The component's type.
    pub r#type: String,
    /// Which round of the loops around it: `2`, or `2.1` in a loop inside a loop.
    pub iteration: Option<String>,
    pub state: State,
    /// Milliseconds since the run began.
    pub started_ms: Option<f64>,
    pub finished_ms: Option<f64>,
    pub usage: Option<Spent>,
    pub error: Option<Trouble>,
    /// Which branch it took and why, why it was skipped, or why it did not have to run.
    pub why: Option<String>,
    pub inputs: Vec<Input>,
    pub outputs: Vec<Output>,
    /// What models were asked, where the run keeps that.
    pub calls: Vec<Call>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = RunStepState)]
pub enum State {
    Queued,
    Running,
    Done,
    Failed,
    Skipped,
    /// For a person.
    Waiting,
    Cancelled,
    /// It did not run: it is frozen, or its result was taken over from another run.
    Reused,
}

/// Tokens and what they cost.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = RunStepUsage)]
pub struct Spent {
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// Part of the input that the provider knew already.
    pub cached_tokens: u64,
    /// Part of the output that was thinking.
    pub reasoning_tokens: u64,
    /// In billionths of a dollar; 0 where no price is known.
    pub cost_nanousd: u64,
}

impl From<Usage> for Spent {
    fn from(usage: Usage) -> Self {
        Self {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cached_tokens: usage.cached_tokens,
            reasoning_tokens: usage.reasoning_tokens,
            cost_nanousd: usage.cost_nanousd,
        }
    }
}

#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = RunStepError)]
pub struct Trouble {
    pub message: String,
    pub advice: String,
    /// The deepest cause in its own words.
    pub detail: String,
}

/// Where the value of a field came from.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = RunStepInput)]
pub struct Input {
    pub field: String,
    pub label: String,
    pub source: Source,
    /// For a wire `node.output`, for a variable its name.
    pub from: Option<String>,
    pub shown: Shown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = RunStepSource)]
pub enum Source {
    /// Typed into the field.
    Literal,
    /// What the component comes with.
    Default,
    Wire,
    /// A global variable.
    Variable,
    /// Set for this run by its caller.
    Tweak,
    /// The run's own input.
    Input,
    /// Filled in by the agent that uses the node as a tool.
    Agent,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = RunStepOutput)]
pub struct Output {
    pub name: String,
    pub r#type: &'static str,
    pub shown: Shown,
}

/// One question to a model.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = RunStepCall)]
pub struct Call {
    pub provider: String,
    pub model: String,
    /// Milliseconds since the run began.
    pub started_ms: f64,
    pub finished_ms: f64,
    /// The body as it was sent. Keys are in headers, which are not kept.
    pub request: Shown,
    pub response: Shown,
    pub usage: Option<Spent>,
    /// Why there is no whole answer.
    pub error: Option<String>,
}

/// What a run was given from outside.
pub struct Given<'a> {
    pub input: Option<&'a str>,
    /// It is for chat inputs.
    pub to_chat: bool,
    pub files: &'a [String],
    pub webhook: Option<&'a str>,
}

async fn fold(looked: &mut Looked, scope: Scope<'_>) -> Result<Told> {
    let request = &looked.request;
    let about = About {
        plan: looked.plan.as_deref(),
        meta: &looked.meta,
        tweaks: &looked.tweaks,
        overrides: &looked.overrides,
        given: Given {
            input: request.input_value.as_deref(),
            to_chat: request.input_type != InputType::Text,
            files: &request.files,
            webhook: request.webhook.as_deref(),
        },
    };
    let mut steps = Steps::new(about, scope);
    while let Some(events) = looked.reader.now().await? {
        for event in events {
            steps.take(&event);
        }
    }
    Ok(steps.told())
}

/// A run step by step: what went in and from where, what came out, how long it took, what it cost, and why it went that way.
#[utoipa::path(get, path = "/api/v1/runs/{run_id}/detail", tag = "runs", params(("run_id" = Uuid, Path)),
    responses((status = 200, body = RunDetail), (status = 404, body = ErrorBody)))]
pub async fn run_detail(
    AppStateOf(app): AppState,
    actor: Actor,
    Path(id): Path<RunId>,
) -> Result<Answer<RunDetail>> {
    let mut looked = runs::look(&app, &actor, id).await?;
    let scope = Scope::All {
        bytes: IN_LIST,
        steps: MOST_STEPS,
    };
    let told = fold(&mut looked, scope).await?;
    Ok(Answer(RunDetail {
        started_at: told.began.map_or(looked.run.created_at, Timestamp),
        records_calls: looked.request.record == Some(true),
        input: looked.request.input_value,
        run: looked.run.into(),
        steps: told.steps,
        steps_left_out: told.left_out,
    }))
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct StepQuery {
    /// The round, as in the list of steps; the last one when left out.
    pub iteration: Option<String>,
}

/// One step of a run with its values in full, up to a megabyte each.
#[utoipa::path(get, path = "/api/v1/runs/{run_id}/steps/{node}", tag = "runs",
    params(("run_id" = Uuid, Path), ("node" = String, Path), StepQuery),
    responses((status = 200, body = Step), (status = 404, body = ErrorBody)))]
pub async fn run_step(
    AppStateOf(app): AppState,
    actor: Actor,
    Path((id, node)): Path<(RunId, String)>,
    Query(query): Query<StepQuery>,
) -> Result<Answer<Step>> {
    let mut looked = runs::look(&app, &actor, id).await?;
    let scope = Scope::One {
        node: &node,
        bytes: ALONE,
    };
    let told = fold(&mut looked, scope).await?;
    let wanted = |step: &Step| query.iteration.is_none() || step.iteration == query.iteration;
    let found = told.steps.into_iter().rfind(wanted);
    found.map(Answer).ok_or_else(|| AppError::not_found("step"))
}
