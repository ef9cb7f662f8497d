//! A PostgreSQL server that is not ours.

use std::net::SocketAddr;

use futures_util::TryStreamExt as _;
use serde_json::Value as Json;
use sqlx::{
    Column as _, ConnectOptions as _, Either, Executor as _, Row as _, SqlSafeStr as _, Statement as _,
    ValueRef as _,
    postgres::{PgConnection, PgRow},
};

use super::{Caps, Collected, ExternalError, ExternalMode, ExternalRows, address, statement, values};

pub(super) async fn query(
    url: &str,
    connect_to: SocketAddr,
    sql: &str,
    mode: ExternalMode,
    caps: Caps,
) -> Result<ExternalRows, ExternalError> {
    statement::check_postgres(sql, mode)?;
    let read_only = if mode == ExternalMode::ReadOnly {
        "on"
    } else {
        "off"
    };
    let options = address::postgres(url, connect_to)?.options([
        ("default_transaction_read_only", read_only),
        ("statement_timeout", &caps.time.as_millis().max(1).to_string()),
    ]);
    let mut connection = options
        .connect()
        .await
        .map_err(|error| ExternalError::Unreachable(values::message(&error)))?;
    let found = run(&mut connection, sql, mode, caps)
        .await
        .map_err(|error| explain(&error, caps));
    // Not closed politely: what is left of the answer would have to be read first.
    drop(connection);
    found
}

async fn run(
    connection: &mut PgConnection,
    sql: &str,
    mode: ExternalMode,
    caps: Caps,
) -> Result<ExternalRows, sqlx::Error> {
    if mode == ExternalMode::ReadOnly {
        // A block that was begun here cannot be ended from inside a function, so it cannot become a writing one.
        connection.execute("BEGIN TRANSACTION READ ONLY").await?;
    }
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
            Either::Left(done) if collected.found.columns.is_empty() || mode == ExternalMode::ReadWrite => {
                collected.found.affected += done.rows_affected();
            }
            Either::Left(_) => {}
            Either::Right(_) if collected.is_full() && mode == ExternalMode::ReadOnly => break,
            Either::Right(_) if collected.is_full() => {}
            Either::Right(row) => collected.push(values_of(&row)?),
        }
    }
    drop(results);
    Ok(collected.found)
}

fn values_of(row: &PgRow) -> Result<Vec<Json>, sqlx::Error> {
    (0..row.len())
        .map(|at| {
            let found = row.try_get_raw(at)?;
            if found.is_null() {
                return Ok(Json::Null);
            }
            let kind = found.type_info().into_owned();
            let bytes = found.as_bytes().map_err(sqlx::Error::Decode)?;
            Ok(values::from_postgres(&kind, bytes))
        })
        .collect()
}

fn explain(error: &sqlx::Error, caps: Caps) -> ExternalError {
    const CANCELLED: &str = "57014";
    match error {
        sqlx::Error::Database(refused) if refused.code().as_deref() == Some(CANCELLED) => {
            ExternalError::TooSlow(caps.time)
        }
        sqlx::Error::Io(_) | sqlx::Error::Tls(_) => ExternalError::Unreachable(values::message(error)),
        _ => ExternalError::Statement(values::message(error)),
    }
}
