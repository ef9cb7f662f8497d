//! Who runs what: a worker holds a run until its lease ends, and the epoch tells its writes from its successor's.

use std::time::Duration;

use crate::{
    Principal, Run, RunId, Store, Timestamp, WorkerId,
    db::{dual, record},
    error::Result,
    runs::columns,
};

/// A run is this worker's for so long, unless it is renewed.
#[derive(Clone, Copy, Debug)]
pub struct Lease {
    pub worker: WorkerId,
    pub lasts: Duration,
}

impl Store {
    /// Takes over runs that are queued, or whose worker has not renewed its lease; the oldest first.
    pub async fn claim_runs(&self, by: &Principal, lease: Lease, limit: i64) -> Result<Vec<Run>> {
        by.require_system()?;
        let mut claimed = record!(self, claim(lease, limit, Timestamp::now()))?;
        claimed.sort_by_key(|run| (run.created_at, run.id));
        Ok(claimed)
    }

    /// Takes over this one, even if it waits for a person. `None` when it has ended or someone holds it.
    pub async fn claim_run(&self, by: &Principal, id: RunId, lease: Lease) -> Result<Option<Run>> {
        by.require_system()?;
        record!(self, claim_one(id, lease, Timestamp::now()))
    }

    /// The runs this worker still holds, now for longer.
    pub async fn renew_leases(&self, by: &Principal, lease: Lease) -> Result<Vec<RunId>> {
        by.require_system()?;
        record!(self, renew(lease, Timestamp::now()))
    }

    /// Lets others have this worker's runs at once.
    pub async fn release_leases(&self, by: &Principal, worker: WorkerId) -> Result<u64> {
        by.require_system()?;
        record!(self, release(worker, Timestamp::now()))
    }
}

dual! {
    async fn claim(c, lease: Lease, limit: i64, now: Timestamp) -> Result<Vec<Run>> {
        Ok(sqlx::query_as::<Db, Run>(concat!(
            "WITH picked AS MATERIALIZED (
                SELECT id FROM runs WHERE finished_at IS NULL AND status IN ('queued', 'running')
                AND (lease_until IS NULL OR lease_until <= $3) ORDER BY created_at, id LIMIT $4", for_me_alone!(), "
             )
             UPDATE runs SET worker = $1, lease_until = $2, epoch = epoch + 1, updated_at = $3
             WHERE id IN (SELECT id FROM picked) RETURNING ", columns!()
        ))
        .bind(lease.worker)
        .bind(now.plus(lease.lasts))
        .bind(now)
        .bind(limit)
        .fetch_all(c)
        .await?)
    }

    async fn claim_one(c, id: RunId, lease: Lease, now: Timestamp) -> Result<Option<Run>> {
        Ok(sqlx::query_as::<Db, Run>(concat!(
            "UPDATE runs SET worker = $1, lease_until = $2, epoch = epoch + 1, updated_at = $3
             WHERE id = $4 AND finished_at IS NULL AND (lease_until IS NULL OR lease_until <= $3) RETURNING ", columns!()
        ))
        .bind(lease.worker)
        .bind(now.plus(lease.lasts))
        .bind(now)
        .bind(id)
        .fetch_optional(c)
        .await?)
    }

    async fn renew(c, lease: Lease, now: Timestamp) -> Result<Vec<RunId>> {
        Ok(sqlx::query_scalar::<Db, RunId>(
            "UPDATE runs SET lease_until = $2 WHERE finished_at IS NULL AND worker = $1 RETURNING id",
        )
        .bind(lease.worker)
        .bind(now.plus(lease.lasts))
        .fetch_all(c)
        .await?)
    }

    async fn release(c, worker: WorkerId, now: Timestamp) -> Result<u64> {
        Ok(sqlx::query::<Db>(
            "UPDATE runs SET worker = NULL, lease_until = NULL, updated_at = $2 WHERE finished_at IS NULL AND worker = $1",
        )
        .bind(worker)
        .bind(now)
        .execute(c)
        .await?
        .rows_affected())
    }
}
