//! Sessions, as the messages in them tell.

use sqlx::FromRow;

use crate::{
    FlowId, Principal, Store, Timestamp, UserId,
    db::{dual, read, record},
    error::{Result, StoreError},
    messages::not_the_assistants,
    text::clean,
};

#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct SessionSummary {
    pub session_id: String,
    pub flow_id: FlowId,
    pub messages: i64,
    pub last_at: Timestamp,
}

impl Store {
    /// The last used first. Sessions with the assistant are not listed.
    pub async fn message_sessions(
        &self,
        by: &Principal,
        flow_id: Option<FlowId>,
    ) -> Result<Vec<SessionSummary>> {
        let owner = by.owner()?;
        read!(self, list(owner, flow_id))
    }

    /// Of one flow or of all that have such a session; refused when the new name is in use there. A run that is still going
    /// goes along: what it says from now on is said in the renamed session. Tells how many messages there were.
    pub async fn rename_session(
        &self,
        by: &Principal,
        flow_id: Option<FlowId>,
        old: &str,
        new: &str,
    ) -> Result<u64> {
        let owner = by.owner()?;
        let (old, new) = (clean(old).into_owned(), clean(new).into_owned());
        record!(self, rename(owner, flow_id, &old, &new))
    }

    /// Tells how many messages it had.
    pub async fn delete_session(
        &self,
        by: &Principal,
        flow_id: Option<FlowId>,
        session_id: &str,
    ) -> Result<u64> {
        self.delete_sessions(by, flow_id, vec![session_id.to_owned()])
            .await
    }

    pub async fn delete_sessions(
        &self,
        by: &Principal,
        flow_id: Option<FlowId>,
        session_ids: Vec<String>,
    ) -> Result<u64> {
        let owner = by.owner()?;
        record!(self, delete_all(owner, flow_id, session_ids))
    }
}

dual! {
    async fn list(c, owner: UserId, flow_id: Option<FlowId>) -> Result<Vec<SessionSummary>> {
        Ok(sqlx::query_as::<Db, SessionSummary>(concat!(
            "SELECT session_id, flow_id, count(*) AS messages, max(timestamp) AS last_at FROM messages
             WHERE user_id = $1 AND ($2 IS NULL OR flow_id = $2) AND ", not_the_assistants!(),
            " GROUP BY flow_id, session_id ORDER BY max(timestamp) DESC, session_id, flow_id",
        ))
        .bind(owner)
        .bind(flow_id)
        .fetch_all(c)
        .await?)
    }

    async fn rename(c, owner: UserId, flow_id: Option<FlowId>, old: &str, new: &str) -> Result<u64> {
        if old == new {
            return Ok(sqlx::query_scalar::<Db, i64>(
                "SELECT count(*) FROM messages WHERE user_id = $1 AND ($2 IS NULL OR flow_id = $2) AND session_id = $3",
            )
            .bind(owner)
            .bind(flow_id)
            .bind(old)
            .fetch_one(c)
            .await?
            .unsigned_abs());
        }
        lock(&mut *c, owner.0).await?;
        let in_use = sqlx::query_scalar::<Db, i64>(
            "SELECT count(*) FROM messages n WHERE n.user_id = $1 AND ($2 IS NULL OR n.flow_id = $2) AND n.session_id = $4
             AND EXISTS (SELECT 1 FROM messages o WHERE o.user_id = $1 AND o.flow_id = n.flow_id AND o.session_id = $3)",
        )
        .bind(owner)
        .bind(flow_id)
        .bind(old)
        .bind(new)
        .fetch_one(&mut *c)
        .await?;
        if in_use > 0 {
            return Err(StoreError::Taken { noun: "session", field: "name" });
        }
        let is_there = sqlx::query_scalar::<Db, i64>(
            "SELECT count(*) FROM messages WHERE user_id = $1 AND ($2 IS NULL OR flow_id = $2) AND session_id = $3",
        )
        .bind(owner)
        .bind(flow_id)
        .bind(old)
        .fetch_one(&mut *c)
        .await?;
        if is_there == 0 {
            return Ok(0);
        }
        // Runs first: one that writes this moment is waited for, and what it has said is then seen below. One that goes on
        // finds the new name here (`session_now!`).
        sqlx::query::<Db>(
            "UPDATE runs SET session_id = $4 WHERE user_id = $1 AND ($2 IS NULL OR flow_id = $2) AND session_id = $3",
        )
        .bind(owner)
        .bind(flow_id)
        .bind(old)
        .bind(new)
        .execute(&mut *c)
        .await?;
        let messages = sqlx::query::<Db>(
            "UPDATE messages SET session_id = $4 WHERE user_id = $1 AND ($2 IS NULL OR flow_id = $2) AND session_id = $3",
        )
        .bind(owner)
        .bind(flow_id)
        .bind(old)
        .bind(new)
        .execute(c)
        .await?;
        Ok(messages.rows_affected())
    }

    async fn delete_all(c, owner: UserId, flow_id: Option<FlowId>, session_ids: Vec<String>) -> Result<u64> {
        let mut deleted = 0;
        for session_id in session_ids {
            deleted += sqlx::query::<Db>(
                "DELETE FROM messages WHERE user_id = $1 AND ($2 IS NULL OR flow_id = $2) AND session_id = $3",
            )
            .bind(owner)
            .bind(flow_id)
            .bind(clean(&session_id))
            .execute(&mut *c)
            .await?
            .rows_affected();
        }
        Ok(deleted)
    }
}
