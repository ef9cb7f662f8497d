//! Which model speaks in a turn: the one that was asked for, else the person's default, else the best there is.

use std::sync::Arc;

use ferro_assistant::{Available, ModelChoice, rehearsal};
use ferro_llm::{Credentials, ModelKind, Options, Provider, catalog};

use super::heard::{Heard, Listening};
use crate::app::models::{self, Ask, Chosen, Seen};
use crate::error::{AppError, Result};
use crate::http::identity::Actor;
use crate::state::App;

/// Whom to take when nobody chose, best first; then whoever else is set up.
const PREFERRED: [&str; 4] = ["anthropic", "openai", "google-generative-ai", "groq"];

/// What the assistant can speak with, for one person.
pub struct Offer {
    seen: Vec<Seen>,
    /// Those that are set up and have a model that calls tools.
    pub providers: Vec<Offered>,
    pub default: Option<Chosen>,
}

pub struct Offered {
    pub provider: &'static Provider,
    /// Best first, never empty.
    pub models: Vec<String>,
}

/// The model of a turn, and what it was last heard to fail with.
pub struct Choice {
    pub model: ModelChoice,
    pub available: Vec<Available>,
    pub heard: Heard,
}

/// What a request says of the model.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    pub provider: Option<String>,
    pub model: Option<String>,
}

pub async fn offer(app: &App, actor: &Actor) -> Result<Offer> {
    let seen = models::providers(app, actor, Some(ModelKind::Language), Ask::Needed).await?;
    let providers: Vec<Offered> = seen.iter().filter_map(offered).collect();
    let own = models::own_default(app, actor, ModelKind::Language).await?;
    let default = own
        .filter(|own| has(&providers, own))
        .or_else(|| first(&providers));
    Ok(Offer {
        seen,
        providers,
        default,
    })
}

/// The models of a provider that can work with tools: those that are good at it, its default, the rest.
fn offered(seen: &Seen) -> Option<Offered> {
    if !seen.configured {
        return None;
    }
    let fits = seen
        .models
        .iter()
        .filter(|model| model.enabled && model.entry.tool_calling);
    let mut fitting: Vec<_> = fits.map(|model| &model.entry).collect();
    fitting.sort_by_key(|entry| (entry.preferred == 0, entry.preferred, !entry.default));
    let models: Vec<String> = fitting.into_iter().map(|entry| entry.name.clone()).collect();
    (!models.is_empty()).then_some(Offered {
        provider: seen.provider,
        models,
    })
}

fn has(providers: &[Offered], chosen: &Chosen) -> bool {
    let mut of = providers
        .iter()
        .filter(|one| one.provider.name == chosen.provider);
    of.any(|one| one.models.contains(&chosen.model_name))
}

fn first(providers: &[Offered]) -> Option<Chosen> {
    let rank = |one: &&Offered| {
        let place = PREFERRED.iter().position(|id| *id == one.provider.id);
        (one.provider.is_rehearsal(), place.unwrap_or(PREFERRED.len()))
    };
    let best = providers.iter().min_by_key(rank)?;
    Some(Chosen {
        provider: best.provider.name.clone(),
        model_name: best.models.first()?.clone(),
    })
}

pub async fn choose(app: &App, actor: &Actor, wanted: &Wanted) -> Result<Choice> {
    let offer = offer(app, actor).await?;
    let (provider, model) = offer.resolve(wanted)?;
    let credentials = credentials(app, actor, provider).await?;
    let known = offer.providers.iter().find(|one| one.provider.id == provider.id);
    let candidates = known.map(|one| one.models.clone()).unwrap_or_default();
    let Some(model) = model.or_else(|| candidates.first().cloned()) else {
        return Err(AppError::no_model(format!(
            "{} offers no model that can call tools. Turn one on in Settings › Model Providers, or name one.",
            provider.name
        )));
    };
    let available = offer.providers.iter().map(|one| Available {
        provider: one.provider.name.clone(),
        models: one.models.clone(),
        rehearsal: one.provider.is_rehearsal(),
    });
    let heard = Heard::default();
    Ok(Choice {
        available: available.collect(),
        model: ModelChoice {
            provider: provider.name.clone(),
            model,
            candidates,
            open: opener(app, provider, credentials, heard.clone()),
            rehearsal: provider.is_rehearsal(),
        },
        heard,
    })
}

fn opener(
    app: &App,
    provider: &'static Provider,
    credentials: Credentials,
    heard: Heard,
) -> ferro_assistant::OpenModel {
    let models = app.models.clone();
    Arc::new(move |name| {
        let mut model = models.language(&provider.name, name, &credentials, &Options::default())?;
        if provider.is_rehearsal() {
            // The one that has learnt what the assistant does.
            model = rehearsal(model, models.rehearsal_pace());
        }
        Ok(Arc::new(Listening::new(model, heard.clone())))
    })
}

/// What the person has set for it, if that is all it needs.
async fn credentials(app: &App, actor: &Actor, provider: &Provider) -> Result<Credentials> {
    let credentials = models::credentials(app, actor, provider, &Default::default()).await?;
    let needed = provider
        .variables
        .iter()
        .filter(|spec| spec.required && spec.default.is_empty());
    let missing: Vec<&str> = needed
        .filter(|spec| credentials.get(&spec.key).is_none())
        .map(|spec| spec.key.as_str())
        .collect();
    if missing.is_empty() {
        return Ok(credentials);
    }
    Err(AppError::no_model(format!(
        "{} is required for the assistant with {}. Set it in Settings › Model Providers.",
        missing.join(" and "),
        provider.name
    )))
}

impl Offer {
    /// The provider, and the model if one was asked for or is the person's own.
    fn resolve(&self, wanted: &Wanted) -> Result<(&'static Provider, Option<String>)> {
        let named = |text: &Option<String>| {
            text.as_deref()
                .map(str::trim)
                .filter(|text| !text.is_empty())
                .map(str::to_owned)
        };
        let model = named(&wanted.model);
        let provider = match (named(&wanted.provider), &model) {
            (Some(name), _) => self.find(&name)?,
            (None, Some(model)) => match self.provider_of(model) {
                Some(provider) => provider,
                None => self.default_provider()?,
            },
            (None, None) => self.default_provider()?,
        };
        let own = self.default.as_ref().filter(|own| own.provider == provider.name);
        Ok((provider, model.or_else(|| own.map(|own| own.model_name.clone()))))
    }

    fn find(&self, name: &str) -> Result<&'static Provider> {
        let Some(provider) = catalog().provider(name) else {
            return Err(AppError::no_model(format!("Unknown provider: {name}")));
        };
        let seen = self.seen.iter().find(|seen| seen.provider.id == provider.id);
        // One that is set up by half is told which half is missing, further on.
        if seen.is_none_or(|seen| !seen.configured && seen.set.is_empty()) {
            let there: Vec<&str> = self
                .providers
                .iter()
                .map(|one| one.provider.name.as_str())
                .collect();
            return Err(AppError::no_model(format!(
                "Provider '{}' is not configured. Available providers: [{}]",
                provider.name,
                there.join(", ")
            )));
        }
        Ok(provider)
    }

    fn provider_of(&self, model: &str) -> Option<&'static Provider> {
        let mut offering = self.providers.iter();
        offering
            .find(|one| one.models.iter().any(|name| name == model))
            .map(|one| one.provider)
    }

    fn default_provider(&self) -> Result<&'static Provider> {
        let default = self
            .default
            .as_ref()
            .and_then(|own| catalog().provider(&own.provider));
        default.ok_or_else(|| {
            AppError::no_model(
                "No model provider is configured. Please configure at least one model provider in Settings."
                    .to_owned(),
            )
        })
    }
}
