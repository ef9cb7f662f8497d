//! The objects of OpenAI's responses, member by member.

use ferro_engine::Usage;
use serde::Serialize;
use serde_json::{Map, Value as Json};
use uuid::Uuid;

use super::ErrorDetail;

#[derive(Serialize)]
pub(super) struct Chunk<'a> {
    pub(super) id: &'a str,
    pub(super) object: &'static str,
    pub(super) created: i64,
    pub(super) model: &'a str,
    pub(super) delta: Delta<'a>,
    pub(super) status: &'static str,
    pub(super) finish_reason: Option<&'static str>,
}

#[derive(Serialize)]
pub(super) struct Delta<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) content: Option<&'a str>,
}

#[derive(Serialize)]
pub(super) struct ItemEvent<'a> {
    pub(super) r#type: &'static str,
    pub(super) item: CallItem<'a>,
}

#[derive(Serialize)]
pub(super) struct ArgumentsDelta<'a> {
    pub(super) r#type: &'static str,
    pub(super) item_id: &'a str,
    pub(super) delta: &'a str,
}

#[derive(Serialize)]
pub(super) struct ArgumentsDone<'a> {
    pub(super) r#type: &'static str,
    pub(super) item_id: &'a str,
    pub(super) arguments: &'a str,
}

#[derive(Serialize)]
pub(super) struct CallItem<'a> {
    pub(super) r#type: &'static str,
    pub(super) id: &'a str,
    pub(super) call_id: &'a str,
    pub(super) name: &'a str,
    pub(super) arguments: &'a str,
    pub(super) status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) results: Option<&'a str>,
}

#[derive(Serialize)]
pub(super) struct Completed<'a> {
    pub(super) r#type: &'static str,
    pub(super) response: Response<'a>,
}

/// Every member OpenAI's clients look for, whether a flow knows of it or not.
#[derive(Serialize)]
pub(super) struct Response<'a> {
    pub(super) id: &'a str,
    pub(super) object: &'static str,
    pub(super) created_at: i64,
    pub(super) status: &'static str,
    pub(super) error: Option<ErrorDetail>,
    pub(super) incomplete_details: Option<()>,
    pub(super) instructions: Option<&'a str>,
    pub(super) max_output_tokens: Option<u64>,
    pub(super) model: &'a str,
    pub(super) output: Vec<Item<'a>>,
    pub(super) parallel_tool_calls: bool,
    pub(super) previous_response_id: Option<&'a str>,
    pub(super) reasoning: Reasoning,
    pub(super) store: bool,
    pub(super) temperature: f64,
    pub(super) text: TextFormat,
    pub(super) tool_choice: &'static str,
    pub(super) tools: [Json; 0],
    pub(super) top_p: f64,
    pub(super) truncation: &'static str,
    pub(super) usage: Option<Spent>,
    pub(super) user: Option<&'a str>,
    pub(super) metadata: Map<String, Json>,
}

#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Item<'a> {
    Call(CallItem<'a>),
    Message(Said),
}

#[derive(Serialize)]
pub(super) struct Said {
    pub(super) r#type: &'static str,
    pub(super) id: String,
    pub(super) status: &'static str,
    role: &'static str,
    pub(super) content: [Written; 1],
}

impl Said {
    pub(super) fn new(run_id: Uuid, text: String) -> Self {
        Self {
            r#type: "message",
            id: format!("msg_{}", run_id.simple()),
            status: "completed",
            role: "assistant",
            content: [Written {
                r#type: "output_text",
                text,
                annotations: [],
            }],
        }
    }
}

#[derive(Serialize)]
pub(super) struct Written {
    pub(super) r#type: &'static str,
    pub(super) text: String,
    pub(super) annotations: [Json; 0],
}

#[derive(Default, Serialize)]
pub(super) struct Reasoning {
    pub(super) effort: Option<&'static str>,
    pub(super) summary: Option<&'static str>,
}

#[derive(Serialize)]
pub(super) struct TextFormat {
    pub(super) format: Format,
}

#[derive(Serialize)]
pub(super) struct Format {
    pub(super) r#type: &'static str,
}

impl Default for TextFormat {
    fn default() -> Self {
        Self {
            format: Format { r#type: "text" },
        }
    }
}

#[derive(Serialize)]
pub(super) struct Spent {
    pub(super) input_tokens: u64,
    pub(super) input_tokens_details: Cached,
    pub(super) output_tokens: u64,
    pub(super) output_tokens_details: Reasoned,
    pub(super) total_tokens: u64,
}

#[derive(Serialize)]
pub(super) struct Cached {
    pub(super) cached_tokens: u64,
}

#[derive(Serialize)]
pub(super) struct Reasoned {
    pub(super) reasoning_tokens: u64,
}

impl From<Usage> for Spent {
    fn from(usage: Usage) -> Self {
        Self {
            input_tokens: usage.input_tokens,
            input_tokens_details: Cached { cached_tokens: 0 },
            output_tokens: usage.output_tokens,
            output_tokens_details: Reasoned { reasoning_tokens: 0 },
            total_tokens: usage.total_tokens,
        }
    }
}
