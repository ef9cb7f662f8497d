//! Adds keys to JSON or Messages, or takes keys away.
//!
//! | field | what it does |
//! |---|---|
//! | Input | Messages or objects to change; all of them get the same keys |
//! | User Text | an extra text that becomes an object of its own, with the same keys |
//! | Metadata | the keys to set, as JSON |
//! | Fields to Remove | keys to take away |
//!
//! The outputs give the same objects, once as a list and once as a table.
//!
//! **Example.** Chunks of a file with the metadata `{"source": "report.pdf"}` can be told apart later.
//!
//! **Common mistakes.** Keys are removed before others are set: a key named in both is set.

use ferro_engine::{Call, Component, Data, Failure, Outcome, Outputs, Step, Table, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};

use crate::text::fields::{list, objects, paced, pairs, weight};

pub(crate) struct AlterMetadata;

impl Component for AlterMetadata {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("AlterMetadata", "Alter Metadata")
            .category("processing")
            .icon("merge")
            .description("Adds keys to JSON or Messages, or takes them away.")
            .help(include_str!("alter_metadata.rs"))
            .legacy()
            .field(
                FieldSpec::handle("input_value", "Input", &["Message", "Data", "JSON"])
                    .list()
                    .info("What to change."),
            )
            .field(FieldSpec::text("text_in", "User Text").info("An extra text that gets the same keys."))
            .field(
                FieldSpec::handle("metadata", "Metadata", &["Data", "JSON"])
                    .class("DataInput")
                    .required()
                    .list()
                    .info("Keys to set."),
            )
            .field(
                FieldSpec::message_text("remove_fields", "Fields to Remove")
                    .list()
                    .info("Keys to take away."),
            )
            .output(OutputSpec::new("data", "Data", "process_output", &["JSON"]))
            .output(OutputSpec::new("dataframe", "Table", "as_dataframe", &["Table"]))
    }

    fn run(&self, call: Call) -> Step {
        paced(weight(&call, "input_value"), move || alter(&call))
    }
}

fn alter(call: &Call) -> Result<Outcome, Failure> {
    let mut items = if call.get("input_value").is_some() {
        objects(call, "input_value")?
    } else {
        Vec::new()
    };
    let extra = call.text("text_in");
    if !extra.is_empty() {
        items.push(Data::from_text(&extra));
    }
    let removed = call.texts("remove_fields");
    let metadata = pairs(&call.required("metadata")?.to_json());
    for data in &mut items {
        data.map.retain(|key, _| !removed.contains(key));
        data.map.extend(metadata.clone());
    }
    let table = Table::from_rows(items.iter().map(|data| data.map.clone()));
    Ok(Outputs::new()
        .with("data", list(items))
        .with("dataframe", Value::table(table))
        .done())
}
