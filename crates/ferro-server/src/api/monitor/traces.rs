//! Runs as traces: when, how long, how many tokens, and what each node did.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::{extract::State, http::StatusCode, response::Response};
use ferro_store::{FlowId, Run, RunFilter, RunId, RunStatus, Timestamp, Window};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    api::{
        AppState, json_text,
        monitor::{
            Told,
            builds::ids,
            forget_runs, json,
            spans::{Execution, executions},
        },
        wire::{Moment, Rfc3339, components::Tokens, shortened},
    },
    app::runs,
    error::{AppError, ErrorBody, Result},
    http::{
        extract::{Path, Query},
        identity::Actor,
    },
};

/// Runs that are looked through when the store cannot pick them out by itself.
const SEARCHED: i64 = 1000;
const MAX_SIZE: i64 = 200;
/// Of an input or output in the list.
const LINE: usize = 500;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TraceStatus {
    Ok,
    Error,
    /// Not over yet.
    Unset,
}

impl TraceStatus {
    fn of(status: RunStatus) -> Self {
        match status {
            RunStatus::Completed => Self::Ok,
            RunStatus::Failed | RunStatus::Cancelled | RunStatus::TimedOut => Self::Error,
            RunStatus::Queued | RunStatus::Running | RunStatus::Waiting => Self::Unset,
        }
    }

    fn runs(self) -> Vec<RunStatus> {
        match self {
            Self::Ok => vec![RunStatus::Completed],
            Self::Error => vec![RunStatus::Failed, RunStatus::Cancelled, RunStatus::TimedOut],
            Self::Unset => vec![RunStatus::Queued, RunStatus::Running, RunStatus::Waiting],
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TraceList {
    pub flow_id: Option<Uuid>,
    pub session_id: Option<String>,
    pub status: Option<TraceStatus>,
    /// Text in the name, the session, the input or the output.
    pub query: Option<String>,
    #[param(value_type = Option<String>)]
    pub start_time: Option<Timestamp>,
    #[param(value_type = Option<String>)]
    pub end_time: Option<Timestamp>,
    #[param(minimum = 1)]
    pub page: Option<i64>,
    #[param(minimum = 1, maximum = 200)]
    pub size: Option<i64>,
}

#[derive(Serialize, ToSchema)]
pub struct Trace {
    id: Uuid,
    name: String,
    status: TraceStatus,
    #[schema(value_type = String, format = DateTime)]
    start_time: Rfc3339,
    #[schema(value_type = Option<String>, format = DateTime)]
    end_time: Option<Rfc3339>,
    total_latency_ms: Option<i64>,
    total_tokens: i64,
    /// In billionths of a dollar; null when no model was asked.
    cost_nanousd: Option<i64>,
    flow_id: Uuid,
    session_id: String,
    input: Option<String>,
    output: Option<String>,
    error: Option<String>,
}

impl From<&Run> for Trace {
    fn from(run: &Run) -> Self {
        let latency = run.finished_at.map(|end| (end.0 - run.created_at.0) / 1000);
        let line = |text: String| shortened(&text, LINE).into_owned();
        Self {
            id: run.id.0,
            name: run.flow_name.clone(),
            status: TraceStatus::of(run.status),
            start_time: Rfc3339(Moment(run.created_at.0)),
            end_time: run.finished_at.map(|end| Rfc3339(Moment(end.0))),
            total_latency_ms: latency,
            total_tokens: run.input_tokens.unwrap_or(0) + run.output_tokens.unwrap_or(0),
            cost_nanousd: run.cost_nanousd,
            flow_id: run.flow_id.0,
            session_id: run.session_id.clone(),
            input: input_of(run).map(line),
            output: run.output.as_deref().map(plain).map(line),
            error: run.error.clone(),
        }
    }
}

fn input_of(run: &Run) -> Option<String> {
    #[derive(Deserialize)]
    struct Asked {
        input_value: Option<String>,
    }
    serde_json::from_str::<Asked>(&run.request).ok()?.input_value
}

/// A JSON text as the text it is; anything else as it stands.
fn plain(json: &str) -> String {
    serde_json::from_str::<String>(json).unwrap_or_else(|_| json.to_owned())
}

#[derive(Serialize, ToSchema)]
pub struct Traces {
    traces: Vec<Trace>,
    total: i64,
    pages: i64,
}

/// Runs of one's flows, the newest first.
#[utoipa::path(get, path = "/api/v1/monitor/traces", tag = "monitor", params(TraceList),
    responses((status = 200, body = Traces), (status = 422, body = ErrorBody)))]
pub async fn list_traces(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<TraceList>,
) -> Result<Response> {
    let (page, size) = (query.page.unwrap_or(1), query.size.unwrap_or(50));
    if page < 1 {
        return Err(AppError::invalid("page", "begins at 1"));
    }
    if !(1..=MAX_SIZE).contains(&size) {
        return Err(AppError::invalid(
            "size",
            format!("must be between 1 and {MAX_SIZE}"),
        ));
    }
    let window = Window {
        offset: (page - 1).saturating_mul(size),
        limit: size,
    };
    let filter = RunFilter {
        flow_id: query.flow_id.map(FlowId),
        session_id: query.session_id.clone(),
        status: query.status.map(TraceStatus::runs).unwrap_or_default(),
        before: query.end_time,
        ..RunFilter::default()
    };
    let by = actor.principal();
    let (traces, total): (Vec<Trace>, i64) = if query.query.is_none() && query.start_time.is_none() {
        let found = app.store.runs(&by, filter, window).await?;
        (found.items.iter().map(Trace::from).collect(), found.total)
    } else {
        let all = Window {
            offset: 0,
            limit: SEARCHED,
        };
        let found = app.store.runs(&by, filter, all).await?;
        let found: Vec<_> = found.items.iter().filter(|run| query.finds(run)).collect();
        let offset = usize::try_from(window.offset).unwrap_or(usize::MAX);
        let shown = found.iter().skip(offset).take(usize::try_from(size).unwrap_or(0));
        (
            shown.map(|run| Trace::from(*run)).collect(),
            i64::try_from(found.len()).unwrap_or(i64::MAX),
        )
    };
    let pages = total.div_euclid(size) + i64::from(total % size != 0);
    Ok(json_text(StatusCode::OK, json(&Traces { traces, total, pages })))
}

impl TraceList {
    fn finds(&self, run: &Run) -> bool {
        if self.start_time.is_some_and(|start| run.created_at < start) {
            return false;
        }
        let Some(query) = &self.query else { return true };
        let query = query.to_lowercase();
        let texts = [
            Some(run.flow_name.clone()),
            Some(run.session_id.clone()),
            Some(run.id.to_string()),
            input_of(run),
            run.output.clone(),
        ];
        texts
            .into_iter()
            .flatten()
            .any(|text| text.to_lowercase().contains(&query))
    }
}

#[derive(Serialize, ToSchema)]
pub struct TraceRead {
    #[serde(flatten)]
    trace: Trace,
    spans: Vec<Span>,
}

/// One time a node ran; in a loop, what the loop went through.
#[derive(Serialize, ToSchema)]
pub struct Span {
    id: String,
    name: String,
    /// `chain`, or `llm` where a model was asked.
    r#type: &'static str,
    status: TraceStatus,
    #[schema(value_type = String, format = DateTime)]
    start_time: Rfc3339,
    #[schema(value_type = Option<String>, format = DateTime)]
    end_time: Option<Rfc3339>,
    latency_ms: u64,
    #[schema(value_type = Object)]
    inputs: BTreeMap<Arc<str>, String>,
    #[schema(value_type = Option<Object>)]
    outputs: Option<Box<RawValue>>,
    error: Option<String>,
    model_name: Option<String>,
    #[schema(value_type = Option<Object>)]
    token_usage: Option<Tokens>,
    #[schema(no_recursion)]
    children: Vec<Span>,
}

impl Span {
    fn new(told: &Told, execution: &Execution<'_>) -> Self {
        let failure = execution.failure();
        let usage = execution.usage();
        Self {
            id: execution.id.clone(),
            name: told.meta.display_name(&execution.at.node).to_owned(),
            r#type: if usage.is_some() { "llm" } else { "chain" },
            status: match (execution.is_over(), failure) {
                (false, _) => TraceStatus::Unset,
                (true, None) => TraceStatus::Ok,
                (true, Some(_)) => TraceStatus::Error,
            },
            start_time: execution.start_time(),
            end_time: execution.end_time(),
            latency_ms: execution.micros() / 1000,
            inputs: execution.inputs.clone(),
            outputs: execution.outputs(&told.meta, &ids(told)),
            error: failure.map(|failure| failure.message.clone()),
            model_name: execution.model.map(str::to_owned),
            token_usage: usage,
            children: Vec::new(),
        }
    }
}

/// A span in the list always begins before its children: going backwards, each child finds its parent still there.
fn nested(told: &Told, executions: &[Execution<'_>]) -> Vec<Span> {
    let mut spans: Vec<Option<Span>> = executions.iter().map(|one| Some(Span::new(told, one))).collect();
    for place in (0..spans.len()).rev() {
        let Some(parent) = executions[place].parent.filter(|parent| *parent < place) else {
            continue;
        };
        if let Some(span) = spans[place].take()
            && let Some(Some(parent)) = spans.get_mut(parent)
        {
            parent.children.insert(0, span);
        }
    }
    spans.into_iter().flatten().collect()
}

/// A run, and each time one of its nodes ran.
#[utoipa::path(get, path = "/api/v1/monitor/traces/{trace_id}", tag = "monitor", params(("trace_id" = Uuid, Path)),
    responses((status = 200, body = TraceRead), (status = 404, body = ErrorBody)))]
pub async fn read_trace(State(app): AppState, actor: Actor, Path(id): Path<RunId>) -> Result<Response> {
    let by = actor.principal();
    let run = app.store.run(&by, id).await?;
    let told = Told::load(&app, &by, run).await?;
    let trace = TraceRead {
        trace: Trace::from(&told.run),
        spans: nested(&told, &executions(&told.events, &told.meta)),
    };
    Ok(json_text(StatusCode::OK, json(&trace)))
}

/// Delete one trace: a finished run, with everything it logged. What was said stays.
#[utoipa::path(delete, path = "/api/v1/monitor/traces/{trace_id}", tag = "monitor", params(("trace_id" = Uuid, Path)),
    responses((status = 204), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn delete_trace(State(app): AppState, actor: Actor, Path(id): Path<RunId>) -> Result<StatusCode> {
    runs::forget(&app, &actor, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TracesOf {
    pub flow_id: Uuid,
}

/// Delete the traces of a flow: its finished runs, with everything they logged.
#[utoipa::path(delete, path = "/api/v1/monitor/traces", tag = "monitor", params(TracesOf),
    responses((status = 204), (status = 404, body = ErrorBody)))]
pub async fn delete_traces(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<TracesOf>,
) -> Result<StatusCode> {
    forget_runs(&app, &actor, FlowId(query.flow_id)).await?;
    Ok(StatusCode::NO_CONTENT)
}
