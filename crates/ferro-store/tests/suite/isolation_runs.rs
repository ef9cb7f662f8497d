//! One person's runs and messages are not there for another, whichever method is asked.

use ferro_store::{
    MessageChange, MessageFilter, NewestFilter, Principal, Role, RunFilter, RunStatus, Window,
};

use crate::{
    both,
    db::{Db, SYSTEM, is_forbidden, is_not_found},
    runs::message,
};

both!(runs_are_ones_own, messages_are_ones_own);

async fn runs_are_ones_own(db: &Db) {
    db.person("root", Role::Admin).await;
    let (ada, eve) = (db.owner("ada").await, db.owner("eve").await);
    let store = &db.store;
    let flow = db.flow(&ada, "Runs").await.id;
    let mut keyed = ada.begins(flow);
    keyed.create.as_mut().unwrap().idempotency_key = Some("k".to_owned());
    let id = db.write(&ada, keyed).await;
    let ended = db.write(&ada, ada.ended(flow)).await;
    let before = format!("{:?}", store.run(&ada.by, id).await.unwrap());
    let document = store.run(&ada.by, id).await.unwrap().document_hash;

    is_not_found(store.run(&eve.by, id).await);
    is_not_found(store.run_events(&eve.by, id, 0, 10).await);
    is_not_found(store.run_document(&eve.by, document).await);
    assert!(store.run_by_key(&eve.by, flow, "k").await.unwrap().is_none());
    // As herself, and in the name of the other.
    is_not_found(store.append_run(&eve.by, eve.goes_on(id, 3)).await);
    is_not_found(store.append_run(&eve.by, ada.goes_on(id, 3)).await);
    is_not_found(store.append_run(&eve.by, ada.begins(flow)).await);
    let mut many = eve.goes_on(id, 3);
    many.messages = (0..3).map(|_| message(flow, "s", "x")).collect();
    is_not_found(store.append_run(&eve.by, many).await);
    let of_flow = RunFilter {
        flow_id: Some(flow),
        ..RunFilter::default()
    };
    let of_session = RunFilter {
        session_id: Some("s".to_owned()),
        ..RunFilter::default()
    };
    let unfinished = RunFilter {
        status: vec![RunStatus::Running],
        ..RunFilter::default()
    };
    for filter in [of_flow, of_session, unfinished, RunFilter::default()] {
        assert!(
            store
                .runs(&eve.by, filter.clone(), Window::ALL)
                .await
                .unwrap()
                .items
                .is_empty()
        );
        assert_eq!(store.delete_runs(&eve.by, filter).await.unwrap(), 0);
    }
    assert_eq!(format!("{:?}", store.run(&ada.by, id).await.unwrap()), before);
    store.run(&ada.by, ended).await.unwrap();
    let by = Principal::Nobody;
    is_forbidden(store.run(&by, id).await);
    is_forbidden(store.run_events(&by, id, 0, 1).await);
    is_forbidden(store.run_document(&by, document).await);
    is_forbidden(store.run_by_key(&by, flow, "k").await);
    is_forbidden(store.append_run(&by, ada.goes_on(id, 3)).await);
    is_forbidden(store.delete_runs(&by, RunFilter::default()).await);
    is_forbidden(store.delete_run(&by, ended).await);
    // The same flow document, by now used by both.
    db.write(&eve, eve.ended(flow)).await;
    store.run_document(&eve.by, document).await.unwrap();
    store.delete_user(&SYSTEM, ada.user.id).await.unwrap();
    assert_eq!(db.count("SELECT count(*) FROM runs").await, 1);
    assert_eq!(db.count("SELECT count(*) FROM run_events").await, 1);
}

async fn messages_are_ones_own(db: &Db) {
    db.person("root", Role::Admin).await;
    let (ada, eve) = (db.owner("ada").await, db.owner("eve").await);
    let store = &db.store;
    let flow = db.flow(&ada, "Chat").await.id;
    let said = message(flow, "s", "secret");
    store.create_message(&ada.by, said.clone()).await.unwrap();

    let filters = [
        MessageFilter::default(),
        MessageFilter {
            flow_id: Some(flow),
            session_id: Some("s".to_owned()),
            ..MessageFilter::default()
        },
        MessageFilter {
            ids: Some(vec![said.id]),
            ..MessageFilter::default()
        },
    ];
    for filter in filters {
        assert!(
            store
                .messages(&eve.by, filter, Window::ALL)
                .await
                .unwrap()
                .items
                .is_empty()
        );
    }
    let newest = store
        .newest_messages(&eve.by, flow, "s", NewestFilter::default(), 9)
        .await;
    assert!(newest.unwrap().is_empty());
    assert!(
        store
            .message_sessions(&eve.by, Some(flow))
            .await
            .unwrap()
            .is_empty()
    );
    let change = MessageChange {
        text: Some("defaced".to_owned()),
        ..MessageChange::default()
    };
    is_not_found(store.change_message(&eve.by, said.id, change).await);
    assert_eq!(store.delete_messages(&eve.by, vec![said.id]).await.unwrap(), 0);
    assert_eq!(store.rename_session(&eve.by, None, "s", "t").await.unwrap(), 0);
    assert_eq!(store.delete_session(&eve.by, Some(flow), "s").await.unwrap(), 0);
    let mut removes = eve.ended(flow);
    removes.removed = vec![said.id];
    store.append_run(&eve.by, removes).await.unwrap();
    let mut times = eve.ended(flow);
    times.durations = vec![(said.id, 7)];
    store.append_run(&eve.by, times).await.unwrap();
    let mut overwrites = eve.ended(flow);
    overwrites.messages = vec![said.clone()];
    assert!(store.append_run(&eve.by, overwrites).await.is_err());
    let found = store
        .messages(&ada.by, MessageFilter::default(), Window::ALL)
        .await
        .unwrap();
    assert_eq!(found.items, [said]);
    store.delete_user(&SYSTEM, ada.user.id).await.unwrap();
    assert_eq!(db.count("SELECT count(*) FROM messages").await, 0);
}
