//! Writes JSON or a table as text, with a template of your own or just as it is.
//!
//! In the mode **Parser** the template is filled in once for each row or object, and the results are joined by the
//! separator. In the mode **Stringify** everything is written out as it is: JSON as a fenced block, a table as markdown.
//!
//! | field | what it does |
//! |---|---|
//! | JSON or Table | what to write |
//! | Template | text with names of keys or columns in braces: `{name}`; `{user.name}` and `{tags[0]}` reach deeper, `{data}` is everything |
//! | Separator | what stands between the results; a line break unless you say otherwise |
//! | Clean Data | only when stringifying: leaves out empty rows |
//!
//! **Example.** The rows `{"name": "Ada", "age": 36}` and `{"name": "Bob", "age": 41}` with `{name} is {age}` give
//! two lines: `Ada is 36` and `Bob is 41`.
//!
//! **Common mistakes.** A key that an object lacks is left empty, but a column that a table lacks is an error. Write `{{`
//! and `}}` for braces that are no variable.

use std::borrow::Cow;

use ferro_engine::{Call, Component, Failure, Outcome, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::Value as Json;

use crate::text::fields::{self, on_by_default, paced, text_or, weight};
use crate::text::show::{Tidy, stringify};
use crate::text::template::{self, Piece, Style, unescape};

pub(crate) struct Parser;

impl Component for Parser {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("ParserComponent", "Parser")
            .aliases(&["parser"])
            .category("processing")
            .icon("braces")
            .description("Writes JSON or a table as text.")
            .help(include_str!("parser.rs"))
            .field(
                FieldSpec::handle(
                    "input_data",
                    "JSON or Table",
                    &["DataFrame", "Table", "Data", "JSON"],
                )
                .required()
                .info("What to write."),
            )
            .field(
                FieldSpec::tab("mode", "Mode", &["Parser", "Stringify"], "Parser")
                    .refresh()
                    .info("Use a template, or write everything out."),
            )
            .field(
                FieldSpec::multiline("pattern", "Template")
                    .value("Text: {text}")
                    .required()
                    .info("Names of keys or columns stand in braces."),
            )
            .field(separator_field())
            .output(OutputSpec::new(
                "parsed_text",
                "Parsed Text",
                "parse_combined_text",
                &["Message"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        paced(weight(&call, "input_data"), move || parse(&call))
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        if field != "mode" {
            return Ok(());
        }
        let templated = value.as_str() != Some("Stringify");
        fields::set(node, "pattern", "show", templated);
        fields::set(node, "pattern", "required", templated);
        if templated {
            fields::remove_field(node, "clean_data");
        } else {
            let clean =
                FieldSpec::bool("clean_data", "Clean Data", true).info("Leave out empty rows of tables.");
            fields::add_field(node, &clean);
        }
        Ok(())
    }
}

pub(super) fn separator_field() -> FieldSpec {
    FieldSpec::message_text("sep", "Separator")
        .value("\n")
        .advanced()
        .info("What stands between the results.")
}

fn parse(call: &Call) -> Result<Outcome, Failure> {
    let input = call.required("input_data")?;
    if call.text("mode") == "Stringify" {
        let tidy = if on_by_default(call, "clean_data") {
            Tidy::Clean
        } else {
            Tidy::AsIs
        };
        return Ok(Outputs::one("parsed_text", Value::text(stringify(&input, tidy))));
    }
    let pattern = call.required_text("pattern")?;
    let lines = lines(&input, &pattern, "pattern")?;
    Ok(Outputs::one(
        "parsed_text",
        Value::text(lines.join(&separator(call))),
    ))
}

pub(super) fn separator(call: &Call) -> String {
    unescape(&text_or(call, "sep", "\n"))
}

/// The template filled in for each row or object.
pub(super) fn lines(input: &Value, pattern: &str, field: &str) -> Result<Vec<String>, Failure> {
    let pieces = template::parse(pattern, Style::Braces, field)?;
    if let Value::Table(table) = input {
        for piece in &pieces {
            let Piece::Slot(name) = piece else { continue };
            let column = name.split(['.', '[']).next().unwrap_or(name);
            if *name != "data" && table.column(name).is_none() && table.column(column).is_none() {
                return Err(
                    Failure::input(field, format!("The table has no column {name:?}")).advice(format!(
                        "It has: {}.",
                        fields::names(table.columns.iter().map(String::as_str))
                    )),
                );
            }
        }
    }
    let rows = input.rows();
    let fill = |row| {
        template::render(&pieces, |name| {
            let found = template::pick(row, name).unwrap_or(Cow::Borrowed(""));
            Ok(Cow::<'static, str>::Owned(found.into_owned()))
        })
    };
    rows.iter().map(fill).collect()
}
