//! Two people at one flow.

use super::*;
use crate::fake::{chatbot, chatbot_with, flow_of, parse};

/// The flow with one text in the place of another.
fn with(flow: &FlowData, from: &str, to: &str) -> FlowData {
    assert!(flow.as_str().contains(from), "{from} is not in the flow");
    parse(&flow.as_str().replacen(from, to, 1))
}

/// Without one node and its wires.
fn without(flow: &FlowData, id: &str) -> FlowData {
    let mut json: serde_json::Value = serde_json::from_str(flow.as_str()).unwrap();
    json["nodes"]
        .as_array_mut()
        .unwrap()
        .retain(|node| node["id"] != id);
    json["edges"]
        .as_array_mut()
        .unwrap()
        .retain(|edge| edge["source"] != id && edge["target"] != id);
    parse(&json.to_string())
}

fn found(began: &FlowData, ours: &FlowData, saved: &FlowData) -> Vec<String> {
    let all = conflicts(began, ours, saved, Counts::Ours).into_iter();
    all.map(|one| {
        format!("{} {}", one.component_id, one.field.unwrap_or_default())
            .trim()
            .to_owned()
    })
    .collect()
}

#[test]
fn only_what_both_touched_and_left_differently() {
    let began = chatbot();
    let kind = "You are kind.";
    let (mine, theirs) = (with(&began, kind, "Be brief."), with(&began, kind, "Be long."));
    let moved = with(&began, "\"position\":{\"x\":0", "\"position\":{\"x\":7");
    let named = with(
        &began,
        "\"display_name\":\"Agent\"",
        "\"display_name\":\"Helper\"",
    );
    let gone = without(&began, "Agent-00002");
    let table: [(&str, &FlowData, &FlowData, &[&str]); 8] = [
        ("the same field", &mine, &theirs, &["Agent-00002 system_prompt"]),
        ("the same value", &mine, &mine, &[]),
        ("only the turn", &mine, &began, &[]),
        ("only somebody else", &began, &theirs, &[]),
        ("another place", &mine, &moved, &[]),
        ("another thing of the node", &mine, &named, &[]),
        (
            "the turn removes what was changed",
            &gone,
            &theirs,
            &["Agent-00002"],
        ),
        (
            "the turn changes what was removed",
            &mine,
            &gone,
            &["Agent-00002"],
        ),
    ];
    for (what, ours, saved, expected) in table {
        assert_eq!(found(&began, ours, saved), expected, "{what}");
    }
}

#[test]
fn a_new_wire_to_a_node_that_is_gone() {
    let wire = "A.message -> C.input_value";
    let spec = |wire: &str| {
        format!(
            "nodes:\n  A: ChatInput\n  B: Agent\n  C: ChatOutput\nedges:\n  A.message -> B.input_value\n  {wire}\n"
        )
    };
    let (began, ours) = (flow_of(&spec("")), flow_of(&spec(wire)));
    let gone = without(&began, "ChatOutput-00003");
    assert_eq!(found(&began, &ours, &gone), ["ChatOutput-00003"]);
}

#[test]
fn secrets_are_not_told() {
    let began = chatbot_with("B.api_key: sk-began");
    let ours = with(&began, "sk-began", "sk-ours");
    let saved = with(&began, "sk-began", "sk-saved");
    let told = conflicts(&began, &ours, &saved, Counts::Ours);
    assert_eq!(told.len(), 1);
    assert!(!format!("{told:?}").contains("sk-"), "{told:?}");
}

#[test]
fn many_are_told_in_few_words_and_in_time() {
    let node = |id: usize, value: &str| {
        format!(
            r#"{{"id":"N-{id}","type":"genericNode","position":{{"x":0,"y":0}},"data":{{"id":"N-{id}","type":"N","node":{{"display_name":"N","template":{{"text":{{"type":"str","value":"{value}"}}}},"outputs":[]}}}}}}"#
        )
    };
    let flow = |value: &str| {
        let nodes: Vec<String> = (0..2000).map(|id| node(id, value)).collect();
        parse(&format!(r#"{{"nodes":[{}],"edges":[]}}"#, nodes.join(",")))
    };
    let told = conflicts(&flow("a"), &flow("b"), &flow("c"), Counts::Theirs);
    assert_eq!(told.len(), SHOWN + 1);
    assert!(told[0].message.contains("until you take"), "{}", told[0].message);
    assert!(
        told[SHOWN].message.contains("1980 more"),
        "{}",
        told[SHOWN].message
    );
}
