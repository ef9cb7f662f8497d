//! Edits after one another and beside each other: undone, merged, rebased, made up.

use expect_test::{Expect, expect};
use ferro_model::edit::{Conflict, Patch};
use ferro_model::spec::flow_to_spec_summary;
use ferro_model::{Document, Edit, FlowData, apply, diff};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::edit::edit;
use crate::fixtures::{ECHO, LOOP, after, built, counting, flow, registry};

#[test]
fn merges() {
    let merged = |first: &str, second: &str| {
        let merged = edit(first).merge(&edit(second));
        merged.map_or("no".to_owned(), |edit| serde_json::to_string(&edit).unwrap())
    };
    expect![[r#"{"op":"move","moves":[{"node":"b","x":1.0,"y":1.0},{"node":"a","x":2.0,"y":2.0}]}"#]]
        .assert_eq(&merged(
            r#"{"op":"move","moves":[{"node":"a","x":1,"y":1},{"node":"b","x":1,"y":1}]}"#,
            r#"{"op":"move","moves":[{"node":"a","x":2,"y":2}]}"#,
        ));
    expect![[r#"{"op":"configure","node":"a","values":{"x":"he","y":1}}"#]].assert_eq(&merged(
        r#"{"op":"configure","node":"a","values":{"x":"h","y":1}}"#,
        r#"{"op":"configure","node":"a","values":{"x":"he"}}"#,
    ));
    expect!["no"].assert_eq(&merged(
        r#"{"op":"configure","node":"a","values":{"x":"h"}}"#,
        r#"{"op":"configure","node":"b","values":{"x":"he"}}"#,
    ));
    expect!["no"].assert_eq(&merged(
        r#"{"op":"add","type":"A"}"#,
        r#"{"op":"add","type":"A"}"#,
    ));
}

fn patch_of(data: &FlowData, text: &str) -> Patch {
    let mut ids = counting();
    apply(&mut Document::new(data), &registry(), edit(text), &mut || {
        format!("p{}", ids())
    })
    .unwrap()
    .patch
}

/// Two people change the same flow; `mine` comes second.
fn check_rebase(mine: &str, theirs: &str, expected: Expect) {
    let data = built(LOOP);
    let (mine, theirs) = (patch_of(&data, mine), patch_of(&data, theirs));
    let shown = match mine.rebase(&theirs) {
        Err(conflict) => format!("conflict: {conflict}"),
        Ok(rebased) => {
            let both = |first: &Patch, second: &Patch| {
                let mut document = Document::new(&data);
                first.apply(&mut document).unwrap();
                second.apply(&mut document).unwrap();
                document.to_data().unwrap()
            };
            let one = both(&theirs, &rebased);
            let other = both(&mine, &theirs.rebase(&mine).unwrap());
            assert!(diff(&one, &other).identical, "{}", diff(&one, &other).text);
            diff(&data, &one).text
        }
    };
    expected.assert_eq(&shown);
}

#[test]
fn two_people() {
    let set = r#"{"op":"configure","node":"ParserComponent-00003","values":{"pattern":"{a}"}}"#;
    let other = r#"{"op":"configure","node":"ParserComponent-00003","values":{"pattern":"{b}"}}"#;
    let moved = r#"{"op":"move","moves":[{"node":"ParserComponent-00003","x":7,"y":8}]}"#;
    let gone = r#"{"op":"remove","node":"ParserComponent-00003"}"#;
    let wire = r#"{"op":"connect","source":"ParserComponent-00003","output":"parsed_text","target":"ChatOutput-00005","input":"input_value"}"#;
    check_rebase(
        set,
        moved,
        expect![[r#"
        ~ node Parser (ParserComponent-00003)
            Template: "{text}" → "{a}"
            moved (960, 0) → (7, 8)
    "#]],
    );
    check_rebase(
        set,
        other,
        expect![
            "conflict: `data.node.template.pattern.value` of `ParserComponent-00003` has been changed by someone else; reload the flow and do it again"
        ],
    );
    check_rebase(
        set,
        set,
        expect![[r#"
        ~ node Parser (ParserComponent-00003)
            Template: "{text}" → "{a}"
    "#]],
    );
    check_rebase(
        set,
        gone,
        expect![
            "conflict: the node `ParserComponent-00003` is no longer there; reload the flow and do it again"
        ],
    );
    check_rebase(
        gone,
        set,
        expect![
            "conflict: `data.node.template.pattern.value` of `ParserComponent-00003` has been changed by someone else; reload the flow and do it again"
        ],
    );
    check_rebase(
        gone,
        gone,
        expect![[r#"
        - node Parser (ParserComponent-00003)
        - wire Loop.item → Parser.input_data
        - wire Parser.parsed_text → Loop.item
    "#]],
    );
    check_rebase(
        r#"{"op":"remove","node":"URLComponent-00001"}"#,
        gone,
        expect![[r#"
            - node URL (URLComponent-00001)
            - node Parser (ParserComponent-00003)
            - wire URL.page_results → Loop.data
            - wire Loop.item → Parser.input_data
            - wire Parser.parsed_text → Loop.item
        "#]],
    );
    check_rebase(
        r#"{"op":"set_flow","data":{}}"#,
        set,
        expect!["conflict: the flow has been replaced by someone else; reload it and do it again"],
    );
    assert!(
        apply(
            &mut Document::new(&built(LOOP)),
            &registry(),
            edit(wire),
            &mut counting()
        )
        .is_err()
    );
}

#[test]
fn a_patch_that_does_not_fit_changes_nothing() {
    let data = built(ECHO);
    let patch = patch_of(&data, r#"{"op":"remove","node":"ChatInput-00001"}"#);
    let changed = after(
        &data,
        r#"{"op":"configure","node":"ChatInput-00001","values":{"sender_name":"Me"}}"#,
    );
    let mut document = Document::new(&changed);
    assert!(matches!(
        patch.apply(&mut document),
        Err(Conflict::ValueChanged { .. })
    ));
    assert_eq!(document.text(), changed.as_str());
    // Nor does one that someone made up.
    for text in [
        r#"{"op":"patch","changes":[{"change":"insert_node","index":0,"text":"{\"id\":\"x\"}","gap":"] , ["}]}"#,
        r#"{"op":"patch","changes":[{"change":"insert_node","index":0,"text":"{\"id\":\"x\"},{}"}]}"#,
        r#"{"op":"patch","changes":[{"change":"insert_wire","index":0,"text":"{}"}]}"#,
        r#"{"op":"patch","changes":[{"change":"set","node":"ChatInput-00001","path":["z"],"to":"1}"}]}"#,
        r#"{"op":"patch","changes":[{"change":"set","node":"ChatInput-00001","path":["z"],"to":"1","cut":{"index":0,"text":"\"id\":\"other\""}}]}"#,
        r#"{"op":"patch","changes":[{"change":"set","node":"ChatInput-00001","path":["id"],"from":"\"ChatInput-00001\"","to":"1"}]}"#,
    ] {
        let mut document = Document::new(&data);
        apply(&mut document, &registry(), edit(text), &mut counting()).unwrap_err();
        assert_eq!(document.text(), data.as_str(), "{text}");
    }
}

fn any_edit() -> impl Strategy<Value = Edit> {
    let nodes = [
        "ChatInput-00001",
        "URLComponent-00002",
        "Agent-00003",
        "TypeConverterComponent-00004",
        "note-x",
        "gone",
    ];
    let node = move || proptest::sample::select(nodes.to_vec()).prop_map(str::to_owned);
    let port = || {
        let names = [
            "message",
            "component_as_tool",
            "tools",
            "input_value",
            "data_output",
            "raw_results",
            "input_data",
            "urls",
            "model",
        ];
        proptest::sample::select(names.to_vec()).prop_map(str::to_owned)
    };
    let values =
        prop::collection::btree_map(port(), any::<Option<String>>().prop_map(|text| json!(text)), 0..3);
    prop_oneof![
        proptest::sample::select(vec!["ChatInput", "Agent", "Nope"]).prop_map(|name| Edit::Add {
            r#type: name.into(),
            id: None,
            x: 1.0,
            y: 2.0
        }),
        node().prop_map(|node| Edit::Remove { node }),
        (node(), port(), node(), port()).prop_map(|(source, output, target, input)| Edit::Connect {
            source,
            output,
            target,
            input
        }),
        (node(), node(), prop::option::of(port())).prop_map(|(source, target, output)| Edit::Disconnect {
            source,
            target,
            output,
            input: None
        }),
        (node(), values).prop_map(|(node, values)| Edit::Configure {
            node,
            values: values.into_iter().collect()
        }),
        (node(), port()).prop_map(|(node, output)| Edit::SelectOutput { node, output }),
        (node(), any::<bool>()).prop_map(|(node, on)| Edit::ConnectionMode { node, on }),
        (node(), any::<bool>()).prop_map(|(node, on)| Edit::ToolMode { node, on }),
        (
            node(),
            proptest::sample::select(vec![0.0, 1.5, -3.25, f64::NAN, f64::INFINITY]),
            -9i8..9
        )
            .prop_map(|(node, x, y)| Edit::Move {
                moves: vec![ferro_model::edit::Moved { node, x, y: y.into() }]
            }),
        (prop::option::of(node()), any::<Option<String>>()).prop_map(|(node, text)| Edit::Note {
            node,
            text,
            color: None,
            x: 0.0,
            y: 0.0
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn edits_undo_read_back_and_compose(edits in prop::collection::vec(any_edit(), 1..12), pretty in any::<bool>()) {
        let start = built("nodes:\n A: ChatInput\n B: URLComponent\n C: Agent\n D: TypeConverterComponent\nedges:\n A.message -> C.input_value");
        let start = if pretty {
            let value: Value = serde_json::from_str(start.as_str()).unwrap();
            flow(&serde_json::to_string_pretty(&value).unwrap())
        } else {
            start
        };
        let mut document = Document::new(&start);
        let mut ids = counting();
        let mut done = Vec::new();
        let mut all = Patch::default();
        for edit in edits {
            let written = serde_json::to_string(&edit).unwrap();
            // Numbers that JSON does not have are the exception: they are refused below.
            if !written.contains("null,\"y\"") {
                prop_assert_eq!(&serde_json::from_str::<Edit>(&written).unwrap(), &edit);
            }
            let before = document.text();
            match apply(&mut document, &registry(), edit, &mut || format!("e{}", ids())) {
                Ok(applied) => {
                    let written = serde_json::to_string(&applied.inverse).unwrap();
                    prop_assert_eq!(&serde_json::from_str::<Edit>(&written).unwrap(), &applied.inverse);
                    all = all.then(applied.patch.clone());
                    done.push((before, applied));
                }
                Err(_) => prop_assert_eq!(document.text(), before),
            }
            let data = document.to_data().unwrap();
            prop_assert_eq!(flow_to_spec_summary(None, &data), flow_to_spec_summary(None, &flow(data.as_str())));
        }
        let end = document.text();
        for (before, applied) in done.iter().rev() {
            apply(&mut document, &registry(), applied.inverse.clone(), &mut counting()).unwrap();
            prop_assert_eq!(&document.text(), before);
        }
        prop_assert_eq!(document.text(), start.as_str());
        all.apply(&mut document).unwrap();
        prop_assert_eq!(document.text(), end);
        all.inverse().apply(&mut document).unwrap();
        prop_assert_eq!(document.text(), start.as_str());
    }
}
