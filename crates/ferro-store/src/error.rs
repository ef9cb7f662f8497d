//! What can go wrong between a request and its rows.

use sqlx::error::ErrorKind;

pub type Result<T, E = StoreError> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("no such {0}")]
    NotFound(&'static str),
    #[error("not allowed")]
    Forbidden,
    #[error("{noun} is at revision {current}, not at the one the change was made on")]
    Stale { noun: &'static str, current: i64 },
    #[error("there is already a {noun} with this {field}")]
    Taken { noun: &'static str, field: &'static str },
    #[error("the run's log ends at event {current}, and what was to be added does not continue there")]
    Gap { current: i64 },
    #[error("the run has ended or another worker has taken it over")]
    Fenced,
    #[error("the {0} is locked")]
    Locked(&'static str),
    #[error("{0}")]
    Refused(&'static str),
    #[error("the database is busy")]
    Busy(#[source] sqlx::Error),
    #[error("the disk is full")]
    DiskFull(#[source] sqlx::Error),
    #[error("the database cannot be reached")]
    Unavailable(#[source] sqlx::Error),
    #[error("the database refused a statement")]
    Database(#[source] sqlx::Error),
    #[error("the database was made by a newer Ferroflow")]
    TooNew(#[source] sqlx::migrate::MigrateError),
    #[error("the database could not be brought up to date")]
    Migrate(#[source] sqlx::migrate::MigrateError),
    #[error("a stored value is damaged: {0}")]
    Damaged(String),
    #[error("the database address is not usable: {0}")]
    Address(String),
    #[error("the store has stopped")]
    Stopped,
    #[error("the batch this change was part of could not be written: {0}")]
    Batch(std::sync::Arc<StoreError>),
}

impl StoreError {
    /// The error itself, or the one that took down the batch it was written in.
    pub fn root(&self) -> &Self {
        match self {
            Self::Batch(inner) => inner.root(),
            other => other,
        }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let sqlx::Error::Database(database) = &error else {
            return match &error {
                sqlx::Error::PoolTimedOut => Self::Busy(error),
                sqlx::Error::Io(_)
                | sqlx::Error::Tls(_)
                | sqlx::Error::PoolClosed
                | sqlx::Error::WorkerCrashed => Self::Unavailable(error),
                _ => Self::Database(error),
            };
        };
        let code = database.code().unwrap_or_default();
        if let Ok(extended) = code.parse::<u32>()
            && !is_sqlstate(&code)
        {
            // SQLite: the low byte is the primary code; 4874 is a shared-memory file that could not grow.
            return match (extended & 0xff, extended) {
                (5 | 6, _) => Self::Busy(error),
                (13, _) | (_, 4874) => Self::DiskFull(error),
                (8 | 10 | 14, _) => Self::Unavailable(error),
                _ => Self::Database(error),
            };
        }
        match code.as_ref() {
            "53100" => Self::DiskFull(error),
            "40001" | "40P01" | "53300" | "55P03" => Self::Busy(error),
            "57P01" | "57P02" | "57P03" => Self::Unavailable(error),
            _ => Self::Database(error),
        }
    }
}

/// PostgreSQL codes are five characters; SQLite's are numbers of up to four digits.
fn is_sqlstate(code: &str) -> bool {
    code.len() == 5
}

/// Turns a broken unique index into the field a person can change.
pub(crate) fn taken(noun: &'static str, field: &'static str) -> impl FnOnce(sqlx::Error) -> StoreError {
    move |error| match &error {
        sqlx::Error::Database(database) if database.kind() == ErrorKind::UniqueViolation => {
            StoreError::Taken { noun, field }
        }
        _ => error.into(),
    }
}
