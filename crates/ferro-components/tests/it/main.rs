//! One binary for the crate: a file per category. `harness.rs` runs a component on its own.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod agent_tools;
mod agents;
mod chat;
mod descriptors;
mod flows;
mod fuzz;
mod harness;
mod inner_flow;
mod input_output;
mod keys;
mod llm_choices;
mod llm_operations;
mod models;
mod operations;
mod processing;
mod prompts;
mod python;
mod refresh;
mod splitters;
mod utilities;
