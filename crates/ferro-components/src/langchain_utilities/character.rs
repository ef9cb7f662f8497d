//! Cuts text at one separator.
//!
//! | field | what it does |
//! |---|---|
//! | Input | texts to cut |
//! | Chunk Size | how many characters a chunk may have |
//! | Chunk Overlap | how many characters chunks may share |
//! | Separator | where to cut; a paragraph (`\n\n`) when it is empty |
//!
//! **Example.** A list with one item per line, the separator `\n` and the size 500: chunks of whole items.
//!
//! **Common mistakes.** Where the separator does not occur, nothing is cut, however long it is: take Recursive Character Text
//! Splitter for running text. The overlap must not be larger than a chunk.

use ferro_engine::{Call, Component, Step};
use ferro_model::{Descriptor, FieldSpec};

use super::splitting::{splitter, transform};
use crate::text::fields::{paced, weight};
use crate::text::split::{Keep, by_separator};
use crate::text::template::unescape;

pub(crate) struct CharacterTextSplitter;

impl Component for CharacterTextSplitter {
    fn descriptor(&self) -> Descriptor {
        splitter("CharacterTextSplitter", "Character Text Splitter")
            .description("Cuts text at one separator.")
            .help(include_str!("character.rs"))
            .field(
                FieldSpec::message_text("separator", "Separator")
                    .info("Where to cut. Empty: between paragraphs."),
            )
    }

    fn run(&self, call: Call) -> Step {
        paced(weight(&call, "data_input"), move || {
            let separator = unescape(&call.text("separator"));
            let separator = if separator.is_empty() {
                "\n\n".to_owned()
            } else {
                separator
            };
            transform(&call, |text, sizes| {
                by_separator(text, &separator, Keep::No, sizes)
            })
        })
    }
}
