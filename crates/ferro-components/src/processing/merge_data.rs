//! Puts several JSON objects together into one table.
//!
//! | operation | what comes out |
//! |---|---|
//! | Concatenate | one row; texts of the same key are joined by line breaks, other values: the last one |
//! | Append | one row for each object |
//! | Merge | one row; values of the same key become a list |
//! | Join | one row with all keys; those of the second object end in `_doc2`, of the third in `_doc3` where they would clash |
//!
//! **Example.** `{"note": "a"}` and `{"note": "b"}`: Append gives two rows, Merge one row with `["a", "b"]`, Join one row with
//! `note` and `note_doc2`.
//!
//! **Common mistakes.** It needs at least two objects: wire all of them into the same port.

use ferro_engine::{Call, Component, Data, Failure, Outcome, Outputs, Step, Table, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Map, Value as Json};

use super::text_work::unknown;
use crate::text::fields::{objects, paced, text_or, weight};

pub(crate) struct MergeData;

const OPERATIONS: &[(&str, &str, &[&str])] = &[
    ("Concatenate", "", &[]),
    ("Append", "", &[]),
    ("Merge", "", &[]),
    ("Join", "", &[]),
];

impl Component for MergeData {
    fn descriptor(&self) -> Descriptor {
        let options: Vec<&str> = OPERATIONS.iter().map(|(name, ..)| *name).collect();
        Descriptor::new("MergeDataComponent", "Combine Data")
            .category("processing")
            .icon("merge")
            .description("Puts JSON objects together into a table.")
            .help(include_str!("merge_data.rs"))
            .legacy()
            .field(
                FieldSpec::handle("data_inputs", "Data Inputs", &["Data", "JSON"])
                    .class("DataInput")
                    .required()
                    .list()
                    .info("Two or more objects."),
            )
            .field(
                FieldSpec::dropdown("operation", "Operation Type", &options, "Concatenate")
                    .info("How to put them together."),
            )
            .output(OutputSpec::new(
                "combined_data",
                "Table",
                "combine_data",
                &["Table"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        paced(weight(&call, "data_inputs"), move || combine(&call))
    }
}

fn combine(call: &Call) -> Result<Outcome, Failure> {
    let items = objects(call, "data_inputs")?;
    if items.len() < 2 {
        return Err(Failure::input(
            "data_inputs",
            format!(
                "There is {} to combine, but it takes at least two objects",
                items.len()
            ),
        )
        .advice("Wire another object into the same port."));
    }
    let rows = match text_or(call, "operation", "Concatenate").as_str() {
        "Append" => items.into_iter().map(|data| data.map).collect(),
        "Concatenate" | "" => vec![concatenated(items)],
        "Merge" => vec![merged(items)],
        "Join" => vec![joined(items)],
        other => return Err(unknown("operation", other, OPERATIONS)),
    };
    Ok(Outputs::one(
        "combined_data",
        Value::table(Table::from_rows(rows)),
    ))
}

fn concatenated(items: Vec<Data>) -> Map<String, Json> {
    let mut all: Map<String, Json> = Map::new();
    for (key, value) in items.into_iter().flat_map(|data| data.map) {
        match (all.get_mut(&key), value) {
            (Some(Json::String(known)), Json::String(more)) => {
                known.push('\n');
                known.push_str(&more);
            }
            (_, value) => {
                all.insert(key, value);
            }
        }
    }
    all
}

fn merged(items: Vec<Data>) -> Map<String, Json> {
    let mut gathered: Map<String, Json> = Map::new();
    for (key, value) in items.into_iter().flat_map(|data| data.map) {
        if let Json::Array(values) = gathered.entry(key).or_insert_with(|| Json::Array(Vec::new())) {
            values.push(value);
        }
    }
    for value in gathered.values_mut() {
        if let Json::Array(values) = value
            && values.len() == 1
        {
            *value = values.remove(0);
        }
    }
    gathered
}

fn joined(items: Vec<Data>) -> Map<String, Json> {
    let mut all: Map<String, Json> = Map::new();
    for (at, data) in items.into_iter().enumerate() {
        for (key, value) in data.map {
            let key = if all.contains_key(&key) {
                format!("{key}_doc{}", at + 1)
            } else {
                key
            };
            all.insert(key, value);
        }
    }
    all
}
