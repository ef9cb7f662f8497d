//! What one node produced, in Langflow's shapes: shared by the build stream, the run response and AG-UI.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use ferro_engine::{Cause, Failure, Message, NodeResult, Usage, Value};
use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};
use serde_json::Value as Json;

use super::message::Ids;
use super::meta::{Limits, Meta, NodeMeta};
use super::value::{Cut, Shown, Whole, cut_text, json_type, log_type, summary};
use super::{duration_text, shortened};

pub fn cause(cause: Cause) -> &'static str {
    match cause {
        Cause::Input => "input",
        Cause::Outside => "outside",
        Cause::Timeout => "timeout",
        Cause::Limit => "limit",
        Cause::Unavailable => "unavailable",
        Cause::Cancelled => "cancelled",
        Cause::Internal => "internal",
    }
}

/// A line a node wrote while it ran.
#[derive(Clone, Debug, Serialize)]
pub struct LogLine {
    pub name: String,
    pub message: Json,
    pub r#type: &'static str,
}

impl LogLine {
    pub fn new(name: &str, message: &Json, limits: Limits) -> Self {
        Self {
            name: name.to_owned(),
            r#type: json_type(message),
            message: cut_text(message, limits).into_owned(),
        }
    }
}

/// Lines of each node, until it is done.
pub type Logs = HashMap<Arc<str>, Vec<LogLine>>;

/// One node's result with everything its shapes need.
pub struct Produced<'a> {
    pub id: &'a str,
    pub node: Option<&'a NodeMeta>,
    pub ids: &'a Ids,
    pub limits: Limits,
    pub logs: &'a [LogLine],
    pub duration_us: u64,
    pub reused: bool,
    pub usage: Option<Usage>,
    values: Vec<(&'a str, &'a Value)>,
}

impl<'a> Produced<'a> {
    pub fn new(
        id: &'a str,
        result: &'a NodeResult,
        meta: &'a Meta,
        ids: &'a Ids,
        logs: &'a [LogLine],
    ) -> Self {
        let node = meta.get(id);
        let given = result.outputs.values.iter();
        let mut values: Vec<_> = given.map(|(name, value)| (&**name, value)).collect();
        // The order people see on the node, not that of the alphabet.
        if let Some(node) = node {
            let place = |name: &str| node.outputs.iter().position(|output| output.name == name);
            values.sort_by_key(|(name, _)| place(name).unwrap_or(usize::MAX));
        }
        Self {
            id,
            node,
            ids,
            limits: meta.limits,
            logs,
            duration_us: result.duration_us,
            reused: result.reused,
            usage: result.outputs.usage,
            values,
        }
    }

    pub fn display_name(&self) -> &'a str {
        self.node.map_or(self.id, |node| &node.display_name)
    }

    /// The value that stands for the node: that of its first output which has one.
    pub fn first(&self) -> Option<&'a Value> {
        self.values
            .iter()
            .map(|(_, value)| *value)
            .find(|value| !value.is_null())
    }

    /// The message of a chat input or output.
    fn chat(&self) -> Option<&'a Message> {
        self.node.filter(|node| node.is_chat())?;
        self.values.iter().find_map(|(_, value)| match value {
            Value::Message(message) => Some(&**message),
            _ => None,
        })
    }

    fn seconds(&self) -> f64 {
        self.duration_us as f64 / 1e6
    }

    /// `data` of a finished node in the build stream.
    pub fn built(&'a self) -> impl Serialize + 'a {
        Built {
            results: Results(self),
            outputs: Outputs(self),
            logs: LogsByOutput(self),
            message: self.chat().map(|message| ChatArtifact::new(message, self.limits)),
            artifacts: Artifacts(self),
            timedelta: self.seconds(),
            duration: duration_text(self.duration_us),
            used_frozen_result: self.reused,
            token_usage: self.usage.map(Tokens::from),
        }
    }

    /// `{name: {message, type}}`.
    pub fn outputs(&'a self) -> impl Serialize + 'a {
        Outputs(self)
    }

    /// One entry of a run's response.
    pub fn result_data(&'a self) -> impl Serialize + 'a {
        ResultData {
            results: Results(self),
            artifacts: Artifacts(self),
            outputs: Outputs(self),
            logs: LogsByOutput(self),
            messages: self
                .chat()
                .map(|message| ChatLine::new(message, self))
                .into_iter()
                .collect(),
            timedelta: self.seconds(),
            duration: duration_text(self.duration_us),
            component_display_name: self.display_name(),
            component_id: self.id,
            used_frozen_result: self.reused,
            token_usage: self.usage.map(Tokens::from),
        }
    }
}

#[derive(Serialize)]
struct Built<'a> {
    results: Results<'a>,
    outputs: Outputs<'a>,
    logs: LogsByOutput<'a>,
    message: Option<ChatArtifact<'a>>,
    artifacts: Artifacts<'a>,
    timedelta: f64,
    duration: String,
    used_frozen_result: bool,
    token_usage: Option<Tokens>,
}

#[derive(Serialize)]
struct ResultData<'a> {
    results: Results<'a>,
    artifacts: Artifacts<'a>,
    outputs: Outputs<'a>,
    logs: LogsByOutput<'a>,
    messages: Vec<ChatLine<'a>>,
    timedelta: f64,
    duration: String,
    component_display_name: &'a str,
    component_id: &'a str,
    used_frozen_result: bool,
    token_usage: Option<Tokens>,
}

#[derive(Clone, Copy, Serialize)]
pub struct Tokens {
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub total_tokens: u64,
}

impl From<Usage> for Tokens {
    fn from(usage: Usage) -> Self {
        Self {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            total_tokens: usage.total_tokens,
        }
    }
}

/// What somebody said, in short.
#[derive(Serialize)]
struct ChatArtifact<'a> {
    message: Cow<'a, str>,
    sender: &'static str,
    sender_name: &'a str,
    files: &'a [String],
    stream_url: Option<&'a str>,
    r#type: &'static str,
}

impl<'a> ChatArtifact<'a> {
    fn new(message: &'a Message, limits: Limits) -> Self {
        Self {
            message: shortened(&message.text, limits.text),
            sender: message.sender.as_str(),
            sender_name: &message.sender_name,
            files: &message.files,
            stream_url: None,
            r#type: "text",
        }
    }
}

#[derive(Serialize)]
struct ChatLine<'a> {
    message: &'a str,
    sender: &'static str,
    sender_name: &'a str,
    session_id: &'a str,
    stream_url: Option<&'a str>,
    component_id: &'a str,
    files: &'a [String],
    r#type: &'static str,
}

impl<'a> ChatLine<'a> {
    fn new(message: &'a Message, of: &'a Produced<'a>) -> Self {
        let session = [&message.session_id, &of.ids.session_id]
            .into_iter()
            .find(|text| !text.is_empty());
        Self {
            message: &message.text,
            sender: message.sender.as_str(),
            sender_name: &message.sender_name,
            session_id: session.map_or("", String::as_str),
            stream_url: None,
            component_id: of.id,
            files: &message.files,
            r#type: "text",
        }
    }
}

struct Results<'a>(&'a Produced<'a>);

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Produced { ids, limits, .. } = *self.0;
        serializer.collect_map(
            self.0
                .values
                .iter()
                .map(|&(name, value)| (name, Whole { value, ids, limits })),
        )
    }
}

/// `{name: {message, type}}`.
struct Outputs<'a>(&'a Produced<'a>);

#[derive(Serialize)]
struct OutputValue<'a> {
    message: Shown<'a>,
    r#type: &'static str,
}

impl Serialize for Outputs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let limits = self.0.limits;
        serializer.collect_map(self.0.values.iter().map(|&(name, value)| {
            let r#type = log_type(value);
            let message = Shown(value, limits);
            (name, OutputValue { message, r#type })
        }))
    }
}

/// `{name: {repr, raw, type}}`, or what was said where the node is a chat.
struct Artifacts<'a>(&'a Produced<'a>);

#[derive(Serialize)]
struct Artifact<'a> {
    repr: String,
    raw: Shown<'a>,
    r#type: &'static str,
}

impl Serialize for Artifacts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let limits = self.0.limits;
        if let Some(message) = self.0.chat() {
            return ChatArtifact::new(message, limits).serialize(serializer);
        }
        serializer.collect_map(self.0.values.iter().map(|&(name, value)| {
            let artifact = Artifact {
                repr: summary(value),
                raw: Shown(value, limits),
                r#type: log_type(value),
            };
            (name, artifact)
        }))
    }
}

/// Every output with its lines. A line does not say which output it is about, so the first one has them.
struct LogsByOutput<'a>(&'a Produced<'a>);

impl Serialize for LogsByOutput<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let mut lines = self.0.logs;
        for (name, _) in &self.0.values {
            map.serialize_entry(name, lines)?;
            lines = &[];
        }
        map.end()
    }
}

/// `data` of a node that failed.
#[derive(Serialize)]
pub struct Broken<'a> {
    results: Empty,
    outputs: BTreeMap<&'a str, BrokenOutput<'a>>,
    logs: BTreeMap<&'a str, &'a [LogLine]>,
    message: Reason<'a>,
    artifacts: Empty,
    timedelta: f64,
    duration: String,
    used_frozen_result: bool,
    token_usage: Option<Tokens>,
}

#[derive(Serialize)]
struct Empty {}

#[derive(Serialize)]
struct BrokenOutput<'a> {
    message: Reason<'a>,
    r#type: &'static str,
}

#[derive(Serialize)]
struct Reason<'a> {
    #[serde(rename = "errorMessage")]
    error_message: &'a str,
    #[serde(rename = "stackTrace")]
    stack_trace: String,
}

impl<'a> Reason<'a> {
    fn new(failure: &'a Failure) -> Self {
        let parts = [failure.advice.as_str(), failure.detail.as_str()];
        let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        Self {
            error_message: &failure.message,
            stack_trace: parts.join("\n"),
        }
    }
}

impl<'a> Broken<'a> {
    pub fn new(
        node: Option<&'a NodeMeta>,
        failure: &'a Failure,
        duration_us: u64,
        logs: &'a [LogLine],
    ) -> Self {
        let output = node
            .and_then(|node| node.outputs.first())
            .map_or("output", |output| &output.name);
        let shown = BrokenOutput {
            message: Reason::new(failure),
            r#type: "error",
        };
        Self {
            results: Empty {},
            outputs: BTreeMap::from([(output, shown)]),
            logs: BTreeMap::from([(output, logs)]),
            message: Reason::new(failure),
            artifacts: Empty {},
            timedelta: duration_us as f64 / 1e6,
            duration: duration_text(duration_us),
            used_frozen_result: false,
            token_usage: None,
        }
    }
}

/// What the run waits for, as clients show it.
#[derive(Serialize)]
pub struct HumanRequest<'a> {
    pub request_id: uuid::Uuid,
    pub job_id: Option<uuid::Uuid>,
    pub component_id: &'a str,
    pub component_display_name: &'a str,
    pub kind: &'a str,
    pub prompt: &'a str,
    pub options: &'a [Json],
    pub fields: &'a [Json],
    /// Ids of the options.
    pub allowed_decisions: Vec<&'a str>,
    pub timeout_ms: Option<u64>,
    pub fallback: Option<&'a str>,
}

impl<'a> HumanRequest<'a> {
    pub fn new(
        request_id: uuid::Uuid,
        node: &'a str,
        question: &'a ferro_engine::Question,
        meta: &'a Meta,
        ids: &Ids,
    ) -> Self {
        let option_id = |option: &'a Json| option.get("id").and_then(Json::as_str);
        Self {
            request_id,
            job_id: ids.run_id,
            component_id: node,
            component_display_name: meta.display_name(node),
            kind: &question.kind,
            prompt: &question.prompt,
            options: &question.options,
            fields: &question.fields,
            allowed_decisions: question.options.iter().filter_map(option_id).collect(),
            timeout_ms: question.timeout_ms,
            fallback: question.fallback.as_deref(),
        }
    }
}

/// A line of the log as its own event.
#[derive(Serialize)]
pub struct LogEvent<'a> {
    pub name: &'a str,
    pub message: Cut<'a>,
    pub r#type: &'static str,
    pub output: Option<&'a str>,
    pub component_id: &'a str,
}

impl<'a> LogEvent<'a> {
    pub fn new(node: &'a str, name: &'a str, message: &'a Json, meta: &'a Meta) -> Self {
        let output = meta.get(node).and_then(|node| node.outputs.first());
        Self {
            name,
            message: Cut(message, meta.limits),
            r#type: json_type(message),
            output: output.map(|output| output.name.as_str()),
            component_id: node,
        }
    }
}
