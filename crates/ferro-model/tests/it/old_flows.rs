//! A saved flow of any past shape still opens: `tests/old_flows` has one small file per shape.

use std::fmt::Write as _;
use std::path::Path;

use expect_test::expect_file;
use ferro_model::ascii::draw;
use ferro_model::layout::layout;
use ferro_model::{Document, FlowData, Problem, diff, problems, read, strip_secrets, text_form, upgrade};

use crate::fixtures::registry;
use crate::read::render;

#[test]
fn every_old_flow_opens() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/old_flows");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    assert!(files.len() >= 6);
    let mut text = String::new();
    for file in files {
        let flow = FlowData::parse(&std::fs::read_to_string(&file).unwrap()).unwrap();
        assert!(diff(&flow, &flow).identical);
        let name = file.file_name().unwrap().to_str().unwrap();
        writeln!(text, "== {name}: {} secrets", strip_secrets(&flow).removed).unwrap();
        text.push_str(&render(&read(&flow)));
    }
    expect_file!["../old_flows/expected.txt"].assert_eq(&text);
}

/// Real exports, where the machine has them.
#[test]
fn sample_flows_open() {
    let Some(folder) = option_env!("FERRO_SAMPLE_FLOWS") else {
        return;
    };
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let export: serde_json::Value = serde_json::from_str(&text).unwrap();
        let flow = FlowData::parse(&export.get("data").unwrap_or(&export).to_string()).unwrap();
        let view = read(&flow);
        let name = path.display();
        assert!(view.issues.is_empty(), "{name}: {:?}", view.issues);
        assert!(diff(&flow, &flow).identical);
        sample_passes_every_step(&name.to_string(), &flow);
        let written = text_form::format(&text).unwrap();
        let back: serde_json::Value = serde_json::from_str(&text_form::parse(&written).unwrap()).unwrap();
        assert_eq!(back, export, "{name}");
        assert_eq!(
            text_form::format(&text_form::parse(&written).unwrap()).unwrap(),
            written,
            "{name}"
        );
    }
}

fn sample_passes_every_step(name: &str, flow: &FlowData) {
    assert_eq!(Document::new(flow).text(), flow.as_str(), "{name}");
    let (new, notes) = upgrade(flow, &registry());
    assert_eq!(upgrade(&new, &registry()).1, [], "{name}");
    assert_eq!(notes.is_empty(), new == *flow, "{name}");
    assert_eq!(diff(flow, &new).text, "", "{name}");
    for data in [flow, &new] {
        let found = problems(data, &registry(), None);
        let wires = found
            .iter()
            .filter(|problem| problem.code.contains("wire") || problem.code.contains("cycle"));
        assert_eq!(wires.collect::<Vec<_>>(), Vec::<&Problem>::new(), "{name}");
        let missing = found.iter().filter(|problem| problem.code == "missing_field");
        // Whatever needs a person's key or choice, and nothing that a wire brings.
        let fields: Vec<_> = missing.filter_map(|problem| problem.field.as_deref()).collect();
        assert!(
            !fields.contains(&"input_value") && !fields.contains(&"input_data"),
            "{name}: {fields:?}"
        );
    }
    let view = read(&new);
    assert_eq!(layout(&view).len(), view.nodes.len());
    assert!(draw(&view).contains("-->"), "{name}");
}
