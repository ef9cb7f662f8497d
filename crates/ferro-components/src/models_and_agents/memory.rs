//! Reads the messages of a session, or adds one to them.
//!
//! - **Mode**: `Retrieve` gives earlier messages, `Store` keeps a new one.
//! - **Session ID**: which conversation; this run's own when empty.
//! - **Sender Type** and **Sender Name**: only messages of people, of machines, or of one name.
//! - **Number of Messages**: the newest so many; `0` gives all.
//! - **Order**: `Ascending` begins with the oldest.
//! - **Template**: how a message looks in **Messages**: `{sender_name}: {text}` unless you change it. `{sender}`,
//!   `{session_id}` and `{timestamp}` can be used too.
//! - **Message** (in the mode Store): what is kept, as said by **Sender** under **Sender Name**.
//!
//! **Messages** is one text with a line for each message; **Dataframe** is a table of them.
//!
//! Example: Message History → Prompt Template with `{history}` → Language Model gives a model its memory.
//!
//! Common mistakes: the message that started this run is in the history too when Chat Input stored it; two flows never
//! share a session, even under the same id. Outside memories (**External Memory**) are not available yet.

use std::borrow::Cow;

use ferro_engine::{
    Call, Component, Failure, Message, MessageQuery, Outcome, Outputs, Sender, Step, Table, Value,
};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Map, Value as Json, json};

use crate::text::fields;
use crate::text::template::{Style, parse, pick, render};
use crate::wait::unless_stopped;

pub(super) struct Memory;

const TEMPLATE: &str = "{sender_name}: {text}";
const STORED: &str = "stored_messages";

impl Component for Memory {
    fn descriptor(&self) -> Descriptor {
        let mut descriptor = Descriptor::new("Memory", "Message History")
            .category("models_and_agents")
            .icon("message-square-more")
            .description("Reads the messages of a session, or adds one to them.")
            .help(include_str!("memory.rs"))
            .field(
                FieldSpec::tab("mode", "Mode", &["Retrieve", "Store"], "Retrieve")
                    .info("Read messages, or keep one.")
                    .refresh(),
            )
            .field(
                FieldSpec::message("message", "Message")
                    .info("What is kept.")
                    .hidden()
                    .tool(),
            )
            .field(
                FieldSpec::handle("memory", "External Memory", &["Memory"])
                    .info("Another memory than the built-in one.")
                    .advanced(),
            )
            .field(
                FieldSpec::dropdown(
                    "sender_type",
                    "Sender Type",
                    &["Machine", "User", "Machine and User"],
                    "Machine and User",
                )
                .info("Whose messages are read.")
                .advanced(),
            )
            .field(
                FieldSpec::message_text("sender", "Sender")
                    .info("Machine or User: who said what is kept.")
                    .advanced(),
            )
            .field(
                FieldSpec::message_text("sender_name", "Sender Name")
                    .info("Only messages under this name, or the name to keep one under.")
                    .advanced()
                    .hidden(),
            )
            .field(
                FieldSpec::int("n_messages", "Number of Messages", 100)
                    .info("The newest so many; 0 for all.")
                    .advanced(),
            )
            .field(
                FieldSpec::message_text("session_id", "Session ID")
                    .info("The conversation; this run's own when empty.")
                    .advanced(),
            )
            .field(
                FieldSpec::message_text("context_id", "Context ID")
                    .info("A part of the conversation, if it has parts.")
                    .advanced(),
            )
            .field(
                FieldSpec::dropdown("order", "Order", &["Ascending", "Descending"], "Ascending")
                    .info("Oldest or newest first.")
                    .required()
                    .advanced()
                    .tool(),
            )
            .field(
                FieldSpec::multiline("template", "Template")
                    .info("How a message looks in the text.")
                    .value(TEMPLATE)
                    .advanced()
                    .hidden(),
            );
        for output in retrieve_outputs() {
            descriptor = descriptor.output(output);
        }
        descriptor
    }

    fn run(&self, call: Call) -> Step {
        Step::later(async move {
            if call.is_wired("memory") {
                return Err(Failure::unavailable("Outside memories are not available")
                    .advice("Remove the wire into External Memory."));
            }
            if call.text("mode") == "Store" {
                store(&call)
            } else {
                retrieve(&call).await
            }
        })
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        if field != "mode" {
            return Ok(());
        }
        let both = ["memory", "session_id", "context_id"];
        let storing = ["message", "sender", "sender_name"];
        let reading = ["sender_type", "n_messages", "order", "template"];
        let all = [&both[..], &storing[..], &reading[..]].concat();
        let (shown, outputs) = if value == "Store" {
            ([&both[..], &storing[..]].concat(), vec![stored_output()])
        } else {
            ([&both[..], &reading[..]].concat(), retrieve_outputs().to_vec())
        };
        fields::show_only(node, &all, &shown);
        fields::set_outputs(node, &outputs);
        Ok(())
    }
}

fn retrieve_outputs() -> [OutputSpec; 2] {
    [
        OutputSpec::new(
            "messages_text",
            "Message",
            "retrieve_messages_as_text",
            &["Message"],
        ),
        OutputSpec::new("dataframe", "Table", "retrieve_messages_dataframe", &["Table"]),
    ]
}

pub(super) fn stored_output() -> OutputSpec {
    OutputSpec::new(STORED, "Stored Messages", "store_message", &["Message"])
}

/// Keeps a message and gives it on. Fields win over what the message says itself.
pub(super) fn store(call: &Call) -> Result<Outcome, Failure> {
    call.required("message")?;
    let mut message = call
        .message("message")
        .map_or_else(Message::default, |message| (*message).clone());
    let filled = |name: &str| Some(call.text(name)).filter(|text| !text.trim().is_empty());
    // The same message again would replace the one that was kept before.
    message.id = None;
    message.timestamp = 0;
    if let Some(sender) = filled("sender") {
        message.sender = self::sender(&sender)?;
    }
    if let Some(name) = filled("sender_name") {
        message.sender_name = name;
    } else if message.sender_name.is_empty() {
        message.sender_name = if message.sender == Sender::User {
            "User".to_owned()
        } else {
            "AI".to_owned()
        };
    }
    if let Some(session) = filled("session_id") {
        message.session_id = session;
    }
    if let Some(context) = filled("context_id") {
        message.context_id = context;
    }
    let kept = call.cx.message(message, true, false);
    Ok(Outputs::one(STORED, Value::Message(kept.into())))
}

fn sender(text: &str) -> Result<Sender, Failure> {
    match text.trim().to_lowercase().as_str() {
        "user" => Ok(Sender::User),
        "machine" | "ai" => Ok(Sender::Machine),
        _ => {
            Err(Failure::input("sender", format!("There is no sender {text:?}"))
                .advice("Use Machine or User."))
        }
    }
}

async fn retrieve(call: &Call) -> Result<Outcome, Failure> {
    let filled = |name: &str| Some(call.text(name)).filter(|text| !text.trim().is_empty());
    let limit = fields::int_or(call, "n_messages", 100)?;
    let query = MessageQuery {
        session_id: filled("session_id").unwrap_or_else(|| call.cx.run.session_id.clone()),
        context_id: filled("context_id"),
        sender: match call.text("sender_type").as_str() {
            "Machine" => Some(Sender::Machine),
            "User" => Some(Sender::User),
            _ => None,
        },
        sender_name: filled("sender_name"),
        limit: usize::try_from(limit).ok().filter(|limit| *limit > 0),
    };
    let mut messages = unless_stopped(&call.cx, call.cx.host.messages(query)).await?;
    if call.text("order") == "Descending" {
        messages.reverse();
    }
    let text = as_text(call, &messages)?;
    Ok(Outputs::new()
        .with("messages_text", Value::text(text))
        .with("dataframe", Value::table(as_table(messages)))
        .done())
}

fn as_text(call: &Call, messages: &[Message]) -> Result<String, Failure> {
    let template = call.text("template");
    let template = if template.trim().is_empty() {
        TEMPLATE
    } else {
        &template
    };
    let pieces = parse(template, Style::Braces, "template")?;
    let lines: Result<Vec<String>, Failure> = messages
        .iter()
        .map(|message| {
            let map = values(message);
            render(&pieces, |name| {
                Ok(Cow::Owned(
                    pick(&map, name).map(Cow::into_owned).unwrap_or_default(),
                ))
            })
        })
        .collect();
    Ok(lines?.join("\n"))
}

fn values(message: &Message) -> Map<String, Json> {
    let Json::Object(mut map) = message.to_json() else {
        return Map::new();
    };
    map.insert("timestamp".to_owned(), time(message.timestamp).into());
    map
}

/// Microseconds as people write a time.
fn time(micros: i64) -> String {
    jiff::Timestamp::from_microsecond(micros)
        .map(|time| time.strftime("%Y-%m-%d %H:%M:%S UTC").to_string())
        .unwrap_or_default()
}

fn as_table(messages: Vec<Message>) -> Table {
    let columns = [
        "text",
        "sender",
        "sender_name",
        "session_id",
        "context_id",
        "timestamp",
        "id",
        "files",
    ];
    let mut table = Table::new(columns.map(str::to_owned).to_vec());
    for message in messages {
        table.cells.push(vec![
            message.text.into(),
            message.sender.as_str().into(),
            message.sender_name.into(),
            message.session_id.into(),
            message.context_id.into(),
            time(message.timestamp).into(),
            message.id.map(|id| id.to_string()).into(),
            json!(message.files),
        ]);
    }
    table
}
#[cfg(test)]
pub(super) mod tests;
