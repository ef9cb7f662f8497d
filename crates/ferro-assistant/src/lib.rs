//! The assistant: from what a person asks for to a flow, a component, a file or an answer.
//!
//! One turn goes through one pipeline: sanitise, read the canvas, find out what is wanted, frame the request, let one
//! agent work with the tool kit, prove what it built, and say what really changed. Every change of the canvas is a
//! [`ferro_model::edit`] on the turn's own working flow and leaves as a [`FlowUpdate`]; what a person must agree to
//! first is decided from those, never from how the request was worded.
//!
//! Refuses to know: storage, HTTP, how a flow runs. What it needs of the world is the [`Host`].
//!
//! Read first: `turn.rs` (the pipeline), `event.rs` (what is told), `host.rs` (what is needed), `work.rs` (the flow
//! that is being changed).

#![forbid(unsafe_code)]

#[cfg(test)]
extern crate self as ferro_assistant;

mod account;
mod cache;
mod conflicts;
mod docs;
mod event;
#[cfg(test)]
mod fake;
mod files;
mod framing;
mod friendly;
mod gate;
mod generate;
mod host;
mod intent;
mod models;
mod out;
mod prompts;
mod rehearsal;
mod sanitise;
mod tools;
mod turn;
mod verify;
mod work;

pub use event::{
    AssistEvent, Caveat, Completed, Conflict, ErrorDetail, FieldEdit, FileAction, FlowUpdate, Notice,
    NoticeKind, RunMetrics, Source, Step, TurnUsage,
};
pub use files::{FileError, Sandbox};
pub use host::{
    Available, Canvas, Host, HostError, Invalid, ModelChoice, OpenModel, RunReport, Template, Validated,
};
pub use intent::{EDIT_CONTINUATION_INPUT, PLAN_APPROVAL_INPUT};
pub use rehearsal::rehearsal;
pub use turn::{Changed, End, Intent, Outcome, PastTurn, Request, Turn, assist};
