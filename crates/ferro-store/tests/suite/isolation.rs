//! What belongs to one person is not there for another, whichever method is asked.

use ferro_store::{
    Access, Activation, ApiKeyId, FileId, FlowChange, FlowFilter, FlowOrder, MessageFilter, NewApiKey,
    NewFile, NewProject, NewVariable, Principal, ProjectChange, Role, TrashKind, UserChange, VariableChange,
    VariableId, VariableValue, Window,
};

use crate::{
    both,
    db::{Db, Owner, SYSTEM, document, is_forbidden, is_not_found},
};

both!(
    flows_are_ones_own,
    projects_are_ones_own,
    keys_variables_and_files_are_ones_own,
    accounts_are_ones_own,
    nobody_and_the_system_own_nothing,
);

async fn two(db: &Db) -> (Owner, Owner) {
    (db.owner("ada").await, db.owner("eve").await)
}

async fn flows_are_ones_own(db: &Db) {
    let (ada, eve) = two(db).await;
    let store = &db.store;
    let flow = db.flow(&ada, "Secret plans").await;
    let version = store.create_version(&ada.by, flow.id, None, 10).await.unwrap();
    let before = format!("{:?}", store.flow(&ada.by, flow.id).await.unwrap());

    is_not_found(store.flow(&eve.by, flow.id).await);
    is_not_found(store.flow_header(&eve.by, flow.id).await);
    is_not_found(store.flows_by_id(&eve.by, &[flow.id]).await);
    is_not_found(store.public_flow(&eve.by, flow.id).await);
    is_not_found(
        store
            .change_flow(&eve.by, flow.id, None, FlowChange::default())
            .await,
    );
    is_not_found(store.create_flow_at(&eve.by, flow.id, eve.new_flow("Mine")).await);
    is_not_found(store.trash_flows(&eve.by, vec![flow.id], None).await);
    is_not_found(store.create_version(&eve.by, flow.id, None, 10).await);
    is_not_found(store.versions(&eve.by, flow.id, Window::ALL).await);
    is_not_found(store.version(&eve.by, flow.id, version.id).await);
    is_not_found(store.describe_version(&eve.by, flow.id, version.id, None).await);
    is_not_found(store.delete_version(&eve.by, flow.id, version.id).await);
    is_not_found(
        store
            .activate_version(
                &eve.by,
                flow.id,
                Activation {
                    document: document("{}"),
                    save_draft: None,
                    keep: 10,
                    expected: None,
                },
            )
            .await,
    );
    for headers in [
        store
            .flow_headers(&eve.by, FlowFilter::default(), FlowOrder::default(), Window::ALL)
            .await,
        store
            .flow_headers(
                &eve.by,
                FlowFilter {
                    folder_id: Some(ada.project),
                    ..FlowFilter::default()
                },
                FlowOrder::default(),
                Window::ALL,
            )
            .await,
    ] {
        assert_eq!(headers.unwrap().total, 0);
    }
    // A version of one flow is not a version of another, even of the same owner.
    let other = db.flow(&ada, "Other").await;
    is_not_found(store.version(&ada.by, other.id, version.id).await);

    store.trash_flows(&ada.by, vec![other.id], None).await.unwrap();
    is_not_found(store.restore(&eve.by, TrashKind::Flow, other.id.0, "x").await);
    is_not_found(store.purge(&eve.by, TrashKind::Flow, other.id.0).await);
    assert_eq!(store.empty_trash(&eve.by).await.unwrap(), 0);
    assert!(store.trash(&eve.by).await.unwrap().is_empty());
    assert_eq!(store.trash(&ada.by).await.unwrap().len(), 1);
    assert_eq!(
        format!("{:?}", store.flow(&ada.by, flow.id).await.unwrap()),
        before
    );

    let shared = FlowChange {
        access_type: Some(Access::Public),
        ..FlowChange::default()
    };
    store.change_flow(&ada.by, flow.id, None, shared).await.unwrap();
    assert_eq!(
        store
            .public_flow(&Principal::Nobody, flow.id)
            .await
            .unwrap()
            .header
            .id,
        flow.id
    );
    is_not_found(store.flow(&eve.by, flow.id).await);
}

async fn projects_are_ones_own(db: &Db) {
    let (ada, eve) = two(db).await;
    let store = &db.store;
    let flow = db.flow(&ada, "Hers").await;
    let mine = db.flow(&eve, "Mine").await;

    is_not_found(store.project(&eve.by, ada.project).await);
    is_not_found(
        store
            .change_project(&eve.by, ada.project, ProjectChange::default())
            .await,
    );
    is_not_found(store.trash_project(&eve.by, ada.project).await);
    let replace = NewProject {
        name: "Taken over".to_owned(),
        ..NewProject::default()
    };
    is_not_found(store.put_project(&eve.by, ada.project, replace).await);
    let inside = NewProject {
        name: "Inside".to_owned(),
        parent_id: Some(ada.project),
        ..NewProject::default()
    };
    is_not_found(store.create_project(&eve.by, inside).await);
    let grab = NewProject {
        name: "Grab".to_owned(),
        flows: vec![flow.id],
        ..NewProject::default()
    };
    is_not_found(store.create_project(&eve.by, grab).await);
    let grab = ProjectChange {
        flows: vec![flow.id],
        ..ProjectChange::default()
    };
    is_not_found(store.change_project(&eve.by, eve.project, grab).await);
    let push = FlowChange {
        folder_id: Some(ada.project),
        ..FlowChange::default()
    };
    is_not_found(store.change_flow(&eve.by, mine.id, None, push).await);
    let mut new = eve.new_flow("Smuggled");
    new.folder_id = ada.project;
    is_not_found(store.create_flows(&eve.by, vec![new]).await);

    store.trash_project(&ada.by, ada.project).await.unwrap();
    is_not_found(
        store
            .restore(&eve.by, TrashKind::Project, ada.project.0, "x")
            .await,
    );
    is_not_found(store.purge(&eve.by, TrashKind::Project, ada.project.0).await);
    let names: Vec<_> = store
        .projects(&eve.by)
        .await
        .unwrap()
        .into_iter()
        .map(|project| project.name)
        .collect();
    assert_eq!(names, ["Starter Project"], "nothing half-made was left behind");
}

async fn keys_variables_and_files_are_ones_own(db: &Db) {
    let (ada, eve) = two(db).await;
    let store = &db.store;
    let key = NewApiKey {
        name: "k".into(),
        prefix: "sk-".into(),
        hash: [1; 32],
        expires_at: None,
    };
    let key: ApiKeyId = store.create_api_key(&ada.by, key).await.unwrap().id;
    let value = VariableValue::Generic("v".into());
    let id = VariableId::new();
    let variable = NewVariable {
        id,
        name: "V".into(),
        value,
        default_fields: vec![],
    };
    store.create_variable(&ada.by, variable).await.unwrap();
    let file = NewFile {
        id: FileId::new(),
        name: "f.txt".into(),
        mime_type: "text/plain".into(),
        size: 1,
    };
    let file = store.create_file(&ada.by, file).await.unwrap().id;

    is_not_found(store.delete_api_key(&eve.by, key).await);
    is_not_found(store.variable(&eve.by, id).await);
    is_not_found(
        store
            .change_variable(&eve.by, id, VariableChange::default())
            .await,
    );
    is_not_found(store.delete_variable(&eve.by, id).await);
    is_not_found(store.file(&eve.by, file).await);
    is_not_found(store.rename_file(&eve.by, file, "mine.txt".into()).await);
    is_not_found(store.delete_files(&eve.by, vec![file]).await);
    assert!(store.api_keys(&eve.by).await.unwrap().is_empty());
    assert!(store.variables(&eve.by).await.unwrap().is_empty());
    assert!(store.files(&eve.by).await.unwrap().is_empty());
    assert_eq!(store.api_keys(&ada.by).await.unwrap().len(), 1);
    assert_eq!(store.variables(&ada.by).await.unwrap().len(), 1);
    assert_eq!(store.files(&ada.by).await.unwrap().len(), 1);
}

async fn accounts_are_ones_own(db: &Db) {
    let (ada, eve) = two(db).await;
    let store = &db.store;
    let admin = db.person("root", Role::Admin).await;
    is_not_found(store.user(&eve.by, ada.user.id).await);
    is_not_found(
        store
            .change_user(&eve.by, ada.user.id, UserChange::default())
            .await,
    );
    is_forbidden(store.delete_user(&eve.by, ada.user.id).await);
    is_forbidden(store.users(&eve.by, None, Window::ALL).await);
    is_forbidden(store.audit_log(&eve.by, Window::ALL).await);
    let promote = UserChange {
        role: Some(Role::Admin),
        ..UserChange::default()
    };
    is_forbidden(store.change_user(&eve.by, eve.user.id, promote).await);
    let activate = UserChange {
        is_active: Some(true),
        ..UserChange::default()
    };
    is_forbidden(store.change_user(&eve.by, eve.user.id, activate).await);
    // Not even an admin may do what only the server itself does.
    let by = admin.principal();
    is_forbidden(store.user_by_name(&by, "ada").await);
    is_forbidden(store.first_admin(&by).await);
    is_forbidden(store.note_login(&by, ada.user.id).await);
    is_forbidden(store.setting(&by, "x").await);
    is_forbidden(store.verify_audit(&by).await);
    is_forbidden(store.all_credentials(&by).await);
    is_forbidden(store.api_key_owner(&by, &[0; 32]).await);
    assert_eq!(store.user(&by, ada.user.id).await.unwrap().username, "ada");
}

async fn nobody_and_the_system_own_nothing(db: &Db) {
    for by in [Principal::Nobody, SYSTEM] {
        is_forbidden(
            db.store
                .flows(&by, FlowFilter::default(), FlowOrder::default(), Window::ALL)
                .await,
        );
        is_forbidden(db.store.projects(&by).await);
        is_forbidden(db.store.variables(&by).await);
        is_forbidden(db.store.files(&by).await);
        is_forbidden(db.store.api_keys(&by).await);
        is_forbidden(db.store.trash(&by).await);
        is_forbidden(
            db.store
                .messages(&by, MessageFilter::default(), Window::ALL)
                .await,
        );
        is_forbidden(db.store.message_sessions(&by, None).await);
        is_forbidden(db.store.delete_messages(&by, vec![]).await);
        is_forbidden(db.store.delete_sessions(&by, None, vec![]).await);
        is_forbidden(db.store.rename_session(&by, None, "a", "b").await);
    }
    is_forbidden(db.store.users(&Principal::Nobody, None, Window::ALL).await);
}
