//! What nodes produced lately, and each time one ran: read from the logs of a flow's newest runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::{extract::State, http::StatusCode, response::Response};
use ferro_store::FlowId;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    api::{
        AppState, PageRequest, json_text,
        monitor::{Told, forget_runs, json, newest_runs, spans::executions},
        wire::{Rfc3339, message::Ids},
    },
    error::{AppError, ErrorBody, Result},
    http::{extract::Query, identity::Actor},
};

/// Runs that are looked into, and builds of one node that are told.
const BUILD_RUNS: i64 = 10;
const BUILDS_PER_NODE: usize = 2;
const TRANSACTION_RUNS: i64 = 50;
const MAX_TRANSACTIONS: usize = 5_000;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct BuildList {
    pub flow_id: Uuid,
}

/// By node, the newest first.
#[derive(Serialize, ToSchema)]
pub struct Builds {
    #[schema(value_type = BTreeMap<String, Vec<Build>>)]
    vertex_builds: BTreeMap<Arc<str>, Vec<Build>>,
}

#[derive(Serialize, ToSchema)]
pub struct Build {
    /// The node.
    #[schema(value_type = String)]
    id: Arc<str>,
    flow_id: Uuid,
    build_id: String,
    /// The run it was part of.
    job_id: Uuid,
    #[schema(value_type = String, format = DateTime)]
    timestamp: Rfc3339,
    valid: bool,
    /// Why it failed, if it did.
    params: Option<String>,
    /// As in the stream of a build.
    #[schema(value_type = Object)]
    data: Option<Box<RawValue>>,
    #[schema(value_type = Object)]
    artifacts: BTreeMap<String, String>,
}

/// What each node of a flow produced lately.
#[utoipa::path(get, path = "/api/v1/monitor/builds", tag = "monitor", params(BuildList),
    responses((status = 200, body = Builds), (status = 404, body = ErrorBody)))]
pub async fn list_builds(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<BuildList>,
) -> Result<Response> {
    let flow = FlowId(query.flow_id);
    let mut builds = Builds {
        vertex_builds: BTreeMap::new(),
    };
    for run in newest_runs(&app, &actor, flow, BUILD_RUNS).await? {
        let told = Told::load(&app, &actor.principal(), run).await?;
        builds.add(&told);
    }
    Ok(json_text(StatusCode::OK, json(&builds)))
}

impl Builds {
    fn add(&mut self, told: &Told) {
        let ids = ids(told);
        let finished = executions(&told.events, &told.meta);
        for execution in finished.iter().rev().filter(|execution| execution.is_over()) {
            let of_node = self
                .vertex_builds
                .entry(Arc::clone(&execution.at.node))
                .or_default();
            if of_node.len() >= BUILDS_PER_NODE {
                continue;
            }
            let failure = execution.failure();
            of_node.push(Build {
                id: Arc::clone(&execution.at.node),
                flow_id: told.run.flow_id.0,
                build_id: execution.id.clone(),
                job_id: told.run.id.0,
                timestamp: Rfc3339(crate::api::wire::Moment(execution.ended)),
                valid: failure.is_none(),
                params: failure.map(|failure| failure.message.clone()),
                data: execution.data(&told.meta, &ids),
                artifacts: BTreeMap::new(),
            });
        }
    }
}

pub(super) fn ids(told: &Told) -> Ids {
    Ids {
        run_id: Some(told.run.id.0),
        flow_id: Some(told.run.flow_id.0),
        session_id: told.run.session_id.clone(),
    }
}

/// Forget what a flow's nodes produced: its finished runs are deleted, with their traces.
#[utoipa::path(delete, path = "/api/v1/monitor/builds", tag = "monitor", params(BuildList),
    responses((status = 204), (status = 404, body = ErrorBody)))]
pub async fn delete_builds(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<BuildList>,
) -> Result<StatusCode> {
    forget_runs(&app, &actor, FlowId(query.flow_id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TransactionList {
    pub flow_id: Uuid,
    #[param(minimum = 1)]
    pub page: Option<i64>,
    #[param(minimum = 1, maximum = 100)]
    pub size: Option<i64>,
}

/// One time a node ran.
#[derive(Serialize, ToSchema)]
pub struct Transaction {
    id: String,
    #[schema(value_type = String, format = DateTime)]
    timestamp: Rfc3339,
    #[schema(value_type = String)]
    vertex_id: Arc<str>,
    target_id: Option<String>,
    /// Each node before it, and a line about what that produced.
    #[schema(value_type = Object)]
    inputs: BTreeMap<Arc<str>, String>,
    #[schema(value_type = Option<Object>)]
    outputs: Option<Box<RawValue>>,
    /// `success` or `error`.
    status: &'static str,
    error: Option<String>,
    flow_id: Uuid,
}

#[derive(Serialize, ToSchema)]
pub struct TransactionPage {
    pub items: Vec<Transaction>,
    pub total: i64,
    pub page: i64,
    pub size: i64,
    pub pages: i64,
}

/// Each time a node of a flow ran lately, the newest first.
#[utoipa::path(get, path = "/api/v1/monitor/transactions", tag = "monitor", params(TransactionList),
    responses((status = 200, body = TransactionPage), (status = 404, body = ErrorBody), (status = 422, body = ErrorBody)))]
pub async fn list_transactions(
    State(app): AppState,
    actor: Actor,
    Query(query): Query<TransactionList>,
) -> Result<Response> {
    let request = PageRequest::new(query.page, query.size)?;
    let window = request.window();
    let wanted = usize::try_from(window.offset).unwrap_or(usize::MAX);
    let wanted = wanted..wanted.saturating_add(usize::try_from(window.limit).unwrap_or(0));
    let (mut items, mut total) = (Vec::new(), 0);
    for run in newest_runs(&app, &actor, FlowId(query.flow_id), TRANSACTION_RUNS).await? {
        let told = Told::load(&app, &actor.principal(), run).await?;
        let finished = executions(&told.events, &told.meta);
        for execution in finished.iter().rev().filter(|execution| execution.is_over()) {
            if wanted.contains(&total) {
                items.push(transaction(&told, execution)?);
            }
            total += 1;
        }
        if total >= MAX_TRANSACTIONS {
            break;
        }
    }
    let items = json(&items);
    Ok(json_text(
        StatusCode::OK,
        request.json(&items, i64::try_from(total).unwrap_or(i64::MAX)),
    ))
}

fn transaction(told: &Told, execution: &super::spans::Execution<'_>) -> Result<Transaction> {
    let failure = execution.failure();
    let outputs = execution.outputs(&told.meta, &ids(told));
    if outputs.is_none() && failure.is_none() {
        return Err(AppError::bug("a node's outputs cannot be written"));
    }
    Ok(Transaction {
        id: execution.id.clone(),
        timestamp: execution.start_time(),
        vertex_id: Arc::clone(&execution.at.node),
        target_id: None,
        inputs: execution.inputs.clone(),
        outputs,
        status: if failure.is_none() { "success" } else { "error" },
        error: failure.map(|failure| failure.message.clone()),
        flow_id: told.run.flow_id.0,
    })
}
