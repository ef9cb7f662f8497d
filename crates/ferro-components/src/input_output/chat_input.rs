//! Brings what a person says into the flow.
//!
//! When the flow runs, the text and the files sent with the request come out here as one Message. A run without
//! input, such as a click on the node while building, uses what is written in **Input Text**.
//!
//! | field | what it does |
//! |---|---|
//! | Input Text | the text to use when the run brings none |
//! | Store Messages | keeps the message in the session's history; off for throw-away runs |
//! | Sender, Sender Name | who the message is from, in the history and in the playground |
//! | Session ID | the conversation it belongs to; empty means the run's own |
//! | Context ID | tells apart several conversations inside one session |
//! | Files | files that go along with the text |
//!
//! **Example.** Chat Input → Prompt Template (`{question}`) → Language Model → Chat Output.
//!
//! **Common mistakes.** A flow takes one Chat Input only. Text typed into the node is ignored as soon as a run
//! brings its own input. Nothing is stored when there is no session, whatever the switch says.

use std::sync::Arc;

use ferro_engine::{Call, Component, Message, Outputs, Sender, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};

use crate::text::fields::{on_by_default, text_or};

pub(crate) struct ChatInput;

/// Kinds of files that can go along with a message.
const FILES: &[&str] = &[
    "csv", "json", "pdf", "txt", "md", "mdx", "yaml", "yml", "xml", "html", "htm", "docx", "pptx", "xlsx",
    "py", "sh", "sql", "js", "ts", "tsx", "jpg", "jpeg", "png", "bmp", "gif", "webp",
];

impl Component for ChatInput {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("ChatInput", "Chat Input")
            .category("input_output")
            .icon("messages-square")
            .description("Takes what a person writes in the chat.")
            .help(include_str!("chat_input.rs"))
            .minimized()
            .input()
            .field(
                FieldSpec::multiline("input_value", "Input Text")
                    .accepts(&[])
                    .info("Used when the run itself brings no text."),
            )
            .field(store_field())
            .field(sender_field("User"))
            .field(sender_name_field("User"))
            .field(session_field())
            .field(context_field())
            .field(
                FieldSpec::file("files", "Files", FILES)
                    .list()
                    .advanced()
                    .set("temp_file", true)
                    .info("Files that go along with the text."),
            )
            .output(OutputSpec::new(
                "message",
                "Chat Message",
                "message_response",
                &["Message"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        let run = &call.cx.run;
        let text = if run.input_value.is_empty() || call.is_wired("input_value") {
            call.text("input_value")
        } else {
            run.input_value.clone()
        };
        let files = if run.files.is_empty() {
            call.texts("files")
        } else {
            run.files.clone()
        };
        let message = Message {
            text,
            files,
            sender: sender(&call, Sender::User),
            sender_name: text_or(&call, "sender_name", "User"),
            session_id: session(&call),
            context_id: call.text("context_id"),
            ..Message::default()
        };
        let shown = send(&call, message, Role::Input);
        Step::Now(Ok(Outputs::one("message", Value::Message(Arc::new(shown)))))
    }
}

/// Which end of the flow a message is at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Input,
    Output,
}

/// Shows a message; without a session there is nothing to store it in.
pub(super) fn send(call: &Call, message: Message, role: Role) -> Message {
    let store = !message.session_id.is_empty() && on_by_default(call, "should_store_message");
    call.cx.message(message, store, role == Role::Output)
}

pub(super) fn sender(call: &Call, default: Sender) -> Sender {
    match call.text("sender").as_str() {
        "User" => Sender::User,
        "Machine" => Sender::Machine,
        _ => default,
    }
}

/// The field's session, else the run's.
pub(super) fn session(call: &Call) -> String {
    let own = call.text("session_id");
    if own.is_empty() {
        call.cx.run.session_id.clone()
    } else {
        own
    }
}

pub(super) fn store_field() -> FieldSpec {
    FieldSpec::bool("should_store_message", "Store Messages", true)
        .advanced()
        .info("Keep the message in the session's history.")
}

pub(super) fn sender_field(value: &str) -> FieldSpec {
    FieldSpec::dropdown("sender", "Sender Type", &["Machine", "User"], value)
        .advanced()
        .info("Whose side of the conversation it is.")
}

pub(super) fn sender_name_field(value: &str) -> FieldSpec {
    FieldSpec::message_text("sender_name", "Sender Name")
        .value(value)
        .advanced()
        .info("The name shown beside the message.")
}

pub(super) fn session_field() -> FieldSpec {
    FieldSpec::message_text("session_id", "Session ID")
        .advanced()
        .info("The conversation it belongs to. Empty: the one of the run.")
}

pub(super) fn context_field() -> FieldSpec {
    FieldSpec::message_text("context_id", "Context ID")
        .advanced()
        .info("Tells several conversations inside one session apart.")
}
