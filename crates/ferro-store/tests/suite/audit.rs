//! The audit log: a chain in which every change shows.

use ferro_store::{AuditEntry, Role, Window};

use crate::{
    both,
    db::{Db, SYSTEM},
};

both!(
    the_chain_holds_and_shows_what_was_changed,
    writers_at_once_make_one_chain
);

impl Db {
    async fn note(&self, target: &str) {
        let entry = AuditEntry {
            actor: None,
            action: "login",
            target: target.to_owned(),
            ip: Some("127.0.0.1".into()),
            request_id: None,
        };
        self.store.audit(&SYSTEM, entry).await.unwrap();
    }
}

async fn the_chain_holds_and_shows_what_was_changed(db: &Db) {
    let admin = db.person("root", Role::Admin).await.principal();
    assert_eq!(
        db.store.verify_audit(&SYSTEM).await.unwrap(),
        None,
        "an empty log is whole"
    );
    for target in ["one", "two", "three", "four", "five"] {
        db.note(target).await;
    }
    assert_eq!(db.store.verify_audit(&SYSTEM).await.unwrap(), None);
    let page = db
        .store
        .audit_log(&admin, Window { offset: 1, limit: 2 })
        .await
        .unwrap();
    assert_eq!(
        page.iter()
            .map(|record| record.target.as_str())
            .collect::<Vec<_>>(),
        ["four", "three"]
    );

    for (bend, mend, found) in [
        (
            "UPDATE audit SET target = 'won' WHERE seq = 1",
            "UPDATE audit SET target = 'one' WHERE seq = 1",
            1,
        ),
        (
            "UPDATE audit SET at = at + 1 WHERE seq = 3",
            "UPDATE audit SET at = at - 1 WHERE seq = 3",
            3,
        ),
        (
            "UPDATE audit SET ip = NULL WHERE seq = 4",
            "UPDATE audit SET ip = '127.0.0.1' WHERE seq = 4",
            4,
        ),
        (
            "UPDATE audit SET seq = 9 WHERE seq = 2",
            "UPDATE audit SET seq = 2 WHERE seq = 9",
            2,
        ),
    ] {
        assert_eq!(db.tamper(bend).await, 1);
        assert_eq!(
            db.store.verify_audit(&SYSTEM).await.unwrap(),
            Some(found),
            "{bend}"
        );
        assert_eq!(db.tamper(mend).await, 1);
        assert_eq!(db.store.verify_audit(&SYSTEM).await.unwrap(), None, "{mend}");
    }
    db.tamper("DELETE FROM audit WHERE seq = 3").await;
    assert_eq!(
        db.store.verify_audit(&SYSTEM).await.unwrap(),
        Some(3),
        "a row was taken out"
    );
}

async fn writers_at_once_make_one_chain(db: &Db) {
    futures_util::future::join_all((0..50).map(|n| async move { db.note(&n.to_string()).await })).await;
    assert_eq!(db.store.verify_audit(&SYSTEM).await.unwrap(), None);
    assert_eq!(db.store.audit_log(&SYSTEM, Window::ALL).await.unwrap().len(), 50);
}
