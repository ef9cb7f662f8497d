//! A scripted model and a small world to try the assistant in. Used by the unit tests here and, as a file, by the tests
//! in `tests/it`: hence a `mod.rs`, and `ferro_assistant::` for our own names.

#![allow(
    dead_code,
    unused_imports,
    reason = "two test binaries share this file and neither uses all of it"
)]

mod script;
mod world;

pub use script::{Said, Script, broken_off, calls, calls_saying, fails, intent, pending, says, unavailable};
pub use world::{CODE, World, chatbot, chatbot_with, flow_of, parse, registry};

use ferro_assistant::{AssistEvent, Completed, End, Outcome, Turn, assist};

/// Works through a turn and gives everything that was told.
pub async fn all(turn: Turn) -> (Outcome, Vec<AssistEvent>) {
    let (sender, mut receiver) = tokio::sync::mpsc::unbounded_channel();
    let outcome = assist(turn, sender).await;
    let mut events = Vec::new();
    while let Ok(event) = receiver.try_recv() {
        events.push(event);
    }
    (outcome, events)
}

/// The turn's `complete`; fails the test when it ended otherwise.
pub fn completed(outcome: &Outcome) -> &Completed {
    match &outcome.end {
        End::Completed(completed) => completed,
        End::Failed { message, .. } => panic!("the turn failed: {message}"),
    }
}

/// One line per event: its kind, and what tells it from others of the kind.
pub fn trace(events: &[AssistEvent]) -> Vec<String> {
    events.iter().map(line).collect()
}

fn line(event: &AssistEvent) -> String {
    match event {
        AssistEvent::Progress {
            step,
            attempt,
            max_attempts,
            ..
        } => {
            let step = serde_json::to_value(step).unwrap_or_default();
            format!(
                "progress {} {attempt}/{max_attempts}",
                step.as_str().unwrap_or_default()
            )
        }
        AssistEvent::Token { chunk } => format!("token {chunk}"),
        AssistEvent::ToolStart { tool, .. } => format!("tool_start {tool}"),
        AssistEvent::FlowUpdate(update) => {
            let json = serde_json::to_value(update).unwrap_or_default();
            let applied = if json["auto_apply"] == true {
                " applied"
            } else {
                ""
            };
            format!(
                "flow_update {}{applied}",
                json["action"].as_str().unwrap_or_default()
            )
        }
        AssistEvent::FlowPreview {
            node_count,
            edge_count,
            ..
        } => format!("flow_preview {node_count} nodes {edge_count} edges"),
        AssistEvent::FileWritten { path, .. } => format!("file_written {path}"),
        AssistEvent::Complete { .. } => "complete".to_owned(),
        AssistEvent::Error { message, .. } => format!("error {message}"),
        AssistEvent::Cancelled { .. } => "cancelled".to_owned(),
    }
}
