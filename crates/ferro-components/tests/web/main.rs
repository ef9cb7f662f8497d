//! Components that reach out, on real sockets. Each test has a server of its own on a loopback port, which the
//! address policy refuses like any other inside address unless the test allows it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod api_request;
mod catalogue;
mod python;
mod search;
mod server;
mod support;
mod url_pages;
