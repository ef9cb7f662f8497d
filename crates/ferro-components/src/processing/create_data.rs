//! Makes a JSON object out of keys and values.
//!
//! Set the **Number of Fields** first: so many fields appear, each with one key and its value. A wire into such a field
//! brings the value; the key stays the one written in the field.
//!
//! | field | what it does |
//! |---|---|
//! | Number of Fields | how many keys the object has, 15 at most |
//! | Field 1, Field 2, … | a key and its value |
//! | Text Key | the key whose value counts as the object's text |
//! | Text Key Validator | fails when the object has no such key |
//!
//! **Example.** Two fields, `name` = `Ada` and `age` = `36`, give `{"name": "Ada", "age": "36"}`.
//!
//! **Common mistakes.** Values typed in are texts. Two fields with the same key give one: the later field wins.

use ferro_engine::{Call, Component, Data, Failure, Outcome, Outputs, Step, Value};
use ferro_model::{Descriptor, OutputSpec};
use serde_json::Value as Json;

use super::key_fields;

pub(crate) struct CreateData;

impl Component for CreateData {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("CreateData", "Create Data")
            .category("processing")
            .icon("list-filter")
            .description("Makes a JSON object out of keys and values.")
            .help(include_str!("create_data.rs"))
            .legacy()
            .field(key_fields::count_field(1))
            .field(key_fields::text_key_field())
            .field(key_fields::validator_field())
            .output(OutputSpec::new("data", "Data", "build_data", &["JSON"]))
    }

    fn run(&self, call: Call) -> Step {
        Step::Now(create(&call))
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        if field == "number_of_fields" {
            key_fields::refresh(node, value)
        } else {
            Ok(())
        }
    }
}

fn create(call: &Call) -> Result<Outcome, Failure> {
    let data = key_fields::with_text_key(call, Data::new(key_fields::read(call)))?;
    Ok(Outputs::one("data", Value::Data(data.into())))
}
