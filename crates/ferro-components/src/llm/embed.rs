//! What travels on an `Embeddings` wire.

use std::sync::Arc;

use ferro_engine::{Call, Failure, Live, Usage, Value};
use ferro_llm::Embedder;

use super::{failure, usage_of};
use crate::wait::unless_stopped;

#[derive(Clone)]
pub(crate) struct Embedding {
    pub embedder: Arc<dyn Embedder>,
}

impl Embedding {
    pub(crate) fn into_value(self) -> Value {
        Value::Live(Live {
            kind: "Embeddings",
            value: Arc::new(self),
        })
    }

    pub(crate) async fn vectors(
        &self,
        call: &Call,
        texts: Vec<String>,
    ) -> Result<(Vec<Vec<f32>>, Option<Usage>), Failure> {
        let work = self.embedder.embed(texts);
        let made = unless_stopped(&call.cx, async { work.await.map_err(|error| failure(&error)) }).await?;
        let info = self.embedder.info();
        let usage = made.usage.map(|usage| usage_of(info, usage));
        if let Some(usage) = usage {
            call.cx.spend(usage);
        }
        Ok((made.vectors, usage))
    }
}
