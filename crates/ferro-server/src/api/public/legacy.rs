//! Langflow's first addresses for talking with a public flow. Its own page uses them; other sites may not.

use std::sync::Arc;
use std::time::Duration;

use axum::Json as Answer;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse as _, Response};
use ferro_store::{FlowId, RunId};
use serde::Deserialize;
use serde_json::Value as Json;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{BODY_LIMIT, Guest, Watching, check};
use crate::api::build::{BuildInputs, BuildQuery, Cancelled, Delivery, EventsQuery, Job};
use crate::api::wire::langflow::{Flavour, Langflow};
use crate::api::wire::sse::Framing;
use crate::api::wire::visitor::Discreet;
use crate::api::wire::{Encoder as _, Meta};
use crate::api::{AppState, stream};
use crate::app::runs::{self, reader::Reader};
use crate::app::visits::{self, Place, Question};
use crate::error::{AppError, ErrorBody, Result};
use crate::http::client::Client;
use crate::http::extract::{Json as Body, Path, Query};
use crate::http::identity::Actor;
use crate::state::App;

/// A run that nobody watches gives its place up after so long.
const UNWATCHED: Duration = Duration::from_secs(600);

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct PublicBuildBody {
    pub inputs: Option<BuildInputs>,
    /// Visitors cannot send files yet: must be empty.
    pub files: Option<Vec<String>>,
    /// Visitors run the flow as it is saved: must be left out.
    #[schema(value_type = Option<Object>)]
    pub data: Option<Json>,
}

fn encoder(meta: Arc<Meta>, flow_id: Uuid) -> Discreet {
    let inner = Langflow::new(Arc::clone(&meta), Flavour::Build, Framing::Lines);
    Discreet::new(Box::new(inner), meta, flow_id)
}

/// Talk with a public flow. Answers with the job whose events tell what happens, or with the events themselves.
#[utoipa::path(post, path = "/api/v1/build_public_tmp/{flow_id}/flow", tag = "runs", params(("flow_id" = Uuid, Path), BuildQuery),
    request_body = PublicBuildBody,
    responses((status = 200, body = Job), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 422, body = ErrorBody), (status = 429, body = ErrorBody)), security(()))]
pub async fn build_public_flow(
    State(app): AppState,
    (client, actor): (Client, Option<Actor>),
    Path(id): Path<FlowId>,
    Query(query): Query<BuildQuery>,
    headers: HeaderMap,
    Body(body): Body<PublicBuildBody, BODY_LIMIT>,
) -> Result<Response> {
    if body.data.is_some_and(|data| !data.is_null()) {
        return Err(AppError::invalid("data", "visitors run the flow as it is saved"));
    }
    let inputs = body.inputs.unwrap_or_default();
    let question = Question {
        input_value: inputs.input_value,
        session_id: inputs.session,
        start: query.start_component_id.filter(|id| !id.is_empty()),
        stop: query.stop_component_id.filter(|id| !id.is_empty()),
    };
    check(&question, body.files.as_deref())?;
    visits::admit(&app, &client)?;
    let shared = visits::find(&app, &client, id).await?;
    let guest = Guest::of(&app, &client, actor, &headers, None).await?;
    let (begun, place) = visits::begin(&app, &shared, &guest.visitor, question).await?;
    if query.event_delivery == Some(Delivery::Direct) {
        let encoder = encoder(Arc::clone(&begun.meta), guest.visitor.visit(id).flow_id.0);
        let held = (Watching(begun.handle.clone()), place);
        let response = stream::of_run(&app, begun, Box::new(encoder), stream::Media::Lines);
        return Ok(guest.greet(stream::holding(response, held)));
    }
    let job = Job {
        job_id: begun.run_id.0,
    };
    hold_until_over(&app, &begun, place);
    Ok(guest.greet(Answer(job).into_response()))
}

/// Its events are asked for by other requests, so the run itself takes up the visitor's place.
fn hold_until_over(app: &Arc<App>, begun: &runs::Begun, place: Place) {
    let mut reader = Reader::new(app, begun.run_id, Some(begun.handle.follow(0)), 0);
    tokio::spawn(async move {
        let _place = place;
        let over = async { while let Ok(Some(_)) = reader.next().await {} };
        // Whatever it is waiting for by then, the visitor may begin another.
        let _ = tokio::time::timeout(UNWATCHED, over).await;
    });
}

/// What happens in a visitor's job, as JSON objects with blank lines between them. Closing a stream of them stops the run.
#[utoipa::path(get, path = "/api/v1/build_public_tmp/{job_id}/events", tag = "runs", params(("job_id" = Uuid, Path), EventsQuery),
    responses((status = 200, body = String, content_type = "application/x-ndjson"), (status = 404, body = ErrorBody)), security(()))]
pub async fn public_build_events(
    State(app): AppState,
    client: Client,
    actor: Option<Actor>,
    Path(id): Path<RunId>,
    Query(query): Query<EventsQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    let guest = Guest::of(&app, &client, actor, &headers, None).await?;
    let (owner, visit) = visits::own_run(&app, &client, &guest.visitor, id).await?;
    let watched = runs::watch(&app, &owner, id, 0).await?;
    let mut encoder = encoder(watched.meta, visit.flow_id.0);
    if query.event_delivery != Some(Delivery::Polling) {
        let held = app.runs.live(id).map(|live| Watching(live.handle));
        let response = stream::of_reader(watched.reader, Box::new(encoder), stream::Media::Lines);
        return Ok(stream::holding(response, held));
    }
    // What was told before is made again and left out: the encoding of a log is always the same.
    let mut bytes = Vec::new();
    let mut reader = watched.reader;
    while let Some(events) = reader.now().await? {
        for event in events {
            encoder.encode(&event, &mut bytes);
        }
    }
    let told = app.runs.polled(id, bytes.len());
    let fresh = bytes.split_off(told.min(bytes.len()));
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], fresh).into_response())
}

/// Stop a visitor's job.
#[utoipa::path(post, path = "/api/v1/build_public_tmp/{job_id}/cancel", tag = "runs", params(("job_id" = Uuid, Path)),
    responses((status = 200, body = Cancelled), (status = 404, body = ErrorBody)), security(()))]
pub async fn cancel_public_build(
    State(app): AppState,
    client: Client,
    actor: Option<Actor>,
    Path(id): Path<RunId>,
    headers: HeaderMap,
) -> Result<Answer<Cancelled>> {
    let guest = Guest::of(&app, &client, actor, &headers, None).await?;
    let (owner, _) = visits::own_run(&app, &client, &guest.visitor, id).await?;
    let stopped = runs::cancel(&app, &owner, id).await?;
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
