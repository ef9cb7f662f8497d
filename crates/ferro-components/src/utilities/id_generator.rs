//! Makes an id that nothing else has.
//!
//! **Value** holds an id. The button beside it makes a new one. When it is empty, every run makes its own.
//!
//! Ids are random and 36 characters long, such as `3f2b8c1e-9a4d-4e0b-8f57-6c1d2a7e5b90`. They come out as a Message.
//!
//! **Example.** An empty value wired to the name of a file: each run writes a file of its own.
//!
//! **Common mistakes.** An id that was made on the canvas stays the same in every run. Empty the field for a new one each time.

use ferro_engine::{Call, Component, Failure, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::Value as Json;
use uuid::Uuid;

use crate::text::fields;

pub(crate) struct IdGenerator;

impl Component for IdGenerator {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("IDGenerator", "ID Generator")
            .category("utilities")
            .icon("fingerprint")
            .description("Makes an id that nothing else has.")
            .help(include_str!("id_generator.rs"))
            .legacy()
            .field(
                FieldSpec::message_text("unique_id", "Value")
                    .tool()
                    .set("refresh_button", true)
                    .info("The id. Empty: a new one in every run."),
            )
            .output(OutputSpec::new("id", "ID", "generate_id", &["Message"]))
    }

    fn run(&self, call: Call) -> Step {
        let given = call.text("unique_id");
        let id = if given.trim().is_empty() {
            Uuid::new_v4().to_string()
        } else {
            given
        };
        Step::Now(Ok(Outputs::one("id", Value::text(id))))
    }

    fn refresh(&self, node: &mut Json, field: &str, _: &Json) -> Result<(), Failure> {
        if field == "unique_id" {
            fields::set(node, "unique_id", "value", Uuid::new_v4().to_string());
        }
        Ok(())
    }
}
