//! `Runs`: what all runs of this process share.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ferro_engine::{Catalog, Handle, Outputs, Plan, PlanError, Selection};
use ferro_model::FlowData;
use ferro_store::{DocumentHash, FlowId, Lease, RunId, UserId, WorkerId};
use sha2::{Digest as _, Sha256};
use tokio::sync::{Semaphore, broadcast};

use super::log::StoreLog;
use super::request::Visit;
use crate::api::wire::Meta;

const PLANS: usize = 256;
const FROZEN: usize = 4096;
const POLLS: usize = 4096;

pub struct Runs {
    pub catalog: Arc<Catalog>,
    /// This process, as leases name it.
    pub worker: WorkerId,
    /// How many runs may be under way at once.
    pub slots: Arc<Semaphore>,
    pub frozen: Frozen,
    plans: Mutex<Recent<(DocumentHash, Selection), Ready>>,
    live: Mutex<HashMap<RunId, Live>>,
    /// How much of a job's events its poller has, in bytes.
    polls: Mutex<Recent<RunId, usize>>,
    hooks: broadcast::Sender<(UserId, FlowId, RunId)>,
}

/// A document made ready to run and to be told about.
#[derive(Clone)]
pub struct Ready {
    pub plan: Arc<Plan>,
    pub meta: Arc<Meta>,
}

/// A run under way in this process.
#[derive(Clone)]
pub struct Live {
    pub owner: UserId,
    pub flow_id: FlowId,
    pub handle: Handle,
    pub meta: Arc<Meta>,
    /// Who asked for it, if that was a visitor of a shared flow.
    pub visit: Option<Visit>,
    /// For durable ones.
    pub log: Option<Arc<StoreLog>>,
}

impl Runs {
    pub fn new(catalog: Arc<Catalog>, worker: WorkerId, slots: usize) -> Self {
        Self {
            catalog,
            worker,
            slots: Arc::new(Semaphore::new(slots)),
            frozen: Frozen::default(),
            plans: Mutex::new(Recent::new(PLANS)),
            live: Mutex::default(),
            polls: Mutex::new(Recent::new(POLLS)),
            hooks: broadcast::channel(256).0,
        }
    }

    /// This process holds a run, until it has been silent for so long.
    pub fn lease(&self) -> Lease {
        Lease {
            worker: self.worker,
            lasts: super::LEASE,
        }
    }

    /// Plans a document, or takes the plan it was given before.
    pub fn ready(
        &self,
        hash: DocumentHash,
        data: &FlowData,
        selection: Selection,
    ) -> Result<Ready, PlanError> {
        let key = (hash, selection);
        if let Some(ready) = lock(&self.plans).get(&key) {
            return Ok(ready);
        }
        let ready = Ready {
            plan: Arc::new(Plan::new(data, &self.catalog, &key.1)?),
            meta: Arc::new(Meta::of(&ferro_model::read(data))),
        };
        lock(&self.plans).put(key, ready.clone());
        Ok(ready)
    }

    /// Remembers that a job's poller has `length` bytes now, and tells how many it had.
    pub fn polled(&self, id: RunId, length: usize) -> usize {
        let mut polls = lock(&self.polls);
        let had = polls.get(&id).unwrap_or_default();
        polls.put(id, length);
        had
    }

    /// Tells whoever watches the flow's webhook that it started a run.
    pub fn announce(&self, owner: UserId, flow: FlowId, run: RunId) {
        // Nobody may be watching.
        let _ = self.hooks.send((owner, flow, run));
    }

    pub fn announcements(&self) -> broadcast::Receiver<(UserId, FlowId, RunId)> {
        self.hooks.subscribe()
    }

    pub fn live(&self, id: RunId) -> Option<Live> {
        lock(&self.live).get(&id).cloned()
    }

    pub fn insert(&self, id: RunId, live: Live) {
        lock(&self.live).insert(id, live);
    }

    pub fn remove(&self, id: RunId) {
        lock(&self.live).remove(&id);
    }

    pub fn count(&self) -> usize {
        lock(&self.live).len()
    }
}

pub fn hash_of(data: &FlowData) -> DocumentHash {
    DocumentHash(Sha256::digest(data.as_str().as_bytes()).into())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing under these locks leaves them half done.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What frozen nodes produced last.
#[derive(Default)]
pub struct Frozen(Mutex<Option<LastOutputs>>);

/// By owner, flow and node.
type LastOutputs = Recent<(UserId, FlowId, String), Outputs>;

impl Frozen {
    pub fn get(&self, owner: UserId, flow: FlowId, node: &str) -> Option<Outputs> {
        lock(&self.0).as_mut()?.get(&(owner, flow, node.to_owned()))
    }

    pub fn put(&self, owner: UserId, flow: FlowId, node: &str, outputs: &Outputs) {
        let mut kept = lock(&self.0);
        let kept = kept.get_or_insert_with(|| Recent::new(FROZEN));
        kept.put((owner, flow, node.to_owned()), outputs.clone());
    }
}

/// The last so many things that were put in; the oldest makes room.
pub struct Recent<K, V> {
    map: HashMap<K, V>,
    order: VecDeque<K>,
    room: usize,
}

impl<K: std::hash::Hash + Eq + Clone, V: Clone> Recent<K, V> {
    pub fn new(room: usize) -> Self {
        Self {
            map: HashMap::new(),
            order: VecDeque::new(),
            room,
        }
    }

    pub fn get(&mut self, key: &K) -> Option<V> {
        self.map.get(key).cloned()
    }

    pub fn put(&mut self, key: K, value: V) {
        if self.map.insert(key.clone(), value).is_none() {
            self.order.push_back(key);
        }
        while self.order.len() > self.room {
            if let Some(old) = self.order.pop_front() {
                self.map.remove(&old);
            }
        }
    }

    pub fn remove(&mut self, key: &K) {
        if self.map.remove(key).is_some() {
            self.order.retain(|known| known != key);
        }
    }

    pub fn clear(&mut self) {
        self.map.clear();
        self.order.clear();
    }
}
