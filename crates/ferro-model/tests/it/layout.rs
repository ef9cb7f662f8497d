use std::fmt::Write as _;

use expect_test::{Expect, expect};
use ferro_model::layout::layout;
use ferro_model::{FlowData, read};

use crate::fixtures::{LOOP, built};

fn check(data: &FlowData, expected: Expect) {
    let view = read(data);
    let mut text = String::new();
    for (node, place) in view.nodes.iter().zip(layout(&view)) {
        writeln!(text, "{} {} {}", node.id, place.x, place.y).unwrap();
    }
    expected.assert_eq(&text);
}

#[test]
fn a_node_stands_behind_all_that_feed_it() {
    let fan = "nodes:\n A: ChatInput\n B: Prompt Template\n C: Prompt Template\n D: Agent\n E: ChatOutput\nedges:\n A.message -> B.topic\n A.message -> D.input_value\n B.prompt -> C.topic\n D.response -> E.input_value";
    check(
        &built(fan),
        expect![[r#"
            ChatInput-00001 0 0
            Prompt Template-00002 480 -175
            Prompt Template-00003 960 -175
            Agent-00004 480 175
            ChatOutput-00005 960 175
        "#]],
    );
}

#[test]
fn what_only_a_cycle_leads_to_comes_last() {
    check(
        &built(LOOP),
        expect![[r#"
            URLComponent-00001 0 0
            LoopComponent-00002 480 0
            ParserComponent-00003 960 0
            ParserComponent-00004 1440 0
            ChatOutput-00005 1920 0
        "#]],
    );
}

#[test]
fn a_built_flow_has_its_layout() {
    let data = built(LOOP);
    let view = read(&data);
    let places: Vec<_> = view.nodes.iter().filter_map(|node| node.position).collect();
    assert_eq!(places, layout(&view));
}
