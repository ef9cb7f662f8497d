//! Running a flow within a turn: what it says, what it costs, what is refused, and where the flow is afterwards.

use serde_json::{Value, json};

use super::components::UPPER;
use super::support::{CHATBOT, World, last_user, tools_of};
use crate::specs;

const OWN: &str = "
nodes:
  in: ChatInput
  own: UppercaseText
  out: ChatOutput
edges:
  in.message -> own.text
  own.result -> out.input_value
config:
  in.input_value: quiet words
";

const AGENT: &str = "
nodes:
  in: ChatInput
  bot: Agent
  out: ChatOutput
edges:
  in.message -> bot.input_value
  bot.response -> out.input_value
";

/// Generates, builds and runs in one loop, whatever the words were.
async fn compound(text: &str) -> (World, super::support::Told) {
    let world = World::new().await;
    let flow = world.empty().await;
    world.means("component_then_flow");
    world
        .calls("generate_component", json!({ "spec": "capital letters" }))
        .writes(UPPER);
    world.calls("search_components", json!({ "query": "UppercaseText" }));
    world
        .calls("build_flow", json!({ "spec": OWN }))
        .calls("run_flow", json!({}))
        .says("It said QUIET WORDS.");
    let told = world.ask(&flow, text).await;
    (world, told)
}

#[tokio::test]
async fn compound_prompt_create_a_component_build_a_flow_with_it_and_run_it() {
    let text = "Create a component that makes capital letters, build a flow that uses it, and run it";
    let (world, told) = compound(text).await;
    assert_eq!(told.complete()["intent"], "component_then_flow");
    assert_eq!(told.steps()[0], "orchestrating");
    assert_eq!(told.step("orchestrating")["message"], "Orchestrating...");
    let results = world.results();
    assert!(results[0].contains("UppercaseText"), "{results:?}");
    assert!(
        results[1].contains("UppercaseText"),
        "found as soon as it was made: {results:?}"
    );
    assert!(results[3].contains("QUIET WORDS"), "{results:?}");
    assert!(
        told.complete()["run_metrics"]["duration_seconds"]
            .as_f64()
            .unwrap()
            > 0.0,
        "{}",
        told.complete()
    );
    assert_eq!(told.result(), "It said QUIET WORDS.");
    // One loop: each request of the agent has all that came before it.
    let agent: Vec<Value> = world
        .asked()
        .into_iter()
        .filter(|body| !tools_of(body).is_empty())
        .collect();
    let lengths: Vec<usize> = agent
        .iter()
        .map(|body| body["messages"].as_array().unwrap().len())
        .collect();
    assert!(lengths.windows(2).all(|pair| pair[0] < pair[1]), "{lengths:?}");
}

#[tokio::test]
async fn compound_build_component_then_flow_then_run_in_one_prompt() {
    let (_, told) = compound("make a component that shouts, build a flow that uses it, then run it").await;
    assert_eq!(told.update("set_flow")["auto_apply"], true);
    assert!(!told.text().contains("flow_ran"), "an inner signal stays inside");
}

#[tokio::test]
async fn orchestrating_indicator_on_multi_step_prompts() {
    let world = World::new().await;
    let flow = world.empty().await;
    for (text, step) in [
        ("Build a chatbot flow and run the flow", "orchestrating"),
        ("Crie um chatbot e execute o fluxo", "orchestrating"),
        ("Build a chatbot", "generating_flow"),
    ] {
        world.means("build_flow").says("Later.");
        let told = world.ask(&flow, text).await;
        assert_eq!(told.steps()[0], step, "{text}");
    }
    // Words alone decide nothing: what the model took for a question is one, unless it is to run something.
    world.means("question").says("It is an answer.");
    let told = world.ask(&flow, "what is a flow?").await;
    assert_eq!(told.complete()["intent"], "question");
}

#[tokio::test]
async fn a_request_to_run_that_was_taken_for_a_question_is_run() {
    let world = World::new().await;
    let flow = world.flow(specs::ECHO).await;
    world.says(&json!({ "translation": "run the flow", "intent": "question" }).to_string());
    world.calls("run_flow", json!({ "input": "hi" })).says("It ran.");
    let told = world.ask(&flow, "rode o fluxo").await;
    assert_eq!(told.complete()["intent"], "run_flow", "{}", told.complete());
    assert!(told.complete()["run_metrics"].is_object());
}

#[tokio::test]
async fn run_metrics_shown_after_a_run() {
    let world = World::new().await;
    let flow = world.flow(CHATBOT).await;
    world
        .means("run_flow")
        .calls("run_flow", json!({ "input": "hi" }));
    world
        .then(ferro_testkit::Turn::text("Hello from inside.").usage(123, 45))
        .says("It said hello.");
    let told = world.ask(&flow, "run the flow").await;
    let metrics = &told.complete()["run_metrics"];
    assert_eq!(
        (
            &metrics["input_tokens"],
            &metrics["output_tokens"],
            &metrics["total_tokens"]
        ),
        (&json!(123), &json!(45), &json!(168)),
        "{metrics}"
    );
    assert!(metrics["duration_seconds"].as_f64().unwrap() > 0.0);
    let result: Value = serde_json::from_str(&world.results()[0]).unwrap();
    assert!(
        result["result"].as_str().unwrap().contains("Hello from inside."),
        "{result}"
    );
    assert_eq!(
        result["metrics"]["total_tokens"], 168,
        "the model is told: {result}"
    );
    assert_eq!(told.step("generating")["message"], "Running the flow...");
}

#[tokio::test]
async fn run_flow_returns_duration_and_token_metrics() {
    let world = World::new().await;
    let flow = world.flow(CHATBOT).await;
    world
        .means("run_flow")
        .calls("run_flow", json!({ "input": "hi" }));
    world
        .then(ferro_testkit::Turn::text("Hello.").usage(100, 10))
        .says("Done.");
    let told = world.ask(&flow, "run the flow").await;
    // Only the run and its numbers: nothing on the way says how it goes.
    let kinds: Vec<&str> = told
        .events
        .iter()
        .map(|event| event["event"].as_str().unwrap())
        .collect();
    assert!(
        kinds
            .iter()
            .all(|kind| ["progress", "token", "tool_start", "complete"].contains(kind)),
        "{kinds:?}"
    );
    // The whole turn costs more than the run within it.
    let usage = told.complete()["usage"]["total_tokens"].as_u64().unwrap();
    assert!(usage > 110, "{usage}");
    let inside = world
        .asked()
        .iter()
        .filter(|body| tools_of(body).is_empty())
        .count();
    assert_eq!(inside, 2, "classified once, run once");
}

#[tokio::test]
async fn build_flow_mutates_the_working_flow_in_place_so_the_run_engine_sees_the_canvas() {
    let world = World::new().await;
    let flow = world.empty().await;
    let spec = specs::ECHO.to_owned() + "config:\n  in.input_value: an echo\n";
    world
        .means("build_flow")
        .calls("build_flow", json!({ "spec": spec }))
        .calls("run_flow", json!({}))
        .says("Done.");
    world
        .ask(&flow, "build an echo and run the flow")
        .await
        .complete();
    let results = world.results();
    assert!(results[1].contains("an echo"), "{results:?}");
}

#[tokio::test]
async fn build_run_lands_on_the_canvas_regardless_of_how_the_user_phrased_it() {
    for text in [
        "crie um fluxo de eco e depois rode ele",
        "build it and run it",
        "make an echo then execute that",
        "mach mal",
    ] {
        let world = World::new().await;
        let flow = world.empty().await;
        world
            .means("build_flow")
            .calls("build_flow", json!({ "spec": specs::ECHO }))
            .calls("run_flow", json!({ "input": "hi" }))
            .says("Ran.");
        let told = world.ask(&flow, text).await;
        let sets: Vec<&Value> = told
            .all("flow_update")
            .into_iter()
            .filter(|update| update["action"] == "set_flow")
            .collect();
        assert_eq!(
            sets.iter().filter(|set| set["auto_apply"] == true).count(),
            1,
            "{text}: {told:#?}"
        );
        assert_eq!(sets.last().unwrap()["auto_apply"], true, "{text}");
        assert!(
            !told.steps().contains(&"flow_proposal_ready"),
            "{text}: {:?}",
            told.steps()
        );
    }
    // Built and not run: a proposal, even though running was spoken of.
    let world = World::new().await;
    let flow = world.empty().await;
    world
        .means("build_flow")
        .calls("build_flow", json!({ "spec": specs::ECHO }))
        .says("Built and ran it!");
    let told = world.ask(&flow, "build an echo for me").await;
    assert_ne!(told.update("set_flow")["auto_apply"], true);
    told.step("flow_proposal_ready");
}

#[tokio::test]
async fn a_run_that_fails_lets_nothing_through() {
    let world = World::new().await;
    let flow = world.empty().await;
    world
        .means("build_flow")
        .calls("build_flow", json!({ "spec": CHATBOT }))
        .calls("run_flow", json!({ "input": "hi" }));
    world.then(ferro_testkit::Turn::status(
        401,
        json!({ "error": { "message": "Incorrect API key provided" } }),
    ));
    world.says("It failed.");
    let told = world.ask(&flow, "build me a chatbot").await;
    told.update("set_flow");
    assert!(
        told.all("flow_update")
            .iter()
            .all(|update| update["auto_apply"] != true),
        "{told:#?}"
    );
}

#[tokio::test]
async fn run_flow_refuses_to_run_unsafe_component_code() {
    let world = World::new().await;
    let wrong = UPPER.replace("        return", "        open(\"/etc/passwd\")\n        return");
    let node = crate::api::custom_components::make(&world.ada, UPPER, None).await["data"].take();
    let mut flow = specs::flow(
        "nodes:\n  in: ChatInput\n  own: TextOutput\n  out: ChatOutput\nedges:\n  in.message -> out.input_value\n",
    );
    flow["data"]["nodes"][1]["data"]["node"] = node;
    flow["data"]["nodes"][1]["data"]["node"]["template"]["code"]["value"] = wrong.into();
    let id = world.save(&flow).await;
    world
        .means("run_flow")
        .calls("run_flow", json!({ "input": "hi" }))
        .says("Refused.");
    let told = world.ask(&id, "run the flow").await;
    let results = world.results();
    assert!(
        results[0].contains("Refused to run: unsafe component code detected") && results[0].contains("open"),
        "{results:?}"
    );
    assert!(told.all("flow_update").is_empty(), "{told:#?}");
}

/// What the server itself brings is never taken for somebody's code.
#[tokio::test]
async fn built_in_component_code_is_exempted_from_the_run_time_security_scan() {
    let world = World::new().await;
    let flow = world.empty().await;
    let page = ferro_testkit::Turn::raw("text/html", "<p>A page about tea.</p>").on("/tea");
    let spec = format!(
        "nodes:\n  page: URLComponent\n  read: ParserComponent\n  out: ChatOutput\nedges:\n  page.page_results -> read.input_data\n  \
         read.parsed_text -> out.input_value\nconfig:\n  page.urls: {}/tea\n",
        world.models.url()
    );
    world.then(page);
    world
        .means("build_flow")
        .calls("build_flow", json!({ "spec": spec }))
        .calls("run_flow", json!({ "input": "hi" }))
        .says("Tea.");
    world
        .ask(&flow, "read the page about tea and run the flow")
        .await
        .complete();
    let results = world.results();
    assert!(!results.concat().contains("unsafe"), "{results:?}");
    assert!(results[1].contains("\"metrics\""), "{results:?}");
}

#[tokio::test]
async fn provider_agnostic_in_flow_model_auto_pick() {
    let world = World::keyless(|_| {}).await;
    world.give_anthropic(&world.ada).await;
    let flow = world.empty().await;
    world
        .means("build_flow")
        .calls("build_flow", json!({ "spec": AGENT }))
        .calls("run_flow", json!({ "input": "hi" }))
        .says("Hello!")
        .says("Done.");
    let more = json!({ "provider": "Anthropic", "model_name": "claude-sonnet-4-6" });
    let told = world
        .ask_with(&flow, "build an agent and run the flow", more)
        .await;
    let framed = last_user(&world.framed());
    assert!(
        framed.contains("Anthropic") && !framed.contains("OpenAI"),
        "only providers with a key: {framed}"
    );
    let nodes = told.update("set_flow")["flow"]["data"]["nodes"].clone();
    let model = nodes[1]["data"]["node"]["template"]["model"]["value"][0].clone();
    assert_eq!(model["provider"], "Anthropic", "{model}");
    assert!(
        world
            .models
            .requests()
            .iter()
            .all(|request| !request.path.contains("chat/completions"))
    );
    assert!(
        told.complete()["run_metrics"].is_object(),
        "{:?}",
        world.results()
    );
}

#[tokio::test]
async fn an_agent_without_a_model_is_given_one_before_it_runs() {
    let world = World::new().await;
    let mut flow = specs::flow(AGENT);
    flow["data"]["nodes"][1]["data"]["node"]["template"]["model"]["value"] = json!([]);
    let id = world.save(&flow).await;
    world
        .means("run_flow")
        .calls("run_flow", json!({ "input": "hi" }))
        .says("Hello!")
        .says("Done.");
    world.ask(&id, "run the flow").await.complete();
    assert!(world.results()[0].contains("Hello!"), "{:?}", world.results());
}
