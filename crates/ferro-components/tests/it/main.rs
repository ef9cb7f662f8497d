//! One binary for the crate: a file per category. `harness.rs` runs a component on its own.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod descriptors;
mod fuzz;
mod harness;
mod inner_flow;
mod input_output;
mod operations;
mod processing;
mod prompts;
mod refresh;
mod splitters;
mod utilities;
