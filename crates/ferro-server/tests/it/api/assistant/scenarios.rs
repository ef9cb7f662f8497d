//! The table of scenarios is true: each test it names is there, and each scenario has a test or a reason.

use std::path::Path;

const TABLE: &str = include_str!("../../../../../../docs/assistant-scenarios.md");

/// What a row names in the form `file::test`.
fn named(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter_map(|name| name.split_once("::"))
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
fn every_scenario_has_a_test_or_waits_for_the_panel() {
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
            named(row).next().is_some() || row.contains("panel: next step"),
            "{row}"
        );
    }
    for (file, test) in named(TABLE).filter(|name| *name != ("file", "test") && !name.0.contains("Host")) {
        assert!(is_there(file, test), "{file}::{test} is named and is not there");
    }
    let decisions = rows("Decisions").len();
    assert_eq!(decisions, 31 + 48);
}
