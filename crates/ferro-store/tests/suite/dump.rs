//! The whole database out and in again, and from one kind to the other.

use ferro_store::{
    FileId, Kind, NewApiKey, NewFile, NewVariable, ProjectChange, Role, StoreError, TABLES, TokenFamily,
    TokenKind, VariableId, VariableValue,
};
use tokio::sync::mpsc;

use crate::{
    both,
    db::{Db, SYSTEM, document},
    runs::message,
};

both!(
    what_goes_out_comes_in_the_same_on_either_database,
    a_store_that_is_in_use_is_not_filled,
    a_damaged_dump_leaves_nothing,
);

type Rows = Vec<(String, String)>;

impl Db {
    async fn dumped(&self) -> Rows {
        let (out, mut rows) = mpsc::channel(4);
        let (dumped, collected) = tokio::join!(self.store.dump(&SYSTEM, out), async {
            let mut all = Vec::new();
            while let Some((table, line)) = rows.recv().await {
                all.push((table.to_owned(), line));
            }
            all
        });
        dumped.unwrap();
        collected
    }

    async fn load(&self, rows: Rows) -> Result<u64, StoreError> {
        let (lines, incoming) = mpsc::channel(4);
        let sending = async move {
            for row in rows {
                if lines.send(row).await.is_err() {
                    break;
                }
            }
        };
        let (loaded, ()) = tokio::join!(self.store.load(&SYSTEM, incoming), sending);
        loaded
    }

    /// Something in every table, the awkward cases among it.
    async fn fill(&self) {
        self.person("root", Role::Admin).await;
        let ada = self.owner("ada").await;
        self.store
            .set_setting(&SYSTEM, "colour", "grün".into())
            .await
            .unwrap();
        let key = NewApiKey {
            name: "ci".into(),
            prefix: "sk-".into(),
            hash: [254; 32],
            expires_at: None,
        };
        self.store.create_api_key(&ada.by, key).await.unwrap();
        for (name, value) in [
            ("A", VariableValue::Generic("x".into())),
            ("B", VariableValue::Credential(vec![0, 1, 128, 255])),
        ] {
            let new = NewVariable {
                id: VariableId::new(),
                name: name.into(),
                value,
                default_fields: vec!["k".into()],
            };
            self.store.create_variable(&ada.by, new).await.unwrap();
            self.store
                .set_preference(&ada.by, "models.choices", "{}".into())
                .await
                .unwrap();
        }
        self.store
            .push_assistant_turn(&ada.by, "s", "hi 🦀", "hello")
            .await
            .unwrap();
        let mut rich = ada.new_flow("Rich 🦀");
        rich.extra = r#"{"a":{"b":1}}"#.into();
        rich.data = Some(document("{ \"nodes\":[ ],\"edges\":[],\"s\":\"\\u0000\\n\" }"));
        let rich = self.make(&ada, rich).await;
        self.store
            .create_version(&ada.by, rich.id, Some("v".into()), 5)
            .await
            .unwrap();
        let mut empty = ada.new_flow("Empty");
        empty.data = None;
        self.make(&ada, empty).await;
        let binned = self.flow(&ada, "Binned").await;
        self.store
            .trash_flows(&ada.by, vec![binned.id], None)
            .await
            .unwrap();
        // The older project goes inside the younger one: rows refer to rows that come after them.
        let younger = self.project(&ada, "Younger").await;
        let inside = ProjectChange {
            parent_id: Some(Some(younger.id)),
            ..ProjectChange::default()
        };
        self.store
            .change_project(&ada.by, ada.project, inside)
            .await
            .unwrap();
        let file = NewFile {
            id: FileId::new(),
            name: "a.txt".into(),
            mime_type: "text/plain".into(),
            size: 3,
        };
        self.store.create_file(&ada.by, file).await.unwrap();
        let entry = ferro_store::AuditEntry {
            actor: Some(ada.user.id),
            action: "login",
            target: "ada".into(),
            ip: None,
            request_id: Some("r".into()),
        };
        self.store.audit(&SYSTEM, entry.clone()).await.unwrap();
        self.store.audit(&SYSTEM, entry).await.unwrap();
        let mut run = ada.ended(rich.id);
        run.messages = vec![message(rich.id, "s", "hi 🦀")];
        run.messages[0].session_metadata = Some("{}".into());
        self.write(&ada, run).await;
        let mut going = ada.begins(rich.id);
        going.chunk.as_mut().unwrap().text = "[1,2]".repeat(2_000);
        going.create.as_mut().unwrap().idempotency_key = Some("k".into());
        self.write(&ada, going).await;
        let session = ferro_store::NewToken {
            hash: [1; 32],
            kind: TokenKind::Session,
            lifetime: std::time::Duration::from_secs(60),
        };
        self.store
            .create_tokens(&SYSTEM, ada.user.id, TokenFamily::new(), vec![session])
            .await
            .unwrap();
    }
}

fn sorted(mut rows: Rows) -> Rows {
    rows.sort();
    rows
}

async fn what_goes_out_comes_in_the_same_on_either_database(db: &Db) {
    db.fill().await;
    let rows = db.dumped().await;
    for table in TABLES {
        assert!(rows.iter().any(|(name, _)| name == table), "nothing of {table}");
    }
    assert!(
        !rows.iter().any(|(name, _)| name == "tokens"),
        "nobody is signed in by a backup"
    );
    let other = Db::new(match db.store.kind() {
        Kind::Sqlite => Kind::Postgres,
        Kind::Postgres => Kind::Sqlite,
    })
    .await;
    assert_eq!(other.load(rows.clone()).await.unwrap(), rows.len() as u64);
    let there = other.dumped().await;
    assert_eq!(sorted(there.clone()), sorted(rows.clone()), "there");
    let back = Db::new(db.store.kind()).await;
    back.load(there).await.unwrap();
    assert_eq!(sorted(back.dumped().await), sorted(rows), "and back");
    assert_eq!(back.store.verify_audit(&SYSTEM).await.unwrap(), None);
    // Runs that were going on go on there.
    let later = ferro_store::Lease {
        worker: ferro_store::WorkerId::new(),
        lasts: std::time::Duration::ZERO,
    };
    assert!(
        back.store
            .claim_runs(&SYSTEM, later, 10)
            .await
            .unwrap()
            .is_empty()
    );
    let unfinished = back
        .store
        .runs(
            &SYSTEM,
            ferro_store::RunFilter {
                status: vec![ferro_store::RunStatus::Running],
                ..Default::default()
            },
            ferro_store::Window::ALL,
        )
        .await
        .unwrap();
    let events = back
        .store
        .run_events(&SYSTEM, unfinished.items[0].id, 0, 9)
        .await
        .unwrap();
    assert_eq!(events[0].text, "[1,2]".repeat(2_000));
    back.person("new", Role::User).await;
}

async fn a_store_that_is_in_use_is_not_filled(db: &Db) {
    db.fill().await;
    let rows = db.dumped().await;
    let refused = db.load(rows.clone()).await;
    assert!(matches!(refused, Err(StoreError::Refused(_))), "{refused:?}");
    assert_eq!(db.dumped().await, rows);
}

async fn a_damaged_dump_leaves_nothing(db: &Db) {
    db.fill().await;
    let rows = db.dumped().await;
    let target = Db::new(db.store.kind()).await;
    let line = |table: &str, line: &str| (table.to_owned(), line.to_owned());
    for bad in [
        line("flows", "{\"id\":1}"),
        line("flows", "not json"),
        line("flows", r#"{"unknown":"column"}"#),
        line("passwords", "{}"),
        rows.last().unwrap().clone(),
        line(
            "flow_data",
            r#"{"flow_id":"00000000-0000-0000-0000-000000000000","data":null}"#,
        ),
    ] {
        let mut bent = rows.clone();
        bent.push(bad.clone());
        assert!(target.load(bent).await.is_err(), "{bad:?}");
        assert!(target.dumped().await.is_empty(), "{bad:?} left something behind");
    }
    assert_eq!(
        target.load(rows.clone()).await.unwrap(),
        rows.len() as u64,
        "and it can still be filled"
    );
}
