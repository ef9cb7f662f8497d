//! The catalogue is sound: it reads, names nothing twice, and finds what it holds.

use std::collections::HashSet;

use ferro_llm::{Catalog, ModelKind, Usage, catalog};

#[test]
fn it_reads_and_keeps_its_order() {
    let names: Vec<&str> = catalog()
        .providers
        .iter()
        .map(|provider| provider.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "OpenAI",
            "Anthropic",
            "Google Generative AI",
            "Groq",
            "Ollama",
            "Azure OpenAI",
            "Azure AI Foundry",
            "IBM WatsonX",
            "OpenRouter",
            "OpenAI-compatible",
            "Rehearsal",
        ]
    );
    // Read again, strictly: `catalog()` falls back to an empty one.
    let text = include_str!("../../src/catalog/models.json");
    let again: Catalog = serde_json::from_str(text).unwrap();
    assert_eq!(&again, catalog());
}

#[test]
fn every_key_of_the_file_is_one_that_is_read() {
    let known = [
        "name",
        "kind",
        "context_tokens",
        "price",
        "tool_calling",
        "reasoning",
        "vision",
        "default",
        "preferred",
        "deprecated",
        "dimensions",
        "input",
        "output",
        "cached",
        "id",
        "icon",
        "description",
        "help_url",
        "variables",
        "live",
        "lists",
        "models",
        "key",
        "label",
        "required",
        "secret",
        "options",
        "field",
        "providers",
    ];
    fn walk(value: &serde_json::Value, known: &[&str]) {
        match value {
            serde_json::Value::Object(members) => members.iter().for_each(|(key, value)| {
                assert!(known.contains(&key.as_str()), "{key}");
                walk(value, known);
            }),
            serde_json::Value::Array(items) => items.iter().for_each(|item| walk(item, known)),
            _ => {}
        }
    }
    walk(
        &serde_json::from_str(include_str!("../../src/catalog/models.json")).unwrap(),
        &known,
    );
}

#[test]
fn nothing_is_there_twice() {
    let mut ids = HashSet::new();
    let mut keys = HashSet::new();
    for provider in &catalog().providers {
        assert!(ids.insert(&provider.id), "{}", provider.id);
        for variable in &provider.variables {
            assert!(keys.insert(&variable.key), "{}", variable.key);
            assert!(
                variable.key.bytes().all(|b| b.is_ascii_uppercase() || b == b'_'),
                "{}",
                variable.key
            );
        }
        let mut models = HashSet::new();
        let mut preferred = HashSet::new();
        for model in &provider.models {
            assert!(models.insert(&model.name), "{} of {}", model.name, provider.name);
            assert!(
                model.preferred == 0 || preferred.insert(model.preferred),
                "{}",
                model.name
            );
        }
    }
}

#[test]
fn defaults_are_single_and_alive() {
    for provider in &catalog().providers {
        for kind in [ModelKind::Language, ModelKind::Embedding] {
            let of_kind = || provider.models.iter().filter(move |model| model.kind == kind);
            let marked: Vec<_> = of_kind().filter(|model| model.default).collect();
            assert!(marked.len() <= 1, "{}: {marked:?}", provider.name);
            assert_eq!(
                marked.is_empty(),
                of_kind().next().is_none(),
                "{} {kind:?}",
                provider.name
            );
            assert_eq!(provider.default_model(kind), marked.first().copied());
        }
        for model in &provider.models {
            assert!(
                !(model.deprecated && (model.default || model.preferred > 0)),
                "{}",
                model.name
            );
            let embeds = model.kind == ModelKind::Embedding;
            assert_eq!(model.dimensions.is_some(), embeds, "{}", model.name);
            assert!(
                !(embeds && (model.tool_calling || model.reasoning || model.vision)),
                "{}",
                model.name
            );
            if let Some(price) = model.price {
                assert!(price.input >= 0.0 && price.output >= 0.0, "{}", model.name);
                assert!(price.cached.unwrap_or(0.0) <= price.input, "{}", model.name);
                assert!(embeds || price.output >= price.input, "{}", model.name);
            }
        }
    }
}

#[test]
fn each_provider_has_one_key_and_one_address_at_most() {
    for provider in &catalog().providers {
        let secrets: Vec<_> = provider
            .variables
            .iter()
            .filter(|variable| variable.secret)
            .collect();
        assert!(secrets.len() <= 1, "{}", provider.name);
        assert!(
            secrets
                .iter()
                .all(|key| key.field == "api_key" && key.default.is_empty())
        );
        let address = |field: &str| field.contains("base_url") || field.contains("endpoint");
        let addresses: Vec<_> = provider
            .variables
            .iter()
            .filter(|variable| address(&variable.field))
            .collect();
        assert_eq!(
            addresses.len(),
            usize::from(!provider.is_rehearsal()),
            "{}",
            provider.name
        );
        for variable in &provider.variables {
            // A required setting with a default would never be missed.
            assert!(
                !variable.required || variable.default.is_empty(),
                "{}",
                variable.key
            );
            for url in variable
                .options
                .iter()
                .chain([&variable.default])
                .filter(|url| url.contains("://"))
            {
                assert!(url.starts_with("https://") && !url.ends_with('/'), "{url}");
            }
        }
    }
}

#[test]
fn providers_are_found_by_name_id_and_old_spellings() {
    for (said, id) in [
        ("OpenAI", "openai"),
        ("openai", "openai"),
        ("Google Generative AI", "google-generative-ai"),
        ("google-generative-ai", "google-generative-ai"),
        ("Google", "google-generative-ai"),
        ("IBM WatsonX", "ibm-watsonx"),
        ("IBM watsonx", "ibm-watsonx"),
        ("WatsonX", "ibm-watsonx"),
        ("Azure OpenAI", "azure-openai"),
        ("OpenAI-compatible", "openai-compatible"),
        ("OpenAI Compatible", "openai-compatible"),
        ("rehearsal", "rehearsal"),
    ] {
        assert_eq!(
            catalog().provider(said).map(|provider| provider.id.as_str()),
            Some(id),
            "{said}"
        );
    }
    assert_eq!(catalog().provider("Nobody"), None);
}

#[test]
fn a_bare_name_belongs_to_the_first_provider_that_has_it() {
    let of = |name: &str| {
        catalog()
            .find_model(name)
            .map(|(provider, _)| provider.name.as_str())
    };
    assert_eq!(of("gpt-4o"), Some("OpenAI"));
    assert_eq!(of("claude-opus-4-6"), Some("Anthropic"));
    assert_eq!(of("gemini-2.5-pro"), Some("Google Generative AI"));
    assert_eq!(of("rehearsal"), Some("Rehearsal"));
    assert_eq!(of("rehearsal-embedding"), Some("Rehearsal"));
    assert_eq!(of("no-such-model"), None);
}

#[test]
fn a_price_is_per_million_and_knows_what_was_cached() {
    let (_, model) = catalog().find_model("gpt-4o").unwrap();
    let usage = Usage {
        input: 1_000_000,
        output: 100_000,
        cached: 400_000,
        reasoning: 0,
    };
    // 0.6 of 2.50, 0.4 of 1.25 and a tenth of 10.
    assert_eq!(model.price.unwrap().cost(usage), 3_000_000_000);
}
