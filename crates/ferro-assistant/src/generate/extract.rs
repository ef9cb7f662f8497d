//! Code out of an answer.

use std::sync::LazyLock;

use regex::Regex;

/// Blocks of Python first, then any block, then one that was never closed. Of several the first with a component.
pub(crate) fn extract_code(text: &str) -> Option<String> {
    let closed = blocks(text, CLOSED.as_ref()?);
    let python: Vec<&str> = closed
        .iter()
        .filter(|block| block.is_python)
        .map(|block| block.code)
        .collect();
    let any: Vec<&str> = closed.iter().map(|block| block.code).collect();
    let found = best(&python).or_else(|| best(&any));
    let found = found.or_else(|| best(&unclosed(text)))?;
    Some(found.trim().to_owned())
}

struct Block<'a> {
    is_python: bool,
    code: &'a str,
}

fn blocks<'a>(text: &'a str, pattern: &Regex) -> Vec<Block<'a>> {
    let found = pattern.captures_iter(text).filter_map(|found| {
        let language = found.get(1)?.as_str().to_lowercase();
        Some(Block {
            is_python: ["python", "py", "python3"].contains(&language.as_str()),
            code: found.get(2)?.as_str(),
        })
    });
    found.filter(|block| !block.code.trim().is_empty()).collect()
}

/// An answer that was cut off inside its block.
fn unclosed(text: &str) -> Vec<&str> {
    let Some((_, rest)) = text.rsplit_once("```") else {
        return Vec::new();
    };
    let code = rest.split_once('\n').map_or("", |(_, code)| code);
    if code.trim().is_empty() {
        Vec::new()
    } else {
        vec![code]
    }
}

fn best<'a>(blocks: &[&'a str]) -> Option<&'a str> {
    let is_component = |code: &&&str| code.contains("class ") && code.contains("Component");
    blocks
        .iter()
        .find(is_component)
        .or_else(|| blocks.first())
        .copied()
}

/// A fence on a line of its own, what it is of, and all up to the next such line.
static CLOSED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?ms)^[ \t]*```[ \t]*([\w+-]*)[^\n]*\n(.*?)^[ \t]*```[ \t]*$").ok());
