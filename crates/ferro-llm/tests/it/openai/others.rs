//! Chat completions of the providers that speak like OpenAI: where they differ.

use ferro_llm::{ChatMessage, ChatRequest, Effort, Part, Role, StopReason};
use ferro_testkit::{ModelServer, Turn};
use serde_json::{Value as Json, json};

use super::{KEY, call, delta, finish, result};
use crate::support::{ask, events, hello, open};

#[tokio::test]
async fn azure_has_its_own_address_and_header() {
    let server = ModelServer::start().await;
    let settings = [
        ("AZURE_OPENAI_API_KEY", KEY),
        ("AZURE_OPENAI_ENDPOINT", &server.url()),
        ("AZURE_OPENAI_API_VERSION", "2025-01-01-preview"),
    ];
    // What Azure sends first has no choice in it.
    let first = json!({"choices": [], "prompt_filter_results": [{"prompt_index": 0}]});
    let frames = [first, delta(json!({"content": "hi"})), finish("content_filter")];
    server.push(Turn::raw(
        "text/event-stream",
        events(&frames) + "data: [DONE]\n\n",
    ));
    let answer = ask(&open(&server, "Azure OpenAI", "my-gpt", &settings), hello()).await;
    assert_eq!(
        (answer.text.as_str(), answer.stop),
        ("hi", Some(StopReason::ContentFilter))
    );
    let sent = server.requests().remove(0);
    assert_eq!(
        sent.path,
        "/openai/deployments/my-gpt/chat/completions?api-version=2025-01-01-preview"
    );
    assert_eq!(
        (sent.header("api-key"), sent.header("authorization")),
        (Some(KEY), None)
    );

    let settings = [
        ("AZURE_AI_FOUNDRY_API_KEY", KEY),
        (
            "AZURE_AI_FOUNDRY_ENDPOINT",
            &format!("{}/openai/v1/", server.url()),
        ),
    ];
    ask(&open(&server, "Azure AI Foundry", "Llama", &settings), hello()).await;
    let sent = server.requests().remove(1);
    assert_eq!(
        (sent.path.as_str(), sent.header("api-key")),
        ("/openai/v1/chat/completions", Some(KEY))
    );
}

#[tokio::test]
async fn openrouter_is_told_who_asks_and_gets_its_thoughts_back() {
    let server = ModelServer::start().await;
    let settings = [
        ("OPENROUTER_API_KEY", KEY),
        ("OPENROUTER_BASE_URL", &format!("{}/api/v1", server.url())),
        ("OPENROUTER_SITE_URL", "https://example.com"),
        ("OPENROUTER_APP_NAME", "Größer"),
    ];
    let model = open(&server, "OpenRouter", "anthropic/x", &settings);
    let thought = |text: &str, rest: Json| {
        let mut detail = json!({"type": "reasoning.text", "index": 0, "text": text});
        detail
            .as_object_mut()
            .unwrap()
            .extend(rest.as_object().unwrap().clone());
        delta(json!({"reasoning": text, "reasoning_details": [detail]}))
    };
    let frames = [
        thought("I ", json!({})),
        thought("see", json!({"signature": "sig"})),
        delta(
            json!({"content": "", "tool_calls": [{"index": 0, "id": "t1", "function": {"name": "add", "arguments": "{}"}}]}),
        ),
        finish("tool_calls"),
    ];
    server.push(Turn::raw(
        "text/event-stream",
        format!(": OPENROUTER PROCESSING\n\n{}data: [DONE]\n\n", events(&frames)),
    ));
    let request = ChatRequest {
        effort: Some(Effort::Low),
        ..hello()
    };
    let answer = ask(&model, request.clone()).await;
    assert_eq!((answer.reasoning.as_str(), answer.tool_calls.len()), ("I see", 1));

    let mut next = request;
    next.messages.push(answer.to_message());
    next.messages.push(ChatMessage {
        role: Role::Tool,
        parts: vec![result("t1")],
    });
    ask(&model, next).await;
    let sent = server.requests().remove(1);
    assert_eq!(sent.header("http-referer"), Some("https://example.com"));
    assert_eq!(sent.header("x-title"), Some("Grer"));
    assert_eq!(sent.body["reasoning"], json!({"effort": "low"}));
    assert_eq!(
        sent.body["messages"][1]["reasoning_details"],
        json!([{"type": "reasoning.text", "index": 0, "text": "I see", "signature": "sig"}])
    );
}

#[tokio::test]
async fn groq_reports_usage_in_its_own_place() {
    let server = ModelServer::start().await;
    let settings = [
        ("GROQ_API_KEY", KEY),
        ("GROQ_BASE_URL", &format!("{}/openai/v1", server.url())),
    ];
    let mut last = finish("stop");
    last["x_groq"] =
        json!({"id": "req_1", "usage": {"prompt_tokens": 4, "completion_tokens": 5, "queue_time": 0.1}});
    let frames = [
        delta(json!({"reasoning": "hm"})),
        delta(json!({"content": "hi"})),
        last,
    ];
    server.push(Turn::raw(
        "text/event-stream",
        events(&frames) + "data: [DONE]\n\n",
    ));
    let answer = ask(&open(&server, "Groq", "qwen/qwen3-32b", &settings), hello()).await;
    assert_eq!(
        answer.usage.map(|usage| (usage.input, usage.output)),
        Some((4, 5))
    );
    assert_eq!((answer.text.as_str(), answer.reasoning.as_str()), ("hi", "hm"));
    assert_eq!(server.requests()[0].body["reasoning_format"], "parsed");
}

#[tokio::test]
async fn a_server_of_ones_own_needs_no_key() {
    let server = ModelServer::start().await;
    let base = format!("{}/v1", server.url());
    let model = open(
        &server,
        "OpenAI-compatible",
        "qwen",
        &[("OPENAI_COMPATIBLE_BASE_URL", &base)],
    );
    let mut request = hello();
    request.messages.push(ChatMessage {
        role: Role::Assistant,
        parts: vec![
            Part::Reasoning {
                text: "hm".to_owned(),
                signature: None,
            },
            call("t1", ""),
        ],
    });
    ask(&model, request).await;
    let sent = server.requests().remove(0);
    assert_eq!(
        (sent.path.as_str(), sent.header("authorization")),
        ("/v1/chat/completions", None)
    );
    let said = &sent.body["messages"][1];
    assert_eq!(said["reasoning_content"], "hm");
    assert_eq!(said["tool_calls"][0]["function"]["arguments"], "{}");
}
