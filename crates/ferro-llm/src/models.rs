//! Where models are opened: from a provider's name, a model's name and the caller's credentials.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ferro_net::{Client, Secret};
use futures_util::future::BoxFuture;

use crate::budget::{Budget, Budgets};
use crate::catalog::{Catalog, ModelEntry, ModelKind, Provider, catalog};
use crate::error::{Class, LlmError};
use crate::exchange::Remote;
use crate::model::{ChatModel, Embedder, ModelInfo};
use crate::providers::{Codec, Target, anthropic, gemini, ollama, openai, responses, watsonx};
use crate::rehearsal;

/// The variables a provider's client needs, by their canonical names. What is not there is not set.
#[derive(Clone, Default)]
pub struct Credentials {
    values: BTreeMap<String, Secret>,
    /// The name of the variable the caller asked for when it could not be found; for the message.
    missing: Option<String>,
}

impl Credentials {
    pub fn new() -> Self {
        Self::default()
    }

    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<String>) -> Self {
        self.set(key, value);
        self
    }

    /// Empty text counts as not set.
    pub fn set(&mut self, key: &str, value: impl Into<String>) {
        let value = value.into();
        if !value.trim().is_empty() {
            self.values.insert(key.to_owned(), Secret::new(value.trim()));
        }
    }

    /// The person named a variable of their own that does not exist.
    pub fn set_missing(&mut self, variable: &str) {
        self.missing = Some(variable.to_owned());
    }

    pub fn get(&self, key: &str) -> Option<&Secret> {
        self.values.get(key)
    }

    fn text(&self, key: &str) -> Option<String> {
        self.get(key).map(|value| value.expose().to_owned())
    }
}

/// How a model is opened.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// OpenAI's newer API instead of chat completions. Reasoning models use it by themselves, at OpenAI's own address.
    pub responses_api: Option<bool>,
    /// The pace of the rehearsal model; `None` for a readable one.
    pub rehearsal_pace: Option<Duration>,
    /// For embedding models that let one choose.
    pub dimensions: Option<u32>,
}

/// Opens models. Cheap to clone; budgets are shared by all clones.
#[derive(Clone)]
pub struct Models {
    net: Client,
    budgets: Budgets,
    rehearsal_pace: Option<Duration>,
}

impl Models {
    pub fn new(net: Client, budget: Budget) -> Self {
        Self {
            net,
            budgets: Budgets::new(budget),
            rehearsal_pace: None,
        }
    }

    /// What [`Models::with_rehearsal_pace`] said.
    pub fn rehearsal_pace(&self) -> Option<Duration> {
        self.rehearsal_pace
    }

    /// The rehearsal model's pace wherever [`Options`] say nothing of it; zero where nobody reads along.
    #[must_use]
    pub fn with_rehearsal_pace(mut self, pace: Duration) -> Self {
        self.rehearsal_pace = Some(pace);
        self
    }

    pub fn catalog(&self) -> &'static Catalog {
        catalog()
    }

    /// A language model, ready to be asked. Nothing is sent yet.
    pub fn language(
        &self,
        provider: &str,
        model: &str,
        credentials: &Credentials,
        options: &Options,
    ) -> Result<Arc<dyn ChatModel>, LlmError> {
        let (provider, entry) = find(provider, model)?;
        let info = info(provider, model, entry);
        if provider.is_rehearsal() {
            let pace = options.rehearsal_pace.or(self.rehearsal_pace);
            return Ok(Arc::new(rehearsal::Rehearsal::new(info, pace)));
        }
        let target = target(provider, model, entry, credentials)?;
        let codec: Arc<dyn Codec> = match provider.id.as_str() {
            "anthropic" => Arc::new(anthropic::Messages),
            "google-generative-ai" => Arc::new(gemini::Generate),
            "ollama" => Arc::new(ollama::Chat),
            "ibm-watsonx" => Arc::new(watsonx::Chat),
            "openai"
                if options
                    .responses_api
                    .unwrap_or(info.reasoning && is_openai(&target)) =>
            {
                Arc::new(responses::Responses)
            }
            _ => Arc::new(openai::Completions),
        };
        if provider.id == "ibm-watsonx" {
            return Ok(watsonx::with_token(
                self.net.clone(),
                self.budgets.clone(),
                codec,
                target,
                info,
            ));
        }
        Ok(Arc::new(Remote {
            net: self.net.clone(),
            budgets: self.budgets.clone(),
            codec,
            target,
            info,
        }))
    }

    /// An embedding model.
    pub fn embedding(
        &self,
        provider: &str,
        model: &str,
        credentials: &Credentials,
        options: &Options,
    ) -> Result<Arc<dyn Embedder>, LlmError> {
        let (provider, entry) = find(provider, model)?;
        let info = info(provider, model, entry);
        if provider.is_rehearsal() {
            return Ok(Arc::new(rehearsal::RehearsalEmbedder::new(info)));
        }
        let target = target(provider, model, entry, credentials)?;
        crate::providers::embeddings::open(&self.net, &self.budgets, target, info, options)
    }

    /// The models a provider has for these credentials, where it can be asked; the catalogue's otherwise.
    pub fn list(
        &self,
        provider: &str,
        kind: ModelKind,
        credentials: &Credentials,
    ) -> BoxFuture<'static, Result<Vec<ModelEntry>, LlmError>> {
        let found = find(provider, "")
            .and_then(|(provider, _)| Ok((provider, target_for_list(provider, credentials)?)));
        let net = self.net.clone();
        Box::pin(async move {
            let (provider, target) = found?;
            match target {
                Some(target) if provider.live || provider.lists => {
                    crate::providers::list(&net, provider, target, kind).await
                }
                _ => Ok(provider
                    .models
                    .iter()
                    .filter(|model| model.kind == kind)
                    .cloned()
                    .collect()),
            }
        })
    }

    /// Asks the provider for something cheap that needs the key, to see whether the settings work.
    pub fn check(
        &self,
        provider: &str,
        credentials: &Credentials,
    ) -> BoxFuture<'static, Result<(), LlmError>> {
        let found = find(provider, "")
            .and_then(|(provider, _)| Ok((provider, target_for_list(provider, credentials)?)));
        let net = self.net.clone();
        Box::pin(async move {
            let (provider, target) = found?;
            match target {
                Some(target) => crate::providers::check(&net, provider, target).await,
                None => Ok(()),
            }
        })
    }
}

fn find(provider: &str, model: &str) -> Result<(&'static Provider, Option<&'static ModelEntry>), LlmError> {
    if provider.trim().is_empty() || provider.eq_ignore_ascii_case("unknown") {
        return Err(
            LlmError::new(Class::Configuration, "The selected model is missing a provider")
                .advice("Reselect a model from the list in the model field."),
        );
    }
    let Some(found) = catalog().provider(provider) else {
        let known: Vec<_> = catalog()
            .providers
            .iter()
            .map(|known| known.name.as_str())
            .collect();
        return Err(LlmError::new(
            Class::Configuration,
            format!("there is no model provider `{provider}`"),
        )
        .advice(format!(
            "Reselect a model; the providers are {}.",
            known.join(", ")
        )));
    };
    // Ollama's tags say the size: `qwen3:8b` is a `qwen3`.
    let entry = found
        .model(model)
        .or_else(|| found.model(model.split_once(':')?.0));
    Ok((found, entry))
}

/// At OpenAI itself. Others that speak its API mostly know the older one only.
fn is_openai(target: &Target) -> bool {
    let host = url::Url::parse(&target.base_url).ok();
    let host = host.as_ref().and_then(|url| url.host_str());
    host.is_some_and(|host| host == "api.openai.com" || host.ends_with(".api.openai.com"))
}

fn info(provider: &Provider, model: &str, entry: Option<&ModelEntry>) -> ModelInfo {
    ModelInfo {
        provider: provider.name.clone(),
        name: model.to_owned(),
        context_tokens: entry.and_then(|entry| entry.context_tokens),
        price: entry.and_then(|entry| entry.price),
        // A model nobody listed is given the benefit of the doubt; the provider says no if it cannot.
        tool_calling: entry.is_none_or(|entry| entry.tool_calling),
        reasoning: entry.is_some_and(|entry| entry.reasoning),
        vision: entry.is_none_or(|entry| entry.vision),
        rehearsal: provider.is_rehearsal(),
    }
}

fn target_for_list(
    provider: &'static Provider,
    credentials: &Credentials,
) -> Result<Option<Target>, LlmError> {
    if provider.is_rehearsal() {
        return Ok(None);
    }
    target(provider, "", None, credentials).map(Some)
}

/// What the client needs, or which variable is missing.
fn target(
    provider: &'static Provider,
    model: &str,
    entry: Option<&ModelEntry>,
    credentials: &Credentials,
) -> Result<Target, LlmError> {
    let mut target = Target {
        provider: &provider.id,
        label: &provider.name,
        model: model.to_owned(),
        base_url: String::new(),
        key: None,
        extra: BTreeMap::new(),
        reasoning: entry.is_some_and(|entry| entry.reasoning),
    };
    for variable in &provider.variables {
        let value = credentials.text(&variable.key);
        let value = value.or_else(|| (!variable.default.is_empty()).then(|| variable.default.clone()));
        let Some(value) = value else {
            if variable.required {
                return Err(missing(provider, &variable.key, &variable.label, credentials));
            }
            continue;
        };
        if variable.secret {
            target.key = Some(Secret::new(value));
        } else if variable.field.contains("base_url") || variable.field.contains("endpoint") {
            target.base_url = value.trim_end_matches('/').to_owned();
        } else {
            target.extra.insert(variable.field.as_str(), value);
        }
    }
    Ok(target)
}

/// Names both the variable the person chose and the one the provider's own settings use.
fn missing(provider: &Provider, key: &str, label: &str, credentials: &Credentials) -> LlmError {
    let name = &provider.name;
    match &credentials.missing {
        Some(own) if own != key => LlmError::new(
            Class::Configuration,
            format!("the variable `{own}` that this node names for {name} does not exist"),
        )
        .advice(format!(
            "Create `{own}`, or the canonical `{key}`, in Settings › Model providers."
        )),
        _ => LlmError::new(Class::Configuration, format!("{name} needs its {label}")).advice(format!(
            "Set `{key}` in Settings › Model providers; on the command line, as an environment variable."
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasoning_models_use_the_newer_api_at_openai_itself() {
        let at = |url: &str| {
            let provider = catalog().provider("OpenAI").unwrap();
            let credentials = Credentials::new()
                .with("OPENAI_API_KEY", "k")
                .with("OPENAI_BASE_URL", url);
            is_openai(&target(provider, "gpt-5", None, &credentials).unwrap())
        };
        assert!(at(""), "by default");
        assert!(at("https://eu.api.openai.com/v1"));
        assert!(!at("https://proxy.example/v1"));
        assert!(!at("https://api.openai.com.example/v1"));
        assert!(!at("nonsense"));
    }
}
