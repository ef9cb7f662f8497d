//! Language and embedding models: one contract for asking them, the clients of the providers, the catalogue.
//!
//! Refuses to know: flows, users, storage. Whoever asks brings the key and gets a stream of [`ChatEvent`]s back,
//! whatever wire format the provider speaks.
//!
//! Read first: `chat.rs` (the contract), `models.rs` (how a model is opened), `exchange.rs` (one request on its
//! way: budget, retries, errors), then one codec such as `providers/openai.rs`.

#![forbid(unsafe_code)]

mod budget;
mod catalog;
mod chat;
mod error;
mod exchange;
mod frames;
mod model;
mod models;
mod providers;
mod redact;
pub mod rehearsal;

pub use budget::Budget;
pub use catalog::{Catalog, ModelEntry, ModelKind, Price, Provider, VariableSpec, catalog};
pub use chat::{
    ChatEvent, ChatMessage, ChatRequest, ChatResponse, Effort, Format, Media, Part, Role, SeenBy, StopReason,
    ToolCall, ToolChoice, ToolSpec, Usage,
};
pub use error::{Class, LlmError};
pub use model::{ChatModel, ChatStream, Embedder, Embeddings, Interrupted, ModelInfo, collect};
pub use models::{Credentials, Models, Options};
