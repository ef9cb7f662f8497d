//! A conversation in the words of chat completions.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value as Json, json};

use super::super::wire::arguments;
use crate::chat::{ChatMessage, Media, Part, Role, ToolCall};

/// How thoughts go back to the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Thoughts {
    Dropped,
    /// As text, with the calls they led to: models that think between calls lose their thread otherwise.
    WithCalls,
    /// As OpenRouter gave them.
    Details,
}

pub(crate) fn messages(conversation: &[ChatMessage], thoughts: Thoughts) -> Vec<Json> {
    let mut out = Vec::with_capacity(conversation.len());
    for message in conversation {
        for part in &message.parts {
            if let Part::ToolResult { id, content, .. } = part {
                out.push(json!({ "role": "tool", "tool_call_id": id, "content": content }));
            }
        }
        match message.role {
            Role::System => out.push(json!({ "role": "system", "content": message.text() })),
            Role::Assistant => out.push(assistant(message, thoughts)),
            // What tools return besides text has no place in a tool's message.
            Role::User | Role::Tool => out.extend(user(message)),
        }
    }
    out
}

/// Nothing if the message has only results of tools.
fn user(message: &ChatMessage) -> Option<Json> {
    let mut parts: Vec<Json> = message.parts.iter().filter_map(user_part).collect();
    let is_text = |part: &Part| {
        matches!(
            part,
            Part::Text(_) | Part::ToolResult { .. } | Part::Reasoning { .. }
        )
    };
    let content = match parts.len() {
        0 if message.role == Role::Tool || !message.parts.is_empty() => return None,
        0 => json!(""),
        1 if message.parts.iter().all(is_text) => parts.remove(0)["text"].take(),
        _ => Json::Array(parts),
    };
    Some(json!({ "role": "user", "content": content }))
}

fn user_part(part: &Part) -> Option<Json> {
    match part {
        Part::Text(text) => Some(json!({ "type": "text", "text": text })),
        Part::Image(image) => Some(json!({ "type": "image_url", "image_url": { "url": data_url(image) } })),
        Part::File(file) => Some(file_part(file)),
        Part::Reasoning { .. } | Part::ToolCall(_) | Part::ToolResult { .. } => None,
    }
}

fn file_part(file: &Media) -> Json {
    let kind = file.mime.as_str();
    if kind.starts_with("image/") {
        return json!({ "type": "image_url", "image_url": { "url": data_url(file) } });
    }
    if let Some(format) = audio_format(kind) {
        let data = STANDARD.encode(&file.bytes);
        return json!({ "type": "input_audio", "input_audio": { "data": data, "format": format } });
    }
    if let Some(text) = readable(file) {
        return json!({ "type": "text", "text": text });
    }
    json!({ "type": "file", "file": { "filename": file_name(file), "file_data": data_url(file) } })
}

fn audio_format(mime: &str) -> Option<&'static str> {
    match mime {
        "audio/wav" | "audio/x-wav" | "audio/wave" => Some("wav"),
        "audio/mpeg" | "audio/mp3" => Some("mp3"),
        _ => None,
    }
}

/// A file that is text, under its name: such files are not taken as files.
pub(crate) fn readable(file: &Media) -> Option<String> {
    let kind = file.mime.split(';').next().unwrap_or_default().trim();
    let is_text = kind.starts_with("text/")
        || kind.ends_with("+json")
        || kind.ends_with("+xml")
        || matches!(
            kind,
            "application/json" | "application/xml" | "application/yaml" | "application/x-yaml"
        );
    let text = is_text.then(|| std::str::from_utf8(&file.bytes).ok())??;
    Some(format!("{}:\n\n{text}", file_name(file)))
}

pub(crate) fn file_name(file: &Media) -> String {
    match (file.name.as_str(), file.mime.as_str()) {
        ("", "application/pdf") => "document.pdf".to_owned(),
        ("", _) => "file".to_owned(),
        (name, _) => name.to_owned(),
    }
}

pub(crate) fn data_url(media: &Media) -> String {
    format!("data:{};base64,{}", media.mime, STANDARD.encode(&media.bytes))
}

fn assistant(message: &ChatMessage, thoughts: Thoughts) -> Json {
    let text = message.text();
    let calls: Vec<Json> = message.tool_calls().map(call).collect();
    let content = if text.is_empty() && !calls.is_empty() {
        Json::Null
    } else {
        text.into()
    };
    let mut said = json!({ "role": "assistant", "content": content });
    match thoughts {
        Thoughts::WithCalls if !calls.is_empty() => {
            let thought: String = message.parts.iter().filter_map(thought).collect();
            if !thought.is_empty() {
                said["reasoning_content"] = thought.into();
            }
        }
        Thoughts::Details => {
            if let Some(details) = message.parts.iter().find_map(details) {
                said["reasoning_details"] = details;
            }
        }
        _ => {}
    }
    if !calls.is_empty() {
        said["tool_calls"] = calls.into();
    }
    said
}

fn call(call: &ToolCall) -> Json {
    // Servers that read the arguments refuse a whole conversation for one call that is not JSON.
    let written = arguments(&call.arguments).to_string();
    json!({ "id": call.id, "type": "function", "function": { "name": call.name, "arguments": written } })
}

fn thought(part: &Part) -> Option<&str> {
    match part {
        Part::Reasoning { text, .. } => Some(text),
        _ => None,
    }
}

/// Only what came from there: the conversation may have begun with another provider.
fn details(part: &Part) -> Option<Json> {
    let Part::Reasoning {
        signature: Some(signature),
        ..
    } = part
    else {
        return None;
    };
    let details: Json = serde_json::from_str(signature).ok()?;
    let is_detail = |detail: &Json| {
        let kind = detail.get("type").and_then(Json::as_str);
        kind.is_some_and(|kind| kind.starts_with("reasoning."))
    };
    let all = details.as_array()?;
    (!all.is_empty() && all.iter().all(is_detail)).then_some(details)
}
