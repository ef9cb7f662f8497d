//! Messages that Python code shows while it runs. It names them as it likes; which message of the run that is, is decided
//! here, so that it can change those it was given or made itself and no others.

use std::collections::{HashMap, HashSet};

use ferro_engine::{Call, Failure, Message};
use serde_json::json;
use uuid::Uuid;

use crate::llm::is_kept;

#[derive(Default)]
pub(super) struct Shown {
    by_name: HashMap<String, One>,
}

struct One {
    message: Message,
    /// Its text was empty when it came: tokens follow.
    grows: bool,
    /// Whoever looks at the chat sees it.
    seen: bool,
}

impl Shown {
    /// New or changed.
    pub(super) fn message(&mut self, call: &Call, name: &str, given: Option<Uuid>, mut message: Message) {
        let known = self.by_name.get(name).and_then(|one| one.message.id);
        message.id = Some(known.or(given).unwrap_or_else(Uuid::now_v7));
        let grows = message.text.is_empty() && message.files.is_empty();
        if message.sender_name.is_empty() {
            message.sender_name = "AI".to_owned();
        }
        let source = json!({ "id": call.node.id, "display_name": call.node.display_name, "source": "" });
        message.properties.entry("source").or_insert(source);
        let state = if grows { "partial" } else { "complete" };
        message.properties.insert("state".to_owned(), state.into());
        // One that grows may be meant for another node; that is known when the code has ended.
        let seen = !grows || !call.node.chat_outputs.is_empty();
        if seen {
            message = call.cx.message(message, keeps(call), false);
        }
        self.by_name.insert(name.to_owned(), One { message, grows, seen });
    }

    pub(super) fn token(&mut self, call: &Call, name: &str, text: &str) {
        let Some(one) = self.by_name.get_mut(name).filter(|one| one.grows) else {
            return;
        };
        one.message.text.push_str(text);
        if let (true, Some(id)) = (one.seen, one.message.id) {
            call.cx.token(id, text);
        }
    }

    /// Which message of the run Python means.
    pub(super) fn id(&self, name: &str) -> Option<Uuid> {
        self.by_name.get(name).and_then(|one| one.message.id)
    }

    /// The code has ended well. What it gives on is for others to finish; the rest is whole now.
    pub(super) fn finish(&mut self, call: &Call, given_on: &HashSet<Uuid>) {
        for one in self.take() {
            let is_given = one.message.id.is_some_and(|id| given_on.contains(&id));
            if one.grows && !is_given {
                complete(call, one.message);
            }
        }
    }

    /// In the order they came: ids begin with the time.
    fn take(&mut self) -> Vec<One> {
        let mut all: Vec<One> = self.by_name.drain().map(|(_, one)| one).collect();
        all.sort_by_key(|one| one.message.id);
        all
    }

    /// The code has failed: what people saw of its messages stays, with the reason.
    pub(super) fn break_off(&mut self, call: &Call, failure: &Failure) {
        for mut one in self.take().into_iter().filter(|one| one.grows && one.seen) {
            one.message.content_blocks.push(json!({
                "type": "error",
                "component": call.node.display_name,
                "reason": failure.message,
                "solution": failure.advice,
            }));
            complete(call, one.message);
        }
    }
}

fn complete(call: &Call, mut message: Message) {
    message.properties.insert("state".to_owned(), "complete".into());
    call.cx.message(message, keeps(call), false);
}

/// What is shown of one's own accord is kept like the rest of the conversation.
fn keeps(call: &Call) -> bool {
    is_kept(call) || (call.node.chat_outputs.is_empty() && !call.cx.run.session_id.is_empty())
}
