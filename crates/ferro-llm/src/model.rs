//! A model that can be asked, whoever provides it.

use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;

use crate::catalog::Price;
use crate::chat::{ChatEvent, ChatRequest, ChatResponse, Usage};
use crate::error::LlmError;

/// The pieces of one answer. Dropping it stops the provider: the connection is closed.
pub type ChatStream = BoxStream<'static, Result<ChatEvent, LlmError>>;

/// What is known about a model before it is asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelInfo {
    /// As people see it, such as `OpenAI`.
    pub provider: String,
    pub name: String,
    pub context_tokens: Option<u64>,
    pub price: Option<Price>,
    pub tool_calling: bool,
    pub reasoning: bool,
    pub vision: bool,
    /// Not an AI: the rehearsal model. Whoever shows its answers says so.
    pub rehearsal: bool,
}

pub trait ChatModel: Send + Sync {
    fn info(&self) -> &ModelInfo;

    /// Asks. Nothing is sent before the stream is polled.
    fn stream(&self, request: ChatRequest) -> ChatStream;
}

/// Vectors for texts, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Embeddings {
    pub vectors: Vec<Vec<f32>>,
    pub usage: Option<Usage>,
}

pub trait Embedder: Send + Sync {
    fn info(&self) -> &ModelInfo;

    /// `dimensions`: how long the vectors should be, for models that let one choose.
    fn embed(&self, texts: Vec<String>) -> BoxFuture<'static, Result<Embeddings, LlmError>>;
}

/// An answer that broke off, with what had come.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct Interrupted {
    #[source]
    pub error: LlmError,
    pub partial: ChatResponse,
}

/// The whole answer.
pub async fn collect(mut stream: ChatStream) -> Result<ChatResponse, Box<Interrupted>> {
    let mut response = ChatResponse::default();
    while let Some(event) = stream.next().await {
        match event {
            Ok(event) => response.add(event),
            Err(error) => {
                return Err(Box::new(Interrupted {
                    error,
                    partial: response,
                }));
            }
        }
    }
    Ok(response)
}
