//! Takes values out of JSON with a query.
//!
//! **Input** is JSON, or a Message whose text is JSON (small mistakes in it are put right). **JQ Query** says what to take. Each
//! result comes out as an object; what is not an object comes out as `{"result": …}`.
//!
//! | query | what it takes |
//! |---|---|
//! | `.user.name` or `user.name` | a key inside a key |
//! | `.items[0]`, `.items[-1]`, `.items[1:3]` | an entry, the last one, a part of a list |
//! | `.items[]` | every entry |
//! | `.items[] \| select(.price > 3)` | entries that fit |
//! | `{name, n: (.items \| length)}` | a new object |
//! | `.items \| map(.price) \| add` | a sum |
//!
//! The help of JSON Operations lists what else queries know.
//!
//! **Example.** `{"items": [{"n": 1}, {"n": 2}]}` with `.items[].n` gives `{"result": 1}` and `{"result": 2}`.
//!
//! **Common mistakes.** Variables, definitions and assignments of jq are not supported. A query that finds nothing gives an
//! empty list.

use ferro_engine::{Call, Component, Data, Failure, Outcome, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Map, Value as Json};

use crate::text::fields::{LONG, list, paced};
use crate::text::{loose, query};

pub(crate) struct ParseJsonData;

impl Component for ParseJsonData {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("ParseJSONData", "Parse JSON")
            .category("processing")
            .icon("braces")
            .description("Takes values out of JSON with a query.")
            .help(include_str!("parse_json_data.rs"))
            .legacy()
            .field(
                FieldSpec::handle("input_value", "Input", &["Message", "Data", "JSON"])
                    .required()
                    .info("Where to look."),
            )
            .field(
                FieldSpec::message_text("query", "JQ Query")
                    .required()
                    .info("For instance .items[0].name"),
            )
            .output(OutputSpec::new(
                "filtered_data",
                "Filtered Data",
                "filter_data",
                &["JSON"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        paced(LONG, move || parse(&call))
    }
}

fn parse(call: &Call) -> Result<Outcome, Failure> {
    let input = call.required("input_value")?;
    let written = call.required_text("query")?;
    let mut found = Vec::new();
    for json in inputs(&input)? {
        found.extend(query::run(&written, &json, "query")?);
    }
    let objects = found
        .into_iter()
        .filter(|value| !value.is_null())
        .map(|value| match value {
            Json::Object(map) => Data::new(map),
            other => Data::new(Map::from_iter([("result".to_owned(), other)])),
        });
    Ok(Outputs::one("filtered_data", list(objects)))
}

/// A list of objects is one list to the query, as it would be in a file.
fn inputs(input: &Value) -> Result<Vec<Json>, Failure> {
    match input {
        Value::Message(message) => Ok(vec![read(&message.text)?]),
        Value::Plain(json) => match &**json {
            Json::String(text) => Ok(vec![read(text)?]),
            other => Ok(vec![other.clone()]),
        },
        Value::List(items) => items
            .iter()
            .map(|item| Ok(inputs(item)?.pop().unwrap_or_default()))
            .collect::<Result<Vec<_>, Failure>>()
            .map(|list| match <[Json; 1]>::try_from(list) {
                Ok(one) => one.to_vec(),
                Err(several) => vec![Json::Array(several)],
            }),
        other => Ok(vec![other.to_json()]),
    }
}

fn read(text: &str) -> Result<Json, Failure> {
    serde_json::from_str(text)
        .ok()
        .or_else(|| loose::repaired(text))
        .ok_or_else(|| {
            Failure::input("input_value", "The text is not JSON")
                .advice("Wire in JSON, or a text with an object or a list in it.")
        })
}
