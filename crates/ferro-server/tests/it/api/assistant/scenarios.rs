//! The table of scenarios is true: each test it names is there, on the server or on the page, and each scenario has one.
//! What the page and the server must spell alike, they do.

use std::path::Path;

const TABLE: &str = include_str!("../../../../../../docs/assistant-scenarios.md");

/// What a row names in the form `file::test`.
fn named(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter_map(|name| name.split_once("::"))
}

/// Tests of the page, in the form `file › what it shows`.
fn shown(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter_map(|name| name.split_once(" › "))
}

fn is_shown(file: &str, test: &str) -> bool {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../web/e2e/{file}.e2e.ts"));
    let source = std::fs::read_to_string(place).unwrap_or_default();
    source.contains(&format!("\"{test}\"")) || source.contains(&format!("'{test}'"))
}

fn is_there(file: &str, test: &str) -> bool {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/api");
    let places = [format!("assistant/{file}.rs"), format!("{file}.rs")];
    let sources = places
        .iter()
        .filter_map(|place| std::fs::read_to_string(folder.join(place)).ok());
    sources
        .into_iter()
        .any(|source| source.contains(&format!("async fn {test}(")))
}

#[test]
fn every_scenario_has_a_test() {
    let rows = |heading: &str| {
        let (_, part) = TABLE
            .split_once(&format!("\n## {heading}\n"))
            .expect("the heading");
        let part = part.split("\n## ").next().unwrap();
        let rows = part.lines().filter(|line| line.starts_with("| ")).skip(1);
        rows.map(str::to_owned).collect::<Vec<_>>()
    };
    let scenarios = [rows("Langflow Assistant"), rows("MCP Flow Builder")];
    assert_eq!([scenarios[0].len(), scenarios[1].len()], [46, 86]);
    for row in scenarios.iter().flatten() {
        assert!(
            named(row).next().is_some() || shown(row).next().is_some(),
            "{row}"
        );
    }
    for (file, test) in shown(TABLE).filter(|name| name.0 != "file") {
        assert!(is_shown(file, test), "{file} › {test} is named and is not there");
    }
    for (file, test) in named(TABLE).filter(|name| *name != ("file", "test") && !name.0.contains("Host")) {
        assert!(is_there(file, test), "{file}::{test} is named and is not there");
    }
    let decisions = rows("Decisions").len();
    assert_eq!(decisions, 31 + 48);
}

/// The page sends these to mean something; a letter of difference and they are an ordinary request.
#[test]
fn the_page_speaks_the_same_protocol() {
    let place =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/features/assistant/model/protocol.ts");
    let page = std::fs::read_to_string(place).expect("the page's protocol");
    for text in [
        ferro_assistant::PLAN_APPROVAL_INPUT,
        ferro_assistant::EDIT_CONTINUATION_INPUT,
        "[Previous plan you proposed",
        "[End of previous plan]",
        "User refinement:",
    ] {
        assert!(page.contains(text), "the page does not send `{text}`");
    }
}
