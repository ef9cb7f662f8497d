//! The whole database as lines of JSON, the same for both databases: backups, and moving from one to the other.

use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use tokio::sync::mpsc;
use uuid::Uuid;

use crate::{
    Packed, Principal, Store,
    db::{Backend, dual, write},
    error::{Result, StoreError},
    text::{from_text, text_of},
};

/// Bytes as hexadecimal text, because JSON has no bytes.
#[derive(Clone, Debug, sqlx::Type)]
#[sqlx(transparent)]
pub(crate) struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use std::fmt::Write as _;
        let mut text = String::with_capacity(self.0.len() * 2);
        for byte in &self.0 {
            let _ = std::write!(text, "{byte:02x}");
        }
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits: Option<Vec<u8>> = text
            .chars()
            .map(|c| c.to_digit(16).and_then(|d| u8::try_from(d).ok()))
            .collect();
        match digits {
            Some(digits) if digits.len() % 2 == 0 => Ok(Self(
                digits
                    .chunks_exact(2)
                    .map(|pair| pair[0] << 4 | pair[1])
                    .collect(),
            )),
            _ => Err(serde::de::Error::custom("not hexadecimal")),
        }
    }
}

/// Declares the tables with their columns, in an order in which each may refer to those before it.
macro_rules! tables {
    ($($table:ident { $first:ident: $first_ty:ty = $first_at:literal $(, $column:ident: $ty:ty = $at:literal)* $(,)? } )+) => {
        /// The tables a dump holds, in the order they must be loaded.
        pub const TABLES: &[&str] = &[$(stringify!($table)),+];

        mod rows {
            use super::*;
            $(pub(super) mod $table {
            use super::*;
            #[derive(FromRow, Serialize, Deserialize)]
            #[serde(deny_unknown_fields)]
            pub(crate) struct Row { pub(crate) $first: $first_ty $(, pub(crate) $column: $ty)* }
            pub(crate) const SELECT: &str = concat!("SELECT ", stringify!($first) $(, ", ", stringify!($column))*, " FROM ", stringify!($table));
            pub(crate) const INSERT: &str = concat!(
                "INSERT INTO ", stringify!($table), " (", stringify!($first) $(, ", ", stringify!($column))*, ") VALUES (", $first_at $(, ", ", $at)*, ")"
            );
            })+
        }

        dual! {
            async fn select_all(c, out: mpsc::Sender<(&'static str, String)>) -> Result<()> {
                use futures_util::TryStreamExt as _;
                $({
                    let mut found = sqlx::query_as::<Db, rows::$table::Row>(rows::$table::SELECT).fetch(&mut *c);
                    while let Some(row) = found.try_next().await? {
                        out.send((stringify!($table), text_of(&row)?)).await.map_err(|_| StoreError::Stopped)?;
                    }
                })+
                Ok(())
            }

            async fn insert_one(c, table: String, line: String) -> Result<()> {
                match table.as_str() {
                    $(stringify!($table) => {
                        let row: rows::$table::Row = from_text(&line)?;
                        sqlx::query::<Db>(rows::$table::INSERT).bind(row.$first)$(.bind(row.$column))*.execute(c).await?;
                    })+
                    other => return Err(StoreError::Damaged(format!("the backup holds an unknown table {other:?}"))),
                }
                Ok(())
            }

            async fn insert_all(c, lines: mpsc::Receiver<(String, String)>) -> Result<u64> {
                let mut lines = lines;
                let users = sqlx::query_scalar::<Db, i64>("SELECT count(*) FROM users").fetch_one(&mut *c).await?;
                if users > 0 {
                    return Err(StoreError::Refused("the database already holds users: restore into an empty one"));
                }
                let mut loaded = 0;
                let mut parents = Vec::new();
                while let Some((table, mut line)) = lines.recv().await {
                    if table == "projects" {
                        // Inside one that may come later.
                        let mut row: rows::projects::Row = from_text(&line)?;
                        parents.extend(row.parent_id.take().map(|parent| (row.id, parent)));
                        line = text_of(&row)?;
                    }
                    insert_one(&mut *c, table, line).await?;
                    loaded += 1;
                }
                for (project, parent) in parents {
                    sqlx::query::<Db>("UPDATE projects SET parent_id = $2 WHERE id = $1").bind(project).bind(parent).execute(&mut *c).await?;
                }
                Ok(loaded)
            }
        }
    };
}

tables! {
    settings { name: String = "$1", value: String = "$2" }
    users {
        id: Uuid = "$1", username: String = "$2", username_key: String = "$3", password_hash: Option<String> = "$4",
        role: String = "$5", is_active: bool = "$6", profile_image: Option<String> = "$7", optins: String = "$8",
        epoch: i64 = "$9", created_at: i64 = "$10", updated_at: i64 = "$11", last_login_at: Option<i64> = "$12",
    }
    api_keys {
        id: Uuid = "$1", user_id: Uuid = "$2", name: String = "$3", prefix: String = "$4", hash: Bytes = "$5",
        is_active: bool = "$6", total_uses: i64 = "$7", created_at: i64 = "$8", last_used_at: Option<i64> = "$9",
        expires_at: Option<i64> = "$10",
    }
    variables {
        id: Uuid = "$1", user_id: Uuid = "$2", name: String = "$3", kind: String = "$4", value: Option<String> = "$5",
        sealed: Option<Bytes> = "$6", default_fields: String = "$7", created_at: i64 = "$8", updated_at: i64 = "$9",
    }
    preferences { user_id: Uuid = "$1", name: String = "$2", value: String = "$3", updated_at: i64 = "$4" }
    assistant_turns {
        user_id: Uuid = "$1", seq: i64 = "$2", session_id: String = "$3", asked: String = "$4", answered: String = "$5",
        at: i64 = "$6",
    }
    projects {
        id: Uuid = "$1", user_id: Uuid = "$2", name: String = "$3", description: Option<String> = "$4",
        parent_id: Option<Uuid> = "$5", auth_settings: Option<String> = "$6", created_at: i64 = "$7",
        updated_at: i64 = "$8", deleted_at: Option<i64> = "$9",
    }
    flows {
        id: Uuid = "$1", user_id: Uuid = "$2", folder_id: Uuid = "$3", name: String = "$4", description: Option<String> = "$5",
        endpoint_name: Option<String> = "$6", icon: Option<String> = "$7", icon_bg_color: Option<String> = "$8",
        gradient: Option<String> = "$9", tags: String = "$10", locked: bool = "$11", is_component: bool = "$12",
        webhook: bool = "$13", mcp_enabled: bool = "$14", action_name: Option<String> = "$15",
        action_description: Option<String> = "$16", access_type: String = "$17", flow_type: String = "$18",
        a2a_enabled: bool = "$19", extra: String = "$20", search_text: String = "$21", node_count: i64 = "$22",
        edge_count: i64 = "$23", note_count: i64 = "$24", revision: i64 = "$25", created_at: i64 = "$26",
        updated_at: i64 = "$27", deleted_at: Option<i64> = "$28",
    }
    flow_data { flow_id: Uuid = "$1", data: Option<Packed> = "$2" }
    flow_versions {
        id: Uuid = "$1", flow_id: Uuid = "$2", user_id: Uuid = "$3", number: i64 = "$4", description: Option<String> = "$5",
        node_count: i64 = "$6", created_at: i64 = "$7", data: Option<Packed> = "$8",
    }
    files {
        id: Uuid = "$1", user_id: Uuid = "$2", name: String = "$3", mime_type: String = "$4", size: i64 = "$5",
        created_at: i64 = "$6", updated_at: i64 = "$7",
    }
    audit {
        seq: i64 = "$1", at: i64 = "$2", actor: Option<Uuid> = "$3", action: String = "$4", target: String = "$5",
        ip: Option<String> = "$6", request_id: Option<String> = "$7", hash: Bytes = "$8",
    }
    run_documents { hash: Bytes = "$1", body: Packed = "$2" }
    runs {
        id: Uuid = "$1", user_id: Uuid = "$2", flow_id: Uuid = "$3", flow_name: String = "$4", kind: String = "$5",
        session_id: String = "$6", document_hash: Bytes = "$7", request: String = "$8", status: String = "$9",
        last_seq: i64 = "$10", worker: Option<Uuid> = "$11", epoch: i64 = "$12", lease_until: Option<i64> = "$13",
        parent_id: Option<Uuid> = "$14", parent_seq: Option<i64> = "$15", idempotency_key: Option<String> = "$16",
        error: Option<String> = "$17", output: Option<String> = "$18", input_tokens: Option<i64> = "$19",
        output_tokens: Option<i64> = "$20", created_at: i64 = "$21", updated_at: i64 = "$22", finished_at: Option<i64> = "$23",
        cost_nanousd: Option<i64> = "$24",
    }
    run_events { run_id: Uuid = "$1", first_seq: i64 = "$2", last_seq: i64 = "$3", body: Packed = "$4" }
    messages {
        id: Uuid = "$1", user_id: Uuid = "$2", flow_id: Uuid = "$3", session_id: String = "$4", context_id: Option<String> = "$5",
        run_id: Option<Uuid> = "$6", timestamp: i64 = "$7", sender: String = "$8", sender_name: String = "$9",
        text: String = "$10", files: String = "$11", error: bool = "$12", edit: bool = "$13", properties: String = "$14",
        category: String = "$15", content_blocks: String = "$16", session_metadata: Option<String> = "$17",
        is_output: bool = "$18", duration_ms: Option<i64> = "$19",
    }
}

/// Rows as they come, each with the table it belongs to.
pub type Dump = mpsc::Receiver<(&'static str, String)>;

impl Store {
    /// Sends every row as of one instant. Sessions are left out: nobody should be signed in by a backup.
    pub async fn dump(&self, by: &Principal, out: mpsc::Sender<(&'static str, String)>) -> Result<()> {
        by.require_system()?;
        match &self.backend {
            Backend::Sqlite { readers, .. } => {
                let mut transaction = readers.begin().await?;
                sqlite::select_all(&mut transaction, out).await
            }
            Backend::Postgres(pool) => {
                let mut transaction = pool
                    .begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                    .await?;
                postgres::select_all(&mut transaction, out).await
            }
        }
    }

    /// Fills an empty database, wholly or not at all, and tells how many rows it took.
    pub async fn load(&self, by: &Principal, lines: mpsc::Receiver<(String, String)>) -> Result<u64> {
        by.require_system()?;
        write!(self, insert_all(lines))
    }
}
