//! A Run Flow node has the inputs and outputs of the flow it runs.

use std::sync::Arc;

use ferro_components::inner_flow;
use ferro_model::{FlowData, Registry, spec};
use serde_json::{Value as Json, json};

use crate::harness::{all, find};

const CHAT: &str = "
nodes:
  ask: ChatInput
  hint: TextInput
  out: ChatOutput
  note: TextOutput
edges:
  ask.message -> out.input_value
  hint.text -> note.input_value
config:
  ask.input_value: Good morning
";

fn registry() -> Registry {
    Registry::new(all().iter().map(|component| Arc::new(component.descriptor())))
}

/// Node `a` of type `T` has the id `T-0000a`.
fn flow(text: &str) -> FlowData {
    let names: Vec<_> = spec::parse(text)
        .unwrap()
        .nodes
        .iter()
        .map(|node| format!("{:0>5}", node.id))
        .collect();
    let mut names = names.into_iter();
    let built = spec::build_flow_from_spec(text, &registry(), &mut || names.next().unwrap());
    built.unwrap_or_else(|error| panic!("{}", error.details)).data
}

fn shown(node: &mut Json, text: &str) {
    inner_flow::show(node, &flow(text), &registry());
}

fn fresh() -> Json {
    find("RunFlow").descriptor().to_node()
}

/// Inner fields that are not put away under the advanced ones.
fn inputs(node: &Json) -> Vec<&str> {
    let template = node["template"].as_object().unwrap().iter();
    let inner = template.filter(|(name, entry)| name.contains('~') && entry["advanced"] == false);
    inner.map(|(name, _)| name.as_str()).collect()
}

fn outputs(node: &Json) -> Vec<&str> {
    let outputs = node["outputs"].as_array().unwrap().iter();
    let visible = outputs.filter(|output| output["hidden"] == false);
    visible.map(|output| output["name"].as_str().unwrap()).collect()
}

#[test]
fn one_field_per_input_and_one_output_per_answer() {
    let mut node = fresh();
    shown(&mut node, CHAT);
    assert_eq!(
        inputs(&node),
        ["ChatInput-00ask~input_value", "TextInput-0hint~input_value"]
    );
    assert_eq!(
        outputs(&node),
        ["ChatOutput-00out~message", "TextOutput-0note~text"]
    );
    let asked = &node["template"]["ChatInput-00ask~input_value"];
    assert_eq!(asked["display_name"], "Input Text (Chat Input)");
    assert_eq!(asked["value"], "Good morning");
    assert_eq!(asked["tool_mode"], true);
    assert_eq!(
        asked["input_types"],
        json!(["Message"]),
        "although Chat Input takes no wire"
    );
    assert_eq!(node["outputs"][0]["display_name"], "Chat Output");
    assert_eq!(node["outputs"][0]["types"], json!(["Message"]));
    assert_eq!(
        node["outputs"][0]["group_outputs"], true,
        "each has its own handle"
    );
    let own = &node["template"]["input_value"];
    assert_eq!(
        (&own["advanced"], &own["tool_mode"]),
        (&json!(true), &json!(false))
    );
    let sender = &node["template"]["ChatInput-00ask~sender"];
    assert_eq!(
        (&sender["advanced"], &sender["tool_mode"]),
        (&json!(true), &json!(false))
    );
    let order = node["field_order"].as_array().unwrap();
    assert!(order.contains(&json!("TextInput-0hint~input_value")));
}

#[test]
fn refreshing_keeps_what_was_set_and_follows_what_was_not() {
    let mut node = fresh();
    shown(&mut node, CHAT);
    node["template"]["TextInput-0hint~input_value"]["value"] = "mine".into();
    let outputs_before = node["outputs"].clone();
    let changed = CHAT.replace("Good morning", "Good evening");
    shown(&mut node, &changed);
    assert_eq!(node["template"]["TextInput-0hint~input_value"]["value"], "mine");
    assert_eq!(
        node["template"]["ChatInput-00ask~input_value"]["value"],
        "Good evening"
    );
    assert_eq!(node["outputs"], outputs_before, "wires stay where they are");
    let once = node.clone();
    shown(&mut node, &changed);
    assert_eq!(node, once);
}

#[test]
fn another_flow_has_other_fields() {
    let mut node = fresh();
    shown(&mut node, CHAT);
    shown(
        &mut node,
        "nodes:\n  in: TextInput\n  more: TextInput\nedges:\n  in.text -> more.input_value\n",
    );
    assert_eq!(
        inputs(&node),
        ["TextInput-000in~input_value"],
        "the other one is wired"
    );
    assert_eq!(
        node["template"]["TextInput-000in~input_value"]["display_name"],
        "Text (Text Input 000in)"
    );
    assert!(!node["field_order"].to_string().contains("ChatInput"));
    assert_eq!(
        outputs(&node),
        ["TextInput-0more~text"],
        "without outputs the last nodes answer"
    );
    inner_flow::clear(&mut node);
    assert_eq!(node["template"], fresh()["template"]);
    assert_eq!(outputs(&node), ["flow_output"]);
}

#[test]
fn what_was_typed_before_the_flow_was_chosen_goes_to_its_input() {
    let mut node = fresh();
    node["template"]["input_value"]["value"] = "typed".into();
    shown(&mut node, CHAT);
    assert_eq!(node["template"]["ChatInput-00ask~input_value"]["value"], "typed");
    assert_eq!(node["template"]["input_value"]["value"], "");
}

#[test]
fn secrets_stay_in_their_flow() {
    let mut inner: Json = serde_json::from_str(flow(CHAT).as_str()).unwrap();
    let hint = &mut inner["nodes"][1]["data"]["node"]["template"]["input_value"];
    hint["password"] = true.into();
    hint["value"] = "hunter2".into();
    let mut node = fresh();
    inner_flow::show(
        &mut node,
        &FlowData::parse(&inner.to_string()).unwrap(),
        &registry(),
    );
    assert_eq!(node["template"]["TextInput-0hint~input_value"]["value"], "");
    assert!(!node.to_string().contains("hunter2"));
}

#[test]
fn a_tool_keeps_its_output() {
    let mut node = fresh();
    node["tool_mode"] = true.into();
    node["outputs"] = json!([{ "name": "component_as_tool" }]);
    shown(&mut node, CHAT);
    assert_eq!(node["outputs"], json!([{ "name": "component_as_tool" }]));
    assert_eq!(inputs(&node).len(), 2);
}

#[test]
fn odd_nodes_are_left_alone() {
    for mut node in [
        json!(null),
        json!({}),
        json!({ "template": 3, "field_order": {} }),
        json!({ "template": { "a~b": 1, "input_value": [] } }),
    ] {
        shown(&mut node, CHAT);
        inner_flow::clear(&mut node);
    }
}
