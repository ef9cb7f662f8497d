//! `Event`: everything that happens in a run, in order. The log is a list of these; resuming, replaying and
//! forking read it back, and every wire format is an encoding of it.
//!
//! The derived JSON is the form of the log. What clients see is encoded elsewhere.

use std::sync::Arc;

use crate::ids::Ulid;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value as Json};
use uuid::Uuid;

use crate::component::{Answer, Outputs, Question};
use crate::failure::Failure;
use crate::value::{Message, Usage, Value};

/// One entry of a run's log.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Event {
    /// 1, 2, 3, … without gaps.
    pub seq: u64,
    /// Greater than the one before it.
    pub id: Ulid,
    /// Microseconds since 1970 UTC.
    pub at: i64,
    #[serde(flatten)]
    pub body: Body,
}

/// Which execution of a node: its id, and the iteration of each loop around it, outermost first.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct At {
    pub node: Arc<str>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<u32>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Body {
    RunStarted {
        run_id: Uuid,
        flow_id: Uuid,
        session_id: String,
    },
    /// The nodes that take part, and those that can begin at once.
    Planned {
        nodes: Vec<Arc<str>>,
        first: Vec<Arc<str>>,
    },
    NodeStarted {
        #[serde(flatten)]
        at: At,
        /// 1 unless a crash or a retry made it run again.
        attempt: u32,
    },
    /// The node is about to change the outside world. If nothing follows, nobody knows whether it did.
    EffectStarted {
        #[serde(flatten)]
        at: At,
    },
    NodeFinished {
        #[serde(flatten)]
        at: At,
        result: NodeResult,
    },
    NodeFailed {
        #[serde(flatten)]
        at: At,
        failure: Failure,
        duration_us: u64,
        /// Tokens spent before it failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
    /// It does not run: its branch was not taken, or something before it failed.
    NodeSkipped {
        #[serde(flatten)]
        at: At,
        why: Skipped,
    },
    /// A round of a loop begins.
    RoundStarted {
        #[serde(flatten)]
        at: At,
        round: u32,
        of: Option<u32>,
    },
    /// A message to show, new or changed: the last one with its id counts.
    Message {
        message: Box<Message>,
        node: Arc<str>,
        /// Whether it is to be kept after the run.
        store: bool,
        /// It is the answer of the run.
        is_output: bool,
    },
    /// More text at the end of a message.
    Token {
        message_id: Uuid,
        node: Arc<str>,
        chunk: String,
    },
    MessageRemoved {
        message_id: Uuid,
    },
    Log {
        node: Arc<str>,
        name: String,
        message: Json,
    },
    /// One of the person's variables was used.
    VariableRead {
        #[serde(flatten)]
        at: At,
        /// The field it fills; none when the component asked for it by name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        field: Option<String>,
        name: String,
        /// Never a credential's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<Kept>,
    },
    /// A model was asked. Only in runs that keep such things.
    ModelCalled {
        #[serde(flatten)]
        at: At,
        call: Box<ModelCall>,
    },
    /// The run waits for a person.
    Asked {
        #[serde(flatten)]
        at: At,
        request_id: Uuid,
        question: Question,
    },
    Answered {
        request_id: Uuid,
        answer: Answer,
    },
    /// Somebody asked the run to stop.
    CancelRequested,
    /// The program died and another one goes on from here.
    Resumed,
    /// The last event of every run.
    RunEnded {
        status: RunStatus,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failure: Option<Failure>,
        duration_us: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
}

/// One question to a model and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelCall {
    pub provider: String,
    pub model: String,
    /// Microseconds since 1970 UTC.
    pub began: i64,
    pub duration_us: u64,
    /// The body as it was sent; headers, and so keys, are no part of it.
    pub request: Kept,
    pub answer: Kept,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Why there is no whole answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A text, or as much of it as is worth keeping.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    pub text: String,
    /// How long all of it is.
    pub bytes: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

impl Kept {
    /// The first `most` bytes, cut between characters.
    pub fn new(mut text: String, most: usize) -> Self {
        let bytes = text.len();
        text.truncate(text.floor_char_boundary(most));
        Self {
            cut: text.len() < bytes,
            text,
            bytes,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Skipped {
    /// A router chose another branch.
    Inactive,
    /// A node it depends on failed.
    Blocked,
    /// The run was stopped before it began.
    Cancelled,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    Queued,
    Running,
    /// For a person.
    Waiting,
    Completed,
    /// At least one branch failed.
    Failed,
    Cancelled,
    TimedOut,
}

impl RunStatus {
    pub fn is_final(self) -> bool {
        matches!(
            self,
            Self::Completed | Self::Failed | Self::Cancelled | Self::TimedOut
        )
    }
}

/// What a node produced. Values are shared with the run, not copied; the log's form writes them down.
#[derive(Clone, Debug, Default)]
pub struct NodeResult {
    pub outputs: Outputs,
    /// Outputs that hold something alive (only filled in when read back: their value is then null).
    pub live: Vec<String>,
    /// Nodes that became inactive by it.
    pub inactivated: Vec<Arc<str>>,
    pub duration_us: u64,
    /// It did not run: it was frozen, or its result was taken over from another run.
    pub reused: bool,
    /// The items of a loop, which begins with this event; `outputs` is then empty.
    pub each: Option<Vec<Value>>,
}

/// How the log spells a [`NodeResult`].
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Record {
    #[serde(skip_serializing_if = "Map::is_empty")]
    values: Map<String, Json>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    live: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stopped: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inactivated: Vec<Arc<str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<Usage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    duration_us: u64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    reused: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    each: Option<Vec<Json>>,
}

impl Serialize for NodeResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = Record {
            live: self.live.clone(),
            stopped: self.outputs.stopped.iter().map(|name| name.to_string()).collect(),
            inactivated: self.inactivated.clone(),
            status: self.outputs.status.clone(),
            usage: self.outputs.usage,
            why: self.outputs.why.clone(),
            duration_us: self.duration_us,
            reused: self.reused,
            each: self.each.as_ref().map(|items| {
                items
                    .iter()
                    .map(|item| item.to_record().unwrap_or_default())
                    .collect()
            }),
            ..Record::default()
        };
        for (name, value) in &self.outputs.values {
            match value.to_record() {
                Some(written) => {
                    record.values.insert(name.to_string(), written);
                }
                None => record.live.push(name.to_string()),
            }
        }
        record.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for NodeResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let record = Record::deserialize(deserializer)?;
        let read =
            |json| Value::from_record(json).ok_or_else(|| de::Error::custom("a value of the log is damaged"));
        let mut outputs = Outputs {
            stopped: record.stopped.into_iter().map(Into::into).collect(),
            status: record.status,
            usage: record.usage,
            why: record.why,
            ..Outputs::default()
        };
        for (name, json) in record.values {
            outputs.values.push((name.into(), read(json)?));
        }
        for name in &record.live {
            outputs.values.push((name.clone().into(), Value::Null));
        }
        Ok(Self {
            outputs,
            live: record.live,
            inactivated: record.inactivated,
            duration_us: record.duration_us,
            reused: record.reused,
            each: record
                .each
                .map(|items| items.into_iter().map(read).collect())
                .transpose()?,
        })
    }
}
