//! Vectors for texts: one shape for OpenAI and those like it, and one each for Google, Ollama and watsonx.

use std::sync::Arc;

use ferro_net::Client;
use futures_util::future::BoxFuture;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use http::{HeaderMap, StatusCode};
use serde_json::{Map, Value as Json, json};

use super::wire::{bearer, count, put};
use super::{Codec as _, Outgoing, Target, endpoint, gemini, ollama, openai, watsonx};
use crate::budget::Budgets;
use crate::chat::{ChatRequest, Usage};
use crate::error::{Class, LlmError};
use crate::exchange::{Asked, ask_whole};
use crate::model::{Embedder, Embeddings, ModelInfo};
use crate::models::Options;

/// Batches on their way at once.
const AT_ONCE: usize = 4;
/// Bytes of text in a batch: providers count tokens, and refuse more than some 300,000 of them.
const BATCH_BYTES: usize = 400_000;

pub(crate) fn open(
    net: &Client,
    budgets: &Budgets,
    target: Target,
    info: ModelInfo,
    options: &Options,
) -> Result<Arc<dyn Embedder>, LlmError> {
    let Some(shape) = Shape::of(target.provider) else {
        return Err(LlmError::new(
            Class::Configuration,
            format!("{} has no embedding models", target.label),
        )
        .advice("Choose an embedding model of another provider."));
    };
    let line = Line {
        net: net.clone(),
        budgets: budgets.clone(),
        target,
        shape,
        dimensions: options.dimensions,
    };
    Ok(Arc::new(Remote {
        line: Arc::new(line),
        info,
    }))
}

/// How a provider is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    OpenAi,
    Gemini,
    Ollama,
    Watsonx,
}

impl Shape {
    fn of(provider: &str) -> Option<Self> {
        Some(match provider {
            "anthropic" => return None,
            "google-generative-ai" => Self::Gemini,
            "ollama" => Self::Ollama,
            "ibm-watsonx" => Self::Watsonx,
            _ => Self::OpenAi,
        })
    }

    /// Texts in one request.
    fn batch(self) -> usize {
        match self {
            Self::Gemini => 100,
            Self::OpenAi | Self::Ollama | Self::Watsonx => 256,
        }
    }

    fn refusal(self) -> fn(&Target, StatusCode, &HeaderMap, &[u8]) -> LlmError {
        match self {
            Self::Gemini => gemini::refusal,
            Self::Ollama => ollama::refusal,
            Self::OpenAi | Self::Watsonx => crate::error::refusal,
        }
    }
}

struct Remote {
    line: Arc<Line>,
    info: ModelInfo,
}

impl Embedder for Remote {
    fn info(&self) -> &ModelInfo {
        &self.info
    }

    fn embed(&self, texts: Vec<String>) -> BoxFuture<'static, Result<Embeddings, LlmError>> {
        let line = Arc::clone(&self.line);
        Box::pin(async move { line.embed(texts).await })
    }
}

struct Line {
    net: Client,
    budgets: Budgets,
    target: Target,
    shape: Shape,
    dimensions: Option<u32>,
}

impl Line {
    async fn embed(self: Arc<Self>, texts: Vec<String>) -> Result<Embeddings, LlmError> {
        let batches = batches(texts, self.shape.batch());
        let answers = stream::iter(batches).map(|batch| {
            let line = Arc::clone(&self);
            async move { line.ask(&batch).await }
        });
        // In the order they were asked, however they come back.
        let answers: Vec<Embeddings> = answers.buffered(AT_ONCE).try_collect().await?;
        let mut all = Embeddings::default();
        for answer in answers {
            all.vectors.extend(answer.vectors);
            if let Some(usage) = answer.usage {
                *all.usage.get_or_insert_default() += usage;
            }
        }
        let length = all.vectors.first().map_or(0, Vec::len);
        if all.vectors.iter().any(|vector| vector.len() != length) {
            return Err(LlmError::garbled(
                self.target.label,
                "vectors of different lengths",
            ));
        }
        Ok(all)
    }

    async fn ask(&self, texts: &[String]) -> Result<Embeddings, LlmError> {
        let mut outgoing = self.outgoing(texts)?;
        let token = match self.shape {
            Shape::Watsonx => Some(watsonx::token(&self.net, &self.target).await?),
            _ => None,
        };
        outgoing.secrets.extend(token.as_ref().map(bearer));
        let asked = Asked {
            net: &self.net,
            budgets: &self.budgets,
            target: &self.target,
            refusal: self.shape.refusal(),
        };
        let mut answer = ask_whole(&asked, &outgoing).await;
        // A token taken back before its time; the key may still be good.
        if let (Some(token), Err(error)) = (&token, &answer)
            && error.status == Some(401)
        {
            watsonx::forget(&self.target, token).await;
            let fresh = watsonx::token(&self.net, &self.target).await?;
            outgoing.secrets = vec![bearer(&fresh)];
            answer = ask_whole(&asked, &outgoing).await;
        }
        self.read(&answer?, texts.len())
    }

    fn outgoing(&self, texts: &[String]) -> Result<Outgoing, LlmError> {
        let target = &self.target;
        let mut body = Map::new();
        let mut headers = Vec::new();
        let (url, secrets) = match self.shape {
            Shape::OpenAi => {
                body.insert("model".to_owned(), json!(target.model));
                body.insert("input".to_owned(), json!(texts));
                put(&mut body, "dimensions", self.dimensions);
                let place = beside_chat(target, "/embeddings")?;
                headers = place.headers;
                (place.url, place.secrets)
            }
            Shape::Ollama => {
                body.insert("model".to_owned(), json!(target.model));
                body.insert("input".to_owned(), json!(texts));
                put(&mut body, "dimensions", self.dimensions);
                (
                    endpoint(target, "/api/embed")?,
                    target.key.iter().map(bearer).collect(),
                )
            }
            Shape::Gemini => {
                let model = format!("models/{}", target.model.trim_start_matches("models/"));
                let requests = texts.iter().map(|text| {
                    let mut one = Map::new();
                    one.insert("model".to_owned(), json!(model));
                    one.insert("content".to_owned(), json!({ "parts": [{ "text": text }] }));
                    put(&mut one, "outputDimensionality", self.dimensions);
                    Json::Object(one)
                });
                body.insert("requests".to_owned(), requests.collect());
                (
                    gemini::method(target, "batchEmbedContents")?,
                    gemini::secrets(target),
                )
            }
            Shape::Watsonx => {
                body.insert("model_id".to_owned(), json!(target.model));
                body.insert("inputs".to_owned(), json!(texts));
                for key in ["project_id", "space_id"] {
                    put(&mut body, key, target.extra.get(key).cloned());
                }
                (watsonx::address(target, "/ml/v1/text/embeddings")?, Vec::new())
            }
        };
        Ok(Outgoing {
            url,
            headers,
            secrets,
            body: Json::Object(body),
        })
    }

    fn read(&self, answer: &Json, expected: usize) -> Result<Embeddings, LlmError> {
        let label = self.target.label;
        let (list, key, tokens) = match self.shape {
            Shape::OpenAi => {
                let usage = answer.get("usage");
                (
                    "data",
                    Some("embedding"),
                    usage.and_then(|usage| usage.get("prompt_tokens")),
                )
            }
            Shape::Gemini => {
                let usage = answer.get("usageMetadata");
                (
                    "embeddings",
                    Some("values"),
                    usage.and_then(|usage| usage.get("promptTokenCount")),
                )
            }
            Shape::Ollama => ("embeddings", None, answer.get("prompt_eval_count")),
            Shape::Watsonx => ("results", Some("embedding"), answer.get("input_token_count")),
        };
        let Some(Json::Array(items)) = answer.get(list) else {
            return Err(LlmError::garbled(label, format!("it has no `{list}`")));
        };
        if items.len() != expected {
            let what = format!("{} vectors for {expected} texts", items.len());
            return Err(LlmError::garbled(label, what));
        }
        let mut vectors: Vec<Vec<f32>> = vec![Vec::new(); expected];
        for (at, item) in items.iter().enumerate() {
            // Some say which text a vector is for, and need not keep the order.
            let at = match item.get("index").and_then(Json::as_u64) {
                Some(index) => usize::try_from(index).unwrap_or(usize::MAX),
                None => at,
            };
            let numbers = key.map_or(Some(item), |key| item.get(key));
            let vector = numbers.and_then(vector);
            match (vectors.get_mut(at), vector) {
                (Some(place), Some(vector)) if place.is_empty() => *place = vector,
                _ => {
                    return Err(LlmError::garbled(
                        label,
                        format!("vector {at} is none, or is there twice"),
                    ));
                }
            }
        }
        let usage = count(tokens).map(|input| Usage {
            input,
            ..Usage::default()
        });
        Ok(Embeddings { vectors, usage })
    }
}

/// Another address of a provider like OpenAI, with what its chat sends along: keys, and who asks.
pub(super) fn beside_chat(target: &Target, path: &str) -> Result<Outgoing, LlmError> {
    let mut outgoing = openai::Completions.request(target, &ChatRequest::default())?;
    let chat = outgoing.url.path().to_owned();
    let base = chat.strip_suffix("/chat/completions").unwrap_or(&chat);
    outgoing.url.set_path(&format!("{base}{path}"));
    outgoing.body = Json::Null;
    Ok(outgoing)
}

/// Numbers, at least one, all of them finite.
fn vector(numbers: &Json) -> Option<Vec<f32>> {
    let numbers = numbers.as_array().filter(|numbers| !numbers.is_empty())?;
    let number = |number: &Json| {
        number
            .as_f64()
            .map(|number| number as f32)
            .filter(|number| number.is_finite())
    };
    numbers.iter().map(number).collect()
}

fn batches(texts: Vec<String>, most: usize) -> Vec<Vec<String>> {
    let mut batches: Vec<Vec<String>> = Vec::new();
    let mut bytes = 0;
    for text in texts {
        // Nothing has no vector, and is refused; a blank has one.
        let text = if text.is_empty() { " ".to_owned() } else { text };
        let size = text.len();
        match batches.last_mut() {
            Some(batch) if batch.len() < most && bytes + size <= BATCH_BYTES => {
                bytes += size;
                batch.push(text);
            }
            _ => {
                bytes = size;
                batches.push(vec![text]);
            }
        }
    }
    batches
}
