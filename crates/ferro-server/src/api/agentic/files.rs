//! What the assistant wrote for a person, to be looked at or taken away.

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::{AppState, download};
use crate::app::assistant;
use crate::error::{AppError, ErrorBody, Result};
use crate::http::extract::Query;
use crate::http::identity::Actor;

const MAX_PATH: usize = 1024;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FileQuery {
    /// As `file_written` tells it; 1 to 1,024 characters.
    #[param(example = "notes/plan.md")]
    pub path: String,
    /// As a file to keep, instead of text to show.
    #[serde(default)]
    #[param(required = false)]
    pub download: bool,
}

/// Read a file that the assistant wrote.
#[utoipa::path(get, path = "/api/v1/agentic/files", tag = "agentic", params(FileQuery),
    responses((status = 200, content((String = "text/plain"), (Vec<u8> = "application/octet-stream"))),
        (status = 400, body = ErrorBody), (status = 404, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody), (status = 422, body = ErrorBody)))]
pub async fn read_assistant_file(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<FileQuery>,
) -> Result<Response> {
    assistant::check_enabled(&app)?;
    if query.path.is_empty() || query.path.chars().count() > MAX_PATH {
        return Err(AppError::invalid("path", "must have 1 to 1,024 characters"));
    }
    let name = query.path.rsplit('/').next().unwrap_or_default().to_owned();
    let bytes = assistant::read_file(&app, &actor, query.path).await?;
    if query.download {
        return Ok(download(&name, "application/octet-stream", bytes));
    }
    let mut response = download(&name, "text/plain; charset=utf-8", bytes);
    response
        .headers_mut()
        .insert(header::CONTENT_DISPOSITION, HeaderValue::from_static("inline"));
    Ok(response)
}
