//! How changes reach the disk: together where they wait together, each for itself where one fails.

use ferro_store::{FlowChange, Role, StoreError};
use futures_util::future::join_all;

use crate::{
    both,
    db::{Db, document, nowhere},
};

both!(
    one_that_fails_takes_nothing_with_it,
    a_caller_that_goes_away_breaks_nothing
);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_that_wait_together_share_a_commit() {
    let db = Db::sqlite().await;
    let ada = db.owner("ada").await;
    let (changes_before, commits_before) = db.store.write_counts().unwrap();
    let (ada, many) = (&ada, 200);
    let db = &db;
    join_all((0..many).map(|n| async move { db.flow(ada, &format!("flow {n}")).await })).await;
    let (changes, commits) = db.store.write_counts().unwrap();
    assert_eq!(changes - changes_before, many);
    assert!(
        commits - commits_before < many / 4,
        "{} commits for {many} changes",
        commits - commits_before
    );
}

async fn one_that_fails_takes_nothing_with_it(db: &Db) {
    db.person("root", Role::Admin).await;
    let ada = db.owner("ada").await;
    let flow = db.flow(&ada, "One").await.id;
    let ada = &ada;
    let results = join_all((0..120).map(|n| async move {
        let text = format!("{{\"n\":{n}}}");
        match n % 4 {
            0 => db
                .store
                .create_flows(&ada.by, vec![ada.new_flow(&format!("flow {n}"))])
                .await
                .map(drop),
            1 => {
                // Fails after it has written something: the second of its flows has no project.
                let mut bad = ada.new_flow("bad");
                bad.folder_id = ferro_store::ProjectId::new();
                db.store
                    .create_flows(&ada.by, vec![ada.new_flow(&format!("half {n}")), bad])
                    .await
                    .map(drop)
            }
            2 => {
                let change = FlowChange {
                    data: Some(document(&text)),
                    ..FlowChange::default()
                };
                db.store
                    .change_flow(&ada.by, flow, Some(-1), change)
                    .await
                    .map(drop)
            }
            _ => db
                .store
                .trash_flows(&ada.by, vec![nowhere()], None)
                .await
                .map(drop),
        }
    }))
    .await;
    for (n, result) in results.into_iter().enumerate() {
        match n % 4 {
            0 => assert!(result.is_ok(), "{n}: {result:?}"),
            2 => assert!(
                matches!(result, Err(StoreError::Stale { current: 1, .. })),
                "{n}: {result:?}"
            ),
            _ => assert!(matches!(result, Err(StoreError::NotFound(_))), "{n}: {result:?}"),
        }
    }
    assert_eq!(db.count("SELECT count(*) FROM flows").await, 31);
    assert_eq!(db.count("SELECT count(*) FROM flow_data").await, 31);
    assert_eq!(
        db.count("SELECT count(*) FROM flows WHERE name LIKE 'half%'")
            .await,
        0
    );
}

async fn a_caller_that_goes_away_breaks_nothing(db: &Db) {
    let ada = db.owner("ada").await;
    for n in 0..20 {
        let name = format!("flow {n}");
        let flow = db.flow(&ada, &name);
        // Dropped after it was polled once: whether the change stands is open, that the next one works is not.
        let _ = tokio::time::timeout(std::time::Duration::from_micros(n * 50), flow).await;
    }
    let last = db.flow(&ada, "last").await;
    assert_eq!(db.store.flow_header(&ada.by, last.id).await.unwrap().name, "last");
}
