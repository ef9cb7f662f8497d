//! What tests share: throw-away databases, the real program on a free port, a small HTTP client.
//!
//! It knows nothing of Ferroflow's own crates, so that every one of them may use it. It refuses to pass over
//! anything: what a test needs and does not find is a failed test that says how to get it.
//!
//! Read `src/client.rs` first (how a test asks), then `src/program.rs` (how it starts, kills and restarts a server).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failure here is a failed test"
)]

mod client;
mod disk;
mod model_server;
mod outside;
mod postgres;
mod program;
mod raw;
mod wait;

pub use client::{Answer, Call, Client, Part, form, multipart};
pub use disk::SmallDisk;
pub use model_server::{Fault, ModelServer, Received, Turn};
pub use outside::Outside;
pub use postgres::Database;
pub use program::{Output, Program, Server};
pub use raw::Raw;
pub use wait::{PATIENCE, until};

/// The variable, if it is set and not empty.
#[expect(
    clippy::disallowed_methods,
    reason = "tests are told about their surroundings by variables"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Whether `cargo xtask test` runs this and has promised everything that tests need.
pub fn is_strict() -> bool {
    variable("FERROFLOW_TEST_STRICT").is_some()
}
