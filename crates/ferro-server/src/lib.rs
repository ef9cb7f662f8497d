//! The server: HTTP API, sign-in, use cases, wiring, the web UI inside the binary, and the command line.
//!
//! It may know every other crate, and is the only one that knows axum. It refuses to write SQL (that is
//! `ferro-store`), to open outbound connections (`ferro-net`), and to run anyone's Python.
//!
//! Read `src/router.rs` first (every route, once), then `src/app/flows.rs` (what a use case looks like).

pub mod api;
pub mod app;
mod cache;
pub mod cli;
pub mod config;
pub mod error;
pub mod files;
pub mod http;
pub mod metrics;
pub mod passwords;
pub mod router;
pub mod serve;
pub mod starters;
pub mod state;
pub mod vault;
pub mod web;
