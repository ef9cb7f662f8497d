//! What a person chose for themselves, by name. The values are JSON that this crate does not read.

use sqlx::FromRow;

use crate::{
    Principal, Store, Timestamp, UserId,
    db::{dual, read, write},
    error::Result,
};

impl Store {
    pub async fn preference(&self, by: &Principal, name: &str) -> Result<Option<String>> {
        let owner = by.owner()?;
        read!(self, get(owner, name))
    }

    /// Every one whose name begins so.
    pub async fn preferences(&self, by: &Principal, prefix: &str) -> Result<Vec<(String, String)>> {
        let owner = by.owner()?;
        let rows = read!(self, list(owner, prefix))?;
        Ok(rows.into_iter().map(|row| (row.name, row.value)).collect())
    }

    pub async fn set_preference(&self, by: &Principal, name: &'static str, value: String) -> Result<()> {
        let owner = by.owner()?;
        write!(self, set(owner, name, value, Timestamp::now()))
    }

    /// Nothing happens when there is none.
    pub async fn clear_preference(&self, by: &Principal, name: &'static str) -> Result<()> {
        let owner = by.owner()?;
        write!(self, clear(owner, name))
    }
}

#[derive(FromRow)]
pub(crate) struct PreferenceRow {
    name: String,
    value: String,
}

dual! {
    async fn get(c, owner: UserId, name: &str) -> Result<Option<String>> {
        Ok(sqlx::query_scalar::<Db, String>("SELECT value FROM preferences WHERE user_id = $1 AND name = $2")
            .bind(owner)
            .bind(name)
            .fetch_optional(c)
            .await?)
    }

    async fn list(c, owner: UserId, prefix: &str) -> Result<Vec<PreferenceRow>> {
        Ok(sqlx::query_as::<Db, PreferenceRow>(
            "SELECT name, value FROM preferences WHERE user_id = $1 AND substr(name, 1, length($2)) = $2 ORDER BY name",
        )
        .bind(owner)
        .bind(prefix)
        .fetch_all(c)
        .await?)
    }

    async fn set(c, owner: UserId, name: &str, value: String, now: Timestamp) -> Result<()> {
        sqlx::query::<Db>(
            "INSERT INTO preferences (user_id, name, value, updated_at) VALUES ($1, $2, $3, $4)
             ON CONFLICT (user_id, name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at",
        )
        .bind(owner)
        .bind(name)
        .bind(value)
        .bind(now)
        .execute(c)
        .await?;
        Ok(())
    }

    async fn clear(c, owner: UserId, name: &str) -> Result<()> {
        sqlx::query::<Db>("DELETE FROM preferences WHERE user_id = $1 AND name = $2")
            .bind(owner)
            .bind(name)
            .execute(c)
            .await?;
        Ok(())
    }
}
