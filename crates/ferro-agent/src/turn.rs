//! One question to the model, and its answer piece by piece.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use ferro_llm::{ChatEvent, ChatRequest, ChatResponse, Format, Interrupted, Part, ToolChoice};
use futures_util::StreamExt as _;

use crate::agent::Agent;
use crate::blocks::Blocks;
use crate::event::{AgentEvent, Listener};
use crate::state::{AgentState, Conversation};
use crate::structured;
use crate::tool::Toolbox;

/// Who hears of what happens: the listener, and the blocks that are kept.
pub(crate) struct Voice<'a> {
    listener: Listener<'a>,
    blocks: Mutex<Blocks>,
}

impl<'a> Voice<'a> {
    pub(crate) fn new(listener: Listener<'a>, blocks: Blocks) -> Self {
        Self {
            listener,
            blocks: Mutex::new(blocks),
        }
    }

    pub(crate) fn say(&self, event: AgentEvent) {
        self.blocks
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .add(&event);
        (self.listener)(event);
    }

    pub(crate) fn blocks(&self) -> Blocks {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Agent {
    pub(crate) async fn ask(
        &self,
        state: &mut AgentState,
        toolbox: &Toolbox,
        voice: &Voice<'_>,
    ) -> Result<ChatResponse, Box<Interrupted>> {
        state.asked = state.asked.saturating_add(1);
        voice.say(AgentEvent::Iteration(state.asked));
        let mut ids = Ids::of(&state.conversation);
        let mut stream = self.model.stream(self.question(state, toolbox));
        let mut response = ChatResponse::default();
        let mut broken = None;
        while let Some(event) = stream.next().await {
            match event {
                Ok(event) => {
                    let event = ids.unique(event, &response);
                    if let Some(told) = told(&event, &response) {
                        voice.say(told);
                    }
                    response.add(event);
                }
                Err(error) => {
                    broken = Some(error);
                    break;
                }
            }
        }
        if let Some(usage) = response.usage {
            state.usage += usage;
            voice.say(AgentEvent::Usage(state.usage));
        }
        match broken {
            Some(error) => Err(Box::new(Interrupted {
                error,
                partial: response,
            })),
            None => {
                // Left behind by a provider that counts its calls with gaps.
                response.tool_calls.retain(|call| !call.id.is_empty());
                Ok(response)
            }
        }
    }

    fn question(&self, state: &AgentState, toolbox: &Toolbox) -> ChatRequest {
        let mut request = self.request.clone();
        request.messages.clone_from(&state.conversation.messages);
        request.tools = toolbox.specs();
        if toolbox.is_empty() {
            request.tool_choice = ToolChoice::Auto;
            request.parallel_tools = None;
            return request;
        }
        if !self.parallel {
            request.parallel_tools = Some(false);
        }
        if state.rounds > 0 && matches!(request.tool_choice, ToolChoice::Required | ToolChoice::Named(_)) {
            // It has called one; made to call again and again it would never answer.
            request.tool_choice = ToolChoice::Auto;
        }
        if state.repairs > 0 {
            request.tool_choice = ToolChoice::None;
        }
        if request.format != Format::Text {
            structured::instruct(&mut request);
        }
        request
    }
}

/// What the listener hears of a piece of an answer.
fn told(event: &ChatEvent, so_far: &ChatResponse) -> Option<AgentEvent> {
    Some(match event {
        ChatEvent::Text(text) if !text.is_empty() => AgentEvent::Text(text.clone()),
        ChatEvent::Reasoning(text) if !text.is_empty() => AgentEvent::Reasoning(text.clone()),
        ChatEvent::ToolStart { id, name, .. } => AgentEvent::ToolCalled {
            id: id.clone(),
            name: name.clone(),
        },
        ChatEvent::ToolArguments { index, chunk } => AgentEvent::ToolArguments {
            id: so_far.tool_calls.get(*index)?.id.clone(),
            chunk: chunk.clone(),
        },
        _ => return None,
    })
}

/// Ids of calls. Some are made up per answer, and two calls of one conversation must not share one: a result would
/// answer the wrong call.
struct Ids(HashSet<String>);

impl Ids {
    fn of(conversation: &Conversation) -> Self {
        let messages = conversation.messages.iter();
        let parts = messages.flat_map(|message| &message.parts);
        let known = parts.filter_map(|part| match part {
            Part::ToolCall(call) => Some(call.id.clone()),
            _ => None,
        });
        Self(known.collect())
    }

    fn unique(&mut self, mut event: ChatEvent, so_far: &ChatResponse) -> ChatEvent {
        if let ChatEvent::ToolStart { index, id, .. } = &mut event {
            if let Some(known) = so_far.tool_calls.get(*index).filter(|call| !call.id.is_empty()) {
                // The same call once more, with a better name perhaps.
                id.clone_from(&known.id);
                return event;
            }
            if id.is_empty() {
                "call".clone_into(id);
            }
            let base = id.clone();
            let mut number = 2_usize;
            while !self.0.insert(id.clone()) {
                *id = format!("{base}_{number}");
                number += 1;
            }
        }
        event
    }
}
