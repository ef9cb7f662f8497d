//! Finds everything in a text that a regular expression matches.
//!
//! One output is a list of `{"match": …}`, the other a Message with one match per line. With a group in the pattern the
//! group is taken instead of the whole match; with several groups, a list of them.
//!
//! **Input Text** is where to look. **Regex Pattern** is what to look for.
//!
//! **Example.** `(\w+)@example\.com` in `ada@example.com, bob@example.com` finds `ada` and `bob`.
//!
//! **Common mistakes.** Looking ahead or behind, and references back to a group, are not supported: match a little more, and put
//! a group around what you want. A dot matches anything: write `\.` for a dot. Without a match the list is empty and the
//! Message says `No matches found`.

use ferro_engine::{Call, Component, Data, Failure, Outcome, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Map, Value as Json};

use crate::text::fields::{LONG, list, paced};
use crate::text::pattern;

pub(crate) struct RegexExtractor;

impl Component for RegexExtractor {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("RegexExtractorComponent", "Regex Extractor")
            .category("processing")
            .icon("regex")
            .description("Finds what a regular expression matches.")
            .help(include_str!("regex_extractor.rs"))
            .legacy()
            .field(
                FieldSpec::message_text("input_text", "Input Text")
                    .required()
                    .info("Where to look."),
            )
            .field(
                FieldSpec::message_text("pattern", "Regex Pattern")
                    .required()
                    .tool()
                    .info("What to look for."),
            )
            .output(OutputSpec::new("data", "Data", "extract_matches", &["JSON"]))
            .output(OutputSpec::new(
                "text",
                "Message",
                "get_matches_text",
                &["Message"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        paced(LONG, move || extract(&call))
    }
}

fn extract(call: &Call) -> Result<Outcome, Failure> {
    let regex = pattern::compile(&call.required_text("pattern")?, "pattern")?;
    let text = call.text("input_text");
    let mut lines = Vec::new();
    let mut matches = Vec::new();
    for found in regex.captures_iter(&text) {
        let groups = pattern::groups(&found);
        lines.push(groups.join(", "));
        let value: Json = match <[String; 1]>::try_from(groups) {
            Ok([one]) => one.into(),
            Err(several) => several.into(),
        };
        matches.push(Data::new(Map::from_iter([("match".to_owned(), value)])));
    }
    let shown = if lines.is_empty() {
        "No matches found".to_owned()
    } else {
        lines.join("\n")
    };
    Ok(Outputs::new()
        .with("data", list(matches))
        .with("text", Value::text(shown))
        .done())
}
