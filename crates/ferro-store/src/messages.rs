//! Messages: what people and flows said to each other. A session is what shares owner, flow and session id.

mod change;
mod sessions;

use sqlx::FromRow;

use crate::{
    FlowId, MessageId, Page, Principal, RunId, Store, Timestamp, UserId, Window,
    db::{dual, read, record},
    error::{Result, StoreError, taken},
    runs::clean_in_place,
    text::clean,
};

pub use change::MessageChange;
pub use sessions::SessionSummary;

#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct MessageRecord {
    pub id: MessageId,
    pub flow_id: FlowId,
    pub session_id: String,
    pub context_id: Option<String>,
    pub run_id: Option<RunId>,
    pub timestamp: Timestamp,
    pub sender: String,
    pub sender_name: String,
    pub text: String,
    /// JSON, as are `properties`, `content_blocks` and `session_metadata`; passed through unread.
    pub files: String,
    pub error: bool,
    /// A person changed the text.
    pub edit: bool,
    pub properties: String,
    pub category: String,
    pub content_blocks: String,
    pub session_metadata: Option<String>,
    pub is_output: bool,
    pub duration_ms: Option<i64>,
}

impl MessageRecord {
    pub(crate) fn clean(&mut self) {
        for text in [
            &mut self.session_id,
            &mut self.sender,
            &mut self.sender_name,
            &mut self.text,
            &mut self.files,
            &mut self.properties,
            &mut self.category,
            &mut self.content_blocks,
        ] {
            clean_in_place(text);
        }
        for text in [&mut self.context_id, &mut self.session_metadata] {
            text.as_mut().map(clean_in_place);
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MessageOrder {
    #[default]
    Timestamp,
    Sender,
    SenderName,
    SessionId,
    Text,
}

/// What is left out is not asked for.
#[derive(Clone, Debug, Default)]
pub struct MessageFilter {
    pub flow_id: Option<FlowId>,
    pub session_id: Option<String>,
    pub context_id: Option<String>,
    pub sender: Option<String>,
    pub sender_name: Option<String>,
    pub ids: Option<Vec<MessageId>>,
    pub order_by: MessageOrder,
    pub descending: bool,
}

/// Which of a session's messages; what is left out is not asked for.
#[derive(Clone, Debug, Default)]
pub struct NewestFilter {
    pub context_id: Option<String>,
    pub sender: Option<String>,
    pub sender_name: Option<String>,
}

/// `session_metadata` of what was said by and to a visitor of a shared flow; the index `messages_visits` knows it too.
macro_rules! visit {
    () => {
        r#"{"visitor":true}"#
    };
}

pub const VISIT: &str = visit!();

macro_rules! columns {
    () => {
        "id, flow_id, session_id, context_id, run_id, timestamp, sender, sender_name, text, files, error, edit, properties, \
         category, content_blocks, session_metadata, is_output, duration_ms"
    };
}
use columns;

macro_rules! insert {
    (select $rows:expr) => {
        concat!(
            "INSERT INTO messages (id, user_id, flow_id, session_id, context_id, run_id, timestamp, sender, sender_name, text,
             files, error, edit, properties, category, content_blocks, session_metadata, is_output, duration_ms) ",
            $rows
        )
    };
    ($($row:expr),+) => {
        $crate::messages::insert!(select concat!("VALUES ", $($row),+))
    };
}
pub(crate) use insert;

/// The session a message of a run goes to: the run's under the name it has by now, since a person may have renamed it while the
/// run went on; any other as it was said.
macro_rules! session_now {
    ($run:literal, $said:literal, $began:literal) => {
        concat!(
            "COALESCE((SELECT r.session_id FROM runs r WHERE r.id = ",
            $run,
            " AND ",
            $said,
            " = ",
            $began,
            "), ",
            $said,
            ")"
        )
    };
}
pub(crate) use session_now;

/// Writes messages of a run; one that is there already is changed, but stays where it is, and what a person has made of its
/// text stays too. One that is somebody else's gets the owner NULL, which the table refuses: an id must not be a way to write
/// into another person's session.
macro_rules! upsert {
    ($($row:expr),+) => {
        concat!(
            $crate::messages::insert!($($row),+),
            " ON CONFLICT (id) DO UPDATE SET
             user_id = CASE WHEN messages.user_id = excluded.user_id AND messages.flow_id = excluded.flow_id THEN excluded.user_id END,
             context_id = excluded.context_id, run_id = excluded.run_id, timestamp = excluded.timestamp,
             sender = excluded.sender, sender_name = excluded.sender_name,
             text = CASE WHEN messages.edit THEN messages.text ELSE excluded.text END,
             files = CASE WHEN messages.edit THEN messages.files ELSE excluded.files END, error = excluded.error,
             properties = CASE WHEN messages.edit THEN messages.properties ELSE excluded.properties END,
             category = excluded.category,
             content_blocks = CASE WHEN messages.edit THEN messages.content_blocks ELSE excluded.content_blocks END,
             session_metadata = excluded.session_metadata, is_output = excluded.is_output,
             duration_ms = COALESCE(excluded.duration_ms, messages.duration_ms)"
        )
    };
}
pub(crate) use upsert;

/// A message's values in the order of `insert!`, after its id and owner.
macro_rules! bind_message {
    ($query:expr, $message:expr) => {{
        let message: $crate::MessageRecord = $message;
        $query
            .bind(message.flow_id)
            .bind(message.session_id)
            .bind(message.context_id)
            .bind(message.run_id)
            .bind(message.timestamp)
            .bind(message.sender)
            .bind(message.sender_name)
            .bind(message.text)
            .bind(message.files)
            .bind(message.error)
            .bind(message.edit)
            .bind(message.properties)
            .bind(message.category)
            .bind(message.content_blocks)
            .bind(message.session_metadata)
            .bind(message.is_output)
            .bind(message.duration_ms)
    }};
}
pub(crate) use bind_message;

macro_rules! one_row {
    () => {
        "($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)"
    };
}

/// Sessions with the assistant are no conversations with a flow: they are shown only to whoever names them.
macro_rules! not_the_assistants {
    () => {
        "substr(session_id, 1, 8) <> 'agentic_'"
    };
}
pub(crate) use not_the_assistants;

/// The form that lets an index answer, by what is asked for.
macro_rules! where_listed {
    ($one_of:ident, $filter:expr, $before:expr, $after:expr) => {
        match $filter {
            MessageFilter { ids: Some(_), .. } => listed!(
                $before,
                concat!(
                    $one_of!("id", "$7"),
                    " AND ($2 IS NULL OR flow_id = $2) AND ($3 IS NULL OR session_id = $3)"
                ),
                $after
            ),
            MessageFilter {
                flow_id: Some(_),
                session_id: Some(_),
                ..
            } => listed!($before, "flow_id = $2 AND session_id = $3 AND $7 IS NULL", $after),
            MessageFilter { flow_id: Some(_), .. } => {
                listed!(
                    $before,
                    concat!(
                        "flow_id = $2 AND $3 IS NULL AND $7 IS NULL AND ",
                        not_the_assistants!()
                    ),
                    $after
                )
            }
            MessageFilter {
                session_id: Some(_), ..
            } => listed!($before, "$2 IS NULL AND session_id = $3 AND $7 IS NULL", $after),
            _ => listed!(
                $before,
                concat!(
                    "$2 IS NULL AND $3 IS NULL AND $7 IS NULL AND ",
                    not_the_assistants!()
                ),
                $after
            ),
        }
    };
}

macro_rules! listed {
    ($before:expr, $head:expr, $after:expr) => {
        concat!(
            "SELECT ",
            $before,
            " FROM messages WHERE user_id = $1 AND ",
            $head,
            " AND ($4 IS NULL OR context_id = $4) AND ($5 IS NULL OR sender = $5) AND ($6 IS NULL OR sender_name = $6)",
            $after
        )
    };
}

macro_rules! list_statement {
    ($one_of:ident, $filter:expr, $($order:ident: $up:literal, $down:literal;)+) => {
        match ($filter.order_by, $filter.descending) {
            $(
                (MessageOrder::$order, false) => {
                    where_listed!($one_of, $filter, columns!(), concat!(" ORDER BY ", $up, " LIMIT $8 OFFSET $9"))
                }
                (MessageOrder::$order, true) => {
                    where_listed!($one_of, $filter, columns!(), concat!(" ORDER BY ", $down, " LIMIT $8 OFFSET $9"))
                }
            )+
        }
    };
    ($one_of:ident, $filter:expr) => {
        list_statement!(
            $one_of, $filter,
            Timestamp: "timestamp, id", "timestamp DESC, id DESC";
            Sender: "sender, timestamp, id", "sender DESC, timestamp DESC, id DESC";
            SenderName: "sender_name, timestamp, id", "sender_name DESC, timestamp DESC, id DESC";
            SessionId: "session_id, timestamp, id", "session_id DESC, timestamp DESC, id DESC";
            Text: "text, timestamp, id", "text DESC, timestamp DESC, id DESC";
        )
    };
}

impl Store {
    pub async fn messages(
        &self,
        by: &Principal,
        mut filter: MessageFilter,
        window: Window,
    ) -> Result<Page<MessageRecord>> {
        let owner = by.owner()?;
        for text in [
            &mut filter.session_id,
            &mut filter.context_id,
            &mut filter.sender,
            &mut filter.sender_name,
        ] {
            text.as_mut().map(clean_in_place);
        }
        read!(self, list(owner, &filter, window))
    }

    /// The last so many of a session, oldest first. Those that tell of a failure are no part of the conversation.
    pub async fn newest_messages(
        &self,
        by: &Principal,
        flow_id: FlowId,
        session_id: &str,
        filter: NewestFilter,
        limit: i64,
    ) -> Result<Vec<MessageRecord>> {
        let owner = by.owner()?;
        let session_id = clean(session_id);
        let mut found = read!(self, newest(owner, flow_id, &session_id, &filter, limit))?;
        found.reverse();
        Ok(found)
    }

    pub async fn create_message(&self, by: &Principal, mut new: MessageRecord) -> Result<MessageRecord> {
        let owner = by.owner()?;
        new.clean();
        record!(self, insert(owner, new))
    }

    /// Tells how many there were.
    pub async fn delete_messages(&self, by: &Principal, ids: Vec<MessageId>) -> Result<u64> {
        let owner = by.owner()?;
        record!(self, delete(owner, &ids))
    }
}

dual! {
    async fn list(c, owner: UserId, filter: &MessageFilter, window: Window) -> Result<Page<MessageRecord>> {
        let wanted = filter.ids.as_ref().map(|list| ids(list.iter().map(|id| id.0)));
        let items = sqlx::query_as::<Db, MessageRecord>(list_statement!(one_of, filter))
            .bind(owner)
            .bind(filter.flow_id)
            .bind(filter.session_id.as_deref())
            .bind(filter.context_id.as_deref())
            .bind(filter.sender.as_deref())
            .bind(filter.sender_name.as_deref())
            .bind(wanted.clone())
            .bind(window.limit)
            .bind(window.offset)
            .fetch_all(&mut *c)
            .await?;
        if window.offset == 0 && (items.len() as i64) < window.limit {
            let total = items.len() as i64;
            return Ok(Page { items, total });
        }
        let total = sqlx::query_scalar::<Db, i64>(where_listed!(one_of, filter, "count(*)", ""))
            .bind(owner)
            .bind(filter.flow_id)
            .bind(filter.session_id.as_deref())
            .bind(filter.context_id.as_deref())
            .bind(filter.sender.as_deref())
            .bind(filter.sender_name.as_deref())
            .bind(wanted)
            .fetch_one(c)
            .await?;
        Ok(Page { items, total })
    }

    async fn newest(c, owner: UserId, flow_id: FlowId, session_id: &str, filter: &NewestFilter, limit: i64) -> Result<Vec<MessageRecord>> {
        Ok(sqlx::query_as::<Db, MessageRecord>(concat!(
            "SELECT ", columns!(), " FROM messages WHERE user_id = $1 AND flow_id = $2 AND session_id = $3
             AND NOT error AND ($4 IS NULL OR context_id = $4) AND ($5 IS NULL OR sender = $5) AND ($6 IS NULL OR sender_name = $6)
             ORDER BY timestamp DESC, id DESC LIMIT $7"
        ))
        .bind(owner)
        .bind(flow_id)
        .bind(session_id)
        .bind(filter.context_id.as_deref().map(clean))
        .bind(filter.sender.as_deref().map(clean))
        .bind(filter.sender_name.as_deref().map(clean))
        .bind(limit)
        .fetch_all(c)
        .await?)
    }

    async fn insert(c, owner: UserId, new: MessageRecord) -> Result<MessageRecord> {
        let query = sqlx::query::<Db>(insert!(one_row!())).bind(new.id).bind(owner);
        bind_message!(query, new.clone()).execute(c).await.map_err(taken("message", "id"))?;
        Ok(new)
    }

    /// A message of a run; `began` is what the run calls its session.
    async fn upsert(c, owner: UserId, message: &MessageRecord, run: RunId, began: Option<&str>) -> Result<()> {
        let query = sqlx::query::<Db>(upsert!(
            "($1, $2, $3, ", session_now!("$20", "$4", "$21"),
            ", $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)"
        ))
        .bind(message.id)
        .bind(owner);
        match bind_message!(query, message.clone()).bind(run).bind(began).execute(c).await {
            Err(sqlx::Error::Database(broken)) if broken.kind() == sqlx::error::ErrorKind::NotNullViolation => {
                Err(StoreError::Taken { noun: "message", field: "id" })
            }
            done => done.map(drop).map_err(Into::into),
        }
    }

    /// Those whose run is gone.
    async fn delete_visits(c) -> Result<()> {
        sqlx::query::<Db>(concat!(
            "DELETE FROM messages WHERE session_metadata = '", visit!(), "' AND run_id IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.id = messages.run_id)"
        ))
        .execute(c)
        .await?;
        Ok(())
    }

    async fn set_duration(c, owner: UserId, id: MessageId, duration_ms: i64) -> Result<()> {
        sqlx::query::<Db>("UPDATE messages SET duration_ms = $3 WHERE id = $1 AND user_id = $2")
            .bind(id)
            .bind(owner)
            .bind(duration_ms)
            .execute(c)
            .await?;
        Ok(())
    }

    async fn delete(c, owner: UserId, gone: &[MessageId]) -> Result<u64> {
        let done = sqlx::query::<Db>(concat!("DELETE FROM messages WHERE user_id = $1 AND ", one_of!("id", "$2")))
            .bind(owner)
            .bind(ids(gone.iter().map(|id| id.0)))
            .execute(c)
            .await?;
        Ok(done.rows_affected())
    }
}
