//! Components of older files that were one provider each: how their fields name what the model list says now.

/// One of them.
pub(crate) struct Legacy {
    pub r#type: &'static str,
    pub provider: &'static str,
    /// Fields that may hold the model's name, the key, the address.
    pub model: &'static [&'static str],
    pub key: &'static [&'static str],
    pub url: &'static [&'static str],
}

const fn of(
    r#type: &'static str,
    provider: &'static str,
    key: &'static [&'static str],
    url: &'static [&'static str],
) -> Legacy {
    Legacy {
        r#type,
        provider,
        model: &["model_name", "model", "model_id", "azure_deployment"],
        key,
        url,
    }
}

pub(crate) const LANGUAGE: [Legacy; 10] = [
    of(
        "OpenAIModel",
        "OpenAI",
        &["api_key", "openai_api_key"],
        &["openai_api_base"],
    ),
    of(
        "AnthropicModel",
        "Anthropic",
        &["api_key", "anthropic_api_key"],
        &["base_url", "anthropic_api_url"],
    ),
    of(
        "GoogleGenerativeAIModel",
        "Google Generative AI",
        &["api_key", "google_api_key"],
        &[],
    ),
    of(
        "GroqModel",
        "Groq",
        &["api_key", "groq_api_key"],
        &["base_url", "groq_api_base"],
    ),
    of("OllamaModel", "Ollama", &["api_key"], &["base_url"]),
    of(
        "AzureOpenAIModel",
        "Azure OpenAI",
        &["api_key"],
        &["azure_endpoint"],
    ),
    of(
        "AzureChatOpenAIComponent",
        "Azure OpenAI",
        &["api_key"],
        &["azure_endpoint"],
    ),
    of(
        "IBMwatsonxModel",
        "IBM WatsonX",
        &["api_key"],
        &["base_url", "url"],
    ),
    of("OpenRouterComponent", "OpenRouter", &["api_key"], &[]),
    of("LMStudioModel", "OpenAI-compatible", &["api_key"], &["base_url"]),
];

pub(crate) const EMBEDDING: [Legacy; 6] = [
    of(
        "OpenAIEmbeddings",
        "OpenAI",
        &["openai_api_key", "api_key"],
        &["openai_api_base"],
    ),
    of(
        "AzureOpenAIEmbeddings",
        "Azure OpenAI",
        &["api_key"],
        &["azure_endpoint"],
    ),
    of(
        "Google Generative AI Embeddings",
        "Google Generative AI",
        &["api_key"],
        &[],
    ),
    of("OllamaEmbeddings", "Ollama", &["api_key"], &["base_url"]),
    of(
        "WatsonxEmbeddingsComponent",
        "IBM WatsonX",
        &["api_key"],
        &["url"],
    ),
    of(
        "LMStudioEmbeddingsComponent",
        "OpenAI-compatible",
        &["api_key"],
        &["base_url"],
    ),
];

pub(crate) fn find(r#type: &str) -> Option<&'static Legacy> {
    let all = LANGUAGE.iter().chain(&EMBEDDING);
    all.into_iter().find(|legacy| legacy.r#type == r#type)
}
