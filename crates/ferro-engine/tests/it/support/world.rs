//! What the fake components leave behind, and how a test holds them back.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use ferro_engine::Catalog;
use tokio::sync::oneshot;

use super::own_code::FakeCode;
use super::{MemoryLog, fakes};

#[derive(Default)]
pub struct World {
    /// Executions, in the order they began.
    pub ran: Mutex<Vec<String>>,
    /// What was done to the outside world.
    pub effects: Mutex<Vec<String>>,
    /// Work that was thrown away before it ended.
    pub dropped: Mutex<Vec<String>>,
    /// What the log held when work was first polled.
    pub safe: Mutex<HashMap<String, Vec<String>>>,
    pub log: Mutex<Option<Arc<MemoryLog>>>,
    waiting: Mutex<Vec<(String, oneshot::Sender<()>)>>,
    busy: AtomicUsize,
    peak: AtomicUsize,
}

impl World {
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    pub fn catalog(self: &Arc<Self>) -> Catalog {
        Catalog::new(fakes::all(self))
    }

    /// As [`World::catalog`], and code of nodes' own runs.
    pub fn catalog_with_code(self: &Arc<Self>) -> Catalog {
        self.catalog().with_own_code(Arc::new(FakeCode(Arc::clone(self))))
    }

    /// A log that the components look at, too.
    pub fn with_log(log: &Arc<MemoryLog>) -> Arc<Self> {
        let world = Self::new();
        *world.log.lock().unwrap() = Some(Arc::clone(log));
        world
    }

    pub fn count(&self, node: &str) -> usize {
        self.ran.lock().unwrap().iter().filter(|id| *id == node).count()
    }

    pub fn began(&self, node: &str) {
        self.ran.lock().unwrap().push(node.to_owned());
    }

    pub fn first_polled(&self, node: &str) {
        let finished = self.log.lock().unwrap().as_ref().map(|log| log.finished());
        if let Some(finished) = finished {
            self.safe.lock().unwrap().insert(node.to_owned(), finished);
        }
    }

    /// Who waits for the test, in the order they came.
    pub fn waiting(&self) -> Vec<String> {
        self.waiting
            .lock()
            .unwrap()
            .iter()
            .map(|(id, _)| id.clone())
            .collect()
    }

    /// Lets the first one of that name go on.
    pub fn release(&self, node: &str) {
        let mut waiting = self.waiting.lock().unwrap();
        let place = waiting
            .iter()
            .position(|(id, _)| id == node)
            .unwrap_or_else(|| panic!("{node} does not wait"));
        let _ = waiting.remove(place).1.send(());
    }

    /// At most this many waited at the same time.
    pub fn peak(&self) -> usize {
        self.peak.load(Ordering::SeqCst)
    }

    pub async fn wait(self: &Arc<Self>, node: &str) {
        let (told, told_to) = oneshot::channel();
        self.waiting.lock().unwrap().push((node.to_owned(), told));
        let busy = self.busy.fetch_add(1, Ordering::SeqCst) + 1;
        self.peak.fetch_max(busy, Ordering::SeqCst);
        let mut guard = Guard {
            world: Arc::clone(self),
            node: node.to_owned(),
            done: false,
        };
        let _ = told_to.await;
        guard.done = true;
    }
}

struct Guard {
    world: Arc<World>,
    node: String,
    done: bool,
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.world.busy.fetch_sub(1, Ordering::SeqCst);
        if !self.done {
            self.world.dropped.lock().unwrap().push(self.node.clone());
        }
    }
}
