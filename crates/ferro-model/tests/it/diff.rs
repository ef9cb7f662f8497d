use expect_test::{Expect, expect};
use ferro_model::diff::Change;
use ferro_model::{diff, diff_meta};
use serde_json::json;

use crate::fixtures::{BASE, edited, flow};

/// The text of the diff from `BASE` to an edited `BASE`.
fn check(edits: &[(&str, &str)], expected: Expect) {
    expected.assert_eq(&diff(&flow(BASE), &edited(edits)).text);
}

#[test]
fn values_and_flags() {
    check(
        &[
            (r#""value": "Hi""#, r#""value": "Hello""#),
            (r#"{"x": 0, "y": 0}"#, r#"{"x": 40.004, "y": 120}"#),
        ],
        expect![[r#"
            ~ node Chat Input (ChatInput-q)
                Input Text: "Hi" → "Hello"
                moved (0, 0) → (40, 120)
        "#]],
    );
    check(
        &[
            (r#""advanced": false"#, r#""advanced": true"#),
            (r#""frozen": false"#, r#""frozen": true"#),
        ],
        expect![[r#"
            ~ node Chat Input (ChatInput-q)
                Frozen: false → true
                Input Text (advanced): false → true
        "#]],
    );
    check(
        &[
            (r#""showNode": true, "#, r#""showNode": false, "#),
            (r#""selected_output": "message""#, r#""selected_output": "data""#),
        ],
        expect![[r#"
            ~ node Chat Input (ChatInput-q)
                Minimised: false → true
                Selected output: "message" → "data"
        "#]],
    );
    check(
        &[
            ("b = 2\\n", "b = 2\\nc = 3\\n"),
            (r#""code_hash": "aa""#, r#""code_hash": "bb""#),
        ],
        expect![[r#"
            ~ node Chat Input (ChatInput-q)
                metadata.code_hash: "aa" → "bb"
                Code: 2 → 3 lines
        "#]],
    );
}

#[test]
fn names_fields_and_outputs() {
    check(
        &[(r#""display_name": "Helper""#, r#""display_name": "Concierge""#)],
        expect![[r#"
            ~ node Agent (Agent-x1)
                display_name: "Helper" → "Concierge"
        "#]],
    );
    // Renaming a node writes the component's own name; that is the one shown.
    check(
        &[(r#""display_name": "Agent""#, r#""display_name": "Agent 2""#)],
        expect![[r#"
            ~ node Agent 2 (Agent-x1)
                Name: "Agent" → "Agent 2"
        "#]],
    );
    check(
        &[(
            r#""temperature": {"type": "float", "value": 1.0}"#,
            r#""top_p": {"display_name": "Top P", "value": 1}"#,
        )],
        expect![[r#"
            ~ node Chat Input (ChatInput-q)
                Top P: added
                temperature: removed
        "#]],
    );
    check(
        &[
            (
                r#""types": ["JSON"]}"#,
                r#""types": ["JSON"]}, {"name": "table", "types": ["Table"]}"#,
            ),
            (r#""selected": "Message""#, r#""selected": "Text""#),
        ],
        expect![[r#"
            ~ node Chat Input (ChatInput-q)
                Output Chat Message (selected): "Message" → "Text"
                Output table: added
        "#]],
    );
}

#[test]
fn notes() {
    check(
        &[
            (r#""width": 324"#, r#""width": 500"#),
            ("Read me", "Read me first"),
            (r#""backgroundColor": "amber""#, r#""backgroundColor": "rose""#),
        ],
        expect![[r#"
            ~ node Note (note-1)
                Text: "Read me" → "Read me first"
                Colour: "amber" → "rose"
                resized 324 × 200 → 500 × 200
        "#]],
    );
}

#[test]
fn secrets_are_masked_and_still_reported() {
    check(
        &[("sk-old", "sk-new")],
        expect![[r#"
            ~ node Agent (Agent-x1)
                API Key: "••••••" → "••••••"
        "#]],
    );
    check(
        &[(
            r#""load_from_db": false, "value": "sk-old""#,
            r#""load_from_db": true, "value": "OPENAI_API_KEY""#,
        )],
        expect![[r#"
            ~ node Agent (Agent-x1)
                API Key (load_from_db): false → true
                API Key: "••••••" → "OPENAI_API_KEY"
        "#]],
    );
    check(
        &[("sk-old", "")],
        expect![[r#"
            ~ node Agent (Agent-x1)
                API Key: "••••••" → ""
        "#]],
    );
    let json = |edits: &[(&str, &str)]| serde_json::to_string(&diff(&flow(BASE), &edited(edits))).unwrap();
    for edits in [
        // Taking the flag away reveals neither value, in the node or in a field that comes or goes.
        &[(
            r#""password": true, "load_from_db": false, "value": "sk-old""#,
            r#""value": "sk-new""#,
        )][..],
        &[(r#""api_key": {"#, r#""other_key": {"#)],
        &[(
            r#""metadata": {"code_hash": "aa"}"#,
            r#""metadata": {"k": {"password": true, "value": "sk-1"}}"#,
        )],
        &[(
            r#""metadata": {"code_hash": "aa"}"#,
            r#""flow": {"k": {"password": true, "value": "sk-1"}, "n": 1e999}"#,
        )],
    ] {
        let json = json(edits);
        assert!(!json.contains("sk-"), "{json}");
    }
}

#[test]
fn wires_and_nodes() {
    check(
        &[("œnameœ:œmessageœ", "œnameœ:œdataœ")],
        expect![[r#"
            + wire Chat Input.data → Agent.input_value
            - wire Chat Input.message → Agent.input_value
        "#]],
    );
    check(
        &[(r#""id": "note-1", "type""#, r#""id": "note-2", "type""#)],
        expect![[r#"
            + node Note (note-2)
            - node Note (note-1)
        "#]],
    );
    let old = flow(
        r#"{"nodes":[{"id":"a\nb","data":{"display_name":"x\n- node y"}}],"edges":[{"source":"a\nb","target":"gone"}]}"#,
    );
    expect![[r#"
        - node x - node y (a b)
        - wire x - node y → gone
    "#]]
    .assert_eq(&diff(&old, &flow("{}")).text);
}

#[test]
fn what_does_not_count() {
    for edits in [
        &[(r#""zoom": 1"#, r#""zoom": 2"#)][..],
        &[
            (r#""selected": false"#, r#""selected": true"#),
            (r#""width": 320"#, r#""width": 321"#),
        ],
        &[(r#""value": 1.0"#, r#""value": 1"#)],
        &[(r#""showNode": true, "#, "")],
        &[(
            "œdataTypeœ:œChatInputœ,œidœ:œChatInput-qœ,",
            "œidœ: œChatInput-qœ, œdataTypeœ: œChatInputœ, ",
        )],
        &[(r#""id": "e1""#, r#""animated": true, "id": "other""#)],
        &[(
            r#""frozen": false, "tool_mode": false"#,
            r#""tool_mode": false, "frozen": false, "error": null"#,
        )],
    ] {
        let diff = diff(&flow(BASE), &edited(edits));
        assert!(diff.identical, "{edits:?}: {}", diff.text);
    }
}

#[test]
fn odd_shapes_are_not_passed_over() {
    let node = |node: &str| flow(&format!(r#"{{"nodes":[{{"id":"a","x":1,{node}}}],"edges":[]}}"#));
    let check =
        |old: &str, new: &str, expected: Expect| expected.assert_eq(&diff(&node(old), &node(new)).text);
    check(
        r#""data":{"node":{"template":"a"}}"#,
        r#""data":{"node":{"template":"b"}}"#,
        expect![[r#"
            ~ node a (a)
                Fields: "a" → "b"
        "#]],
    );
    check(
        r#""data":{"node":{"outputs":[{"name":"o"},{"name":"o"}]}}"#,
        r#""data":{"node":{"outputs":[{"name":"p"},5]}}"#,
        expect![[r#"
            ~ node a (a)
                Outputs: [{"name":"o"},{"name":"o"}] → [{"name":"p"},5]
        "#]],
    );
    check(
        r#""data":{"node":{"outputs":[{"name":"o"},{"name":"p"}]}}"#,
        r#""data":{"node":{"outputs":[{"name":"p"},{"name":"o"}]}}"#,
        expect![[r#"
            ~ node a (a)
                Order of outputs: ["o","p"] → ["p","o"]
        "#]],
    );
    check(
        r#""data":7,"deep":{"er":{"x":1,"y":[1]}}"#,
        r#""data":[],"deep":{"er":{"y":[2],"x":1.0}}"#,
        expect![[r#"
            ~ node a (a)
                data: 7 → []
                deep.er.y: [1] → [2]
        "#]],
    );
    check(
        r#""data":{"node":{"template":{"f":{"value":{"a":1,"b":2}}}}},"width":{"a":1},"position":{"x":1,"y":2}"#,
        r#""data":{"node":{"template":{"f":{"value":{"b":2, "a":1}}}}},"width":{ "a":1},"position":{"y":2,"x":1.0}"#,
        expect![""],
    );
}

#[test]
fn long_values_are_cut() {
    let long = "word ".repeat(60);
    check(
        &[("Read me", long.trim())],
        expect![[r#"
            ~ node Note (note-1)
                Text: "Read me" → "word word word word word word word word word word word word word word word word word word word word…" (299 characters)
        "#]],
    );
}

#[test]
fn the_json_is_what_the_canvas_expects() {
    let new = edited(&[
        ("Read me", "Hello"),
        (
            r#""edges": ["#,
            r#""state": 1, "edges": [{"source": "note-1", "target": "x"}, "#,
        ),
    ]);
    let change = |path: &str, old: &str, new: &str| Change {
        path: path.to_owned(),
        label: path.to_owned(),
        old: old.into(),
        new: new.into(),
    };
    let diff = diff_meta(
        diff(&flow(BASE), &new),
        [change("name", "A", "B"), change("description", "same", "same")],
    );
    assert_eq!(
        serde_json::to_value(&diff).unwrap(),
        json!({
            "identical": false,
            "summary": {"nodes_added": 0, "nodes_removed": 0, "nodes_changed": 1, "wires_added": 1, "wires_removed": 0, "flow_changed": 2},
            "text": "~ node Note (note-1)\n    Text: \"Read me\" → \"Hello\"\n+ wire Note → x\n~ flow\n    state: null → 1\n    name: \"A\" → \"B\"\n",
            "nodes_added": [], "nodes_removed": [],
            "nodes_changed": [{
                "node": {"id": "note-1", "name": "Note", "kind": "note", "type": "note"},
                "changes": [{"path": "description", "label": "Text", "old": "Read me", "new": "Hello"}],
            }],
            "wires_added": [{"from": {"node": "note-1", "name": "Note", "port": ""}, "to": {"node": "x", "name": "x", "port": ""}}],
            "wires_removed": [],
            "flow_changes": [
                {"path": "data.state", "label": "state", "old": null, "new": 1},
                {"path": "name", "label": "name", "old": "A", "new": "B"},
            ],
        })
    );
}
