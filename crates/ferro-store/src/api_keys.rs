//! Keys that programs carry. Only their hash is kept; the key itself is shown once.

use std::collections::HashMap;

use sqlx::FromRow;

use crate::{
    ApiKeyId, Principal, Store, Timestamp, User, UserId,
    db::{dual, read, record, write},
    error::{Result, StoreError},
};

#[derive(Clone, Debug, FromRow)]
pub struct ApiKey {
    pub id: ApiKeyId,
    pub user_id: UserId,
    pub name: String,
    /// The first characters, so that a person can tell their keys apart.
    pub prefix: String,
    pub is_active: bool,
    pub total_uses: i64,
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
    pub expires_at: Option<Timestamp>,
}

#[derive(Clone, Debug)]
pub struct NewApiKey {
    pub name: String,
    pub prefix: String,
    pub hash: [u8; 32],
    pub expires_at: Option<Timestamp>,
}

/// How often a key was used since the last time this was written down.
#[derive(Clone, Copy, Debug)]
pub struct ApiKeyUse {
    pub count: i64,
    pub last: Timestamp,
}

macro_rules! columns {
    () => {
        "id, user_id, name, prefix, is_active, total_uses, created_at, last_used_at, expires_at"
    };
}

impl Store {
    pub async fn create_api_key(&self, by: &Principal, new: NewApiKey) -> Result<ApiKey> {
        let owner = by.owner()?;
        write!(self, insert(ApiKeyId::new(), owner, new, Timestamp::now()))
    }

    pub async fn api_keys(&self, by: &Principal) -> Result<Vec<ApiKey>> {
        let owner = by.owner()?;
        read!(self, list(owner))
    }

    pub async fn delete_api_key(&self, by: &Principal, id: ApiKeyId) -> Result<()> {
        let owner = by.owner()?;
        write!(self, delete(owner, id))
    }

    /// The key with this hash and its owner, if both are good now.
    pub async fn api_key_owner(&self, by: &Principal, hash: &[u8; 32]) -> Result<Option<(ApiKey, User)>> {
        by.require_system()?;
        let found = read!(self, find(hash))?;
        Ok(found.filter(|(key, user)| {
            key.is_active && user.is_active && !key.expires_at.is_some_and(Timestamp::is_past)
        }))
    }

    /// Written in bulk: a commit per request would cost more than the requests.
    pub async fn note_api_key_uses(&self, by: &Principal, uses: HashMap<ApiKeyId, ApiKeyUse>) -> Result<()> {
        by.require_system()?;
        record!(self, add_uses(uses))
    }
}

dual! {
    async fn insert(c, id: ApiKeyId, owner: UserId, new: NewApiKey, now: Timestamp) -> Result<ApiKey> {
        Ok(sqlx::query_as::<Db, ApiKey>(concat!(
            "INSERT INTO api_keys (id, user_id, name, prefix, hash, is_active, total_uses, created_at, expires_at)
             VALUES ($1, $2, $3, $4, $5, TRUE, 0, $6, $7) RETURNING ", columns!()
        ))
        .bind(id)
        .bind(owner)
        .bind(new.name)
        .bind(new.prefix)
        .bind(new.hash.as_slice())
        .bind(now)
        .bind(new.expires_at)
        .fetch_one(c)
        .await?)
    }

    async fn list(c, owner: UserId) -> Result<Vec<ApiKey>> {
        Ok(sqlx::query_as::<Db, ApiKey>(concat!(
            "SELECT ", columns!(), " FROM api_keys WHERE user_id = $1 ORDER BY created_at, id"
        ))
        .bind(owner)
        .fetch_all(c)
        .await?)
    }

    async fn delete(c, owner: UserId, id: ApiKeyId) -> Result<()> {
        let deleted = sqlx::query::<Db>("DELETE FROM api_keys WHERE id = $1 AND user_id = $2")
            .bind(id)
            .bind(owner)
            .execute(c)
            .await?;
        if deleted.rows_affected() == 0 { Err(StoreError::NotFound("API key")) } else { Ok(()) }
    }

    async fn find(c, hash: &[u8; 32]) -> Result<Option<(ApiKey, User)>> {
        let key = sqlx::query_as::<Db, ApiKey>(concat!("SELECT ", columns!(), " FROM api_keys WHERE hash = $1"))
            .bind(hash.as_slice())
            .fetch_optional(&mut *c)
            .await?;
        let Some(key) = key else { return Ok(None) };
        let user = users::by_id(c, key.user_id).await?;
        Ok(Some((key, user)))
    }

    async fn add_uses(c, uses: HashMap<ApiKeyId, ApiKeyUse>) -> Result<()> {
        for (id, used) in uses {
            sqlx::query::<Db>("UPDATE api_keys SET total_uses = total_uses + $2, last_used_at = $3 WHERE id = $1")
                .bind(id)
                .bind(used.count)
                .bind(used.last)
                .execute(&mut *c)
                .await?;
        }
        Ok(())
    }
}
