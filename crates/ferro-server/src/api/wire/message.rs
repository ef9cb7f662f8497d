//! Messages as clients see them: the same JSON in streams and in `GET /monitor/messages`.

mod blocks;

use std::borrow::Cow;
use std::collections::HashMap;

use ferro_engine::{Body, Event, Failure, Message, Sender};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize as _, Serialize};
use serde_json::{Map, Value as Json, json};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Meta, Moment, Spaced};

pub use blocks::{ToolUse, grouped, kind_of, leaves};

/// Which run a message was said in.
#[derive(Clone, Debug, Default)]
pub struct Ids {
    pub run_id: Option<Uuid>,
    pub flow_id: Option<Uuid>,
    pub session_id: String,
}

impl Ids {
    /// Learns them from the first event.
    pub fn observe(&mut self, event: &Event) {
        if let Body::RunStarted {
            run_id,
            flow_id,
            session_id,
        } = &event.body
        {
            self.run_id = Some(*run_id);
            self.flow_id = Some(*flow_id);
            self.session_id.clone_from(session_id);
        }
    }
}

/// How content blocks are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    /// Groups only: what Langflow's first API and its clients know.
    Grouped,
    /// Every block, in the order it came.
    Flat,
}

/// A message.
#[derive(Serialize, ToSchema)]
pub struct MessageRead<'a> {
    pub id: Option<Uuid>,
    pub flow_id: Option<Uuid>,
    pub run_id: Option<Uuid>,
    #[serde(serialize_with = "spaced")]
    #[schema(value_type = String, example = "2027-01-31 12:00:00.000000 UTC")]
    pub timestamp: i64,
    /// `User` or `Machine`.
    pub sender: &'a str,
    pub sender_name: &'a str,
    pub session_id: &'a str,
    pub context_id: Option<&'a str>,
    pub text: &'a str,
    /// Paths of files that came along.
    pub files: Cow<'a, [String]>,
    pub error: bool,
    /// Someone changed the text afterwards.
    pub edit: bool,
    /// Milliseconds the answer took; the same as `properties.build_duration`.
    pub duration: Option<u64>,
    #[schema(value_type = Object)]
    pub properties: Properties<'a>,
    /// `message`, `error`, …
    pub category: &'a str,
    #[schema(value_type = Vec<Object>)]
    pub content_blocks: Cow<'a, [Json]>,
    #[schema(value_type = Option<Object>)]
    pub session_metadata: Option<Cow<'a, Json>>,
    /// It is the answer of its run.
    pub is_output: bool,
}

fn spaced<S: Serializer>(at: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    Spaced(Moment(*at)).serialize(serializer)
}

impl<'a> MessageRead<'a> {
    /// As said in a run.
    pub fn new(message: &'a Message, ids: &'a Ids, blocks: Blocks) -> Self {
        let session = [&message.session_id, &ids.session_id]
            .into_iter()
            .find(|text| !text.is_empty());
        let duration = message.properties.get("build_duration").and_then(millis);
        let content_blocks = Cow::Borrowed(message.content_blocks.as_slice());
        Self {
            id: message.id,
            flow_id: ids.flow_id,
            run_id: ids.run_id,
            timestamp: message.timestamp,
            sender: message.sender.as_str(),
            sender_name: &message.sender_name,
            session_id: session.map_or("", String::as_str),
            context_id: Some(message.context_id.as_str()).filter(|text| !text.is_empty()),
            text: &message.text,
            files: Cow::Borrowed(&message.files),
            error: message.error,
            edit: false,
            duration,
            properties: Properties {
                given: Cow::Borrowed(&message.properties),
                usage: message.usage.map(|usage| json!(usage)),
                duration,
            },
            category: or_message(&message.category),
            content_blocks: match blocks {
                Blocks::Flat => content_blocks,
                Blocks::Grouped => grouped(content_blocks),
            },
            session_metadata: None,
            is_output: false,
        }
    }

    #[must_use]
    pub fn output(mut self, is_output: bool) -> Self {
        self.is_output = is_output;
        self
    }
}

/// A category is never empty on the wire.
pub fn or_message(category: &str) -> &str {
    if category.is_empty() { "message" } else { category }
}

/// Milliseconds out of a property, whatever kind of number it is.
pub fn millis(value: &Json) -> Option<u64> {
    let number = value.as_u64();
    number.or_else(|| {
        value
            .as_f64()
            .filter(|ms| *ms >= 0.0 && *ms < 1e15)
            .map(|ms| ms.round() as u64)
    })
}

/// The properties every message has, with what this one says of them, then everything else it says.
pub struct Properties<'a> {
    pub given: Cow<'a, Map<String, Json>>,
    /// Where the properties say nothing of it.
    pub usage: Option<Json>,
    pub duration: Option<u64>,
}

const STANDARD: [&str; 11] = [
    "text_color",
    "background_color",
    "edited",
    "source",
    "icon",
    "allow_markdown",
    "positive_feedback",
    "state",
    "targets",
    "usage",
    "build_duration",
];

impl Properties<'_> {
    fn put_standard<M: SerializeMap>(&self, map: &mut M, key: &str) -> Result<(), M::Error> {
        #[derive(Default, Serialize)]
        struct Source {
            id: Option<&'static str>,
            display_name: Option<&'static str>,
            source: Option<&'static str>,
        }
        match key {
            "text_color" | "background_color" | "icon" => map.serialize_entry(key, ""),
            "edited" | "allow_markdown" => map.serialize_entry(key, &false),
            "source" => map.serialize_entry(key, &Source::default()),
            "state" => map.serialize_entry(key, "complete"),
            "targets" => map.serialize_entry(key, &[(); 0]),
            "usage" => map.serialize_entry(key, &self.usage),
            "build_duration" => map.serialize_entry(key, &self.duration),
            _ => map.serialize_entry(key, &()),
        }
    }
}

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for key in STANDARD {
            match self.given.get(key).filter(|value| !value.is_null()) {
                Some(value) => map.serialize_entry(key, value)?,
                None => self.put_standard(&mut map, key)?,
            }
        }
        for (key, value) in self
            .given
            .iter()
            .filter(|(key, _)| !STANDARD.contains(&key.as_str()))
        {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// How much of each message's text has been passed on.
#[derive(Debug, Default)]
pub struct Passed(HashMap<Uuid, usize>);

impl Passed {
    pub fn token(&mut self, id: Uuid, chunk: &str) {
        *self.0.entry(id).or_default() += chunk.len();
    }

    pub fn knows(&self, id: Uuid) -> bool {
        self.0.contains_key(&id)
    }

    /// What the whole text has beyond that. What was passed on cannot be taken back: a text that became shorter
    /// has nothing.
    pub fn rest<'t>(&mut self, id: Uuid, text: &'t str) -> &'t str {
        let passed = self.0.entry(id).or_default();
        let rest = text.get(*passed..).unwrap_or_default();
        *passed = text.len().max(*passed);
        rest
    }
}

/// Still being written: more of it will come.
pub fn is_partial(message: &Message) -> bool {
    message.properties.get("state").and_then(Json::as_str) == Some("partial")
}

pub fn is_error(message: &Message) -> bool {
    message.error || message.category == "error"
}

/// The message that says a node failed. `number` is the event's, so that encoding twice gives the same id.
pub fn failure_message(
    failure: &Failure,
    node: &str,
    meta: &Meta,
    ids: &Ids,
    (at, number): (i64, u64),
) -> Message {
    let name = meta.display_name(node);
    let content = json!({
        "type": "error",
        "component": name,
        "field": failure.field,
        "reason": failure.message,
        "solution": failure.advice,
        "traceback": failure.detail,
    });
    let properties = json!({
        "text_color": "red",
        "background_color": "red",
        "source": { "id": node, "display_name": name, "source": name },
        "icon": "error",
    });
    let namespace = ids.run_id.unwrap_or_default();
    Message {
        id: Some(Uuid::new_v5(&namespace, format!("failure {number}").as_bytes())),
        text: failure.message.clone(),
        sender: Sender::Machine,
        sender_name: name.to_owned(),
        session_id: ids.session_id.clone(),
        category: "error".to_owned(),
        error: true,
        properties: Map::deserialize(properties).unwrap_or_default(),
        content_blocks: vec![json!({
            "title": "Error",
            "contents": [content],
            "allow_markdown": true,
            "media_url": null,
        })],
        timestamp: at,
        ..Message::default()
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use ferro_engine::Usage;

    use super::*;

    fn shown(message: &Message, blocks: Blocks) -> String {
        let ids = Ids {
            run_id: Some(Uuid::from_u128(1)),
            flow_id: Some(Uuid::from_u128(2)),
            session_id: "s".to_owned(),
        };
        serde_json::to_string_pretty(&MessageRead::new(message, &ids, blocks)).unwrap()
    }

    #[test]
    fn every_member_is_there_whatever_the_message_says() {
        expect![[r#"
            {
              "id": null,
              "flow_id": "00000000-0000-0000-0000-000000000002",
              "run_id": "00000000-0000-0000-0000-000000000001",
              "timestamp": "1970-01-01 00:00:00.000000 UTC",
              "sender": "Machine",
              "sender_name": "",
              "session_id": "s",
              "context_id": null,
              "text": "hi",
              "files": [],
              "error": false,
              "edit": false,
              "duration": null,
              "properties": {
                "text_color": "",
                "background_color": "",
                "edited": false,
                "source": {
                  "id": null,
                  "display_name": null,
                  "source": null
                },
                "icon": "",
                "allow_markdown": false,
                "positive_feedback": null,
                "state": "complete",
                "targets": [],
                "usage": null,
                "build_duration": null
              },
              "category": "message",
              "content_blocks": [],
              "session_metadata": null,
              "is_output": false
            }"#]]
        .assert_eq(&shown(&Message::text("hi"), Blocks::Flat));
    }

    #[test]
    fn what_a_message_says_wins() {
        let mut message = Message::text("done");
        message.session_id = "other".to_owned();
        message.usage = Some(Usage {
            input_tokens: 1,
            output_tokens: 2,
            total_tokens: 3,
            ..Usage::default()
        });
        let given = json!({ "state": "partial", "build_duration": 1234.4, "icon": "Bot", "mine": [1] });
        message.properties = given.as_object().unwrap().clone();
        let json: Json = serde_json::from_str(&shown(&message, Blocks::Flat)).unwrap();
        assert_eq!(json["duration"], 1234);
        assert_eq!(json["properties"]["build_duration"], 1234.4);
        assert_eq!(json["properties"]["usage"]["total_tokens"], 3);
        assert_eq!(json["properties"]["state"], "partial");
        assert_eq!(json["properties"]["mine"], json!([1]));
        assert_eq!(json["session_id"], "other");
        assert!(is_partial(&message));
    }
}
