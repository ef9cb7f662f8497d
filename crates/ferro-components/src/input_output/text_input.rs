//! A text that starts a branch of the flow.
//!
//! What is written here, or wired in, comes out as a Message. It shows nothing in the chat. When it is left empty and
//! the run brings a text, that text is used, so that a flow without a chat can still be asked something.
//!
//! **Text** is what comes out. **Use Global Variable** hides the text on the canvas when it is the name of a variable.
//!
//! **Example.** Text Input (`https://example.com`) → URL → Parser → Chat Output.
//!
//! **Common mistakes.** For a conversation take Chat Input: only that one keeps a history.

use ferro_engine::{Call, Component, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::Value as Json;

use crate::text::fields;

pub(crate) struct TextInput;

impl Component for TextInput {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("TextInput", "Text Input")
            .category("input_output")
            .icon("type")
            .description("A text to begin with.")
            .help(include_str!("text_input.rs"))
            .legacy()
            .input()
            .field(FieldSpec::multiline("input_value", "Text").info("The text that comes out."))
            .field(
                FieldSpec::bool("use_global_variable", "Use Global Variable", false)
                    .advanced()
                    .refresh()
                    .info("Hide the text on the canvas."),
            )
            .output(OutputSpec::new(
                "text",
                "Output Text",
                "text_response",
                &["Message"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        let mut text = call.text("input_value");
        if text.is_empty() && !call.is_wired("input_value") {
            text.clone_from(&call.cx.run.input_value);
        }
        Step::Now(Ok(Outputs::one("text", Value::text(text))))
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), ferro_engine::Failure> {
        if field == "use_global_variable" {
            let hide = value.as_bool().unwrap_or_default();
            fields::set(node, "input_value", "password", hide);
            fields::set(node, "input_value", "multiline", !hide);
        }
        Ok(())
    }
}
