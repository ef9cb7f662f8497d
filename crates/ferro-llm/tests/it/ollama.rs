//! Ollama's own API.

use bytes::Bytes;
use ferro_llm::{
    ChatEvent, ChatMessage, ChatRequest, Class, Effort, Format, Media, Part, Role, StopReason, ToolCall,
    ToolChoice, ToolSpec, Usage,
};
use ferro_testkit::{Fault, Turn};
use serde_json::{Value as Json, json};

use crate::support::hello;
use crate::world::World;

fn lines(lines: &[Json]) -> Turn {
    let line = |line: &Json| format!("{line}\n");
    Turn::raw("application/x-ndjson", lines.iter().map(line).collect::<String>())
}

fn say(message: Json) -> Json {
    json!({ "model": "m", "created_at": "2026-11-15T00:00:00Z", "message": message, "done": false })
}

fn done(reason: &str) -> Json {
    json!({
        "model": "m", "message": { "role": "assistant", "content": "" }, "done": true, "done_reason": reason,
        "prompt_eval_count": 26, "eval_count": 298, "total_duration": 1,
    })
}

fn tool(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: format!("does {name}"),
        schema: json!({ "properties": { "city": { "type": "string" } } }),
    }
}

#[tokio::test]
async fn the_request_is_as_the_api_wants_it() {
    let world = World::new().await;
    let media = |mime: &str, name: &str, bytes: &'static [u8]| Media {
        mime: mime.to_owned(),
        name: name.to_owned(),
        bytes: Bytes::from_static(bytes),
    };
    let message = |role, parts| ChatMessage { role, parts };
    let mut request = ChatRequest::new(vec![
        ChatMessage::system("Be brief."),
        message(
            Role::User,
            vec![
                Part::Text("Look.".to_owned()),
                Part::Image(media("image/png", "a.png", b"png")),
                Part::File(media("text/plain", "b.txt", b"words")),
            ],
        ),
        message(
            Role::Assistant,
            vec![
                Part::Reasoning {
                    text: "hm".to_owned(),
                    signature: None,
                },
                Part::ToolCall(ToolCall {
                    id: "call_0".to_owned(),
                    name: "weather".to_owned(),
                    arguments: r#"{"city":"Rome"}"#.to_owned(),
                    signature: None,
                }),
            ],
        ),
        message(
            Role::Tool,
            vec![Part::ToolResult {
                id: "call_0".to_owned(),
                name: "weather".to_owned(),
                content: "sunny".to_owned(),
                is_error: false,
            }],
        ),
    ]);
    request.tools = vec![tool("weather"), tool("time")];
    request.tool_choice = ToolChoice::Named("weather".to_owned());
    request.temperature = Some(0.5);
    request.top_p = Some(0.9);
    request.seed = Some(7);
    request.max_tokens = Some(99);
    request.stop = vec!["END".to_owned()];
    let body = world.body("Ollama", "llama3.2", request).await;

    let received = world.last();
    assert_eq!(
        (received.method.as_str(), received.path.as_str()),
        ("POST", "/api/chat")
    );
    assert_eq!(received.header("authorization"), None);
    let expected = json!({
        "model": "llama3.2",
        "stream": true,
        "messages": [
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": "Look.\n\nb.txt:\nwords", "images": ["cG5n"] },
            {
                "role": "assistant",
                "content": "",
                "thinking": "hm",
                "tool_calls": [
                    { "id": "call_0", "function": { "name": "weather", "arguments": { "city": "Rome" } } },
                ],
            },
            { "role": "tool", "content": "sunny", "tool_name": "weather", "tool_call_id": "call_0" },
        ],
        "tools": [{ "type": "function", "function": {
            "name": "weather",
            "description": "does weather",
            "parameters": { "type": "object", "properties": { "city": { "type": "string" } } },
        } }],
        "options": { "temperature": 0.5, "top_p": 0.9, "seed": 7, "num_predict": 99, "stop": ["END"] },
    });
    assert_eq!(body, expected);
}

#[tokio::test]
async fn only_those_who_think_are_told_to() {
    let world = World::new().await;
    let cases = [
        ("llama3.2", Some(Effort::High), Json::Null),
        ("qwen3", None, json!(true)),
        ("qwen3", Some(Effort::Minimal), json!(false)),
        ("qwen3", Some(Effort::High), json!(true)),
        ("gpt-oss", Some(Effort::Medium), json!("medium")),
        ("gpt-oss", Some(Effort::Minimal), json!("low")),
        ("gpt-oss:20b", Some(Effort::High), json!("high")),
        ("llama3.2:3b", Some(Effort::High), Json::Null),
    ];
    for (model, effort, expected) in cases {
        let body = world
            .body("Ollama", model, ChatRequest { effort, ..hello() })
            .await;
        assert_eq!(body["think"], expected, "{model} {effort:?}");
    }
}

#[tokio::test]
async fn a_model_that_turns_out_not_to_think_is_asked_again_without() {
    let world = World::new().await;
    let refused = json!({ "error": "\"qwen3:own\" does not support thinking" });
    world.server.push(Turn::status(400, refused));
    let body = world.body("Ollama", "qwen3:own", hello()).await;
    assert_eq!(body.get("think"), None);
    assert_eq!(world.server.requests()[0].body["think"], true);
}

#[tokio::test]
async fn json_is_asked_for_by_format() {
    let world = World::new().await;
    let schema = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    let format = Format::Schema {
        name: "thing".to_owned(),
        schema: schema.clone(),
    };
    let body = world
        .body("Ollama", "llama3.2", ChatRequest { format, ..hello() })
        .await;
    assert_eq!(body["format"], schema);
    let format = Format::Json;
    let body = world
        .body("Ollama", "llama3.2", ChatRequest { format, ..hello() })
        .await;
    assert_eq!(body["format"], "json");
}

#[tokio::test]
async fn tools_that_must_not_be_called_are_not_offered() {
    let world = World::new().await;
    let request = ChatRequest {
        tools: vec![tool("weather")],
        tool_choice: ToolChoice::None,
        ..hello()
    };
    assert_eq!(world.body("Ollama", "llama3.2", request).await.get("tools"), None);
}

#[tokio::test]
async fn an_answer_comes_line_by_line() {
    let world = World::new().await;
    let answer = [
        say(json!({ "role": "assistant", "content": "", "thinking": "let me see" })),
        say(json!({ "role": "assistant", "content": "Sunny" })),
        say(json!({ "role": "assistant", "content": "", "tool_calls": [
            { "function": { "name": "weather", "arguments": { "city": "Rome" } } },
            { "id": "own", "function": { "name": "time", "arguments": {}, "index": 0 } },
        ] })),
        done("stop"),
        say(json!({ "role": "assistant", "content": "nobody hears this" })),
    ];
    world.server.push(lines(&answer).pieces(3));
    let (events, error) = world.events("Ollama", "qwen3", hello()).await;
    assert_eq!(error, None);
    let tool = |index, id: &str, name: &str| ChatEvent::ToolStart {
        index,
        id: id.to_owned(),
        name: name.to_owned(),
        signature: None,
    };
    let arguments = |index, chunk: &str| ChatEvent::ToolArguments {
        index,
        chunk: chunk.to_owned(),
    };
    let expected = vec![
        ChatEvent::Reasoning("let me see".to_owned()),
        ChatEvent::Text("Sunny".to_owned()),
        tool(0, "call_0", "weather"),
        arguments(0, r#"{"city":"Rome"}"#),
        tool(1, "own", "time"),
        arguments(1, "{}"),
        ChatEvent::Usage(Usage {
            input: 26,
            output: 298,
            ..Usage::default()
        }),
        ChatEvent::Stop(StopReason::ToolCalls),
    ];
    assert_eq!(events, expected);
}

#[tokio::test]
async fn the_fake_and_the_codec_agree() {
    let world = World::new().await;
    let turn = Turn::text("It is sunny").reasoning("let me see").usage(12, 34);
    world.server.push(turn.tool("weather", json!({ "city": "Rome" })));
    let answer = world.ask("Ollama", "qwen3", hello()).await.unwrap();
    assert_eq!(
        (answer.text.as_str(), answer.reasoning.as_str()),
        ("It is sunny", "let me see")
    );
    assert_eq!(answer.tool_calls[0].arguments, r#"{"city":"Rome"}"#);
    assert_eq!(
        answer.usage.map(|usage| (usage.input, usage.output)),
        Some((12, 34))
    );
}

#[tokio::test]
async fn reasons_to_stop() {
    let world = World::new().await;
    let cases = [
        ("stop", StopReason::End),
        ("length", StopReason::Length),
        ("unload", StopReason::Other("unload".to_owned())),
    ];
    for (said, expected) in cases {
        world.server.push(lines(&[done(said)]));
        let answer = world.ask("Ollama", "llama3.2", hello()).await.unwrap();
        assert_eq!(answer.stop, Some(expected), "{said}");
    }
}

#[tokio::test]
async fn a_missing_model_can_be_pulled() {
    let world = World::new().await;
    let missing = json!({ "error": "model 'nope:7b' not found" });
    // With its own status, and behind one of success.
    for turn in [Turn::status(404, missing.clone()), lines(&[missing])] {
        world.server.push(turn);
        let error = world.ask("Ollama", "nope:7b", hello()).await.unwrap_err().error;
        assert_eq!(error.class, Class::ModelUnavailable);
        assert!(error.advice.contains("`ollama pull nope:7b`"), "{error:?}");
        assert_eq!(error.cause, "model 'nope:7b' not found");
    }
}

#[tokio::test]
async fn an_error_line_keeps_the_text() {
    let world = World::new().await;
    let error = json!({ "error": "an error was encountered while running the model: CUDA error" });
    world.server.push(lines(&[
        say(json!({ "role": "assistant", "content": "so far" })),
        error,
    ]));
    let broken = world.ask("Ollama", "llama3.2", hello()).await.unwrap_err();
    assert_eq!(
        (broken.partial.text.as_str(), broken.error.class),
        ("so far", Class::Server)
    );
    assert!(broken.error.cause.contains("CUDA"));
}

#[tokio::test]
async fn files_it_cannot_read_are_not_sent() {
    let world = World::new().await;
    let mut request = hello();
    request.messages[0].parts.push(Part::File(Media {
        mime: "application/pdf".to_owned(),
        name: "a.pdf".to_owned(),
        bytes: Bytes::from_static(b"x"),
    }));
    let error = world.ask("Ollama", "gemma3", request).await.unwrap_err().error;
    assert_eq!(error.class, Class::Request);
    assert!(world.server.requests().is_empty());
}

#[tokio::test]
async fn streams_that_go_wrong_end_in_an_error_with_the_text_so_far() {
    let world = World::new().await;
    for fault in [
        Fault::HalfClose,
        Fault::Reset,
        Fault::Truncated,
        Fault::NoLastFrame,
    ] {
        world.server.push(Turn::fault(fault));
        let broken = world.ask("Ollama", "llama3.2", hello()).await.unwrap_err();
        assert_eq!(broken.partial.text, Fault::TEXT, "{fault:?}");
        assert!(
            matches!(broken.error.class, Class::Network | Class::Server),
            "{fault:?}: {:?}",
            broken.error
        );
    }
    for fault in [
        Fault::AfterLastFrame,
        Fault::Bytewise,
        Fault::NanUsage,
        Fault::NegativeUsage,
    ] {
        world.server.push(Turn::fault(fault));
        let answer = world.ask("Ollama", "llama3.2", hello()).await;
        let answer = answer.unwrap_or_else(|broken| panic!("{fault:?}: {:?}", broken.error));
        assert_eq!(answer.text, Fault::TEXT, "{fault:?}");
    }
    world.server.push(Turn::fault(Fault::ManyToolCalls));
    let broken = world.ask("Ollama", "llama3.2", hello()).await.unwrap_err();
    assert_eq!(broken.error.class, Class::Server);
    assert_eq!(broken.partial.tool_calls.len(), 128);
}
