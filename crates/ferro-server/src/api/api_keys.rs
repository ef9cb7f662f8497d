//! Keys for programs.

use axum::{Json as Answer, extract::State, http::StatusCode};
use ferro_store::{ApiKey, ApiKeyId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    api::AppState,
    app::api_keys,
    error::{ErrorBody, Result},
    http::{
        extract::{Json, Path},
        identity::Actor,
    },
};

#[derive(Serialize, ToSchema)]
pub struct ApiKeyRead {
    pub id: Uuid,
    pub name: String,
    /// Its first characters; the whole key only in the answer that made it.
    #[schema(example = "sk-AbCdE…")]
    pub api_key: String,
    pub is_active: bool,
    pub total_uses: i64,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_used_at: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
}

impl ApiKeyRead {
    fn new(key: ApiKey, shown: String) -> Self {
        Self {
            id: key.id.0,
            name: key.name,
            api_key: shown,
            is_active: key.is_active && !key.expires_at.is_some_and(Timestamp::is_past),
            total_uses: key.total_uses,
            created_at: key.created_at,
            last_used_at: key.last_used_at,
            expires_at: key.expires_at,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct ApiKeyList {
    pub total_count: usize,
    pub user_id: Uuid,
    pub api_keys: Vec<ApiKeyRead>,
}

/// One's keys, without the keys themselves.
#[utoipa::path(get, path = "/api/v1/api_key", tag = "api keys", responses((status = 200, body = ApiKeyList)))]
pub async fn list_api_keys(State(app): AppState, actor: Actor) -> Result<Answer<ApiKeyList>> {
    app.flush_key_uses().await;
    let keys = app.store.api_keys(&actor.principal()).await?;
    let api_keys: Vec<_> = keys
        .into_iter()
        .map(|key| {
            let shown = format!("{}…", key.prefix);
            ApiKeyRead::new(key, shown)
        })
        .collect();
    Ok(Answer(ApiKeyList {
        total_count: api_keys.len(),
        user_id: actor.user.id.0,
        api_keys,
    }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ApiKeyCreate {
    #[schema(example = "ci")]
    pub name: String,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
}

/// Make a key. This answer is the only one that shows it.
#[utoipa::path(post, path = "/api/v1/api_key", tag = "api keys", request_body = ApiKeyCreate,
    responses((status = 201, body = ApiKeyRead), (status = 422, body = ErrorBody)))]
pub async fn create_api_key(
    State(app): AppState,
    actor: Actor,
    Json(body): Json<ApiKeyCreate>,
) -> Result<(StatusCode, Answer<ApiKeyRead>)> {
    let (key, secret) = api_keys::create_api_key(&app, &actor, &body.name, body.expires_at).await?;
    Ok((
        StatusCode::CREATED,
        Answer(ApiKeyRead::new(key, secret.expose().to_owned())),
    ))
}

/// Take a key back. It stops working at once.
#[utoipa::path(delete, path = "/api/v1/api_key/{api_key_id}", tag = "api keys", params(("api_key_id" = Uuid, Path)),
    responses((status = 204), (status = 404, body = ErrorBody)))]
pub async fn delete_api_key(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<ApiKeyId>,
) -> Result<StatusCode> {
    api_keys::delete_api_key(&app, &actor, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
