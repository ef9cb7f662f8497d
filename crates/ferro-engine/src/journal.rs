//! `Journal`: numbers what happens, has it written down where a run is durable, and shows it to readers.
//!
//! Readers of a durable run see an event only after it is written: one that reconnects must find what it was shown.

mod follower;
mod mask;

pub use follower::{Followed, Follower};

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::BoxFuture;
use tokio::sync::{Notify, oneshot};

use crate::context::{Sink, now};
use crate::event::{At, Body, Event};
use crate::failure::{Cause, Failure};
use crate::ids::Ulids;
use crate::value::Usage;
use mask::Mask;

/// Keeps a run's events where they survive the process.
pub trait EventLog: Send + Sync {
    /// Resolves when all of them are safe. They follow on what was appended before, without a gap.
    fn append<'a>(&'a self, events: &'a [Arc<Event>]) -> BoxFuture<'a, Result<(), Failure>>;

    /// How many bytes of model calls the run may keep; 0 when nobody asked for them.
    fn room(&self) -> usize {
        0
    }
}

/// How many events are kept for readers, and how many may wait to be written.
const KEPT: usize = 1024;

pub(crate) struct Journal {
    log: Option<Arc<dyn EventLog>>,
    inner: Mutex<Inner>,
    mask: Mask,
    /// Bytes of model calls that may still be kept.
    room: AtomicUsize,
    /// Tokens of executions under way. `any_spent` spares those that ask no model the lock.
    spent: Mutex<HashMap<At, Usage>>,
    any_spent: AtomicBool,
    /// Something waits to be written, or a reader is too slow.
    dirty: Notify,
    /// Something new can be read, or the run is over.
    news: Notify,
    /// Something was read.
    emptied: Notify,
}

struct Inner {
    seq: u64,
    ulids: Ulids,
    unsaved: Vec<Arc<Event>>,
    /// Something among the unsaved must be safe before anything that follows from it begins.
    decisive: bool,
    waiters: Vec<oneshot::Sender<Result<(), Failure>>>,
    /// What readers may see, the oldest having the number `first`.
    shown: VecDeque<Arc<Event>>,
    first: u64,
    /// The last event has been numbered: what is said now is said too late.
    closed: bool,
    /// No more will be shown.
    ended: bool,
    /// The number each reader has read.
    followers: HashMap<u64, u64>,
    next_follower: u64,
}

impl Journal {
    /// Goes on after `last`, or begins anew.
    pub(crate) fn new(log: Option<Arc<dyn EventLog>>, last: Option<&Event>) -> Arc<Self> {
        let seq = last.map_or(0, |event| event.seq);
        Arc::new(Self {
            room: AtomicUsize::new(log.as_ref().map_or(0, |log| log.room())),
            spent: Mutex::default(),
            any_spent: AtomicBool::new(false),
            log,
            inner: Mutex::new(Inner {
                seq,
                ulids: Ulids::after(last.map(|event| event.id)),
                unsaved: Vec::new(),
                decisive: false,
                waiters: Vec::new(),
                shown: VecDeque::new(),
                first: seq + 1,
                closed: false,
                ended: false,
                followers: HashMap::new(),
                next_follower: 0,
            }),
            mask: Mask::default(),
            dirty: Notify::new(),
            news: Notify::new(),
            emptied: Notify::new(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Nothing under the lock leaves it half done.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A text that failures, logs and what nodes show must never contain.
    pub(crate) fn hide(&self, secret: &str) {
        self.mask.add(secret);
    }

    /// What an execution that is over has spent, beside what it says itself.
    pub(crate) fn spent(&self, at: &At) -> Option<Usage> {
        if !self.any_spent.load(Ordering::Acquire) {
            return None;
        }
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.remove(at)
    }

    pub(crate) fn masked(&self, failure: Failure) -> Failure {
        self.mask.failure(failure)
    }

    pub(crate) fn push(&self, mut body: Body) {
        self.mask.body(&mut body);
        let is_last = matches!(body, Body::RunEnded { .. });
        let mut inner = self.lock();
        if inner.closed {
            return;
        }
        inner.closed = is_last;
        let event = inner.number(body);
        if self.log.is_some() {
            inner.decisive |= !matches!(
                event.body,
                Body::NodeStarted { .. }
                    | Body::Token { .. }
                    | Body::Log { .. }
                    | Body::VariableRead { .. }
                    | Body::ModelCalled { .. }
            );
            inner.unsaved.push(event);
        } else {
            inner.show(event, Keep::Unread);
            drop(inner);
            self.news.notify_waiters();
        }
    }

    /// What must be safe before the next step is not yet.
    pub(crate) fn must_flush(&self) -> bool {
        self.log.is_some() && self.lock().decisive
    }

    /// So much waits to be written or read that whoever says more should wait.
    pub(crate) fn is_full(&self) -> bool {
        let inner = self.lock();
        inner.unsaved.len() >= KEPT || self.log.is_none() && inner.backlog() >= KEPT
    }

    /// Only the driver calls this, so that batches follow each other.
    pub(crate) async fn flush(&self) -> Result<(), Failure> {
        let (events, waiters) = {
            let mut inner = self.lock();
            inner.decisive = false;
            (
                std::mem::take(&mut inner.unsaved),
                std::mem::take(&mut inner.waiters),
            )
        };
        let written = match &self.log {
            Some(log) if !events.is_empty() => log.append(&events).await,
            _ => Ok(()),
        };
        for waiter in waiters {
            let _ = waiter.send(written.clone());
        }
        written?;
        if events.is_empty() {
            return Ok(());
        }
        let mut inner = self.lock();
        for event in events {
            inner.show(event, Keep::Newest);
        }
        if !inner.unsaved.is_empty() || !inner.waiters.is_empty() {
            self.dirty.notify_one();
        }
        drop(inner);
        self.news.notify_waiters();
        Ok(())
    }

    /// Resolves when something was said that should be written, or that a reader has no room for.
    pub(crate) async fn dirty(&self) {
        self.dirty.notified().await;
    }

    /// No more will come.
    pub(crate) fn end(&self) {
        let mut inner = self.lock();
        (inner.ended, inner.closed) = (true, true);
        inner.waiters.clear();
        drop(inner);
        self.news.notify_waiters();
    }

    /// Waits while the slowest reader of a run that is kept nowhere is too far behind.
    pub(crate) async fn wait_for_room(&self) {
        loop {
            let read = self.emptied.notified();
            if self.log.is_some() || self.lock().backlog() < KEPT {
                return;
            }
            read.await;
        }
    }

    pub(crate) fn last_seq(&self) -> u64 {
        self.lock().seq
    }

    /// Reads what comes after `seq`.
    pub(crate) fn follow(self: &Arc<Self>, seq: u64) -> Follower {
        let mut inner = self.lock();
        let id = inner.next_follower;
        inner.next_follower += 1;
        inner.followers.insert(id, seq);
        drop(inner);
        Follower::new(Arc::clone(self), id, seq)
    }
}

/// What stays for readers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    /// The newest; who is behind reads the log.
    Newest,
    /// What some reader has not read: there is no log to read it from.
    Unread,
}

impl Inner {
    fn number(&mut self, body: Body) -> Arc<Event> {
        let at = now();
        self.seq += 1;
        Arc::new(Event {
            seq: self.seq,
            id: self.ulids.next(at),
            at,
            body,
        })
    }

    fn show(&mut self, event: Arc<Event>, keep: Keep) {
        self.shown.push_back(event);
        let (most, read) = match keep {
            // Two batches: a reader that keeps up must find one whole while the next is being shown.
            Keep::Newest => (2 * KEPT, u64::MAX),
            Keep::Unread if self.shown.len() <= KEPT => return,
            Keep::Unread => (KEPT, self.followers.values().copied().min().unwrap_or(u64::MAX)),
        };
        while self.shown.len() > most && self.first <= read {
            self.shown.pop_front();
            self.first += 1;
        }
    }

    /// How many events the slowest reader has not read.
    fn backlog(&self) -> usize {
        let Some(read) = self.followers.values().copied().min() else {
            return 0;
        };
        let last = self.first + self.shown.len() as u64 - 1;
        usize::try_from(last.saturating_sub(read))
            .unwrap_or(usize::MAX)
            .min(self.shown.len())
    }
}

impl Sink for Journal {
    fn hide(&self, secret: &str) {
        Journal::hide(self, secret);
    }

    fn masked(&self, failure: Failure) -> Failure {
        Journal::masked(self, failure)
    }

    fn room(&self) -> usize {
        self.room.load(Ordering::Relaxed)
    }

    fn spend(&self, at: At, usage: Usage) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        *spent.entry(at).or_default() += usage;
        self.any_spent.store(true, Ordering::Release);
    }

    fn emit(&self, body: Body) {
        match &body {
            // Kept for those who read the log later; nobody reads that of a run that is kept nowhere.
            Body::VariableRead { .. } if self.log.is_none() => return,
            Body::ModelCalled { .. } if self.room() == 0 => return,
            Body::ModelCalled { call, .. } => {
                let size = call.request.text.len() + call.answer.text.len();
                let left = self.room().saturating_sub(size);
                self.room.store(left, Ordering::Relaxed);
            }
            _ => {}
        }
        // These are written with whatever comes next.
        let waits = matches!(body, Body::VariableRead { .. } | Body::ModelCalled { .. });
        self.push(body);
        if waits {
            return;
        }
        if self.log.is_some() || self.is_full() {
            self.dirty.notify_one();
        }
    }

    fn settle(&self, body: Body) -> BoxFuture<'_, Result<(), Failure>> {
        self.push(body);
        let (told, safe) = oneshot::channel();
        let mut inner = self.lock();
        // After the end nobody flushes: the sender falls away and the receiver says so.
        if !inner.closed {
            inner.waiters.push(told);
        }
        drop(inner);
        self.dirty.notify_one();
        Box::pin(async move {
            safe.await.unwrap_or_else(|_| {
                Err(Failure::new(
                    Cause::Internal,
                    "the run ended before its log was written",
                ))
            })
        })
    }
}
