//! Signing in and out.

use axum::{
    Json as Answer,
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse as _, Response},
};
use ferro_net::Secret;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    api::{AppState, Done, users::UserRead},
    app::auth::{self, SignedIn},
    error::{AppError, ErrorBody, Result},
    http::{
        client::Client,
        cookies,
        extract::{Form, Json},
        identity::Actor,
    },
};

#[derive(Deserialize, ToSchema)]
pub struct Login {
    pub username: String,
    #[schema(format = Password)]
    pub password: String,
}

#[derive(Serialize, ToSchema)]
pub struct Tokens {
    /// For the `Authorization: Bearer` header; lasts an hour.
    pub access_token: String,
    /// Buys one new pair; lasts a week.
    pub refresh_token: String,
    #[schema(example = "bearer")]
    pub token_type: &'static str,
}

/// Sign in with name and password.
///
/// Browsers get a session cookie; programs use the tokens.
#[utoipa::path(post, path = "/api/v1/login", tag = "auth", request_body(content = Login, content_type = "application/x-www-form-urlencoded"),
    responses((status = 200, body = Tokens), (status = 401, body = ErrorBody), (status = 429, body = ErrorBody)), security(()))]
pub async fn login(State(app): AppState, client: Client, Form(form): Form<Login>) -> Result<Response> {
    let signed_in = auth::login(&app, &client, form.username.trim(), Secret::new(form.password)).await?;
    Ok(welcome(&signed_in, &client))
}

/// Sign in without a password, on the server's own machine, in single-user mode.
#[utoipa::path(get, path = "/api/v1/auto_login", tag = "auth",
    responses((status = 200, body = Tokens), (status = 403, body = ErrorBody)), security(()))]
pub async fn auto_login(State(app): AppState, client: Client, headers: HeaderMap) -> Result<Response> {
    // A page elsewhere could otherwise make the browser sign in and then probe what it may do.
    if headers
        .get("sec-fetch-site")
        .is_some_and(|site| site != "same-origin" && site != "none")
    {
        return Err(AppError::origin_refused());
    }
    let signed_in = auth::auto_login(&app, &client).await?;
    Ok(welcome(&signed_in, &client))
}

fn welcome(signed_in: &SignedIn, client: &Client) -> Response {
    let mut response = Answer(Tokens {
        access_token: signed_in.access.expose().to_owned(),
        refresh_token: signed_in.refresh.expose().to_owned(),
        token_type: "bearer",
    })
    .into_response();
    if let Some(cookie) = cookies::set(signed_in.session.expose(), client.is_https) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response.headers_mut().insert(
        header::CACHE_CONTROL,
        header::HeaderValue::from_static("no-store"),
    );
    response
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Refresh {
    pub refresh_token: String,
}

/// Trade a refresh token for a new pair. It works once: a second use ends the sign-in it came from.
#[utoipa::path(post, path = "/api/v1/refresh", tag = "auth", request_body = Refresh,
    responses((status = 200, body = Tokens), (status = 401, body = ErrorBody)), security(()))]
pub async fn refresh(
    State(app): AppState,
    client: Client,
    Json(body): Json<Refresh>,
) -> Result<Answer<Tokens>> {
    let (access, refresh) = auth::refresh(&app, &client, &body.refresh_token).await?;
    Ok(Answer(Tokens {
        access_token: access.expose().to_owned(),
        refresh_token: refresh.expose().to_owned(),
        token_type: "bearer",
    }))
}

#[derive(Serialize, ToSchema)]
pub struct Session {
    pub authenticated: bool,
    pub user: Option<UserRead>,
    /// Always null; Langflow's clients look for it.
    pub store_api_key: Option<String>,
}

/// Who am I, if anyone?
#[utoipa::path(get, path = "/api/v1/session", tag = "auth", responses((status = 200, body = Session)), security(()))]
pub async fn session(actor: Option<Actor>) -> Answer<Session> {
    let user = actor.map(|actor| UserRead::from(&*actor.user));
    Answer(Session {
        authenticated: user.is_some(),
        user,
        store_api_key: None,
    })
}

/// End this sign-in: its cookie and its tokens.
#[utoipa::path(post, path = "/api/v1/logout", tag = "auth", responses((status = 200, body = Done)), security(()))]
pub async fn logout(State(app): AppState, client: Client, actor: Option<Actor>) -> Result<Response> {
    if let Some(actor) = actor {
        auth::logout(&app, &actor).await?;
    }
    let mut response = Answer(Done {
        message: "Signed out.".to_owned(),
    })
    .into_response();
    if let Some(cookie) = cookies::clear(client.is_https) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(response)
}
