use expect_test::{Expect, expect};
use ferro_model::{FlowData, MAX_DEPTH, check_depth};

fn check(text: &str, expected: Expect) {
    let outcome = match FlowData::parse(text) {
        Ok(flow) => {
            assert_eq!(flow.as_str(), text.trim());
            let summary = flow.summary();
            let webhook = if summary.has_webhook { ", webhook" } else { "" };
            let empty = if summary.is_empty { ", empty" } else { "" };
            format!(
                "{} nodes, {} edges, {} notes{webhook}{empty}",
                summary.nodes, summary.edges, summary.notes
            )
        }
        Err(error) => error.to_string(),
    };
    expected.assert_eq(&outcome);
}

#[test]
fn accepts_flows() {
    check("{}", expect!["0 nodes, 0 edges, 0 notes, empty"]);
    check(" { } ", expect!["0 nodes, 0 edges, 0 notes, empty"]);
    check(
        r#"{"nodes":[],"edges":[]}"#,
        expect!["0 nodes, 0 edges, 0 notes, empty"],
    );
    check(
        r#"{"edges":[{"target":"b","source":"gone"}], "viewport":null, "nodes":[{"id":"a"},{"id":"b","data":5}]}"#,
        expect!["2 nodes, 1 edges, 0 notes"],
    );
    check(
        r#"{"nodes":[{"id":"Webhook-1"},{"id":"n","type":"noteNode"},{"id":"m","data":{"type":"note"}}],"edges":[]}"#,
        expect!["3 nodes, 0 edges, 2 notes, webhook"],
    );
    check(
        r#"{"nodes":[{"data":{"node":{"type":"x"},"type":"Webhook"},"id":"w"}],"edges":[]}"#,
        expect!["1 nodes, 0 edges, 0 notes, webhook"],
    );
    // Keys may be written with escapes.
    check(
        r#"{"n\u006fdes":[{"\u0069d":"a\n\u00e9"}],"edges":[]}"#,
        expect!["1 nodes, 0 edges, 0 notes"],
    );
    check(
        r#"{"nodes":[{"id":"a","x":"}]\\\"{[","y":-1.5e3,"z":[true,false,null]}],"edges":[]}"#,
        expect!["1 nodes, 0 edges, 0 notes"],
    );
}

#[test]
fn refuses_what_is_no_flow() {
    check(
        "[]",
        expect![
            "the flow data is an array; send an object with `nodes` and `edges`, or `{}` for an empty flow"
        ],
    );
    check(
        "null",
        expect!["the flow data is null; send an object with `nodes` and `edges`, or `{}` for an empty flow"],
    );
    check(
        r#"{"nodes":[}"#,
        expect![
            "the flow data is not valid JSON (expected value at line 1 column 11); export the flow again or correct it at that place"
        ],
    );
    check(
        r#"{"nodes":[]}"#,
        expect!["`edges` is missing; add it as an array, empty if there are none"],
    );
    check(
        r#"{"viewport":{}}"#,
        expect!["`nodes` is missing; add it as an array, empty if there are none"],
    );
    check(
        r#"{"nodes":{},"edges":[]}"#,
        expect!["`nodes` is an object; make it an array"],
    );
    check(
        r#"{"nodes":[],"edges":null}"#,
        expect!["`edges` is null; make it an array"],
    );
    check(
        r#"{"nodes":[],"edges":[],"nodes":[]}"#,
        expect!["`nodes` appears twice in the same object; keep one of them"],
    );
}

#[test]
fn refuses_odd_nodes_and_edges() {
    check(
        r#"{"nodes":[{"id":"a"},7],"edges":[]}"#,
        expect!["`nodes[1]` is a number; make it an object"],
    );
    check(
        r#"{"nodes":[{"type":"genericNode"}],"edges":[]}"#,
        expect!["`nodes[0].id` is missing; add it as a string that no other node has"],
    );
    check(
        r#"{"nodes":[{"id":1}],"edges":[]}"#,
        expect!["`nodes[0].id` is a number; make it a string"],
    );
    check(
        r#"{"nodes":[{"id":"\ud800"}],"edges":[]}"#,
        expect![
            "`nodes[0].id` is a string that is not valid Unicode; write it without unpaired surrogate escapes"
        ],
    );
    check(
        r#"{"nodes":[{"id":"a","id":"b"}],"edges":[]}"#,
        expect!["`nodes[0].id` appears twice in the same object; keep one of them"],
    );
    check(
        r#"{"nodes":[{"id":"a"},{"id":"b"},{"id":"\u0061"}],"edges":[]}"#,
        expect!["`nodes[2].id` repeats the id `a` of `nodes[0]`; give every node its own id"],
    );
    check(
        r#"{"nodes":[],"edges":[{"source":"a"}]}"#,
        expect!["`edges[0].target` is missing; add it as the id of a node"],
    );
    check(
        r#"{"nodes":[],"edges":[{"source":{},"target":"b"}]}"#,
        expect!["`edges[0].source` is an object; make it a string"],
    );
    check(
        r#"{"nodes":[],"edges":["a"]}"#,
        expect!["`edges[0]` is a string; make it an object"],
    );
}

#[test]
fn refuses_deep_nesting_wherever_it_is() {
    let nested = |levels: usize| {
        format!(
            r#"{{"nodes":[],"edges":[],"x":{}{}}}"#,
            "[".repeat(levels),
            "]".repeat(levels)
        )
    };
    assert!(FlowData::parse(&nested(MAX_DEPTH - 1)).is_ok());
    check(
        &nested(MAX_DEPTH),
        expect!["the JSON is nested deeper than 64 levels at byte 90; flatten it and send it again"],
    );
    // Depth wins over what the reader could no longer see.
    check(
        &format!(
            r#"{{"x":{}1{},"nodes":5}}"#,
            "{\"a\":".repeat(100_000),
            "}".repeat(100_000)
        ),
        expect!["the JSON is nested deeper than 64 levels at byte 320; flatten it and send it again"],
    );
}

#[test]
fn depth_ignores_brackets_in_strings_and_works_on_any_bytes() {
    let depth_of = |text: &str| {
        (0..)
            .find(|max| check_depth(text.as_bytes(), *max).is_ok())
            .unwrap()
    };
    assert_eq!(depth_of(""), 0);
    assert_eq!(depth_of("1"), 0);
    assert_eq!(depth_of("{}"), 1);
    assert_eq!(depth_of(r#"{"a":[[1],{"b":"[[[[\"[[[["}]}"#), 3);
    assert_eq!(depth_of(r#"["\\",[["#), 3);
    assert_eq!(depth_of("]]]][["), 2);
    assert!(check_depth(&[b'[', 0xff, b'"', b'\\'], 1).is_ok());
    for padding in 0..20 {
        // The quote lands at every place of the eight-byte step.
        assert_eq!(depth_of(&format!(r#"["{}[",[]]"#, "é ".repeat(padding))), 2);
    }
}

#[test]
fn serialises_as_it_came() {
    #[derive(serde::Serialize, serde::Deserialize)]
    struct Body {
        name: String,
        data: Option<FlowData>,
    }
    let text = r#"{"name":"x","data":{ "nodes":[ ],"edges":[], "n":1.50e+2, "big":123456789012345678901234567890 }}"#;
    let body: Body = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&body).unwrap(), text);
    assert!(
        serde_json::from_str::<Body>(r#"{"name":"x","data":null}"#)
            .unwrap()
            .data
            .is_none()
    );
    let error = serde_json::from_str::<Body>(r#"{"name":"x","data":{"nodes":[]}}"#)
        .err()
        .unwrap();
    assert!(error.to_string().starts_with("`edges` is missing"), "{error}");
}

#[test]
fn debug_shows_no_content() {
    let flow = FlowData::parse(r#"{"nodes":[{"id":"sk-secret"}],"edges":[]}"#).unwrap();
    assert!(!format!("{flow:?}").contains("sk-secret"));
}
