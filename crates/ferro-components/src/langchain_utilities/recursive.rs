//! Cuts text where it hurts least.
//!
//! It cuts between paragraphs. What is still too long is cut between lines, then between words, and only then inside a word.
//! So no chunk is ever longer than you say.
//!
//! | field | what it does |
//! |---|---|
//! | Input | texts to cut |
//! | Chunk Size | how many characters a chunk may have |
//! | Chunk Overlap | how many characters chunks may share |
//! | Separators | where to cut, best places first; `\n\n`, `\n`, a space and anywhere when it is empty |
//!
//! **Example.** A manual with the size 1000 and the overlap 100 becomes chunks of whole paragraphs where they fit.
//!
//! **Common mistakes.** With separators of your own, add an empty one at the end if words may be cut: without it a long word
//! stays whole.

use ferro_engine::{Call, Component, Failure, Step};
use ferro_model::{Descriptor, FieldSpec};

use super::splitting::{splitter, transform};
use crate::text::fields::{paced, weight};
use crate::text::split::recursively;
use crate::text::template::unescape;

pub(crate) struct RecursiveCharacterTextSplitter;

const DEFAULT: [&str; 4] = ["\n\n", "\n", " ", ""];
/// The splitter calls itself once per separator.
const MAX: usize = 50;

impl Component for RecursiveCharacterTextSplitter {
    fn descriptor(&self) -> Descriptor {
        splitter(
            "RecursiveCharacterTextSplitter",
            "Recursive Character Text Splitter",
        )
        .description("Cuts text between paragraphs, lines or words.")
        .help(include_str!("recursive.rs"))
        .field(
            FieldSpec::message_text("separators", "Separators")
                .list()
                .info("Where to cut, best places first."),
        )
    }

    fn run(&self, call: Call) -> Step {
        paced(weight(&call, "data_input"), move || {
            let separators = separators(&call)?;
            transform(&call, |text, sizes| recursively(text, &separators, sizes))
        })
    }
}

fn separators(call: &Call) -> Result<Vec<String>, Failure> {
    // Read item by item: an empty one means "anywhere" here and must not be left out.
    let given = call
        .get("separators")
        .map(|value| value.items())
        .unwrap_or_default();
    let given: Vec<String> = given.iter().map(|item| unescape(&item.to_text())).collect();
    if given.len() > MAX {
        return Err(
            Failure::input("separators", format!("There are {} separators", given.len()))
                .advice(format!("Use {MAX} at most.")),
        );
    }
    if given.iter().all(String::is_empty) {
        return Ok(DEFAULT.map(str::to_owned).to_vec());
    }
    Ok(given)
}
