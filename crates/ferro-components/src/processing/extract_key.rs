//! Takes one key out of JSON.
//!
//! **Data** is one object or a list of them. **Key** is the key to take out. What comes out is an object with that key only;
//! for a list, one for each object.
//!
//! **Example.** `{"name": "Ada", "age": 36}` with the key `name` gives `{"name": "Ada"}`.
//!
//! **Common mistakes.** A key that is not there is an error that lists those that are. For keys deeper inside, use JSON
//! Operations with a path such as `.user.name`.

use ferro_engine::{Call, Component, Data, Failure, Outcome, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};

use crate::text::fields::{list, missing_key, objects, paced, weight};

pub(crate) struct ExtractKey;

impl Component for ExtractKey {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("ExtractaKey", "Extract Key")
            .category("processing")
            .icon("key")
            .description("Takes one key out of JSON.")
            .help(include_str!("extract_key.rs"))
            .legacy()
            .field(
                FieldSpec::handle("data_input", "Data", &["Data", "JSON"])
                    .class("DataInput")
                    .info("Where to look."),
            )
            .field(FieldSpec::text("key", "Key").info("The key to take out."))
            .output(OutputSpec::new(
                "extracted_data",
                "Extracted Data",
                "extract_key",
                &["JSON"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        paced(weight(&call, "data_input"), move || extract(&call))
    }
}

fn extract(call: &Call) -> Result<Outcome, Failure> {
    let key = call.required_text("key")?;
    let mut found = Vec::new();
    for mut data in objects(call, "data_input")? {
        match data.map.remove_entry(&key) {
            Some(entry) => found.push(Data::new([entry].into_iter().collect())),
            None => return Err(missing_key("key", &key, &data.map)),
        }
    }
    let value = match found.pop() {
        Some(one) if found.is_empty() => Value::Data(one.into()),
        last => list(found.into_iter().chain(last)),
    };
    Ok(Outputs::one("extracted_data", value))
}
