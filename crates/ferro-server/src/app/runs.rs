//! Running flows: who may, which document, durable or not; then watching, answering, stopping and forking.

mod begun;
pub mod host;
mod known;
pub mod live;
pub mod log;
mod nested;
pub mod reader;
pub mod request;
pub mod resume;
pub(crate) mod sql;
mod steer;
mod watch;

use std::sync::Arc;
use std::time::Duration;

use ferro_engine::{Ending, Event, Handle, Limits, Overrides, Plan, PlanError, RunInfo, Start, start};
use ferro_store::{Append, FlowId, NewRun, Principal, RunId, UserId};
use serde_json::Value as Json;

use crate::{
    error::{AppError, Result},
    http::{identity::Actor, rarely},
    state::App,
};
pub use begun::{Begun, Finished, Work};
use host::ServerHost;
use known::document_of;
pub use known::{KnownFlow, find_flow, read_document};
use live::{Live, Ready, hash_of};
use log::StoreLog;
use request::{InputType, Keep, RunRequest};
pub use steer::{answer, cancel, fork};
pub use watch::{Watched, history, open_questions, problems, stored_run, watch};

/// How long a process may be silent before another takes its runs over.
pub const LEASE: Duration = Duration::from_secs(15);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Somebody waits.
    Hurried,
    Unhurried,
}

/// Begins a run. When this returns a durable background run is written down and will finish, whatever happens.
pub async fn begin(app: &Arc<App>, actor: &Actor, flow: &KnownFlow, request: RunRequest) -> Result<Begun> {
    let (data, document) = match &request.data {
        Some(data) => (data.clone(), document_of(data)),
        None => (flow.data.clone(), flow.document.clone()),
    };
    let Ready { plan, meta } = app
        .runs
        .ready(document.hash, &data, request.selection())
        .map_err(cannot_run)?;
    let slot = Arc::clone(&app.runs.slots)
        .try_acquire_owned()
        .map_err(|_| AppError::busy())?;
    let run_id = RunId::new();
    let session_id = match &request.session_id {
        Some(session) if !session.is_empty() => session.clone(),
        _ => flow.header.id.to_string(),
    };
    let durable = request.keep == Keep::Durable;
    let log = durable.then(|| {
        let log = StoreLog::new(
            app.store.clone(),
            run_id,
            actor.user.id,
            flow.header.id,
            Append::FIRST_EPOCH,
        );
        let new = NewRun {
            flow_id: flow.header.id,
            flow_name: flow.header.name.clone(),
            kind: request.kind.clone(),
            session_id: session_id.clone(),
            document,
            request: serde_json::to_string(&request).unwrap_or_default(),
            lease: Some(app.runs.lease()),
            parent: None,
            idempotency_key: request.idempotency_key.clone(),
        };
        (log, new)
    });
    let log = match log {
        None => None,
        Some((log, new)) if request.unhurried => {
            let mut append = Append::new(run_id, actor.user.id, Append::FIRST_EPOCH);
            append.create = Some(new);
            rarely(app.store.append_run(&Principal::System, append)).await?;
            Some(Arc::new(log))
        }
        Some((log, new)) => Some(Arc::new(log.create_with(new))),
    };
    let owner = Owner {
        principal: actor.principal(),
        id: actor.user.id,
    };
    let job = Job {
        run_id,
        owner,
        flow_id: flow.header.id,
        flow_name: flow.header.name.clone(),
        session_id: session_id.clone(),
        ready: Ready {
            plan: Arc::clone(&plan),
            meta: Arc::clone(&meta),
        },
        log,
        seeds: Default::default(),
        history: Vec::new(),
    };
    // A durable run gives its place up while it waits for a person.
    let slot = match &job.log {
        Some(log) => {
            log.hold(slot);
            None
        }
        None => Some(slot),
    };
    let (handle, work) = launch(app, job, request);
    let follower = handle.follow(0);
    let work = if durable {
        tokio::spawn(work);
        Work::Spawned
    } else {
        Work::Inline(Box::pin(async move {
            let _slot = slot;
            work.await
        }))
    };
    Ok(Begun {
        run_id,
        session_id,
        plan,
        meta,
        handle,
        follower,
        work,
    })
}

/// The flow planned, for looking at it before it runs.
pub fn ready(app: &App, flow: &KnownFlow, request: &RunRequest) -> Result<Ready> {
    let ready = match &request.data {
        Some(data) => app.runs.ready(hash_of(data), data, request.selection()),
        None => app
            .runs
            .ready(flow.document.hash, &flow.data, request.selection()),
    };
    ready.map_err(cannot_run)
}

impl Ready {
    /// Some node stops the run to ask a person.
    pub fn asks_people(&self) -> bool {
        self.plan
            .nodes()
            .any(|node| node.component() == Some("HumanInput"))
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
    let host = ServerHost {
        app: Arc::clone(app),
        owner: job.owner.principal,
        user_id: job.owner.id,
        flow_id: job.flow_id,
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
