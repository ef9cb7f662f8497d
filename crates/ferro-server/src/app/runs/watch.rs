//! Looking at runs and at flows before they run.

use std::sync::Arc;

use ferro_engine::{Body, Event, Unsafe, unsafe_code};
use ferro_model::FlowData;
use ferro_store::{Principal, Run, RunId};

use super::reader::Reader;
use crate::api::wire::Meta;
use crate::app::flows::stored;
use crate::error::{AppError, Result};
use crate::http::identity::Actor;
use crate::state::App;

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
    let catalog = Arc::clone(&app.runs.catalog);
    let look = move || {
        let mut found = ferro_model::problems(&data, catalog.registry(), Some(&known));
        found.extend(unsafe_code(&data, &catalog).into_iter().map(refusal));
        found
    };
    tokio::task::spawn_blocking(look)
        .await
        .map_err(AppError::internal)
}

fn refusal(code: Unsafe) -> ferro_model::Problem {
    ferro_model::Problem {
        severity: ferro_model::Severity::Error,
        code: "unsafe_code",
        message: format!("Its code is refused: {}.", code.finding.trim_end_matches('.')),
        node: Some(code.node),
        node_name: Some(code.name),
        field: Some("code".to_owned()),
        advice: "Open its code and change that line. Nothing of the flow runs until then.".to_owned(),
    }
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
