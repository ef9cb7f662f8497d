//! Turns a text into a vector, with an embedding model that is wired in.
//!
//! - **Embedding Model**: wire in an Embedding Model.
//! - **Message**: the text.
//!
//! The answer is `{"text": "…", "embeddings": [0.1, …]}`. Two of them go into Embedding Similarity.
//!
//! **Common mistakes.** The text may not be empty. A long text is cut by the model at its own limit: split it first.

use ferro_engine::{Call, Component, Failure, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Map, Value as Json};

use crate::llm::Embedding;

pub(super) struct TextEmbedder;

const MODEL: &str = "embedding_model";

impl Component for TextEmbedder {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("TextEmbedderComponent", "Text Embedder")
            .category("embeddings")
            .icon("binary")
            .description("Turns a text into a vector.")
            .help(include_str!("text_embedder.rs"))
            .legacy()
            .field(
                FieldSpec::handle(MODEL, "Embedding Model", &["Embeddings"])
                    .required()
                    .info("The model that makes the vector."),
            )
            .field(
                FieldSpec::message("message", "Message")
                    .required()
                    .info("The text."),
            )
            .output(OutputSpec::new(
                "embeddings",
                "Embedding Data",
                "generate_embeddings",
                &["JSON"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        Step::later(async move {
            let text = call.required_text("message")?;
            if text.trim().is_empty() {
                return Err(Failure::input("message", "Message is empty").advice("Give it some text."));
            }
            let model = wired(&call)?;
            let (vectors, usage) = model.vectors(&call, vec![text.clone()]).await?;
            let vector = vectors.into_iter().next().unwrap_or_default();
            let mut map = Map::new();
            map.insert("text".to_owned(), text.into());
            map.insert(
                "embeddings".to_owned(),
                vector.into_iter().map(Json::from).collect(),
            );
            let mut outputs = Outputs::new().with("embeddings", Value::data(map));
            outputs.usage = usage;
            Ok(outputs.done())
        })
    }
}

fn wired(call: &Call) -> Result<Embedding, Failure> {
    let value = call.required(MODEL)?;
    if let Value::Live(live) = &*value
        && let Some(model) = live.value.downcast_ref::<Embedding>()
    {
        return Ok(model.clone());
    }
    Err(Failure::input(
        MODEL,
        format!("Embedding Model got {}, not a model", value.kind()),
    )
    .advice("Wire in an Embedding Model."))
}
