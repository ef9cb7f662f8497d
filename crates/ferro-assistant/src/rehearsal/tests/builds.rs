//! Flows that are built, planned, taken from templates and run.

use super::play;
use crate::{EDIT_CONTINUATION_INPUT, FlowUpdate, PLAN_APPROVAL_INPUT};

#[tokio::test]
async fn a_chatbot_in_both_languages() {
    for (text, word) in [
        ("build a simple chatbot", "Built"),
        ("Crie um chatbot simples", "montado"),
    ] {
        let played = play().ask(text).await;
        assert!(
            played.completed.result.contains(word),
            "{}",
            played.completed.result
        );
        assert!(played.completed.result.starts_with(ferro_llm::rehearsal::LABEL));
        assert_eq!(played.completed.has_flow, Some(true), "{text}");
        assert_eq!(
            played.completed.verified,
            Some(true),
            "{:?}",
            played.completed.verification_caveat
        );
        let spec = played.spec();
        for line in [
            "Chat_Input: ChatInput",
            "Chat_Input.message -> Agent.input_value",
            "Agent.response -> Chat_Output.input_value",
            r#"Agent.model: [{"provider":"OpenAI","name":"gpt-5.4"}]"#,
        ] {
            assert!(spec.contains(line), "{line}\n{spec}");
        }
        assert_eq!(played.names().first(), Some(&"search_components"));
        assert!(played.updates().iter().any(|update| matches!(
            update,
            FlowUpdate::SetFlow {
                auto_apply: false,
                ..
            }
        )));
    }
}

#[tokio::test]
async fn what_a_request_names_is_in_the_flow() {
    for (text, lines) in [
        (
            "build an agent with calculator and web search tools",
            &[
                "Calculator.component_as_tool -> Agent.tools",
                "Web_Search.component_as_tool -> Agent.tools",
            ][..],
        ),
        (
            "crie um agente com calculadora e busca na web",
            &[
                "Calculator.component_as_tool -> Agent.tools",
                "Web_Search.component_as_tool -> Agent.tools",
            ],
        ),
        (
            "build a chatbot with memory",
            &["Message_History.messages_text -> Language_Model.system_message"],
        ),
        (
            "monte um chatbot com memória",
            &["Message_History.messages_text -> Language_Model.system_message"],
        ),
        (
            "build a flow that summarises https://example.com/page",
            &[
                "Chat_Input.message -> URL.urls",
                "Language_Model.system_message: Summarise",
                "Chat_Input.input_value: https://example.com/page",
            ],
        ),
        (
            "crie um fluxo que resume uma página web",
            &["URL.", "Language_Model.system_message: Resuma"],
        ),
        (
            "build a chatbot that answers like a pirate",
            &["Agent.system_prompt: Answer in the way a pirate speaks."],
        ),
        (
            "build a chatbot with gpt-4o-mini",
            &[r#"Agent.model: [{"provider":"OpenAI","name":"gpt-4o-mini"}]"#],
        ),
        (
            "build a RAG flow to ask my documents",
            &["Read_File.message -> Language_Model.system_message"],
        ),
        (
            "build a flow with a prompt template and a language model",
            &["Prompt_Template.prompt -> Language_Model.system_message"],
        ),
    ] {
        let played = play().ask(text).await;
        let spec = played.spec();
        for line in lines {
            assert!(spec.contains(line), "{text}: {line}\n{spec}");
        }
        assert_eq!(
            played.completed.has_flow,
            Some(true),
            "{text}: {}",
            played.completed.result
        );
    }
}

#[tokio::test]
async fn what_is_missing_is_said() {
    let played = play().ask("build a RAG flow to ask my documents").await;
    assert!(
        played
            .completed
            .result
            .contains("no component for \"vector store\""),
        "{}",
        played.completed.result
    );
}

#[tokio::test]
async fn a_table_becomes_text_on_its_way_to_a_model() {
    let played = play()
        .ask("build a flow with web search and a language model")
        .await;
    let spec = played.spec();
    assert!(spec.contains("Web_Search.results -> Parser.input_data"), "{spec}");
    assert!(
        spec.contains("Parser.parsed_text -> Language_Model.input_value"),
        "{spec}"
    );
}

#[tokio::test]
async fn a_template_that_fits_is_taken() {
    for text in ["use the basic prompting template", "build a basic prompting flow"] {
        let played = play().ask(text).await;
        assert_eq!(
            played.argument("use_template", "template_name"),
            "Basic Prompting",
            "{text}"
        );
    }
    let played = play().ask("use the template for accounting").await;
    assert!(
        played.completed.result.contains("There are: Basic Prompting"),
        "{}",
        played.completed.result
    );
}

#[tokio::test]
async fn build_and_run_in_one_request() {
    for text in [
        "build a simple chatbot and run it",
        "crie um chatbot simples e rode o fluxo",
    ] {
        let play = play();
        play.world.next_run(Ok("Forty-two."));
        let played = play.ask(text).await;
        assert_eq!(played.names().last(), Some(&"run_flow"), "{text}");
        assert!(
            played.completed.result.contains("Forty-two."),
            "{}",
            played.completed.result
        );
        assert!(
            played.completed.result.contains("120 tokens"),
            "{}",
            played.completed.result
        );
        assert!(
            played
                .updates()
                .iter()
                .any(|update| matches!(update, FlowUpdate::SetFlow { auto_apply: true, .. }))
        );
    }
}

#[tokio::test]
async fn the_flow_on_the_canvas_is_run() {
    for text in [
        "run it",
        "execute o fluxo",
        "run the flow with the question \"Who are you?\"",
    ] {
        let play = play().on_chatbot();
        play.world.next_run(Ok("I am kind."));
        let played = play.ask(text).await;
        assert_eq!(played.names(), ["run_flow"], "{text}");
        assert!(played.completed.result.contains("I am kind."));
        assert!(played.completed.run_metrics.is_some());
        let input = play.world.ran.lock().unwrap()[0].1.clone();
        let said = if text.contains("Who") {
            "Who are you?"
        } else {
            "Hello"
        };
        assert_eq!(input.as_deref(), Some(said));
    }
}

#[tokio::test]
async fn a_run_that_fails_is_told_and_not_repeated() {
    let play = play().on_chatbot();
    play.world.next_run(Err("no key for OpenAI"));
    let played = play.ask("run it").await;
    assert!(
        !played.completed.result.contains("Mend what"),
        "{}",
        played.completed.result
    );
    assert!(
        played.completed.result.contains("no key for OpenAI"),
        "{}",
        played.completed.result
    );
    assert_eq!(play.world.times_run(), 1);
}

#[tokio::test]
async fn a_component_and_a_flow_with_it() {
    for text in [
        "Create a component that reverses text, build a flow that uses it, and run it",
        "crie um componente que inverte texto, monte um fluxo com ele e rode o fluxo",
    ] {
        let play = play();
        let played = play.ask(text).await;
        assert_eq!(played.completed.intent.as_deref(), Some("component_then_flow"));
        assert_eq!(played.names().first(), Some(&"generate_component"), "{text}");
        assert!(
            played.spec().contains("ReverseText: ReverseText"),
            "{}",
            played.spec()
        );
        assert!(
            played.spec().contains("Chat_Input.message -> ReverseText.value"),
            "{}",
            played.spec()
        );
        assert_eq!(played.names().last(), Some(&"run_flow"), "{text}");
    }
}

#[tokio::test]
async fn a_component_that_cannot_be_written_ends_it_honestly() {
    let played = play()
        .ask("Create a component that reads minds and build a flow with it")
        .await;
    assert_eq!(played.names(), ["generate_component"]);
    assert!(
        played.completed.result.contains("did not work"),
        "{}",
        played.completed.result
    );
}

#[tokio::test]
async fn something_large_is_planned_first_and_built_when_approved() {
    for (text, line) in [
        (
            "build me a scraper with an agent",
            "URL.component_as_tool -> Agent.tools",
        ),
        (
            "Construa um sistema de suporte ao cliente",
            "Agent.system_prompt: Você é o assistente deste fluxo: sistema de suporte ao cliente.",
        ),
    ] {
        let proposed = play().ask(text).await;
        assert_eq!(proposed.names().last(), Some(&"propose_plan"), "{text}");
        let plan = proposed.argument("propose_plan", "plan");
        assert!(plan.as_str().unwrap().contains("2. Agent"), "{plan}");
        assert!(!proposed.names().contains(&"build_flow"));
        let built = play()
            .after(text, &proposed.remembered)
            .ask(PLAN_APPROVAL_INPUT)
            .await;
        assert!(built.spec().contains(line), "{}", built.spec());
        assert!(built.spec().contains("Agent.system_prompt: "), "{}", built.spec());
    }
}

#[tokio::test]
async fn a_refined_plan_is_a_new_plan() {
    let proposed = play().ask("build me a scraper with an agent").await;
    let plan = proposed.argument("propose_plan", "plan");
    let plan = plan.as_str().unwrap();
    for (refinement, wanted) in [
        ("add a calculator too", "tool: Calculator"),
        ("use gpt-4o-mini", "model: OpenAI / gpt-4o-mini"),
        ("it should be polite", "You should be polite."),
    ] {
        let input = format!(
            "[Previous plan you proposed (the user dismissed and is now refining):\n{plan}\n[End of previous plan]\n\nUser \
             refinement:\n{refinement}"
        );
        let played = play().ask(&input).await;
        assert_eq!(played.names().last(), Some(&"propose_plan"));
        let new = played.argument("propose_plan", "plan");
        assert!(new.as_str().unwrap().contains(wanted), "{refinement}: {new}");
    }
    let input = format!(
        "[Previous plan you proposed (…):\n{plan}\n[End of previous plan]\n\nUser refinement:\nwithout the web page tool"
    );
    let played = play().ask(&input).await;
    let new = played.argument("propose_plan", "plan");
    assert!(!new.as_str().unwrap().contains("tool: "), "{new}");
}

#[tokio::test]
async fn without_the_plan_an_approval_builds_nothing() {
    let played = play().ask(PLAN_APPROVAL_INPUT).await;
    assert!(played.calls.is_empty());
    assert!(
        played.completed.result.contains("do not find the plan"),
        "{}",
        played.completed.result
    );
}

#[tokio::test]
async fn a_continuation_does_what_was_left_over() {
    let play = play()
        .on_chatbot()
        .after("make it answer like a pirate and run the flow", "Proposed …");
    let played = play.ask(EDIT_CONTINUATION_INPUT).await;
    assert_eq!(played.names(), ["run_flow"]);
    let play = super::play()
        .on_chatbot()
        .after("mude o prompt do sistema para Seja breve", "Propus …");
    let played = play.ask(EDIT_CONTINUATION_INPUT).await;
    assert!(played.calls.is_empty());
    assert!(
        played.completed.result.contains("As edições estão no quadro"),
        "{}",
        played.completed.result
    );
}

#[tokio::test]
async fn nobody_there_means_no_plan() {
    let mut play = play();
    play.headless = true;
    let played = play.ask("build a customer support system").await;
    assert!(!played.names().contains(&"propose_plan"));
    assert!(played.names().contains(&"build_flow"), "{:?}", played.names());
}

#[tokio::test]
async fn a_flow_that_does_not_pass_is_not_mended_forever() {
    let play = play();
    for _ in 0..4 {
        play.world.next_run(Err("TypeError: something odd"));
    }
    let played = play.ask("build a simple chatbot").await;
    assert_eq!(played.completed.verified, Some(false));
    assert_eq!(
        played
            .names()
            .iter()
            .filter(|name| **name == "build_flow")
            .count(),
        1
    );
    assert!(played.completed.verification_caveat.is_some());
}
