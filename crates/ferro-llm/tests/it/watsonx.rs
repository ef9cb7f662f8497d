//! IBM watsonx: the token, what we send with it, and what comes back.

use std::sync::Arc;

use ferro_llm::{ChatModel, ChatRequest, Class, Effort, Format, StopReason, ToolChoice, ToolSpec};
use ferro_testkit::{ModelServer, Turn};
use serde_json::json;

use crate::support::{ask, ask_in_vain, events, hello, open};

const KEY: &str = "ibm key+1234/5678";
const TOKEN: &str = "/identity/token";
const CHAT: &str = "/ml/v1/text/chat_stream";

fn watsonx(server: &ModelServer, model: &str) -> Arc<dyn ChatModel> {
    let url = server.url();
    let settings = [
        ("WATSONX_APIKEY", KEY),
        ("WATSONX_PROJECT_ID", "project-1"),
        ("WATSONX_URL", &url),
        ("WATSONX_IAM_URL", &url),
    ];
    open(server, "IBM WatsonX", model, &settings)
}

fn token(value: &str, seconds: u64) -> Turn {
    Turn::status(
        200,
        json!({"access_token": value, "token_type": "Bearer", "expires_in": seconds}),
    )
    .on(TOKEN)
}

fn paths(server: &ModelServer) -> Vec<String> {
    let path = |path: String| path.split('?').next().unwrap_or_default().to_owned();
    server
        .requests()
        .into_iter()
        .map(|sent| path(sent.path))
        .collect()
}

#[tokio::test]
async fn the_key_buys_a_token_and_the_token_asks() {
    let server = ModelServer::start().await;
    server.push(token("bought-token", 3600));
    let turn = Turn::text("one two")
        .reasoning("hm")
        .usage(3, 4)
        .tool("add", json!({"a": 1}));
    server.push(turn);
    let request = ChatRequest {
        tools: vec![ToolSpec {
            name: "add".to_owned(),
            description: "Adds.".to_owned(),
            schema: json!({"type": "object"}),
        }],
        temperature: Some(0.2),
        max_tokens: Some(77),
        stop: vec!["END".to_owned()],
        parallel_tools: Some(true),
        ..hello()
    };
    let answer = ask(&watsonx(&server, "ibm/granite-4-h-small"), request).await;
    assert_eq!(
        (answer.text.as_str(), answer.reasoning.as_str()),
        ("one two", "hm")
    );
    assert_eq!(
        (answer.stop.as_ref(), answer.tool_calls.len()),
        (Some(&StopReason::ToolCalls), 1)
    );
    assert_eq!(
        answer.usage.map(|usage| (usage.input, usage.output)),
        Some((3, 4))
    );

    let sent = server.requests();
    assert_eq!((sent[0].method.as_str(), sent[0].path.as_str()), ("POST", TOKEN));
    assert_eq!(
        sent[0].header("content-type"),
        Some("application/x-www-form-urlencoded")
    );
    assert_eq!(
        sent[0].body,
        "grant_type=urn%3Aibm%3Aparams%3Aoauth%3Agrant-type%3Aapikey&apikey=ibm+key%2B1234%2F5678"
    );
    assert_eq!(sent[1].path, format!("{CHAT}?version=2025-04-23"));
    assert_eq!(sent[1].header("authorization"), Some("Bearer bought-token"));
    assert_eq!(
        sent[1].body,
        json!({
            "model_id": "ibm/granite-4-h-small",
            "project_id": "project-1",
            "messages": [{"role": "user", "content": "hello"}],
            "max_completion_tokens": 77,
            "temperature": 0.2,
            "stop": ["END"],
            "tools": [{"type": "function", "function": {
                "name": "add", "description": "Adds.", "parameters": {"type": "object", "properties": {}},
            }}],
            "tool_choice_option": "auto",
        })
    );
}

#[tokio::test]
async fn a_token_is_kept_while_it_is_good() {
    let server = ModelServer::start().await;
    server.push(token("short", 60));
    server.push(token("long", 3600));
    for _ in 0..3 {
        ask(&watsonx(&server, "m"), hello()).await;
    }
    assert_eq!(paths(&server), [TOKEN, CHAT, TOKEN, CHAT, CHAT]);
    let last = server.requests().remove(4);
    assert_eq!(last.header("authorization"), Some("Bearer long"));
}

#[tokio::test]
async fn many_at_once_buy_one_token() {
    let server = ModelServer::start().await;
    let model = watsonx(&server, "m");
    let asked = (0..8).map(|_| ask(&model, hello()));
    let answers = futures_util::future::join_all(asked).await;
    assert!(answers.iter().all(|answer| answer.text == "ok"));
    assert_eq!(paths(&server).iter().filter(|path| *path == TOKEN).count(), 1);
}

#[tokio::test]
async fn a_token_taken_back_is_replaced_once() {
    let server = ModelServer::start().await;
    let refused = || {
        Turn::status(
            401,
            json!({"errors": [{"code": "authentication_token_expired", "message": "expired"}]}),
        )
    };
    server.push(token("old", 3600));
    server.push(token("new", 3600));
    server.push(refused().on(CHAT));
    assert_eq!(ask(&watsonx(&server, "m"), hello()).await.text, "ok");
    assert_eq!(server.requests()[3].header("authorization"), Some("Bearer new"));

    server.push(refused().on(CHAT));
    server.push(refused().on(CHAT));
    let broken = ask_in_vain(&watsonx(&server, "m"), hello()).await;
    assert_eq!(
        (broken.error.class, broken.error.cause.as_str()),
        (Class::Authentication, "expired")
    );
    assert_eq!(server.waiting(), 0);
}

#[tokio::test]
async fn a_key_nobody_knows_is_said_to_be_so() {
    let server = ModelServer::start().await;
    let said = json!({"errorCode": "BXNIM0415E", "errorMessage": format!("Provided API key {KEY} could not be found.")});
    server.push(Turn::status(400, said).on(TOKEN));
    let broken = ask_in_vain(&watsonx(&server, "m"), hello()).await;
    assert_eq!(broken.error.class, Class::Authentication);
    assert_eq!(broken.error.code.as_deref(), Some("BXNIM0415E"));
    assert_eq!(
        broken.error.cause,
        "Provided API key [hidden] could not be found."
    );
    assert_eq!(paths(&server), [TOKEN]);

    server.push(Turn::raw("application/json", "{}").on(TOKEN));
    server.push(Turn::status(503, json!({})).on(TOKEN));
    server.push(Turn::raw("text/html", "<html>").on(TOKEN));
    let broken = ask_in_vain(&watsonx(&server, "m"), hello()).await;
    assert_eq!((broken.error.class, broken.error.attempts), (Class::Server, 3));
}

#[tokio::test]
async fn the_choice_of_a_tool_and_the_effort_have_their_own_names() {
    let server = ModelServer::start().await;
    let request = |choice| ChatRequest {
        tools: vec![ToolSpec {
            name: "add".to_owned(),
            description: String::new(),
            schema: json!({}),
        }],
        tool_choice: choice,
        effort: Some(Effort::Minimal),
        format: Format::Json,
        ..hello()
    };
    let model = watsonx(&server, "openai/gpt-oss-120b");
    ask(&model, request(ToolChoice::Named("add".to_owned()))).await;
    ask(&model, request(ToolChoice::Required)).await;
    let bodies: Vec<_> = server.requests().into_iter().map(|sent| sent.body).collect();
    assert_eq!(
        bodies[1]["tool_choice"],
        json!({"type": "function", "function": {"name": "add"}})
    );
    assert_eq!(bodies[1].get("tool_choice_option"), None);
    assert_eq!(bodies[2]["tool_choice_option"], "required");
    assert_eq!(bodies[2]["reasoning_effort"], "low");
    assert_eq!(bodies[2]["response_format"], json!({"type": "json_object"}));
}

#[tokio::test]
async fn errors_come_in_a_list_even_in_the_middle() {
    let server = ModelServer::start().await;
    let half = events(&[json!({"choices": [{"index": 0, "delta": {"content": "half"}}]})]);
    let error = "id: 2\nevent: error\ndata: {\"errors\":[{\"code\":\"downstream_request_failed\",\
        \"message\":\"boom\"}],\"status_code\":500}\n\n";
    server.push(Turn::raw("text/event-stream", half + error));
    let broken = ask_in_vain(&watsonx(&server, "m"), hello()).await;
    assert_eq!(
        (broken.error.class, broken.partial.text.as_str()),
        (Class::Server, "half")
    );
    assert_eq!(
        (broken.error.cause.as_str(), broken.error.status),
        ("boom", Some(500))
    );

    let missing = json!({"errors": [{"code": "model_not_supported", "message": "Model 'm' is not supported"}],
        "trace": "t", "status_code": 404});
    server.push(Turn::status(404, missing));
    let broken = ask_in_vain(&watsonx(&server, "m"), hello()).await;
    assert_eq!(broken.error.class, Class::ModelUnavailable);
}
