//! A server whose model says what the test wrote down, and what a turn told of itself.

use std::collections::BTreeSet;

use ferro_server::config::Config;
use ferro_testkit::{Answer, Client, ModelServer, Raw, Turn};
use serde_json::{Value, json};

use crate::site::{Person, Site};
use crate::specs;

pub const PROVIDER: &str = "OpenAI";
pub const MODEL: &str = "gpt-4o";
/// Never to be seen outside of the server's own requests to the provider.
pub const KEY: &str = "sk-open-0123456789abcdef";
pub const STREAM: &str = "/api/v1/agentic/assist/stream";

pub const CHATBOT: &str = "
name: Chatbot
nodes:
  in: ChatInput
  llm: LanguageModelComponent
  out: ChatOutput
edges:
  in.message -> llm.input_value
  llm.text_output -> out.input_value
";

pub struct World {
    pub site: Site,
    pub models: ModelServer,
    pub ada: Person,
}

impl World {
    /// Ada has a key for one provider, which is the scripted one.
    pub async fn new() -> Self {
        Self::with(|_| {}).await
    }

    pub async fn with(change: impl FnOnce(&mut Config)) -> Self {
        let world = Self::keyless(change).await;
        world.give_open_ai(&world.ada).await;
        world
    }

    pub async fn keyless(change: impl FnOnce(&mut Config)) -> Self {
        let models = ModelServer::start().await;
        let address = models.address().to_string();
        let site = Site::with(move |config| {
            config.egress_allow = vec![address];
            change(config);
        })
        .await;
        let ada = site.user("ada").await;
        Self { site, models, ada }
    }

    pub async fn give_open_ai(&self, person: &Client) {
        let url = format!("{}/v1", self.models.url());
        variable(person, "OPENAI_API_KEY", KEY).await;
        variable(person, "OPENAI_BASE_URL", &url).await;
    }

    pub async fn give_anthropic(&self, person: &Client) {
        variable(person, "ANTHROPIC_API_KEY", "sk-ant-0123456789abcdef").await;
        variable(person, "ANTHROPIC_BASE_URL", &self.models.url()).await;
    }

    /// Saved for Ada, its models set to the scripted one. Node `a` of type `T` has the id `T-0000a`.
    pub async fn flow(&self, spec: &str) -> String {
        self.save(&with_models(specs::flow(spec))).await
    }

    pub async fn empty(&self) -> String {
        self.ada.flow("Empty").await.id()
    }

    pub async fn save(&self, flow: &Value) -> String {
        self.ada.post("/api/v1/flows", flow).await.expect(201).id()
    }

    /// As it is saved now.
    pub async fn saved(&self, flow: &str) -> Value {
        let path = format!("/api/v1/flows/{flow}");
        self.ada.get(&path).await.expect(200).json()["data"].take()
    }

    pub async fn versions(&self, flow: &str) -> Vec<Value> {
        let path = format!("/api/v1/flows/{flow}/versions");
        let all = self.ada.get(&path).await.expect(200).json();
        let list = all
            .as_array()
            .or_else(|| all["versions"].as_array())
            .or_else(|| all["entries"].as_array());
        list.unwrap_or_else(|| panic!("versions in {all}")).clone()
    }

    // --- What the model will say ---------------------------------------------------------------------------------

    /// What the request will be taken for.
    pub fn means(&self, intent: &str) -> &Self {
        self.then(Turn::text(
            &json!({ "translation": "", "intent": intent }).to_string(),
        ))
    }

    pub fn then(&self, turn: Turn) -> &Self {
        self.models.push(turn);
        self
    }

    pub fn calls(&self, tool: &str, arguments: Value) -> &Self {
        self.then(Turn::text("").tool(tool, arguments))
    }

    pub fn says(&self, text: &str) -> &Self {
        self.then(Turn::text(text))
    }

    pub fn writes(&self, code: &str) -> &Self {
        self.then(Turn::text(&format!("Here it is:\n\n```python\n{code}\n```\n")))
    }

    // --- What it was asked ---------------------------------------------------------------------------------------

    /// Bodies of all chat requests, in their order.
    pub fn asked(&self) -> Vec<Value> {
        let all = self.models.requests().into_iter();
        all.filter(|request| request.method == "POST" && request.body["messages"].is_array())
            .map(|request| request.body)
            .collect()
    }

    /// What every tool answered, in the order the model was told.
    pub fn results(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let mut results = Vec::new();
        for body in self.asked() {
            for message in body["messages"].as_array().unwrap() {
                let id = message["tool_call_id"].to_string();
                if message["role"] == "tool" && seen.insert(id) {
                    results.push(said(message));
                }
            }
        }
        results
    }

    /// The request in which the agent was asked first.
    #[track_caller]
    pub fn framed(&self) -> Value {
        let asked = self.asked();
        let found = asked.into_iter().find(|body| !tools_of(body).is_empty());
        found.expect("the agent was asked")
    }

    /// Everything the model server ever received, as text.
    pub fn received(&self) -> String {
        let all = self.models.requests().into_iter();
        all.map(|request| format!("{} {}\n", request.path, request.body))
            .collect()
    }

    // --- Turns ---------------------------------------------------------------------------------------------------

    pub async fn ask(&self, flow: &str, text: &str) -> Told {
        self.ask_with(flow, text, json!({})).await
    }

    pub async fn in_session(&self, flow: &str, session: &str, text: &str) -> Told {
        self.ask_with(flow, text, json!({ "session_id": session })).await
    }

    /// With some more in the body.
    pub async fn ask_with(&self, flow: &str, text: &str, more: Value) -> Told {
        Told::of(&self.post(flow, text, more).await.expect(200))
    }

    pub async fn post(&self, flow: &str, text: &str, more: Value) -> Answer {
        self.ada.post(STREAM, &body(flow, text, more)).await
    }

    /// A turn that is begun and not waited for.
    pub async fn begin(&self, flow: &str, text: &str) -> Raw {
        let body = body(flow, text, json!({})).to_string();
        let mut raw = Raw::connect(self.site.address).await;
        let (address, key) = (self.site.address, &self.ada.key);
        raw.send(format!(
            "POST {STREAM} HTTP/1.1\r\nhost: {address}\r\nx-api-key: {key}\r\ncontent-type: application/json\r\n\
             connection: close\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        ))
        .await;
        raw
    }
}

pub fn body(flow: &str, text: &str, more: Value) -> Value {
    let mut body = json!({ "flow_id": flow, "input_value": text, "provider": PROVIDER, "model_name": MODEL });
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

pub async fn variable(person: &Client, name: &str, value: &str) {
    let kind = if name.ends_with("KEY") {
        "Credential"
    } else {
        "Generic"
    };
    let body = json!({ "name": name, "value": value, "type": kind });
    person.post("/api/v1/variables", &body).await.expect(201);
}

/// Every model field names the scripted model.
pub fn with_models(mut flow: Value) -> Value {
    for node in flow["data"]["nodes"].as_array_mut().unwrap() {
        if let Some(field) = node.pointer_mut("/data/node/template/model") {
            field["value"] = json!([{ "provider": PROVIDER, "name": MODEL }]);
        }
    }
    flow
}

pub fn tools_of(body: &Value) -> Vec<String> {
    let tools = body["tools"].as_array().into_iter().flatten();
    let name = |tool: &Value| {
        tool["function"]["name"]
            .as_str()
            .or(tool["name"].as_str())
            .map(str::to_owned)
    };
    tools.filter_map(name).collect()
}

/// The text of a message to or from a model.
pub fn said(message: &Value) -> String {
    match &message["content"] {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        other => other.to_string(),
    }
}

/// The last thing a person said in a request.
#[track_caller]
pub fn last_user(body: &Value) -> String {
    let messages = body["messages"].as_array().unwrap();
    let user = messages.iter().rfind(|message| message["role"] == "user");
    said(user.expect("a user's message"))
}

/// The events of one turn, in their order.
#[derive(Debug)]
pub struct Told {
    pub events: Vec<Value>,
}

impl Told {
    #[track_caller]
    pub fn of(answer: &Answer) -> Self {
        assert!(
            answer.header("content-type").starts_with("text/event-stream"),
            "{}",
            answer.header("content-type")
        );
        let text = answer.text();
        let data = text.split("\n\n").filter_map(|part| {
            let lines = part.lines().filter_map(|line| line.strip_prefix("data:"));
            let data: Vec<&str> = lines.map(str::trim_start).collect();
            (!data.is_empty()).then(|| data.join("\n"))
        });
        let events: Vec<Value> = data
            .map(|data| serde_json::from_str(&data).unwrap_or_else(|error| panic!("{error} in {data}")))
            .collect();
        let told = Self { events };
        told.has_one_end();
        told
    }

    /// Exactly one event says how it ended, and nothing comes after it.
    #[track_caller]
    fn has_one_end(&self) {
        let is_end = |event: &&Value| {
            ["complete", "error", "cancelled"]
                .iter()
                .any(|end| event["event"] == *end)
        };
        let ends = self.events.iter().filter(is_end).count();
        assert!(
            ends == 1 && self.events.last().is_some_and(|last| is_end(&last)),
            "{self:#?}"
        );
    }

    pub fn all(&self, kind: &str) -> Vec<&Value> {
        self.events
            .iter()
            .filter(|event| event["event"] == kind)
            .collect()
    }

    pub fn steps(&self) -> Vec<&str> {
        let steps = self.all("progress").into_iter();
        steps.map(|event| event["step"].as_str().unwrap()).collect()
    }

    #[track_caller]
    pub fn step(&self, step: &str) -> &Value {
        let found = self
            .all("progress")
            .into_iter()
            .find(|event| event["step"] == step);
        found.unwrap_or_else(|| panic!("no step {step} in {self:#?}"))
    }

    /// What happened to the canvas, by name.
    pub fn actions(&self) -> Vec<&str> {
        let updates = self.all("flow_update").into_iter();
        updates.map(|event| event["action"].as_str().unwrap()).collect()
    }

    #[track_caller]
    pub fn update(&self, action: &str) -> &Value {
        let found = self
            .all("flow_update")
            .into_iter()
            .find(|event| event["action"] == action);
        found.unwrap_or_else(|| panic!("no {action} in {self:#?}"))
    }

    pub fn tokens(&self) -> String {
        let tokens = self.all("token").into_iter();
        tokens.map(|event| event["chunk"].as_str().unwrap()).collect()
    }

    #[track_caller]
    pub fn complete(&self) -> &Value {
        let last = self.events.last().unwrap();
        assert_eq!(last["event"], "complete", "{self:#?}");
        &last["data"]
    }

    #[track_caller]
    pub fn result(&self) -> &str {
        self.complete()["result"].as_str().unwrap()
    }

    #[track_caller]
    pub fn error(&self) -> &str {
        let last = self.events.last().unwrap();
        assert_eq!(last["event"], "error", "{self:#?}");
        last["message"].as_str().unwrap()
    }

    pub fn text(&self) -> String {
        self.events.iter().map(|event| format!("{event}\n")).collect()
    }
}
