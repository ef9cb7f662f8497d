//! Beginning a run: the one place where a new run gets its row, its log and its place among those under way.

use std::collections::HashMap;
use std::sync::Arc;

use ferro_engine::Outputs;
use ferro_store::{Append, FlowId, NewRun, Principal, RunDocument, RunId};

use super::known::document_of;
use super::live::Ready;
use super::log::StoreLog;
use super::request::{Keep, RunRequest};
use super::{Begun, Job, KnownFlow, Owner, Work, launch, refused};
use crate::app::python;
use crate::error::{AppError, Result};
use crate::http::{
    identity::{Actor, Proof},
    rarely,
};
use crate::state::App;

/// Begins a run. When this returns a durable background run is written down and will finish, whatever happens.
pub async fn begin(app: &Arc<App>, actor: &Actor, flow: &KnownFlow, request: RunRequest) -> Result<Begun> {
    let (data, document) = match &request.data {
        Some(data) => (data.clone(), document_of(data)),
        None => (flow.data.clone(), flow.document.clone()),
    };
    let ready = match app.runs.ready(document.hash, &data, request.selection()) {
        Ok(ready) => ready,
        Err(error) => return Err(rarely(refused(app, actor, flow, error)).await),
    };
    let session_id = match &request.session_id {
        Some(session) if !session.is_empty() => session.clone(),
        _ => flow.header.id.to_string(),
    };
    let fresh = Fresh {
        flow_id: flow.header.id,
        flow_name: flow.header.name.clone(),
        session_id,
        document,
        ready,
        parent: None,
        seeds: HashMap::new(),
    };
    fresh.set_off(app, actor, request).await
}

/// A run that does not exist yet.
pub(super) struct Fresh {
    pub flow_id: FlowId,
    pub flow_name: String,
    pub session_id: String,
    pub document: RunDocument,
    pub ready: Ready,
    /// The run it is forked from, and after which event.
    pub parent: Option<(RunId, i64)>,
    /// What it takes over from there.
    pub seeds: HashMap<String, Outputs>,
}

impl Fresh {
    pub async fn set_off(self, app: &Arc<App>, actor: &Actor, mut request: RunRequest) -> Result<Begun> {
        if request.record.is_none() && matches!(actor.proof, Proof::Session(_)) && request.visit.is_none() {
            request.record = Some(true);
        }
        if let Some(why) = python::barred_from(app, actor.principal(), &self.ready.plan) {
            return Err(AppError::forbidden(why));
        }
        let slot = Arc::clone(&app.runs.slots)
            .try_acquire_owned()
            .map_err(|_| AppError::busy())?;
        let run_id = RunId::new();
        let log = match request.keep {
            Keep::ThrowAway => None,
            Keep::Durable => Some(Arc::new(self.log(app, actor, run_id, &request).await?)),
        };
        // A durable run gives its place up while it waits for a person.
        let slot = match &log {
            Some(log) => {
                log.hold(slot);
                None
            }
            None => Some(slot),
        };
        let durable = log.is_some();
        let Ready { plan, meta } = self.ready.clone();
        let job = Job {
            run_id,
            owner: Owner {
                principal: actor.principal(),
                id: actor.user.id,
            },
            flow_id: self.flow_id,
            flow_name: self.flow_name,
            session_id: self.session_id.clone(),
            ready: self.ready,
            log,
            seeds: self.seeds,
            history: Vec::new(),
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
            session_id: self.session_id,
            plan,
            meta,
            handle,
            follower,
            work,
        })
    }

    /// Where the run is written down. Its row is made now if nobody waits for the run or it is told of at once, as a fork is;
    /// else together with the first events.
    async fn log(&self, app: &App, actor: &Actor, run_id: RunId, request: &RunRequest) -> Result<StoreLog> {
        let log = StoreLog::new(
            app.store.clone(),
            run_id,
            actor.user.id,
            self.flow_id,
            &self.session_id,
            Append::FIRST_EPOCH,
        )
        .visited(request.visit)
        .talking(&self.ready)
        .recording(request.record);
        let new = NewRun {
            flow_id: self.flow_id,
            flow_name: self.flow_name.clone(),
            kind: request.kind.clone(),
            session_id: self.session_id.clone(),
            document: self.document.clone(),
            request: serde_json::to_string(request).unwrap_or_default(),
            lease: Some(app.runs.lease()),
            parent: self.parent,
            idempotency_key: request.idempotency_key.clone(),
        };
        if !request.unhurried && self.parent.is_none() {
            return Ok(log.create_with(new));
        }
        let mut append = Append::new(run_id, actor.user.id, Append::FIRST_EPOCH);
        append.create = Some(new);
        rarely(app.store.append_run(&Principal::System, append)).await?;
        Ok(log)
    }
}
