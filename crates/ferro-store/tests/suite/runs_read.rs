//! Runs as they are found again.

use ferro_store::{FlowId, Principal, RunFilter, RunId, RunStatus, Window};

use crate::{
    both,
    db::{Db, SYSTEM, is_forbidden, is_not_found},
    runs::message,
};

both!(
    readers_begin_where_they_left_off,
    lists_are_newest_first_and_filtered,
    a_document_is_kept_once_and_comes_back_when_it_was_purged,
    texts_may_hold_anything,
);

async fn readers_begin_where_they_left_off(db: &Db) {
    let ada = db.owner("ada").await;
    let id = db.write(&ada, ada.begins(FlowId::new())).await;
    for first in [3, 5, 7] {
        db.write(&ada, ada.goes_on(id, first)).await;
    }
    let after = |seq, max| {
        let (store, by) = (db.store.clone(), ada.by);
        async move {
            let chunks = store.run_events(&by, id, seq, max).await.unwrap();
            chunks.iter().map(|chunk| chunk.first_seq).collect::<Vec<_>>()
        }
    };
    assert_eq!(after(0, 10).await, [1, 3, 5, 7]);
    assert_eq!(after(0, 2).await, [1, 3]);
    assert_eq!(after(1, 10).await, [1, 3, 5, 7]);
    assert_eq!(after(2, 10).await, [3, 5, 7]);
    assert_eq!(after(5, 10).await, [5, 7]);
    assert_eq!(after(7, 10).await, [7]);
    assert!(after(8, 10).await.is_empty());
    assert!(after(100, 10).await.is_empty());
    assert_eq!(after(-5, 1).await, [1]);
    is_not_found(db.store.run_events(&ada.by, RunId::new(), 0, 10).await);
}

async fn lists_are_newest_first_and_filtered(db: &Db) {
    let ada = db.owner("ada").await;
    let (one, two) = (FlowId::new(), FlowId::new());
    let mut made = Vec::new();
    for (flow, session, kind, status) in [
        (one, "a", "api", RunStatus::Completed),
        (one, "b", "api", RunStatus::Failed),
        (two, "a", "webhook", RunStatus::Waiting),
        (two, "b", "api", RunStatus::Queued),
    ] {
        let mut append = ada.begins(flow);
        append.update.status = Some(status);
        let new = append.create.as_mut().unwrap();
        (new.session_id, new.kind) = (session.to_owned(), kind.to_owned());
        new.parent = made.first().map(|first| (*first, 1));
        made.push(db.write(&ada, append).await);
    }
    let listed = |by, filter: RunFilter, window| {
        let (store, made) = (db.store.clone(), made.clone());
        async move {
            let page = store.runs(&by, filter, window).await.unwrap();
            let places: Vec<_> = page
                .items
                .iter()
                .map(|run| made.iter().position(|id| *id == run.id).unwrap())
                .collect();
            (places, page.total)
        }
    };
    let all = RunFilter::default;
    let status = |status: &[RunStatus]| RunFilter {
        status: status.to_vec(),
        ..all()
    };
    for by in [ada.by, SYSTEM] {
        assert_eq!(listed(by, all(), Window::ALL).await, (vec![3, 2, 1, 0], 4));
        assert_eq!(
            listed(by, all(), Window { offset: 1, limit: 2 }).await,
            (vec![2, 1], 4)
        );
        let flow = RunFilter {
            flow_id: Some(one),
            ..all()
        };
        assert_eq!(listed(by, flow.clone(), Window::ALL).await.0, [1, 0]);
        let session = RunFilter {
            session_id: Some("a".into()),
            ..all()
        };
        assert_eq!(listed(by, session.clone(), Window::ALL).await.0, [2, 0]);
        let both = RunFilter {
            flow_id: Some(one),
            ..session
        };
        assert_eq!(listed(by, both, Window::ALL).await.0, [0]);
        let kind = RunFilter {
            kind: Some("webhook".into()),
            ..all()
        };
        assert_eq!(listed(by, kind, Window::ALL).await.0, [2]);
        let forks = RunFilter {
            parent_id: Some(made[0]),
            ..all()
        };
        assert_eq!(listed(by, forks, Window::ALL).await.0, [3, 2, 1]);
        assert_eq!(
            listed(by, status(&[RunStatus::Waiting]), Window::ALL).await.0,
            [2]
        );
        assert_eq!(
            listed(
                by,
                status(&[RunStatus::Waiting, RunStatus::Failed]),
                Window { offset: 0, limit: 1 }
            )
            .await,
            (vec![2], 2)
        );
        let waiting = RunFilter {
            flow_id: Some(one),
            ..status(&[RunStatus::Waiting])
        };
        assert!(listed(by, waiting, Window::ALL).await.0.is_empty());
        let third = db.store.run(&by, made[2]).await.unwrap();
        let before = RunFilter {
            before: Some(third.created_at),
            ..all()
        };
        assert_eq!(listed(by, before, Window::ALL).await.0, [1, 0]);
    }
    is_forbidden(db.store.runs(&Principal::Nobody, all(), Window::ALL).await);
}

async fn a_document_is_kept_once_and_comes_back_when_it_was_purged(db: &Db) {
    let ada = db.owner("ada").await;
    let flow = FlowId::new();
    db.write(&ada, ada.ended(flow)).await;
    // Behind the store's back, as another server's retention would.
    db.tamper("DELETE FROM runs").await;
    db.tamper("DELETE FROM run_documents").await;
    for _ in 0..2 {
        db.write(&ada, ada.ended(flow)).await;
    }
    assert_eq!(db.count("SELECT count(*) FROM run_documents").await, 1);
    let mut nobodys = ada.ended(flow);
    nobodys.owner = ferro_store::UserId::new();
    is_not_found(db.store.append_run(&SYSTEM, nobodys).await);
}

async fn texts_may_hold_anything(db: &Db) {
    let ada = db.owner("ada").await;
    let flow = FlowId::new();
    let odd = "a\0b 한국어 🦀 ' \" \\ %_";
    let mut append = ada.ended(flow);
    let new = append.create.as_mut().unwrap();
    (new.session_id, new.flow_name) = (odd.to_owned(), odd.to_owned());
    append.update.error = Some(odd.to_owned());
    append.messages = vec![message(flow, odd, odd)];
    let mut big = message(flow, odd, &odd.repeat(100_000));
    big.context_id = Some(odd.to_owned());
    append.messages.push(big);
    append.chunk.as_mut().unwrap().text = odd.repeat(100_000);
    let id = db.write(&ada, append).await;
    let events = db.store.run_events(&ada.by, id, 0, 1).await.unwrap();
    assert_eq!(
        events[0].text,
        odd.repeat(100_000),
        "events are kept byte for byte"
    );
    let kept = odd.replace('\0', "\u{fffd}");
    let found = db
        .store
        .newest_messages(&ada.by, flow, odd, ferro_store::NewestFilter::default(), 9)
        .await
        .unwrap();
    assert_eq!(found.len(), 2);
    assert_eq!((&found[0].text, &found[0].session_id), (&kept, &kept));
    assert_eq!(db.store.run(&ada.by, id).await.unwrap().error, Some(kept));
}
