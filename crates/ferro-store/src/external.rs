//! Queries against somebody's own database, for flows that ask one.
//!
//! One statement, one connection that is used for nothing else, and caps on rows, bytes and time. Which file or address
//! may be asked is the caller's to decide: a SQLite path is opened as it is, and PostgreSQL is reached at the address that
//! was checked, whatever the name in the URL stands for by now.

mod address;
mod postgres;
mod sqlite;
mod statement;
mod values;

use std::{fmt, net::SocketAddr, path::PathBuf, time::Duration};

use serde_json::Value as Json;

pub use address::Target;

#[derive(Clone)]
pub enum ExternalDatabase {
    Sqlite(PathBuf),
    Postgres {
        /// User, password and database are taken from it. It may hold a password, so it is never shown.
        url: String,
        /// Where the host in the URL was found to be.
        connect_to: SocketAddr,
    },
}

impl fmt::Debug for ExternalDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => f.debug_tuple("Sqlite").field(path).finish(),
            Self::Postgres { connect_to, .. } => f
                .debug_struct("Postgres")
                .field("connect_to", connect_to)
                .finish_non_exhaustive(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExternalMode {
    /// Nothing that changes data gets through.
    ReadOnly,
    ReadWrite,
}

/// How much of an answer is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Caps {
    pub rows: usize,
    /// Of all values together, roughly as they would be printed.
    pub bytes: usize,
    /// How large a statement may make a SQLite file; one that is larger already may not grow.
    pub file_bytes: Option<u64>,
    /// For everything, connecting included.
    pub time: Duration,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExternalRows {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Json>>,
    /// Rows that were inserted, changed or deleted.
    pub affected: u64,
    /// There was more than the caps allow.
    pub truncated: bool,
}

/// Its text is for the person who wrote the query.
#[derive(Debug, thiserror::Error)]
pub enum ExternalError {
    #[error("the database address is not usable: {0}")]
    Address(String),
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    #[error("the query is not allowed: {0}")]
    Refused(String),
    #[error("the database refused the query: {0}")]
    Statement(String),
    #[error("the file would become larger than {0} bytes")]
    TooLarge(u64),
    #[error("the database did not answer within {} s: ask for less, or allow more time", .0.as_secs_f32())]
    TooSlow(Duration),
}

/// Runs one statement and hands back its rows. More than one statement is refused, and so is whatever reaches beyond the
/// database itself (`ATTACH`, `VACUUM INTO`, most `PRAGMA`s; `COPY` and `DO` when reading only).
pub async fn query(
    database: &ExternalDatabase,
    sql: &str,
    mode: ExternalMode,
    caps: Caps,
) -> Result<ExternalRows, ExternalError> {
    let asking = async {
        match database {
            ExternalDatabase::Sqlite(path) => sqlite::query(path, sql, mode, caps).await,
            ExternalDatabase::Postgres { url, connect_to } => {
                postgres::query(url, *connect_to, sql, mode, caps).await
            }
        }
    };
    tokio::time::timeout(caps.time, asking)
        .await
        .unwrap_or(Err(ExternalError::TooSlow(caps.time)))
}

/// Rows up to the caps. Further ones are counted out, so that a statement that changes things comes to its end.
struct Collected {
    caps: Caps,
    bytes: usize,
    found: ExternalRows,
}

impl Collected {
    fn new(caps: Caps, columns: Vec<String>) -> Self {
        Self {
            caps,
            bytes: columns.iter().map(String::len).sum(),
            found: ExternalRows {
                columns,
                ..ExternalRows::default()
            },
        }
    }

    fn push(&mut self, row: Vec<Json>) {
        self.bytes += row.iter().map(size).sum::<usize>();
        if self.found.rows.len() >= self.caps.rows || self.bytes > self.caps.bytes {
            self.found.truncated = true;
        } else {
            self.found.rows.push(row);
        }
    }

    fn is_full(&self) -> bool {
        self.found.truncated
    }
}

/// About what the value takes as text, counted without making it.
fn size(value: &Json) -> usize {
    match value {
        Json::Null | Json::Bool(_) => 4,
        Json::Number(_) => 8,
        Json::String(text) => text.len() + 2,
        Json::Array(items) => 2 + items.iter().map(|item| size(item) + 1).sum::<usize>(),
        Json::Object(members) => {
            2 + members
                .iter()
                .map(|(name, value)| name.len() + 4 + size(value))
                .sum::<usize>()
        }
    }
}
