//! Anthropic's Messages API: what we make of the answers.

use ferro_llm::{ChatEvent, ChatMessage, Class, StopReason, Usage};
use ferro_testkit::{Fault, Turn};
use serde_json::{Value as Json, json};

use super::NEW;
use crate::support::hello;
use crate::world::{KEY, World};

fn sse(events: &[Json]) -> Turn {
    let frame = |data: &Json| format!("event: {}\ndata: {data}\n\n", data["type"].as_str().unwrap());
    Turn::raw("text/event-stream", events.iter().map(frame).collect::<String>())
}

fn start(usage: Json) -> Json {
    json!({ "type": "message_start", "message": { "id": "msg_1", "role": "assistant", "content": [], "usage": usage } })
}

fn block(index: u64, block: Json) -> Json {
    json!({ "type": "content_block_start", "index": index, "content_block": block })
}

fn delta(index: u64, delta: Json) -> Json {
    json!({ "type": "content_block_delta", "index": index, "delta": delta })
}

fn stop_block(index: u64) -> Json {
    json!({ "type": "content_block_stop", "index": index })
}

fn done(reason: &str) -> [Json; 2] {
    [
        json!({ "type": "message_delta", "delta": { "stop_reason": reason }, "usage": { "output_tokens": 15 } }),
        json!({ "type": "message_stop" }),
    ]
}

#[tokio::test]
async fn an_answer_comes_piece_by_piece() {
    let world = World::new().await;
    let usage = json!({
        "input_tokens": 20, "cache_creation_input_tokens": 5, "cache_read_input_tokens": 100, "output_tokens": 1,
    });
    let mut events = vec![
        start(usage),
        block(0, json!({ "type": "thinking", "thinking": "", "signature": "" })),
        json!({ "type": "ping" }),
        delta(0, json!({ "type": "thinking_delta", "thinking": "let me" })),
        delta(0, json!({ "type": "thinking_delta", "thinking": " see" })),
        delta(0, json!({ "type": "signature_delta", "signature": "c2ln" })),
        stop_block(0),
        block(1, json!({ "type": "text", "text": "" })),
        delta(1, json!({ "type": "text_delta", "text": "Sunny" })),
        delta(1, json!({ "type": "citations_delta", "citation": {} })),
        stop_block(1),
        block(
            2,
            json!({ "type": "tool_use", "id": "toolu_a", "name": "weather", "input": {} }),
        ),
        block(
            3,
            json!({ "type": "tool_use", "id": "toolu_b", "name": "time", "input": {} }),
        ),
        delta(2, json!({ "type": "input_json_delta", "partial_json": "" })),
        delta(
            2,
            json!({ "type": "input_json_delta", "partial_json": "{\"city\":" }),
        ),
        delta(
            2,
            json!({ "type": "input_json_delta", "partial_json": "\"Rome\"}" }),
        ),
        stop_block(3),
        stop_block(2),
    ];
    events.extend(done("tool_use"));
    // A byte at a time: frames do not come as they were sent.
    world.server.push(sse(&events).pieces(7));
    let (events, error) = world.events("Anthropic", NEW, hello()).await;
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
    let figures = |output| {
        ChatEvent::Usage(Usage {
            input: 125,
            output,
            cached: 100,
            reasoning: 0,
        })
    };
    let expected = vec![
        ChatEvent::Reasoning("let me".to_owned()),
        figures(1),
        ChatEvent::Reasoning(" see".to_owned()),
        ChatEvent::ReasoningSignature("c2ln".to_owned()),
        ChatEvent::Text("Sunny".to_owned()),
        tool(0, "toolu_a", "weather"),
        tool(1, "toolu_b", "time"),
        arguments(0, "{\"city\":"),
        arguments(0, "\"Rome\"}"),
        arguments(1, "{}"),
        figures(15),
        ChatEvent::Stop(StopReason::ToolCalls),
    ];
    assert_eq!(events, expected);
}

#[tokio::test]
async fn the_fake_and_the_codec_agree() {
    let world = World::new().await;
    let turn = Turn::text("It is sunny").reasoning("let me see").usage(12, 34);
    world.server.push(
        turn.tool("weather", json!({ "city": "Rome" }))
            .tool("time", json!({})),
    );
    let answer = world.ask("Anthropic", NEW, hello()).await.unwrap();
    assert_eq!(
        (answer.text.as_str(), answer.reasoning.as_str()),
        ("It is sunny", "let me see")
    );
    let calls: Vec<_> = answer
        .tool_calls
        .iter()
        .map(|call| (call.name.as_str(), call.arguments.as_str()))
        .collect();
    assert_eq!(calls, [("weather", r#"{"city":"Rome"}"#), ("time", "{}")]);
    assert_eq!(
        answer.usage.map(|usage| (usage.input, usage.output)),
        Some((12, 34))
    );
    assert_eq!(answer.stop, Some(StopReason::ToolCalls));
}

#[tokio::test]
async fn several_and_hidden_thoughts_go_back_as_they_came() {
    let world = World::new().await;
    let mut events = vec![
        start(json!({ "input_tokens": 1 })),
        block(0, json!({ "type": "thinking", "thinking": "", "signature": "" })),
        delta(0, json!({ "type": "thinking_delta", "thinking": "one" })),
        delta(0, json!({ "type": "signature_delta", "signature": "MQ==" })),
        stop_block(0),
        block(1, json!({ "type": "redacted_thinking", "data": "aGlkZGVu" })),
        stop_block(1),
        block(2, json!({ "type": "thinking", "thinking": "", "signature": "" })),
        delta(2, json!({ "type": "thinking_delta", "thinking": "two" })),
        delta(2, json!({ "type": "signature_delta", "signature": "Mg==" })),
        stop_block(2),
        block(3, json!({ "type": "text", "text": "yes" })),
        stop_block(3),
    ];
    events.extend(done("end_turn"));
    world.server.push(sse(&events));
    let answer = world.ask("Anthropic", NEW, hello()).await.unwrap();
    assert_eq!(
        (answer.reasoning.as_str(), answer.text.as_str()),
        ("onetwo", "yes")
    );

    let mut next = hello();
    next.messages
        .extend([answer.to_message(), ChatMessage::user("go on")]);
    let body = world.body("Anthropic", NEW, next).await;
    let expected = json!([
        { "type": "thinking", "thinking": "one", "signature": "MQ==" },
        { "type": "redacted_thinking", "data": "aGlkZGVu" },
        { "type": "thinking", "thinking": "two", "signature": "Mg==" },
        { "type": "text", "text": "yes" },
    ]);
    assert_eq!(body["messages"][1]["content"], expected);
}

#[tokio::test]
async fn reasons_to_stop() {
    let world = World::new().await;
    let cases = [
        ("end_turn", StopReason::End),
        ("stop_sequence", StopReason::End),
        ("max_tokens", StopReason::Length),
        ("model_context_window_exceeded", StopReason::Length),
        ("refusal", StopReason::ContentFilter),
        ("pause_turn", StopReason::Other("pause_turn".to_owned())),
    ];
    for (said, expected) in cases {
        world.server.push(sse(&done(said)));
        let answer = world.ask("Anthropic", NEW, hello()).await.unwrap();
        assert_eq!(answer.stop, Some(expected), "{said}");
    }
}

#[tokio::test]
async fn a_whole_document_is_read_too() {
    let world = World::new().await;
    let document = json!({
        "type": "message",
        "content": [
            { "type": "text", "text": "Sunny" },
            { "type": "tool_use", "id": "toolu_a", "name": "weather", "input": { "city": "Rome" } },
        ],
        "stop_reason": "tool_use",
        "usage": { "input_tokens": 3, "output_tokens": 4 },
    });
    world.server.push(Turn::status(200, document));
    let answer = world.ask("Anthropic", NEW, hello()).await.unwrap();
    assert_eq!(
        (answer.text.as_str(), answer.tool_calls[0].arguments.as_str()),
        ("Sunny", r#"{"city":"Rome"}"#)
    );
    assert_eq!(answer.usage.unwrap().total(), 7);
}

fn overloaded() -> Json {
    json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } })
}

#[tokio::test]
async fn overload_in_the_middle_keeps_the_text() {
    let world = World::new().await;
    let begun = [
        start(json!({ "input_tokens": 8, "output_tokens": 1 })),
        block(0, json!({ "type": "text", "text": "" })),
        delta(0, json!({ "type": "text_delta", "text": "so far" })),
        overloaded(),
    ];
    world.server.push(sse(&begun));
    let broken = world.ask("Anthropic", NEW, hello()).await.unwrap_err();
    assert_eq!(broken.partial.text, "so far");
    assert_eq!(broken.partial.usage.unwrap().input, 8);
    assert_eq!(broken.error.class, Class::Server);
    assert_eq!(broken.error.message, "Anthropic is overloaded");
    assert_eq!(broken.error.cause, "Overloaded");
    assert_eq!(
        world.server.requests().len(),
        1,
        "asked once: something was said already"
    );
}

#[tokio::test]
async fn overload_before_the_first_word_is_asked_again() {
    let world = World::new().await;
    world
        .server
        .push(sse(&[start(json!({ "input_tokens": 8 })), overloaded()]));
    world.server.push(Turn::status(529, overloaded()));
    world.server.push(Turn::text("here I am"));
    let answer = world.ask("Anthropic", NEW, hello()).await.unwrap();
    assert_eq!(answer.text, "here I am");
    assert_eq!(world.server.requests().len(), 3);
}

#[tokio::test]
async fn refusals_have_their_class() {
    let world = World::new().await;
    let error =
        |kind: &str, message: &str| json!({ "type": "error", "error": { "type": kind, "message": message } });
    let cases = [
        (
            401,
            error("authentication_error", "invalid x-api-key"),
            Class::Authentication,
        ),
        (
            404,
            error("not_found_error", "model: claude-nope"),
            Class::ModelUnavailable,
        ),
        (
            400,
            error(
                "invalid_request_error",
                "prompt is too long: 210000 tokens > 200000",
            ),
            Class::ContextTooLong,
        ),
        (
            400,
            error("invalid_request_error", "Your credit balance is too low"),
            Class::Quota,
        ),
        (
            400,
            error("invalid_request_error", "messages: roles must alternate"),
            Class::Request,
        ),
        (
            413,
            error("request_too_large", "Request exceeds the maximum size"),
            Class::ContextTooLong,
        ),
    ];
    for (status, body, class) in cases {
        world.server.push(Turn::status(status, body.clone()));
        let found = world.ask("Anthropic", NEW, hello()).await.unwrap_err().error;
        assert_eq!(found.class, class, "{body}");
        assert_eq!(found.cause, body["error"]["message"].as_str().unwrap());
        assert!(!format!("{found:?}").contains(KEY));
    }
}

#[tokio::test]
async fn streams_that_go_wrong_end_in_an_error_with_the_text_so_far() {
    let world = World::new().await;
    for fault in [Fault::HalfClose, Fault::Reset, Fault::Truncated] {
        world.server.push(Turn::fault(fault));
        let broken = world.ask("Anthropic", NEW, hello()).await.unwrap_err();
        assert_eq!(broken.partial.text, Fault::TEXT, "{fault:?}");
        assert!(
            matches!(broken.error.class, Class::Network | Class::Server),
            "{fault:?}: {:?}",
            broken.error
        );
    }
    for fault in [
        Fault::NoLastFrame,
        Fault::AfterLastFrame,
        Fault::Bytewise,
        Fault::NanUsage,
        Fault::NegativeUsage,
    ] {
        world.server.push(Turn::fault(fault));
        let answer = world.ask("Anthropic", NEW, hello()).await;
        let answer = answer.unwrap_or_else(|broken| panic!("{fault:?}: {:?}", broken.error));
        assert_eq!(answer.text, Fault::TEXT, "{fault:?}");
    }
    world.server.push(Turn::fault(Fault::ManyToolCalls));
    let broken = world.ask("Anthropic", NEW, hello()).await.unwrap_err();
    assert_eq!(broken.error.class, Class::Server);
    assert_eq!(broken.partial.tool_calls.len(), 128);
}
