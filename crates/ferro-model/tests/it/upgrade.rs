use expect_test::{Expect, expect};
use ferro_model::{FlowData, diff, read, upgrade};
use proptest::prelude::*;

use crate::fixtures::{ECHO, LOOP, built, flow, registry};
use crate::properties::document;

/// The notes, and the wires afterwards.
fn check(data: &FlowData, expected: Expect) {
    let (new, notes) = upgrade(data, &registry());
    assert_eq!(upgrade(&new, &registry()), (new.clone(), Vec::new()));
    let mut text = String::new();
    for note in notes {
        text.push_str(&format!("{} [{}] {}\n", note.code, note.node, note.message));
    }
    for edge in &read(&new).edges {
        text.push_str(&format!("{}\n", edge.json.as_str()));
    }
    expected.assert_eq(&text);
}

#[test]
fn what_is_new_stays() {
    for spec in [ECHO, LOOP] {
        let data = built(spec);
        assert_eq!(upgrade(&data, &registry()), (data, Vec::new()));
    }
}

#[test]
fn handles() {
    let node = |id: &str, kind: &str| {
        format!(
            r#"{{"id":"{id}","type":"genericNode","position":{{"x":0,"y":0}},"data":{{"type":"{kind}","node":{{"template":{{}}}}}}}}"#
        )
    };
    let nodes = format!("{},{}", node("a", "Prompt"), node("b", "ChatOutput"));
    let with = |edge: &str| flow(&format!(r#"{{"nodes":[{nodes}],"edges":[{edge}]}}"#));
    // Spaces, an id made of handles, no copy, and a key nobody knows.
    check(
        &with(
            r#"{"source":"a","target":"b","sourceHandle":"{œnameœ: œpromptœ, œidœ: œaœ, œextraœ: 1}","targetHandle":"{œfieldNameœ:œinput_valueœ,œidœ:œbœ}","id":"reactflow__edge-a{œnameœ: œpromptœ, œidœ: œaœ, œextraœ: 1}-b{œfieldNameœ:œinput_valueœ,œidœ:œbœ}","mine":[1.0]}"#,
        ),
        expect![[r#"
            outputs_added [a] Prompt got the outputs of its component.
            outputs_added [b] ChatOutput got the outputs of its component.
            handle_rewritten [b] A wire's `sourceHandle` is now written as the canvas writes it.
            handle_copied [b] A wire got the copy of its `sourceHandle` that runs read.
            handle_copied [b] A wire got the copy of its `targetHandle` that runs read.
            {"source":"a","target":"b","sourceHandle":"{œextraœ:1,œidœ:œaœ,œnameœ:œpromptœ}","targetHandle":"{œfieldNameœ:œinput_valueœ,œidœ:œbœ}","id":"reactflow__edge-a{œextraœ:1,œidœ:œaœ,œnameœ:œpromptœ}-b{œfieldNameœ:œinput_valueœ,œidœ:œbœ}","mine":[1.0],"data":{"sourceHandle":{"extra":1,"id":"a","name":"prompt"},"targetHandle":{"fieldName":"input_value","id":"b"}}}
        "#]],
    );
    // From before outputs had names.
    check(
        &with(
            r#"{"source":"a","target":"b","sourceHandle":"{œbaseClassesœ:[œMessageœ,œobjectœ],œdataTypeœ:œPromptœ,œidœ:œaœ}","targetHandle":"{œfieldNameœ:œinput_valueœ,œidœ:œbœ}","data":{}}"#,
        ),
        expect![[r#"
            outputs_added [a] Prompt got the outputs of its component.
            outputs_added [b] ChatOutput got the outputs of its component.
            handle_named [b] The wire from Prompt now leaves by the output `prompt`.
            handle_copied [b] A wire got the copy of its `sourceHandle` that runs read.
            handle_copied [b] A wire got the copy of its `targetHandle` that runs read.
            {"source":"a","target":"b","sourceHandle":"{œdataTypeœ:œPromptœ,œidœ:œaœ,œnameœ:œpromptœ,œoutput_typesœ:[œMessageœ]}","targetHandle":"{œfieldNameœ:œinput_valueœ,œidœ:œbœ}","data":{"sourceHandle":{"dataType":"Prompt","id":"a","name":"prompt","output_types":["Message"]},"targetHandle":{"fieldName":"input_value","id":"b"}}}
        "#]],
    );
    // What cannot be told is left alone.
    check(
        &with(
            r#"{"source":"a","target":"b","sourceHandle":"{œbaseClassesœ:[œToolœ],œidœ:œaœ}","targetHandle":"approve","data":{"sourceHandle":{"baseClasses":["Tool"],"id":"a"}}}"#,
        ),
        expect![[r#"
            outputs_added [a] Prompt got the outputs of its component.
            outputs_added [b] ChatOutput got the outputs of its component.
            {"source":"a","target":"b","sourceHandle":"{œbaseClassesœ:[œToolœ],œidœ:œaœ}","targetHandle":"approve","data":{"sourceHandle":{"baseClasses":["Tool"],"id":"a"}}}
        "#]],
    );
}

proptest! {
    #[test]
    fn twice_is_once_and_nothing_is_lost(data in document()) {
        let (new, notes) = upgrade(&data, &registry());
        prop_assert_eq!(upgrade(&new, &registry()), (new.clone(), Vec::new()));
        prop_assert_eq!(notes.is_empty(), new == data);
        let found = diff(&data, &new);
        prop_assert!(found.nodes_added.is_empty() && found.nodes_removed.is_empty(), "{}", found.text);
        prop_assert_eq!(read(&data).edges.len(), read(&new).edges.len());
    }
}
