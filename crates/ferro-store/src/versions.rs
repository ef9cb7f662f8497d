//! Versions: snapshots of a flow's document that people make on purpose.

use sqlx::FromRow;

use crate::{
    Document, FlowChange, FlowHeader, FlowId, Packed, Page, Principal, Store, Timestamp, UserId, VersionId,
    Window,
    db::{dual, read, write},
    error::{Result, StoreError},
};

#[derive(Clone, Debug, FromRow)]
pub struct Version {
    pub id: VersionId,
    pub flow_id: FlowId,
    pub user_id: UserId,
    pub number: i64,
    pub description: Option<String>,
    pub node_count: i64,
    pub created_at: Timestamp,
}

#[derive(Clone, Debug)]
pub struct VersionData {
    pub version: Version,
    pub data: Option<String>,
}

/// What to put in the draft's place, and what becomes of the draft.
#[derive(Clone, Debug)]
pub struct Activation {
    pub document: Document,
    /// Under which words the draft is kept as a version first, if it is.
    pub save_draft: Option<String>,
    /// How many versions stay.
    pub keep: i64,
    /// The revision the draft must have.
    pub expected: Option<i64>,
}

macro_rules! columns {
    () => {
        "id, flow_id, user_id, number, description, node_count, created_at"
    };
}

impl Store {
    /// Snapshots the saved draft and forgets the oldest versions beyond `keep`.
    pub async fn create_version(
        &self,
        by: &Principal,
        flow: FlowId,
        description: Option<String>,
        keep: i64,
    ) -> Result<Version> {
        let owner = by.owner()?;
        write!(self, snapshot(owner, flow, description, keep, Timestamp::now()))
    }

    pub async fn versions(&self, by: &Principal, flow: FlowId, window: Window) -> Result<Page<Version>> {
        let owner = by.owner()?;
        read!(self, list(owner, flow, window))
    }

    pub async fn version(&self, by: &Principal, flow: FlowId, id: VersionId) -> Result<VersionData> {
        let owner = by.owner()?;
        read!(self, by_id(owner, flow, id))
    }

    pub async fn describe_version(
        &self,
        by: &Principal,
        flow: FlowId,
        id: VersionId,
        description: Option<String>,
    ) -> Result<Version> {
        let owner = by.owner()?;
        write!(self, describe(owner, flow, id, description))
    }

    pub async fn delete_version(&self, by: &Principal, flow: FlowId, id: VersionId) -> Result<()> {
        let owner = by.owner()?;
        write!(self, delete(owner, flow, id))
    }

    /// Makes a version the draft again.
    pub async fn activate_version(
        &self,
        by: &Principal,
        flow: FlowId,
        activation: Activation,
    ) -> Result<FlowHeader> {
        let (header, _) = self.replace_draft(by, flow, activation).await?;
        Ok(header)
    }

    /// The same, and the version that the draft was kept as.
    pub async fn replace_draft(
        &self,
        by: &Principal,
        flow: FlowId,
        activation: Activation,
    ) -> Result<(FlowHeader, Option<Version>)> {
        let owner = by.owner()?;
        write!(self, activate(owner, flow, activation, Timestamp::now()))
    }
}

dual! {
    async fn snapshot(c, owner: UserId, flow: FlowId, description: Option<String>, keep: i64, now: Timestamp) -> Result<Version> {
        lock(&mut *c, flow.0).await?;
        flows::header_by_id(&mut *c, owner, flow).await?;
        let version = sqlx::query_as::<Db, Version>(concat!(
            "INSERT INTO flow_versions (id, flow_id, user_id, number, description, node_count, created_at, data)
             SELECT $1, f.id, f.user_id,
                    COALESCE((SELECT max(v.number) FROM flow_versions v WHERE v.flow_id = f.id), 0) + 1,
                    $3, f.node_count, $4, d.data
             FROM flows f LEFT JOIN flow_data d ON d.flow_id = f.id WHERE f.id = $2
             RETURNING ", columns!()
        ))
        .bind(VersionId::new())
        .bind(flow)
        .bind(description)
        .bind(now)
        .fetch_one(&mut *c)
        .await?;
        sqlx::query::<Db>(
            // What the assistant kept before its own changes goes before what a person kept.
            "DELETE FROM flow_versions WHERE id IN
             (SELECT id FROM flow_versions
              WHERE flow_id = $1 AND number < (SELECT max(number) FROM flow_versions WHERE flow_id = $1)
              ORDER BY CASE WHEN description LIKE 'assistant-pre-edit %' THEN 0 ELSE 1 END, number
              LIMIT (SELECT CASE WHEN count(*) > $2 THEN count(*) - $2 ELSE 0 END
                     FROM flow_versions WHERE flow_id = $1))",
        )
        .bind(flow)
        .bind(keep.max(1))
        .execute(c)
        .await?;
        Ok(version)
    }

    async fn list(c, owner: UserId, flow: FlowId, window: Window) -> Result<Page<Version>> {
        flows::header_by_id(&mut *c, owner, flow).await?;
        let items = sqlx::query_as::<Db, Version>(concat!(
            "SELECT ", columns!(), " FROM flow_versions WHERE flow_id = $1 ORDER BY number DESC LIMIT $2 OFFSET $3"
        ))
        .bind(flow)
        .bind(window.limit)
        .bind(window.offset)
        .fetch_all(&mut *c)
        .await?;
        let total = sqlx::query_scalar::<Db, i64>("SELECT count(*) FROM flow_versions WHERE flow_id = $1")
            .bind(flow)
            .fetch_one(c)
            .await?;
        Ok(Page { items, total })
    }

    async fn by_id(c, owner: UserId, flow: FlowId, id: VersionId) -> Result<VersionData> {
        flows::header_by_id(&mut *c, owner, flow).await?;
        let version = sqlx::query_as::<Db, Version>(concat!(
            "SELECT ", columns!(), " FROM flow_versions WHERE id = $1 AND flow_id = $2"
        ))
        .bind(id)
        .bind(flow)
        .fetch_optional(&mut *c)
        .await?
        .ok_or(StoreError::NotFound("version"))?;
        let data = sqlx::query_scalar::<Db, Option<Packed>>("SELECT data FROM flow_versions WHERE id = $1")
            .bind(id)
            .fetch_optional(c)
            .await?
            .flatten()
            .map(|packed| packed.text())
            .transpose()?;
        Ok(VersionData { version, data })
    }

    async fn describe(c, owner: UserId, flow: FlowId, id: VersionId, description: Option<String>) -> Result<Version> {
        flows::header_by_id(&mut *c, owner, flow).await?;
        sqlx::query_as::<Db, Version>(concat!(
            "UPDATE flow_versions SET description = $3 WHERE id = $1 AND flow_id = $2 RETURNING ", columns!()
        ))
        .bind(id)
        .bind(flow)
        .bind(description)
        .fetch_optional(c)
        .await?
        .ok_or(StoreError::NotFound("version"))
    }

    async fn delete(c, owner: UserId, flow: FlowId, id: VersionId) -> Result<()> {
        flows::header_by_id(&mut *c, owner, flow).await?;
        let deleted = sqlx::query::<Db>("DELETE FROM flow_versions WHERE id = $1 AND flow_id = $2")
            .bind(id)
            .bind(flow)
            .execute(c)
            .await?;
        if deleted.rows_affected() == 0 { Err(StoreError::NotFound("version")) } else { Ok(()) }
    }

    async fn activate(c, owner: UserId, flow: FlowId, how: Activation, now: Timestamp) -> Result<(FlowHeader, Option<Version>)> {
        let kept = match how.save_draft {
            Some(description) => Some(snapshot(&mut *c, owner, flow, Some(description), how.keep, now).await?),
            None => None,
        };
        let change = FlowChange { data: Some(how.document), ..FlowChange::default() };
        let header = flow_changes::update(c, owner, flow, how.expected, change, now).await?;
        Ok((header, kept))
    }
}
