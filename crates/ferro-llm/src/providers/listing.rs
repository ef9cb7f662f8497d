//! Which models a provider has for a key, and whether the key works at all.

mod entries;
#[cfg(test)]
mod tests;

use ferro_net::{Client, Request, Secret};
use futures_util::{StreamExt as _, stream};
use http::{HeaderMap, StatusCode};
use serde_json::{Value as Json, json};
use url::Url;

use super::wire::bearer;
use super::{
    Outgoing, Target, anthropic, embeddings::beside_chat, endpoint, gemini, ollama, openai, watsonx,
};
use crate::catalog::{ModelEntry, ModelKind, Provider};
use crate::error::LlmError;
use crate::exchange::{from_net, read, to_request};
use entries::Found;

/// Models that are asked one by one what they can do, and how many at once.
const SHOWN: usize = 64;
const AT_ONCE: usize = 8;

/// The provider's models of a kind, with what the catalogue knows about them: those it knows first, in its order.
pub(crate) async fn list(
    net: &Client,
    provider: &Provider,
    target: Target,
    kind: ModelKind,
) -> Result<Vec<ModelEntry>, LlmError> {
    let found = match target.provider {
        // It lists what could be deployed, not what is.
        "azure-openai" | "azure-ai-foundry" => return Ok(entries::of_catalogue(provider, kind)),
        "ollama" => {
            let tags = get(net, &target, Place::of(&target, kind)?).await?;
            with_abilities(net, &target, entries::read(&target, &tags)).await
        }
        _ => {
            let answer = get(net, &target, Place::of(&target, kind)?).await?;
            entries::read(&target, &answer)
        }
    };
    Ok(entries::merge(provider, found, kind))
}

/// The cheapest request that fails when the settings are wrong.
pub(crate) async fn check(net: &Client, _: &Provider, target: Target) -> Result<(), LlmError> {
    match target.provider {
        // Its list is open to everybody; a token is not.
        "ibm-watsonx" => {
            watsonx::token(net, &target).await?;
        }
        _ => {
            let place = Place::to_check(&target)?;
            get(net, &target, place).await?;
        }
    }
    Ok(())
}

/// Where something is asked for, and with which headers.
struct Place {
    url: Url,
    headers: Vec<(&'static str, String)>,
    secrets: Vec<(&'static str, Secret)>,
}

impl Place {
    fn of(target: &Target, kind: ModelKind) -> Result<Self, LlmError> {
        Ok(match target.provider {
            "anthropic" => Self::anthropic(target, "limit=1000")?,
            "google-generative-ai" => Self::gemini(target, "pageSize=1000")?,
            "ollama" => Self::ollama(target)?,
            "ibm-watsonx" => {
                let mut url = watsonx::address(target, "/ml/v1/foundation_model_specs")?;
                url.query_pairs_mut().append_pair("limit", "200");
                Self {
                    url,
                    headers: Vec::new(),
                    secrets: Vec::new(),
                }
            }
            provider => {
                let mut place = Self::from(beside_chat(target, "/models")?);
                if provider == "openrouter" && kind == ModelKind::Embedding {
                    place.url.set_query(Some("output_modalities=embeddings"));
                }
                place
            }
        })
    }

    fn to_check(target: &Target) -> Result<Self, LlmError> {
        match target.provider {
            "anthropic" => Self::anthropic(target, "limit=1"),
            "google-generative-ai" => Self::gemini(target, "pageSize=1"),
            "ollama" => Self::ollama(target),
            // Here too the list is open to everybody.
            "openrouter" => Ok(beside_chat(target, "/key")?.into()),
            _ if openai::is_azure(target) => Self::azure(target),
            _ => Ok(beside_chat(target, "/models")?.into()),
        }
    }

    fn anthropic(target: &Target, query: &str) -> Result<Self, LlmError> {
        let (name, version) = anthropic::VERSION;
        let key = target.key.iter();
        Ok(Self {
            url: endpoint(target, &format!("/v1/models?{query}"))?,
            headers: vec![(name, version.to_owned())],
            secrets: key.map(|key| ("x-api-key", key.clone())).collect(),
        })
    }

    fn gemini(target: &Target, query: &str) -> Result<Self, LlmError> {
        Ok(Self {
            url: endpoint(target, &format!("/v1beta/models?{query}"))?,
            headers: Vec::new(),
            secrets: gemini::secrets(target),
        })
    }

    fn ollama(target: &Target) -> Result<Self, LlmError> {
        Ok(Self {
            url: endpoint(target, "/api/tags")?,
            headers: Vec::new(),
            secrets: target.key.iter().map(bearer).collect(),
        })
    }

    /// The resource's own list, wherever below it the given address points.
    fn azure(target: &Target) -> Result<Self, LlmError> {
        let mut place = Self::from(beside_chat(target, "")?);
        let path = place.url.path().to_owned();
        let list = match path.split_once("/openai/deployments") {
            Some((resource, _)) => format!("{resource}/openai/models"),
            // The address for models that are not OpenAI's has no list, only a word about itself.
            None if path.ends_with("/models") => format!("{path}/info"),
            None => format!("{path}/models"),
        };
        place.url.set_path(&list);
        Ok(place)
    }
}

impl From<Outgoing> for Place {
    fn from(outgoing: Outgoing) -> Self {
        Self {
            url: outgoing.url,
            headers: outgoing.headers,
            secrets: outgoing.secrets,
        }
    }
}

async fn get(net: &Client, target: &Target, place: Place) -> Result<Json, LlmError> {
    let build = || {
        let mut request = Request::get(place.url);
        for (name, value) in &place.headers {
            request = request.header(name, value)?;
        }
        for (name, value) in &place.secrets {
            request = request.secret_header(name, value)?;
        }
        Ok(request)
    };
    let request = build().map_err(|error| from_net(target, &error))?;
    send(net, target, request).await
}

/// Asked once: a person waits for it and can ask again.
async fn send(net: &Client, target: &Target, request: Request) -> Result<Json, LlmError> {
    let refusal: fn(&Target, StatusCode, &HeaderMap, &[u8]) -> LlmError = match target.provider {
        "google-generative-ai" => gemini::refusal,
        "ollama" => ollama::refusal,
        "anthropic" => anthropic::refusal,
        _ => crate::error::refusal,
    };
    let sent = net.send(request).await.map_err(|error| from_net(target, &error));
    let read = match sent {
        Ok(response) => read(target, response, refusal).await,
        Err(error) => Err(error),
    };
    read.map_err(|error| error.redacted(target.key.as_ref()))
}

/// Asks Ollama about each model. What it does not answer is guessed from the names.
async fn with_abilities(net: &Client, target: &Target, found: Vec<Found>) -> Vec<Found> {
    let asked = found.into_iter().enumerate().map(|(at, mut model)| async move {
        if at < SHOWN
            && !model.is_described
            && let Ok(shown) = show(net, target, &model.name).await
        {
            model.describe(&shown);
        }
        model
    });
    stream::iter(asked).buffered(AT_ONCE).collect().await
}

async fn show(net: &Client, target: &Target, model: &str) -> Result<Json, LlmError> {
    let outgoing = Outgoing {
        url: endpoint(target, "/api/show")?,
        headers: Vec::new(),
        secrets: target.key.iter().map(bearer).collect(),
        body: json!({ "model": model }),
    };
    send(
        net,
        target,
        to_request(target, &outgoing, ferro_net::Limits::default())?,
    )
    .await
}
