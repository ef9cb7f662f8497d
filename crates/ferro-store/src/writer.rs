//! The one writer of a SQLite database.
//!
//! Changes that wait at the same time are written in one transaction and so share one fsync; each keeps its own
//! savepoint, so one that fails takes nothing with it. A change is answered only after the commit is on disk.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use futures_util::future::BoxFuture;
use sqlx::{Connection as _, SqliteConnection};
use tokio::sync::{mpsc, oneshot};

use crate::error::{Result, StoreError};

/// Enough to fill a disk's bandwidth, few enough that the first in a batch does not wait long for the last.
const MAX_BATCH: usize = 256;
const QUEUE: usize = 4096;

/// Told whether the transaction that held the change reached the disk.
type Acknowledge = Box<dyn FnOnce(Result<(), Arc<StoreError>>) + Send>;

trait Change: Send {
    /// `Ok` when the change is to be kept, `Err` when it is to be rolled back.
    fn write<'c>(
        self: Box<Self>,
        connection: &'c mut SqliteConnection,
    ) -> BoxFuture<'c, Result<Acknowledge, Acknowledge>>
    where
        Self: 'c;
    /// Answers without having tried.
    fn refuse(self: Box<Self>, why: Arc<StoreError>);
}

struct Pending<T, F> {
    change: F,
    // The caller may have gone away by the time it is answered; the change stands all the same.
    answer: oneshot::Sender<Result<T>>,
}

impl<T, F> Change for Pending<T, F>
where
    T: Send + 'static,
    F: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T>> + Send + 'static,
{
    fn write<'c>(
        self: Box<Self>,
        connection: &'c mut SqliteConnection,
    ) -> BoxFuture<'c, Result<Acknowledge, Acknowledge>>
    where
        Self: 'c,
    {
        Box::pin(async move {
            let Self { change, answer } = *self;
            match change(connection).await {
                Ok(value) => Ok(Box::new(move |committed: Result<(), Arc<StoreError>>| {
                    let _ = answer.send(committed.map(|()| value).map_err(StoreError::Batch));
                }) as Acknowledge),
                Err(error) => Err(Box::new(move |_: Result<(), Arc<StoreError>>| {
                    let _ = answer.send(Err(error));
                }) as Acknowledge),
            }
        })
    }

    fn refuse(self: Box<Self>, why: Arc<StoreError>) {
        let _ = self.answer.send(Err(StoreError::Batch(why)));
    }
}

#[derive(Clone)]
pub(crate) struct Writer {
    changes: mpsc::Sender<Box<dyn Change>>,
    counts: Arc<Counts>,
}

#[derive(Default)]
struct Counts {
    changes: AtomicU64,
    commits: AtomicU64,
}

impl Writer {
    pub(crate) fn start(connection: SqliteConnection) -> Self {
        let (changes, queue) = mpsc::channel(QUEUE);
        let counts = Arc::new(Counts::default());
        tokio::spawn(write_until_closed(connection, queue, counts.clone()));
        Self { changes, counts }
    }

    /// Changes written and commits they took, since the start.
    pub(crate) fn counts(&self) -> (u64, u64) {
        (
            self.counts.changes.load(Ordering::Relaxed),
            self.counts.commits.load(Ordering::Relaxed),
        )
    }

    pub(crate) async fn run<T, F>(&self, change: F) -> Result<T>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T>> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        self.changes
            .send(Box::new(Pending { change, answer }))
            .await
            .map_err(|_| StoreError::Stopped)?;
        answered.await.map_err(|_| StoreError::Stopped)?
    }
}

async fn write_until_closed(
    mut connection: SqliteConnection,
    mut queue: mpsc::Receiver<Box<dyn Change>>,
    counts: Arc<Counts>,
) {
    let mut batch = Vec::with_capacity(MAX_BATCH);
    while queue.recv_many(&mut batch, MAX_BATCH).await > 0 {
        let size = batch.len();
        let mut rest = batch.drain(..);
        let mut waiting = Vec::with_capacity(size);
        let outcome = write_batch(&mut connection, &mut rest, size, &mut waiting)
            .await
            .map_err(Arc::new);
        match &outcome {
            Ok(()) => {
                counts.changes.fetch_add(size as u64, Ordering::Relaxed);
                counts.commits.fetch_add(1, Ordering::Relaxed);
            }
            Err(why) => {
                // Some errors have rolled back already, and then this one fails: either way nothing is open after it.
                let _ = execute(&mut connection, "ROLLBACK").await;
                for change in rest.by_ref() {
                    change.refuse(why.clone());
                }
            }
        }
        for acknowledge in waiting {
            acknowledge(outcome.clone());
        }
    }
    if let Err(error) = connection.close().await {
        tracing::warn!(%error, "the database writer did not close cleanly");
    }
}

async fn write_batch(
    connection: &mut SqliteConnection,
    batch: &mut (dyn Iterator<Item = Box<dyn Change>> + Send),
    size: usize,
    waiting: &mut Vec<Acknowledge>,
) -> Result<()> {
    execute(connection, "BEGIN IMMEDIATE").await?;
    let alone = size == 1;
    let mut kept = 0_usize;
    for change in batch {
        if !alone {
            execute(connection, "SAVEPOINT change").await?;
        }
        let keep = match change.write(connection).await {
            Ok(acknowledge) => {
                waiting.push(acknowledge);
                kept += 1;
                true
            }
            Err(refusal) => {
                waiting.push(refusal);
                false
            }
        };
        if !alone {
            if !keep {
                execute(connection, "ROLLBACK TO change").await?;
            }
            execute(connection, "RELEASE change").await?;
        }
    }
    execute(connection, if kept == 0 { "ROLLBACK" } else { "COMMIT" }).await
}

async fn execute(connection: &mut SqliteConnection, statement: &'static str) -> Result<()> {
    sqlx::query(statement).execute(connection).await?;
    Ok(())
}
