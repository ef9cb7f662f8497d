//! Questions and files.

use super::play;

#[tokio::test]
async fn greetings_get_a_greeting() {
    for (text, word) in [
        ("Hello!", "Hello!"),
        ("Bom dia", "Olá!"),
        ("thanks", "welcome"),
        ("obrigado", "De nada"),
    ] {
        let played = play().ask(text).await;
        assert_eq!(played.completed.intent.as_deref(), Some("question"));
        assert!(
            played.completed.result.contains(word),
            "{text}: {}",
            played.completed.result
        );
        assert!(played.calls.is_empty());
    }
}

#[tokio::test]
async fn what_is_foreign_is_refused() {
    for text in [
        "How do I automate this in n8n?",
        "Qual a receita de bolo de cenoura?",
    ] {
        let played = play().ask(text).await;
        assert_eq!(played.completed.intent.as_deref(), Some("off_topic"), "{text}");
    }
}

#[tokio::test]
async fn the_flow_is_explained_from_its_wires() {
    for (text, word) in [
        ("explain this flow", "hands on to"),
        ("Explique o fluxo", "passa para"),
    ] {
        let played = play().on_chatbot().ask(text).await;
        assert_eq!(played.names(), ["describe_flow_io"], "{text}");
        let result = &played.completed.result;
        assert!(
            result.contains(&format!(
                "ChatInput (`ChatInput-00001`) {word} Agent (`Agent-00002`)"
            )),
            "{result}"
        );
    }
    let played = play().ask("explain this flow").await;
    assert!(
        played.completed.result.contains("canvas is empty"),
        "{}",
        played.completed.result
    );
}

#[tokio::test]
async fn questions_about_the_product_are_answered_from_the_docs_with_a_source() {
    let played = play().ask("How do I write a Python component?").await;
    let result = &played.completed.result;
    assert!(result.contains("Source: "), "{result}");
    assert!(!played.completed.sources.is_empty());
}

#[tokio::test]
async fn a_value_that_is_mentioned_is_read() {
    let played = play()
        .on_chatbot()
        .ask("What is 'Agent-00002.system_prompt'?")
        .await;
    assert_eq!(played.names(), ["get_field_value"]);
    assert!(
        played.completed.result.contains("You are kind."),
        "{}",
        played.completed.result
    );
}

#[tokio::test]
async fn models_and_the_conversation_are_known() {
    let played = play().ask("which models can I use?").await;
    assert!(
        played.completed.result.contains("OpenAI: gpt-5.4, gpt-4o-mini"),
        "{}",
        played.completed.result
    );
    let played = play()
        .after("build a chatbot", "Built.")
        .ask("what did I ask before?")
        .await;
    assert!(
        played.completed.result.contains("\"build a chatbot\""),
        "{}",
        played.completed.result
    );
}

#[tokio::test]
async fn the_flow_is_documented_in_a_file() {
    for (text, heading) in [
        ("create a markdown file documenting this flow", "## Components"),
        (
            "documente este fluxo em um arquivo docs/fluxo.md",
            "## Componentes",
        ),
    ] {
        let play = play().on_chatbot();
        let played = play.ask(text).await;
        let path = played.argument("write_file", "path");
        let content = std::fs::read_to_string(play.world.dir.path().join(path.as_str().unwrap())).unwrap();
        assert!(content.contains(heading), "{content}");
        assert!(
            content.contains("`ChatInput-00001.message` → `Agent-00002.input_value`"),
            "{content}"
        );
        assert_eq!(played.completed.intent.as_deref(), Some("manage_files"));
    }
}

#[tokio::test]
async fn files_are_written_read_searched_listed_and_changed() {
    let play = play();
    let file = play.world.dir.path().join("notes.md");
    play.ask("write a file notes.md that says \"Buy milk\"").await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "Buy milk\n");
    let played = play.ask("read notes.md").await;
    assert!(
        played.completed.result.contains("Buy milk"),
        "{}",
        played.completed.result
    );
    let played = play.ask("what's in notes.md?").await;
    assert_eq!(played.names(), ["read_file"]);
    let played = play.ask("leia o arquivo notes.md").await;
    assert!(
        played.completed.result.contains("Buy milk"),
        "{}",
        played.completed.result
    );
    let played = play.ask("which files do I have?").await;
    assert!(
        played.completed.result.contains("`notes.md`"),
        "{}",
        played.completed.result
    );
    let played = play.ask("search my files for milk").await;
    assert_eq!(played.names(), ["grep_search"]);
    assert!(
        played.completed.result.contains("Buy milk"),
        "{}",
        played.completed.result
    );
    let played = play.ask("replace milk with bread in notes.md").await;
    assert_eq!(played.names(), ["read_file", "edit_file"]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "Buy bread\n");
}

#[tokio::test]
async fn what_no_rule_knows_is_said() {
    let played = play().ask("the purple elephant sings").await;
    assert!(
        played.completed.result.contains("I follow rules"),
        "{}",
        played.completed.result
    );
    let played = play().ask("write a report about whales").await;
    assert!(
        played.completed.result.contains("cannot make up a text"),
        "{}",
        played.completed.result
    );
}
