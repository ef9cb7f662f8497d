//! What happens in the loop, as it happens.

use std::time::Duration;

use ferro_llm::Usage;
use serde_json::{Map, Value as Json};

/// Hears of everything, in order. Called in the middle of the work: be quick.
pub type Listener<'a> = &'a (dyn Fn(AgentEvent) + Send + Sync);

#[derive(Clone, Debug, PartialEq)]
pub enum AgentEvent {
    /// The model is asked for the so-manieth time, counted from 1.
    Iteration(u32),
    /// More of what the model says.
    Text(String),
    /// More of what it thinks.
    Reasoning(String),
    /// It begins to write a call.
    ToolCalled { id: String, name: String },
    /// More of the arguments, as it writes them: a piece of JSON, if all goes well.
    ToolArguments { id: String, chunk: String },
    /// The call waits for a person.
    ToolWaiting {
        id: String,
        name: String,
        arguments: Map<String, Json>,
    },
    /// The tool begins to work.
    ToolStarted {
        id: String,
        name: String,
        arguments: Map<String, Json>,
    },
    /// The call has its result, also when the tool never began: unknown, refused, malformed.
    ToolFinished {
        id: String,
        name: String,
        /// For people; the message of an error.
        output: Json,
        is_error: bool,
        duration: Duration,
    },
    /// Tokens spent so far, all answers together.
    Usage(Usage),
    /// What the model said since the last `Iteration` does not count: it is asked again.
    Discarded { why: String },
}
