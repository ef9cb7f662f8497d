//! Flows: names, revisions, locks, documents.

use std::collections::HashSet;

use ferro_store::{Access, Activation, Document, FlowChange, FlowId, StoreError, Window};
use futures_util::future::join_all;

use crate::{
    both,
    db::{Db, document, is_not_found, nowhere},
};

both!(
    a_flow_comes_back_as_it_was_given,
    names_and_endpoints_count_on,
    an_id_is_kept_when_it_is_free,
    a_stale_change_is_refused,
    a_locked_flow_only_unlocks,
    a_taken_name_is_refused_on_change,
    a_batch_is_all_or_nothing,
    creating_at_once_gives_distinct_names,
    of_changes_at_once_one_wins_per_revision,
);

async fn a_flow_comes_back_as_it_was_given(db: &Db) {
    let ada = db.owner("ada").await;
    let text = "{ \"nodes\" :\t[],\r\n\"edges\":[], \"n\": 1.0e+2, \"u\": \"\\u0000\\u00e9é🦀\" }";
    let mut new = ada.new_flow("Ünïcode 🦀");
    new.description = Some("line\nline".into());
    new.endpoint_name = Some("run-me".into());
    new.tags = r#"["a","ß"]"#.into();
    new.extra = r#"{"last_tested_version":"1.2.3"}"#.into();
    new.access_type = Access::Public;
    new.is_component = true;
    new.data = Some(Document {
        text: text.into(),
        node_count: 3,
        edge_count: 2,
        note_count: 1,
        webhook: true,
    });
    let made = db.make(&ada, new).await;
    let read = db.store.flow(&ada.by, made.id).await.unwrap();
    assert_eq!(read.data.as_deref(), Some(text), "byte for byte");
    assert_eq!(format!("{:?}", read.header), format!("{made:?}"));
    let header = read.header;
    assert_eq!(
        (
            header.node_count,
            header.edge_count,
            header.note_count,
            header.webhook
        ),
        (3, 2, 1, true)
    );
    assert_eq!((header.revision, header.created_at), (1, header.updated_at));
    assert_eq!(header.endpoint_name.as_deref(), Some("run-me"));

    let rename = FlowChange {
        name: Some("New".into()),
        ..FlowChange::default()
    };
    let renamed = db
        .store
        .change_flow(&ada.by, made.id, None, rename)
        .await
        .unwrap();
    assert_eq!(
        (renamed.revision, renamed.node_count, renamed.webhook),
        (2, 3, true),
        "counts stay with their document"
    );
    assert_eq!(
        db.store.flow(&ada.by, made.id).await.unwrap().data.as_deref(),
        Some(text)
    );
    let clear = FlowChange {
        description: Some(None),
        endpoint_name: Some(None),
        data: Some(document("{}")),
        ..FlowChange::default()
    };
    let cleared = db.store.change_flow(&ada.by, made.id, None, clear).await.unwrap();
    assert_eq!(
        (cleared.description, cleared.endpoint_name, cleared.node_count),
        (None, None, 0)
    );
    assert_eq!(
        (cleared.name.as_str(), cleared.tags.as_str()),
        ("New", r#"["a","ß"]"#),
        "what was not said stays"
    );

    let mut empty = ada.new_flow("Empty");
    empty.data = None;
    let empty = db.make(&ada, empty).await;
    assert_eq!(db.store.flow(&ada.by, empty.id).await.unwrap().data, None);
    let both = db.store.flows_by_id(&ada.by, &[empty.id, made.id]).await.unwrap();
    assert_eq!(
        both.iter().map(|flow| flow.header.id).collect::<Vec<_>>(),
        [empty.id, made.id],
        "in the order asked for"
    );
    is_not_found(db.store.flows_by_id(&ada.by, &[made.id, nowhere()]).await);
}

async fn names_and_endpoints_count_on(db: &Db) {
    let (ada, eve) = (db.owner("ada").await, db.owner("eve").await);
    for expected in ["Echo", "Echo (1)", "Echo (2)"] {
        assert_eq!(db.flow(&ada, "Echo").await.name, expected);
    }
    assert_eq!(db.flow(&ada, "Echo (1)").await.name, "Echo (3)");
    assert_eq!(
        db.flow(&ada, "echo").await.name,
        "echo",
        "another case is another name"
    );
    for expected in ["50%_off", "50%_off (1)"] {
        assert_eq!(db.flow(&ada, "50%_off").await.name, expected);
    }
    assert_eq!(
        db.flow(&ada, "50xxoff").await.name,
        "50xxoff",
        "% and _ mean themselves"
    );
    assert_eq!(db.flow(&eve, "Echo").await.name, "Echo");
    let mut made = Vec::new();
    for name in ["a", "b", "c"] {
        let mut new = ada.new_flow(name);
        new.endpoint_name = Some("hook".into());
        made.push(db.make(&ada, new).await.endpoint_name.unwrap());
    }
    assert_eq!(made, ["hook", "hook-1", "hook-2"]);
}

async fn an_id_is_kept_when_it_is_free(db: &Db) {
    let (ada, eve) = (db.owner("ada").await, db.owner("eve").await);
    let id = FlowId::new();
    let mut new = ada.new_flow("One");
    new.id = Some(id);
    assert_eq!(db.make(&ada, new.clone()).await.id, id);
    assert_ne!(db.make(&ada, new).await.id, id);
    let mut theirs = eve.new_flow("Two");
    theirs.id = Some(id);
    assert_ne!(db.make(&eve, theirs).await.id, id);
    assert_eq!(db.store.flow(&ada.by, id).await.unwrap().header.name, "One");

    let at = FlowId::new();
    let put = db
        .store
        .create_flow_at(&ada.by, at, ada.new_flow("Put"))
        .await
        .unwrap();
    assert_eq!((put.id, put.revision), (at, 1));
    is_not_found(db.store.create_flow_at(&ada.by, at, ada.new_flow("Again")).await);
    db.store.trash_flows(&ada.by, vec![at], None).await.unwrap();
    is_not_found(
        db.store
            .create_flow_at(&ada.by, at, ada.new_flow("From the trash"))
            .await,
    );
}

async fn a_stale_change_is_refused(db: &Db) {
    let ada = db.owner("ada").await;
    let flow = db.flow(&ada, "One").await;
    let change = |text: &str| FlowChange {
        data: Some(document(text)),
        ..FlowChange::default()
    };
    let second = db
        .store
        .change_flow(&ada.by, flow.id, Some(1), change("{\"a\":1}"))
        .await
        .unwrap();
    assert_eq!(second.revision, 2);
    let stale = db
        .store
        .change_flow(&ada.by, flow.id, Some(1), change("{\"b\":1}"))
        .await;
    assert!(
        matches!(stale, Err(StoreError::Stale { current: 2, .. })),
        "{stale:?}"
    );
    let stale = db
        .store
        .change_flow(&ada.by, flow.id, Some(3), change("{\"b\":1}"))
        .await;
    assert!(
        matches!(stale, Err(StoreError::Stale { current: 2, .. })),
        "{stale:?}"
    );
    let stale = db.store.trash_flows(&ada.by, vec![flow.id], Some(1)).await;
    assert!(
        matches!(stale, Err(StoreError::Stale { current: 2, .. })),
        "{stale:?}"
    );
    assert_eq!(
        db.store.flow(&ada.by, flow.id).await.unwrap().data.as_deref(),
        Some("{\"a\":1}")
    );
    assert_eq!(
        db.store
            .change_flow(&ada.by, flow.id, None, change("{}"))
            .await
            .unwrap()
            .revision,
        3
    );
    is_not_found(
        db.store
            .change_flow(&ada.by, nowhere(), Some(1), change("{}"))
            .await,
    );
}

async fn a_locked_flow_only_unlocks(db: &Db) {
    let ada = db.owner("ada").await;
    let flow = db.flow(&ada, "One").await;
    let lock = |locked| FlowChange {
        locked: Some(locked),
        ..FlowChange::default()
    };
    db.store
        .change_flow(&ada.by, flow.id, None, lock(true))
        .await
        .unwrap();
    let rename = || FlowChange {
        name: Some("Two".into()),
        ..FlowChange::default()
    };
    for refused in [rename(), lock(true)] {
        let refused = db.store.change_flow(&ada.by, flow.id, None, refused).await;
        assert!(matches!(refused, Err(StoreError::Locked("flow"))), "{refused:?}");
    }
    let refused = db.store.trash_flows(&ada.by, vec![flow.id], None).await;
    assert!(matches!(refused, Err(StoreError::Locked("flow"))), "{refused:?}");
    let refused = db
        .store
        .activate_version(
            &ada.by,
            flow.id,
            Activation {
                document: document("{}"),
                save_draft: Some("draft".into()),
                keep: 5,
                expected: None,
            },
        )
        .await;
    assert!(matches!(refused, Err(StoreError::Locked("flow"))), "{refused:?}");
    assert_eq!(
        db.store
            .versions(&ada.by, flow.id, Window::ALL)
            .await
            .unwrap()
            .total,
        0,
        "not half of it either"
    );
    let refused = db.store.trash_project(&ada.by, ada.project).await;
    assert!(matches!(refused, Err(StoreError::Refused(_))), "{refused:?}");
    db.store
        .change_flow(&ada.by, flow.id, None, lock(false))
        .await
        .unwrap();
    db.store
        .change_flow(&ada.by, flow.id, None, rename())
        .await
        .unwrap();
}

async fn a_taken_name_is_refused_on_change(db: &Db) {
    let ada = db.owner("ada").await;
    let mut one = ada.new_flow("One");
    one.endpoint_name = Some("one".into());
    db.make(&ada, one).await;
    let two = db.flow(&ada, "Two").await;
    for (change, field) in [
        (
            FlowChange {
                name: Some("One".into()),
                ..FlowChange::default()
            },
            "name",
        ),
        (
            FlowChange {
                endpoint_name: Some(Some("one".into())),
                ..FlowChange::default()
            },
            "endpoint_name",
        ),
    ] {
        let taken = db.store.change_flow(&ada.by, two.id, None, change).await;
        assert!(
            matches!(taken, Err(StoreError::Taken { noun: "flow", field: f }) if f == field),
            "{taken:?}"
        );
    }
    assert_eq!(db.store.flow_header(&ada.by, two.id).await.unwrap().revision, 1);
    let same = FlowChange {
        name: Some("Two".into()),
        ..FlowChange::default()
    };
    db.store.change_flow(&ada.by, two.id, None, same).await.unwrap();
}

async fn a_batch_is_all_or_nothing(db: &Db) {
    let ada = db.owner("ada").await;
    let mut bad = ada.new_flow("Bad");
    bad.folder_id = ferro_store::ProjectId::new();
    is_not_found(
        db.store
            .create_flows(&ada.by, vec![ada.new_flow("Good"), bad])
            .await,
    );
    let all = db
        .store
        .flow_headers(&ada.by, Default::default(), Default::default(), Window::ALL)
        .await
        .unwrap();
    assert_eq!(all.total, 0);
    let made = db
        .store
        .create_flows(&ada.by, vec![ada.new_flow("Same"), ada.new_flow("Same")])
        .await
        .unwrap();
    assert_eq!(
        (made[0].name.as_str(), made[1].name.as_str()),
        ("Same", "Same (1)")
    );
    is_not_found(
        db.store
            .trash_flows(&ada.by, vec![made[0].id, nowhere()], None)
            .await,
    );
    assert_eq!(
        db.store
            .trash_flows(&ada.by, vec![made[0].id, made[1].id], None)
            .await
            .unwrap(),
        2
    );
    assert!(db.store.create_flows(&ada.by, vec![]).await.unwrap().is_empty());
}

async fn creating_at_once_gives_distinct_names(db: &Db) {
    let ada = db.owner("ada").await;
    let (ada, count) = (&ada, 40);
    let made = join_all((0..count).map(|_| async move { db.flow(ada, "Echo").await.name })).await;
    let distinct: HashSet<_> = made.iter().collect();
    assert_eq!(distinct.len(), count, "{made:?}");
    let projects = join_all((0..count).map(|_| async move { db.project(ada, "Same").await.name })).await;
    let distinct: HashSet<_> = projects.iter().collect();
    assert_eq!(distinct.len(), count, "{projects:?}");
}

async fn of_changes_at_once_one_wins_per_revision(db: &Db) {
    let ada = db.owner("ada").await;
    let flow = db.flow(&ada, "One").await;
    let (ada, id) = (&ada, flow.id);
    let mut revision = 1;
    for round in 0..4 {
        let tries = join_all((0..50).map(|n| async move {
            let text = format!("{{\"round\":{round},\"saver\":{n}}}");
            let change = FlowChange {
                data: Some(document(&text)),
                ..FlowChange::default()
            };
            (
                text,
                db.store.change_flow(&ada.by, id, Some(revision), change).await,
            )
        }))
        .await;
        let (won, lost): (Vec<_>, Vec<_>) = tries.into_iter().partition(|(_, result)| result.is_ok());
        assert_eq!(won.len(), 1, "round {round}");
        for (_, result) in lost {
            assert!(matches!(result, Err(StoreError::Stale { .. })), "{result:?}");
        }
        let now = db.store.flow(&ada.by, id).await.unwrap();
        assert_eq!(
            now.data.as_ref(),
            Some(&won[0].0),
            "the winner's document is the one that is there"
        );
        revision += 1;
        assert_eq!(now.header.revision, revision);
    }
}
