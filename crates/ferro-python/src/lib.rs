//! Python components: what can be said of their code without running it ([`analysis`]), and running it where it
//! can do no harm. No interpreter is linked here: the code runs in worker processes.
//!
//! Read `workers/pool.rs` (which worker a request goes to), `workers/talk.rs` (one request from its first line to its
//! last) and `analysis/flow.rs` (the scan that follows names).

pub mod analysis;
pub mod workers;

pub use workers::{Host, NoHost, PythonError, Refusal, Settings, Trouble, Workers};
