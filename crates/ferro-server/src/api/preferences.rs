//! What a person chose for their own page. The server keeps it and does not read it.

use std::collections::BTreeMap;

use axum::{extract::State, http::StatusCode, response::Response};
use serde::Deserialize as _;
use serde_json::{Value, value::RawValue};

use crate::{
    api::{AppState, json_text},
    error::{AppError, ErrorBody, Result},
    http::{
        extract::{Json, Path},
        identity::Actor,
    },
};

/// What the page may keep. Others of a person's preferences, such as their default models, have addresses and rules of
/// their own and are neither shown nor changed here.
const NAMES: [(&str, &str); 3] = [
    ("shortcuts", "page.shortcuts"),
    ("palette", "page.palette"),
    ("editor", "page.editor"),
];
const PREFIX: &str = "page.";
const LIMIT: usize = 64 << 10;

fn kept_as(name: &str) -> Result<&'static str> {
    let found = NAMES.iter().find(|(known, _)| *known == name);
    found
        .map(|(_, kept)| *kept)
        .ok_or_else(|| AppError::not_found("preference"))
}

/// One's preferences, by name; those never set are left out.
#[utoipa::path(get, path = "/api/v1/preferences", tag = "users",
    responses((status = 200, body = BTreeMap<String, Value>)))]
pub async fn list_preferences(State(app): AppState, actor: Actor) -> Result<Response> {
    let kept = app.store.preferences(&actor.principal(), PREFIX).await?;
    let mut found: BTreeMap<&str, &RawValue> = BTreeMap::new();
    for (name, value) in &kept {
        let known = NAMES.iter().find(|(_, kept)| kept == name);
        if let (Some((name, _)), Ok(value)) = (known, serde_json::from_str(value)) {
            found.insert(name, value);
        }
    }
    let text = serde_json::to_string(&found).map_err(AppError::internal)?;
    Ok(json_text(StatusCode::OK, text))
}

/// Keep a preference: any JSON of at most 64 kB. `shortcuts`, `palette` or `editor`.
#[utoipa::path(put, path = "/api/v1/preferences/{name}", tag = "users", params(("name" = String, Path)), request_body = Value,
    responses((status = 200, body = Value), (status = 404, body = ErrorBody), (status = 413, body = ErrorBody)))]
pub async fn set_preference(
    State(app): AppState,
    actor: Actor,
    Path(name): Path<String>,
    Json(value): Json<Box<RawValue>, LIMIT>,
) -> Result<Response> {
    let name = kept_as(&name)?;
    // Read once as a value: a text with a lone surrogate is valid JSON that nobody could read back.
    let mut reader = serde_json::Deserializer::from_str(value.get());
    Value::deserialize(&mut reader).map_err(|_| AppError::invalid("", "the text holds half a character"))?;
    let text = value.get().to_owned();
    app.store
        .set_preference(&actor.principal(), name, text.clone())
        .await?;
    Ok(json_text(StatusCode::OK, text))
}

/// Forget a preference.
#[utoipa::path(delete, path = "/api/v1/preferences/{name}", tag = "users", params(("name" = String, Path)),
    responses((status = 204), (status = 404, body = ErrorBody)))]
pub async fn clear_preference(
    State(app): AppState,
    actor: Actor,
    Path(name): Path<String>,
) -> Result<StatusCode> {
    app.store
        .clear_preference(&actor.principal(), kept_as(&name)?)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
