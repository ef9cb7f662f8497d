//! Keeps only some keys of a JSON object.
//!
//! **Data** is the object. **Filter Criteria** are the keys to keep; others are left out.
//!
//! **Example.** `{"name": "Ada", "age": 36, "id": 7}` with the keys `name` and `id` gives `{"name": "Ada", "id": 7}`.
//!
//! **Common mistakes.** A key that is not there is passed over in silence: take JSON Operations with *Select Keys* to be told.
//! Only keys at the top are looked at.

use ferro_engine::{Call, Component, Failure, Outcome, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};

use crate::text::fields::{object, paced, weight};

pub(crate) struct FilterData;

impl Component for FilterData {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("FilterData", "Filter Data")
            .category("processing")
            .icon("filter")
            .description("Keeps only some keys of JSON.")
            .help(include_str!("filter_data.rs"))
            .legacy()
            .field(
                FieldSpec::handle("data", "Data", &["Data", "JSON"])
                    .class("DataInput")
                    .info("The object."),
            )
            .field(
                FieldSpec::message_text("filter_criteria", "Filter Criteria")
                    .list()
                    .info("Keys to keep."),
            )
            .output(OutputSpec::new(
                "filtered_data",
                "Filtered Data",
                "filter_data",
                &["JSON"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        paced(weight(&call, "data"), move || filter(&call))
    }
}

fn filter(call: &Call) -> Result<Outcome, Failure> {
    let mut data = object(call, "data")?;
    let keys = call.texts("filter_criteria");
    data.map.retain(|key, _| keys.contains(key));
    Ok(Outputs::one("filtered_data", Value::Data(data.into())))
}
