//! Runs small flows of real components through the engine, against a model server of the test's own.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ferro_components::{Python, Shared};
use ferro_engine::{
    Answer, Body, Catalog, Event, Failure, FileContent, FlowAnswer, FlowCall, Followed, Host, Limits,
    Message, MessageQuery, Outputs, Overrides, Plan, PlanError, Question, RunInfo, Selection, Start, Usage,
    Value, Variable, start,
};
use ferro_model::{FlowData, spec};
use ferro_testkit::{ModelServer, Received, Turn};
use futures_util::future::BoxFuture;
use serde_json::{Value as Json, json};
use uuid::Uuid;

pub struct World {
    pub models: ModelServer,
    pub host: Arc<FakeHost>,
    catalog: Arc<Catalog>,
}

/// What the person has: variables, files, earlier messages, other flows.
#[derive(Default)]
pub struct FakeHost {
    pub variables: Mutex<BTreeMap<String, String>>,
    pub files: Mutex<BTreeMap<String, Vec<u8>>>,
    pub messages: Mutex<Vec<Message>>,
    /// What other flows were asked.
    pub asked: Mutex<Vec<(String, String)>>,
}

impl Host for FakeHost {
    fn variable<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Option<Variable>, Failure>> {
        let found = self.variables.lock().unwrap().get(name).cloned();
        Box::pin(async move { Ok(found.map(|value| Variable { value, secret: true })) })
    }

    fn messages(&self, query: MessageQuery) -> BoxFuture<'_, Result<Vec<Message>, Failure>> {
        let mut found = self.messages.lock().unwrap().clone();
        found.retain(|message| message.session_id == query.session_id);
        if let Some(limit) = query.limit {
            found.drain(..found.len().saturating_sub(limit));
        }
        Box::pin(async move { Ok(found) })
    }

    fn read_file<'a>(&'a self, path: &'a str) -> BoxFuture<'a, Result<FileContent, Failure>> {
        let found = self.files.lock().unwrap().get(path).cloned();
        Box::pin(async move {
            match found {
                Some(bytes) => Ok(FileContent {
                    name: path.to_owned(),
                    path: path.to_owned(),
                    bytes,
                }),
                None => Err(Failure::input("path", format!("there is no file {path}"))),
            }
        })
    }

    fn run_flow(&self, call: FlowCall) -> BoxFuture<'_, Result<Vec<FlowAnswer>, Failure>> {
        Box::pin(async move {
            let name = call.flow_name.unwrap_or_default();
            if name == "Broken" {
                return Err(Failure::outside("in the flow `Broken`: it is broken"));
            }
            let value = match name.as_str() {
                "Huge" => Value::text("x".repeat(50 * 1024 * 1024)),
                _ => Value::text(format!("{name} got {}", call.input_value)),
            };
            self.asked.lock().unwrap().push((name, call.input_value));
            Ok(vec![FlowAnswer {
                node_id: "ChatOutput-1".to_owned(),
                output: "message".to_owned(),
                value,
            }])
        })
    }
}

impl World {
    pub async fn new() -> Self {
        Self::with(None).await
    }

    pub async fn with_python(python: Arc<dyn Python>) -> Self {
        Self::with(Some(python)).await
    }

    async fn with(python: Option<Arc<dyn Python>>) -> Self {
        let models = ModelServer::start().await;
        let policy = ferro_net::AddressPolicy::default().allow(models.address().to_string().parse().unwrap());
        let mut shared = Shared::new(ferro_net::Client::new(policy).unwrap());
        shared.models = shared.models.with_rehearsal_pace(Duration::ZERO);
        let host = FakeHost::default();
        let url = models.url();
        for (name, value) in [
            ("OPENAI_API_KEY", "sk-open".to_owned()),
            ("OPENAI_BASE_URL", format!("{url}/v1")),
            ("ANTHROPIC_API_KEY", "sk-ant".to_owned()),
            ("ANTHROPIC_BASE_URL", url.clone()),
        ] {
            host.variables.lock().unwrap().insert(name.to_owned(), value);
        }
        Self {
            models,
            host: Arc::new(host),
            catalog: Arc::new(ferro_components::catalog(&shared, python)),
        }
    }

    /// The flow of a spec. Node `a` of type `T` has the id `T-0000a`; whoever asks a model asks one of OpenAI.
    pub fn flow(&self, text: &str) -> Flow {
        let names = spec::parse(text)
            .unwrap_or_else(|error| panic!("{error:?}"))
            .nodes;
        let mut names = names.iter().map(|node| format!("{:0>5}", node.id));
        let built = spec::build_flow_from_spec(text, self.catalog.registry(), &mut || names.next().unwrap());
        let built = built.unwrap_or_else(|error| panic!("{}", error.details));
        let mut flow = Flow(serde_json::from_str(built.data.as_str()).unwrap());
        for node in flow.0["nodes"].as_array_mut().unwrap() {
            let Some(field) = node.pointer_mut("/data/node/template/model") else {
                continue;
            };
            let name = match field["model_type"].as_str() {
                Some("embedding") => "text-embedding-3-small",
                _ => "gpt-4o",
            };
            field["value"] = json!([{ "provider": "OpenAI", "name": name }]);
        }
        flow
    }

    pub fn plan(&self, flow: &Flow) -> Result<Plan, PlanError> {
        let data = FlowData::parse(&flow.0.to_string()).unwrap();
        Plan::new(&data, &self.catalog, &Selection::Whole)
    }

    pub fn says(&self, texts: &[&str]) {
        texts.iter().for_each(|text| self.models.push(Turn::text(text)));
    }

    pub async fn run(&self, flow: &Flow, input: &str) -> Ran {
        self.run_with(flow, input, &[], &[]).await
    }

    /// With files of the message and a person who answers questions.
    pub async fn run_with(&self, flow: &Flow, input: &str, files: &[&str], answers: &[Answer]) -> Ran {
        let plan = self.plan(flow).unwrap();
        let (handle, work) = start(Start {
            plan: Arc::new(plan),
            info: RunInfo {
                run_id: Uuid::now_v7(),
                flow_id: Uuid::nil(),
                session_id: "session".to_owned(),
                input_value: input.to_owned(),
                files: files.iter().map(|&file| file.to_owned()).collect(),
                ..RunInfo::default()
            },
            overrides: Overrides::default(),
            host: Arc::clone(&self.host) as Arc<dyn Host>,
            log: None,
            limits: Limits::default(),
            seeds: Default::default(),
            history: Vec::new(),
        });
        let mut answers = answers.iter().cloned();
        let reading = async {
            let mut follower = handle.follow(0);
            let mut all = Vec::new();
            loop {
                match follower.next().await {
                    Followed::Events(events) => {
                        for event in events {
                            if let Body::Asked { request_id, .. } = &event.body {
                                handle.answer(*request_id, answers.next().unwrap());
                            }
                            all.push((*event).clone());
                        }
                    }
                    Followed::Behind(seq) => follower.skip_to(seq),
                    Followed::End => return all,
                }
            }
        };
        let (_, events) = tokio::join!(work, reading);
        Ran { events }
    }

    /// The bodies of what models were asked.
    pub fn asked(&self) -> Vec<Json> {
        let all = self.models.requests().into_iter();
        all.map(|Received { body, .. }| body).collect()
    }

    /// The messages of the last question, each as `role: content`.
    pub fn told(&self) -> Vec<String> {
        let asked = self.asked().pop().unwrap();
        let messages = asked["messages"].as_array().unwrap().iter();
        let told = messages.map(|message| {
            let content = &message["content"];
            let content = content
                .as_str()
                .map_or_else(|| content.to_string(), str::to_owned);
            format!("{}: {content}", message["role"].as_str().unwrap())
        });
        told.collect()
    }
}

pub struct Flow(pub Json);

impl Flow {
    /// A node's `data.node`.
    pub fn node(&mut self, name: &str) -> &mut Json {
        let end = format!("-{name:0>5}");
        let nodes = self.0["nodes"].as_array_mut().unwrap().iter_mut();
        let node = nodes
            .into_iter()
            .find(|node| node["id"].as_str().unwrap().ends_with(&end));
        &mut node.unwrap()["data"]["node"]
    }

    #[must_use]
    pub fn set(mut self, node: &str, field: &str, value: impl Into<Json>) -> Self {
        let template = self.node(node)["template"].as_object_mut().unwrap();
        let entry = template
            .entry(field)
            .or_insert_with(|| json!({ "type": "str", "show": true }));
        entry["value"] = value.into();
        entry["load_from_db"] = false.into();
        self
    }

    /// A wire into a field that the node gets with it.
    #[must_use]
    pub fn wire(mut self, (from, output): (&str, &str), (to, field): (&str, &str), kind: &str) -> Self {
        let entry =
            json!({ "type": "other", "name": field, "show": true, "input_types": [kind], "value": "" });
        self.node(to)["template"][field] = entry;
        let id = |name: &str| {
            let nodes = self.0["nodes"].as_array().unwrap().iter();
            let mut ids = nodes.map(|node| node["id"].as_str().unwrap().to_owned());
            ids.find(|id| is(id, name)).unwrap()
        };
        let (from, to) = (id(from), id(to));
        let source = json!({ "dataType": "X", "id": from, "name": output, "output_types": [kind] });
        let target = json!({ "fieldName": field, "id": to, "inputTypes": [kind], "type": "other" });
        let edge = json!({
            "source": from, "target": to, "data": { "sourceHandle": source, "targetHandle": target },
            "sourceHandle": source.to_string(), "targetHandle": target.to_string(),
        });
        self.0["edges"].as_array_mut().unwrap().push(edge);
        self
    }
}

pub struct Ran {
    pub events: Vec<Event>,
}

fn is(id: &str, name: &str) -> bool {
    id.ends_with(&format!("-{name:0>5}"))
}

impl Ran {
    #[track_caller]
    pub fn outputs(&self, node: &str) -> &Outputs {
        let found = self.events.iter().rev().find_map(|event| match &event.body {
            Body::NodeFinished { at, result } if is(&at.node, node) => Some(&result.outputs),
            _ => None,
        });
        found.unwrap_or_else(|| panic!("{node} did not finish: {:?}", self.failure()))
    }

    #[track_caller]
    pub fn value(&self, node: &str, output: &str) -> &Value {
        let found = self.outputs(node).get(output);
        found.unwrap_or_else(|| panic!("{node} has no output {output}: {:?}", self.outputs(node)))
    }

    #[track_caller]
    pub fn text(&self, node: &str, output: &str) -> String {
        self.value(node, output).to_text().into_owned()
    }

    #[track_caller]
    pub fn json(&self, node: &str, output: &str) -> Json {
        self.value(node, output).to_json()
    }

    #[track_caller]
    pub fn message(&self, node: &str, output: &str) -> &Message {
        match self.value(node, output) {
            Value::Message(message) => message,
            other => panic!("not a message: {other:?}"),
        }
    }

    pub fn usage(&self, node: &str) -> Usage {
        self.outputs(node).usage.unwrap_or_default()
    }

    pub fn failure(&self) -> Option<&Failure> {
        self.events.iter().find_map(|event| match &event.body {
            Body::NodeFailed { failure, .. } => Some(failure),
            _ => None,
        })
    }

    /// What failed, and that it says what to do.
    #[track_caller]
    pub fn failed(&self, part: &str) -> &Failure {
        let failure = self.failure().expect("it should fail");
        assert!(failure.message.contains(part), "{failure:?}");
        assert!(!failure.advice.is_empty(), "{failure:?}");
        failure
    }

    pub fn is_skipped(&self, node: &str) -> bool {
        let skipped =
            |event: &Event| matches!(&event.body, Body::NodeSkipped { at, .. } if is(&at.node, node));
        self.events.iter().any(skipped)
    }

    pub fn tokens(&self) -> Vec<&str> {
        let tokens = self.events.iter().filter_map(|event| match &event.body {
            Body::Token { chunk, .. } => Some(chunk.as_str()),
            _ => None,
        });
        tokens.collect()
    }

    pub fn questions(&self) -> Vec<&Question> {
        let asked = self.events.iter().filter_map(|event| match &event.body {
            Body::Asked { question, .. } => Some(question),
            _ => None,
        });
        asked.collect()
    }

    /// The last state of the last message in the chat.
    pub fn last_shown(&self) -> &Message {
        let shown = self.events.iter().rev().find_map(|event| match &event.body {
            Body::Message { message, .. } => Some(&**message),
            _ => None,
        });
        shown.unwrap()
    }

    pub fn logs(&self) -> Vec<String> {
        let logs = self.events.iter().filter_map(|event| match &event.body {
            Body::Log { name, message, .. } => Some(format!("{name}: {}", message.as_str().unwrap_or(""))),
            _ => None,
        });
        logs.collect()
    }
}
