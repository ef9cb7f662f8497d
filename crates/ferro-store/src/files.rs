//! What is known of uploaded files; their bytes are on disk under their id.

use sqlx::FromRow;

use crate::{
    FileId, Principal, Store, Timestamp, UserId,
    db::{dual, read, write},
    error::{Result, StoreError, taken},
    names::{beginning, free_file_name},
};

#[derive(Clone, Debug, FromRow)]
pub struct File {
    pub id: FileId,
    pub user_id: UserId,
    pub name: String,
    pub mime_type: String,
    pub size: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

#[derive(Clone, Debug)]
pub struct NewFile {
    /// The bytes are already stored under it.
    pub id: FileId,
    pub name: String,
    pub mime_type: String,
    pub size: i64,
}

macro_rules! columns {
    () => {
        "id, user_id, name, mime_type, size, created_at, updated_at"
    };
}

impl Store {
    /// A name that is taken becomes "name (1).ext".
    pub async fn create_file(&self, by: &Principal, new: NewFile) -> Result<File> {
        let owner = by.owner()?;
        write!(self, insert(owner, new, Timestamp::now()))
    }

    pub async fn files(&self, by: &Principal) -> Result<Vec<File>> {
        let owner = by.owner()?;
        read!(self, list(owner))
    }

    pub async fn file(&self, by: &Principal, id: FileId) -> Result<File> {
        let owner = by.owner()?;
        read!(self, by_id(owner, id))
    }

    pub async fn rename_file(&self, by: &Principal, id: FileId, name: String) -> Result<File> {
        let owner = by.owner()?;
        write!(self, rename(owner, id, name, Timestamp::now()))
    }

    /// Its bytes were changed in place.
    pub async fn resize_file(&self, by: &Principal, id: FileId, size: i64) -> Result<File> {
        let owner = by.owner()?;
        write!(self, resize(owner, id, size, Timestamp::now()))
    }

    pub async fn delete_files(&self, by: &Principal, ids: Vec<FileId>) -> Result<()> {
        let owner = by.owner()?;
        write!(self, delete(owner, ids))
    }

    /// Whether anything still points at these bytes; for clearing up after a crash.
    pub async fn file_exists(&self, by: &Principal, id: FileId) -> Result<bool> {
        by.require_system()?;
        read!(self, exists(id))
    }
}

dual! {
    async fn insert(c, owner: UserId, new: NewFile, now: Timestamp) -> Result<File> {
        lock(&mut *c, owner.0).await?;
        let (base, _) = new.name.rsplit_once('.').unwrap_or((&new.name, ""));
        let used = sqlx::query_scalar::<Db, String>(r"SELECT name FROM files WHERE user_id = $1 AND name LIKE $2 ESCAPE '\'")
            .bind(owner)
            .bind(beginning(base))
            .fetch_all(&mut *c)
            .await?;
        Ok(sqlx::query_as::<Db, File>(concat!(
            "INSERT INTO files (id, user_id, name, mime_type, size, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $6) RETURNING ", columns!()
        ))
        .bind(new.id)
        .bind(owner)
        .bind(free_file_name(&new.name, &used))
        .bind(new.mime_type)
        .bind(new.size)
        .bind(now)
        .fetch_one(c)
        .await?)
    }

    async fn list(c, owner: UserId) -> Result<Vec<File>> {
        Ok(sqlx::query_as::<Db, File>(concat!(
            "SELECT ", columns!(), " FROM files WHERE user_id = $1 ORDER BY updated_at DESC, id DESC"
        ))
        .bind(owner)
        .fetch_all(c)
        .await?)
    }

    async fn by_id(c, owner: UserId, id: FileId) -> Result<File> {
        sqlx::query_as::<Db, File>(concat!("SELECT ", columns!(), " FROM files WHERE id = $1 AND user_id = $2"))
            .bind(id)
            .bind(owner)
            .fetch_optional(c)
            .await?
            .ok_or(StoreError::NotFound("file"))
    }

    async fn rename(c, owner: UserId, id: FileId, name: String, now: Timestamp) -> Result<File> {
        sqlx::query_as::<Db, File>(concat!(
            "UPDATE files SET name = $3, updated_at = $4 WHERE id = $1 AND user_id = $2 RETURNING ", columns!()
        ))
        .bind(id)
        .bind(owner)
        .bind(name)
        .bind(now)
        .fetch_optional(c)
        .await
        .map_err(taken("file", "name"))?
        .ok_or(StoreError::NotFound("file"))
    }

    async fn resize(c, owner: UserId, id: FileId, size: i64, now: Timestamp) -> Result<File> {
        sqlx::query_as::<Db, File>(concat!(
            "UPDATE files SET size = $3, updated_at = $4 WHERE id = $1 AND user_id = $2 RETURNING ", columns!()
        ))
        .bind(id)
        .bind(owner)
        .bind(size)
        .bind(now)
        .fetch_optional(c)
        .await?
        .ok_or(StoreError::NotFound("file"))
    }

    async fn delete(c, owner: UserId, ids: Vec<FileId>) -> Result<()> {
        for id in ids {
            let deleted = sqlx::query::<Db>("DELETE FROM files WHERE id = $1 AND user_id = $2")
                .bind(id)
                .bind(owner)
                .execute(&mut *c)
                .await?;
            if deleted.rows_affected() == 0 {
                return Err(StoreError::NotFound("file"));
            }
        }
        Ok(())
    }

    async fn exists(c, id: FileId) -> Result<bool> {
        let found = sqlx::query_scalar::<Db, i64>("SELECT count(*) FROM files WHERE id = $1").bind(id).fetch_one(c).await?;
        Ok(found > 0)
    }
}
