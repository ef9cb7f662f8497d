//! What was read from the database a moment ago and has not changed since, for requests that come thousands a second.
//!
//! An entry counts while this process has changed nothing since it was read (`Store::generation`), and for a
//! second at most: another process on the same database may have changed something.

use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ferro_store::Store;

use crate::app::runs::live::Recent;

const FRESH: Duration = Duration::from_secs(1);

pub struct Cache<K, V> {
    entries: Mutex<Recent<K, Entry<V>>>,
}

struct Entry<V> {
    value: Arc<V>,
    generation: u64,
    read: Instant,
}

impl<V> Clone for Entry<V> {
    fn clone(&self) -> Self {
        Self {
            value: Arc::clone(&self.value),
            generation: self.generation,
            read: self.read,
        }
    }
}

/// When something was read: taken before reading, so that a change in between makes it old.
#[derive(Clone, Copy)]
pub struct Reading {
    generation: u64,
    at: Instant,
}

impl Reading {
    pub fn begin(store: &Store) -> Self {
        Self {
            generation: store.generation(),
            at: Instant::now(),
        }
    }
}

impl<K: Hash + Eq + Clone, V> Cache<K, V> {
    pub fn new(room: usize) -> Self {
        Self {
            entries: Mutex::new(Recent::new(room)),
        }
    }

    pub fn get(&self, store: &Store, key: &K) -> Option<Arc<V>> {
        let entry = self
            .entries
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(key)?;
        let fresh = entry.generation == store.generation() && entry.read.elapsed() < FRESH;
        fresh.then_some(entry.value)
    }

    pub fn put(&self, reading: Reading, key: K, value: Arc<V>) {
        let entry = Entry {
            value,
            generation: reading.generation,
            read: reading.at,
        };
        self.entries
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .put(key, entry);
    }
}
