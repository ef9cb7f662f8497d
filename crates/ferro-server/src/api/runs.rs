//! Runs themselves: what ran, how it went, every event of it; stopping, forking and forgetting them.

pub mod detail;
mod shown;
mod steps;

use axum::Json as Answer;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use ferro_store::{FlowId, Run, RunFilter, RunId, RunStatus, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::wire::sse::Sse;
use super::{AppState, Deleted, stream};
use crate::app::runs;
use crate::error::{AppError, ErrorBody, Result};
use crate::http::extract::{Json as Body, Path, Query};
use crate::http::identity::Actor;

/// One run.
#[derive(Serialize, ToSchema)]
pub struct RunRead {
    pub id: Uuid,
    pub flow_id: Uuid,
    pub flow_name: String,
    /// Which door it came in by: `run`, `build`, `workflow`, `webhook`, `responses`.
    pub kind: String,
    pub session_id: String,
    /// `queued`, `running`, `waiting`, `completed`, `failed`, `cancelled` or `timed_out`.
    #[schema(value_type = String, example = "completed")]
    pub status: RunStatus,
    /// How many events it has.
    pub events: i64,
    /// The run it was forked from.
    pub parent_id: Option<Uuid>,
    pub error: Option<String>,
    pub input_tokens: Option<i64>,
    pub output_tokens: Option<i64>,
    /// What it cost, in billionths of a dollar; null when no model was asked. A model without a known price counts as nothing.
    pub cost_nanousd: Option<i64>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
}

impl From<Run> for RunRead {
    fn from(run: Run) -> Self {
        Self {
            id: run.id.0,
            flow_id: run.flow_id.0,
            flow_name: run.flow_name,
            kind: run.kind,
            session_id: run.session_id,
            status: run.status,
            events: run.last_seq,
            parent_id: run.parent_id.map(|id| id.0),
            error: run.error,
            input_tokens: run.input_tokens,
            output_tokens: run.output_tokens,
            cost_nanousd: run.cost_nanousd,
            created_at: run.created_at,
            finished_at: run.finished_at,
        }
    }
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct RunsQuery {
    pub flow_id: Option<Uuid>,
    pub session_id: Option<String>,
    /// Only runs with this status.
    #[param(value_type = Option<String>)]
    pub status: Option<RunStatus>,
    pub page: Option<i64>,
    pub size: Option<i64>,
}

/// One page of runs.
#[derive(Serialize, ToSchema)]
pub struct RunPage {
    pub items: Vec<RunRead>,
    pub total: i64,
    pub page: i64,
    pub size: i64,
}

/// One's runs, newest first.
#[utoipa::path(get, path = "/api/v1/runs", tag = "runs", params(RunsQuery), responses((status = 200, body = RunPage)))]
pub async fn list_runs(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<RunsQuery>,
) -> Result<Answer<RunPage>> {
    let page = super::PageRequest::new(query.page, query.size)?;
    let filter = RunFilter {
        flow_id: query.flow_id.map(FlowId),
        session_id: query.session_id,
        status: query.status.into_iter().collect(),
        ..RunFilter::default()
    };
    let found = app.store.runs(&actor.principal(), filter, page.window()).await?;
    Ok(Answer(RunPage {
        items: found.items.into_iter().map(RunRead::from).collect(),
        total: found.total,
        page: page.page,
        size: page.size,
    }))
}

/// One run.
#[utoipa::path(get, path = "/api/v1/runs/{run_id}", tag = "runs", params(("run_id" = Uuid, Path)),
    responses((status = 200, body = RunRead), (status = 404, body = ErrorBody)))]
pub async fn read_run(State(app): AppState, actor: Actor, Path(id): Path<RunId>) -> Result<Answer<RunRead>> {
    Ok(Answer(runs::stored_run(&app, &actor, id).await?.into()))
}

/// Every event of a run, from the beginning or after `Last-Event-ID`, and on while it runs.
#[utoipa::path(get, path = "/api/v1/runs/{run_id}/events", tag = "runs", params(("run_id" = Uuid, Path)),
    responses((status = 200, body = String, content_type = "text/event-stream"), (status = 404, body = ErrorBody)))]
pub async fn run_events(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<RunId>,
    headers: HeaderMap,
) -> Result<Response> {
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let after = match last {
        None => 0,
        Some(text) => text
            .trim()
            .parse()
            .map_err(|_| AppError::invalid("Last-Event-ID", "must be a number that the stream sent"))?,
    };
    // From the first: what a message belongs to is said there.
    let watched = runs::watch(&app, &actor, id, 0).await?;
    let encoder = Sse::new(watched.meta, after);
    Ok(stream::of_reader(
        watched.reader,
        Box::new(encoder),
        stream::Media::Events,
    ))
}

/// Stop a run.
#[utoipa::path(post, path = "/api/v1/runs/{run_id}/cancel", tag = "runs", params(("run_id" = Uuid, Path)),
    responses((status = 202), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn cancel_run(State(app): AppState, actor: Actor, Path(id): Path<RunId>) -> Result<StatusCode> {
    if runs::cancel(&app, &actor, id).await? {
        Ok(StatusCode::ACCEPTED)
    } else {
        Err(AppError::conflict("This run is over already"))
    }
}

/// What is different in the new run.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ForkBody {
    /// The node from which on everything runs again; what comes before it is taken over. Left out, all of it runs again.
    pub from_node: Option<String>,
    /// Another input.
    pub input_value: Option<String>,
    /// Other values, as in a run; added to those of the first run.
    pub tweaks: Option<Map<String, Json>>,
    /// Another conversation.
    pub session_id: Option<String>,
}

/// Run again from a node on, with other inputs: a new run that takes over what came before.
#[utoipa::path(post, path = "/api/v1/runs/{run_id}/fork", tag = "runs", params(("run_id" = Uuid, Path)), request_body = ForkBody,
    responses((status = 202, body = RunRead), (status = 404, body = ErrorBody)))]
pub async fn fork_run(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<RunId>,
    Body(body): Body<ForkBody>,
) -> Result<(StatusCode, Answer<RunRead>)> {
    let begun = runs::fork(&app, &actor, id, body.from_node, |request| {
        if body.input_value.is_some() {
            request.input_value = body.input_value;
        }
        for (node, fields) in body.tweaks.unwrap_or_default() {
            match (request.tweaks.get_mut(&node), fields) {
                (Some(Json::Object(old)), Json::Object(new)) => old.extend(new),
                (_, fields) => {
                    request.tweaks.insert(node, fields);
                }
            }
        }
        if body.session_id.is_some() {
            request.session_id = body.session_id;
        }
    })
    .await?;
    let run = app.store.run(&actor.principal(), begun.run_id).await?;
    Ok((StatusCode::ACCEPTED, Answer(run.into())))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ForgetQuery {
    pub flow_id: Uuid,
}

/// Forget the finished runs of a flow.
#[utoipa::path(delete, path = "/api/v1/runs", tag = "runs", params(ForgetQuery), responses((status = 200, body = Deleted)))]
pub async fn delete_runs(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<ForgetQuery>,
) -> Result<Answer<Deleted>> {
    let filter = RunFilter {
        flow_id: Some(FlowId(query.flow_id)),
        ..RunFilter::default()
    };
    let deleted = app.store.delete_runs(&actor.principal(), filter).await?;
    app.audit(&actor, "runs.delete", query.flow_id).await?;
    Ok(Answer(Deleted { deleted }))
}

/// What is wrong with a flow before it runs.
#[utoipa::path(get, path = "/api/v1/flows/{flow_id}/problems", tag = "flows", params(("flow_id" = Uuid, Path)),
    responses((status = 200, body = Vec<ProblemRead>), (status = 404, body = ErrorBody)))]
pub async fn flow_problems(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<FlowId>,
) -> Result<Answer<Vec<ProblemRead>>> {
    let flow = app.store.flow(&actor.principal(), id).await?;
    let found = runs::problems(&app, &actor, runs::read_document(flow.data.as_deref())?).await?;
    Ok(Answer(found.into_iter().map(ProblemRead::from).collect()))
}

#[derive(Serialize, ToSchema)]
pub struct ProblemRead {
    /// `error`: the flow, or a part of it, cannot run. `warning`: it may not do what is meant.
    #[schema(example = "error")]
    pub severity: &'static str,
    #[schema(example = "missing_field")]
    pub code: String,
    pub node: Option<String>,
    pub node_name: Option<String>,
    pub field: Option<String>,
    pub message: String,
    pub advice: String,
}

impl From<ferro_model::Problem> for ProblemRead {
    fn from(problem: ferro_model::Problem) -> Self {
        Self {
            severity: match problem.severity {
                ferro_model::Severity::Error => "error",
                ferro_model::Severity::Warning => "warning",
            },
            code: problem.code.to_owned(),
            node: problem.node,
            node_name: problem.node_name,
            field: problem.field,
            message: problem.message,
            advice: problem.advice,
        }
    }
}
