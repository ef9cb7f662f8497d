//! The Responses API: what we send, and what we make of what comes back.

use std::sync::Arc;

use ferro_llm::{
    ChatMessage, ChatModel, ChatRequest, Class, Credentials, Effort, Format, Media, Options, Part, Role,
    StopReason, ToolChoice, ToolSpec,
};
use ferro_testkit::{Fault, ModelServer, Turn};
use serde_json::{Value as Json, json};

use crate::support::{ask, ask_in_vain, hello, models};

/// Opened with the newer API; `gpt-5` thinks and `gpt-4o` does not.
fn openai(server: &ModelServer, model: &str) -> Arc<dyn ChatModel> {
    let credentials = Credentials::new()
        .with("OPENAI_API_KEY", "sk-test-1234567890")
        .with("OPENAI_BASE_URL", format!("{}/v1", server.url()));
    let options = Options {
        responses_api: Some(true),
        ..Options::default()
    };
    models(server)
        .language("OpenAI", model, &credentials, &options)
        .unwrap()
}

/// Events with their names, as the API sends them.
fn named(events: &[Json]) -> String {
    let write = |event: &Json| {
        format!(
            "event: {}\ndata: {event}\n\n",
            event["type"].as_str().unwrap_or("message")
        )
    };
    events.iter().map(write).collect()
}

fn completed(usage: Json) -> Json {
    json!({"type": "response.completed", "response": {"status": "completed", "error": null, "usage": usage}})
}

fn thought(place: u64, sealed: &str) -> Json {
    json!({"type": "response.output_item.done", "output_index": place, "item":
        {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": sealed, "status": null}})
}

#[tokio::test]
async fn a_question_with_everything_goes_out_as_documented() {
    let server = ModelServer::start().await;
    let media = |mime: &str, name: &str| Media {
        mime: mime.to_owned(),
        name: name.to_owned(),
        bytes: "x".into(),
    };
    let request = ChatRequest {
        messages: vec![
            ChatMessage::system("Be brief."),
            ChatMessage {
                role: Role::User,
                parts: vec![
                    Part::Text("Look:".to_owned()),
                    Part::Image(media("image/png", "")),
                    Part::File(media("application/pdf", "a.pdf")),
                ],
            },
        ],
        tools: vec![ToolSpec {
            name: "add".to_owned(),
            description: "Adds.".to_owned(),
            schema: json!({"properties": {"a": {"type": "number"}}}),
        }],
        tool_choice: ToolChoice::Required,
        parallel_tools: Some(true),
        temperature: Some(0.5),
        max_tokens: Some(5),
        stop: vec!["x".to_owned()],
        seed: Some(1),
        effort: Some(Effort::High),
        format: Format::Schema {
            name: "n".to_owned(),
            schema: json!({"type": "object"}),
        },
        ..ChatRequest::default()
    };
    ask(&openai(&server, "gpt-5"), request.clone()).await;
    ask(&openai(&server, "gpt-4o"), request).await;

    let sent = server.requests().remove(0);
    assert_eq!(
        (sent.method.as_str(), sent.path.as_str()),
        ("POST", "/v1/responses")
    );
    assert_eq!(sent.header("authorization"), Some("Bearer sk-test-1234567890"));
    assert_eq!(
        sent.body,
        json!({
            "model": "gpt-5",
            "input": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": [
                    {"type": "input_text", "text": "Look:"},
                    {"type": "input_image", "image_url": "data:image/png;base64,eA=="},
                    {"type": "input_file", "filename": "a.pdf", "file_data": "data:application/pdf;base64,eA=="},
                ]},
            ],
            "stream": true,
            "store": false,
            "max_output_tokens": 16,
            "reasoning": {"summary": "auto", "effort": "high"},
            "include": ["reasoning.encrypted_content"],
            "text": {"format": {"type": "json_schema", "name": "n", "schema": {"type": "object"}, "strict": false}},
            "tools": [{"type": "function", "name": "add", "description": "Adds.", "strict": false,
                "parameters": {"properties": {"a": {"type": "number"}}, "type": "object"}}],
            "tool_choice": "required",
            "parallel_tool_calls": true,
        })
    );
    let plain = server.requests().remove(1).body;
    assert_eq!(plain["temperature"], 0.5);
    assert_eq!((plain.get("reasoning"), plain.get("include")), (None, None));
}

#[tokio::test]
async fn elsewhere_it_is_used_only_when_asked_for() {
    let server = ModelServer::start().await;
    let credentials = Credentials::new()
        .with("OPENAI_API_KEY", "sk-test-1234567890")
        .with("OPENAI_BASE_URL", format!("{}/v1", server.url()));
    let open = |model: &str| {
        models(&server)
            .language("OpenAI", model, &credentials, &Options::default())
            .unwrap()
    };
    ask(&open("gpt-5"), hello()).await;
    ask(&openai(&server, "gpt-5"), hello()).await;
    let paths: Vec<_> = server.requests().into_iter().map(|sent| sent.path).collect();
    assert_eq!(paths, ["/v1/chat/completions", "/v1/responses"]);
}

#[tokio::test]
async fn text_thoughts_calls_and_figures_come_through() {
    let server = ModelServer::start().await;
    let turn = Turn::text("one two").reasoning("let me see").usage(11, 22);
    server.push(turn.tool("add", json!({"a": 1})).tool("add", json!({"a": 2})));
    let answer = ask(&openai(&server, "gpt-5"), hello()).await;
    assert_eq!(
        (answer.text.as_str(), answer.reasoning.as_str()),
        ("one two", "let me see")
    );
    assert_eq!(answer.stop, Some(StopReason::ToolCalls));
    let usage = answer.usage.unwrap();
    assert_eq!((usage.input, usage.output, usage.reasoning), (11, 22, 3));
    let calls: Vec<_> = answer
        .tool_calls
        .iter()
        .map(|call| call.arguments.as_str())
        .collect();
    assert_eq!(calls, ["{\"a\":1}", "{\"a\":2}"]);
    // The call's id and not its item's.
    assert!(answer.tool_calls[0].id.starts_with("call_"));

    server.push(Turn::text("cut off").cut());
    let answer = ask(&openai(&server, "gpt-5"), hello()).await;
    assert_eq!(
        (answer.text.as_str(), answer.stop),
        ("cut off", Some(StopReason::Length))
    );
}

#[tokio::test]
async fn thoughts_go_back_before_what_they_led_to() {
    let server = ModelServer::start().await;
    let call = |place: u64, id: &str| {
        let item = json!({"id": format!("fc_{id}"), "type": "function_call", "call_id": id, "name": "add", "arguments": ""});
        json!({"type": "response.output_item.added", "output_index": place, "item": item})
    };
    let summary = |text: &str| json!({"type": "response.reasoning_summary_text.delta", "output_index": 0, "delta": text});
    let part = |index: u64| json!({"type": "response.reasoning_summary_part.added", "output_index": 0, "summary_index": index});
    server.push(Turn::raw(
        "text/event-stream",
        named(&[
            json!({"type": "response.created", "response": {"error": null}}),
            part(0),
            summary("First."),
            part(1),
            summary("Second."),
            thought(0, "one"),
            json!({"type": "response.output_text.delta", "output_index": 1, "delta": "Wait"}),
            thought(2, "two"),
            call(3, "call_x"),
            json!({"type": "response.function_call_arguments.delta", "output_index": 3, "delta": "{}"}),
            json!({"type": "response.output_item.done", "output_index": 3, "item":
                {"type": "function_call", "call_id": "call_x", "name": "add", "arguments": "{}"}}),
            completed(
                json!({"input_tokens": 5, "output_tokens": 6, "input_tokens_details": {"cached_tokens": 4},
                "output_tokens_details": {"reasoning_tokens": 2}}),
            ),
        ]),
    ));
    let model = openai(&server, "gpt-5");
    let answer = ask(&model, hello()).await;
    assert_eq!(answer.reasoning, "First.\n\nSecond.");
    assert_eq!(answer.tool_calls[0].arguments, "{}");
    assert_eq!(
        answer.usage.map(|usage| (usage.cached, usage.reasoning)),
        Some((4, 2))
    );

    let mut next = hello();
    next.messages.push(answer.to_message());
    next.messages.push(ChatMessage {
        role: Role::Tool,
        parts: vec![Part::ToolResult {
            id: "call_x".to_owned(),
            name: "add".to_owned(),
            content: "3".to_owned(),
            is_error: false,
        }],
    });
    ask(&model, next).await;
    let sealed = |content: &str| json!({"type": "reasoning", "summary": [], "encrypted_content": content});
    assert_eq!(
        server.requests()[1].body["input"],
        json!([
            {"role": "user", "content": [{"type": "input_text", "text": "hello"}]},
            sealed("one"),
            {"role": "assistant", "content": "Wait"},
            sealed("two"),
            {"type": "function_call", "call_id": "call_x", "name": "add", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "call_x", "output": "3"},
        ])
    );
}

#[tokio::test]
async fn thoughts_of_others_or_without_a_sequel_stay_here() {
    let server = ModelServer::start().await;
    let mut request = hello();
    for signature in ["opaque", "[{\"type\":\"reasoning.text\"}]", "[1]"] {
        request.messages.push(ChatMessage {
            role: Role::Assistant,
            parts: vec![
                Part::Reasoning {
                    text: "hm".to_owned(),
                    signature: Some(signature.to_owned()),
                },
                Part::Text("a".to_owned()),
            ],
        });
    }
    server.push(Turn::raw(
        "text/event-stream",
        named(&[thought(0, "one"), completed(Json::Null)]),
    ));
    let answer = ask(&openai(&server, "gpt-5"), request).await;
    assert_eq!(answer.reasoning_signature, None);
    let input = server.requests().remove(0).body["input"].take();
    let said = json!({"role": "assistant", "content": "a"});
    assert_eq!(input.as_array().unwrap()[1..], [said.clone(), said.clone(), said]);
}

#[tokio::test]
async fn what_did_not_come_in_pieces_is_taken_whole() {
    let server = ModelServer::start().await;
    let item = |place: u64, item: Json| json!({"type": "response.output_item.done", "output_index": place, "item": item});
    let items = [
        json!({"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]}),
        json!({"type": "message", "content": [{"type": "output_text", "text": "hi"}]}),
        json!({"type": "function_call", "call_id": "c1", "name": "add", "arguments": "{\"a\":1}"}),
    ];
    let frames: Vec<Json> = (0..)
        .zip(items.clone())
        .map(|(place, one)| item(place, one))
        .collect();
    server.push(Turn::raw(
        "text/event-stream",
        named(&frames) + &named(&[completed(Json::Null)]),
    ));
    let document = json!({"object": "response", "status": "completed", "error": null, "output": items});
    server.push(Turn::raw("application/json", document.to_string()));
    for _ in 0..2 {
        let answer = ask(&openai(&server, "gpt-5"), hello()).await;
        assert_eq!((answer.text.as_str(), answer.reasoning.as_str()), ("hi", "hm"));
        assert_eq!(
            (
                answer.tool_calls[0].id.as_str(),
                answer.tool_calls[0].arguments.as_str()
            ),
            ("c1", "{\"a\":1}")
        );
        assert_eq!(answer.stop, Some(StopReason::ToolCalls));
    }
}

#[tokio::test]
async fn refusals_filters_and_failures() {
    let server = ModelServer::start().await;
    let model = openai(&server, "gpt-5");
    let refusal = json!({"type": "response.refusal.delta", "output_index": 0, "delta": "No."});
    server.push(Turn::raw(
        "text/event-stream",
        named(&[refusal, completed(Json::Null)]),
    ));
    let answer = ask(&model, hello()).await;
    assert_eq!(
        (answer.text.as_str(), answer.stop),
        ("No.", Some(StopReason::Other("refusal".to_owned())))
    );

    let words = json!({"type": "response.output_text.delta", "output_index": 0, "delta": "half"});
    let filtered = json!({"type": "response.incomplete", "response": {"status": "incomplete",
        "incomplete_details": {"reason": "content_filter"}}});
    server.push(Turn::raw("text/event-stream", named(&[words.clone(), filtered])));
    assert_eq!(ask(&model, hello()).await.stop, Some(StopReason::ContentFilter));

    let failed = json!({"type": "response.failed", "response": {"status": "failed",
        "error": {"code": "server_error", "message": "boom"}}});
    let error = json!({"type": "error", "code": "rate_limit_exceeded", "message": "slow", "param": null});
    for (event, class, cause) in [(failed, Class::Server, "boom"), (error, Class::RateLimit, "slow")] {
        server.push(Turn::raw("text/event-stream", named(&[words.clone(), event])));
        let broken = ask_in_vain(&model, hello()).await;
        assert_eq!((broken.error.class, broken.error.cause.as_str()), (class, cause));
        assert_eq!(broken.partial.text, "half");
    }

    server.push(Turn::raw(
        "text/event-stream",
        named(&[words]) + "data: [DONE]\n\n",
    ));
    let broken = ask_in_vain(&model, hello()).await;
    assert_eq!(
        (broken.error.class, broken.partial.text.as_str()),
        (Class::Network, "half")
    );
}

#[tokio::test]
async fn an_organisation_nobody_verified_gets_its_answer_without_thoughts() {
    let server = ModelServer::start().await;
    let say = |message: &str, param: &str| {
        Turn::status(
            400,
            json!({"error": {"message": message, "type": "invalid_request_error", "param": param,
            "code": "unsupported_value"}}),
        )
    };
    server.push(say(
        "Your organization must be verified to generate reasoning summaries.",
        "reasoning.summary",
    ));
    server.push(say(
        "Your organization must be verified to stream this model.",
        "stream",
    ));
    let answer = ask(&openai(&server, "gpt-5"), hello()).await;
    assert_eq!(answer.text, "ok");
    let body = server.requests().remove(2).body;
    assert_eq!((&body["reasoning"], &body["stream"]), (&json!({}), &json!(false)));
}

#[tokio::test]
async fn calls_with_odd_numbers_stay_apart() {
    for fault in [Fault::SameToolIndex, Fault::UnorderedToolIndex] {
        let server = ModelServer::start().await;
        server.push(Turn::fault(fault));
        let answer = ask(&openai(&server, "gpt-5"), hello()).await;
        assert!(answer.tool_calls.len() >= 2, "{fault:?}");
        assert!(
            answer.tool_calls.iter().all(|call| call.arguments == "{\"a\":1}"),
            "{fault:?}: {answer:?}"
        );
    }
    let server = ModelServer::start().await;
    let call = |at: u64| {
        let item =
            json!({"type": "function_call", "call_id": format!("c{at}"), "name": "add", "arguments": "{}"});
        json!({"type": "response.output_item.done", "output_index": at, "item": item})
    };
    let calls: Vec<Json> = (0..2000).map(call).collect();
    server.push(Turn::raw("text/event-stream", named(&calls)));
    let broken = ask_in_vain(&openai(&server, "gpt-5"), hello()).await;
    assert_eq!(
        (broken.error.class, broken.partial.tool_calls.len()),
        (Class::Server, 128)
    );
}
