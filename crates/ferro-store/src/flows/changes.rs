//! What may happen to a flow, each inside one transaction.

use crate::{
    FlowChange, FlowHeader, FlowId, NewFlow, ProjectId, Timestamp, UserId,
    db::dual,
    error::{Result, StoreError, taken},
    flows::{Document, columns},
    names::{beginning, cut, free_endpoint, free_name, stem},
};

/// What the search looks through, lower-cased here because the databases fold case differently.
fn search_text(name: &str, description: Option<&str>, tags: &str) -> String {
    let mut text = name.to_lowercase();
    for more in [
        description.unwrap_or_default(),
        if tags == "null" { "" } else { tags },
    ] {
        text.push('\n');
        text.push_str(&more.to_lowercase());
    }
    text
}

dual! {
    async fn insert_all(c, owner: UserId, new: Vec<NewFlow>, now: Timestamp) -> Result<Vec<FlowHeader>> {
        lock(&mut *c, owner.0).await?;
        let mut made = Vec::with_capacity(new.len());
        for flow in new {
            let id = match flow.id {
                Some(id) if is_free(&mut *c, id).await? => id,
                _ => FlowId::new(),
            };
            made.push(insert(&mut *c, owner, id, flow, now).await?);
        }
        Ok(made)
    }

    async fn insert_at(c, owner: UserId, id: FlowId, new: NewFlow, now: Timestamp) -> Result<FlowHeader> {
        lock(&mut *c, owner.0).await?;
        // Someone else's, or in the trash: neither may be told apart from a flow that is not there.
        if !is_free(&mut *c, id).await? {
            return Err(StoreError::NotFound("flow"));
        }
        insert(c, owner, id, new, now).await
    }

    async fn is_free(c, id: FlowId) -> Result<bool> {
        let found = sqlx::query_scalar::<Db, i64>("SELECT count(*) FROM flows WHERE id = $1").bind(id).fetch_one(c).await?;
        Ok(found == 0)
    }

    async fn insert(c, owner: UserId, id: FlowId, new: NewFlow, now: Timestamp) -> Result<FlowHeader> {
        projects::by_id(&mut *c, owner, new.folder_id).await?;
        let name = free(&mut *c, owner, &new.name).await?;
        let endpoint = match &new.endpoint_name {
            Some(wanted) => Some(free_address(&mut *c, owner, wanted).await?),
            None => None,
        };
        let (nodes, edges, notes, webhook) = counts(new.data.as_ref());
        let search = search_text(&name, new.description.as_deref(), &new.tags);
        let header = sqlx::query_as::<Db, FlowHeader>(concat!(
            "INSERT INTO flows (id, user_id, folder_id, name, description, endpoint_name, icon, icon_bg_color, gradient,
             tags, locked, is_component, webhook, mcp_enabled, action_name, action_description, access_type, flow_type,
             a2a_enabled, extra, search_text, node_count, edge_count, note_count, revision, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
             $24, 1, $25, $25) RETURNING ", columns!()
        ))
        .bind(id)
        .bind(owner)
        .bind(new.folder_id)
        .bind(name)
        .bind(new.description)
        .bind(endpoint)
        .bind(new.icon)
        .bind(new.icon_bg_color)
        .bind(new.gradient)
        .bind(new.tags)
        .bind(new.locked)
        .bind(new.is_component)
        .bind(webhook)
        .bind(new.mcp_enabled)
        .bind(new.action_name)
        .bind(new.action_description)
        .bind(new.access_type)
        .bind(new.flow_type)
        .bind(new.a2a_enabled)
        .bind(new.extra)
        .bind(search)
        .bind(nodes)
        .bind(edges)
        .bind(notes)
        .bind(now)
        .fetch_one(&mut *c)
        .await
        .map_err(taken("flow", "name"))?;
        save_data(c, id, new.data).await?;
        Ok(header)
    }

    async fn free(c, owner: UserId, wanted: &str) -> Result<String> {
        let taken = sqlx::query_scalar::<Db, String>(
            r"SELECT name FROM flows WHERE user_id = $1 AND deleted_at IS NULL AND name LIKE $2 ESCAPE '\'",
        )
        .bind(owner)
        .bind(beginning(stem(wanted)))
        .fetch_all(c)
        .await?;
        Ok(free_name(wanted, &taken))
    }

    async fn free_address(c, owner: UserId, wanted: &str) -> Result<String> {
        let taken = sqlx::query_scalar::<Db, String>(
            r"SELECT endpoint_name FROM flows WHERE user_id = $1 AND deleted_at IS NULL AND endpoint_name LIKE $2 ESCAPE '\'",
        )
        .bind(owner)
        .bind(beginning(cut(wanted)))
        .fetch_all(c)
        .await?;
        Ok(free_endpoint(wanted, &taken))
    }

    async fn save_data(c, id: FlowId, data: Option<Document>) -> Result<()> {
        sqlx::query::<Db>(
            "INSERT INTO flow_data (flow_id, data) VALUES ($1, $2) ON CONFLICT (flow_id) DO UPDATE SET data = excluded.data",
        )
        .bind(id)
        .bind(data.map(|document| document.text))
        .execute(c)
        .await?;
        Ok(())
    }

    async fn update(c, owner: UserId, id: FlowId, expected: Option<i64>, change: FlowChange, now: Timestamp) -> Result<FlowHeader> {
        if let (true, Some(document)) = (change.only_data(), &change.data)
            && let Some(header) = update_data(&mut *c, owner, id, expected, document, now).await?
        {
            save_data(c, id, change.data).await?;
            return Ok(header);
        }
        let old = flows::header_by_id(&mut *c, owner, id).await?;
        if expected.is_some_and(|revision| revision != old.revision) {
            return Err(StoreError::Stale { noun: "flow", current: old.revision });
        }
        if old.locked && change.locked != Some(false) {
            return Err(StoreError::Locked("flow"));
        }
        if let Some(folder) = change.folder_id {
            projects::by_id(&mut *c, owner, folder).await?;
        }
        let renames = change.name.is_some() || change.endpoint_name.is_some();
        let name = change.name.unwrap_or(old.name);
        let endpoint = change.endpoint_name.unwrap_or(old.endpoint_name);
        if renames {
            free_for(&mut *c, owner, id, &name, endpoint.as_deref()).await?;
        }
        let description = change.description.unwrap_or(old.description);
        let tags = change.tags.unwrap_or(old.tags);
        let search = search_text(&name, description.as_deref(), &tags);
        let (nodes, edges, notes, webhook) = match &change.data {
            Some(data) => counts(Some(data)),
            None => (old.node_count, old.edge_count, old.note_count, old.webhook),
        };
        let header = sqlx::query_as::<Db, FlowHeader>(concat!(
            "UPDATE flows SET folder_id = $4, name = $5, description = $6, endpoint_name = $7, icon = $8, icon_bg_color = $9,
             gradient = $10, tags = $11, locked = $12, is_component = $13, webhook = $14, mcp_enabled = $15, action_name = $16,
             action_description = $17, access_type = $18, flow_type = $19, a2a_enabled = $20, extra = $21, search_text = $22,
             node_count = $23, edge_count = $24, note_count = $25, revision = revision + 1, updated_at = $26
             WHERE id = $1 AND user_id = $2 AND revision = $3 RETURNING ", columns!()
        ))
        .bind(id)
        .bind(owner)
        // PostgreSQL lets others in between the read above and this: the revision read is the revision changed.
        .bind(old.revision)
        .bind(change.folder_id.unwrap_or(old.folder_id))
        .bind(name)
        .bind(description)
        .bind(endpoint)
        .bind(change.icon.unwrap_or(old.icon))
        .bind(change.icon_bg_color.unwrap_or(old.icon_bg_color))
        .bind(change.gradient.unwrap_or(old.gradient))
        .bind(tags)
        .bind(change.locked.unwrap_or(old.locked))
        .bind(change.is_component.unwrap_or(old.is_component))
        .bind(webhook)
        .bind(change.mcp_enabled.unwrap_or(old.mcp_enabled))
        .bind(change.action_name.unwrap_or(old.action_name))
        .bind(change.action_description.unwrap_or(old.action_description))
        .bind(change.access_type.unwrap_or(old.access_type))
        .bind(change.flow_type.unwrap_or(old.flow_type))
        .bind(change.a2a_enabled.unwrap_or(old.a2a_enabled))
        .bind(change.extra.unwrap_or(old.extra))
        .bind(search)
        .bind(nodes)
        .bind(edges)
        .bind(notes)
        .bind(now)
        .fetch_optional(&mut *c)
        .await
        .map_err(taken("flow", "name"))?
        .ok_or(StoreError::Stale { noun: "flow", current: old.revision + 1 })?;
        if change.data.is_some() {
            save_data(c, id, change.data).await?;
        }
        Ok(header)
    }

    /// The commonest change in one statement. `None` when it does not apply; `update` then finds out why.
    async fn update_data(c, owner: UserId, id: FlowId, expected: Option<i64>, data: &Document, now: Timestamp) -> Result<Option<FlowHeader>> {
        Ok(sqlx::query_as::<Db, FlowHeader>(concat!(
            "UPDATE flows SET webhook = $4, node_count = $5, edge_count = $6, note_count = $7, revision = revision + 1, updated_at = $8
             WHERE id = $1 AND user_id = $2 AND ($3 IS NULL OR revision = $3) AND NOT locked AND deleted_at IS NULL RETURNING ", columns!()
        ))
        .bind(id)
        .bind(owner)
        .bind(expected)
        .bind(data.webhook)
        .bind(data.node_count)
        .bind(data.edge_count)
        .bind(data.note_count)
        .bind(now)
        .fetch_optional(c)
        .await?)
    }

    async fn free_for(c, owner: UserId, id: FlowId, name: &str, endpoint: Option<&str>) -> Result<()> {
        let others = sqlx::query_as::<Db, (String, Option<String>)>(
            "SELECT name, endpoint_name FROM flows WHERE user_id = $1 AND id <> $2 AND deleted_at IS NULL
             AND (name = $3 OR endpoint_name = $4)",
        )
        .bind(owner)
        .bind(id)
        .bind(name)
        .bind(endpoint)
        .fetch_all(c)
        .await?;
        match others.first() {
            None => Ok(()),
            Some((taken, _)) if taken == name => Err(StoreError::Taken { noun: "flow", field: "name" }),
            Some(_) => Err(StoreError::Taken { noun: "flow", field: "endpoint_name" }),
        }
    }

    async fn trash(c, owner: UserId, ids: Vec<FlowId>, expected: Option<i64>, now: Timestamp) -> Result<u64> {
        let mut trashed = 0;
        for id in ids {
            let old = flows::header_by_id(&mut *c, owner, id).await?;
            if expected.is_some_and(|revision| revision != old.revision) {
                return Err(StoreError::Stale { noun: "flow", current: old.revision });
            }
            if old.locked {
                return Err(StoreError::Locked("flow"));
            }
            let done = sqlx::query::<Db>("UPDATE flows SET deleted_at = $2 WHERE id = $1 AND revision = $3 AND deleted_at IS NULL")
                .bind(id)
                .bind(now)
                .bind(old.revision)
                .execute(&mut *c)
                .await?;
            if done.rows_affected() == 0 {
                return Err(StoreError::Stale { noun: "flow", current: old.revision + 1 });
            }
            trashed += 1;
        }
        Ok(trashed)
    }

    /// Takes a flow out of the trash under a name that is free now, into a project that is there.
    async fn restore(c, owner: UserId, id: FlowId, folder: ProjectId, name: &str, endpoint: Option<&str>) -> Result<String> {
        let name = free(&mut *c, owner, name).await?;
        let endpoint = match endpoint {
            Some(wanted) => Some(free_address(&mut *c, owner, wanted).await?),
            None => None,
        };
        sqlx::query::<Db>(
            "UPDATE flows SET deleted_at = NULL, folder_id = $2, name = $3, endpoint_name = $4, revision = revision + 1 WHERE id = $1",
        )
        .bind(id)
        .bind(folder)
        .bind(&name)
        .bind(endpoint)
        .execute(c)
        .await
        .map_err(taken("flow", "name"))?;
        Ok(name)
    }
}

fn counts(data: Option<&Document>) -> (i64, i64, i64, bool) {
    data.map_or((0, 0, 0, false), |d| {
        (d.node_count, d.edge_count, d.note_count, d.webhook)
    })
}
