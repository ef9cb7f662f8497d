//! Keys for programs.

use ferro_net::Secret;
use ferro_store::{ApiKey, ApiKeyId, NewApiKey, Principal, Timestamp};

use crate::{
    app::auth::{digest, new_token},
    error::{AppError, Result},
    http::identity::Actor,
    state::App,
};

/// Makes a key for whoever `by` is. The secret is returned here and nowhere else, ever.
pub async fn make_api_key(
    app: &App,
    by: &Principal,
    name: &str,
    expires_at: Option<Timestamp>,
) -> Result<(ApiKey, Secret)> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > 100 {
        return Err(AppError::invalid("name", "must have 1 to 100 characters"));
    }
    if expires_at.is_some_and(Timestamp::is_past) {
        return Err(AppError::invalid("expires_at", "must be in the future"));
    }
    let secret = Secret::new(format!("sk-{}", new_token()?.expose()));
    let prefix = secret.expose().chars().take(8).collect();
    let new = NewApiKey {
        name: name.to_owned(),
        prefix,
        hash: digest(secret.expose()),
        expires_at,
    };
    let key = app.store.create_api_key(by, new).await?;
    Ok((key, secret))
}

pub async fn create_api_key(
    app: &App,
    actor: &Actor,
    name: &str,
    expires_at: Option<Timestamp>,
) -> Result<(ApiKey, Secret)> {
    let made = make_api_key(app, &actor.principal(), name, expires_at).await?;
    app.audit(actor, "api_key.create", made.0.id).await?;
    Ok(made)
}

pub async fn delete_api_key(app: &App, actor: &Actor, id: ApiKeyId) -> Result<()> {
    app.store.delete_api_key(&actor.principal(), id).await?;
    app.audit(actor, "api_key.delete", id).await
}
