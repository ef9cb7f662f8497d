//! Running flows: who may, which document, durable or not; then watching, answering, stopping and forking.

pub mod host;
pub mod live;
pub mod log;
mod nested;
pub mod reader;
pub mod request;
pub mod resume;
pub(crate) mod sql;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use ferro_engine::{
    Body, Ending, Event, Follower, Handle, Limits, Overrides, Plan, PlanError, RunInfo, Start, reusable,
    start,
};
use ferro_model::FlowData;
use ferro_store::{
    Append, Flow, FlowHeader, FlowId, Lease, NewRun, Principal, Run, RunDocument, RunId, StoreError, UserId,
};
use serde_json::Value as Json;

use crate::{
    api::wire::Meta,
    app::flows::stored,
    cache::Reading,
    error::{AppError, Result},
    http::identity::Actor,
    state::App,
};
use host::ServerHost;
use live::{Live, Ready, hash_of};
use log::StoreLog;
use reader::Reader;
use request::{InputType, Keep, RunRequest};

/// How long a process may be silent before another takes its runs over.
pub const LEASE: Duration = Duration::from_secs(15);

/// A run that has begun.
pub struct Begun {
    pub run_id: RunId,
    pub session_id: String,
    pub plan: Arc<Plan>,
    pub meta: Arc<Meta>,
    pub handle: Handle,
    /// From the first event on.
    pub follower: Follower,
    /// A throw-away run goes on only while this is polled.
    pub work: Work,
}

pub enum Work {
    Spawned,
    Inline(futures_util::future::BoxFuture<'static, Ending>),
}

/// A run that is over.
pub struct Finished {
    pub run_id: RunId,
    pub session_id: String,
    pub plan: Arc<Plan>,
    pub events: Vec<Arc<Event>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Somebody waits.
    Hurried,
    Unhurried,
}

/// A flow that is about to run: its header, and its document checked and hashed.
pub struct KnownFlow {
    pub header: FlowHeader,
    pub data: FlowData,
    pub document: RunDocument,
}

impl KnownFlow {
    pub fn of(flow: Flow) -> Result<Self> {
        let data = read_document(flow.data.as_deref())?;
        Ok(Self {
            document: document_of(&data),
            header: flow.header,
            data,
        })
    }
}

/// The flow with this id or endpoint name.
pub async fn find_flow(app: &App, actor: &Actor, id_or_name: &str) -> Result<Arc<KnownFlow>> {
    let key = (actor.user.id, id_or_name.to_owned());
    if let Some(known) = app.known_flows.get(&app.store, &key) {
        return Ok(known);
    }
    let reading = Reading::begin(&app.store);
    let by = actor.principal();
    let by_id = match id_or_name.parse::<FlowId>() {
        Ok(id) => match app.store.flow(&by, id).await {
            Err(StoreError::NotFound(_)) => None,
            found => Some(found?),
        },
        Err(_) => None,
    };
    let flow = match by_id {
        Some(flow) => flow,
        None => app.store.flow_by_endpoint(&by, id_or_name).await?,
    };
    let known = Arc::new(KnownFlow::of(flow)?);
    app.known_flows.put(reading, key, Arc::clone(&known));
    Ok(known)
}

fn document_of(data: &FlowData) -> RunDocument {
    RunDocument {
        hash: hash_of(data),
        text: data.as_str().into(),
    }
}

pub fn read_document(text: Option<&str>) -> Result<FlowData> {
    stored(text.unwrap_or("{\"nodes\":[],\"edges\":[]}"))
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
            lease: Some(Lease {
                worker: app.runs.worker,
                lasts: LEASE,
            }),
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
            app.store.append_run(&Principal::System, append).await?;
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

impl Begun {
    /// As `finish`, but a run that waits for a person is left waiting.
    pub async fn finish_or_wait(self, app: &Arc<App>) -> Result<Finished> {
        let Self {
            run_id,
            session_id,
            plan,
            follower,
            work,
            ..
        } = self;
        if let Work::Inline(work) = work {
            tokio::spawn(work);
        }
        let mut reader = Reader::new(app, run_id, Some(follower), 0);
        let mut events = Vec::new();
        let mut open: HashSet<Arc<str>> = HashSet::new();
        let mut asked = false;
        while let Some(more) = reader.next().await? {
            for event in &more {
                match &event.body {
                    Body::NodeStarted { at, .. } => {
                        open.insert(Arc::clone(&at.node));
                    }
                    Body::NodeFinished { at, .. } | Body::NodeFailed { at, .. } => {
                        open.remove(&at.node);
                    }
                    Body::Asked { at, .. } => {
                        open.remove(&at.node);
                        asked = true;
                    }
                    _ => {}
                }
            }
            events.extend(more);
            if asked && open.is_empty() {
                break;
            }
        }
        Ok(Finished {
            run_id,
            session_id,
            plan,
            events,
        })
    }

    /// Waits for the end and gives back everything that happened. Dropping this stops a throw-away run.
    pub async fn finish(self, app: &Arc<App>) -> Result<Finished> {
        let Self {
            run_id,
            session_id,
            plan,
            follower,
            work,
            ..
        } = self;
        let mut reader = Reader::new(app, run_id, Some(follower), 0);
        let read = async {
            let mut events = Vec::new();
            while let Some(more) = reader.next().await? {
                events.extend(more);
            }
            Ok::<_, AppError>(events)
        };
        let events = match work {
            Work::Spawned => read.await?,
            Work::Inline(work) => {
                let (ending, events) = tokio::join!(work, read);
                drop(ending);
                events?
            }
        };
        match events.last().map(|event| &event.body) {
            Some(Body::RunEnded { .. }) => Ok(Finished {
                run_id,
                session_id,
                plan,
                events,
            }),
            _ => Err(AppError::bug("a run's log could not be written")),
        }
    }
}

/// Stops a run. `false` when it was over already.
pub async fn cancel(app: &Arc<App>, actor: &Actor, id: RunId) -> Result<bool> {
    if let Some(live) = app.runs.live(id) {
        if live.owner != actor.user.id {
            return Err(AppError::not_found("run"));
        }
        live.handle.cancel();
        return Ok(true);
    }
    let run = app.store.run(&actor.principal(), id).await?;
    if run.status.is_final() {
        return Ok(false);
    }
    // Nobody runs it here: it waits for a person or was left behind. Take it up in order to end it.
    match resume::take_up(app, id).await? {
        Some(handle) => {
            handle.cancel();
            Ok(true)
        }
        None => Err(AppError::conflict(
            "Another server is running this; try again in a few seconds",
        )),
    }
}

/// Gives a person's answer to a run that waits for it.
pub async fn answer(
    app: &Arc<App>,
    actor: &Actor,
    id: RunId,
    request_id: uuid::Uuid,
    answer: ferro_engine::Answer,
) -> Result<()> {
    let handle = match app.runs.live(id) {
        Some(live) if live.owner == actor.user.id => {
            if let Some(log) = &live.log {
                let lease = Lease {
                    worker: app.runs.worker,
                    lasts: LEASE,
                };
                if let Some(run) = app.store.claim_run(&Principal::System, id, lease).await? {
                    log.set_epoch(run.epoch);
                }
            }
            live.handle
        }
        Some(_) => return Err(AppError::not_found("run")),
        None => {
            let run = app.store.run(&actor.principal(), id).await?;
            if run.status.is_final() {
                return Err(AppError::conflict("This run is over"));
            }
            let taken = resume::take_up(app, id).await?;
            taken.ok_or_else(|| {
                AppError::conflict("Another server is running this; try again in a few seconds")
            })?
        }
    };
    if handle.answer(request_id, answer) {
        Ok(())
    } else {
        Err(AppError::conflict("This run is over"))
    }
}

/// A run of one's own, as it is stored now.
pub async fn stored_run(app: &App, actor: &Actor, id: RunId) -> Result<Run> {
    Ok(app.store.run(&actor.principal(), id).await?)
}

/// A run to be read from its first event on.
pub struct Watched {
    pub reader: Reader,
    pub meta: Arc<Meta>,
}

/// One's own run: from memory while it is under way here, else from the store.
pub async fn watch(app: &Arc<App>, actor: &Actor, id: RunId, after: u64) -> Result<Watched> {
    if let Some(live) = app.runs.live(id) {
        if live.owner != actor.user.id {
            return Err(AppError::not_found("run"));
        }
        return Ok(Watched {
            reader: Reader::new(app, id, Some(live.handle.follow(after)), after),
            meta: live.meta,
        });
    }
    let by = actor.principal();
    let run = app.store.run(&by, id).await?;
    let data = stored(&app.store.run_document(&by, run.document_hash).await?)?;
    let ready = app
        .runs
        .ready(run.document_hash, &data, ferro_engine::Selection::Whole);
    let meta = match ready {
        Ok(ready) => ready.meta,
        Err(_) => Arc::new(Meta::of(&ferro_model::read(&data))),
    };
    // It may have been taken up in between.
    let follower = app.runs.live(id).map(|live| live.handle.follow(after));
    Ok(Watched {
        reader: Reader::new(app, id, follower, after),
        meta,
    })
}

/// Questions that nobody has answered, in a run's events: request, node, question.
pub fn open_questions(events: Vec<Event>) -> Vec<(uuid::Uuid, String, ferro_engine::Question)> {
    let mut open = Vec::new();
    for event in events {
        match event.body {
            Body::Asked {
                at,
                request_id,
                question,
            } => open.push((request_id, at.node.to_string(), question)),
            Body::Answered { request_id, .. } => open.retain(|(id, ..)| *id != request_id),
            Body::RunEnded { .. } => open.clear(),
            _ => {}
        }
    }
    open
}

/// What is wrong with a document before it runs.
pub async fn problems(app: &App, actor: &Actor, data: FlowData) -> Result<Vec<ferro_model::Problem>> {
    let variables = app.store.variables(&actor.principal()).await?;
    let known = variables.into_iter().map(|variable| variable.name).collect();
    let registry = Arc::clone(app.runs.catalog.registry());
    tokio::task::spawn_blocking(move || ferro_model::problems(&data, &registry, Some(&known)))
        .await
        .map_err(AppError::internal)
}

/// Every event of a stored run, parsed.
pub async fn history(app: &App, by: &Principal, run: &Run) -> Result<Vec<Event>> {
    let mut events: Vec<Event> = Vec::new();
    loop {
        let after = events
            .last()
            .map_or(0, |event| i64::try_from(event.seq).unwrap_or(i64::MAX));
        let chunks = app.store.run_events(by, run.id, after, 256).await?;
        if chunks.is_empty() {
            return Ok(events);
        }
        for chunk in chunks {
            let more: Vec<Event> = serde_json::from_str(&chunk.text).map_err(AppError::internal)?;
            let last = events.last().map_or(0, |event| event.seq);
            events.extend(more.into_iter().filter(|event| event.seq > last));
        }
    }
}

/// A new run of the same document that takes over what does not come after `from`, with other inputs.
pub async fn fork(
    app: &Arc<App>,
    actor: &Actor,
    id: RunId,
    from: Option<String>,
    change: impl FnOnce(&mut RunRequest),
) -> Result<Begun> {
    let by = actor.principal();
    let run = app.store.run(&by, id).await?;
    let text = app.store.run_document(&by, run.document_hash).await?;
    let data = stored(&text)?;
    let mut request: RunRequest = serde_json::from_str(&run.request).map_err(AppError::internal)?;
    change(&mut request);
    let Ready { plan, meta } = app
        .runs
        .ready(run.document_hash, &data, request.selection())
        .map_err(cannot_run)?;
    if let Some(node) = &from
        && plan.node(node).is_none()
    {
        return Err(AppError::not_found("node"));
    }
    let seeds = match &from {
        Some(node) => reusable(&plan, &history(app, &by, &run).await?, Some(node)),
        None => Default::default(),
    };
    let slot = Arc::clone(&app.runs.slots)
        .try_acquire_owned()
        .map_err(|_| AppError::busy())?;
    let run_id = RunId::new();
    let new = NewRun {
        flow_id: run.flow_id,
        flow_name: run.flow_name.clone(),
        kind: run.kind.clone(),
        session_id: run.session_id.clone(),
        document: RunDocument {
            hash: run.document_hash,
            text: text.into(),
        },
        request: serde_json::to_string(&request).unwrap_or_default(),
        lease: Some(Lease {
            worker: app.runs.worker,
            lasts: LEASE,
        }),
        parent: Some((run.id, run.last_seq)),
        idempotency_key: None,
    };
    let log = StoreLog::new(
        app.store.clone(),
        run_id,
        actor.user.id,
        run.flow_id,
        Append::FIRST_EPOCH,
    );
    log.hold(slot);
    let mut append = Append::new(run_id, actor.user.id, Append::FIRST_EPOCH);
    append.create = Some(new);
    app.store.append_run(&Principal::System, append).await?;
    let job = Job {
        run_id,
        owner: Owner {
            principal: by,
            id: actor.user.id,
        },
        flow_id: run.flow_id,
        flow_name: run.flow_name,
        session_id: run.session_id.clone(),
        ready: Ready {
            plan: Arc::clone(&plan),
            meta: Arc::clone(&meta),
        },
        log: Some(Arc::new(log)),
        seeds,
        history: Vec::new(),
    };
    let (handle, work) = launch(app, job, request);
    let follower = handle.follow(0);
    tokio::spawn(work);
    Ok(Begun {
        run_id,
        session_id: run.session_id,
        plan,
        meta,
        handle,
        follower,
        work: Work::Spawned,
    })
}
