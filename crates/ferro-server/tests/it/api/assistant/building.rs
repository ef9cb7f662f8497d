//! A new flow: built from a spec, proven, proposed, and on the canvas only when a person says so.

use serde_json::{Value, json};

use super::support::{CHATBOT, World, with_models};
use crate::site::texts;
use crate::specs;

fn nodes(update: &Value) -> Vec<String> {
    let nodes = update["flow"]["data"]["nodes"].as_array().expect("nodes");
    nodes
        .iter()
        .map(|node| node["data"]["type"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn build_a_new_flow_on_an_empty_canvas() {
    let world = World::new().await;
    let flow = world.empty().await;
    let before = world.saved(&flow).await;
    world
        .means("build_flow")
        .calls("build_flow", json!({ "spec": CHATBOT }))
        .says("A chatbot for you.");
    let told = world.ask(&flow, "Build me a simple chatbot").await;
    assert_eq!(told.steps()[0], "generating_flow");
    assert_eq!(told.complete()["intent"], "build_flow");
    let proposal = told.update("set_flow");
    assert_ne!(proposal["auto_apply"], true, "a person decides");
    assert_eq!(
        nodes(proposal),
        ["ChatInput", "LanguageModelComponent", "ChatOutput"]
    );
    assert_eq!(told.actions(), ["set_flow"]);
    told.step("flow_proposal_ready");
    let preview = told.all("flow_preview")[0];
    assert_eq!(
        (&preview["node_count"], &preview["edge_count"]),
        (&json!(3), &json!(2))
    );
    assert!(
        preview["graph"].as_str().unwrap().contains("ChatInput"),
        "{preview}"
    );
    let done = told.complete();
    assert_eq!(
        (&done["has_flow"], &done["verified"]),
        (&json!(true), &json!(true)),
        "{done}"
    );
    assert_eq!(world.saved(&flow).await, before, "the canvas remains as it was");
    assert!(
        world.versions(&flow).await.is_empty(),
        "nothing was there to go back to"
    );
}

/// The panel's Continue saves what was proposed: it is a flow like any other, and it runs.
#[tokio::test]
async fn continue_applies_the_proposed_flow() {
    let world = World::new().await;
    let flow = world.empty().await;
    world
        .means("build_flow")
        .calls("build_flow", json!({ "spec": CHATBOT }))
        .says("Done.");
    let told = world.ask(&flow, "Build me a simple chatbot").await;
    let data = told.update("set_flow")["flow"]["data"].clone();
    let path = format!("/api/v1/flows/{flow}");
    world.ada.patch(&path, &json!({ "data": data })).await.expect(200);
    assert_eq!(world.saved(&flow).await["nodes"], data["nodes"]);
    world.says("Hello, you.");
    let ran = world
        .ada
        .post(&format!("/api/v1/run/{flow}"), &json!({ "input_value": "hi" }))
        .await
        .expect(200);
    assert!(ran.text().contains("Hello, you."), "{}", ran.text());
}

/// Dismissing asks nothing of the server: nothing of a proposal was kept there.
#[tokio::test]
async fn dismiss_discards_the_proposed_flow() {
    let world = World::new().await;
    let flow = world.flow(specs::ECHO).await;
    let before = world.saved(&flow).await;
    world
        .means("build_flow")
        .calls("build_flow", json!({ "spec": CHATBOT }))
        .says("Done.");
    world
        .in_session(&flow, "agentic_1", "Build me a new chatbot")
        .await
        .update("set_flow");
    assert_eq!(world.saved(&flow).await, before);
    // The next turn begins with what is saved, not with what was proposed.
    world
        .means("build_flow")
        .calls("describe_flow_io", json!({}))
        .says("Two.");
    world
        .in_session(&flow, "agentic_1", "what goes in?")
        .await
        .complete();
    assert!(
        !world.results().last().unwrap().contains("LanguageModel"),
        "{:?}",
        world.results()
    );
}

#[tokio::test]
async fn build_from_spec_with_orphan_node_is_rejected() {
    let world = World::new().await;
    let flow = world.empty().await;
    let orphan = CHATBOT.replace("edges:", "  lost: TextInput\nedges:");
    world
        .means("build_flow")
        .calls("build_flow", json!({ "spec": orphan }));
    world
        .calls("build_flow", json!({ "spec": CHATBOT }))
        .says("Mended.");
    let told = world.ask(&flow, "Build me a simple chatbot").await;
    let refused = &world.results()[0];
    assert!(refused.contains("lost"), "the orphan is named: {refused}");
    assert_eq!(told.actions(), ["set_flow"], "only the second one");
    assert_eq!(nodes(told.update("set_flow")).len(), 3);
}

#[tokio::test]
async fn a_spec_that_cannot_be_built_says_what_to_change() {
    for (spec, named) in [
        (
            CHATBOT.replace("LanguageModelComponent", "MagicModel"),
            "MagicModel",
        ),
        (CHATBOT.replace("in.message ->", "in.massage ->"), "massage"),
        (CHATBOT.replace(" -> ", " to "), "->"),
        ("Make it nice.".to_owned(), "Unrecognized line"),
    ] {
        let world = World::new().await;
        let flow = world.empty().await;
        world
            .means("build_flow")
            .calls("build_flow", json!({ "spec": spec }))
            .calls("build_flow", json!({ "spec": CHATBOT }));
        world.says("Done.");
        let told = world.ask(&flow, "Build me a simple chatbot").await;
        assert!(
            world.results()[0].contains(named),
            "{named} in {}",
            world.results()[0]
        );
        assert_eq!(told.actions(), ["set_flow"]);
    }
}

#[tokio::test]
async fn backend_signals_readiness_only_when_a_set_flow_was_emitted() {
    let world = World::new().await;
    let flow = world.flow(CHATBOT).await;
    world
        .means("build_flow")
        .calls("add_component", json!({ "component_type": "TextInput" }))
        .says("Added.");
    let told = world.ask(&flow, "add a text input").await;
    assert_eq!(told.actions(), ["add_component"]);
    assert!(
        !told.steps().contains(&"flow_proposal_ready"),
        "{:?}",
        told.steps()
    );
    assert!(told.all("flow_preview").is_empty());
}

/// A model that goes on changing what it just proposed: the changes are part of the proposal.
#[tokio::test]
async fn tail_updates_after_set_flow_are_buffered() {
    let world = World::new().await;
    let flow = world.flow(specs::ECHO).await;
    let before = world.saved(&flow).await;
    world
        .means("build_flow")
        .calls("build_flow", json!({ "spec": CHATBOT }));
    world
        .calls("add_component", json!({ "component_type": "TextInput" }))
        .says("Both.");
    let told = world.ask(&flow, "Build me a new chatbot").await;
    assert_eq!(world.saved(&flow).await, before, "none of it is on the canvas");
    // Whoever applies what came, in its order, has both.
    let mut seen: Vec<String> = Vec::new();
    for update in told.all("flow_update") {
        match update["action"].as_str().unwrap() {
            "set_flow" => seen = nodes(update),
            "add_component" => seen.push(update["node"]["data"]["type"].as_str().unwrap().to_owned()),
            other => panic!("{other}"),
        }
    }
    assert!(
        seen.contains(&"TextInput".to_owned()) && seen.contains(&"LanguageModelComponent".to_owned()),
        "{seen:?}"
    );
    let first = told.all("flow_update")[0];
    assert_eq!(first["action"], "set_flow");
    assert!(
        told.all("flow_update")
            .iter()
            .all(|update| update["auto_apply"] != true),
        "{told:#?}"
    );
}

/// The rule is in the prompt; what keeps people safe when a model breaks it is the gate.
#[tokio::test]
async fn build_mode_on_a_non_empty_canvas_is_forbidden() {
    let world = World::new().await;
    let flow = world.flow(specs::ECHO).await;
    let before = world.saved(&flow).await;
    world
        .means("build_flow")
        .calls("build_flow", json!({ "spec": CHATBOT }))
        .says("Replaced everything.");
    let told = world.ask(&flow, "make the greeting friendlier").await;
    assert_ne!(told.update("set_flow")["auto_apply"], true);
    assert_eq!(world.saved(&flow).await, before, "no destructive replacement");
    let system = world.framed()["messages"][0].to_string();
    assert!(system.contains("build_flow"), "the rules speak of it: {system}");
}

#[tokio::test]
async fn a_template_is_a_proposal_too() {
    let world = World::new().await;
    let flow = world.empty().await;
    world
        .means("build_flow")
        .calls("list_templates", json!({}))
        .says("These.");
    world.ask(&flow, "which templates are there?").await.complete();
    let list: Value = serde_json::from_str(&world.results()[0]).unwrap();
    let names = texts(&list["templates"], "name");
    assert!(names.len() > 3, "{list}");
    world
        .means("build_flow")
        .calls("use_template", json!({ "template_name": names[0] }))
        .says("There.");
    let told = world.ask(&flow, "begin with the first").await;
    assert_ne!(told.update("set_flow")["auto_apply"], true);
    told.step("flow_proposal_ready");
}

#[tokio::test]
async fn a_built_flow_has_models_that_work() {
    let world = World::new().await;
    let flow = world.empty().await;
    world
        .means("build_flow")
        .calls("build_flow", json!({ "spec": CHATBOT }))
        .says("Done.");
    let told = world.ask(&flow, "Build me a simple chatbot").await;
    let data = &told.update("set_flow")["flow"]["data"];
    let model = data["nodes"][1]["data"]["node"]["template"]["model"]["value"].clone();
    assert_eq!(
        (&model[0]["provider"], &model[0]["name"]),
        (&json!("OpenAI"), &json!("gpt-4o")),
        "{model}"
    );
    assert!(!told.text().contains(super::support::KEY));
    let expected = with_models(specs::flow(CHATBOT));
    assert_eq!(
        data["edges"].as_array().unwrap().len(),
        expected["data"]["edges"].as_array().unwrap().len()
    );
}
