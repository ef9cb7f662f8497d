//! The loop against a model that says what the test tells it to.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on fails"
)]

mod support;

mod answers;
mod approval;
mod blocks;
mod calls;
mod schema;
mod shape;
mod stops;
