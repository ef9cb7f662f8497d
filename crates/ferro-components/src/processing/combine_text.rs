//! Joins two texts.
//!
//! **First Text** and **Second Text** are what to join, typed in or wired in. **Delimiter** stands between them; a space
//! unless you say otherwise, and `\n` for a line break.
//!
//! **Example.** `Dear Ada,` and `how are you?` with the delimiter `\n\n` make a letter of two paragraphs.
//!
//! **Common mistakes.** The delimiter is there even when one of the texts is empty. For more than two texts, a Prompt
//! Template is easier to read than a chain of these.

use ferro_engine::{Call, Component, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};

use crate::text::fields::text_or;
use crate::text::template::unescape;

pub(crate) struct CombineText;

impl Component for CombineText {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("CombineText", "Combine Text")
            .category("processing")
            .icon("merge")
            .description("Joins two texts.")
            .help(include_str!("combine_text.rs"))
            .legacy()
            .field(FieldSpec::message_text("text1", "First Text").info("Comes first."))
            .field(FieldSpec::message_text("text2", "Second Text").info("Comes second."))
            .field(
                FieldSpec::message_text("delimiter", "Delimiter")
                    .value(" ")
                    .info("Stands between the two."),
            )
            .output(OutputSpec::new(
                "combined_text",
                "Combined Text",
                "combine_texts",
                &["Message"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        let delimiter = unescape(&text_or(&call, "delimiter", " "));
        let text = format!("{}{delimiter}{}", call.text("text1"), call.text("text2"));
        Step::Now(Ok(Outputs::one("combined_text", Value::text(text))))
    }
}
