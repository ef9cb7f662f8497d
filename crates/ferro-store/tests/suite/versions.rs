//! Versions: numbers, pruning, activating.

use ferro_store::{Activation, FlowChange, StoreError, VersionId, Window};

use crate::{
    both,
    db::{Db, Owner, document, is_not_found},
};

both!(
    numbers_go_on_and_the_oldest_are_forgotten,
    what_the_assistant_kept_is_forgotten_first,
    activating_brings_the_document_back,
    numbers_at_once_do_not_meet,
    describing_and_deleting,
);

impl Db {
    async fn save(&self, owner: &Owner, flow: ferro_store::FlowId, text: &str) {
        let change = FlowChange {
            data: Some(document(text)),
            ..FlowChange::default()
        };
        self.store
            .change_flow(&owner.by, flow, None, change)
            .await
            .unwrap();
    }

    async fn numbers(&self, owner: &Owner, flow: ferro_store::FlowId) -> Vec<i64> {
        let page = self.store.versions(&owner.by, flow, Window::ALL).await.unwrap();
        assert_eq!(page.total, page.items.len() as i64);
        page.items.into_iter().map(|version| version.number).collect()
    }
}

async fn what_the_assistant_kept_is_forgotten_first(db: &Db) {
    let ada = db.owner("ada").await;
    let flow = db.flow(&ada, "One").await.id;
    let own = || Some("before the release".to_owned());
    let kept = || Some("assistant-pre-edit 2026-01-01T00:00:00Z".to_owned());
    for description in [own(), kept(), own(), kept(), kept(), kept()] {
        db.store
            .create_version(&ada.by, flow, description, 3)
            .await
            .unwrap();
    }
    assert_eq!(db.numbers(&ada, flow).await, [6, 3, 1]);
}

async fn numbers_go_on_and_the_oldest_are_forgotten(db: &Db) {
    let ada = db.owner("ada").await;
    let flow = db.flow(&ada, "One").await.id;
    for expected in 1..=5 {
        let version = db.store.create_version(&ada.by, flow, None, 3).await.unwrap();
        assert_eq!(version.number, expected);
    }
    assert_eq!(db.numbers(&ada, flow).await, [5, 4, 3]);
    let page = db
        .store
        .versions(&ada.by, flow, Window { offset: 1, limit: 1 })
        .await
        .unwrap();
    assert_eq!((page.items[0].number, page.total), (4, 3));
    db.store.create_version(&ada.by, flow, None, 1).await.unwrap();
    assert_eq!(db.numbers(&ada, flow).await, [6], "a smaller limit forgets more");
    let other = db.flow(&ada, "Two").await.id;
    assert_eq!(
        db.store
            .create_version(&ada.by, other, None, 3)
            .await
            .unwrap()
            .number,
        1,
        "each flow counts for itself"
    );
}

async fn activating_brings_the_document_back(db: &Db) {
    let ada = db.owner("ada").await;
    let flow = db.flow(&ada, "One").await.id;
    db.save(&ada, flow, "{ \"v\" : 1 }").await;
    let first = db
        .store
        .create_version(&ada.by, flow, Some("first".into()), 10)
        .await
        .unwrap();
    db.save(&ada, flow, "{\"v\":2}").await;
    let kept = db.store.version(&ada.by, flow, first.id).await.unwrap();
    assert_eq!(
        (kept.data.as_deref(), kept.version.description.as_deref()),
        (Some("{ \"v\" : 1 }"), Some("first"))
    );

    let mut back = document("{ \"v\" : 1 }");
    back.node_count = 7;
    let stale = db
        .store
        .activate_version(
            &ada.by,
            flow,
            Activation {
                document: back.clone(),
                save_draft: Some("auto".into()),
                keep: 10,
                expected: Some(1),
            },
        )
        .await;
    assert!(
        matches!(stale, Err(StoreError::Stale { current: 3, .. })),
        "{stale:?}"
    );
    assert_eq!(db.numbers(&ada, flow).await, [1], "nothing of it stayed");
    let header = db
        .store
        .activate_version(
            &ada.by,
            flow,
            Activation {
                document: back,
                save_draft: Some("auto".into()),
                keep: 10,
                expected: Some(3),
            },
        )
        .await
        .unwrap();
    assert_eq!((header.revision, header.node_count), (4, 7));
    assert_eq!(
        db.store.flow(&ada.by, flow).await.unwrap().data.as_deref(),
        Some("{ \"v\" : 1 }")
    );
    let page = db.store.versions(&ada.by, flow, Window::ALL).await.unwrap();
    assert_eq!(
        (page.items[0].number, page.items[0].description.as_deref()),
        (2, Some("auto"))
    );
    let draft = db.store.version(&ada.by, flow, page.items[0].id).await.unwrap();
    assert_eq!(
        draft.data.as_deref(),
        Some("{\"v\":2}"),
        "the draft was kept first"
    );
    db.store
        .activate_version(
            &ada.by,
            flow,
            Activation {
                document: document("{}"),
                save_draft: None,
                keep: 10,
                expected: None,
            },
        )
        .await
        .unwrap();
    assert_eq!(db.numbers(&ada, flow).await, [2, 1], "unless told not to");
}

async fn numbers_at_once_do_not_meet(db: &Db) {
    let ada = db.owner("ada").await;
    let flow = db.flow(&ada, "One").await.id;
    let by = &ada.by;
    let made =
        (0..30).map(|_| async move { db.store.create_version(by, flow, None, 100).await.unwrap().number });
    let mut made = futures_util::future::join_all(made).await;
    made.sort_unstable();
    assert_eq!(made, (1..=30).collect::<Vec<_>>());
}

async fn describing_and_deleting(db: &Db) {
    let ada = db.owner("ada").await;
    let flow = db.flow(&ada, "One").await.id;
    let version = db
        .store
        .create_version(&ada.by, flow, Some("old".into()), 10)
        .await
        .unwrap();
    let described = db
        .store
        .describe_version(&ada.by, flow, version.id, Some("new".into()))
        .await
        .unwrap();
    assert_eq!(
        (described.description.as_deref(), described.number),
        (Some("new"), 1)
    );
    let cleared = db
        .store
        .describe_version(&ada.by, flow, version.id, None)
        .await
        .unwrap();
    assert_eq!(cleared.description, None);
    is_not_found(
        db.store
            .describe_version(&ada.by, flow, VersionId::new(), None)
            .await,
    );
    db.store.delete_version(&ada.by, flow, version.id).await.unwrap();
    is_not_found(db.store.delete_version(&ada.by, flow, version.id).await);
    is_not_found(db.store.version(&ada.by, flow, version.id).await);
    let again = db.store.create_version(&ada.by, flow, None, 10).await.unwrap();
    assert_eq!(again.number, 1, "numbers follow the highest that is left");
}
