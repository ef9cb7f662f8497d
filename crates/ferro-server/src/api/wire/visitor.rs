//! What a visitor of a shared flow gets to see of a run: the conversation, and nothing of how the flow is made.

use std::sync::Arc;

use ferro_engine::{Body, Cause, Event, Failure, Message, NodeResult, Outputs, RunStatus, Value};
use serde_json::{Map, Value as Json};
use uuid::Uuid;

use super::message::{is_error, kind_of};
use super::{Encoder, Meta};

/// Properties that say how a message looks. Others name models, nodes and what they cost.
const LOOKS: [&str; 5] = [
    "state",
    "allow_markdown",
    "icon",
    "text_color",
    "background_color",
];
/// Members of a tool's block that say that it was used, not with what.
const USED: [&str; 5] = ["type", "id", "name", "duration", "header"];

/// Another encoder, told only what a visitor may know. What it does not know is left out.
pub struct Discreet {
    inner: Box<dyn Encoder>,
    meta: Arc<Meta>,
    /// What the visitor knows the flow by.
    flow_id: Uuid,
    session_id: String,
}

impl Discreet {
    pub fn new(inner: Box<dyn Encoder>, meta: Arc<Meta>, flow_id: Uuid) -> Self {
        Self {
            inner,
            meta,
            flow_id,
            session_id: String::new(),
        }
    }

    fn is_chat(&self, node: &str) -> bool {
        self.meta.get(node).is_some_and(super::meta::NodeMeta::is_chat)
    }

    fn message(&self, message: &Message) -> Message {
        let mut message = for_visitor(message);
        // The page looks for its own session, whatever the nodes call theirs.
        message.session_id.clone_from(&self.session_id);
        message
    }

    fn chat_nodes(&self, nodes: &[Arc<str>]) -> Vec<Arc<str>> {
        nodes.iter().filter(|node| self.is_chat(node)).cloned().collect()
    }

    fn result(&self, result: &NodeResult) -> NodeResult {
        let values = result
            .outputs
            .values
            .iter()
            .filter_map(|(name, value)| match value {
                Value::Message(message) => {
                    Some((name.clone(), Value::Message(Arc::new(self.message(message)))))
                }
                _ => None,
            });
        NodeResult {
            outputs: Outputs {
                values: values.collect(),
                ..Outputs::default()
            },
            duration_us: result.duration_us,
            ..NodeResult::default()
        }
    }

    fn shown(&mut self, event: &Event) -> Option<Body> {
        Some(match &event.body {
            Body::RunStarted {
                run_id, session_id, ..
            } => {
                self.session_id.clone_from(session_id);
                Body::RunStarted {
                    run_id: *run_id,
                    flow_id: self.flow_id,
                    session_id: session_id.clone(),
                }
            }
            Body::Planned { nodes, first } => Body::Planned {
                nodes: self.chat_nodes(nodes),
                first: self.chat_nodes(first),
            },
            Body::NodeStarted { at, .. } | Body::NodeSkipped { at, .. } if self.is_chat(&at.node) => {
                event.body.clone()
            }
            Body::NodeFinished { at, result } if self.is_chat(&at.node) => Body::NodeFinished {
                at: at.clone(),
                result: self.result(result),
            },
            // The end of the run says that something failed, without saying what.
            Body::Message {
                message,
                node,
                store,
                is_output,
            } if !is_error(message) => Body::Message {
                message: Box::new(self.message(message)),
                node: Arc::clone(node),
                store: *store,
                is_output: *is_output,
            },
            Body::Token { .. } | Body::MessageRemoved { .. } => event.body.clone(),
            // Whether to do something twice after a crash is for the owner to say.
            Body::Asked { question, .. } if question.kind != "effect_unknown" => event.body.clone(),
            Body::RunEnded {
                status,
                failure,
                duration_us,
                ..
            } => Body::RunEnded {
                status: *status,
                failure: failure.as_ref().map(|_| trouble(*status)),
                duration_us: *duration_us,
                usage: None,
            },
            _ => return None,
        })
    }
}

impl Encoder for Discreet {
    fn encode(&mut self, event: &Event, out: &mut Vec<u8>) {
        if let Some(body) = self.shown(event) {
            let event = Event {
                body,
                ..event.clone()
            };
            self.inner.encode(&event, out);
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        self.inner.finish(out);
    }
}

const ADVICE: &str = "Try again. If it happens again, tell whoever shared this flow.";

/// What a visitor is told instead of what went wrong.
fn trouble(status: RunStatus) -> Failure {
    let failure = match status {
        RunStatus::TimedOut => Failure::new(Cause::Timeout, "It took too long."),
        _ => Failure::new(Cause::Unavailable, "The flow could not answer."),
    };
    failure.advice(ADVICE)
}

/// The message without what it tells of the flow: its model, files, tools' arguments and results, thoughts and errors.
pub fn for_visitor(message: &Message) -> Message {
    if is_error(message) {
        return told_failure(message);
    }
    let looks = message
        .properties
        .iter()
        .filter(|(name, _)| LOOKS.contains(&name.as_str()));
    Message {
        id: message.id,
        text: message.text.clone(),
        sender: message.sender,
        sender_name: message.sender_name.clone(),
        session_id: message.session_id.clone(),
        context_id: message.context_id.clone(),
        category: message.category.clone(),
        properties: looks.map(|(name, value)| (name.clone(), value.clone())).collect(),
        content_blocks: message.content_blocks.iter().filter_map(block).collect(),
        timestamp: message.timestamp,
        ..Message::default()
    }
}

fn told_failure(message: &Message) -> Message {
    let failure = trouble(RunStatus::Failed);
    Message {
        id: message.id,
        text: format!("{} {}", failure.message, failure.advice),
        sender: message.sender,
        session_id: message.session_id.clone(),
        category: "error".to_owned(),
        error: true,
        timestamp: message.timestamp,
        ..Message::default()
    }
}

fn block(block: &Json) -> Option<Json> {
    match kind_of(block) {
        // Thoughts quote what the model was told; the others say what the flow is made of.
        "reasoning" | "error" | "usage" | "file" => None,
        "tool_use" => {
            let members = block.as_object()?.iter();
            let used = members.filter(|(name, _)| USED.contains(&name.as_str()));
            Some(Json::Object(
                used.map(|(name, value)| (name.clone(), value.clone()))
                    .collect::<Map<_, _>>(),
            ))
        }
        _ => {
            let mut block = block.clone();
            if let Some(contents) = block.get_mut("contents").and_then(Json::as_array_mut) {
                *contents = contents.iter().filter_map(self::block).collect();
            }
            Some(block)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::agui::Agui;
    use super::super::langflow::{Flavour, Langflow};
    use super::super::script;
    use super::super::sse::{Framing, Numbers};
    use super::*;

    fn encoders() -> Vec<Box<dyn Encoder>> {
        let meta = script::meta();
        let numbered = || Framing::Numbered(Numbers::default());
        vec![
            Box::new(Agui::new(meta.clone(), Numbers::default())),
            Box::new(Langflow::new(meta.clone(), Flavour::Build, Framing::Lines)),
            Box::new(Langflow::new(meta, Flavour::Workflow, numbered())),
        ]
    }

    #[test]
    fn a_visitor_learns_the_conversation_alone() {
        let flow = Uuid::from_u128(77);
        for encoder in encoders() {
            let text = script::encode(
                &mut Discreet::new(encoder, script::meta(), flow),
                &script::everything(),
            );
            let lines: Vec<&str> = text.lines().filter(|line| line.contains('{')).collect();
            for line in &lines {
                let kind = |name: &str| line.contains(&format!("\"{name}\""));
                assert!(!kind("log") && !kind("langflow.log"), "{line}");
            }
            let failure = script::everything()
                .into_iter()
                .find_map(|event| match event.body {
                    Body::NodeFailed { failure, .. } => Some(failure),
                    _ => None,
                });
            let failure = failure.expect("a failure");
            assert!(!text.contains(&failure.message), "{text}");
            assert!(text.contains("The flow could not answer."), "{text}");
            let nodes = script::meta();
            let others = nodes.nodes().iter().filter(|node| !node.is_chat());
            for node in others {
                let names = [format!("\"id\":\"{}\"", node.id), format!("/nodes/{}", node.id)];
                assert!(
                    !names.iter().any(|name| text.contains(name)),
                    "{}: {text}",
                    node.id
                );
            }
            assert!(text.contains(&flow.to_string()), "{text}");
        }
    }

    #[test]
    fn blocks_keep_what_was_said_and_lose_how() {
        let message = Message {
            text: "done".to_owned(),
            files: vec!["owner/file".to_owned()],
            properties: serde_json::from_str(
                r#"{"state":"complete","source":{"source":"gpt"},"usage":{"input_tokens":1}}"#,
            )
            .unwrap(),
            content_blocks: vec![
                serde_json::json!({ "type": "text", "text": "let me see" }),
                serde_json::json!({ "type": "reasoning", "text": "I was told to be brief" }),
                serde_json::json!({ "type": "tool_use", "name": "find", "tool_input": { "q": "salary" }, "output": "12", "error": "no" }),
                serde_json::json!({ "title": "Steps", "contents": [{ "type": "error", "reason": "no key" }, { "type": "text", "text": "hm" }] }),
            ],
            ..Message::default()
        };
        let shown = for_visitor(&message);
        assert_eq!(shown.text, "done");
        assert!(shown.files.is_empty());
        assert_eq!(
            serde_json::to_value(&shown.properties).unwrap(),
            serde_json::json!({ "state": "complete" })
        );
        assert_eq!(
            serde_json::to_value(&shown.content_blocks).unwrap(),
            serde_json::json!([
                { "type": "text", "text": "let me see" },
                { "type": "tool_use", "name": "find" },
                { "title": "Steps", "contents": [{ "type": "text", "text": "hm" }] },
            ])
        );
    }
}
