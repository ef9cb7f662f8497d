//! Ollama's own API: lines of JSON, arguments as objects, no key unless it is in the cloud.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, StatusCode};
use serde_json::{Map, Value as Json, json};

use super::wire::{
    self, arguments, bearer, broke_off, count, made_up_id, next_call, not_json, object_schema, put,
};
use super::{Codec, Decoder, Outgoing, Target, endpoint};
use crate::catalog::catalog;
use crate::chat::{
    ChatEvent, ChatMessage, ChatRequest, Effort, Format, Part, Role, StopReason, ToolChoice, Usage,
};
use crate::error::{Class, LlmError};
use crate::frames::{Frame, Framing, lenient};

pub(crate) struct Chat;

impl Codec for Chat {
    fn request(&self, target: &Target, request: &ChatRequest) -> Result<Outgoing, LlmError> {
        Ok(Outgoing {
            url: endpoint(target, "/api/chat")?,
            headers: Vec::new(),
            secrets: target.key.iter().map(bearer).collect(),
            body: body(target, request)?,
        })
    }

    fn framing(&self) -> Framing {
        Framing::Lines
    }

    fn decoder(&self, target: &Target) -> Box<dyn Decoder> {
        Box::new(Reader {
            target: target.clone(),
            calls: 0,
            done: false,
        })
    }

    fn refusal(&self, target: &Target, status: StatusCode, headers: &HeaderMap, body: &[u8]) -> LlmError {
        refusal(target, status, headers, body)
    }

    /// People build models of their own, with abilities of their own.
    fn adapt(&self, body: &mut Json, refusal: &LlmError) -> bool {
        let Some(body) = body.as_object_mut() else {
            return false;
        };
        refusal.cause.contains("think") && body.remove("think").is_some()
    }
}

pub(super) fn refusal(target: &Target, status: StatusCode, headers: &HeaderMap, body: &[u8]) -> LlmError {
    let mut error = crate::error::refusal(target, status, headers, body);
    let words = error.cause.to_ascii_lowercase();
    if error.class == Class::ModelUnavailable && words.contains("not found") && !target.model.is_empty() {
        error.message = format!("{} does not have the model `{}`", target.label, target.model);
        error.advice = format!(
            "Run `ollama pull {}` on the machine where Ollama runs, or choose a model it has.",
            target.model
        );
    }
    error
}

fn body(target: &Target, request: &ChatRequest) -> Result<Json, LlmError> {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(target.model));
    body.insert("stream".to_owned(), json!(true));
    let mut messages = Vec::new();
    for message in &request.messages {
        shape(target, message, &mut messages)?;
    }
    body.insert("messages".to_owned(), Json::Array(messages));
    let tools = tools(request);
    if !tools.is_empty() {
        body.insert("tools".to_owned(), Json::Array(tools));
    }
    match &request.format {
        Format::Text => {}
        Format::Json => put(&mut body, "format", Some("json")),
        Format::Schema { schema, .. } => put(&mut body, "format", Some(schema.clone())),
    }
    // Refused by models that do not think.
    if thinks(target) {
        body.insert("think".to_owned(), think(&target.model, request.effort));
    }
    let mut options = Map::new();
    put(&mut options, "temperature", request.temperature);
    put(&mut options, "top_p", request.top_p);
    put(&mut options, "num_predict", request.max_tokens);
    put(&mut options, "seed", request.seed);
    if !request.stop.is_empty() {
        options.insert("stop".to_owned(), json!(request.stop));
    }
    if !options.is_empty() {
        body.insert("options".to_owned(), Json::Object(options));
    }
    Ok(Json::Object(body))
}

/// The catalogue knows families; what people install has a tag behind its name.
fn thinks(target: &Target) -> bool {
    let family = target.model.split(':').next().unwrap_or_default();
    let known = catalog()
        .provider(target.provider)
        .and_then(|provider| provider.model(family));
    target.reasoning || known.is_some_and(|known| known.reasoning)
}

/// Most models think or do not; one family cannot stop and takes a level.
fn think(model: &str, effort: Option<Effort>) -> Json {
    if !model.contains("gpt-oss") {
        return json!(effort != Some(Effort::Minimal));
    }
    match effort {
        None => json!(true),
        Some(Effort::Minimal) => json!(Effort::Low.as_str()),
        Some(effort) => json!(effort.as_str()),
    }
}

/// There is no choice of tools on the wire: what must not be called is not offered.
fn tools(request: &ChatRequest) -> Vec<Json> {
    let offered = request.tools.iter().filter(|tool| match &request.tool_choice {
        ToolChoice::Auto | ToolChoice::Required => true,
        ToolChoice::Named(name) => tool.name == *name,
        ToolChoice::None => false,
    });
    let shape = |tool: &crate::chat::ToolSpec| {
        let function = json!({
            "name": tool.name,
            "description": tool.description,
            "parameters": object_schema(&tool.schema),
        });
        json!({ "type": "function", "function": function })
    };
    offered.map(shape).collect()
}

/// One message, or one for each result of a tool.
fn shape(target: &Target, message: &ChatMessage, out: &mut Vec<Json>) -> Result<(), LlmError> {
    let (mut content, mut thinking) = (String::new(), String::new());
    let (mut images, mut calls) = (Vec::new(), Vec::new());
    for part in &message.parts {
        match part {
            Part::Text(text) => content.push_str(text),
            Part::Reasoning { text, .. } => thinking.push_str(text),
            Part::Image(media) => images.push(json!(STANDARD.encode(&media.bytes))),
            Part::File(media) if media.mime.starts_with("image/") => {
                images.push(json!(STANDARD.encode(&media.bytes)));
            }
            Part::File(media) if media.mime.starts_with("text/") || media.mime == "application/json" => {
                let text = String::from_utf8_lossy(&media.bytes);
                content.push_str(&format!("\n\n{}:\n{text}", media.name));
            }
            Part::File(media) => {
                return Err(LlmError::new(
                    Class::Request,
                    format!(
                        "{} cannot read `{}`, which is {}",
                        target.label, media.name, media.mime
                    ),
                )
                .advice("Send an image or plain text, or turn the file into text first."));
            }
            Part::ToolCall(call) => {
                let mut said = json!({
                    "function": { "name": call.name, "arguments": arguments(&call.arguments) },
                });
                if !call.id.is_empty() {
                    said["id"] = json!(call.id);
                }
                calls.push(said);
            }
            Part::ToolResult {
                id, name, content, ..
            } => out.push(json!({
                "role": "tool",
                "content": content,
                "tool_name": name,
                "tool_call_id": id,
            })),
        }
    }
    let role = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => {
            // Its results are out already; words of a tool without a call have nobody to say them.
            return Ok(());
        }
    };
    let mut said = json!({ "role": role, "content": content });
    if !thinking.is_empty() {
        said["thinking"] = json!(thinking);
    }
    if !images.is_empty() {
        said["images"] = Json::Array(images);
    }
    if !calls.is_empty() {
        said["tool_calls"] = Json::Array(calls);
    }
    out.push(said);
    Ok(())
}

struct Reader {
    target: Target,
    calls: usize,
    done: bool,
}

impl Reader {
    fn read(&mut self, data: &Json, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        if let Some(error) = data.get("error") {
            return Err(self.failed(data, error));
        }
        let message = data.get("message").unwrap_or(&Json::Null);
        if let Some(text) = wire::text(message, "thinking") {
            out.push(ChatEvent::Reasoning(text.to_owned()));
        }
        if let Some(text) = wire::text(message, "content") {
            out.push(ChatEvent::Text(text.to_owned()));
        }
        for call in message
            .get("tool_calls")
            .and_then(Json::as_array)
            .into_iter()
            .flatten()
        {
            self.call(call, out)?;
        }
        if data.get("done").and_then(Json::as_bool) == Some(true) {
            self.finish(data, out);
        }
        Ok(())
    }

    fn call(&mut self, call: &Json, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        let index = next_call(self.target.label, &mut self.calls)?;
        let function = call.get("function").unwrap_or(&Json::Null);
        out.push(ChatEvent::ToolStart {
            index,
            id: wire::text(call, "id").map_or_else(|| made_up_id(index), str::to_owned),
            name: wire::text(function, "name").unwrap_or_default().to_owned(),
            signature: None,
        });
        let chunk = match function.get("arguments") {
            Some(Json::Null) | None => "{}".to_owned(),
            Some(Json::String(written)) => written.clone(),
            Some(arguments) => arguments.to_string(),
        };
        out.push(ChatEvent::ToolArguments { index, chunk });
        Ok(())
    }

    fn finish(&mut self, data: &Json, out: &mut Vec<ChatEvent>) {
        // A prompt that is still in memory is not counted again, and its figure is missing.
        let (input, output) = (
            count(data.get("prompt_eval_count")),
            count(data.get("eval_count")),
        );
        if input.is_some() || output.is_some() {
            out.push(ChatEvent::Usage(Usage {
                input: input.unwrap_or(0),
                output: output.unwrap_or(0),
                ..Usage::default()
            }));
        }
        out.push(ChatEvent::Stop(
            match wire::text(data, "done_reason").unwrap_or("stop") {
                "stop" if self.calls > 0 => StopReason::ToolCalls,
                "stop" => StopReason::End,
                "length" => StopReason::Length,
                other => StopReason::Other(other.to_owned()),
            },
        ));
        self.done = true;
    }

    /// A failure behind a status of success: all there is are its words.
    fn failed(&self, data: &Json, error: &Json) -> LlmError {
        let words = error.to_string();
        let missing = words.contains("not found");
        let status = if missing {
            StatusCode::NOT_FOUND
        } else {
            StatusCode::INTERNAL_SERVER_ERROR
        };
        let body = data.to_string();
        let mut error = refusal(&self.target, status, &HeaderMap::new(), body.as_bytes());
        error.status = None;
        if error.class == Class::Server {
            error.message = format!("{} failed while it answered", self.target.label);
            error.advice = "Try again; if it stays so, look at the log of Ollama.".to_owned();
        }
        error
    }
}

impl Decoder for Reader {
    fn frame(&mut self, frame: Frame, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        let data = lenient(&frame.data).map_err(|error| not_json(self.target.label, &error))?;
        self.read(&data, out)
    }

    fn whole(&mut self, body: Json, out: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        self.read(&body, out)?;
        if self.done { Ok(()) } else { self.end(out) }
    }

    fn end(&mut self, _: &mut Vec<ChatEvent>) -> Result<(), LlmError> {
        Err(broke_off(self.target.label))
    }

    fn is_done(&self) -> bool {
        self.done
    }
}
