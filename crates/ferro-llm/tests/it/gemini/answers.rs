//! Google's `generateContent`: what we make of the answers.

use ferro_llm::{ChatEvent, Class, StopReason, Usage};
use ferro_testkit::{Fault, Turn};
use serde_json::{Value as Json, json};

use super::{GOOGLE, NEW};
use crate::support::{events, hello};
use crate::world::World;

fn sse(frames: &[Json]) -> Turn {
    Turn::raw("text/event-stream", events(frames))
}

fn parts(parts: Json) -> Json {
    json!({ "candidates": [{ "content": { "role": "model", "parts": parts }, "index": 0 }] })
}

fn finish(reason: &str) -> Json {
    json!({ "candidates": [{ "finishReason": reason, "index": 0 }] })
}

#[tokio::test]
async fn an_answer_comes_piece_by_piece() {
    let world = World::new().await;
    let mut last = parts(json!([{ "text": "", "thoughtSignature": "dGV4dA==" }]));
    last["candidates"][0]["finishReason"] = json!("STOP");
    last["usageMetadata"] = json!({
        "promptTokenCount": 100, "cachedContentTokenCount": 60, "toolUsePromptTokenCount": 5,
        "candidatesTokenCount": 20, "thoughtsTokenCount": 30, "totalTokenCount": 155,
    });
    let frames = [
        json!({ "usageMetadata": { "promptTokenCount": 100 } }),
        parts(json!([{ "text": "let me see", "thought": true }])),
        parts(json!([{ "text": "Sun" }, { "text": "ny" }])),
        parts(json!([
            { "functionCall": { "name": "weather", "args": { "city": "Rome" } }, "thoughtSignature": "c2ln" },
            { "functionCall": { "name": "time", "id": "own" } },
        ])),
        last,
    ];
    world.server.push(sse(&frames).pieces(5));
    let (events, error) = world.events(GOOGLE, NEW, hello()).await;
    assert_eq!(error, None);
    let tool = |index, id: &str, name: &str, signature: Option<&str>| ChatEvent::ToolStart {
        index,
        id: id.to_owned(),
        name: name.to_owned(),
        signature: signature.map(str::to_owned),
    };
    let arguments = |index, chunk: &str| ChatEvent::ToolArguments {
        index,
        chunk: chunk.to_owned(),
    };
    let expected = vec![
        ChatEvent::Reasoning("let me see".to_owned()),
        ChatEvent::Usage(Usage {
            input: 100,
            ..Usage::default()
        }),
        ChatEvent::Text("Sun".to_owned()),
        ChatEvent::Text("ny".to_owned()),
        tool(0, "call_0", "weather", Some("c2ln")),
        arguments(0, r#"{"city":"Rome"}"#),
        tool(1, "own", "time", None),
        arguments(1, "{}"),
        ChatEvent::ReasoningSignature("dGV4dA==".to_owned()),
        ChatEvent::Usage(Usage {
            input: 105,
            output: 50,
            cached: 60,
            reasoning: 30,
        }),
        ChatEvent::Stop(StopReason::ToolCalls),
    ];
    assert_eq!(events, expected);
}

#[tokio::test]
async fn reasons_to_stop() {
    let world = World::new().await;
    let cases = [
        ("STOP", StopReason::End),
        ("MAX_TOKENS", StopReason::Length),
        ("SAFETY", StopReason::ContentFilter),
        ("PROHIBITED_CONTENT", StopReason::ContentFilter),
        (
            "MALFORMED_FUNCTION_CALL",
            StopReason::Other("MALFORMED_FUNCTION_CALL".to_owned()),
        ),
    ];
    for (said, expected) in cases {
        world.server.push(sse(&[finish(said)]));
        let answer = world.ask(GOOGLE, NEW, hello()).await.unwrap();
        assert_eq!(answer.stop, Some(expected), "{said}");
    }
}

#[tokio::test]
async fn a_blocked_prompt_is_a_matter_of_policy() {
    let world = World::new().await;
    world
        .server
        .push(sse(&[json!({ "promptFeedback": { "blockReason": "SAFETY" } })]));
    let error = world.ask(GOOGLE, NEW, hello()).await.unwrap_err().error;
    assert_eq!(
        (error.class, error.code.as_deref()),
        (Class::ContentPolicy, Some("SAFETY"))
    );
    assert_eq!(world.server.requests().len(), 1, "asking again does not help");
}

#[tokio::test]
async fn documents_are_read_too() {
    let world = World::new().await;
    let pieces = json!([
        parts(json!([{ "text": "Sun" }])),
        parts(json!([{ "text": "ny" }])),
        finish("STOP")
    ]);
    world.server.push(Turn::status(200, pieces));
    let answer = world.ask(GOOGLE, NEW, hello()).await.unwrap();
    assert_eq!(
        (answer.text.as_str(), answer.stop),
        ("Sunny", Some(StopReason::End))
    );
}

fn quota(id: &str, wait: &str) -> Json {
    json!({ "error": {
        "code": 429,
        "message": "You exceeded your current quota, please check your plan and billing details.",
        "status": "RESOURCE_EXHAUSTED",
        "details": [
            { "@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{ "quotaId": id }] },
            { "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": wait },
        ],
    } })
}

#[tokio::test]
async fn a_quota_for_a_minute_is_a_rate_and_waits_as_told() {
    let world = World::new().await;
    let minute = "GenerateRequestsPerMinutePerProjectPerModel-FreeTier";
    world.server.push(Turn::status(429, quota(minute, "0.01s")));
    world.server.push(Turn::text("later"));
    assert_eq!(world.ask(GOOGLE, NEW, hello()).await.unwrap().text, "later");

    world.server.push(Turn::status(
        429,
        quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier", "0.01s"),
    ));
    let error = world.ask(GOOGLE, NEW, hello()).await.unwrap_err().error;
    assert_eq!((error.class, error.attempts), (Class::Quota, 1));

    world.server.push(Turn::status(429, quota(minute, "41.5s")));
    let error = world.ask(GOOGLE, NEW, hello()).await.unwrap_err().error;
    assert_eq!(error.class, Class::RateLimit);
    assert_eq!(error.retry_after.unwrap().as_millis(), 41_500);
}

#[tokio::test]
async fn refusals_have_their_class() {
    let world = World::new().await;
    let error = |code: u16, status: &str, message: &str| json!({ "error": { "code": code, "message": message, "status": status } });
    let cases = [
        (
            400,
            error(
                400,
                "INVALID_ARGUMENT",
                "API key not valid. Please pass a valid API key.",
            ),
            Class::Authentication,
        ),
        (
            403,
            error(403, "PERMISSION_DENIED", "Permission denied"),
            Class::Authentication,
        ),
        (
            404,
            error(
                404,
                "NOT_FOUND",
                "models/nope is not found for API version v1beta",
            ),
            Class::ModelUnavailable,
        ),
        (
            400,
            error(
                400,
                "INVALID_ARGUMENT",
                "The input token count (1200000) exceeds the maximum (1048576).",
            ),
            Class::ContextTooLong,
        ),
        (
            400,
            error(400, "INVALID_ARGUMENT", "Unknown name \"x\""),
            Class::Request,
        ),
    ];
    for (status, body, class) in cases {
        world.server.push(Turn::status(status, body.clone()));
        let found = world.ask(GOOGLE, NEW, hello()).await.unwrap_err().error;
        assert_eq!(found.class, class, "{body}");
        assert_eq!(found.cause, body["error"]["message"].as_str().unwrap());
    }
}

#[tokio::test]
async fn an_error_within_the_stream_keeps_the_text() {
    let world = World::new().await;
    let error =
        json!({ "error": { "code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE" } });
    world
        .server
        .push(sse(&[parts(json!([{ "text": "so far" }])), error]));
    let broken = world.ask(GOOGLE, NEW, hello()).await.unwrap_err();
    assert_eq!(
        (broken.partial.text.as_str(), broken.error.class),
        ("so far", Class::Server)
    );
    assert_eq!(broken.error.cause, "The model is overloaded.");
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
        let broken = world.ask(GOOGLE, NEW, hello()).await.unwrap_err();
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
        let answer = world.ask(GOOGLE, NEW, hello()).await;
        let answer = answer.unwrap_or_else(|broken| panic!("{fault:?}: {:?}", broken.error));
        assert_eq!(answer.text, Fault::TEXT, "{fault:?}");
    }
    world.server.push(Turn::fault(Fault::ManyToolCalls));
    let broken = world.ask(GOOGLE, NEW, hello()).await.unwrap_err();
    assert_eq!(broken.error.class, Class::Server);
    assert_eq!(broken.partial.tool_calls.len(), 128);
}
