//! Plans a flow, runs it, and tells what happens as one list of events.
//!
//! Refuses to know: databases, HTTP, vendors, where events are kept. Whoever runs a flow supplies a `Host` for
//! what components ask for, and an `EventLog` for what must outlive the process.
//!
//! Read first: `component.rs` (what a node does) and `event.rs` (what a run is).

#![forbid(unsafe_code)]

mod call;
mod catalog;
mod component;
mod context;
mod driver;
mod event;
mod failure;
mod host;
mod ids;
mod journal;
mod nested;
mod origin;
mod own_code;
mod plan;
mod state;
mod tools;
mod tweaks;
mod value;

pub use call::{Call, NodeInfo};
pub use catalog::{Catalog, Entry};
pub use component::{Answer, Component, Outcome, Outputs, Question, Step};
pub use context::{Context, RunInfo, Sink};
pub use driver::{Ending, Handle, Limits, Start, reusable, start};
pub use event::{At, Body, Event, Kept, ModelCall, NodeResult, RunStatus, Skipped};
pub use failure::{Cause, Failure};
pub use host::{
    FileContent, FileEntry, FlowAnswer, FlowCall, Host, MessageQuery, NoHost, SqlRequest, Variable, WriteMode,
};
pub use ids::{BadUlid, Ulid};
pub use journal::{EventLog, Followed, Follower};
pub use nested::run_inside;
pub use origin::{Brings, FieldOrigin, Origin, WireOrigin};
pub use own_code::{OwnCode, OwnNode};
pub use plan::{MAX_NODES, NodeView, Plan, PlanError, Selection, Unsafe, unsafe_code};
pub use tools::{TOOL_OUTPUT, ToolOutput, tool_arguments, tool_outputs};
pub use tweaks::Overrides;
pub use value::{Called, Data, Live, Message, Sender, Table, Tool, Usage, Value};
