//! Anthropic's Messages API: what is sent. `anthropic/answer.rs` reads what comes back.

mod answer;
mod generation;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, StatusCode};
use serde_json::{Map, Value as Json, json};

use super::wire::{arguments, json_only, object_schema, put};
use super::{Codec, Decoder, Outgoing, Target, endpoint};
use crate::chat::{ChatMessage, ChatRequest, Effort, Format, Media, Part, Role, ToolChoice};
use crate::error::{Class, LlmError};
use answer::Reader;
use generation::{Generation, plain_schema};

pub(super) const VERSION: (&str, &str) = ("anthropic-version", "2023-06-01");

pub(crate) struct Messages;

impl Codec for Messages {
    fn request(&self, target: &Target, request: &ChatRequest) -> Result<Outgoing, LlmError> {
        let mut headers = vec![(VERSION.0, VERSION.1.to_owned())];
        headers.push(("accept", "text/event-stream".to_owned()));
        let key = target.key.iter();
        Ok(Outgoing {
            url: endpoint(target, "/v1/messages")?,
            headers,
            secrets: key.map(|key| ("x-api-key", key.clone())).collect(),
            body: body(target, request)?,
        })
    }

    fn decoder(&self, target: &Target) -> Box<dyn Decoder> {
        Box::new(Reader::new(target))
    }

    fn refusal(&self, target: &Target, status: StatusCode, headers: &HeaderMap, body: &[u8]) -> LlmError {
        refusal(target, status, headers, body)
    }

    /// For models that are newer than what `generation.rs` knows.
    fn adapt(&self, body: &mut Json, refusal: &LlmError) -> bool {
        let words = refusal.cause.to_ascii_lowercase();
        let Some(body) = body.as_object_mut() else {
            return false;
        };
        let mut dropped = false;
        if words.contains("temperature") || words.contains("top_p") {
            dropped |= body.remove("temperature").is_some() | body.remove("top_p").is_some();
        }
        if words.contains("thinking") {
            dropped |= body.remove("thinking").is_some();
        }
        if words.contains("effort")
            && let Some(Json::Object(config)) = body.get_mut("output_config")
        {
            dropped |= config.remove("effort").is_some();
        }
        dropped
    }
}

pub(super) fn refusal(target: &Target, status: StatusCode, headers: &HeaderMap, body: &[u8]) -> LlmError {
    let mut error = crate::error::refusal(target, status, headers, body);
    if error.class == Class::Server
        && (status.as_u16() == 529 || error.code.as_deref() == Some("overloaded_error"))
    {
        error.message = format!("{} is overloaded", target.label);
        error.advice = "Try again in a moment, or use another model.".to_owned();
    }
    error
}

fn body(target: &Target, request: &ChatRequest) -> Result<Json, LlmError> {
    let generation = Generation::of(&target.model);
    let mut body = Map::new();
    let mut config = Map::new();
    let mut system = system(&request.messages);
    match &request.format {
        Format::Text => {}
        Format::Schema { schema, .. } if generation.takes_schemas() => {
            config.insert(
                "format".to_owned(),
                json!({ "type": "json_schema", "schema": plain_schema(schema) }),
            );
        }
        Format::Schema { schema, .. } => system.push(json_only(Some(schema))),
        Format::Json => system.push(json_only(None)),
    }

    let thinking = thinking(target, request, generation, &mut config);
    let asked = request
        .max_tokens
        .unwrap_or_else(|| generation.usual_max_tokens());
    // The budget for thinking is part of `max_tokens`; what was asked for is meant for the answer.
    let budget = thinking
        .as_ref()
        .and_then(|thinking| thinking.budget)
        .unwrap_or(0);
    body.insert("model".to_owned(), json!(target.model));
    body.insert("max_tokens".to_owned(), json!(asked.saturating_add(budget)));
    body.insert("stream".to_owned(), json!(true));
    if !system.is_empty() {
        body.insert("system".to_owned(), json!(system.join("\n\n")));
    }
    body.insert(
        "messages".to_owned(),
        Json::Array(messages(target, &request.messages)?),
    );
    if !request.tools.is_empty() {
        tools(request, &mut body);
    }
    if thinking.is_none() && generation.takes_sampling() {
        // Newer models take one of the two, and none above 1.
        match request.temperature {
            Some(temperature) => put(&mut body, "temperature", Some(temperature.clamp(0.0, 1.0))),
            None => put(&mut body, "top_p", request.top_p),
        }
    }
    if !request.stop.is_empty() {
        body.insert("stop_sequences".to_owned(), json!(request.stop));
    }
    put(&mut body, "thinking", thinking.map(|thinking| thinking.json));
    if !config.is_empty() {
        body.insert("output_config".to_owned(), Json::Object(config));
    }
    Ok(Json::Object(body))
}

struct Thinking {
    json: Json,
    /// Tokens on top of the answer's; `None` where the model decides.
    budget: Option<u32>,
}

/// What is said about thinking, for models that think and are asked to.
fn thinking(
    target: &Target,
    request: &ChatRequest,
    generation: Generation,
    config: &mut Map<String, Json>,
) -> Option<Thinking> {
    let effort = request.effort.filter(|_| target.reasoning)?;
    // A tool that must be called leaves no room to think first; asking for both is refused.
    let forced = !request.tools.is_empty()
        && matches!(request.tool_choice, ToolChoice::Required | ToolChoice::Named(_));
    if generation.adapts() {
        let level = if effort == Effort::Minimal {
            Effort::Low
        } else {
            effort
        };
        config.insert("effort".to_owned(), json!(level.as_str()));
        return (!forced).then(|| Thinking {
            json: json!({ "type": "adaptive", "display": "summarized" }),
            budget: None,
        });
    }
    let budget = match effort {
        Effort::Minimal => 1024,
        Effort::Low => 2048,
        Effort::Medium => 8192,
        Effort::High => 16_384,
    };
    (!forced).then(|| Thinking {
        json: json!({ "type": "enabled", "budget_tokens": budget }),
        budget: Some(budget),
    })
}

fn tools(request: &ChatRequest, body: &mut Map<String, Json>) {
    let tools = request.tools.iter().map(|tool| {
        json!({
            "name": tool.name,
            "description": tool.description,
            "input_schema": object_schema(&tool.schema),
        })
    });
    body.insert("tools".to_owned(), tools.collect());
    let mut choice = match &request.tool_choice {
        ToolChoice::Auto => json!({ "type": "auto" }),
        ToolChoice::Required => json!({ "type": "any" }),
        ToolChoice::Named(name) => json!({ "type": "tool", "name": name }),
        ToolChoice::None => json!({ "type": "none" }),
    };
    if request.parallel_tools == Some(false) && request.tool_choice != ToolChoice::None {
        choice["disable_parallel_tool_use"] = json!(true);
    }
    let is_default = request.tool_choice == ToolChoice::Auto && request.parallel_tools != Some(false);
    if !is_default {
        body.insert("tool_choice".to_owned(), choice);
    }
}

fn system(messages: &[ChatMessage]) -> Vec<String> {
    let said = messages.iter().filter(|message| message.role == Role::System);
    said.map(ChatMessage::text)
        .filter(|text| !text.trim().is_empty())
        .collect()
}

/// Turns of `user` and `assistant`. Results of tools are said by the user, all of a turn's in one message.
fn messages(target: &Target, messages: &[ChatMessage]) -> Result<Vec<Json>, LlmError> {
    let mut turns: Vec<(&str, Vec<Json>)> = Vec::new();
    for message in messages {
        let role = match message.role {
            Role::System => continue,
            Role::Assistant => "assistant",
            Role::User | Role::Tool => "user",
        };
        let mut blocks = Vec::new();
        for part in &message.parts {
            block(target, role, part, &mut blocks)?;
        }
        match turns.last_mut() {
            _ if blocks.is_empty() => {}
            Some((last, held)) if *last == role => held.append(&mut blocks),
            _ => turns.push((role, blocks)),
        }
    }
    let shape = |(role, blocks)| json!({ "role": role, "content": Json::Array(blocks) });
    Ok(turns.into_iter().map(shape).collect())
}

fn block(target: &Target, role: &str, part: &Part, out: &mut Vec<Json>) -> Result<(), LlmError> {
    match part {
        // Refused by the API: a text without a letter in it.
        Part::Text(text) if text.trim().is_empty() => {}
        Part::Text(text) => {
            // What the assistant said last must not end in a blank.
            let text = if role == "assistant" {
                text.trim_end()
            } else {
                text
            };
            out.push(json!({ "type": "text", "text": text }));
        }
        Part::Image(media) | Part::File(media) => out.push(media_block(target, media)?),
        Part::Reasoning { text, signature } => {
            // Without its signature a thought is not taken back.
            if let Some(signature) = signature {
                answer::thoughts(text, signature, out);
            }
        }
        Part::ToolCall(call) => out.push(json!({
            "type": "tool_use",
            "id": call.id,
            "name": call.name,
            "input": arguments(&call.arguments),
        })),
        Part::ToolResult {
            id,
            content,
            is_error,
            ..
        } => {
            let mut result = json!({ "type": "tool_result", "tool_use_id": id });
            if !content.is_empty() {
                result["content"] = json!(content);
            }
            if *is_error {
                result["is_error"] = json!(true);
            }
            out.push(result);
        }
    }
    Ok(())
}

fn media_block(target: &Target, media: &Media) -> Result<Json, LlmError> {
    let base64 = |kind: &str| {
        let source = json!({
            "type": "base64",
            "media_type": media.mime,
            "data": STANDARD.encode(&media.bytes),
        });
        json!({ "type": kind, "source": source })
    };
    let mut block = match media.mime.as_str() {
        "image/png" | "image/jpeg" | "image/gif" | "image/webp" => return Ok(base64("image")),
        "application/pdf" => base64("document"),
        mime if mime.starts_with("text/") || mime == "application/json" => {
            let text = String::from_utf8_lossy(&media.bytes);
            let source = json!({ "type": "text", "media_type": "text/plain", "data": text });
            json!({ "type": "document", "source": source })
        }
        mime => {
            return Err(LlmError::new(
                Class::Request,
                format!("{} cannot read `{}`, which is {mime}", target.label, media.name),
            )
            .advice("Send a PNG, JPEG, GIF or WebP image, a PDF or plain text."));
        }
    };
    if !media.name.is_empty() {
        block["title"] = json!(media.name);
    }
    Ok(block)
}
