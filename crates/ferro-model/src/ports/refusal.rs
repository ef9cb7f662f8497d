//! Why two ports may not be joined, with what to do instead.

use std::fmt;

use thiserror::Error;

/// Two ports without a common type. The types have their current names, each once.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct Incompatible {
    pub outputs: Vec<String>,
    pub inputs: Vec<String>,
}

impl Incompatible {
    /// The component that translates, as (type, input, output).
    pub fn converter(&self) -> Option<(&'static str, &'static str, &'static str)> {
        let gives = |name: &str| self.outputs.iter().any(|output| output == name);
        let takes = |name: &str| self.inputs.iter().any(|input| input == name);
        if (gives("JSON") || gives("Table")) && takes("Message") {
            Some(("ParserComponent", "input_data", "parsed_text"))
        } else if gives("Message") && takes("JSON") {
            Some(("TypeConverterComponent", "input_data", "data_output"))
        } else if gives("Message") && takes("Table") {
            Some(("TypeConverterComponent", "input_data", "dataframe_output"))
        } else {
            None
        }
    }
}

impl fmt::Display for Incompatible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.outputs.is_empty(), self.inputs.is_empty()) {
            (_, true) => return f.write_str("the input takes no wire; set its value instead"),
            (true, _) => return f.write_str("the output names no type; choose another output"),
            _ => {}
        }
        write!(
            f,
            "{} does not fit {}",
            self.outputs.join(" or "),
            self.inputs.join(" or ")
        )?;
        match self.converter() {
            Some((component, input, output)) => write!(
                f,
                "; put a `{component}` between them, wired into its `{input}` and out of its `{output}`"
            ),
            None => f.write_str("; choose ports that have a type in common"),
        }
    }
}

/// Why a wire may not be drawn. Each message says what is in the way and what to do.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error("`{node}` cannot be wired to itself; put another node between, or wire into a loop port")]
    SelfWire { node: String },
    #[error("there is no node `{node}`; there is {}", listed(available))]
    UnknownNode { node: String, available: Vec<String> },
    #[error("`{node}` has no output `{output}`; it has {}", listed(available))]
    UnknownOutput {
        node: String,
        output: String,
        available: Vec<String>,
    },
    #[error("`{node}` has no input `{input}`; it has {}", listed(available))]
    UnknownInput {
        node: String,
        input: String,
        available: Vec<String>,
    },
    #[error(
        "`{node}` cannot be a tool: none of its fields is a tool argument; choose one of its outputs: {}",
        listed(available)
    )]
    NoTool { node: String, available: Vec<String> },
    #[error("{wire}: {reason}")]
    Types {
        /// `source.output -> target.input`.
        wire: String,
        reason: Incompatible,
    },
    #[error("`{node}.{input}` takes one wire and has one from `{by}`; disconnect that first")]
    Occupied { node: String, input: String, by: String },
    #[error(
        "`{node}.{input}` is an argument that the agent gives while `{node}` is a tool; turn tool mode off to wire it"
    )]
    ToolArgument { node: String, input: String },
    #[error("`{node}.{input}` is hidden with the present settings of `{node}`; change what hides it")]
    Hidden { node: String, input: String },
    #[error("the wire would close a cycle that cannot end: {}; lead it back into the loop port of a Loop instead", path.join(" -> "))]
    Cycle { path: Vec<String> },
}

fn listed(names: &[String]) -> String {
    const MOST: usize = 30;
    if names.is_empty() {
        return "none".to_owned();
    }
    let shown: Vec<String> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(MOST);
    match more {
        0 => shown.join(", "),
        _ => format!("{} and {more} more", shown.join(", ")),
    }
}
