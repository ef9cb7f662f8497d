//! Keeps the JSON objects whose key has a certain value.
//!
//! | field | what it does |
//! |---|---|
//! | Input Data | a list of objects |
//! | Filter Key | the key to look at |
//! | Filter Value | what to compare its value with |
//! | Comparison Operator | equals, not equals, contains, starts with, ends with |
//!
//! **Example.** With the key `status`, the value `open` and *equals*, only `{"status": "open", …}` come through.
//!
//! **Common mistakes.** Values are compared as text: `1` and `"1"` are equal, `1` and `1.0` are not. An object without
//! the key is left out, also with *not equals*.

use ferro_engine::{Call, Component, Failure, Outcome, Outputs, Step};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};

use crate::text::fields::{list, objects, paced, text_or, weight};
use crate::text::template::show;

pub(crate) struct FilterDataValues;

pub(super) const OPERATORS: &[&str] = &["equals", "not equals", "contains", "starts with", "ends with"];

impl Component for FilterDataValues {
    fn descriptor(&self) -> Descriptor {
        let data = ["Data", "JSON"];
        Descriptor::new("FilterDataValues", "Filter Values")
            .category("processing")
            .icon("filter")
            .description("Keeps objects whose key has a certain value.")
            .help(include_str!("filter_data_values.rs"))
            .legacy()
            .field(
                FieldSpec::handle("input_data", "Input Data", &data)
                    .class("DataInput")
                    .list()
                    .info("A list of objects."),
            )
            .field(
                FieldSpec::message_text("filter_key", "Filter Key")
                    .accepts(&data)
                    .value("route")
                    .info("The key to look at."),
            )
            .field(
                FieldSpec::message_text("filter_value", "Filter Value")
                    .accepts(&data)
                    .value("CMIP")
                    .info("What its value is compared with."),
            )
            .field(
                FieldSpec::dropdown("operator", "Comparison Operator", OPERATORS, "equals")
                    .advanced()
                    .info("How they are compared."),
            )
            .output(OutputSpec::new(
                "filtered_data",
                "Filtered Data",
                "filter_data",
                &["JSON"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        paced(weight(&call, "input_data"), move || filter(&call))
    }
}

fn filter(call: &Call) -> Result<Outcome, Failure> {
    let items = objects(call, "input_data")?;
    let key = call.required_text("filter_key")?;
    let value = call.text("filter_value");
    let operator = text_or(call, "operator", "equals");
    let kept = items.into_iter().filter(|data| {
        data.map
            .get(key.trim())
            .is_some_and(|found| matches(&operator, &show(found), &value))
    });
    Ok(Outputs::one("filtered_data", list(kept)))
}

pub(super) fn matches(operator: &str, found: &str, wanted: &str) -> bool {
    match operator {
        "not equals" => found != wanted,
        "contains" => found.contains(wanted),
        "starts with" => found.starts_with(wanted),
        "ends with" => found.ends_with(wanted),
        _ => found == wanted,
    }
}
