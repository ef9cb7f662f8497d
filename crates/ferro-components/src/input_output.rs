//! Where runs begin and what they answer with.

mod chat_input;
mod chat_output;
mod text_input;
mod text_output;
mod webhook;

use std::sync::Arc;

use ferro_engine::Component;

pub(crate) fn all() -> Vec<Arc<dyn Component>> {
    vec![
        Arc::new(chat_input::ChatInput),
        Arc::new(chat_output::ChatOutput),
        Arc::new(text_input::TextInput),
        Arc::new(text_output::TextOutput),
        Arc::new(webhook::Webhook),
    ]
}
