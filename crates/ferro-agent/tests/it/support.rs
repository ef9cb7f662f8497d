//! A scripted model, scripted tools, and what happened as text.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use ferro_agent::{
    Agent, AgentEvent, Answer, Conversation, Ended, Stopped, Suspended, Tool, ToolError, ToolOutput,
};
use ferro_llm::{
    ChatEvent, ChatMessage, ChatModel, ChatRequest, ChatStream, LlmError, ModelInfo, Part, Role, StopReason,
    ToolSpec, Usage,
};
use futures_util::future::BoxFuture;
use futures_util::{StreamExt as _, stream};
use serde_json::{Map, Value as Json, json};

pub type Turn = Vec<Result<ChatEvent, LlmError>>;

/// Says one turn after the other, and keeps what it was asked.
#[derive(Default)]
pub struct Script {
    info: ModelInfo,
    turns: Mutex<VecDeque<Turn>>,
    pub asked: Mutex<Vec<ChatRequest>>,
}

impl Script {
    pub fn new(turns: impl IntoIterator<Item = Turn>) -> Arc<Self> {
        Arc::new(Self {
            turns: Mutex::new(turns.into_iter().collect()),
            ..Self::default()
        })
    }

    pub fn request(&self, number: usize) -> ChatRequest {
        self.asked.lock().unwrap()[number].clone()
    }

    pub fn times(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

impl ChatModel for Script {
    fn info(&self) -> &ModelInfo {
        &self.info
    }

    fn stream(&self, request: ChatRequest) -> ChatStream {
        self.asked.lock().unwrap().push(request);
        let turn = self.turns.lock().unwrap().pop_front();
        stream::iter(turn.expect("the model is asked no more often than the script says")).boxed()
    }
}

/// An answer in two pieces that costs 10 tokens in and 2 out.
pub fn says(text: &str) -> Turn {
    let (first, rest) = text.split_at(text.len() / 2);
    let mut turn = Turn::new();
    for text in [first, rest] {
        turn.push(Ok(ChatEvent::Text(text.to_owned())));
    }
    turn.push(Ok(ChatEvent::Usage(Usage {
        input: 10,
        output: 2,
        ..Usage::default()
    })));
    turn.push(Ok(ChatEvent::Stop(StopReason::End)));
    turn
}

/// Calls with arguments as the model writes them; ids count from 0 in every answer.
pub fn calls(calls: &[(&str, &str)]) -> Turn {
    let mut turn = Turn::new();
    for (index, (name, arguments)) in calls.iter().enumerate() {
        turn.push(Ok(ChatEvent::ToolStart {
            index,
            id: format!("call_{index}"),
            name: (*name).to_owned(),
            signature: None,
        }));
        turn.push(Ok(ChatEvent::ToolArguments {
            index,
            chunk: (*arguments).to_owned(),
        }));
    }
    turn.push(Ok(ChatEvent::Usage(Usage {
        input: 5,
        output: 5,
        ..Usage::default()
    })));
    turn.push(Ok(ChatEvent::Stop(StopReason::ToolCalls)));
    turn
}

pub type Work = BoxFuture<'static, Result<ToolOutput, ToolError>>;

pub struct Fake {
    spec: ToolSpec,
    approval: bool,
    work: Box<dyn Fn(Map<String, Json>) -> Work + Send + Sync>,
    pub given: Arc<Mutex<Vec<Json>>>,
}

impl Fake {
    pub fn new(name: &str, work: impl Fn(Map<String, Json>) -> Work + Send + Sync + 'static) -> Self {
        Self {
            spec: ToolSpec {
                name: name.to_owned(),
                description: String::new(),
                schema: json!({
                    "type": "object",
                    "properties": { "text": { "type": "string" }, "times": { "type": "integer" }, "loud": { "type": "boolean" } },
                    "required": ["text"],
                }),
            },
            approval: false,
            work: Box::new(work),
            given: Arc::default(),
        }
    }

    pub fn asks(mut self) -> Self {
        self.approval = true;
        self
    }
}

impl Tool for Fake {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn approval(&self) -> bool {
        self.approval
    }

    fn call(&self, arguments: Map<String, Json>) -> Work {
        self.given.lock().unwrap().push(Json::Object(arguments.clone()));
        (self.work)(arguments)
    }
}

/// Says its `text` in capitals.
pub fn upper(name: &str) -> Fake {
    Fake::new(name, |given| {
        let text = given["text"].as_str().unwrap_or_default().to_uppercase();
        Box::pin(async move { Ok(ToolOutput::text(text)) })
    })
}

pub fn broken(name: &str) -> Fake {
    Fake::new(name, |_| Box::pin(async { Err(ToolError::new("no such city")) }))
}

pub fn agent(model: &Arc<Script>, tools: Vec<Fake>) -> Agent {
    let mut agent = Agent::new(model.clone());
    agent.tools = tools
        .into_iter()
        .map(|tool| Arc::new(tool) as Arc<dyn Tool>)
        .collect();
    agent
}

pub fn question() -> Conversation {
    Conversation::new(vec![ChatMessage::system("be good"), ChatMessage::user("hello")])
}

/// Keeps every event.
#[derive(Default)]
pub struct Heard(Mutex<Vec<AgentEvent>>);

impl Heard {
    pub fn hear(&self, event: AgentEvent) {
        self.0.lock().unwrap().push(event);
    }

    pub fn events(&self) -> Vec<AgentEvent> {
        self.0.lock().unwrap().clone()
    }

    /// One line per event; tokens of usage left out.
    pub fn trace(&self) -> String {
        let mut lines = String::new();
        for event in self.events() {
            let line = match event {
                AgentEvent::Iteration(number) => format!("ask {number}"),
                AgentEvent::Text(text) => format!("text {text}"),
                AgentEvent::Reasoning(text) => format!("think {text}"),
                AgentEvent::ToolCalled { id, name } => format!("called {id} {name}"),
                AgentEvent::ToolArguments { id, chunk } => format!("writes {id} {chunk}"),
                AgentEvent::ToolWaiting { id, name, .. } => format!("waits {id} {name}"),
                AgentEvent::ToolStarted { id, arguments, .. } => {
                    format!("start {id} {}", Json::Object(arguments))
                }
                AgentEvent::ToolFinished {
                    id, output, is_error, ..
                } => format!("{} {id} {output}", if is_error { "error" } else { "done" }),
                AgentEvent::Usage(_) => continue,
                AgentEvent::Discarded { why } => format!("again: {why}"),
            };
            lines.push_str(&line);
            lines.push('\n');
        }
        lines
    }
}

pub async fn run(agent: &Agent) -> (Result<Ended, Box<Stopped>>, Heard) {
    let heard = Heard::default();
    let ended = agent.run(question(), &|event| heard.hear(event)).await;
    (ended, heard)
}

pub async fn answer(agent: &Agent) -> Answer {
    match run(agent).await.0.expect("an answer") {
        Ended::Answer(answer) => *answer,
        Ended::NeedsApproval(_) => panic!("a person is asked"),
    }
}

pub async fn stopped(agent: &Agent) -> Stopped {
    *run(agent).await.0.expect_err("it stops")
}

pub async fn suspended(agent: &Agent) -> Suspended {
    match run(agent).await.0.expect("a question") {
        Ended::NeedsApproval(suspended) => *suspended,
        Ended::Answer(answer) => panic!("it answers {}", answer.text),
    }
}

/// What the model was told of its calls, in order: `id name: text`, errors with a `!`.
pub fn results(request: &ChatRequest) -> Vec<String> {
    let told = request
        .messages
        .iter()
        .filter(|message| message.role == Role::Tool);
    told.flat_map(|message| &message.parts)
        .map(|part| match part {
            Part::ToolResult {
                id,
                name,
                content,
                is_error,
            } => format!("{id} {name}{} {content}", if *is_error { "!" } else { ":" }),
            other => panic!("not a result: {other:?}"),
        })
        .collect()
}
