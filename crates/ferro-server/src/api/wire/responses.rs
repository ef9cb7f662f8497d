//! OpenAI's responses: a flow that answers like a model, for clients that only know models.

mod shape;

use std::collections::HashMap;
use std::sync::Arc;

use ferro_engine::{Body, Event, Message, RunStatus, Sender};
use serde::Serialize;
use serde_json::{Map, Value as Json};
use utoipa::ToSchema;
use uuid::Uuid;

use self::shape::{
    ArgumentsDelta, ArgumentsDone, CallItem, Chunk, Completed, Delta, Item, ItemEvent, Reasoning, Response,
    Said, Spent, TextFormat,
};
use super::message::{Passed, ToolUse, is_error, leaves};
use super::meta::{Meta, Wanted};
use super::result::Results;
use super::{Encoder, put};

/// What a request said that its answer says again.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// The flow's id or its endpoint's name.
    pub model: String,
    pub previous_response_id: Option<String>,
    pub tools: Tools,
}

/// Whether the answer tells what tools gave back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tools {
    #[default]
    Calls,
    WithResults,
}

/// Collects a run, and writes it as a stream where someone listens.
pub struct Responses {
    asked: Asked,
    results: Results,
    passed: Passed,
    /// Everything passed on so far: an output that repeats it is not said twice.
    spoken: String,
    calls: Vec<Call>,
    known: HashMap<(Uuid, usize, usize), usize>,
    created: i64,
    is_done: bool,
}

struct Call {
    id: String,
    name: String,
    arguments: String,
    result: Option<String>,
}

impl Responses {
    pub fn new(meta: Arc<Meta>, asked: Asked) -> Self {
        Self {
            asked,
            results: Results::new(meta, &Wanted::Chat),
            passed: Passed::default(),
            spoken: String::new(),
            calls: Vec::new(),
            known: HashMap::new(),
            created: 0,
            is_done: false,
        }
    }

    /// For an answer in one piece: give it every event, then ask for the response.
    pub fn observe(&mut self, event: &Event) {
        let mut nowhere = Vec::new();
        self.encode(event, &mut nowhere);
    }

    pub fn results(&self) -> &Results {
        &self.results
    }

    /// The answer in one piece.
    pub fn response(&self) -> impl Serialize + '_ {
        self.whole()
    }

    /// The session: what a client sends back as `previous_response_id` to go on.
    fn id(&self) -> &str {
        self.results.session_id()
    }

    fn text(&self) -> String {
        let texts = self.results.texts();
        if texts.is_empty() {
            self.spoken.clone()
        } else {
            texts.join("\n\n")
        }
    }

    fn chunk(
        &self,
        delta: Delta<'_>,
        status: &'static str,
        finish_reason: Option<&'static str>,
        out: &mut Vec<u8>,
    ) {
        let chunk = Chunk {
            id: self.id(),
            object: "response.chunk",
            created: self.created,
            model: &self.asked.model,
            delta,
            status,
            finish_reason,
        };
        data(out, &chunk);
    }

    fn say(&mut self, text: &str, out: &mut Vec<u8>) {
        if !text.is_empty() {
            self.spoken.push_str(text);
            let delta = Delta { content: Some(text) };
            self.chunk(delta, "in_progress", None, out);
        }
    }

    fn message(&mut self, message: &Message, is_output: bool, out: &mut Vec<u8>) {
        let (Some(id), Sender::Machine, false) = (message.id, message.sender, is_error(message)) else {
            return;
        };
        self.tools(id, &message.content_blocks, out);
        let is_known = self.passed.knows(id);
        // A node on the way may show what it does; only the answer itself and what is streamed are the answer.
        if !is_output && !is_known && !super::message::is_partial(message) {
            return;
        }
        if !is_known && self.spoken == message.text {
            return;
        }
        let rest = self.passed.rest(id, &message.text).to_owned();
        self.say(&rest, out);
    }

    fn tools(&mut self, message: Uuid, blocks: &[Json], out: &mut Vec<u8>) {
        for (i, j, block) in leaves(blocks) {
            let Some(tool) = ToolUse::of(block) else { continue };
            let place = (message, i, j);
            let at = match self.known.get(&place) {
                Some(at) => *at,
                None => {
                    let call = Call {
                        id: format!("call_{}_{i}_{j}", message.simple()),
                        name: tool.name.to_owned(),
                        arguments: tool.arguments,
                        result: None,
                    };
                    call.begin(out);
                    self.known.insert(place, self.calls.len());
                    self.calls.push(call);
                    self.calls.len() - 1
                }
            };
            if let Some(call) = self.calls.get_mut(at)
                && call.result.is_none()
                && tool.result.is_some()
            {
                call.result = tool.result;
                call.end(self.asked.tools, out);
            }
        }
    }

    fn ended(&mut self, status: RunStatus, out: &mut Vec<u8>) {
        self.is_done = true;
        if status != RunStatus::Completed {
            let why = self
                .results
                .failure()
                .map_or_else(String::new, |failure| failure.message.clone());
            data(out, &ErrorEnvelope::new(why, "processing_error", None));
            return;
        }
        // Outputs that were never shown as messages.
        if self.spoken.is_empty() {
            let text = self.text();
            self.say(&text, out);
        }
        self.chunk(Delta { content: None }, "completed", Some("stop"), out);
        let completed = Completed {
            r#type: "response.completed",
            response: self.whole(),
        };
        named(out, "response.completed", &completed);
    }

    fn whole(&self) -> Response<'_> {
        let failure = self.results.failure();
        let status = match (self.results.status(), &failure) {
            (RunStatus::Completed, _) => "completed",
            (_, Some(_)) => "failed",
            _ => "in_progress",
        };
        let mut output: Vec<_> = self
            .calls
            .iter()
            .map(|call| Item::Call(call.item(self.asked.tools)))
            .collect();
        if status == "completed" {
            output.push(Item::Message(Said::new(self.results.run_id(), self.text())));
        }
        Response {
            id: self.id(),
            object: "response",
            created_at: self.created,
            status,
            error: failure.map(|failure| ErrorDetail {
                message: failure.message.clone(),
                r#type: "processing_error",
                code: None,
            }),
            incomplete_details: None,
            instructions: None,
            max_output_tokens: None,
            model: &self.asked.model,
            output,
            parallel_tool_calls: true,
            previous_response_id: self.asked.previous_response_id.as_deref(),
            reasoning: Reasoning::default(),
            store: true,
            temperature: 1.0,
            text: TextFormat::default(),
            tool_choice: "auto",
            tools: [],
            top_p: 1.0,
            truncation: "disabled",
            usage: self.results.usage().map(Spent::from),
            user: None,
            metadata: Map::new(),
        }
    }
}

impl Encoder for Responses {
    fn encode(&mut self, event: &Event, out: &mut Vec<u8>) {
        self.results.observe(event);
        match &event.body {
            Body::RunStarted { .. } => self.created = event.at.div_euclid(1_000_000),
            Body::Message {
                message, is_output, ..
            } => self.message(message, *is_output, out),
            Body::Token {
                message_id, chunk, ..
            } => {
                self.passed.token(*message_id, chunk);
                self.say(chunk, out);
            }
            Body::RunEnded { status, .. } => self.ended(*status, out),
            _ => {}
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        if !self.is_done {
            let why = "The run did not come to its end".to_owned();
            data(out, &ErrorEnvelope::new(why, "processing_error", None));
        }
        out.extend_from_slice(b"data: [DONE]\n\n");
    }
}

fn data(out: &mut Vec<u8>, value: &impl Serialize) {
    out.extend_from_slice(b"data: ");
    put(out, value);
    out.extend_from_slice(b"\n\n");
}

fn named(out: &mut Vec<u8>, name: &str, value: &impl Serialize) {
    out.extend_from_slice(b"event: ");
    out.extend_from_slice(name.as_bytes());
    out.push(b'\n');
    data(out, value);
}

impl Call {
    fn begin(&self, out: &mut Vec<u8>) {
        let item = CallItem {
            arguments: "",
            status: "in_progress",
            results: None,
            ..self.item(Tools::Calls)
        };
        let added = ItemEvent {
            r#type: "response.output_item.added",
            item,
        };
        named(out, added.r#type, &added);
        let delta = ArgumentsDelta {
            r#type: "response.function_call_arguments.delta",
            item_id: &self.id,
            delta: &self.arguments,
        };
        named(out, delta.r#type, &delta);
        let done = ArgumentsDone {
            r#type: "response.function_call_arguments.done",
            item_id: &self.id,
            arguments: &self.arguments,
        };
        named(out, done.r#type, &done);
    }

    fn end(&self, tools: Tools, out: &mut Vec<u8>) {
        let done = ItemEvent {
            r#type: "response.output_item.done",
            item: self.item(tools),
        };
        named(out, done.r#type, &done);
    }

    fn item(&self, tools: Tools) -> CallItem<'_> {
        CallItem {
            r#type: "function_call",
            id: &self.id,
            call_id: &self.id,
            name: &self.name,
            arguments: &self.arguments,
            status: if self.result.is_some() {
                "completed"
            } else {
                "in_progress"
            },
            results: self.result.as_deref().filter(|_| tools == Tools::WithResults),
        }
    }
}

/// What a client gets instead of an answer, in OpenAI's words.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorEnvelope {
    pub error: ErrorDetail,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorDetail {
    pub message: String,
    #[schema(example = "invalid_request_error")]
    pub r#type: &'static str,
    #[schema(example = "flow_not_found")]
    pub code: Option<&'static str>,
}

impl ErrorEnvelope {
    pub fn new(message: String, r#type: &'static str, code: Option<&'static str>) -> Self {
        Self {
            error: ErrorDetail {
                message,
                r#type,
                code,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{expect, expect_file};

    use super::super::script;
    use super::*;

    fn new() -> Responses {
        let asked = Asked {
            model: "my-flow".to_owned(),
            previous_response_id: Some("s".to_owned()),
            tools: Tools::WithResults,
        };
        Responses::new(script::meta(), asked)
    }

    #[test]
    fn a_stream_ends_with_the_whole_answer() {
        expect_file!["testdata/responses-echo.txt"].assert_eq(&script::encode(&mut new(), &script::echo()));
    }

    #[test]
    fn tools_and_tokens_are_told_as_they_come() {
        expect_file!["testdata/responses-everything.txt"]
            .assert_eq(&script::encode(&mut new(), &script::everything()));
    }

    #[test]
    fn a_run_that_breaks_off_says_so() {
        expect![[r#"
            data: {"error":{"message":"The run did not come to its end","type":"processing_error","code":null}}

            data: [DONE]

        "#]]
        .assert_eq(&script::encode(&mut new(), &script::echo()[..3]));
    }

    #[test]
    fn an_output_that_repeats_what_was_streamed_is_said_once() {
        let events = script::events(&[
            r#"{"type":"token","message_id":"00000000-0000-0000-0000-000000000012","node":"Model-1","chunk":"hi"}"#,
            r#"{"type":"message","message":{"id":"00000000-0000-0000-0000-000000000013","text":"hi"},"node":"ChatOutput-1","store":true,"is_output":true}"#,
            r#"{"type":"run_ended","status":"completed","duration_us":1}"#,
        ]);
        let text = script::encode(&mut new(), &events);
        assert_eq!(text.matches(r#""delta":{"content":"#).count(), 1, "{text}");
        let mut whole = new();
        events.iter().for_each(|event| whole.observe(event));
        let json = serde_json::to_value(whole.response()).unwrap();
        assert_eq!(json["output"][0]["content"][0]["text"], "hi");
    }
}
