//! Who runs what, and what becomes of runs that are over.

use std::{collections::HashSet, time::Duration};

use ferro_store::{Append, FlowId, Lease, RunFilter, RunId, RunStatus, StoreError, Timestamp, WorkerId};
use futures_util::future::join_all;

use crate::{
    both,
    db::{Db, Owner, SYSTEM, is_forbidden, is_not_found},
    runs::{document, worker},
};

both!(
    two_workers_share_the_queue,
    a_run_is_taken_over_when_its_lease_ends,
    a_waiting_run_is_claimed_by_name_alone,
    leases_are_renewed_and_released,
    old_runs_go_and_take_their_events,
    each_flow_keeps_its_newest,
    deleting_leaves_what_is_going_on,
    one_run_is_deleted_when_it_is_over,
    only_the_system_claims_and_purges,
);

impl Owner {
    fn queued(&self, flow: FlowId) -> Append {
        let mut append = self.begins(flow);
        append.create.as_mut().unwrap().lease = None;
        append
    }
}

fn over(worker: WorkerId) -> Lease {
    Lease {
        worker,
        lasts: Duration::ZERO,
    }
}

async fn two_workers_share_the_queue(db: &Db) {
    let ada = db.owner("ada").await;
    let flow = FlowId::new();
    let mut queued = Vec::new();
    for _ in 0..40 {
        queued.push(db.write(&ada, ada.queued(flow)).await);
    }
    let run = db.store.run(&ada.by, queued[0]).await.unwrap();
    assert_eq!((run.status, run.epoch, run.worker), (RunStatus::Queued, 0, None));
    let first = worker();
    let oldest = db.store.claim_runs(&SYSTEM, first, 3).await.unwrap();
    assert_eq!(oldest.iter().map(|run| run.id).collect::<Vec<_>>(), queued[..3]);
    assert!(
        oldest
            .iter()
            .all(|run| run.worker == Some(first.worker) && run.epoch == 1)
    );

    let claims =
        join_all((0..8).map(|_| async { db.store.claim_runs(&SYSTEM, worker(), 7).await.unwrap() })).await;
    let mut claimed: Vec<RunId> = claims.iter().flatten().map(|run| run.id).collect();
    loop {
        let more = db.store.claim_runs(&SYSTEM, worker(), 7).await.unwrap();
        if more.is_empty() {
            break;
        }
        claimed.extend(more.iter().map(|run| run.id));
    }
    assert_eq!(claimed.len(), 37);
    let different: HashSet<_> = claimed.iter().chain(&queued[..3]).collect();
    assert_eq!(different.len(), 40, "no run was given out twice");
}

async fn a_run_is_taken_over_when_its_lease_ends(db: &Db) {
    let ada = db.owner("ada").await;
    let flow = FlowId::new();
    let held = db.write(&ada, ada.begins(flow)).await;
    let mut died = ada.begins(flow);
    died.create.as_mut().unwrap().lease = Some(over(WorkerId::new()));
    let died = db.write(&ada, died).await;
    db.write(&ada, ada.ended(flow)).await;
    let claimed = db
        .store
        .claim_runs(&SYSTEM, over(WorkerId::new()), 10)
        .await
        .unwrap();
    assert_eq!(
        claimed.iter().map(|run| (run.id, run.epoch)).collect::<Vec<_>>(),
        [(died, 2)]
    );
    // That one dies as well.
    let claimed = db.store.claim_runs(&SYSTEM, worker(), 10).await.unwrap();
    assert_eq!(
        claimed.iter().map(|run| (run.id, run.epoch)).collect::<Vec<_>>(),
        [(died, 3)]
    );
    assert!(
        db.store
            .claim_runs(&SYSTEM, worker(), 10)
            .await
            .unwrap()
            .is_empty()
    );
    assert!(
        db.store
            .claim_run(&SYSTEM, held, worker())
            .await
            .unwrap()
            .is_none()
    );
    let mut resumed = ada.goes_on(died, 3);
    resumed.epoch = 3;
    resumed.update.status = Some(RunStatus::Completed);
    db.write(&ada, resumed).await;
    assert_eq!(db.store.run(&ada.by, died).await.unwrap().last_seq, 4);
}

async fn a_waiting_run_is_claimed_by_name_alone(db: &Db) {
    let ada = db.owner("ada").await;
    let mut asks = ada.begins(FlowId::new());
    asks.update.status = Some(RunStatus::Waiting);
    let id = db.write(&ada, asks).await;
    let run = db.store.run(&ada.by, id).await.unwrap();
    assert_eq!((run.worker, run.lease_until, run.finished_at), (None, None, None));
    assert!(
        db.store
            .claim_runs(&SYSTEM, worker(), 10)
            .await
            .unwrap()
            .is_empty()
    );
    let run = db.store.claim_run(&SYSTEM, id, worker()).await.unwrap().unwrap();
    assert_eq!((run.status, run.epoch), (RunStatus::Waiting, 2));
    assert!(db.store.claim_run(&SYSTEM, id, worker()).await.unwrap().is_none());
    let mut answered = ada.goes_on(id, 3);
    answered.epoch = 2;
    answered.update.status = Some(RunStatus::Queued);
    db.write(&ada, answered).await;
    assert_eq!(
        db.store.claim_runs(&SYSTEM, worker(), 10).await.unwrap()[0].epoch,
        3
    );
    assert!(
        db.store
            .claim_run(&SYSTEM, RunId::new(), worker())
            .await
            .unwrap()
            .is_none()
    );
}

async fn leases_are_renewed_and_released(db: &Db) {
    let ada = db.owner("ada").await;
    let flow = FlowId::new();
    for _ in 0..3 {
        db.write(&ada, ada.queued(flow)).await;
    }
    let mine = worker();
    let held = db.store.claim_runs(&SYSTEM, over(mine.worker), 2).await.unwrap();
    let mut renewed = db.store.renew_leases(&SYSTEM, mine).await.unwrap();
    renewed.sort();
    assert_eq!(renewed, held.iter().map(|run| run.id).collect::<Vec<_>>());
    assert!(db.store.renew_leases(&SYSTEM, worker()).await.unwrap().is_empty());
    let other = db.store.claim_runs(&SYSTEM, worker(), 10).await.unwrap();
    assert_eq!(other.len(), 1, "what was renewed is not to be had");
    assert_eq!(db.store.release_leases(&SYSTEM, mine.worker).await.unwrap(), 2);
    let freed = db.store.claim_runs(&SYSTEM, worker(), 10).await.unwrap();
    assert_eq!(freed.iter().map(|run| run.epoch).collect::<Vec<_>>(), [2, 2]);
    assert!(db.store.renew_leases(&SYSTEM, mine).await.unwrap().is_empty());
}

async fn old_runs_go_and_take_their_events(db: &Db) {
    let ada = db.owner("ada").await;
    let flow = FlowId::new();
    // More than go in one transaction.
    join_all((0..1_100).map(|_| db.write(&ada, ada.ended(flow)))).await;
    let going = db.write(&ada, ada.begins(flow)).await;
    let mut other = ada.ended(flow);
    other.create.as_mut().unwrap().document = document("another");
    db.write(&ada, other).await;
    assert_eq!(
        db.store
            .purge_runs(&SYSTEM, Some(Timestamp(0)), None)
            .await
            .unwrap(),
        0
    );
    assert_eq!(db.store.purge_runs(&SYSTEM, None, None).await.unwrap(), 0);
    let later = Timestamp::now().plus(Duration::from_secs(1));
    assert_eq!(
        db.store.purge_runs(&SYSTEM, Some(later), None).await.unwrap(),
        1_101
    );
    assert_eq!(db.count("SELECT count(*) FROM runs").await, 1);
    assert_eq!(db.count("SELECT count(*) FROM run_events").await, 1);
    assert_eq!(db.count("SELECT count(*) FROM run_documents").await, 1);
    assert_eq!(db.store.run(&ada.by, going).await.unwrap().last_seq, 2);
    let mut back = ada.ended(flow);
    back.create.as_mut().unwrap().document = document("another");
    db.write(&ada, back).await;
}

async fn each_flow_keeps_its_newest(db: &Db) {
    let (ada, eve) = (db.owner("ada").await, db.owner("eve").await);
    let (one, two) = (FlowId::new(), FlowId::new());
    let going = db.write(&ada, ada.begins(one)).await;
    let mut kept = vec![going];
    for owner in [&ada, &eve] {
        for flow in [one, two] {
            let mut made = Vec::new();
            for _ in 0..4 {
                made.push(db.write(owner, owner.ended(flow)).await);
            }
            kept.extend(&made[2..]);
        }
    }
    assert_eq!(db.store.purge_runs(&SYSTEM, None, Some(2)).await.unwrap(), 8);
    let left = db
        .store
        .runs(&SYSTEM, RunFilter::default(), ferro_store::Window::ALL)
        .await
        .unwrap();
    let left: HashSet<_> = left.items.iter().map(|run| run.id).collect();
    assert_eq!(left, kept.into_iter().collect());
    assert_eq!(db.store.purge_runs(&SYSTEM, None, Some(2)).await.unwrap(), 0);
}

async fn deleting_leaves_what_is_going_on(db: &Db) {
    let (ada, eve) = (db.owner("ada").await, db.owner("eve").await);
    let flow = FlowId::new();
    let gone = db.write(&ada, ada.ended(flow)).await;
    let going = db.write(&ada, ada.begins(flow)).await;
    let elsewhere = db.write(&ada, ada.ended(FlowId::new())).await;
    let eves = db.write(&eve, eve.ended(flow)).await;
    let filter = RunFilter {
        flow_id: Some(flow),
        ..RunFilter::default()
    };
    assert_eq!(db.store.delete_runs(&ada.by, filter).await.unwrap(), 1);
    is_not_found(db.store.run(&ada.by, gone).await);
    for (owner, id) in [(&ada, going), (&ada, elsewhere), (&eve, eves)] {
        db.store.run(&owner.by, id).await.unwrap();
    }
    assert_eq!(
        db.store.delete_runs(&SYSTEM, RunFilter::default()).await.unwrap(),
        2
    );
}

async fn one_run_is_deleted_when_it_is_over(db: &Db) {
    let (ada, eve) = (db.owner("ada").await, db.owner("eve").await);
    let flow = FlowId::new();
    let over = db.write(&ada, ada.ended(flow)).await;
    let other = db.write(&ada, ada.ended(flow)).await;
    let going = db.write(&ada, ada.begins(flow)).await;
    is_not_found(db.store.delete_run(&eve.by, over).await);
    is_not_found(db.store.delete_run(&eve.by, going).await);
    is_not_found(db.store.delete_run(&ada.by, RunId::new()).await);
    let refused = db.store.delete_run(&ada.by, going).await;
    assert!(matches!(refused, Err(StoreError::Refused(_))), "{refused:?}");
    db.store.delete_run(&ada.by, over).await.unwrap();
    is_not_found(db.store.run(&ada.by, over).await);
    is_not_found(db.store.delete_run(&ada.by, over).await);
    for id in [other, going] {
        db.store.run(&ada.by, id).await.unwrap();
    }
    assert_eq!(db.count("SELECT count(*) FROM run_events").await, 2);
    db.store.delete_run(&SYSTEM, other).await.unwrap();
}

async fn only_the_system_claims_and_purges(db: &Db) {
    let ada = db.owner("ada").await;
    let id = db.write(&ada, ada.queued(FlowId::new())).await;
    is_forbidden(db.store.claim_runs(&ada.by, worker(), 1).await);
    is_forbidden(db.store.claim_run(&ada.by, id, worker()).await);
    is_forbidden(db.store.renew_leases(&ada.by, worker()).await);
    is_forbidden(db.store.release_leases(&ada.by, WorkerId::new()).await);
    is_forbidden(db.store.purge_runs(&ada.by, None, None).await);
}
