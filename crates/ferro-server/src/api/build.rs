//! Building a canvas: Langflow's first protocol for running a flow from its editor. A job is a run.

use std::sync::Arc;

use axum::Json as Answer;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse as _, Response};
use ferro_model::FlowData;
use ferro_store::{FlowId, RunId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::run::set_globals;
use super::wire::Encoder as _;
use super::wire::langflow::{Flavour, Langflow};
use super::wire::sse::Framing;
use super::{AppState, stream};
use crate::app::runs::request::RunRequest;
use crate::app::runs::{self, reader::Reader};
use crate::error::{ErrorBody, Result};
use crate::http::extract::{FLOW_LIMIT, Json, Path, Query};
use crate::http::identity::Actor;

#[derive(Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default)]
pub struct BuildInputs {
    pub input_value: Option<String>,
    pub session: Option<String>,
    pub components: Vec<String>,
    pub r#type: Option<crate::app::runs::request::InputType>,
}

#[derive(Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default)]
pub struct BuildBody {
    pub inputs: Option<BuildInputs>,
    /// The canvas as it is now; the saved flow when left out.
    #[schema(value_type = Option<Object>)]
    pub data: Option<FlowData>,
    pub files: Option<Vec<String>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Delivery {
    /// Ask for the events; each answer has what came since the last.
    #[default]
    Polling,
    /// One stream of the events, at their own address.
    Streaming,
    /// The answer itself is the stream.
    Direct,
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct BuildQuery {
    /// Run this node and what it needs.
    pub stop_component_id: Option<String>,
    /// Run this node, what follows, and what that needs.
    pub start_component_id: Option<String>,
    #[param(inline)]
    pub event_delivery: Option<Delivery>,
    pub log_builds: Option<bool>,
    pub flow_name: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct Job {
    pub job_id: Uuid,
}

/// Run a canvas. Answers with the job whose events tell what happens, or with the events themselves.
#[utoipa::path(post, path = "/api/v1/build/{flow_id}/flow", tag = "runs", params(("flow_id" = Uuid, Path), BuildQuery), request_body = BuildBody,
    responses((status = 200, body = Job), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody)))]
pub async fn build_flow(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<FlowId>,
    Query(query): Query<BuildQuery>,
    headers: HeaderMap,
    Json(body): Json<BuildBody, FLOW_LIMIT>,
) -> Result<Response> {
    let flow = runs::find_flow(&app, &actor, &id.to_string()).await?;
    let inputs = body.inputs.unwrap_or_default();
    let mut request = RunRequest::new("build");
    request.input_value = inputs.input_value;
    request.input_type = inputs.r#type.unwrap_or_default();
    request.session_id = inputs.session;
    request.files = body.files.unwrap_or_default();
    request.data = body.data;
    request.start = query.start_component_id.filter(|id| !id.is_empty());
    request.stop = query.stop_component_id.filter(|id| !id.is_empty());
    request.unhurried = true;
    set_globals(&mut request, &headers);
    let begun = runs::begin(&app, &actor, &flow, request).await?;
    if query.event_delivery == Some(Delivery::Direct) {
        let encoder = Langflow::new(Arc::clone(&begun.meta), Flavour::Build, Framing::Lines);
        return Ok(stream::of_run(
            &app,
            begun,
            Box::new(encoder),
            stream::Media::Lines,
        ));
    }
    let job = Job {
        job_id: begun.run_id.0,
    };
    Ok(Answer(job).into_response())
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    #[param(inline)]
    pub event_delivery: Option<Delivery>,
}

/// What happens in a job, as JSON objects with blank lines between them.
#[utoipa::path(get, path = "/api/v1/build/{job_id}/events", tag = "runs", params(("job_id" = Uuid, Path), EventsQuery),
    responses((status = 200, body = String, content_type = "application/x-ndjson"), (status = 404, body = ErrorBody)))]
pub async fn build_events(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<RunId>,
    Query(query): Query<EventsQuery>,
) -> Result<Response> {
    let watched = runs::watch(&app, &actor, id, 0).await?;
    let mut encoder = Langflow::new(watched.meta, Flavour::Build, Framing::Lines);
    if query.event_delivery != Some(Delivery::Polling) {
        return Ok(stream::of_reader(
            watched.reader,
            Box::new(encoder),
            stream::Media::Lines,
        ));
    }
    // What was told before is made again and left out: the encoding of a log is always the same.
    let mut bytes = Vec::new();
    let mut reader: Reader = watched.reader;
    while let Some(events) = reader.now().await? {
        for event in events {
            encoder.encode(&event, &mut bytes);
        }
    }
    let told = app.runs.polled(id, bytes.len());
    let fresh = bytes.split_off(told.min(bytes.len()));
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], fresh).into_response())
}

#[derive(Serialize, ToSchema)]
pub struct Cancelled {
    pub success: bool,
    pub message: &'static str,
}

/// Stop a job.
#[utoipa::path(post, path = "/api/v1/build/{job_id}/cancel", tag = "runs", params(("job_id" = Uuid, Path)),
    responses((status = 200, body = Cancelled), (status = 404, body = ErrorBody)))]
pub async fn cancel_build(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<RunId>,
) -> Result<Answer<Cancelled>> {
    let stopped = runs::cancel(&app, &actor, id).await?;
    let message = if stopped {
        "The build is being stopped."
    } else {
        "The build was over already."
    };
    Ok(Answer(Cancelled {
        success: stopped,
        message,
    }))
}

/// What happens in the webhook runs of a flow, from now on.
#[utoipa::path(get, path = "/api/v1/webhook-events/{flow_id_or_name}", tag = "runs", params(("flow_id_or_name" = String, Path)),
    responses((status = 200, body = String, content_type = "text/event-stream"), (status = 404, body = ErrorBody)))]
pub async fn webhook_events(
    State(app): AppState,
    actor: Actor,
    Path(name): Path<String>,
) -> Result<Response> {
    let flow = runs::find_flow(&app, &actor, &name).await?;
    Ok(super::hooks::stream(&app, actor, flow.header.id))
}
