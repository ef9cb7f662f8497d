//! Changes of the flow on the canvas: live, one by one, or as proposals; and one way back from all of them.

use serde_json::{Value, json};

use super::support::{CHATBOT, World};
use crate::site::texts;
use crate::specs;

const IN: &str = "ChatInput-000in";
const LLM: &str = "LanguageModelComponent-00llm";
const OUT: &str = "ChatOutput-00out";

const AGENT: &str = "
name: Agent
nodes:
  in: ChatInput
  bot: Agent
  llm: LanguageModelComponent
  past: Memory
  split: SplitText
  out: ChatOutput
edges:
  bot.response -> out.input_value
config:
  bot.system_prompt: Be kind.
";

#[tokio::test]
async fn edit_an_existing_flow_live() {
    let world = World::new().await;
    let flow = world.flow(CHATBOT).await;
    let model = json!([{ "provider": "OpenAI", "name": "gpt-4o-mini" }]);
    world.means("build_flow");
    world
        .calls(
            "configure_component",
            json!({ "component_id": LLM, "params": { "model": model } }),
        )
        .says("Switched.");
    let told = world.ask(&flow, "change the model to gpt-4o-mini").await;
    assert_eq!(told.actions(), ["configure"]);
    let update = told.update("configure");
    assert_eq!(update["component_id"], LLM);
    assert_eq!(update["params"]["model"][0]["name"], "gpt-4o-mini", "{update}");
    assert!(!told.steps().contains(&"flow_proposal_ready"));
    let done = told.complete();
    assert_eq!(done["has_flow"], true);
    assert!(done["changes"].to_string().contains(LLM), "{done}");
}

#[tokio::test]
async fn a_careful_edit_is_a_proposal() {
    let world = World::new().await;
    let flow = world.flow(AGENT).await;
    let edit =
        json!({ "component_id": "Agent-00bot", "field_name": "system_prompt", "new_value": "Be brief." });
    world
        .means("build_flow")
        .calls("propose_field_edit", edit)
        .says("Look at it.");
    let told = world.ask(&flow, "make the agent brief").await;
    assert_eq!(told.actions(), ["edit_field"]);
    let edit = told.update("edit_field");
    assert_eq!(
        (&edit["old_value"], &edit["new_value"]),
        (&json!("Be kind."), &json!("Be brief."))
    );
    assert_eq!(
        (&edit["component_type"], &edit["field"]),
        (&json!("Agent"), &json!("system_prompt"))
    );
    let id = edit["id"].as_str().unwrap();
    assert!(
        id.len() == 8 && id.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "{id}"
    );
    let step = &edit["patch"][0];
    assert_eq!(
        (&step["op"], &step["value"]),
        (&json!("replace"), &json!("Be brief."))
    );
    // The patch is one on the flow as it is saved.
    let mut document = json!({ "data": world.saved(&flow).await });
    let place = document
        .pointer_mut(step["path"].as_str().unwrap())
        .expect("the place exists");
    assert_eq!(*place, "Be kind.");
}

#[tokio::test]
async fn adding_a_component_live() {
    let world = World::new().await;
    let flow = world.flow(CHATBOT).await;
    world
        .means("build_flow")
        .calls("search_components", json!({ "query": "message history" }));
    world.calls("describe_component", json!({ "component_type": "Memory" }));
    world
        .calls("add_component", json!({ "component_type": "Memory" }))
        .says("Added.");
    let told = world.ask(&flow, "add a memory component").await;
    let results = world.results();
    let found: Value = serde_json::from_str(&results[0]).unwrap();
    assert!(
        texts(&found["results"], "type").contains(&"Memory".to_owned()),
        "{found}"
    );
    assert!(
        results[1].contains("messages_text") && results[1].contains("dataframe"),
        "{}",
        results[1]
    );
    let node = &told.update("add_component")["node"];
    assert_eq!(node["data"]["type"], "Memory");
    let id = node["id"].as_str().unwrap();
    assert!(
        id.starts_with("Memory-") && results[2].contains(id),
        "{id} {}",
        results[2]
    );
    let at = |node: &Value| {
        (
            node["position"]["x"].to_string(),
            node["position"]["y"].to_string(),
        )
    };
    for other in world.saved(&flow).await["nodes"].as_array().unwrap() {
        assert_ne!(at(node), at(other), "it lies on {other}");
    }
    let start = told.all("tool_start")[0];
    assert_eq!(
        (&start["tool"], &start["component_type"]),
        (&json!("add_component"), &json!("Memory"))
    );
    assert!(start["label"].as_str().is_some_and(|label| !label.is_empty()));
}

#[tokio::test]
async fn connecting_components_live() {
    let world = World::new().await;
    let flow = world.flow(AGENT).await;
    let wire = json!({ "source_id": IN, "source_output": "message", "target_id": "Agent-00bot", "target_input": "input_value" });
    world
        .means("build_flow")
        .calls("connect_components", wire)
        .says("Connected.");
    let told = world.ask(&flow, "connect ChatInput to Agent").await;
    let edge = &told.update("connect")["edge"];
    assert_eq!(
        (&edge["source"], &edge["target"]),
        (&json!(IN), &json!("Agent-00bot"))
    );
    assert_eq!(edge["data"]["targetHandle"]["fieldName"], "input_value");
    let start = told.all("tool_start")[0];
    assert_eq!(
        (&start["source_id"], &start["target_id"]),
        (&json!(IN), &json!("Agent-00bot"))
    );
}

#[tokio::test]
async fn multi_output_source_connection_picks_the_right_output() {
    let world = World::new().await;
    let flow = world.flow(AGENT).await;
    let wire = json!({ "source_id": "Memory-0past", "source_output": "dataframe", "target_id": "SplitText-split",
        "target_input": "data_inputs" });
    world
        .means("build_flow")
        .calls("connect_components", wire)
        .says("Connected.");
    let told = world.ask(&flow, "split the messages").await;
    assert_eq!(
        told.actions(),
        ["connect", "select_output"],
        "{:?}",
        world.results()
    );
    let select = told.update("select_output");
    assert_eq!(
        (&select["component_id"], &select["output_name"]),
        (&json!("Memory-0past"), &json!("dataframe"))
    );
}

#[tokio::test]
async fn connection_to_a_model_input_sets_connection_mode() {
    let world = World::new().await;
    let flow = world.flow(AGENT).await;
    let wire = json!({ "source_id": LLM, "source_output": "model_output", "target_id": "Agent-00bot", "target_input": "model" });
    world
        .means("build_flow")
        .calls("connect_components", wire)
        .says("Connected.");
    let told = world.ask(&flow, "let the agent use the language model").await;
    let actions = told.actions();
    assert_eq!(
        actions[..2],
        ["set_connection_mode", "connect"],
        "{actions:?} {:?}",
        world.results()
    );
    let mode = told.update("set_connection_mode");
    assert_eq!(
        (&mode["component_id"], &mode["enabled"]),
        (&json!("Agent-00bot"), &json!(true))
    );
}

#[tokio::test]
async fn a_component_becomes_a_tool_before_it_is_wired_as_one() {
    let world = World::new().await;
    let spec = AGENT.replace("  split: SplitText", "  split: CalculatorComponent");
    let flow = world.flow(&spec).await;
    let wire = json!({ "source_id": "CalculatorComponent-split", "source_output": "component_as_tool",
        "target_id": "Agent-00bot", "target_input": "tools" });
    world
        .means("build_flow")
        .calls("connect_components", wire)
        .says("Connected.");
    let told = world.ask(&flow, "give the agent a calculator").await;
    assert_eq!(
        told.actions()[..2],
        ["enable_tool_mode", "connect"],
        "{:?}",
        world.results()
    );
    assert_eq!(
        told.update("enable_tool_mode")["outputs"][0]["name"],
        "component_as_tool"
    );
}

#[tokio::test]
async fn inline_build_tasks_for_live_canvas_mutations() {
    let world = World::new().await;
    let flow = world.flow(specs::ECHO).await;
    world
        .means("build_flow")
        .calls("add_component", json!({ "component_type": "TextInput" }));
    world.calls("add_component", json!({ "component_type": "Agent" }));
    let wire = json!({ "source_id": IN, "source_output": "message", "target_id": OUT, "target_input": "input_value" });
    world.calls(
        "disconnect_components",
        json!({ "source_id": IN, "target_id": OUT }),
    );
    world.calls("connect_components", wire);
    let config = json!({ "component_id": OUT, "params": { "sender_name": "Clerk" } });
    world
        .calls("configure_component", config)
        .calls("remove_component", json!({ "component_id": IN }))
        .says("Done.");
    let told = world
        .ask(&flow, "add an agent and wire it up, then run the flow")
        .await;
    assert_eq!(
        told.actions(),
        [
            "add_component",
            "add_component",
            "disconnect",
            "connect",
            "configure",
            "remove_component"
        ],
        "{:?}",
        world.results()
    );
    let changes = texts_of(&told.complete()["changes"]);
    assert!(changes.len() >= 5, "each is said: {changes:?}");
}

fn texts_of(list: &Value) -> Vec<String> {
    let list = list.as_array().into_iter().flatten();
    list.map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// What the panel need not sort out: a change that changes nothing is not told.
#[tokio::test]
async fn build_task_dedup_against_backend_re_emissions() {
    let world = World::new().await;
    let flow = world.flow(specs::ECHO).await;
    let wire = json!({ "source_id": IN, "source_output": "message", "target_id": OUT, "target_input": "input_value" });
    world
        .means("build_flow")
        .calls("connect_components", wire.clone())
        .calls("connect_components", wire)
        .says("There.");
    let told = world.ask(&flow, "connect them").await;
    assert!(
        told.actions()
            .iter()
            .filter(|action| **action == "connect")
            .count()
            <= 1,
        "{told:#?}"
    );
    // The wire was there before: nothing changed, and nothing is claimed.
    assert!(
        texts_of(&told.complete()["changes"]).is_empty(),
        "{}",
        told.complete()
    );
}

/// A turn is one step: the version from before it brings all of it back.
#[tokio::test]
async fn a_turn_can_be_taken_back_as_one() {
    let world = World::new().await;
    let flow = world.flow(CHATBOT).await;
    let before = world.saved(&flow).await;
    world
        .means("build_flow")
        .calls("remove_component", json!({ "component_id": LLM }));
    world
        .calls("remove_component", json!({ "component_id": IN }))
        .says("Cleaned up.");
    let told = world.ask(&flow, "remove everything but the output").await;
    assert_eq!(told.actions(), ["remove_component", "remove_component"]);
    let versions = world.versions(&flow).await;
    assert_eq!(
        versions.len(),
        1,
        "one for the turn, not one for each change: {versions:?}"
    );
    let id = versions[0]["id"].as_str().unwrap();
    assert_eq!(told.complete()["restore_version_id"], id);
    assert!(
        versions[0]["description"]
            .as_str()
            .unwrap()
            .starts_with("assistant-pre-edit "),
        "{versions:?}"
    );
    let path = format!("/api/v1/flows/{flow}/versions/{id}");
    let kept = world.ada.get(&path).await.expect(200).json();
    let data = if kept["data"].is_object() {
        &kept["data"]
    } else {
        &kept
    };
    assert_eq!(data["nodes"], before["nodes"]);
    // Nothing changed since: the next turn needs no other way back.
    world
        .means("build_flow")
        .calls(
            "rename_component",
            json!({ "component_id": OUT, "name": "Reply" }),
        )
        .says("Ok.");
    world.ask(&flow, "call the output Reply").await.complete();
    assert_eq!(world.versions(&flow).await.len(), 1);
}

#[tokio::test]
async fn current_flow_context_is_injected_into_the_prompt() {
    let world = World::new().await;
    let flow = world.flow(CHATBOT).await;
    world.means("build_flow").says("I see.");
    world.ask(&flow, "what would you change?").await.complete();
    let framed = super::support::last_user(&world.framed());
    for id in [IN, LLM, OUT] {
        assert!(framed.contains(id), "{id} in {framed}");
    }
    assert!(
        framed.contains(&format!("{IN}.message -> {LLM}.input_value")),
        "{framed}"
    );
    let (canvas, request) = (
        framed.find(IN).unwrap(),
        framed.rfind("what would you change?").unwrap(),
    );
    assert!(canvas < request, "the request comes last: {framed}");
}

#[tokio::test]
async fn serialized_model_spec_is_coerced_at_configure_component() {
    let list = json!([{ "provider": "OpenAI", "name": "gpt-4o-mini" }]);
    for value in [
        json!(list.to_string()),
        json!("provider: OpenAI\nname: gpt-4o-mini\n"),
        json!([{ "name": list.to_string(), "provider": "Unknown" }]),
        json!({ "provider": "OpenAI", "name": "gpt-4o-mini" }),
    ] {
        let world = World::new().await;
        let flow = world.flow(CHATBOT).await;
        world.means("build_flow");
        let arguments = json!({ "component_id": LLM, "params": { "model": value } });
        world.calls("configure_component", arguments).says("Set.");
        let told = world.ask(&flow, "change the model to gpt-4o-mini").await;
        let set = &told.update("configure")["params"]["model"];
        assert_eq!(
            (&set[0]["provider"], &set[0]["name"]),
            (&json!("OpenAI"), &json!("gpt-4o-mini")),
            "{value}: {set}"
        );
    }
}
