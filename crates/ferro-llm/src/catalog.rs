//! The catalogue: providers, the variables they need, and the models worth offering, with what they cost and can do.
//!
//! The figures live in `catalog/models.json`. They are a starting point: a provider that lists its models itself is
//! asked, and a model that is not listed here still works, its price and size unknown.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::chat::Usage;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelKind {
    Language,
    Embedding,
}

/// US dollars for a million tokens: the price on the provider's list, for prompts of ordinary length, without offers
/// that end. Where none was public it is left out.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct Price {
    pub input: f64,
    #[serde(default)]
    pub output: f64,
    /// For input the provider still had; the full price when it is not said.
    #[serde(default)]
    pub cached: Option<f64>,
}

impl Price {
    /// Nano-dollars, so that sums stay whole.
    pub fn cost(&self, usage: Usage) -> u64 {
        let cached = usage.cached.min(usage.input);
        let fresh = (usage.input - cached) as f64 * self.input;
        let read = cached as f64 * self.cached.unwrap_or(self.input);
        let dollars = (fresh + read + usage.output as f64 * self.output) / 1e6;
        (dollars * 1e9).round().max(0.0) as u64
    }
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ModelEntry {
    pub name: String,
    pub kind: ModelKind,
    #[serde(default)]
    pub context_tokens: Option<u64>,
    #[serde(default)]
    pub price: Option<Price>,
    #[serde(default)]
    pub tool_calling: bool,
    #[serde(default)]
    pub reasoning: bool,
    #[serde(default)]
    pub vision: bool,
    /// The one that is chosen when nobody chose: at most one of each kind and provider.
    #[serde(default)]
    pub default: bool,
    /// Good for the assistant, best first (1, 2, …); 0 for the rest.
    #[serde(default)]
    pub preferred: u8,
    #[serde(default)]
    pub deprecated: bool,
    /// Numbers in a vector.
    #[serde(default)]
    pub dimensions: Option<u32>,
}

impl ModelEntry {
    /// A language model that no list has. What it can do is not known, so everything is tried.
    pub fn unlisted(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            kind: ModelKind::Language,
            context_tokens: None,
            price: None,
            tool_calling: true,
            reasoning: false,
            vision: true,
            default: false,
            preferred: 0,
            deprecated: false,
            dimensions: None,
        }
    }
}

/// A setting of a provider, kept as a global variable.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct VariableSpec {
    /// Such as `OPENAI_API_KEY`: the name of the variable and of the environment variable.
    pub key: String,
    pub label: String,
    pub description: String,
    pub required: bool,
    pub secret: bool,
    /// What is used when it is not set; may be empty.
    #[serde(default)]
    pub default: String,
    /// Values to choose from; empty for free text.
    #[serde(default)]
    pub options: Vec<String>,
    /// The field of a node that sets it for that node alone, such as `api_key`.
    pub field: String,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Provider {
    /// Such as `openai`.
    pub id: String,
    /// As people and saved flows name it, such as `OpenAI`.
    pub name: String,
    pub icon: String,
    pub description: String,
    /// Where to get a key.
    #[serde(default)]
    pub help_url: String,
    pub variables: Vec<VariableSpec>,
    /// Only it knows which models there are: its list is what is offered.
    #[serde(default)]
    pub live: bool,
    /// It can be asked for its list too; what the catalogue knows is offered, the rest can be turned on.
    #[serde(default)]
    pub lists: bool,
    pub models: Vec<ModelEntry>,
}

impl Provider {
    pub fn model(&self, name: &str) -> Option<&ModelEntry> {
        self.models.iter().find(|model| model.name == name)
    }

    /// Its first model of a kind that is marked as default, or just the first.
    pub fn default_model(&self, kind: ModelKind) -> Option<&ModelEntry> {
        let of_kind = || {
            self.models
                .iter()
                .filter(move |model| model.kind == kind && !model.deprecated)
        };
        of_kind().find(|model| model.default).or_else(|| of_kind().next())
    }

    pub fn is_rehearsal(&self) -> bool {
        self.id == crate::rehearsal::PROVIDER_ID
    }
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Catalog {
    /// Real ones first, the rehearsal last.
    pub providers: Vec<Provider>,
}

impl Catalog {
    /// By name, id or a spelling older files use.
    pub fn provider(&self, name: &str) -> Option<&Provider> {
        let plain = |text: &str| -> String {
            let kept = text.chars().filter(char::is_ascii_alphanumeric);
            kept.map(|c| c.to_ascii_lowercase()).collect()
        };
        let wanted = match plain(name).as_str() {
            "google" | "gemini" => "googlegenerativeai".to_owned(),
            "watsonx" => "ibmwatsonx".to_owned(),
            "azure" => "azureopenai".to_owned(),
            other => other.to_owned(),
        };
        self.providers
            .iter()
            .find(|provider| plain(&provider.id) == wanted || plain(&provider.name) == wanted)
    }

    /// Which provider a bare model name belongs to.
    pub fn find_model(&self, name: &str) -> Option<(&Provider, &ModelEntry)> {
        let mut all = self.providers.iter();
        all.find_map(|provider| Some((provider, provider.model(name)?)))
    }

    /// Every variable some provider knows.
    pub fn variables(&self) -> impl Iterator<Item = &VariableSpec> {
        self.providers.iter().flat_map(|provider| &provider.variables)
    }
}

static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    // A test reads it, so it cannot fail in a build that was tested.
    serde_json::from_str(include_str!("catalog/models.json")).unwrap_or(Catalog {
        providers: Vec::new(),
    })
});

pub fn catalog() -> &'static Catalog {
    &CATALOG
}
