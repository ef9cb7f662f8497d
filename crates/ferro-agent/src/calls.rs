//! What becomes of the calls of one turn: read, checked, approved, run side by side, answered in their order.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use ferro_llm::{ChatMessage, ChatResponse, Part, Role, ToolCall};
use futures_util::future::BoxFuture;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use serde_json::{Map, Value as Json};
use tokio::time::Instant;

use crate::agent::Agent;
use crate::check::{check, fitting, read, shortened};
use crate::ended::AgentError;
use crate::event::AgentEvent;
use crate::state::{AgentState, CallResult, Decision, OpenCall};
use crate::tool::{Tool, ToolError, ToolOutput, Toolbox};
use crate::turn::Voice;

/// Calls that run at the same time.
const SIDE_BY_SIDE: usize = 8;

/// A call that may run.
struct Ready {
    /// Its place in the turn.
    place: usize,
    name: String,
    tool: Arc<dyn Tool>,
    arguments: Map<String, Json>,
    /// What the model must know beside the result.
    note: String,
}

struct Ran {
    place: usize,
    name: String,
    arguments: Map<String, Json>,
    result: CallResult,
    fatal: Option<String>,
}

impl Agent {
    /// Takes the calls of an answer: runs what may run, refuses what cannot, leaves open what a person must decide.
    pub(crate) async fn work(
        &self,
        state: &mut AgentState,
        mut response: ChatResponse,
        toolbox: &Toolbox,
        voice: &Voice<'_>,
    ) -> Result<(), AgentError> {
        let mut ready = Vec::new();
        let mut malformed = None;
        for (place, call) in response.tool_calls.iter_mut().enumerate() {
            let read = read(call);
            // Some providers refuse a conversation in which a call's arguments are no object.
            if !call.arguments.trim_start().starts_with('{') || read.is_err() {
                let arguments = read.as_ref().cloned().unwrap_or_default();
                call.arguments = Json::Object(arguments).to_string();
            }
            let checked = check(state, toolbox, call, read);
            let mut open = OpenCall {
                id: call.id.clone(),
                name: call.name.clone(),
                arguments: Map::new(),
                result: None,
            };
            match checked {
                Ok((tool, arguments)) => {
                    open.arguments.clone_from(&arguments);
                    if tool.approval() {
                        voice.say(AgentEvent::ToolWaiting {
                            id: call.id.clone(),
                            name: call.name.clone(),
                            arguments,
                        });
                    } else {
                        ready.push(Ready {
                            place,
                            name: call.name.clone(),
                            tool,
                            arguments,
                            note: String::new(),
                        });
                    }
                }
                Err(refused) => {
                    if refused.malformed && malformed.is_none() {
                        malformed = Some((call.name.clone(), refused.message.clone()));
                    }
                    open.result = Some(refuse(voice, &open, refused.message));
                }
            }
            state.calls.push(open);
        }
        state.conversation.messages.push(response.to_message());
        self.run_all(state, ready, voice).await?;
        let Some((tool, problem)) = malformed else {
            state.malformed = 0;
            return Ok(());
        };
        state.malformed += 1;
        if state.malformed > self.malformed_retries {
            let times = state.malformed;
            return Err(AgentError::Malformed { tool, times, problem });
        }
        Ok(())
    }

    /// Does what a person decided about the calls that were left open.
    pub(crate) async fn decide(
        &self,
        state: &mut AgentState,
        mut decisions: HashMap<String, Decision>,
        toolbox: &Toolbox,
        voice: &Voice<'_>,
    ) -> Result<(), AgentError> {
        let mut ready = Vec::new();
        for (place, call) in state.calls.iter_mut().enumerate() {
            if call.result.is_some() {
                continue;
            }
            let (arguments, note) = match decisions.remove(&call.id) {
                None => continue,
                Some(Decision::Approve) => (call.arguments.clone(), String::new()),
                Some(Decision::Edit { arguments }) => {
                    let note = format!(
                        "A person changed the arguments to {} before it ran.\n",
                        Json::Object(arguments.clone())
                    );
                    (arguments, note)
                }
                Some(Decision::Reject { reason }) => {
                    let mut message = "A person refused this call. Do not make it again.".to_owned();
                    if !reason.trim().is_empty() {
                        message = format!("{message} The reason: {}", reason.trim());
                    }
                    call.result = Some(refuse(voice, call, message));
                    continue;
                }
            };
            match fitting(toolbox, &call.name, arguments) {
                Ok((tool, arguments)) => ready.push(Ready {
                    place,
                    name: call.name.clone(),
                    tool,
                    arguments,
                    note,
                }),
                Err(refused) => call.result = Some(refuse(voice, call, refused.message)),
            }
        }
        self.run_all(state, ready, voice).await
    }

    async fn run_all(
        &self,
        state: &mut AgentState,
        ready: Vec<Ready>,
        voice: &Voice<'_>,
    ) -> Result<(), AgentError> {
        let at_once = if self.parallel { SIDE_BY_SIDE } else { 1 };
        let mut work: Vec<BoxFuture<'_, Ran>> = Vec::new();
        for call in ready {
            *state.used.entry(call.name.clone()).or_default() += 1;
            let id = state.calls[call.place].id.clone();
            work.push(Box::pin(self.run_one(call, id, voice)));
        }
        let mut all = stream::iter(work).buffer_unordered(at_once);
        while let Some(ran) = all.next().await {
            state.note(&ran.name, &ran.arguments, ran.result.is_error);
            state.calls[ran.place].result = Some(ran.result);
            if let Some(message) = ran.fatal {
                // The others are dropped: nobody will look at their results.
                return Err(AgentError::Tool {
                    tool: ran.name,
                    message,
                });
            }
        }
        Ok(())
    }

    async fn run_one(&self, call: Ready, id: String, voice: &Voice<'_>) -> Ran {
        voice.say(AgentEvent::ToolStarted {
            id: id.clone(),
            name: call.name.clone(),
            arguments: call.arguments.clone(),
        });
        let began = Instant::now();
        let (tool, arguments) = (call.tool, call.arguments.clone());
        // Made inside, so that a tool which panics before it begins is caught too.
        let work = AssertUnwindSafe(async move { tool.call(arguments).await }).catch_unwind();
        let outcome = match tokio::time::timeout(self.tool_timeout, work).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => Err(ToolError::new("the tool stopped unexpectedly")),
            Err(_) => Err(ToolError::new(format!(
                "the tool took longer than {} s and was stopped",
                self.tool_timeout.as_secs()
            ))),
        };
        let (content, output, is_error, fatal) = match outcome {
            Ok(output) => {
                let (text, value) = self.cut(output);
                (text, value, false, None)
            }
            Err(error) => {
                let (text, _) = self.cut(ToolOutput::text(error.message));
                let fatal = error.fatal.then(|| text.clone());
                (text.clone(), Json::String(text), true, fatal)
            }
        };
        voice.say(AgentEvent::ToolFinished {
            id,
            name: call.name.clone(),
            output,
            is_error,
            duration: began.elapsed(),
        });
        Ran {
            place: call.place,
            name: call.name,
            arguments: call.arguments,
            result: CallResult {
                content: call.note + &content,
                is_error,
            },
            fatal,
        }
    }

    /// No more than the model and the log can bear.
    fn cut(&self, output: ToolOutput) -> (String, Json) {
        let text = shortened(output.text, self.max_output_chars);
        let value = if weight(&output.value, self.max_output_chars) > self.max_output_chars {
            Json::String(text.clone())
        } else {
            output.value
        };
        (text, value)
    }
}

impl AgentState {
    /// Puts the results into the conversation. `false` while a person must decide about some.
    pub(crate) fn close_turn(
        &mut self,
        worked: Result<(), AgentError>,
        voice: &Voice<'_>,
    ) -> Result<bool, AgentError> {
        if worked.is_ok() && self.calls.iter().any(|call| call.result.is_none()) {
            return Ok(false);
        }
        let results = self.calls.drain(..).map(|mut call| {
            let result = call.result.take();
            let result = result.unwrap_or_else(|| refuse(voice, &call, "It was not finished.".to_owned()));
            Part::ToolResult {
                id: call.id,
                name: call.name,
                content: result.content,
                is_error: result.is_error,
            }
        });
        let parts = results.collect();
        self.conversation.messages.push(ChatMessage {
            role: Role::Tool,
            parts,
        });
        worked.map(|()| true)
    }
}

/// Calls that were announced and will never run have an end too.
pub(crate) fn give_up(voice: &Voice<'_>, calls: &[ToolCall], why: &str) {
    for call in calls.iter().filter(|call| !call.id.is_empty()) {
        voice.say(AgentEvent::ToolFinished {
            id: call.id.clone(),
            name: call.name.clone(),
            output: why.into(),
            is_error: true,
            duration: Duration::ZERO,
        });
    }
}

/// The result of a call that is not run.
fn refuse(voice: &Voice<'_>, call: &OpenCall, message: String) -> CallResult {
    voice.say(AgentEvent::ToolFinished {
        id: call.id.clone(),
        name: call.name.clone(),
        output: Json::String(message.clone()),
        is_error: true,
        duration: Duration::ZERO,
    });
    CallResult {
        content: message,
        is_error: true,
    }
}

/// Roughly how long a value is when written out; counts no further than it must.
fn weight(value: &Json, most: usize) -> usize {
    match value {
        Json::String(text) => text.chars().take(most + 1).count(),
        Json::Array(items) => sum(items.iter(), most),
        Json::Object(map) => map.keys().map(String::len).sum::<usize>() + sum(map.values(), most),
        _ => 4,
    }
}

fn sum<'j>(values: impl Iterator<Item = &'j Json>, most: usize) -> usize {
    let mut total = 0_usize;
    for value in values {
        total = total.saturating_add(weight(value, most)).saturating_add(2);
        if total > most {
            break;
        }
    }
    total
}
