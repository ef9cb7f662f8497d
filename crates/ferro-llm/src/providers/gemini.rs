//! Google's `generateContent`: what is sent. `gemini/answer.rs` reads what comes back.

mod answer;
mod schema;

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, StatusCode};
use serde_json::{Map, Value as Json, json};
use url::Url;

use super::wire::{self, arguments, is_made_up, put};
use super::{Codec, Decoder, Outgoing, Target, endpoint};
use crate::chat::{ChatMessage, ChatRequest, Effort, Format, Part, Role, ToolChoice};
use crate::error::{Class, LlmError};
use answer::Reader;

/// What Google takes instead of a signature for calls that another model made.
const NO_SIGNATURE: &str = "skip_thought_signature_validator";

pub(crate) struct Generate;

impl Codec for Generate {
    fn request(&self, target: &Target, request: &ChatRequest) -> Result<Outgoing, LlmError> {
        let mut url = method(target, "streamGenerateContent")?;
        url.set_query(Some("alt=sse"));
        Ok(Outgoing {
            url,
            headers: Vec::new(),
            secrets: secrets(target),
            body: body(target, request),
        })
    }

    fn decoder(&self, target: &Target) -> Box<dyn Decoder> {
        Box::new(Reader::new(target))
    }

    fn refusal(&self, target: &Target, status: StatusCode, headers: &HeaderMap, body: &[u8]) -> LlmError {
        refusal(target, status, headers, body)
    }

    /// Not every model takes every level, or can stop thinking.
    fn adapt(&self, body: &mut Json, refusal: &LlmError) -> bool {
        let words = refusal.cause.to_ascii_lowercase();
        match body.get_mut("generationConfig") {
            Some(Json::Object(config)) if words.contains("thinking") => {
                config.remove("thinkingConfig").is_some()
            }
            _ => false,
        }
    }
}

/// In a header: addresses are logged along the way.
pub(super) fn secrets(target: &Target) -> Vec<(&'static str, ferro_net::Secret)> {
    let key = target.key.iter();
    key.map(|key| ("x-goog-api-key", key.clone())).collect()
}

/// `…/v1beta/models/MODEL:METHOD`. The model's name is escaped, it comes from a person.
pub(super) fn method(target: &Target, method: &str) -> Result<Url, LlmError> {
    let mut url = endpoint(target, "/v1beta/models")?;
    let name = target.model.trim_start_matches("models/");
    if let Ok(mut path) = url.path_segments_mut() {
        path.push(&format!("{name}:{method}"));
    }
    Ok(url)
}

/// The waiting time is in the body, and a quota for a minute is no empty purse.
pub(super) fn refusal(target: &Target, status: StatusCode, headers: &HeaderMap, body: &[u8]) -> LlmError {
    let mut error = crate::error::refusal(target, status, headers, body);
    let text = String::from_utf8_lossy(body);
    let Some(wait) = retry_delay(&text) else {
        return error;
    };
    if error.retry_after.is_none() {
        error.retry_after = Some(wait);
    }
    if error.class == Class::Quota && status == StatusCode::TOO_MANY_REQUESTS && !text.contains("PerDay") {
        error.class = Class::RateLimit;
        error.message = format!("{} takes no more questions for now (rate limit)", target.label);
        error.advice = "Wait a little and try again, or use another model.".to_owned();
    }
    error
}

fn retry_delay(body: &str) -> Option<Duration> {
    let body: Json = serde_json::from_str(body).ok()?;
    let body = body.get(0).unwrap_or(&body);
    let details = body.get("error")?.get("details")?.as_array()?;
    let delay = details
        .iter()
        .find_map(|detail| wire::text(detail, "retryDelay"))?;
    let seconds: f64 = delay.strip_suffix('s')?.parse().ok()?;
    let sane = seconds.is_finite() && (0.0..=86_400.0).contains(&seconds);
    sane.then(|| Duration::from_secs_f64(seconds))
}

fn body(target: &Target, request: &ChatRequest) -> Json {
    let mut body = Map::new();
    let system = request
        .messages
        .iter()
        .filter(|message| message.role == Role::System);
    let system: Vec<Json> = system.map(|message| json!({ "text": message.text() })).collect();
    if !system.is_empty() {
        body.insert("systemInstruction".to_owned(), json!({ "parts": system }));
    }
    body.insert(
        "contents".to_owned(),
        Json::Array(contents(target, &request.messages)),
    );
    if !request.tools.is_empty() {
        tools(request, &mut body);
    }
    let config = config(target, request);
    if !config.is_empty() {
        body.insert("generationConfig".to_owned(), Json::Object(config));
    }
    Json::Object(body)
}

fn config(target: &Target, request: &ChatRequest) -> Map<String, Json> {
    let mut config = Map::new();
    put(&mut config, "temperature", request.temperature);
    put(&mut config, "topP", request.top_p);
    put(&mut config, "maxOutputTokens", request.max_tokens);
    put(&mut config, "seed", request.seed);
    if !request.stop.is_empty() {
        config.insert("stopSequences".to_owned(), json!(request.stop));
    }
    if request.format != Format::Text {
        config.insert("responseMimeType".to_owned(), json!("application/json"));
    }
    if let Format::Schema { schema, .. } = &request.format {
        config.insert("responseJsonSchema".to_owned(), schema::known(schema));
    }
    if target.reasoning {
        config.insert(
            "thinkingConfig".to_owned(),
            thinking(&target.model, request.effort),
        );
    }
    config
}

/// Models up to 2.5 take a number of tokens, later ones a word.
fn thinking(model: &str, effort: Option<Effort>) -> Json {
    let mut config = json!({ "includeThoughts": true });
    let Some(effort) = effort else { return config };
    let pro = model.contains("pro");
    if is_newer(model) {
        let level = match effort {
            Effort::Minimal if pro => Effort::Low,
            other => other,
        };
        config["thinkingLevel"] = json!(level.as_str());
    } else {
        config["thinkingBudget"] = json!(match effort {
            // Some cannot stop thinking altogether.
            Effort::Minimal if pro => 128,
            Effort::Minimal => 0,
            Effort::Low => 1024,
            Effort::Medium => 8192,
            Effort::High => 24_576,
        });
    }
    config
}

/// Gemini 3 and later. Names such as `gemini-flash-latest` stand for the newest.
fn is_newer(model: &str) -> bool {
    let Some((_, rest)) = model.split_once("gemini-") else {
        return false;
    };
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().map_or(true, |version: u32| version >= 3)
}

fn tools(request: &ChatRequest, body: &mut Map<String, Json>) {
    let declarations = request.tools.iter().map(|tool| {
        let mut declaration = json!({ "name": tool.name, "description": tool.description });
        let known = schema::known(&tool.schema);
        let properties = known.get("properties").and_then(Json::as_object);
        // An object without members is refused; a tool without parameters says nothing about them.
        if properties.is_some_and(|properties| !properties.is_empty()) {
            declaration["parametersJsonSchema"] = known;
        }
        declaration
    });
    let declarations: Vec<Json> = declarations.collect();
    body.insert(
        "tools".to_owned(),
        json!([{ "functionDeclarations": declarations }]),
    );
    let calling = match &request.tool_choice {
        ToolChoice::Auto => return,
        ToolChoice::Required => json!({ "mode": "ANY" }),
        ToolChoice::Named(name) => json!({ "mode": "ANY", "allowedFunctionNames": [name] }),
        ToolChoice::None => json!({ "mode": "NONE" }),
    };
    body.insert(
        "toolConfig".to_owned(),
        json!({ "functionCallingConfig": calling }),
    );
}

fn contents(target: &Target, messages: &[ChatMessage]) -> Vec<Json> {
    let mut turns: Vec<(&str, Vec<Json>)> = Vec::new();
    for message in messages {
        let role = match message.role {
            Role::System => continue,
            Role::Assistant => "model",
            Role::User | Role::Tool => "user",
        };
        let mut parts = parts(target, message);
        match turns.last_mut() {
            _ if parts.is_empty() => {}
            Some((last, held)) if *last == role => held.append(&mut parts),
            _ => turns.push((role, parts)),
        }
    }
    let shape = |(role, parts)| json!({ "role": role, "parts": Json::Array(parts) });
    turns.into_iter().map(shape).collect()
}

fn parts(target: &Target, message: &ChatMessage) -> Vec<Json> {
    let mut parts = Vec::new();
    // The signature of an answer's text; the thoughts themselves are not wanted back.
    let mut signature = message.parts.iter().find_map(|part| match part {
        Part::Reasoning { signature, .. } => signature.as_deref(),
        _ => None,
    });
    let mut first_call = true;
    for part in &message.parts {
        match part {
            Part::Text(text) if text.is_empty() => {}
            Part::Text(text) => {
                let mut said = json!({ "text": text });
                if let Some(signature) = signature.take() {
                    said["thoughtSignature"] = json!(signature);
                }
                parts.push(said);
            }
            Part::Image(media) | Part::File(media) => {
                let data = STANDARD.encode(&media.bytes);
                parts.push(json!({ "inlineData": { "mimeType": media.mime, "data": data } }));
            }
            Part::Reasoning { .. } => {}
            Part::ToolCall(call) => {
                let mut function = json!({ "name": call.name, "args": arguments(&call.arguments) });
                give_id(&mut function, &call.id);
                let mut said = json!({ "functionCall": function });
                if let Some(signature) = &call.signature {
                    said["thoughtSignature"] = json!(signature);
                } else if first_call && is_newer(&target.model) {
                    // Without any signature the first call of a step is refused.
                    said["thoughtSignature"] = json!(NO_SIGNATURE);
                }
                first_call = false;
                parts.push(said);
            }
            Part::ToolResult {
                id,
                name,
                content,
                is_error,
            } => {
                let key = if *is_error { "error" } else { "output" };
                let mut function = json!({ "name": name, "response": { key: content } });
                give_id(&mut function, id);
                parts.push(json!({ "functionResponse": function }));
            }
        }
    }
    parts
}

/// Ids that we made up mean nothing to the provider.
fn give_id(function: &mut Json, id: &str) {
    if !id.is_empty() && !is_made_up(id) {
        function["id"] = json!(id);
    }
}
