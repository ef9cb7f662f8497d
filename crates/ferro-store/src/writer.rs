//! The one writer of a SQLite database.
//!
//! Changes that wait at the same time are written in one transaction and so share one fsync; each keeps its own
//! savepoint, so one that fails takes nothing with it. A change is answered only after the commit is on disk.
//! Writes to runs, of which there are most, share their statements too (`runs/append/bulk.rs`).

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use futures_util::future::BoxFuture;
use sqlx::{Connection as _, SqliteConnection};
use tokio::sync::{mpsc, oneshot};

use crate::{
    error::{Result, StoreError},
    runs::{self, Prepared},
};

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

/// A write to a run. It can be tried more than once, so it may be tried together with others.
struct PendingAppend {
    prepared: Arc<Prepared>,
    answer: oneshot::Sender<Result<()>>,
}

impl PendingAppend {
    fn written(self) -> Acknowledge {
        Box::new(move |committed| {
            let _ = self.answer.send(committed.map_err(StoreError::Batch));
        })
    }
}

impl Change for PendingAppend {
    fn write<'c>(
        self: Box<Self>,
        connection: &'c mut SqliteConnection,
    ) -> BoxFuture<'c, Result<Acknowledge, Acknowledge>>
    where
        Self: 'c,
    {
        Box::pin(async move {
            match runs::appends::append(connection, &self.prepared, None).await {
                Ok(()) => Ok(self.written()),
                Err(error) => Err(Box::new(move |_: Result<(), Arc<StoreError>>| {
                    let _ = self.answer.send(Err(error));
                }) as Acknowledge),
            }
        })
    }

    fn refuse(self: Box<Self>, why: Arc<StoreError>) {
        let _ = self.answer.send(Err(StoreError::Batch(why)));
    }
}

enum Job {
    Change(Box<dyn Change>),
    Append(PendingAppend),
}

#[derive(Clone)]
pub(crate) struct Writer {
    jobs: mpsc::Sender<Job>,
    counts: Arc<Counts>,
}

#[derive(Default)]
struct Counts {
    changes: AtomicU64,
    commits: AtomicU64,
}

impl Writer {
    pub(crate) fn start(connection: SqliteConnection) -> Self {
        let (jobs, queue) = mpsc::channel(QUEUE);
        let counts = Arc::new(Counts::default());
        tokio::spawn(write_until_closed(connection, queue, counts.clone()));
        Self { jobs, counts }
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
        self.enqueue(Job::Change(Box::new(Pending { change, answer })))
            .await?;
        answered.await.map_err(|_| StoreError::Stopped)?
    }

    /// Writes to a run together with the others that wait to do the same.
    pub(crate) async fn append(&self, prepared: Arc<Prepared>) -> Result<()> {
        let (answer, answered) = oneshot::channel();
        self.enqueue(Job::Append(PendingAppend { prepared, answer }))
            .await?;
        answered.await.map_err(|_| StoreError::Stopped)?
    }

    async fn enqueue(&self, job: Job) -> Result<()> {
        self.jobs.send(job).await.map_err(|_| StoreError::Stopped)
    }
}

/// What is written in one transaction. What has been written is no longer in it.
#[derive(Default)]
struct Batch {
    appends: Vec<PendingAppend>,
    changes: VecDeque<Box<dyn Change>>,
}

impl Batch {
    fn take(jobs: &mut Vec<Job>) -> Self {
        let mut batch = Self::default();
        for job in jobs.drain(..) {
            match job {
                Job::Change(change) => batch.changes.push_back(change),
                Job::Append(append) => batch.appends.push(append),
            }
        }
        batch
    }

    fn refuse(self, why: &Arc<StoreError>) {
        for append in self.appends {
            Box::new(append).refuse(why.clone());
        }
        for change in self.changes {
            change.refuse(why.clone());
        }
    }
}

async fn write_until_closed(
    mut connection: SqliteConnection,
    mut queue: mpsc::Receiver<Job>,
    counts: Arc<Counts>,
) {
    let mut jobs = Vec::with_capacity(MAX_BATCH);
    while queue.recv_many(&mut jobs, MAX_BATCH).await > 0 {
        let size = jobs.len();
        let mut batch = Batch::take(&mut jobs);
        let mut waiting = Vec::with_capacity(size);
        let outcome = write_batch(&mut connection, &mut batch, &mut waiting)
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
                batch.refuse(why);
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
    batch: &mut Batch,
    waiting: &mut Vec<Acknowledge>,
) -> Result<()> {
    execute(connection, "BEGIN IMMEDIATE").await?;
    let mut kept = write_appends(connection, batch, waiting).await?;
    let alone = kept == 0 && batch.changes.len() == 1;
    while let Some(change) = batch.changes.pop_front() {
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

/// All of them at once if that works, and tells how many. If it does not, they become changes like any other.
async fn write_appends(
    connection: &mut SqliteConnection,
    batch: &mut Batch,
    waiting: &mut Vec<Acknowledge>,
) -> Result<usize> {
    if batch.appends.is_empty() {
        return Ok(0);
    }
    let together: Vec<_> = batch
        .appends
        .iter()
        .map(|append| append.prepared.clone())
        .collect();
    if runs::bulk::write(connection, &together).await.is_ok() {
        waiting.extend(batch.appends.drain(..).map(PendingAppend::written));
        return Ok(together.len());
    }
    for append in batch.appends.drain(..) {
        batch.changes.push_back(Box::new(append));
    }
    // Fails when the error has rolled back already.
    let _ = execute(connection, "ROLLBACK").await;
    execute(connection, "BEGIN IMMEDIATE").await?;
    Ok(0)
}

async fn execute(connection: &mut SqliteConnection, statement: &'static str) -> Result<()> {
    sqlx::query(statement).execute(connection).await?;
    Ok(())
}
