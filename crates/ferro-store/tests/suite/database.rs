//! Opening, closing, reopening, and databases that are not for us.

use ferro_store::{Address, Kind, Role, Store, StoreError};

use crate::{
    both,
    db::{Db, SYSTEM, document},
};

both!(
    what_was_written_is_there_after_reopening,
    a_database_of_a_newer_version_is_refused,
    a_changed_migration_is_refused,
    several_open_at_once,
    it_answers,
);

async fn what_was_written_is_there_after_reopening(db: &Db) {
    let ada = db.owner("ada").await;
    let mut new = ada.new_flow("Kept");
    new.data = Some(document("{\"a\":1}"));
    let flow = db.make(&ada, new).await;
    db.store.clone().close().await;
    let again = Store::open(&db.address).await.unwrap();
    let read = again.flow(&ada.by, flow.id).await.unwrap();
    assert_eq!(
        (read.header.name.as_str(), read.data.as_deref()),
        ("Kept", Some("{\"a\":1}"))
    );
    assert_eq!(again.user(&SYSTEM, ada.user.id).await.unwrap().username, "ada");
}

async fn a_database_of_a_newer_version_is_refused(db: &Db) {
    db.person("ada", Role::User).await;
    let newer = match db.store.kind() {
        Kind::Sqlite => {
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
             VALUES (99999, 'from the future', TRUE, x'00', 0)"
        }
        Kind::Postgres => {
            r"INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
             VALUES (99999, 'from the future', TRUE, '\x00', 0)"
        }
    };
    db.tamper(newer).await;
    let refused = Store::open(&db.address).await.err();
    assert!(matches!(refused, Some(StoreError::TooNew(_))), "{refused:?}");
    db.tamper("DELETE FROM _sqlx_migrations WHERE version = 99999")
        .await;
    let opened = Store::open(&db.address).await.unwrap();
    assert!(
        opened.user_by_name(&SYSTEM, "ada").await.unwrap().is_some(),
        "nothing was touched"
    );
}

async fn a_changed_migration_is_refused(db: &Db) {
    db.tamper("UPDATE _sqlx_migrations SET checksum = CAST('x' AS BYTEA) WHERE version = 1")
        .await;
    let refused = Store::open(&db.address).await.err();
    assert!(matches!(refused, Some(StoreError::Migrate(_))), "{refused:?}");
}

async fn several_open_at_once(db: &Db) {
    let fresh = Db::new(db.store.kind()).await;
    fresh.store.clone().close().await;
    let opened = futures_util::future::join_all((0..4).map(|_| Store::open(&fresh.address))).await;
    for (at, store) in opened.into_iter().enumerate() {
        let store = store.unwrap();
        let new = ferro_store::NewUser {
            username: format!("user {at}"),
            password_hash: None,
            role: Role::User,
            is_active: true,
        };
        store.create_user(&SYSTEM, new).await.unwrap();
    }
    assert_eq!(fresh.count("SELECT count(*) FROM users").await, 4);
}

async fn it_answers(db: &Db) {
    db.store.ping().await.unwrap();
    db.store.clone().close().await;
}

#[test]
fn addresses_are_understood_or_refused() {
    for good in [
        "sqlite:a.db",
        "sqlite://a.db",
        "postgres://u:p@h:1/d",
        "postgresql://h/d",
    ] {
        assert!(Address::parse(good).is_ok(), "{good}");
    }
    for bad in [
        "",
        "a.db",
        "mysql://h/d",
        "sqlite:",
        "sqlite::memory:",
        "postgres://h:notaport/d",
        "http://h",
    ] {
        let refused = Address::parse(bad).err();
        assert!(
            matches!(refused, Some(StoreError::Address(_))),
            "{bad}: {refused:?}"
        );
    }
    let refused = Address::parse("postgres://me:hunter2@h:x/d").unwrap_err();
    assert!(!format!("{refused:?} {refused}").contains("hunter2"));
}

#[tokio::test]
async fn a_server_that_is_not_there_is_unavailable() {
    let address = Address::parse("postgres://nobody@127.0.0.1:1/none").unwrap();
    let refused = Store::open(&address).await.err();
    assert!(
        matches!(refused, Some(StoreError::Unavailable(_) | StoreError::Busy(_))),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_file_that_is_no_database_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.db");
    std::fs::write(
        &path,
        "just some notes, long enough to be read as a header of something".repeat(100),
    )
    .unwrap();
    assert!(Store::open(&Address::Sqlite(path.clone())).await.is_err());
    assert!(
        Store::open(&Address::Sqlite(folder.path().join("no/such/folder.db")))
            .await
            .is_err()
    );
    assert!(
        std::fs::read_to_string(path)
            .unwrap()
            .starts_with("just some notes"),
        "and left as it was"
    );
}
