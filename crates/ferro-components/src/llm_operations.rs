mod batch_run;
mod guardrails;
mod guardrails_rules;
mod llm_selector;
mod smart_router;
mod smart_transform;
mod structured_output;

use std::sync::Arc;

use ferro_engine::Component;
use ferro_llm::Models;

pub(crate) fn all(models: &Models) -> Vec<Arc<dyn Component>> {
    let models = || models.clone();
    vec![
        Arc::new(batch_run::BatchRun { models: models() }),
        Arc::new(guardrails::Guardrails { models: models() }),
        Arc::new(llm_selector::LlmSelector),
        Arc::new(smart_router::SmartRouter { models: models() }),
        Arc::new(smart_transform::SmartTransform { models: models() }),
        Arc::new(structured_output::StructuredOutput { models: models() }),
    ]
}
