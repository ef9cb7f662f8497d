mod similarity;
mod text_embedder;

use std::sync::Arc;

use ferro_engine::Component;

pub(crate) fn all() -> Vec<Arc<dyn Component>> {
    vec![
        Arc::new(text_embedder::TextEmbedder),
        Arc::new(similarity::EmbeddingSimilarity),
    ]
}
