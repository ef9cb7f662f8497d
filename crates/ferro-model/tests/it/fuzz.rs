//! Damaged input: bytes changed, cut, doubled and swapped in a few good files. Nothing panics, nothing hangs, and
//! what a step accepts the next one accepts too. `fuzz/` at the root runs the same for as long as one likes.

use std::time::{Duration, Instant};

use ferro_model::handle::{SourceHandle, TargetHandle, canonical_text};
use ferro_model::spec::{build_flow_from_spec, flow_info, flow_to_spec_summary, parse, validate_references};
use ferro_model::{
    Document, Edit, FlowData, apply, ascii, diff, layout, problems, read, strip_secrets, text_form, ungroup,
    upgrade,
};
use proptest::prelude::*;

use crate::damage::{damage, damaged};
use crate::fixtures::{counting, registry};

const FLOWS: [&str; 3] = [
    include_str!("../corpus/echo.json"),
    include_str!("../corpus/loop.json"),
    include_str!("../corpus/group.json"),
];
const SPEC: &str = include_str!("../corpus/greeter.spec");
const HANDLE: &str =
    "{œdataTypeœ:œChatInputœ,œidœ:œChatInput-aœ,œnameœ:œmessageœ,œoutput_typesœ:[œMessageœ]}";

/// Everything that can be done with a document.
fn every_step(data: &FlowData) {
    let registry = registry();
    let (new, _) = upgrade(data, &registry);
    assert_eq!(upgrade(&new, &registry).1, []);
    for problem in problems(&new, &registry, Some(&["KEY".to_owned()].into())) {
        assert!(!problem.message.is_empty() && !problem.advice.is_empty());
    }
    let flat = ungroup(read(&new));
    layout::layout(&flat);
    ascii::draw(&flat);
    flow_to_spec_summary(None, &new);
    flow_info(None, "", &new);
    assert!(diff(&new, &strip_secrets(&new).data).wires_added.is_empty());
    let written = text_form::format_flow(&new).unwrap();
    let back = text_form::parse_flow(&written).unwrap();
    assert_eq!(text_form::format_flow(&back).unwrap(), written);
    let mut document = Document::new(&new);
    assert_eq!(document.text(), new.as_str());
    let ids: Vec<String> = document.ids().to_vec();
    for id in &ids {
        for edit in edits(id, &ids) {
            let before = document.text();
            let written = serde_json::to_string(&edit).unwrap();
            match apply(&mut document, &registry, edit, &mut counting()) {
                Ok(applied) => {
                    document
                        .to_data()
                        .unwrap_or_else(|error| panic!("{written}: {error}\n{before}"));
                    apply(&mut document, &registry, applied.inverse, &mut counting()).unwrap();
                    assert_eq!(document.text(), before, "{written}");
                }
                Err(_) => assert_eq!(document.text(), before, "{written}"),
            }
        }
    }
}

fn edits(id: &str, ids: &[String]) -> Vec<Edit> {
    let node = || id.to_owned();
    let mut edits = vec![
        Edit::Add {
            r#type: "ChatInput".into(),
            id: None,
            x: 0.0,
            y: 0.0,
        },
        Edit::ToolMode {
            node: node(),
            on: true,
        },
        Edit::ToolMode {
            node: node(),
            on: false,
        },
        Edit::ConnectionMode {
            node: node(),
            on: true,
        },
        Edit::SelectOutput {
            node: node(),
            output: "message".into(),
        },
        Edit::Configure {
            node: node(),
            values: [("input_value".to_owned(), "x".into())].into_iter().collect(),
        },
        Edit::Move {
            moves: vec![ferro_model::edit::Moved {
                node: node(),
                x: 1.0,
                y: 2.5,
            }],
        },
        Edit::Note {
            node: Some(node()),
            text: Some("text".into()),
            color: Some("rose".into()),
            x: 0.0,
            y: 0.0,
        },
        Edit::Remove { node: node() },
    ];
    edits.extend(ids.iter().map(|target| Edit::Connect {
        source: node(),
        output: "message".into(),
        target: target.clone(),
        input: "input_value".into(),
    }));
    edits
}

fn within(limit: Duration, work: impl FnOnce()) {
    let start = Instant::now();
    work();
    assert!(start.elapsed() < limit, "took {:?}", start.elapsed());
}

#[test]
fn the_corpus_passes_every_step() {
    for text in FLOWS {
        every_step(&FlowData::parse(text).unwrap());
    }
    build_flow_from_spec(SPEC, &registry(), &mut counting()).unwrap();
}

#[test]
fn big_and_deep_input_takes_no_time() {
    let deep = format!(
        "{{\"nodes\":[],\"edges\":[],\"x\":{}1{}}}",
        "[".repeat(50_000),
        "]".repeat(50_000)
    );
    within(Duration::from_secs(2), || {
        FlowData::parse(&deep).unwrap_err();
        text_form::format(&deep).unwrap_err();
        text_form::parse(&deep).unwrap_err();
        let _ = canonical_text(&deep);
    });
    let huge = format!(
        r#"{{"nodes":[{{"id":"a","type":"genericNode","data":{{"type":"ChatInput","node":{{"template":{{"input_value":{{"type":"str","value":"{}"}}}}}}}}}}],"edges":[]}}"#,
        "x\\n".repeat(30_000)
    );
    within(Duration::from_secs(30), || {
        every_step(&FlowData::parse(&huge).unwrap())
    });
    let many: Vec<String> = (0..3_000)
        .map(|place| format!("A{place}.f{place}: {place}"))
        .collect();
    within(Duration::from_secs(10), || {
        parse(&format!("nodes:\n A: X\nconfig:\n{}", many.join("\n"))).unwrap();
    });
    let groups = (0..9).fold(String::from("[]"), |inner, _| {
        format!(r#"[{{"id":"g","type":"genericNode","data":{{"type":"G","node":{{"flow":{{"data":{{"nodes":{inner},"edges":[]}}}}}}}}}}]"#)
    });
    let nested = FlowData::parse(&format!(r#"{{"nodes":{groups},"edges":[]}}"#)).unwrap();
    assert!(ungroup(read(&nested)).nodes.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn damaged_flows(which in 0..FLOWS.len(), damages in prop::collection::vec(damage(), 1..6)) {
        let bytes = damaged(FLOWS[which], &damages);
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(data) = FlowData::parse(&text) {
            every_step(&data);
        }
        if let Ok(written) = text_form::format(&text) {
            let back = text_form::parse(&written).unwrap();
            prop_assert_eq!(text_form::format(&back).unwrap(), written);
        }
        if let Ok(json) = text_form::parse(&text) {
            text_form::format(&json).unwrap();
        }
    }

    #[test]
    fn damaged_specs(damages in prop::collection::vec(damage(), 1..8), words in prop::collection::vec("[a-zA-Z.:|> -]{0,12}|nodes:|edges:|config:", 0..6)) {
        let bytes = damaged(SPEC, &damages);
        let text = format!("{}\n{}", String::from_utf8_lossy(&bytes), words.join("\n"));
        if let Ok(spec) = parse(&text) {
            let _ = validate_references(&spec);
        }
        match build_flow_from_spec(&text, &registry(), &mut counting()) {
            Ok(built) => every_step(&built.data),
            Err(error) => prop_assert!(!error.error.is_empty()),
        }
    }

    #[test]
    fn damaged_handles(damages in prop::collection::vec(damage(), 0..6), plain in any::<bool>()) {
        let handle = if plain { HANDLE.replace('œ', "\"") } else { HANDLE.to_owned() };
        let bytes = damaged(&handle, &damages);
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(handle) = text.parse::<SourceHandle>() {
            prop_assert_eq!(handle.to_string().parse(), Ok(handle));
        }
        if let Ok(handle) = text.parse::<TargetHandle>() {
            prop_assert_eq!(handle.to_string().parse(), Ok(handle));
        }
        if let Some(canonical) = canonical_text(&text) {
            prop_assert_eq!(canonical_text(&canonical), Some(canonical));
        }
    }

    #[test]
    fn damaged_edits(damages in prop::collection::vec(damage(), 0..6)) {
        let edit = r#"{"op":"patch","changes":[{"change":"set","node":"ChatInput-a","path":["data","x"],"to":"1","cut":{"index":1,"text":",\"x\":1"}},{"change":"remove_wire","index":0,"text":"{}"},{"change":"insert_node","index":0,"text":"{\"id\":\"n\"}","gap":","}]}"#;
        let bytes = damaged(edit, &damages);
        let Ok(edit) = serde_json::from_slice::<Edit>(&bytes) else { return Ok(()) };
        let data = FlowData::parse(FLOWS[0]).unwrap();
        let mut document = Document::new(&data);
        match apply(&mut document, &registry(), edit, &mut counting()) {
            Ok(applied) => {
                document.to_data().unwrap();
                apply(&mut document, &registry(), applied.inverse, &mut counting()).unwrap();
                prop_assert_eq!(document.text(), data.as_str());
            }
            Err(_) => prop_assert_eq!(document.text(), data.as_str()),
        }
    }
}
