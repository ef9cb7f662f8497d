//! Chat completions: OpenAI, and the providers that speak like it, as a table of differences.

mod adapt;
mod address;
mod calls;
mod messages;
mod schema;
mod stream;

pub(crate) use adapt::adapt;
pub(crate) use address::{below, thinks};
pub(crate) use calls::{Calls, Piece};
pub(crate) use messages::{Thoughts, data_url, file_name, messages, readable};
pub(crate) use schema::{is_strict, reminder, response_format, text_format};
pub(crate) use stream::Reader;

use serde_json::{Map, Value as Json, json};

use super::wire::{bearer, count, object_schema, put};
use super::{Codec, Decoder, Outgoing, Target};
use crate::chat::{ChatRequest, Effort, ToolChoice, ToolSpec, Usage};
use crate::error::LlmError;

pub(crate) struct Completions;

impl Codec for Completions {
    fn request(&self, target: &Target, request: &ChatRequest) -> Result<Outgoing, LlmError> {
        let mut headers = Vec::new();
        if target.provider == "openrouter" {
            headers.extend(shown(target, "site_url").map(|url| ("http-referer", url)));
            headers.extend(shown(target, "app_name").map(|name| ("x-title", name)));
        }
        let secrets = target.key.iter().map(|key| {
            if is_azure(target) {
                ("api-key", key.clone())
            } else {
                bearer(key)
            }
        });
        Ok(Outgoing {
            url: address::completions(target)?,
            headers,
            secrets: secrets.collect(),
            body: Json::Object(body(target, request)),
        })
    }

    fn decoder(&self, target: &Target) -> Box<dyn Decoder> {
        Box::new(Reader::new(target))
    }

    fn adapt(&self, body: &mut Json, refusal: &LlmError) -> bool {
        adapt(body, refusal)
    }
}

pub(crate) fn is_azure(target: &Target) -> bool {
    matches!(target.provider, "azure-openai" | "azure-ai-foundry")
}

/// A setting that goes into a header, which takes only plain letters.
fn shown(target: &Target, key: &str) -> Option<String> {
    let value: String = target
        .extra
        .get(key)?
        .chars()
        .filter(|c| matches!(c, ' '..='~'))
        .collect();
    let value = value.trim();
    (!value.is_empty()).then(|| value.to_owned())
}

fn body(target: &Target, request: &ChatRequest) -> Map<String, Json> {
    let thoughts = match target.provider {
        "openrouter" => Thoughts::Details,
        "openai-compatible" | "azure-ai-foundry" => Thoughts::WithCalls,
        _ => Thoughts::Dropped,
    };
    let mut said = messages(&request.messages, thoughts);
    if let Some(reminder) = reminder(&request.format, &said) {
        said.insert(0, json!({ "role": "system", "content": reminder }));
    }
    let thinks = thinks(target);
    // Their reasoning models refuse what steers single words.
    let is_picky = thinks && (target.provider == "openai" || is_azure(target));
    let mut body = Map::new();
    body.insert("model".to_owned(), target.model.as_str().into());
    body.insert("messages".to_owned(), said.into());
    body.insert("stream".to_owned(), true.into());
    body.insert("stream_options".to_owned(), json!({ "include_usage": true }));
    let limit = if is_picky {
        "max_completion_tokens"
    } else {
        "max_tokens"
    };
    put(&mut body, limit, request.max_tokens);
    if !is_picky {
        put(&mut body, "temperature", request.temperature);
        put(&mut body, "top_p", request.top_p);
        put(
            &mut body,
            "stop",
            (!request.stop.is_empty()).then(|| request.stop.clone()),
        );
    }
    put(&mut body, "seed", request.seed);
    put_thinking(&mut body, target, request.effort);
    put(&mut body, "response_format", response_format(&request.format));
    if !request.tools.is_empty() {
        let tools: Vec<Json> = request.tools.iter().map(tool).collect();
        body.insert("tools".to_owned(), tools.into());
        put(&mut body, "tool_choice", tool_choice(&request.tool_choice));
        put(&mut body, "parallel_tool_calls", request.parallel_tools);
    }
    body
}

fn put_thinking(body: &mut Map<String, Json>, target: &Target, effort: Option<Effort>) {
    match target.provider {
        "openrouter" => {
            put(
                body,
                "reasoning",
                effort.map(|effort| json!({ "effort": effort.as_str() })),
            );
        }
        // Whoever asks for an effort of a model nobody knows must know it.
        "openai-compatible" => put(body, "reasoning_effort", effort.map(Effort::as_str)),
        "groq" if thinks(target) => {
            // Its other models mix their thoughts into the answer unless told not to.
            if target.model.contains("gpt-oss") {
                put(
                    body,
                    "reasoning_effort",
                    effort.map(|effort| effort_word(target, effort)),
                );
            } else {
                put(body, "reasoning_format", Some("parsed"));
            }
        }
        _ if thinks(target) => put(
            body,
            "reasoning_effort",
            effort.map(|effort| effort_word(target, effort)),
        ),
        _ => {}
    }
}

/// Only the first generation that had "minimal" still has it.
pub(crate) fn effort_word(target: &Target, effort: Effort) -> &'static str {
    let name = target.model.to_ascii_lowercase();
    let knows_minimal = name.starts_with("gpt-5") && !name.starts_with("gpt-5.");
    if effort == Effort::Minimal && !knows_minimal {
        return Effort::Low.as_str();
    }
    effort.as_str()
}

pub(crate) fn tool(tool: &ToolSpec) -> Json {
    json!({
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": object_schema(&tool.schema),
        },
    })
}

fn tool_choice(choice: &ToolChoice) -> Option<Json> {
    match choice {
        ToolChoice::Auto => None,
        ToolChoice::Required => Some("required".into()),
        ToolChoice::None => Some("none".into()),
        ToolChoice::Named(name) => Some(json!({ "type": "function", "function": { "name": name } })),
    }
}

/// The figures of an answer, under the names both of OpenAI's formats use. What is no figure counts as nothing.
pub(crate) fn usage(usage: &Json) -> Option<Usage> {
    let figure = |paths: &[&str]| {
        let found = paths.iter().find_map(|path| count(usage.pointer(path)));
        found.unwrap_or_default()
    };
    if !usage.is_object() {
        return None;
    }
    let input = figure(&["/prompt_tokens", "/input_tokens"]);
    let output = figure(&["/completion_tokens", "/output_tokens"]);
    let cached = figure(&[
        "/prompt_tokens_details/cached_tokens",
        "/input_tokens_details/cached_tokens",
        "/prompt_cache_hit_tokens",
    ]);
    let reasoning = figure(&[
        "/completion_tokens_details/reasoning_tokens",
        "/output_tokens_details/reasoning_tokens",
    ]);
    Some(Usage {
        input,
        output,
        cached: cached.min(input),
        reasoning: reasoning.min(output),
    })
}
