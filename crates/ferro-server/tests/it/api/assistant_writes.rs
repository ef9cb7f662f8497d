//! What a turn of the assistant leaves in a flow: saved where nobody watches, a version from before, nothing overwritten.

use ferro_testkit::{Turn, until};
use serde_json::json;

use super::assistant::support::{CHATBOT, MODEL, Told, World};
use crate::specs::ECHO;

const RUN: &str = "/api/v1/agentic/assist/run";

/// The flow that a headless turn wrote, and what it told last.
async fn headless(world: &World, flow: Option<&str>) -> Told {
    let mut body = json!({ "instruction": "Build me a chatbot", "provider": "OpenAI", "model_name": MODEL });
    if let Some(flow) = flow {
        body["flow_id"] = flow.into();
    }
    let told = Told::of(&world.ada.post(RUN, &body).await.expect(200));
    let kinds = told.events.iter().map(|event| event["event"].as_str().unwrap());
    assert!(
        kinds
            .clone()
            .all(|kind| ["progress", "complete", "error"].contains(&kind)),
        "{kinds:?}"
    );
    told
}

fn builds(world: &World) {
    world.means("build_flow");
    world
        .calls("build_flow", json!({ "spec": CHATBOT }))
        .says("Done.");
}

#[tokio::test]
async fn what_nobody_watches_is_saved_and_can_be_taken_back() {
    let world = World::new().await;
    let flow = world.flow(ECHO).await;
    let before = world.saved(&flow).await;
    builds(&world);
    let told = headless(&world, Some(&flow)).await;
    let done = told.complete();
    assert_eq!(done["flow_id"], flow.as_str(), "{done}");
    assert!(
        world
            .saved(&flow)
            .await
            .to_string()
            .contains("LanguageModelComponent")
    );
    let versions = world.versions(&flow).await;
    assert_eq!(versions.len(), 1);
    assert_eq!(versions[0]["id"], done["restore_version_id"]);
    let description = versions[0]["description"].as_str().unwrap();
    assert!(description.starts_with("assistant-pre-edit 2"), "{description}");
    let path = format!(
        "/api/v1/flows/{flow}/versions/{}/activate",
        versions[0]["id"].as_str().unwrap()
    );
    world.ada.post(&path, &json!({})).await.expect(200);
    assert_eq!(world.saved(&flow).await, before);
}

#[tokio::test]
async fn a_new_flow_is_made_where_none_is_named() {
    let world = World::new().await;
    for name in ["Chatbot", "Chatbot (1)"] {
        builds(&world);
        let told = headless(&world, None).await;
        let done = told.complete();
        let id = done["flow_id"].as_str().expect("the flow's id");
        let made = world
            .ada
            .get(&format!("/api/v1/flows/{id}"))
            .await
            .expect(200)
            .json();
        assert_eq!(made["name"], name);
        assert_eq!(made["data"]["nodes"].as_array().unwrap().len(), 3);
        assert!(done.get("restore_version_id").is_none(), "{done}");
    }
}

#[tokio::test]
async fn a_flow_that_was_changed_meanwhile_is_not_overwritten() {
    let world = World::new().await;
    let flow = world.flow(ECHO).await;
    world
        .means("build_flow")
        .calls("build_flow", json!({ "spec": CHATBOT }));
    // While the model thinks about its last words, somebody takes everything off the canvas.
    world.then(Turn::text("Done, at last.").pace(std::time::Duration::from_millis(100)));
    let (ada, path) = (world.ada.client.clone(), format!("/api/v1/flows/{flow}"));
    let emptied = json!({ "nodes": [], "edges": [] });
    let meanwhile = async {
        until("the last words", || async {
            (world.asked().len() >= 3).then_some(())
        })
        .await;
        ada.patch(&path, &json!({ "data": emptied })).await.expect(200);
    };
    let (told, ()) = tokio::join!(headless(&world, Some(&flow)), meanwhile);
    assert!(told.error().contains("changed elsewhere"), "{}", told.error());
    assert_eq!(world.saved(&flow).await, emptied);
    assert!(world.versions(&flow).await.is_empty());
}

#[tokio::test]
async fn a_change_beside_the_assistants_is_kept() {
    let world = World::new().await;
    let flow = world.flow(ECHO).await;
    let add = json!({ "component_type": "TextInput" });
    world.means("build_flow").calls("add_component", add);
    world.then(Turn::text("Added, at last.").pace(std::time::Duration::from_millis(100)));
    let (ada, path) = (world.ada.client.clone(), format!("/api/v1/flows/{flow}"));
    let mut moved = world.saved(&flow).await;
    moved["nodes"][0]["position"] = json!({ "x": 777, "y": 3 });
    let meanwhile = async {
        until("the last words", || async {
            (world.asked().len() >= 3).then_some(())
        })
        .await;
        ada.patch(&path, &json!({ "data": moved })).await.expect(200);
    };
    let (told, ()) = tokio::join!(headless(&world, Some(&flow)), meanwhile);
    told.complete();
    let saved = world.saved(&flow).await;
    assert_eq!(saved["nodes"][0]["position"]["x"], 777);
    assert!(saved.to_string().contains("TextInput-"), "{saved}");
    assert_eq!(world.versions(&flow).await.len(), 1);
}

#[tokio::test]
async fn the_version_from_before_is_made_once() {
    let world = World::new().await;
    let flow = world.flow(ECHO).await;
    let add = json!({ "component_type": "TextInput" });
    let mut ids = Vec::new();
    for _ in 0..2 {
        world
            .means("build_flow")
            .calls("add_component", add.clone())
            .says("Added.");
        let told = world.ask(&flow, "Add a text input").await;
        ids.push(told.complete()["restore_version_id"].clone());
    }
    // The page did not save, so both turns began with the same flow.
    assert!(ids[0].is_string(), "{ids:?}");
    assert_eq!(ids[0], ids[1]);
    assert_eq!(world.versions(&flow).await.len(), 1);
}
