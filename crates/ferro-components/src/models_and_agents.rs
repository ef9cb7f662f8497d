mod memory;
mod prompt_template;
mod store_message;

use std::sync::Arc;

use ferro_engine::Component;

pub(crate) fn all() -> Vec<Arc<dyn Component>> {
    vec![
        Arc::new(prompt_template::PromptTemplate),
        Arc::new(memory::Memory),
        Arc::new(store_message::StoreMessage),
    ]
}
