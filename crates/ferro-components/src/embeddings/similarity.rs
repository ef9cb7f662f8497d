//! Compares two vectors.
//!
//! - **Embedding Vectors**: wire in two results of Text Embedder.
//! - **Similarity Metric**: *Cosine Similarity* is 1 for the same direction and 0 for nothing in common; *Euclidean* and
//!   *Manhattan Distance* are 0 for the same vector and grow with the difference.
//!
//! The answer is `{"similarity_score": …, "similarity_metric": "…"}` with the two vectors.
//!
//! **Common mistakes.** Exactly two vectors of the same length are needed: use the same model for both.

use ferro_engine::{Call, Component, Failure, Outcome, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::{Value as Json, json};

use crate::text::fields;

pub(super) struct EmbeddingSimilarity;

const COSINE: &str = "Cosine Similarity";
const EUCLIDEAN: &str = "Euclidean Distance";
const MANHATTAN: &str = "Manhattan Distance";

impl Component for EmbeddingSimilarity {
    fn descriptor(&self) -> Descriptor {
        Descriptor::new("EmbeddingSimilarityComponent", "Embedding Similarity")
            .category("embeddings")
            .icon("equal")
            .description("Compares two vectors.")
            .help(include_str!("similarity.rs"))
            .legacy()
            .field(
                FieldSpec::handle("embedding_vectors", "Embedding Vectors", &["Data", "JSON"])
                    .list()
                    .required()
                    .info("Two results of Text Embedder."),
            )
            .field(
                FieldSpec::dropdown(
                    "similarity_metric",
                    "Similarity Metric",
                    &[COSINE, EUCLIDEAN, MANHATTAN],
                    COSINE,
                )
                .info("How they are compared."),
            )
            .output(OutputSpec::new(
                "similarity_data",
                "Similarity Data",
                "compute_similarity",
                &["JSON"],
            ))
    }

    fn run(&self, call: Call) -> Step {
        compare(&call).into()
    }
}

fn compare(call: &Call) -> Result<Outcome, Failure> {
    let vectors: Vec<Vec<f64>> = fields::objects(call, "embedding_vectors")?
        .iter()
        .filter_map(|data| numbers(data.map.get("embeddings")?))
        .collect();
    let [a, b] = vectors.as_slice() else {
        return Err(Failure::input(
            "embedding_vectors",
            format!("{} vectors came, but two are compared", vectors.len()),
        )
        .advice("Wire in the results of two Text Embedders."));
    };
    if a.len() != b.len() {
        return Err(Failure::input(
            "embedding_vectors",
            format!("the vectors have {} and {} numbers", a.len(), b.len()),
        )
        .advice("Make both with the same embedding model."));
    }
    let metric = fields::text_or(call, "similarity_metric", COSINE);
    let pairs = || a.iter().zip(b);
    let score = match metric.as_str() {
        EUCLIDEAN => pairs().map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt(),
        MANHATTAN => pairs().map(|(a, b)| (a - b).abs()).sum(),
        _ => {
            let length = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
            let lengths = length(a) * length(b);
            if lengths == 0.0 {
                0.0
            } else {
                pairs().map(|(a, b)| a * b).sum::<f64>() / lengths
            }
        }
    };
    let answer = json!({
        "similarity_score": score,
        "similarity_metric": metric,
        "embedding_1": a,
        "embedding_2": b,
    });
    Ok(Outputs::one("similarity_data", Value::from_json(answer)))
}

fn numbers(json: &Json) -> Option<Vec<f64>> {
    json.as_array()?.iter().map(Json::as_f64).collect()
}
