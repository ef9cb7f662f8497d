//! Who did what that matters for safety. Rows are only ever added; each hash covers the row before it, so a row
//! that was changed or taken out shows.

use sha2::{Digest as _, Sha256};
use sqlx::FromRow;

use crate::{
    Principal, Store, Timestamp, UserId, Window,
    db::{dual, read, write},
    error::Result,
};

#[derive(Clone, Debug)]
pub struct AuditEntry {
    pub actor: Option<UserId>,
    pub action: &'static str,
    pub target: String,
    pub ip: Option<String>,
    pub request_id: Option<String>,
}

#[derive(Clone, Debug, FromRow)]
pub struct AuditRecord {
    pub seq: i64,
    pub at: Timestamp,
    pub actor: Option<UserId>,
    pub action: String,
    pub target: String,
    pub ip: Option<String>,
    pub request_id: Option<String>,
    pub hash: Vec<u8>,
}

impl AuditRecord {
    fn digest(&self, before: &[u8]) -> Vec<u8> {
        let mut hasher = Sha256::new();
        hasher.update(before);
        hasher.update(self.seq.to_le_bytes());
        hasher.update(self.at.0.to_le_bytes());
        hasher.update(self.actor.map_or([0; 16], |id| *id.0.as_bytes()));
        for text in [
            &self.action,
            &self.target,
            self.ip.as_ref().unwrap_or(&String::new()),
            self.request_id.as_ref().unwrap_or(&String::new()),
        ] {
            hasher.update((text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        hasher.finalize().to_vec()
    }
}

impl Store {
    pub async fn audit(&self, _by: &Principal, entry: AuditEntry) -> Result<()> {
        write!(self, append(entry, Timestamp::now()))
    }

    /// The newest first.
    pub async fn audit_log(&self, by: &Principal, window: Window) -> Result<Vec<AuditRecord>> {
        by.require_admin()?;
        read!(self, list(window))
    }

    /// The number of the first row that does not follow from the one before it.
    pub async fn verify_audit(&self, by: &Principal) -> Result<Option<i64>> {
        by.require_system()?;
        let mut before = Vec::new();
        let mut records = read!(self, list(Window::ALL))?;
        records.reverse();
        for (expected, record) in (1..).zip(&records) {
            if record.seq != expected || record.digest(&before) != record.hash {
                return Ok(Some(expected));
            }
            before.clone_from(&record.hash);
        }
        Ok(None)
    }
}

/// The lock of everyone who appends, where appending is not one at a time anyway.
const CHAIN: uuid::Uuid = uuid::Uuid::from_u128(0x6175_6469_745f_6368_6169_6e00_0000_0001);

dual! {
    async fn append(c, entry: AuditEntry, now: Timestamp) -> Result<()> {
        lock(&mut *c, CHAIN).await?;
        let last = sqlx::query_as::<Db, (i64, Vec<u8>)>("SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1")
            .fetch_optional(&mut *c)
            .await?;
        let (seq, before) = last.unwrap_or_default();
        let mut record = AuditRecord {
            seq: seq + 1,
            at: now,
            actor: entry.actor,
            action: entry.action.to_owned(),
            target: entry.target,
            ip: entry.ip,
            request_id: entry.request_id,
            hash: Vec::new(),
        };
        record.hash = record.digest(&before);
        sqlx::query::<Db>("INSERT INTO audit (seq, at, actor, action, target, ip, request_id, hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)")
            .bind(record.seq)
            .bind(record.at)
            .bind(record.actor)
            .bind(record.action)
            .bind(record.target)
            .bind(record.ip)
            .bind(record.request_id)
            .bind(record.hash)
            .execute(c)
            .await?;
        Ok(())
    }

    async fn list(c, window: Window) -> Result<Vec<AuditRecord>> {
        Ok(sqlx::query_as::<Db, AuditRecord>(
            "SELECT seq, at, actor, action, target, ip, request_id, hash FROM audit ORDER BY seq DESC LIMIT $1 OFFSET $2",
        )
        .bind(window.limit)
        .bind(window.offset)
        .fetch_all(c)
        .await?)
    }
}
