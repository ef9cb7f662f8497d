//! Writes the rows of a table as text, with a template.
//!
//! | field | what it does |
//! |---|---|
//! | Table | the rows to write |
//! | Template | text with names of columns in braces: `{name}` |
//! | Separator | what stands between the rows; a line break unless you say otherwise |
//!
//! **Example.** A table with the columns `name` and `age` and the template `- {name}, {age}` gives a list of people.
//!
//! **Common mistakes.** A column that is not there is an error that lists those that are. Parser does the same for JSON too.

use ferro_engine::{Call, Component, Failure, Outcome, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};

use super::parser::{lines, separator};
use crate::text::fields::{paced, text_or, weight};

pub(crate) struct ParseDataFrame;

impl Component for ParseDataFrame {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("ParseDataFrame", "Parse DataFrame")
            .category("processing")
            .icon("braces")
            .description("Writes rows of a table as text.")
            .help(include_str!("parse_dataframe.rs"))
            .legacy()
            .field(
                FieldSpec::handle("df", "Table", &["DataFrame", "Table"])
                    .class("DataFrameInput")
                    .info("The rows to write."),
            )
            .field(
                FieldSpec::multiline("template", "Template")
                    .value("{text}")
                    .info("Names of columns stand in braces."),
            )
            .field(
                FieldSpec::text("sep", "Separator")
                    .value("\n")
                    .advanced()
                    .info("What stands between the rows."),
            )
            .output(OutputSpec::new("text", "Text", "parse_data", &["Message"]))
    }

    fn run(&self, call: Call) -> Step {
        paced(weight(&call, "df"), move || parse(&call))
    }
}

fn parse(call: &Call) -> Result<Outcome, Failure> {
    call.required("df")?;
    let table = call.table("df")?.unwrap_or_default();
    let texts = lines(
        &Value::Table(table),
        &text_or(call, "template", "{text}"),
        "template",
    )?;
    Ok(Outputs::one("text", Value::text(texts.join(&separator(call)))))
}
