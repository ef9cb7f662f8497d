//! The door for programs: a sentence in, a flow that is changed and saved out.

use std::time::Duration;

use ferro_testkit::{Turn, until};
use serde_json::{Value, json};

use super::support::{CHATBOT, Told, World};
use crate::specs;

const RUN: &str = "/api/v1/agentic/assist/run";

async fn run(world: &World, flow: Option<&str>, text: &str) -> Told {
    let mut body = json!({ "instruction": text, "provider": "OpenAI", "model_name": "gpt-4o" });
    if let Some(flow) = flow {
        body["flow_id"] = flow.into();
    }
    Told::of(&world.ada.post(RUN, &body).await.expect(200))
}

fn only_progress(told: &Told) {
    let kinds: Vec<&Value> = told.events.iter().map(|event| &event["event"]).collect();
    let (last, before) = kinds.split_last().unwrap();
    assert_eq!(**last, "complete", "{told:#?}");
    assert!(
        !before.is_empty() && before.iter().all(|kind| **kind == "progress"),
        "{kinds:?}"
    );
}

#[tokio::test]
async fn a_new_flow_is_made_and_saved() {
    let world = World::new().await;
    world
        .means("build_flow")
        .calls("build_flow", json!({ "spec": CHATBOT }))
        .says("Built.");
    let told = run(&world, None, "Build me a chatbot").await;
    only_progress(&told);
    let id = told.complete()["flow_id"].as_str().expect("its id");
    let saved = world.saved(id).await;
    assert_eq!(saved["nodes"].as_array().unwrap().len(), 3);
    assert!(
        world
            .ada
            .flow_names()
            .await
            .iter()
            .any(|name| name.starts_with("Chatbot")),
        "{:?}",
        world.ada.flow_names().await
    );
    assert_eq!(told.complete()["verified"], true, "{}", told.complete());
}

#[tokio::test]
async fn edits_are_applied_at_once_with_one_way_back() {
    let world = World::new().await;
    let flow = world.flow(specs::ECHO).await;
    world.means("build_flow");
    world.calls(
        "configure_component",
        json!({ "component_id": "ChatOutput-00out", "params": { "sender_name": "Clerk" } }),
    );
    world
        .calls("add_component", json!({ "component_type": "TextInput" }))
        .says("Done.");
    let told = run(&world, Some(&flow), "call the bot Clerk and add a text input").await;
    only_progress(&told);
    let saved = world.saved(&flow).await;
    let out = saved["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .find(|node| node["id"] == "ChatOutput-00out")
        .unwrap();
    assert_eq!(
        out["data"]["node"]["template"]["sender_name"]["value"], "Clerk",
        "nobody is there to agree"
    );
    assert_eq!(saved["nodes"].as_array().unwrap().len(), 3);
    let versions = world.versions(&flow).await;
    assert_eq!(versions.len(), 1, "{versions:?}");
    assert_eq!(told.complete()["restore_version_id"], versions[0]["id"]);
    assert_eq!(told.complete()["flow_id"], flow);
    assert!(!told.complete()["changes"].as_array().unwrap().is_empty());
}

/// Begins a turn that warms the model and adds a node; while it works somebody saves `edit`.
async fn meanwhile(world: &World, flow: &str, edit: impl FnOnce(&mut Value)) -> Told {
    let params = json!({ "temperature": 0.9 });
    world.means("build_flow").calls(
        "configure_component",
        json!({ "component_id": "LanguageModelComponent-00llm", "params": params }),
    );
    world.calls("add_component", json!({ "component_type": "TextInput" }));
    // Slow enough that the hand is quicker.
    world.then(Turn::text(&"Done ".repeat(200)).pace(Duration::from_millis(5)));
    let body = json!({ "instruction": "more creative", "flow_id": flow, "provider": "OpenAI", "model_name": "gpt-4o" });
    let client = world.ada.client.clone();
    let turn = tokio::spawn(async move { client.post(RUN, &body).await.expect(200) });
    until("both tools were used", || async {
        (world.asked().len() == 4).then_some(())
    })
    .await;
    let mut data = world.saved(flow).await;
    edit(&mut data);
    let path = format!("/api/v1/flows/{flow}");
    world.ada.patch(&path, &json!({ "data": data })).await.expect(200);
    Told::of(&turn.await.unwrap())
}

#[tokio::test]
async fn what_somebody_else_changed_meanwhile_is_kept() {
    let world = World::new().await;
    let flow = world.flow(CHATBOT).await;
    let told = meanwhile(&world, &flow, |data| {
        data["nodes"][2]["data"]["node"]["display_name"] = "Reply".into();
    })
    .await;
    assert_eq!(told.complete()["flow_id"], flow);
    let saved = world.saved(&flow).await;
    let nodes = saved["nodes"].as_array().unwrap();
    assert_eq!(nodes.len(), 4);
    assert_eq!(nodes[2]["data"]["node"]["display_name"], "Reply");
    assert_eq!(nodes[1]["data"]["node"]["template"]["temperature"]["value"], 0.9);
}

#[tokio::test]
async fn changes_that_do_not_go_together_are_not_written() {
    let world = World::new().await;
    let flow = world.flow(CHATBOT).await;
    let told = meanwhile(&world, &flow, |data| {
        data["nodes"][1]["data"]["node"]["template"]["temperature"]["value"] = json!(0.2);
    })
    .await;
    assert!(told.error().contains("changed elsewhere"), "{}", told.error());
    let saved = world.saved(&flow).await;
    assert_eq!(saved["nodes"].as_array().unwrap().len(), 3, "all of it or none");
    assert_eq!(
        saved["nodes"][1]["data"]["node"]["template"]["temperature"]["value"],
        0.2
    );
}

#[tokio::test]
async fn a_question_changes_nothing_and_makes_no_flow() {
    let world = World::new().await;
    let before = world.ada.flow_names().await;
    world.means("question").says("With a wire.");
    let told = run(&world, None, "How do I connect two components?").await;
    assert_eq!(told.result(), "With a wire.");
    assert!(told.complete().get("flow_id").is_none());
    assert_eq!(world.ada.flow_names().await, before);
}

#[tokio::test]
async fn a_plan_is_no_answer_where_nobody_can_agree() {
    let world = World::new().await;
    world
        .means("build_flow")
        .calls("propose_plan", json!({ "plan": "## Plan" }));
    world
        .calls("build_flow", json!({ "spec": CHATBOT }))
        .says("Built.");
    let told = run(&world, None, "Build me a chatbot").await;
    assert!(
        told.complete()["flow_id"].is_string(),
        "{}\n{:?}",
        told.complete(),
        world.results()
    );
    let framed = super::support::last_user(&world.framed()).to_lowercase();
    assert!(
        framed.contains("approv") || framed.contains("nobody") || framed.contains("headless"),
        "the model is told: {framed}"
    );
}

#[tokio::test]
async fn foreign_flows_and_bad_bodies_are_refused() {
    let world = World::new().await;
    let eve = world.site.user("eve").await;
    let hers = eve.flow("Hers").await.id();
    for (status, body) in [
        (404, json!({ "instruction": "x", "flow_id": hers })),
        (422, json!({ "instruction": "x", "flow_id": "nonsense" })),
        (422, json!({})),
        (422, json!({ "instruction": "x".repeat(2001) })),
    ] {
        let answer = world.ada.post(RUN, &body).await;
        assert_eq!(answer.status, status, "{body}: {}", answer.text());
    }
    world
        .site
        .nobody()
        .post(RUN, &json!({ "instruction": "x" }))
        .await
        .expect(401);
}
