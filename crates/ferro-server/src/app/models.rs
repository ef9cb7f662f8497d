//! Models: which providers a person has set up, which of their models are offered, and which one is taken when nobody
//! chooses.

mod listed;
mod offer;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ferro_llm::{Credentials, LlmError, ModelEntry, ModelKind, Provider, catalog};
use ferro_store::{Principal, Variable, VariableValue};
use serde::{Deserialize, Serialize};

use crate::error::{AppError, Result};
use crate::http::identity::Actor;
use crate::state::App;
use crate::vault::Cell;

pub use listed::Listed;
pub use offer::{fill_empty, fill_models, offer_models, own_models};

/// Which models a person turned on and off, by provider. What is not named is as the catalogue says.
const CHOICES: &str = "models.choices";
const DEFAULT_LANGUAGE: &str = "models.default.language";
const DEFAULT_EMBEDDING: &str = "models.default.embedding";

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Choices {
    enabled: BTreeSet<(String, String)>,
    disabled: BTreeSet<(String, String)>,
}

/// A model by provider and name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chosen {
    pub provider: String,
    pub model_name: String,
}

/// A provider as one person sees it.
pub struct Seen {
    pub provider: &'static Provider,
    /// Everything it needs is set.
    pub configured: bool,
    /// Names of its variables that have a value.
    pub set: Vec<String>,
    pub models: Vec<SeenModel>,
    /// Why its own list could not be had, when it could not.
    pub list_error: Option<LlmError>,
}

pub struct SeenModel {
    pub entry: ModelEntry,
    /// Offered in model fields.
    pub enabled: bool,
}

pub fn find_provider(name: &str) -> Result<&'static Provider> {
    catalog().provider(name).ok_or_else(|| {
        let known: Vec<&str> = catalog()
            .providers
            .iter()
            .map(|known| known.name.as_str())
            .collect();
        AppError::invalid("provider", format!("is not one of {}", known.join(", ")))
    })
}

/// Variables by name; a run asks for several, and a busy server for the same ones again and again.
pub async fn variables(app: &App, by: &Principal) -> Result<Arc<Vec<Variable>>> {
    let owner = by.owner()?;
    if let Some(known) = app.known_variables.get(&app.store, &owner) {
        return Ok(known);
    }
    let reading = crate::cache::Reading::begin(&app.store);
    let found = Arc::new(app.store.variables(by).await?);
    app.known_variables.put(reading, owner, Arc::clone(&found));
    Ok(found)
}

/// The value of a variable, taken out of the vault if it must be.
pub fn open(app: &App, variable: &Variable) -> Result<String> {
    match &variable.value {
        VariableValue::Generic(text) => Ok(text.clone()),
        VariableValue::Credential(sealed) => {
            let cell = Cell::variable(variable.id, variable.user_id);
            let secret = app.vault.open_sealed(cell, sealed).map_err(AppError::internal)?;
            Ok(secret.expose().to_owned())
        }
    }
}

/// What a person has set for a provider; `given` wins, for trying values before they are saved.
pub async fn credentials(
    app: &App,
    actor: &Actor,
    provider: &Provider,
    given: &BTreeMap<String, String>,
) -> Result<Credentials> {
    let known = variables(app, &actor.principal()).await?;
    let mut credentials = Credentials::new();
    for spec in &provider.variables {
        if let Some(value) = given.get(&spec.key).filter(|value| !value.trim().is_empty()) {
            credentials.set(&spec.key, value.clone());
        } else if let Some(variable) = known.iter().find(|variable| variable.name == spec.key) {
            credentials.set(&spec.key, open(app, variable)?);
        }
    }
    Ok(credentials)
}

/// Names of the provider's variables that have a value.
fn set_of(provider: &Provider, known: &[Variable]) -> Vec<String> {
    let has = |key: &str| {
        known.iter().any(|variable| {
            variable.name == key
                && match &variable.value {
                    VariableValue::Generic(text) => !text.trim().is_empty(),
                    VariableValue::Credential(_) => true,
                }
        })
    };
    let keys = provider.variables.iter().map(|spec| &spec.key);
    keys.filter(|key| has(key)).cloned().collect()
}

fn is_configured(provider: &Provider, set: &[String]) -> bool {
    let needed = provider
        .variables
        .iter()
        .filter(|spec| spec.required && spec.default.is_empty());
    needed.into_iter().all(|spec| set.contains(&spec.key))
}

/// Which providers are asked for their lists.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    Nobody,
    /// Those whose models only they know.
    Needed,
    /// Everybody who has one.
    All,
}

/// Every provider, with the models of a kind.
pub async fn providers(app: &App, actor: &Actor, kind: Option<ModelKind>, ask: Ask) -> Result<Vec<Seen>> {
    let by = actor.principal();
    let known = variables(app, &by).await?;
    let choices = choices(app, &by).await?;
    let lists = catalog().providers.iter().map(|provider| {
        let set = set_of(provider, &known);
        let configured = is_configured(provider, &set);
        let wanted = match ask {
            Ask::Nobody => false,
            Ask::Needed => provider.live,
            Ask::All => provider.live || provider.lists,
        };
        async move {
            let (entries, list_error) = if configured && wanted {
                listed::models(app, actor, provider).await?
            } else {
                (provider.models.clone(), None)
            };
            Ok::<_, AppError>((provider, set, configured, entries, list_error))
        }
    });
    let mut all = Vec::new();
    for (provider, set, configured, entries, list_error) in futures_util::future::try_join_all(lists).await? {
        let mut models: Vec<SeenModel> = Vec::new();
        for entry in entries {
            if kind.is_none_or(|kind| entry.kind == kind) {
                let enabled = configured && choices.is_on(provider, &entry);
                models.push(SeenModel { entry, enabled });
            }
        }
        choices.add_own(provider, kind, configured, &mut models);
        all.push(Seen {
            provider,
            configured,
            set,
            models,
            list_error,
        });
    }
    Ok(all)
}

impl Choices {
    fn is_on(&self, provider: &Provider, entry: &ModelEntry) -> bool {
        let key = (provider.name.clone(), entry.name.clone());
        if self.disabled.contains(&key) {
            return false;
        }
        let usual = provider.live || provider.model(&entry.name).is_some();
        usual && !entry.deprecated || self.enabled.contains(&key)
    }

    /// Models a person turned on that no list has.
    fn add_own(
        &self,
        provider: &Provider,
        kind: Option<ModelKind>,
        configured: bool,
        models: &mut Vec<SeenModel>,
    ) {
        if kind == Some(ModelKind::Embedding) {
            return;
        }
        for (of, name) in &self.enabled {
            let known =
                provider.model(name).is_some() || models.iter().any(|model| model.entry.name == *name);
            if *of == provider.name && !known {
                models.push(SeenModel {
                    entry: ModelEntry::unlisted(name),
                    enabled: configured && !self.disabled.contains(&(of.clone(), name.clone())),
                });
            }
        }
    }
}

async fn choices(app: &App, by: &Principal) -> Result<Choices> {
    let saved = app.store.preference(by, CHOICES).await?;
    // What cannot be read any more counts as nothing chosen.
    Ok(saved
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default())
}

/// Turns models on and off. A model nobody lists can be turned on too: its name is sent as it is.
pub async fn switch_models(app: &App, actor: &Actor, switches: &[(String, String, bool)]) -> Result<()> {
    let by = actor.principal();
    let mut choices = choices(app, &by).await?;
    for (provider, model, on) in switches {
        let provider = find_provider(provider)?;
        if model.trim().is_empty() || model.len() > 200 {
            return Err(AppError::invalid("model_id", "must have 1 to 200 characters"));
        }
        let key = (provider.name.clone(), model.trim().to_owned());
        if *on {
            choices.disabled.remove(&key);
            choices.enabled.insert(key);
        } else {
            choices.enabled.remove(&key);
            choices.disabled.insert(key);
        }
    }
    if choices.enabled.len() + choices.disabled.len() > 5000 {
        return Err(AppError::invalid(
            "model_id",
            "too many models have been turned on and off",
        ));
    }
    let text = serde_json::to_string(&choices).map_err(AppError::internal)?;
    app.store.set_preference(&by, CHOICES, text).await?;
    Ok(())
}

fn default_name(kind: ModelKind) -> &'static str {
    match kind {
        ModelKind::Language => DEFAULT_LANGUAGE,
        ModelKind::Embedding => DEFAULT_EMBEDDING,
    }
}

/// The model a person made their default.
pub async fn own_default(app: &App, actor: &Actor, kind: ModelKind) -> Result<Option<Chosen>> {
    let saved = app
        .store
        .preference(&actor.principal(), default_name(kind))
        .await?;
    Ok(saved.and_then(|text| serde_json::from_str(&text).ok()))
}

pub async fn set_default(app: &App, actor: &Actor, kind: ModelKind, chosen: &Chosen) -> Result<Chosen> {
    let provider = find_provider(&chosen.provider)?;
    if chosen.model_name.trim().is_empty() || chosen.model_name.len() > 200 {
        return Err(AppError::invalid("model_name", "must have 1 to 200 characters"));
    }
    if let Some(entry) = provider.model(&chosen.model_name)
        && entry.kind != kind
    {
        return Err(AppError::invalid("model_name", "is a model of another kind"));
    }
    let kept = Chosen {
        provider: provider.name.clone(),
        model_name: chosen.model_name.trim().to_owned(),
    };
    let text = serde_json::to_string(&kept).map_err(AppError::internal)?;
    app.store
        .set_preference(&actor.principal(), default_name(kind), text)
        .await?;
    Ok(kept)
}

pub async fn clear_default(app: &App, actor: &Actor, kind: ModelKind) -> Result<()> {
    app.store
        .clear_preference(&actor.principal(), default_name(kind))
        .await?;
    Ok(())
}

/// The model to take when nobody chose: the person's default, else the first a real provider they have set up offers,
/// else the rehearsal model, which needs nothing.
pub fn pick<'a>(
    seen: &'a [Seen],
    own: Option<&Chosen>,
    fits: impl Fn(&ModelEntry) -> bool,
) -> Option<(&'a Seen, &'a SeenModel)> {
    let offered = |seen: &'a Seen| {
        seen.models
            .iter()
            .filter(|model| model.enabled && fits(&model.entry))
    };
    if let Some(own) = own {
        let found = seen
            .iter()
            .find(|seen| seen.provider.name == own.provider && seen.configured);
        let model = found.and_then(|seen| {
            Some((
                seen,
                offered(seen).find(|model| model.entry.name == own.model_name)?,
            ))
        });
        if model.is_some() {
            return model;
        }
    }
    let first = |seen: &'a Seen| {
        let marked = offered(seen).find(|model| model.entry.default);
        Some((seen, marked.or_else(|| offered(seen).next())?))
    };
    let real = seen
        .iter()
        .filter(|seen| seen.configured && !seen.provider.is_rehearsal());
    let rehearsal = seen.iter().filter(|seen| seen.provider.is_rehearsal());
    real.chain(rehearsal).find_map(first)
}

/// Asks the provider whether the settings work.
pub async fn check(
    app: &App,
    actor: &Actor,
    provider: &str,
    given: &BTreeMap<String, String>,
) -> Result<std::result::Result<(), LlmError>> {
    let provider = find_provider(provider)?;
    let credentials = credentials(app, actor, provider, given).await?;
    Ok(app.models.check(&provider.name, &credentials).await)
}
