//! `Host`: what components may ask of whoever runs them. The server answers for a person; the command line
//! answers for a terminal. Everything it hands out belongs to the run's owner.

use futures_util::future::BoxFuture;
use serde_json::{Map, Value as Json};
use uuid::Uuid;

use crate::failure::Failure;
use crate::value::{Message, Sender, Table, Value};

/// A global variable's value. Its text is never shown when it is secret.
#[derive(Clone)]
pub struct Variable {
    pub value: String,
    pub secret: bool,
}

/// Which stored messages.
#[derive(Clone, Debug, Default)]
pub struct MessageQuery {
    pub session_id: String,
    pub context_id: Option<String>,
    pub sender: Option<Sender>,
    pub sender_name: Option<String>,
    /// The newest so many; all when `None`.
    pub limit: Option<usize>,
}

#[derive(Clone, Debug)]
pub struct FileContent {
    /// As its owner named it.
    pub name: String,
    pub path: String,
    pub bytes: Vec<u8>,
}

#[derive(Clone, Debug)]
pub struct FileEntry {
    pub name: String,
    pub path: String,
    pub size: u64,
}

/// How a file is written when there is one of that name already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteMode {
    Replace,
    Append,
}

#[derive(Clone)]
pub struct SqlRequest {
    /// May hold a password: never logged.
    pub url: String,
    pub query: String,
    /// Refuse everything that changes data.
    pub read_only: bool,
    pub max_rows: usize,
}

/// A flow to be run as part of this run.
#[derive(Clone, Debug, Default)]
pub struct FlowCall {
    pub flow_id: Option<Uuid>,
    pub flow_name: Option<String>,
    pub input_value: String,
    pub session_id: String,
    pub tweaks: Map<String, Json>,
    /// Flows on the way here, outermost first: a flow that would run itself is refused.
    pub stack: Vec<Uuid>,
    /// The node it runs for.
    pub outer: Option<crate::context::Context>,
}

/// One answer of a flow that was run: the node that gave it and the value.
#[derive(Clone, Debug)]
pub struct FlowAnswer {
    pub node_id: String,
    pub output: String,
    pub value: Value,
}

fn unavailable<'a, T: Send + 'a>(what: &'static str) -> BoxFuture<'a, Result<T, Failure>> {
    Box::pin(async move {
        Err(
            Failure::unavailable(format!("{what} cannot be reached from here"))
                .advice("Run the flow on a server."),
        )
    })
}

pub trait Host: Send + Sync {
    /// `None` when there is no variable of that name.
    fn variable<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Option<Variable>, Failure>> {
        let _ = name;
        Box::pin(async { Ok(None) })
    }

    /// Stored messages of this run's owner and flow, oldest first.
    fn messages(&self, query: MessageQuery) -> BoxFuture<'_, Result<Vec<Message>, Failure>> {
        let _ = query;
        Box::pin(async { Ok(Vec::new()) })
    }

    fn read_file<'a>(&'a self, path: &'a str) -> BoxFuture<'a, Result<FileContent, Failure>> {
        let _ = path;
        unavailable("Stored files")
    }

    /// Writes one of the owner's files and tells its path.
    fn write_file<'a>(
        &'a self,
        name: &'a str,
        bytes: Vec<u8>,
        mode: WriteMode,
    ) -> BoxFuture<'a, Result<String, Failure>> {
        let _ = (name, bytes, mode);
        unavailable("Stored files")
    }

    /// The owner's files below a folder; `.` or nothing means all.
    fn list_files<'a>(&'a self, folder: &'a str) -> BoxFuture<'a, Result<Vec<FileEntry>, Failure>> {
        let _ = folder;
        unavailable("Stored files")
    }

    fn sql(&self, request: SqlRequest) -> BoxFuture<'_, Result<Table, Failure>> {
        let _ = request;
        unavailable("Databases")
    }

    fn run_flow(&self, call: FlowCall) -> BoxFuture<'_, Result<Vec<FlowAnswer>, Failure>> {
        let _ = call;
        unavailable("Other flows")
    }

    /// What a frozen node produced last time.
    fn frozen(&self, node_id: &str) -> Option<crate::component::Outputs> {
        let _ = node_id;
        None
    }

    fn freeze(&self, node_id: &str, outputs: &crate::component::Outputs) {
        let _ = (node_id, outputs);
    }
}

/// Nobody to ask: for flows that stand alone, and for tests.
pub struct NoHost;

impl Host for NoHost {}
