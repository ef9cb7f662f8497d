//! Gives on the message that comes in, unchanged.
//!
//! - **Input Message**: what is given on.
//! - **Ignored Message**: taken and forgotten. It makes this component wait for something else to be finished first.
//!
//! Example: wire a Write File into **Ignored Message** and a text into **Input Message**: the text goes on only after
//! the file has been written.
//!
//! Common mistakes: expecting the ignored message to appear somewhere.

use ferro_engine::{Call, Component, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};

pub(super) struct Pass;

impl Component for Pass {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("Pass", "Pass")
            .category("flow_controls")
            .icon("arrow-right")
            .description("Gives on a message, unchanged.")
            .help(include_str!("pass.rs"))
            .legacy()
            .field(
                FieldSpec::message("input_message", "Input Message")
                    .info("What is given on.")
                    .required(),
            )
            .field(
                FieldSpec::message("ignored_message", "Ignored Message")
                    .info("Waited for and forgotten.")
                    .advanced(),
            )
            .output(OutputSpec::new(
                "output_message",
                "Output Message",
                "pass_message",
                &["Message"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        let outcome = call.required("input_message").map(|value| {
            let message = call
                .message("input_message")
                .map_or_else(|| value.into_owned(), Value::Message);
            Outputs::one("output_message", message)
        });
        outcome.into()
    }
}

#[cfg(test)]
mod tests {
    use ferro_engine::{Context, NodeInfo, Outcome};

    use super::*;

    #[test]
    fn passes_the_message_and_needs_one() {
        let call = |wired| {
            Call::new(
                NodeInfo::default(),
                serde_json::Map::new(),
                wired,
                Context::nowhere(),
            )
        };
        let Step::Now(Ok(Outcome::Done(outputs))) =
            Pass.run(call(vec![("input_message", Value::text("hi"))]))
        else {
            panic!("it answers at once")
        };
        assert_eq!(outputs.get("output_message").unwrap().to_text(), "hi");
        assert!(matches!(Pass.run(call(vec![])), Step::Now(Err(_))));
    }
}
