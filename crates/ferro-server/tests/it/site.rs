//! A server of one test's own, in this process, and the people who use it.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
};

use ferro_server::{
    app::api_keys::make_api_key,
    config::{Assistant, Config, LogFormat, Python},
    serve,
    state::App,
};
use ferro_store::{NewUser, Principal, Role, User};
use ferro_testkit::{Answer, Client, Database, Program};
use serde_json::{Value, json};
use tokio::sync::oneshot;

pub const PASSWORD: &str = "correct horse battery";

pub struct Site {
    pub app: Arc<App>,
    pub address: SocketAddr,
    _stop: oneshot::Sender<()>,
    _folder: tempfile::TempDir,
    _database: Option<Database>,
}

impl Site {
    pub async fn new() -> Self {
        Self::with(|_| {}).await
    }

    /// With some settings changed.
    pub async fn with(change: impl FnOnce(&mut Config)) -> Self {
        Self::start(None, change).await
    }

    pub async fn on_postgres() -> Self {
        Self::on_postgres_with(|_| {}).await
    }

    pub async fn on_postgres_with(change: impl FnOnce(&mut Config)) -> Self {
        let database = Database::create().await;
        Self::start(Some(database), change).await
    }

    async fn start(database: Option<Database>, change: impl FnOnce(&mut Config)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut config = Config {
            data_dir: folder.path().to_owned(),
            database_url: match &database {
                Some(database) => database.url().to_owned(),
                None => format!("sqlite:{}", folder.path().join("ferroflow.db").display()),
            },
            host: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 0,
            allowed_hosts: vec![],
            trusted_proxies: vec![],
            auto_login: None,
            signup: false,
            new_user_is_active: false,
            max_upload_mb: 100,
            max_versions: 50,
            trash_days: 30,
            egress_allow: vec![],
            max_runs: 512,
            run_timeout_secs: 300,
            background_timeout_secs: 86_400,
            public_rate: 1000,
            run_days: 30,
            runs_per_flow: 1000,
            model_concurrency: 64,
            model_rate: None,
            model_timeout_secs: 20,
            import_env: false,
            assistant: Assistant::default(),
            python: Python {
                workers: 4,
                program: Some(env!("CARGO_BIN_EXE_ferroflow").into()),
                ..Python::default()
            },
            log_format: LogFormat::Json,
            log: "info".to_owned(),
            file: None,
        };
        change(&mut config);
        let app = serve::open(config).await.unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let (found, address) = oneshot::channel();
        let serving = app.clone();
        tokio::spawn(async move {
            let stopped = async {
                let _ = stopped.await;
            };
            serve::serve(serving, stopped, move |address| {
                let _ = found.send(address);
            })
            .await
            .unwrap();
        });
        Self {
            app,
            address: address.await.unwrap(),
            _stop: stop,
            _folder: folder,
            _database: database,
        }
    }

    /// Where a person's own components are kept.
    pub fn components_of(&self, person: &Person) -> std::path::PathBuf {
        let folder = self.app.config.files_dir();
        folder.join(&person.id).join(".components")
    }

    pub fn nobody(&self) -> Client {
        Client::new(self.address)
    }

    /// The account a fresh install has, with a key.
    pub async fn admin(&self) -> Person {
        let user = self
            .app
            .store
            .first_admin(&Principal::System)
            .await
            .unwrap()
            .unwrap();
        self.person(user).await
    }

    /// Someone new, with a key and no password: hashing one takes its time.
    pub async fn user(&self, username: &str) -> Person {
        let new = NewUser {
            username: username.to_owned(),
            password_hash: None,
            role: Role::User,
            is_active: true,
        };
        let user = self.app.store.create_user(&Principal::System, new).await.unwrap();
        self.person(user).await
    }

    /// Someone new with `PASSWORD`.
    pub async fn user_with_password(&self, username: &str) -> Person {
        let password = ferro_net::Secret::new(PASSWORD.to_owned());
        let password_hash = Some(self.app.passwords.hash(password).await.unwrap());
        let new = NewUser {
            username: username.to_owned(),
            password_hash,
            role: Role::User,
            is_active: true,
        };
        let user = self.app.store.create_user(&Principal::System, new).await.unwrap();
        self.person(user).await
    }

    async fn person(&self, user: User) -> Person {
        let (_, key) = make_api_key(&self.app, &user.principal(), "test", None)
            .await
            .unwrap();
        let client = self.nobody().with_key(key.expose());
        Person {
            client,
            key: key.expose().to_owned(),
            id: user.id.to_string(),
            user,
        }
    }
}

pub struct Person {
    pub client: Client,
    pub key: String,
    pub id: String,
    pub user: User,
}

impl std::ops::Deref for Person {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Person {
    pub async fn flow(&self, name: &str) -> Answer {
        let body = json!({ "name": name, "data": { "nodes": [], "edges": [] } });
        self.post("/api/v1/flows", &body).await.expect(201)
    }

    pub async fn project(&self, name: &str) -> Answer {
        self.post("/api/v1/projects", &json!({ "name": name }))
            .await
            .expect(201)
    }

    pub async fn file(&self, name: &str, bytes: &[u8]) -> Answer {
        self.upload("/api/v2/files", &[("file", name, bytes)])
            .await
            .expect(201)
    }

    /// The names of one's flows, sorted.
    pub async fn flow_names(&self) -> Vec<String> {
        let flows = self
            .get("/api/v1/flows?header_flows=true&sort=name")
            .await
            .expect(200)
            .json();
        texts(&flows, "name")
    }
}

/// This member of every item.
pub fn texts(items: &Value, member: &str) -> Vec<String> {
    let items = items.as_array().expect("an array");
    items
        .iter()
        .map(|item| item[member].as_str().unwrap().to_owned())
        .collect()
}

/// A document with a node whose secret is literal.
pub fn with_secret(secret: &str) -> Value {
    json!({
        "nodes": [{ "id": "Model-1", "type": "genericNode", "data": { "type": "Model", "node": { "template": {
            "api_key": { "type": "str", "password": true, "load_from_db": false, "value": secret },
            "temperature": { "type": "float", "value": 0.5 }
        } } } }],
        "edges": []
    })
}

pub fn program(folder: &std::path::Path) -> Program {
    Program::new(env!("CARGO_BIN_EXE_ferroflow"), folder)
}

/// Every refusal is in the envelope, names its request and tells nothing of the machine.
#[track_caller]
pub fn is_clean_refusal(answer: &Answer) {
    assert!(
        answer.status.is_client_error(),
        "{}: {}",
        answer.status,
        answer.text()
    );
    assert_eq!(
        answer.header("content-type"),
        "application/json",
        "{}",
        answer.text()
    );
    let body = answer.json();
    assert!(body["detail"].is_string() || body["detail"].is_object(), "{body}");
    assert!(
        body["code"].as_str().is_some_and(|code| !code.is_empty()),
        "{body}"
    );
    assert_eq!(body["request_id"], answer.header("x-request-id"), "{body}");
    let text = answer.text();
    for leak in [
        "/tmp", "/root", "/home", "panicked", "src/", ".rs:", "sqlx", "SELECT ",
    ] {
        assert!(!text.contains(leak), "{leak} in {text}");
    }
}
