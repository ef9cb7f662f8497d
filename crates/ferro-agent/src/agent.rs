//! `Agent`: a model with tools, and the loop that joins them.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use ferro_llm::{ChatMessage, ChatModel, ChatRequest, ChatResponse, Class, LlmError, StopReason};
use serde_json::Value as Json;

use crate::calls::give_up;
use crate::ended::{AgentError, Answer, Ended, Stopped, Suspended};
use crate::event::{AgentEvent, Listener};
use crate::state::{AgentState, Conversation, Decision};
use crate::structured;
use crate::tool::{Tool, Toolbox};
use crate::turn::Voice;

/// Dropping the future of [`Agent::run`] or [`Agent::resume`] stops everything: the answer under way and the tools.
#[derive(Clone)]
pub struct Agent {
    pub model: Arc<dyn ChatModel>,
    pub tools: Vec<Arc<dyn Tool>>,
    /// Rounds of tool calls before it must answer.
    pub max_iterations: u32,
    /// Several calls of one turn run side by side.
    pub parallel: bool,
    /// For one call.
    pub tool_timeout: Duration,
    /// The most of one tool's result that the model is shown.
    pub max_output_chars: usize,
    /// How often in a row the model may write calls that cannot be read.
    pub malformed_retries: u32,
    /// Everything of a question but the messages and the tools: temperature, effort, format, …
    pub request: ChatRequest,
}

/// It stopped: why, and what the model had said by then.
struct Halt {
    error: AgentError,
    text: String,
}

/// An answer of the wrong shape is sent back so often.
const REPAIRS: u32 = 1;

impl Agent {
    pub fn new(model: Arc<dyn ChatModel>) -> Self {
        Self {
            model,
            tools: Vec::new(),
            max_iterations: 15,
            parallel: true,
            tool_timeout: Duration::from_secs(120),
            max_output_chars: 100_000,
            malformed_retries: 2,
            request: ChatRequest::default(),
        }
    }

    /// Asks until there is an answer, or a person must be asked first.
    pub async fn run(
        &self,
        conversation: Conversation,
        listener: Listener<'_>,
    ) -> Result<Ended, Box<Stopped>> {
        self.drive(AgentState::new(conversation), HashMap::new(), listener)
            .await
    }

    /// Goes on after a person decided, by the ids of the calls. Calls without a decision keep waiting.
    pub async fn resume(
        &self,
        state: AgentState,
        decisions: HashMap<String, Decision>,
        listener: Listener<'_>,
    ) -> Result<Ended, Box<Stopped>> {
        self.drive(state, decisions, listener).await
    }

    async fn drive(
        &self,
        mut state: AgentState,
        decisions: HashMap<String, Decision>,
        listener: Listener<'_>,
    ) -> Result<Ended, Box<Stopped>> {
        let toolbox = Toolbox::new(&self.tools);
        let voice = Voice::new(listener, std::mem::take(&mut state.blocks));
        let outcome = self.rounds(&mut state, decisions, &toolbox, &voice).await;
        state.blocks = voice.blocks();
        match outcome {
            Ok(Some((response, structured))) => Ok(Ended::Answer(Box::new(Answer {
                text: response.text.clone(),
                structured,
                response,
                conversation: state.conversation,
                usage: state.usage,
                blocks: state.blocks,
            }))),
            Ok(None) => Ok(Ended::NeedsApproval(Box::new(Suspended {
                calls: state.pending(),
                state,
            }))),
            Err(halt) => Err(Box::new(Stopped {
                error: halt.error,
                text: halt.text,
                conversation: state.conversation,
                usage: state.usage,
                blocks: state.blocks,
            })),
        }
    }

    /// `None` when a person must decide first.
    async fn rounds(
        &self,
        state: &mut AgentState,
        decisions: HashMap<String, Decision>,
        toolbox: &Toolbox,
        voice: &Voice<'_>,
    ) -> Result<Option<(ChatResponse, Option<Json>)>, Halt> {
        if !state.calls.is_empty() {
            let worked = self.decide(state, decisions, toolbox, voice).await;
            if !state.close_turn(worked, voice).map_err(|error| halt(error, ""))? {
                return Ok(None);
            }
        }
        loop {
            let response = match self.ask(state, toolbox, voice).await {
                Ok(response) => response,
                Err(broken) => {
                    give_up(
                        voice,
                        &broken.partial.tool_calls,
                        "It was not run: the model broke off.",
                    );
                    return Err(halt(broken.error.into(), &broken.partial.text));
                }
            };
            if response.tool_calls.is_empty() {
                match self.answered(state, voice, &response)? {
                    Some(structured) => return Ok(Some((response, structured))),
                    None => continue,
                }
            }
            if state.rounds >= self.max_iterations {
                give_up(
                    voice,
                    &response.tool_calls,
                    "It was not run: the limit of rounds is reached.",
                );
                let error = AgentError::Iterations {
                    limit: self.max_iterations,
                    done: state.done(),
                };
                return Err(halt(error, &response.text));
            }
            state.rounds += 1;
            let text = response.text.clone();
            let worked = self.work(state, response, toolbox, voice).await;
            if !state
                .close_turn(worked, voice)
                .map_err(|error| halt(error, &text))?
            {
                return Ok(None);
            }
        }
    }

    /// The model calls no tool: that is its answer, unless it has the wrong shape and is asked again (`None`).
    fn answered(
        &self,
        state: &mut AgentState,
        voice: &Voice<'_>,
        response: &ChatResponse,
    ) -> Result<Option<Option<Json>>, Halt> {
        if response.text.is_empty() && response.stop == Some(StopReason::ContentFilter) {
            let info = self.model.info();
            let error = LlmError::new(
                Class::ContentPolicy,
                format!("{} withheld its answer", info.provider),
            )
            .advice("Change the text; the provider's policy decides.");
            return Err(halt(error.into(), ""));
        }
        let read = structured::read(&self.request.format, &response.text);
        let message = response.to_message();
        // Providers refuse messages without content.
        if !message.parts.is_empty() {
            state.conversation.messages.push(message);
        }
        match read {
            Ok(structured) => Ok(Some(structured)),
            Err(problems) if state.repairs < REPAIRS => {
                state.repairs += 1;
                let complaint = structured::complaint(&self.request.format, &problems);
                state.conversation.messages.push(ChatMessage::user(complaint));
                voice.say(AgentEvent::Discarded {
                    why: problems.join("; "),
                });
                Ok(None)
            }
            Err(problems) => Err(halt(AgentError::Shape { problems }, &response.text)),
        }
    }
}

fn halt(error: AgentError, text: &str) -> Halt {
    Halt {
        error,
        text: text.to_owned(),
    }
}
