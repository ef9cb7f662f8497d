//! The tools of an agent: good ones, bad ones, too many rounds of them.

use ferro_testkit::Turn;
use serde_json::json;

use crate::agents::{AGENT, results, sum};
use crate::flows::World;

const FLOW_TOOL: &str = "
nodes:
  in: ChatInput
  tool: FlowTool
  bot: Agent
  out: ChatOutput
edges:
  in.message -> bot.input_value
  tool.api_build_tool -> bot.tools
  bot.response -> out.input_value
config:
  tool.flow_name: Weather report
  tool.tool_description: Tells the weather.
";

#[tokio::test]
async fn a_flow_is_a_tool() {
    let world = World::new().await;
    let flow = world.flow(FLOW_TOOL);
    world
        .models
        .push(Turn::text("").tool("Weather_report", json!({ "input_value": "Rome" })));
    world.says(&["Sunny."]);
    let ran = world.run(&flow, "Weather in Rome?").await;
    assert_eq!(ran.text("out", "message"), "Sunny.");
    let asked = world.host.asked.lock().unwrap().clone();
    assert_eq!(asked, [("Weather report".to_owned(), "Rome".to_owned())]);
    assert_eq!(results(&world), ["Weather report got Rome"]);
    let tools = world.asked()[0]["tools"].clone();
    let tool = &tools[0]["function"];
    assert_eq!(
        (&tool["name"], &tool["description"]),
        (&json!("Weather_report"), &json!("Tells the weather."))
    );
    let names: Vec<_> = tools
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| &tool["function"]["name"])
        .collect();
    assert_eq!(
        names,
        ["Weather_report", "get_current_date", "evaluate_expression"]
    );
    assert_eq!(ran.usage("bot").input_tokens, 20, "both questions count");

    let none = world.flow(FLOW_TOOL).set("tool", "flow_name", "");
    world.run(&none, "x").await.failed("No flow is chosen");
}

#[tokio::test]
async fn the_model_is_told_that_a_tool_failed() {
    let world = World::new().await;
    let flow =
        world
            .flow(FLOW_TOOL)
            .set("tool", "flow_name", "Broken")
            .set("tool", "tool_name", "look it up!");
    world
        .models
        .push(Turn::text("").tool("look_it_up_", json!({ "input_value": "x" })));
    world.says(&["It is broken."]);
    let ran = world.run(&flow, "x").await;
    assert_eq!(ran.text("out", "message"), "It is broken.");
    assert!(
        results(&world)[0].contains("it is broken"),
        "{:?}",
        results(&world)
    );
    let blocks = &ran.message("bot", "response").content_blocks;
    let failed = blocks.iter().find(|block| block["type"] == "tool_use").unwrap();
    assert!(
        failed["error"].as_str().unwrap().contains("it is broken"),
        "{failed}"
    );
}

#[tokio::test]
async fn what_a_tool_says_is_cut_to_what_a_model_can_bear() {
    let world = World::new().await;
    let flow = world.flow(FLOW_TOOL).set("tool", "flow_name", "Huge");
    world
        .models
        .push(Turn::text("").tool("Huge", json!({ "input_value": "x" })));
    world.says(&["That was much."]);
    let ran = world.run(&flow, "x").await;
    assert_eq!(ran.text("out", "message"), "That was much.");
    let result = results(&world).remove(0);
    assert!(
        result.len() < 110_000 && result.contains("[Cut: "),
        "{}",
        result.len()
    );
    let kept = serde_json::to_string(&ran.message("bot", "response").content_blocks).unwrap();
    assert!(kept.len() < 250_000, "{}", kept.len());
}

#[tokio::test]
async fn calls_that_cannot_be_read_go_back_to_the_model() {
    let world = World::new().await;
    let broken = || Turn::text("").tool_text("evaluate_expression", "{\"expression\": ");
    world.models.push(broken());
    world.models.push(sum("2+2"));
    world.says(&["It is 4."]);
    let ran = world.run(&world.flow(AGENT), "2+2?").await;
    assert_eq!(ran.text("out", "message"), "It is 4.");
    let results = results(&world);
    assert!(
        results[0].contains("not JSON") && results[1].contains('4'),
        "{results:?}"
    );

    world.models.push(broken());
    let strict = world.flow(AGENT).set("bot", "handle_parsing_errors", false);
    world
        .run(&strict, "2+2?")
        .await
        .failed("in a way that cannot be read");
    assert_eq!(world.models.waiting(), 0);
}

#[tokio::test]
async fn a_tool_that_is_wired_in_takes_the_place_of_the_small_one() {
    let world = World::new().await;
    let flow =
        world
            .flow(AGENT)
            .set("bot", "add_calculator_tool", true)
            .set("bot", "add_current_date_tool", true);
    world.run(&flow, "x").await;
    let asked = world.asked().pop().unwrap();
    let tools = asked["tools"].as_array().unwrap().iter();
    let names: Vec<_> = tools.map(|tool| &tool["function"]["name"]).collect();
    assert_eq!(names, ["evaluate_expression", "get_current_date"]);
}

#[tokio::test]
async fn a_tool_that_does_not_exist_is_no_end() {
    let world = World::new().await;
    world.models.push(Turn::text("").tool("fly", json!({})));
    world.says(&["I cannot fly."]);
    let ran = world.run(&world.flow(AGENT), "Fly!").await;
    assert_eq!(ran.text("out", "message"), "I cannot fly.");
    assert_eq!(
        results(&world),
        ["There is no tool `fly`. The tools are: evaluate_expression."]
    );
}

#[tokio::test]
async fn it_stops_at_the_limit_and_says_what_it_did() {
    let world = World::new().await;
    world.models.always(sum("1+1"));
    let ran = world
        .run(&world.flow(AGENT).set("bot", "max_iterations", 2), "Go")
        .await;
    let failure = ran.failed("2 rounds");
    assert!(
        failure.message.contains("evaluate_expression") && failure.advice.contains("Max Iterations"),
        "{failure:?}"
    );
    assert_eq!(world.models.requests().len(), 3);
    let shown = ran.last_shown();
    assert!(
        shown.content_blocks.iter().any(|block| block["type"] == "error"),
        "{shown:?}"
    );
    world
        .run(&world.flow(AGENT).set("bot", "max_iterations", 0), "Go")
        .await
        .failed("Max Iterations");
}
