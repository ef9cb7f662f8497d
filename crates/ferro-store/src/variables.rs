//! Global variables: plain text, or ciphertext this crate cannot open.

use sqlx::FromRow;

use crate::{
    Principal, Store, Timestamp, UserId, VariableId,
    db::{dual, read, write},
    error::{Result, StoreError, taken},
    text::{from_text, text_of},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text")]
pub enum VariableKind {
    Generic,
    Credential,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub id: VariableId,
    pub user_id: UserId,
    pub name: String,
    pub value: VariableValue,
    pub default_fields: Vec<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VariableValue {
    Generic(String),
    /// Sealed for exactly this row and owner.
    Credential(Vec<u8>),
}

impl VariableValue {
    pub fn kind(&self) -> VariableKind {
        match self {
            Self::Generic(_) => VariableKind::Generic,
            Self::Credential(_) => VariableKind::Credential,
        }
    }

    fn columns(&self) -> (VariableKind, Option<&str>, Option<&[u8]>) {
        match self {
            Self::Generic(text) => (VariableKind::Generic, Some(text), None),
            Self::Credential(sealed) => (VariableKind::Credential, None, Some(sealed)),
        }
    }
}

#[derive(Clone, Debug)]
pub struct NewVariable {
    /// Chosen by the caller, because ciphertext is bound to it.
    pub id: VariableId,
    pub name: String,
    pub value: VariableValue,
    pub default_fields: Vec<String>,
}

#[derive(Clone, Debug, Default)]
pub struct VariableChange {
    pub name: Option<String>,
    pub value: Option<VariableValue>,
    pub default_fields: Option<Vec<String>>,
}

#[derive(FromRow)]
pub(crate) struct VariableRow {
    id: VariableId,
    user_id: UserId,
    name: String,
    kind: VariableKind,
    value: Option<String>,
    sealed: Option<Vec<u8>>,
    default_fields: String,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl TryFrom<VariableRow> for Variable {
    type Error = StoreError;

    fn try_from(row: VariableRow) -> Result<Self> {
        let value = match (row.kind, row.value, row.sealed) {
            (VariableKind::Generic, Some(text), _) => VariableValue::Generic(text),
            (VariableKind::Credential, _, Some(sealed)) => VariableValue::Credential(sealed),
            _ => return Err(StoreError::Damaged(format!("variable {} has no value", row.id))),
        };
        Ok(Self {
            id: row.id,
            user_id: row.user_id,
            name: row.name,
            value,
            default_fields: from_text(&row.default_fields)?,
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    }
}

macro_rules! columns {
    () => {
        "id, user_id, name, kind, value, sealed, default_fields, created_at, updated_at"
    };
}

impl Store {
    pub async fn create_variable(&self, by: &Principal, new: NewVariable) -> Result<Variable> {
        let owner = by.owner()?;
        write!(self, insert(owner, new, Timestamp::now()))?.try_into()
    }

    pub async fn variables(&self, by: &Principal) -> Result<Vec<Variable>> {
        let owner = by.owner()?;
        read!(self, list(owner))?
            .into_iter()
            .map(TryInto::try_into)
            .collect()
    }

    pub async fn variable(&self, by: &Principal, id: VariableId) -> Result<Variable> {
        let owner = by.owner()?;
        read!(self, by_id(owner, id))?.try_into()
    }

    pub async fn change_variable(
        &self,
        by: &Principal,
        id: VariableId,
        change: VariableChange,
    ) -> Result<Variable> {
        let owner = by.owner()?;
        write!(self, update(owner, id, change, Timestamp::now()))?.try_into()
    }

    pub async fn delete_variable(&self, by: &Principal, id: VariableId) -> Result<()> {
        let owner = by.owner()?;
        write!(self, delete(owner, id))
    }

    /// Everyone's credentials, for re-encryption under a new key.
    pub async fn all_credentials(&self, by: &Principal) -> Result<Vec<Variable>> {
        by.require_system()?;
        read!(self, credentials())?
            .into_iter()
            .map(TryInto::try_into)
            .collect()
    }

    /// Puts re-encrypted values in place of exactly those they were made from, and tells how many.
    pub async fn reseal_credentials(
        &self,
        by: &Principal,
        pairs: Vec<(VariableId, Vec<u8>, Vec<u8>)>,
    ) -> Result<u64> {
        by.require_system()?;
        write!(self, replace_sealed(pairs))
    }
}

dual! {
    async fn insert(c, owner: UserId, new: NewVariable, now: Timestamp) -> Result<VariableRow> {
        let (kind, value, sealed) = new.value.columns();
        sqlx::query_as::<Db, VariableRow>(concat!(
            "INSERT INTO variables (id, user_id, name, kind, value, sealed, default_fields, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8) RETURNING ", columns!()
        ))
        .bind(new.id)
        .bind(owner)
        .bind(&new.name)
        .bind(kind)
        .bind(value)
        .bind(sealed)
        .bind(text_of(&new.default_fields)?)
        .bind(now)
        .fetch_one(c)
        .await
        .map_err(taken("variable", "name"))
    }

    async fn list(c, owner: UserId) -> Result<Vec<VariableRow>> {
        Ok(sqlx::query_as::<Db, VariableRow>(concat!(
            "SELECT ", columns!(), " FROM variables WHERE user_id = $1 ORDER BY name"
        ))
        .bind(owner)
        .fetch_all(c)
        .await?)
    }

    async fn by_id(c, owner: UserId, id: VariableId) -> Result<VariableRow> {
        sqlx::query_as::<Db, VariableRow>(concat!(
            "SELECT ", columns!(), " FROM variables WHERE id = $1 AND user_id = $2"
        ))
        .bind(id)
        .bind(owner)
        .fetch_optional(c)
        .await?
        .ok_or(StoreError::NotFound("variable"))
    }

    async fn update(c, owner: UserId, id: VariableId, change: VariableChange, now: Timestamp) -> Result<VariableRow> {
        // Against `replace_sealed` in between: it would be undone by the value read here.
        lock(&mut *c, id.0).await?;
        let old: Variable = by_id(&mut *c, owner, id).await?.try_into()?;
        let name = change.name.unwrap_or(old.name);
        let value = change.value.unwrap_or(old.value);
        let fields = change.default_fields.unwrap_or(old.default_fields);
        let (kind, text, sealed) = value.columns();
        sqlx::query_as::<Db, VariableRow>(concat!(
            "UPDATE variables SET name = $3, kind = $4, value = $5, sealed = $6, default_fields = $7, updated_at = $8
             WHERE id = $1 AND user_id = $2 RETURNING ", columns!()
        ))
        .bind(id)
        .bind(owner)
        .bind(&name)
        .bind(kind)
        .bind(text)
        .bind(sealed)
        .bind(text_of(&fields)?)
        .bind(now)
        .fetch_one(c)
        .await
        .map_err(taken("variable", "name"))
    }

    async fn delete(c, owner: UserId, id: VariableId) -> Result<()> {
        let deleted = sqlx::query::<Db>("DELETE FROM variables WHERE id = $1 AND user_id = $2")
            .bind(id)
            .bind(owner)
            .execute(c)
            .await?;
        if deleted.rows_affected() == 0 { Err(StoreError::NotFound("variable")) } else { Ok(()) }
    }

    async fn credentials(c) -> Result<Vec<VariableRow>> {
        Ok(sqlx::query_as::<Db, VariableRow>(concat!("SELECT ", columns!(), " FROM variables WHERE kind = 'Credential'"))
            .fetch_all(c)
            .await?)
    }

    async fn replace_sealed(c, pairs: Vec<(VariableId, Vec<u8>, Vec<u8>)>) -> Result<u64> {
        let mut replaced = 0;
        for (id, old, new) in pairs {
            lock(&mut *c, id.0).await?;
            replaced += sqlx::query::<Db>("UPDATE variables SET sealed = $3 WHERE id = $1 AND sealed = $2")
                .bind(id)
                .bind(old)
                .bind(new)
                .execute(&mut *c)
                .await?
                .rows_affected();
        }
        Ok(replaced)
    }
}
