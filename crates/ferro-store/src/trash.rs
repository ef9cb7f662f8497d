//! The trash: deleted flows and projects, kept a while so that deleting can be undone.

use std::time::Duration;

use sqlx::FromRow;

use crate::{
    FlowId, Principal, ProjectId, Store, Timestamp, UserId,
    db::{dual, read, write},
    error::{Result, StoreError, taken},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrashKind {
    Flow,
    Project,
}

#[derive(Clone, Debug)]
pub struct TrashItem {
    pub kind: TrashKind,
    pub id: uuid::Uuid,
    pub name: String,
    pub deleted_at: Timestamp,
    /// How many flows went with a project.
    pub flow_count: i64,
    pub folder_id: Option<ProjectId>,
}

#[derive(FromRow)]
struct TrashedFlow {
    id: FlowId,
    folder_id: ProjectId,
    name: String,
    endpoint_name: Option<String>,
    deleted_at: Timestamp,
}

#[derive(FromRow)]
struct TrashedProject {
    id: ProjectId,
    name: String,
    deleted_at: Timestamp,
    flow_count: i64,
}

impl Store {
    /// Flows that went with their project are counted there and not listed.
    pub async fn trash(&self, by: &Principal) -> Result<Vec<TrashItem>> {
        let owner = by.owner()?;
        read!(self, list(owner))
    }

    pub async fn trash_project(&self, by: &Principal, id: ProjectId) -> Result<()> {
        let owner = by.owner()?;
        write!(self, trash_project(owner, id, Timestamp::now()))
    }

    /// Brings a thing back under its old name, or a numbered one if that was taken meanwhile.
    pub async fn restore(
        &self,
        by: &Principal,
        kind: TrashKind,
        id: uuid::Uuid,
        default_project: &'static str,
    ) -> Result<String> {
        let owner = by.owner()?;
        match kind {
            TrashKind::Flow => write!(
                self,
                restore_flow(owner, FlowId(id), default_project, Timestamp::now())
            ),
            TrashKind::Project => write!(self, restore_project(owner, ProjectId(id))),
        }
    }

    /// For ever, with the runs and messages of the flows.
    pub async fn purge(&self, by: &Principal, kind: TrashKind, id: uuid::Uuid) -> Result<()> {
        let owner = by.owner()?;
        write!(self, purge_one(owner, kind, id))
    }

    pub async fn empty_trash(&self, by: &Principal) -> Result<u64> {
        let owner = by.owner()?;
        write!(self, purge_before(Some(owner), Timestamp(i64::MAX)))
    }

    /// Everyone's trash that was kept long enough.
    pub async fn purge_older_than(&self, by: &Principal, age: Duration) -> Result<u64> {
        by.require_system()?;
        write!(self, purge_before(None, Timestamp::now().minus(age)))
    }
}

dual! {
    async fn list(c, owner: UserId) -> Result<Vec<TrashItem>> {
        let projects = sqlx::query_as::<Db, TrashedProject>(
            "SELECT p.id, p.name, p.deleted_at,
             (SELECT count(*) FROM flows f WHERE f.folder_id = p.id AND f.deleted_at = p.deleted_at) AS flow_count
             FROM projects p WHERE p.user_id = $1 AND p.deleted_at IS NOT NULL",
        )
        .bind(owner)
        .fetch_all(&mut *c)
        .await?;
        let flows = sqlx::query_as::<Db, TrashedFlow>(
            "SELECT f.id, f.folder_id, f.name, f.endpoint_name, f.deleted_at FROM flows f JOIN projects p ON p.id = f.folder_id
             WHERE f.user_id = $1 AND f.deleted_at IS NOT NULL AND (p.deleted_at IS NULL OR p.deleted_at <> f.deleted_at)",
        )
        .bind(owner)
        .fetch_all(c)
        .await?;
        let projects = projects.into_iter().map(|p| TrashItem {
            kind: TrashKind::Project,
            id: p.id.0,
            name: p.name,
            deleted_at: p.deleted_at,
            flow_count: p.flow_count,
            folder_id: None,
        });
        let flows = flows.into_iter().map(|f| TrashItem {
            kind: TrashKind::Flow,
            id: f.id.0,
            name: f.name,
            deleted_at: f.deleted_at,
            flow_count: 0,
            folder_id: Some(f.folder_id),
        });
        let mut items: Vec<_> = projects.chain(flows).collect();
        items.sort_by_key(|item| std::cmp::Reverse((item.deleted_at, item.id)));
        Ok(items)
    }

    async fn trash_project(c, owner: UserId, id: ProjectId, now: Timestamp) -> Result<()> {
        projects::by_id(&mut *c, owner, id).await?;
        let locked = sqlx::query_scalar::<Db, i64>("SELECT count(*) FROM flows WHERE folder_id = $1 AND locked AND deleted_at IS NULL")
            .bind(id)
            .fetch_one(&mut *c)
            .await?;
        if locked > 0 {
            return Err(StoreError::Refused("the project holds a locked flow: unlock it or move it away first"));
        }
        // The same instant on both tells later which flows went with the project.
        sqlx::query::<Db>("UPDATE flows SET deleted_at = $2 WHERE folder_id = $1 AND deleted_at IS NULL")
            .bind(id)
            .bind(now)
            .execute(&mut *c)
            .await?;
        sqlx::query::<Db>("UPDATE projects SET deleted_at = $2 WHERE id = $1").bind(id).bind(now).execute(c).await?;
        Ok(())
    }

    async fn restore_flow(c, owner: UserId, id: FlowId, default_project: &str, now: Timestamp) -> Result<String> {
        lock(&mut *c, owner.0).await?;
        let flow = sqlx::query_as::<Db, TrashedFlow>(
            "SELECT id, folder_id, name, endpoint_name, deleted_at FROM flows WHERE id = $1 AND user_id = $2 AND deleted_at IS NOT NULL",
        )
        .bind(id)
        .bind(owner)
        .fetch_optional(&mut *c)
        .await?
        .ok_or(StoreError::NotFound("flow in the trash"))?;
        let folder = match projects::by_id(&mut *c, owner, flow.folder_id).await {
            Ok(project) => project.id,
            Err(StoreError::NotFound(_)) => projects::ensure_default(&mut *c, owner, default_project, now).await?,
            Err(error) => return Err(error),
        };
        flow_changes::restore(c, owner, id, folder, &flow.name, flow.endpoint_name.as_deref()).await
    }

    async fn restore_project(c, owner: UserId, id: ProjectId) -> Result<String> {
        lock(&mut *c, owner.0).await?;
        let project = sqlx::query_as::<Db, TrashedProject>(
            "SELECT id, name, deleted_at, CAST(0 AS BIGINT) AS flow_count FROM projects
             WHERE id = $1 AND user_id = $2 AND deleted_at IS NOT NULL",
        )
        .bind(id)
        .bind(owner)
        .fetch_optional(&mut *c)
        .await?
        .ok_or(StoreError::NotFound("project in the trash"))?;
        let name = projects::free(&mut *c, owner, &project.name).await?;
        sqlx::query::<Db>("UPDATE projects SET deleted_at = NULL, name = $2 WHERE id = $1")
            .bind(id)
            .bind(&name)
            .execute(&mut *c)
            .await
            .map_err(taken("project", "name"))?;
        let flows = sqlx::query_as::<Db, TrashedFlow>(
            "SELECT id, folder_id, name, endpoint_name, deleted_at FROM flows WHERE folder_id = $1 AND deleted_at = $2",
        )
        .bind(id)
        .bind(project.deleted_at)
        .fetch_all(&mut *c)
        .await?;
        for flow in flows {
            flow_changes::restore(&mut *c, owner, flow.id, id, &flow.name, flow.endpoint_name.as_deref()).await?;
        }
        Ok(name)
    }

    /// What was said to these flows and what they did goes with them. Nothing in the database ties it to them, because a
    /// run may outlive its flow while that is in the trash.
    async fn forget_flows(c, flows: &[FlowId]) -> Result<()> {
        sqlx::query::<Db>(concat!("DELETE FROM messages WHERE user_id IN (SELECT user_id FROM flows WHERE ", one_of!("id", "$1"), ") AND ", one_of!("flow_id", "$1")))
            .bind(ids(flows.iter().map(|flow| flow.0)))
            .execute(&mut *c)
            .await?;
        sqlx::query::<Db>(concat!("DELETE FROM runs WHERE user_id IN (SELECT user_id FROM flows WHERE ", one_of!("id", "$1"), ") AND ", one_of!("flow_id", "$1")))
            .bind(ids(flows.iter().map(|flow| flow.0)))
            .execute(&mut *c)
            .await?;
        messages::delete_visits(c).await
    }

    async fn purge_one(c, owner: UserId, kind: TrashKind, id: uuid::Uuid) -> Result<()> {
        let flows = sqlx::query_scalar::<Db, FlowId>(match kind {
            TrashKind::Flow => "SELECT id FROM flows WHERE id = $1 AND user_id = $2 AND deleted_at IS NOT NULL",
            TrashKind::Project => {
                "SELECT f.id FROM flows f JOIN projects p ON p.id = f.folder_id
                 WHERE p.id = $1 AND p.user_id = $2 AND p.deleted_at IS NOT NULL"
            }
        })
        .bind(id)
        .bind(owner)
        .fetch_all(&mut *c)
        .await?;
        forget_flows(&mut *c, &flows).await?;
        let (statement, noun) = match kind {
            TrashKind::Flow => ("DELETE FROM flows WHERE id = $1 AND user_id = $2 AND deleted_at IS NOT NULL", "flow in the trash"),
            TrashKind::Project => ("DELETE FROM projects WHERE id = $1 AND user_id = $2 AND deleted_at IS NOT NULL", "project in the trash"),
        };
        let deleted = sqlx::query::<Db>(statement).bind(id).bind(owner).execute(c).await?;
        if deleted.rows_affected() == 0 { Err(StoreError::NotFound(noun)) } else { Ok(()) }
    }

    async fn purge_before(c, owner: Option<UserId>, before: Timestamp) -> Result<u64> {
        let gone = sqlx::query_scalar::<Db, FlowId>(
            "SELECT f.id FROM flows f JOIN projects p ON p.id = f.folder_id
             WHERE (f.deleted_at <= $1 OR p.deleted_at <= $1) AND ($2 IS NULL OR f.user_id = $2)",
        )
        .bind(before)
        .bind(owner)
        .fetch_all(&mut *c)
        .await?;
        forget_flows(&mut *c, &gone).await?;
        let flows = sqlx::query::<Db>("DELETE FROM flows WHERE deleted_at <= $1 AND ($2 IS NULL OR user_id = $2)")
            .bind(before)
            .bind(owner)
            .execute(&mut *c)
            .await?;
        let projects = sqlx::query::<Db>("DELETE FROM projects WHERE deleted_at <= $1 AND ($2 IS NULL OR user_id = $2)")
            .bind(before)
            .bind(owner)
            .execute(c)
            .await?;
        Ok(flows.rows_affected() + projects.rows_affected())
    }
}
