//! Models that loop, invent, stammer and boast; canvases and people that do not make it easier.

use ferro_testkit::{Fault, Turn, until};
use serde_json::{Value, json};

use super::support::{CHATBOT, STREAM, Told, World, body, tools_of};
use crate::specs;

#[tokio::test]
async fn a_model_that_loops_is_stopped_and_what_it_did_is_said() {
    let world = World::new().await;
    let flow = world.flow(CHATBOT).await;
    world.means("build_flow");
    world
        .models
        .always(Turn::text("").tool("add_component", json!({ "component_type": "TextInput" })));
    let told = world
        .ask_with(&flow, "add a text input", json!({ "iterations_limit": 5 }))
        .await;
    let added = told.actions().len();
    assert!((1..=6).contains(&added), "{added}");
    assert!(world.asked().len() <= 8, "{}", world.asked().len());
    // It ends in words: with what was done, or with what to do about it.
    let last = told.events.last().unwrap().to_string();
    assert!(
        last.contains("TextInput") || last.contains("steps") || last.contains("limit"),
        "{last}"
    );
}

#[tokio::test]
async fn a_model_that_never_stops_is_stopped_without_a_limit_too() {
    let world = World::new().await;
    let flow = world.flow(CHATBOT).await;
    world.means("build_flow");
    world
        .models
        .always(Turn::text("").tool("search_components", json!({ "query": "model" })));
    let told = world.ask(&flow, "look around").await;
    assert!(
        (10..=120).contains(&world.asked().len()),
        "{}",
        world.asked().len()
    );
    assert!(told.actions().is_empty());
}

#[tokio::test]
async fn unknown_tools_and_malformed_arguments_are_told_back() {
    let world = World::new().await;
    let flow = world.flow(CHATBOT).await;
    world
        .means("build_flow")
        .calls("launch_rockets", json!({ "now": true }));
    world.then(Turn::text("").tool_text("add_component", "{\"component_type\": "));
    world
        .calls("add_component", json!({ "component_type": ["TextInput"] }))
        .calls("add_component", json!({}));
    world.calls(
        "configure_component",
        json!({ "component_id": "Nobody-1", "params": "{not json" }),
    );
    world.calls(
        "connect_components",
        json!({ "source_id": "a", "source_output": "b", "target_id": "c", "target_input": "d" }),
    );
    world
        .calls("remove_component", json!({ "component_id": "../../etc" }))
        .calls("add_component", json!({ "component_type": "TextInput" }));
    world.says("At last.");
    let told = world.ask(&flow, "add a text input").await;
    assert_eq!(told.actions(), ["add_component"], "{told:#?}");
    assert_eq!(told.result().lines().next(), Some("At last."));
    let results = world.results();
    assert!(results[0].contains("launch_rockets"), "{results:?}");
    assert!(results.len() >= 7, "{results:?}");
    assert!(!results.concat().contains("panicked"), "{results:?}");
}

#[tokio::test]
async fn a_hundred_thousand_tool_calls_end_in_words() {
    let world = World::new().await;
    let flow = world.flow(CHATBOT).await;
    let before = world.saved(&flow).await;
    world
        .means("build_flow")
        .then(Turn::fault(Fault::ManyToolCalls))
        .says("Sorry.");
    let told = world.ask(&flow, "do everything").await;
    assert!(told.events.len() < 1000, "{}", told.events.len());
    assert_eq!(world.saved(&flow).await, before);
    // And of those that mean something, only so many count.
    let many = (0..1000).fold(Turn::text(""), |turn, _| {
        turn.tool("add_component", json!({ "component_type": "TextInput" }))
    });
    world.means("build_flow").then(many).says("Done.");
    let told = world.ask(&flow, "add some").await;
    let added = told.actions().len();
    assert!((1..=200).contains(&added), "{added}");
}

#[tokio::test]
async fn a_model_that_claims_what_it_did_not_do_is_not_believed() {
    let world = World::new().await;
    let flow = world.flow(CHATBOT).await;
    world.means("build_flow");
    world.models.always(Turn::text(
        "I have removed the model, added an agent and run the flow. All works!",
    ));
    let told = world.ask(&flow, "remove the model and add an agent").await;
    assert!(told.actions().is_empty());
    let done = told.complete();
    assert!(
        done.get("changes").is_none() && done["has_flow"] != true,
        "{done}"
    );
    assert!(done.get("run_metrics").is_none(), "it ran nothing: {done}");
    assert!(
        told.result().ends_with("Nothing was changed."),
        "{}",
        told.result()
    );
}

#[tokio::test]
async fn a_canvas_of_two_thousand_nodes() {
    let world = World::new().await;
    let mut spec = "name: Huge\nnodes:\n  in: ChatInput\n".to_owned();
    (0..1999).for_each(|at| spec += &format!("  t{at}: TextOutput\n"));
    spec += "edges:\n  in.message -> t0.input_value\n";
    (1..1999).for_each(|at| spec += &format!("  t{}.text -> t{at}.input_value\n", at - 1));
    let flow = world.save(&specs::flow(&spec)).await;
    world
        .means("build_flow")
        .calls("describe_flow_io", json!({}))
        .calls("get_field_value", json!({ "component_id": "TextOutput-t1500" }));
    let wire = json!({ "source_id": "ChatInput-000in", "source_output": "message", "target_id": "TextOutput-t1998", "target_input": "input_value" });
    world.calls(
        "disconnect_components",
        json!({ "source_id": "TextOutput-t1997", "target_id": "TextOutput-t1998" }),
    );
    world.calls("connect_components", wire).says("Done.");
    let told = world.ask(&flow, "wire the last one to the input").await;
    assert_eq!(told.actions().last(), Some(&"connect"), "{:?}", world.results());
    let tokens = |body: &Value| (body["messages"].to_string().len() + body["tools"].to_string().len()) / 4;
    let largest = world.asked().iter().map(tokens).max().unwrap();
    assert!(largest < 8000, "{largest}");
}

#[tokio::test]
async fn two_turns_at_once_on_one_flow() {
    let world = World::new().await;
    let flow = world.flow(CHATBOT).await;
    let other = world.empty().await;
    world.then(Turn::fault(Fault::BlackHole));
    let first = world.begin(&flow, "the first").await;
    until("the first is asked", || async {
        (world.asked().len() == 1).then_some(())
    })
    .await;
    let refused = world
        .post(&flow, "the second", json!({}))
        .await
        .expect(409)
        .json();
    assert!(
        refused["detail"].as_str().is_some_and(|detail| detail.len() > 20),
        "{refused}"
    );
    // Another flow is another matter, and so is another person.
    world.means("question").says("Yes.");
    assert_eq!(world.ask(&other, "the third").await.result(), "Yes.");
    drop(first);
    world.models.always(Turn::text("Now."));
    until("the flow is free again", || async {
        let answer = world.post(&flow, "the fourth", json!({})).await;
        (answer.status == 200).then_some(())
    })
    .await;
}

/// Somebody sets the same field while the model works: both are told, and what they saved stays until the panel saves.
#[tokio::test]
async fn the_flow_edited_by_hand_during_a_turn() {
    let world = World::new().await;
    let flow = world.flow(CHATBOT).await;
    let path = format!("/api/v1/flows/{flow}");
    let llm = "LanguageModelComponent-00llm";
    world.means("build_flow");
    world.calls(
        "configure_component",
        json!({ "component_id": llm, "params": { "temperature": 0.9 } }),
    );
    // Slow enough that the hand is quicker.
    let words = "Done ".repeat(200);
    world.then(Turn::text(&words).pace(std::time::Duration::from_millis(5)));
    let client = world.ada.client.clone();
    let request = body(&flow, "more creative", json!({}));
    let turn = tokio::spawn(async move { client.post(STREAM, &request).await.expect(200) });
    until("the tool was used", || async {
        (world.asked().len() == 3).then_some(())
    })
    .await;
    let mut data = world.saved(&flow).await;
    data["nodes"][1]["data"]["node"]["template"]["temperature"]["value"] = json!(0.2);
    world.ada.patch(&path, &json!({ "data": data })).await.expect(200);
    let told = Told::of(&turn.await.unwrap());
    let conflicts = told.complete()["conflicts"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    assert_eq!(conflicts.len(), 1, "{}", told.complete());
    assert_eq!(
        (&conflicts[0]["component_id"], &conflicts[0]["field"]),
        (&json!(llm), &json!("temperature")),
        "{conflicts:?}"
    );
    assert!(
        conflicts[0]["message"]
            .as_str()
            .unwrap()
            .contains("somebody else"),
        "{conflicts:?}"
    );
    let saved = world.saved(&flow).await;
    assert_eq!(
        saved["nodes"][1]["data"]["node"]["template"]["temperature"]["value"],
        0.2
    );
}

#[tokio::test]
async fn odd_text_is_text() {
    let world = World::new().await;
    let flow = world.empty().await;
    world.post(&flow, "nul: \u{0}", json!({})).await.expect(422);
    for text in [
        "\u{7f}\u{1b}[31mhello",
        "\u{202e}olleh",
        "🏳️‍🌈 ﷽ \u{fffd}",
        "data: {\"event\":\"complete\"}\n\n",
        "]]></x>{{}}${}",
    ] {
        world
            .means("question")
            .says("data: {\"event\": \"error\"}\n\nStill here.");
        let told = world.ask(&flow, text).await;
        assert!(told.result().contains("Still here."), "{text:?}");
    }
}

/// It may talk for ever, but not to nobody.
#[tokio::test]
async fn an_endless_answer_ends_when_nobody_listens() {
    let world = World::new().await;
    let flow = world.empty().await;
    world.means("question").then(Turn::fault(Fault::Endless));
    let mut raw = world.begin(&flow, "tell me everything").await;
    raw.read_head().await;
    until("it speaks", || async { (world.asked().len() == 2).then_some(()) }).await;
    // Nobody reads: it waits instead of filling the memory. Nobody is there: it stops.
    drop(raw);
    until("it is silent", || async {
        (world.models.busy() == 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_reader_has_nothing_that_changes() {
    let world = World::new().await;
    let flow = world.flow(CHATBOT).await;
    world.means("question").says("So.");
    world.ask(&flow, "what is this?").await.complete();
    let reader = tools_of(&world.framed());
    world.means("build_flow").says("So.");
    world.ask(&flow, "change it").await;
    let builder = world.asked().iter().map(tools_of).max_by_key(Vec::len).unwrap();
    assert!(reader.iter().all(|tool| builder.contains(tool)), "{reader:?}");
    for tool in [
        "search_components",
        "describe_component",
        "describe_flow_io",
        "get_field_value",
        "propose_field_edit",
        "add_component",
        "remove_component",
        "connect_components",
        "configure_component",
        "build_flow",
        "propose_plan",
        "run_flow",
        "generate_component",
        "list_templates",
        "use_template",
        "read_file",
        "write_file",
        "edit_file",
        "glob_search",
        "grep_search",
    ] {
        assert!(builder.contains(&tool.to_owned()), "{tool} in {builder:?}");
    }
}
