//! Projects: what flows are kept in (Langflow's folders).

use sqlx::FromRow;

use crate::{
    FlowId, Principal, ProjectId, Store, Timestamp, UserId,
    db::{dual, read, write},
    error::{Result, StoreError, taken},
    names::{beginning, free_name, stem},
};

#[derive(Clone, Debug, FromRow)]
pub struct Project {
    pub id: ProjectId,
    pub user_id: UserId,
    pub name: String,
    pub description: Option<String>,
    pub parent_id: Option<ProjectId>,
    /// JSON, as the client sent it.
    pub auth_settings: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub flow_count: i64,
    pub component_count: i64,
}

#[derive(Clone, Debug, Default)]
pub struct NewProject {
    pub name: String,
    pub description: Option<String>,
    pub parent_id: Option<ProjectId>,
    pub auth_settings: Option<String>,
    /// Flows to move into it.
    pub flows: Vec<FlowId>,
}

#[derive(Clone, Debug, Default)]
pub struct ProjectChange {
    pub name: Option<String>,
    pub description: Option<Option<String>>,
    pub parent_id: Option<Option<ProjectId>>,
    pub auth_settings: Option<Option<String>>,
    /// Flows to move into it; those it already has stay.
    pub flows: Vec<FlowId>,
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT p.id, p.user_id, p.name, p.description, p.parent_id, p.auth_settings, p.created_at, p.updated_at,
             (SELECT count(*) FROM flows f WHERE f.folder_id = p.id AND f.deleted_at IS NULL AND NOT f.is_component) AS flow_count,
             (SELECT count(*) FROM flows f WHERE f.folder_id = p.id AND f.deleted_at IS NULL AND f.is_component) AS component_count
             FROM projects p WHERE p.deleted_at IS NULL AND ", $rest
        )
    };
}

impl Store {
    /// A name that is taken becomes "Name (1)".
    pub async fn create_project(&self, by: &Principal, new: NewProject) -> Result<Project> {
        let owner = by.owner()?;
        write!(self, insert(owner, ProjectId::new(), new, Timestamp::now()))
    }

    pub async fn projects(&self, by: &Principal) -> Result<Vec<Project>> {
        let owner = by.owner()?;
        read!(self, list(owner))
    }

    pub async fn project(&self, by: &Principal, id: ProjectId) -> Result<Project> {
        let owner = by.owner()?;
        read!(self, by_id(owner, id))
    }

    pub async fn change_project(
        &self,
        by: &Principal,
        id: ProjectId,
        change: ProjectChange,
    ) -> Result<Project> {
        let owner = by.owner()?;
        write!(self, update(owner, id, change, Timestamp::now()))
    }

    /// Replaces the project, or makes it under this id. `true` when it was made.
    pub async fn put_project(
        &self,
        by: &Principal,
        id: ProjectId,
        new: NewProject,
    ) -> Result<(Project, bool)> {
        let owner = by.owner()?;
        write!(self, upsert(owner, id, new, Timestamp::now()))
    }

    /// The project that flows without one go to: the oldest, or a new one with this name.
    pub async fn default_project(&self, by: &Principal, name: &'static str) -> Result<ProjectId> {
        let owner = by.owner()?;
        if let Some(id) = read!(self, oldest(owner))? {
            return Ok(id);
        }
        write!(self, ensure_default(owner, name, Timestamp::now()))
    }
}

dual! {
    async fn insert(c, owner: UserId, id: ProjectId, new: NewProject, now: Timestamp) -> Result<Project> {
        lock(&mut *c, owner.0).await?;
        let name = free(&mut *c, owner, &new.name).await?;
        if let Some(parent) = new.parent_id {
            by_id(&mut *c, owner, parent).await?;
        }
        sqlx::query::<Db>(
            "INSERT INTO projects (id, user_id, name, description, parent_id, auth_settings, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $7)",
        )
        .bind(id)
        .bind(owner)
        .bind(name)
        .bind(new.description)
        .bind(new.parent_id)
        .bind(new.auth_settings)
        .bind(now)
        .execute(&mut *c)
        .await
        .map_err(taken("project", "id"))?;
        move_flows(&mut *c, owner, id, new.flows, now).await?;
        by_id(c, owner, id).await
    }

    async fn free(c, owner: UserId, wanted: &str) -> Result<String> {
        let taken = sqlx::query_scalar::<Db, String>(
            r"SELECT name FROM projects WHERE user_id = $1 AND deleted_at IS NULL AND name LIKE $2 ESCAPE '\'",
        )
        .bind(owner)
        .bind(beginning(stem(wanted)))
        .fetch_all(c)
        .await?;
        Ok(free_name(wanted, &taken))
    }

    async fn list(c, owner: UserId) -> Result<Vec<Project>> {
        Ok(sqlx::query_as::<Db, Project>(select!("p.user_id = $1 ORDER BY p.created_at, p.id"))
            .bind(owner)
            .fetch_all(c)
            .await?)
    }

    async fn by_id(c, owner: UserId, id: ProjectId) -> Result<Project> {
        sqlx::query_as::<Db, Project>(select!("p.user_id = $1 AND p.id = $2"))
            .bind(owner)
            .bind(id)
            .fetch_optional(c)
            .await?
            .ok_or(StoreError::NotFound("project"))
    }

    async fn oldest(c, owner: UserId) -> Result<Option<ProjectId>> {
        Ok(sqlx::query_scalar::<Db, ProjectId>(
            "SELECT id FROM projects WHERE user_id = $1 AND deleted_at IS NULL ORDER BY created_at, id LIMIT 1",
        )
        .bind(owner)
        .fetch_optional(c)
        .await?)
    }

    async fn ensure_default(c, owner: UserId, name: &str, now: Timestamp) -> Result<ProjectId> {
        lock(&mut *c, owner.0).await?;
        if let Some(id) = oldest(&mut *c, owner).await? {
            return Ok(id);
        }
        let id = ProjectId::new();
        sqlx::query::<Db>("INSERT INTO projects (id, user_id, name, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)")
            .bind(id)
            .bind(owner)
            .bind(name)
            .bind(now)
            .execute(c)
            .await?;
        Ok(id)
    }

    async fn update(c, owner: UserId, id: ProjectId, change: ProjectChange, now: Timestamp) -> Result<Project> {
        lock(&mut *c, owner.0).await?;
        let old = by_id(&mut *c, owner, id).await?;
        if let Some(Some(parent)) = change.parent_id {
            not_inside(&mut *c, owner, parent, id).await?;
        }
        sqlx::query::<Db>(
            "UPDATE projects SET name = $3, description = $4, parent_id = $5, auth_settings = $6, updated_at = $7
             WHERE id = $1 AND user_id = $2",
        )
        .bind(id)
        .bind(owner)
        .bind(change.name.unwrap_or(old.name))
        .bind(change.description.unwrap_or(old.description))
        .bind(change.parent_id.unwrap_or(old.parent_id))
        .bind(change.auth_settings.unwrap_or(old.auth_settings))
        .bind(now)
        .execute(&mut *c)
        .await
        .map_err(taken("project", "name"))?;
        move_flows(&mut *c, owner, id, change.flows, now).await?;
        by_id(c, owner, id).await
    }

    /// A project that is its own grandparent could never be shown.
    async fn not_inside(c, owner: UserId, parent: ProjectId, id: ProjectId) -> Result<()> {
        let mut above = by_id(&mut *c, owner, parent).await?;
        loop {
            if above.id == id {
                return Err(StoreError::Refused("a project cannot be inside itself"));
            }
            let Some(next) = above.parent_id else { return Ok(()) };
            above = match by_id(&mut *c, owner, next).await {
                Ok(next) => next,
                // In the trash: nothing is shown above it either.
                Err(StoreError::NotFound(_)) => return Ok(()),
                Err(error) => return Err(error),
            };
        }
    }

    async fn upsert(c, owner: UserId, id: ProjectId, new: NewProject, now: Timestamp) -> Result<(Project, bool)> {
        match by_id(&mut *c, owner, id).await {
            Ok(_) => {
                let change = ProjectChange {
                    name: Some(new.name),
                    description: Some(new.description),
                    parent_id: Some(new.parent_id),
                    auth_settings: Some(new.auth_settings),
                    flows: new.flows,
                };
                Ok((update(c, owner, id, change, now).await?, false))
            }
            Err(StoreError::NotFound(_)) => match insert(c, owner, id, new, now).await {
                Ok(project) => Ok((project, true)),
                // The id is someone else's, or in the trash.
                Err(StoreError::Taken { field: "id", .. }) => Err(StoreError::NotFound("project")),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    async fn move_flows(c, owner: UserId, id: ProjectId, flows: Vec<FlowId>, now: Timestamp) -> Result<()> {
        for flow in flows {
            let moved = sqlx::query::<Db>(
                "UPDATE flows SET folder_id = $3, updated_at = $4, revision = revision + 1
                 WHERE id = $1 AND user_id = $2 AND deleted_at IS NULL",
            )
            .bind(flow)
            .bind(owner)
            .bind(id)
            .bind(now)
            .execute(&mut *c)
            .await?;
            if moved.rows_affected() == 0 {
                return Err(StoreError::NotFound("flow"));
            }
        }
        Ok(())
    }
}
