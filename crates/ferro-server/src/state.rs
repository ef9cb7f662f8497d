//! What every handler shares.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use ferro_net::AddressPolicy;
use ferro_python::Workers;
use ferro_store::{ApiKeyId, ApiKeyUse, AuditEntry, Principal, Store, Timestamp, User, UserId, Variable};
use tokio_util::sync::CancellationToken;

use crate::{
    app::assistant::AssistantTurns,
    app::models::Listed,
    app::python::Turns,
    app::runs::{KnownFlow, live::Runs, resume},
    app::user_components::Shelf,
    app::visits::Visits,
    cache::Cache,
    config::Config,
    error::Result,
    files::FileRoot,
    http::{identity::Actor, request_id, throttle::Throttle},
    passwords::Passwords,
    vault::Vault,
};

pub struct App {
    pub config: Config,
    pub store: Store,
    pub vault: Vault,
    pub passwords: Passwords,
    pub throttle: Throttle,
    /// Runs of public flows under way.
    pub visits: Visits,
    pub files: FileRoot,
    pub runs: Runs,
    /// Whose an API key is, by its digest.
    pub known_keys: Cache<[u8; 32], (ApiKeyId, Arc<User>)>,
    /// Flows about to run, by owner and id or endpoint name.
    pub known_flows: Cache<(UserId, String), KnownFlow>,
    /// A person's variables, secrets still sealed.
    pub known_variables: Cache<UserId, Vec<Variable>>,
    /// Opens models; their budgets are shared by everything that asks one.
    pub models: ferro_llm::Models,
    /// What providers say they have.
    pub listed: Listed,
    /// Where the code of people's components runs.
    pub python: Workers,
    /// What code may ask for while it is looked at.
    pub fetcher: ferro_components::Fetcher,
    /// Whose code is being looked at.
    pub python_turns: Turns,
    /// What people's own components say of themselves.
    pub shelf: Shelf,
    /// Turns of the assistant under way.
    pub assistant_turns: AssistantTurns,
    /// Where requests and database connections may go.
    pub egress: AddressPolicy,
    /// Cancelled when the server begins to stop.
    pub stopping: CancellationToken,
    key_uses: Mutex<HashMap<ApiKeyId, ApiKeyUse>>,
}

impl App {
    pub fn new(config: Config, store: Store, vault: Vault, files: FileRoot) -> anyhow::Result<Self> {
        let egress = config.egress();
        let net = ferro_net::Client::new(egress.clone())?;
        let models = ferro_llm::Models::new(net.clone(), config.model_budget());
        let python = Workers::new(config.python.settings()?);
        let fetcher = ferro_components::Fetcher::new(net.clone());
        let shared = ferro_components::Shared {
            net,
            models: models.clone(),
        };
        let catalog = ferro_components::catalog(&shared, Some(Arc::new(python.clone())));
        let catalog = Arc::new(catalog);
        let runs = Runs::new(catalog, resume::worker(store.kind()), config.max_runs);
        Ok(Self {
            runs,
            known_keys: Cache::new(4096),
            known_flows: Cache::new(256),
            known_variables: Cache::new(256),
            models,
            listed: Listed::default(),
            python,
            fetcher,
            python_turns: Turns::default(),
            shelf: Shelf::default(),
            assistant_turns: AssistantTurns::default(),
            egress,
            config,
            store,
            vault,
            files,
            passwords: Passwords::default(),
            throttle: Throttle::default(),
            visits: Visits::default(),
            stopping: CancellationToken::new(),
            key_uses: Mutex::default(),
        })
    }

    /// Written down later, in bulk, by `flush_key_uses`.
    pub fn note_key_use(&self, id: ApiKeyId) {
        let now = Timestamp::now();
        let mut uses = self.key_uses.lock().unwrap_or_else(PoisonError::into_inner);
        let used = uses.entry(id).or_insert(ApiKeyUse { count: 0, last: now });
        used.count += 1;
        used.last = now;
    }

    pub async fn flush_key_uses(&self) {
        let uses = std::mem::take(&mut *self.key_uses.lock().unwrap_or_else(PoisonError::into_inner));
        if uses.is_empty() {
            return;
        }
        if let Err(error) = self.store.note_api_key_uses(&Principal::System, uses).await {
            tracing::warn!(%error, "the use of API keys could not be written down");
        }
    }

    /// Writes down something that matters for safety, before the answer goes out.
    pub async fn audit(&self, actor: &Actor, action: &'static str, target: impl ToString) -> Result<()> {
        let entry = AuditEntry {
            actor: Some(actor.user.id),
            action,
            target: target.to_string(),
            ip: Some(actor.client.ip.to_string()),
            request_id: Some(request_id()),
        };
        Ok(self.store.audit(&actor.principal(), entry).await?)
    }
}
