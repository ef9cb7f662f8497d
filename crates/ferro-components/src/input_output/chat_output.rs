//! Shows a result in the chat and makes it the answer of the run.
//!
//! Anything can be wired in. A Message is shown as it is. JSON becomes a fenced block, a Table a markdown table, and
//! several values are put one below the other.
//!
//! | field | what it does |
//! |---|---|
//! | Inputs | what to show |
//! | Store Messages | keeps the answer in the session's history |
//! | Sender, Sender Name | who the answer is from |
//! | Session ID, Context ID | the conversation it belongs to; empty means the run's own |
//! | Data Template | how JSON is written out, for instance `{title}: {price}`; `{text}` keeps the fenced block |
//! | Basic Clean Data | leaves out empty rows of tables |
//!
//! **Example.** An API Request gives `{"city": "Oslo", "temp": 4}`. With the template `{city}: {temp} °C` the chat shows
//! `Oslo: 4 °C`.
//!
//! **Common mistakes.** A key in the template that the JSON does not have is an error, so that a typing mistake is
//! seen. A message that a model streamed before arrives here again: it is the same message, not a second one.

use std::borrow::Cow;
use std::sync::Arc;

use ferro_engine::{Call, Component, Failure, Message, Outcome, Outputs, Sender, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::json;

use super::chat_input::{
    Role, context_field, send, sender, sender_field, sender_name_field, session_field, store_field,
};
use crate::text::fields::{missing_key, on_by_default, paced, text_or, weight};
use crate::text::show::{Tidy, stringify};
use crate::text::template::{self, Style};

pub(crate) struct ChatOutput;

/// The template every node starts with: it means "as you like".
const NO_TEMPLATE: &str = "{text}";

impl Component for ChatOutput {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("ChatOutput", "Chat Output")
            .category("input_output")
            .icon("messages-square")
            .description("Shows a result in the chat.")
            .help(include_str!("chat_output.rs"))
            .minimized()
            .answer()
            .field(
                FieldSpec::handle(
                    "input_value",
                    "Inputs",
                    &["Data", "JSON", "DataFrame", "Table", "Message"],
                )
                .required()
                .info("What to show."),
            )
            .field(store_field())
            .field(sender_field("Machine"))
            .field(sender_name_field("AI"))
            .field(session_field())
            .field(context_field())
            .field(
                FieldSpec::message_text("data_template", "Data Template")
                    .value(NO_TEMPLATE)
                    .advanced()
                    .info("How JSON is written out: names of keys in braces. {text} shows all of it."),
            )
            .field(
                FieldSpec::bool("clean_data", "Basic Clean Data", true)
                    .advanced()
                    .info("Leave out empty rows of tables."),
            )
            .output(OutputSpec::new(
                "message",
                "Output Message",
                "message_response",
                &["Message"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        paced(weight(&call, "input_value"), move || answer(&call))
    }
}

fn answer(call: &Call) -> Result<Outcome, Failure> {
    let input = call.required("input_value")?;
    let mut message = match &*input {
        Value::Message(message) if message.sender == Sender::Machine && !call.node.fed_by_chat_input => {
            (**message).clone()
        }
        // What a person said stays theirs: an answer that repeats it is a message of its own.
        Value::Message(message) => Message {
            text: message.text.clone(),
            files: message.files.clone(),
            ..Message::default()
        },
        other => Message::text(written(call, other)?),
    };
    message.sender = sender(call, Sender::Machine);
    message.sender_name = text_or(call, "sender_name", "AI");
    let session = call.text("session_id");
    if !session.is_empty() {
        message.session_id = session;
    } else if message.session_id.is_empty() {
        message.session_id.clone_from(&call.cx.run.session_id);
    }
    let context = call.text("context_id");
    if !context.is_empty() {
        message.context_id = context;
    }
    let source = message
        .properties
        .get("source")
        .and_then(|source| source.get("source"))
        .cloned();
    message.properties.insert(
        "source".to_owned(),
        json!({
            "id": call.node.id,
            "display_name": call.node.display_name,
            "source": source.unwrap_or_else(|| "".into()),
        }),
    );
    message.properties.insert("state".to_owned(), "complete".into());
    let shown = send(call, message, Role::Output);
    Ok(Outputs::one("message", Value::Message(Arc::new(shown))))
}

fn written(call: &Call, value: &Value) -> Result<String, Failure> {
    let pattern = call.text("data_template");
    let templated = !pattern.is_empty() && pattern != NO_TEMPLATE;
    if templated && value.items().iter().all(|item| matches!(item, Value::Data(_))) {
        let pieces = template::parse(&pattern, Style::Braces, "data_template")?;
        let mut lines = Vec::new();
        for row in value.rows() {
            lines.push(template::render(&pieces, |name| {
                let found =
                    template::pick(&row, name).map(|text| Cow::<'static, str>::Owned(text.into_owned()));
                found.ok_or_else(|| missing_key("data_template", name, &row))
            })?);
        }
        return Ok(lines.join("\n"));
    }
    let tidy = if on_by_default(call, "clean_data") {
        Tidy::Clean
    } else {
        Tidy::AsIs
    };
    Ok(stringify(value, tidy))
}
