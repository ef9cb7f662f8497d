//! Changes of a canvas.

use super::play;
use crate::FlowUpdate;

#[tokio::test]
async fn one_change_each_in_both_languages() {
    let table = [
        (
            "connect ChatInput to ChatOutput",
            r#"connect_components {"source_id":"ChatInput-00001","source_output":"message","target_id":"ChatOutput-00003","target_input":"input_value"}"#,
        ),
        (
            "conecte a entrada de chat à saída de chat",
            r#"connect_components {"source_id":"ChatInput-00001","source_output":"message","target_id":"ChatOutput-00003","target_input":"input_value"}"#,
        ),
        (
            "disconnect the chat input from the agent",
            r#"disconnect_components {"source_id":"ChatInput-00001","target_id":"Agent-00002"}"#,
        ),
        (
            "desconecte a entrada de chat do agente",
            r#"disconnect_components {"source_id":"ChatInput-00001","target_id":"Agent-00002"}"#,
        ),
        (
            "remove the connection between the chat input and the agent",
            r#"disconnect_components {"source_id":"ChatInput-00001","target_id":"Agent-00002"}"#,
        ),
        (
            "tell the agent to be brief",
            r#"propose_field_edit {"component_id":"Agent-00002","field_name":"system_prompt","new_value":"You are kind.\nBe brief."}"#,
        ),
        (
            "o agente deve responder em espanhol",
            r#"propose_field_edit {"component_id":"Agent-00002","field_name":"system_prompt","new_value":"You are kind.\nVocê deve responder em espanhol."}"#,
        ),
        (
            "rename the agent to Helper",
            r#"rename_component {"component_id":"Agent-00002","name":"Helper"}"#,
        ),
        (
            "Renomeie o agente para Ajudante",
            r#"rename_component {"component_id":"Agent-00002","name":"Ajudante"}"#,
        ),
        (
            "rename 'Agent-00002' to \"Big Helper\"",
            r#"rename_component {"component_id":"Agent-00002","name":"Big Helper"}"#,
        ),
        (
            "remove the agent",
            r#"remove_component {"component_id":"Agent-00002"}"#,
        ),
        (
            "remova a saída de chat",
            r#"remove_component {"component_id":"ChatOutput-00003"}"#,
        ),
        (
            "change the model to gpt-4o-mini",
            r#"configure_component {"component_id":"Agent-00002","params":{"model":[{"provider":"OpenAI","name":"gpt-4o-mini"}]}}"#,
        ),
        (
            "troque o modelo para gpt-4o-mini",
            r#"configure_component {"component_id":"Agent-00002","params":{"model":[{"provider":"OpenAI","name":"gpt-4o-mini"}]}}"#,
        ),
        (
            "use gpt-4o-mini",
            r#"configure_component {"component_id":"Agent-00002","params":{"model":[{"provider":"OpenAI","name":"gpt-4o-mini"}]}}"#,
        ),
        (
            "set the system prompt to You are brief.",
            r#"propose_field_edit {"component_id":"Agent-00002","field_name":"system_prompt","new_value":"You are brief"}"#,
        ),
        (
            "mude o prompt do sistema para \"Seja breve.\"",
            r#"propose_field_edit {"component_id":"Agent-00002","field_name":"system_prompt","new_value":"Seja breve."}"#,
        ),
        (
            "make it answer in pirate speak",
            r#"propose_field_edit {"component_id":"Agent-00002","field_name":"system_prompt","new_value":"You are kind.\nAnswer in the way a pirate speaks."}"#,
        ),
        (
            "faça o agente responder como um pirata",
            r#"propose_field_edit {"component_id":"Agent-00002","field_name":"system_prompt","new_value":"You are kind.\nResponda como um pirata fala."}"#,
        ),
        (
            "set 'Agent-00002.system_prompt' to \"Hi\"",
            r#"propose_field_edit {"component_id":"Agent-00002","field_name":"system_prompt","new_value":"Hi"}"#,
        ),
        (
            "set the input value of the chat input to Good day",
            r#"propose_field_edit {"component_id":"ChatInput-00001","field_name":"input_value","new_value":"Good day"}"#,
        ),
    ];
    for (text, wanted) in table {
        let played = play().on_chatbot().ask(text).await;
        assert_eq!(played.deeds(), [wanted], "{text}: {}", played.completed.result);
    }
}

#[tokio::test]
async fn what_is_added_is_joined_where_it_is_plain() {
    let played = play().on_chatbot().ask("add a calculator").await;
    let deeds = played.deeds();
    assert_eq!(
        deeds[0],
        r#"add_component {"component_type":"CalculatorComponent"}"#
    );
    assert!(
        deeds[1].contains(
            r#""source_output":"component_as_tool","target_id":"Agent-00002","target_input":"tools""#
        ),
        "{deeds:?}"
    );
    assert!(
        played.completed.result.contains("Added Calculator"),
        "{}",
        played.completed.result
    );

    let played = play().on_chatbot().ask("give the agent a web search tool").await;
    assert!(
        played.deeds()[1].contains(r#""target_input":"tools""#),
        "{:?}",
        played.deeds()
    );

    let played = play().on_chatbot().ask("adicione um componente de memória").await;
    assert_eq!(played.deeds(), [r#"add_component {"component_type":"Memory"}"#]);
    assert!(
        played
            .completed
            .result
            .contains("lê a conversa por conta própria"),
        "{}",
        played.completed.result
    );

    let model = "nodes:\n  A: ChatInput\n  B: LanguageModelComponent\n  C: ChatOutput\nedges:\n  A.message -> B.input_value\n  B.text_output -> C.input_value\n";
    let played = play().on(model).ask("add a memory component").await;
    assert!(
        played.deeds()[1].contains(r#""target_input":"system_message""#),
        "{:?}",
        played.deeds()
    );

    let played = play().on_chatbot().ask("add a flux capacitor").await;
    assert!(played.deeds().is_empty());
    assert!(
        played.completed.result.contains("no component for"),
        "{}",
        played.completed.result
    );
}

#[tokio::test]
async fn between_two_others() {
    let played = play()
        .on_chatbot()
        .ask("add a prompt template between the chat input and the agent")
        .await;
    let deeds = played.deeds();
    assert_eq!(deeds[0], r#"add_component {"component_type":"Prompt Template"}"#);
    assert_eq!(
        deeds[1],
        r#"disconnect_components {"source_id":"ChatInput-00001","target_id":"Agent-00002"}"#
    );
}

#[tokio::test]
async fn a_table_reaches_text_through_a_parser() {
    let spec = "nodes:\n  A: LoopComponent\n  B: LanguageModelComponent\n  C: ChatOutput\nedges:\n  B.text_output -> C.input_value\n";
    let played = play()
        .on(spec)
        .ask("connect the loop to the language model")
        .await;
    let deeds = played.deeds();
    assert_eq!(
        deeds[0], r#"add_component {"component_type":"ParserComponent"}"#,
        "{deeds:?}"
    );
    assert!(
        deeds[1].contains(r#""source_id":"LoopComponent-00001","source_output":"item""#),
        "{deeds:?}"
    );
    assert!(deeds[2].contains(r#""source_output":"parsed_text","target_id":"LanguageModelComponent-00002","target_input":"input_value""#), "{deeds:?}");
    assert!(
        played.completed.result.contains("through ParserComponent-"),
        "{}",
        played.completed.result
    );
}

#[tokio::test]
async fn several_changes_in_one_request() {
    let played = play()
        .on_chatbot()
        .ask("rename the agent to Helper, add a calculator and change the model to gpt-4o-mini")
        .await;
    let names: Vec<String> = played
        .deeds()
        .iter()
        .map(|deed| deed.split(' ').next().unwrap().to_owned())
        .collect();
    assert_eq!(
        names,
        [
            "rename_component",
            "add_component",
            "connect_components",
            "configure_component"
        ]
    );
}

#[tokio::test]
async fn an_edit_that_is_run_is_made_at_once() {
    let played = play()
        .on_chatbot()
        .ask("set the system prompt to \"Be brief.\" and run the flow")
        .await;
    let deeds = played.deeds();
    assert_eq!(
        deeds[0],
        r#"configure_component {"component_id":"Agent-00002","params":{"system_prompt":"Be brief."}}"#
    );
    assert_eq!(deeds[1], "run_flow {}");
    assert!(
        played.completed.result.contains("The flow answered"),
        "{}",
        played.completed.result
    );
}

#[tokio::test]
async fn proposals_wait_for_the_person() {
    let played = play().on_chatbot().ask("make it answer in pirate speak").await;
    assert!(
        played
            .updates()
            .iter()
            .any(|update| matches!(update, FlowUpdate::EditField(_)))
    );
    assert!(
        played.completed.result.contains("accept it"),
        "{}",
        played.completed.result
    );
}

#[tokio::test]
async fn what_is_not_there_is_said_once() {
    for (text, words) in [
        ("remove the calculator", "no \"the calculator\" on the canvas"),
        ("remova a calculadora", "Não encontrei"),
        ("change the model to gpt-9", "no model \"gpt-9\""),
        ("use Claude instead of GPT", "no model \"Claude\""),
        ("set the colour to red", "no field"),
    ] {
        let played = play().on_chatbot().ask(text).await;
        assert!(played.deeds().is_empty(), "{text}: {:?}", played.deeds());
        assert!(
            played.completed.result.contains(words),
            "{text}: {}",
            played.completed.result
        );
        assert_eq!(played.completed.result.matches(words).count(), 1, "{text}");
    }
}

#[tokio::test]
async fn one_component_takes_the_place_of_another() {
    let spec = "nodes:\n  A: ChatInput\n  B: Agent\n  C: ChatOutput\n  D: CalculatorComponent\nedges:\n  A.message -> B.input_value\n  B.response -> C.input_value\n  D.component_as_tool -> B.tools\n";
    for text in [
        "replace the agent with a language model",
        "troque o agente por um modelo de linguagem",
    ] {
        let played = play().on(spec).ask(text).await;
        let deeds = played.deeds();
        assert_eq!(deeds.len(), 4, "{deeds:?}");
        assert_eq!(
            deeds[0],
            r#"add_component {"component_type":"LanguageModelComponent"}"#
        );
        assert_eq!(deeds[1], r#"remove_component {"component_id":"Agent-00002"}"#);
        assert!(
            deeds[2].starts_with(r#"connect_components {"source_id":"ChatInput-00001""#),
            "{deeds:?}"
        );
        assert!(
            deeds[3].contains(r#""target_id":"ChatOutput-00003""#),
            "{deeds:?}"
        );
        assert!(
            played.completed.result.contains("CalculatorComponent-00004"),
            "{}",
            played.completed.result
        );
    }
}

#[tokio::test]
async fn everything_goes_only_when_it_was_agreed_to() {
    for text in ["delete everything", "limpe o quadro"] {
        let proposed = play().on_chatbot().ask(text).await;
        assert_eq!(proposed.names(), ["propose_plan"], "{text}");
        let done = play()
            .on_chatbot()
            .after(text, &proposed.remembered)
            .ask(crate::PLAN_APPROVAL_INPUT)
            .await;
        assert_eq!(done.names(), ["remove_component"; 3], "{text}");
    }
}

#[tokio::test]
async fn no_rule_is_no_reason_to_build_anew() {
    let played = play().on_chatbot().ask("update it nicely").await;
    assert!(played.deeds().is_empty(), "{:?}", played.deeds());
}
