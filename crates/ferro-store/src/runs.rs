//! Runs: what was asked of a flow, the log of what happened, and who is running it.

mod append;
mod claims;
mod document;
mod retention;
mod status;

use sqlx::FromRow;

use crate::{
    FlowId, Packed, Page, Principal, RunId, Store, Timestamp, UserId, Window, WorkerId,
    db::{dual, read},
    error::{Result, StoreError},
    text::clean,
};

pub use append::{Append, NewRun, RunUpdate};
pub use claims::Lease;
pub use document::{DocumentHash, RunDocument};
pub use status::RunStatus;

pub(crate) use append::{Prepared, bulk, clean_in_place, sqlite as appends};
pub(crate) use document::SeenDocuments;

#[derive(Clone, Debug, FromRow)]
pub struct Run {
    pub id: RunId,
    pub user_id: UserId,
    pub flow_id: FlowId,
    pub flow_name: String,
    pub kind: String,
    pub session_id: String,
    pub document_hash: DocumentHash,
    /// JSON.
    pub request: String,
    pub status: RunStatus,
    /// The number of the last event in the log; 0 before the first.
    pub last_seq: i64,
    pub worker: Option<WorkerId>,
    /// How often the run changed hands. What an earlier holder still wants to write is refused.
    pub epoch: i64,
    pub lease_until: Option<Timestamp>,
    /// The run it was forked from, and after which event.
    pub parent_id: Option<RunId>,
    pub parent_seq: Option<i64>,
    pub idempotency_key: Option<String>,
    pub error: Option<String>,
    /// JSON.
    pub output: Option<String>,
    pub input_tokens: Option<i64>,
    pub output_tokens: Option<i64>,
    /// In billionths of a dollar; `None` when no model was asked.
    pub cost_nanousd: Option<i64>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub finished_at: Option<Timestamp>,
}

/// A piece of a run's log: the events `first_seq..=last_seq` as the text of a JSON array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventChunk {
    pub first_seq: i64,
    pub last_seq: i64,
    pub text: String,
}

#[derive(FromRow)]
pub(crate) struct ChunkRow {
    first_seq: i64,
    last_seq: i64,
    body: Packed,
}

impl TryFrom<ChunkRow> for EventChunk {
    type Error = StoreError;

    fn try_from(row: ChunkRow) -> Result<Self> {
        Ok(Self {
            first_seq: row.first_seq,
            last_seq: row.last_seq,
            text: row.body.text()?,
        })
    }
}

/// What is left out is not asked for.
#[derive(Clone, Debug, Default)]
pub struct RunFilter {
    pub flow_id: Option<FlowId>,
    pub session_id: Option<String>,
    /// Any of these; every status when there is none.
    pub status: Vec<RunStatus>,
    pub kind: Option<String>,
    pub parent_id: Option<RunId>,
    /// Made before this instant.
    pub before: Option<Timestamp>,
}

/// A `RunFilter` as it is bound, and whose runs it may find.
#[derive(Clone)]
pub(crate) struct Wanted {
    owner: Option<UserId>,
    filter: RunFilter,
    session_id: Option<String>,
    /// `,queued,running,`: a list that a constant statement can look into.
    status: Option<String>,
}

impl Wanted {
    fn new(by: &Principal, filter: RunFilter) -> Result<Self> {
        let status = (!filter.status.is_empty()).then(|| {
            let names: Vec<_> = filter.status.iter().map(|status| status.as_str()).collect();
            format!(",{},", names.join(","))
        });
        Ok(Self {
            owner: owner_or_system(by)?,
            session_id: filter.session_id.as_deref().map(|text| clean(text).into_owned()),
            status,
            filter,
        })
    }

    /// The list and its count, in the form that lets an index answer.
    fn statements(&self) -> [&'static str; 2] {
        let unfinished = self.status.is_some() && !self.filter.status.iter().any(|status| status.is_final());
        match (self.owner, &self.session_id, self.filter.flow_id) {
            (Some(_), Some(_), _) => {
                listed!("r.user_id = $1 AND r.session_id = $3 AND ($2 IS NULL OR r.flow_id = $2)")
            }
            (Some(_), None, Some(_)) => listed!("r.user_id = $1 AND r.flow_id = $2 AND $3 IS NULL"),
            _ if unfinished => listed!(
                "r.finished_at IS NULL AND ($1 IS NULL OR r.user_id = $1) AND ($2 IS NULL OR r.flow_id = $2)
                 AND ($3 IS NULL OR r.session_id = $3)"
            ),
            (Some(_), None, None) => listed!("r.user_id = $1 AND $2 IS NULL AND $3 IS NULL"),
            (None, ..) => listed!(
                "($1 IS NULL OR r.user_id = $1) AND ($2 IS NULL OR r.flow_id = $2) AND ($3 IS NULL OR r.session_id = $3)"
            ),
        }
    }
}

/// The account whose runs are meant, or `None` for the system, which sees everyone's.
fn owner_or_system(by: &Principal) -> Result<Option<UserId>> {
    match by {
        Principal::System => Ok(None),
        Principal::User { .. } | Principal::Nobody => by.owner().map(Some),
    }
}

macro_rules! columns {
    () => {
        "id, user_id, flow_id, flow_name, kind, session_id, document_hash, request, status, last_seq, worker, epoch, \
         lease_until, parent_id, parent_seq, idempotency_key, error, output, input_tokens, output_tokens, cost_nanousd, \
         created_at, updated_at, finished_at"
    };
}
pub(crate) use columns;

/// What every list asks beside its head. A status is looked for in the bound list, not the list in a status.
macro_rules! where_listed {
    ($head:literal) => {
        concat!(
            " FROM runs r WHERE ",
            $head,
            " AND ($4 IS NULL OR $4 LIKE '%,' || r.status || ',%') AND ($5 IS NULL OR r.kind = $5)
              AND ($6 IS NULL OR r.parent_id = $6) AND ($7 IS NULL OR r.created_at < $7)"
        )
    };
}

macro_rules! listed {
    ($head:literal) => {
        [
            concat!(
                "SELECT ",
                columns!(),
                where_listed!($head),
                " ORDER BY r.created_at DESC, r.id DESC LIMIT $8 OFFSET $9"
            ),
            concat!("SELECT count(*)", where_listed!($head)),
        ]
    };
}
use {listed, where_listed};

impl Store {
    pub async fn run(&self, by: &Principal, id: RunId) -> Result<Run> {
        let owner = owner_or_system(by)?;
        read!(self, by_id(owner, id))
    }

    /// Newest first.
    pub async fn runs(&self, by: &Principal, filter: RunFilter, window: Window) -> Result<Page<Run>> {
        let wanted = Wanted::new(by, filter)?;
        read!(self, list(&wanted, window))
    }

    /// What a flow was asked with this key before, if it was.
    pub async fn run_by_key(&self, by: &Principal, flow_id: FlowId, key: &str) -> Result<Option<Run>> {
        let owner = by.owner()?;
        read!(self, by_key(owner, flow_id, &clean(key)))
    }

    /// The log after an event, oldest first. The first piece may begin before it.
    pub async fn run_events(
        &self,
        by: &Principal,
        id: RunId,
        after_seq: i64,
        max_chunks: i64,
    ) -> Result<Vec<EventChunk>> {
        let owner = owner_or_system(by)?;
        let rows = read!(self, events(owner, id, after_seq, max_chunks))?;
        rows.into_iter().map(TryInto::try_into).collect()
    }

    /// The document's text, for whoever has a run that uses it.
    pub async fn run_document(&self, by: &Principal, hash: DocumentHash) -> Result<String> {
        let owner = owner_or_system(by)?;
        read!(self, document(owner, hash))?.text()
    }
}

dual! {
    async fn by_id(c, owner: Option<UserId>, id: RunId) -> Result<Run> {
        sqlx::query_as::<Db, Run>(concat!(
            "SELECT ", columns!(), " FROM runs WHERE id = $1 AND ($2 IS NULL OR user_id = $2)"
        ))
        .bind(id)
        .bind(owner)
        .fetch_optional(c)
        .await?
        .ok_or(StoreError::NotFound("run"))
    }

    async fn by_key(c, owner: UserId, flow_id: FlowId, key: &str) -> Result<Option<Run>> {
        Ok(sqlx::query_as::<Db, Run>(concat!(
            "SELECT ", columns!(), " FROM runs WHERE user_id = $1 AND flow_id = $2 AND idempotency_key = $3"
        ))
        .bind(owner)
        .bind(flow_id)
        .bind(key)
        .fetch_optional(c)
        .await?)
    }

    async fn list(c, wanted: &Wanted, window: Window) -> Result<Page<Run>> {
        let [rows, count] = wanted.statements();
        let items = sqlx::query_as::<Db, Run>(rows)
            .bind(wanted.owner)
            .bind(wanted.filter.flow_id)
            .bind(wanted.session_id.as_deref())
            .bind(wanted.status.as_deref())
            .bind(wanted.filter.kind.as_deref())
            .bind(wanted.filter.parent_id)
            .bind(wanted.filter.before)
            .bind(window.limit)
            .bind(window.offset)
            .fetch_all(&mut *c)
            .await?;
        if window.offset == 0 && (items.len() as i64) < window.limit {
            let total = items.len() as i64;
            return Ok(Page { items, total });
        }
        let total = sqlx::query_scalar::<Db, i64>(count)
            .bind(wanted.owner)
            .bind(wanted.filter.flow_id)
            .bind(wanted.session_id.as_deref())
            .bind(wanted.status.as_deref())
            .bind(wanted.filter.kind.as_deref())
            .bind(wanted.filter.parent_id)
            .bind(wanted.filter.before)
            .fetch_one(c)
            .await?;
        Ok(Page { items, total })
    }

    async fn events(c, owner: Option<UserId>, id: RunId, after: i64, max: i64) -> Result<Vec<ChunkRow>> {
        // Begins at the piece that holds the next event, so that a reader far along does not read the log again.
        let chunks = sqlx::query_as::<Db, ChunkRow>(
            "SELECT e.first_seq, e.last_seq, e.body FROM run_events e WHERE e.run_id = $1 AND e.last_seq > $2
             AND e.first_seq >= COALESCE((SELECT max(b.first_seq) FROM run_events b WHERE b.run_id = $1 AND b.first_seq <= $2 + 1), 0)
             AND EXISTS (SELECT 1 FROM runs r WHERE r.id = $1 AND ($3 IS NULL OR r.user_id = $3))
             ORDER BY e.first_seq LIMIT $4",
        )
        .bind(id)
        .bind(after)
        .bind(owner)
        .bind(max)
        .fetch_all(&mut *c)
        .await?;
        if chunks.is_empty() {
            by_id(c, owner, id).await?;
        }
        Ok(chunks)
    }

    async fn document(c, owner: Option<UserId>, hash: DocumentHash) -> Result<Packed> {
        sqlx::query_scalar::<Db, Packed>(
            "SELECT d.body FROM run_documents d WHERE d.hash = $1 AND EXISTS
             (SELECT 1 FROM runs r WHERE r.document_hash = $1 AND ($2 IS NULL OR r.user_id = $2))",
        )
        .bind(hash)
        .bind(owner)
        .fetch_optional(c)
        .await?
        .ok_or(StoreError::NotFound("document"))
    }
}
