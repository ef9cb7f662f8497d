//! A few facts about this installation, by name.

use crate::{
    Principal, Store,
    db::{dual, read, write},
    error::Result,
};

impl Store {
    pub async fn setting(&self, by: &Principal, name: &str) -> Result<Option<String>> {
        by.require_system()?;
        read!(self, get(name))
    }

    pub async fn set_setting(&self, by: &Principal, name: &'static str, value: String) -> Result<()> {
        by.require_system()?;
        write!(self, set(name, value))
    }
}

dual! {
    async fn get(c, name: &str) -> Result<Option<String>> {
        Ok(sqlx::query_scalar::<Db, String>("SELECT value FROM settings WHERE name = $1").bind(name).fetch_optional(c).await?)
    }

    async fn set(c, name: &str, value: String) -> Result<()> {
        sqlx::query::<Db>("INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value")
            .bind(name)
            .bind(value)
            .execute(c)
            .await?;
        Ok(())
    }
}
