//! A SQLite file that is not ours.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use futures_util::TryStreamExt as _;
use serde_json::Value as Json;
use sqlx::{
    Column as _, ConnectOptions as _, Either, Executor as _, Row as _, SqlSafeStr as _, Statement as _,
    TypeInfo as _, ValueRef as _,
    sqlite::{SqliteConnectOptions, SqliteConnection, SqliteRow},
};

use tokio::io::AsyncReadExt as _;

use super::{Caps, Collected, ExternalError, ExternalMode, ExternalRows, statement, values};

/// SQLite's steps between two looks at the clock.
const STEPS: i32 = 4_000;

pub(super) async fn query(
    path: &Path,
    sql: &str,
    mode: ExternalMode,
    caps: Caps,
) -> Result<ExternalRows, ExternalError> {
    statement::check_sqlite(sql, mode)?;
    let deadline = Instant::now() + caps.time;
    let mut connection = open(path, mode, caps).await?;
    connection
        .lock_handle()
        .await
        .map_err(|error| explain(&error, caps))?
        .set_progress_handler(STEPS, move || Instant::now() < deadline);
    run(&mut connection, sql, caps)
        .await
        .map_err(|error| explain(&error, caps))
}

async fn open(path: &Path, mode: ExternalMode, caps: Caps) -> Result<SqliteConnection, ExternalError> {
    let read_only = mode == ExternalMode::ReadOnly;
    let mut options = SqliteConnectOptions::new()
        .filename(path)
        .read_only(read_only)
        .create_if_missing(!read_only)
        .pragma("query_only", if read_only { "ON" } else { "OFF" })
        .pragma("trusted_schema", "OFF")
        .busy_timeout(caps.time.min(Duration::from_secs(5)))
        .statement_cache_capacity(1);
    if let (Some(bytes), false) = (caps.file_bytes, read_only) {
        let pages = bytes / page_size(path).await;
        options = options.pragma("max_page_count", pages.max(1).to_string());
    }
    options
        .connect()
        .await
        .map_err(|error| ExternalError::Unreachable(values::message(&error)))
}

/// As the file's header has it. It must be known before the file is opened: statements cannot be put together here.
async fn page_size(path: &Path) -> u64 {
    const DEFAULT: u64 = 4096;
    let mut header = [0; 18];
    let read = async { tokio::fs::File::open(path).await?.read_exact(&mut header).await };
    match (read.await, header) {
        (Ok(_), [.., 0, 1]) => 1 << 16,
        (Ok(_), [.., high, low]) if high >= 2 => u64::from(u16::from_be_bytes([high, low])),
        _ => DEFAULT,
    }
}

async fn run(connection: &mut SqliteConnection, sql: &str, caps: Caps) -> Result<ExternalRows, sqlx::Error> {
    // The one place where a statement is not ours: it is its author's, for their own database.
    let statement = connection
        // tidy: allow(sql) the statement is its author's, for their own database
        .prepare(sqlx::AssertSqlSafe(sql.to_owned()).into_sql_str())
        .await?;
    let columns = statement.columns().iter().map(|column| column.name().to_owned());
    let mut collected = Collected::new(caps, columns.collect());
    let mut results = connection.fetch_many(statement.query());
    while let Some(result) = results.try_next().await? {
        match result {
            Either::Left(done) => collected.found.affected += done.rows_affected(),
            Either::Right(_) if collected.is_full() => {}
            Either::Right(row) => collected.push(values_of(&row)?),
        }
    }
    drop(results);
    Ok(collected.found)
}

fn values_of(row: &SqliteRow) -> Result<Vec<Json>, sqlx::Error> {
    (0..row.len()).map(|at| value(row, at)).collect()
}

/// By what the value is, not by what its column was declared to be.
fn value(row: &SqliteRow, at: usize) -> Result<Json, sqlx::Error> {
    let found = row.try_get_raw(at)?;
    if found.is_null() {
        return Ok(Json::Null);
    }
    let kind = found.type_info().name().to_owned();
    drop(found);
    Ok(match kind.as_str() {
        "INTEGER" => row.try_get_unchecked::<i64, _>(at)?.into(),
        "REAL" => values::float(row.try_get_unchecked::<f64, _>(at)?),
        "BLOB" => values::hex(&row.try_get_unchecked::<Vec<u8>, _>(at)?).into(),
        _ => {
            let bytes = row.try_get_unchecked::<Vec<u8>, _>(at)?;
            String::from_utf8_lossy(&bytes).into_owned().into()
        }
    })
}

fn explain(error: &sqlx::Error, caps: Caps) -> ExternalError {
    const INTERRUPTED: &str = "9";
    const FULL: &str = "13";
    match error {
        sqlx::Error::Database(refused) if refused.code().as_deref() == Some(FULL) => match caps.file_bytes {
            Some(bytes) => ExternalError::TooLarge(bytes),
            None => ExternalError::Statement(values::message(error)),
        },
        sqlx::Error::Database(refused) if refused.code().as_deref() == Some(INTERRUPTED) => {
            ExternalError::TooSlow(caps.time)
        }
        _ => ExternalError::Statement(values::message(error)),
    }
}
