//! The text form: a flow as a file that people review and git merges, and back, without loss.
//!
//! It is JSON, so every tool still reads it, written so that a small change is a small diff:
//! - two spaces, one member per line; what has few short values and no name of its own stays on one line;
//! - a text of several lines is `{"$lines": […]}` with one line each, so that prompts and code diff by line. An object
//!   that really has only such a key gets one more `$` in front of it;
//! - keys come in a fixed order where we know what they mean: what a node is first, then what it says, and at its end,
//!   a line each, where it stands and what else the canvas notes. Templates keep the order of their fields, and
//!   whatever a person put in keeps its own;
//! - numbers are kept as they were written, and of a repeated key the last counts.
//!
//! `parse(format(x))` means what `x` means, and formatting again changes nothing.

mod order;
mod tree;
mod write;

use thiserror::Error;

use crate::document::{DocumentError, FlowData, MAX_DEPTH};
use crate::scan::check_depth;
use order::Role;
use tree::Tree;

/// Whole flows nest a little deeper than documents, and texts of several lines deeper still.
const DEPTH: usize = MAX_DEPTH + 16;

/// Why a text is not in the text form.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {message}")]
pub struct TextFormError {
    /// Counted from one.
    pub line: usize,
    pub message: String,
}

/// JSON in the text form: a whole flow, a document, or anything else.
pub fn format(json: &str) -> Result<String, TextFormError> {
    let tree = Tree::read(checked(json)?).escaped();
    let mut text = String::with_capacity(json.len() * 2);
    write::pretty(&tree, Role::of(&tree), 0, &mut text);
    text.push('\n');
    Ok(text)
}

/// JSON from the text form, without white space.
pub fn parse(text: &str) -> Result<String, TextFormError> {
    let tree = Tree::read(checked(text)?)
        .unescaped()
        .map_err(|(at, message)| TextFormError {
            line: line_of(text, at),
            message: message.to_owned(),
        })?;
    let mut json = String::with_capacity(text.len());
    write::compact(&tree, &mut json);
    Ok(json)
}

/// A document in the text form.
pub fn format_flow(flow: &FlowData) -> Result<String, TextFormError> {
    format(flow.as_str())
}

/// A document from the text form.
pub fn parse_flow(text: &str) -> Result<FlowData, TextFormError> {
    let json = parse(text)?;
    FlowData::parse(&json).map_err(|error: DocumentError| TextFormError {
        line: 1,
        message: error.to_string(),
    })
}

fn checked(text: &str) -> Result<&str, TextFormError> {
    check_depth(text.as_bytes(), DEPTH).map_err(|error| TextFormError {
        line: line_of(text, error.offset),
        message: format!("the JSON is nested deeper than {DEPTH} levels; flatten it"),
    })?;
    serde_json::from_str::<serde::de::IgnoredAny>(text).map_err(|error| TextFormError {
        line: error.line().max(1),
        message: format!("this is not valid JSON ({error}); correct it there"),
    })?;
    Ok(text)
}

fn line_of(text: &str, offset: usize) -> usize {
    let before = text.as_bytes().get(..offset).unwrap_or_default();
    before.iter().filter(|&&byte| byte == b'\n').count() + 1
}
