mod agent;
mod agent_approval;
mod agent_stage;
mod agent_tools;
mod embedding_model;
mod language_model;
mod memory;
mod prompt_template;
mod store_message;

use std::sync::Arc;

use ferro_engine::Component;
use ferro_llm::Models;

pub(crate) fn all(models: &Models) -> Vec<Arc<dyn Component>> {
    let models = || models.clone();
    vec![
        Arc::new(agent::AgentComponent { models: models() }),
        Arc::new(language_model::LanguageModelComponent { models: models() }),
        Arc::new(embedding_model::EmbeddingModel { models: models() }),
        Arc::new(prompt_template::PromptTemplate),
        Arc::new(memory::Memory),
        Arc::new(store_message::StoreMessage),
    ]
}
