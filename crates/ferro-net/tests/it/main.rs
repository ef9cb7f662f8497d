//! One binary for the crate: which addresses are refused, what a policy allows, and the client on real sockets.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod address;
mod client;
mod limits;
mod policy;
mod secret;
mod server;
