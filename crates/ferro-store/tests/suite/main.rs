//! One suite, both databases: `both!` runs each check on SQLite and on PostgreSQL.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod api_keys;
mod assistant_turns;
mod audit;
mod database;
mod db;
mod dump;
mod external;
mod files;
mod flows;
mod flows_list;
mod isolation;
mod isolation_runs;
mod messages;
mod preferences;
mod projects;
mod runs;
mod runs_claims;
mod runs_messages;
mod runs_read;
mod settings;
mod tokens;
mod trash;
mod users;
mod variables;
mod versions;
mod writing;

/// Makes two tests of each named `async fn(&Db)`, one per database.
macro_rules! both {
    ($($name:ident),+ $(,)?) => {$(
        mod $name {
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                super::$name(&crate::db::Db::sqlite().await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                super::$name(&crate::db::Db::postgres().await).await;
            }
        }
    )+};
}
pub(crate) use both;
