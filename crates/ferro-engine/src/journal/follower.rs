//! Readers of a run, each at its own place.

use std::sync::Arc;

use super::Journal;
use crate::event::Event;

/// One reader of a run. A slow one of a durable run is told what it missed; a slow one of a throw-away run slows
/// the run down.
pub struct Follower {
    journal: Arc<Journal>,
    id: u64,
    seq: u64,
}

/// What a reader gets.
#[derive(Debug)]
pub enum Followed {
    Events(Vec<Arc<Event>>),
    /// Events up to this number are no longer in memory: read them from the log, then call [`Follower::skip_to`].
    Behind(u64),
    /// The run is over and everything has been read.
    End,
}

impl Follower {
    pub(super) fn new(journal: Arc<Journal>, id: u64, seq: u64) -> Self {
        Self { journal, id, seq }
    }

    /// The number of the last event read.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    pub async fn next(&mut self) -> Followed {
        loop {
            let journal = Arc::clone(&self.journal);
            let news = journal.news.notified();
            tokio::pin!(news);
            // Registered before looking: news in between must not be missed.
            news.as_mut().enable();
            if let Some(followed) = self.now() {
                return followed;
            }
            news.await;
        }
    }

    /// What can be read without waiting.
    pub fn now(&mut self) -> Option<Followed> {
        let mut inner = self.journal.lock();
        let next = self.seq.saturating_add(1);
        if next < inner.first {
            return Some(Followed::Behind(inner.first - 1));
        }
        let skip = usize::try_from(next - inner.first).unwrap_or(usize::MAX);
        if skip >= inner.shown.len() {
            return inner.ended.then_some(Followed::End);
        }
        let events: Vec<Arc<Event>> = inner.shown.range(skip..).cloned().collect();
        self.seq = self.seq.saturating_add(events.len() as u64);
        let (id, seq) = (self.id, self.seq);
        inner.followers.insert(id, seq);
        drop(inner);
        self.journal.emptied.notify_waiters();
        Some(Followed::Events(events))
    }

    /// The reader has everything up to `seq` from elsewhere.
    pub fn skip_to(&mut self, seq: u64) {
        self.seq = self.seq.max(seq);
        self.journal.lock().followers.insert(self.id, self.seq);
        self.journal.emptied.notify_waiters();
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.journal.lock().followers.remove(&self.id);
        self.journal.emptied.notify_waiters();
    }
}
