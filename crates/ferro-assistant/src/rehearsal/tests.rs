//! Whole turns with the rehearsal model: the real pipeline, the real tools, a small world.

mod answers;
mod builds;
mod classes;
mod components;
mod edits;
mod talks;

use std::sync::{Arc, Mutex};

use ferro_llm::{ChatMessage, ChatModel, ChatRequest, ChatStream, ModelInfo, Role, collect};
use ferro_model::{Descriptor, FieldSpec, FlowData, OutputSpec, Registry};

use crate::fake::{self, Script, World, says};
use crate::{AssistEvent, Available};
use crate::{Completed, FlowUpdate, ModelChoice, PastTurn, prompts};

/// Keeps what the rehearsal model is asked.
struct Spy {
    model: Arc<dyn ChatModel>,
    asked: Mutex<Vec<ChatRequest>>,
}

impl ChatModel for Spy {
    fn info(&self) -> &ModelInfo {
        self.model.info()
    }

    fn stream(&self, request: ChatRequest) -> ChatStream {
        self.asked.lock().unwrap().push(request.clone());
        self.model.stream(request)
    }
}

/// A turn to come.
struct Play {
    world: Arc<World>,
    canvas: Option<FlowData>,
    history: Vec<(String, String)>,
    headless: bool,
}

/// A turn that was played.
struct Played {
    completed: Completed,
    /// What is remembered of the answer.
    remembered: String,
    events: Vec<AssistEvent>,
    /// Names of the tools that were called, with their arguments.
    calls: Vec<(String, serde_json::Value)>,
}

impl Played {
    fn names(&self) -> Vec<&str> {
        self.calls.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// The calls that change something, each as one line.
    fn deeds(&self) -> Vec<String> {
        let reads = [
            "search_components",
            "describe_component",
            "list_templates",
            "get_field_value",
            "describe_flow_io",
            "search_docs",
        ];
        let deeds = self
            .calls
            .iter()
            .filter(|(name, _)| !reads.contains(&name.as_str()));
        deeds
            .map(|(name, arguments)| format!("{name} {arguments}"))
            .collect()
    }

    fn spec(&self) -> &str {
        let built = self.calls.iter().rev().find(|(name, _)| name == "build_flow");
        built.unwrap().1["spec"].as_str().unwrap()
    }

    fn argument(&self, tool: &str, name: &str) -> serde_json::Value {
        let call = self.calls.iter().rev().find(|(known, _)| known == tool);
        call.unwrap_or_else(|| panic!("{tool} was not called: {:?}", self.names()))
            .1[name]
            .clone()
    }

    fn updates(&self) -> Vec<&FlowUpdate> {
        let updates = self.events.iter().filter_map(|event| match event {
            AssistEvent::FlowUpdate(update) => Some(update),
            _ => None,
        });
        updates.collect()
    }
}

fn play() -> Play {
    let world = World::new();
    let message = |name: &str| OutputSpec::new(name, name, name, &["Message"]);
    let more = [
        Descriptor::new("LanguageModelComponent", "Language Model")
            .category("models_and_agents")
            .description("Asks a language model.")
            .field(FieldSpec::other("model", "Model", "model", "ModelInput").accepts(&["LanguageModel"]))
            .field(FieldSpec::message("input_value", "Input"))
            .field(FieldSpec::multiline("system_message", "System Message"))
            .field(FieldSpec::int("max_tokens", "Max Tokens", 0).advanced())
            .output(message("text_output")),
        Descriptor::new("Memory", "Message History")
            .category("models_and_agents")
            .description("Reads the messages of a session.")
            .field(FieldSpec::message("message", "Message"))
            .output(message("messages_text"))
            .output(OutputSpec::new("dataframe", "Table", "table", &["Table"])),
        Descriptor::new("CalculatorComponent", "Calculator")
            .category("utilities")
            .description("Works out an expression.")
            .field(FieldSpec::message_text("expression", "Expression").tool())
            .output(OutputSpec::new("result", "Result", "evaluate", &["Data", "JSON"])),
        Descriptor::new("UnifiedWebSearch", "Web Search")
            .category("data_source")
            .description("Searches the web.")
            .field(FieldSpec::message_text("query", "Query").tool())
            .output(OutputSpec::new("results", "Results", "search", &["Table"])),
        Descriptor::new("File", "Read File")
            .category("files_and_knowledge")
            .description("Reads files.")
            .field(FieldSpec::text("path", "Path"))
            .output(message("message")),
    ];
    {
        let mut registry = world.registry.lock().unwrap();
        let all = registry.iter().cloned().chain(more.into_iter().map(Arc::new));
        *registry = Arc::new(Registry::new(all.collect::<Vec<_>>()));
    }
    Play {
        world,
        canvas: None,
        history: Vec::new(),
        headless: false,
    }
}

impl Play {
    /// On the flow Chat Input, Agent, Chat Output.
    fn on_chatbot(mut self) -> Self {
        self.canvas = Some(fake::chatbot());
        self
    }

    fn on(mut self, spec: &str) -> Self {
        let mut next = 0;
        let mut ids = || {
            next += 1;
            format!("{next:05}")
        };
        let registry = Arc::clone(&self.world.registry.lock().unwrap());
        let built = ferro_model::spec::build_flow_from_spec(spec, &registry, &mut ids);
        self.canvas = Some(built.unwrap().data);
        self
    }

    fn after(mut self, user: &str, assistant: &str) -> Self {
        self.history.push((user.to_owned(), assistant.to_owned()));
        self
    }

    async fn ask(&self, input: &str) -> Played {
        // Whatever is not the assistant's would go to this one, which fails the test when it is asked.
        let general: Arc<dyn ChatModel> = Script::new([]);
        let spy = Arc::new(Spy {
            model: super::rehearsal(general, Some(std::time::Duration::ZERO)),
            asked: Mutex::default(),
        });
        let model = Arc::clone(&spy) as Arc<dyn ChatModel>;
        let choice: ModelChoice =
            Script::choice_of("gpt-5.4", &[], Arc::new(move |_| Ok(Arc::clone(&model))));
        let mut turn = match &self.canvas {
            Some(canvas) => self.world.turn_on(canvas.clone(), choice, input),
            None => self.world.turn(choice, input),
        };
        turn.available = vec![Available {
            provider: "OpenAI".to_owned(),
            models: vec!["gpt-5.4".to_owned(), "gpt-4o-mini".to_owned()],
            rehearsal: false,
        }];
        turn.request.headless = self.headless;
        turn.history = self
            .history
            .iter()
            .map(|(user, assistant)| PastTurn {
                user: user.clone(),
                assistant: assistant.clone(),
            })
            .collect();
        let (outcome, events) = fake::all(turn).await;
        let asked = spy.asked.lock().unwrap();
        let of_agent = |request: &&ChatRequest| {
            let system = request
                .messages
                .first()
                .map(ChatMessage::text)
                .unwrap_or_default();
            system == prompts::BUILDER || system == prompts::READER
        };
        let last = asked.iter().rev().find(of_agent);
        let calls = last.map(|request| {
            let calls = request.messages.iter().flat_map(ChatMessage::tool_calls);
            calls
                .map(|call| (call.name.clone(), serde_json::from_str(&call.arguments).unwrap()))
                .collect()
        });
        Played {
            completed: fake::completed(&outcome).clone(),
            remembered: outcome.record.map(|turn| turn.assistant).unwrap_or_default(),
            events,
            calls: calls.unwrap_or_default(),
        }
    }
}

#[tokio::test]
async fn what_is_not_the_assistants_goes_to_the_general_model() {
    let general: Arc<dyn ChatModel> = Script::new([says("general"), says("general")]);
    let model = super::rehearsal(general, Some(std::time::Duration::ZERO));
    for messages in [
        vec![ChatMessage::user("build a simple chatbot")],
        vec![
            ChatMessage::system("You are a helpful assistant."),
            ChatMessage::user("hello"),
        ],
    ] {
        let answer = collect(model.stream(ChatRequest::new(messages))).await.unwrap();
        assert_eq!(answer.text, "general");
    }
}

#[tokio::test]
async fn the_same_request_gets_the_same_answer() {
    let request = || {
        ChatRequest::new(vec![
            ChatMessage::system(prompts::GENERATOR),
            ChatMessage::new(Role::User, "a component that reverses text"),
        ])
    };
    let model = super::rehearsal(Script::new([]), Some(std::time::Duration::ZERO));
    let first = collect(model.stream(request())).await.unwrap();
    let second = collect(model.stream(request())).await.unwrap();
    assert_eq!(first, second);
    assert!(
        first
            .usage
            .is_some_and(|usage| usage.input > 0 && usage.output > 0)
    );
}
