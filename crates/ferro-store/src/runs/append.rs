//! Writing to a run: making it, adding to its log, changing its state and its messages, all in one transaction.

pub(crate) mod bulk;
mod in_one;

use std::sync::Arc;

use sqlx::error::ErrorKind;

use crate::{
    EventChunk, FlowId, Lease, MessageId, MessageRecord, Packed, Principal, RunDocument, RunId, RunStatus,
    Store, Timestamp, UserId, WorkerId,
    db::{Backend, dual, record},
    error::{Result, StoreError},
    text::clean,
};

#[derive(Clone, Debug)]
pub struct NewRun {
    pub flow_id: FlowId,
    pub flow_name: String,
    pub kind: String,
    pub session_id: String,
    /// Kept unless it is there already.
    pub document: RunDocument,
    /// JSON.
    pub request: String,
    /// For the worker that runs it at once; without one it can be claimed.
    pub lease: Option<Lease>,
    /// The run it is forked from, and after which event.
    pub parent: Option<(RunId, i64)>,
    pub idempotency_key: Option<String>,
}

/// What to change; `None` leaves a thing as it is.
#[derive(Clone, Debug, Default)]
pub struct RunUpdate {
    /// A final one ends the run for good; waiting and queued let go of it.
    pub status: Option<RunStatus>,
    pub error: Option<String>,
    /// JSON.
    pub output: Option<String>,
    pub input_tokens: Option<i64>,
    pub output_tokens: Option<i64>,
    /// In billionths of a dollar.
    pub cost_nanousd: Option<i64>,
}

/// One write to a run. All of it is kept, or nothing.
#[derive(Clone, Debug)]
pub struct Append {
    pub run_id: RunId,
    /// Whose run it is.
    pub owner: UserId,
    /// As it was when the run was made or claimed; another one is refused.
    pub epoch: i64,
    pub create: Option<NewRun>,
    /// Must continue where the log ends.
    pub chunk: Option<EventChunk>,
    pub update: RunUpdate,
    /// Whose its messages are; the owner's when not said. A visitor of a shared flow keeps what they said to it.
    pub speaker: Option<UserId>,
    /// What the run calls its session. What it says there goes where that session is by now: it may have been renamed.
    pub session_id: Option<String>,
    /// New ones, and changed ones by their id.
    pub messages: Vec<MessageRecord>,
    /// How many milliseconds answers took that were written before.
    pub durations: Vec<(MessageId, i64)>,
    pub removed: Vec<MessageId>,
}

impl Append {
    /// The epoch of a run that was made with a lease.
    pub const FIRST_EPOCH: i64 = 1;

    /// Changes nothing yet.
    pub fn new(run_id: RunId, owner: UserId, epoch: i64) -> Self {
        Self {
            run_id,
            owner,
            epoch,
            create: None,
            chunk: None,
            update: RunUpdate::default(),
            speaker: None,
            session_id: None,
            messages: Vec::new(),
            durations: Vec::new(),
            removed: Vec::new(),
        }
    }

    /// What needs no look at the database.
    fn check(&self) -> Result<()> {
        let Some(chunk) = &self.chunk else { return Ok(()) };
        if self.create.is_some() && chunk.first_seq != 1 {
            return Err(StoreError::Gap { current: 0 });
        }
        if chunk.first_seq < 1 || chunk.last_seq < chunk.first_seq {
            return Err(StoreError::Refused(
                "events of a run are numbered from 1, in order",
            ));
        }
        Ok(())
    }

    fn clean(&mut self) {
        let Self {
            create,
            update,
            session_id,
            messages,
            ..
        } = self;
        if let Some(new) = create {
            for text in [
                &mut new.flow_name,
                &mut new.kind,
                &mut new.session_id,
                &mut new.request,
            ] {
                clean_in_place(text);
            }
            new.idempotency_key.as_mut().map(clean_in_place);
        }
        session_id.as_mut().map(clean_in_place);
        update.error.as_mut().map(clean_in_place);
        update.output.as_mut().map(clean_in_place);
        for message in messages {
            message.clean();
        }
    }
}

pub(crate) fn clean_in_place(text: &mut String) {
    if let std::borrow::Cow::Owned(cleaned) = clean(text) {
        *text = cleaned;
    }
}

/// An `Append` with everything worked out that the writer need not spend its time on.
pub(crate) struct Prepared {
    append: Append,
    body: Option<Packed>,
    now: Timestamp,
}

impl Prepared {
    fn new(mut append: Append) -> Self {
        append.clean();
        Self {
            body: append
                .chunk
                .as_ref()
                .map(|chunk| Packed::from(chunk.text.as_str())),
            append,
            now: Timestamp::now(),
        }
    }

    fn last_seq(&self) -> Option<i64> {
        self.append.chunk.as_ref().map(|chunk| chunk.last_seq)
    }

    fn first_seq(&self) -> Option<i64> {
        self.append.chunk.as_ref().map(|chunk| chunk.first_seq)
    }

    fn finished_at(&self) -> Option<Timestamp> {
        self.append
            .update
            .status
            .filter(|status| status.is_final())
            .map(|_| self.now)
    }

    /// Only a run that is running is somebody's.
    fn drops_lease(&self) -> bool {
        self.append
            .update
            .status
            .is_some_and(|status| status != RunStatus::Running)
    }

    fn first_status(&self, new: &NewRun) -> RunStatus {
        self.append.update.status.unwrap_or(match new.lease {
            Some(_) => RunStatus::Running,
            None => RunStatus::Queued,
        })
    }

    fn first_epoch(new: &NewRun) -> i64 {
        if new.lease.is_some() {
            Append::FIRST_EPOCH
        } else {
            0
        }
    }

    fn first_lease(&self, new: &NewRun) -> (Option<WorkerId>, Option<Timestamp>) {
        match new.lease {
            Some(lease) if !self.drops_lease() => (Some(lease.worker), Some(self.now.plus(lease.lasts))),
            _ => (None, None),
        }
    }
}

/// The run was written without its document, which is not there (any more).
const MISSING_DOCUMENT: &str = "document of the run";
/// A document can be taken by retention between being found and being used, but hardly thrice.
const TRIES: usize = 3;

impl Store {
    /// Writes to a run that is `append.owner`'s: their own, or anybody's for the system.
    pub async fn append_run(&self, by: &Principal, append: Append) -> Result<()> {
        match by {
            Principal::System => {}
            Principal::User { .. } | Principal::Nobody if by.owner()? == append.owner => {}
            _ => return Err(StoreError::NotFound("run")),
        }
        append.check()?;
        let document = append.create.as_ref().map(|new| new.document.clone());
        let prepared = Arc::new(Prepared::new(append));
        let Some(document) = document else {
            return self.write_append(prepared, None).await;
        };
        for _ in 0..TRIES {
            let known = self.documents.has(document.hash);
            let packed = (!known).then(|| Packed::from(&*document.text));
            match self.write_append(prepared.clone(), packed).await {
                Err(StoreError::NotFound(MISSING_DOCUMENT)) => self.documents.forget(document.hash),
                Err(error) => return Err(error),
                Ok(()) => {
                    if !known {
                        self.documents.remember(document.hash);
                    }
                    return Ok(());
                }
            }
        }
        Err(StoreError::NotFound("user"))
    }

    async fn write_append(&self, prepared: Arc<Prepared>, document: Option<Packed>) -> Result<()> {
        match &self.backend {
            Backend::Sqlite { writer, .. } if document.is_none() && bulk::takes(&prepared) => {
                return writer.append(prepared).await;
            }
            Backend::Postgres(pool) if document.is_none() && in_one::takes(&prepared) => {
                let mut connection = pool.acquire().await?;
                match Box::pin(in_one::write(&mut connection, &prepared)).await {
                    // Broken rules are found out the long way, which also knows what to do with messages that are there.
                    Err(sqlx::Error::Database(_)) => {}
                    done => return done.map_err(Into::into),
                }
            }
            _ => {}
        }
        // In a box of its own: the future of a write that goes the short way need not have room for this one.
        Box::pin(self.write_the_long_way(prepared, document)).await
    }

    async fn write_the_long_way(&self, prepared: Arc<Prepared>, document: Option<Packed>) -> Result<()> {
        record!(self, append(&prepared, document))
    }
}

dual! {
    async fn append(c, prepared: &Prepared, document: Option<Packed>) -> Result<()> {
        let append = &prepared.append;
        let written = match &append.create {
            Some(new) => insert_run(&mut *c, prepared, new, document).await,
            None => update_run(&mut *c, prepared).await,
        };
        match written {
            Ok(1) => {}
            Ok(_) => return Err(why_refused(c, append).await),
            Err(error) => return Err(explain(append, error)),
        }
        if let (Some(chunk), Some(body)) = (&append.chunk, &prepared.body) {
            sqlx::query::<Db>("INSERT INTO run_events (run_id, first_seq, last_seq, body) VALUES ($1, $2, $3, $4)")
                .bind(append.run_id)
                .bind(chunk.first_seq)
                .bind(chunk.last_seq)
                .bind(body)
                .execute(&mut *c)
                .await?;
        }
        let whose = append.speaker.unwrap_or(append.owner);
        for message in &append.messages {
            messages::upsert(&mut *c, whose, message, append.run_id, append.session_id.as_deref()).await?;
        }
        for (id, duration_ms) in &append.durations {
            messages::set_duration(&mut *c, whose, *id, *duration_ms).await?;
        }
        if !append.removed.is_empty() {
            messages::delete(c, whose, &append.removed).await?;
        }
        Ok(())
    }

    async fn insert_run(c, prepared: &Prepared, new: &NewRun, document: Option<Packed>) -> Result<u64, sqlx::Error> {
        if let Some(body) = document {
            sqlx::query::<Db>("INSERT INTO run_documents (hash, body) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING")
                .bind(new.document.hash)
                .bind(body)
                .execute(&mut *c)
                .await?;
        }
        let Prepared { append, now, .. } = prepared;
        let (worker, lease_until) = prepared.first_lease(new);
        let (parent_id, parent_seq) = new.parent.unzip();
        let done = sqlx::query::<Db>(
            "INSERT INTO runs (id, user_id, flow_id, flow_name, kind, session_id, document_hash, request, status, last_seq, worker,
             epoch, lease_until, parent_id, parent_seq, idempotency_key, error, output, input_tokens, output_tokens, created_at,
             updated_at, finished_at, cost_nanousd)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $21, $22, $23)",
        )
        .bind(append.run_id)
        .bind(append.owner)
        .bind(new.flow_id)
        .bind(&new.flow_name)
        .bind(&new.kind)
        .bind(&new.session_id)
        .bind(new.document.hash)
        .bind(&new.request)
        .bind(prepared.first_status(new))
        .bind(prepared.last_seq().unwrap_or_default())
        .bind(worker)
        .bind(Prepared::first_epoch(new))
        .bind(lease_until)
        .bind(parent_id)
        .bind(parent_seq)
        .bind(new.idempotency_key.as_deref())
        .bind(append.update.error.as_deref())
        .bind(append.update.output.as_deref())
        .bind(append.update.input_tokens)
        .bind(append.update.output_tokens)
        .bind(now)
        .bind(prepared.finished_at())
        .bind(append.update.cost_nanousd)
        .execute(c)
        .await?;
        Ok(done.rows_affected())
    }

    async fn update_run(c, prepared: &Prepared) -> Result<u64, sqlx::Error> {
        let Prepared { append, now, .. } = prepared;
        let done = sqlx::query::<Db>(
            "UPDATE runs SET last_seq = COALESCE($4, last_seq), status = COALESCE($5, status), error = COALESCE($6, error),
             output = COALESCE($7, output), input_tokens = COALESCE($8, input_tokens),
             output_tokens = COALESCE($9, output_tokens), cost_nanousd = COALESCE($14, cost_nanousd), updated_at = $10, finished_at = $11,
             worker = CASE WHEN $12 THEN NULL ELSE worker END, lease_until = CASE WHEN $12 THEN NULL ELSE lease_until END
             WHERE id = $1 AND user_id = $2 AND epoch = $3 AND finished_at IS NULL AND ($13 IS NULL OR last_seq = $13 - 1)",
        )
        .bind(append.run_id)
        .bind(append.owner)
        .bind(append.epoch)
        .bind(prepared.last_seq())
        .bind(append.update.status)
        .bind(append.update.error.as_deref())
        .bind(append.update.output.as_deref())
        .bind(append.update.input_tokens)
        .bind(append.update.output_tokens)
        .bind(now)
        .bind(prepared.finished_at())
        .bind(prepared.drops_lease())
        .bind(prepared.first_seq())
        .bind(append.update.cost_nanousd)
        .execute(c)
        .await?;
        Ok(done.rows_affected())
    }

    /// The run was not as the caller thought: tells in what.
    async fn why_refused(c, append: &Append) -> StoreError {
        let found = sqlx::query_as::<Db, (i64, i64, Option<Timestamp>)>(
            "SELECT last_seq, epoch, finished_at FROM runs WHERE id = $1 AND user_id = $2",
        )
        .bind(append.run_id)
        .bind(append.owner)
        .fetch_optional(c)
        .await;
        match found {
            Ok(None) => StoreError::NotFound("run"),
            Ok(Some((_, epoch, finished))) if epoch != append.epoch || finished.is_some() => StoreError::Fenced,
            Ok(Some((current, ..))) => StoreError::Gap { current },
            Err(error) => error.into(),
        }
    }
}

/// Which of the rules a new run broke.
fn explain(append: &Append, error: sqlx::Error) -> StoreError {
    let sqlx::Error::Database(broken) = &error else {
        return error.into();
    };
    // PostgreSQL names the constraint, SQLite the columns.
    let names = |what: &str| {
        broken
            .constraint()
            .unwrap_or_else(|| broken.message())
            .contains(what)
    };
    match broken.kind() {
        ErrorKind::UniqueViolation if names("idempotency_key") || names("runs_key") => StoreError::Taken {
            noun: "run",
            field: "idempotency_key",
        },
        ErrorKind::UniqueViolation => StoreError::Taken {
            noun: "run",
            field: "id",
        },
        ErrorKind::ForeignKeyViolation if append.create.is_some() && !names("user") => {
            StoreError::NotFound(MISSING_DOCUMENT)
        }
        ErrorKind::ForeignKeyViolation => StoreError::NotFound("user"),
        _ => error.into(),
    }
}
