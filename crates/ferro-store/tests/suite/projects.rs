//! Projects: names, nesting, moving flows.

use ferro_store::{FlowChange, NewProject, ProjectChange, ProjectId, StoreError};

use crate::{
    both,
    db::{Db, is_not_found, nowhere},
};

both!(
    names_count_on_and_counts_are_right,
    the_default_project_is_made_once,
    a_project_cannot_be_inside_itself,
    a_project_whose_parent_is_in_the_trash_can_change,
    putting_replaces_or_makes,
    flows_move_or_nothing_does,
);

async fn names_count_on_and_counts_are_right(db: &Db) {
    let ada = db.owner("ada").await;
    assert_eq!(db.project(&ada, "P").await.name, "P");
    let second = db.project(&ada, "P").await;
    assert_eq!(second.name, "P (1)");
    let rename = ProjectChange {
        name: Some("P".into()),
        ..ProjectChange::default()
    };
    let taken = db.store.change_project(&ada.by, second.id, rename).await;
    assert!(
        matches!(
            taken,
            Err(StoreError::Taken {
                noun: "project",
                field: "name"
            })
        ),
        "{taken:?}"
    );
    db.flow(&ada, "F").await;
    let mut component = ada.new_flow("C");
    component.is_component = true;
    db.make(&ada, component).await;
    let gone = db.flow(&ada, "Gone").await;
    db.store.trash_flows(&ada.by, vec![gone.id], None).await.unwrap();
    let first = db.store.project(&ada.by, ada.project).await.unwrap();
    assert_eq!((first.flow_count, first.component_count), (1, 1));
    let listed: Vec<_> = db
        .store
        .projects(&ada.by)
        .await
        .unwrap()
        .into_iter()
        .map(|p| p.name)
        .collect();
    assert_eq!(
        listed,
        ["Starter Project", "P", "P (1)"],
        "in the order they were made"
    );
    let change = ProjectChange {
        description: Some(Some("d".into())),
        auth_settings: Some(Some(r#"{"auth_type":"none"}"#.into())),
        ..ProjectChange::default()
    };
    let changed = db.store.change_project(&ada.by, second.id, change).await.unwrap();
    assert_eq!(
        (changed.name.as_str(), changed.description.as_deref()),
        ("P (1)", Some("d"))
    );
    let clear = ProjectChange {
        auth_settings: Some(None),
        ..ProjectChange::default()
    };
    let cleared = db.store.change_project(&ada.by, second.id, clear).await.unwrap();
    assert_eq!(
        (cleared.auth_settings, cleared.description.as_deref()),
        (None, Some("d"))
    );
}

async fn the_default_project_is_made_once(db: &Db) {
    let user = db.person("ada", ferro_store::Role::User).await;
    let by = &user.principal();
    let tries =
        (0..20).map(|_| async move { db.store.default_project(by, "Starter Project").await.unwrap() });
    let ids = futures_util::future::join_all(tries).await;
    assert!(ids.iter().all(|id| *id == ids[0]));
    assert_eq!(db.store.projects(by).await.unwrap().len(), 1);
    db.store.trash_project(by, ids[0]).await.unwrap();
    let again = db.store.default_project(by, "Starter Project").await.unwrap();
    assert_ne!(again, ids[0], "one in the trash does not count");
}

async fn a_project_cannot_be_inside_itself(db: &Db) {
    let ada = db.owner("ada").await;
    let top = db.project(&ada, "top").await.id;
    let inside = |parent| ProjectChange {
        parent_id: Some(Some(parent)),
        ..ProjectChange::default()
    };
    let new = NewProject {
        name: "middle".into(),
        parent_id: Some(top),
        ..NewProject::default()
    };
    let middle = db.store.create_project(&ada.by, new).await.unwrap().id;
    let new = NewProject {
        name: "bottom".into(),
        parent_id: Some(middle),
        ..NewProject::default()
    };
    let bottom = db.store.create_project(&ada.by, new).await.unwrap().id;
    for (project, parent) in [(top, top), (top, middle), (top, bottom), (middle, bottom)] {
        let refused = db.store.change_project(&ada.by, project, inside(parent)).await;
        assert!(matches!(refused, Err(StoreError::Refused(_))), "{refused:?}");
    }
    is_not_found(
        db.store
            .change_project(&ada.by, top, inside(ProjectId::new()))
            .await,
    );
    let out = ProjectChange {
        parent_id: Some(None),
        ..ProjectChange::default()
    };
    assert_eq!(
        db.store
            .change_project(&ada.by, bottom, out)
            .await
            .unwrap()
            .parent_id,
        None
    );
}

async fn a_project_whose_parent_is_in_the_trash_can_change(db: &Db) {
    let ada = db.owner("ada").await;
    let top = db.project(&ada, "top").await.id;
    let new = NewProject {
        name: "below".into(),
        parent_id: Some(top),
        ..NewProject::default()
    };
    let below = db.store.create_project(&ada.by, new).await.unwrap().id;
    db.store.trash_project(&ada.by, top).await.unwrap();
    let rename = ProjectChange {
        name: Some("renamed".into()),
        ..ProjectChange::default()
    };
    assert_eq!(
        db.store
            .change_project(&ada.by, below, rename)
            .await
            .unwrap()
            .name,
        "renamed"
    );
    let new = NewProject {
        name: "deeper".into(),
        parent_id: Some(below),
        ..NewProject::default()
    };
    let deeper = db.store.create_project(&ada.by, new).await.unwrap().id;
    let other = db.project(&ada, "other").await.id;
    let inside = ProjectChange {
        parent_id: Some(Some(deeper)),
        ..ProjectChange::default()
    };
    assert_eq!(
        db.store
            .change_project(&ada.by, other, inside)
            .await
            .unwrap()
            .parent_id,
        Some(deeper)
    );
}

async fn putting_replaces_or_makes(db: &Db) {
    let ada = db.owner("ada").await;
    let id = ProjectId::new();
    let new = |name: &str| NewProject {
        name: name.into(),
        ..NewProject::default()
    };
    let (made, fresh) = db.store.put_project(&ada.by, id, new("One")).await.unwrap();
    assert_eq!((made.id, fresh), (id, true));
    let described = NewProject {
        description: Some("d".into()),
        ..new("Two")
    };
    let (replaced, fresh) = db.store.put_project(&ada.by, id, described).await.unwrap();
    assert_eq!((replaced.name.as_str(), fresh), ("Two", false));
    let (replaced, _) = db.store.put_project(&ada.by, id, new("Two")).await.unwrap();
    assert_eq!(replaced.description, None, "what was not said is gone");
    db.store.trash_project(&ada.by, id).await.unwrap();
    is_not_found(db.store.put_project(&ada.by, id, new("Three")).await);
}

async fn flows_move_or_nothing_does(db: &Db) {
    let ada = db.owner("ada").await;
    let (one, two) = (db.flow(&ada, "1").await, db.flow(&ada, "2").await);
    let other = db.project(&ada, "Other").await.id;
    let change = ProjectChange {
        flows: vec![one.id, nowhere()],
        ..ProjectChange::default()
    };
    is_not_found(db.store.change_project(&ada.by, other, change).await);
    assert_eq!(
        db.store.flow_header(&ada.by, one.id).await.unwrap().folder_id,
        ada.project
    );
    let change = ProjectChange {
        flows: vec![one.id],
        ..ProjectChange::default()
    };
    assert_eq!(
        db.store
            .change_project(&ada.by, other, change)
            .await
            .unwrap()
            .flow_count,
        1
    );
    let moved = db.store.flow_header(&ada.by, one.id).await.unwrap();
    assert_eq!((moved.folder_id, moved.revision), (other, 2));
    let change = FlowChange {
        folder_id: Some(other),
        ..FlowChange::default()
    };
    assert_eq!(
        db.store
            .change_flow(&ada.by, two.id, None, change)
            .await
            .unwrap()
            .folder_id,
        other
    );
    let new = NewProject {
        name: "Third".into(),
        flows: vec![one.id, two.id],
        ..NewProject::default()
    };
    assert_eq!(db.store.create_project(&ada.by, new).await.unwrap().flow_count, 2);
}
