//! Whatever is asked, there is an answer, the same each time, within its limits.

use ferro_llm::{ChatMessage, ChatRequest, Effort, Format, Part, Role, StopReason, ToolChoice, ToolSpec};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::ask;

/// Words that mean something to a rule, and what trips readers up.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        proptest::sample::select(
            &[
                "summarize",
                "extract",
                "emails",
                "translate",
                "classify",
                "sentiment",
                "my name is",
                "what is my name?",
                "categories:",
                "one of",
                "either",
                "or",
                "only",
                "respond",
                "json object",
                "search",
                "https://x.é/",
                "a@b.c",
                "2026-11-15",
                "1,000 * 2",
                "“",
                "”",
                "'",
                "\"",
                ":",
                "\n",
                "\n\n",
                "- x",
                "{",
                "}",
                "İ",
                "ß",
                "日本。",
                "today",
                "Europe/Berlin",
                ", ",
                "? ",
                "incomprehensibilities-without-an-end-in-sight",
            ][..]
        )
        .prop_map(str::to_owned),
        any::<String>(),
        "[a-zA-Z .,:]{0,12}",
    ];
    proptest::collection::vec(piece, 0..10).prop_map(|pieces| pieces.join(" "))
}

fn property() -> impl Strategy<Value = Value> {
    proptest::sample::select(vec![
        json!({"type": "string"}),
        json!({"type": "array", "items": {"type": "string"}}),
        json!({"type": "number", "default": 1}),
        json!({"enum": ["a", "or"]}),
        json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
        json!({"type": "object"}),
        json!(true),
        json!("nonsense"),
    ])
}

fn tool() -> impl Strategy<Value = ToolSpec> {
    let name = proptest::sample::select(&["search", "calculator", "get_date", "fetch", "x", ""][..]);
    let argument =
        proptest::sample::select(&["query", "url", "urls", "expression", "timezone", "text", "n"][..]);
    let properties = proptest::collection::btree_map(argument, property(), 0..3);
    (name, text(), properties, any::<bool>()).prop_map(|(name, description, properties, sound)| {
        let required: Vec<&&str> = properties.keys().collect();
        let schema = json!({"type": "object", "properties": properties, "required": required});
        ToolSpec {
            name: name.to_owned(),
            description,
            schema: if sound { schema } else { json!([1]) },
        }
    })
}

fn message() -> impl Strategy<Value = ChatMessage> {
    let role = proptest::sample::select(&[Role::System, Role::User, Role::Assistant, Role::Tool][..]);
    (role, text(), any::<bool>()).prop_map(|(role, text, result)| {
        let mut message = ChatMessage::new(role, text.clone());
        if result && role == Role::Tool {
            message.parts = vec![Part::ToolResult {
                id: "call_0".to_owned(),
                name: "search".to_owned(),
                content: text,
                is_error: false,
            }];
        }
        message
    })
}

fn request() -> impl Strategy<Value = ChatRequest> {
    let choice = proptest::sample::select(vec![
        ToolChoice::Auto,
        ToolChoice::Required,
        ToolChoice::Named("search".to_owned()),
    ]);
    let format = proptest::sample::select(vec![
        Format::Text,
        Format::Json,
        Format::Schema {
            name: String::new(),
            schema: json!({"properties": {"name": {}, "dates": {"type": "array"}}}),
        },
    ]);
    let messages = proptest::collection::vec(message(), 0..5);
    let tools = proptest::collection::vec(tool(), 0..4);
    let most = proptest::option::of(0u32..40);
    (messages, tools, choice, format, most, text()).prop_map(
        |(messages, tools, tool_choice, format, max_tokens, stop)| ChatRequest {
            messages,
            tools,
            tool_choice,
            format,
            max_tokens,
            stop: vec![stop],
            effort: Some(Effort::Low).filter(|_| max_tokens.is_some()),
            ..ChatRequest::default()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn every_request_has_an_answer(request in request()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let answer = runtime.block_on(ask(request.clone()));
        prop_assert_eq!(&answer, &runtime.block_on(ask(request.clone())));
        let (stop, usage) = (answer.stop.clone().unwrap(), answer.usage.unwrap());
        if let Some(most) = request.max_tokens {
            prop_assert!(usage.output <= u64::from(most));
        }
        prop_assert_eq!(stop == StopReason::ToolCalls, stop != StopReason::Length && !answer.tool_calls.is_empty());
        if stop == StopReason::ToolCalls {
            for call in &answer.tool_calls {
                prop_assert!(serde_json::from_str::<Value>(&call.arguments).unwrap().is_object());
            }
        }
    }
}
