//! Langflow's second API for running flows: in one answer, as a stream, or in the background.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use ferro_model::FlowData;
use ferro_store::{FlowId, RunFilter, RunId, RunStatus, Window};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::run::{answer, set_globals};
use super::wire::Encoder;
use super::wire::agui::Agui;
use super::wire::langflow::{Flavour, Langflow};
use super::wire::meta::Wanted;
use super::wire::result::{Asked, Results};
use super::wire::sse::{Framing, Numbers};
use super::wire::{Meta, job_status};
use super::{AppState, stream};
use crate::app::runs;
use crate::app::runs::log::engine_status;
use crate::app::runs::request::RunRequest;
use crate::error::{AppError, ErrorBody, Result};
use crate::http::extract::{FLOW_LIMIT, Json as Body, Path, Query};
use crate::http::identity::Actor;
use crate::state::App;

const MAX_GLOBALS: usize = 256;
const MAX_GLOBAL: usize = 65_536;
const MAX_KEY: usize = 255;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Wait for the results.
    #[default]
    Sync,
    /// Send events as they happen.
    Stream,
    /// Answer at once; the run goes on and can be watched, stopped and answered.
    Background,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkflowBody {
    pub flow_id: Uuid,
    #[serde(default)]
    pub input_value: Option<String>,
    /// Values for this run only: `{"node id": {"field": value}}`.
    #[serde(default)]
    pub tweaks: Option<Map<String, Json>>,
    #[serde(default)]
    pub session_id: Option<String>,
    #[serde(default)]
    pub mode: Mode,
    /// `langflow` or `agui`.
    #[serde(default)]
    #[schema(example = "langflow")]
    pub stream_protocol: Option<String>,
    /// The canvas as it is now; the saved flow when left out.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub data: Option<FlowData>,
    #[serde(default)]
    pub files: Option<Vec<String>>,
    #[serde(default)]
    pub start_component_id: Option<String>,
    #[serde(default)]
    pub stop_component_id: Option<String>,
    /// Whose results come back; every output when left out. Only in mode `sync`.
    #[serde(default)]
    pub output_ids: Option<Vec<String>>,
    /// Variables of this run alone.
    #[serde(default)]
    pub globals: Option<BTreeMap<String, String>>,
    /// The same key starts the same run only once. Only in mode `background`.
    #[serde(default)]
    pub idempotency_key: Option<String>,
}

/// A run in the background.
#[derive(Serialize, ToSchema)]
pub struct WorkflowJob {
    pub job_id: Uuid,
    pub flow_id: Uuid,
    #[schema(example = "job")]
    pub object: &'static str,
    #[schema(example = "queued")]
    pub status: &'static str,
    pub links: Links,
    pub errors: Vec<Json>,
}

#[derive(Serialize, ToSchema)]
pub struct Links {
    pub status: String,
    pub events: String,
    pub stop: String,
}

impl WorkflowJob {
    fn new(job_id: Uuid, flow_id: Uuid, status: RunStatus) -> Self {
        Self {
            job_id,
            flow_id,
            object: "job",
            status: job_status(engine_status(status)),
            links: Links {
                status: format!("/api/v2/workflows?job_id={job_id}"),
                events: format!("/api/v2/workflows/{job_id}/events"),
                stop: "/api/v2/workflows/stop".to_owned(),
            },
            errors: Vec::new(),
        }
    }
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Protocol {
    #[default]
    Langflow,
    Agui,
}

impl Protocol {
    pub fn of(name: Option<&str>) -> Result<Self> {
        match name {
            None | Some("langflow") => Ok(Self::Langflow),
            Some("agui") => Ok(Self::Agui),
            Some(_) => Err(AppError::coded(
                StatusCode::UNPROCESSABLE_ENTITY,
                "UNKNOWN_STREAM_PROTOCOL",
                "stream_protocol must be langflow or agui.",
            )),
        }
    }

    pub fn encoder(self, meta: Arc<Meta>, after: Numbers) -> Box<dyn Encoder> {
        match self {
            Self::Langflow => Box::new(Langflow::new(meta, Flavour::Workflow, Framing::Numbered(after))),
            Self::Agui => Box::new(Agui::new(meta, after)),
        }
    }
}

fn refuse(code: &'static str, detail: &'static str) -> AppError {
    AppError::coded(StatusCode::UNPROCESSABLE_ENTITY, code, detail)
}

fn check(body: &WorkflowBody) -> Result<()> {
    if body.output_ids.is_some() && body.mode != Mode::Sync {
        return Err(refuse(
            "MODE_UNSUPPORTED_FIELDS",
            "output_ids works only in mode sync.",
        ));
    }
    if body.idempotency_key.is_some() && body.mode != Mode::Background {
        return Err(refuse(
            "MODE_UNSUPPORTED_FIELDS",
            "idempotency_key works only in mode background.",
        ));
    }
    if body
        .idempotency_key
        .as_ref()
        .is_some_and(|key| key.is_empty() || key.len() > MAX_KEY)
    {
        return Err(AppError::invalid(
            "idempotency_key",
            format!("must have 1 to {MAX_KEY} bytes"),
        ));
    }
    if body.start_component_id.is_some() && body.stop_component_id.is_some() {
        return Err(refuse(
            "MODE_UNSUPPORTED_FIELDS",
            "Give start_component_id or stop_component_id, not both.",
        ));
    }
    let globals = body.globals.iter().flatten();
    if globals.clone().count() > MAX_GLOBALS || globals.into_iter().any(|(_, value)| value.len() > MAX_GLOBAL)
    {
        return Err(AppError::invalid(
            "globals",
            format!("at most {MAX_GLOBALS} of at most {MAX_GLOBAL} bytes"),
        ));
    }
    Ok(())
}

/// Run a flow: wait for it, watch it, or let it go on in the background.
#[utoipa::path(post, path = "/api/v2/workflows", tag = "workflows", request_body = WorkflowBody,
    responses((status = 200, body = Object), (status = 404, body = ErrorBody), (status = 422, body = ErrorBody)))]
pub async fn run_workflow(
    State(app): AppState,
    actor: Actor,
    headers: HeaderMap,
    Body(body): Body<WorkflowBody, FLOW_LIMIT>,
) -> Result<Response> {
    check(&body)?;
    let protocol = Protocol::of(body.stream_protocol.as_deref())?;
    let flow_id = FlowId(body.flow_id);
    let flow = runs::find_flow(&app, &actor, &flow_id.to_string())
        .await
        .map_err(flow_not_found)?;
    if let Some(key) = &body.idempotency_key
        && let Some(run) = app.store.run_by_key(&actor.principal(), flow_id, key).await?
    {
        return Ok(axum::Json(WorkflowJob::new(run.id.0, body.flow_id, run.status)).into_response());
    }
    let mut asked = Asked::default();
    asked
        .inputs
        .insert("input_value".to_owned(), body.input_value.clone().into());
    let mut request = RunRequest::new("workflow");
    set_globals(&mut request, &headers);
    if let Some(globals) = body.globals {
        request.globals.extend(globals);
        request.global_names = request.globals.keys().cloned().collect();
    }
    asked.globals.clone_from(&request.global_names);
    request.input_value = body.input_value;
    request.tweaks = body.tweaks.unwrap_or_default();
    request.session_id = body.session_id;
    request.data = body.data;
    request.files = body.files.unwrap_or_default();
    request.start = body.start_component_id;
    request.stop = body.stop_component_id;
    request.idempotency_key = body.idempotency_key;
    request.unhurried = body.mode == Mode::Background;
    let meta = runs::ready(&app, &actor, &flow, &request).await?.meta;
    let wanted = wanted(body.output_ids, &meta)?;
    let begun = runs::begin(&app, &actor, &flow, request).await?;
    match body.mode {
        Mode::Background => {
            let job = WorkflowJob::new(begun.run_id.0, body.flow_id, RunStatus::Queued);
            Ok((StatusCode::ACCEPTED, axum::Json(job)).into_response())
        }
        Mode::Stream => {
            let encoder = protocol.encoder(Arc::clone(&begun.meta), Numbers::default());
            Ok(stream::of_run(&app, begun, encoder, stream::Media::Events))
        }
        Mode::Sync => {
            let mut results = Results::new(Arc::clone(&begun.meta), &wanted);
            let finished = begun.finish_or_wait(&app).await?;
            for event in &finished.events {
                results.observe(event);
            }
            Ok(answer(&results.workflow_response(&asked)))
        }
    }
}

fn wanted(ids: Option<Vec<String>>, meta: &Meta) -> Result<Wanted> {
    let Some(ids) = ids else { return Ok(Wanted::Any) };
    if ids.iter().any(|id| meta.get(id).is_none()) {
        return Err(refuse(
            "UNKNOWN_OUTPUT_IDS",
            "output_ids names a node that the flow does not have.",
        ));
    }
    Ok(Wanted::Named(ids))
}

pub(super) fn flow_not_found(error: AppError) -> AppError {
    if error.is_not_found() {
        return AppError::coded(StatusCode::NOT_FOUND, "FLOW_NOT_FOUND", "There is no such flow.");
    }
    error
}

pub(super) fn job_not_found(error: AppError) -> AppError {
    if error.is_not_found() {
        return AppError::coded(StatusCode::NOT_FOUND, "JOB_NOT_FOUND", "There is no such job.");
    }
    error
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct JobQuery {
    pub job_id: Uuid,
}

/// How a job stands, with its results once it is over.
#[utoipa::path(get, path = "/api/v2/workflows", tag = "workflows", params(JobQuery),
    responses((status = 200, body = Object), (status = 404, body = ErrorBody)))]
pub async fn workflow_status(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<JobQuery>,
) -> Result<Response> {
    let mut watched = runs::watch(&app, &actor, RunId(query.job_id), 0)
        .await
        .map_err(job_not_found)?;
    let mut results = Results::new(watched.meta, &Wanted::Any);
    while let Some(events) = watched.reader.now().await? {
        for event in events {
            results.observe(&event);
        }
    }
    Ok(answer(&results.workflow_response(&Asked::default())))
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct StopBody {
    pub job_id: Uuid,
}

#[derive(Serialize, ToSchema)]
pub struct Stopped {
    pub job_id: Uuid,
    pub message: &'static str,
}

/// Stop a job.
#[utoipa::path(post, path = "/api/v2/workflows/stop", tag = "workflows", request_body = StopBody,
    responses((status = 200, body = Stopped), (status = 404, body = ErrorBody)))]
pub async fn stop_workflow(
    State(app): AppState,
    actor: Actor,
    Body(body): Body<StopBody>,
) -> Result<axum::Json<Stopped>> {
    let stopped = runs::cancel(&app, &actor, RunId(body.job_id))
        .await
        .map_err(job_not_found)?;
    let message = if stopped {
        "The job is being stopped."
    } else {
        "The job was over already."
    };
    Ok(axum::Json(Stopped {
        job_id: body.job_id,
        message,
    }))
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct ProtocolQuery {
    /// `langflow` or `agui`.
    pub stream_protocol: Option<String>,
}

/// What happens in a job, from the beginning or after `Last-Event-ID`.
#[utoipa::path(get, path = "/api/v2/workflows/{job_id}/events", tag = "workflows", params(("job_id" = Uuid, Path), ProtocolQuery),
    responses((status = 200, body = String, content_type = "text/event-stream"), (status = 404, body = ErrorBody)))]
pub async fn workflow_events(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<RunId>,
    Query(query): Query<ProtocolQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    let protocol = Protocol::of(query.stream_protocol.as_deref())?;
    let watched = runs::watch(&app, &actor, id, 0).await.map_err(job_not_found)?;
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let encoder = protocol.encoder(watched.meta, Numbers::after_id(last));
    Ok(stream::of_reader(watched.reader, encoder, stream::Media::Events))
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct PendingQuery {
    pub flow_id: Option<Uuid>,
}

/// A run that waits for a person.
#[derive(Serialize, ToSchema)]
pub struct Pending {
    pub job_id: Uuid,
    pub flow_id: Uuid,
    pub session_id: String,
    pub request_id: Uuid,
    pub component_id: String,
    pub prompt: String,
    /// What can be chosen.
    pub options: Vec<Json>,
    pub fields: Vec<Json>,
}

/// What waits for a person.
#[utoipa::path(get, path = "/api/v2/workflows/pending", tag = "workflows", params(PendingQuery), responses((status = 200, body = Vec<Pending>)))]
pub async fn pending_workflows(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<PendingQuery>,
) -> Result<axum::Json<Vec<Pending>>> {
    let filter = RunFilter {
        flow_id: query.flow_id.map(FlowId),
        status: vec![RunStatus::Waiting, RunStatus::Running],
        ..RunFilter::default()
    };
    let window = Window {
        offset: 0,
        limit: 200,
    };
    let mut pending = Vec::new();
    for run in app.store.runs(&actor.principal(), filter, window).await?.items {
        for (request_id, node, question) in
            runs::open_questions(runs::history(&app, &actor.principal(), &run).await?)
        {
            pending.push(Pending {
                job_id: run.id.0,
                flow_id: run.flow_id.0,
                session_id: run.session_id.clone(),
                request_id,
                component_id: node,
                prompt: question.prompt,
                options: question.options,
                fields: question.fields,
            });
        }
    }
    Ok(axum::Json(pending))
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct ResumeBody {
    pub request_id: Uuid,
    pub decision: Decision,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct Decision {
    /// The id of the chosen option.
    pub action_id: String,
    #[serde(flatten)]
    pub values: Map<String, Json>,
}

/// Answer a run that waits for a person.
#[utoipa::path(post, path = "/api/v2/workflows/{job_id}/resume", tag = "workflows", params(("job_id" = Uuid, Path)), request_body = ResumeBody,
    responses((status = 200, body = WorkflowJob), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody), (status = 422, body = ErrorBody)))]
pub async fn resume_workflow(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<RunId>,
    Body(body): Body<ResumeBody>,
) -> Result<axum::Json<WorkflowJob>> {
    let flow_id = resume(&app, &actor, id, body, |_| true).await?;
    Ok(axum::Json(WorkflowJob::new(id.0, flow_id.0, RunStatus::Running)))
}

/// Gives an answer to a question that may be answered by whoever asks; tells which flow it is of.
pub(super) async fn resume(
    app: &Arc<App>,
    actor: &Actor,
    id: RunId,
    body: ResumeBody,
    may_answer: impl Fn(&ferro_engine::Question) -> bool,
) -> Result<FlowId> {
    let run = runs::stored_run(app, actor, id).await.map_err(job_not_found)?;
    let open = runs::open_questions(runs::history(app, &actor.principal(), &run).await?);
    let wanted = |(request, _, question): &(Uuid, String, ferro_engine::Question)| {
        *request == body.request_id && may_answer(question)
    };
    let Some((_, _, question)) = open.into_iter().find(wanted) else {
        return Err(AppError::coded(
            StatusCode::CONFLICT,
            "NOT_RESUMABLE",
            "Nothing waits for this answer any more.",
        ));
    };
    let known = |option: &Json| option.get("id").and_then(Json::as_str) == Some(&body.decision.action_id);
    if !question.options.is_empty() && !question.options.iter().any(known) {
        return Err(refuse("INVALID_DECISION", "action_id is not one of the options."));
    }
    let mut values = body.decision.values;
    if question.kind == "effect_unknown" {
        values.insert("kind".to_owned(), question.kind.into());
    }
    let answer = ferro_engine::Answer {
        action_id: body.decision.action_id,
        values,
    };
    runs::answer(app, actor, id, body.request_id, answer).await?;
    Ok(run.flow_id)
}
