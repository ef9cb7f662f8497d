//! How the workers are that run Python.

use axum::{Json as Answer, extract::State};
use ferro_store::Role;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    api::AppState,
    error::{AppError, ErrorBody, Result},
    http::identity::Actor,
};

#[derive(Serialize, ToSchema)]
pub struct PythonStatus {
    /// `built-in`, or the path of the interpreter.
    #[schema(example = "built-in")]
    pub interpreter: String,
    /// The process that workers come from is up; it starts with the first request.
    pub started: bool,
    /// What confines the workers; empty before the first start.
    pub walls: Vec<String>,
    pub missing: Vec<MissingWall>,
    /// Runs although something is missing.
    pub accepts_missing_walls: bool,
    pub busy: usize,
    pub idle: usize,
    /// How many may be busy at once.
    pub most: usize,
    pub memory_mb: u64,
    pub seconds: u64,
    /// Who may bring code of their own: `everyone`, `admins` or `nobody`.
    #[schema(example = "everyone")]
    pub custom_components: &'static str,
}

#[derive(Serialize, ToSchema)]
pub struct MissingWall {
    pub name: String,
    pub why: String,
}

/// How Python runs here. For admins.
#[utoipa::path(get, path = "/api/v1/monitor/python", tag = "monitor",
    responses((status = 200, body = PythonStatus), (status = 403, body = ErrorBody)))]
pub async fn python_status(State(app): AppState, actor: Actor) -> Result<Answer<PythonStatus>> {
    if actor.user.role != Role::Admin {
        return Err(AppError::forbidden("Only an admin can see how Python runs here."));
    }
    let (status, settings) = (app.python.status(), &app.config.python);
    let missing = status.missing.into_iter();
    Ok(Answer(PythonStatus {
        interpreter: status.interpreter,
        started: status.started,
        walls: status.walls,
        missing: missing.map(|(name, why)| MissingWall { name, why }).collect(),
        accepts_missing_walls: settings.accept_missing_walls,
        busy: status.busy,
        idle: status.idle,
        most: settings.workers,
        memory_mb: settings.memory_mb,
        seconds: settings.seconds,
        custom_components: settings.custom_components.as_str(),
    }))
}
