//! Vectors for texts.

use std::sync::Arc;

use ferro_llm::{Class, Embedder, Embeddings, LlmError, Options, Usage};
use ferro_testkit::Turn;
use serde_json::{Value as Json, json};

use crate::world::{KEY, World};

impl World {
    fn embedder(&self, provider: &str, model: &str, dimensions: Option<u32>) -> Arc<dyn Embedder> {
        let options = Options {
            dimensions,
            ..Options::default()
        };
        self.models
            .embedding(provider, model, &self.credentials(provider), &options)
            .unwrap()
    }

    async fn embed(&self, provider: &str, model: &str, texts: &[&str]) -> Result<Embeddings, LlmError> {
        let texts = texts.iter().map(|text| (*text).to_owned()).collect();
        self.embedder(provider, model, None).embed(texts).await
    }
}

#[tokio::test]
async fn every_provider_is_asked_in_its_own_shape() {
    let world = World::new().await;
    let gemini = |text: &str| {
        json!({
            "model": "models/gemini-embedding-001",
            "content": { "parts": [{ "text": text }] },
            "outputDimensionality": 8,
        })
    };
    let plain = |model: &str| json!({ "model": model, "input": ["red cat", "blue dog"], "dimensions": 8 });
    let azure = "/openai/deployments/my-vectors/embeddings?api-version=2024-10-21";
    let cases = [
        (
            "OpenAI",
            "text-embedding-3-small",
            "/v1/embeddings",
            ("authorization", "Bearer "),
            plain("text-embedding-3-small"),
        ),
        (
            "Azure OpenAI",
            "my-vectors",
            azure,
            ("api-key", ""),
            plain("my-vectors"),
        ),
        (
            "OpenAI-compatible",
            "bge",
            "/v1/embeddings",
            ("authorization", "Bearer "),
            plain("bge"),
        ),
        (
            "Google Generative AI",
            "gemini-embedding-001",
            "/v1beta/models/gemini-embedding-001:batchEmbedContents",
            ("x-goog-api-key", ""),
            json!({ "requests": [gemini("red cat"), gemini("blue dog")] }),
        ),
        (
            "Ollama",
            "nomic-embed-text",
            "/api/embed",
            ("", ""),
            plain("nomic-embed-text"),
        ),
        (
            "OpenRouter",
            "openai/x",
            "/v1/embeddings",
            ("authorization", "Bearer "),
            plain("openai/x"),
        ),
    ];
    for (provider, model, path, (header, before), body) in cases {
        let texts = vec!["red cat".to_owned(), "blue dog".to_owned()];
        let embedded = world
            .embedder(provider, model, Some(8))
            .embed(texts)
            .await
            .unwrap();
        let sent = world.last();
        assert_eq!(
            (sent.method.as_str(), sent.path.as_str()),
            ("POST", path),
            "{provider}"
        );
        assert_eq!(sent.body, body, "{provider}");
        if !header.is_empty() {
            assert_eq!(
                sent.header(header),
                Some(format!("{before}{KEY}").as_str()),
                "{provider}"
            );
        }
        assert_eq!(embedded.vectors.len(), 2);
        assert!(
            embedded.vectors.iter().all(|vector| vector.len() == 8),
            "{provider}"
        );
        assert_ne!(embedded.vectors[0], embedded.vectors[1]);
    }
}

#[tokio::test]
async fn watsonx_is_asked_with_a_token() {
    let world = World::new().await;
    let embedded = world
        .embed(
            "IBM WatsonX",
            "ibm/slate-30m-english-rtrvr-v2",
            &["red cat", "dog"],
        )
        .await
        .unwrap();
    assert_eq!(
        embedded.usage,
        Some(Usage {
            input: 3,
            ..Usage::default()
        })
    );
    let sent = world.last();
    assert!(
        sent.path.starts_with("/ml/v1/text/embeddings?version="),
        "{}",
        sent.path
    );
    assert_eq!(sent.header("authorization"), Some("Bearer fake-access-token"));
    let expected = json!({
        "model_id": "ibm/slate-30m-english-rtrvr-v2", "inputs": ["red cat", "dog"], "project_id": "project-1",
    });
    assert_eq!(sent.body, expected);
}

#[tokio::test]
async fn a_token_taken_back_is_bought_again() {
    let world = World::new().await;
    world
        .server
        .push(Turn::status(401, json!({ "errors": [{ "message": "expired" }] })).on("/embeddings"));
    let embedded = world
        .embed("IBM WatsonX", "ibm/slate-30m-english-rtrvr-v2", &["cat"])
        .await
        .unwrap();
    assert_eq!(embedded.vectors.len(), 1);
    let tokens = world
        .server
        .requests()
        .iter()
        .filter(|sent| sent.path == "/identity/token")
        .count();
    assert_eq!(tokens, 2);
}

#[tokio::test]
async fn many_texts_go_in_batches_and_keep_their_order() {
    let world = World::new().await;
    for (provider, model, most, batches) in [
        ("OpenAI", "text-embedding-3-small", 256, 3),
        ("Google Generative AI", "gemini-embedding-001", 100, 6),
        ("Ollama", "nomic-embed-text", 256, 3),
    ] {
        let before = world.server.requests().len();
        let texts: Vec<String> = (0..600).map(|n| format!("word{n}")).collect();
        let embedder = world.embedder(provider, model, Some(64));
        let all = embedder.embed(texts.clone()).await.unwrap();
        assert_eq!(all.vectors.len(), 600);
        for at in [0, 255, 256, 599] {
            let alone = embedder.embed(vec![texts[at].clone()]).await.unwrap();
            assert_eq!(alone.vectors[0], all.vectors[at], "{provider}: text {at}");
        }
        let sent = &world.server.requests()[before..];
        assert_eq!(sent.len(), batches + 4, "{provider}");
        let sizes = sent.iter().map(|sent| {
            let list = sent.body.get("input").or(sent.body.get("requests")).unwrap();
            list.as_array().unwrap().len()
        });
        assert!(sizes.max().unwrap() <= most, "{provider}");
    }
}

#[tokio::test]
async fn long_texts_make_small_batches() {
    let world = World::new().await;
    let texts = vec!["a ".repeat(90_000); 5];
    world
        .embedder("OpenAI", "text-embedding-3-small", None)
        .embed(texts)
        .await
        .unwrap();
    let sizes: Vec<_> = world
        .server
        .requests()
        .iter()
        .map(|sent| sent.body["input"].as_array().unwrap().len())
        .collect();
    assert_eq!((sizes.len(), sizes.iter().sum::<usize>()), (3, 5));
}

#[tokio::test]
async fn usage_of_all_batches_is_added_up() {
    let world = World::new().await;
    let texts = vec!["two words".to_owned(); 300];
    let all = world
        .embedder("OpenAI", "text-embedding-3-small", None)
        .embed(texts)
        .await
        .unwrap();
    assert_eq!(
        all.usage,
        Some(Usage {
            input: 600,
            ..Usage::default()
        })
    );
}

#[tokio::test]
async fn nothing_costs_nothing_and_an_empty_text_has_a_vector() {
    let world = World::new().await;
    let none = world
        .embed("OpenAI", "text-embedding-3-small", &[])
        .await
        .unwrap();
    assert_eq!(none, Embeddings::default());
    assert!(world.server.requests().is_empty());
    let one = world
        .embed("OpenAI", "text-embedding-3-small", &["", "cat"])
        .await
        .unwrap();
    assert_eq!(one.vectors.len(), 2);
    assert_eq!(world.last().body["input"], json!([" ", "cat"]));
}

#[tokio::test]
async fn vectors_are_put_where_they_belong() {
    let world = World::new().await;
    let item = |index: u64, number: f64| json!({ "index": index, "embedding": [number] });
    world.server.push(Turn::status(
        200,
        json!({ "data": [item(1, 0.25), item(0, 0.5)] }),
    ));
    let found = world
        .embed("OpenAI", "text-embedding-3-small", &["a", "b"])
        .await
        .unwrap();
    assert_eq!(found.vectors, [[0.5], [0.25]]);
    assert_eq!(found.usage, None);
}

#[tokio::test]
async fn answers_that_are_no_vectors_are_refused() {
    let world = World::new().await;
    let item = |index: u64, numbers: Json| json!({ "index": index, "embedding": numbers });
    let bad = [
        json!({ "data": [item(0, json!([1.0]))] }),
        json!({ "data": [item(0, json!([1.0])), item(0, json!([2.0]))] }),
        json!({ "data": [item(0, json!([1.0])), item(7, json!([2.0]))] }),
        json!({ "data": [item(0, json!([1.0])), item(1, json!([2.0, 3.0]))] }),
        json!({ "data": [item(0, json!([1.0])), item(1, json!([null]))] }),
        json!({ "data": [item(0, json!([1.0])), item(1, json!([]))] }),
        json!({ "data": [item(0, json!([1.0])), item(1, json!("AAAA"))] }),
        json!({ "nothing": true }),
    ];
    for body in bad {
        world.server.push(Turn::status(200, body.clone()));
        let error = world
            .embed("OpenAI", "text-embedding-3-small", &["a", "b"])
            .await
            .unwrap_err();
        assert_eq!(error.class, Class::Server, "{body}");
    }
}

#[tokio::test]
async fn failures_are_handled_as_in_a_chat() {
    let world = World::new().await;
    let busy = json!({ "error": { "message": "slow down", "code": "rate_limit_exceeded" } });
    world
        .server
        .push(Turn::status(429, busy).header("retry-after", "0"));
    world
        .server
        .push(Turn::status(500, json!({ "error": { "message": "oops" } })));
    let found = world
        .embed("OpenAI", "text-embedding-3-small", &["a"])
        .await
        .unwrap();
    assert_eq!((found.vectors.len(), world.server.requests().len()), (1, 3));

    let wrong = json!({ "error": { "message": format!("Incorrect API key provided: {KEY}"), "code": "invalid_api_key" } });
    world.server.push(Turn::status(401, wrong));
    let error = world
        .embed("OpenAI", "text-embedding-3-small", &["a"])
        .await
        .unwrap_err();
    assert_eq!((error.class, error.attempts), (Class::Authentication, 1));
    assert!(!format!("{error:?}").contains(KEY), "{error:?}");

    for _ in 0..3 {
        world
            .server
            .push(Turn::status(503, json!({ "error": { "message": "down" } })));
    }
    let error = world
        .embed("OpenAI", "text-embedding-3-small", &["a"])
        .await
        .unwrap_err();
    assert_eq!(
        (error.class, error.attempts, error.cause.as_str()),
        (Class::Server, 3, "down")
    );
}

#[tokio::test]
async fn a_model_that_ollama_lacks_can_be_pulled() {
    let world = World::new().await;
    world.server.push(Turn::status(
        404,
        json!({ "error": "model \"bge-m3\" not found, try pulling it first" }),
    ));
    let error = world.embed("Ollama", "bge-m3", &["a"]).await.unwrap_err();
    assert_eq!(error.class, Class::ModelUnavailable);
    assert!(error.advice.contains("`ollama pull bge-m3`"), "{error:?}");
}

#[tokio::test]
async fn who_has_no_vectors_says_so_before_anything_is_sent() {
    let world = World::new().await;
    let credentials = world.credentials("Anthropic");
    let opened = world
        .models
        .embedding("Anthropic", "claude-opus-5", &credentials, &Options::default());
    assert_eq!(opened.err().unwrap().class, Class::Configuration);
}
