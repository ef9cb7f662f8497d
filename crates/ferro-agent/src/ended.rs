//! How the loop ends.

use ferro_llm::{ChatResponse, LlmError, Usage};
use serde_json::Value as Json;

use crate::blocks::Blocks;
use crate::state::{AgentState, Conversation, PendingCall};

#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    Answer(Box<Answer>),
    /// Keep the state, ask a person, and go on with [`crate::Agent::resume`].
    NeedsApproval(Box<Suspended>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub text: String,
    /// The answer as JSON, where JSON was asked for.
    pub structured: Option<Json>,
    /// The model's last answer, whole.
    pub response: ChatResponse,
    /// Everything that was said, the answer included.
    pub conversation: Conversation,
    /// Of all answers together.
    pub usage: Usage,
    pub blocks: Blocks,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Suspended {
    pub state: AgentState,
    /// What a person is to decide, in the model's order.
    pub calls: Vec<PendingCall>,
}

/// It came to no answer. What was there until then is kept.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{error}")]
pub struct Stopped {
    #[source]
    pub error: AgentError,
    /// What the model had said of the answer that broke off.
    pub text: String,
    /// Every call in it has its result, so it can be continued.
    pub conversation: Conversation,
    pub usage: Usage,
    pub blocks: Blocks,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgentError {
    #[error(transparent)]
    Model(Box<LlmError>),
    #[error("the agent used its tools for {limit} rounds without coming to an answer ({done})")]
    Iterations { limit: u32, done: String },
    #[error("the model called `{tool}` {times} times in a way that cannot be read: {problem}")]
    Malformed {
        tool: String,
        times: u32,
        problem: String,
    },
    #[error("the tool `{tool}` failed: {message}")]
    Tool { tool: String, message: String },
    #[error("the answer does not have the shape that was asked for: {}", .problems.join("; "))]
    Shape { problems: Vec<String> },
}

impl From<LlmError> for AgentError {
    fn from(error: LlmError) -> Self {
        Self::Model(Box::new(error))
    }
}

impl AgentError {
    /// What to do about it.
    pub fn advice(&self) -> &str {
        match self {
            Self::Model(error) => &error.advice,
            Self::Iterations { .. } => {
                "Raise Max Iterations, give the agent clearer instructions, or fewer tools."
            }
            Self::Malformed { .. } => {
                "Choose a model that is better at calling tools, or simplify the tool's arguments."
            }
            Self::Tool { .. } => "Mend the tool, or take it from the agent.",
            Self::Shape { .. } => "Simplify the schema, or choose a model that supports structured output.",
        }
    }
}
