//! Lists of models as providers write them, and what is made of them.

use std::collections::HashSet;

use serde_json::Value as Json;

use crate::catalog::{ModelEntry, ModelKind, Price, Provider};
use crate::providers::Target;
use crate::providers::wire::{count, text};

/// Models taken from one list.
const MOST: usize = 2000;

/// A model as a provider's list tells of it. What it does not say is `None`.
#[derive(Debug)]
pub(super) struct Found {
    pub name: String,
    /// `None` for what neither talks nor gives vectors: images, speech, moderation.
    pub kind: Option<ModelKind>,
    context_tokens: Option<u64>,
    price: Option<Price>,
    tool_calling: Option<bool>,
    reasoning: Option<bool>,
    vision: Option<bool>,
    deprecated: bool,
    /// The provider said what it can do.
    pub is_described: bool,
}

impl Found {
    fn new(name: &str, kind: Option<ModelKind>) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            context_tokens: None,
            price: None,
            tool_calling: None,
            reasoning: None,
            vision: None,
            deprecated: false,
            is_described: false,
        }
    }

    /// What Ollama says about one model.
    pub(super) fn describe(&mut self, shown: &Json) {
        let Some(Json::Array(abilities)) = shown.get("capabilities") else {
            return;
        };
        let can = |ability: &str| abilities.iter().any(|known| known == ability);
        self.is_described = true;
        self.tool_calling = Some(can("tools"));
        self.reasoning = Some(can("thinking"));
        self.vision = Some(can("vision"));
        self.kind = if can("completion") {
            Some(ModelKind::Language)
        } else {
            can("embedding").then_some(ModelKind::Embedding)
        };
        let sizes = shown.get("model_info").and_then(Json::as_object);
        let context = sizes
            .into_iter()
            .flatten()
            .find(|(key, _)| key.ends_with(".context_length"));
        self.context_tokens = count(context.map(|(_, value)| value));
    }

    /// What the provider says, over what the catalogue says.
    fn over(self, known: Option<&ModelEntry>) -> ModelEntry {
        let unknown = ModelEntry {
            name: self.name,
            kind: self.kind.unwrap_or(ModelKind::Language),
            context_tokens: None,
            price: None,
            // A model nobody listed is given the benefit of the doubt.
            tool_calling: self.kind == Some(ModelKind::Language),
            reasoning: false,
            vision: false,
            default: false,
            preferred: 0,
            deprecated: false,
            dimensions: None,
        };
        let mut entry = known.cloned().unwrap_or(unknown);
        entry.context_tokens = self.context_tokens.or(entry.context_tokens);
        entry.price = self.price.or(entry.price);
        entry.tool_calling = self.tool_calling.unwrap_or(entry.tool_calling);
        entry.reasoning = self.reasoning.unwrap_or(entry.reasoning);
        entry.vision = self.vision.unwrap_or(entry.vision);
        entry.deprecated |= self.deprecated;
        entry
    }
}

pub(super) fn read(target: &Target, answer: &Json) -> Vec<Found> {
    let (list, one): (&str, fn(&Json) -> Option<Found>) = match target.provider {
        "anthropic" => ("data", of_anthropic),
        "google-generative-ai" => ("models", of_gemini),
        "ollama" => ("models", of_ollama),
        "ibm-watsonx" => ("resources", of_watsonx),
        "openrouter" => ("data", of_openrouter),
        "openai" => ("data", of_openai),
        _ => ("data", of_similar),
    };
    let list = answer.get(list).and_then(Json::as_array);
    list.into_iter().flatten().take(MOST).filter_map(one).collect()
}

pub(super) fn of_catalogue(provider: &Provider, kind: ModelKind) -> Vec<ModelEntry> {
    provider
        .models
        .iter()
        .filter(|model| model.kind == kind)
        .cloned()
        .collect()
}

pub(super) fn merge(provider: &Provider, found: Vec<Found>, kind: ModelKind) -> Vec<ModelEntry> {
    let mut seen = HashSet::new();
    let mut entries: Vec<(usize, ModelEntry)> = Vec::new();
    for model in found {
        let known = known(provider, &model.name);
        let is_wanted = match known {
            // The catalogue knows better than a guess by name.
            Some((_, known)) if !model.is_described => known.kind == kind,
            _ => model.kind == Some(kind),
        };
        if !is_wanted {
            continue;
        }
        let name = model.name.clone();
        let place = known.map_or(usize::MAX, |(at, _)| at);
        let mut entry = model.over(known.map(|(_, known)| known));
        if provider.id == "ollama" {
            // There the tag is part of the name: another tag may not be installed.
            entry.name = name;
        }
        if seen.insert(entry.name.clone()) {
            entries.push((place, entry));
        }
    }
    // Stable: what the catalogue does not know stays in the provider's order.
    entries.sort_by_key(|(place, _)| *place);
    entries.into_iter().map(|(_, entry)| entry).collect()
}

/// The catalogue's entry for a name: the same, or the same without its date, `latest` or tag.
fn known<'a>(provider: &'a Provider, name: &str) -> Option<(usize, &'a ModelEntry)> {
    let same = |wanted: &str| provider.models.iter().position(|model| model.name == wanted);
    let bare = || {
        if provider.id == "ollama" {
            return name.split_once(':').map(|(name, _)| name);
        }
        let (name, date) = name.rsplit_once('-')?;
        (date.len() == 8 && date.bytes().all(|byte| byte.is_ascii_digit())).then_some(name)
    };
    let at = same(name).or_else(|| same(bare()?))?;
    Some((at, &provider.models[at]))
}

fn any(name: &str, words: &[&str]) -> bool {
    words.iter().any(|word| name.contains(word))
}

/// The list has names and nothing else.
fn of_openai(model: &Json) -> Option<Found> {
    const OTHER: [&str; 15] = [
        "audio",
        "realtime",
        "transcribe",
        "tts",
        "image",
        "search",
        "instruct",
        "moderation",
        "whisper",
        "dall-e",
        "sora",
        "codex",
        "deep-research",
        "computer-use",
        "-pro",
    ];
    let name = text(model, "id")?;
    let own = name.strip_prefix("ft:").unwrap_or(name);
    let talks = own.starts_with("gpt-")
        || own.starts_with("chatgpt-")
        || own
            .strip_prefix('o')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let kind = if name.contains("embedding") {
        Some(ModelKind::Embedding)
    } else {
        (talks && !any(name, &OTHER)).then_some(ModelKind::Language)
    };
    Some(Found::new(name, kind))
}

/// Groq, and servers of all kinds: whatever is not clearly something else talks.
fn of_similar(model: &Json) -> Option<Found> {
    const OTHER: [&str; 14] = [
        "whisper",
        "tts",
        "orpheus",
        "guard",
        "safeguard",
        "rerank",
        "moderation",
        "dall-e",
        "stable-diffusion",
        "flux",
        "transcribe",
        "realtime",
        "gpt-image",
        "sora",
    ];
    let name = text(model, "id")?;
    let plain = name.to_ascii_lowercase();
    if model.get("active").and_then(Json::as_bool) == Some(false) {
        return None;
    }
    let kind = if any(&plain, &["embed", "bge-", "e5-", "gte-", "minilm"]) {
        Some(ModelKind::Embedding)
    } else {
        (!any(&plain, &OTHER)).then_some(ModelKind::Language)
    };
    let sizes = [
        "context_window",
        "context_length",
        "max_model_len",
        "max_context_length",
    ];
    let mut found = Found::new(name, kind);
    found.context_tokens = sizes
        .into_iter()
        .find_map(|key| count(model.get(key)))
        .filter(|size| *size > 0);
    Some(found)
}

fn of_openrouter(model: &Json) -> Option<Found> {
    let name = text(model, "id")?;
    let architecture = model.get("architecture").unwrap_or(&Json::Null);
    let lists = |of: &Json, key: &str, word: &str| {
        let list = of.get(key).and_then(Json::as_array);
        list.into_iter().flatten().any(|item| item == word)
    };
    let kind = if lists(architecture, "output_modalities", "embeddings") || name.contains("embed") {
        Some(ModelKind::Embedding)
    } else {
        // Older lists do not say what comes out.
        let says = architecture.get("output_modalities").is_some_and(Json::is_array);
        (!says || lists(architecture, "output_modalities", "text")).then_some(ModelKind::Language)
    };
    let mut found = Found::new(name, kind);
    found.is_described = true;
    found.context_tokens = count(model.get("context_length")).filter(|size| *size > 0);
    found.vision = Some(lists(architecture, "input_modalities", "image"));
    if model.get("supported_parameters").is_some_and(Json::is_array) {
        found.tool_calling = Some(lists(model, "supported_parameters", "tools"));
        found.reasoning = Some(lists(model, "supported_parameters", "reasoning"));
    }
    let pricing = model.get("pricing").unwrap_or(&Json::Null);
    // Dollars for one token, as text; below zero where it depends.
    let price = |key: &str| {
        let value = pricing.get(key)?;
        let dollars = value.as_f64().or_else(|| value.as_str()?.parse().ok())?;
        (dollars.is_finite() && dollars >= 0.0).then_some((dollars * 1e12).round() / 1e6)
    };
    found.price = price("prompt")
        .zip(price("completion"))
        .map(|(input, output)| Price {
            input,
            output,
            cached: price("input_cache_read"),
        });
    Some(found)
}

fn of_anthropic(model: &Json) -> Option<Found> {
    let mut found = Found::new(text(model, "id")?, Some(ModelKind::Language));
    found.context_tokens = count(model.get("max_input_tokens")).filter(|size| *size > 0);
    let can = |ability: &str| {
        model
            .get("capabilities")?
            .get(ability)?
            .get("supported")?
            .as_bool()
    };
    found.reasoning = can("thinking");
    found.vision = can("image_input");
    Some(found)
}

fn of_gemini(model: &Json) -> Option<Found> {
    const OTHER: [&str; 11] = [
        "image",
        "tts",
        "audio",
        "live",
        "robotics",
        "computer-use",
        "nano-banana",
        "lyria",
        "veo",
        "aqa",
        "deep-research",
    ];
    let name = text(model, "name")?;
    let name = name.strip_prefix("models/").unwrap_or(name);
    let methods = model.get("supportedGenerationMethods").and_then(Json::as_array);
    let methods: Vec<&str> = methods.into_iter().flatten().filter_map(Json::as_str).collect();
    let kind = if methods.contains(&"embedContent") || methods.contains(&"batchEmbedContents") {
        Some(ModelKind::Embedding)
    } else {
        (methods.contains(&"generateContent") && !any(name, &OTHER)).then_some(ModelKind::Language)
    };
    let mut found = Found::new(name, kind);
    found.context_tokens = count(model.get("inputTokenLimit")).filter(|size| *size > 0);
    found.reasoning = model.get("thinking").and_then(Json::as_bool);
    Some(found)
}

fn of_ollama(model: &Json) -> Option<Found> {
    let name = text(model, "model").or_else(|| text(model, "name"))?;
    let family = model
        .get("details")
        .and_then(|details| text(details, "family"))
        .unwrap_or_default();
    let is_embedding = any(name, &["embed", "bge-", "minilm"]) || family.ends_with("bert");
    let kind = if is_embedding {
        ModelKind::Embedding
    } else {
        ModelKind::Language
    };
    let mut found = Found::new(name, Some(kind));
    // Newer servers say it in the list itself.
    found.describe(model);
    Some(found)
}

fn of_watsonx(model: &Json) -> Option<Found> {
    let name = text(model, "model_id")?;
    let has = |list: &str, id: &str| {
        let list = model.get(list).and_then(Json::as_array);
        list.into_iter()
            .flatten()
            .any(|item| text(item, "id") == Some(id))
    };
    if has("lifecycle", "withdrawn") {
        return None;
    }
    let kind = if has("functions", "embedding") {
        Some(ModelKind::Embedding)
    } else {
        has("functions", "text_chat").then_some(ModelKind::Language)
    };
    let mut found = Found::new(name, kind);
    let limits = model.get("model_limits");
    found.context_tokens = count(limits.and_then(|limits| limits.get("max_sequence_length")));
    found.vision = has("functions", "image_chat").then_some(true);
    found.deprecated = has("lifecycle", "deprecated");
    Some(found)
}
