//! A saved flow of any past shape still opens: `tests/old_flows` has one small file per shape.

use std::fmt::Write as _;
use std::path::Path;

use expect_test::expect_file;
use ferro_model::{FlowData, diff, read, strip_secrets};

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
        assert!(view.issues.is_empty(), "{}: {:?}", path.display(), view.issues);
        assert!(diff(&flow, &flow).identical);
    }
}
