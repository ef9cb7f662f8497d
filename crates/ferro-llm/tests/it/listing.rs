//! Live lists of models, and whether a key works.

use ferro_llm::{Class, LlmError, ModelEntry, ModelKind, Price};
use ferro_testkit::Turn;
use serde_json::{Value as Json, json};

use crate::world::{KEY, World};

impl World {
    async fn list(&self, provider: &str, kind: ModelKind) -> Result<Vec<ModelEntry>, LlmError> {
        self.models
            .list(provider, kind, &self.credentials(provider))
            .await
    }

    async fn names(&self, provider: &str, kind: ModelKind) -> Vec<String> {
        let entries = self.list(provider, kind).await.unwrap();
        entries.into_iter().map(|entry| entry.name).collect()
    }

    async fn check(&self, provider: &str) -> Result<(), LlmError> {
        self.models.check(provider, &self.credentials(provider)).await
    }
}

fn ids(ids: &[&str]) -> Json {
    let model = |id: &&str| json!({ "id": id, "object": "model" });
    json!({ "object": "list", "data": ids.iter().map(model).collect::<Vec<_>>() })
}

#[tokio::test]
async fn whoever_speaks_like_openai_lists_what_talks_and_what_gives_vectors() {
    let world = World::new().await;
    let list = ids(&[
        "Qwen/Qwen3-32B",
        "BAAI/bge-m3",
        "nomic-embed-text",
        "whisper-large-v3",
        "my-model",
    ]);
    world.server.push(Turn::status(200, list.clone()));
    assert_eq!(
        world.names("OpenAI-compatible", ModelKind::Language).await,
        ["Qwen/Qwen3-32B", "my-model"]
    );
    let sent = world.last();
    assert_eq!((sent.method.as_str(), sent.path.as_str()), ("GET", "/v1/models"));
    assert_eq!(
        sent.header("authorization"),
        Some(format!("Bearer {KEY}").as_str())
    );
    assert_eq!(sent.body, Json::Null);
    world.server.push(Turn::status(200, list));
    assert_eq!(
        world.names("OpenAI-compatible", ModelKind::Embedding).await,
        ["BAAI/bge-m3", "nomic-embed-text"]
    );
}

#[tokio::test]
async fn openrouter_says_sizes_prices_and_abilities() {
    let world = World::new().await;
    let list = json!({ "data": [
        {
            "id": "new/model",
            "context_length": 200_000,
            "architecture": { "input_modalities": ["text", "image"], "output_modalities": ["text"] },
            "pricing": { "prompt": "0.0000015", "completion": "0.000006", "input_cache_read": "0.00000015" },
            "supported_parameters": ["temperature", "tools", "reasoning"],
        },
        {
            "id": "openrouter/auto",
            "context_length": 2_000_000,
            "architecture": { "input_modalities": ["text"], "output_modalities": ["text"] },
            "pricing": { "prompt": "-1", "completion": "-1" },
            "supported_parameters": ["temperature"],
        },
        {
            "id": "draws/pictures",
            "architecture": { "input_modalities": ["text"], "output_modalities": ["image"] },
        },
        {
            "id": "openai/gpt-5.4",
            "context_length": 77,
            "architecture": { "input_modalities": ["text"], "output_modalities": ["text"] },
            "supported_parameters": ["tools"],
        },
    ] });
    world.server.push(Turn::status(200, list));
    let found = world.list("OpenRouter", ModelKind::Language).await.unwrap();
    let names: Vec<_> = found.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(
        names,
        ["openai/gpt-5.4", "new/model", "openrouter/auto"],
        "those the catalogue knows come first"
    );
    assert!(found[0].default, "what the catalogue knows is kept");
    assert_eq!(
        (found[0].context_tokens, found[0].reasoning),
        (Some(77), false),
        "what the provider says counts"
    );
    let new = &found[1];
    let price = Price {
        input: 1.5,
        output: 6.0,
        cached: Some(0.15),
    };
    assert_eq!((new.context_tokens, new.price), (Some(200_000), Some(price)));
    assert!(new.tool_calling && new.reasoning && new.vision);
    assert_eq!((found[2].price, found[2].tool_calling), (None, false));

    world
        .server
        .push(Turn::status(200, json!({ "data": [{ "id": "x/embed" }] })));
    assert_eq!(world.names("OpenRouter", ModelKind::Embedding).await, ["x/embed"]);
    assert_eq!(world.last().path, "/v1/models?output_modalities=embeddings");
}

#[tokio::test]
async fn ollama_lists_what_is_installed_and_what_it_can_do() {
    let world = World::new().await;
    let tag =
        |name: &str, family: &str| json!({ "name": name, "model": name, "details": { "family": family } });
    let tags = json!({ "models": [
        tag("zephyr:7b", "llama"), tag("qwen3:8b", "qwen3"), tag("all-minilm:latest", "bert"),
    ] });
    let push = || {
        world.server.push(Turn::status(200, tags.clone()).on("/api/tags"));
        for shown in [
            json!({ "capabilities": ["completion"], "model_info": { "llama.context_length": 32_768 } }),
            json!({ "capabilities": ["completion", "tools", "thinking", "vision"] }),
            json!({ "capabilities": ["embedding"] }),
        ] {
            world.server.push(Turn::status(200, shown).on("/api/show"));
        }
    };
    push();
    let found = world.list("Ollama", ModelKind::Language).await.unwrap();
    let names: Vec<_> = found.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["qwen3:8b", "zephyr:7b"]);
    assert!(found[0].tool_calling && found[0].reasoning && found[0].vision);
    assert_eq!(
        (found[1].tool_calling, found[1].context_tokens),
        (false, Some(32_768))
    );
    push();
    let found = world.list("Ollama", ModelKind::Embedding).await.unwrap();
    assert_eq!(
        (found[0].name.as_str(), found[0].dimensions),
        ("all-minilm:latest", Some(384))
    );
}

#[tokio::test]
async fn ollama_lists_even_if_it_does_not_say_what_they_can_do() {
    let world = World::new().await;
    let tags = json!({ "models": [{ "name": "llama3.2:3b" }, { "name": "nomic-embed-text:latest" }] });
    world.server.push(Turn::status(200, tags).on("/api/tags"));
    for _ in 0..2 {
        world
            .server
            .push(Turn::status(500, json!({ "error": "no" })).on("/api/show"));
    }
    assert_eq!(world.names("Ollama", ModelKind::Language).await, ["llama3.2:3b"]);
}

#[tokio::test]
async fn watsonx_lists_what_is_not_withdrawn() {
    let world = World::new().await;
    let model = |id: &str, function: &str, stage: &str| {
        json!({
            "model_id": id,
            "functions": [{ "id": function }, { "id": "text_generation" }],
            "model_limits": { "max_sequence_length": 4096 },
            "lifecycle": [{ "id": "available" }, { "id": stage }],
        })
    };
    let list = json!({ "resources": [
        model("a/chat", "text_chat", "deprecated"),
        model("a/gone", "text_chat", "withdrawn"),
        model("a/vectors", "embedding", "available"),
        model("a/plain", "text_generation", "available"),
    ] });
    world.server.push(Turn::status(200, list));
    let found = world.list("IBM WatsonX", ModelKind::Language).await.unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(
        (
            found[0].name.as_str(),
            found[0].context_tokens,
            found[0].deprecated
        ),
        ("a/chat", Some(4096), true)
    );
    assert!(
        world
            .last()
            .path
            .starts_with("/ml/v1/foundation_model_specs?version=")
    );
}

#[tokio::test]
async fn lists_that_are_not_live_come_from_the_catalogue() {
    let world = World::new().await;
    assert!(
        world
            .names("Azure OpenAI", ModelKind::Embedding)
            .await
            .contains(&"text-embedding-3-small".to_owned())
    );
    assert!(world.server.requests().is_empty());
}

#[tokio::test]
async fn every_provider_is_checked_with_something_that_needs_the_key() {
    let world = World::new().await;
    let bearer = format!("Bearer {KEY}");
    let cases = [
        ("OpenAI", "/v1/models", "authorization", bearer.as_str()),
        ("Groq", "/v1/models", "authorization", &bearer),
        ("OpenAI-compatible", "/v1/models", "authorization", &bearer),
        ("OpenRouter", "/v1/key", "authorization", &bearer),
        ("Anthropic", "/v1/models?limit=1", "x-api-key", KEY),
        (
            "Google Generative AI",
            "/v1beta/models?pageSize=1",
            "x-goog-api-key",
            KEY,
        ),
        (
            "Azure OpenAI",
            "/openai/models?api-version=2024-10-21",
            "api-key",
            KEY,
        ),
        ("Azure AI Foundry", "/openai/v1/models", "api-key", KEY),
    ];
    for (provider, path, header, value) in cases {
        world.server.push(Turn::status(200, json!({ "data": [] })));
        world.check(provider).await.unwrap();
        let sent = world.last();
        assert_eq!(
            (sent.method.as_str(), sent.path.as_str()),
            ("GET", path),
            "{provider}"
        );
        assert_eq!(sent.header(header), Some(value), "{provider}");

        let wrong =
            json!({ "error": { "message": format!("bad key {KEY}"), "type": "authentication_error" } });
        world.server.push(Turn::status(401, wrong));
        let error = world.check(provider).await.unwrap_err();
        assert_eq!(error.class, Class::Authentication, "{provider}");
        assert!(!format!("{error:?}").contains(KEY), "{provider}: {error:?}");
    }
    world.check("Ollama").await.unwrap();
    assert_eq!(world.last().path, "/api/tags");
    world.check("Rehearsal").await.unwrap();
}

#[tokio::test]
async fn watsonx_is_checked_by_buying_a_token() {
    let world = World::new().await;
    let refused =
        json!({ "errorCode": "BXNIM0415E", "errorMessage": "Provided API key could not be found." });
    world
        .server
        .push(Turn::status(400, refused).on("/identity/token"));
    let error = world.check("IBM WatsonX").await.unwrap_err();
    assert_eq!(error.class, Class::Authentication);
    world.check("IBM WatsonX").await.unwrap();
    assert_eq!(world.last().path, "/identity/token");
}
