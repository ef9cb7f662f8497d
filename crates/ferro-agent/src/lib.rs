//! The one tool-calling loop: ask a model, run the tools it calls, tell it what came of them, until it answers.
//!
//! Refuses to know: flows, storage, who listens. Tools come in as trait objects, events go out to a listener, and
//! what must outlive the process while a person is asked is one serialisable [`AgentState`].
//!
//! Read first: `agent.rs` (the loop), `calls.rs` (what becomes of a call), `blocks.rs` (what people see of it).

#![forbid(unsafe_code)]

mod agent;
mod blocks;
mod calls;
mod check;
mod ended;
mod event;
mod schema;
mod state;
mod structured;
mod tool;
mod turn;

pub use agent::Agent;
pub use blocks::Blocks;
pub use ended::{AgentError, Answer, Ended, Stopped, Suspended};
pub use event::{AgentEvent, Listener};
pub use schema::{coerce, problems};
pub use state::{AgentState, Conversation, Decision, PendingCall};
pub use tool::{Tool, ToolError, ToolOutput};
