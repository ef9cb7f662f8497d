//! Nodes with Python of their own: what they say of themselves is all there is to know of their type.

use std::sync::Arc;

use ferro_model::read::read;
use ferro_model::{
    Descriptor, Document, Edit, FieldSpec, OutputSpec, Registry, apply, can_connect, problems,
};
use serde_json::{Value, json};

use crate::fixtures::{flow, registry};

fn component() -> Value {
    json!({
        "display_name": "Count",
        "description": "Counts.",
        "icon": "hash",
        "beta": true,
        "field_order": ["text", "how"],
        "template": {
            "_type": "Component",
            "code": { "type": "code", "name": "code", "value": "class Count(Component): ..." },
            "how": { "type": "str", "_input_type": "DropdownInput", "options": ["a", "b"], "value": "a", "advanced": true },
            "text": {
                "type": "str", "_input_type": "MessageTextInput", "display_name": "Text", "input_types": ["Message"],
                "tool_mode": true, "required": true, "value": "",
            },
            "key": { "type": "str", "password": true, "load_from_db": true, "value": "KEY", "show": false },
            "tools_metadata": { "type": "tools", "value": [] },
            "odd": 3,
        },
        "outputs": [
            { "name": "count", "display_name": "Count", "method": "count", "types": ["Made Up"] },
            { "name": "rest", "method": "rest", "types": ["JSON", "Message"], "tool_mode": false, "hidden": true },
            { "types": ["no name"] },
        ],
    })
}

#[test]
fn a_descriptor_can_be_read_from_a_node() {
    let descriptor = Descriptor::from_node("Count", &component());
    assert_eq!(
        (descriptor.r#type.as_str(), descriptor.display_name.as_str()),
        ("Count", "Count")
    );
    assert!(descriptor.beta && descriptor.by_code && descriptor.routes && !descriptor.legacy);
    let fields: Vec<&str> = descriptor
        .fields
        .iter()
        .map(|field| field.name.as_str())
        .collect();
    assert_eq!(fields, ["text", "how", "key"], "in their order, and only fields");
    let text = descriptor.find_field("text").unwrap();
    assert!(text.tool_mode && text.required && text.show);
    assert_eq!(
        (&*text.class, text.input_types.as_slice()),
        ("MessageTextInput", &["Message".into()][..])
    );
    let key = descriptor.find_field("key").unwrap();
    assert!(key.password && !key.show);
    assert_eq!(descriptor.find_field("how").unwrap().options, ["a", "b"]);
    let outputs: Vec<&str> = descriptor
        .outputs
        .iter()
        .map(|output| output.name.as_str())
        .collect();
    assert_eq!(outputs, ["count", "rest"]);
    assert_eq!(descriptor.outputs[0].types, ["Made Up"]);
    let rest = &descriptor.outputs[1];
    assert!(rest.hidden && !rest.tool_mode);
    assert_eq!(rest.display_name, "rest");
    assert!(descriptor.tool_capable());
}

#[test]
fn built_in_nodes_say_what_their_descriptors_do() {
    for known in registry().iter() {
        let read = Descriptor::from_node(&known.r#type, &known.to_node());
        let names = |fields: &[FieldSpec]| -> Vec<(String, String, bool)> {
            let one = |field: &FieldSpec| (field.name.clone(), field.r#type.to_string(), field.tool_mode);
            fields.iter().map(one).collect()
        };
        assert_eq!(names(&read.fields), names(&known.fields), "{}", known.r#type);
        let outputs: Vec<Value> = read.outputs.iter().map(OutputSpec::to_json).collect();
        let own: Vec<Value> = known.outputs.iter().map(OutputSpec::to_json).collect();
        assert_eq!(outputs, own, "{}", known.r#type);
    }
}

#[test]
fn new_nodes_of_a_persons_own_component_are_the_node_it_was_read_from() {
    let known = Arc::new(Descriptor::of_fresh("Count", Arc::new(component())));
    assert!(known.by_code && known.find_output("count").is_some());
    let registry = Registry::new(registry().iter().cloned().chain([known]));
    let mut document = Document::new(&flow(r#"{"nodes":[],"edges":[]}"#));
    let add = Edit::Add {
        r#type: "Count".to_owned(),
        id: None,
        x: 1.0,
        y: 2.0,
    };
    let added = apply(&mut document, &registry, add, &mut || "abcde".to_owned()).unwrap();
    assert_eq!(added.node.as_deref(), Some("Count-abcde"));
    let node: Value = serde_json::from_str(document.node_text("Count-abcde").unwrap()).unwrap();
    assert_eq!(
        (&node["data"]["type"], &node["data"]["node"]),
        (&json!("Count"), &component())
    );
    let spec = "nodes:\n  A: Count";
    let built = ferro_model::spec::build_flow_from_spec(spec, &registry, &mut || "abcde".to_owned()).unwrap();
    let view = read(&built.data);
    assert_eq!(
        view.nodes[0].code().as_deref(),
        Some("class Count(Component): ...")
    );
}

#[test]
fn in_tool_mode_a_node_does_not_say_its_outputs() {
    let mut node = component();
    node["outputs"] = json!([OutputSpec::toolset().to_json()]);
    assert!(Descriptor::from_node("Count", &node).outputs.is_empty());
    // An output that is only called so is one of its own.
    node["outputs"][0]["method"] = json!("get_x");
    assert_eq!(Descriptor::from_node("Count", &node).outputs.len(), 1);
    for odd in [
        json!(null),
        json!([]),
        json!({ "template": 3, "outputs": {} }),
        json!("x"),
    ] {
        let read = Descriptor::from_node("Odd", &odd);
        assert!(read.fields.is_empty() && read.outputs.is_empty());
    }
}

fn own_flow() -> ferro_model::FlowData {
    let node = |id: &str, r#type: &str, component: Value| {
        json!({
            "id": id, "type": "genericNode", "position": { "x": 0, "y": 0 },
            "data": { "id": id, "type": r#type, "node": component },
        })
    };
    let registry = registry();
    let known = |r#type: &str| registry.get(r#type).unwrap().to_node();
    let mut count = component();
    count["outputs"][0]["types"] = json!(["Message"]);
    let nodes = [
        node("in", "ChatInput", known("ChatInput")),
        node("own", "Count", count),
        node("out", "ChatOutput", known("ChatOutput")),
    ];
    flow(&json!({ "nodes": nodes, "edges": [] }).to_string())
}

#[test]
fn it_is_wired_configured_and_used_as_a_tool_like_any_other() {
    let registry = registry();
    let mut document = Document::new(&own_flow());
    let mut ids = || "x".to_owned();
    let mut edit = |edit: Value| -> Result<(), String> {
        let edit: Edit = serde_json::from_value(edit).unwrap();
        let done = apply(&mut document, &registry, edit, &mut ids);
        done.map(|_| ()).map_err(|error| error.to_string())
    };
    let wire = |from: &str, output: &str, to: &str, input: &str| json!({ "op": "connect", "source": from, "output": output, "target": to, "input": input });
    edit(wire("in", "message", "own", "text")).unwrap();
    edit(wire("own", "count", "out", "input_value")).unwrap();
    edit(json!({ "op": "configure", "node": "own", "values": { "how": "b" } })).unwrap();
    let same = json!({ "code": "class Count(Component): ..." });
    edit(json!({ "op": "configure", "node": "own", "values": same })).unwrap();
    edit(json!({ "op": "tool_mode", "node": "own", "on": true })).unwrap();
    let refused = edit(json!({ "op": "tool_mode", "node": "own", "on": false })).unwrap_err();
    assert!(refused.contains("in its Python code"), "{refused}");
    let data = document.to_data().unwrap();
    let view = read(&data);
    let own = view.nodes.iter().find(|node| node.id == "own").unwrap();
    assert!(own.tool_mode && own.outputs[0].is_toolset() && !own.edited);
    assert_eq!(own.code().as_deref(), Some("class Count(Component): ..."));
    assert_eq!(own.component()["template"]["how"]["value"], "b");
}

#[test]
fn new_code_makes_the_node_an_edited_one() {
    let mut document = Document::new(&own_flow());
    let configure = |code: &str| {
        let edit = json!({ "op": "configure", "node": "own", "values": { "code": code } });
        serde_json::from_value::<Edit>(edit).unwrap()
    };
    let edited = |document: &Document| document.node("own").unwrap().edited;
    let before = document.to_data().unwrap();
    apply(
        &mut document,
        &registry(),
        configure("class Count(Component): ..."),
        &mut String::new,
    )
    .unwrap();
    assert!(!edited(&document), "the same code is no edit");
    let done = apply(
        &mut document,
        &registry(),
        configure("class Other(Component): ..."),
        &mut String::new,
    )
    .unwrap();
    assert!(edited(&document));
    apply(&mut document, &registry(), done.inverse, &mut String::new).unwrap();
    assert_eq!(document.to_data().unwrap().as_str(), before.as_str());
}

#[test]
fn its_ports_are_its_own() {
    let data = own_flow();
    let view = read(&data);
    assert!(can_connect(&view, &registry(), "own", "count", "out", "input_value").is_ok());
    assert!(can_connect(&view, &registry(), "own", "made_up", "out", "input_value").is_err());
}

#[test]
fn a_custom_component_without_code_is_a_problem() {
    let custom = Descriptor::new("CustomComponent", "Custom Component")
        .field(FieldSpec::code("code", "Code", "class X(Component): ..."))
        .output(OutputSpec::new("out", "Out", "go", &["Message"]))
        .by_code();
    let registry = Registry::new([Arc::new(custom.clone())]);
    let data = |component: Value| {
        let node = json!({
            "id": "c", "type": "genericNode", "position": { "x": 0, "y": 0 },
            "data": { "id": "c", "type": "CustomComponent", "node": component },
        });
        flow(&json!({ "nodes": [node], "edges": [] }).to_string())
    };
    let codes = |component: Value| -> Vec<&'static str> {
        problems(&data(component), &registry, None)
            .iter()
            .map(|problem| problem.code)
            .collect()
    };
    assert_eq!(codes(custom.to_node()), [""; 0]);
    let mut empty = custom.to_node();
    empty["template"]["code"]["value"] = json!("  \n");
    assert_eq!(codes(empty), ["missing_code"]);
}

/// What the palette says of a new node says nothing of one whose code was changed.
#[test]
fn the_registry_does_not_speak_for_nodes_that_are_their_code() {
    let custom = Descriptor::new("CustomComponent", "Custom Component")
        .field(FieldSpec::message_text("input_value", "Input").tool())
        .output(OutputSpec::new("out", "Out", "go", &["Message"]))
        .by_code();
    let input = Descriptor::new("In", "In").output(OutputSpec::new("out", "Out", "go", &["Message"]));
    let registry = Registry::new([Arc::new(custom.clone()), Arc::new(input.clone())]);
    let mut changed = custom.to_node();
    changed["template"] = json!({
        "code": { "type": "code", "value": "class X(Component): ..." },
        "input_value": { "type": "str", "value": "", "show": true, "input_types": [] },
    });
    let node = |id: &str, r#type: &str, component: Value| {
        json!({
            "id": id, "type": "genericNode", "position": { "x": 0, "y": 0 },
            "data": { "id": id, "type": r#type, "node": component },
        })
    };
    let nodes = [
        node("in", "In", input.to_node()),
        node("c", "CustomComponent", changed),
        node("d", "In", input.to_node()),
    ];
    let data = flow(&json!({ "nodes": nodes, "edges": [] }).to_string());
    let view = read(&data);
    assert!(can_connect(&view, &registry, "in", "out", "c", "input_value").is_err());
    assert!(can_connect(&view, &registry, "c", "component_as_tool", "d", "x").is_err());
}

/// Python that stops some of its outputs can end a circle.
#[test]
fn a_circle_through_several_outputs_of_code_can_end() {
    let mut data: Value = serde_json::from_str(own_flow().as_str()).unwrap();
    let edge = |from: &str, output: &str, to: &str, field: &str| {
        json!({
            "source": from, "target": to,
            "data": {
                "sourceHandle": { "dataType": "X", "id": from, "name": output, "output_types": ["Message"] },
                "targetHandle": { "fieldName": field, "id": to, "inputTypes": ["Message"], "type": "str" },
            },
        })
    };
    data["edges"] = json!([
        edge("own", "count", "out", "input_value"),
        edge("out", "message", "own", "text")
    ]);
    let endless = |data: &Value| {
        let found = problems(&flow(&data.to_string()), &registry(), None);
        found.iter().any(|problem| problem.code == "endless_cycle")
    };
    assert!(!endless(&data));
    data["nodes"][1]["data"]["node"]["outputs"]
        .as_array_mut()
        .unwrap()
        .truncate(1);
    assert!(endless(&data));
}
