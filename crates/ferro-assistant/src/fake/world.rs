//! A small world for the assistant: a registry, runs and checks that a test decides, a folder for files.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use ferro_assistant::{
    Available, Canvas, Host, HostError, Invalid, ModelChoice, Request, RunMetrics, RunReport, Template, Turn,
    Validated,
};
use ferro_model::spec::build_flow_from_spec;
use ferro_model::{Descriptor, FieldSpec, FlowData, OutputSpec, Problem, Registry, problems};
use futures_util::future::BoxFuture;

/// A component that passes every check.
pub const CODE: &str =
    "from lfx.custom import Component\n\n\nclass Doubler(Component):\n    display_name = \"Doubler\"\n";

/// What a run comes to; `None` never ends.
type Run = Option<RunReport>;

/// Everything the assistant acts on. What is not scripted goes well.
pub struct World {
    pub registry: Mutex<Arc<Registry>>,
    pub runs: Mutex<VecDeque<Run>>,
    /// Flows that were run, with their input.
    pub ran: Mutex<Vec<(FlowData, Option<String>)>>,
    /// Runs under way.
    pub running: Arc<AtomicUsize>,
    pub checks: Mutex<VecDeque<Result<Validated, Invalid>>>,
    /// Code that was checked.
    pub checked: Mutex<Vec<String>>,
    pub registered: Mutex<Vec<(String, String)>>,
    /// Problems of flows in the order they are asked for; what `ferro_model` finds when there are none left.
    pub problems: Mutex<VecDeque<Vec<Problem>>>,
    pub effects: Mutex<Option<String>>,
    pub templates: Mutex<Vec<Template>>,
    pub restore_points: AtomicUsize,
    /// The flow as somebody else saved it meanwhile.
    pub saved: Mutex<Option<FlowData>>,
    pub dir: tempfile::TempDir,
}

impl World {
    pub fn new() -> Arc<Self> {
        Arc::new(Self {
            registry: Mutex::new(Arc::new(registry())),
            runs: Mutex::default(),
            ran: Mutex::default(),
            running: Arc::default(),
            checks: Mutex::default(),
            checked: Mutex::default(),
            registered: Mutex::default(),
            problems: Mutex::default(),
            effects: Mutex::default(),
            templates: Mutex::new(vec![Template {
                name: "Basic Prompting".to_owned(),
                description: "A chat with an agent.".to_owned(),
                data: chatbot(),
            }]),
            restore_points: AtomicUsize::new(0),
            saved: Mutex::default(),
            dir: tempfile::tempdir().unwrap(),
        })
    }

    /// A turn on an empty canvas.
    pub fn turn(self: &Arc<Self>, model: ModelChoice, input: &str) -> Turn {
        Turn {
            request: Request {
                input: input.to_owned(),
                user_id: "user-1".to_owned(),
                session_id: Some("session-1".to_owned()),
                ..Request::default()
            },
            canvas: None,
            available: vec![Available {
                provider: model.provider.clone(),
                models: vec![model.model.clone()],
                rehearsal: false,
            }],
            model,
            history: Vec::new(),
            host: Arc::clone(self) as Arc<dyn Host>,
            verify: true,
        }
    }

    /// A turn on a flow that is there already.
    pub fn turn_on(self: &Arc<Self>, data: FlowData, model: ModelChoice, input: &str) -> Turn {
        let mut turn = self.turn(model, input);
        turn.canvas = Some(Canvas {
            flow_id: "flow-1".to_owned(),
            name: "My flow".to_owned(),
            description: String::new(),
            data,
        });
        turn
    }

    /// The next run answers this.
    pub fn next_run(&self, result: Result<&str, &str>) {
        self.runs.lock().unwrap().push_back(Some(report(result)));
    }

    pub fn next_run_never_ends(&self) {
        self.runs.lock().unwrap().push_back(None);
    }

    pub fn times_run(&self) -> usize {
        self.ran.lock().unwrap().len()
    }

    /// Runs under way at this moment.
    pub fn running(&self) -> usize {
        self.running.load(Ordering::SeqCst)
    }
}

fn report(result: Result<&str, &str>) -> RunReport {
    RunReport {
        result: result.map(str::to_owned).map_err(str::to_owned),
        failed_node: None,
        metrics: RunMetrics {
            duration_seconds: 0.5,
            input_tokens: 100,
            output_tokens: 20,
            total_tokens: 120,
        },
        timed_out: false,
    }
}

struct Under(Arc<AtomicUsize>);

impl Drop for Under {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Host for World {
    fn registry(&self) -> BoxFuture<'_, Result<Arc<Registry>, HostError>> {
        Box::pin(async { Ok(Arc::clone(&self.registry.lock().unwrap())) })
    }

    fn validate(&self, code: String) -> BoxFuture<'_, Result<Validated, Invalid>> {
        Box::pin(async move {
            self.checked.lock().unwrap().push(code.clone());
            if let Some(scripted) = self.checks.lock().unwrap().pop_front() {
                return scripted;
            }
            let name = code
                .split("class ")
                .nth(1)
                .and_then(|rest| rest.split(['(', ':']).next());
            match name {
                Some(name) => Ok(Validated {
                    class_name: name.trim().to_owned(),
                }),
                None => Err(Invalid {
                    message: "There is no component class in the code.".to_owned(),
                    class_name: None,
                    r#unsafe: false,
                    hopeless: false,
                }),
            }
        })
    }

    fn register(&self, class_name: String, code: String) -> BoxFuture<'_, Result<bool, HostError>> {
        Box::pin(async move {
            let descriptor = Descriptor::new(&class_name, &class_name)
                .field(FieldSpec::message_text("value", "Value"))
                .output(OutputSpec::new("result", "Result", "build", &["Message"]));
            let mut registry = self.registry.lock().unwrap();
            let all = registry.iter().cloned().chain([Arc::new(descriptor)]);
            *registry = Arc::new(Registry::new(all.collect::<Vec<_>>()));
            self.registered.lock().unwrap().push((class_name, code));
            Ok(true)
        })
    }

    fn problems(&self, flow: FlowData) -> BoxFuture<'_, Result<Vec<Problem>, HostError>> {
        Box::pin(async move {
            let scripted = self.problems.lock().unwrap().pop_front();
            Ok(scripted.unwrap_or_else(|| problems(&flow, &self.registry.lock().unwrap(), None)))
        })
    }

    fn run(&self, flow: FlowData, input: Option<String>) -> BoxFuture<'_, RunReport> {
        Box::pin(async move {
            self.ran.lock().unwrap().push((flow, input));
            self.running.fetch_add(1, Ordering::SeqCst);
            let _under = Under(Arc::clone(&self.running));
            let next = self.runs.lock().unwrap().pop_front();
            match next {
                None => report(Ok("Hello! How can I help?")),
                Some(Some(scripted)) => scripted,
                Some(None) => std::future::pending().await,
            }
        })
    }

    fn effects(&self, _flow: &FlowData) -> Option<String> {
        self.effects.lock().unwrap().clone()
    }

    fn templates(&self) -> Vec<Template> {
        self.templates.lock().unwrap().clone()
    }

    fn restore_point(&self) -> BoxFuture<'_, Result<Option<String>, HostError>> {
        let number = self.restore_points.fetch_add(1, Ordering::SeqCst) + 1;
        Box::pin(async move { Ok(Some(format!("version-{number}"))) })
    }

    fn files(&self) -> Option<PathBuf> {
        Some(self.dir.path().to_owned())
    }

    fn saved(&self) -> BoxFuture<'_, Result<Option<FlowData>, HostError>> {
        Box::pin(async { Ok(self.saved.lock().unwrap().clone()) })
    }
}

/// A few components that together have every kind of port.
pub fn registry() -> Registry {
    let message = |name: &str, title: &str, method: &str| OutputSpec::new(name, title, method, &["Message"]);
    let components = [
        Descriptor::new("ChatInput", "Chat Input")
            .category("input_output")
            .description("Takes what a person writes.")
            .input()
            .field(FieldSpec::multiline("input_value", "Input Text").accepts(&[]))
            .field(FieldSpec::text("sender_name", "Sender").value("User").advanced())
            .output(message("message", "Chat Message", "message_response")),
        Descriptor::new("ChatOutput", "Chat Output")
            .category("input_output")
            .description("Shows an answer.")
            .answer()
            .field(
                FieldSpec::handle("input_value", "Inputs", &["Data", "JSON", "Table", "Message"]).required(),
            )
            .output(message("message", "Output Message", "message_response")),
        Descriptor::new("Prompt Template", "Prompt Template")
            .aliases(&["Prompt"])
            .category("models_and_agents")
            .description("A text with places for values.")
            .field(FieldSpec::prompt("template", "Template"))
            .output(message("prompt", "Prompt", "build_prompt")),
        Descriptor::new("Agent", "Agent")
            .category("models_and_agents")
            .description("A model with tools.")
            .field(FieldSpec::message("input_value", "Input"))
            .field(FieldSpec::handle("tools", "Tools", &["Tool"]).list())
            .field(FieldSpec::other("model", "Model", "model", "ModelInput").accepts(&["LanguageModel"]))
            .field(FieldSpec::multiline("system_prompt", "Agent Instructions"))
            .field(FieldSpec::secret("api_key", "API Key"))
            .output(message("response", "Response", "message_response")),
        Descriptor::new("URLComponent", "URL")
            .category("data_sources")
            .description("Reads pages of the web.")
            .field(FieldSpec::message_text("urls", "URLs").list().tool().required())
            .field(FieldSpec::int("max_depth", "Depth", 1))
            .output(OutputSpec::new(
                "page_results",
                "Pages",
                "fetch_content",
                &["Table"],
            ))
            .output(OutputSpec::new("raw_results", "Raw", "fetch_raw", &["Message"])),
        Descriptor::new("ParserComponent", "Parser")
            .category("processing")
            .description("Makes text of rows.")
            .field(FieldSpec::handle("input_data", "Data or Table", &["Data", "JSON", "Table"]).required())
            .field(FieldSpec::multiline("pattern", "Template").value("{text}"))
            .output(message("parsed_text", "Parsed Text", "parse")),
        Descriptor::new("LoopComponent", "Loop")
            .category("flow_controls")
            .description("Goes through rows one by one.")
            .field(FieldSpec::handle("data", "Inputs", &["Table"]))
            .output(
                OutputSpec::new("item", "Item", "item_output", &["Data", "JSON"])
                    .loops(&["Message"])
                    .group(),
            )
            .output(OutputSpec::new("done", "Done", "done_output", &["Table"]).group()),
        Descriptor::new("ConditionalRouter", "If-Else")
            .category("flow_controls")
            .description("Goes one way or the other.")
            .routes()
            .field(FieldSpec::message_text("input_text", "Text Input"))
            .output(OutputSpec::new("true_result", "True", "yes", &["Message"]).group())
            .output(OutputSpec::new("false_result", "False", "no", &["Message"]).group()),
    ];
    Registry::new(components.into_iter().map(Arc::new))
}

/// Chat Input, Agent, Chat Output: `ChatInput-00001`, `Agent-00002`, `ChatOutput-00003`.
pub fn chatbot() -> FlowData {
    chatbot_with("B.system_prompt: You are kind.")
}

/// The same with one line of configuration; `B` is the agent.
pub fn chatbot_with(config: &str) -> FlowData {
    flow_of(&format!(
        "nodes:\n  A: ChatInput\n  B: Agent\n  C: ChatOutput\nedges:\n  A.message -> B.input_value\n  \
         B.response -> C.input_value\nconfig:\n  {config}\n"
    ))
}

/// The flow a spec describes, with ids that count.
pub fn flow_of(spec: &str) -> FlowData {
    let mut next = 0;
    let mut ids = || {
        next += 1;
        format!("{next:05}")
    };
    build_flow_from_spec(spec, &registry(), &mut ids).unwrap().data
}

/// A flow of its JSON.
pub fn parse(text: &str) -> FlowData {
    FlowData::parse(text).unwrap()
}
