//! Which wire format a request asks for.

use bytes::Bytes;
use serde_json::Value as Json;

use super::http::Asked;
use super::turn::Said;
use super::{chat, gemini, messages, ollama, responses};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Format {
    pub wire: Wire,
    stream: bool,
    /// The stream ends with the number of tokens, where one has to ask for it.
    usage: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Wire {
    /// OpenAI chat completions, also at Azure and at everybody who copies it.
    Chat,
    Responses,
    /// Anthropic.
    Messages,
    Gemini,
    Ollama,
    Watsonx,
}

impl Format {
    pub const CHAT: Self = Self {
        wire: Wire::Chat,
        stream: true,
        usage: true,
    };

    /// `None` when the request is no chat.
    pub fn of(asked: &Asked, body: &Json) -> Option<Self> {
        if asked.method != "POST" {
            return None;
        }
        let path = asked.path.as_str();
        let wants = body["stream"].as_bool();
        let (wire, stream) = if path.ends_with("/chat/completions") {
            (Wire::Chat, wants == Some(true))
        } else if path.ends_with("/responses") {
            (Wire::Responses, wants == Some(true))
        } else if path.ends_with("/v1/messages") {
            (Wire::Messages, wants == Some(true))
        } else if path.ends_with(":streamGenerateContent") {
            // Without `alt=sse` it sends one array, piece by piece; nobody should want that.
            (Wire::Gemini, asked.query.split('&').any(|pair| pair == "alt=sse"))
        } else if path.ends_with(":generateContent") {
            (Wire::Gemini, false)
        } else if path.ends_with("/api/chat") {
            (Wire::Ollama, wants != Some(false))
        } else if path.ends_with("/ml/v1/text/chat_stream") {
            (Wire::Watsonx, true)
        } else if path.ends_with("/ml/v1/text/chat") {
            (Wire::Watsonx, false)
        } else {
            return None;
        };
        Some(Self {
            wire,
            stream,
            usage: body["stream_options"]["include_usage"] == true,
        })
    }

    pub fn is_stream(self) -> bool {
        self.stream
    }

    pub fn content_type(self) -> &'static str {
        match self.wire {
            Wire::Ollama => "application/x-ndjson",
            Wire::Chat | Wire::Responses | Wire::Messages => "text/event-stream; charset=utf-8",
            Wire::Gemini | Wire::Watsonx => "text/event-stream",
        }
    }

    /// The pieces of a stream, each whole for itself.
    pub fn frames(self, said: &Said) -> Vec<Bytes> {
        match self.wire {
            Wire::Chat => chat::frames(said, self.usage),
            Wire::Responses => responses::frames(said),
            Wire::Messages => messages::frames(said),
            Wire::Gemini => gemini::frames(said),
            Wire::Ollama => ollama::frames(said),
            Wire::Watsonx => chat::watsonx_frames(said),
        }
    }

    pub fn whole(self, said: &Said) -> Json {
        match self.wire {
            Wire::Chat => chat::whole(said),
            Wire::Responses => responses::whole(said),
            Wire::Messages => messages::whole(said),
            Wire::Gemini => gemini::whole(said),
            Wire::Ollama => ollama::whole(said),
            Wire::Watsonx => chat::watsonx_whole(said),
        }
    }

    /// One frame with this JSON, or with what should have been JSON.
    pub fn frame(self, data: &str) -> Bytes {
        match self.wire {
            Wire::Chat => format!("data: {data}\n\n"),
            Wire::Gemini => format!("data: {data}\r\n\r\n"),
            Wire::Watsonx => format!("id: 1\nevent: message\ndata: {data}\n\n"),
            Wire::Ollama => format!("{data}\n"),
            Wire::Responses | Wire::Messages => named(data),
        }
        .into()
    }
}

/// An event named after its `type`.
fn named(data: &str) -> String {
    let json: Json = serde_json::from_str(data).unwrap_or_default();
    let name = json["type"].as_str().unwrap_or("message");
    format!("event: {name}\ndata: {data}\n\n")
}

pub(super) const MODEL: &str = "fake-model";
/// When everything here is said to have been made.
pub(super) const CREATED: u64 = 1_750_000_000;
