//! What this server is and how it is.

use axum::{Json, extract::State, http::header, response::IntoResponse};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    api::AppState,
    app::auth::auto_login_user,
    config::{CustomComponents, DEFAULT_PROJECT},
    error::{AppError, ErrorBody, Result},
    http::identity::Actor,
};

#[derive(Serialize, ToSchema)]
pub struct Health {
    #[schema(example = "ok")]
    pub status: &'static str,
}

/// Is the process there?
#[utoipa::path(get, path = "/health", tag = "meta", responses((status = 200, body = Health)), security(()))]
pub async fn health() -> Json<Health> {
    Json(Health { status: "ok" })
}

#[derive(Serialize, ToSchema)]
pub struct HealthCheck {
    #[schema(example = "ok")]
    pub status: &'static str,
    #[schema(example = "ok")]
    pub chat: &'static str,
    #[schema(example = "ok")]
    pub db: &'static str,
}

/// Do the parts it depends on answer?
#[utoipa::path(get, path = "/health_check", tag = "meta",
    responses((status = 200, body = HealthCheck), (status = 500, body = ErrorBody)), security(()))]
pub async fn health_check(State(app): AppState) -> Result<Json<HealthCheck>> {
    match app.store.ping().await {
        Ok(()) => Ok(Json(HealthCheck {
            status: "ok",
            chat: "ok",
            db: "ok",
        })),
        Err(error) => Err(AppError::unhealthy(
            "the database does not answer".to_owned(),
            error,
        )),
    }
}

#[derive(Serialize, ToSchema)]
pub struct Version {
    #[schema(example = "0.1.0")]
    pub version: &'static str,
    pub main_version: &'static str,
    #[schema(example = "Ferroflow")]
    pub package: &'static str,
}

/// Which version this is.
#[utoipa::path(get, path = "/api/v1/version", tag = "meta", responses((status = 200, body = Version)), security(()))]
pub async fn version() -> Json<Version> {
    let version = env!("CARGO_PKG_VERSION");
    Json(Version {
        version,
        main_version: version,
        package: "Ferroflow",
    })
}

#[derive(Serialize, ToSchema)]
pub struct ConfigRead {
    /// `full` for people who are signed in, `public` for others.
    #[serde(rename = "type")]
    #[schema(example = "public")]
    pub kind: &'static str,
    pub version: &'static str,
    /// This machine's own user is signed in without a password.
    pub auto_login: bool,
    pub signup_enabled: bool,
    /// Megabytes.
    pub max_file_size_upload: u64,
    pub event_delivery: &'static str,
    pub frontend_timeout: u32,
    pub auto_saving: bool,
    /// Milliseconds.
    pub auto_saving_interval: u32,
    pub default_folder_name: &'static str,
    pub max_flow_version_entries_per_flow: u32,
    pub trash_days: u32,
    pub min_password_length: usize,
    /// Whether anybody may bring components with code of their own.
    pub allow_custom_components: bool,
    pub custom_component_admin_only: bool,
    #[schema(value_type = Object)]
    pub feature_flags: serde_json::Value,
}

/// What a page needs to know before it can show anything.
#[utoipa::path(get, path = "/api/v1/config", tag = "meta", responses((status = 200, body = ConfigRead)), security(()))]
pub async fn config(State(app): AppState, actor: Option<Actor>) -> Result<Json<ConfigRead>> {
    Ok(Json(ConfigRead {
        kind: if actor.is_some() { "full" } else { "public" },
        version: env!("CARGO_PKG_VERSION"),
        auto_login: auto_login_user(&app).await?.is_some(),
        signup_enabled: app.config.signup,
        max_file_size_upload: app.config.max_upload_mb,
        event_delivery: "streaming",
        frontend_timeout: 0,
        auto_saving: true,
        auto_saving_interval: 1000,
        default_folder_name: DEFAULT_PROJECT,
        max_flow_version_entries_per_flow: app.config.max_versions,
        trash_days: app.config.trash_days,
        min_password_length: crate::passwords::MIN_LENGTH,
        allow_custom_components: app.config.python.custom_components != CustomComponents::Nobody,
        custom_component_admin_only: app.config.python.custom_components == CustomComponents::Admins,
        feature_flags: serde_json::json!({}),
    }))
}

/// This document.
#[utoipa::path(get, path = "/openapi.json", tag = "meta", responses((status = 200, body = Object)), security(()))]
pub async fn openapi() -> impl IntoResponse {
    (
        [(header::CONTENT_TYPE, "application/json")],
        crate::router::openapi_json(),
    )
}
