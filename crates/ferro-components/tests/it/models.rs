//! Language models and embeddings in flows: what is sent, what comes back, and what older files mean.

use base64::Engine as _;
use serde_json::json;

use ferro_testkit::{Fault, Turn};

use crate::flows::World;

const ASK: &str = "
nodes:
  in: ChatInput
  llm: LanguageModelComponent
  out: ChatOutput
edges:
  in.message -> llm.input_value
  llm.text_output -> out.input_value
";

const PNG: &[u8] = &[0x89, b'P', b'N', b'G', 13, 10, 26, 10, 1, 2, 3];

#[tokio::test]
async fn the_system_message_and_the_settings_are_sent() {
    let world = World::new().await;
    let flow = world
        .flow(ASK)
        .set("llm", "system_message", "Be brief.")
        .set("llm", "temperature", 0.3)
        .set("llm", "max_tokens", 50);
    world.models.push(Turn::text("It is late.").usage(12, 4));
    let ran = world.run(&flow, "How late is it?").await;
    assert_eq!(ran.text("out", "message"), "It is late.");
    assert_eq!(world.told(), ["system: Be brief.", "user: How late is it?"]);
    let asked = world.asked().pop().unwrap();
    assert_eq!(asked["temperature"], 0.3);
    let most = asked["max_completion_tokens"]
        .as_u64()
        .or(asked["max_tokens"].as_u64());
    assert_eq!(most, Some(50), "{asked}");
    let usage = ran.usage("llm");
    assert_eq!(
        (usage.input_tokens, usage.output_tokens, usage.total_tokens),
        (12, 4, 16)
    );
    assert!(usage.cost_nanousd > 0, "the catalogue knows what gpt-4o costs");
    assert_eq!(ran.tokens().concat(), "It is late.", "the chat sees it grow");
    let source = &ran.message("llm", "text_output").properties["source"];
    assert_eq!(source["source"], "gpt-4o");

    let flow = flow.set("llm", "max_tokens", -1);
    world.run(&flow, "x").await.failed("Max Tokens is -1");
}

#[tokio::test]
async fn nothing_is_asked_without_a_question() {
    let world = World::new().await;
    let ran = world.run(&world.flow(ASK), "").await;
    ran.failed("nothing to ask");
    assert!(world.models.requests().is_empty());
    let flow = world.flow(ASK).set("llm", "system_message", "Say hello.");
    world.says(&["Hello!"]);
    assert_eq!(world.run(&flow, "").await.text("out", "message"), "Hello!");
    assert_eq!(world.told(), ["user: Say hello."], "somebody must say something");
}

#[tokio::test]
async fn images_and_texts_go_along() {
    let world = World::new().await;
    world.host.files.lock().unwrap().extend([
        ("cat.png".to_owned(), PNG.to_vec()),
        ("note.txt".to_owned(), b"buy milk".to_vec()),
        ("odd.bin".to_owned(), vec![0xFE, 0xFF, 0x00]),
        ("huge.txt".to_owned(), vec![b'a'; 21 * 1024 * 1024]),
    ]);
    let flow = world.flow(ASK);
    world.says(&["A cat."]);
    let ran = world
        .run_with(&flow, "What is it?", &["cat.png", "note.txt"], &[])
        .await;
    assert_eq!(ran.text("out", "message"), "A cat.");
    let asked = world.asked().pop().unwrap();
    let parts = &asked["messages"][0]["content"];
    let encoded = base64::engine::general_purpose::STANDARD.encode(PNG);
    assert_eq!(
        parts[0]["image_url"]["url"],
        format!("data:image/png;base64,{encoded}"),
        "{parts}"
    );
    assert!(parts.to_string().contains("File note.txt:\\nbuy milk"), "{parts}");
    assert!(parts.to_string().contains("What is it?"), "{parts}");

    let before = world.models.requests().len();
    for (files, part) in [
        (vec!["odd.bin"], "neither an image, a PDF nor text"),
        (vec!["huge.txt"], "larger than the 20 MB"),
        (vec!["note.txt"; 17], "17 files"),
    ] {
        world.run_with(&flow, "?", &files, &[]).await.failed(part);
    }
    assert_eq!(world.models.requests().len(), before);
}

#[tokio::test]
async fn a_model_is_lent_to_another_component_and_asked_only_there() {
    let world = World::new().await;
    let flow = world.flow(
        "
nodes:
  llm: LanguageModelComponent
  in: ChatInput
  out: StructuredOutput
edges:
  llm.model_output -> out.model
  in.message -> out.input_value
",
    );
    let flow = flow
        .set(
            "llm",
            "model",
            json!([{ "provider": "Anthropic", "name": "claude-sonnet-4-6" }]),
        )
        .set("llm", "temperature", 0.7)
        .set("llm", "input_value", "not asked")
        .set("out", "output_schema", json!([{ "name": "word", "type": "str" }]));
    world.says(&[r#"{"objects":[{"word":"hi"}]}"#]);
    let ran = world.run(&flow, "hi").await;
    assert_eq!(ran.json("out", "structured_output")["word"], "hi");
    let sent = world.models.requests();
    assert_eq!(sent.len(), 1, "the model's own node asks nothing");
    assert_eq!(
        (sent[0].path.as_str(), sent[0].header("x-api-key")),
        ("/v1/messages", Some("sk-ant"))
    );
    assert_eq!(sent[0].body["temperature"], 0.7, "it is asked as its node says");
}

#[tokio::test]
async fn a_name_may_come_along_a_wire() {
    let world = World::new().await;
    let flow = world.flow(
        "
nodes:
  name: TextInput
  llm: LanguageModelComponent
  out: ChatOutput
edges:
  llm.text_output -> out.input_value
",
    );
    let mut flow = flow
        .set("name", "input_value", "claude-sonnet-4-6")
        .set("llm", "input_value", "hi");
    // The canvas draws no such wire, but files have it.
    let wire = json!({
        "id": "w", "source": "TextInput-0name", "target": "LanguageModelComponent-00llm",
        "data": {
            "sourceHandle": { "dataType": "TextInput", "id": "TextInput-0name", "name": "text", "output_types": ["Message"] },
            "targetHandle": { "fieldName": "model", "id": "LanguageModelComponent-00llm", "inputTypes": ["Message"], "type": "model" },
        },
    });
    flow.0["edges"].as_array_mut().unwrap().push(wire);
    world.says(&["yes"]);
    let ran = world.run(&flow, "").await;
    assert_eq!(ran.text("out", "message"), "yes");
    assert_eq!(world.models.requests()[0].path, "/v1/messages");
}

#[tokio::test]
async fn older_components_keep_their_fields() {
    let world = World::new().await;
    let url = world.models.url();
    let old = |r#type: &str| {
        let mut flow = world.flow(ASK);
        let text = flow.0.to_string().replace("LanguageModelComponent", r#type);
        flow.0 = serde_json::from_str(&text).unwrap();
        flow.node("llm")["template"]
            .as_object_mut()
            .unwrap()
            .remove("model");
        flow
    };
    for (flow, path, key) in [
        (
            old("OpenAIModel")
                .set("llm", "model_name", "gpt-4o-mini")
                .set("llm", "api_key", "sk-own")
                .set("llm", "openai_api_base", format!("{url}/v1"))
                .set("llm", "json_mode", true)
                .set("llm", "seed", 7),
            "/v1/chat/completions",
            ("authorization", "Bearer sk-own"),
        ),
        (
            old("AnthropicModel")
                .set("llm", "model_name", "claude-sonnet-4-6")
                .set("llm", "base_url", url.as_str()),
            "/v1/messages",
            ("x-api-key", "sk-ant"),
        ),
        (
            old("OllamaModel")
                .set("llm", "model_name", "llama3.2")
                .set("llm", "base_url", url.as_str()),
            "/api/chat",
            ("content-type", "application/json"),
        ),
        (
            old("GoogleGenerativeAIModel")
                .set("llm", "model_name", "gemini-2.5-flash")
                .set("llm", "api_key", "g-key")
                .set("llm", "base_url", url.as_str()),
            "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
            ("x-goog-api-key", "g-key"),
        ),
        (
            old("LMStudioModel").set("llm", "model_name", "local").set(
                "llm",
                "base_url",
                format!("{url}/v1"),
            ),
            "/v1/chat/completions",
            ("content-type", "application/json"),
        ),
    ] {
        world.says(&["{\"a\":1}"]);
        let ran = world.run(&flow, "JSON please").await;
        assert_eq!(
            ran.text("out", "message"),
            "{\"a\":1}",
            "{path} {:?}",
            ran.failure()
        );
        let sent = world.models.requests().pop().unwrap();
        assert_eq!(sent.path, path);
        assert!(
            sent.header(key.0).unwrap().starts_with(key.1),
            "{:?}",
            sent.headers
        );
    }
    let first = &world.asked()[0];
    assert_eq!(
        (&first["model"], &first["seed"]),
        (&json!("gpt-4o-mini"), &json!(7))
    );
    assert_eq!(first["response_format"]["type"], "json_object");
    let nameless = old("OpenAIModel").set("llm", "model_name", "");
    world.run(&nameless, "x").await.failed("No model is chosen");
}

#[tokio::test]
async fn a_key_field_may_name_a_variable() {
    let world = World::new().await;
    world
        .host
        .variables
        .lock()
        .unwrap()
        .insert("MY_KEY".to_owned(), "sk-mine".to_owned());
    let flow = world.flow(ASK).set("llm", "api_key", "MY_KEY");
    world.run(&flow, "x").await;
    let sent = world.models.requests().pop().unwrap();
    assert_eq!(sent.header("authorization"), Some("Bearer sk-mine"));
}

#[tokio::test]
async fn what_was_said_before_a_break_stays_in_the_chat() {
    let world = World::new().await;
    world.models.push(Turn::fault(Fault::Reset));
    let ran = world.run(&world.flow(ASK), "hi").await;
    ran.failed("broke");
    let shown = ran.last_shown();
    assert!(
        Fault::TEXT.starts_with(shown.text.trim()) && !shown.text.is_empty(),
        "{shown:?}"
    );
    assert!(
        shown.content_blocks.iter().any(|block| block["type"] == "error"),
        "{shown:?}"
    );
}

#[tokio::test]
async fn nothing_because_of_a_filter_is_no_answer() {
    let world = World::new().await;
    let whole = json!({ "choices": [{ "index": 0, "message": { "role": "assistant", "content": "" }, "finish_reason": "content_filter" }] });
    world.models.push(Turn::status(200, whole));
    world.run(&world.flow(ASK), "hi").await.failed("withheld");
}

#[tokio::test]
async fn texts_become_vectors_and_are_compared() {
    let world = World::new().await;
    const SPEC: &str = "
nodes:
  emb: EmbeddingModel
  one: TextEmbedderComponent
  two: TextEmbedderComponent
  same: EmbeddingSimilarityComponent
edges:
  emb.embeddings -> one.embedding_model
  emb.embeddings -> two.embedding_model
  one.embeddings -> same.embedding_vectors
  two.embeddings -> same.embedding_vectors
config:
  one.message: a red house
  two.message: a red house
";
    let flow = world.flow(SPEC);
    let ran = world.run(&flow, "").await;
    let score = ran.json("same", "similarity_data")["similarity_score"]
        .as_f64()
        .unwrap();
    assert!((score - 1.0).abs() < 1e-6, "{score}");
    assert_eq!(ran.json("one", "embeddings")["text"], "a red house");
    let sent = world.models.requests();
    assert!(
        sent.iter()
            .all(|sent| sent.path == "/v1/embeddings" && sent.body["model"] == "text-embedding-3-small")
    );
    assert!(ran.usage("one").input_tokens > 0);

    let rehearsal = json!([{ "provider": "Rehearsal", "name": "rehearsal-embedding" }]);
    let flow = world
        .flow(SPEC)
        .set("emb", "model", rehearsal)
        .set("two", "message", "a blue boat")
        .set("same", "similarity_metric", "Euclidean Distance");
    let far = world.run(&flow, "").await.json("same", "similarity_data");
    assert!(far["similarity_score"].as_f64().unwrap() > 0.1, "{far}");
    assert_eq!(far["similarity_metric"], "Euclidean Distance");

    world
        .run(&world.flow(SPEC).set("two", "message", "  "), "")
        .await
        .failed("Message is empty");
    let only = SPEC.replace("  two.embeddings -> same.embedding_vectors\n", "");
    world
        .run(&world.flow(&only), "")
        .await
        .failed("1 vectors came, but two are compared");
}

#[tokio::test]
async fn older_embeddings_keep_their_fields() {
    let world = World::new().await;
    let mut flow = world.flow(
        "
nodes:
  emb: EmbeddingModel
  one: TextEmbedderComponent
edges:
  emb.embeddings -> one.embedding_model
config:
  one.message: a red house
",
    );
    let text = flow
        .0
        .to_string()
        .replace("\"EmbeddingModel", "\"OpenAIEmbeddings");
    flow.0 = serde_json::from_str(&text).unwrap();
    flow.node("emb")["template"]["model"] =
        json!({ "type": "str", "value": "text-embedding-3-large", "show": true });
    let flow = flow
        .set("emb", "openai_api_key", "sk-own")
        .set("emb", "dimensions", 8);
    let ran = world.run(&flow, "").await;
    let vector = ran.json("one", "embeddings");
    assert!(!vector["embeddings"].as_array().unwrap().is_empty(), "{vector}");
    let sent = world.models.requests().pop().unwrap();
    assert_eq!(sent.header("authorization"), Some("Bearer sk-own"));
    assert_eq!(
        (&sent.body["model"], &sent.body["dimensions"]),
        (&json!("text-embedding-3-large"), &json!(8))
    );
}
