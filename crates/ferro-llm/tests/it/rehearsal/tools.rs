//! Tool calls: made when a request clearly means them, with arguments from it, and never twice.

use ferro_llm::{ChatMessage, ChatRequest, ChatResponse, Part, Role, StopReason, ToolChoice, ToolSpec};
use serde_json::{Value, json};

use super::{ask, said};

fn tool(name: &str, description: &str, properties: Value, required: &[&str]) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: description.to_owned(),
        schema: json!({"type": "object", "properties": properties, "required": required}),
    }
}

fn toolbox() -> Vec<ToolSpec> {
    vec![
        tool(
            "evaluate_expression",
            "Perform basic arithmetic operations on a given expression.",
            json!({"expression": {"type": "string"}}),
            &["expression"],
        ),
        tool(
            "get_current_date",
            "Returns the current date and time in the selected timezone.",
            json!({"timezone": {"type": "string", "default": "UTC"}}),
            &[],
        ),
        tool(
            "fetch_content",
            "Fetch the content of web pages.",
            json!({"urls": {"type": "array", "items": {"type": "string"}}}),
            &["urls"],
        ),
        tool(
            "perform_search",
            "Search the web for a query.",
            json!({"query": {"type": "string"}, "max_results": {"type": "integer", "default": 5}}),
            &["query"],
        ),
        tool(
            "send_invoice",
            "Bills somebody.",
            json!({"recipient": {"type": "string"}, "amount": {"type": "number"}}),
            &["recipient", "amount"],
        ),
    ]
}

fn request(text: &str) -> ChatRequest {
    ChatRequest {
        tools: toolbox(),
        ..ChatRequest::new(vec![ChatMessage::user(text)])
    }
}

fn calls(answer: &ChatResponse) -> Vec<(String, Value)> {
    let each = answer.tool_calls.iter();
    each.map(|call| (call.name.clone(), serde_json::from_str(&call.arguments).unwrap()))
        .collect()
}

/// The conversation with the answer and the results of its calls.
fn answered(mut request: ChatRequest, answer: &ChatResponse, results: &[&str]) -> ChatRequest {
    request.messages.push(answer.to_message());
    let parts = answer
        .tool_calls
        .iter()
        .zip(results)
        .map(|(call, content)| Part::ToolResult {
            id: call.id.clone(),
            name: call.name.clone(),
            content: (*content).to_owned(),
            is_error: content.starts_with("Error"),
        });
    request.messages.push(ChatMessage {
        role: Role::Tool,
        parts: parts.collect(),
    });
    request
}

#[tokio::test]
async fn each_tool_is_called_for_what_it_is_for() {
    for (text, name, arguments) in [
        (
            "What is 12 * (3 + 4)?",
            "evaluate_expression",
            json!({"expression": "12 * (3 + 4)"}),
        ),
        ("What day is it today?", "get_current_date", json!({})),
        (
            "What time is it in Europe/Berlin?",
            "get_current_date",
            json!({"timezone": "Europe/Berlin"}),
        ),
        (
            "Read https://a.example/x and https://b.example.",
            "fetch_content",
            json!({"urls": ["https://a.example/x", "https://b.example"]}),
        ),
        (
            "Search the web for \"rust agents\"",
            "perform_search",
            json!({"query": "rust agents"}),
        ),
        (
            "Please search for the history of iron",
            "perform_search",
            json!({"query": "history of iron"}),
        ),
        (
            "Use send_invoice for ada@example.org, amount 12.5",
            "send_invoice",
            json!({"recipient": "ada@example.org", "amount": 12.5}),
        ),
    ] {
        let answer = ask(request(text)).await;
        assert_eq!(calls(&answer), [(name.to_owned(), arguments)], "{text}");
        assert_eq!(answer.stop, Some(StopReason::ToolCalls), "{text}");
        assert_eq!(answer.tool_calls[0].id, "call_0");
        assert!(answer.text.is_empty());
    }
}

#[tokio::test]
async fn small_talk_calls_nothing() {
    for text in [
        "Hello!",
        "Tell me a story about a dragon",
        "What is 2 + 2? Do it without tools.",
    ] {
        let answer = ask(request(text)).await;
        assert!(calls(&answer).is_empty(), "{text}: {:?}", answer.tool_calls);
        said(answer);
    }
    let none = ask(ChatRequest {
        tool_choice: ToolChoice::None,
        ..request("What is 2 + 2?")
    })
    .await;
    assert!(none.tool_calls.is_empty());
}

#[tokio::test]
async fn a_result_is_quoted_and_nothing_is_called_twice() {
    let request = request("What is 6 * 7?");
    let call = ask(request.clone()).await;
    let next = answered(request, &call, &["42"]);
    let answer = ask(next.clone()).await;
    assert!(answer.tool_calls.is_empty());
    let text = said(answer);
    assert!(text.contains("`evaluate_expression` answered: “42”"), "{text}");
    // The question asked again is a new turn.
    let mut again = next;
    again.messages.push(ChatMessage::assistant("42"));
    again
        .messages
        .push(ChatMessage::user("And 6 * 7 once more: what is 6 * 7?"));
    assert_eq!(ask(again).await.tool_calls.len(), 1);
}

#[tokio::test]
async fn a_failure_is_told_and_not_tried_again() {
    let request = request("What is 6 / 0?");
    let call = ask(request.clone()).await;
    let answer = ask(answered(request, &call, &["Error: division by zero"])).await;
    assert!(answer.tool_calls.is_empty());
    assert!(said(answer).contains("failed: Error: division by zero"));
}

#[tokio::test]
async fn several_tools_are_called_at_once_or_one_after_the_other() {
    let text = "What is 2 + 2, and what day is it today?";
    let both = ask(request(text)).await;
    let names: Vec<&str> = both.tool_calls.iter().map(|call| call.name.as_str()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names.contains(&"evaluate_expression") && names.contains(&"get_current_date"));
    assert_ne!(both.tool_calls[0].id, both.tool_calls[1].id);

    let one = ChatRequest {
        parallel_tools: Some(false),
        ..request(text)
    };
    let first = ask(one.clone()).await;
    assert_eq!(first.tool_calls.len(), 1);
    let two = answered(one, &first, &["first"]);
    let second = ask(two.clone()).await;
    assert_eq!(second.tool_calls.len(), 1);
    assert_ne!(first.tool_calls[0].name, second.tool_calls[0].name);
    let last = ask(answered(two, &second, &["second"])).await;
    assert!(last.tool_calls.is_empty());
    let text = said(last);
    assert!(text.contains("“first”") && text.contains("“second”"), "{text}");
}

#[tokio::test]
async fn a_choice_of_tools_is_kept_to() {
    let named = ChatRequest {
        tool_choice: ToolChoice::Named("send_invoice".to_owned()),
        ..request("Hello")
    };
    let answer = ask(named.clone()).await;
    assert_eq!(
        calls(&answer),
        [("send_invoice".to_owned(), json!({"recipient": "", "amount": 0}))]
    );
    assert!(ask(answered(named, &answer, &["ok"])).await.tool_calls.is_empty());
    let required = ChatRequest {
        tool_choice: ToolChoice::Required,
        ..request("Hello")
    };
    assert_eq!(ask(required).await.tool_calls.len(), 1);
    let unknown = ChatRequest {
        tool_choice: ToolChoice::Named("nobody".to_owned()),
        ..request("Hello")
    };
    assert!(ask(unknown).await.tool_calls.is_empty());
}

#[tokio::test]
async fn without_its_arguments_a_tool_is_not_called() {
    // A word of the description is not enough, and nobody said what to bill.
    let answer = ask(request("Was somebody billed by the invoice department?")).await;
    assert!(answer.tool_calls.is_empty(), "{:?}", answer.tool_calls);
}
