//! Whole turns against a model that says what the test tells it to.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

#[path = "../../src/fake/mod.rs"]
mod fake;

mod accounts;
mod cancel;
mod failures;
mod honest;
mod hostile;
mod logs;
mod paths;
mod proof;
mod size;
