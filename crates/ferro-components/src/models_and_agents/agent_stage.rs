//! An agent at work, as the chat shows it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ferro_agent::{AgentEvent, Answer, Blocks};
use ferro_engine::{Call, Failure, Message};
use serde_json::json;

use crate::llm;

/// The message in the chat while the agent works.
pub(super) struct Stage<'a> {
    call: &'a Call,
    /// The answer goes straight to the chat.
    live: bool,
    shown: Mutex<Shown>,
}

struct Shown {
    message: Message,
    blocks: Blocks,
    /// What the model says in this turn.
    text: String,
}

impl<'a> Stage<'a> {
    pub(super) fn new(call: &'a Call, message: Message, blocks: Blocks, live: bool) -> Self {
        Self {
            call,
            live,
            shown: Mutex::new(Shown {
                message,
                blocks,
                text: String::new(),
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn hear(&self, event: &AgentEvent) {
        let mut shown = self.lock();
        let changed = shown.blocks.add(event);
        match event {
            AgentEvent::Text(chunk) => {
                shown.text.push_str(chunk);
                if let Some(id) = shown.message.id.filter(|_| self.live) {
                    self.call.cx.token(id, chunk.clone());
                }
            }
            // What was said before a tool call stays in the blocks; the answer begins anew.
            AgentEvent::Iteration(_) | AgentEvent::Discarded { .. } if !shown.text.is_empty() => {
                shown.text.clear();
                self.show(&mut shown, "partial");
            }
            AgentEvent::Reasoning(_) => {}
            _ if changed => self.show(&mut shown, "partial"),
            _ => {}
        }
    }

    fn show(&self, shown: &mut Shown, state: &str) {
        shown.message.text.clone_from(&shown.text);
        shown.message.content_blocks = shown.blocks.to_json();
        shown.message.properties.insert("state".to_owned(), state.into());
        if self.live {
            let kept = llm::is_kept(self.call);
            shown.message = self.call.cx.message(shown.message.clone(), kept, false);
        }
    }

    pub(super) fn pause(self) -> Message {
        let mut shown = self.lock();
        self.show(&mut shown, "partial");
        shown.message.clone()
    }

    /// What had come stays in the chat, with what happened below it.
    pub(super) fn break_off(self, failed: &Failure, text: &str) {
        let mut shown = self.lock();
        if !text.is_empty() {
            text.clone_into(&mut shown.text);
        }
        if !self.live {
            return;
        }
        shown.message.text = std::mem::take(&mut shown.text);
        let mut blocks = shown.blocks.to_json();
        blocks.push(json!({
            "type": "error",
            "component": self.call.node.display_name,
            "reason": failed.message,
            "solution": failed.advice,
        }));
        shown.message.content_blocks = blocks;
        shown
            .message
            .properties
            .insert("state".to_owned(), "complete".into());
        let kept = llm::is_kept(self.call);
        self.call.cx.message(shown.message.clone(), kept, false);
    }

    pub(super) fn finish(self, answer: &Answer) -> Message {
        let mut shown = self.lock();
        shown.message.text.clone_from(&answer.text);
        shown.message.content_blocks = answer.blocks.to_json();
        shown
            .message
            .properties
            .insert("state".to_owned(), "complete".into());
        shown.message.clone()
    }
}
