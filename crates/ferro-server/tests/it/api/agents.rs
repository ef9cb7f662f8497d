//! Flows that ask models: what is sent, what is streamed, what is kept, and what happens when something is wrong.

use ferro_testkit::{Client, Fault, ModelServer, Turn, until};
use serde_json::{Value, json};

use crate::site::Site;
use crate::specs::flow;

const MODEL: &str = "
nodes:
  in: ChatInput
  llm: LanguageModelComponent
  out: ChatOutput
edges:
  in.message -> llm.input_value
  llm.text_output -> out.input_value
config:
  llm.system_message: Be brief.
";

const AGENT: &str = "
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
";

struct World {
    _site: Site,
    models: ModelServer,
    client: Client,
}

impl World {
    /// A person with a key and an address for every provider.
    async fn new() -> Self {
        let models = ModelServer::start().await;
        let address = models.address().to_string();
        let site = Site::with(move |config| config.egress_allow = vec![address]).await;
        let client = site.user("ada").await.client;
        let url = models.url();
        for (name, value) in [
            ("OPENAI_API_KEY", "sk-open".to_owned()),
            ("OPENAI_BASE_URL", format!("{url}/v1")),
            ("ANTHROPIC_API_KEY", "sk-ant".to_owned()),
            ("ANTHROPIC_BASE_URL", url.clone()),
            ("GOOGLE_API_KEY", "g-key".to_owned()),
            ("GOOGLE_BASE_URL", url.clone()),
            ("OLLAMA_BASE_URL", url.clone()),
        ] {
            let kind = if name.ends_with("KEY") {
                "Credential"
            } else {
                "Generic"
            };
            let body = json!({ "name": name, "value": value, "type": kind });
            client.post("/api/v1/variables", &body).await.expect(201);
        }
        Self {
            _site: site,
            models,
            client,
        }
    }

    async fn save(&self, spec: &str, provider: &str, model: &str) -> String {
        let mut flow = flow(spec);
        for node in flow["data"]["nodes"].as_array_mut().unwrap() {
            if let Some(field) = node.pointer_mut("/data/node/template/model") {
                field["value"] = json!([{ "provider": provider, "name": model }]);
            }
        }
        self.client.post("/api/v1/flows", &flow).await.expect(201).id()
    }

    async fn run(&self, id: &str, text: &str) -> Value {
        self.client
            .post(&format!("/api/v1/run/{id}"), &json!({ "input_value": text }))
            .await
            .expect(200)
            .json()
    }

    async fn last_message(&self, id: &str) -> Value {
        let path = format!("/api/v1/monitor/messages?flow_id={id}");
        let all = self.client.get(&path).await.expect(200).json();
        all.as_array().unwrap().last().unwrap().clone()
    }
}

fn said(answer: &Value) -> &str {
    answer["outputs"][0]["outputs"][0]["outputs"]["message"]["message"]
        .as_str()
        .unwrap()
}

#[tokio::test]
async fn every_format_answers_streams_and_counts() {
    let world = World::new().await;
    for (provider, model, path) in [
        ("OpenAI", "gpt-4o", "/v1/chat/completions"),
        ("Anthropic", "claude-sonnet-4-6", "/v1/messages"),
        (
            "Google Generative AI",
            "gemini-2.5-flash",
            "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
        ),
        ("Ollama", "llama3.2", "/api/chat"),
    ] {
        world.models.push(Turn::text("Hello there, friend").usage(12, 7));
        let id = world.save(MODEL, provider, model).await;
        assert_eq!(
            said(&world.run(&id, "hi").await),
            "Hello there, friend",
            "{provider}"
        );
        let sent = world.models.requests().pop().unwrap();
        assert_eq!(sent.path, path);
        assert!(sent.body.to_string().contains("Be brief."), "{}", sent.body);
        assert!(!sent.path.contains("key"), "keys do not belong into addresses");

        let message = world.last_message(&id).await;
        let usage = &message["properties"]["usage"];
        assert_eq!(
            (&usage["input_tokens"], &usage["output_tokens"]),
            (&json!(12), &json!(7)),
            "{provider} {message}"
        );
        assert_eq!(message["properties"]["source"]["source"], model, "{message}");

        world.models.push(Turn::text("one two three"));
        let path = format!("/api/v1/run/{id}?stream=true");
        let stream = world
            .client
            .post(&path, &json!({ "input_value": "hi" }))
            .await
            .expect(200)
            .text();
        let tokens: Vec<String> = stream
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .filter(|event| event["event"] == "token")
            .map(|event| event["data"]["chunk"].as_str().unwrap().to_owned())
            .collect();
        assert!(tokens.len() > 1, "{provider}: {stream}");
        assert_eq!(tokens.concat(), "one two three", "{provider}");
    }
}

#[tokio::test]
async fn an_agent_uses_its_tool_and_shows_it() {
    let world = World::new().await;
    let id = world.save(AGENT, "OpenAI", "gpt-4o").await;
    world
        .models
        .push(Turn::text("Let me see.").tool("evaluate_expression", json!({ "expression": "17 * 23" })));
    world.models.push(Turn::text("It is 391."));
    assert_eq!(said(&world.run(&id, "17 times 23?").await), "It is 391.");

    let sent = world.models.requests();
    let tools: Vec<_> = sent[0].body["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["function"]["name"].clone())
        .collect();
    assert_eq!(tools, ["evaluate_expression", "get_current_date"]);
    let result = sent[1].body["messages"]
        .as_array()
        .unwrap()
        .iter()
        .find(|message| message["role"] == "tool")
        .unwrap();
    assert!(result["content"].to_string().contains("391"), "{result}");

    let message = world.last_message(&id).await;
    let blocks = message["content_blocks"].to_string();
    assert!(
        blocks.contains("evaluate_expression") && blocks.contains("17 * 23") && blocks.contains("391"),
        "{message}"
    );
    assert_eq!(message["text"], "It is 391.");
}

#[tokio::test]
async fn an_agent_remembers_its_session_and_no_other() {
    let world = World::new().await;
    let id = world.save(AGENT, "OpenAI", "gpt-4o").await;
    let run = async |text: &str, session: &str| {
        let body = json!({ "input_value": text, "session_id": session });
        world
            .client
            .post(&format!("/api/v1/run/{id}"), &body)
            .await
            .expect(200);
        let sent = world.models.requests().pop().unwrap();
        sent.body["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|message| message["content"].to_string())
            .collect::<Vec<_>>()
    };
    run("My name is Ada", "one").await;
    let told = run("What is my name?", "one").await;
    assert!(
        told.iter().any(|text| text.contains("My name is Ada")),
        "{told:?}"
    );
    assert_eq!(
        told.iter()
            .filter(|text| text.contains("What is my name?"))
            .count(),
        1,
        "{told:?}"
    );
    let told = run("What is my name?", "two").await;
    assert!(!told.iter().any(|text| text.contains("Ada")), "{told:?}");
}

#[tokio::test]
async fn a_tool_that_needs_leave_waits_for_a_person() {
    let world = World::new().await;
    let mut flow = flow(AGENT);
    for node in flow["data"]["nodes"].as_array_mut().unwrap() {
        if let Some(field) = node.pointer_mut("/data/node/template/model") {
            field["value"] = json!([{ "provider": "OpenAI", "name": "gpt-4o" }]);
        }
        if node["data"]["type"] == "CalculatorComponent" {
            node["data"]["node"]["template"]["tools_metadata"] = json!({
                "type": "table", "value": [{ "name": "evaluate_expression", "tags": ["evaluate_expression"], "status": true, "approval": true }],
            });
        }
    }
    let id = world.client.post("/api/v1/flows", &flow).await.expect(201).id();
    let refused = world
        .client
        .post(&format!("/api/v1/run/{id}"), &json!({ "input_value": "add" }))
        .await;
    assert!(
        refused.expect(400).text().contains("waits for a person"),
        "nobody could answer there"
    );
    world
        .models
        .push(Turn::text("").tool("evaluate_expression", json!({ "expression": "1+1" })));
    world.models.push(Turn::text("It is 4."));
    let body = json!({ "flow_id": id, "mode": "background", "input_value": "add" });
    let started = world.client.post("/api/v2/workflows", &body).await;
    assert!(started.status.is_success(), "{}", started.text());
    let question = until("the question", || async {
        let path = format!("/api/v2/workflows/pending?flow_id={id}");
        let pending = world.client.get(&path).await.expect(200).json();
        pending.as_array().unwrap().first().cloned()
    })
    .await;
    assert!(question["prompt"].as_str().unwrap().contains("1+1"), "{question}");
    assert!(
        !question.to_string().contains("conversation"),
        "what the agent remembers is not shown: {question}"
    );
    assert_eq!(
        world.models.requests().len(),
        1,
        "nothing happens before somebody agrees"
    );
    let decision = json!({
        "request_id": question["request_id"],
        "decision": { "action_id": "approve", "arguments": { "expression": "2+2" } },
    });
    let job = question["job_id"].as_str().unwrap();
    let path = format!("/api/v2/workflows/{job}/resume");
    let resumed = world.client.post(&path, &decision).await;
    assert!(resumed.status.is_success(), "{}", resumed.text());
    until("the answer", || async {
        let message = world.last_message(&id).await;
        (message["text"] == "It is 4.").then_some(())
    })
    .await;
    let sent = world.models.requests().pop().unwrap().body;
    let result = sent["messages"]
        .as_array()
        .unwrap()
        .iter()
        .find(|message| message["role"] == "tool");
    assert!(
        result.unwrap()["content"].as_str().unwrap().contains('4'),
        "the person's arguments count: {sent}"
    );
}

#[tokio::test]
async fn what_is_missing_is_named() {
    let site = Site::new().await;
    let client = site.user("ada").await.client;
    let mut flow = flow(MODEL);
    let model = |flow: &mut Value, value: Value, key: &str| {
        let node = &mut flow["data"]["nodes"][1]["data"]["node"]["template"];
        node["model"]["value"] = value;
        node["api_key"]["value"] = key.into();
        node["api_key"]["load_from_db"] = true.into();
    };
    let fails = async |flow: &Value| {
        let id = client.post("/api/v1/flows", flow).await.expect(201).id();
        client
            .post(&format!("/api/v1/run/{id}"), &json!({ "input_value": "hi" }))
            .await
            .expect(400)
            .text()
    };
    model(&mut flow, json!([{ "provider": "OpenAI", "name": "gpt-4o" }]), "");
    let text = fails(&flow).await;
    assert!(text.contains("OPENAI_API_KEY"), "{text}");

    model(
        &mut flow,
        json!([{ "provider": "OpenAI", "name": "gpt-4o" }]),
        "MY_OPENAI_KEY",
    );
    let text = fails(&flow).await;
    assert!(
        text.contains("MY_OPENAI_KEY") && text.contains("OPENAI_API_KEY"),
        "{text}"
    );

    model(
        &mut flow,
        json!([{ "provider": "Unknown", "name": "something-odd" }]),
        "",
    );
    let text = fails(&flow).await;
    assert!(
        text.contains("missing a provider") && text.contains("Reselect"),
        "{text}"
    );

    model(&mut flow, json!([]), "");
    let text = fails(&flow).await;
    assert!(text.contains("No model is chosen"), "{text}");
}

#[tokio::test]
async fn a_provider_that_fails_leaves_its_words_and_the_text_so_far() {
    let world = World::new().await;
    let id = world.save(MODEL, "OpenAI", "gpt-4o").await;
    let path = format!("/api/v1/run/{id}");
    world.models.push(Turn::status(
        404,
        json!({ "error": { "message": "The model `gpt-4o` does not exist", "code": "model_not_found" } }),
    ));
    let text = world
        .client
        .post(&path, &json!({ "input_value": "hi" }))
        .await
        .expect(400)
        .text();
    assert!(
        text.contains("has no model `gpt-4o`") && text.contains("does not exist"),
        "{text}"
    );
    assert!(!text.contains("sk-open"), "{text}");

    world.models.push(Turn::fault(Fault::Reset));
    let text = world
        .client
        .post(&path, &json!({ "input_value": "hi" }))
        .await
        .expect(400)
        .text();
    assert!(text.contains("the connection to OpenAI broke"), "{text}");
    let message = world.last_message(&id).await;
    assert!(
        !message["text"].as_str().unwrap().is_empty(),
        "what had come is kept: {message}"
    );
}

#[tokio::test]
async fn the_starters_run_without_any_key() {
    let site = Site::new().await;
    let client = site.user("ada").await.client;
    let starters = client
        .get("/api/v1/flows/basic_examples")
        .await
        .expect(200)
        .json();
    let mut ran = 0;
    for starter in starters.as_array().unwrap() {
        let tags = starter["tags"].to_string();
        if !tags.contains("models") {
            continue;
        }
        let body = json!({ "name": starter["name"], "data": starter["data"] });
        let id = client.post("/api/v1/flows", &body).await.expect(201).id();
        let answer = client.post(&format!("/api/v1/run/{id}"), &json!({})).await;
        let text = answer.text();
        assert_eq!(answer.status, 200, "{}: {text}", starter["name"]);
        ran += 1;
    }
    assert!(ran >= 7, "{ran}");
}

#[tokio::test]
async fn what_an_agent_spends_as_a_tool_is_counted() {
    const TEAM: &str = "
nodes:
  in: ChatInput
  helper: Agent
  boss: Agent
  out: ChatOutput
edges:
  in.message -> boss.input_value
  helper.component_as_tool -> boss.tools
  boss.response -> out.input_value
";
    let world = World::new().await;
    let id = world.save(TEAM, "OpenAI", "gpt-4o").await;
    let ask = Turn::text("").tool("Call_Agent", json!({ "input_value": "find it" }));
    world.models.push(ask.usage(10, 1));
    world.models.push(Turn::text("found").usage(100, 20));
    world.models.push(Turn::text("Here it is.").usage(1000, 300));
    assert_eq!(said(&world.run(&id, "go").await), "Here it is.");
    let usage = world.last_message(&id).await["properties"]["usage"].clone();
    assert_eq!(
        (&usage["input_tokens"], &usage["output_tokens"]),
        (&json!(1110), &json!(321)),
        "{usage}"
    );
}

#[tokio::test]
async fn a_file_from_elsewhere_gets_a_model() {
    let site = Site::new().await;
    let client = site.user("ada").await.client;
    let mut file = flow(MODEL);
    file["data"]["nodes"][1]["data"]["node"]["template"]["model"]["value"] = json!([]);
    let text = file.to_string();
    let part = ("file", "flow.json", text.as_bytes());
    let made = client
        .upload("/api/v1/flows/upload", &[part])
        .await
        .expect(201)
        .json();
    let node = &made[0]["data"]["nodes"][1]["data"]["node"];
    assert_eq!(
        node["template"]["model"]["value"][0]["provider"], "Rehearsal",
        "{made}"
    );
    let id = made[0]["id"].as_str().unwrap();
    let answer = client
        .post(&format!("/api/v1/run/{id}"), &json!({ "input_value": "hi" }))
        .await
        .expect(200)
        .json();
    assert!(said(&answer).contains("not an AI"), "{answer}");
}
