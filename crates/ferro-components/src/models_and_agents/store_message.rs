//! Keeps a message in a session, so that Message History finds it later. New flows use Message History in the mode Store.
//!
//! - **Message**: what is kept.
//! - **Sender** (`Machine` or `User`) and **Sender Name**: who is said to have said it; what the message says itself when
//!   they are empty.
//! - **Session ID**: the conversation; this run's own when empty.
//!
//! **Stored Messages** gives the message as it was kept.
//!
//! Example: Language Model → Message Store keeps an answer that is not shown in the chat.
//!
//! Common mistakes: Chat Input and Chat Output store their messages themselves; storing them again shows them twice.

use ferro_engine::{Call, Component, Failure, Step};
use ferro_model::{Descriptor, FieldSpec};

use super::memory::{store, stored_output};

pub(super) struct StoreMessage;

impl Component for StoreMessage {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("StoreMessage", "Message Store")
            .category("processing")
            .icon("message-square-text")
            .description("Keeps a message in a session.")
            .help(include_str!("store_message.rs"))
            .legacy()
            .field(
                FieldSpec::message_text("message", "Message")
                    .info("What is kept.")
                    .required()
                    .tool(),
            )
            .field(
                FieldSpec::handle("memory", "External Memory", &["Memory"])
                    .info("Another memory than the built-in one."),
            )
            .field(
                FieldSpec::message_text("sender", "Sender")
                    .info("Machine or User.")
                    .advanced(),
            )
            .field(
                FieldSpec::message_text("sender_name", "Sender Name")
                    .info("The name it is kept under.")
                    .advanced(),
            )
            .field(
                FieldSpec::message_text("session_id", "Session ID")
                    .info("The conversation; this run's own when empty.")
                    .advanced(),
            )
            .output(stored_output())
    }

    fn run(&self, call: Call) -> Step {
        if call.is_wired("memory") {
            return Err(Failure::unavailable("Outside memories are not available")
                .advice("Remove the wire into External Memory."))
            .into();
        }
        store(&call).into()
    }
}

#[cfg(test)]
mod tests {
    use ferro_engine::{Outcome, Sender};
    use serde_json::json;

    use super::super::memory::tests::run_heard;
    use super::*;

    #[tokio::test]
    async fn keeps_it_in_the_session_that_was_said() {
        let (done, heard) =
            run_heard(&StoreMessage, json!({ "message": "note", "session_id": "other" })).await;
        let Ok(Outcome::Done(outputs)) = done else {
            panic!("it is done")
        };
        assert_eq!(outputs.get("stored_messages").unwrap().to_text(), "note");
        let heard = heard.0.lock().unwrap();
        assert_eq!(
            (heard[0].0.session_id.as_str(), heard[0].0.sender),
            ("other", Sender::Machine)
        );
    }

    #[tokio::test]
    async fn needs_a_message() {
        let (done, _) = run_heard(&StoreMessage, json!({ "message": "" })).await;
        assert_eq!(done.unwrap_err().field.as_deref(), Some("message"));
    }
}
