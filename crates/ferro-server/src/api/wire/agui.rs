//! AG-UI: the open protocol between agents and pages, with the custom events Langflow's canvas and chat read.

mod frames;
mod speech;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use ferro_engine::{At, Body, Event, Failure, Message, NodeResult, RunStatus, Sender};
use serde::Serialize;
use serde_json::Value as Json;
use uuid::Uuid;

use self::frames::{
    Again, Cancelled, Change, Content, Delta, Frames, Removed, Run, RunError, Snapshot, Step, ToolArgs,
    ToolEnd, ToolResult, ToolStart,
};
use self::speech::{Speech, Then};
use super::components::{Broken, HumanRequest, LogEvent, Produced};
use super::langflow::{BuildEnd, Token};
use super::message::{Blocks, MessageRead, ToolUse, failure_message, is_error, is_partial, kind_of, leaves};
use super::meta::Meta;
use super::sse::{Framing, Numbers};
use super::track::Track;
use super::{Encoder, Moment, Spaced};

pub struct Agui {
    track: Track,
    frames: Frames,
    /// Steps that have begun and not ended.
    running: BTreeSet<Arc<str>>,
    inactive: HashSet<Arc<str>>,
    speech: Speech,
    /// What was last said of a block, so that it is said again only when it changed.
    blocks: HashMap<(Uuid, usize, usize), u64>,
}

impl Agui {
    /// `after` is the number of the last frame the reader has.
    pub fn new(meta: Arc<Meta>, after: Numbers) -> Self {
        Self {
            track: Track::new(meta),
            frames: Frames {
                framing: Framing::Numbered(after),
                timestamp: 0,
            },
            running: BTreeSet::new(),
            inactive: HashSet::new(),
            speech: Speech::default(),
            blocks: HashMap::new(),
        }
    }

    /// Stated twice: AG-UI's own frames, and this one, which Langflow's chat reads.
    fn again(&mut self, event_type: &str, data: &impl Serialize, out: &mut Vec<u8>) {
        let value = Again { event_type, data };
        self.frames.custom(out, "langflow.event", &value);
    }

    fn step_started(&mut self, at: &At, out: &mut Vec<u8>) {
        // A loop comes back to a step that has not ended.
        if self.running.insert(Arc::clone(&at.node)) {
            self.frames
                .write(out, "STEP_STARTED", &Step { step_name: &at.node });
        }
        let change = Change::node(&at.node, "running", None::<()>);
        self.frames.write(out, "STATE_DELTA", &Delta { delta: [change] });
    }

    fn step_finished(&mut self, node: &str, out: &mut Vec<u8>) {
        if self.running.remove(node) {
            self.frames.write(out, "STEP_FINISHED", &Step { step_name: node });
        }
    }

    fn finished(&mut self, at: &At, result: &NodeResult, out: &mut Vec<u8>) {
        self.step_finished(&at.node, out);
        let logs = self.track.take_logs(&at.node);
        let produced = Produced::new(&at.node, result, &self.track.meta, &self.track.ids, &logs);
        let change = Change::node(&at.node, "success", Some(produced.built()));
        self.frames.write(out, "STATE_DELTA", &Delta { delta: [change] });
        self.inactivate(&result.inactivated, out);
    }

    fn failed(&mut self, event: &Event, at: &At, failure: &Failure, duration_us: u64, out: &mut Vec<u8>) {
        self.step_finished(&at.node, out);
        let logs = self.track.take_logs(&at.node);
        let broken = Broken::new(self.track.meta.get(&at.node), failure, duration_us, &logs);
        let change = Change::node(&at.node, "error", Some(broken));
        self.frames.write(out, "STATE_DELTA", &Delta { delta: [change] });
        if !self.track.has_told(&at.node) {
            self.complain(failure, &at.node, event, out);
        }
    }

    fn complain(&mut self, failure: &Failure, node: &str, event: &Event, out: &mut Vec<u8>) {
        let Track { meta, ids, .. } = &self.track;
        let message = failure_message(failure, node, meta, ids, (event.at, event.seq));
        let value = Again {
            event_type: "error",
            data: &MessageRead::new(&message, ids, Blocks::Flat),
        };
        self.frames.custom(out, "langflow.event", &value);
    }

    /// Only those of which it has not been said yet.
    fn inactivate(&mut self, nodes: &[Arc<str>], out: &mut Vec<u8>) {
        let new = nodes.iter().filter(|node| self.inactive.insert(Arc::clone(node)));
        let delta: Vec<_> = new
            .map(|node| Change::node(node, "inactive", None::<()>))
            .collect();
        if !delta.is_empty() {
            self.frames.write(out, "STATE_DELTA", &Delta { delta });
        }
    }

    fn message(&mut self, message: &Message, is_output: bool, out: &mut Vec<u8>) {
        if let (Some(id), false, Sender::Machine) = (message.id, is_error(message), message.sender) {
            let rest = self.speech.passed.rest(id, &message.text).to_owned();
            let then = if is_partial(message) {
                Then::More
            } else {
                Then::Over
            };
            self.speech.say(id, &rest, then, &mut self.frames, out);
            self.contents(id, &message.content_blocks, out);
        }
        let event_type = if is_error(message) { "error" } else { "add_message" };
        let value = Again {
            event_type,
            data: &MessageRead::new(message, &self.track.ids, Blocks::Flat).output(is_output),
        };
        self.frames.custom(out, "langflow.event", &value);
    }

    fn contents(&mut self, message: Uuid, blocks: &[Json], out: &mut Vec<u8>) {
        for (i, j, block) in leaves(blocks) {
            let place = (message, i, j);
            if let Some(tool) = ToolUse::of(block) {
                self.tool(place, &tool, out);
                continue;
            }
            let kind = kind_of(block);
            let is_shown = matches!(
                kind,
                "json" | "code" | "media" | "error" | "image" | "audio" | "video" | "file"
            );
            if is_shown && self.blocks.insert(place, digest(block)) != Some(digest(block)) {
                let value = Content {
                    message_id: message,
                    index: [i, j],
                    content: block,
                };
                self.frames
                    .custom(out, &format!("langflow.content.{kind}"), &value);
            }
        }
    }

    fn tool(&mut self, place: (Uuid, usize, usize), tool: &ToolUse<'_>, out: &mut Vec<u8>) {
        const CALLED: u64 = 1;
        const ANSWERED: u64 = 2;
        let (message, i, j) = place;
        let id = &format!("{message}:tool:{i}:{j}");
        let before = self.blocks.get(&place).copied().unwrap_or(0);
        if before < CALLED {
            let start = ToolStart {
                tool_call_id: id,
                tool_call_name: tool.name,
                parent_message_id: message,
            };
            self.frames.write(out, "TOOL_CALL_START", &start);
            let arguments = ToolArgs {
                tool_call_id: id,
                delta: &tool.arguments,
            };
            self.frames.write(out, "TOOL_CALL_ARGS", &arguments);
            self.frames
                .write(out, "TOOL_CALL_END", &ToolEnd { tool_call_id: id });
            self.blocks.insert(place, CALLED);
        }
        if let Some(content) = tool.result.as_deref().filter(|_| before < ANSWERED) {
            let result = ToolResult {
                message_id: format!("{id}:result"),
                tool_call_id: id,
                content,
                role: "tool",
            };
            self.frames.write(out, "TOOL_CALL_RESULT", &result);
            self.blocks.insert(place, ANSWERED);
        }
    }

    fn ended(&mut self, event: &Event, out: &mut Vec<u8>) {
        let Body::RunEnded {
            status,
            failure,
            duration_us,
            ..
        } = &event.body
        else {
            return;
        };
        self.speech.stop(&mut self.frames, out);
        // A reader must not find a step open after the run.
        for node in std::mem::take(&mut self.running) {
            self.frames
                .write(out, "STEP_FINISHED", &Step { step_name: &node });
        }
        let run = Run {
            thread_id: self.track.ids.session_id.clone(),
            run_id: self.track.ids.run_id.unwrap_or_default(),
        };
        if *status == RunStatus::Cancelled {
            let job_id = run.run_id;
            self.frames
                .custom(out, "langflow.run.cancelled", &Cancelled { job_id });
            self.frames.write(out, "RUN_FINISHED", &run);
            return;
        }
        if let Some(failure) = failure.as_ref().filter(|_| !self.track.any_failed) {
            self.complain(failure, "", event, out);
        }
        let build_duration = *duration_us as f64 / 1e6;
        self.again("end", &BuildEnd { build_duration }, out);
        if *status == RunStatus::Completed {
            self.frames.write(out, "RUN_FINISHED", &run);
        } else {
            let message = failure
                .as_ref()
                .map_or("The run failed", |failure| &failure.message);
            let code = failure
                .as_ref()
                .map(|failure| super::components::cause(failure.cause));
            self.frames.write(out, "RUN_ERROR", &RunError { message, code });
        }
    }
}

fn digest(block: &Json) -> u64 {
    let mut hasher = DefaultHasher::new();
    block.to_string().hash(&mut hasher);
    hasher.finish()
}

impl Encoder for Agui {
    fn encode(&mut self, event: &Event, out: &mut Vec<u8>) {
        self.track.observe(event);
        self.frames.timestamp = event.at / 1000;
        match &event.body {
            Body::RunStarted {
                run_id, session_id, ..
            } => {
                let run = Run {
                    thread_id: session_id.clone(),
                    run_id: *run_id,
                };
                self.frames.write(out, "RUN_STARTED", &run);
                self.frames.write(out, "STATE_SNAPSHOT", &Snapshot::of(&[]));
            }
            Body::Planned { nodes, .. } => self.frames.write(out, "STATE_SNAPSHOT", &Snapshot::of(nodes)),
            Body::NodeStarted { at, .. } => self.step_started(at, out),
            Body::NodeFinished { at, result } if result.each.is_none() => self.finished(at, result, out),
            Body::NodeFailed {
                at,
                failure,
                duration_us,
                ..
            } => self.failed(event, at, failure, *duration_us, out),
            Body::NodeSkipped { at, .. } => self.inactivate(std::slice::from_ref(&at.node), out),
            Body::Message {
                message, is_output, ..
            } => self.message(message, *is_output, out),
            Body::Token {
                message_id, chunk, ..
            } => {
                self.speech.passed.token(*message_id, chunk);
                self.speech
                    .say(*message_id, chunk, Then::More, &mut self.frames, out);
                let timestamp = Spaced(Moment(event.at));
                let id = *message_id;
                self.again("token", &Token { chunk, id, timestamp }, out);
            }
            Body::MessageRemoved { message_id } => {
                self.speech.forget(*message_id, &mut self.frames, out);
                self.again("remove_message", &Removed { id: *message_id }, out);
            }
            Body::Log { node, name, message } => {
                let value = LogEvent::new(node, name, message, &self.track.meta);
                self.frames.custom(out, "langflow.log", &value);
            }
            Body::Asked {
                at,
                request_id,
                question,
            } => {
                let Track { meta, ids, .. } = &self.track;
                let value = HumanRequest::new(*request_id, &at.node, question, meta, ids);
                self.frames.custom(out, "langflow.human_input_required", &value);
            }
            Body::RunEnded { .. } => self.ended(event, out),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect, expect_file};

    use super::super::script;
    use super::*;

    fn encode(events: &[Event], after: u64) -> String {
        script::encode(&mut Agui::new(script::meta(), Numbers::after(after)), events)
    }

    /// Type and what it is about, a line each; what is said again is left out.
    fn outline(text: &str) -> String {
        let mut lines = String::new();
        for frame in text.lines().filter_map(|line| line.strip_prefix("data: ")) {
            let frame: Json = serde_json::from_str(frame).unwrap();
            let about = ["messageId", "stepName", "toolCallId", "name", "message"]
                .iter()
                .find_map(|key| frame[key].as_str());
            if about == Some("langflow.event") {
                continue;
            }
            let more = frame["delta"]
                .as_str()
                .or(frame["content"].as_str())
                .unwrap_or_default();
            let about = about
                .unwrap_or_default()
                .trim_start_matches("00000000-0000-0000-0000-0000000000");
            lines += &format!("{} {about} {more:?}\n", frame["type"].as_str().unwrap());
        }
        lines
    }

    fn check(bodies: &[&str], expected: &Expect) {
        expected.assert_eq(&outline(&encode(&script::events(bodies), 0)));
    }

    #[test]
    fn everything_has_its_frames() {
        expect_file!["testdata/agui.txt"].assert_eq(&encode(&script::everything(), 0));
    }

    #[test]
    fn one_text_is_open_at_a_time() {
        let said = |id: &str, text: &str, state: &str| {
            format!(
                r#"{{"type":"message","message":{{"id":"00000000-0000-0000-0000-0000000000{id}","text":"{text}","properties":{{"state":"{state}"}}}},"node":"n","store":true,"is_output":false}}"#
            )
        };
        let token = |id: &str, chunk: &str| {
            format!(
                r#"{{"type":"token","message_id":"00000000-0000-0000-0000-0000000000{id}","node":"n","chunk":"{chunk}"}}"#
            )
        };
        let script = [
            said("01", "", "partial"),
            token("01", "a"),
            said("02", "x", "complete"),
            said("03", "y", "partial"),
            token("03", "z"),
            token("01", "b"),
            said("01", "abc", "complete"),
            said("01", "abc", "complete"),
            token("03", "!"),
            said("04", "never", "partial"),
            r#"{"type":"message_removed","message_id":"00000000-0000-0000-0000-000000000004"}"#.to_owned(),
            r#"{"type":"run_ended","status":"cancelled","duration_us":1}"#.to_owned(),
        ];
        check(
            &script.iter().map(String::as_str).collect::<Vec<_>>(),
            &expect![[r#"
                TEXT_MESSAGE_START 01 ""
                TEXT_MESSAGE_CONTENT 01 "a"
                TEXT_MESSAGE_CONTENT 01 "b"
                TEXT_MESSAGE_CONTENT 01 "c"
                TEXT_MESSAGE_END 01 ""
                TEXT_MESSAGE_START 02 ""
                TEXT_MESSAGE_CONTENT 02 "x"
                TEXT_MESSAGE_END 02 ""
                TEXT_MESSAGE_START 03 ""
                TEXT_MESSAGE_CONTENT 03 "yz"
                TEXT_MESSAGE_CONTENT 03 "!"
                TEXT_MESSAGE_END 03 ""
                CUSTOM langflow.run.cancelled ""
                RUN_FINISHED  ""
            "#]],
        );
    }

    #[test]
    fn a_failed_run_ends_with_an_error_and_no_open_step() {
        check(
            &[
                r#"{"type":"node_started","node":"a/b~c","attempt":1}"#,
                r#"{"type":"node_started","node":"a/b~c","attempt":2}"#,
                r#"{"type":"run_ended","status":"timed_out","failure":{"cause":"timeout","message":"too slow"},"duration_us":1}"#,
            ],
            &expect![[r#"
                STEP_STARTED a/b~c ""
                STATE_DELTA  ""
                STATE_DELTA  ""
                STEP_FINISHED a/b~c ""
                RUN_ERROR too slow ""
            "#]],
        );
        let text = encode(
            &script::events(&[r#"{"type":"node_started","node":"a/b~c","attempt":1}"#]),
            0,
        );
        assert!(text.contains(r#""path":"/nodes/a~1b~0c""#), "{text}");
    }

    #[test]
    fn numbers_let_a_reader_come_back() {
        let events = script::everything();
        let whole = encode(&events, 0);
        let frames = whole.matches("\nid: ").count() + 1;
        for last in 1..=frames {
            let at = whole.find(&format!("id: {}\n", last + 1)).unwrap_or(whole.len());
            assert_eq!(encode(&events, last as u64), whole[at..], "after {last}");
        }
    }
}
