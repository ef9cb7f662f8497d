//! Conversations in which tools answer what a test wants: mistakes, and what is made of them.

use std::sync::Arc;
use std::time::Duration;

use ferro_llm::{ChatMessage, ChatModel, ChatRequest, Part, Role, ToolSpec, collect};
use serde_json::{Value as Json, json};

use crate::fake::Script;
use crate::prompts;

const MODELS: &str = "[Available language models (…):\n- OpenAI: gpt-5.4\nUse by default: OpenAI / gpt-5.4\n[End of available language models]";

/// Plays the tools until there is an answer. What was called, and what was said.
async fn talk(
    messages: Vec<ChatMessage>,
    tools: impl Fn(&str, &Json) -> Result<Json, String>,
) -> (Vec<(String, Json)>, String) {
    let model: Arc<dyn ChatModel> = crate::rehearsal::rehearsal(Script::new([]), Some(Duration::ZERO));
    let names = [
        "search_components",
        "describe_component",
        "build_flow",
        "configure_component",
        "list_templates",
    ];
    let spec = |name: &&str| ToolSpec {
        name: (*name).to_owned(),
        description: String::new(),
        schema: json!({"type": "object"}),
    };
    let mut request = ChatRequest::new(messages);
    request.tools = names.iter().map(spec).collect();
    let mut made = Vec::new();
    for _ in 0..20 {
        let answer = collect(model.stream(request.clone())).await.unwrap();
        if answer.tool_calls.is_empty() {
            return (made, answer.text);
        }
        request.messages.push(answer.to_message());
        let mut parts = Vec::new();
        for call in &answer.tool_calls {
            let arguments: Json = serde_json::from_str(&call.arguments).unwrap();
            let (content, is_error) = match tools(&call.name, &arguments) {
                Ok(json) => (json.to_string(), false),
                Err(error) => (error, true),
            };
            parts.push(Part::ToolResult {
                id: call.id.clone(),
                name: call.name.clone(),
                content,
                is_error,
            });
            made.push((call.name.clone(), arguments));
        }
        request.messages.push(ChatMessage {
            role: Role::Tool,
            parts,
        });
    }
    panic!("it never came to an end: {made:?}")
}

fn asked(text: &str) -> Vec<ChatMessage> {
    vec![
        ChatMessage::system(prompts::BUILDER),
        ChatMessage::user(format!("{MODELS}\n\n{text}")),
    ]
}

/// Everything takes and gives text.
fn registry(name: &str, arguments: &Json) -> Option<Json> {
    let known = [
        ("ChatInput", "Chat Input"),
        ("ChatOutput", "Chat Output"),
        ("Agent", "Agent"),
        ("ParserComponent", "Parser"),
    ];
    match name {
        "search_components" => {
            let results: Vec<Json> = known
                .iter()
                .map(|(kind, name)| json!({"type": kind, "display_name": name}))
                .collect();
            Some(json!({"results": results}))
        }
        "describe_component" => Some(json!({
            "type": arguments["component_type"],
            "inputs": [{"name": "input_value", "input_types": ["Message"]}],
            "outputs": [{"name": "out", "types": ["Message"]}],
        })),
        _ => None,
    }
}

#[tokio::test]
async fn a_wire_that_is_refused_gets_a_parser() {
    let (made, text) = talk(asked("build a simple chatbot"), |name, arguments| {
        if let Some(known) = registry(name, arguments) {
            return Ok(known);
        }
        let spec = arguments["spec"].as_str().unwrap();
        if spec.contains("ParserComponent") {
            Ok(json!({"node_count": 4}))
        } else {
            Err("Failed to connect ChatInput.out -> Agent.input_value: insert `ParserComponent`.".to_owned())
        }
    })
    .await;
    let last = made.last().unwrap().1["spec"].as_str().unwrap().to_owned();
    assert!(
        last.contains("ChatInput.out -> ParserComponent.input_value"),
        "{last}"
    );
    assert!(
        last.contains("ParserComponent.out -> Agent.input_value"),
        "{last}"
    );
    assert!(text.contains("Built"), "{text}");
}

#[tokio::test]
async fn the_same_mistake_twice_is_the_end() {
    let (made, text) = talk(asked("crie um chatbot simples"), |name, arguments| {
        registry(name, arguments)
            .ok_or_else(|| "Failed to connect ChatInput.out -> Agent.input_value: no.".to_owned())
    })
    .await;
    assert_eq!(made.iter().filter(|(name, _)| name == "build_flow").count(), 2);
    assert!(text.contains("Isso não funcionou"), "{text}");
}

#[tokio::test]
async fn types_come_only_from_what_tools_found() {
    let (made, text) = talk(asked("build a simple chatbot"), |_, _| {
        Ok(json!({"results": [], "count": 0}))
    })
    .await;
    assert!(
        made.iter().all(|(name, _)| name == "search_components"),
        "{made:?}"
    );
    assert!(text.contains("cannot build that"), "{text}");
}

#[tokio::test]
async fn a_model_that_is_missing_is_set_in_a_fix_turn() {
    let built = ferro_llm::ToolCall {
        id: "call_0".to_owned(),
        name: "build_flow".to_owned(),
        arguments: "{}".to_owned(),
        signature: None,
    };
    let fixing = |findings: &str| {
        let mut messages = asked("build a simple chatbot");
        messages.push(ChatMessage {
            role: Role::Assistant,
            parts: vec![Part::ToolCall(built.clone())],
        });
        messages.push(ChatMessage {
            role: Role::Tool,
            parts: vec![Part::ToolResult {
                id: "call_0".to_owned(),
                name: "build_flow".to_owned(),
                content: json!({"node_id_map": {"Agent": "Agent-x1y2z"}}).to_string(),
                is_error: false,
            }],
        });
        messages.push(ChatMessage::assistant("Built."));
        messages.push(ChatMessage::user(prompts::fix(findings, 1, 3)));
        messages
    };
    let (made, text) = talk(fixing("Agent-x1y2z: No model selected."), |_, _| {
        Ok(json!({"configured": ["model"]}))
    })
    .await;
    assert_eq!(made.len(), 1);
    assert_eq!(made[0].1["component_id"], "Agent-x1y2z");
    assert_eq!(made[0].1["params"]["model"][0]["name"], "gpt-5.4");
    assert!(text.contains("Set the model"), "{text}");
    let (made, text) = talk(fixing("Agent-x1y2z: the moon is full."), |_, _| Ok(Json::Null)).await;
    assert!(made.is_empty());
    assert!(text.contains("no rule to mend this"), "{text}");
}

#[tokio::test]
async fn an_urge_gets_the_same_answer_without_more_calls() {
    let mut messages = asked("build a simple chatbot");
    messages.push(ChatMessage::assistant("There is nothing I can do."));
    messages.push(ChatMessage::user(prompts::act_now("build a simple chatbot")));
    let (made, text) = talk(messages, |_, _| Ok(Json::Null)).await;
    assert!(made.is_empty());
    assert_eq!(text, "There is nothing I can do.");
}

proptest::proptest! {
    /// Whatever stands in a request, quoted or not, there is an answer.
    #[test]
    fn every_request_has_an_answer(pieces in proptest::collection::vec(piece(), 0..8)) {
        let text = pieces.concat();
        let tools = ["search_components", "describe_component", "build_flow", "add_component", "run_flow", "write_file"];
        let spec = |name: &str| ToolSpec { name: name.to_owned(), description: String::new(), schema: json!({}) };
        for prompt in [prompts::CLASSIFIER, prompts::GENERATOR, prompts::BUILDER, prompts::READER] {
            let mut request = ChatRequest::new(vec![ChatMessage::system(prompt), ChatMessage::user(text.as_str())]);
            request.tools = tools.into_iter().map(spec).collect();
            let part = crate::rehearsal::part(&request).unwrap();
            match crate::rehearsal::next(&request, part) {
                crate::rehearsal::Next::Say(text) => proptest::prop_assert!(!text.is_empty()),
                crate::rehearsal::Next::Call(calls) => proptest::prop_assert!(!calls.is_empty()),
            }
        }
    }
}

/// Markers of ours, words that rules look for, and anything at all.
fn piece() -> impl proptest::strategy::Strategy<Value = String> {
    use proptest::strategy::Strategy as _;
    let known = [
        "[Canvas reference (…):\ncomponents:\n  Agent-1: Agent\nconnections:\n  a.b -> c.d\n",
        "[End of canvas reference]",
        "[Previous plan you proposed (é):",
        "**Plan: ã**\n1. x (`y`)\n",
        "[End of previous plan]\n\nUser refinement:\n",
        "[Headless run: x",
        "[End of ",
        "The request was:\n\n",
        "crie um componente chamado \"ç\" que ",
        "build a chatbot ",
        "replace 'Agent-1.x' with ",
        "connect Agent to ",
        "adicione É entre à e ",
        "“",
        "https://é.example",
        ".md ",
    ];
    proptest::prop_oneof![
        proptest::sample::select(known.to_vec()).prop_map(str::to_owned),
        "\\PC{0,20}".prop_map(|text| text),
    ]
}
