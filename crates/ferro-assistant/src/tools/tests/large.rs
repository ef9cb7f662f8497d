//! A canvas of 2,000 nodes.

use ferro_model::FlowData;
use serde_json::{Value as Json, json};

use super::bench::Bench;
use crate::event::FlowUpdate;
use crate::fake::flow_of;

const NODES: usize = 2000;

fn large() -> FlowData {
    let one = flow_of("nodes:\n  A: Agent\n");
    let flow: Json = serde_json::from_str(one.as_str()).unwrap();
    let nodes: Vec<Json> = (0..NODES)
        .map(|number| {
            let mut node = flow["nodes"][0].clone();
            let id = format!("Agent-{number:05}");
            node["id"] = json!(id);
            node["data"]["id"] = json!(id);
            node["position"] = json!({ "x": (number % 50) * 480, "y": (number / 50) * 350 });
            node
        })
        .collect();
    FlowData::parse(&json!({ "nodes": nodes, "edges": [] }).to_string()).unwrap()
}

/// Answers stay short, whatever the size of the flow.
#[tokio::test]
async fn answers_do_not_grow_with_the_flow() {
    let mut bench = Bench::on(large());
    let added = bench
        .call("add_component", json!({ "component_type": "ChatInput" }))
        .await
        .unwrap();
    let id = added["id"].as_str().unwrap();
    for (tool, call) in [
        (
            "connect_components",
            json!({ "source_id": id, "source_output": "message", "target_id": "Agent-00007", "target_input": "input_value" }),
        ),
        (
            "configure_component",
            json!({ "component_id": "Agent-01999", "params": { "system_prompt": "x" } }),
        ),
        (
            "rename_component",
            json!({ "component_id": "Agent-01999", "name": "Last" }),
        ),
        ("describe_flow_io", json!({})),
        ("get_field_value", json!({ "component_id": "Agent-01000" })),
        ("remove_component", json!({ "component_id": "Agent-00003" })),
    ] {
        let text = bench.call(tool, call).await.unwrap().to_string();
        assert!(text.len() < 1500, "{tool}: {} bytes", text.len());
    }
    let refusal = bench
        .refusal("remove_component", json!({ "component_id": "Nobody" }))
        .await;
    assert!(refusal.len() < 700, "{} bytes", refusal.len());
    let sent: usize = bench
        .updates()
        .iter()
        .map(|update| serde_json::to_string(update).unwrap().len())
        .sum();
    assert!(sent < 20_000, "events carry what changed: {sent} bytes");
}

/// The text of the whole flow is made when somebody wants it, once, not for every change.
#[tokio::test]
async fn the_flow_is_not_written_for_every_change() {
    let bench = Bench::on(large());
    let work = &bench.kit.work;
    for number in 0..20 {
        let call =
            json!({ "component_id": "Agent-00001", "params": { "system_prompt": number.to_string() } });
        bench.call("configure_component", call).await.unwrap();
        assert!(!work.is_written(), "nobody asked for the text");
    }
    let text = work.data();
    assert!(work.is_written());
    assert_eq!(
        work.data().as_str().as_ptr(),
        text.as_str().as_ptr(),
        "the same text, not another one"
    );
    // One value that was set twenty times is one step.
    assert_eq!(work.changed().unwrap().patch.changes.len(), 1);
}

#[tokio::test]
async fn a_new_node_finds_a_place_in_a_full_canvas() {
    let mut bench = Bench::on(large());
    bench
        .call(
            "configure_component",
            json!({ "component_id": "Agent-00060", "params": { "system_prompt": "x" } }),
        )
        .await
        .unwrap();
    bench.updates();
    bench
        .call("add_component", json!({ "component_type": "ParserComponent" }))
        .await
        .unwrap();
    let updates = bench.updates();
    let [FlowUpdate::AddComponent { node }] = updates.as_slice() else {
        panic!("{updates:?}")
    };
    let (x, y) = (
        node["position"]["x"].as_f64().unwrap(),
        node["position"]["y"].as_f64().unwrap(),
    );
    let full = bench.flow()["nodes"].as_array().unwrap()[..NODES]
        .iter()
        .any(|other| {
            let at = |key: &str| other["position"][key].as_f64().unwrap();
            (at("x") - x).abs() < 400.0 && (at("y") - y).abs() < 320.0
        });
    assert!(!full, "{x} {y}");
}
