//! What a turn costs in words of ours.

use ferro_llm::{ChatRequest, Part};
use ferro_model::FlowData;

use crate::fake::{Script, World, all, calls, completed, flow_of, intent, says};

/// Ten chatbots side by side, each with a prompt and a parser.
fn fifty_nodes() -> FlowData {
    let mut spec = String::from("nodes:\n");
    for number in 0..10 {
        for (letter, kind) in [
            ("A", "ChatInput"),
            ("B", "Agent"),
            ("C", "ChatOutput"),
            ("D", "Prompt Template"),
            ("E", "URLComponent"),
        ] {
            spec.push_str(&format!("  {letter}{number}: {kind}\n"));
        }
    }
    spec.push_str("edges:\n");
    for number in 0..10 {
        spec.push_str(&format!(
            "  A{number}.message -> B{number}.input_value\n  B{number}.response -> C{number}.input_value\n"
        ));
    }
    spec.push_str("config:\n");
    for number in 0..10 {
        let words = "Answer kindly and at length, and say where you know it from. ".repeat(20);
        spec.push_str(&format!("  B{number}.system_prompt: {words}\n"));
    }
    flow_of(&spec)
}

/// Four characters are about a token.
fn tokens(request: &ChatRequest) -> usize {
    let parts = request.messages.iter().flat_map(|message| &message.parts);
    let said: usize = parts
        .map(|part| match part {
            Part::Text(text) => text.len(),
            Part::ToolCall(call) => call.name.len() + call.arguments.len(),
            Part::ToolResult { content, .. } => content.len(),
            _ => 0,
        })
        .sum();
    let tools = serde_json::to_string(&request.tools).unwrap();
    (said + tools.len()) / 4
}

#[tokio::test]
async fn a_turn_on_fifty_nodes_stays_small() {
    let flow = fifty_nodes();
    let agent = ferro_model::read(&flow)
        .nodes
        .iter()
        .find(|node| node.r#type == "Agent")
        .unwrap()
        .id
        .to_string();
    let script = Script::new([
        intent("build_flow"),
        calls(&[
            ("search_components", r#"{"query":"parser"}"#),
            ("describe_component", r#"{"component_type":"Agent"}"#),
        ]),
        calls(&[
            ("describe_flow_io", "{}"),
            ("get_field_value", &format!(r#"{{"component_id":"{agent}"}}"#)),
        ]),
        calls(&[("add_component", r#"{"component_type":"ParserComponent"}"#)]),
        says("Added a parser."),
    ]);
    let (outcome, _) =
        all(World::new().turn_on(flow, script.choice(), "Add a parser to the first chatbot")).await;
    assert_eq!(completed(&outcome).changes.len(), 1);
    let sizes: Vec<usize> = script.requests().iter().map(tokens).collect();
    // Each request of the loop begins with the one before: the last one holds all that was ever sent.
    let all = sizes[0] + sizes.last().unwrap();
    assert!(all < 8000, "{sizes:?}");
}
