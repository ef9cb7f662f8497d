//! The flow document: Langflow's flow JSON, kept as the text its author sent, and typed views of it.
//!
//! Refuses to know: storage, HTTP, clocks, users, how a node runs. Every function is pure and takes
//! a whole document, so the server, the engine and tests share the same answers.
//!
//! Read first: `document.rs` (what a document is and when it is refused) and `read.rs` (the typed view).

#![forbid(unsafe_code)]

pub mod diff;
pub mod document;
pub mod handle;
pub mod read;
mod scan;
pub mod secrets;

pub use diff::{FlowDiff, diff, diff_meta};
pub use document::{DocumentError, FlowData, FlowSummary, MAX_DEPTH};
pub use read::{Flow, read};
pub use scan::{DepthError, check_depth};
pub use secrets::{Stripped, strip_secrets};
