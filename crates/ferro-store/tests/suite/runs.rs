//! Writing to runs and reading them back.

use std::{sync::Arc, time::Duration};

use ferro_store::{
    Append, DocumentHash, EventChunk, FlowId, Lease, MessageFilter, MessageId, MessageRecord, NewRun,
    RunDocument, RunId, RunStatus, RunUpdate, StoreError, Timestamp, Window, WorkerId,
};
use futures_util::future::join_all;

use crate::{
    both,
    db::{Db, Owner, SYSTEM, is_not_found},
};

both!(
    a_whole_run_in_one_write_comes_back,
    a_run_grows_without_gaps,
    many_runs_go_on_at_once,
    only_the_holder_writes,
    an_ended_run_takes_nothing_more,
    a_key_names_one_run,
    a_write_that_fails_leaves_nothing,
    many_messages_and_removals_go_along,
    a_message_of_another_session_is_not_overwritten,
);

pub fn worker() -> Lease {
    Lease {
        worker: WorkerId::new(),
        lasts: Duration::from_secs(60),
    }
}

pub fn document(text: &str) -> RunDocument {
    let mut hash = [0; 32];
    for (at, byte) in text.bytes().enumerate() {
        hash[at % 32] ^= byte.wrapping_add(at as u8);
    }
    RunDocument {
        hash: DocumentHash(hash),
        text: Arc::from(text),
    }
}

pub fn chunk(first_seq: i64, last_seq: i64) -> EventChunk {
    let events: Vec<_> = (first_seq..=last_seq)
        .map(|seq| format!("{{\"seq\":{seq}}}"))
        .collect();
    EventChunk {
        first_seq,
        last_seq,
        text: format!("[{}]", events.join(",")),
    }
}

pub fn message(flow_id: FlowId, session_id: &str, text: &str) -> MessageRecord {
    MessageRecord {
        id: MessageId::new(),
        flow_id,
        session_id: session_id.to_owned(),
        context_id: None,
        run_id: None,
        timestamp: Timestamp::now(),
        sender: "User".to_owned(),
        sender_name: "Ada".to_owned(),
        text: text.to_owned(),
        files: r#"["a/b.txt"]"#.to_owned(),
        error: false,
        edit: false,
        properties: r#"{ "icon":"x" }"#.to_owned(),
        category: "message".to_owned(),
        content_blocks: "[]".to_owned(),
        session_metadata: None,
        is_output: false,
        duration_ms: None,
    }
}

impl Owner {
    /// A run that this write makes, with its first two events.
    pub fn begins(&self, flow_id: FlowId) -> Append {
        let mut append = Append::new(RunId::new(), self.user.id, Append::FIRST_EPOCH);
        append.create = Some(NewRun {
            flow_id,
            flow_name: "Echo".to_owned(),
            kind: "api".to_owned(),
            session_id: "s".to_owned(),
            document: document(r#"{"nodes":[]}"#),
            request: "{}".to_owned(),
            lease: Some(worker()),
            parent: None,
            idempotency_key: None,
        });
        append.chunk = Some(chunk(1, 2));
        append
    }

    pub fn goes_on(&self, run_id: RunId, first_seq: i64) -> Append {
        let mut append = Append::new(run_id, self.user.id, Append::FIRST_EPOCH);
        append.chunk = Some(chunk(first_seq, first_seq + 1));
        append
    }

    pub fn ended(&self, flow_id: FlowId) -> Append {
        let mut append = self.begins(flow_id);
        append.update.status = Some(RunStatus::Completed);
        append
    }
}

impl Db {
    pub async fn write(&self, owner: &Owner, append: Append) -> RunId {
        let id = append.run_id;
        self.store.append_run(&owner.by, append).await.unwrap();
        id
    }
}

#[track_caller]
fn is_gap(result: Result<(), StoreError>, at: i64) {
    assert!(
        matches!(result, Err(StoreError::Gap { current }) if current == at),
        "{result:?}"
    );
}

#[track_caller]
fn is_fenced(result: Result<(), StoreError>) {
    assert!(matches!(result, Err(StoreError::Fenced)), "{result:?}");
}

async fn a_whole_run_in_one_write_comes_back(db: &Db) {
    let ada = db.owner("ada").await;
    let flow = FlowId::new();
    // Twice: the first brings its document, the second goes the short way.
    for _ in 0..2 {
        let mut append = ada.ended(flow);
        append.update = RunUpdate {
            status: Some(RunStatus::Failed),
            error: Some("no".to_owned()),
            output: Some("{\"a\":1}".to_owned()),
            input_tokens: Some(3),
            output_tokens: Some(4),
            cost_nanousd: Some(5),
        };
        let new = append.create.as_mut().unwrap();
        new.parent = Some((RunId::new(), 7));
        let parent = new.parent;
        let mut said = [message(flow, "s", "hello"), message(flow, "s", "hello back")];
        said[1].session_metadata = Some("{}".to_owned());
        said[1].duration_ms = Some(12);
        said[1].is_output = true;
        said[1].run_id = Some(append.run_id);
        append.messages = said.to_vec();
        let id = db.write(&ada, append).await;

        let run = db.store.run(&ada.by, id).await.unwrap();
        assert_eq!((run.status, run.last_seq, run.epoch), (RunStatus::Failed, 2, 1));
        assert_eq!((run.worker, run.lease_until), (None, None));
        assert_eq!(
            (run.user_id, run.flow_id, run.flow_name.as_str()),
            (ada.user.id, flow, "Echo")
        );
        assert_eq!(
            (run.error.as_deref(), run.output.as_deref()),
            (Some("no"), Some("{\"a\":1}"))
        );
        assert_eq!((run.input_tokens, run.output_tokens), (Some(3), Some(4)));
        assert_eq!(run.cost_nanousd, Some(5));
        assert_eq!(run.parent_id.zip(run.parent_seq), parent);
        assert_eq!(run.finished_at, Some(run.created_at));
        let events = db.store.run_events(&ada.by, id, 0, 10).await.unwrap();
        assert_eq!(events, [chunk(1, 2)]);
        let found = db
            .store
            .messages(
                &ada.by,
                MessageFilter {
                    ids: Some(said.iter().map(|message| message.id).collect()),
                    ..MessageFilter::default()
                },
                Window::ALL,
            )
            .await
            .unwrap();
        assert_eq!(found.items, said);
        assert_eq!(
            db.store.run_document(&ada.by, run.document_hash).await.unwrap(),
            r#"{"nodes":[]}"#
        );
    }
    assert_eq!(db.count("SELECT count(*) FROM run_documents").await, 1);
}

async fn a_run_grows_without_gaps(db: &Db) {
    let ada = db.owner("ada").await;
    let flow = FlowId::new();
    let id = db.write(&ada, ada.begins(flow)).await;
    assert_eq!(
        db.store.run(&ada.by, id).await.unwrap().status,
        RunStatus::Running
    );
    is_gap(db.store.append_run(&ada.by, ada.goes_on(id, 4)).await, 2);
    is_gap(db.store.append_run(&ada.by, ada.goes_on(id, 2)).await, 2);
    // With many messages it goes the long way, which must refuse the same.
    for count in 0..4 {
        let mut append = ada.goes_on(id, 9);
        append.messages = (0..count).map(|_| message(flow, "s", "no")).collect();
        is_gap(db.store.append_run(&ada.by, append).await, 2);
    }
    assert_eq!(db.count("SELECT count(*) FROM messages").await, 0);
    db.write(&ada, ada.goes_on(id, 3)).await;
    is_gap(db.store.append_run(&ada.by, ada.goes_on(id, 3)).await, 4);
    let mut late = ada.begins(flow);
    late.chunk = Some(chunk(2, 3));
    is_gap(db.store.append_run(&ada.by, late).await, 0);
    let mut backwards = ada.goes_on(id, 5);
    backwards.chunk = Some(chunk(5, 5));
    backwards.chunk.as_mut().unwrap().last_seq = 4;
    let refused = db.store.append_run(&ada.by, backwards).await;
    assert!(matches!(refused, Err(StoreError::Refused(_))), "{refused:?}");

    // Of writers that race for the same place exactly one gets it.
    let (ada, store) = (&ada, &db.store);
    let won = join_all((0..20).map(|_| async move { store.append_run(&ada.by, ada.goes_on(id, 5)).await }))
        .await
        .into_iter()
        .filter(|result| match result {
            Ok(()) => true,
            Err(StoreError::Gap { current: 6 }) => false,
            other => panic!("{other:?}"),
        })
        .count();
    assert_eq!(won, 1);
    let events = store.run_events(&ada.by, id, 0, 10).await.unwrap();
    assert_eq!(events, [chunk(1, 2), chunk(3, 4), chunk(5, 6)]);
    is_not_found(store.append_run(&ada.by, ada.goes_on(RunId::new(), 1)).await);
}

/// As when many models speak: runs that only get more events are written together, each for itself all the same.
async fn many_runs_go_on_at_once(db: &Db) {
    const ODD: usize = 7;
    let (store, ada) = (&db.store, &db.owner("ada").await);
    let mut ids = Vec::new();
    for _ in 0..45 {
        ids.push(db.write(ada, ada.begins(FlowId::new())).await);
    }
    for first in [3, 5, 7] {
        let written = join_all(ids.iter().enumerate().map(|(n, id)| async move {
            // In the second round one of them leaves a gap, and so its third does not fit either.
            let first = if (n, first) == (ODD, 5) { 15 } else { first };
            store.append_run(&ada.by, ada.goes_on(*id, first)).await
        }))
        .await;
        for (n, result) in written.into_iter().enumerate() {
            match n == ODD && first > 3 {
                true => is_gap(result, 4),
                false => result.unwrap(),
            }
        }
    }
    for (n, id) in ids.into_iter().enumerate() {
        let events = store.run_events(&ada.by, id, 0, 10).await.unwrap();
        let mut expected = vec![chunk(1, 2), chunk(3, 4), chunk(5, 6), chunk(7, 8)];
        expected.truncate(if n == ODD { 2 } else { 4 });
        assert_eq!(events, expected, "run {n}");
    }
}

async fn only_the_holder_writes(db: &Db) {
    let ada = db.owner("ada").await;
    let flow = FlowId::new();
    let mut short = ada.begins(flow);
    short.create.as_mut().unwrap().lease = Some(Lease {
        lasts: Duration::ZERO,
        ..worker()
    });
    let id = db.write(&ada, short).await;
    // A lease that is over is still good as long as nobody else has claimed the run.
    db.write(&ada, ada.goes_on(id, 3)).await;
    let claimed = db.store.claim_runs(&SYSTEM, worker(), 10).await.unwrap();
    assert_eq!(claimed.len(), 1);
    assert_eq!((claimed[0].id, claimed[0].epoch, claimed[0].last_seq), (id, 2, 4));

    for count in [0, 3] {
        let mut stale = ada.goes_on(id, 5);
        stale.messages = (0..count).map(|_| message(flow, "s", "no")).collect();
        is_fenced(db.store.append_run(&ada.by, stale).await);
    }
    let mut status_only = Append::new(id, ada.user.id, Append::FIRST_EPOCH);
    status_only.update.status = Some(RunStatus::Completed);
    is_fenced(db.store.append_run(&ada.by, status_only.clone()).await);
    assert_eq!(db.count("SELECT count(*) FROM messages").await, 0);

    let mut fresh = ada.goes_on(id, 5);
    fresh.epoch = 2;
    db.store.append_run(&SYSTEM, fresh).await.unwrap();
    status_only.epoch = 2;
    db.write(&ada, status_only).await;
    let run = db.store.run(&SYSTEM, id).await.unwrap();
    assert_eq!(
        (run.status, run.last_seq, run.worker),
        (RunStatus::Completed, 6, None)
    );
}

async fn an_ended_run_takes_nothing_more(db: &Db) {
    let ada = db.owner("ada").await;
    let id = db.write(&ada, ada.ended(FlowId::new())).await;
    is_fenced(db.store.append_run(&ada.by, ada.goes_on(id, 3)).await);
    let mut again = Append::new(id, ada.user.id, Append::FIRST_EPOCH);
    again.update.status = Some(RunStatus::Running);
    is_fenced(db.store.append_run(&ada.by, again).await);
    assert_eq!(
        db.store.run(&ada.by, id).await.unwrap().status,
        RunStatus::Completed
    );
}

async fn a_key_names_one_run(db: &Db) {
    let ada = db.owner("ada").await;
    let eve = db.owner("eve").await;
    let flow = FlowId::new();
    let keyed = |owner: &Owner, flow| {
        let mut append = owner.ended(flow);
        append.create.as_mut().unwrap().idempotency_key = Some("k".to_owned());
        append
    };
    let id = db.write(&ada, keyed(&ada, flow)).await;
    for _ in 0..2 {
        let again = db.store.append_run(&ada.by, keyed(&ada, flow)).await;
        assert!(
            matches!(
                again,
                Err(StoreError::Taken {
                    noun: "run",
                    field: "idempotency_key"
                })
            ),
            "{again:?}"
        );
    }
    let mut same_id = ada.ended(flow);
    same_id.run_id = id;
    let again = db.store.append_run(&ada.by, same_id).await;
    assert!(
        matches!(
            again,
            Err(StoreError::Taken {
                noun: "run",
                field: "id"
            })
        ),
        "{again:?}"
    );
    // The key is the owner's and the flow's.
    db.write(&ada, keyed(&ada, FlowId::new())).await;
    db.write(&eve, keyed(&eve, flow)).await;
    assert_eq!(
        db.store.run_by_key(&ada.by, flow, "k").await.unwrap().unwrap().id,
        id
    );
    assert!(
        db.store
            .run_by_key(&ada.by, flow, "other")
            .await
            .unwrap()
            .is_none()
    );
}

/// Some of them share a transaction, and each stands for itself.
async fn a_write_that_fails_leaves_nothing(db: &Db) {
    let ada = db.owner("ada").await;
    let eve = db.owner("eve").await;
    let flow = FlowId::new();
    let foreign = message(flow, "s", "eve's");
    db.store.create_message(&eve.by, foreign.clone()).await.unwrap();
    let (ada, foreign) = (&ada, &foreign);
    let results = join_all((0..60).map(|n| async move {
        let mut append = ada.ended(flow);
        append.messages = vec![message(flow, "s", "good")];
        if n % 3 == 0 {
            append.messages.push(foreign.clone());
        }
        db.store.append_run(&ada.by, append).await
    }))
    .await;
    for (n, result) in results.into_iter().enumerate() {
        match n % 3 {
            0 => assert!(
                matches!(
                    result,
                    Err(StoreError::Taken {
                        noun: "message",
                        field: "id"
                    })
                ),
                "{n}: {result:?}"
            ),
            _ => assert!(result.is_ok(), "{n}: {result:?}"),
        }
    }
    assert_eq!(db.count("SELECT count(*) FROM runs").await, 40);
    assert_eq!(db.count("SELECT count(*) FROM run_events").await, 40);
    assert_eq!(
        db.count("SELECT count(*) FROM messages WHERE text = 'good'")
            .await,
        40
    );
    assert_eq!(
        db.count("SELECT count(*) FROM messages WHERE text <> 'good'")
            .await,
        1
    );
}

async fn many_messages_and_removals_go_along(db: &Db) {
    let ada = db.owner("ada").await;
    let flow = FlowId::new();
    let mut append = ada.begins(flow);
    append.messages = (0..5).map(|n| message(flow, "s", &format!("{n}"))).collect();
    let mut said = append.messages.clone();
    let id = db.write(&ada, append).await;
    let mut append = ada.goes_on(id, 3);
    said[0].text = "changed".to_owned();
    said[0].duration_ms = Some(5);
    append.messages = vec![said[0].clone()];
    append.removed = vec![said[4].id, MessageId::new()];
    db.write(&ada, append).await;
    said.pop();
    let found = db
        .store
        .messages(&ada.by, MessageFilter::default(), Window::ALL)
        .await
        .unwrap();
    assert_eq!(found.items, said);
}

async fn a_message_of_another_session_is_not_overwritten(db: &Db) {
    let ada = db.owner("ada").await;
    let here = message(FlowId::new(), "s", "here");
    db.store.create_message(&ada.by, here.clone()).await.unwrap();
    // The same owner, but another flow.
    let mut elsewhere = here.clone();
    elsewhere.flow_id = FlowId::new();
    for extra in [0, 3] {
        let mut append = ada.ended(elsewhere.flow_id);
        append.messages = vec![elsewhere.clone()];
        append
            .messages
            .extend((0..extra).map(|_| message(elsewhere.flow_id, "s", "x")));
        let refused = db.store.append_run(&ada.by, append).await;
        assert!(
            matches!(refused, Err(StoreError::Taken { noun: "message", .. })),
            "{refused:?}"
        );
    }
    assert_eq!(db.count("SELECT count(*) FROM messages").await, 1);
    assert_eq!(db.count("SELECT count(*) FROM runs").await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn runs_that_wait_together_share_a_commit() {
    let db = Db::sqlite().await;
    let ada = db.owner("ada").await;
    let flow = FlowId::new();
    db.write(&ada, ada.ended(flow)).await;
    let (changes_before, commits_before) = db.store.write_counts().unwrap();
    let (ada, db, many) = (&ada, &db, 200);
    join_all((0..many).map(|_| async move {
        let mut append = ada.ended(flow);
        append.messages = vec![message(flow, "s", "in"), message(flow, "s", "out")];
        db.write(ada, append).await
    }))
    .await;
    let (changes, commits) = db.store.write_counts().unwrap();
    assert_eq!(changes - changes_before, many);
    assert!(
        commits - commits_before < many / 4,
        "{} commits",
        commits - commits_before
    );
    assert_eq!(db.count("SELECT count(*) FROM runs").await, 201);
    assert_eq!(db.count("SELECT count(*) FROM messages").await, 400);
}
