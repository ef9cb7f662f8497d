//! `Context`: a component's way to speak while it runs: messages, tokens, logs, and the host.

use std::sync::Arc;

use serde_json::Value as Json;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::event::{At, Body, Kept, ModelCall};
use crate::failure::Failure;
use crate::host::{Host, NoHost};
use crate::value::{Message, Usage};
use futures_util::future::BoxFuture;

/// Cheap to clone.
#[derive(Clone)]
pub struct Context {
    pub run: Arc<RunInfo>,
    pub host: Arc<dyn Host>,
    pub(crate) sink: Arc<dyn Sink>,
    /// Cancelled when the run or this node must stop; HTTP requests and waits should end with it.
    pub cancel: CancellationToken,
    pub(crate) node: Arc<str>,
    /// The iterations of the loops around the node, outermost first.
    pub(crate) rounds: Vec<u32>,
    /// The node whose doing its effects are, when that is another one: the agent that uses this node as a tool.
    pub(crate) acts_for: Option<Box<At>>,
    /// Tokens spent by everything before this node; given to the messages it answers with.
    pub(crate) upstream: Option<Usage>,
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context")
            .field("node", &self.node)
            .finish_non_exhaustive()
    }
}

/// What a run was started with.
#[derive(Clone, Debug, Default)]
pub struct RunInfo {
    pub run_id: Uuid,
    pub flow_id: Uuid,
    pub flow_name: String,
    pub session_id: String,
    pub input_value: String,
    /// Paths of files that came with the input.
    pub files: Vec<String>,
    /// What a webhook received.
    pub webhook: Option<String>,
    /// Flows this run is part of, outermost first, itself included.
    pub stack: Vec<Uuid>,
}

/// Where what a component says goes.
pub trait Sink: Send + Sync {
    fn emit(&self, body: Body);
    /// Resolves when `body` and everything before it is safe. For facts that must be known before acting.
    fn settle(&self, body: Body) -> BoxFuture<'_, Result<(), Failure>>;
    /// A text that must not be seen in anything that is said from now on.
    fn hide(&self, secret: &str) {
        let _ = secret;
    }
    /// How many bytes of model calls may still be kept; 0 when nobody asked for them.
    fn room(&self) -> usize {
        0
    }
    /// Tokens spent by an execution, whether it succeeds or not.
    fn spend(&self, at: At, usage: Usage) {
        let _ = (at, usage);
    }
    /// The failure without what was hidden, for one that is told to somebody before it ends a node.
    fn masked(&self, failure: Failure) -> Failure {
        failure
    }
}

/// How much of a variable's value is kept.
pub(crate) const VARIABLE: usize = 1024;

struct Silent;

impl Sink for Silent {
    fn emit(&self, _: Body) {}
    fn settle(&self, _: Body) -> BoxFuture<'_, Result<(), Failure>> {
        Box::pin(async { Ok(()) })
    }
}

impl Context {
    fn new(run: RunInfo, host: Arc<dyn Host>, sink: Arc<dyn Sink>) -> Self {
        Self {
            run: Arc::new(run),
            host,
            sink,
            cancel: CancellationToken::new(),
            node: Arc::from(""),
            rounds: Vec::new(),
            acts_for: None,
            upstream: None,
        }
    }

    /// The same run, seen from a node.
    pub(crate) fn at(&self, node: &Arc<str>, rounds: Vec<u32>) -> Self {
        Self {
            run: Arc::clone(&self.run),
            host: Arc::clone(&self.host),
            sink: Arc::clone(&self.sink),
            cancel: self.cancel.clone(),
            node: Arc::clone(node),
            rounds,
            acts_for: None,
            upstream: None,
        }
    }

    /// A context in which nothing is heard: for tests of components.
    pub fn silent(run: RunInfo, host: Arc<dyn Host>) -> Self {
        Self::new(run, host, Arc::new(Silent))
    }

    /// For tests that need neither run nor host.
    pub fn nowhere() -> Self {
        Self::silent(RunInfo::default(), Arc::new(NoHost))
    }

    /// For whoever wants to hear what a component says.
    pub fn heard(run: RunInfo, host: Arc<dyn Host>, sink: Arc<dyn Sink>) -> Self {
        Self::new(run, host, sink)
    }

    /// Shows a message, new or changed. Gives it an id, the time and the session where it has none.
    pub fn message(&self, mut message: Message, store: bool, is_output: bool) -> Message {
        message.id.get_or_insert_with(Uuid::now_v7);
        if message.timestamp == 0 {
            message.timestamp = now();
        }
        if message.session_id.is_empty() {
            message.session_id.clone_from(&self.run.session_id);
        }
        if let Some(usage) = self.upstream.filter(|_| is_output) {
            message.usage = Some(usage);
        }
        self.sink.emit(Body::Message {
            message: Box::new(message.clone()),
            node: Arc::clone(&self.node),
            store,
            is_output,
        });
        message
    }

    /// More text for a message shown before.
    pub fn token(&self, message_id: Uuid, chunk: impl Into<String>) {
        self.sink.emit(Body::Token {
            message_id,
            node: Arc::clone(&self.node),
            chunk: chunk.into(),
        });
    }

    pub fn remove_message(&self, message_id: Uuid) {
        self.sink.emit(Body::MessageRemoved { message_id });
    }

    /// A line for whoever inspects the node.
    pub fn log(&self, name: &str, message: impl Into<Json>) {
        self.sink.emit(Body::Log {
            node: Arc::clone(&self.node),
            name: name.to_owned(),
            message: message.into(),
        });
    }

    /// One of the person's variables. What is secret in it is kept out of logs, messages of failures and the like.
    pub async fn variable(&self, name: &str) -> Result<Option<String>, Failure> {
        let found = self.host.variable(name).await?;
        Ok(found.map(|variable| {
            if variable.secret {
                self.hide(&variable.value);
            }
            self.sink.emit(Body::VariableRead {
                at: self.doer(),
                field: None,
                name: name.to_owned(),
                value: (!variable.secret).then(|| Kept::new(variable.value.clone(), VARIABLE)),
            });
            variable.value
        }))
    }

    /// How many bytes of model calls may still be kept; 0 when nobody asked for them.
    pub fn room(&self) -> usize {
        self.sink.room()
    }

    /// Keeps what a model was asked and said, where that is wanted.
    pub fn model_called(&self, call: ModelCall) {
        self.sink.emit(Body::ModelCalled {
            at: self.doer(),
            call: Box::new(call),
        });
    }

    /// Tokens spent by this node, which count even if it fails later.
    pub fn spend(&self, usage: Usage) {
        self.sink.spend(self.doer(), usage);
    }

    /// Keeps a text out of logs, messages of failures and the like from now on.
    pub fn hide(&self, secret: &str) {
        self.sink.hide(secret);
    }

    /// The failure without what was hidden, for one that is told to somebody before it ends a node.
    pub fn masked(&self, failure: Failure) -> Failure {
        self.sink.masked(failure)
    }

    /// From now on this node's effects are another's: the one that would run again after a crash.
    pub fn act_for(&mut self, caller: &Context) {
        self.acts_for = Some(Box::new(caller.doer()));
    }

    pub(crate) fn doer(&self) -> At {
        match &self.acts_for {
            Some(at) => (**at).clone(),
            None => At {
                node: Arc::clone(&self.node),
                rounds: self.rounds.clone(),
            },
        }
    }

    /// Call right before changing the outside world (a POST, a file write, a payment): if the program dies
    /// after this, the run waits for a person instead of doing it twice.
    pub async fn begin_effect(&self) -> Result<(), Failure> {
        self.sink.settle(Body::EffectStarted { at: self.doer() }).await
    }
}

/// Microseconds since 1970 UTC.
pub(crate) fn now() -> i64 {
    let since = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}
