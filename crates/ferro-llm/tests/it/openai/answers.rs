//! Chat completions: what we make of what comes back.

use ferro_llm::{ChatResponse, Class, StopReason, Usage};
use ferro_testkit::{ModelServer, Turn};
use serde_json::{Value as Json, json};

use super::{KEY, delta, finish, openai};
use crate::support::{ask, ask_in_vain, events, hello};

/// What comes of a body sent by hand, as a stream.
async fn read(frames: &[Json], end: &str) -> ChatResponse {
    let server = ModelServer::start().await;
    server.push(Turn::raw("text/event-stream", events(frames) + end));
    ask(&openai(&server, "my-model"), hello()).await
}

#[tokio::test]
async fn text_thoughts_calls_and_figures_come_through() {
    let server = ModelServer::start().await;
    let turn = Turn::text("one two").reasoning("let me see").usage(11, 22);
    server.push(turn.tool("add", json!({"a": 1})).tool("add", json!({"a": "ü"})));
    let answer = ask(&openai(&server, "my-model"), hello()).await;
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
    assert_eq!(calls, ["{\"a\":1}", "{\"a\":\"ü\"}"]);
    assert_ne!(answer.tool_calls[0].id, answer.tool_calls[1].id);
}

#[tokio::test]
async fn calls_are_told_apart_however_they_are_numbered() {
    let piece = |call: Json| delta(json!({"tool_calls": [call]}));
    let shown = |answer: ChatResponse| -> Vec<(String, String, String)> {
        let calls = answer.tool_calls.into_iter();
        calls.map(|call| (call.id, call.name, call.arguments)).collect()
    };
    let row = |id: &str, name: &str, arguments: &str| (id.to_owned(), name.to_owned(), arguments.to_owned());

    // No ids, out of order, interleaved.
    let frames = [
        piece(json!({"index": 5, "function": {"name": "b", "arguments": "{\"x\""}})),
        piece(json!({"index": 2, "function": {"name": "a", "arguments": ""}})),
        piece(json!({"index": 5, "function": {"arguments": ":1}"}})),
        piece(json!({"index": 2, "function": {"arguments": "{}"}})),
        finish("stop"),
    ];
    let answer = read(&frames, "data: [DONE]\n\n").await;
    assert_eq!(answer.stop, Some(StopReason::ToolCalls));
    assert_eq!(
        shown(answer),
        [row("call_0", "b", "{\"x\":1}"), row("call_1", "a", "{}")]
    );

    // The same number for all, told apart by id, by name, and by being complete.
    let frames = [
        piece(json!({"index": 0, "id": "x", "function": {"name": "a", "arguments": "{}"}})),
        piece(json!({"index": 0, "id": "y", "function": {"name": "a", "arguments": "{\"n\""}})),
        piece(json!({"index": 0, "id": "other", "function": {"arguments": ":1}"}})),
        piece(json!({"index": 0, "function": {"name": "b", "arguments": "{}"}})),
        piece(json!({"index": 0, "function": {"name": "b", "arguments": "{\"n\":2}"}})),
        finish("tool_calls"),
    ];
    let answer = read(&frames, "").await;
    let expected = [
        row("x", "a", "{}"),
        row("y", "a", "{\"n\":1}"),
        row("call_2", "b", "{}"),
        row("call_3", "b", "{\"n\":2}"),
    ];
    assert_eq!(shown(answer), expected);

    // No number at all; a name that comes late, or never; an object for arguments; one id for two.
    let frames = [
        piece(json!({"id": "x", "function": {"arguments": "{\"n\":"}})),
        piece(json!({"function": {"name": "a"}})),
        piece(json!({"function": {"arguments": "1}"}})),
        piece(json!({"id": "z", "function": {"name": "b", "arguments": {"k": true}}})),
        piece(json!({"index": 9, "id": "x", "function": {"name": "c", "arguments": null}})),
        piece(json!({"index": 11, "function": {"arguments": "lost"}})),
        finish("tool_calls"),
    ];
    let answer = read(&frames, "data: [DONE]\n\n").await;
    let expected = [
        row("x", "a", "{\"n\":1}"),
        row("z", "b", "{\"k\":true}"),
        row("call_2", "c", ""),
        row("call_3", "", "lost"),
    ];
    assert_eq!(shown(answer), expected);
}

#[tokio::test]
async fn too_many_calls_are_an_error_and_not_a_burden() {
    let server = ModelServer::start().await;
    let call = |index: u64| json!({"index": index, "id": format!("c{index}"), "function": {"name": "a", "arguments": "{}"}});
    let mut frames = vec![delta(json!({"content": "so far"}))];
    frames.extend((0..2000).map(|index| delta(json!({"tool_calls": [call(index)]}))));
    server.push(Turn::raw("text/event-stream", events(&frames)));
    let broken = ask_in_vain(&openai(&server, "my-model"), hello()).await;
    assert_eq!(
        (broken.error.class, broken.partial.tool_calls.len()),
        (Class::Server, 128)
    );
    assert_eq!(broken.partial.text, "so far");
}

#[tokio::test]
async fn the_end_is_found_with_and_without_its_mark() {
    let frames = [
        delta(json!({"role": "assistant", "content": "hi"})),
        finish("length"),
    ];
    let answer = read(&frames, "").await;
    assert_eq!(
        (answer.text.as_str(), answer.stop),
        ("hi", Some(StopReason::Length))
    );
    // What follows the mark does not matter.
    let more = format!(
        "data: [DONE]\n\n{}data: nonsense\n\n",
        events(&[delta(json!({"content": "more"}))])
    );
    assert_eq!(read(&frames, &more).await.text, "hi");
    // No reason is given, but the mark is there.
    let answer = read(&frames[..1], "data: [DONE]").await;
    assert_eq!(answer.stop, Some(StopReason::End));
    let answer = read(&[frames[0].clone(), finish("weird")], "data: [DONE]\n\n").await;
    assert_eq!(answer.stop, Some(StopReason::Other("weird".to_owned())));
}

#[tokio::test]
async fn an_answer_that_breaks_off_keeps_its_text() {
    for end in ["", "data: {\"choices\": [{\"del", "data: "] {
        let server = ModelServer::start().await;
        server.push(Turn::raw(
            "text/event-stream",
            events(&[delta(json!({"content": "half"}))]) + end,
        ));
        let broken = ask_in_vain(&openai(&server, "my-model"), hello()).await;
        assert_eq!(
            (broken.error.class, broken.partial.text.as_str()),
            (Class::Network, "half"),
            "{end}"
        );
        assert_eq!((broken.error.attempts, server.requests().len()), (1, 1));
    }
}

#[tokio::test]
async fn an_error_in_the_middle_says_what_happened() {
    let server = ModelServer::start().await;
    let said = json!({"error": {"message": format!("Rate limit for {KEY}"), "type": "requests", "code": "rate_limit_exceeded"}});
    let frames = [delta(json!({"content": "half"})), said];
    server.push(Turn::raw("text/event-stream", events(&frames)));
    let broken = ask_in_vain(&openai(&server, "my-model"), hello()).await;
    assert_eq!(
        (broken.error.class, broken.partial.text.as_str()),
        (Class::RateLimit, "half")
    );
    assert_eq!(broken.error.cause, "Rate limit for [hidden]");
    assert_eq!(server.requests().len(), 1);

    let named = "event: error\ndata: {\"message\": \"boom\", \"code\": 502}\n\n";
    server.push(Turn::raw("text/event-stream", events(&frames[..1]) + named));
    let broken = ask_in_vain(&openai(&server, "my-model"), hello()).await;
    assert_eq!(
        (broken.error.class, broken.error.cause.as_str()),
        (Class::Server, "boom")
    );
}

#[tokio::test]
async fn refusals_and_lists_of_parts_are_text() {
    let frames = [
        delta(json!({"refusal": "I won't"})),
        delta(json!({"refusal": "."})),
        finish("stop"),
    ];
    let answer = read(&frames, "data: [DONE]\n\n").await;
    assert_eq!(answer.text, "I won't.");
    assert_eq!(answer.stop, Some(StopReason::Other("refusal".to_owned())));
    let parts = json!([{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "hi"}]);
    let answer = read(&[delta(json!({"content": parts})), finish("stop")], "").await;
    assert_eq!((answer.text.as_str(), answer.reasoning.as_str()), ("hi", "hm"));
    let both = delta(json!({"reasoning_content": "once", "reasoning": "once", "content": "hi"}));
    assert_eq!(read(&[both, finish("stop")], "").await.reasoning, "once");
}

#[tokio::test]
async fn figures_that_make_no_sense_do_not_cost_the_answer() {
    let odd = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":NaN,\"completion_tokens\":-5,\
        \"prompt_tokens_details\":{\"cached_tokens\":7}}}\n\ndata: [DONE]\n\n";
    let frames = [delta(json!({"content": "hi"})), finish("stop")];
    let answer = read(&frames, odd).await;
    assert_eq!(
        (answer.text.as_str(), answer.usage),
        ("hi", Some(Usage::default()))
    );
    let huge = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1e30,\"completion_tokens\":1e999,\
        \"prompt_tokens_details\":null,\"completion_tokens_details\":[]}}\n\ndata: [DONE]\n\n";
    let usage = read(&frames, huge).await.usage.unwrap();
    assert_eq!((usage.input, usage.output), (1_000_000_000_000, 0));
    let usage = json!({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4,
        "prompt_tokens_details": {"cached_tokens": 5}, "completion_tokens_details": {"reasoning_tokens": 3}}});
    let [first, last] = frames;
    let usage = read(&[first, last, usage], "data: [DONE]\n\n")
        .await
        .usage
        .unwrap();
    assert_eq!((usage.cached, usage.reasoning), (5, 3));
}

#[tokio::test]
async fn one_document_is_read_as_well() {
    let server = ModelServer::start().await;
    let document = json!({"id": "c", "object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop",
        "message": {"role": "assistant", "content": "hi", "reasoning_content": "hm", "tool_calls": [
            {"type": "function", "function": {"name": "a", "arguments": "{}"}},
            {"type": "function", "function": {"name": "a", "arguments": "{}"}}]}}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2}});
    for kind in ["application/json", "text/event-stream"] {
        server.push(Turn::raw(kind, document.to_string()));
        let answer = ask(&openai(&server, "my-model"), hello()).await;
        assert_eq!((answer.text.as_str(), answer.reasoning.as_str()), ("hi", "hm"));
        let ids: Vec<_> = answer.tool_calls.iter().map(|call| call.id.as_str()).collect();
        assert_eq!(
            (ids, answer.stop),
            (vec!["call_0", "call_1"], Some(StopReason::ToolCalls))
        );
        assert_eq!(answer.usage.map(|usage| usage.total()), Some(3));
    }
    // Status 200, and yet an error.
    let error = json!({"error": {"message": "no credits", "code": 402}});
    server.push(Turn::raw("application/json", error.to_string()));
    let broken = ask_in_vain(&openai(&server, "my-model"), hello()).await;
    assert_eq!(
        (broken.error.class, broken.error.status),
        (Class::Quota, Some(402))
    );
}
