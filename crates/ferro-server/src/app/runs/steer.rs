//! Steering runs: stopping them, answering what they ask, and running them again from a node on.

use std::collections::HashMap;
use std::sync::Arc;

use ferro_engine::reusable;
use ferro_store::{Principal, RunDocument, RunId};

use super::begin::Fresh;
use super::request::RunRequest;
use super::{Begun, cannot_run, history, resume};
use crate::app::flows::stored;
use crate::error::{AppError, Result};
use crate::http::identity::Actor;
use crate::state::App;

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

/// Forgets a run that is over.
pub async fn forget(app: &App, actor: &Actor, id: RunId) -> Result<()> {
    app.store.delete_run(&actor.principal(), id).await?;
    app.audit(actor, "run.forget", id).await
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
            if let Some(log) = &live.log
                && let Some(run) = app
                    .store
                    .claim_run(&Principal::System, id, app.runs.lease())
                    .await?
            {
                log.set_epoch(run.epoch);
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
    // The owner tries something out; the visitor is not part of that.
    request.visit = None;
    let before = request.session_id.clone();
    change(&mut request);
    let ready = app
        .runs
        .ready(run.document_hash, &data, request.selection())
        .map_err(cannot_run)?;
    if let Some(node) = &from
        && ready.plan.node(node).is_none()
    {
        return Err(AppError::not_found("node"));
    }
    let seeds = match &from {
        Some(node) => reusable(&ready.plan, &history(app, &by, &run).await?, Some(node)),
        None => HashMap::new(),
    };
    // The first run's session as it is called now, unless another one was asked for.
    let session_id = match &request.session_id {
        Some(session) if !session.is_empty() && request.session_id != before => session.clone(),
        _ => run.session_id,
    };
    let fresh = Fresh {
        flow_id: run.flow_id,
        flow_name: run.flow_name,
        session_id,
        document: RunDocument {
            hash: run.document_hash,
            text: text.into(),
        },
        ready,
        parent: Some((run.id, run.last_seq)),
        seeds,
    };
    fresh.set_off(app, actor, request).await
}
