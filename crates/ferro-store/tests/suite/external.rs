//! Asking databases that are not ours.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use ferro_store::{
    Kind,
    external::{Caps, ExternalDatabase, ExternalError, ExternalMode, ExternalRows, Target, query},
};
use serde_json::json;

use crate::{both, db::Db};

both!(
    rows_come_as_json,
    reading_changes_nothing,
    writing_changes_what_it_says,
    caps_are_kept,
    a_query_that_takes_too_long_is_stopped,
    errors_say_what_the_database_said,
);

const CAPS: Caps = Caps {
    rows: 100,
    bytes: 100_000,
    time: Duration::from_secs(20),
    file_bytes: None,
};

impl Db {
    /// The test's own database, as if it were somebody else's.
    fn external(&self) -> ExternalDatabase {
        match Target::parse(self.url()).unwrap() {
            Target::Sqlite(_) => {
                ExternalDatabase::Sqlite(PathBuf::from(self.url().trim_start_matches("sqlite:")))
            }
            Target::Postgres { host, port } => ExternalDatabase::Postgres {
                // The name is not asked again: only the address that was checked counts.
                url: self.url().replacen(&host, "elsewhere.invalid", 1),
                connect_to: SocketAddr::new(host.parse().unwrap(), port),
            },
        }
    }

    async fn ask(&self, sql: &str, mode: ExternalMode) -> Result<ExternalRows, ExternalError> {
        query(&self.external(), sql, mode, CAPS).await
    }

    async fn read(&self, sql: &str) -> ExternalRows {
        self.ask(sql, ExternalMode::ReadOnly).await.unwrap()
    }

    async fn change(&self, sql: &str) -> ExternalRows {
        self.ask(sql, ExternalMode::ReadWrite).await.unwrap()
    }
}

async fn rows_come_as_json(db: &Db) {
    let found = db
        .read("SELECT 1 AS a, 'x' AS b, NULL AS c, 1.5 AS d, 'y' AS b;")
        .await;
    assert_eq!(found.columns, ["a", "b", "c", "d", "b"]);
    assert_eq!(
        found.rows,
        [[json!(1), json!("x"), json!(null), json!(1.5), json!("y")]]
    );
    assert_eq!((found.affected, found.truncated), (0, false));
    let empty = db.read("SELECT id, username FROM users WHERE 1 = 0").await;
    assert_eq!(
        (empty.columns, empty.rows.len()),
        (vec!["id".to_owned(), "username".to_owned()], 0)
    );
    match db.store.kind() {
        Kind::Sqlite => {
            let odd = db
                .read("SELECT x'00ff', 9223372036854775807, 1e400, CAST(x'fe41' AS TEXT), typeof(1), date('2024-02-03')")
                .await;
            assert_eq!(
                odd.rows,
                [[
                    json!("\\x00ff"),
                    json!(i64::MAX),
                    json!("Infinity"),
                    json!("\u{fffd}A"),
                    json!("integer"),
                    json!("2024-02-03")
                ]]
            );
            let columns = db.read("PRAGMA table_info(settings)").await;
            assert_eq!(columns.rows.len(), 2);
        }
        Kind::Postgres => {
            let odd = db
                .read(
                    "SELECT true, 1::int2, 2::int8, 0.1::float4, 'NaN'::float8, 12.50::numeric, 12345678901234567890.5::numeric,
                     '00000000-0000-0000-0000-000000000001'::uuid, '{\"a\":[1]}'::jsonb, '[1]'::json, '\\x00ff'::bytea,
                     '2024-02-03'::date, '04:05:06.7'::time, '2024-02-03 04:05:06'::timestamp,
                     '2024-02-03 04:05:06.5+02'::timestamptz, '1 day 2 hours'::interval, '10.0.0.1'::inet, '10.0.0.0/8'::cidr,
                     ARRAY[1, NULL, 3], ARRAY[['a'], ['b']], '{}'::text[], 'n'::name, 'c'::\"char\", 5::oid, point(1, 2)::text",
                )
                .await;
            assert_eq!(
                odd.rows[0],
                [
                    json!(true),
                    json!(1),
                    json!(2),
                    json!(0.1),
                    json!("NaN"),
                    json!(12.5),
                    json!("12345678901234567890.5"),
                    json!("00000000-0000-0000-0000-000000000001"),
                    json!({"a": [1]}),
                    json!([1]),
                    json!("\\x00ff"),
                    json!("2024-02-03"),
                    json!("04:05:06.700000"),
                    json!("2024-02-03T04:05:06"),
                    json!("2024-02-03T02:05:06.5Z"),
                    json!("P1DT2H"),
                    json!("10.0.0.1"),
                    json!("10.0.0.0/8"),
                    json!([1, null, 3]),
                    json!([["a"], ["b"]]),
                    json!([]),
                    json!("n"),
                    json!("c"),
                    json!(5),
                    json!("(1,2)"),
                ]
            );
            db.change("CREATE TYPE mood AS ENUM ('glad', 'sad')").await;
            db.change("CREATE DOMAIN positive AS int CHECK (VALUE > 0)").await;
            let own = db
                .read("SELECT 'glad'::mood, 3::positive, ARRAY['sad'::mood]")
                .await;
            assert_eq!(own.rows, [[json!("glad"), json!(3), json!(["sad"])]]);
        }
    }
}

async fn reading_changes_nothing(db: &Db) {
    for sql in [
        "INSERT INTO settings (name, value) VALUES ('a', 'b')",
        "DELETE FROM settings",
        "WITH x AS (SELECT 1) INSERT INTO settings SELECT 'a', 'b' FROM x",
        "EXPLAIN ANALYZE INSERT INTO settings (name, value) VALUES ('a', 'b')",
        "CREATE TABLE mine (a int)",
        "SELECT 1; DELETE FROM settings",
        "SELECT 1; SELECT 2",
        "ATTACH 'other.db' AS other",
        "PRAGMA query_only = OFF",
        "VACUUM INTO 'copy.db'",
        "DO $$ BEGIN SET default_transaction_read_only = off; COMMIT; INSERT INTO settings VALUES ('a', 'b'); END $$",
        "SET default_transaction_read_only = off",
        "COMMIT",
        "COPY settings TO STDOUT",
        "",
    ] {
        let refused = db.ask(sql, ExternalMode::ReadOnly).await;
        if db.store.kind() == Kind::Sqlite && sql.starts_with("EXPLAIN") {
            continue;
        }
        assert!(
            matches!(
                refused,
                Err(ExternalError::Refused(_) | ExternalError::Statement(_))
            ),
            "{sql}: {refused:?}"
        );
    }
    assert_eq!(db.count("SELECT count(*) FROM settings").await, 0);
    if db.store.kind() == Kind::Postgres {
        db.change(
            "CREATE FUNCTION sneak() RETURNS int LANGUAGE plpgsql AS $$
             BEGIN PERFORM set_config('transaction_read_only', 'off', false); INSERT INTO settings VALUES ('a', 'b'); RETURN 1; END $$",
        )
        .await;
        assert!(db.ask("SELECT sneak()", ExternalMode::ReadOnly).await.is_err());
        assert_eq!(db.count("SELECT count(*) FROM settings").await, 0);
    }
}

async fn writing_changes_what_it_says(db: &Db) {
    let made = db.change("CREATE TABLE mine (a int, b text)").await;
    assert_eq!((made.columns.len(), made.rows.len()), (0, 0));
    let inserted = db.change("INSERT INTO mine VALUES (1, 'x'), (2, 'y')").await;
    assert_eq!((inserted.affected, inserted.rows.len()), (2, 0));
    let changed = db
        .change("UPDATE mine SET b = 'z' WHERE a > 0 RETURNING a, b")
        .await;
    assert_eq!(changed.columns, ["a", "b"]);
    assert_eq!(changed.rows.len(), 2);
    let caps = Caps { rows: 1, ..CAPS };
    let few = query(
        &db.external(),
        "DELETE FROM mine RETURNING a",
        ExternalMode::ReadWrite,
        caps,
    )
    .await
    .unwrap();
    assert_eq!((few.rows.len(), few.truncated), (1, true));
    assert_eq!(
        db.count("SELECT count(*) FROM mine").await,
        0,
        "cutting the answer short does not undo the change"
    );
    let refused = db
        .ask(
            "INSERT INTO mine VALUES (1, 'x'); DROP TABLE mine",
            ExternalMode::ReadWrite,
        )
        .await;
    assert!(refused.is_err());
    assert_eq!(db.count("SELECT count(*) FROM mine").await, 0);
}

async fn caps_are_kept(db: &Db) {
    let many = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT i, 'text' AS t FROM n";
    let found = db.read(many).await;
    assert_eq!((found.rows.len(), found.truncated), (100, true));
    assert_eq!(found.rows[99][0], json!(100));
    let caps = Caps {
        rows: usize::MAX,
        bytes: 1_000,
        ..CAPS
    };
    let found = query(&db.external(), many, ExternalMode::ReadOnly, caps)
        .await
        .unwrap();
    assert!(
        found.truncated && (40..100).contains(&found.rows.len()),
        "{} rows",
        found.rows.len()
    );
    let exactly = Caps { rows: 1, ..CAPS };
    let found = query(&db.external(), "SELECT 1", ExternalMode::ReadOnly, exactly)
        .await
        .unwrap();
    assert!(!found.truncated);
}

async fn a_query_that_takes_too_long_is_stopped(db: &Db) {
    let endless =
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n WHERE i < 0";
    let caps = Caps {
        time: Duration::from_millis(300),
        ..CAPS
    };
    let stopped = query(&db.external(), endless, ExternalMode::ReadOnly, caps).await;
    assert!(matches!(stopped, Err(ExternalError::TooSlow(_))), "{stopped:?}");
    assert_eq!(db.read("SELECT 1").await.rows, [[json!(1)]]);
}

async fn errors_say_what_the_database_said(db: &Db) {
    let missing = db
        .ask("SELECT * FROM nowhere", ExternalMode::ReadOnly)
        .await
        .unwrap_err();
    assert!(missing.to_string().contains("nowhere"), "{missing}");
    assert!(matches!(missing, ExternalError::Statement(_)));
    let wrong = db.ask("SELEC 1", ExternalMode::ReadOnly).await.unwrap_err();
    assert!(matches!(wrong, ExternalError::Refused(_)), "{wrong}");
    let gone = match db.external() {
        ExternalDatabase::Sqlite(path) => ExternalDatabase::Sqlite(path.with_file_name("none.db")),
        ExternalDatabase::Postgres { connect_to, .. } => ExternalDatabase::Postgres {
            url: "postgresql+psycopg2://somebody:hunter2@elsewhere.invalid/nowhere".to_owned(),
            connect_to,
        },
    };
    let error = query(&gone, "SELECT 1", ExternalMode::ReadOnly, CAPS)
        .await
        .unwrap_err();
    assert!(matches!(error, ExternalError::Unreachable(_)), "{error}");
    for shown in [error.to_string(), format!("{error:?}"), format!("{gone:?}")] {
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}

#[test]
fn addresses_name_their_target() {
    let parsed = |url: &str| Target::parse(url).map_err(|error| error.to_string());
    assert_eq!(parsed("sqlite:///data.db"), Ok(Target::Sqlite("data.db".into())));
    assert_eq!(
        parsed("sqlite:////tmp/data.db?mode=ro"),
        Ok(Target::Sqlite("/tmp/data.db".into()))
    );
    assert_eq!(
        parsed("postgresql+psycopg2://u:p%40ss@db.example/x"),
        Ok(Target::Postgres {
            host: "db.example".into(),
            port: 5432
        })
    );
    assert_eq!(
        parsed("postgres://u@[::1]:6000/x"),
        Ok(Target::Postgres {
            host: "::1".into(),
            port: 6000
        })
    );
    for url in [
        "",
        "mysql://u:hunter2@h/x",
        "sqlite://",
        "sqlite:///:memory:",
        "postgres:///x",
        "postgres://u:hunter2@h:port/x",
    ] {
        let error = parsed(url).unwrap_err();
        assert!(!error.contains("hunter2"), "{error}");
    }
}

#[tokio::test]
async fn nothing_is_taken_from_elsewhere() {
    let nowhere = |url: &str| ExternalDatabase::Postgres {
        url: url.to_owned(),
        connect_to: SocketAddr::from(([127, 0, 0, 1], 1)),
    };
    for url in [
        "postgres://h/x",
        "postgres://u:p@h",
        "postgres://u:p@h/x?sslmode=verify-full",
        "postgres://u:p@h/x?sslmode=perhaps",
        "postgres://u:%zz@h/x",
    ] {
        let error = query(&nowhere(url), "SELECT 1", ExternalMode::ReadOnly, CAPS)
            .await
            .unwrap_err();
        assert!(matches!(error, ExternalError::Address(_)), "{url}: {error}");
    }
    // A folder of sockets in the URL is not used: the checked address is, and nobody listens there.
    let url = "postgres://u:p@h/x?host=/var/run/postgresql";
    let error = query(&nowhere(url), "SELECT 1", ExternalMode::ReadOnly, CAPS)
        .await
        .unwrap_err();
    assert!(matches!(error, ExternalError::Unreachable(_)), "{error}");
}

#[tokio::test]
async fn a_file_grows_no_larger_than_it_may() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("theirs.db");
    std::fs::write(&path, b"").unwrap();
    let database = ExternalDatabase::Sqlite(path.clone());
    let ask = async |sql: &str, bytes: u64| {
        let caps = Caps {
            file_bytes: Some(bytes),
            ..CAPS
        };
        query(&database, sql, ExternalMode::ReadWrite, caps).await
    };
    let length = || std::fs::metadata(&path).unwrap().len();
    ask("CREATE TABLE t (b BLOB)", 64 << 10).await.unwrap();
    ask("INSERT INTO t VALUES (zeroblob(30000))", 64 << 10)
        .await
        .unwrap();
    let before = length();
    let refused = ask("INSERT INTO t VALUES (zeroblob(60000))", 64 << 10).await;
    assert!(
        matches!(refused, Err(ExternalError::TooLarge(65_536))),
        "{refused:?}"
    );
    assert_eq!(length(), before, "what did not fit has left nothing");
    // Larger already than may be: it can still be read and made smaller, but not grow.
    let refused = ask("INSERT INTO t VALUES (zeroblob(30000))", 4096).await;
    assert!(
        matches!(refused, Err(ExternalError::TooLarge(4096))),
        "{refused:?}"
    );
    ask("DELETE FROM t", 4096).await.unwrap();
    ask("INSERT INTO t VALUES (zeroblob(20000))", 4096).await.unwrap();
    assert!(length() <= before);
}

/// The page size stands in the file, and is not what an empty file would get.
#[tokio::test]
async fn large_pages_count_for_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large-pages.db");
    let options = sqlx::sqlite::SqliteConnectOptions::new()
        .filename(&path)
        .create_if_missing(true)
        .page_size(65_536);
    let mut made = sqlx::ConnectOptions::connect(&options).await.unwrap();
    sqlx::query("CREATE TABLE t (b BLOB)")
        .execute(&mut made)
        .await
        .unwrap();
    drop(made);
    let caps = Caps {
        file_bytes: Some(256 << 10),
        ..CAPS
    };
    let database = ExternalDatabase::Sqlite(path.clone());
    let big = "INSERT INTO t VALUES (zeroblob(400000))";
    let refused = query(&database, big, ExternalMode::ReadWrite, caps).await;
    assert!(matches!(refused, Err(ExternalError::TooLarge(_))), "{refused:?}");
    assert!(std::fs::metadata(&path).unwrap().len() <= 256 << 10);
}
