//! Which ports of two components fit together.

use super::parts::{Part, Port};

/// The names `Data` and `DataFrame` had before.
fn same(one: &str, other: &str) -> bool {
    fn now(kind: &str) -> &str {
        match kind {
            "Data" => "JSON",
            "DataFrame" => "Table",
            kind => kind,
        }
    }
    now(one) == now(other)
}

fn fits(output: &Port, input: &Port) -> bool {
    output
        .types
        .iter()
        .any(|from| input.types.iter().any(|to| same(from, to)))
}

/// How a wire is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// What the first says is what the second works on.
    Main,
    /// The second uses the first.
    Tool,
    /// The first tells the second how to behave.
    System,
}

/// Where text comes in, the likeliest first.
const ENTRANCES: &[&str] = &[
    "input_value",
    "input_text",
    "input_data",
    "urls",
    "url_input",
    "text_input",
    "data_inputs",
    "data",
    "df",
    "query",
    "expression",
    "message",
    "text",
    "prompt",
];
/// Where instructions come in.
const INSTRUCTIONS: &[&str] = &["system_message", "system_prompt"];
/// Never meant by "connect this to that".
const APART: &[&str] = &[
    "session_id",
    "context_id",
    "sender",
    "sender_name",
    "model",
    "memory",
    "system_message",
    "system_prompt",
    "format_instructions",
    "tool_placeholder",
    "data_template",
];

/// An output and an input that fit together, both by name.
pub(super) fn join(from: &Part, to: &Part, kind: Kind) -> Option<(String, String)> {
    let rank = |input: &&Port| {
        ENTRANCES
            .iter()
            .position(|name| *name == input.name)
            .unwrap_or(ENTRANCES.len())
    };
    let mut inputs: Vec<&Port> = match kind {
        Kind::Tool => {
            let input = to
                .inputs
                .iter()
                .find(|input| input.types.iter().any(|kind| kind == "Tool"))?;
            let output = from
                .outputs
                .iter()
                .find(|output| output.types.iter().any(|kind| kind == "Tool"))?;
            return Some((output.name.clone(), input.name.clone()));
        }
        Kind::System => to
            .inputs
            .iter()
            .filter(|input| INSTRUCTIONS.contains(&input.name.as_str()))
            .collect(),
        Kind::Main => to
            .inputs
            .iter()
            .filter(|input| !APART.contains(&input.name.as_str()))
            .collect(),
    };
    inputs.sort_by_key(rank);
    for input in inputs {
        if let Some(output) = from.outputs.iter().find(|output| fits(output, input)) {
            return Some((output.name.clone(), input.name.clone()));
        }
    }
    None
}
