//! OpenAI's responses: named events about items of output.

use bytes::Bytes;
use serde_json::{Value as Json, json};

use super::format::{CREATED, MODEL};
use super::turn::{Call, Said};

pub(super) fn frames(said: &Said) -> Vec<Bytes> {
    let mut stream = Stream::default();
    let begun = response(said, "in_progress", Vec::new());
    stream.send("response.created", json!({"response": begun}));
    stream.send("response.in_progress", json!({"response": begun}));
    if !said.reasoning.is_empty() {
        stream.thoughts(said);
    }
    if !said.tokens.is_empty() {
        stream.text(said);
    }
    for call in &said.tools {
        stream.call(call);
    }
    let (event, status) = if said.cut {
        ("response.incomplete", "incomplete")
    } else {
        ("response.completed", "completed")
    };
    let items = std::mem::take(&mut stream.items);
    stream.send(event, json!({"response": response(said, status, items)}));
    stream.frames
}

#[derive(Default)]
struct Stream {
    frames: Vec<Bytes>,
    /// Items that are done.
    items: Vec<Json>,
}

impl Stream {
    fn send(&mut self, kind: &str, mut fields: Json) {
        fields["type"] = kind.into();
        fields["sequence_number"] = self.frames.len().into();
        self.frames
            .push(format!("event: {kind}\ndata: {fields}\n\n").into());
    }

    /// About the item at hand.
    fn about(&mut self, kind: &str, item: &str, mut fields: Json) {
        fields["item_id"] = item.into();
        fields["output_index"] = self.items.len().into();
        self.send(kind, fields);
    }

    fn begin(&mut self, item: &Json) {
        let at = self.items.len();
        self.send(
            "response.output_item.added",
            json!({"output_index": at, "item": item}),
        );
    }

    fn end(&mut self, item: Json) {
        let at = self.items.len();
        self.send(
            "response.output_item.done",
            json!({"output_index": at, "item": item}),
        );
        self.items.push(item);
    }

    fn thoughts(&mut self, said: &Said) {
        let done = reasoning_item(said);
        let mut item = done.clone();
        item["summary"] = json!([]);
        self.begin(&item);
        let part = |text: &str| json!({"type": "summary_text", "text": text});
        let at = |mut fields: Json| {
            fields["summary_index"] = 0.into();
            fields
        };
        self.about(
            "response.reasoning_summary_part.added",
            "rs_fake",
            at(json!({"part": part("")})),
        );
        for token in &said.reasoning {
            self.about(
                "response.reasoning_summary_text.delta",
                "rs_fake",
                at(json!({"delta": token})),
            );
        }
        let thought = said.thought();
        self.about(
            "response.reasoning_summary_text.done",
            "rs_fake",
            at(json!({"text": thought})),
        );
        self.about(
            "response.reasoning_summary_part.done",
            "rs_fake",
            at(json!({"part": part(&thought)})),
        );
        self.end(done);
    }

    fn text(&mut self, said: &Said) {
        let done = message_item(said);
        let mut item = done.clone();
        item["status"] = "in_progress".into();
        item["content"] = json!([]);
        self.begin(&item);
        let part =
            |text: &str| json!({"type": "output_text", "annotations": [], "logprobs": [], "text": text});
        let at = |mut fields: Json| {
            fields["content_index"] = 0.into();
            fields
        };
        self.about(
            "response.content_part.added",
            "msg_fake",
            at(json!({"part": part("")})),
        );
        for token in &said.tokens {
            let fields = json!({"delta": token, "logprobs": [], "obfuscation": "abc"});
            self.about("response.output_text.delta", "msg_fake", at(fields));
        }
        let text = said.text();
        self.about(
            "response.output_text.done",
            "msg_fake",
            at(json!({"text": text, "logprobs": []})),
        );
        self.about(
            "response.content_part.done",
            "msg_fake",
            at(json!({"part": part(&text)})),
        );
        self.end(done);
    }

    fn call(&mut self, call: &Call) {
        let done = call_item(call);
        let id = item_id(call);
        let mut item = done.clone();
        item["status"] = "in_progress".into();
        item["arguments"] = "".into();
        self.begin(&item);
        for piece in call.pieces() {
            self.about(
                "response.function_call_arguments.delta",
                &id,
                json!({"delta": piece}),
            );
        }
        let fields = json!({"arguments": call.arguments});
        self.about("response.function_call_arguments.done", &id, fields);
        self.end(done);
    }
}

fn reasoning_item(said: &Said) -> Json {
    json!({
        "id": "rs_fake", "type": "reasoning", "summary": [{"type": "summary_text", "text": said.thought()}],
        "encrypted_content": "c2VhbGVk",
    })
}

fn message_item(said: &Said) -> Json {
    json!({
        "id": "msg_fake", "type": "message", "status": "completed", "role": "assistant",
        "content": [{"type": "output_text", "annotations": [], "logprobs": [], "text": said.text()}],
    })
}

/// The item's own id is not the call's.
fn item_id(call: &Call) -> String {
    format!("fc_{}", call.id)
}

fn call_item(call: &Call) -> Json {
    json!({
        "id": item_id(call), "type": "function_call", "status": "completed", "arguments": call.arguments,
        "call_id": call.id, "name": call.name,
    })
}

fn response(said: &Said, status: &str, output: Vec<Json>) -> Json {
    let (input, tokens) = (said.input, said.output());
    let usage = json!({
        "input_tokens": input, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": tokens,
        "output_tokens_details": {"reasoning_tokens": said.reasoning.len()}, "total_tokens": input + tokens,
    });
    let incomplete = (status == "incomplete").then(|| json!({"reason": "max_output_tokens"}));
    json!({
        "id": "resp_fake", "object": "response", "created_at": CREATED, "status": status, "error": null,
        "incomplete_details": incomplete, "model": MODEL, "output": output, "parallel_tool_calls": true,
        "store": false, "usage": if status == "in_progress" { Json::Null } else { usage },
    })
}

pub(super) fn whole(said: &Said) -> Json {
    let mut items = Vec::new();
    if !said.reasoning.is_empty() {
        items.push(reasoning_item(said));
    }
    if !said.tokens.is_empty() {
        items.push(message_item(said));
    }
    items.extend(said.tools.iter().map(call_item));
    response(said, if said.cut { "incomplete" } else { "completed" }, items)
}
