//! A kit on a bench: a canvas, a small world, and everything that was told.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ferro_agent::ToolError;
use ferro_model::{Descriptor, FieldSpec, FlowData, OutputSpec, Problem, Registry};
use futures_util::future::BoxFuture;
use serde_json::{Value as Json, json};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::cache::Cache;
use crate::event::{AssistEvent, FlowUpdate};
use crate::fake::{Said, Script, World, registry};
use crate::gate::Gate;
use crate::generate::Generator;
use crate::host::{Available, Canvas, Host, HostError, Invalid, RunReport, Template, Validated};
use crate::out::Out;
use crate::tools::{Kit, Toolset, tools};
use crate::work::{Rules, Work};

pub(super) struct Bench {
    pub kit: Kit,
    pub world: Arc<World>,
    /// No way back can be kept.
    pub stuck: Arc<AtomicBool>,
    events: UnboundedReceiver<AssistEvent>,
}

impl Bench {
    /// An empty canvas.
    pub(super) fn empty() -> Self {
        Self::with(None, rules(), Vec::new())
    }

    pub(super) fn on(data: FlowData) -> Self {
        Self::with(Some(data), rules(), Vec::new())
    }

    /// `said` are the answers of the model that writes components.
    pub(super) fn with(data: Option<FlowData>, rules: Rules, said: Vec<Said>) -> Self {
        let world = World::new();
        *world.registry.lock().unwrap() = Arc::new(components());
        let stuck = Arc::new(AtomicBool::new(false));
        let host: Arc<dyn Host> = Arc::new(Sticking(Arc::clone(&world), Arc::clone(&stuck)));
        let (sender, events) = unbounded_channel();
        let out = Arc::new(Out::new(sender, Gate::default()));
        let canvas = data.map(|data| Canvas {
            flow_id: "flow-1".to_owned(),
            name: "My flow".to_owned(),
            description: "Mine.".to_owned(),
            data,
        });
        let registry = Arc::clone(&world.registry.lock().unwrap());
        let kit = Kit {
            work: Work::new(
                canvas.as_ref(),
                registry,
                Arc::clone(&host),
                Arc::clone(&out),
                rules,
            ),
            generator: Arc::new(Generator {
                host,
                model: Script::new(said),
                out,
                max_attempts: 1,
            }),
            sandbox: None,
            cache: Arc::new(Cache::default()),
        };
        Self {
            kit,
            world,
            stuck,
            events,
        }
    }

    pub(super) async fn call(&self, name: &str, arguments: Json) -> Result<Json, ToolError> {
        let tools = tools(&self.kit, Toolset::Builder);
        let tool = tools.iter().find(|tool| tool.spec().name == name).expect(name);
        let output = tool.call(arguments.as_object().unwrap().clone()).await?;
        assert_eq!(
            output.text,
            output.value.to_string(),
            "compact, and the same for both"
        );
        Ok(output.value)
    }

    /// What the tool refuses with.
    pub(super) async fn refusal(&self, name: &str, arguments: Json) -> String {
        match self.call(name, arguments).await {
            Ok(value) => panic!("{name} was not refused: {value}"),
            Err(error) => error.message,
        }
    }

    /// Everything that was told since the last time.
    pub(super) fn told(&mut self) -> Vec<AssistEvent> {
        std::iter::from_fn(|| self.events.try_recv().ok()).collect()
    }

    pub(super) fn updates(&mut self) -> Vec<FlowUpdate> {
        let updates = self.told().into_iter().filter_map(|event| match event {
            AssistEvent::FlowUpdate(update) => Some(update),
            _ => None,
        });
        updates.collect()
    }

    pub(super) fn actions(&mut self) -> Vec<String> {
        let actions = self
            .updates()
            .into_iter()
            .map(|update| serde_json::to_value(update).unwrap());
        actions
            .map(|update| update["action"].as_str().unwrap().to_owned())
            .collect()
    }

    /// The flow as it is now.
    pub(super) fn flow(&self) -> Json {
        serde_json::from_str(self.kit.work.data().as_str()).unwrap()
    }

    /// A node as it is now.
    pub(super) fn node(&self, id: &str) -> Json {
        let flow = self.flow();
        let mut nodes = flow["nodes"].as_array().unwrap().iter();
        nodes
            .find(|node| node["id"] == id)
            .unwrap_or_else(|| panic!("no {id}"))
            .clone()
    }

    pub(super) fn value(&self, id: &str, field: &str) -> Json {
        self.node(id)["data"]["node"]["template"][field]["value"].clone()
    }
}

pub(super) fn rules() -> Rules {
    let available = |provider: &str, models: &[&str]| Available {
        provider: provider.to_owned(),
        models: models.iter().map(|&name| name.to_owned()).collect(),
        rehearsal: false,
    };
    Rules {
        model: ("OpenAI".to_owned(), "gpt-5.4".to_owned()),
        available: vec![
            available("OpenAI", &["gpt-5.4", "gpt-4o"]),
            available("Anthropic", &["claude-sonnet-4-6"]),
        ],
        ..Rules::default()
    }
}

/// The world's components, and some with what only tools look at.
pub(super) fn components() -> Registry {
    let more = [
        Descriptor::new("LanguageModelComponent", "Language Model")
            .category("models_and_agents")
            .description("Asks a language model. And more.")
            .field(
                FieldSpec::other("model", "Language Model", "model", "ModelInput")
                    .accepts(&["LanguageModel"])
                    .value(json!([]))
                    .set("model_type", "language"),
            )
            .field(FieldSpec::message_text("input_value", "Input"))
            .output(OutputSpec::new(
                "text_output",
                "Text",
                "text_response",
                &["Message"],
            ))
            .output(OutputSpec::new(
                "model_output",
                "Model",
                "build_model",
                &["LanguageModel"],
            )),
        Descriptor::new("EmbeddingModel", "Embedding Model")
            .category("models_and_agents")
            .field(
                FieldSpec::other("model", "Embedding Model", "model", "ModelInput")
                    .value(json!([]))
                    .set("model_type", "embedding"),
            ),
        Descriptor::new("Request", "Request")
            .category("data_sources")
            .description("Asks a server.")
            .field(FieldSpec::text("url", "URL").tool())
            .field(FieldSpec::dropdown("method", "Method", &["GET", "POST"], "GET").refresh())
            .field(FieldSpec::int("timeout", "Timeout", 5))
            .field(FieldSpec::bool("follow", "Follow", true).advanced())
            .field(FieldSpec::dict("headers", "Headers", json!({})))
            .field(FieldSpec::secret("api_token", "Token"))
            .output(OutputSpec::new("data", "Data", "go", &["JSON"])),
        Descriptor::new("OldOne", "Old One")
            .category("processing")
            .description("Asks a server.")
            .legacy(),
    ];
    Registry::new(registry().iter().cloned().chain(more.into_iter().map(Arc::new)))
}

/// A world that may be unable to keep a way back.
struct Sticking(Arc<World>, Arc<AtomicBool>);

impl Host for Sticking {
    fn registry(&self) -> BoxFuture<'_, Result<Arc<Registry>, HostError>> {
        self.0.registry()
    }

    fn validate(&self, code: String) -> BoxFuture<'_, Result<Validated, Invalid>> {
        self.0.validate(code)
    }

    fn register(&self, class_name: String, code: String) -> BoxFuture<'_, Result<bool, HostError>> {
        self.0.register(class_name, code)
    }

    fn problems(&self, flow: FlowData) -> BoxFuture<'_, Result<Vec<Problem>, HostError>> {
        self.0.problems(flow)
    }

    fn run(&self, flow: FlowData, input: Option<String>) -> BoxFuture<'_, RunReport> {
        self.0.run(flow, input)
    }

    fn effects(&self, flow: &FlowData) -> Option<String> {
        self.0.effects(flow)
    }

    /// A request that sends something has a body and another answer.
    fn refreshed(&self, r#type: &str, mut component: Json, field: &str) -> Option<Json> {
        if (r#type, field) != ("Request", "method") {
            return None;
        }
        let sends = component["template"]["method"]["value"] == "POST";
        component["template"]["headers"]["advanced"] = sends.into();
        component["outputs"][0]["name"] = if sends { "answer" } else { "data" }.into();
        let template = component["template"].as_object_mut()?;
        template.remove("body");
        if sends {
            template.insert(
                "body".to_owned(),
                FieldSpec::message_text("body", "Body").to_json(),
            );
        }
        Some(component)
    }

    fn templates(&self) -> Vec<Template> {
        self.0.templates()
    }

    fn restore_point(&self) -> BoxFuture<'_, Result<Option<String>, HostError>> {
        if self.1.load(Ordering::SeqCst) {
            return Box::pin(async { Err(HostError("the disk is full".to_owned())) });
        }
        self.0.restore_point()
    }

    fn files(&self) -> Option<PathBuf> {
        self.0.files()
    }

    fn saved(&self) -> BoxFuture<'_, Result<Option<FlowData>, HostError>> {
        self.0.saved()
    }
}
