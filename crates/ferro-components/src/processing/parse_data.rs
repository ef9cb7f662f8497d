//! Writes JSON objects as text, with a template.
//!
//! The first output is one Message with all of them, the second a list with one object each, whose text is the filled-in
//! template.
//!
//! | field | what it does |
//! |---|---|
//! | Data | one object or a list |
//! | Template | text with names of keys in braces: `{name}`; `{data}` is the whole object |
//! | Separator | what stands between the texts; a line break unless you say otherwise |
//!
//! **Example.** `{"name": "Ada", "age": 36}` with `{name} ({age})` gives `Ada (36)`.
//!
//! **Common mistakes.** A key that an object lacks is left empty. Parser does the same for tables too.

use ferro_engine::{Call, Component, Data, Failure, Outcome, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};

use super::parser::{lines, separator};
use crate::text::fields::{list, objects, paced, text_or, weight};

pub(crate) struct ParseData;

impl Component for ParseData {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("ParseData", "Data to Message")
            .category("processing")
            .icon("message-square")
            .description("Writes JSON as text with a template.")
            .help(include_str!("parse_data.rs"))
            .legacy()
            .field(
                FieldSpec::handle("data", "Data", &["Data", "JSON"])
                    .class("DataInput")
                    .required()
                    .list()
                    .info("What to write."),
            )
            .field(
                FieldSpec::multiline("template", "Template")
                    .value("{text}")
                    .required()
                    .info("Names of keys stand in braces."),
            )
            .field(
                FieldSpec::text("sep", "Separator")
                    .value("\n")
                    .advanced()
                    .info("What stands between the texts."),
            )
            .output(OutputSpec::new("text", "Message", "parse_data", &["Message"]))
            .output(OutputSpec::new(
                "data_list",
                "Data List",
                "parse_data_as_list",
                &["JSON"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        paced(weight(&call, "data"), move || parse(&call))
    }
}

fn parse(call: &Call) -> Result<Outcome, Failure> {
    let items = objects(call, "data")?;
    let texts = lines(
        &list(items.iter().cloned()),
        &text_or(call, "template", "{text}"),
        "template",
    )?;
    let text = Value::text(texts.join(&separator(call)));
    let written = items.into_iter().zip(texts).map(|(Data { mut map, .. }, text)| {
        map.insert("text".to_owned(), text.into());
        Data::new(map)
    });
    Ok(Outputs::new()
        .with("text", text)
        .with("data_list", list(written))
        .done())
}
