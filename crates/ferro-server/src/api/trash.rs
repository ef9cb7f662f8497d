//! Deleted flows and projects, until they are restored or their time is up.

use axum::{Json as Answer, extract::State, http::StatusCode};
use ferro_store::{Timestamp, TrashItem, TrashKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    api::{AppState, Deleted},
    config::DEFAULT_PROJECT,
    error::{ErrorBody, Result},
    http::{extract::Path, identity::Actor},
    state::App,
};

#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Flow,
    Project,
}

impl From<Kind> for TrashKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Flow => Self::Flow,
            Kind::Project => Self::Project,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct TrashRead {
    pub kind: Kind,
    pub id: Uuid,
    pub name: String,
    #[schema(value_type = String, format = DateTime)]
    pub deleted_at: Timestamp,
    /// When it goes for good.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
    /// How many flows went with a project.
    pub flow_count: i64,
    pub folder_id: Option<Uuid>,
}

#[derive(Serialize, ToSchema)]
pub struct TrashList {
    pub items: Vec<TrashRead>,
}

fn shape(item: TrashItem, app: &App) -> TrashRead {
    TrashRead {
        kind: match item.kind {
            TrashKind::Flow => Kind::Flow,
            TrashKind::Project => Kind::Project,
        },
        id: item.id,
        name: item.name,
        deleted_at: item.deleted_at,
        expires_at: item.deleted_at.plus(app.config.trash_age()),
        flow_count: item.flow_count,
        folder_id: item.folder_id.map(|id| id.0),
    }
}

/// What was deleted, the newest first.
#[utoipa::path(get, path = "/api/v1/trash", tag = "trash", responses((status = 200, body = TrashList)))]
pub async fn list_trash(State(app): AppState, actor: Actor) -> Result<Answer<TrashList>> {
    let items = app.store.trash(&actor.principal()).await?;
    Ok(Answer(TrashList {
        items: items.into_iter().map(|item| shape(item, &app)).collect(),
    }))
}

#[derive(Serialize, ToSchema)]
pub struct Restored {
    pub kind: Kind,
    pub id: Uuid,
    /// Its name; a number was added if the old one was taken meanwhile.
    pub name: String,
}

/// Undo a deletion.
#[utoipa::path(post, path = "/api/v1/trash/{kind}/{id}/restore", tag = "trash", params(("kind" = Kind, Path), ("id" = Uuid, Path)),
    responses((status = 200, body = Restored), (status = 404, body = ErrorBody)))]
pub async fn restore_trash(
    State(app): AppState,
    actor: Actor,
    Path((kind, id)): Path<(Kind, Uuid)>,
) -> Result<Answer<Restored>> {
    let name = app
        .store
        .restore(&actor.principal(), kind.into(), id, DEFAULT_PROJECT)
        .await?;
    Ok(Answer(Restored { kind, id, name }))
}

/// Delete for good.
#[utoipa::path(delete, path = "/api/v1/trash/{kind}/{id}", tag = "trash", params(("kind" = Kind, Path), ("id" = Uuid, Path)),
    responses((status = 204), (status = 404, body = ErrorBody)))]
pub async fn purge_trash(
    State(app): AppState,
    actor: Actor,
    Path((kind, id)): Path<(Kind, Uuid)>,
) -> Result<StatusCode> {
    app.store.purge(&actor.principal(), kind.into(), id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Delete everything in the trash for good.
#[utoipa::path(delete, path = "/api/v1/trash", tag = "trash", responses((status = 200, body = Deleted)))]
pub async fn empty_trash(State(app): AppState, actor: Actor) -> Result<Answer<Deleted>> {
    let deleted = app.store.empty_trash(&actor.principal()).await?;
    Ok(Answer(Deleted { deleted }))
}
