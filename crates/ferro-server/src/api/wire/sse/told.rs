//! What Ferroflow's own stream says of each event.

use std::borrow::Cow;
use std::sync::Arc;

use ferro_engine::{Answer, At, Body, Failure, NodeResult, Question, RunStatus, Skipped};
use serde::{Serialize, Serializer};
use serde_json::Value as Json;
use uuid::Uuid;

use super::super::components::{Tokens, cause};
use super::super::message::{Blocks, Ids, MessageRead};
use super::super::value::{Cut, Shown, kind};
use super::super::{Meta, Rfc3339};

#[derive(Serialize)]
pub(super) struct Timed<'a> {
    pub(super) at: Rfc3339,
    #[serde(flatten)]
    pub(super) told: Told<'a>,
}

#[derive(Serialize)]
pub(super) struct Where<'a> {
    node: &'a str,
    #[serde(skip_serializing_if = "<[u32]>::is_empty")]
    rounds: &'a [u32],
}

impl<'a> From<&'a At> for Where<'a> {
    fn from(at: &'a At) -> Self {
        Self {
            node: &at.node,
            rounds: &at.rounds,
        }
    }
}

/// The data of one frame.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Told<'a> {
    Started {
        run_id: Uuid,
        flow_id: Uuid,
        session_id: &'a str,
    },
    Planned {
        nodes: &'a [Arc<str>],
        first: &'a [Arc<str>],
    },
    NodeStarted {
        #[serde(flatten)]
        at: Where<'a>,
        attempt: u32,
    },
    Node {
        #[serde(flatten)]
        at: Where<'a>,
    },
    Finished(Box<Finished<'a>>),
    Failed {
        #[serde(flatten)]
        at: Where<'a>,
        error: Trouble<'a>,
        duration_ms: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        usage: Option<Tokens>,
    },
    /// What the call was about stays in the log: it may be large.
    Called {
        #[serde(flatten)]
        at: Where<'a>,
        provider: &'a str,
        model: &'a str,
        duration_ms: f64,
    },
    Variable {
        #[serde(flatten)]
        at: Where<'a>,
        field: Option<&'a str>,
        name: &'a str,
    },
    Skipped {
        #[serde(flatten)]
        at: Where<'a>,
        why: &'static str,
    },
    Round {
        #[serde(flatten)]
        at: Where<'a>,
        round: u32,
        of: Option<u32>,
    },
    Message {
        node: &'a str,
        stored: bool,
        message: Box<MessageRead<'a>>,
    },
    Token {
        node: &'a str,
        message_id: Uuid,
        chunk: &'a str,
    },
    Removed {
        message_id: Uuid,
    },
    Log {
        node: &'a str,
        name: &'a str,
        message: Cut<'a>,
    },
    Asked {
        #[serde(flatten)]
        at: Where<'a>,
        request_id: Uuid,
        question: Asked<'a>,
    },
    Answered {
        request_id: Uuid,
        action_id: &'a str,
    },
    Nothing {},
    Ended {
        status: &'static str,
        error: Option<Trouble<'a>>,
        duration_ms: f64,
        usage: Option<Tokens>,
    },
}

#[derive(Serialize)]
pub(super) struct Finished<'a> {
    #[serde(flatten)]
    at: Where<'a>,
    outputs: Produced<'a>,
    /// Outputs whose branch is not taken.
    stopped: &'a [Cow<'static, str>],
    inactivated: &'a [Arc<str>],
    /// Why this branch was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    status: Option<Cut<'a>>,
    usage: Option<Tokens>,
    duration_ms: f64,
    /// It did not run: frozen, or taken over from another run.
    reused: bool,
    /// Rounds a loop is about to go through.
    #[serde(skip_serializing_if = "Option::is_none")]
    rounds_ahead: Option<usize>,
}

/// What each output holds: its kind and the value, large parts cut.
struct Produced<'a>(&'a NodeResult, &'a Meta);

impl Serialize for Produced<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct One<'a> {
            kind: &'static str,
            value: Shown<'a>,
        }
        use serde::ser::SerializeMap as _;
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in &self.0.outputs.values {
            let kind = kind(value);
            let value = Shown(value, self.1.limits);
            map.serialize_entry(&**name, &One { kind, value })?;
        }
        map.end()
    }
}

#[derive(Serialize)]
pub(super) struct Trouble<'a> {
    message: &'a str,
    advice: &'a str,
    field: Option<&'a str>,
    detail: &'a str,
    cause: &'static str,
}

impl<'a> From<&'a Failure> for Trouble<'a> {
    fn from(failure: &'a Failure) -> Self {
        Self {
            message: &failure.message,
            advice: &failure.advice,
            field: failure.field.as_deref(),
            detail: &failure.detail,
            cause: cause(failure.cause),
        }
    }
}

#[derive(Serialize)]
pub(super) struct Asked<'a> {
    kind: &'a str,
    prompt: &'a str,
    options: &'a [Json],
    fields: &'a [Json],
    timeout_ms: Option<u64>,
    fallback: Option<&'a str>,
}

impl<'a> From<&'a Question> for Asked<'a> {
    fn from(question: &'a Question) -> Self {
        Self {
            kind: &question.kind,
            prompt: &question.prompt,
            options: &question.options,
            fields: &question.fields,
            timeout_ms: question.timeout_ms,
            fallback: question.fallback.as_deref(),
        }
    }
}

fn millis(micros: u64) -> f64 {
    micros as f64 / 1000.0
}

fn why(skipped: Skipped) -> &'static str {
    match skipped {
        Skipped::Inactive => "inactive",
        Skipped::Blocked => "blocked",
        Skipped::Cancelled => "cancelled",
    }
}

fn status(status: RunStatus) -> &'static str {
    match status {
        RunStatus::Queued => "queued",
        RunStatus::Running => "running",
        RunStatus::Waiting => "waiting",
        RunStatus::Completed => "completed",
        RunStatus::Failed => "failed",
        RunStatus::Cancelled => "cancelled",
        RunStatus::TimedOut => "timed_out",
    }
}

fn finished<'a>(at: &'a At, result: &'a NodeResult, meta: &'a Meta) -> Told<'a> {
    Told::Finished(Box::new(Finished {
        at: at.into(),
        outputs: Produced(result, meta),
        stopped: &result.outputs.stopped,
        inactivated: &result.inactivated,
        why: result.outputs.why.as_deref(),
        status: result
            .outputs
            .status
            .as_ref()
            .map(|status| Cut(status, meta.limits)),
        usage: result.outputs.usage.map(Tokens::from),
        duration_ms: millis(result.duration_us),
        reused: result.reused,
        rounds_ahead: result.each.as_ref().map(Vec::len),
    }))
}

/// The frame's name.
pub(super) fn name(body: &Body) -> &'static str {
    match body {
        Body::RunStarted { .. } => "run_started",
        Body::Planned { .. } => "planned",
        Body::NodeStarted { .. } => "node_started",
        Body::EffectStarted { .. } => "effect_started",
        Body::NodeFinished { .. } => "node_finished",
        Body::NodeFailed { .. } => "node_failed",
        Body::NodeSkipped { .. } => "node_skipped",
        Body::RoundStarted { .. } => "round_started",
        Body::Message { .. } => "message",
        Body::Token { .. } => "token",
        Body::MessageRemoved { .. } => "message_removed",
        Body::Log { .. } => "log",
        Body::VariableRead { .. } => "variable_read",
        Body::ModelCalled { .. } => "model_called",
        Body::Asked { .. } => "asked",
        Body::Answered { .. } => "answered",
        Body::CancelRequested => "cancel_requested",
        Body::Resumed => "resumed",
        Body::RunEnded { .. } => "run_ended",
    }
}

/// The frame's data.
pub(super) fn tell<'a>(body: &'a Body, meta: &'a Meta, ids: &'a Ids) -> Told<'a> {
    match body {
        Body::RunStarted {
            run_id,
            flow_id,
            session_id,
        } => Told::Started {
            run_id: *run_id,
            flow_id: *flow_id,
            session_id,
        },
        Body::Planned { nodes, first } => Told::Planned { nodes, first },
        Body::NodeStarted { at, attempt } => Told::NodeStarted {
            at: at.into(),
            attempt: *attempt,
        },
        Body::EffectStarted { at } => Told::Node { at: at.into() },
        Body::NodeFinished { at, result } => finished(at, result, meta),
        Body::NodeFailed {
            at,
            failure,
            duration_us,
            usage,
        } => Told::Failed {
            at: at.into(),
            error: failure.into(),
            duration_ms: millis(*duration_us),
            usage: usage.map(Tokens::from),
        },
        Body::NodeSkipped { at, why: skipped } => Told::Skipped {
            at: at.into(),
            why: why(*skipped),
        },
        Body::RoundStarted { at, round, of } => Told::Round {
            at: at.into(),
            round: *round,
            of: *of,
        },
        Body::Message {
            message,
            node,
            store,
            is_output,
        } => Told::Message {
            node,
            stored: *store,
            message: Box::new(MessageRead::new(message, ids, Blocks::Flat).output(*is_output)),
        },
        Body::Token {
            message_id,
            node,
            chunk,
        } => Told::Token {
            node,
            message_id: *message_id,
            chunk,
        },
        Body::MessageRemoved { message_id } => Told::Removed {
            message_id: *message_id,
        },
        Body::Log { node, name, message } => Told::Log {
            node,
            name,
            message: Cut(message, meta.limits),
        },
        Body::VariableRead { at, field, name, .. } => Told::Variable {
            at: at.into(),
            field: field.as_deref(),
            name,
        },
        Body::ModelCalled { at, call } => Told::Called {
            at: at.into(),
            provider: &call.provider,
            model: &call.model,
            duration_ms: millis(call.duration_us),
        },
        Body::Asked {
            at,
            request_id,
            question,
        } => Told::Asked {
            at: at.into(),
            request_id: *request_id,
            question: question.into(),
        },
        Body::Answered { request_id, answer } => answered(*request_id, answer),
        Body::CancelRequested | Body::Resumed => Told::Nothing {},
        Body::RunEnded {
            status: ended,
            failure,
            duration_us,
            usage,
        } => Told::Ended {
            status: status(*ended),
            error: failure.as_ref().map(Trouble::from),
            duration_ms: millis(*duration_us),
            usage: usage.map(Tokens::from),
        },
    }
}

/// What was filled in stays with the run: it may be private.
fn answered(request_id: Uuid, answer: &Answer) -> Told<'_> {
    Told::Answered {
        request_id,
        action_id: &answer.action_id,
    }
}
