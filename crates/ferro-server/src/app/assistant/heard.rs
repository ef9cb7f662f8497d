//! What a model last failed with, so that an answer without a stream gets the status that fits.

use std::sync::{Arc, Mutex, PoisonError};

use ferro_llm::{ChatModel, ChatRequest, ChatStream, LlmError, ModelInfo};
use futures_util::StreamExt as _;

/// The error of the last call that a turn made; nothing when that call was answered.
#[derive(Clone, Default)]
pub struct Heard(Arc<Mutex<Option<LlmError>>>);

impl Heard {
    pub fn take(&self) -> Option<LlmError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn set(&self, error: Option<LlmError>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = error;
    }
}

/// A model whose errors are noticed on their way.
pub struct Listening {
    model: Arc<dyn ChatModel>,
    heard: Heard,
}

impl Listening {
    pub fn new(model: Arc<dyn ChatModel>, heard: Heard) -> Self {
        Self { model, heard }
    }
}

impl ChatModel for Listening {
    fn info(&self) -> &ModelInfo {
        self.model.info()
    }

    fn stream(&self, request: ChatRequest) -> ChatStream {
        let heard = self.heard.clone();
        let said = self.model.stream(request);
        said.inspect(move |event| heard.set(event.as_ref().err().cloned()))
            .boxed()
    }
}
