//! A conversation as a list of items.

use serde_json::{Value as Json, json};

use super::super::openai::{data_url, file_name, readable};
use super::super::wire::arguments;
use crate::chat::{ChatMessage, Media, Part, Role};

pub(super) fn items(conversation: &[ChatMessage]) -> Vec<Json> {
    let mut out = Vec::new();
    for message in conversation {
        match message.role {
            Role::System => out.push(json!({ "role": "system", "content": message.text() })),
            Role::Assistant => assistant(message, &mut out),
            Role::User | Role::Tool => asked(message, &mut out),
        }
    }
    out
}

/// In the order they were made: a thought is refused unless what it led to follows it.
fn assistant(message: &ChatMessage, out: &mut Vec<Json>) {
    for part in &message.parts {
        match part {
            Part::Text(text) => out.push(json!({ "role": "assistant", "content": text })),
            Part::Reasoning { signature, .. } => {
                let speaks = message.parts.iter().any(|part| matches!(part, Part::Text(_)));
                if speaks {
                    thoughts(signature.as_deref(), out);
                }
            }
            Part::ToolCall(call) => {
                thoughts(call.signature.as_deref(), out);
                let written = arguments(&call.arguments).to_string();
                out.push(json!({
                    "type": "function_call", "call_id": call.id, "name": call.name, "arguments": written,
                }));
            }
            Part::Image(_) | Part::File(_) | Part::ToolResult { .. } => {}
        }
    }
}

fn asked(message: &ChatMessage, out: &mut Vec<Json>) {
    let mut parts = Vec::new();
    for part in &message.parts {
        match part {
            Part::ToolResult { id, content, .. } => {
                out.push(json!({ "type": "function_call_output", "call_id": id, "output": content }));
            }
            Part::Text(text) => parts.push(json!({ "type": "input_text", "text": text })),
            Part::Image(image) => parts.push(json!({ "type": "input_image", "image_url": data_url(image) })),
            Part::File(file) => parts.push(file_part(file)),
            Part::Reasoning { .. } | Part::ToolCall(_) => {}
        }
    }
    if !parts.is_empty() {
        out.push(json!({ "role": "user", "content": parts }));
    }
}

fn file_part(file: &Media) -> Json {
    if file.mime.starts_with("image/") {
        return json!({ "type": "input_image", "image_url": data_url(file) });
    }
    if let Some(text) = readable(file) {
        return json!({ "type": "input_text", "text": text });
    }
    json!({ "type": "input_file", "filename": file_name(file), "file_data": data_url(file) })
}

/// The signature is the list of thoughts as they came; those of other providers are not.
fn thoughts(signature: Option<&str>, out: &mut Vec<Json>) {
    let items = signature.and_then(|signature| serde_json::from_str::<Vec<Json>>(signature).ok());
    let is_thought = |item: &Json| item.get("type").and_then(Json::as_str) == Some("reasoning");
    out.extend(items.into_iter().flatten().filter(is_thought));
}
