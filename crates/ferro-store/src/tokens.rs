//! Browser sessions and bearer tokens: only hashes, never the tokens themselves.

use std::time::Duration;

use sqlx::FromRow;

use crate::{
    Principal, Store, Timestamp, TokenFamily, User, UserId,
    db::{dual, read, record, write},
    error::Result,
    users::user_columns,
};

/// Writing the time of last use on every request would cost a commit each; this is near enough.
const SEEN_EVERY: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum TokenKind {
    /// In a browser's cookie; also ends when left idle.
    Session,
    /// In an API client's `Authorization` header.
    Access,
    /// Exchanged once for a new pair.
    Refresh,
}

#[derive(Clone, Debug)]
pub struct NewToken {
    pub hash: [u8; 32],
    pub kind: TokenKind,
    pub lifetime: Duration,
}

/// A token that was found good, and whose it is.
#[derive(Clone, Debug)]
pub struct Grant {
    pub user: User,
    pub family: TokenFamily,
    pub kind: TokenKind,
}

#[derive(FromRow)]
pub(crate) struct TokenRow {
    kind: TokenKind,
    family: TokenFamily,
    token_epoch: i64,
    seen_at: Timestamp,
    expires_at: Timestamp,
    used_at: Option<Timestamp>,
    #[sqlx(flatten)]
    user: User,
}

impl Store {
    /// Keeps the tokens of one sign-in, and forgets those that ran out.
    pub async fn create_tokens(
        &self,
        by: &Principal,
        user: UserId,
        family: TokenFamily,
        tokens: Vec<NewToken>,
    ) -> Result<()> {
        by.require_system()?;
        write!(self, insert(user, family, tokens, Timestamp::now()))
    }

    /// Whose token this is, if it is good now. `idle` ends sessions that were left alone.
    pub async fn grant(
        &self,
        by: &Principal,
        hash: &[u8; 32],
        kinds: &[TokenKind],
        idle: Duration,
    ) -> Result<Option<Grant>> {
        by.require_system()?;
        let now = Timestamp::now();
        let found = read!(self, find(hash))?;
        let Some(token) = found else { return Ok(None) };
        let idle_out = token.kind == TokenKind::Session && token.seen_at.plus(idle) <= now;
        let good = kinds.contains(&token.kind)
            && token.expires_at > now
            && token.used_at.is_none()
            && !idle_out
            && token.token_epoch == token.user.epoch
            && token.user.is_active;
        if !good {
            return Ok(None);
        }
        if token.kind == TokenKind::Session && token.seen_at.plus(SEEN_EVERY.min(idle / 4)) <= now {
            let hash = *hash;
            record!(self, touch(hash, now))?;
        }
        Ok(Some(Grant {
            user: token.user,
            family: token.family,
            kind: token.kind,
        }))
    }

    /// Trades a refresh token for new tokens. One that was traded before is a copy in wrong hands: its whole
    /// family ends.
    pub async fn refresh(
        &self,
        by: &Principal,
        hash: [u8; 32],
        tokens: Vec<NewToken>,
    ) -> Result<Option<Grant>> {
        by.require_system()?;
        write!(self, rotate(hash, tokens, Timestamp::now()))
    }

    /// Ends one sign-in: its session, access and refresh tokens.
    pub async fn revoke_family(&self, by: &Principal, family: TokenFamily) -> Result<()> {
        by.require_system()?;
        write!(self, delete_family(family))
    }
}

dual! {
    async fn insert(c, user: UserId, family: TokenFamily, tokens: Vec<NewToken>, now: Timestamp) -> Result<()> {
        sqlx::query::<Db>("DELETE FROM tokens WHERE expires_at <= $1").bind(now).execute(&mut *c).await?;
        for token in tokens {
            sqlx::query::<Db>(
                "INSERT INTO tokens (hash, user_id, kind, family, epoch, created_at, seen_at, expires_at)
                 SELECT $1, id, $3, $4, epoch, $5, $5, $6 FROM users WHERE id = $2",
            )
            .bind(token.hash.as_slice())
            .bind(user)
            .bind(token.kind)
            .bind(family)
            .bind(now)
            .bind(now.plus(token.lifetime))
            .execute(&mut *c)
            .await?;
        }
        Ok(())
    }

    /// The token and its owner in one query: this runs on every request.
    async fn find(c, hash: &[u8; 32]) -> Result<Option<TokenRow>> {
        Ok(sqlx::query_as::<Db, TokenRow>(concat!(
            "SELECT t.kind, t.family, t.epoch AS token_epoch, t.seen_at, t.expires_at, t.used_at, u.* \
             FROM tokens t JOIN (SELECT ", user_columns!(), " FROM users) u ON u.id = t.user_id WHERE t.hash = $1"
        ))
        .bind(hash.as_slice())
        .fetch_optional(c)
        .await?)
    }

    async fn touch(c, hash: [u8; 32], now: Timestamp) -> Result<()> {
        sqlx::query::<Db>("UPDATE tokens SET seen_at = $2 WHERE hash = $1")
            .bind(hash.as_slice())
            .bind(now)
            .execute(c)
            .await?;
        Ok(())
    }

    async fn rotate(c, hash: [u8; 32], tokens: Vec<NewToken>, now: Timestamp) -> Result<Option<Grant>> {
        let Some(token) = find(&mut *c, &hash).await? else { return Ok(None) };
        if token.kind != TokenKind::Refresh {
            return Ok(None);
        }
        // Marked in the same statement that checks it: of two that arrive together, one is the copy.
        let marked = sqlx::query::<Db>("UPDATE tokens SET used_at = $2 WHERE hash = $1 AND used_at IS NULL")
            .bind(hash.as_slice())
            .bind(now)
            .execute(&mut *c)
            .await?;
        if marked.rows_affected() == 0 {
            delete_family(c, token.family).await?;
            return Ok(None);
        }
        if token.expires_at <= now || token.token_epoch != token.user.epoch || !token.user.is_active {
            return Ok(None);
        }
        insert(c, token.user.id, token.family, tokens, now).await?;
        Ok(Some(Grant { user: token.user, family: token.family, kind: TokenKind::Refresh }))
    }

    async fn delete_family(c, family: TokenFamily) -> Result<()> {
        sqlx::query::<Db>("DELETE FROM tokens WHERE family = $1").bind(family).execute(c).await?;
        Ok(())
    }
}
