//! Turns a Message into JSON.
//!
//! What comes out has the keys `text`, `sender`, `sender_name`, `session_id`, `files` when there are some, and anything else the
//! Message carries.
//!
//! **Example.** A Message `Hello` by `Ada` gives `{"text": "Hello", "sender": "User", "sender_name": "Ada", …}`.
//!
//! **Common mistakes.** The text is not looked into. For a text that is itself JSON, take Type Convert with Auto Parse.

use ferro_engine::{Call, Component, Failure, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::Value as Json;

pub(crate) struct MessageToData;

impl Component for MessageToData {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("MessagetoData", "Message to Data")
            .category("processing")
            .icon("message-square-share")
            .description("Turns a Message into JSON.")
            .help(include_str!("message_to_data.rs"))
            .legacy()
            .field(FieldSpec::message("message", "Message").info("What to turn into JSON."))
            .output(OutputSpec::new(
                "data",
                "Data",
                "convert_message_to_data",
                &["JSON"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        let Some(message) = call.message("message") else {
            return Step::Now(Err(
                Failure::input("message", "There is no Message").advice("Wire a Message into it.")
            ));
        };
        let map = match message.to_json() {
            Json::Object(map) => map,
            _ => Default::default(),
        };
        Step::Now(Ok(Outputs::one("data", Value::data(map))))
    }
}
