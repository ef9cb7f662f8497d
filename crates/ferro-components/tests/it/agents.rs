//! Agents: tools good and bad, people who are asked, and what ends them.

use ferro_engine::{Answer, Message, Sender};
use serde_json::{Map, Value as Json, json};

use ferro_testkit::Turn;

use crate::flows::{Flow, World};

pub const AGENT: &str = "
nodes:
  in: ChatInput
  sum: CalculatorComponent
  bot: Agent
  out: ChatOutput
edges:
  in.message -> bot.input_value
  sum.component_as_tool -> bot.tools
  bot.response -> out.input_value
config:
  bot.system_prompt: You are a clerk.
  bot.add_calculator_tool: false
  bot.add_current_date_tool: false
";

pub fn sum(expression: &str) -> Turn {
    Turn::text("").tool("evaluate_expression", json!({ "expression": expression }))
}

/// What the tools of the last question answered.
pub fn results(world: &World) -> Vec<String> {
    let told = world.told().into_iter();
    told.filter_map(|line| line.strip_prefix("tool: ").map(str::to_owned))
        .collect()
}

fn structured(world: &World, both: bool) -> Flow {
    let mut spec = "
nodes:
  in: ChatInput
  bot: Agent
  data: ParserComponent
  out: ChatOutput
edges:
  in.message -> bot.input_value
  bot.structured_response -> data.input_data
  data.parsed_text -> out.input_value
config:
  data.pattern: {city} has {people}
"
    .to_owned();
    if both {
        spec = spec.replace("  out: ChatOutput\n", "  out: ChatOutput\n  chat: ChatOutput\n");
        spec = spec.replace("config:", "  bot.response -> chat.input_value\nconfig:");
    }
    let schema = json!([{ "name": "city", "type": "str" }, { "name": "people", "type": "int" }]);
    let flow = world.flow(&spec).set("bot", "output_schema", schema);
    flow.set("bot", "format_instructions", "Name the city.")
}

#[tokio::test]
async fn the_answer_has_the_form_of_the_schema() {
    let world = World::new().await;
    let flow = structured(&world, false);
    world.says(&["I like cities.", r#"{"city": "Rome", "people": 3}"#]);
    let ran = world.run(&flow, "Which?").await;
    assert_eq!(
        ran.text("out", "message"),
        "Rome has 3",
        "the wrong form is sent back once"
    );
    let asked = world.asked();
    assert_eq!(asked.len(), 2);
    let told = asked[0]["messages"].to_string();
    assert!(
        told.contains("Name the city.") && told.contains("JSON Schema"),
        "{told}"
    );
    assert_eq!(
        asked[0]["response_format"],
        Json::Null,
        "a tool call would not fit it"
    );

    world.says(&[r#"{"city": "Rome", "people": 3}"#]);
    let alone = structured(&world, false)
        .set("bot", "add_calculator_tool", false)
        .set("bot", "add_current_date_tool", false);
    world.run(&alone, "Which?").await;
    assert_eq!(
        world
            .asked()
            .pop()
            .unwrap()
            .pointer("/response_format/json_schema/schema/required"),
        Some(&json!(["city", "people"])),
        "without tools the provider sees to it"
    );

    world.says(&["no", "no"]);
    world.run(&flow, "Which?").await.failed("does not have the shape");
}

#[tokio::test]
async fn the_answer_comes_as_text_and_in_form() {
    let world = World::new().await;
    let flow = structured(&world, true);
    world.says(&["Rome, three people.", r#"{"city": "Rome", "people": 3}"#]);
    let ran = world.run(&flow, "Which?").await;
    assert_eq!(ran.text("chat", "message"), "Rome, three people.");
    assert_eq!(ran.text("out", "message"), "Rome has 3");
    let asked = world.asked();
    assert_eq!(asked[0]["response_format"], Json::Null, "people get prose");
    assert!(asked[1].to_string().contains("Rome, three people."));
    assert_eq!(ran.usage("bot").input_tokens, 20);

    world.says(&["Rome", "not JSON"]);
    world
        .run(&flow, "Which?")
        .await
        .failed("did not put its answer into JSON");
}

#[tokio::test]
async fn a_person_may_say_no() {
    let world = World::new().await;
    let mut flow = world.flow(AGENT);
    flow.node("sum")["template"]["tools_metadata"] = json!({
        "type": "tools", "value": [{ "name": "evaluate_expression", "tags": ["evaluate_expression"], "status": true, "approval": true }],
    });
    world.models.push(sum("1+1"));
    world.says(&["Then not."]);
    let no = Answer {
        action_id: "reject".to_owned(),
        values: Map::from_iter([("reason".to_owned(), json!("too expensive"))]),
    };
    let ran = world.run_with(&flow, "add", &[], &[no]).await;
    assert_eq!(ran.text("out", "message"), "Then not.");
    let question = ran.questions()[0];
    assert!(
        question.prompt.contains("evaluate_expression") && question.prompt.contains("1+1"),
        "{question:?}"
    );
    let result = results(&world).remove(0);
    assert!(
        result.contains("refused") && result.contains("too expensive"),
        "{result}"
    );
    let blocks = serde_json::to_string(&ran.message("bot", "response").content_blocks).unwrap();
    assert!(blocks.contains("too expensive"), "{blocks}");
}

#[tokio::test]
async fn two_calls_that_need_leave_are_asked_about_one_by_one() {
    let world = World::new().await;
    let mut flow = world.flow(AGENT);
    flow.node("sum")["template"]["tools_metadata"] = json!({
        "type": "tools", "value": [{ "tags": ["evaluate_expression"], "approval_actions": ["approve", "reject"] }],
    });
    let both = sum("1+1").tool("evaluate_expression", json!({ "expression": "3*3" }));
    world.models.push(both);
    world.says(&["One of them."]);
    let answer = |id: &str| Answer {
        action_id: id.to_owned(),
        values: Map::new(),
    };
    let ran = world
        .run_with(&flow, "add", &[], &[answer("approve"), answer("reject")])
        .await;
    assert_eq!(ran.text("out", "message"), "One of them.");
    assert_eq!(ran.questions().len(), 2);
    let results = results(&world);
    assert!(
        results[0].contains('2') && results[1].contains("refused"),
        "{results:?}"
    );
    assert_eq!(world.models.requests().len(), 2);
}

#[tokio::test]
async fn it_is_told_as_much_of_the_past_as_wanted() {
    let world = World::new().await;
    let said = |sender: Sender, text: &str| Message {
        sender,
        text: text.to_owned(),
        session_id: "session".to_owned(),
        ..Message::default()
    };
    world.host.messages.lock().unwrap().extend([
        said(Sender::User, "I am Ada"),
        said(Sender::Machine, "Hello Ada"),
        said(Sender::Machine, ""),
        Message {
            error: true,
            ..said(Sender::Machine, "Boom")
        },
        Message {
            session_id: "other".to_owned(),
            ..said(Sender::User, "I am Eve")
        },
    ]);
    world.run(&world.flow(AGENT), "Who am I?").await;
    assert_eq!(
        world.told(),
        [
            "system: You are a clerk.",
            "user: I am Ada",
            "assistant: Hello Ada",
            "user: Who am I?"
        ]
    );
    world
        .run(&world.flow(AGENT).set("bot", "n_messages", 0), "Who am I?")
        .await;
    assert_eq!(world.told(), ["system: You are a clerk.", "user: Who am I?"]);
}

#[tokio::test]
async fn files_and_blanks_in_the_instructions() {
    let world = World::new().await;
    let png = [0x89, b'P', b'N', b'G', 1, 2, 3].to_vec();
    world.host.files.lock().unwrap().insert("cat.png".to_owned(), png);
    let flow = world.flow(AGENT).set(
        "bot",
        "system_prompt",
        "You are {model_name}.{optional_user_context} It is {current_date}.",
    );
    world.run_with(&flow, "What is it?", &["cat.png"], &[]).await;
    let told = world.told();
    assert!(
        told[0].starts_with("system: You are gpt-4o. It is 20"),
        "{told:?}"
    );
    assert!(
        told[1].contains("data:image/png;base64,") && told[1].contains("What is it?"),
        "{told:?}"
    );
}

#[tokio::test]
async fn an_agent_is_a_tool_of_another() {
    let world = World::new().await;
    let mut flow = world.flow(
        "
nodes:
  in: ChatInput
  help: Agent
  boss: Agent
  out: ChatOutput
edges:
  in.message -> boss.input_value
  help.component_as_tool -> boss.tools
  boss.response -> out.input_value
config:
  help.system_prompt: You look things up.
  boss.add_calculator_tool: false
  boss.add_current_date_tool: false
",
    );
    flow.node("help")["display_name"] = "Fact finder".into();
    world
        .models
        .push(Turn::text("").tool("Call_Fact_finder", json!({ "input_value": "How old is Rome?" })));
    world.says(&["Very old.", "They say it is very old."]);
    let ran = world.run(&flow, "Ask about Rome").await;
    assert_eq!(ran.text("out", "message"), "They say it is very old.");
    let asked = world.asked();
    assert_eq!(asked[0]["tools"][0]["function"]["name"], "Call_Fact_finder");
    let inner = asked[1]["messages"].to_string();
    assert!(
        inner.contains("You look things up.") && inner.contains("How old is Rome?"),
        "{inner}"
    );
    assert_eq!(results(&world), ["Very old."]);
    assert_eq!(
        ran.tokens().concat(),
        "They say it is very old.",
        "only the answer is shown as one"
    );
}

#[tokio::test]
async fn a_model_without_tools_is_refused_before_it_is_asked() {
    let world = World::new().await;
    let variable = ("OLLAMA_BASE_URL".to_owned(), world.models.url());
    world.host.variables.lock().unwrap().extend([variable]);
    let model = json!([{ "provider": "Ollama", "name": "gemma3" }]);
    let flow = world.flow(AGENT).set("bot", "model", model);
    world.run(&flow, "x").await.failed("`gemma3` cannot call tools");
    assert!(world.models.requests().is_empty());
}

#[tokio::test]
async fn an_older_agent_names_its_provider_and_model_apart() {
    let world = World::new().await;
    let mut flow = world.flow(AGENT);
    flow.node("bot")["template"]
        .as_object_mut()
        .unwrap()
        .remove("model");
    let flow = flow
        .set("bot", "agent_llm", "Anthropic")
        .set("bot", "model_name", "claude-sonnet-4-6");
    world.says(&["Hello."]);
    assert_eq!(world.run(&flow, "x").await.text("out", "message"), "Hello.");
    let sent = world.models.requests().pop().unwrap();
    assert_eq!(
        (sent.path.as_str(), &sent.body["model"]),
        ("/v1/messages", &json!("claude-sonnet-4-6"))
    );
}
