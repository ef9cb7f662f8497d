//! One binary for the crate: a file per feature, each with its own `check`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod diff;
mod document;
mod fixtures;
mod handle;
mod old_flows;
mod properties;
mod read;
mod secrets;
