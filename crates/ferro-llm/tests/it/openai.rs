//! Chat completions: what we send, to whom, and how often. What comes back is in `openai/answers.rs`.

mod answers;
mod others;

use std::sync::Arc;
use std::time::Duration;

use ferro_llm::{
    ChatMessage, ChatModel, ChatRequest, Class, Effort, Format, Media, Part, Role, ToolCall, ToolChoice,
    ToolSpec,
};
use ferro_testkit::{ModelServer, Turn};
use serde_json::{Value as Json, json};

use crate::support::{ask, ask_in_vain, hello, open};

const KEY: &str = "sk-test-1234567890";

fn openai(server: &ModelServer, model: &str) -> Arc<dyn ChatModel> {
    let base = format!("{}/v1/", server.url());
    open(
        server,
        "OpenAI",
        model,
        &[("OPENAI_API_KEY", KEY), ("OPENAI_BASE_URL", &base)],
    )
}

fn delta(delta: Json) -> Json {
    json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta}]})
}

fn finish(reason: &str) -> Json {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

fn media(mime: &str, name: &str, bytes: &'static [u8]) -> Media {
    Media {
        mime: mime.to_owned(),
        name: name.to_owned(),
        bytes: bytes.into(),
    }
}

fn add_tool() -> ToolSpec {
    ToolSpec {
        name: "add".to_owned(),
        description: "Adds.".to_owned(),
        schema: json!({"type": "object", "properties": {"a": {"type": "number"}}}),
    }
}

fn call(id: &str, arguments: &str) -> Part {
    Part::ToolCall(ToolCall {
        id: id.to_owned(),
        name: "add".to_owned(),
        arguments: arguments.to_owned(),
        signature: None,
    })
}

fn result(id: &str) -> Part {
    Part::ToolResult {
        id: id.to_owned(),
        name: "add".to_owned(),
        content: "3".to_owned(),
        is_error: false,
    }
}

#[tokio::test]
async fn a_question_with_everything_goes_out_as_documented() {
    let server = ModelServer::start().await;
    let message = |role, parts| ChatMessage { role, parts };
    let request = ChatRequest {
        messages: vec![
            ChatMessage::system("Be brief."),
            message(
                Role::User,
                vec![
                    Part::Text("Look:".to_owned()),
                    Part::Image(media("image/png", "", b"png")),
                    Part::File(media("application/pdf", "a.pdf", b"pdf")),
                    Part::File(media("text/csv", "b.csv", b"1,2")),
                ],
            ),
            message(
                Role::Assistant,
                vec![
                    Part::Reasoning {
                        text: "hm".to_owned(),
                        signature: Some("opaque".to_owned()),
                    },
                    call("call_a", "{\"a\":1}"),
                    call("call_b", "{\"a\":"),
                ],
            ),
            message(Role::Tool, vec![result("call_a"), result("call_b")]),
            ChatMessage::assistant("3."),
            ChatMessage::user("And now?"),
        ],
        tools: vec![add_tool()],
        tool_choice: ToolChoice::Named("add".to_owned()),
        parallel_tools: Some(false),
        temperature: Some(0.5),
        top_p: Some(0.9),
        max_tokens: Some(100),
        stop: vec!["END".to_owned()],
        seed: Some(7),
        effort: Some(Effort::High),
        format: Format::Schema {
            name: "my answer".to_owned(),
            schema: json!({"type": "object", "properties": {}}),
        },
        seen_by: None,
    };
    ask(&openai(&server, "my-model"), request).await;

    let sent = server.requests().remove(0);
    assert_eq!(
        (sent.method.as_str(), sent.path.as_str()),
        ("POST", "/v1/chat/completions")
    );
    assert_eq!(
        sent.header("authorization"),
        Some(format!("Bearer {KEY}").as_str())
    );
    assert_eq!(sent.header("content-type"), Some("application/json"));
    let called = |id: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": "add", "arguments": arguments}});
    assert_eq!(
        sent.body,
        json!({
            "model": "my-model",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": [
                    {"type": "text", "text": "Look:"},
                    {"type": "image_url", "image_url": {"url": "data:image/png;base64,cG5n"}},
                    {"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,cGRm"}},
                    {"type": "text", "text": "b.csv:\n\n1,2"},
                ]},
                {"role": "assistant", "content": null, "tool_calls": [
                    called("call_a", "{\"a\":1}"), called("call_b", "{\"arguments\":\"{\\\"a\\\":\"}"),
                ]},
                {"role": "tool", "tool_call_id": "call_a", "content": "3"},
                {"role": "tool", "tool_call_id": "call_b", "content": "3"},
                {"role": "assistant", "content": "3."},
                {"role": "user", "content": "And now?"},
            ],
            "stream": true,
            "stream_options": {"include_usage": true},
            "max_tokens": 100,
            "temperature": 0.5,
            "top_p": 0.9,
            "stop": ["END"],
            "seed": 7,
            "response_format": {"type": "json_schema", "json_schema": {
                "name": "my_answer", "schema": {"type": "object", "properties": {}}, "strict": false,
            }},
            "tools": [{"type": "function", "function": {
                "name": "add", "description": "Adds.",
                "parameters": {"type": "object", "properties": {"a": {"type": "number"}}},
            }}],
            "tool_choice": {"type": "function", "function": {"name": "add"}},
            "parallel_tool_calls": false,
        })
    );
}

#[tokio::test]
async fn a_plain_question_has_nothing_more_than_it_needs() {
    let server = ModelServer::start().await;
    let answer = ask(&openai(&server, "my-model"), hello()).await;
    assert_eq!(answer.text, "ok");
    assert_eq!(
        server.requests()[0].body,
        json!({
            "model": "my-model", "messages": [{"role": "user", "content": "hello"}],
            "stream": true, "stream_options": {"include_usage": true},
        })
    );
}

#[tokio::test]
async fn reasoning_models_are_not_sent_what_they_refuse() {
    let server = ModelServer::start().await;
    let azure = |model: &str| {
        let settings = [
            ("AZURE_OPENAI_API_KEY", KEY),
            ("AZURE_OPENAI_ENDPOINT", &server.url()),
        ];
        open(&server, "Azure OpenAI", model, &settings)
    };
    let request = ChatRequest {
        temperature: Some(0.1),
        top_p: Some(0.1),
        stop: vec!["x".to_owned()],
        max_tokens: Some(50),
        effort: Some(Effort::Minimal),
        ..hello()
    };
    ask(&azure("o4-mini"), request.clone()).await;
    ask(&azure("gpt-5-mini"), request.clone()).await;
    ask(&azure("gpt-4o"), request).await;
    let bodies: Vec<_> = server.requests().into_iter().map(|sent| sent.body).collect();
    for (body, effort) in [(&bodies[0], "low"), (&bodies[1], "minimal")] {
        assert_eq!(body["max_completion_tokens"], 50);
        assert_eq!(body["reasoning_effort"], effort);
        for refused in ["temperature", "top_p", "stop", "max_tokens"] {
            assert_eq!(body.get(refused), None, "{refused}");
        }
    }
    assert_eq!(bodies[2]["temperature"], 0.1);
    assert_eq!(bodies[2]["max_tokens"], 50);
    assert_eq!(bodies[2].get("reasoning_effort"), None);
}

#[tokio::test]
async fn strict_and_json_formats() {
    let server = ModelServer::start().await;
    let model = openai(&server, "my-model");
    let closed = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"],
        "additionalProperties": false});
    let format = Format::Schema {
        name: "n".to_owned(),
        schema: closed,
    };
    ask(&model, ChatRequest { format, ..hello() }).await;
    let format = Format::Json;
    ask(&model, ChatRequest { format, ..hello() }).await;
    let bodies: Vec<_> = server.requests().into_iter().map(|sent| sent.body).collect();
    assert_eq!(bodies[0]["response_format"]["json_schema"]["strict"], true);
    assert_eq!(bodies[1]["response_format"], json!({"type": "json_object"}));
    // JSON mode is refused unless somebody says "JSON".
    assert!(
        bodies[1]["messages"][0]["content"]
            .as_str()
            .unwrap()
            .contains("JSON")
    );
    assert_eq!(bodies[1]["messages"][1]["content"], "hello");
}

#[tokio::test]
async fn what_a_model_does_not_know_is_left_out_and_asked_again() {
    let server = ModelServer::start().await;
    let refuse = |message: &str, code: &str| {
        Turn::status(
            400,
            json!({"error": {"message": message, "type": "invalid_request_error", "code": code}}),
        )
    };
    server.push(refuse(
        "Unsupported value: 'temperature' does not support 0.3 with this model.",
        "unsupported_value",
    ));
    server.push(refuse(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        "unsupported_parameter",
    ));
    let request = ChatRequest {
        temperature: Some(0.3),
        max_tokens: Some(9),
        ..hello()
    };
    let answer = ask(&openai(&server, "my-model"), request.clone()).await;
    assert_eq!(answer.text, "ok");
    let sent = server.requests().remove(2).body;
    assert_eq!((sent.get("temperature"), sent.get("max_tokens")), (None, None));
    assert_eq!(sent["max_completion_tokens"], 9);

    // A refusal that is not about a setting is told at once.
    server.push(refuse("Invalid image.", "invalid_value"));
    let broken = ask_in_vain(&openai(&server, "my-model"), request).await;
    assert_eq!((broken.error.class, server.requests().len()), (Class::Request, 4));
}

#[tokio::test]
async fn failures_before_the_first_word_are_tried_again() {
    let server = ModelServer::start().await;
    let model = openai(&server, "my-model");
    server.push(Turn::status(503, json!({"error": {"message": "busy"}})));
    server.push(Turn::status(429, json!({"error": {"message": "slow"}})).header("retry-after", "0"));
    assert_eq!(ask(&model, hello()).await.text, "ok");
    assert_eq!(server.requests().len(), 3);

    for _ in 0..3 {
        server.push(Turn::status(500, json!({"error": {"message": "down"}})));
    }
    let broken = ask_in_vain(&model, hello()).await;
    assert_eq!((broken.error.class, broken.error.attempts), (Class::Server, 3));
    assert_eq!(server.requests().len(), 6);

    // Whoever asks for more time than anybody has is believed, whatever the status.
    for status in [429, 503] {
        let server = ModelServer::start().await;
        server.push(Turn::status(status, json!({})).header("retry-after", "3600"));
        let broken = ask_in_vain(&openai(&server, "my-model"), hello()).await;
        assert_eq!(broken.error.retry_after, Some(Duration::from_secs(3600)));
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn a_wrong_key_is_not_repeated_to_anybody() {
    let server = ModelServer::start().await;
    let body = json!({"error": {"message": format!("Incorrect API key provided: {KEY}. See https://x.y."),
        "type": "invalid_request_error", "param": null, "code": "invalid_api_key"}});
    server.push(Turn::status(401, body));
    let broken = ask_in_vain(&openai(&server, "my-model"), hello()).await;
    assert_eq!(
        (broken.error.class, broken.error.status),
        (Class::Authentication, Some(401))
    );
    assert_eq!(
        broken.error.cause,
        "Incorrect API key provided: [hidden]. See https://x.y."
    );
    assert!(!format!("{broken:?}").contains("1234567890"));
    assert_eq!(server.requests().len(), 1);
}
