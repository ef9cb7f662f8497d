//! Every wire format against the model server: what we ask, and what we make of the answers.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod anthropic;
mod catalog;
mod embeddings;
mod faults;
mod gemini;
mod listing;
mod ollama;
mod openai;
mod rehearsal;
mod responses;
mod support;
mod watsonx;
mod world;
