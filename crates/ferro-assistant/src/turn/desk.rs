//! What a turn works at: the flow, the tools, the model; and one conversation of the model with the tools.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ferro_agent::{Agent, AgentError, AgentEvent, Answer, Conversation, Ended, Stopped, Tool};
use ferro_model::FlowData;
use ferro_model::read::read;
use serde_json::Value as Json;

use crate::event::{AssistEvent, Source};
use crate::host::Host;
use crate::models::{Phase, TurnModel};
use crate::out::Out;
use crate::verify::same_flow;
use crate::work::Work;

/// A run of the flow may take two minutes, a component several attempts.
const TOOL_TIMEOUT: Duration = Duration::from_secs(300);
/// The most of one result that the model is shown.
const RESULT_CHARS: usize = 16_000;
/// Rounds of a repair.
const FIX_ROUNDS: u32 = 12;
/// Shorter secrets are found in too many texts by chance.
const SHORTEST_SECRET: usize = 6;

/// Tools that only look.
const READS: [&str; 9] = [
    "search_components",
    "describe_component",
    "describe_flow_io",
    "get_field_value",
    "list_templates",
    "search_docs",
    "read_file",
    "glob_search",
    "grep_search",
];

pub(crate) struct Desk {
    pub host: Arc<dyn Host>,
    pub out: Arc<Out>,
    pub work: Arc<Work>,
    pub model: Arc<TurnModel>,
    pub tools: Vec<Arc<dyn Tool>>,
    pub rounds: u32,
    heard: Mutex<Heard>,
}

/// What is remembered of what went past.
#[derive(Default)]
struct Heard {
    /// The flow as it was when it ran well.
    ran: Option<FlowData>,
    /// A tool that does something did it.
    did: bool,
    /// The node the last tool was about.
    component_id: Option<String>,
    sources: Vec<Source>,
    /// The flow itself was looked at.
    saw_flow: bool,
    /// People have heard something.
    spoke: bool,
    /// They have, and the model begins anew.
    pause: bool,
}

impl Desk {
    pub(crate) fn new(
        host: Arc<dyn Host>,
        out: Arc<Out>,
        work: Arc<Work>,
        model: Arc<TurnModel>,
        tools: Vec<Arc<dyn Tool>>,
        rounds: u32,
    ) -> Self {
        Self {
            host,
            out,
            work,
            model,
            tools,
            rounds,
            heard: Mutex::default(),
        }
    }

    /// One conversation until there is an answer. People hear what the model says as it says it, except of repairs.
    pub(crate) async fn talk(
        &self,
        phase: Phase,
        conversation: Conversation,
    ) -> Result<Answer, Box<Stopped>> {
        let mut agent = Agent::new(self.model.phase(phase));
        agent.tools.clone_from(&self.tools);
        agent.max_iterations = match phase {
            Phase::Fix => self.rounds.min(FIX_ROUNDS),
            _ => self.rounds,
        };
        agent.tool_timeout = TOOL_TIMEOUT;
        agent.max_output_chars = RESULT_CHARS;
        let aloud = phase == Phase::Main;
        let hear = |event| match event {
            AgentEvent::Text(_) if !aloud => {}
            event => self.hear(event),
        };
        // A conversation is large, and most of a turn is spent elsewhere.
        match Box::pin(agent.run(conversation, &hear)).await? {
            Ended::Answer(answer) => Ok(*answer),
            Ended::NeedsApproval(waiting) => Err(Box::new(Stopped {
                error: AgentError::Tool {
                    tool: waiting
                        .calls
                        .first()
                        .map(|call| call.name.clone())
                        .unwrap_or_default(),
                    message: "nobody can be asked for leave in the middle of a turn".to_owned(),
                },
                text: String::new(),
                conversation: Conversation::default(),
                usage: waiting.state.usage(),
                blocks: waiting.state.blocks().clone(),
            })),
        }
    }

    fn hear(&self, event: AgentEvent) {
        match event {
            AgentEvent::Iteration(_) => {
                let mut heard = self.heard();
                heard.pause = heard.spoke;
            }
            // Some providers say an empty list where they have nothing to say.
            AgentEvent::Text(chunk) if !chunk.is_empty() && chunk != "[]" => self.speak(chunk),
            AgentEvent::ToolStarted { name, arguments, .. } => {
                let id = arguments.get("component_id").and_then(Json::as_str);
                let mut heard = self.heard();
                heard.component_id = id.map(str::to_owned);
                heard.saw_flow |= matches!(name.as_str(), "describe_flow_io" | "get_field_value");
            }
            AgentEvent::ToolFinished {
                name,
                output,
                is_error: false,
                ..
            } => self.done(&name, &output),
            _ => {}
        }
    }

    /// What is said after a tool worked is a paragraph of its own.
    fn speak(&self, mut chunk: String) {
        let pause = {
            let mut heard = self.heard();
            heard.spoke = true;
            std::mem::take(&mut heard.pause)
        };
        if pause {
            chunk.insert_str(0, "\n\n");
        }
        self.out.say(AssistEvent::Token { chunk });
    }

    fn done(&self, name: &str, output: &Json) {
        if !READS.contains(&name) {
            self.heard().did = true;
        }
        // No other tool has begun since: this is the very flow that ran.
        if name == "run_flow" && self.work.last_run().is_some_and(|run| run.result.is_ok()) {
            let data = self.work.data();
            self.heard().ran = Some(data);
        }
        if name == "search_docs" {
            let passages = output.get("passages").and_then(Json::as_array);
            for passage in passages.into_iter().flatten() {
                let text = |key: &str| passage.get(key).and_then(Json::as_str).map(str::to_owned);
                if let (Some(title), Some(path)) = (text("title"), text("path")) {
                    self.shown(Source { title, path });
                }
            }
        }
    }

    /// The model was shown this.
    pub(crate) fn shown(&self, source: Source) {
        let mut heard = self.heard();
        if !heard.sources.contains(&source) {
            heard.sources.push(source);
        }
    }

    pub(crate) fn saw_flow(&self) -> bool {
        self.heard().saw_flow
    }

    pub(crate) fn sources(&self) -> Vec<Source> {
        self.heard().sources.clone()
    }

    /// The flow ran well in this turn and is still what it was then.
    pub(crate) fn has_run(&self, data: &FlowData) -> bool {
        let ran = self.heard().ran.clone();
        ran.is_some_and(|ran| ran == *data || same_flow(&ran, data))
    }

    pub(crate) fn component_id(&self) -> Option<String> {
        self.heard().component_id.clone()
    }

    /// Something happened that the person asked for, or that waits for them.
    pub(crate) fn acted(&self) -> bool {
        let work = &self.work;
        !work.changes().is_empty()
            || work.plan().is_some()
            || work.pending_edits() > 0
            || work.last_run().is_some()
            || !work.files().is_empty()
            || !work.generated().is_empty()
    }

    /// A whole flow waits for the person.
    pub(crate) fn proposes(&self) -> bool {
        let gate = self.out.gate();
        gate.saw_set_flow() && !gate.auto_applied()
    }

    /// The model used a tool that does something, and the tool did not refuse.
    pub(crate) fn did(&self) -> bool {
        self.heard().did
    }

    /// A text without the secrets that stand in the flow: components quote them in their errors.
    pub(crate) fn without_secrets(&self, text: &str) -> String {
        let data = self.work.data();
        let flow = read(&data);
        let fields = flow.nodes.iter().flat_map(|node| &node.fields);
        let secrets = fields
            .filter(|field| field.is_secret())
            .filter_map(|field| field.value?.text());
        secrets
            .filter(|secret| secret.len() >= SHORTEST_SECRET)
            .fold(text.to_owned(), |text, secret| {
                text.replace(secret.as_ref(), "***")
            })
    }

    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
