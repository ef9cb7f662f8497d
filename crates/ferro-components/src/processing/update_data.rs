//! Sets keys of JSON objects, keeping all others.
//!
//! Each object that comes in gets the same keys: those it has are replaced, those it lacks are added.
//!
//! | field | what it does |
//! |---|---|
//! | Data | the objects to change |
//! | Number of Fields | how many keys to set, 15 at most; so many fields appear |
//! | Field 1, Field 2, … | a key and its value; a wire brings the value of the key written there |
//! | Text Key | the key whose value counts as the object's text |
//! | Text Key Validator | fails when an object has no such key |
//!
//! **Example.** `{"name": "Ada"}` with `role` = `admin` becomes `{"name": "Ada", "role": "admin"}`.
//!
//! **Common mistakes.** Keys are set at the top only: `user.name` would be a key with a dot in it.

use ferro_engine::{Call, Component, Failure, Outcome, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::Value as Json;

use super::key_fields;
use crate::text::fields::{list, objects, paced, weight};

pub(crate) struct UpdateData;

impl Component for UpdateData {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("UpdateData", "Update Data")
            .category("processing")
            .icon("folder-sync")
            .description("Sets keys of JSON objects.")
            .help(include_str!("update_data.rs"))
            .legacy()
            .field(
                FieldSpec::handle("old_data", "Data", &["Data", "JSON"])
                    .class("DataInput")
                    .required()
                    .list()
                    .info("What to change."),
            )
            .field(key_fields::count_field(0))
            .field(key_fields::text_key_field())
            .field(key_fields::validator_field())
            .output(OutputSpec::new("data", "Data", "build_data", &["JSON"]))
    }

    fn run(&self, call: Call) -> Step {
        paced(weight(&call, "old_data"), move || update(&call))
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        if field == "number_of_fields" {
            key_fields::refresh(node, value)
        } else {
            Ok(())
        }
    }
}

fn update(call: &Call) -> Result<Outcome, Failure> {
    let new = key_fields::read(call);
    let mut changed = Vec::new();
    for mut data in objects(call, "old_data")? {
        data.map.extend(new.clone());
        changed.push(key_fields::with_text_key(call, data)?);
    }
    let value = match changed.pop() {
        Some(one) if changed.is_empty() => Value::Data(one.into()),
        last => list(changed.into_iter().chain(last)),
    };
    Ok(Outputs::one("data", value))
}
