//! A store of one test's own, and the people and things in it.

use std::sync::Arc;

use ferro_store::{
    Access, Address, Document, FlowHeader, FlowId, Kind, NewFlow, NewProject, NewUser, Page, Principal,
    Project, ProjectId, Role, Store, StoreError, User,
};
use ferro_testkit::Database;
use sqlx::{ConnectOptions as _, Connection as _, postgres::PgConnection, sqlite::SqliteConnectOptions};

pub const SYSTEM: Principal = Principal::System;

#[derive(Clone)]
pub struct Db {
    pub store: Store,
    pub address: Address,
    url: String,
    _keep: Arc<Keep>,
}

/// Removes the data when the last one that uses it is gone.
enum Keep {
    Folder { _folder: tempfile::TempDir },
    Database { _database: Database },
}

impl Db {
    pub async fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("test.db").display());
        Self::open(url, Keep::Folder { _folder: folder }).await
    }

    pub async fn postgres() -> Self {
        let database = Database::create().await;
        let url = database.url().to_owned();
        Self::open(url, Keep::Database { _database: database }).await
    }

    /// An empty store of the same kind, or of the other.
    pub async fn new(kind: Kind) -> Self {
        match kind {
            Kind::Sqlite => Self::sqlite().await,
            Kind::Postgres => Self::postgres().await,
        }
    }

    async fn open(url: String, keep: Keep) -> Self {
        let address = Address::parse(&url).unwrap();
        let store = Store::open(&address).await.unwrap();
        Self {
            store,
            address,
            url,
            _keep: Arc::new(keep),
        }
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// Goes around the store, as somebody with the file or the database password could.
    pub async fn tamper(&self, statement: &'static str) -> u64 {
        match &self.address {
            Address::Sqlite(path) => {
                let mut connection = SqliteConnectOptions::new()
                    .filename(path)
                    .connect()
                    .await
                    .unwrap();
                sqlx::query(statement)
                    .execute(&mut connection)
                    .await
                    .unwrap()
                    .rows_affected()
            }
            Address::Postgres(_) => {
                let mut connection = PgConnection::connect(&self.url).await.unwrap();
                sqlx::query(statement)
                    .execute(&mut connection)
                    .await
                    .unwrap()
                    .rows_affected()
            }
        }
    }

    pub async fn count(&self, statement: &'static str) -> i64 {
        match &self.address {
            Address::Sqlite(path) => {
                let mut connection = SqliteConnectOptions::new()
                    .filename(path)
                    .connect()
                    .await
                    .unwrap();
                sqlx::query_scalar(statement)
                    .fetch_one(&mut connection)
                    .await
                    .unwrap()
            }
            Address::Postgres(_) => {
                let mut connection = PgConnection::connect(&self.url).await.unwrap();
                sqlx::query_scalar(statement)
                    .fetch_one(&mut connection)
                    .await
                    .unwrap()
            }
        }
    }

    pub async fn person(&self, username: &str, role: Role) -> User {
        let new = NewUser {
            username: username.to_owned(),
            password_hash: None,
            role,
            is_active: true,
        };
        self.store.create_user(&SYSTEM, new).await.unwrap()
    }

    /// Someone with a project.
    pub async fn owner(&self, username: &str) -> Owner {
        let user = self.person(username, Role::User).await;
        let by = user.principal();
        let project = self.store.default_project(&by, "Starter Project").await.unwrap();
        Owner { user, by, project }
    }

    pub async fn project(&self, owner: &Owner, name: &str) -> Project {
        let new = NewProject {
            name: name.to_owned(),
            ..NewProject::default()
        };
        self.store.create_project(&owner.by, new).await.unwrap()
    }

    pub async fn flow(&self, owner: &Owner, name: &str) -> FlowHeader {
        self.make(owner, owner.new_flow(name)).await
    }

    pub async fn make(&self, owner: &Owner, new: NewFlow) -> FlowHeader {
        self.store
            .create_flows(&owner.by, vec![new])
            .await
            .unwrap()
            .remove(0)
    }
}

pub struct Owner {
    pub user: User,
    pub by: Principal,
    pub project: ProjectId,
}

impl Owner {
    pub fn new_flow(&self, name: &str) -> NewFlow {
        NewFlow {
            id: None,
            folder_id: self.project,
            name: name.to_owned(),
            description: None,
            endpoint_name: None,
            icon: None,
            icon_bg_color: None,
            gradient: None,
            tags: "[]".to_owned(),
            locked: false,
            is_component: false,
            mcp_enabled: false,
            action_name: None,
            action_description: None,
            access_type: Access::Private,
            flow_type: "workflow".to_owned(),
            a2a_enabled: false,
            extra: "{}".to_owned(),
            data: Some(document(r#"{"nodes":[],"edges":[]}"#)),
        }
    }
}

pub fn document(text: &str) -> Document {
    Document {
        text: text.into(),
        node_count: 0,
        edge_count: 0,
        note_count: 0,
        webhook: false,
    }
}

pub fn names(page: &Page<FlowHeader>) -> Vec<&str> {
    page.items.iter().map(|flow| flow.name.as_str()).collect()
}

#[track_caller]
pub fn is_not_found<T: std::fmt::Debug>(result: Result<T, StoreError>) {
    assert!(matches!(result, Err(StoreError::NotFound(_))), "{result:?}");
}

#[track_caller]
pub fn is_forbidden<T: std::fmt::Debug>(result: Result<T, StoreError>) {
    assert!(matches!(result, Err(StoreError::Forbidden)), "{result:?}");
}

pub fn nowhere() -> FlowId {
    FlowId::new()
}
