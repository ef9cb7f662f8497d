//! Makes a text part of the run's answer without showing it in the chat.
//!
//! Programs that run the flow through the API find it in the result under this node's name. Several of them in one
//! flow give several answers.
//!
//! **Inputs** is the text to answer with; JSON and tables are turned into text.
//!
//! **Example.** Webhook → Parser → Text Output: whoever called the webhook's flow reads the text from the result.
//!
//! **Common mistakes.** Nothing appears in the playground: take Chat Output for that.

use ferro_engine::{Call, Component, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};

pub(crate) struct TextOutput;

impl Component for TextOutput {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("TextOutput", "Text Output")
            .category("input_output")
            .icon("type")
            .description("Answers with a text, outside of the chat.")
            .help(include_str!("text_output.rs"))
            .legacy()
            .answer()
            .field(FieldSpec::multiline("input_value", "Inputs").info("The text to answer with."))
            .output(OutputSpec::new(
                "text",
                "Output Text",
                "text_response",
                &["Message"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        let value = match call.raw("input_value").as_deref() {
            Some(Value::Message(message)) => Value::Message(message.clone()),
            Some(other) => Value::text(other.to_text()),
            None => Value::text(""),
        };
        Step::Now(Ok(Outputs::one("text", value)))
    }
}
