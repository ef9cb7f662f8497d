//! An embedding model, for components that compare texts by meaning.
//!
//! | field | what it does |
//! |---|---|
//! | Embedding Model | which model; providers are set up in Settings › Model providers |
//! | API Key | a key for this node alone; empty uses the provider's |
//! | API Base URL | another address than the provider's own; the key you keep for the provider is not sent there |
//! | Dimensions | the length of the vectors, for models that let one choose; 0 leaves it to the model |
//!
//! Wire **Embedding Model** into Text Embedder or another component that takes Embeddings.
//!
//! **Common mistakes.** Texts that are compared must be embedded by the same model. *Rehearsal* compares words, not
//! meaning: good for trying things out, nothing else.

use ferro_engine::{Call, Component, Failure, Outputs, Step};
use ferro_llm::Models;
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Value as Json, json};

use crate::llm::{self, legacy};

pub(crate) struct EmbeddingModel {
    pub models: Models,
}

impl Component for EmbeddingModel {
    fn descriptor(&self) -> Descriptor {
        let aliases = legacy::EMBEDDING.each_ref().map(|old| old.r#type);
        let mut descriptor = Descriptor::new("EmbeddingModel", "Embedding Model")
            .aliases(&aliases)
            .category("models_and_agents")
            .icon("binary")
            .description("A model that turns text into vectors.")
            .help(include_str!("embedding_model.rs"));
        for field in llm::embedding_fields() {
            descriptor = descriptor.field(field);
        }
        descriptor
            .field(
                FieldSpec::text("model_name", "Model Name")
                    .advanced()
                    .info("Another model than the chosen one."),
            )
            .field(
                FieldSpec::text("provider", "Provider")
                    .advanced()
                    .info("The provider of that model."),
            )
            .field(
                FieldSpec::message_text("api_base", "API Base URL")
                    .advanced()
                    .info("Another address than the provider's own."),
            )
            .field(
                FieldSpec::int("dimensions", "Dimensions", 0)
                    .advanced()
                    .info("The length of the vectors."),
            )
            .field(
                FieldSpec::int("chunk_size", "Chunk Size", 1000)
                    .advanced()
                    .info("Kept for older files: batches are as large as the provider takes."),
            )
            .field(
                FieldSpec::float("request_timeout", "Request Timeout", 0.0)
                    .advanced()
                    .info("Kept for older files."),
            )
            .field(
                FieldSpec::int("max_retries", "Max Retries", 3)
                    .advanced()
                    .info("Kept for older files."),
            )
            .field(
                FieldSpec::bool("show_progress_bar", "Show Progress Bar", false)
                    .advanced()
                    .info("Kept for older files."),
            )
            .field(
                FieldSpec::dict("model_kwargs", "Model Kwargs", json!({}))
                    .advanced()
                    .info("Kept for older files."),
            )
            .output(
                OutputSpec::new(
                    "embeddings",
                    "Embedding Model",
                    "build_embeddings",
                    &["Embeddings"],
                )
                .no_tool(),
            )
    }

    fn run(&self, call: Call) -> Step {
        let models = self.models.clone();
        Step::later(async move {
            let embedding = llm::open_embedder(&models, &call).await?;
            Ok(Outputs::one("embeddings", embedding.into_value()))
        })
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        llm::refresh(node, field, value);
        Ok(())
    }
}
