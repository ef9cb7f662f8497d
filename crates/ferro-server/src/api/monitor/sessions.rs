//! Conversations with flows.

use axum::{Json as Answer, extract::State, http::StatusCode, response::Response};
use ferro_store::FlowId;
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use crate::{
    api::{
        AppState,
        monitor::messages::list_answer,
        wire::message::{Blocks, MessageRead},
    },
    app::messages,
    error::{ErrorBody, Result},
    http::{
        extract::{Json, Path, Query},
        identity::Actor,
    },
};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OfFlow {
    /// Of this flow only; of all when not said.
    pub flow_id: Option<Uuid>,
}

/// Names of sessions, the last used first. Those with the assistant are not listed.
#[utoipa::path(get, path = "/api/v1/monitor/messages/sessions", tag = "messages", params(OfFlow),
    responses((status = 200, body = Vec<String>)))]
pub async fn list_sessions(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<OfFlow>,
) -> Result<Answer<Vec<String>>> {
    let sessions = messages::list_sessions(&app, &actor, query.flow_id.map(FlowId)).await?;
    Ok(Answer(sessions))
}

/// Delete several sessions with their messages.
#[utoipa::path(delete, path = "/api/v1/monitor/messages/sessions", tag = "messages", params(OfFlow), request_body = Vec<String>,
    responses((status = 204), (status = 422, body = ErrorBody)))]
pub async fn delete_sessions(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<OfFlow>,
    Json(names): Json<Vec<String>>,
) -> Result<StatusCode> {
    messages::delete_sessions(&app, &actor, query.flow_id.map(FlowId), names).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Rename {
    pub new_session_id: String,
    pub flow_id: Option<Uuid>,
}

/// Give a session another name. Answers with its messages.
#[utoipa::path(patch, path = "/api/v1/monitor/messages/session/{session_id}", tag = "messages",
    params(("session_id" = String, Path), Rename),
    responses((status = 200, body = Vec<MessageRead<'static>>), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody),
        (status = 422, body = ErrorBody)))]
pub async fn rename_session(
    State(app): AppState,
    actor: Actor,
    Path(old): Path<String>,
    Query(query): Query<Rename>,
) -> Result<Response> {
    let flow = query.flow_id.map(FlowId);
    let found = messages::rename_session(&app, &actor, flow, &old, &query.new_session_id).await?;
    Ok(list_answer(&found, Blocks::Grouped))
}

/// Delete a session with its messages.
#[utoipa::path(delete, path = "/api/v1/monitor/messages/session/{session_id}", tag = "messages",
    params(("session_id" = String, Path), OfFlow), responses((status = 204)))]
pub async fn delete_session(
    State(app): AppState,
    actor: Actor,
    Path(name): Path<String>,
    Query(query): Query<OfFlow>,
) -> Result<StatusCode> {
    messages::delete_sessions(&app, &actor, query.flow_id.map(FlowId), vec![name]).await?;
    Ok(StatusCode::NO_CONTENT)
}
