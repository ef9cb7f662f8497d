//! Google's `generateContent`: what we send.

mod answers;

use bytes::Bytes;
use ferro_llm::{
    ChatMessage, ChatRequest, Effort, Format, Media, Part, Role, StopReason, ToolCall, ToolChoice, ToolSpec,
};
use ferro_testkit::Turn;
use serde_json::{Value as Json, json};

use crate::support::hello;
use crate::world::{KEY, World};

const GOOGLE: &str = "Google Generative AI";
const NEW: &str = "gemini-3.8-flash";

#[tokio::test]
async fn the_request_is_as_the_api_wants_it() {
    let world = World::new().await;
    let call = |id: &str, arguments: &str, signature: Option<&str>| {
        Part::ToolCall(ToolCall {
            id: id.to_owned(),
            name: "weather".to_owned(),
            arguments: arguments.to_owned(),
            signature: signature.map(str::to_owned),
        })
    };
    let result = |id: &str, content: &str, is_error| Part::ToolResult {
        id: id.to_owned(),
        name: "weather".to_owned(),
        content: content.to_owned(),
        is_error,
    };
    let message = |role, parts| ChatMessage { role, parts };
    let image = Media {
        mime: "image/png".to_owned(),
        name: "a.png".to_owned(),
        bytes: Bytes::from_static(b"png"),
    };
    let mut request = ChatRequest::new(vec![
        ChatMessage::system("Be brief."),
        message(
            Role::User,
            vec![Part::Text("Look.".to_owned()), Part::Image(image)],
        ),
        message(
            Role::Assistant,
            vec![
                Part::Reasoning {
                    text: "hm".to_owned(),
                    signature: Some("dGV4dA==".to_owned()),
                },
                Part::Text("Calling.".to_owned()),
                call("call_0", r#"{"city":"Rome"}"#, Some("c2ln")),
                call("abc", "", None),
            ],
        ),
        message(
            Role::Tool,
            vec![
                result("call_0", "sunny", false),
                result("abc", "no such city", true),
            ],
        ),
    ]);
    request.tools = vec![
        ToolSpec {
            name: "weather".to_owned(),
            description: "how it is".to_owned(),
            schema: json!({
                "$schema": "http://json-schema.org/draft-07/schema#",
                "type": "object",
                "properties": { "city": { "type": "string", "minLength": 1 } },
                "additionalProperties": false,
            }),
        },
        ToolSpec {
            name: "now".to_owned(),
            description: "the time".to_owned(),
            schema: json!({ "type": "object", "properties": {} }),
        },
    ];
    request.tool_choice = ToolChoice::Named("weather".to_owned());
    request.temperature = Some(0.5);
    request.top_p = Some(0.9);
    request.seed = Some(7);
    request.max_tokens = Some(99);
    request.stop = vec!["END".to_owned()];
    let body = world.body(GOOGLE, "gemini-2.0-flash", request).await;

    let received = world.last();
    assert_eq!(
        received.path,
        "/v1beta/models/gemini-2.0-flash:streamGenerateContent?alt=sse"
    );
    assert_eq!(received.header("x-goog-api-key"), Some(KEY));
    let expected = json!({
        "systemInstruction": { "parts": [{ "text": "Be brief." }] },
        "contents": [
            { "role": "user", "parts": [
                { "text": "Look." },
                { "inlineData": { "mimeType": "image/png", "data": "cG5n" } },
            ] },
            { "role": "model", "parts": [
                { "text": "Calling.", "thoughtSignature": "dGV4dA==" },
                { "functionCall": { "name": "weather", "args": { "city": "Rome" } }, "thoughtSignature": "c2ln" },
                { "functionCall": { "name": "weather", "args": {}, "id": "abc" } },
            ] },
            { "role": "user", "parts": [
                { "functionResponse": { "name": "weather", "response": { "output": "sunny" } } },
                { "functionResponse": { "name": "weather", "response": { "error": "no such city" }, "id": "abc" } },
            ] },
        ],
        "tools": [{ "functionDeclarations": [
            {
                "name": "weather",
                "description": "how it is",
                "parametersJsonSchema": {
                    "type": "object",
                    "properties": { "city": { "type": "string" } },
                    "additionalProperties": false,
                },
            },
            { "name": "now", "description": "the time" },
        ] }],
        "toolConfig": { "functionCallingConfig": { "mode": "ANY", "allowedFunctionNames": ["weather"] } },
        "generationConfig": {
            "temperature": 0.5, "topP": 0.9, "seed": 7, "maxOutputTokens": 99, "stopSequences": ["END"],
        },
    });
    assert_eq!(body, expected);
}

#[tokio::test]
async fn a_name_cannot_leave_its_place_in_the_address() {
    let world = World::new().await;
    let _ = world.ask(GOOGLE, "../files?x=", hello()).await;
    assert_eq!(
        world.last().path,
        "/v1beta/models/..%2Ffiles%3Fx=:streamGenerateContent?alt=sse"
    );
}

#[tokio::test]
async fn each_generation_is_told_to_think_in_its_own_way() {
    let world = World::new().await;
    let cases = [
        (
            "gemini-2.5-flash",
            Some(Effort::Minimal),
            json!({ "includeThoughts": true, "thinkingBudget": 0 }),
        ),
        (
            "gemini-2.5-pro",
            Some(Effort::Minimal),
            json!({ "includeThoughts": true, "thinkingBudget": 128 }),
        ),
        (
            "gemini-2.5-pro",
            Some(Effort::High),
            json!({ "includeThoughts": true, "thinkingBudget": 24_576 }),
        ),
        (
            NEW,
            Some(Effort::Minimal),
            json!({ "includeThoughts": true, "thinkingLevel": "minimal" }),
        ),
        (
            "gemini-3.1-pro-preview",
            Some(Effort::Minimal),
            json!({ "includeThoughts": true, "thinkingLevel": "low" }),
        ),
        (NEW, None, json!({ "includeThoughts": true })),
        ("gemini-2.0-flash", Some(Effort::High), Json::Null),
    ];
    for (model, effort, expected) in cases {
        let body = world.body(GOOGLE, model, ChatRequest { effort, ..hello() }).await;
        assert_eq!(
            body["generationConfig"]["thinkingConfig"], expected,
            "{model} {effort:?}"
        );
    }
}

#[tokio::test]
async fn a_level_that_a_model_does_not_take_is_left_out() {
    let world = World::new().await;
    let message = "Thinking level MINIMAL is not supported for this model.";
    let refused = json!({ "error": { "code": 400, "message": message, "status": "INVALID_ARGUMENT" } });
    world.server.push(Turn::status(400, refused));
    let effort = Some(Effort::Minimal);
    let body = world.body(GOOGLE, NEW, ChatRequest { effort, ..hello() }).await;
    assert_eq!(body["generationConfig"].get("thinkingConfig"), None);
    assert_eq!(world.server.requests().len(), 2);
}

#[tokio::test]
async fn json_is_asked_for_by_schema() {
    let world = World::new().await;
    let schema = json!({ "type": "object", "properties": { "a": { "type": "string", "pattern": "^a" } } });
    let format = Format::Schema {
        name: "thing".to_owned(),
        schema,
    };
    let body = world
        .body(GOOGLE, "gemini-2.0-flash", ChatRequest { format, ..hello() })
        .await;
    let expected = json!({
        "responseMimeType": "application/json",
        "responseJsonSchema": { "type": "object", "properties": { "a": { "type": "string" } } },
    });
    assert_eq!(body["generationConfig"], expected);
}

#[tokio::test]
async fn signatures_go_back_with_their_calls() {
    let world = World::new().await;
    let turn = Turn::text("").reasoning("hm").usage(12, 34);
    world.server.push(
        turn.tool("weather", json!({ "city": "Rome" }))
            .tool("time", json!({})),
    );
    let answer = world.ask(GOOGLE, NEW, hello()).await.unwrap();
    assert_eq!(answer.stop, Some(StopReason::ToolCalls));
    assert_eq!(
        answer
            .usage
            .map(|usage| (usage.input, usage.output, usage.reasoning)),
        Some((12, 34, 1))
    );
    let ids: Vec<_> = answer.tool_calls.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids, ["call_0", "call_1"]);

    let mut next = hello();
    next.messages.push(answer.to_message());
    let body = world.body(GOOGLE, NEW, next).await;
    let signature = answer.tool_calls[0].signature.as_deref();
    assert!(signature.is_some());
    let expected = json!([
        { "functionCall": { "name": "weather", "args": { "city": "Rome" } }, "thoughtSignature": signature },
        { "functionCall": { "name": "time", "args": {} } },
    ]);
    assert_eq!(body["contents"][1]["parts"], expected);
}

#[tokio::test]
async fn calls_of_another_model_say_that_they_have_no_signature() {
    let world = World::new().await;
    let mut request = hello();
    let call = |id: &str| {
        Part::ToolCall(ToolCall {
            id: id.to_owned(),
            name: "weather".to_owned(),
            ..ToolCall::default()
        })
    };
    request.messages.push(ChatMessage {
        role: Role::Assistant,
        parts: vec![call("toolu_1"), call("toolu_2")],
    });
    let body = world.body(GOOGLE, NEW, request.clone()).await;
    let sent = &body["contents"][1]["parts"];
    assert_eq!(sent[0]["thoughtSignature"], "skip_thought_signature_validator");
    assert_eq!(sent[1].get("thoughtSignature"), None);
    let body = world.body(GOOGLE, "gemini-2.5-flash", request).await;
    assert_eq!(body["contents"][1]["parts"][0].get("thoughtSignature"), None);
}
