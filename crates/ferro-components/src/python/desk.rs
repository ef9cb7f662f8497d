//! Who answers while Python code runs: what it says goes to the run, what it asks for it gets if the node was given it.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ferro_engine::{Call, Failure, Tool, Usage};
use ferro_llm::{ChatMessage, ChatRequest, Role};
use ferro_net::Client;
use ferro_python::workers::Answer;
use ferro_python::{Host, Refusal};
use serde_json::{Map, Value as Json, json};
use uuid::Uuid;

use super::given::Given;
use super::http::{self, refusal};
use super::read::{Reader, flatten};
use super::shown::Shown;
use super::wire::Tables;
use crate::llm::{self, LanguageModel};
use crate::wait::unless_stopped;

/// As base64 it must fit into one line of the protocol.
const MAX_FILE: usize = 16 * 1024 * 1024;
/// What one call may tell the run; whatever comes after that is not heard. The shim stops before.
const MAX_TOLD: usize = 4 * 1024 * 1024;
const MAX_EVENTS: usize = 4_000;

pub(super) struct Desk {
    pub call: Call,
    pub given: Arc<Given>,
    net: Client,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    shown: Shown,
    usage: Option<Usage>,
    told: usize,
    events: usize,
}

impl Desk {
    pub(super) fn new(call: Call, given: Arc<Given>, net: Client) -> Self {
        Self {
            call,
            given,
            net,
            state: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The message of the run that Python means by an id.
    pub(super) fn message_id(&self, name: &str) -> Option<Uuid> {
        let shown = self.state().shown.id(name);
        shown.or_else(|| self.given.messages.get(name).copied())
    }

    /// Tokens that models and tools spent on the code's behalf.
    pub(super) fn usage(&self) -> Option<Usage> {
        self.state().usage
    }

    pub(super) fn finish(&self, given_on: &HashSet<Uuid>) {
        self.state().shown.finish(&self.call, given_on);
    }

    pub(super) fn break_off(&self, failure: &Failure) {
        self.state().shown.break_off(&self.call, failure);
    }

    fn spent(&self, usage: Option<Usage>) {
        if let Some(usage) = usage {
            *self.state().usage.get_or_insert_default() += usage;
        }
    }

    fn show(&self, mut event: Map<String, Json>) {
        let (Some(Json::Object(message)), Some(Json::String(name))) =
            (event.remove("message"), event.remove("id"))
        else {
            return;
        };
        let reader = Reader {
            tables: &self.given.tables,
            message: &|_| None,
            tool: &|_| nothing(),
        };
        let message = reader.read_message(message);
        let given = self.given.messages.get(&name).copied();
        self.state().shown.message(&self.call, &name, given, message);
    }

    async fn answer(&self, ask: Json) -> Result<Json, Refusal> {
        let text = |key: &str| ask.get(key).and_then(Json::as_str).unwrap_or_default();
        match text("ask") {
            "http" => http::answer(&self.call.cx, &self.net, &ask).await,
            "variable" => self.variable(text("name")).await,
            "file" => self.file(text("path")).await,
            "model" => self.model(&ask).await,
            "tool_call" => self.tool_call(&ask).await,
            other => {
                let other: String = other.chars().take(40).collect();
                Err(Refusal::new(
                    "refused",
                    format!("components cannot ask for {other:?}"),
                ))
            }
        }
    }

    async fn variable(&self, name: &str) -> Result<Json, Refusal> {
        if !self.given.variables.contains(name) {
            return Err(Refusal::new(
                "refused",
                format!(
                    "the variable `{name}` was not given to this node. Choose it in one of the node's fields."
                ),
            ));
        }
        match self.call.cx.variable(name).await {
            Ok(Some(value)) => Ok(json!({ "value": value })),
            Ok(None) => Err(Refusal::new("missing", format!("there is no variable `{name}`"))),
            Err(failure) => Err(refusal(&failure)),
        }
    }

    async fn file(&self, path: &str) -> Result<Json, Refusal> {
        if !self.given.files.contains(path) {
            let shown: String = path.chars().take(80).collect();
            return Err(Refusal::new(
                "refused",
                format!(
                    "the file {shown:?} was not given to this node. Choose it in a file field, or wire it in."
                ),
            ));
        }
        let cx = &self.call.cx;
        let file = unless_stopped(cx, cx.host.read_file(path)).await;
        let file = file.map_err(|failure| refusal(&failure))?;
        if file.bytes.len() > MAX_FILE {
            let limit = MAX_FILE >> 20;
            let message = format!(
                "the file `{}` is larger than the {limit} MB a component is given",
                file.name
            );
            return Err(Refusal::new("limit", message));
        }
        Ok(json!({ "name": file.name, "data_b64": STANDARD.encode(&file.bytes) }))
    }

    async fn model(&self, ask: &Json) -> Result<Json, Refusal> {
        let place = ask
            .get("model")
            .and_then(|model| model.get("ref"))
            .and_then(Json::as_u64);
        let live = place.and_then(|at| self.given.tables.lives.get(usize::try_from(at).ok()?));
        let Some(model) = live.and_then(|live| live.value.downcast_ref::<LanguageModel>()) else {
            return Err(Refusal::new("missing", "no such model is wired into this node"));
        };
        let messages = ask.get("messages").and_then(Json::as_array);
        let messages: Vec<ChatMessage> = messages.into_iter().flatten().filter_map(said).collect();
        if messages.is_empty() {
            return Err(Refusal::new("refused", "the model was asked nothing"));
        }
        let asked = llm::ask_quietly(&self.call, model, ChatRequest::new(messages)).await;
        let (response, usage) = asked.map_err(|failure| refusal(&failure))?;
        self.spent(usage);
        Ok(json!({ "text": response.text }))
    }

    async fn tool_call(&self, ask: &Json) -> Result<Json, Refusal> {
        let place = ask.get("ref").and_then(Json::as_u64);
        let tools = place.and_then(|at| self.given.tables.tools.get(usize::try_from(at).ok()?));
        let name = ask.get("name").and_then(Json::as_str).unwrap_or_default();
        let Some(tool) = tools.and_then(|tools| tools.iter().find(|tool| tool.name == name)) else {
            return Err(Refusal::new(
                "missing",
                format!("no tool `{name}` is wired into this node"),
            ));
        };
        if tool.approval {
            let message =
                format!("`{name}` needs a person's leave for each call, which only an agent can ask for");
            return Err(Refusal::new("refused", message));
        }
        let arguments = match ask.get("arguments").cloned().map(flatten) {
            Some(Json::Object(arguments)) => arguments,
            _ => Map::new(),
        };
        let cx = &self.call.cx;
        let called = unless_stopped(cx, (tool.call)(arguments, Some(cx.clone()))).await;
        let called = called.map_err(|failure| refusal(&failure))?;
        self.spent(called.usage);
        // What lives only here has no number in this call, so it goes by its name.
        Tables::default()
            .write(&called.value)
            .map_err(|failure| refusal(&failure))
    }
}

impl Host for Desk {
    fn event(&self, event: Json) {
        {
            let mut state = self.state();
            state.events += 1;
            state.told += event.to_string().len();
            if state.events > MAX_EVENTS || state.told > MAX_TOLD {
                return;
            }
        }
        let Json::Object(mut event) = event else { return };
        let cx = &self.call.cx;
        match event.get("event").and_then(Json::as_str) {
            Some("log") => {
                let name = event.get("name").and_then(Json::as_str).unwrap_or("log");
                let name: String = name.chars().take(200).collect();
                cx.log(&name, flatten(event.remove("message").unwrap_or_default()));
            }
            Some("progress") => cx.log(
                "progress",
                json!({ "value": event.get("value"), "text": event.get("text") }),
            ),
            Some("message") => self.show(event),
            Some("token") => {
                let text = |key: &str| event.get(key).and_then(Json::as_str);
                if let (Some(name), Some(text)) = (text("id"), text("text")) {
                    self.state().shown.token(&self.call, name, text);
                }
            }
            // The last status comes with the result.
            _ => {}
        }
    }

    fn call<'a>(&'a self, ask: Json) -> Answer<'a> {
        Box::pin(self.answer(ask))
    }
}

fn said(message: &Json) -> Option<ChatMessage> {
    let text = message.get("content")?.as_str()?;
    let role = match message.get("role").and_then(Json::as_str) {
        Some("system") => Role::System,
        Some("assistant") => Role::Assistant,
        _ => Role::User,
    };
    Some(ChatMessage::new(role, text.to_owned()))
}

/// In a message there are no tools.
fn nothing() -> Tool {
    Tool {
        name: String::new(),
        description: String::new(),
        schema: Json::Null,
        approval: false,
        call: Arc::new(|_, _| Box::pin(async { Err(Failure::unavailable("there is no such tool")) })),
    }
}
