//! The assistant.

use axum::{Json as Answer, extract::State};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    api::AppState,
    app::user_components,
    error::{AppError, ErrorBody, Result},
    http::{extract::Query, identity::Actor},
};

const MAX_SESSION_ID: usize = 128;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SessionReset {
    /// At most 128 characters.
    pub session_id: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct SessionWasReset {
    #[schema(example = "ok")]
    pub status: &'static str,
    pub components_cleared: u64,
    pub session_id: Option<String>,
}

/// Begin a new session with the assistant: the components one keeps are forgotten.
#[utoipa::path(post, path = "/api/v1/agentic/sessions/reset", tag = "agentic", params(SessionReset),
    responses((status = 200, body = SessionWasReset), (status = 422, body = ErrorBody)))]
pub async fn reset_session(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<SessionReset>,
) -> Result<Answer<SessionWasReset>> {
    let length = query.session_id.as_ref().map_or(0, |id| id.chars().count());
    if length > MAX_SESSION_ID {
        return Err(AppError::invalid(
            "session_id",
            "must have at most 128 characters",
        ));
    }
    Ok(Answer(SessionWasReset {
        status: "ok",
        components_cleared: user_components::clear(&app, &actor).await?,
        session_id: query.session_id,
    }))
}
