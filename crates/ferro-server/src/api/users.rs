//! Accounts.

use axum::{
    Json as Answer,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse as _, Response},
};
use ferro_net::Secret;
use ferro_store::{Role, Timestamp, User, UserId, Window};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    api::{AppState, said},
    app::{
        auth,
        users::{self, Profile, SignUp},
    },
    error::{ErrorBody, Result},
    http::{
        client::Client,
        cookies,
        extract::{Json, Path, Query},
        identity::Actor,
    },
    state::App,
};

#[derive(Serialize, ToSchema)]
pub struct UserRead {
    pub id: Uuid,
    pub username: String,
    pub profile_image: Option<String>,
    /// Always null; Langflow's clients look for it.
    pub store_api_key: Option<String>,
    pub is_active: bool,
    /// An admin.
    pub is_superuser: bool,
    /// Whether this account can sign in with a password.
    pub has_password: bool,
    #[schema(value_type = String, format = DateTime)]
    pub create_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_login_at: Option<Timestamp>,
    #[schema(value_type = Object)]
    pub optins: serde_json::Value,
}

impl From<&User> for UserRead {
    fn from(user: &User) -> Self {
        Self {
            id: user.id.0,
            username: user.username.clone(),
            profile_image: user.profile_image.clone(),
            store_api_key: None,
            is_active: user.is_active,
            is_superuser: user.role == Role::Admin,
            has_password: user.password_hash.is_some(),
            create_at: user.created_at,
            updated_at: user.updated_at,
            last_login_at: user.last_login_at,
            optins: serde_json::from_str(&user.optins).unwrap_or_default(),
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UserCreate {
    pub username: String,
    /// At least 12 characters.
    #[schema(format = Password)]
    pub password: String,
    /// Only an admin may say.
    pub is_active: Option<bool>,
    /// Only an admin may say.
    pub is_superuser: Option<bool>,
}

/// Add a person, or sign up where that is open.
#[utoipa::path(post, path = "/api/v1/users", tag = "users", request_body = UserCreate,
    responses((status = 201, body = UserRead), (status = 403, body = ErrorBody), (status = 409, body = ErrorBody)), security((), ("api_key" = []), ("bearer" = [])))]
pub async fn create_user(
    State(app): AppState,
    actor: Option<Actor>,
    client: Client,
    Json(body): Json<UserCreate>,
) -> Result<(StatusCode, Answer<UserRead>)> {
    let new = SignUp {
        username: body.username,
        password: Secret::new(body.password),
        is_active: body.is_active,
        is_superuser: body.is_superuser,
    };
    let user = users::create_user(&app, actor.as_ref(), &client, new).await?;
    Ok((StatusCode::CREATED, Answer(UserRead::from(&user))))
}

/// The account that asks.
#[utoipa::path(get, path = "/api/v1/users/whoami", tag = "users", responses((status = 200, body = UserRead)))]
pub async fn whoami(actor: Actor) -> Answer<UserRead> {
    Answer(UserRead::from(&*actor.user))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UserList {
    /// How many to pass over.
    #[param(minimum = 0)]
    pub skip: Option<u32>,
    /// How many to give, at most 100.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<u32>,
    /// Part of a name.
    pub search: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct UserPage {
    pub total_count: i64,
    pub users: Vec<UserRead>,
}

/// Everyone. For admins.
#[utoipa::path(get, path = "/api/v1/users", tag = "users", params(UserList), responses((status = 200, body = UserPage), (status = 403, body = ErrorBody)))]
pub async fn list_users(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<UserList>,
) -> Result<Answer<UserPage>> {
    let window = Window {
        offset: i64::from(query.skip.unwrap_or(0)),
        limit: i64::from(query.limit.unwrap_or(50).clamp(1, 100)),
    };
    let page = app
        .store
        .users(&actor.principal(), query.search.as_deref(), window)
        .await?;
    Ok(Answer(UserPage {
        total_count: page.total,
        users: page.items.iter().map(UserRead::from).collect(),
    }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UserUpdate {
    pub username: Option<String>,
    #[serde(default, deserialize_with = "said")]
    #[schema(value_type = Option<String>)]
    pub profile_image: Option<Option<String>>,
    /// For accounts of others, or one's own while it has none.
    #[schema(format = Password)]
    pub password: Option<String>,
    /// Only an admin may say.
    pub is_active: Option<bool>,
    /// Only an admin may say.
    pub is_superuser: Option<bool>,
    #[schema(value_type = Option<Object>)]
    pub optins: Option<serde_json::Map<String, serde_json::Value>>,
}

/// Change an account: one's own, or anyone's for admins.
#[utoipa::path(patch, path = "/api/v1/users/{user_id}", tag = "users", params(("user_id" = Uuid, Path)), request_body = UserUpdate,
    responses((status = 200, body = UserRead), (status = 404, body = ErrorBody)))]
pub async fn update_user(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<UserId>,
    Json(body): Json<UserUpdate>,
) -> Result<Response> {
    let profile = Profile {
        username: body.username,
        profile_image: body.profile_image,
        password: body.password.map(Secret::new),
        is_active: body.is_active,
        is_superuser: body.is_superuser,
        optins: body
            .optins
            .map(|optins| serde_json::Value::Object(optins).to_string()),
    };
    let user = users::change_user(&app, &actor, id, profile).await?;
    still_signed_in(&app, &actor, &user).await
}

/// One's own new password ends every session; the one it was changed in goes on under a new cookie.
async fn still_signed_in(app: &App, actor: &Actor, user: &User) -> Result<Response> {
    let mut response = Answer(UserRead::from(user)).into_response();
    if user.id == actor.user.id
        && user.epoch != actor.user.epoch
        && let Some(session) = auth::renew_session(app, actor).await?
        && let Some(cookie) = cookies::set(session.expose(), actor.client.is_https)
    {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordReset {
    /// Empty while the account has none.
    #[serde(default)]
    #[schema(format = Password)]
    pub current_password: String,
    #[schema(format = Password)]
    pub password: String,
}

/// Change one's own password. Every other sign-in ends.
#[utoipa::path(patch, path = "/api/v1/users/{user_id}/reset-password", tag = "users", params(("user_id" = Uuid, Path)), request_body = PasswordReset,
    responses((status = 200, body = UserRead), (status = 422, body = ErrorBody)))]
pub async fn reset_password(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<UserId>,
    Json(body): Json<PasswordReset>,
) -> Result<Response> {
    let (current, new) = (Secret::new(body.current_password), Secret::new(body.password));
    let user = users::reset_password(&app, &actor, id, current, new).await?;
    still_signed_in(&app, &actor, &user).await
}

#[derive(Serialize, ToSchema)]
pub struct UserDeleted {
    #[schema(example = "User deleted")]
    pub detail: &'static str,
}

/// Remove a person and everything they own. For admins; cannot be undone.
#[utoipa::path(delete, path = "/api/v1/users/{user_id}", tag = "users", params(("user_id" = Uuid, Path)),
    responses((status = 200, body = UserDeleted), (status = 404, body = ErrorBody)))]
pub async fn delete_user(
    State(app): AppState,
    actor: Actor,
    Path(id): Path<UserId>,
) -> Result<Answer<UserDeleted>> {
    users::delete_user(&app, &actor, id).await?;
    Ok(Answer(UserDeleted {
        detail: "User deleted",
    }))
}
