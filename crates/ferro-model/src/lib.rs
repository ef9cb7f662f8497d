//! The flow document: Langflow's flow JSON, kept as the text its author sent, and everything one can say about it
//! without running it: typed views, port rules, problems, edits, the text spec, layout, the text form.
//!
//! Refuses to know: storage, HTTP, clocks, chance, users, how a node runs. Every function is pure and takes
//! a whole document, so the server, the engine and tests share the same answers.
//!
//! Read first: `document.rs` (what a document is and when it is refused) and `read.rs` (the typed view).

#![forbid(unsafe_code)]

pub mod ascii;
pub mod descriptor;
pub mod diff;
pub mod document;
pub mod edit;
mod graph;
pub mod handle;
pub mod layout;
pub mod model_value;
pub mod ports;
pub mod problems;
pub mod read;
mod scan;
pub mod secrets;
pub mod spec;
pub mod text_form;
mod tree;
pub mod ungroup;
pub mod upgrade;

pub use descriptor::{Descriptor, FieldSpec, OutputSpec, Registry};
pub use diff::{FlowDiff, diff, diff_meta};
pub use document::{DocumentError, FlowData, FlowSummary, MAX_DEPTH};
pub use edit::{Applied, Document, Edit, EditError, apply};
pub use model_value::{ModelRef, ModelValueError};
pub use ports::{Incompatible, Refusal, can_connect, compatible};
pub use problems::{MAX_NODES, Problem, Severity, problems};
pub use read::{Flow, read};
pub use scan::{DepthError, check_depth};
pub use secrets::{Stripped, strip_secrets};
pub use ungroup::ungroup;
pub use upgrade::{UpgradeNote, repair_models, upgrade};
