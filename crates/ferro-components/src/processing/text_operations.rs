//! Does one of several things to a text.
//!
//! | operation | what comes out |
//! |---|---|
//! | Word Count | JSON with the numbers of words, characters and lines |
//! | Case Conversion | the text in upper, lower, title or swapped case |
//! | Text Replace | the text with one part put in place of another; with **Use Regex** the search is a regular expression |
//! | Text Extract | what a regular expression matches, one match per line |
//! | Text Head, Text Tail | the first or last characters |
//! | Text Strip | the text without white space, or certain characters, at its ends |
//! | Text Join | the text with a second one below it |
//! | Text Clean | single spaces, no special characters, no empty lines: each if you want |
//! | Text to DataFrame | a table, read from lines with `\|` or another separator between cells |
//!
//! Choose the **Operation** first: the fields and the output that belong to it appear then.
//!
//! **Example.** Text Replace with the search `(\d+) EUR`, **Use Regex** and the replacement `€\1` turns `5 EUR` into `€5`.
//!
//! **Common mistakes.** Looking ahead or behind and references back to a group do not work in these regular expressions. In a
//! replacement the first group is `\1`, not `$1`.

use ferro_engine::{Call, Component, Failure, Outcome, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::Value as Json;

use super::text_work::{OPERATIONS, apply, effort, fields as operation_fields};
use crate::text::fields::{self, choice, chosen, paced};

pub(crate) struct TextOperations;

impl Component for TextOperations {
    fn descriptor(&self) -> Descriptor {
        let options: Vec<_> = OPERATIONS.iter().map(|(name, icon, _)| (*name, *icon)).collect();
        let descriptor = Descriptor::new("TextOperations", "Text Operations")
            .category("processing")
            .icon("type")
            .description("Counts, replaces, cuts or cleans text.")
            .help(include_str!("text_operations.rs"))
            .legacy()
            .field(
                FieldSpec::message_text("text_input", "Text Input")
                    .required()
                    .info("The text to work on."),
            )
            .field(
                FieldSpec::sortable_list("operation", "Operation", &options)
                    .refresh()
                    .set("limit", 1)
                    .info("What to do with it."),
            );
        operation_fields().into_iter().fold(descriptor, Descriptor::field)
    }

    fn run(&self, call: Call) -> Step {
        let size = effort(&call, &chosen(&call, "operation"));
        paced(size, move || work(&call))
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        if field != "operation" {
            return Ok(());
        }
        let operation = choice(value);
        let all: Vec<&str> = OPERATIONS
            .iter()
            .flat_map(|(_, _, names)| names.iter().copied())
            .collect();
        let shown = OPERATIONS
            .iter()
            .find(|(name, ..)| *name == operation)
            .map_or(&[][..], |(_, _, names)| names);
        fields::show_only(node, &all, shown);
        fields::set_outputs(node, &outputs(&operation));
        Ok(())
    }
}

fn outputs(operation: &str) -> Vec<OutputSpec> {
    let message = OutputSpec::new("message", "Message", "get_message", &["Message"]);
    match operation {
        "" => Vec::new(),
        "Word Count" => vec![OutputSpec::new("data", "JSON", "get_data", &["JSON"])],
        "Text to DataFrame" => vec![OutputSpec::new("dataframe", "Table", "get_dataframe", &["Table"])],
        "Text Join" => vec![OutputSpec::new("text", "Text", "get_text", &["Message"]), message],
        _ => vec![message],
    }
}

fn work(call: &Call) -> Result<Outcome, Failure> {
    let operation = chosen(call, "operation");
    let value = apply(call, &operation, &call.text("text_input"))?;
    let outputs = Outputs::new();
    Ok(match &value {
        Value::Data(_) => outputs.with("data", value),
        Value::Table(_) => outputs.with("dataframe", value),
        _ if operation == "Text Join" => outputs.with("text", value.clone()).with("message", value),
        _ => outputs.with("message", value),
    }
    .done())
}
