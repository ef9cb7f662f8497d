//! Cuts program code and marked-up text between its natural parts.
//!
//! Classes and functions first, then control structures, then lines and words: a function stays in one chunk when it fits.
//!
//! | field | what it does |
//! |---|---|
//! | Input | code to cut |
//! | Code Language | whose parts to look for |
//! | Chunk Size | how many characters a chunk may have |
//! | Chunk Overlap | how many characters chunks may share |
//!
//! **Example.** A Python file with the size 2000 is cut before `class` and `def`.
//!
//! **Common mistakes.** The language is not guessed. Parts are found by their first words at the start of a line, so code in
//! an unusual layout is cut between lines instead.

use ferro_engine::{Call, Component, Failure, Step};
use ferro_model::{Descriptor, FieldSpec};

use super::splitting::{splitter, transform};
use crate::text::fields::{paced, text_or, weight};
use crate::text::split::recursively;

pub(crate) struct LanguageRecursiveTextSplitter;

/// What a part of each language begins with, largest parts first. `^` stands for the start of a line, `|` stands between.
const LANGUAGES: &[(&str, &str)] = &[
    (
        "c",
        "^struct |^enum |^void |^int |^float |^double |^if |^for |^while |^switch |^case ",
    ),
    (
        "cobol",
        "^IDENTIFICATION DIVISION.|^ENVIRONMENT DIVISION.|^DATA DIVISION.|^PROCEDURE DIVISION.|^WORKING-STORAGE SECTION.|^LINKAGE SECTION.|^FILE SECTION.",
    ),
    (
        "cpp",
        "^namespace |^class |^struct |^template|^void |^int |^float |^double |^if |^for |^while |^switch |^case ",
    ),
    (
        "csharp",
        "^namespace |^interface |^enum |^class |^abstract |^public |^protected |^private |^static |^if |^for |^foreach |^while |^switch ",
    ),
    (
        "elixir",
        "^defmodule |^defprotocol |^defmacro |^defp |^def |^if |^unless |^case |^cond |^with ",
    ),
    ("go", "^func |^type |^var |^const |^if |^for |^switch |^case "),
    (
        "haskell",
        "^module |^import |^data |^newtype |^type |^class |^instance |^where",
    ),
    (
        "html",
        "<body|<section|<article|<div|<table|<ul|<ol|<h1|<h2|<h3|<h4|<p|<li|<tr|<br",
    ),
    (
        "java",
        "^package |^import |^public |^protected |^private |^class |^interface |^static |^if |^for |^while |^switch ",
    ),
    (
        "js",
        "^export |^class |^function |^const |^let |^var |^if |^for |^while |^switch |^case ",
    ),
    (
        "kotlin",
        "^package |^class |^interface |^object |^fun |^val |^var |^if |^for |^while |^when ",
    ),
    (
        "latex",
        "^\\chapter{|^\\section{|^\\subsection{|^\\subsubsection{|^\\begin{|$$|$",
    ),
    (
        "lua",
        "^local function |^function |^local |^if |^for |^while |^repeat ",
    ),
    (
        "markdown",
        "^# |^## |^### |^#### |^##### |^###### |^```|^***|^---|^___",
    ),
    (
        "perl",
        "^package |^sub |^if |^unless |^foreach |^for |^while |^my ",
    ),
    (
        "php",
        "^namespace |^class |^function |^if |^foreach |^for |^while |^switch |^case ",
    ),
    (
        "powershell",
        "^class |^function |^param |^if |^foreach |^for |^while |^switch |^try ",
    ),
    (
        "proto",
        "^package |^import |^service |^message |^enum |^option |^syntax ",
    ),
    (
        "python",
        "^class |^def |^async def |^    def |^    async def |^\tdef |^if |^for |^while ",
    ),
    ("rst", "^===|^---|^***|^.. "),
    (
        "ruby",
        "^module |^class |^def |^  def |^if |^unless |^while |^begin ",
    ),
    (
        "rust",
        "^pub mod |^mod |^impl|^pub trait |^trait |^pub struct |^struct |^pub enum |^enum |^pub fn |^fn |^    pub fn |^    fn |^const |^let ",
    ),
    (
        "scala",
        "^package |^object |^class |^trait |^def |^val |^var |^if |^for |^while |^match ",
    ),
    (
        "sol",
        "^pragma |^using |^contract |^interface |^library |^constructor |^function |^event |^modifier |^struct |^enum ",
    ),
    (
        "swift",
        "^extension |^protocol |^class |^struct |^enum |^func |^if |^for |^while |^switch ",
    ),
    (
        "ts",
        "^export |^namespace |^interface |^enum |^type |^class |^function |^const |^let |^if |^for |^while |^switch ",
    ),
    (
        "visualbasic6",
        "^Public |^Private |^Function |^Sub |^Type |^If |^For |^Do |^Select Case ",
    ),
];

impl Component for LanguageRecursiveTextSplitter {
    fn descriptor(&self) -> Descriptor {
        let names: Vec<&str> = LANGUAGES.iter().map(|(name, _)| *name).collect();
        splitter(
            "LanguageRecursiveTextSplitter",
            "Language Recursive Text Splitter",
        )
        .icon("code")
        .description("Cuts code between its classes and functions.")
        .help(include_str!("language.rs"))
        .field(
            FieldSpec::dropdown("code_language", "Code Language", &names, "python")
                .info("Whose parts to look for."),
        )
    }

    fn run(&self, call: Call) -> Step {
        paced(weight(&call, "data_input"), move || {
            let separators = separators(&text_or(&call, "code_language", "python"))?;
            transform(&call, |text, sizes| recursively(text, &separators, sizes))
        })
    }
}

fn separators(language: &str) -> Result<Vec<String>, Failure> {
    let Some((_, starts)) = LANGUAGES
        .iter()
        .find(|(name, _)| *name == language.to_lowercase())
    else {
        let names: Vec<&str> = LANGUAGES.iter().map(|(name, _)| *name).collect();
        return Err(
            Failure::input("code_language", format!("The language {language:?} is not known"))
                .advice(format!("Choose one of: {}.", names.join(", "))),
        );
    };
    let start = |written: &str| match written.strip_prefix('^') {
        Some(rest) => format!("\n{rest}"),
        None => written.to_owned(),
    };
    Ok(starts
        .split('|')
        .map(start)
        .chain(["\n\n", "\n", " ", ""].map(str::to_owned))
        .collect())
}
