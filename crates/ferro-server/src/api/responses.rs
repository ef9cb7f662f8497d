//! A flow as a model: OpenAI's responses API.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use serde_json::Value as Json;
use utoipa::ToSchema;

use super::run::{answer, set_globals};
use super::wire::responses::{Asked, ErrorEnvelope, Responses, Tools};
use super::{AppState, stream};
use crate::app::runs;
use crate::app::runs::request::RunRequest;
use crate::error::{AppError, Result};
use crate::http::extract::Json as Body;
use crate::http::identity::Actor;

#[derive(Debug, Deserialize, ToSchema)]
pub struct ResponsesBody {
    /// The flow's id or endpoint name.
    #[schema(example = "my-flow")]
    pub model: String,
    /// What the person says.
    #[schema(example = "Hello!")]
    pub input: Json,
    #[serde(default)]
    pub stream: bool,
    /// Not supported: use `/api/v2/workflows`.
    #[serde(default)]
    pub background: bool,
    /// Must be left out: a flow brings its own tools.
    #[serde(default)]
    pub tools: Option<Json>,
    /// The `id` of an earlier answer goes on with its conversation.
    #[serde(default)]
    pub previous_response_id: Option<String>,
    /// `tool_call.results` adds what tools gave back.
    #[serde(default)]
    pub include: Option<Vec<String>>,
}

/// Ask a flow as if it were a model.
#[utoipa::path(post, path = "/api/v1/responses", tag = "runs", request_body = ResponsesBody,
    responses((status = 200, body = Object), (status = 400, body = ErrorEnvelope), (status = 404, body = ErrorEnvelope)))]
pub async fn create_response(
    State(app): AppState,
    actor: Actor,
    headers: HeaderMap,
    Body(body): Body<ResponsesBody>,
) -> Result<Response> {
    let refuse = |message: &str, code: &'static str| {
        let envelope = ErrorEnvelope::new(message.to_owned(), "invalid_request_error", Some(code));
        Ok((StatusCode::BAD_REQUEST, axum::Json(envelope)).into_response())
    };
    if body
        .tools
        .as_ref()
        .is_some_and(|tools| !tools.is_null() && tools.as_array().is_none_or(|list| !list.is_empty()))
    {
        return refuse(
            "Tools cannot be passed in: give them to the flow's agent.",
            "tools_not_supported",
        );
    }
    if body.background {
        return refuse(
            "Background answers are not supported here; use POST /api/v2/workflows.",
            "background_not_supported",
        );
    }
    let Some(input) = text_of(&body.input) else {
        return refuse(
            "The input must be text, or a list of messages whose last one has text.",
            "invalid_input",
        );
    };
    let flow = match runs::find_flow(&app, &actor, &body.model).await {
        Err(error) if error.is_not_found() => {
            let message = "There is no such flow.".to_owned();
            let envelope = ErrorEnvelope::new(message, "invalid_request_error", Some("flow_not_found"));
            return Ok((StatusCode::NOT_FOUND, axum::Json(envelope)).into_response());
        }
        found => found?,
    };
    let mut request = RunRequest::new("responses");
    request.input_value = Some(input);
    request.session_id = body
        .previous_response_id
        .clone()
        .or_else(|| Some(uuid::Uuid::now_v7().to_string()));
    set_globals(&mut request, &headers);
    let ready = match runs::ready(&app, &actor, &flow, &request).await {
        Ok(ready) => ready,
        Err(error) => return refuse(&error.to_string(), "invalid_flow"),
    };
    if !ready.has_chat() {
        return refuse(
            "The flow needs a Chat Input and a Chat Output to answer here.",
            "no_chat",
        );
    }
    let begun = runs::begin(&app, &actor, &flow, request).await?;
    let results = body
        .include
        .unwrap_or_default()
        .iter()
        .any(|wanted| wanted == "tool_call.results");
    let asked = Asked {
        model: body.model,
        previous_response_id: body.previous_response_id,
        tools: if results { Tools::WithResults } else { Tools::Calls },
    };
    let mut responses = Responses::new(Arc::clone(&begun.meta), asked);
    if body.stream {
        return Ok(stream::of_run(
            &app,
            begun,
            Box::new(responses),
            stream::Media::Events,
        ));
    }
    let finished = begun.finish(&app).await?;
    for event in &finished.events {
        responses.observe(event);
    }
    if let Some(failure) = responses.results().failure() {
        let message = AppError::run_failed(&failure).to_string();
        let envelope = ErrorEnvelope::new(message, "processing_error", None);
        return Ok((StatusCode::BAD_REQUEST, axum::Json(envelope)).into_response());
    }
    Ok(answer(&responses.response()))
}

/// Text, or the last text among OpenAI's input items.
fn text_of(input: &Json) -> Option<String> {
    match input {
        Json::String(text) => Some(text.clone()),
        Json::Array(items) => items
            .iter()
            .rev()
            .find_map(|item| match item.get("content").unwrap_or(item) {
                Json::String(text) => Some(text.clone()),
                Json::Array(parts) => parts
                    .iter()
                    .rev()
                    .find_map(|part| part.get("text")?.as_str().map(str::to_owned)),
                _ => None,
            }),
        _ => None,
    }
}
