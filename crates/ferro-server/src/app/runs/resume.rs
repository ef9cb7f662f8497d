//! Taking up runs that another process, or this one before it died, left unfinished.

use std::sync::Arc;

use ferro_engine::{Body, Event, Handle};
use ferro_store::{Append, Principal, Run, RunFilter, RunId, RunStatus, UserId, Window, WorkerId};

use super::log::StoreLog;
use super::request::RunRequest;
use super::{Job, LEASE, Owner, cannot_run, history, launch, open_questions};
use crate::app::flows::stored;
use crate::error::{AppError, Result};
use crate::state::App;

/// How many are taken up at once.
const BATCH: i64 = 200;

/// Takes up everything that is free, now and again; keeps the leases of what runs here.
pub async fn keep_watch(app: Arc<App>) {
    take_up_timed(&app).await;
    let mut ticks = tokio::time::interval(LEASE / 3);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = app.store.renew_leases(&Principal::System, app.runs.lease()).await {
            tracing::warn!(%error, "the leases of runs could not be renewed");
        }
        take_up_free(&app).await;
    }
}

/// Questions that answer themselves after a while do so also after a restart. Others wait in the database.
async fn take_up_timed(app: &Arc<App>) {
    let filter = RunFilter {
        status: vec![RunStatus::Waiting],
        ..RunFilter::default()
    };
    let waiting = match app.store.runs(&Principal::System, filter, Window::ALL).await {
        Ok(page) => page.items,
        Err(error) => {
            tracing::warn!(%error, "runs that wait could not be looked up");
            return;
        }
    };
    for run in waiting {
        let id = run.id;
        let timed = match history(app, &Principal::System, &run).await {
            Ok(events) => open_questions(events)
                .iter()
                .any(|(.., question)| question.timeout_ms.is_some()),
            Err(_) => false,
        };
        if timed && let Err(error) = take_up(app, id).await {
            tracing::warn!(run = %id, %error, "run {id}, which waits, cannot go on");
        }
    }
}

async fn take_up_free(app: &Arc<App>) {
    loop {
        let claimed = match app
            .store
            .claim_runs(&Principal::System, app.runs.lease(), BATCH)
            .await
        {
            Ok(claimed) => claimed,
            Err(error) => {
                tracing::warn!(%error, "unfinished runs could not be looked up");
                return;
            }
        };
        let count = claimed.len();
        for run in claimed {
            let (id, owner, epoch) = (run.id, run.user_id, run.epoch);
            if app.runs.live(id).is_some() {
                continue;
            }
            match go_on(app, run).await {
                Ok(_) => tracing::info!(run = %id, "run {id} goes on where it was left"),
                Err(error) => {
                    tracing::warn!(run = %id, %error, "run {id} cannot go on");
                    give_up(app, id, owner, epoch).await;
                }
            }
        }
        if i64::try_from(count).unwrap_or(BATCH) < BATCH {
            return;
        }
    }
}

/// Otherwise it would be claimed again and again, for ever unfinished.
async fn give_up(app: &App, id: RunId, owner: UserId, epoch: i64) {
    let mut append = Append::new(id, owner, epoch);
    append.update.status = Some(RunStatus::Failed);
    append.update.error =
        Some("the run could not go on after a restart; the server's log has the reason".to_owned());
    if let Err(error) = app.store.append_run(&Principal::System, append).await {
        tracing::warn!(run = %id, %error, "run {id} could not be ended");
    }
}

/// Takes one up that nobody runs. `None` when another process has it.
pub async fn take_up(app: &Arc<App>, id: RunId) -> Result<Option<Handle>> {
    match app
        .store
        .claim_run(&Principal::System, id, app.runs.lease())
        .await?
    {
        Some(run) => Ok(Some(go_on(app, run).await?)),
        None => Ok(None),
    }
}

async fn go_on(app: &Arc<App>, run: Run) -> Result<Handle> {
    let by = Principal::System;
    let events = history(app, &by, &run).await?;
    let data = stored(&app.store.run_document(&by, run.document_hash).await?)?;
    let request: RunRequest = serde_json::from_str(&run.request).map_err(AppError::internal)?;
    let ready = app
        .runs
        .ready(run.document_hash, &data, request.selection())
        .map_err(cannot_run)?;
    let user = app.store.user(&by, run.user_id).await?;
    // Under the name it began with, which is in what it has said; the session may have been renamed since.
    let session_id = began_in(&events).unwrap_or(run.session_id);
    let log = StoreLog::new(
        app.store.clone(),
        run.id,
        run.user_id,
        run.flow_id,
        &session_id,
        run.epoch,
    );
    let log = Arc::new(
        log.visited(request.visit)
            .talking(&ready)
            .recording(request.record),
    );
    log.remember(&events);
    let job = Job {
        run_id: run.id,
        owner: Owner {
            principal: user.principal(),
            id: user.id,
        },
        flow_id: run.flow_id,
        flow_name: run.flow_name,
        session_id,
        ready,
        log: Some(log),
        seeds: Default::default(),
        history: events,
    };
    let log = job.log.clone();
    let (handle, work) = launch(app, job, request);
    let slots = Arc::clone(&app.runs.slots);
    tokio::spawn(async move {
        // Unfinished runs go first come, first served, within the limit of runs.
        if let (Ok(slot), Some(log)) = (slots.acquire_owned().await, log) {
            log.hold(slot);
        }
        work.await
    });
    Ok(handle)
}

fn began_in(events: &[Event]) -> Option<String> {
    events.iter().find_map(|event| match &event.body {
        Body::RunStarted { session_id, .. } => Some(session_id.clone()),
        _ => None,
    })
}

/// At a start, nobody else can be running what this worker held before.
pub async fn begin(app: &Arc<App>) -> anyhow::Result<()> {
    app.store
        .release_leases(&Principal::System, app.runs.worker)
        .await?;
    Ok(())
}

/// The worker of a database that only one process can write to is always the same one.
pub fn worker(kind: ferro_store::Kind) -> WorkerId {
    match kind {
        ferro_store::Kind::Sqlite => WorkerId(uuid::Uuid::from_u128(1)),
        ferro_store::Kind::Postgres => WorkerId::new(),
    }
}
