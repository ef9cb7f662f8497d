//! Models in flows: the fields that choose one, opening it with the person's own credentials, and asking it.

mod answer;
mod choose;
mod conversation;
mod credentials;
mod embed;
mod heard;
pub(crate) mod legacy;
mod replace;
mod schema;

use std::sync::Arc;

use ferro_engine::{Cause, Failure, Live, Usage, Value};
use ferro_llm::{ChatModel, ChatRequest, Class, LlmError, ModelInfo};

pub(crate) use answer::{ask, ask_quietly, is_kept, is_live, show_while_speaking};
pub(crate) use choose::{embedding_fields, language_fields, open, open_embedder, refresh};
pub(crate) use conversation::{attached, history};
pub(crate) use embed::Embedding;
pub use replace::{asks_model, replace_model};
pub(crate) use schema::{from_rows, schema_table};

/// What travels on a `LanguageModel` wire: a model and how it is to be asked.
#[derive(Clone)]
pub(crate) struct LanguageModel {
    pub model: Arc<dyn ChatModel>,
    pub temperature: Option<f64>,
    pub max_tokens: Option<u32>,
}

impl LanguageModel {
    pub(crate) fn info(&self) -> &ModelInfo {
        self.model.info()
    }

    /// The request with this model's settings where it has none of its own.
    pub(crate) fn fit(&self, mut request: ChatRequest) -> ChatRequest {
        request.temperature = request.temperature.or(self.temperature);
        request.max_tokens = request.max_tokens.or(self.max_tokens);
        request
    }

    pub(crate) fn into_value(self) -> Value {
        Value::Live(Live {
            kind: "LanguageModel",
            value: Arc::new(self),
        })
    }

    pub(crate) fn usage(&self, usage: ferro_llm::Usage) -> Usage {
        usage_of(self.info(), usage)
    }
}

/// Tokens and what they cost, as runs and messages count them.
pub(crate) fn usage_of(info: &ModelInfo, usage: ferro_llm::Usage) -> Usage {
    Usage {
        input_tokens: usage.input,
        output_tokens: usage.output,
        total_tokens: usage.total(),
        cached_tokens: usage.cached,
        reasoning_tokens: usage.reasoning,
        cost_nanousd: info.price.map_or(0, |price| price.cost(usage)),
    }
}

/// A model's trouble as a node's failure: our words first, the provider's own as the deepest cause.
pub(crate) fn failure(error: &LlmError) -> Failure {
    let cause = match error.class {
        Class::Configuration | Class::Authentication | Class::ModelUnavailable | Class::Request => {
            Cause::Input
        }
        Class::Timeout => Cause::Timeout,
        Class::ContextTooLong | Class::Quota | Class::RateLimit => Cause::Limit,
        Class::ContentPolicy | Class::Network | Class::Server => Cause::Outside,
    };
    let mut failure = Failure::new(cause, error.message.clone())
        .advice(error.advice.clone())
        .detail(error.cause.clone());
    if matches!(
        error.class,
        Class::Configuration | Class::Authentication | Class::ModelUnavailable
    ) {
        failure.field = Some("model".to_owned());
    }
    if error.attempts > 1 {
        failure.message = format!("{} (tried {} times)", failure.message, error.attempts);
    }
    failure
}
