//! Versions of a flow.

use axum::{
    Json as Answer,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use ferro_store::{FlowId, Timestamp, Version, VersionId, Window};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    api::{
        AppState,
        flows::{
            diff_text, flow_answer,
            schema::{FlowDiffRead, FlowDocument, FlowRead, StaleBody},
        },
        if_match, json_text, said,
    },
    app::versions::{self, Side},
    error::{AppError, ErrorBody, Result},
    http::{
        extract::{Json, Path, Query},
        identity::Actor,
    },
};

#[derive(Serialize, ToSchema)]
pub struct VersionRead {
    pub id: Uuid,
    pub flow_id: Uuid,
    pub user_id: Uuid,
    pub version_number: i64,
    pub description: Option<String>,
    pub node_count: i64,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

impl From<Version> for VersionRead {
    fn from(version: Version) -> Self {
        Self {
            id: version.id.0,
            flow_id: version.flow_id.0,
            user_id: version.user_id.0,
            version_number: version.number,
            description: version.description,
            node_count: version.node_count,
            created_at: version.created_at,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct VersionWithData {
    #[serde(flatten)]
    pub version: VersionRead,
    pub data: Option<FlowDocument>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct VersionList {
    /// At most 100.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<u32>,
    #[param(minimum = 0)]
    pub offset: Option<u32>,
}

#[derive(Serialize, ToSchema)]
pub struct VersionPage {
    pub entries: Vec<VersionRead>,
    /// How many are kept.
    pub max_entries: u32,
    pub total: i64,
}

/// The newest first.
#[utoipa::path(get, path = "/api/v1/flows/{flow_id}/versions", tag = "versions", params(("flow_id" = Uuid, Path), VersionList),
    responses((status = 200, body = VersionPage), (status = 404, body = ErrorBody)))]
pub async fn list_versions(
    State(app): AppState,
    actor: Actor,
    Path(flow): Path<FlowId>,
    Query(query): Query<VersionList>,
) -> Result<Answer<VersionPage>> {
    let window = Window {
        offset: i64::from(query.offset.unwrap_or(0)),
        limit: i64::from(query.limit.unwrap_or(50).clamp(1, 100)),
    };
    let page = app.store.versions(&actor.principal(), flow, window).await?;
    Ok(Answer(VersionPage {
        entries: page.items.into_iter().map(VersionRead::from).collect(),
        max_entries: app.config.max_versions,
        total: page.total,
    }))
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VersionCreate {
    /// At most 500 characters.
    pub description: Option<String>,
}

/// Keep the saved draft as a version. The oldest beyond the limit is forgotten.
#[utoipa::path(post, path = "/api/v1/flows/{flow_id}/versions", tag = "versions", params(("flow_id" = Uuid, Path)), request_body = VersionCreate,
    responses((status = 201, body = VersionRead), (status = 404, body = ErrorBody)))]
pub async fn create_version(
    State(app): AppState,
    actor: Actor,
    Path(flow): Path<FlowId>,
    Json(body): Json<VersionCreate>,
) -> Result<(StatusCode, Answer<VersionRead>)> {
    let version = versions::create_version(&app, &actor, flow, body.description).await?;
    Ok((StatusCode::CREATED, Answer(version.into())))
}

/// A version with its document; literal secrets are left out.
#[utoipa::path(get, path = "/api/v1/flows/{flow_id}/versions/{version_id}", tag = "versions", params(("flow_id" = Uuid, Path), ("version_id" = Uuid, Path)),
    responses((status = 200, body = VersionWithData), (status = 404, body = ErrorBody)))]
pub async fn read_version(
    State(app): AppState,
    actor: Actor,
    Path((flow, id)): Path<(FlowId, VersionId)>,
) -> Result<Response> {
    let (version, data) = versions::version(&app, &actor, flow, id).await?;
    let mut text = serde_json::to_string(&VersionRead::from(version)).map_err(AppError::internal)?;
    text.pop();
    text.push_str(",\"data\":");
    text.push_str(data.as_deref().unwrap_or("null"));
    text.push('}');
    Ok(json_text(StatusCode::OK, text))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VersionUpdate {
    #[serde(deserialize_with = "said")]
    #[schema(value_type = Option<String>)]
    pub description: Option<Option<String>>,
}

/// Change a version's description.
#[utoipa::path(patch, path = "/api/v1/flows/{flow_id}/versions/{version_id}", tag = "versions", params(("flow_id" = Uuid, Path), ("version_id" = Uuid, Path)),
    request_body = VersionUpdate, responses((status = 200, body = VersionRead), (status = 404, body = ErrorBody)))]
pub async fn update_version(
    State(app): AppState,
    actor: Actor,
    Path((flow, id)): Path<(FlowId, VersionId)>,
    Json(body): Json<VersionUpdate>,
) -> Result<Answer<VersionRead>> {
    let version = versions::describe_version(&app, &actor, flow, id, body.description.flatten()).await?;
    Ok(Answer(version.into()))
}

/// Forget a version.
#[utoipa::path(delete, path = "/api/v1/flows/{flow_id}/versions/{version_id}", tag = "versions", params(("flow_id" = Uuid, Path), ("version_id" = Uuid, Path)),
    responses((status = 204), (status = 404, body = ErrorBody)))]
pub async fn delete_version(
    State(app): AppState,
    actor: Actor,
    Path((flow, id)): Path<(FlowId, VersionId)>,
) -> Result<StatusCode> {
    app.store.delete_version(&actor.principal(), flow, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Activation {
    /// Keep the draft as a version first (the default).
    pub save_draft: Option<bool>,
}

/// Make a version the draft again.
#[utoipa::path(post, path = "/api/v1/flows/{flow_id}/versions/{version_id}/activate", tag = "versions",
    params(("flow_id" = Uuid, Path), ("version_id" = Uuid, Path), Activation),
    responses((status = 200, body = FlowRead), (status = 404, body = ErrorBody), (status = 409, body = StaleBody)))]
pub async fn activate_version(
    State(app): AppState,
    actor: Actor,
    Path((flow, id)): Path<(FlowId, VersionId)>,
    Query(query): Query<Activation>,
    headers: HeaderMap,
) -> Result<Response> {
    let save_draft = query.save_draft.unwrap_or(true);
    let flow = versions::activate_version(&app, &actor, flow, id, save_draft, if_match(&headers)?).await?;
    Ok(flow_answer(StatusCode::OK, &flow))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Comparison {
    /// A version's id, or `draft`.
    pub from: String,
    /// A version's id, or `draft`.
    pub to: String,
}

/// What changed between two versions, or a version and the draft.
#[utoipa::path(get, path = "/api/v1/flows/{flow_id}/versions/diff", tag = "versions", params(("flow_id" = Uuid, Path), Comparison),
    responses((status = 200, body = FlowDiffRead), (status = 404, body = ErrorBody)))]
pub async fn diff_versions(
    State(app): AppState,
    actor: Actor,
    Path(flow): Path<FlowId>,
    Query(query): Query<Comparison>,
) -> Result<Response> {
    let side = |field: &'static str, text: &str| {
        text.parse::<Side>()
            .map_err(|_| AppError::invalid(field, "must be a version's id or draft"))
    };
    let (from, to) = (side("from", &query.from)?, side("to", &query.to)?);
    let diff = versions::diff_versions(&app, &actor, flow, from, to).await?;
    Ok(json_text(StatusCode::OK, diff_text(&diff)?))
}
