//! Adding, removing, renaming, wiring: what is done, what is told, and that one step takes it back.

use std::sync::atomic::Ordering;

use ferro_model::Document;
use serde_json::{Value as Json, json};

use super::bench::Bench;
use crate::event::{AssistEvent, FlowUpdate};
use crate::fake::{chatbot, flow_of};

#[tokio::test]
async fn a_component_is_added_with_a_model_that_can_be_asked() {
    let mut bench = Bench::empty();
    let added = bench
        .call("add_component", json!({ "component_type": "agent" }))
        .await
        .unwrap();
    let id = added["id"].as_str().unwrap();
    assert!(id.starts_with("Agent-") && id.len() == "Agent-".len() + 5, "{id}");
    let told = bench.told();
    assert!(
        matches!(&told[0], AssistEvent::ToolStart { tool, label, .. } if tool == "add_component" && label == "Adding agent")
    );
    let AssistEvent::FlowUpdate(FlowUpdate::AddComponent { node }) = &told[1] else {
        panic!("{told:?}")
    };
    assert_eq!(told.len(), 2, "one event, with everything: {told:?}");
    let model = json!([{ "provider": "OpenAI", "name": "gpt-5.4" }]);
    assert_eq!(node["data"]["node"]["template"]["model"]["value"], model);
    assert_eq!(*node, bench.node(id));
    assert_eq!(bench.kit.work.changes(), [format!("Added Agent ({id}).")]);
}

#[tokio::test]
async fn an_unknown_component_is_refused_with_what_is_near() {
    let bench = Bench::empty();
    let refusal = bench
        .refusal(
            "add_component",
            json!({ "component_type": "OpenAILanguageModel" }),
        )
        .await;
    assert!(refusal.contains("LanguageModelComponent"), "{refusal}");
    assert_eq!(
        bench.world.restore_points.load(Ordering::SeqCst),
        0,
        "nothing changed"
    );
    assert!(
        bench
            .refusal("add_component", json!({}))
            .await
            .contains("component_type")
    );
}

#[tokio::test]
async fn new_nodes_stand_on_nobodys_place_and_nobody_is_moved() {
    let bench = Bench::on(chatbot());
    let before: Vec<Json> = bench.flow()["nodes"].as_array().unwrap().clone();
    for _ in 0..12 {
        bench
            .call("add_component", json!({ "component_type": "ParserComponent" }))
            .await
            .unwrap();
    }
    bench
        .call("add_component", json!({ "component_type": "ChatInput" }))
        .await
        .unwrap();
    let flow = bench.flow();
    let nodes = flow["nodes"].as_array().unwrap();
    assert_eq!(nodes[..3], before, "what a person placed stays");
    let places: Vec<(f64, f64)> = nodes
        .iter()
        .map(|node| {
            (
                node["position"]["x"].as_f64().unwrap(),
                node["position"]["y"].as_f64().unwrap(),
            )
        })
        .collect();
    for (index, one) in places.iter().enumerate() {
        for other in &places[index + 1..] {
            let apart = (one.0 - other.0).abs() >= 400.0 || (one.1 - other.1).abs() >= 320.0;
            assert!(apart, "{one:?} and {other:?}");
        }
    }
}

#[tokio::test]
async fn a_removed_component_takes_its_wires_along_without_a_word_of_them() {
    let mut bench = Bench::on(chatbot());
    let removed = bench
        .call("remove_component", json!({ "component_id": "Agent-00002" }))
        .await
        .unwrap();
    assert_eq!(removed["removed"], "Agent-00002");
    assert!(removed["text"].as_str().unwrap().contains("2"));
    assert_eq!(bench.actions(), ["remove_component"]);
    assert_eq!(bench.flow()["edges"], json!([]));
    let refusal = bench
        .refusal("remove_component", json!({ "component_id": "Agent-00002" }))
        .await;
    assert!(refusal.contains("`ChatInput-00001`"), "{refusal}");
}

#[tokio::test]
async fn a_component_is_found_by_its_type_or_name_when_there_is_only_one() {
    let bench = Bench::on(flow_of(
        "nodes:\n  A: Agent\n  B: Agent\n  C: ChatOutput\nedges:\n  A.response -> C.input_value",
    ));
    let several = bench
        .refusal("get_field_value", json!({ "component_id": "Agent" }))
        .await;
    assert!(several.contains("`Agent-00001`, `Agent-00002`"), "{several}");
    for name in ["chatoutput", "Chat Output", "ChatOutput-00003"] {
        let found = bench
            .call("get_field_value", json!({ "component_id": name }))
            .await
            .unwrap();
        assert_eq!(found["component_id"], "ChatOutput-00003", "{name}");
    }
    let nothing = Bench::empty()
        .refusal("remove_component", json!({ "component_id": "x" }))
        .await;
    assert!(nothing.contains("nothing on the canvas"), "{nothing}");
}

#[tokio::test]
async fn a_component_gets_another_name() {
    let mut bench = Bench::on(chatbot());
    let rename = json!({ "component_id": "Agent-00002", "name": "  The\n brain " });
    bench.call("rename_component", rename.clone()).await.unwrap();
    assert_eq!(
        bench.updates(),
        [FlowUpdate::RenameComponent {
            component_id: "Agent-00002".to_owned(),
            name: "The brain".to_owned()
        }]
    );
    assert_eq!(
        bench.node("Agent-00002")["data"]["node"]["display_name"],
        "The brain"
    );
    assert_eq!(
        bench.kit.work.changes(),
        ["Renamed Agent (Agent-00002) to The brain."]
    );
    let again = bench.call("rename_component", rename).await.unwrap();
    assert!(again["text"].as_str().unwrap().contains("already"));
    assert!(bench.updates().is_empty());
    let long = json!({ "component_id": "Agent-00002", "name": "x".repeat(500) });
    assert!(bench.refusal("rename_component", long).await.contains("shorter"));
}

fn wire(source: &str, output: &str, target: &str, input: &str) -> Json {
    json!({ "source_id": source, "source_output": output, "target_id": target, "target_input": input })
}

#[tokio::test]
async fn events_of_a_wire_come_in_the_order_the_canvas_needs() {
    let spec = "nodes:\n  A: LanguageModelComponent\n  B: Agent\n  C: URLComponent\n  D: ChatOutput\n  E: ParserComponent\nedges:\n  B.response -> D.input_value";
    let data =
        ferro_model::spec::build_flow_from_spec(spec, &super::bench::components(), &mut || "x".to_owned());
    let mut bench = Bench::on(data.unwrap().data);
    let by_wire = wire("LanguageModelComponent-x", "model_output", "Agent-x", "model");
    bench.call("connect_components", by_wire.clone()).await.unwrap();
    assert_eq!(
        bench.actions(),
        ["set_connection_mode", "connect", "select_output"]
    );
    bench
        .call(
            "connect_components",
            wire("URLComponent-x", "component_as_tool", "Agent-x", "tools"),
        )
        .await
        .unwrap();
    let updates = bench.updates();
    assert!(
        matches!(&updates[0], FlowUpdate::EnableToolMode { outputs, .. } if outputs[0]["name"] == "component_as_tool")
    );
    assert!(matches!(&updates[1], FlowUpdate::Connect { edge } if edge["source"] == "URLComponent-x"));
    assert_eq!(updates.len(), 2, "{updates:?}");
    let again = bench.call("connect_components", by_wire).await.unwrap();
    assert!(again["text"].as_str().unwrap().contains("already"));
    assert!(bench.updates().is_empty());
    // Choosing a model takes the wire away, and says so.
    let choose = json!({ "component_id": "Agent-x", "params": { "model": "gpt-4o" } });
    bench.call("configure_component", choose).await.unwrap();
    assert_eq!(
        bench.actions(),
        ["set_connection_mode", "disconnect", "configure"]
    );
}

#[tokio::test]
async fn a_wire_that_does_not_fit_changes_nothing_and_says_what_would() {
    let mut bench = Bench::on(flow_of(
        "nodes:\n  A: URLComponent\n  B: Agent\n  C: ChatOutput\nedges:\n  B.response -> C.input_value",
    ));
    let before = bench.kit.work.data();
    for (refused, part) in [
        (
            wire("URLComponent-00001", "page_results", "Agent-00002", "input_value"),
            "ParserComponent",
        ),
        (
            wire("URLComponent-00001", "nothing", "Agent-00002", "input_value"),
            "`page_results`",
        ),
        (
            wire("URLComponent-00001", "raw_results", "Agent-00002", "nothing"),
            "`input_value`",
        ),
        (
            wire("Agent-00002", "component_as_tool", "Agent-00002", "tools"),
            "tool",
        ),
        (
            wire("Agent-00002", "response", "Gone-1", "input_value"),
            "`Agent-00002`",
        ),
        // The first half of the edit would fit.
        (
            wire("URLComponent-00001", "raw_results", "Agent-00002", "model"),
            "LanguageModel",
        ),
    ] {
        let refusal = bench.refusal("connect_components", refused).await;
        assert!(refusal.contains(part), "{refusal}");
    }
    assert_eq!(bench.kit.work.data(), before);
    assert!(bench.updates().is_empty());
    assert_eq!(bench.world.restore_points.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn wires_go_by_their_ends() {
    let mut bench = Bench::on(chatbot());
    let cut =
        json!({ "source_id": "ChatInput-00001", "target_id": "Agent-00002", "target_input": "input_value" });
    bench.call("disconnect_components", cut.clone()).await.unwrap();
    assert_eq!(
        bench.updates(),
        [FlowUpdate::Disconnect {
            source_id: "ChatInput-00001".to_owned(),
            target_id: "Agent-00002".to_owned(),
            source_output: Some("message".to_owned()),
            target_input: Some("input_value".to_owned()),
        }]
    );
    let refusal = bench.refusal("disconnect_components", cut).await;
    assert!(refusal.contains("no such wire"), "{refusal}");
}

#[tokio::test]
async fn one_patch_takes_the_whole_turn_back() {
    let data = chatbot();
    let bench = Bench::on(data.clone());
    let prompt = bench
        .call("add_component", json!({ "component_type": "Prompt" }))
        .await
        .unwrap();
    let prompt = prompt["id"].as_str().unwrap();
    let params = json!({ "template": "Answer {question} kindly." });
    bench
        .call(
            "configure_component",
            json!({ "component_id": prompt, "params": params }),
        )
        .await
        .unwrap();
    let cut = json!({ "source_id": "ChatInput-00001", "target_id": "Agent-00002" });
    bench.call("disconnect_components", cut).await.unwrap();
    bench
        .call(
            "connect_components",
            wire("ChatInput-00001", "message", prompt, "question"),
        )
        .await
        .unwrap();
    bench
        .call(
            "connect_components",
            wire(prompt, "prompt", "Agent-00002", "input_value"),
        )
        .await
        .unwrap();
    let url = bench
        .call("add_component", json!({ "component_type": "URL" }))
        .await
        .unwrap();
    let url = url["id"].as_str().unwrap();
    bench
        .call(
            "connect_components",
            wire(url, "component_as_tool", "Agent-00002", "tools"),
        )
        .await
        .unwrap();
    bench
        .call(
            "rename_component",
            json!({ "component_id": "Agent-00002", "name": "Brain" }),
        )
        .await
        .unwrap();
    bench
        .call("remove_component", json!({ "component_id": "ChatOutput-00003" }))
        .await
        .unwrap();
    let params = json!({ "system_prompt": "Be brief.", "model": "claude-sonnet-4-6" });
    bench
        .call(
            "configure_component",
            json!({ "component_id": "Agent-00002", "params": params }),
        )
        .await
        .unwrap();

    let changed = bench.kit.work.changed().unwrap();
    assert_eq!(changed.data, bench.kit.work.data());
    let mut document = Document::new(&data);
    changed.patch.apply(&mut document).unwrap();
    assert_eq!(document.text(), changed.data.as_str());
    changed.patch.inverse().apply(&mut document).unwrap();
    assert_eq!(document.text(), data.as_str());
    assert_eq!(
        bench.world.restore_points.load(Ordering::SeqCst),
        1,
        "one way back for all of it"
    );
    assert_eq!(bench.kit.work.restore_version().as_deref(), Some("version-1"));
}

#[tokio::test]
async fn what_was_done_and_undone_is_no_change() {
    let bench = Bench::on(chatbot());
    let added = bench
        .call("add_component", json!({ "component_type": "ParserComponent" }))
        .await
        .unwrap();
    bench
        .call("remove_component", json!({ "component_id": added["id"] }))
        .await
        .unwrap();
    assert!(bench.kit.work.changed().is_none());
}

#[tokio::test]
async fn nothing_is_changed_without_a_way_back() {
    let mut bench = Bench::on(chatbot());
    bench.stuck.store(true, Ordering::SeqCst);
    let refusal = bench
        .refusal("remove_component", json!({ "component_id": "Agent-00002" }))
        .await;
    assert!(refusal.contains("the disk is full"), "{refusal}");
    assert!(bench.updates().is_empty() && bench.kit.work.changed().is_none());
    let spec = "nodes:\n  A: ChatInput\n  B: ChatOutput\nedges:\n  A.message -> B.input_value";
    assert!(
        bench
            .refusal("build_flow", json!({ "spec": spec }))
            .await
            .contains("the disk is full")
    );
    // As soon as there is one, it goes on.
    bench.stuck.store(false, Ordering::SeqCst);
    bench
        .call("remove_component", json!({ "component_id": "Agent-00002" }))
        .await
        .unwrap();
}
