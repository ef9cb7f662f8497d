//! What happened: messages and sessions, and what the logs of runs tell about nodes.

pub mod builds;
pub mod job_queue;
pub mod messages;
pub mod python;
pub mod sessions;
pub mod shared;
mod spans;
pub mod traces;

use ferro_engine::Event;
use ferro_store::{FlowId, Principal, Run, RunFilter, Window};
use serde::Serialize;

use crate::{
    api::wire::{Meta, meta::Limits, put},
    app::runs::read_document,
    error::{AppError, Result},
    http::identity::Actor,
    state::App,
};

/// Events of one run that are looked at; what a longer one did after that is in its own stream.
const MAX_EVENTS: usize = 20_000;

/// What is shown of large values in lists.
const SHORT: Limits = Limits {
    text: 10_000,
    items: 100,
};

/// An answer of hand-made types.
fn json<T: Serialize>(value: &T) -> String {
    let mut out = Vec::new();
    put(&mut out, value);
    String::from_utf8(out).unwrap_or_default()
}

/// A stored run with its log and what its document says of its nodes.
struct Told {
    run: Run,
    events: Vec<Event>,
    meta: Meta,
}

impl Told {
    async fn load(app: &App, by: &Principal, run: Run) -> Result<Self> {
        let text = app.store.run_document(by, run.document_hash).await?;
        let mut meta = Meta::of_document(&read_document(Some(&text))?);
        meta.limits = SHORT;
        let mut events: Vec<Event> = Vec::new();
        while events.len() < MAX_EVENTS {
            let last = events.last().map_or(0, |event| event.seq);
            let after = i64::try_from(last).unwrap_or(i64::MAX);
            let chunks = app.store.run_events(by, run.id, after, 64).await?;
            if chunks.is_empty() {
                break;
            }
            for chunk in chunks {
                let more: Vec<Event> = serde_json::from_str(&chunk.text).map_err(AppError::internal)?;
                events.extend(more.into_iter().filter(|event| event.seq > last));
            }
        }
        Ok(Self { run, events, meta })
    }
}

/// The newest runs of a flow that is the actor's.
async fn newest_runs(app: &App, actor: &Actor, flow: FlowId, limit: i64) -> Result<Vec<Run>> {
    let by = actor.principal();
    app.store.flow_header(&by, flow).await?;
    let filter = RunFilter {
        flow_id: Some(flow),
        ..RunFilter::default()
    };
    Ok(app
        .store
        .runs(&by, filter, Window { offset: 0, limit })
        .await?
        .items)
}

/// Forgets the finished runs of a flow that is the actor's.
async fn forget_runs(app: &App, actor: &Actor, flow: FlowId) -> Result<()> {
    let by = actor.principal();
    app.store.flow_header(&by, flow).await?;
    let filter = RunFilter {
        flow_id: Some(flow),
        ..RunFilter::default()
    };
    app.store.delete_runs(&by, filter).await?;
    app.audit(actor, "runs.forget", flow).await
}
