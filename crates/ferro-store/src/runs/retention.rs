//! What becomes of runs that are over.

use sqlx::error::ErrorKind;

use crate::{
    FlowId, Principal, RunFilter, RunId, Store, Timestamp, UserId,
    db::{dual, read, record},
    error::{Result, StoreError},
    runs::{DocumentHash, Wanted, owner_or_system},
};

/// Runs deleted in one transaction: others write in between.
const BATCH: i64 = 500;

impl Store {
    /// Deletes one run with its events; refused while it is still going.
    pub async fn delete_run(&self, by: &Principal, id: RunId) -> Result<()> {
        let owner = owner_or_system(by)?;
        record!(self, delete_one(owner, id))?;
        self.purge_visits().await
    }

    /// Deletes runs with their events. One that is still going is left alone.
    pub async fn delete_runs(&self, by: &Principal, filter: RunFilter) -> Result<u64> {
        let wanted = Wanted::new(by, filter)?;
        let mut deleted = 0;
        loop {
            let wanted = wanted.clone();
            let batch = record!(self, delete_wanted(&wanted))?;
            deleted += batch;
            if batch < BATCH.unsigned_abs() {
                self.purge_visits().await?;
                return Ok(deleted);
            }
        }
    }

    /// Deletes runs that ended before an instant, and of each flow all but its newest; then documents nobody uses.
    pub async fn purge_runs(
        &self,
        by: &Principal,
        finished_before: Option<Timestamp>,
        keep_per_flow: Option<i64>,
    ) -> Result<u64> {
        by.require_system()?;
        let mut deleted = 0;
        while let Some(before) = finished_before {
            let batch = record!(self, delete_finished_before(before))?;
            deleted += batch;
            if batch < BATCH.unsigned_abs() {
                break;
            }
        }
        if let Some(keep) = keep_per_flow {
            for (owner, flow_id) in read!(self, with_more_than(keep))? {
                deleted += self.delete_beyond(owner, flow_id, keep).await?;
            }
        }
        self.purge_visits().await?;
        self.purge_documents().await?;
        Ok(deleted)
    }

    /// What visitors of shared flows said is kept as long as the run it was said in: nobody else would ever delete it.
    async fn purge_visits(&self) -> Result<()> {
        record!(self, delete_visits())
    }

    async fn delete_beyond(&self, owner: UserId, flow_id: FlowId, keep: i64) -> Result<u64> {
        let mut deleted = 0;
        loop {
            let batch = record!(self, delete_oldest(owner, flow_id, keep))?;
            deleted += batch;
            if batch < BATCH.unsigned_abs() {
                return Ok(deleted);
            }
        }
    }

    async fn purge_documents(&self) -> Result<()> {
        let unused = read!(self, unused_documents())?;
        if unused.is_empty() {
            return Ok(());
        }
        // Before they are gone: a run that is written meanwhile brings its document along.
        self.documents.forget_all();
        for batch in unused.chunks(64) {
            let batch = batch.to_vec();
            match self.delete_unused(batch).await {
                // Somebody begins to use one of them this moment: it stays, and the others wait for the next time.
                Err(StoreError::Database(sqlx::Error::Database(broken)))
                    if broken.kind() == ErrorKind::ForeignKeyViolation => {}
                done => done?,
            }
        }
        self.documents.forget_all();
        Ok(())
    }

    async fn delete_unused(&self, documents: Vec<DocumentHash>) -> Result<()> {
        record!(self, delete_documents(documents))
    }
}

dual! {
    async fn delete_one(c, owner: Option<UserId>, id: RunId) -> Result<()> {
        let done = sqlx::query::<Db>(
            "DELETE FROM runs WHERE id = $1 AND ($2 IS NULL OR user_id = $2) AND finished_at IS NOT NULL",
        )
        .bind(id)
        .bind(owner)
        .execute(&mut *c)
        .await?;
        if done.rows_affected() > 0 {
            return Ok(());
        }
        let found = sqlx::query_scalar::<Db, i64>("SELECT count(*) FROM runs WHERE id = $1 AND ($2 IS NULL OR user_id = $2)")
            .bind(id)
            .bind(owner)
            .fetch_one(c)
            .await?;
        Err(match found {
            0 => StoreError::NotFound("run"),
            _ => StoreError::Refused("this run is still going; stop it first"),
        })
    }

    async fn delete_wanted(c, wanted: &Wanted) -> Result<u64> {
        let done = sqlx::query::<Db>(
            "DELETE FROM runs WHERE id IN (SELECT r.id FROM runs r WHERE r.finished_at IS NOT NULL
             AND ($1 IS NULL OR r.user_id = $1) AND ($2 IS NULL OR r.flow_id = $2) AND ($3 IS NULL OR r.session_id = $3)
             AND ($4 IS NULL OR $4 LIKE '%,' || r.status || ',%') AND ($5 IS NULL OR r.kind = $5)
             AND ($6 IS NULL OR r.parent_id = $6) AND ($7 IS NULL OR r.created_at < $7) LIMIT $8)",
        )
        .bind(wanted.owner)
        .bind(wanted.filter.flow_id)
        .bind(wanted.session_id.as_deref())
        .bind(wanted.status.as_deref())
        .bind(wanted.filter.kind.as_deref())
        .bind(wanted.filter.parent_id)
        .bind(wanted.filter.before)
        .bind(BATCH)
        .execute(c)
        .await?;
        Ok(done.rows_affected())
    }

    async fn delete_finished_before(c, before: Timestamp) -> Result<u64> {
        let done = sqlx::query::<Db>(
            "DELETE FROM runs WHERE id IN (SELECT id FROM runs WHERE finished_at < $1 ORDER BY finished_at LIMIT $2)",
        )
        .bind(before)
        .bind(BATCH)
        .execute(c)
        .await?;
        Ok(done.rows_affected())
    }

    async fn with_more_than(c, keep: i64) -> Result<Vec<(UserId, FlowId)>> {
        Ok(sqlx::query_as::<Db, (UserId, FlowId)>("SELECT user_id, flow_id FROM runs GROUP BY user_id, flow_id HAVING count(*) > $1")
            .bind(keep)
            .fetch_all(c)
            .await?)
    }

    async fn delete_oldest(c, owner: UserId, flow_id: FlowId, keep: i64) -> Result<u64> {
        // The newest one that is too many, and with it everything older.
        let cut = sqlx::query_as::<Db, (Timestamp, RunId)>(
            "SELECT created_at, id FROM runs WHERE user_id = $1 AND flow_id = $2 ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET $3",
        )
        .bind(owner)
        .bind(flow_id)
        .bind(keep)
        .fetch_optional(&mut *c)
        .await?;
        let Some((created_at, id)) = cut else { return Ok(0) };
        let done = sqlx::query::<Db>(
            "DELETE FROM runs WHERE id IN (SELECT id FROM runs WHERE user_id = $1 AND flow_id = $2
             AND (created_at, id) <= ($3, $4) AND finished_at IS NOT NULL LIMIT $5)",
        )
        .bind(owner)
        .bind(flow_id)
        .bind(created_at)
        .bind(id)
        .bind(BATCH)
        .execute(c)
        .await?;
        Ok(done.rows_affected())
    }

    async fn delete_visits(c) -> Result<()> {
        messages::delete_visits(c).await
    }

    async fn unused_documents(c) -> Result<Vec<DocumentHash>> {
        Ok(sqlx::query_scalar::<Db, DocumentHash>(
            "SELECT d.hash FROM run_documents d WHERE NOT EXISTS (SELECT 1 FROM runs r WHERE r.document_hash = d.hash)",
        )
        .fetch_all(c)
        .await?)
    }

    async fn delete_documents(c, hashes: Vec<DocumentHash>) -> Result<()> {
        for hash in hashes {
            sqlx::query::<Db>("DELETE FROM run_documents WHERE hash = $1 AND NOT EXISTS (SELECT 1 FROM runs WHERE document_hash = $1)")
                .bind(hash)
                .execute(&mut *c)
                .await?;
        }
        Ok(())
    }
}
