//! How much is asked of a provider at once: places, a rate, a pause when it says so, a break when it keeps failing.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use crate::error::{Class, LlmError};

/// Limits for each provider and key.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Answers in progress at once.
    pub concurrency: usize,
    /// Requests begun in a minute; `None` for as many as the provider takes.
    pub per_minute: Option<NonZeroU32>,
    /// How often one question is asked at most.
    pub attempts: u32,
    /// The wait before the second attempt; it doubles from there.
    pub backoff: Duration,
    /// The longest wait for a provider that says when to come back. Longer ones are told to the caller.
    pub patience: Duration,
    /// The longest silence of a provider, before its answer and within it.
    pub idle: Duration,
    /// Bytes of one answer.
    pub answer: u64,
    /// How long a provider that failed five times in a row is left alone; then one question goes through and decides.
    pub rest: Duration,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            concurrency: 2048,
            per_minute: None,
            attempts: 3,
            backoff: Duration::from_millis(400),
            patience: Duration::from_secs(20),
            idle: Duration::from_secs(180),
            answer: 64 * 1024 * 1024,
            rest: Duration::from_secs(15),
        }
    }
}

/// So many failures in a row open the circuit.
const FAILURES: u32 = 5;
/// Keys remembered; the rest were asked long ago.
const MAX_GATES: usize = 4096;

/// All providers' gates, shared by every model that is open.
#[derive(Clone)]
pub(crate) struct Budgets {
    budget: Budget,
    gates: Arc<Mutex<HashMap<String, Arc<Gate>>>>,
}

impl Budgets {
    pub(crate) fn new(budget: Budget) -> Self {
        Self {
            budget,
            gates: Arc::default(),
        }
    }

    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The gate of a provider, its address and a key.
    pub(crate) fn gate(&self, key: &str) -> Arc<Gate> {
        let mut gates = lock(&self.gates);
        if gates.len() >= MAX_GATES {
            gates.retain(|_, gate| Arc::strong_count(gate) > 1);
        }
        let gate = gates
            .entry(key.to_owned())
            .or_insert_with(|| Arc::new(Gate::new(self.budget)));
        Arc::clone(gate)
    }
}

pub(crate) struct Gate {
    places: Arc<Semaphore>,
    spacing: Option<Duration>,
    rest: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Nobody asks before this: the provider said so, or the rate does.
    not_before: Option<Instant>,
    failures: u32,
    /// The circuit is open until then.
    open_until: Option<Instant>,
}

impl Gate {
    fn new(budget: Budget) -> Self {
        Self {
            places: Arc::new(Semaphore::new(
                budget.concurrency.clamp(1, Semaphore::MAX_PERMITS),
            )),
            spacing: budget.per_minute.map(|rate| Duration::from_secs(60) / rate.get()),
            rest: budget.rest,
            state: Mutex::default(),
        }
    }

    /// Waits for a place and for the rate. Held until the answer is read.
    pub(crate) async fn enter(
        &self,
        label: &str,
        patience: Duration,
    ) -> Result<OwnedSemaphorePermit, LlmError> {
        let Ok(place) = Arc::clone(&self.places).acquire_owned().await else {
            return Err(LlmError::new(Class::Network, "the server is shutting down"));
        };
        // After the wait for a place: those who waited must not all run into a provider that failed meanwhile.
        if let Some(left) = self.open_for() {
            return Err(LlmError::new(
                Class::Server,
                format!("{label} failed {FAILURES} times in a row and is left alone for a moment"),
            )
            .advice(format!("Try again in {} seconds.", left.as_secs() + 1)));
        }
        match self.turn(patience) {
            Ok(None) => {}
            Ok(Some(at)) => tokio::time::sleep_until(at).await,
            Err(wait) => {
                let mut error = LlmError::new(
                    Class::RateLimit,
                    format!(
                        "{label} takes no more questions for {} seconds",
                        wait.as_secs() + 1
                    ),
                )
                .advice("Wait and try again, or use another model.");
                error.retry_after = Some(wait);
                return Err(error);
            }
        }
        Ok(place)
    }

    /// When the next question may go, and takes that turn. An error is how long it would be, when that is too long:
    /// then no turn is taken, or those who are sent away would keep the others waiting.
    fn turn(&self, patience: Duration) -> Result<Option<Instant>, Duration> {
        let mut state = lock(&self.state);
        let now = Instant::now();
        let at = state.not_before.filter(|at| *at > now);
        if let Some(wait) = at.map(|at| at - now).filter(|wait| *wait > patience) {
            return Err(wait);
        }
        if let Some(spacing) = self.spacing {
            state.not_before = Some(at.unwrap_or(now) + spacing);
        }
        Ok(at)
    }

    fn open_for(&self) -> Option<Duration> {
        let mut state = lock(&self.state);
        let until = state.open_until?;
        let now = Instant::now();
        if until > now {
            return Some(until - now);
        }
        // One goes through; the others wait for what it finds, for as long again at most.
        state.open_until = Some(now + self.rest);
        None
    }

    /// The provider failed too often: asking again now would only be refused.
    pub(crate) fn is_open(&self) -> bool {
        lock(&self.state)
            .open_until
            .is_some_and(|until| until > Instant::now())
    }

    /// The provider asked for a pause.
    pub(crate) fn pause(&self, wait: Duration) {
        let mut state = lock(&self.state);
        let until = Instant::now() + wait;
        state.not_before = Some(state.not_before.map_or(until, |at| at.max(until)));
    }

    pub(crate) fn succeeded(&self) {
        let mut state = lock(&self.state);
        state.failures = 0;
        state.open_until = None;
    }

    /// Counts towards the circuit only what is the provider's fault.
    pub(crate) fn failed(&self, error: &LlmError) {
        let mut state = lock(&self.state);
        match error.class {
            Class::Network | Class::Server | Class::Timeout => {
                state.failures += 1;
                if state.failures >= FAILURES {
                    state.open_until = Some(Instant::now() + self.rest);
                }
            }
            _ => {
                state.failures = 0;
                state.open_until = None;
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
