//! Numbers for whoever watches over this server.

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse as _, Response},
};
use ferro_store::Role;

use crate::{
    api::AppState,
    error::{AppError, ErrorBody, Result},
    http::identity::Actor,
    metrics,
};

/// What this server counts, in Prometheus' text format. For admins.
#[utoipa::path(get, path = "/metrics", tag = "meta",
    responses((status = 200, body = String, content_type = "text/plain"), (status = 403, body = ErrorBody)))]
pub async fn read_metrics(State(app): AppState, actor: Actor) -> Result<Response> {
    if actor.user.role != Role::Admin {
        return Err(AppError::forbidden("Only an admin can read the metrics."));
    }
    let text = metrics::render(&app).await;
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response())
}
