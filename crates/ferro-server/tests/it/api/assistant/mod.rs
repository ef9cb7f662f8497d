//! The assistant: every scenario it was specified by, with a model that says what the test wrote down. Which scenario is
//! which test: `docs/assistant-scenarios.md`.

mod accounting;
mod building;
mod choosing_models;
mod components;
mod documents;
mod editing;
mod framed;
mod headless;
mod injected;
mod leaving;
mod memory;
mod misbehaving;
mod own_components;
mod plans;
mod proof;
mod questions;
mod rehearsal;
mod running;
mod scenarios;
mod stolen;
pub mod support;
