//! Who asks. Every route needs an account unless it stands in `PUBLIC`.

use std::sync::Arc;

use axum::{
    extract::{FromRequestParts, MatchedPath, OptionalFromRequestParts, Request, State},
    http::{HeaderMap, Method, header, request::Parts},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use ferro_store::{ApiKeyId, Principal, TokenFamily, TokenKind, User};

use crate::{
    app::auth::digest,
    cache::Reading,
    config::SESSION_IDLE,
    error::{AppError, Result},
    http::{client::Client, cookies, guard::comes_from_our_page, rarely},
    state::App,
};

/// The routes that answer strangers. A test holds this list against the OpenAPI document.
pub const PUBLIC: &[(&str, &str)] = &[
    ("GET", "/health"),
    ("GET", "/health_check"),
    ("GET", "/openapi.json"),
    ("GET", "/api/v1/version"),
    ("GET", "/api/v1/config"),
    ("GET", "/api/v1/session"),
    ("POST", "/api/v1/login"),
    ("GET", "/api/v1/auto_login"),
    ("POST", "/api/v1/refresh"),
    ("POST", "/api/v1/logout"),
    ("POST", "/api/v1/users"),
    ("GET", "/api/v1/flows/public_flow/{flow_id}"),
    ("GET", "/api/v1/flows/basic_examples"),
    ("POST", "/api/v2/workflows/public"),
    ("POST", "/api/v2/workflows/public/{job_id}/resume"),
    ("POST", "/api/v1/build_public_tmp/{flow_id}/flow"),
    ("GET", "/api/v1/build_public_tmp/{job_id}/events"),
    ("POST", "/api/v1/build_public_tmp/{job_id}/cancel"),
];

/// Who a request acts for, and by which proof.
#[derive(Clone, Debug)]
pub struct Actor {
    /// Shared: a request passes it on several times.
    pub user: Arc<User>,
    pub proof: Proof,
    pub client: Client,
}

#[derive(Clone, Copy, Debug)]
pub enum Proof {
    Session(TokenFamily),
    Bearer(TokenFamily),
    ApiKey(ApiKeyId),
    /// None: a visitor runs what this person shared.
    Shared,
}

impl Actor {
    pub fn principal(&self) -> Principal {
        self.user.principal()
    }
}

enum Credential<'a> {
    Session(&'a str),
    Bearer(&'a str),
    ApiKey(&'a str),
}

pub async fn identify(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    // HEAD is GET without the body, for strangers too.
    let method = if request.method() == Method::HEAD {
        &Method::GET
    } else {
        request.method()
    };
    let is_public = request
        .extensions()
        .get::<MatchedPath>()
        .is_some_and(|path| PUBLIC.contains(&(method.as_str(), path.as_str())));
    let client = request.extensions().get::<Client>().cloned();
    let found = actor_of(&app, request.method(), request.headers(), client).await;
    match found {
        Ok(Some(actor)) => {
            request.extensions_mut().insert(actor);
        }
        Ok(None) if is_public => {}
        Ok(None) => return AppError::unauthenticated().into_response(),
        // A stale cookie must not keep anyone from signing in again.
        Err(error) if is_public && !error.is_internal() => {}
        Err(error) => return error.into_response(),
    }
    next.run(request).await
}

async fn actor_of(
    app: &App,
    method: &Method,
    headers: &HeaderMap,
    client: Option<Client>,
) -> Result<Option<Actor>> {
    let Some(credential) = credential_of(headers) else {
        return Ok(None);
    };
    let Some(client) = client else { return Ok(None) };
    let by = Principal::System;
    match credential {
        Credential::ApiKey(key) => {
            let digest = digest(key);
            let known = match app.known_keys.get(&app.store, &digest) {
                Some(known) => known,
                None => {
                    let reading = Reading::begin(&app.store);
                    let Some((key, user)) = rarely(app.store.api_key_owner(&by, &digest)).await? else {
                        return Err(AppError::unauthenticated());
                    };
                    let known = Arc::new((key.id, Arc::new(user)));
                    app.known_keys.put(reading, digest, Arc::clone(&known));
                    known
                }
            };
            let (key, user) = &*known;
            app.note_key_use(*key);
            Ok(Some(Actor {
                user: Arc::clone(user),
                proof: Proof::ApiKey(*key),
                client,
            }))
        }
        Credential::Bearer(token) => {
            let digest = digest(token);
            let grant = app.store.grant(&by, &digest, &[TokenKind::Access], SESSION_IDLE);
            let grant = rarely(grant).await?;
            let Some(grant) = grant else {
                return Err(AppError::unauthenticated());
            };
            Ok(Some(Actor {
                user: Arc::new(grant.user),
                proof: Proof::Bearer(grant.family),
                client,
            }))
        }
        Credential::Session(token) => {
            let digest = digest(token);
            let grant = app.store.grant(&by, &digest, &[TokenKind::Session], SESSION_IDLE);
            let grant = rarely(grant).await?;
            let Some(grant) = grant else {
                return Err(AppError::unauthenticated());
            };
            let safe = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
            if !safe && !comes_from_our_page(headers) {
                return Err(AppError::origin_refused());
            }
            Ok(Some(Actor {
                user: Arc::new(grant.user),
                proof: Proof::Session(grant.family),
                client,
            }))
        }
    }
}

fn credential_of(headers: &HeaderMap) -> Option<Credential<'_>> {
    if let Some(key) = headers.get("x-api-key").and_then(|value| value.to_str().ok()) {
        return Some(Credential::ApiKey(key));
    }
    if let Some(value) = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
    {
        let (scheme, token) = value.split_once(' ').unwrap_or_default();
        if scheme.eq_ignore_ascii_case("bearer") {
            let token = token.trim();
            return Some(if token.starts_with("sk-") {
                Credential::ApiKey(token)
            } else {
                Credential::Bearer(token)
            });
        }
    }
    cookies::session(headers).map(Credential::Session)
}

impl<S: Send + Sync> FromRequestParts<S> for Actor {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        parts
            .extensions
            .get::<Self>()
            .cloned()
            .ok_or_else(AppError::unauthenticated)
    }
}

impl<S: Send + Sync> OptionalFromRequestParts<S> for Actor {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Option<Self>, Self::Rejection> {
        Ok(parts.extensions.get::<Self>().cloned())
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Client {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        parts
            .extensions
            .get::<Self>()
            .cloned()
            .ok_or_else(|| AppError::bug("no client"))
    }
}
