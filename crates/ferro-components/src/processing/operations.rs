//! Works on text, JSON or tables: choose what comes in, then what to do with it.
//!
//! | input type | operations |
//! |---|---|
//! | Text | Word Count, Case Conversion, Text Replace, Text Extract, Text Head, Text Tail, Text Strip, Text Join, Text Clean, Text to DataFrame |
//! | JSON | Select Keys, Literal Eval, Combine, Filter Values, Append or Update, Remove Keys, Rename Keys, Path Selection, JQ Expression |
//! | Table | Add Column, Concatenate, Drop Column, Filter, Head, Merge, Rename Column, Replace Value, Select Columns, Sort, Tail, Drop Duplicates |
//!
//! The fields and the output change with the choice: text gives a Message, JSON gives JSON, tables give a Table. Word Count gives
//! JSON, and Text to DataFrame gives a Table. The help of Text Operations, JSON Operations and Table Operations says what each does.
//!
//! **Example.** Input type JSON, operation *JQ Expression*, query `.items | map(.price) | add`: the sum of all prices as
//! `{"result": 42}`.
//!
//! **Common mistakes.** After the input type is changed, the operation must be chosen anew. A wire that ended at the other
//! port has to be drawn again.

use ferro_engine::{Call, Component, Failure, Outcome, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Value as Json, json};

use super::{data_operations, table_work, text_work};
use crate::text::fields::{self, choice, chosen, paced};

pub(crate) struct Operations;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Input {
    Text,
    Json,
    Table,
}

type Known = &'static [(&'static str, &'static str, &'static [&'static str])];

impl Input {
    /// Older files say `Data` and `DataFrame`.
    fn of(name: &str) -> Self {
        match name {
            "JSON" | "Data" => Self::Json,
            "Table" | "DataFrame" => Self::Table,
            _ => Self::Text,
        }
    }

    fn operations(self) -> Known {
        match self {
            Self::Text => text_work::OPERATIONS,
            Self::Json => data_operations::OPERATIONS,
            Self::Table => table_work::OPERATIONS,
        }
    }

    fn port(self) -> &'static str {
        match self {
            Self::Text => "text_input",
            Self::Json => "data",
            Self::Table => "df",
        }
    }
}

const PORTS: [&str; 3] = ["text_input", "data", "df"];

impl Component for Operations {
    fn descriptor(&self) -> Descriptor {
        let options: Vec<_> = text_work::OPERATIONS
            .iter()
            .map(|(name, icon, _)| (*name, *icon))
            .collect();
        let descriptor = Descriptor::new("Operations", "Data Operations")
            .category("processing")
            .icon("workflow")
            .description("Works on text, JSON or tables.")
            .help(include_str!("operations.rs"))
            .field(
                FieldSpec::tab("input_type", "Input Type", &["Text", "JSON", "Table"], "Text")
                    .refresh()
                    .info("What comes in."),
            )
            .field(FieldSpec::handle("text_input", "Text Input", &["Message"]).info("The text to work on."))
            .field(
                FieldSpec::handle("data", "JSON", &["Data", "JSON"])
                    .class("DataInput")
                    .list()
                    .hidden()
                    .info("The JSON to work on."),
            )
            .field(
                FieldSpec::handle("df", "Table", &["DataFrame", "Table"])
                    .class("DataFrameInput")
                    .list()
                    .hidden()
                    .info("The table to work on; several to concatenate."),
            )
            .field(
                FieldSpec::sortable_list("operation", "Operation", &options)
                    .refresh()
                    .set("limit", 1)
                    .info("What to do with it."),
            )
            .output(output(Input::Text, ""));
        let all = [
            data_operations::operation_fields(),
            table_work::fields(),
            text_work::fields(),
        ];
        all.into_iter().flatten().fold(descriptor, Descriptor::field)
    }

    fn run(&self, call: Call) -> Step {
        let operation = chosen(&call, "operation");
        let size = match Input::of(&call.text("input_type")) {
            Input::Text => text_work::effort(&call, &operation),
            Input::Json => data_operations::effort(&call, &operation),
            Input::Table => table_work::effort(&call),
        };
        paced(size, move || work(&call))
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        if field == "input_type" {
            let input = Input::of(value.as_str().unwrap_or_default());
            let options: Json = input
                .operations()
                .iter()
                .map(|(name, icon, _)| json!({ "name": name, "icon": icon }))
                .collect();
            fields::set(node, "operation", "options", options);
            fields::set(node, "operation", "value", json!([]));
            show(node, input, "");
        }
        if field == "operation" {
            let input = Input::of(fields::value_of(node, "input_type").as_str().unwrap_or_default());
            show(node, input, &choice(value));
        }
        if field == "mapped_json_display" {
            data_operations::refresh(node, field, value, "operation");
        }
        Ok(())
    }
}

fn show(node: &mut Json, input: Input, operation: &str) {
    let everything = [
        text_work::OPERATIONS,
        data_operations::OPERATIONS,
        table_work::OPERATIONS,
    ];
    let all: Vec<&str> = everything
        .iter()
        .flat_map(|known| known.iter())
        .flat_map(|(_, _, names)| names.iter().copied())
        .collect();
    let shown = input
        .operations()
        .iter()
        .find(|(name, ..)| *name == operation)
        .map_or(&[][..], |(_, _, names)| names);
    fields::show_only(node, &all, shown);
    let port = if operation == "Merge" { "" } else { input.port() };
    fields::show_only(node, &PORTS, &[port]);
    fields::set_outputs(node, &[output(input, operation)]);
}

fn output(input: Input, operation: &str) -> OutputSpec {
    match (input, operation) {
        (Input::Json, _) | (Input::Text, "Word Count") => {
            OutputSpec::new("data_output", "JSON", "as_data", &["JSON"])
        }
        (Input::Table, _) | (Input::Text, "Text to DataFrame") => {
            OutputSpec::new("dataframe_output", "Table", "as_dataframe", &["Table"])
        }
        (Input::Text, _) => OutputSpec::new("message_output", "Message", "as_message", &["Message"]),
    }
}

fn work(call: &Call) -> Result<Outcome, Failure> {
    let operation = chosen(call, "operation");
    let input = Input::of(&call.text("input_type"));
    let value = match input {
        Input::Text => text_work::apply(call, &operation, &call.required("text_input")?.to_text())?,
        Input::Json => data_operations::apply(call, &operation)?,
        Input::Table => Value::table(table_work::apply(call, &operation)?),
    };
    Ok(Outputs::one(output(input, &operation).name, value))
}
