//! A person who goes away takes the turn along: no model is asked any more, nothing goes on, the flow is free.

use ferro_testkit::{Fault, Turn, until};
use serde_json::json;

use super::support::{CHATBOT, World};
use crate::specs;

/// Begins a turn whose model falls silent at its request number `at`, goes away there, and sees that all stops.
async fn leaves(world: &World, flow: &str, at: usize, what: &str) {
    let raw = world.begin(flow, "do it and run the flow").await;
    until(what, || async {
        (world.asked().len() == at && world.models.busy() > 0).then_some(())
    })
    .await;
    drop(raw);
    until("the model is not asked any more", || async {
        (world.models.busy() == 0).then_some(())
    })
    .await;
    assert_eq!(world.asked().len(), at, "{what}: nobody went on");
    // The flow is free, and the next turn knows nothing of the one that was left.
    world.models.always(Turn::text("Here."));
    let told = until("the flow is free", || async {
        let answer = world
            .post(flow, "hello?", json!({ "session_id": "agentic_1" }))
            .await;
        (answer.status == 200).then_some(answer)
    })
    .await;
    assert!(told.text().contains("Here."), "{}", told.text());
}

#[tokio::test]
async fn user_cancels_generation() {
    let world = World::new().await;
    let flow = world.empty().await;
    world
        .means("generate_component")
        .then(Turn::fault(Fault::Silence));
    leaves(&world, &flow, 2, "generating").await;
}

#[tokio::test]
async fn leaving_while_it_is_classified() {
    let world = World::new().await;
    let flow = world.empty().await;
    world.then(Turn::fault(Fault::BlackHole));
    leaves(&world, &flow, 1, "classification").await;
}

#[tokio::test]
async fn leaving_while_the_agent_speaks() {
    let world = World::new().await;
    let flow = world.flow(CHATBOT).await;
    let before = world.saved(&flow).await;
    world.means("build_flow").then(Turn::fault(Fault::Heartbeats));
    leaves(&world, &flow, 2, "the agent").await;
    assert_eq!(world.saved(&flow).await, before);
}

#[tokio::test]
async fn leaving_in_the_middle_of_a_tool() {
    let world = World::new().await;
    let flow = world.empty().await;
    world
        .means("component_then_flow")
        .calls("generate_component", json!({ "spec": "capital letters" }));
    world.then(Turn::fault(Fault::BlackHole));
    leaves(&world, &flow, 3, "the tool's own model").await;
}

#[tokio::test]
async fn leaving_while_the_flow_runs() {
    let world = World::new().await;
    let flow = world.flow(CHATBOT).await;
    world
        .means("run_flow")
        .calls("run_flow", json!({ "input": "hi" }))
        .then(Turn::fault(Fault::BlackHole));
    leaves(&world, &flow, 3, "the run").await;
}

#[tokio::test]
async fn leaving_while_a_flow_is_tried_out() {
    let world = World::new().await;
    let flow = world.empty().await;
    world
        .means("build_flow")
        .calls("build_flow", json!({ "spec": CHATBOT }))
        .says("Built.");
    world.then(Turn::fault(Fault::BlackHole));
    leaves(&world, &flow, 4, "the proof").await;
}

/// Edits of a turn that nobody heard the end of: nothing is saved of them.
#[tokio::test]
async fn leaving_a_headless_turn_applies_nothing() {
    let world = World::new().await;
    let flow = world.flow(specs::ECHO).await;
    let before = world.saved(&flow).await;
    world
        .means("build_flow")
        .calls("remove_component", json!({ "component_id": "ChatInput-000in" }));
    world.then(Turn::fault(Fault::BlackHole));
    let body =
        json!({ "instruction": "clean up", "flow_id": flow, "provider": "OpenAI", "model_name": "gpt-4o" });
    let call = world.ada.call("POST", "/api/v1/agentic/assist/run").json(&body);
    let turn = tokio::spawn(call.try_send());
    until("the edit is made", || async {
        (world.asked().len() == 3).then_some(())
    })
    .await;
    turn.abort();
    until("the model is not asked any more", || async {
        (world.models.busy() == 0).then_some(())
    })
    .await;
    assert_eq!(world.saved(&flow).await, before);
}

/// What was said before is not forgotten because somebody left.
#[tokio::test]
async fn a_turn_that_was_left_is_not_remembered() {
    let world = World::new().await;
    let flow = world.empty().await;
    world.means("question").says("Hello Grace.");
    world
        .in_session(&flow, "agentic_1", "My name is Grace.")
        .await
        .complete();
    world.means("question").then(Turn::fault(Fault::Silence));
    let raw = world.begin(&flow, "what is left behind").await;
    until("it is asked", || async {
        (world.asked().len() == 4).then_some(())
    })
    .await;
    drop(raw);
    until("it is not asked any more", || async {
        (world.models.busy() == 0).then_some(())
    })
    .await;
    world.models.always(Turn::text("Grace."));
    let answer = until("the flow is free", || async {
        let answer = world
            .post(&flow, "What is my name?", json!({ "session_id": "agentic_1" }))
            .await;
        (answer.status == 200).then_some(answer)
    })
    .await;
    assert!(answer.text().contains("Grace."));
    let told = super::support::last_user(world.asked().last().unwrap());
    assert!(
        told.contains("My name is Grace.") && !told.contains("what is left behind"),
        "{told}"
    );
}
