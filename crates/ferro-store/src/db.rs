//! The two databases behind one `Store`, and the macros that give both the same statements.

use std::{
    path::Path,
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use sqlx::{
    ConnectOptions as _, PgPool, SqlitePool,
    migrate::{MigrateError, Migrator},
    postgres::{PgConnectOptions, PgPoolOptions},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use crate::{
    error::{Result, StoreError},
    runs::SeenDocuments,
    writer::Writer,
};

static SQLITE_MIGRATIONS: Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES_MIGRATIONS: Migrator = sqlx::migrate!("migrations/postgres");

/// How long a request waits for another process that holds the database.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Clone)]
pub struct Store {
    pub(crate) backend: Backend,
    pub(crate) documents: SeenDocuments,
    /// See [`Store::generation`].
    pub(crate) generation: Arc<AtomicU64>,
}

#[derive(Clone)]
pub(crate) enum Backend {
    Sqlite { readers: SqlitePool, writer: Writer },
    Postgres(PgPool),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Sqlite,
    Postgres,
}

/// Where the data is.
#[derive(Clone, Debug)]
pub enum Address {
    Sqlite(std::path::PathBuf),
    Postgres(Box<PgConnectOptions>),
}

impl Address {
    /// `sqlite:path/to/file.db`, `postgres://…` or `postgresql://…`.
    pub fn parse(url: &str) -> Result<Self> {
        let scheme = url.split_once(':').map(|(scheme, _)| scheme).unwrap_or_default();
        match scheme {
            "postgres" | "postgresql" => {
                let options = PgConnectOptions::from_str(url)
                    .map_err(|_| StoreError::Address("expected postgres://user@host:port/database".into()))?;
                Ok(Self::Postgres(Box::new(options)))
            }
            "sqlite" => {
                let path = url.trim_start_matches("sqlite:").trim_start_matches("//");
                if path.is_empty() || path.starts_with(":memory:") {
                    return Err(StoreError::Address(
                        "name a file, as in sqlite:ferroflow.db".into(),
                    ));
                }
                Ok(Self::Sqlite(path.into()))
            }
            _ => Err(StoreError::Address(
                "it must begin with sqlite: or postgres://".into(),
            )),
        }
    }
}

impl Store {
    /// Opens the database and brings its tables up to date.
    pub async fn open(address: &Address) -> Result<Self> {
        match address {
            Address::Sqlite(path) => open_sqlite(path).await,
            Address::Postgres(options) => open_postgres((**options).clone()).await,
        }
    }

    pub fn kind(&self) -> Kind {
        match self.backend {
            Backend::Sqlite { .. } => Kind::Sqlite,
            Backend::Postgres(_) => Kind::Postgres,
        }
    }

    /// Grows with every change this process makes, except to runs and messages: what was read at an older
    /// generation may be out of date. Changes by other processes do not show.
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// One round trip to the database.
    pub async fn ping(&self) -> Result<()> {
        match &self.backend {
            Backend::Sqlite { readers, .. } => sqlx::query("SELECT 1").execute(readers).await.map(drop)?,
            Backend::Postgres(pool) => sqlx::query("SELECT 1").execute(pool).await.map(drop)?,
        }
        Ok(())
    }

    /// Changes written and the commits they took, where this store groups them (SQLite).
    pub fn write_counts(&self) -> Option<(u64, u64)> {
        match &self.backend {
            Backend::Sqlite { writer, .. } => Some(writer.counts()),
            Backend::Postgres(_) => None,
        }
    }

    /// Ends the connections once what is under way is done.
    pub async fn close(self) {
        match self.backend {
            Backend::Sqlite { readers, writer } => {
                drop(writer);
                readers.close().await;
            }
            Backend::Postgres(pool) => pool.close().await,
        }
    }
}

async fn open_sqlite(path: &Path) -> Result<Store> {
    create_private(path).map_err(sqlx::Error::Io)?;
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        // FULL: a commit that was acknowledged must survive the power going out.
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        .pragma("wal_autocheckpoint", "4000")
        .pragma("journal_size_limit", "67108864")
        // What a statement would undo if it failed is kept aside; in a file that costs a write per page.
        .pragma("temp_store", "MEMORY")
        .statement_cache_capacity(256)
        .optimize_on_close(true, None);
    // The default of 2 MB is less than what a few hundred runs touch between two checkpoints.
    let mut connection = options.clone().pragma("cache_size", "-16384").connect().await?;
    SQLITE_MIGRATIONS
        .run_direct(None, &mut connection, false)
        .await
        .map_err(migration_failed)?;
    let readers = SqlitePoolOptions::new()
        .max_connections(8)
        .acquire_timeout(BUSY_TIMEOUT)
        // A connection to a file does not go stale, and asking costs as much as a query.
        .test_before_acquire(false)
        .idle_timeout(Duration::from_secs(60))
        .connect_lazy_with(options.clone().read_only(true).create_if_missing(false));
    Ok(Store {
        backend: Backend::Sqlite {
            readers,
            writer: Writer::start(connection),
        },
        documents: SeenDocuments::default(),
        generation: Arc::default(),
    })
}

/// Whoever else has an account on this machine must not read the database; SQLite gives its side files the same mode.
fn create_private(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

async fn open_postgres(options: PgConnectOptions) -> Result<Store> {
    let pool = PgPoolOptions::new()
        .max_connections(20)
        .acquire_timeout(BUSY_TIMEOUT)
        .connect_with(options.application_name("ferroflow"))
        .await?;
    POSTGRES_MIGRATIONS.run(&pool).await.map_err(migration_failed)?;
    Ok(Store {
        backend: Backend::Postgres(pool),
        documents: SeenDocuments::default(),
        generation: Arc::default(),
    })
}

fn migration_failed(error: MigrateError) -> StoreError {
    match error {
        MigrateError::VersionMissing(_) | MigrateError::VersionTooNew(..) => StoreError::TooNew(error),
        _ => StoreError::Migrate(error),
    }
}

/// Writes each function twice, once per database, from one body. Inside it `Db` is the database type.
macro_rules! dual {
    ($(
        $(#[$meta:meta])*
        async fn $name:ident($connection:ident $(, $arg:ident: $ty:ty)* $(,)?) -> $ret:ty $body:block
    )+) => {
        #[allow(unused_imports, unused_macros, dead_code, clippy::too_many_arguments)]
        pub(crate) mod sqlite {
            /// Rows whose column is one of the ids bound as `ids`.
            macro_rules! one_of {
                ($column:literal, $at:literal) => {
                    concat!($column, " IN (SELECT unhex(value) FROM json_each(", $at, "))")
                };
            }
            /// One writer: nobody else is choosing rows at the same time.
            macro_rules! for_me_alone {
                () => { "" };
            }
            use super::*;
            use $crate::db::dialect::sqlite::*;
            $($(#[$meta])* pub(crate) async fn $name($connection: &mut Connection $(, $arg: $ty)*) -> $ret $body)+
        }
        #[allow(unused_imports, unused_macros, dead_code, clippy::too_many_arguments)]
        pub(crate) mod postgres {
            /// Rows whose column is one of the ids bound as `ids`.
            macro_rules! one_of {
                ($column:literal, $at:literal) => {
                    concat!($column, " = ANY (", $at, ")")
                };
            }
            /// Passes over rows that somebody else is choosing at the same time.
            macro_rules! for_me_alone {
                () => { " FOR UPDATE SKIP LOCKED" };
            }
            use super::*;
            use $crate::db::dialect::postgres::*;
            $($(#[$meta])* pub(crate) async fn $name($connection: &mut Connection $(, $arg: $ty)*) -> $ret $body)+
        }
    };
}
pub(crate) use dual;

/// Calls a `dual!` function on a connection that may be behind the writer by nothing it has acknowledged.
macro_rules! read {
    ($store:expr, $name:ident($($arg:expr),* $(,)?)) => {
        match &$store.backend {
            $crate::db::Backend::Sqlite { readers, .. } => {
                let mut connection = readers.acquire().await.map_err($crate::StoreError::from)?;
                sqlite::$name(&mut connection $(, $arg)*).await
            }
            $crate::db::Backend::Postgres(pool) => {
                let mut connection = pool.acquire().await.map_err($crate::StoreError::from)?;
                postgres::$name(&mut connection $(, $arg)*).await
            }
        }
    };
}
pub(crate) use read;

/// As `write!`, for what nobody caches: runs, messages, and when something was last used.
macro_rules! record {
    ($store:expr, $name:ident($($arg:expr),* $(,)?)) => {
        match &$store.backend {
            $crate::db::Backend::Sqlite { writer, .. } => {
                writer.run(move |connection| Box::pin(async move { sqlite::$name(connection $(, $arg)*).await })).await
            }
            $crate::db::Backend::Postgres(pool) => {
                let mut transaction = pool.begin().await.map_err($crate::StoreError::from)?;
                let done = postgres::$name(&mut transaction $(, $arg)*).await?;
                transaction.commit().await.map_err($crate::StoreError::from)?;
                Ok(done)
            }
        }
    };
}
pub(crate) use record;

/// Calls a `dual!` function inside a transaction: all of it is on disk when this returns `Ok`, or none of it is.
macro_rules! write {
    ($store:expr, $name:ident($($arg:expr),* $(,)?)) => {{
        let done = $crate::db::record!($store, $name($($arg),*));
        $store.generation.fetch_add(1, std::sync::atomic::Ordering::AcqRel);
        done
    }};
}
pub(crate) use write;

/// The few things the two databases do differently.
pub(crate) mod dialect {
    use crate::error::Result;

    pub(crate) mod sqlite {
        pub(crate) type Db = sqlx::Sqlite;
        pub(crate) type Connection = sqlx::SqliteConnection;

        // The other nouns' statements, so that a body can name them without naming its database.
        pub(crate) use crate::{
            flows::{changes::sqlite as flow_changes, sqlite as flows},
            messages::sqlite as messages,
            projects::sqlite as projects,
            users::sqlite as users,
        };

        /// Ids as one argument, for `one_of!`.
        pub(crate) fn ids(of: impl IntoIterator<Item = uuid::Uuid>) -> String {
            let mut text = String::from("[");
            for id in of {
                if text.len() > 1 {
                    text.push(',');
                }
                text.push('"');
                text.push_str(id.simple().encode_lower(&mut uuid::Uuid::encode_buffer()));
                text.push('"');
            }
            text.push(']');
            text
        }

        /// One writer: whoever runs has the lock.
        pub(crate) async fn lock(_: &mut Connection, _: uuid::Uuid) -> super::Result<()> {
            Ok(())
        }
    }

    pub(crate) mod postgres {
        pub(crate) type Db = sqlx::Postgres;
        pub(crate) type Connection = sqlx::PgConnection;

        // The other nouns' statements, so that a body can name them without naming its database.
        pub(crate) use crate::{
            flows::{changes::postgres as flow_changes, postgres as flows},
            messages::postgres as messages,
            projects::postgres as projects,
            users::postgres as users,
        };

        /// Ids as one argument, for `one_of!`.
        pub(crate) fn ids(of: impl IntoIterator<Item = uuid::Uuid>) -> Vec<uuid::Uuid> {
            of.into_iter().collect()
        }

        /// Until the transaction ends, others that lock the same id wait: names are then chosen one at a time.
        pub(crate) async fn lock(connection: &mut Connection, id: uuid::Uuid) -> super::Result<()> {
            let (high, low) = id.as_u64_pair();
            sqlx::query("SELECT pg_advisory_xact_lock($1)")
                .bind((high ^ low).cast_signed())
                .execute(connection)
                .await?;
            Ok(())
        }
    }
}
