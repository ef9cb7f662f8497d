//! What providers say they have, remembered for a few minutes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ferro_llm::{LlmError, ModelEntry, ModelKind, Provider};
use ferro_store::UserId;

use super::credentials;
use crate::error::Result;
use crate::http::identity::Actor;
use crate::state::App;

const FRESH: Duration = Duration::from_secs(300);
/// A list that could not be had is asked for again sooner.
const RETRY: Duration = Duration::from_secs(15);
/// The longest anybody waits for a list.
const PATIENCE: Duration = Duration::from_secs(8);
const ROOM: usize = 1000;

type Answer = (Vec<ModelEntry>, Option<LlmError>);

/// Lists by person and provider: when they were had, and at which state of the database.
type Lists = HashMap<(UserId, &'static str), (Instant, u64, Arc<Answer>)>;

#[derive(Default)]
pub struct Listed(Mutex<Lists>);

/// The models of a provider; the catalogue's, with the reason, when it cannot be asked.
pub(super) async fn models(app: &App, actor: &Actor, provider: &'static Provider) -> Result<Answer> {
    let key = (actor.user.id, provider.id.as_str());
    let generation = app.store.generation();
    if let Some((had, seen, answer)) = app.listed.lock().get(&key) {
        let fresh = if answer.1.is_some() { RETRY } else { FRESH };
        // A change of settings may be a change of keys.
        if *seen == generation && had.elapsed() < fresh {
            return Ok((**answer).clone());
        }
    }
    let credentials = credentials(app, actor, provider, &Default::default()).await?;
    let mut found = Vec::new();
    let mut error = None;
    for kind in [ModelKind::Language, ModelKind::Embedding] {
        let list = app.models.list(&provider.name, kind, &credentials);
        match tokio::time::timeout(PATIENCE, list).await {
            Ok(Ok(entries)) => found.extend(entries),
            Ok(Err(failed)) => error = Some(failed),
            Err(_) => {
                error = Some(LlmError::new(
                    ferro_llm::Class::Timeout,
                    format!("{} did not list its models in time", provider.name),
                ));
            }
        }
        if error.is_some() {
            found.clone_from(&provider.models);
            break;
        }
    }
    let answer = Arc::new((found, error));
    let mut lists = app.listed.lock();
    if lists.len() >= ROOM {
        lists.clear();
    }
    lists.insert(key, (Instant::now(), generation, Arc::clone(&answer)));
    Ok((*answer).clone())
}

impl Listed {
    fn lock(&self) -> std::sync::MutexGuard<'_, Lists> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
