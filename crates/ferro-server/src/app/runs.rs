//! Running flows: who may, which document, durable or not; then watching, answering, stopping and forking.

mod begin;
mod begun;
pub mod host;
mod known;
pub mod live;
pub mod log;
mod look;
mod nested;
pub mod reader;
pub mod request;
pub mod resume;
pub(crate) mod sql;
mod steer;
mod trouble;
mod watch;

use std::sync::Arc;
use std::time::Duration;

use ferro_engine::{Ending, Event, Handle, Limits, Overrides, Plan, PlanError, RunInfo, Start, start};
use ferro_store::{FlowId, Principal, RunId, UserId};
use serde_json::Value as Json;

use crate::{
    error::{AppError, Result},
    http::{identity::Actor, rarely},
    state::App,
};
pub use begin::begin;
pub use begun::{Begun, Finished, Work};
use host::{Conversation, ServerHost};
pub use known::{KnownFlow, find_flow, read_document};
use live::{Live, Ready, hash_of};
use log::StoreLog;
pub use look::{Looked, look};
use request::{InputType, RunRequest};
pub use steer::{answer, cancel, forget, fork};
pub use watch::{Watched, history, open_questions, problems, stored_run, watch};

/// How long a process may be silent before another takes its runs over.
pub const LEASE: Duration = Duration::from_secs(15);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Somebody waits.
    Hurried,
    Unhurried,
}

/// The flow planned, for looking at it before it runs.
pub async fn ready(app: &App, actor: &Actor, flow: &KnownFlow, request: &RunRequest) -> Result<Ready> {
    let ready = match &request.data {
        Some(data) => app.runs.ready(hash_of(data), data, request.selection()),
        None => app
            .runs
            .ready(flow.document.hash, &flow.data, request.selection()),
    };
    match ready {
        Ok(ready) => Ok(ready),
        Err(error) => Err(rarely(refused(app, actor, flow, error)).await),
    }
}

/// Why it cannot run. That somebody tried to run unsafe code is written down.
async fn refused(app: &App, actor: &Actor, flow: &KnownFlow, error: PlanError) -> AppError {
    if let PlanError::UnsafeCode(_) = &error {
        let target = format!("flow {}", flow.header.id);
        if let Err(error) = app.audit(actor, "code.refused", target).await {
            return error;
        }
    }
    cannot_run(error)
}

impl Ready {
    /// Some node stops the run to ask a person.
    pub fn asks_people(&self) -> bool {
        self.plan
            .nodes()
            .any(|node| node.component() == Some("HumanInput") || node.asks_leave())
    }

    /// Somebody reads what it says.
    pub fn talks(&self) -> bool {
        self.plan
            .nodes()
            .any(|node| matches!(node.component(), Some("ChatInput" | "ChatOutput")))
    }

    /// It can be talked to.
    pub fn has_chat(&self) -> bool {
        let has = |kind| self.plan.nodes().any(|node| node.component() == Some(kind));
        has("ChatInput") && has("ChatOutput")
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Owner {
    pub principal: Principal,
    pub id: UserId,
}

/// What `launch` needs to know besides the request.
pub(crate) struct Job {
    pub run_id: RunId,
    pub owner: Owner,
    pub flow_id: FlowId,
    pub flow_name: String,
    /// What it was called when the run began.
    pub session_id: String,
    pub ready: Ready,
    pub log: Option<Arc<StoreLog>>,
    pub seeds: std::collections::HashMap<String, ferro_engine::Outputs>,
    pub history: Vec<Event>,
}

/// Puts a run on the list of those under way; it leaves the list when the work is over or dropped.
pub(crate) fn launch(
    app: &Arc<App>,
    job: Job,
    request: RunRequest,
) -> (Handle, impl Future<Output = Ending> + Send + 'static + use<>) {
    let mut overrides = Overrides::from_tweaks(&job.ready.plan, &request.tweaks);
    let input_value = request.input_value.clone().unwrap_or_default();
    if request.input_type != InputType::Chat {
        text_inputs(&job.ready.plan, &mut overrides, &input_value);
    }
    let chat = request.input_type != InputType::Text;
    let visit = request.visit;
    let host = ServerHost {
        app: Arc::clone(app),
        owner: job.owner.principal,
        user_id: job.owner.id,
        flow_id: job.flow_id,
        visit,
        conversation: job.log.as_ref().map(|_| Conversation {
            run_id: job.run_id,
            session_id: job.session_id.clone(),
        }),
        lost_globals: request
            .global_names
            .iter()
            .filter(|name| !request.globals.contains_key(*name))
            .cloned()
            .collect(),
        globals: request.globals,
    };
    let pace = if request.unhurried {
        Pace::Unhurried
    } else {
        Pace::Hurried
    };
    let (handle, work) = start(Start {
        plan: Arc::clone(&job.ready.plan),
        info: RunInfo {
            run_id: job.run_id.0,
            flow_id: job.flow_id.0,
            flow_name: job.flow_name,
            session_id: job.session_id,
            input_value: if chat { input_value } else { String::new() },
            files: request.files,
            webhook: request.webhook,
            stack: vec![job.flow_id.0],
        },
        overrides,
        host: Arc::new(host),
        log: job.log.clone().map(|log| log as Arc<dyn ferro_engine::EventLog>),
        limits: limits(app, pace),
        seeds: job.seeds,
        history: job.history,
    });
    let live = Live {
        owner: job.owner.id,
        flow_id: job.flow_id,
        handle: handle.clone(),
        meta: job.ready.meta,
        visit,
        log: job.log,
    };
    app.runs.insert(job.run_id, live);
    let listed = Listed {
        app: Arc::clone(app),
        run_id: job.run_id,
    };
    let work = async move {
        let _listed = listed;
        work.await
    };
    (handle, work)
}

/// On the list of runs under way, for as long as this lives.
struct Listed {
    app: Arc<App>,
    run_id: RunId,
}

impl Drop for Listed {
    fn drop(&mut self) {
        self.app.runs.remove(self.run_id);
    }
}

/// Gives the input to text inputs, unless a tweak did.
pub(crate) fn text_inputs(plan: &Plan, overrides: &mut Overrides, input: &str) {
    let ids: Vec<_> = plan
        .nodes()
        .filter(|node| node.component() == Some("TextInput"))
        .map(|node| Arc::clone(node.id()))
        .collect();
    for id in ids {
        if !input.is_empty() && !overrides.sets(plan, &id, "input_value") {
            overrides.set(plan, &id, "input_value", &Json::String(input.to_owned()));
        }
    }
}

pub(crate) fn limits(app: &App, pace: Pace) -> Limits {
    let seconds = match pace {
        Pace::Hurried => app.config.run_timeout_secs,
        Pace::Unhurried => app.config.background_timeout_secs,
    };
    Limits {
        run: Duration::from_secs(seconds),
        node: Duration::from_secs(seconds),
        ..Limits::default()
    }
}

pub fn cannot_run(error: PlanError) -> AppError {
    match error {
        PlanError::NoSuchNode(_) => AppError::not_found("node").about(&error.to_string()),
        other => AppError::cannot_run(other.to_string()),
    }
}
