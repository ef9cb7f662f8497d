//! Asks a database and gives the rows.
//!
//! - **Database URL**: `sqlite:///path/to/file.db` or `postgresql://user:password@host/name`. Keep it in a variable: it
//!   may hold a password.
//! - **SQL Query**: one statement.
//! - **Allow Writes**: off, everything that changes data is refused, even from an agent. On, a statement that changed
//!   something is never repeated by itself after a crash.
//! - **Include Columns**: off, columns are numbered instead of named.
//! - **Add Error**: a query that fails gives one row with `error` and `query` instead of failing the node; an agent can
//!   then correct itself.
//!
//! At most 10,000 rows come back.
//!
//! Example: `SELECT name, price FROM plans ORDER BY price` → Chat Output.
//!
//! Common mistakes: several statements at once are not taken; putting people's words into the query text lets them write
//! queries: let an agent fill in a whole query only where writes are off and everything in the database may be seen.

use ferro_engine::{Call, Cause, Component, Failure, Outcome, Outputs, SqlRequest, Step, Table, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::Value as Json;

use crate::text::fields;
use crate::wait::unless_stopped;

pub(super) struct SqlDatabase;

const OUTPUT: &str = "run_sql_query";
const MAX_ROWS: usize = 10_000;

impl Component for SqlDatabase {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("SQLComponent", "SQL Database")
            .category("data_source")
            .icon("database")
            .description("Asks a SQLite or PostgreSQL database and gives the rows.")
            .help(include_str!("sql_database.rs"))
            .field(
                FieldSpec::message_text("database_url", "Database URL")
                    .info("Where the database is.")
                    .required()
                    .password(),
            )
            .field(
                FieldSpec::multiline("query", "SQL Query")
                    .info("One statement.")
                    .required()
                    .tool(),
            )
            .field(
                FieldSpec::bool("include_columns", "Include Columns", true)
                    .info("Name the columns.")
                    .advanced()
                    .tool(),
            )
            .field(
                FieldSpec::bool("add_error", "Add Error", false)
                    .info("Give a failure as a row instead of failing.")
                    .advanced()
                    .tool(),
            )
            .field(
                FieldSpec::bool("allow_writes", "Allow Writes", false)
                    .info("Let the statement change data. Off, only reading is possible.")
                    .advanced(),
            )
            .output(OutputSpec::new(
                OUTPUT,
                "Result Table",
                "run_sql_query",
                &["Table"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        Step::later(async move {
            let query = call.required_text("query")?;
            let found = ask(&call, &query).await;
            match found {
                Ok(table) => Ok(shaped(&call, table)),
                Err(failure) if call.bool("add_error") && failure.cause != Cause::Cancelled => {
                    let mut table = Table::new(vec!["error".to_owned(), "query".to_owned()]);
                    let said = if failure.detail.is_empty() {
                        failure.message
                    } else {
                        format!("{}: {}", failure.message, failure.detail)
                    };
                    table.cells.push(vec![Json::String(said), Json::String(query)]);
                    Ok(Outputs::one(OUTPUT, Value::table(table)))
                }
                Err(failure) => Err(failure),
            }
        })
    }
}

async fn ask(call: &Call, query: &str) -> Result<Table, Failure> {
    let url = call.required_text("database_url")?;
    let read_only = !call.bool("allow_writes");
    if !read_only {
        call.cx.begin_effect().await?;
    }
    let request = SqlRequest {
        url,
        query: query.to_owned(),
        read_only,
        max_rows: MAX_ROWS,
    };
    unless_stopped(&call.cx, call.cx.host.sql(request)).await
}

fn shaped(call: &Call, mut table: Table) -> Outcome {
    if !fields::on_by_default(call, "include_columns") {
        table.columns = (0..table.columns.len()).map(|at| at.to_string()).collect();
    }
    Outputs::one(OUTPUT, Value::table(table))
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use ferro_engine::{Context, Host, NodeInfo, RunInfo};
    use futures_util::future::BoxFuture;
    use serde_json::json;

    use super::*;

    #[derive(Default)]
    struct Database(Mutex<Vec<(String, bool)>>);

    impl Host for Database {
        fn sql(&self, request: SqlRequest) -> BoxFuture<'_, Result<Table, Failure>> {
            self.0
                .lock()
                .unwrap()
                .push((request.query.clone(), request.read_only));
            Box::pin(async move {
                if request.query.contains("hang") {
                    std::future::pending::<()>().await;
                }
                if request.query.contains("nonsense") {
                    return Err(Failure::outside("The database refused the query").detail("syntax error"));
                }
                let mut table = Table::new(vec!["name".to_owned()]);
                table.cells.push(vec![json!("Basic")]);
                Ok(table)
            })
        }
    }

    async fn run(host: &Arc<Database>, fields: Json) -> Result<Table, Failure> {
        let Json::Object(fields) = fields else {
            panic!("fields are an object")
        };
        let host = Arc::clone(host) as Arc<dyn Host>;
        let cx = Context::silent(RunInfo::default(), host);
        if fields.get("query").is_some_and(|query| query == "hang") {
            cx.cancel.cancel();
        }
        let Step::Later(work) = SqlDatabase.run(Call::new(NodeInfo::default(), fields, vec![], cx)) else {
            panic!("it takes a while")
        };
        let Outcome::Done(outputs) = work.await? else {
            panic!("it is done")
        };
        let Some(Value::Table(table)) = outputs.get(OUTPUT) else {
            panic!("a table")
        };
        Ok((**table).clone())
    }

    #[tokio::test]
    async fn reads_and_only_reads() {
        let host = Arc::new(Database::default());
        let table = run(
            &host,
            json!({ "database_url": "sqlite://x", "query": "SELECT 1", "include_columns": false }),
        )
        .await
        .unwrap();
        assert_eq!(
            (table.columns, table.cells),
            (vec!["0".to_owned()], vec![vec![json!("Basic")]])
        );
        run(
            &host,
            json!({ "database_url": "sqlite://x", "query": "DELETE", "allow_writes": true }),
        )
        .await
        .unwrap();
        assert_eq!(
            *host.0.lock().unwrap(),
            [("SELECT 1".to_owned(), true), ("DELETE".to_owned(), false)]
        );
    }

    #[tokio::test]
    async fn a_bad_query_fails_or_is_a_row() {
        let host = Arc::new(Database::default());
        let fields =
            |add: bool| json!({ "database_url": "sqlite://x", "query": "nonsense", "add_error": add });
        assert!(run(&host, fields(false)).await.is_err());
        let table = run(&host, fields(true)).await.unwrap();
        assert_eq!(
            table.cells[0],
            [
                json!("The database refused the query: syntax error"),
                json!("nonsense")
            ]
        );
        assert_eq!(
            run(&host, json!({ "query": "SELECT 1" }))
                .await
                .unwrap_err()
                .field
                .as_deref(),
            Some("database_url")
        );
    }

    #[tokio::test]
    async fn stops_with_the_run() {
        let fields = json!({ "database_url": "sqlite://x", "query": "hang", "add_error": true });
        assert_eq!(
            run(&Arc::default(), fields).await.unwrap_err().cause,
            Cause::Cancelled
        );
    }
}
