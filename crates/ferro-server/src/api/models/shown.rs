//! Providers and models as clients see them.

use ferro_llm::Provider;
use serde::Serialize;
use utoipa::ToSchema;

use super::ModelType;
use crate::app::models::{Seen, SeenModel};

#[derive(Serialize, ToSchema)]
pub struct ProviderVariable {
    /// How people know it.
    pub variable_name: String,
    /// The global variable that holds it.
    #[schema(example = "OPENAI_API_KEY")]
    pub variable_key: String,
    pub description: String,
    pub required: bool,
    pub is_secret: bool,
    pub is_list: bool,
    /// What is used when it is not set; may be empty.
    pub default: String,
    /// Values to choose from; empty for free text.
    pub options: Vec<String>,
    /// It has a value.
    pub is_set: bool,
}

pub(super) fn variables_of(provider: &Provider, set: &[String]) -> Vec<ProviderVariable> {
    let describe = |spec: &ferro_llm::VariableSpec| ProviderVariable {
        variable_name: spec.label.clone(),
        variable_key: spec.key.clone(),
        description: spec.description.clone(),
        required: spec.required,
        is_secret: spec.secret,
        is_list: false,
        default: spec.default.clone(),
        options: spec.options.clone(),
        is_set: set.contains(&spec.key),
    };
    provider.variables.iter().map(describe).collect()
}

#[derive(Serialize, ToSchema)]
pub struct ModelPrice {
    /// US dollars for a million tokens read.
    pub input: f64,
    /// US dollars for a million tokens written.
    pub output: f64,
    /// US dollars for a million tokens the provider still had.
    pub cached: Option<f64>,
}

#[derive(Serialize, ToSchema)]
pub struct ModelMetadata {
    pub model_type: ModelType,
    pub context_length: Option<u64>,
    pub tool_calling: bool,
    pub reasoning: bool,
    /// It can be sent images.
    pub vision: bool,
    /// It is taken when only the provider is known.
    pub default: bool,
    pub deprecated: bool,
    pub price: Option<ModelPrice>,
    /// Numbers in its vectors.
    pub dimensions: Option<u32>,
}

#[derive(Serialize, ToSchema)]
pub struct ModelInfo {
    #[schema(example = "gpt-5.4")]
    pub model_name: String,
    pub metadata: ModelMetadata,
    /// It is offered in model fields.
    pub is_enabled: bool,
}

#[derive(Serialize, ToSchema)]
pub struct ProviderModels {
    pub provider: String,
    pub provider_id: String,
    pub icon: String,
    pub description: String,
    /// Where to get a key; may be empty.
    pub help_url: String,
    pub models: Vec<ModelInfo>,
    pub num_models: usize,
    /// Its models can be used.
    pub is_enabled: bool,
    /// Everything it needs is set.
    pub is_configured: bool,
    /// Offline and not an AI: for trying things out.
    pub is_rehearsal: bool,
    pub variables: Vec<ProviderVariable>,
    /// Why the provider's own list of models could not be had.
    pub list_error: Option<String>,
}

impl From<SeenModel> for ModelInfo {
    fn from(model: SeenModel) -> Self {
        let entry = model.entry;
        Self {
            model_name: entry.name,
            is_enabled: model.enabled,
            metadata: ModelMetadata {
                model_type: entry.kind.into(),
                context_length: entry.context_tokens,
                tool_calling: entry.tool_calling,
                reasoning: entry.reasoning,
                vision: entry.vision,
                default: entry.default,
                deprecated: entry.deprecated,
                price: entry.price.map(|price| ModelPrice {
                    input: price.input,
                    output: price.output,
                    cached: price.cached,
                }),
                dimensions: entry.dimensions,
            },
        }
    }
}

impl From<Seen> for ProviderModels {
    fn from(seen: Seen) -> Self {
        let provider = seen.provider;
        Self {
            provider: provider.name.clone(),
            provider_id: provider.id.clone(),
            icon: provider.icon.clone(),
            description: provider.description.clone(),
            help_url: provider.help_url.clone(),
            num_models: seen.models.len(),
            models: seen.models.into_iter().map(ModelInfo::from).collect(),
            is_enabled: seen.configured,
            is_configured: seen.configured,
            is_rehearsal: provider.is_rehearsal(),
            variables: variables_of(provider, &seen.set),
            list_error: seen.list_error.map(|error| error.to_string()),
        }
    }
}
