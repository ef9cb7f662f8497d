//! The message a failed run leaves in its chat, so that it is still there when the page is opened again.

use std::collections::HashSet;
use std::sync::Arc;

use ferro_engine::{Body, Event, Failure, Message};

use crate::api::wire::Meta;
use crate::api::wire::message::{Ids, failure_message, is_error, kind_of, leaves};

/// What went wrong in a run, as far as its messages have not told it.
#[derive(Default)]
pub(super) struct Trouble {
    /// The first node that failed, and the event that says so: its number and time.
    first: Option<(Arc<str>, u64, i64)>,
    /// Nodes whose failure is in a message that is kept.
    told: HashSet<Arc<str>>,
}

impl Trouble {
    pub fn observe(&mut self, event: &Event) {
        match &event.body {
            Body::NodeFailed { at, .. } if self.first.is_none() => {
                self.first = Some((Arc::clone(&at.node), event.seq, event.at));
            }
            Body::Message {
                message,
                node,
                store: true,
                ..
            } if tells(message) => {
                self.told.insert(Arc::clone(node));
            }
            _ => {}
        }
    }

    /// Under the id that readers of the run's stream have seen. `None` when a message has told it already.
    pub fn complaint(&self, ended: &Event, failure: &Failure, meta: &Meta, ids: &Ids) -> Option<Message> {
        let (node, seq, at) = match &self.first {
            Some((node, ..)) if self.told.contains(node) => return None,
            Some((node, seq, at)) => (&**node, *seq, *at),
            None => ("", ended.seq, ended.at),
        };
        let mut message = failure_message(failure, node, meta, ids, (at, seq));
        message.text = sentences(failure);
        Some(message)
    }
}

fn tells(message: &Message) -> bool {
    is_error(message) || leaves(&message.content_blocks).any(|(.., block)| kind_of(block) == "error")
}

/// What happened and what to do about it. Begins with the very words of the failure: by them a page knows that the
/// message's block says the same.
fn sentences(failure: &Failure) -> String {
    let happened = failure.message.trim_end();
    let stop = if happened.ends_with(['.', '!', '?', '…']) {
        ""
    } else {
        "."
    };
    format!("{happened}{stop} {}", failure.advice)
        .trim_end()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_says_what_happened_and_then_what_to_do() {
        let said = |message: &str, advice: &str| {
            let text = sentences(&Failure::outside(message).advice(advice));
            assert!(text.starts_with(message), "{text}");
            text
        };
        assert_eq!(said("No answer came", "Try again."), "No answer came. Try again.");
        assert_eq!(said("No answer came.", ""), "No answer came.");
        assert_eq!(said("What is it?", "Say more."), "What is it? Say more.");
        assert_eq!(said("Waiting...", "Stop."), "Waiting... Stop.");
    }
}
