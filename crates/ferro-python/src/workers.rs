//! Worker processes that run Python: kept warm, one run's code never in another run's worker, and each of them worth
//! nothing: whatever goes wrong in one, it is ended and another takes its place.

#[cfg(target_os = "linux")]
#[allow(clippy::disallowed_types, reason = "this is where processes are started")]
mod interpreter;
#[cfg(target_os = "linux")]
#[allow(clippy::disallowed_types, reason = "this is where processes are started")]
mod nursery;
#[cfg(target_os = "linux")]
mod pool;
mod talk;
mod trouble;

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use serde_json::{Value as Json, json};

pub use trouble::{PythonError, Trouble};

/// What an answer takes a while to come for.
pub type Answer<'a> = Pin<Box<dyn Future<Output = Result<Json, Refusal>> + Send + 'a>>;

/// Whoever lets Python run: hears what it says and answers what it asks for. Everything that comes from a worker is
/// some stranger's word.
pub trait Host: Send + Sync {
    /// One of the events in `docs/PYTHON.md`.
    fn event(&self, event: Json);
    /// One of the questions there.
    fn call<'a>(&'a self, ask: Json) -> Answer<'a>;
}

/// Why a question is not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// `refused`, `outside`, `limit`, `timeout` or `missing`.
    pub kind: &'static str,
    pub message: String,
}

impl Refusal {
    pub fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }
}

/// Hears nothing and has nothing: for looking at code without running it in a flow.
pub struct NoHost;

impl Host for NoHost {
    fn event(&self, _: Json) {}

    fn call<'a>(&'a self, _: Json) -> Answer<'a> {
        Box::pin(async {
            Err(Refusal::new(
                "refused",
                "nothing can be asked for while a component is only being looked at",
            ))
        })
    }
}

#[derive(Clone, Debug)]
pub struct Settings {
    /// The program to start: it must know the hidden command of the crate `ferro-worker`.
    pub program: PathBuf,
    /// An interpreter on this machine instead of the built-in one.
    pub python: Option<PathBuf>,
    /// Memory a worker may use.
    pub memory_mb: u64,
    /// Time that one request may spend in Python; waiting for the host does not count.
    pub seconds: u64,
    /// How many may run at the same time; more wait for their turn.
    pub at_once: usize,
    /// How many stand ready for a run that has none yet.
    pub spare: usize,
    /// Run even where some wall cannot be put up.
    pub accept_missing: bool,
    /// Walls to leave out: for tests of what happens then.
    pub without: Vec<String>,
}

impl Settings {
    pub fn new(program: PathBuf) -> Self {
        Self {
            program,
            python: None,
            memory_mb: 512,
            seconds: 60,
            at_once: 16,
            spare: 1,
            accept_missing: false,
            without: Vec::new(),
        }
    }
}

/// Cheap to clone.
#[derive(Clone)]
pub struct Workers {
    settings: Arc<Settings>,
    #[cfg(target_os = "linux")]
    pool: Arc<pool::Pool>,
}

impl std::fmt::Debug for Workers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workers")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

/// What there is at this moment, for people who operate the server.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Status {
    /// `built-in`, or the path of the interpreter.
    pub interpreter: String,
    /// The process that workers come from is up.
    pub started: bool,
    /// Walls around the workers; empty before the first start.
    pub walls: Vec<String>,
    pub missing: Vec<(String, String)>,
    pub busy: usize,
    pub idle: usize,
}

impl Workers {
    /// Nothing is started before the first request.
    pub fn new(settings: Settings) -> Self {
        let settings = Arc::new(settings);
        Self {
            #[cfg(target_os = "linux")]
            pool: pool::Pool::new(Arc::clone(&settings)),
            settings,
        }
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What the class in this code says of itself: its name, fields and outputs. Instantiates it in a worker.
    pub async fn describe(&self, code: &str) -> Result<Json, Trouble> {
        self.ask(None, &json!({ "do": "describe", "code": code }), &NoHost)
            .await
    }

    /// [`Workers::describe`], and its outputs once with values to try it out.
    pub async fn probe(&self, code: &str) -> Result<Json, Trouble> {
        self.ask(None, &json!({ "do": "probe", "code": code }), &NoHost)
            .await
    }

    /// Sends a request to a worker and gives its `result`. Requests with the same scope may use the same worker one
    /// after the other, and see what earlier ones left in their modules; without one the worker ends afterwards.
    /// Dropping the future ends the worker.
    #[cfg(target_os = "linux")]
    pub async fn ask(&self, scope: Option<&str>, request: &Json, host: &dyn Host) -> Result<Json, Trouble> {
        self.pool.ask(scope, request, host).await
    }

    #[cfg(not(target_os = "linux"))]
    pub async fn ask(&self, _: Option<&str>, _: &Json, _: &dyn Host) -> Result<Json, Trouble> {
        Err(Trouble::Unavailable {
            missing: vec![(
                "linux".to_owned(),
                "the walls around Python need Linux".to_owned(),
            )],
        })
    }

    #[cfg(target_os = "linux")]
    pub fn status(&self) -> Status {
        self.pool.status()
    }

    #[cfg(not(target_os = "linux"))]
    pub fn status(&self) -> Status {
        Status::default()
    }

    /// Ends all workers and where they come from. The next request begins anew.
    #[cfg(target_os = "linux")]
    pub fn stop(&self) {
        self.pool.stop();
    }

    #[cfg(not(target_os = "linux"))]
    pub fn stop(&self) {}
}
