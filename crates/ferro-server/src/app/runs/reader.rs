//! `Reader`: a run's events from any point on, from memory while it runs and from the store where memory no longer
//! has them. Each event once, in order.

use std::collections::VecDeque;
use std::sync::Arc;

use ferro_engine::{Body, Event, Followed, Follower};
use ferro_store::{Principal, RunId};

use crate::error::{AppError, Result};
use crate::http::rarely;
use crate::state::App;

pub struct Reader {
    app: Arc<App>,
    run_id: RunId,
    follower: Option<Follower>,
    /// The number of the last event given out.
    seq: u64,
    /// Read from the store and not given out yet.
    stored: VecDeque<Arc<Event>>,
    over: bool,
}

impl Reader {
    /// Whoever makes one has checked that the run is the caller's.
    pub fn new(app: &Arc<App>, run_id: RunId, follower: Option<Follower>, after: u64) -> Self {
        Self {
            app: Arc::clone(app),
            run_id,
            follower,
            seq: after,
            stored: VecDeque::new(),
            over: false,
        }
    }

    /// The next events; `None` when the run is over and all have been read, or when nobody runs it now.
    pub async fn next(&mut self) -> Result<Option<Vec<Arc<Event>>>> {
        loop {
            if self.over {
                return Ok(None);
            }
            if self.follower.is_none() {
                let events = rarely(self.read_stored(u64::MAX)).await?;
                if events.is_empty() {
                    return Ok(None);
                }
                return Ok(Some(self.give(events)));
            }
            let Some(follower) = &mut self.follower else {
                continue;
            };
            match follower.next().await {
                Followed::Events(events) => {
                    let fresh: Vec<_> = events.into_iter().filter(|event| event.seq > self.seq).collect();
                    if !fresh.is_empty() {
                        return Ok(Some(self.give(fresh)));
                    }
                }
                Followed::Behind(until) => {
                    let events = rarely(self.read_stored(until)).await?;
                    let reached = events.last().map_or(until, |event| event.seq);
                    if let Some(follower) = &mut self.follower {
                        follower.skip_to(reached);
                    }
                    if !events.is_empty() {
                        return Ok(Some(self.give(events)));
                    }
                }
                Followed::End => {
                    // The last of a run that lost its log is in the store, if it is anywhere.
                    self.over = true;
                }
            }
        }
    }

    /// What there is now, without waiting; `None` when all of it has been read.
    pub async fn now(&mut self) -> Result<Option<Vec<Arc<Event>>>> {
        loop {
            let followed = match &mut self.follower {
                None => return self.next().await,
                Some(follower) => follower.now(),
            };
            match followed {
                Some(Followed::Events(events)) => {
                    let fresh: Vec<_> = events.into_iter().filter(|event| event.seq > self.seq).collect();
                    if !fresh.is_empty() {
                        return Ok(Some(self.give(fresh)));
                    }
                }
                // Reads from the store, which does not wait either.
                Some(Followed::Behind(_)) => return self.next().await,
                Some(Followed::End) | None => return Ok(None),
            }
        }
    }

    fn give(&mut self, events: Vec<Arc<Event>>) -> Vec<Arc<Event>> {
        if let Some(last) = events.last() {
            self.seq = last.seq;
            self.over |= matches!(last.body, Body::RunEnded { .. });
        }
        events
    }

    /// A bounded piece of the log after `seq`, up to `until`.
    async fn read_stored(&mut self, until: u64) -> Result<Vec<Arc<Event>>> {
        if self.stored.is_empty() {
            let after = i64::try_from(self.seq).unwrap_or(i64::MAX);
            let chunks = self
                .app
                .store
                .run_events(&Principal::System, self.run_id, after, 16)
                .await?;
            for chunk in chunks {
                let events: Vec<Event> = serde_json::from_str(&chunk.text).map_err(AppError::internal)?;
                self.stored.extend(
                    events
                        .into_iter()
                        .filter(|event| event.seq > self.seq)
                        .map(Arc::new),
                );
            }
        }
        let mut taken = Vec::new();
        while self.stored.front().is_some_and(|event| event.seq <= until) {
            taken.extend(self.stored.pop_front());
        }
        Ok(taken)
    }
}
