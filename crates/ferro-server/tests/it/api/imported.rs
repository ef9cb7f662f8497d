//! Flows as Langflow exports them, of today and of older versions: they come in by upload and run as they are.

use ferro_testkit::{Client, ModelServer, Turn};
use serde_json::{Map, Value, json};

use crate::site::Site;

/// A template entry as exports have it.
fn field(name: &str, kind: &str, value: Value) -> Value {
    json!({
        "_input_type": "MessageTextInput", "advanced": false, "display_name": name, "dynamic": false, "info": "",
        "list": false, "list_add_label": "Add More", "load_from_db": false, "name": name, "placeholder": "",
        "required": false, "show": true, "title_case": false, "tool_mode": false, "trace_as_metadata": true,
        "type": kind, "value": value,
    })
}

/// A key that is kept in a variable.
fn key(name: &str) -> Value {
    let mut field = field("api_key", "str", name.into());
    field["_input_type"] = "SecretStrInput".into();
    field["load_from_db"] = true.into();
    field["password"] = true.into();
    field
}

fn node(r#type: &str, name: &str, fields: Vec<Value>, outputs: &[(&str, &str, &str)]) -> Value {
    let mut template = Map::from_iter([("_type".to_owned(), json!("Component"))]);
    let mut code = field("code", "code", "# left out\n".into());
    code["dynamic"] = true.into();
    for entry in fields.into_iter().chain([code]) {
        template.insert(entry["name"].as_str().unwrap().to_owned(), entry);
    }
    let outputs: Vec<Value> = outputs
        .iter()
        .map(|(name, method, kind)| {
            json!({
                "allows_loop": false, "cache": true, "display_name": name, "method": method, "name": name,
                "selected": kind, "tool_mode": true, "types": [kind], "value": "__UNDEFINED__",
            })
        })
        .collect();
    let id = format!("{type}-aB3dE");
    json!({
        "id": id, "type": "genericNode", "position": { "x": 0.5, "y": 1.5 }, "measured": { "height": 207, "width": 320 },
        "data": {
            "id": id, "type": r#type, "showNode": true,
            "node": {
                "base_classes": ["Message"], "beta": false, "custom_fields": {}, "description": "", "display_name": name,
                "documentation": "", "edited": false, "frozen": false, "legacy": false, "output_types": [],
                "outputs": outputs, "template": template, "tool_mode": false,
            },
        },
    })
}

/// With its handles written twice, once in the œ notation.
fn edge(from: (&str, &str, &str), to: (&str, &str, &str)) -> Value {
    let source = format!("{}-aB3dE", from.0);
    let target = format!("{}-aB3dE", to.0);
    let from = json!({ "dataType": from.0, "id": source, "name": from.1, "output_types": [from.2] });
    let to = json!({ "fieldName": to.1, "id": target, "inputTypes": [to.2], "type": "other" });
    let odd = |handle: &Value| handle.to_string().replace('"', "œ");
    json!({
        "animated": false, "className": "", "selected": false, "id": format!("reactflow__edge-{source}{}-{target}{}", odd(&from), odd(&to)),
        "source": source, "sourceHandle": odd(&from), "target": target, "targetHandle": odd(&to),
        "data": { "sourceHandle": from, "targetHandle": to },
    })
}

fn chat_input() -> Value {
    let fields = vec![
        field("input_value", "str", "Hello".into()),
        field("sender", "str", "User".into()),
        field("sender_name", "str", "User".into()),
        field("session_id", "str", "".into()),
        field("should_store_message", "bool", true.into()),
    ];
    node(
        "ChatInput",
        "Chat Input",
        fields,
        &[("message", "message_response", "Message")],
    )
}

fn chat_output() -> Value {
    let fields = vec![
        field("input_value", "other", "".into()),
        field("data_template", "str", "{text}".into()),
        field("sender", "str", "Machine".into()),
        field("sender_name", "str", "AI".into()),
        field("should_store_message", "bool", true.into()),
    ];
    node(
        "ChatOutput",
        "Chat Output",
        fields,
        &[("message", "message_response", "Message")],
    )
}

fn agent(own: Vec<Value>) -> Value {
    let mut fields = vec![
        field("system_prompt", "str", "You are a clerk.".into()),
        field("n_messages", "int", 100.into()),
        field("max_iterations", "int", 15.into()),
        field("handle_parsing_errors", "bool", true.into()),
        field("add_current_date_tool", "bool", true.into()),
        field("input_value", "str", "".into()),
        field("tools", "other", "".into()),
    ];
    fields.extend(own);
    node(
        "Agent",
        "Agent",
        fields,
        &[("response", "message_response", "Message")],
    )
}

fn export(name: &str, version: &str, nodes: Vec<Value>, edges: Vec<Value>) -> Value {
    json!({
        "id": "6e1d0a0e-53bb-4b8e-9a70-2f3c6f1b9d10", "name": name, "description": "", "endpoint_name": null,
        "is_component": false, "last_tested_version": version, "tags": ["agents"],
        "data": { "nodes": nodes, "edges": edges, "viewport": { "x": 0, "y": 0, "zoom": 0.7 } },
    })
}

struct World {
    _site: Site,
    models: ModelServer,
    client: Client,
}

impl World {
    async fn new() -> Self {
        let models = ModelServer::start().await;
        let address = models.address().to_string();
        let site = Site::with(move |config| config.egress_allow = vec![address]).await;
        let client = site.user("ada").await.client;
        for (name, value, kind) in [
            ("OPENAI_API_KEY", "sk-open".to_owned(), "Credential"),
            ("OPENAI_BASE_URL", format!("{}/v1", models.url()), "Generic"),
        ] {
            let body = json!({ "name": name, "value": value, "type": kind });
            client.post("/api/v1/variables", &body).await.expect(201);
        }
        Self {
            _site: site,
            models,
            client,
        }
    }

    /// Uploads the file and says something to the flow.
    async fn run(&self, file: &Value, text: &str) -> String {
        let bytes = file.to_string();
        let parts = [("file", "flow.json", bytes.as_bytes())];
        let made = self
            .client
            .upload("/api/v1/flows/upload", &parts)
            .await
            .expect(201)
            .json();
        let path = format!("/api/v1/run/{}", made[0]["id"].as_str().unwrap());
        let answer = self
            .client
            .post(&path, &json!({ "input_value": text }))
            .await
            .expect(200)
            .json();
        let message = &answer["outputs"][0]["outputs"][0]["outputs"]["message"]["message"];
        message.as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }
}

fn straight(middle: (&str, &str, &str)) -> Vec<Value> {
    vec![
        edge(
            ("ChatInput", "message", "Message"),
            (middle.0, middle.1, "Message"),
        ),
        edge(
            (middle.0, middle.2, "Message"),
            ("ChatOutput", "input_value", "Message"),
        ),
    ]
}

#[tokio::test]
async fn an_agent_of_today() {
    let world = World::new().await;
    let mut model = field(
        "model",
        "model",
        json!([{
            "category": "OpenAI", "icon": "OpenAI", "name": "gpt-4o", "provider": "OpenAI",
            "metadata": { "context_length": 128_000, "model_class": "ChatOpenAI", "api_key_param": "api_key" },
        }]),
    );
    model["_input_type"] = "ModelInput".into();
    model["model_type"] = "language".into();
    model["input_types"] = json!(["LanguageModel"]);
    let mut calculator = node(
        "CalculatorComponent",
        "Calculator",
        vec![
            field("expression", "str", "".into()),
            field(
                "tools_metadata",
                "tools",
                json!([{
                    "args": { "expression": { "type": "string" } }, "description": "Sums for the office.",
                    "display_description": "Sums", "display_name": "evaluate_expression", "name": "office_sums",
                    "readonly": false, "status": true, "tags": ["evaluate_expression"],
                }]),
            ),
        ],
        &[("component_as_tool", "to_toolkit", "Tool")],
    );
    calculator["data"]["node"]["tool_mode"] = true.into();
    calculator["data"]["node"]["template"]["expression"]["tool_mode"] = true.into();
    let mut edges = straight(("Agent", "input_value", "response"));
    edges.push(edge(
        ("CalculatorComponent", "component_as_tool", "Tool"),
        ("Agent", "tools", "Tool"),
    ));
    let nodes = vec![
        chat_input(),
        calculator,
        agent(vec![model, key("OPENAI_API_KEY")]),
        chat_output(),
    ];
    let file = export("Agent of today", "1.10.1", nodes, edges);
    world
        .models
        .push(Turn::text("").tool("office_sums", json!({ "expression": "6*7" })));
    world.models.push(Turn::text("It is 42."));
    assert_eq!(world.run(&file, "Six times seven?").await, "It is 42.");
    let sent = world.models.requests();
    assert_eq!(sent[0].header("authorization"), Some("Bearer sk-open"));
    assert_eq!(
        sent[0].body["tools"][0]["function"]["description"],
        "Sums for the office."
    );
    assert!(sent[1].body.to_string().contains("42"), "{}", sent[1].body);
    let tools = sent[0].body["tools"].as_array().unwrap().iter();
    let names: Vec<_> = tools.map(|tool| &tool["function"]["name"]).collect();
    assert_eq!(
        names,
        ["office_sums", "get_current_date"],
        "what a file does not know it does not get"
    );
}

#[tokio::test]
async fn an_agent_that_names_provider_and_model_apart() {
    let world = World::new().await;
    let own = vec![
        field("agent_llm", "str", "OpenAI".into()),
        field("model_name", "str", "gpt-4o-mini".into()),
        field("openai_api_base", "str", "".into()),
        field("temperature", "slider", json!(0.1)),
        field("json_mode", "bool", false.into()),
        field("seed", "int", 1.into()),
        field("max_tokens", "int", "".into()),
        field("verbose", "bool", true.into()),
        field("memory", "other", "".into()),
        field(
            "agent_description",
            "str",
            "A helpful assistant with access to the following tools:".into(),
        ),
        key("OPENAI_API_KEY"),
    ];
    let nodes = vec![chat_input(), agent(own), chat_output()];
    let file = export(
        "Older agent",
        "1.4.2",
        nodes,
        straight(("Agent", "input_value", "response")),
    );
    world.models.push(Turn::text("Good morning."));
    assert_eq!(world.run(&file, "Hello").await, "Good morning.");
    let sent = world.models.requests().pop().unwrap();
    assert_eq!(
        (&sent.body["model"], sent.header("authorization")),
        (&json!("gpt-4o-mini"), Some("Bearer sk-open"))
    );
}

#[tokio::test]
async fn a_prompt_and_a_model_of_one_provider() {
    let world = World::new().await;
    let mut question = field("question", "str", "".into());
    question["input_types"] = json!(["Message"]);
    let prompt = vec![
        field("template", "prompt", "Answer as a pirate: {question}".into()),
        question,
    ];
    let mut prompt = node(
        "Prompt",
        "Prompt",
        prompt,
        &[("prompt", "build_prompt", "Message")],
    );
    prompt["data"]["node"]["custom_fields"] = json!({ "template": ["question"] });
    let model = vec![
        field("input_value", "str", "".into()),
        field("system_message", "str", "Be brief.".into()),
        field("model_name", "str", "gpt-4o-mini".into()),
        field("openai_api_base", "str", "".into()),
        field("temperature", "slider", json!(0.1)),
        field("max_tokens", "int", "".into()),
        field("model_kwargs", "dict", json!({})),
        field("json_mode", "bool", false.into()),
        field("seed", "int", 1.into()),
        field("stream", "bool", false.into()),
        key("OPENAI_API_KEY"),
    ];
    let outputs = [
        ("text_output", "text_response", "Message"),
        ("model_output", "build_model", "LanguageModel"),
    ];
    let model = node("OpenAIModel", "OpenAI", model, &outputs);
    let edges = vec![
        edge(
            ("ChatInput", "message", "Message"),
            ("Prompt", "question", "Message"),
        ),
        edge(
            ("Prompt", "prompt", "Message"),
            ("OpenAIModel", "input_value", "Message"),
        ),
        edge(
            ("OpenAIModel", "text_output", "Message"),
            ("ChatOutput", "input_value", "Message"),
        ),
    ];
    let file = export(
        "Pirate",
        "1.1.4",
        vec![chat_input(), prompt, model, chat_output()],
        edges,
    );
    world.models.push(Turn::text("Arr."));
    assert_eq!(world.run(&file, "Where is the gold?").await, "Arr.");
    let sent = world.models.requests().pop().unwrap();
    assert_eq!(sent.body["model"], "gpt-4o-mini");
    assert_eq!(
        sent.body["messages"][1]["content"],
        "Answer as a pirate: Where is the gold?"
    );
}
