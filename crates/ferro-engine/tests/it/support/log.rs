//! An event log in memory that counts its batches and can fail or hang.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use ferro_engine::{Body, Cause, Event, EventLog, Failure};
use futures_util::future::BoxFuture;
use tokio::sync::Semaphore;

pub struct MemoryLog {
    batches: Mutex<Vec<Vec<String>>>,
    /// Appends that succeed before they begin to fail.
    good: AtomicUsize,
    /// Each append takes one; closed means none is needed.
    permits: Semaphore,
}

impl MemoryLog {
    pub fn new() -> Arc<Self> {
        let log = Self::held();
        log.permits.close();
        log
    }

    /// Appends wait until they are let through.
    pub fn held() -> Arc<Self> {
        Arc::new(Self {
            batches: Mutex::new(Vec::new()),
            good: AtomicUsize::new(usize::MAX),
            permits: Semaphore::new(0),
        })
    }

    pub fn failing_after(appends: usize) -> Arc<Self> {
        let log = Self::new();
        log.good.store(appends, Ordering::SeqCst);
        log
    }

    pub fn let_through(&self, appends: usize) {
        self.permits.add_permits(appends);
    }

    pub fn release(&self) {
        self.permits.close();
    }

    pub fn appends(&self) -> usize {
        self.batches.lock().unwrap().len()
    }

    /// What a new process would read: through JSON, as a real log does it.
    pub fn events(&self) -> Vec<Event> {
        let batches = self.batches.lock().unwrap();
        batches
            .iter()
            .flatten()
            .map(|text| serde_json::from_str(text).expect("what was written can be read"))
            .collect()
    }

    /// Ids of the nodes whose end is written.
    pub fn finished(&self) -> Vec<String> {
        let events = self.events();
        let ids = events.iter().filter_map(|event| match &event.body {
            Body::NodeFinished { at, .. } => Some(at.node.to_string()),
            _ => None,
        });
        ids.collect()
    }
}

impl EventLog for MemoryLog {
    fn append<'a>(&'a self, events: &'a [Arc<Event>]) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            if let Ok(permit) = self.permits.acquire().await {
                permit.forget();
            }
            let mut batches = self.batches.lock().unwrap();
            if batches.len() >= self.good.load(Ordering::SeqCst) {
                return Err(Failure::new(Cause::Outside, "the disk is full"));
            }
            assert!(!events.is_empty());
            batches.push(
                events
                    .iter()
                    .map(|event| serde_json::to_string(event).unwrap())
                    .collect(),
            );
            Ok(())
        })
    }
}
