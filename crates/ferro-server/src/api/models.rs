//! Models: providers, what they offer, and which one is taken when nobody chooses.

mod shown;

use std::collections::BTreeMap;

use axum::{Json as Answer, extract::State};
use ferro_llm::{ModelKind, Provider, catalog};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::{
    api::AppState,
    app::models::{self, Ask, Chosen, Seen},
    error::{ErrorBody, Result},
    http::{
        extract::{Json, Query},
        identity::Actor,
    },
};
use shown::{ProviderModels, ProviderVariable, variables_of};

#[derive(Clone, Copy, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ModelType {
    #[default]
    #[serde(alias = "llm")]
    Language,
    #[serde(alias = "embeddings")]
    Embedding,
}

impl From<ModelType> for ModelKind {
    fn from(kind: ModelType) -> Self {
        match kind {
            ModelType::Language => Self::Language,
            ModelType::Embedding => Self::Embedding,
        }
    }
}

impl From<ModelKind> for ModelType {
    fn from(kind: ModelKind) -> Self {
        match kind {
            ModelKind::Language => Self::Language,
            ModelKind::Embedding => Self::Embedding,
        }
    }
}

/// Names of all providers.
#[utoipa::path(get, path = "/api/v1/models/providers", tag = "models", responses((status = 200, body = Vec<String>)))]
pub async fn list_provider_names(_: Actor) -> Answer<Vec<String>> {
    Answer(
        catalog()
            .providers
            .iter()
            .map(|provider| provider.name.clone())
            .collect(),
    )
}

#[derive(Serialize, ToSchema)]
pub struct ProviderDescriptor {
    #[schema(example = "openai")]
    pub provider_id: String,
    #[schema(example = "OpenAI")]
    pub display_name: String,
    pub provider: String,
}

/// Ids and names of all providers.
#[utoipa::path(get, path = "/api/v1/models/provider-descriptors", tag = "models",
    responses((status = 200, body = Vec<ProviderDescriptor>)))]
pub async fn list_provider_descriptors(_: Actor) -> Answer<Vec<ProviderDescriptor>> {
    let describe = |provider: &Provider| ProviderDescriptor {
        provider_id: provider.id.clone(),
        display_name: provider.name.clone(),
        provider: provider.name.clone(),
    };
    Answer(catalog().providers.iter().map(describe).collect())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ModelQuery {
    /// Only this provider, by name or id.
    provider: Option<String>,
    /// Only this model.
    model_name: Option<String>,
    #[param(inline)]
    model_type: Option<ModelType>,
    /// Only models that can call tools, or only those that cannot.
    tool_calling: Option<bool>,
    reasoning: Option<bool>,
    /// Models that are going out of use too.
    #[serde(default)]
    include_deprecated: bool,
}

/// Providers and their models, those that are set up first.
#[utoipa::path(get, path = "/api/v1/models", tag = "models", params(ModelQuery),
    responses((status = 200, body = Vec<ProviderModels>), (status = 422, body = ErrorBody)))]
pub async fn list_models(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<ModelQuery>,
) -> Result<Answer<Vec<ProviderModels>>> {
    let only = query.provider.as_deref().map(models::find_provider).transpose()?;
    let kind = query.model_type.map(ModelKind::from);
    let mut seen = models::providers(&app, &actor, kind, Ask::All).await?;
    seen.retain(|seen| only.is_none_or(|only| only.id == seen.provider.id));
    for seen in &mut seen {
        seen.models.retain(|model| {
            let entry = &model.entry;
            let named = query.model_name.as_ref();
            (query.include_deprecated || !entry.deprecated || model.enabled)
                && named.is_none_or(|name| *name == entry.name)
                && query
                    .tool_calling
                    .is_none_or(|wanted| wanted == entry.tool_calling)
                && query.reasoning.is_none_or(|wanted| wanted == entry.reasoning)
        });
    }
    seen.sort_by_key(|seen| (seen.provider.is_rehearsal(), !seen.configured));
    Ok(Answer(seen.into_iter().map(ProviderModels::from).collect()))
}

/// The variables every provider knows.
#[utoipa::path(get, path = "/api/v1/models/provider-variable-mapping", tag = "models",
    responses((status = 200, body = BTreeMap<String, Vec<ProviderVariable>>)))]
pub async fn map_provider_variables(
    State(app): AppState,
    actor: Actor,
) -> Result<Answer<BTreeMap<String, Vec<ProviderVariable>>>> {
    let seen = models::providers(&app, &actor, None, Ask::Nobody).await?;
    let each = |seen: Seen| (seen.provider.name.clone(), variables_of(seen.provider, &seen.set));
    Ok(Answer(seen.into_iter().map(each).collect()))
}

#[derive(Serialize, ToSchema)]
pub struct EnabledProviders {
    pub enabled_providers: Vec<String>,
    pub provider_status: BTreeMap<String, bool>,
}

/// Providers whose needs are met.
#[utoipa::path(get, path = "/api/v1/models/enabled_providers", tag = "models", responses((status = 200, body = EnabledProviders)))]
pub async fn list_enabled_providers(State(app): AppState, actor: Actor) -> Result<Answer<EnabledProviders>> {
    let seen = models::providers(&app, &actor, None, Ask::Nobody).await?;
    let status: BTreeMap<String, bool> = seen
        .iter()
        .map(|seen| (seen.provider.name.clone(), seen.configured))
        .collect();
    let enabled = seen.iter().filter(|seen| seen.configured);
    Ok(Answer(EnabledProviders {
        enabled_providers: enabled.map(|seen| seen.provider.name.clone()).collect(),
        provider_status: status,
    }))
}

#[derive(Deserialize, ToSchema)]
pub struct ProviderCheck {
    #[schema(example = "OpenAI")]
    pub provider: String,
    /// Values to try, by variable; the saved ones are used for the rest.
    #[serde(default)]
    pub variables: BTreeMap<String, String>,
}

#[derive(Serialize, ToSchema)]
pub struct ProviderChecked {
    pub valid: bool,
    /// What is wrong.
    pub error: Option<String>,
    /// What to do about it.
    pub advice: Option<String>,
    /// The provider's own words.
    pub cause: Option<String>,
    /// The kind of trouble: `authentication`, `network`, …
    pub class: Option<String>,
}

/// Ask a provider whether the settings work.
#[utoipa::path(post, path = "/api/v1/models/validate-provider", tag = "models", request_body = ProviderCheck,
    responses((status = 200, body = ProviderChecked), (status = 422, body = ErrorBody)))]
pub async fn validate_provider(
    State(app): AppState,
    actor: Actor,
    Json(body): Json<ProviderCheck>,
) -> Result<Answer<ProviderChecked>> {
    let checked = models::check(&app, &actor, &body.provider, &body.variables).await?;
    let some = |text: String| Some(text).filter(|text| !text.is_empty());
    Ok(Answer(match checked {
        Ok(()) => ProviderChecked {
            valid: true,
            error: None,
            advice: None,
            cause: None,
            class: None,
        },
        Err(error) => ProviderChecked {
            valid: false,
            class: Some(error.class.as_str().to_owned()),
            error: Some(error.message),
            advice: some(error.advice),
            cause: some(error.cause),
        },
    }))
}

#[derive(Serialize, ToSchema)]
pub struct EnabledModels {
    /// By provider and model.
    pub enabled_models: BTreeMap<String, BTreeMap<String, bool>>,
}

/// Which models are offered in model fields.
#[utoipa::path(get, path = "/api/v1/models/enabled_models", tag = "models", responses((status = 200, body = EnabledModels)))]
pub async fn list_enabled_models(State(app): AppState, actor: Actor) -> Result<Answer<EnabledModels>> {
    let seen = models::providers(&app, &actor, None, Ask::Needed).await?;
    let each = |seen: &Seen| {
        let models = seen
            .models
            .iter()
            .map(|model| (model.entry.name.clone(), model.enabled));
        (seen.provider.name.clone(), models.collect())
    };
    Ok(Answer(EnabledModels {
        enabled_models: seen.iter().map(each).collect(),
    }))
}

#[derive(Deserialize, ToSchema)]
pub struct ModelSwitch {
    pub provider: String,
    pub model_id: String,
    pub enabled: bool,
    /// Not needed.
    pub model_type: Option<String>,
}

/// Turn models on and off. A model that is not listed can be turned on by its name.
#[utoipa::path(post, path = "/api/v1/models/enabled_models", tag = "models", request_body = Vec<ModelSwitch>,
    responses((status = 200, body = EnabledModels), (status = 422, body = ErrorBody)))]
pub async fn update_enabled_models(
    State(app): AppState,
    actor: Actor,
    Json(body): Json<Vec<ModelSwitch>>,
) -> Result<Answer<EnabledModels>> {
    let switches: Vec<_> = body
        .into_iter()
        .map(|switch| (switch.provider, switch.model_id, switch.enabled))
        .collect();
    models::switch_models(&app, &actor, &switches).await?;
    list_enabled_models(State(app), actor).await
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DefaultModelQuery {
    #[serde(default)]
    #[param(inline)]
    model_type: ModelType,
}

#[derive(Serialize, Deserialize, ToSchema)]
pub struct DefaultModel {
    #[schema(example = "OpenAI")]
    pub provider: String,
    #[schema(example = "gpt-5.4")]
    pub model_name: String,
    #[serde(default)]
    pub model_type: ModelType,
}

#[derive(Serialize, ToSchema)]
pub struct DefaultModelAnswer {
    /// What was chosen; null when nothing was.
    pub default_model: Option<DefaultModel>,
    /// What is taken now: the chosen one if its provider is set up, else the first that is, else the rehearsal.
    pub effective_model: Option<DefaultModel>,
}

async fn defaults(
    app: &crate::state::App,
    actor: &Actor,
    kind: ModelType,
) -> Result<Answer<DefaultModelAnswer>> {
    let own = models::own_default(app, actor, kind.into()).await?;
    let seen = models::providers(app, actor, Some(kind.into()), Ask::Nobody).await?;
    let shown = |provider: &str, name: &str| DefaultModel {
        provider: provider.to_owned(),
        model_name: name.to_owned(),
        model_type: kind,
    };
    let taken = models::pick(&seen, own.as_ref(), |_| true);
    Ok(Answer(DefaultModelAnswer {
        effective_model: taken.map(|(seen, model)| shown(&seen.provider.name, &model.entry.name)),
        default_model: own.map(|own| shown(&own.provider, &own.model_name)),
    }))
}

/// The model that new nodes start with.
#[utoipa::path(get, path = "/api/v1/models/default_model", tag = "models", params(DefaultModelQuery),
    responses((status = 200, body = DefaultModelAnswer)))]
pub async fn read_default_model(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<DefaultModelQuery>,
) -> Result<Answer<DefaultModelAnswer>> {
    defaults(&app, &actor, query.model_type).await
}

/// Choose the model that new nodes start with.
#[utoipa::path(post, path = "/api/v1/models/default_model", tag = "models", request_body = DefaultModel,
    responses((status = 200, body = DefaultModelAnswer), (status = 422, body = ErrorBody)))]
pub async fn set_default_model(
    State(app): AppState,
    actor: Actor,
    Json(body): Json<DefaultModel>,
) -> Result<Answer<DefaultModelAnswer>> {
    let chosen = Chosen {
        provider: body.provider,
        model_name: body.model_name,
    };
    models::set_default(&app, &actor, body.model_type.into(), &chosen).await?;
    defaults(&app, &actor, body.model_type).await
}

/// Leave the choice of a model for new nodes to the server.
#[utoipa::path(delete, path = "/api/v1/models/default_model", tag = "models", params(DefaultModelQuery),
    responses((status = 200, body = DefaultModelAnswer)))]
pub async fn clear_default_model(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<DefaultModelQuery>,
) -> Result<Answer<DefaultModelAnswer>> {
    models::clear_default(&app, &actor, query.model_type.into()).await?;
    defaults(&app, &actor, query.model_type).await
}

/// Language models for a model field.
#[utoipa::path(get, path = "/api/v1/model_options/language", tag = "models", responses((status = 200, body = Vec<Object>)))]
pub async fn list_language_options(State(app): AppState, actor: Actor) -> Result<Answer<Vec<Value>>> {
    Ok(Answer(
        models::offer_models(&app, &actor, ModelKind::Language).await?,
    ))
}

/// Embedding models for a model field.
#[utoipa::path(get, path = "/api/v1/model_options/embedding", tag = "models", responses((status = 200, body = Vec<Object>)))]
pub async fn list_embedding_options(State(app): AppState, actor: Actor) -> Result<Answer<Vec<Value>>> {
    Ok(Answer(
        models::offer_models(&app, &actor, ModelKind::Embedding).await?,
    ))
}
