//! Questions newcomers ask, and where the answer is.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use ferro_model::{Descriptor, Registry};
use serde_json::{Value as Json, json};

use super::pages::listed;
use super::{LONGEST_PASSAGE, Passage, search, tool};

/// Components with the help pages they really have.
fn registry() -> Arc<Registry> {
    let parser = Descriptor::new("ParserComponent", "Parser")
        .description("Formats a table or JSON into text with a template.")
        .help(include_str!("../../../ferro-components/src/processing/parser.rs"));
    let input = Descriptor::new("ChatInput", "Chat Input")
        .description("Gets what is said in the playground or by a call.")
        .help(include_str!(
            "../../../ferro-components/src/input_output/chat_input.rs"
        ));
    let old = Descriptor {
        legacy: true,
        ..Descriptor::new("OldParser", "Parser (old)").description("Parser, parser, parser.")
    };
    Arc::new(Registry::new([parser, input, old].map(Arc::new)))
}

#[test]
fn the_answer_is_among_the_first_three() {
    let table = [
        (
            "How do I connect two components?",
            "guides/building-flows.md#wires",
            "pull a wire",
        ),
        (
            "how do I add an API key",
            "guides/models.md#set-up-a-provider",
            "OPENAI_API_KEY",
        ),
        (
            "run a flow from curl",
            "guides/running-flows.md#on-a-server",
            "curl -s $B/api/v1/run/",
        ),
        (
            "what does the Parser component do",
            "components/ParserComponent",
            "Writes JSON or a table as text",
        ),
        ("share a flow", "guides/sharing.md", "Share in the top bar"),
        (
            "How do I undo a change?",
            "guides/building-flows.md#nothing-is-lost",
            "Undo and redo",
        ),
        (
            "can an agent use tools?",
            "guides/models.md#agents-and-tools",
            "Wire tools into Tools",
        ),
        (
            "Which keyboard shortcuts are there?",
            "guides/building-flows.md#keyboard",
            "every shortcut",
        ),
        (
            "import a flow from Langflow",
            "guides/building-flows.md#begin",
            "Import",
        ),
        (
            "How can I write my own component in Python?",
            "guides/python-components.md#your-own-components",
            "user_components",
        ),
        (
            "put the chat on my website",
            "guides/sharing.md#a-chat-on-your-page",
            "flow-id",
        ),
        (
            "How do I use PostgreSQL?",
            "OPERATIONS.md#postgresql",
            "FERROFLOW_DATABASE_URL",
        ),
        ("what does a run cost", "guides/models.md#what-it-costs", "cost"),
        (
            "try it without an API key",
            "guides/models.md#try-it-without-a-key",
            "rehearsal",
        ),
        (
            "let a person approve a tool call",
            "guides/models.md#a-tool-that-needs-leave",
            "Ask a person first",
        ),
        (
            "start a flow by a webhook",
            "guides/running-flows.md#webhooks",
            "Webhook",
        ),
        (
            "restore an older version of my flow",
            "guides/building-flows.md#versions",
            "restore",
        ),
        (
            "where are my secrets stored",
            "guides/building-flows.md#variables-and-secrets",
            "encrypted",
        ),
        (
            "how do I back up the server",
            "OPERATIONS.md#backup",
            "ferroflow backup",
        ),
        (
            "use Ollama on this machine",
            "guides/models.md#set-up-a-provider",
            "OLLAMA_BASE_URL",
        ),
        (
            "how do I delete a connection",
            "guides/building-flows.md#wires",
            "take it off",
        ),
        ("what does Chat Input do", "components/ChatInput", "Chat Input"),
        (
            "what can the assistant do with my files",
            "guides/assistant.md#files",
            "1,000 of them",
        ),
        (
            "does the assistant change my flow without asking?",
            "guides/assistant.md#what-you-agree-to",
            "proposed",
        ),
        ("export a flow to a file", "guides/sharing.md#export", "JSON file"),
    ];
    let registry = registry();
    let mut wrong = Vec::new();
    for (question, path, says) in table {
        let found = search(&registry, question, 3);
        let answer = found.iter().find(|passage| passage.path == path);
        if !answer.is_some_and(|passage| passage.text.contains(says)) {
            let found: Vec<_> = found
                .iter()
                .map(|passage| (&passage.path, &passage.text))
                .collect();
            wrong.push(format!(
                "{question}\n  wanted {path} with {says:?}, found {found:#?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_has_nothing_to_do_with_the_product_finds_nothing() {
    for question in [
        "What will the weather be in Paris tomorrow?",
        "",
        "???",
        "how do I",
        "\u{0}",
        "🦀",
    ] {
        assert_eq!(search(&registry(), question, 3), [], "{question}");
    }
    let long = "zebra ".repeat(100_000);
    assert_eq!(search(&registry(), &long, 3), []);
}

#[test]
fn a_passage_is_short_and_says_where_it_is_from() {
    let questions = [
        "flow",
        "component",
        "key",
        "model provider",
        "run",
        "API",
        "settings of the server",
        "json",
    ];
    for question in questions {
        let found = search(&registry(), question, 50);
        assert!(!found.is_empty(), "{question}");
        for Passage {
            title, path, text, ..
        } in found
        {
            assert!(!title.is_empty() && !text.trim().is_empty(), "{path}");
            assert!(
                text.chars().count() <= LONGEST_PASSAGE,
                "{path}: {} characters",
                text.chars().count()
            );
            assert!(
                !text.contains("](") && !text.contains("Contents:"),
                "{path}: {text}"
            );
        }
    }
    assert_eq!(search(&registry(), "flow", 2).len(), 2);
}

#[test]
fn old_components_are_not_recommended() {
    let found = search(&registry(), "Parser", 20);
    assert!(
        found
            .iter()
            .any(|passage| passage.path == "components/ParserComponent")
    );
    assert!(found.iter().all(|passage| passage.path != "components/OldParser"));
}

/// Links of other pages lead to the same places, so wherever both name one, it exists.
#[test]
fn places_are_those_that_the_pages_link_to() {
    let linked = include_str!("../../../../docs/guides/models.md");
    let found = search(&registry(), "try it without a key", 1);
    let (_, anchor) = found[0].path.split_once('#').unwrap();
    assert!(linked.contains(&format!("](#{anchor})")), "{anchor}");
}

#[test]
fn every_page_is_shipped() {
    /// Not about the product but about how it is tested.
    const LEFT_OUT: [&str; 1] = ["assistant-scenarios.md"];
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let pages = |folder: &str| -> BTreeSet<String> {
        let entries = std::fs::read_dir(docs.join(folder)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names
            .filter(|name| name.ends_with(".md") && !LEFT_OUT.contains(&name.as_str()))
            .map(|name| format!("{folder}{name}"))
            .collect()
    };
    let mut there = pages("");
    there.extend(pages("guides/"));
    there.insert("README.md".to_owned());
    let listed: BTreeSet<String> = listed().into_iter().map(str::to_owned).collect();
    assert_eq!(listed, there, "the list in docs/pages.rs");
}

#[tokio::test]
async fn the_tool_answers_with_passages_and_their_places() {
    let registry = registry();
    let search = tool(move || Arc::clone(&registry));
    let ask = |query: Json| search.call(json!({"query": query}).as_object().unwrap().clone());

    let answer = ask(json!("what does the Parser do")).await.unwrap();
    let told: Json = serde_json::from_str(&answer.text).unwrap();
    assert_eq!(
        told, answer.value,
        "who watches the loop takes the sources from the value"
    );
    assert_eq!(told["passages"][0]["path"], "components/ParserComponent");
    assert_eq!(told["passages"][0]["title"], "Parser component");

    let nothing = ask(json!("weather in Paris")).await.unwrap();
    assert!(
        nothing.text.contains("Nothing in the documentation fits"),
        "{}",
        nothing.text
    );
    assert_eq!(nothing.value.get("passages"), None);
    for odd in [json!(""), json!(null), json!(7), json!({"a": []})] {
        assert!(ask(odd).await.is_err());
    }
}
