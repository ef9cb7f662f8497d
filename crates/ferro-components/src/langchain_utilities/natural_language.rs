//! Cuts text between sentences.
//!
//! Sentences end with `.`, `!`, `?` or their kin in other scripts, or with an empty line. As many as fit are put into a chunk,
//! with the separator between them.
//!
//! | field | what it does |
//! |---|---|
//! | Input | texts to cut |
//! | Chunk Size | how many characters a chunk may have |
//! | Chunk Overlap | how many characters chunks may share |
//! | Separator | what stands between the sentences of a chunk; an empty line when it is empty |
//! | Language | kept for flows made elsewhere; sentences are found by their marks, in any language |
//!
//! **Example.** An article with the size 500 becomes chunks of whole sentences.
//!
//! **Common mistakes.** An abbreviation such as `e.g. this` looks like the end of a sentence. A sentence longer than a chunk stays
//! whole.

use ferro_engine::{Call, Component, Step};
use ferro_model::{Descriptor, FieldSpec};

use super::splitting::{splitter, transform};
use crate::text::fields::{paced, weight};
use crate::text::split::{pack, sentences};
use crate::text::template::unescape;

pub(crate) struct NaturalLanguageTextSplitter;

impl Component for NaturalLanguageTextSplitter {
    fn descriptor(&self) -> Descriptor {
        splitter("NaturalLanguageTextSplitter", "Natural Language Text Splitter")
            .icon("languages")
            .description("Cuts text between sentences.")
            .help(include_str!("natural_language.rs"))
            .field(
                FieldSpec::message_text("separator", "Separator")
                    .info("What stands between sentences of a chunk."),
            )
            .field(
                FieldSpec::message_text("language", "Language")
                    .info("The language of the text. It changes nothing here."),
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
            transform(&call, |text, sizes| pack(&sentences(text), &separator, sizes))
        })
    }
}
