//! Running a flow by its id or endpoint name, as Langflow's first API has it; and webhooks.

pub mod advanced;
mod form;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use utoipa::{IntoParams, ToSchema};

use super::wire::langflow::{Flavour, Langflow};
use super::wire::meta::Wanted;
use super::wire::result::Results;
use super::wire::sse::Framing;
use super::{AppState, stream};
use crate::app::runs::request::{InputType, Keep, RunRequest};
use crate::app::runs::{self, Begun};
use crate::error::{AppError, ErrorBody, Result};
use crate::http::extract::{JSON_LIMIT, Path, Query, parse, read};
use crate::http::identity::Actor;
use crate::state::App;
use form::RunForm;

/// What a run is given.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct RunBody {
    /// What the person says; left out, the input node keeps what is typed into it.
    #[schema(example = "Hello!")]
    pub input_value: Option<String>,
    /// Which inputs get it: `chat`, `text` or `any`.
    pub input_type: InputType,
    /// Which results come back: `chat`, `text`, `any` or `debug`.
    #[schema(example = "chat")]
    pub output_type: Option<String>,
    /// The id or name of the one node whose result comes back.
    pub output_component: Option<String>,
    /// Values for this run only: `{"node id or name": {"field": value}}`, or `{"field": value}` for every node.
    pub tweaks: Option<Map<String, Json>>,
    /// The conversation; the flow's own when left out.
    pub session_id: Option<String>,
    /// Paths of uploaded files that go with the input.
    pub files: Option<Vec<String>>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(default)]
#[derive(Default)]
#[into_params(parameter_in = Query)]
pub struct RunQuery {
    /// Send events as they happen.
    #[param(required = false)]
    pub stream: bool,
    /// Write the run down, so that it survives a crash and can be looked at later. On unless `false`.
    #[param(required = false)]
    pub durable: Option<bool>,
    /// Keep what models are asked and answer, to be looked at with the run. On for a person who is signed in at the page, off for
    /// programs unless they say so.
    #[param(required = false)]
    pub record: Option<bool>,
}

impl RunQuery {
    fn keep(&self) -> Keep {
        if self.durable == Some(false) {
            Keep::ThrowAway
        } else {
            Keep::Durable
        }
    }
}

/// The results of a run, in Langflow's shape.
#[derive(Serialize, ToSchema)]
pub struct RunAnswer {
    pub session_id: String,
    /// For each input: `{inputs, outputs: [result of a node]}`.
    pub outputs: Vec<Json>,
}

/// Run a flow and wait for its results.
///
/// With `?stream=true` the answer is a stream of JSON objects with blank lines between them: `add_message`, `token`,
/// then `end` with the same result, or `error`.
#[utoipa::path(post, path = "/api/v1/run/{flow_id_or_name}", tag = "runs", params(("flow_id_or_name" = String, Path), RunQuery),
    request_body(content((RunBody = "application/json"), (RunForm = "multipart/form-data"))),
    responses((status = 200, body = RunAnswer), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 422, body = ErrorBody)))]
pub async fn run_flow(
    State(app): AppState,
    actor: Actor,
    Path(name): Path<String>,
    Query(query): Query<RunQuery>,
    request: Request,
) -> Result<Response> {
    run(&app, &actor, &name, &query, request).await
}

/// The same under the address that Langflow's page uses for people who are signed in. Here every proof is good for both.
#[utoipa::path(post, path = "/api/v1/run/session/{flow_id_or_name}", tag = "runs",
    params(("flow_id_or_name" = String, Path), RunQuery),
    request_body(content((RunBody = "application/json"), (RunForm = "multipart/form-data"))),
    responses((status = 200, body = RunAnswer), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 422, body = ErrorBody)))]
pub async fn run_flow_session(
    State(app): AppState,
    actor: Actor,
    Path(name): Path<String>,
    Query(query): Query<RunQuery>,
    request: Request,
) -> Result<Response> {
    run(&app, &actor, &name, &query, request).await
}

async fn run(
    app: &Arc<App>,
    actor: &Actor,
    name: &str,
    query: &RunQuery,
    request: Request,
) -> Result<Response> {
    // Before the body: files that come with it would be kept for a flow that is not there.
    runs::find_flow(app, actor, name).await?;
    let headers = request.headers().clone();
    let body = match form::is_form(&headers) {
        true => form::read_form(app, actor, request).await?,
        false => read_json(request.into_body()).await?,
    };
    let wanted = wanted(&body)?;
    let mut request = RunRequest::new("run");
    request.input_value.clone_from(&body.input_value);
    request.input_type = body.input_type;
    request.tweaks = body.tweaks.unwrap_or_default();
    request.session_id = body.session_id;
    request.files = body.files.unwrap_or_default();
    request.keep = query.keep();
    request.record = query.record;
    set_globals(&mut request, &headers);
    let begun = begin(app, actor, name, request).await?;
    let results = Results::new(Arc::clone(&begun.meta), &wanted)
        .input_value(body.input_value.as_deref().unwrap_or_default());
    if query.stream {
        let encoder = Langflow::new(
            Arc::clone(&begun.meta),
            Flavour::Run(Box::new(results)),
            Framing::Lines,
        );
        return Ok(stream::of_run(
            app,
            begun,
            Box::new(encoder),
            stream::Media::LinesAsEvents,
        ));
    }
    let results = collect(app, begun, results).await?;
    Ok(answer(&results.run_response()))
}

async fn read_json(body: axum::body::Body) -> Result<RunBody> {
    let body = read(body, JSON_LIMIT).await?;
    if body.iter().all(u8::is_ascii_whitespace) {
        Ok(RunBody::default())
    } else {
        parse(&body)
    }
}

fn wanted(body: &RunBody) -> Result<Wanted> {
    Wanted::of(body.output_type.as_deref(), body.output_component.as_deref())
        .ok_or_else(|| AppError::invalid("output_type", "must be chat, text, any or debug"))
}

/// Checks what this door does not take, then begins.
async fn begin(app: &Arc<App>, actor: &Actor, name: &str, request: RunRequest) -> Result<Begun> {
    let flow = runs::find_flow(app, actor, name).await?;
    if request.input_value.is_some() && tweaks_input(&request) {
        return Err(AppError::bad_request(
            "The input is given twice: as input_value and as a tweak of an input node. Leave one out.",
        ));
    }
    if runs::ready(app, actor, &flow, &request).await?.asks_people() {
        return Err(AppError::bad_request(
            "This flow waits for a person. Run it with POST /api/v2/workflows and mode background.",
        ));
    }
    runs::begin(app, actor, &flow, request).await
}

fn tweaks_input(request: &RunRequest) -> bool {
    let wanted: &[&str] = match request.input_type {
        InputType::Chat => &["ChatInput"],
        InputType::Text => &["TextInput"],
        InputType::Any => &["ChatInput", "TextInput"],
    };
    let is_input = |key: &String| wanted.iter().any(|kind| key.starts_with(kind));
    request
        .tweaks
        .iter()
        .any(|(key, value)| is_input(key) && value.get("input_value").is_some())
}

/// `X-LANGFLOW-GLOBAL-VAR-<NAME>` headers are variables of this run alone.
pub fn set_globals(request: &mut RunRequest, headers: &HeaderMap) {
    let mut globals = BTreeMap::new();
    for (name, value) in headers {
        if let (Some(variable), Ok(value)) = (
            name.as_str().strip_prefix("x-langflow-global-var-"),
            value.to_str(),
        ) {
            globals.insert(variable.to_ascii_uppercase().replace('-', "_"), value.to_owned());
        }
    }
    request.global_names = globals.keys().cloned().collect();
    request.globals = globals;
}

async fn collect(app: &Arc<App>, begun: Begun, mut results: Results) -> Result<Results> {
    let finished = begun.finish(app).await?;
    for event in &finished.events {
        results.observe(event);
    }
    if let Some(failure) = results.failure() {
        return Err(AppError::run_failed(&failure));
    }
    Ok(results)
}

pub fn answer(value: &impl Serialize) -> Response {
    let mut bytes = Vec::with_capacity(1024);
    super::wire::put(&mut bytes, value);
    ([(header::CONTENT_TYPE, "application/json")], bytes).into_response()
}

/// What a webhook answers.
#[derive(Serialize, ToSchema)]
pub struct WebhookAnswer {
    pub message: &'static str,
    #[schema(example = "in progress")]
    pub status: &'static str,
    /// The run it started, for `GET /api/v1/runs/{run_id}`.
    pub run_id: uuid::Uuid,
}

/// Start a flow with whatever was sent; its Webhook nodes get the body.
#[utoipa::path(post, path = "/api/v1/webhook/{flow_id_or_name}", tag = "runs", params(("flow_id_or_name" = String, Path)),
    request_body(content = String, content_type = "application/json"),
    responses((status = 202, body = WebhookAnswer), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody)))]
pub async fn run_webhook(
    State(app): AppState,
    actor: Actor,
    Path(name): Path<String>,
    body: axum::body::Body,
) -> Result<Response> {
    let body = read(body, JSON_LIMIT).await?;
    if body.iter().all(u8::is_ascii_whitespace) {
        return Err(AppError::bad_request(
            "The webhook got an empty body. Send something, such as {}.",
        ));
    }
    let text = String::from_utf8_lossy(&body).into_owned();
    let flow = runs::find_flow(&app, &actor, &name).await?;
    let mut request = RunRequest::new("webhook");
    request.webhook = Some(text);
    request.unhurried = true;
    let begun = runs::begin(&app, &actor, &flow, request).await?;
    app.runs.announce(actor.user.id, flow.header.id, begun.run_id);
    let body = WebhookAnswer {
        message: "Task started in the background",
        status: "in progress",
        run_id: begun.run_id.0,
    };
    Ok((StatusCode::ACCEPTED, axum::Json(body)).into_response())
}
