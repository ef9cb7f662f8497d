//! A run that has begun: waiting for its end.

use std::collections::HashSet;
use std::sync::Arc;

use ferro_engine::{Body, Ending, Event, Follower, Handle, Plan};
use ferro_store::RunId;

use super::reader::Reader;
use crate::api::wire::Meta;
use crate::error::{AppError, Result};
use crate::state::App;

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
