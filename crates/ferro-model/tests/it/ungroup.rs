use expect_test::{Expect, expect};
use ferro_model::{read, ungroup};

use crate::fixtures::flow;
use crate::read::render;

fn check(text: &str, expected: Expect) {
    let data = flow(text);
    expected.assert_eq(&render(&ungroup(read(&data))));
}

/// A group `G` with one inner node and two fields of it shown.
fn group(inner: &str, id: &str) -> String {
    format!(
        r#"{{"id":"{id}","type":"genericNode","position":{{"x":0,"y":0}},"data":{{"type":"GroupNode","node":{{"display_name":"Group",
            "template":{{"shown":{{"type":"str","display_name":"Outer","value":"outside","show":false,"input_types":["Message"],"proxy":{{"id":"{inner}","field":"text"}}}},
                         "lost":{{"type":"str","value":"x","proxy":{{"id":"nobody","field":"text"}}}}}},
            "outputs":[{{"name":"{inner}_out","types":["Message"],"proxy":{{"id":"{inner}","name":"out"}}}}],
            "flow":{{"data":{{"nodes":[{{"id":"{inner}","type":"genericNode","position":{{"x":0,"y":0}},"data":{{"type":"Inner","node":{{"display_name":"Inner",
                "template":{{"text":{{"type":"str","display_name":"Text","value":"inside"}}}},"outputs":[{{"name":"out","types":["Message"]}}]}}}}}}],"edges":[]}}}}}}}}}}"#
    )
}

fn wire(source: &str, output: &str, target: &str, field: &str) -> String {
    format!(
        r#"{{"source":"{source}","target":"{target}","data":{{"sourceHandle":{{"id":"{source}","name":"{output}","output_types":["Message"]}},
            "targetHandle":{{"id":"{target}","fieldName":"{field}","inputTypes":["Message"],"type":"str"}}}}}}"#
    )
}

#[test]
fn wires_and_values_lead_inside() {
    let (one, two) = (group("a_1", "G"), group("b", "H"));
    let wires = [wire("G", "a_1_out", "H", "shown"), wire("H", "none", "G", "gone")].join(",");
    check(
        &format!(r#"{{"nodes":[{one},{two}],"edges":[{wires}]}}"#),
        expect![[r#"
            Component a_1 [Inner] "Inner" at (0, 0)
              text "Text" str = "outside"
              > out "out" Message
            Component b [Inner] "Inner" at (0, 0)
              text "Text" str = "outside"
              > out "out" Message
            a_1.out -> b.text
            H.none -> G.gone
            ! edges[1] enters the group `G` by a field it does not have; draw the wire again
        "#]],
    );
}

#[test]
fn an_id_that_is_taken_gets_the_groups_in_front() {
    let (one, two) = (group("same", "G"), group("same", "H"));
    let wires = wire("G", "same_out", "H", "shown");
    check(
        &format!(r#"{{"nodes":[{one},{two}],"edges":[{wires}]}}"#),
        expect![[r#"
            Component same [Inner] "Inner" at (0, 0)
              text "Text" str = "outside"
              > out "out" Message
            Component H/same [Inner] "Inner" at (0, 0)
              text "Text" str = "outside"
              > out "out" Message
            same.out -> H/same.text
        "#]],
    );
}

#[test]
fn groups_in_groups_open_too() {
    let inner = group("leaf", "mid");
    let outer = format!(
        r#"{{"id":"G","type":"genericNode","position":{{"x":0,"y":0}},"data":{{"type":"GroupNode","node":{{
            "template":{{"top":{{"type":"str","value":"from the top","proxy":{{"id":"mid","field":"shown"}}}}}},
            "outputs":[{{"name":"mid_leaf_out","types":["Message"],"proxy":{{"id":"mid","name":"leaf_out"}}}}],
            "flow":{{"data":{{"nodes":[{inner}],"edges":[]}}}}}}}}}}"#
    );
    check(
        &format!(
            r#"{{"nodes":[{outer}],"edges":[{}]}}"#,
            wire("G", "mid_leaf_out", "x", "y")
        ),
        expect![[r#"
            Component leaf [Inner] "Inner" at (0, 0)
              text "Text" str = "from the top"
              > out "out" Message
            leaf.out -> x.y
        "#]],
    );
}
