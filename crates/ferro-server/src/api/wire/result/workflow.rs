//! What a workflow of the second API answers with.

use std::collections::BTreeMap;

use ferro_engine::{Cause, Failure, Value};
use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};
use serde_json::{Map, Value as Json};
use uuid::Uuid;

use super::super::components::{HumanRequest, Produced, Tokens, cause};
use super::super::message::Ids;
use super::super::meta::{Limits, Meta, Role};
use super::super::track::Track;
use super::super::value::{Shown, kind, text};
use super::super::{Moment, Rfc3339, job_status};
use super::{Kept, Results};

/// One node's answer in a workflow's response.
#[derive(Serialize)]
pub struct ComponentOutput<'a> {
    r#type: &'static str,
    status: &'static str,
    display_name: &'a str,
    content: Option<Content<'a>>,
    metadata: Metadata<'a>,
}

struct Content<'a>(&'a Value, Limits);

impl Serialize for Content<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Shown(self.0, self.1).serialize(serializer)
    }
}

#[derive(Serialize)]
struct Metadata<'a> {
    component_type: &'a str,
    duration_ms: f64,
    used_frozen_result: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    token_usage: Option<Tokens>,
}

impl<'a> ComponentOutput<'a> {
    pub fn new(produced: &'a Produced<'a>) -> Self {
        let first = produced.first();
        Self {
            r#type: first.map_or("unknown", kind),
            status: "completed",
            display_name: produced.display_name(),
            content: first.map(|value| Content(value, Limits::NONE)),
            metadata: Metadata {
                component_type: produced.node.map_or("", |node| &node.r#type),
                duration_ms: produced.duration_us as f64 / 1000.0,
                used_frozen_result: produced.reused,
                token_usage: produced.usage.map(Tokens::from),
            },
        }
    }
}

/// The one text a workflow answers with, if there is one.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    reason: &'static str,
    text: Option<String>,
    /// The node that said it.
    source: Option<String>,
}

/// What a workflow request said that its response says again.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    pub inputs: Map<String, Json>,
    /// Names only matter here: values may be secret and are not repeated.
    pub globals: Vec<String>,
}

#[derive(Serialize)]
struct WorkflowResponse<'s> {
    flow_id: Option<Uuid>,
    session_id: &'s str,
    job_id: Option<Uuid>,
    object: &'static str,
    created_timestamp: Rfc3339,
    status: &'static str,
    output: Answer,
    errors: Vec<ErrorDetail<'s>>,
    has_errors: bool,
    inputs: &'s Map<String, Json>,
    globals: BTreeMap<&'s str, &'static str>,
    outputs: ByComponent<'s>,
    duration_ms: Option<f64>,
    token_usage: Option<Tokens>,
    #[serde(skip_serializing_if = "Option::is_none")]
    human_request: Option<HumanRequest<'s>>,
}

#[derive(Serialize)]
struct ErrorDetail<'s> {
    error: &'s str,
    code: &'static str,
    details: ErrorPlace<'s>,
}

#[derive(Serialize)]
struct ErrorPlace<'s> {
    component_id: Option<&'s str>,
    component_display_name: Option<&'s str>,
    cause: &'static str,
    field: Option<&'s str>,
    advice: &'s str,
    detail: &'s str,
}

impl<'s> ErrorDetail<'s> {
    fn new(failure: &'s Failure, node: Option<&'s str>, meta: &'s Meta) -> Self {
        Self {
            error: &failure.message,
            code: match failure.cause {
                Cause::Timeout => "EXECUTION_TIMEOUT",
                _ => "JOB_FAILED",
            },
            details: ErrorPlace {
                component_id: node,
                component_display_name: node.map(|node| meta.display_name(node)),
                cause: cause(failure.cause),
                field: failure.field.as_deref(),
                advice: &failure.advice,
                detail: &failure.detail,
            },
        }
    }
}

struct ByComponent<'s>(&'s Results);

impl Serialize for ByComponent<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for kept in self.0.in_order() {
            map.serialize_entry(&*kept.node, &ComponentOutput::new(&self.0.produced(kept)))?;
        }
        map.end()
    }
}

impl Results {
    /// The object a workflow answers with, also about one that has not ended yet.
    pub fn workflow_response<'s>(&'s self, asked: &'s Asked) -> impl Serialize + 's {
        let Track { meta, ids, .. } = &self.track;
        let Ids {
            run_id,
            flow_id,
            session_id,
        } = ids;
        let mut errors: Vec<_> = self
            .failures
            .iter()
            .map(|(node, why)| ErrorDetail::new(why, Some(node), meta))
            .collect();
        let ended = self.ended.as_ref();
        if let (true, Some(failure)) = (errors.is_empty(), ended.and_then(|ended| ended.failure.as_ref())) {
            errors.push(ErrorDetail::new(failure, None, meta));
        }
        let human_request = self.asked.as_ref().filter(|_| ended.is_none());
        WorkflowResponse {
            flow_id: *flow_id,
            session_id,
            job_id: *run_id,
            object: "response",
            created_timestamp: Rfc3339(Moment(self.started_at)),
            status: job_status(self.status()),
            output: self.answer(),
            has_errors: !errors.is_empty(),
            errors,
            inputs: &asked.inputs,
            globals: asked.globals.iter().map(|name| (name.as_str(), "***")).collect(),
            outputs: ByComponent(self),
            duration_ms: ended.map(|ended| ended.duration_us as f64 / 1000.0),
            token_usage: ended.and_then(|ended| ended.usage).map(Tokens::from),
            human_request: human_request
                .map(|(id, node, question)| HumanRequest::new(*id, node, question, meta, ids)),
        }
    }

    fn answer(&self) -> Answer {
        let none = |reason| Answer {
            reason,
            text: None,
            source: None,
        };
        let is_output = |kept: &&&_| {
            let kept: &Kept = kept;
            self.track
                .meta
                .get(&kept.node)
                .is_some_and(|node| node.role == Role::Output)
        };
        let order = self.in_order();
        let outputs: Vec<_> = order.iter().filter(is_output).collect();
        match outputs.as_slice() {
            [] if self.failure().is_some() => none("failed"),
            [] => none("none"),
            [one] => {
                let produced = self.produced(one);
                let text = produced.first().and_then(text).map(str::to_owned);
                Answer {
                    reason: if text.is_some() { "single" } else { "non_string" },
                    text,
                    source: Some(one.node.to_string()),
                }
            }
            _ => none("multiple"),
        }
    }
}
