//! One binary for the server: a real one on a free port for every test, a folder per concern, a file per noun.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod api;
mod cli;
mod coverage;
mod durability;
mod http;
mod openapi;
mod postgres;
mod properties;
mod site;
mod snapshots;
mod specs;
