//! OpenAI's Responses API: for models that think, whose thoughts it takes back, and wherever it is asked for.

mod input;
mod stream;

use serde_json::{Map, Value as Json, json};

use super::openai::{adapt, effort_word, is_strict, reminder, text_format, thinks};
use super::wire::{bearer, object_schema, put};
use super::{Codec, Decoder, Outgoing, Target, openai};
use crate::chat::{ChatRequest, ToolChoice, ToolSpec};
use crate::error::LlmError;

pub(crate) struct Responses;

/// The provider refuses to be asked for less.
const FEWEST_TOKENS: u32 = 16;

impl Codec for Responses {
    fn request(&self, target: &Target, request: &ChatRequest) -> Result<Outgoing, LlmError> {
        Ok(Outgoing {
            url: openai::below(target, "/responses")?,
            headers: Vec::new(),
            secrets: target.key.iter().map(bearer).collect(),
            body: Json::Object(body(target, request)),
        })
    }

    fn decoder(&self, target: &Target) -> Box<dyn Decoder> {
        Box::new(stream::Reader::new(target))
    }

    fn adapt(&self, body: &mut Json, refusal: &LlmError) -> bool {
        adapt(body, refusal)
    }
}

/// It knows no stop words and no seed.
fn body(target: &Target, request: &ChatRequest) -> Map<String, Json> {
    let mut input = input::items(&request.messages);
    if let Some(reminder) = reminder(&request.format, &input) {
        input.insert(0, json!({ "role": "system", "content": reminder }));
    }
    let mut body = Map::new();
    body.insert("model".to_owned(), target.model.as_str().into());
    body.insert("input".to_owned(), input.into());
    body.insert("stream".to_owned(), true.into());
    // The conversation is ours to keep; nothing stays with the provider.
    body.insert("store".to_owned(), false.into());
    put(
        &mut body,
        "max_output_tokens",
        request.max_tokens.map(|limit| limit.max(FEWEST_TOKENS)),
    );
    if thinks(target) {
        let mut reasoning = json!({ "summary": "auto" });
        if let Some(effort) = request.effort {
            reasoning["effort"] = effort_word(target, effort).into();
        }
        body.insert("reasoning".to_owned(), reasoning);
        // Thoughts that the provider does not keep must come back with the next question.
        body.insert("include".to_owned(), json!(["reasoning.encrypted_content"]));
    } else {
        put(&mut body, "temperature", request.temperature);
        put(&mut body, "top_p", request.top_p);
    }
    put(
        &mut body,
        "text",
        text_format(&request.format).map(|format| json!({ "format": format })),
    );
    if !request.tools.is_empty() {
        let tools: Vec<Json> = request.tools.iter().map(tool).collect();
        body.insert("tools".to_owned(), tools.into());
        put(&mut body, "tool_choice", tool_choice(&request.tool_choice));
        put(&mut body, "parallel_tool_calls", request.parallel_tools);
    }
    body
}

fn tool(tool: &ToolSpec) -> Json {
    let schema = object_schema(&tool.schema);
    json!({
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        // Left out it counts as true, and schemas that do not allow it are refused.
        "strict": is_strict(&schema),
        "parameters": schema,
    })
}

fn tool_choice(choice: &ToolChoice) -> Option<Json> {
    match choice {
        ToolChoice::Auto => None,
        ToolChoice::Required => Some("required".into()),
        ToolChoice::None => Some("none".into()),
        ToolChoice::Named(name) => Some(json!({ "type": "function", "name": name })),
    }
}
