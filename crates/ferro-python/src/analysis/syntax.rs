//! Syntax errors in words that say what to do.

use super::source::Source;
use super::{Diagnostic, Span};
use ruff_python_parser::{LexicalErrorType, ParseErrorType};
use ruff_text_size::Ranged;

/// The first error is the cause; many more are noise for a reader and a model.
const MOST: usize = 10;

pub(super) fn errors(source: &Source<'_>) -> Vec<Diagnostic> {
    let mut last_line = 0;
    let errors = source.parsed().errors();
    // After a wrong indentation everything that follows looks wrong.
    let first_indentation = errors.iter().position(|error| is_indentation(&error.error));
    errors
        .iter()
        .take(first_indentation.map_or(errors.len(), |index| index + 1))
        .map(|error| (words(&error.error), source.span(error.location)))
        .filter(|(_, span)| std::mem::replace(&mut last_line, span.line) != span.line)
        .take(MOST)
        .map(|(message, span)| Diagnostic::error("syntax", message, span))
        .collect()
}

/// Syntax newer than the interpreter that runs components.
pub(super) fn too_new(source: &Source<'_>) -> Vec<Diagnostic> {
    source
        .parsed()
        .unsupported_syntax_errors()
        .iter()
        .take(MOST)
        .map(|error| {
            Diagnostic::warning(
                "too-new",
                format!("{}.", capital(&error.to_string())),
                source.span(error.range()),
            )
        })
        .collect()
}

fn is_indentation(error: &ParseErrorType) -> bool {
    matches!(
        error,
        ParseErrorType::UnexpectedIndentation | ParseErrorType::Lexical(LexicalErrorType::IndentationError)
    )
}

fn words(error: &ParseErrorType) -> String {
    let advice = match error {
        ParseErrorType::UnexpectedIndentation => "Remove the extra spaces, or check the line above.",
        ParseErrorType::Lexical(LexicalErrorType::IndentationError) => {
            "Indent with four spaces per level and do not mix tabs and spaces."
        }
        ParseErrorType::Lexical(LexicalErrorType::UnclosedStringError) => {
            "Close the string with the quote that opened it."
        }
        ParseErrorType::Lexical(LexicalErrorType::Eof) => "Close every bracket and quote that was opened.",
        ParseErrorType::SimpleStatementsOnSameLine => "Put each statement on its own line.",
        ParseErrorType::UnexpectedIpythonEscapeCommand => {
            "Lines that start with ! or % work only in notebooks; delete them."
        }
        _ => "",
    };
    let what = match error {
        ParseErrorType::UnexpectedIpythonEscapeCommand => "This is not Python".to_owned(),
        other => capital(&other.to_string()),
    };
    if advice.is_empty() {
        format!("Syntax error: {what}.")
    } else {
        format!("Syntax error: {what}. {advice}")
    }
}

pub(super) fn capital(text: &str) -> String {
    let text = text.trim_end_matches('.');
    let mut characters = text.chars();
    match characters.next() {
        Some(first)
            if first.is_lowercase() && !text.starts_with("f-string") && !text.starts_with("t-string") =>
        {
            first.to_uppercase().chain(characters).collect()
        }
        _ => text.to_owned(),
    }
}

/// The place of a whole file's finding: its first line.
pub(super) const fn top() -> Span {
    Span::START
}
