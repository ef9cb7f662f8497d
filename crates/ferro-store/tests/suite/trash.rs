//! The trash: away, back again, and gone for good.

use std::time::Duration;

use ferro_store::{FlowFilter, FlowId, FlowOrder, TrashItem, TrashKind, Window};

use crate::{
    both,
    db::{Db, Owner, SYSTEM, is_not_found},
    runs::message,
};

both!(
    a_flow_comes_back_under_a_free_name,
    a_project_takes_its_flows_along_and_brings_them_back,
    a_flow_outlives_its_project,
    purging_is_for_good,
    old_trash_goes_and_young_trash_stays,
    runs_and_messages_go_with_their_flow,
);

const STARTER: &str = "Starter Project";

impl Db {
    async fn in_trash(&self, owner: &Owner) -> Vec<(TrashKind, String, i64)> {
        let items = self.store.trash(&owner.by).await.unwrap();
        items
            .into_iter()
            .map(
                |TrashItem {
                     kind,
                     name,
                     flow_count,
                     ..
                 }| (kind, name, flow_count),
            )
            .collect()
    }

    async fn listed(&self, owner: &Owner) -> String {
        let all = self
            .store
            .flow_headers(&owner.by, FlowFilter::default(), FlowOrder::NameUp, Window::ALL)
            .await;
        all.unwrap()
            .items
            .into_iter()
            .map(|flow| flow.name)
            .collect::<Vec<_>>()
            .join(",")
    }
}

async fn a_flow_comes_back_under_a_free_name(db: &Db) {
    let ada = db.owner("ada").await;
    let mut new = ada.new_flow("Echo");
    new.endpoint_name = Some("echo".into());
    let flow = db.make(&ada, new.clone()).await;
    db.store.create_version(&ada.by, flow.id, None, 5).await.unwrap();
    db.store
        .trash_flows(&ada.by, vec![flow.id], Some(1))
        .await
        .unwrap();
    is_not_found(db.store.flow(&ada.by, flow.id).await);
    is_not_found(db.store.trash_flows(&ada.by, vec![flow.id], None).await);
    assert_eq!(db.in_trash(&ada).await, [(TrashKind::Flow, "Echo".into(), 0)]);

    let second = db.make(&ada, new).await;
    assert_eq!(
        (second.name.as_str(), second.endpoint_name.as_deref()),
        ("Echo", Some("echo")),
        "its name is free"
    );
    let name = db
        .store
        .restore(&ada.by, TrashKind::Flow, flow.id.0, STARTER)
        .await
        .unwrap();
    assert_eq!(name, "Echo (1)");
    let back = db.store.flow_header(&ada.by, flow.id).await.unwrap();
    assert_eq!(
        (back.endpoint_name.as_deref(), back.revision, back.folder_id),
        (Some("echo-1"), 2, ada.project)
    );
    assert_eq!(
        db.store
            .versions(&ada.by, flow.id, Window::ALL)
            .await
            .unwrap()
            .total,
        1
    );
    is_not_found(
        db.store
            .restore(&ada.by, TrashKind::Flow, flow.id.0, STARTER)
            .await,
    );
    is_not_found(
        db.store
            .restore(&ada.by, TrashKind::Project, flow.id.0, STARTER)
            .await,
    );
}

async fn a_project_takes_its_flows_along_and_brings_them_back(db: &Db) {
    let ada = db.owner("ada").await;
    let project = db.project(&ada, "Birds").await.id;
    let inside = |name: &str| {
        let mut new = ada.new_flow(name);
        new.folder_id = project;
        new
    };
    let early = db.make(&ada, inside("Early")).await;
    db.make(&ada, inside("Crane")).await;
    db.make(&ada, inside("Gull")).await;
    db.store.trash_flows(&ada.by, vec![early.id], None).await.unwrap();
    db.store.trash_project(&ada.by, project).await.unwrap();
    assert_eq!(db.listed(&ada).await, "");
    assert_eq!(
        db.in_trash(&ada).await,
        [
            (TrashKind::Project, "Birds".into(), 2),
            (TrashKind::Flow, "Early".into(), 0)
        ],
        "the flow that was deleted before stands for itself"
    );
    is_not_found(db.store.trash_project(&ada.by, project).await);

    db.project(&ada, "Birds").await;
    db.flow(&ada, "Crane").await;
    let name = db
        .store
        .restore(&ada.by, TrashKind::Project, project.0, STARTER)
        .await
        .unwrap();
    assert_eq!(name, "Birds (1)");
    assert_eq!(db.listed(&ada).await, "Crane,Crane (1),Gull");
    assert_eq!(db.store.project(&ada.by, project).await.unwrap().flow_count, 2);
    assert_eq!(db.in_trash(&ada).await, [(TrashKind::Flow, "Early".into(), 0)]);
}

async fn a_flow_outlives_its_project(db: &Db) {
    let ada = db.owner("ada").await;
    let flow = db.flow(&ada, "Crane").await;
    db.store.trash_flows(&ada.by, vec![flow.id], None).await.unwrap();
    db.store.trash_project(&ada.by, ada.project).await.unwrap();
    db.store
        .restore(&ada.by, TrashKind::Flow, flow.id.0, STARTER)
        .await
        .unwrap();
    let back = db.store.flow_header(&ada.by, flow.id).await.unwrap();
    assert_ne!(
        back.folder_id, ada.project,
        "its project is in the trash, so it gets another"
    );
    db.store
        .purge(&ada.by, TrashKind::Project, ada.project.0)
        .await
        .unwrap();
    assert_eq!(
        db.listed(&ada).await,
        "Crane",
        "purging the old project does not take it along"
    );
}

async fn purging_is_for_good(db: &Db) {
    let ada = db.owner("ada").await;
    let flow = db.flow(&ada, "Crane").await;
    db.store.create_version(&ada.by, flow.id, None, 5).await.unwrap();
    is_not_found(db.store.purge(&ada.by, TrashKind::Flow, flow.id.0).await);
    is_not_found(db.store.purge(&ada.by, TrashKind::Project, ada.project.0).await);
    db.store.trash_flows(&ada.by, vec![flow.id], None).await.unwrap();
    db.store.purge(&ada.by, TrashKind::Flow, flow.id.0).await.unwrap();
    is_not_found(
        db.store
            .restore(&ada.by, TrashKind::Flow, flow.id.0, STARTER)
            .await,
    );
    let parts = "SELECT (SELECT count(*) FROM flow_data) + (SELECT count(*) FROM flow_versions)";
    assert_eq!(db.count(parts).await, 0);

    let below = db.project(&ada, "below").await;
    db.flow(&ada, "Gull").await;
    let inside = ferro_store::ProjectChange {
        parent_id: Some(Some(ada.project)),
        ..Default::default()
    };
    db.store.change_project(&ada.by, below.id, inside).await.unwrap();
    db.store.trash_project(&ada.by, ada.project).await.unwrap();
    assert_eq!(db.store.empty_trash(&ada.by).await.unwrap(), 2);
    assert_eq!(db.store.empty_trash(&ada.by).await.unwrap(), 0);
    assert_eq!(db.store.project(&ada.by, below.id).await.unwrap().parent_id, None);
}

async fn old_trash_goes_and_young_trash_stays(db: &Db) {
    let ada = db.owner("ada").await;
    let old = db.flow(&ada, "Old").await;
    let young = db.flow(&ada, "Young").await;
    let day = Duration::from_secs(86_400);
    db.store.trash_flows(&ada.by, vec![old.id], None).await.unwrap();
    db.tamper("UPDATE flows SET deleted_at = deleted_at - 172800000000 WHERE deleted_at IS NOT NULL")
        .await;
    db.store.trash_flows(&ada.by, vec![young.id], None).await.unwrap();
    assert_eq!(db.store.purge_older_than(&SYSTEM, day).await.unwrap(), 1);
    assert_eq!(db.in_trash(&ada).await, [(TrashKind::Flow, "Young".into(), 0)]);
}

async fn runs_and_messages_go_with_their_flow(db: &Db) {
    let (ada, eve) = (db.owner("ada").await, db.owner("eve").await);
    let project = db.project(&ada, "Other").await.id;
    let mut inside = ada.new_flow("Inside");
    inside.folder_id = project;
    let flows = [
        db.flow(&ada, "Purged").await.id,
        db.make(&ada, inside).await.id,
        db.flow(&ada, "Emptied").await.id,
        db.flow(&ada, "Kept").await.id,
    ];
    for flow in flows {
        // Somebody else's under the same id stays: it is another session.
        for owner in [&ada, &eve] {
            let mut run = owner.ended(flow);
            run.messages = vec![message(flow, "s", "hi")];
            db.write(owner, run).await;
        }
    }
    let left = || async {
        [
            db.count("SELECT count(*) FROM runs").await,
            db.count("SELECT count(*) FROM run_events").await,
            db.count("SELECT count(*) FROM messages").await,
        ]
    };
    db.store.trash_flows(&ada.by, vec![flows[0]], None).await.unwrap();
    db.store.trash_project(&ada.by, project).await.unwrap();
    assert_eq!(left().await, [8; 3], "nothing is lost by throwing a flow away");
    db.store
        .purge(&ada.by, TrashKind::Flow, flows[0].0)
        .await
        .unwrap();
    assert_eq!(left().await, [7; 3]);
    db.store
        .purge(&ada.by, TrashKind::Project, project.0)
        .await
        .unwrap();
    assert_eq!(left().await, [6; 3]);
    db.store.trash_flows(&ada.by, vec![flows[2]], None).await.unwrap();
    is_not_found(db.store.purge(&ada.by, TrashKind::Flow, flows[3].0).await);
    is_not_found(db.store.purge(&eve.by, TrashKind::Flow, flows[2].0).await);
    is_not_found(db.store.purge(&ada.by, TrashKind::Flow, FlowId::new().0).await);
    assert_eq!(left().await, [6; 3]);
    db.store.empty_trash(&ada.by).await.unwrap();
    assert_eq!(left().await, [5; 3]);
    db.store.trash_flows(&ada.by, vec![flows[3]], None).await.unwrap();
    db.store.purge_older_than(&SYSTEM, Duration::ZERO).await.unwrap();
    assert_eq!(left().await, [4; 3]);
}
