//! Which worker a request goes to.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use tokio::sync::Semaphore;

use super::nursery::{Ending, Nursery, Worker};
use super::talk::Ended;
use super::trouble::Trouble;
use super::{Host, Settings, Status};

/// How long a run's worker waits for the run's next request.
const KEPT_FOR: Duration = Duration::from_secs(20);
/// After this long without any request, where workers come from ends too.
const UP_FOR: Duration = Duration::from_secs(600);

const SIGILL: i32 = 4;
const SIGABRT: i32 = 6;
const SIGBUS: i32 = 7;
const SIGKILL: i32 = 9;
const SIGSEGV: i32 = 11;
const SIGXCPU: i32 = 24;

pub struct Pool {
    settings: Arc<Settings>,
    turns: Semaphore,
    state: Mutex<State>,
    /// Held while the nursery starts, so that it starts once.
    starting: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct State {
    nursery: Option<Arc<Nursery>>,
    spares: Vec<Worker>,
    /// Idle workers of runs that may come again.
    kept: HashMap<String, Kept>,
    used: Option<Instant>,
    /// Each keeping has a number, so that an old alarm does not end a newer one.
    keepings: u64,
    tended: bool,
}

struct Kept {
    worker: Worker,
    keeping: u64,
}

impl Pool {
    pub fn new(settings: Arc<Settings>) -> Arc<Self> {
        Arc::new(Self {
            turns: Semaphore::new(settings.at_once.max(1)),
            state: Mutex::default(),
            starting: tokio::sync::Mutex::default(),
            settings,
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub async fn ask(
        self: &Arc<Self>,
        scope: Option<&str>,
        request: &Json,
        host: &dyn Host,
    ) -> Result<Json, Trouble> {
        let _turn = self
            .turns
            .acquire()
            .await
            .map_err(|_| Trouble::Died("the server is stopping".to_owned()))?;
        let mut worker = self.lease(scope).await?;
        let most = Duration::from_secs(self.settings.seconds);
        match worker.line.ask(request, host, most).await {
            Ended::Answered(answer) => {
                if let Some(scope) = scope.filter(|_| worker.line.spent < most) {
                    self.keep(scope, worker);
                }
                answer
            }
            Ended::Broken(trouble) => Err(trouble),
            Ended::Closed => Err(self.explain(&worker.ending().await)),
        }
    }

    fn explain(&self, ending: &Ending) -> Trouble {
        let Settings {
            seconds, memory_mb, ..
        } = *self.settings;
        match (ending.signal, &ending.why) {
            (Some(SIGXCPU), _) => Trouble::TooBusy {
                seconds: seconds.saturating_mul(2).max(2),
            },
            (Some(SIGABRT | SIGSEGV | SIGBUS | SIGILL), _) => Trouble::TooLarge { memory_mb },
            (Some(SIGKILL), _) => {
                Trouble::Died("the system ended it, most likely for want of memory".to_owned())
            }
            (Some(signal), _) => Trouble::Died(format!("signal {signal}")),
            (None, Some(why)) => Trouble::Died(why.clone()),
            (None, None) => Trouble::Died(match ending.code {
                Some(code) => format!("exit code {code}"),
                None => "it closed its socket".to_owned(),
            }),
        }
    }

    /// The run's own worker, one that stands ready, or a new one.
    async fn lease(self: &Arc<Self>, scope: Option<&str>) -> Result<Worker, Trouble> {
        let found = {
            let mut state = self.state();
            state.used = Some(Instant::now());
            let kept = scope
                .and_then(|scope| state.kept.remove(scope))
                .map(|kept| kept.worker);
            kept.or_else(|| state.spares.pop())
        };
        if let Some(mut worker) = found
            && worker.is_alive()
        {
            self.restock();
            return Ok(worker);
        }
        let worker = self.nursery().await?.worker()?;
        self.restock();
        Ok(worker)
    }

    async fn nursery(self: &Arc<Self>) -> Result<Arc<Nursery>, Trouble> {
        let alive = |pool: &Self| pool.state().nursery.clone().filter(|nursery| !nursery.is_dead());
        if let Some(nursery) = alive(self) {
            return Ok(nursery);
        }
        let _starting = self.starting.lock().await;
        if let Some(nursery) = alive(self) {
            return Ok(nursery);
        }
        let nursery = Nursery::start(&self.settings).await?;
        let mut state = self.state();
        state.spares.clear();
        state.kept.clear();
        state.nursery = Some(Arc::clone(&nursery));
        if !state.tended {
            state.tended = true;
            tokio::spawn(rest(Arc::downgrade(self)));
        }
        Ok(nursery)
    }

    /// Asks for new spares; they come up while nobody waits for them.
    fn restock(&self) {
        let mut state = self.state();
        let Some(nursery) = state.nursery.clone().filter(|nursery| !nursery.is_dead()) else {
            return;
        };
        while state.spares.len() < self.settings.spare {
            match nursery.worker() {
                Ok(worker) => state.spares.push(worker),
                Err(_) => return,
            }
        }
    }

    fn keep(self: &Arc<Self>, scope: &str, worker: Worker) {
        let mut state = self.state();
        state.keepings += 1;
        let keeping = state.keepings;
        // So many runs at once: the workers of some have to go.
        if state.kept.len() >= self.settings.at_once.saturating_mul(2)
            && let Some(oldest) = state
                .kept
                .iter()
                .min_by_key(|(_, kept)| kept.keeping)
                .map(|(scope, _)| scope.clone())
        {
            state.kept.remove(&oldest);
        }
        state.kept.insert(scope.to_owned(), Kept { worker, keeping });
        drop(state);
        let (pool, scope) = (Arc::downgrade(self), scope.to_owned());
        tokio::spawn(async move {
            tokio::time::sleep(KEPT_FOR).await;
            if let Some(pool) = pool.upgrade() {
                let mut state = pool.state();
                if state.kept.get(&scope).is_some_and(|kept| kept.keeping == keeping) {
                    state.kept.remove(&scope);
                }
            }
        });
    }

    pub fn status(&self) -> Status {
        let state = self.state();
        let nursery = state.nursery.as_ref().filter(|nursery| !nursery.is_dead());
        let walls = nursery.map(|nursery| nursery.walls.clone()).unwrap_or_default();
        Status {
            interpreter: match &self.settings.python {
                Some(python) => python.display().to_string(),
                None => "built-in".to_owned(),
            },
            started: nursery.is_some(),
            walls: walls.standing,
            missing: walls.missing,
            busy: self.settings.at_once.max(1) - self.turns.available_permits(),
            idle: state.spares.len() + state.kept.len(),
        }
    }

    pub fn stop(&self) {
        let mut state = self.state();
        state.spares.clear();
        state.kept.clear();
        state.nursery = None;
    }
}

/// Lets go of everything when nobody has asked for long.
async fn rest(pool: Weak<Pool>) {
    loop {
        tokio::time::sleep(UP_FOR / 10).await;
        let Some(pool) = pool.upgrade() else { return };
        let is_quiet = pool.state().used.is_none_or(|used| used.elapsed() > UP_FOR);
        if is_quiet && pool.turns.available_permits() == pool.settings.at_once.max(1) {
            pool.stop();
        }
    }
}
