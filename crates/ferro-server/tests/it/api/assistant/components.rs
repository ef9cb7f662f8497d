//! Components written on request: every step is told, what fails is tried again, what passes can be used.

use ferro_testkit::Turn;
use serde_json::{Value, json};

use super::support::{World, last_user, tools_of};
use crate::api::custom_components::make;

pub const UPPER: &str = r#"from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.message import Message


class UppercaseText(Component):
    display_name = "Uppercase"
    description = "Turns text into capital letters."
    inputs = [MessageTextInput(name="text", display_name="Text", tool_mode=True)]
    outputs = [Output(name="result", display_name="Result", method="make_upper")]

    def make_upper(self) -> Message:
        return Message(text=self.text.upper())
"#;

/// Good as far as reading goes: it breaks when it is tried.
pub fn wrong_import() -> String {
    UPPER.replace(
        "from lfx.custom import Component",
        "from lfx.nowhere import Component",
    )
}

#[tokio::test]
async fn generate_a_simple_component_successfully() {
    let world = World::new().await;
    let flow = world.empty().await;
    world.means("generate_component").writes(UPPER);
    let told = world
        .ask(&flow, "Create a component that converts text to uppercase")
        .await;
    let steps = told.steps();
    assert_eq!(steps.first(), Some(&"generating_component"), "{steps:?}");
    let place = |step: &str| {
        steps
            .iter()
            .position(|one| *one == step)
            .unwrap_or_else(|| panic!("{step} in {steps:?}"))
    };
    assert!(place("extracting_code") < place("validating") && place("validating") < place("validated"));
    assert_eq!(
        told.step("generating_component")["message"],
        "Generating component..."
    );
    let validated = told.step("validated");
    assert_eq!(
        (&validated["attempt"], &validated["class_name"]),
        (&json!(1), &json!("UppercaseText"))
    );
    let done = told.complete();
    assert_eq!(
        (&done["validated"], &done["class_name"]),
        (&json!(true), &json!("UppercaseText"))
    );
    assert_eq!(done["component_code"].as_str().unwrap().trim(), UPPER.trim());
    assert_eq!(done["validation_attempts"], 1);
    assert_eq!(done["intent"], "generate_component");
    assert_eq!(told.tokens(), "", "code is not streamed");
}

/// The panel puts it there; here: what was generated is a node for the endpoint the panel asks.
#[tokio::test]
async fn add_generated_component_to_canvas() {
    let world = World::new().await;
    let flow = world.empty().await;
    world.means("generate_component").writes(UPPER);
    let told = world.ask(&flow, "uppercase, please").await;
    let code = told.complete()["component_code"].as_str().unwrap().to_owned();
    let made = make(&world.ada, &code, None).await;
    assert_eq!(made["type"], "UppercaseText");
    assert_eq!(made["data"]["outputs"][0]["method"], "make_upper");
}

#[tokio::test]
async fn automatic_retry_on_validation_failure() {
    let world = World::new().await;
    let flow = world.empty().await;
    world
        .means("generate_component")
        .writes(&wrong_import())
        .writes(UPPER);
    let told = world
        .ask_with(&flow, "uppercase, please", json!({ "max_retries": 3 }))
        .await;
    let failed = told.step("validation_failed");
    assert_eq!(
        (&failed["attempt"], &failed["max_attempts"]),
        (&json!(1), &json!(3))
    );
    let error = failed["error"].as_str().unwrap();
    assert!(error.contains("nowhere"), "{error}");
    assert!(!error.contains("Traceback"), "{error}");
    assert!(failed["component_code"].as_str().unwrap().contains("nowhere"));
    let steps = told.steps();
    let retrying = steps
        .iter()
        .position(|step| *step == "retrying")
        .expect("retrying");
    assert!(steps[retrying..].contains(&"validated"), "{steps:?}");
    assert!(
        told.all("progress")
            .iter()
            .any(|event| event["attempt"] == 2 && event["max_attempts"] == 3)
    );
    assert_eq!(told.complete()["validation_attempts"], 2);
    // The second attempt knew what was wrong with the first.
    let again = last_user(world.asked().last().unwrap());
    assert!(again.contains("nowhere"), "{again}");
}

#[tokio::test]
async fn max_retries_exhausted() {
    let world = World::new().await;
    let flow = world.empty().await;
    world.means("generate_component");
    for _ in 0..3 {
        world.writes(&wrong_import());
    }
    world.says("never asked");
    let told = world
        .ask_with(&flow, "uppercase, please", json!({ "max_retries": 3 }))
        .await;
    let done = told.complete();
    assert_eq!(
        (&done["validated"], &done["validation_attempts"]),
        (&json!(false), &json!(3))
    );
    assert!(
        done["validation_error"].as_str().unwrap().contains("nowhere"),
        "{done}"
    );
    assert!(
        done["component_code"]
            .as_str()
            .unwrap()
            .contains("class UppercaseText"),
        "{done}"
    );
    assert!(
        told.all("progress")
            .iter()
            .all(|event| event["attempt"].as_u64().unwrap() <= 3),
        "{told:#?}"
    );
    assert_eq!(world.models.waiting(), 1, "three attempts, not four");
    let result = told.result();
    assert!(
        result.contains("capable model") && !result.contains("Traceback"),
        "{result}"
    );
    assert!(kept(&world).await.is_empty(), "what fails is not kept");
}

async fn kept(world: &World) -> Vec<String> {
    let list = world.ada.get("/api/v1/user_components").await.expect(200).json();
    crate::site::texts(&list, "class_name")
}

#[tokio::test]
async fn multi_language_support() {
    let world = World::new().await;
    let flow = world.empty().await;
    let meant =
        json!({ "translation": "Create a component that adds two numbers", "intent": "generate_component" });
    world.says(&meant.to_string()).writes(UPPER);
    let told = world.ask(&flow, "Crie um componente que soma dois numeros").await;
    assert_eq!(told.complete()["validated"], true);
    let asked = world.asked();
    assert!(last_user(&asked[0]).contains("Crie um componente que soma dois numeros"));
    let generator = asked[1]["messages"].to_string();
    assert!(
        generator.contains("adds two numbers") || generator.contains("soma dois numeros"),
        "{generator}"
    );
}

#[tokio::test]
async fn maintain_conversation_memory_across_messages() {
    let world = World::new().await;
    let flow = world.empty().await;
    world.means("generate_component").writes(UPPER);
    world
        .in_session(&flow, "agentic_1", "Create a component for capital letters")
        .await;
    let other = UPPER.replace("Capital", "All");
    world.means("generate_component").writes(&other);
    let told = world
        .in_session(&flow, "agentic_1", "can you use dataframe output instead?")
        .await;
    assert_eq!(told.complete()["validated"], true);
    let asked = world.asked();
    let generator = asked.last().unwrap()["messages"].to_string();
    assert!(
        generator.contains("Create a component for capital letters"),
        "{generator}"
    );
    assert!(
        generator.contains("class UppercaseText"),
        "the code of before is known: {generator}"
    );
}

#[tokio::test]
async fn follow_up_modification_classified_as_component_generation() {
    let world = World::new().await;
    let flow = world.empty().await;
    world.means("generate_component").writes(UPPER);
    world.in_session(&flow, "agentic_1", "uppercase, please").await;
    world.means("generate_component").writes(UPPER);
    let told = world.in_session(&flow, "agentic_1", "add error handling").await;
    assert_eq!(told.steps().first(), Some(&"generating_component"));
    assert!(told.steps().contains(&"validated") && told.all("token").is_empty());
    // Whoever classifies is told of the conversation, or could not know what is to be changed.
    let classified = world.asked()[2]["messages"].to_string();
    assert!(
        classified.contains("uppercase, please") && classified.contains("add error handling"),
        "{classified}"
    );
}

/// What some models do to a block of code: the backend finds it all the same, so the panel need not look.
#[tokio::test]
async fn component_generation_fallback_for_edge_cases() {
    for answer in [
        format!("```\n{UPPER}\n```"),
        format!("Sure!\n```python\n{UPPER}"),
        format!("```bash\npip install x\n```\nand\n```py\n{UPPER}\n```\nEnjoy."),
    ] {
        let world = World::new().await;
        let flow = world.empty().await;
        world.means("generate_component").says(&answer);
        let told = world.ask(&flow, "uppercase, please").await;
        assert_eq!(told.complete()["class_name"], "UppercaseText", "{answer}");
        assert_eq!(told.complete()["validated"], true, "{answer}");
    }
}

#[tokio::test]
async fn generator_refuses_reserved_output_names_at_validation_time() {
    for (wrong, told_of) in [
        (
            UPPER.replace("name=\"result\"", "name=\"component_as_tool\""),
            "component_as_tool",
        ),
        (UPPER.replace("make_upper", "to_toolkit"), "to_toolkit"),
    ] {
        let world = World::new().await;
        let flow = world.empty().await;
        world.means("generate_component").writes(&wrong).writes(UPPER);
        let told = world.ask(&flow, "uppercase, please").await;
        let error = told.step("validation_failed")["error"]
            .as_str()
            .unwrap()
            .to_owned();
        assert!(error.contains(told_of) && error.contains("result"), "{error}");
        assert_eq!(told.complete()["validated"], true);
        assert_eq!(told.complete()["validation_attempts"], 2);
    }
}

#[tokio::test]
async fn unsafe_code_is_refused_and_tried_again() {
    let world = World::new().await;
    let flow = world.empty().await;
    let wrong = UPPER.replace("        return", "        open(\"/etc/passwd\")\n        return");
    world.means("generate_component").writes(&wrong).writes(UPPER);
    let told = world.ask(&flow, "uppercase, please").await;
    let error = told.step("validation_failed")["error"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(error.contains("open"), "{error}");
    assert_eq!(told.complete()["validation_attempts"], 2);
}

/// A class with one output of a name that says nothing is offered to models under its own.
#[tokio::test]
async fn generic_output_method_name_falls_back_to_the_class_name() {
    let world = World::new().await;
    let flow = world.empty().await;
    let menu = UPPER
        .replace("UppercaseText", "RandomMenuItem")
        .replace("make_upper", "process");
    let spec = "nodes:\n  in: ChatInput\n  menu: RandomMenuItem\n  bot: Agent\n  out: ChatOutput\nedges:\n  \
                in.message -> bot.input_value\n  menu.component_as_tool -> bot.tools\n  bot.response -> out.input_value\n";
    world
        .means("component_then_flow")
        .calls("generate_component", json!({ "spec": "a menu item" }))
        .writes(&menu);
    world
        .calls("build_flow", json!({ "spec": spec }))
        .calls("run_flow", json!({ "input": "hi" }))
        .says("soup of the day");
    world.says("Done.");
    let told = world
        .ask(
            &flow,
            "Make a menu component, build a flow with it and run the flow",
        )
        .await;
    told.complete();
    let ran = world
        .asked()
        .into_iter()
        .find(|body| tools_of(body).contains(&"random_menu_item".to_owned()));
    let all: Vec<Vec<String>> = world.asked().iter().map(tools_of).collect();
    assert!(ran.is_some(), "{all:?}\n{:?}", world.results());
}

/// Another output than the one every tool has may have its name; it is no less an output.
#[tokio::test]
async fn runtime_keeps_user_declared_outputs_that_happen_to_share_the_sentinel_name() {
    let world = World::new().await;
    let code = UPPER.replace("name=\"result\"", "name=\"component_as_tool\"");
    let made = world
        .ada
        .post("/api/v1/custom_component", &json!({ "code": code }))
        .await;
    let text = made.text();
    // A saved flow from before the check: its node is as an older server made it.
    let mut node: Value = make(&world.ada, UPPER, None).await["data"].take();
    node["template"]["code"]["value"] = code.clone().into();
    node["outputs"][0]["name"] = "component_as_tool".into();
    let mut flow = crate::specs::flow(
        "nodes:\n  in: ChatInput\n  mid: TextOutput\n  out: ChatOutput\nedges:\n  in.message -> mid.input_value\n  \
         mid.text -> out.input_value\n",
    );
    let renamed = flow["data"].to_string().replace("œtextœ", "œcomponent_as_toolœ");
    flow["data"] = serde_json::from_str(&renamed).unwrap();
    let nodes = flow["data"]["nodes"].as_array_mut().unwrap();
    let middle = nodes
        .iter_mut()
        .find(|node| node["data"]["type"] == "TextOutput")
        .unwrap();
    middle["data"]["node"] = node;
    for edge in flow["data"]["edges"].as_array_mut().unwrap() {
        if edge["data"]["sourceHandle"]["name"] == "text" {
            edge["data"]["sourceHandle"]["name"] = "component_as_tool".into();
        }
        if edge["data"]["targetHandle"]["fieldName"] == "input_value" && edge["target"] == "TextOutput-00mid"
        {
            edge["data"]["targetHandle"]["fieldName"] = "text".into();
            let handle = edge["targetHandle"]
                .as_str()
                .unwrap()
                .replace("input_value", "text");
            edge["targetHandle"] = handle.into();
        }
    }
    let id = world.save(&flow).await;
    let answer = world
        .ada
        .post(&format!("/api/v1/run/{id}"), &json!({ "input_value": "quiet" }))
        .await;
    assert!(answer.text().contains("QUIET"), "{}\nmade: {text}", answer.text());
}

/// A model that asks back, or says why it will not, is heard.
#[tokio::test]
async fn an_answer_without_code_is_an_answer() {
    let world = World::new().await;
    let flow = world.empty().await;
    world
        .means("generate_component")
        .says("Which numbers are to be added?");
    let told = world.ask(&flow, "a component, please").await;
    assert_eq!(told.result(), "Which numbers are to be added?");
    let done = told.complete();
    assert!(
        done.get("component_code").is_none() && done["validated"] != true,
        "{done}"
    );
}

/// Thoughts of a model are no part of the component.
#[tokio::test]
async fn code_in_thoughts_is_not_taken() {
    let world = World::new().await;
    let flow = world.empty().await;
    world.means("generate_component");
    let thought = UPPER.replace("UppercaseText", "OnlyThought");
    world.then(
        Turn::text(&format!("```python\n{UPPER}\n```")).reasoning(&format!("```python\n{thought}\n```")),
    );
    let told = world.ask(&flow, "uppercase, please").await;
    assert_eq!(told.complete()["class_name"], "UppercaseText");
}
