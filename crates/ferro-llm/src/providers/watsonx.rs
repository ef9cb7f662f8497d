//! IBM watsonx: chat completions under other names, for a project, with a token instead of the key.

mod token;

pub(crate) use token::{forget, token};

use std::sync::Arc;

use ferro_net::{Client, Secret};
use futures_util::StreamExt as _;
use futures_util::stream;
use serde_json::{Map, Value as Json, json};
use url::Url;

use super::openai::{
    self, Reader, Thoughts, adapt, effort_word, messages, reminder, response_format, thinks,
};
use super::wire::{bearer, put};
use super::{Codec, Decoder, Outgoing, Target, endpoint};
use crate::budget::Budgets;
use crate::chat::{ChatRequest, ToolChoice};
use crate::error::{Class, LlmError};
use crate::exchange::Remote;
use crate::model::{ChatModel, ChatStream, ModelInfo};

/// The day whose API we speak; every request names it.
const VERSION: &str = "2025-04-23";

/// An address of the service, with the version.
pub(crate) fn address(target: &Target, path: &str) -> Result<Url, LlmError> {
    let mut url = endpoint(target, path)?;
    let version = target.extra.get("version").map_or(VERSION, String::as_str);
    url.query_pairs_mut().append_pair("version", version);
    Ok(url)
}

/// The wire format. It needs a token; see [`with_token`].
pub(crate) struct Chat;

impl Codec for Chat {
    fn request(&self, target: &Target, request: &ChatRequest) -> Result<Outgoing, LlmError> {
        Ok(Outgoing {
            url: address(target, "/ml/v1/text/chat_stream")?,
            headers: Vec::new(),
            secrets: Vec::new(),
            body: Json::Object(body(target, request)?),
        })
    }

    fn decoder(&self, target: &Target) -> Box<dyn Decoder> {
        Box::new(Reader::new(target))
    }

    fn adapt(&self, body: &mut Json, refusal: &LlmError) -> bool {
        adapt(body, refusal)
    }
}

/// The address says that a stream is wanted, and usage comes unasked.
fn body(target: &Target, request: &ChatRequest) -> Result<Map<String, Json>, LlmError> {
    let mut said = messages(&request.messages, Thoughts::Dropped);
    if let Some(reminder) = reminder(&request.format, &said) {
        said.insert(0, json!({ "role": "system", "content": reminder }));
    }
    let mut body = Map::new();
    body.insert("model_id".to_owned(), target.model.as_str().into());
    let place = ["project_id", "space_id"]
        .into_iter()
        .find_map(|key| Some((key, target.extra.get(key)?)));
    let Some((key, id)) = place else {
        return Err(LlmError::new(
            Class::Configuration,
            format!("{} needs its project ID", target.label),
        )
        .advice("Set `WATSONX_PROJECT_ID` in Settings › Model providers."));
    };
    body.insert(key.to_owned(), id.as_str().into());
    body.insert("messages".to_owned(), said.into());
    put(&mut body, "max_completion_tokens", request.max_tokens);
    put(&mut body, "temperature", request.temperature);
    put(&mut body, "top_p", request.top_p);
    put(
        &mut body,
        "stop",
        (!request.stop.is_empty()).then(|| request.stop.clone()),
    );
    put(&mut body, "seed", request.seed);
    if thinks(target) {
        put(
            &mut body,
            "reasoning_effort",
            request.effort.map(|effort| effort_word(target, effort)),
        );
    }
    put(&mut body, "response_format", response_format(&request.format));
    if !request.tools.is_empty() {
        let tools: Vec<Json> = request.tools.iter().map(openai::tool).collect();
        body.insert("tools".to_owned(), tools.into());
        let (key, choice) = match &request.tool_choice {
            ToolChoice::Auto => ("tool_choice_option", json!("auto")),
            ToolChoice::Required => ("tool_choice_option", json!("required")),
            ToolChoice::None => ("tool_choice_option", json!("none")),
            ToolChoice::Named(name) => (
                "tool_choice",
                json!({ "type": "function", "function": { "name": name } }),
            ),
        };
        body.insert(key.to_owned(), choice);
    }
    Ok(body)
}

/// The same format with the token that a request carries. The target keeps the key: budgets belong to it, and tokens
/// change every hour.
struct Carrying {
    inner: Arc<dyn Codec>,
    token: Secret,
}

impl Codec for Carrying {
    fn request(&self, target: &Target, request: &ChatRequest) -> Result<Outgoing, LlmError> {
        let mut outgoing = self.inner.request(target, request)?;
        outgoing.secrets.push(bearer(&self.token));
        Ok(outgoing)
    }

    fn decoder(&self, target: &Target) -> Box<dyn Decoder> {
        self.inner.decoder(target)
    }

    fn adapt(&self, body: &mut Json, refusal: &LlmError) -> bool {
        self.inner.adapt(body, refusal)
    }
}

/// A model that exchanges its key for a token before it asks.
struct WithToken {
    line: Line,
    info: ModelInfo,
}

#[derive(Clone)]
struct Line {
    net: Client,
    budgets: Budgets,
    codec: Arc<dyn Codec>,
    target: Target,
}

pub(crate) fn with_token(
    net: Client,
    budgets: Budgets,
    codec: Arc<dyn Codec>,
    target: Target,
    info: ModelInfo,
) -> Arc<dyn ChatModel> {
    let line = Line {
        net,
        budgets,
        codec,
        target,
    };
    Arc::new(WithToken { line, info })
}

impl ChatModel for WithToken {
    fn info(&self) -> &ModelInfo {
        &self.info
    }

    fn stream(&self, request: ChatRequest) -> ChatStream {
        let line = self.line.clone();
        let info = self.info.clone();
        stream::once(async move {
            line.ask(info, request)
                .await
                .unwrap_or_else(|error| stream::iter([Err(error)]).boxed())
        })
        .flatten()
        .boxed()
    }
}

impl Line {
    async fn ask(self, info: ModelInfo, request: ChatRequest) -> Result<ChatStream, LlmError> {
        let kept = token(&self.net, &self.target).await?;
        let mut answer = self.open(kept.clone(), info.clone(), request.clone());
        let Some(first) = answer.next().await else {
            return Ok(answer);
        };
        let is_refused = first.as_ref().is_err_and(|error| error.status == Some(401));
        if !is_refused {
            return Ok(stream::iter([first]).chain(answer).boxed());
        }
        // Taken back before its time. The key may still be good.
        forget(&self.target, &kept).await;
        let fresh = token(&self.net, &self.target).await?;
        Ok(self.open(fresh, info, request))
    }

    fn open(&self, token: Secret, info: ModelInfo, request: ChatRequest) -> ChatStream {
        let remote = Remote {
            net: self.net.clone(),
            budgets: self.budgets.clone(),
            codec: Arc::new(Carrying {
                inner: Arc::clone(&self.codec),
                token,
            }),
            target: self.target.clone(),
            info,
        };
        remote.stream(request)
    }
}
