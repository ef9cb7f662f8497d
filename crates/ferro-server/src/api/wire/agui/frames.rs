//! The frames of AG-UI, member by member.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value as Json;
use uuid::Uuid;

use super::super::sse::Framing;

pub(super) struct Frames {
    pub(super) framing: Framing,
    /// Milliseconds since 1970.
    pub(super) timestamp: i64,
}

impl Frames {
    pub(super) fn write(&mut self, out: &mut Vec<u8>, r#type: &'static str, body: &impl Serialize) {
        let timestamp = self.timestamp;
        self.framing.object(
            out,
            &Frame {
                r#type,
                timestamp,
                body,
            },
        );
    }

    pub(super) fn custom(&mut self, out: &mut Vec<u8>, name: &str, value: &impl Serialize) {
        self.write(out, "CUSTOM", &Custom { name, value });
    }

    pub(super) fn begin(&mut self, message_id: Uuid, out: &mut Vec<u8>) {
        let role = "assistant";
        self.write(out, "TEXT_MESSAGE_START", &TextStart { message_id, role });
    }

    /// AG-UI has no empty pieces of text.
    pub(super) fn content(&mut self, message_id: Uuid, delta: &str, out: &mut Vec<u8>) {
        if !delta.is_empty() {
            self.write(out, "TEXT_MESSAGE_CONTENT", &TextContent { message_id, delta });
        }
    }

    pub(super) fn end(&mut self, message_id: Uuid, out: &mut Vec<u8>) {
        self.write(out, "TEXT_MESSAGE_END", &TextEnd { message_id });
    }
}

#[derive(Serialize)]
pub(super) struct Frame<'a, T> {
    pub(super) r#type: &'static str,
    pub(super) timestamp: i64,
    #[serde(flatten)]
    pub(super) body: &'a T,
}

#[derive(Serialize)]
pub(super) struct Custom<'a, T> {
    pub(super) name: &'a str,
    pub(super) value: &'a T,
}

#[derive(Serialize)]
pub(super) struct Again<'a, T> {
    pub(super) event_type: &'a str,
    pub(super) data: &'a T,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run {
    pub(super) thread_id: String,
    pub(super) run_id: Uuid,
}

#[derive(Serialize)]
pub(super) struct RunError<'a> {
    pub(super) message: &'a str,
    pub(super) code: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Step<'a> {
    pub(super) step_name: &'a str,
}

#[derive(Serialize)]
pub(super) struct Snapshot<'a> {
    pub(super) snapshot: Nodes<'a>,
}

#[derive(Serialize)]
pub(super) struct Nodes<'a> {
    pub(super) nodes: BTreeMap<&'a str, NodeState<()>>,
}

impl<'a> Snapshot<'a> {
    pub(super) fn of(nodes: &'a [Arc<str>]) -> Self {
        let pending = |node: &'a Arc<str>| {
            let state = NodeState {
                status: "pending",
                output: None,
            };
            (&**node, state)
        };
        Self {
            snapshot: Nodes {
                nodes: nodes.iter().map(pending).collect(),
            },
        }
    }
}

#[derive(Serialize)]
pub(super) struct NodeState<T> {
    pub(super) status: &'static str,
    pub(super) output: Option<T>,
}

#[derive(Serialize)]
pub(super) struct Delta<T> {
    pub(super) delta: T,
}

/// One step of a JSON Patch. `add` also replaces what is there.
#[derive(Serialize)]
pub(super) struct Change<T> {
    pub(super) op: &'static str,
    pub(super) path: String,
    pub(super) value: NodeState<T>,
}

impl<T> Change<T> {
    pub(super) fn node(id: &str, status: &'static str, output: Option<T>) -> Self {
        Self {
            op: "add",
            path: format!("/nodes/{}", id.replace('~', "~0").replace('/', "~1")),
            value: NodeState { status, output },
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextStart {
    pub(super) message_id: Uuid,
    pub(super) role: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextContent<'a> {
    pub(super) message_id: Uuid,
    pub(super) delta: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextEnd {
    pub(super) message_id: Uuid,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolStart<'a> {
    pub(super) tool_call_id: &'a str,
    pub(super) tool_call_name: &'a str,
    pub(super) parent_message_id: Uuid,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolArgs<'a> {
    pub(super) tool_call_id: &'a str,
    pub(super) delta: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolEnd<'a> {
    pub(super) tool_call_id: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolResult<'a> {
    pub(super) message_id: String,
    pub(super) tool_call_id: &'a str,
    pub(super) content: &'a str,
    pub(super) role: &'static str,
}

#[derive(Serialize)]
pub(super) struct Content<'a> {
    pub(super) message_id: Uuid,
    /// Which block, and which of its contents.
    pub(super) index: [usize; 2],
    pub(super) content: &'a Json,
}

#[derive(Serialize)]
pub(super) struct Removed {
    pub(super) id: Uuid,
}

#[derive(Serialize)]
pub(super) struct Cancelled {
    pub(super) job_id: Uuid,
}
