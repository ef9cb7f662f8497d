//! Turns what is nearly JSON into JSON.
//!
//! Models like to wrap JSON in sentences, forget a bracket or use single quotes. This finds the object or list in the
//! text, puts right what is wrong, and gives it back as a Message.
//!
//! | field | what it does |
//! |---|---|
//! | JSON String | the text to clean |
//! | Remove Control Characters | takes out invisible characters first |
//! | Normalize Unicode | writes typographic quotes, dashes and spaces as plain ones first |
//! | Validate JSON | fails when the text is not JSON already, instead of repairing it |
//!
//! **Example.** `Sure! {name: 'Ada', tags: ["x",]}` becomes `{"name":"Ada","tags":["x"]}`.
//!
//! **Common mistakes.** A text with neither `{` nor `[` is refused. Repairing is guessing: check the result where it matters.

use ferro_engine::{Call, Component, Failure, Outcome, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};

use crate::text::fields::{paced, weight};
use crate::text::loose;

pub(crate) struct JsonCleaner;

impl Component for JsonCleaner {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("JSONCleaner", "JSON Cleaner")
            .category("processing")
            .icon("braces")
            .description("Turns what is nearly JSON into JSON.")
            .help(include_str!("json_cleaner.rs"))
            .legacy()
            .field(
                FieldSpec::message_text("json_str", "JSON String")
                    .required()
                    .info("The text to clean."),
            )
            .field(
                FieldSpec::bool("remove_control_chars", "Remove Control Characters", false)
                    .info("Take out invisible characters."),
            )
            .field(
                FieldSpec::bool("normalize_unicode", "Normalize Unicode", false)
                    .info("Plain quotes, dashes and spaces."),
            )
            .field(
                FieldSpec::bool("validate_json", "Validate JSON", false).info("Refuse what is not JSON yet."),
            )
            .output(OutputSpec::new(
                "output",
                "Cleaned JSON String",
                "clean_json",
                &["Message"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        paced(weight(&call, "json_str"), move || clean(&call))
    }
}

fn clean(call: &Call) -> Result<Outcome, Failure> {
    let mut text = call.required_text("json_str")?;
    if call.bool("remove_control_chars") {
        text.retain(|c| !c.is_control() || c == '\n' || c == '\t');
    }
    if call.bool("normalize_unicode") {
        text = text.chars().map(plain).collect();
    }
    if call.bool("validate_json")
        && let Err(error) = serde_json::from_str::<serde_json::Value>(&text)
    {
        return Err(
            Failure::input("json_str", format!("The text is not JSON: {error}"))
                .advice("Correct it, or turn Validate JSON off to have it repaired."),
        );
    }
    let Some(json) = loose::repaired(&text) else {
        return Err(
            Failure::input("json_str", "There is no JSON object or list in the text")
                .advice("Give it text with something in { } or [ ]."),
        );
    };
    Ok(Outputs::one("output", Value::text(json.to_string())))
}

fn plain(c: char) -> char {
    match c {
        '“' | '”' | '„' | '«' | '»' => '"',
        '‘' | '’' | '‚' => '\'',
        '–' | '—' | '−' => '-',
        c if c.is_whitespace() && c != '\n' && c != '\t' => ' ',
        c => c,
    }
}
