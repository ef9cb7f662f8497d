//! What people and the assistant said to each other lately: the last turns of each session, for the next turn to know.

use sqlx::FromRow;

use crate::{
    Principal, Store, Timestamp, UserId,
    db::{dual, read, record},
    error::Result,
    text::clean,
};

/// Turns kept of one session; the oldest go.
pub const TURNS_PER_SESSION: i64 = 10;
/// Sessions kept of one person; those not used for longest go.
pub const SESSIONS_PER_PERSON: i64 = 100;
/// Characters kept of what was asked, and as many of what was answered.
pub const TURN_TEXT: usize = 20_000;

#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct AssistantTurn {
    pub asked: String,
    pub answered: String,
}

/// What became of a turn that was to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptTurn {
    /// Which of its session it is now, counted from 1; never more than are kept.
    pub index: i64,
    /// How many sessions this person has now.
    pub sessions: i64,
    /// Sessions that had to go for it.
    pub evicted: Vec<String>,
}

impl Store {
    /// The last so many turns of a session, oldest first.
    pub async fn assistant_turns(
        &self,
        by: &Principal,
        session: &str,
        limit: usize,
    ) -> Result<Vec<AssistantTurn>> {
        let owner = by.owner()?;
        let limit = i64::try_from(limit).unwrap_or(TURNS_PER_SESSION);
        let mut found = read!(self, newest(owner, &clean(session), limit.min(TURNS_PER_SESSION)))?;
        found.reverse();
        Ok(found)
    }

    pub async fn push_assistant_turn(
        &self,
        by: &Principal,
        session: &str,
        asked: &str,
        answered: &str,
    ) -> Result<KeptTurn> {
        let owner = by.owner()?;
        let session = clean(session).into_owned();
        let turn = AssistantTurn {
            asked: shortened(asked),
            answered: shortened(answered),
        };
        record!(self, push(owner, session, turn, Timestamp::now()))
    }

    /// Tells how many there were.
    pub async fn clear_assistant_turns(&self, by: &Principal, session: &str) -> Result<u64> {
        let owner = by.owner()?;
        let session = clean(session).into_owned();
        record!(self, clear(owner, &session))
    }

    /// How many sessions of everyone have turns.
    pub async fn assistant_sessions(&self, by: &Principal) -> Result<i64> {
        by.require_system()?;
        read!(self, count_sessions())
    }

    /// Forgets what was said before an instant. Tells how many turns those were.
    pub async fn purge_assistant_turns(&self, by: &Principal, before: Timestamp) -> Result<u64> {
        by.require_system()?;
        record!(self, purge(before))
    }
}

fn shortened(text: &str) -> String {
    let end = text
        .char_indices()
        .nth(TURN_TEXT)
        .map_or(text.len(), |(at, _)| at);
    clean(&text[..end]).into_owned()
}

dual! {
    async fn newest(c, owner: UserId, session: &str, limit: i64) -> Result<Vec<AssistantTurn>> {
        Ok(sqlx::query_as::<Db, AssistantTurn>(
            "SELECT asked, answered FROM assistant_turns WHERE user_id = $1 AND session_id = $2 ORDER BY seq DESC LIMIT $3",
        )
        .bind(owner)
        .bind(session)
        .bind(limit)
        .fetch_all(c)
        .await?)
    }

    async fn push(c, owner: UserId, session: String, turn: AssistantTurn, now: Timestamp) -> Result<KeptTurn> {
        // One at a time for a person: two servers would otherwise take the same number.
        lock(&mut *c, owner.0).await?;
        sqlx::query::<Db>(
            "INSERT INTO assistant_turns (user_id, seq, session_id, asked, answered, at)
             SELECT $1, COALESCE(MAX(seq), 0) + 1, $2, $3, $4, $5 FROM assistant_turns WHERE user_id = $1",
        )
        .bind(owner)
        .bind(&session)
        .bind(turn.asked)
        .bind(turn.answered)
        .bind(now)
        .execute(&mut *c)
        .await?;
        sqlx::query::<Db>(
            "DELETE FROM assistant_turns WHERE user_id = $1 AND session_id = $2 AND seq <=
             (SELECT seq FROM assistant_turns WHERE user_id = $1 AND session_id = $2 ORDER BY seq DESC LIMIT 1 OFFSET $3)",
        )
        .bind(owner)
        .bind(&session)
        .bind(TURNS_PER_SESSION)
        .execute(&mut *c)
        .await?;
        // The most lately used first; the one just written to is the first of all.
        let mut sessions = sqlx::query_as::<Db, (String, i64)>(
            "SELECT session_id, count(*) FROM assistant_turns WHERE user_id = $1 GROUP BY session_id ORDER BY MAX(seq) DESC",
        )
        .bind(owner)
        .fetch_all(&mut *c)
        .await?;
        let index = sessions.first().map_or(0, |(_, turns)| *turns);
        let kept = sessions.len().min(usize::try_from(SESSIONS_PER_PERSON).unwrap_or(usize::MAX));
        let evicted: Vec<String> = sessions.drain(kept..).map(|(id, _)| id).collect();
        for gone in &evicted {
            clear(&mut *c, owner, gone).await?;
        }
        Ok(KeptTurn { index, sessions: kept as i64, evicted })
    }

    async fn clear(c, owner: UserId, session: &str) -> Result<u64> {
        let done = sqlx::query::<Db>("DELETE FROM assistant_turns WHERE user_id = $1 AND session_id = $2")
            .bind(owner)
            .bind(session)
            .execute(c)
            .await?;
        Ok(done.rows_affected())
    }

    async fn count_sessions(c) -> Result<i64> {
        Ok(sqlx::query_scalar::<Db, i64>(
            "SELECT count(*) FROM (SELECT DISTINCT user_id, session_id FROM assistant_turns) AS sessions",
        )
        .fetch_one(c)
        .await?)
    }

    async fn purge(c, before: Timestamp) -> Result<u64> {
        let done = sqlx::query::<Db>("DELETE FROM assistant_turns WHERE at < $1").bind(before).execute(c).await?;
        Ok(done.rows_affected())
    }
}
