//! What the server says when it starts the process: one JSON text on the command line.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Setup {
    /// Memory a worker may use on top of what the interpreter itself takes.
    pub memory_mb: u64,
    /// Processor time of one worker.
    pub cpu_seconds: u64,
    /// Go on without walls that cannot be put up here. The operator's choice, never the default.
    #[serde(default)]
    pub accept_missing: bool,
    /// Walls to leave out, by name: for tests of what happens then.
    #[serde(default)]
    pub without: Vec<String>,
    /// Another interpreter instead of the built-in one.
    #[serde(default)]
    pub external: Option<External>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct External {
    pub python: PathBuf,
    /// Folders and files it needs, found by asking it.
    pub paths: Vec<PathBuf>,
}

/// What stands around the workers, told to the server before the first of them.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Walls {
    pub standing: Vec<String>,
    /// Name and reason.
    pub missing: Vec<(String, String)>,
}

impl Walls {
    pub fn note(&mut self, name: &str, put_up: Result<(), String>) {
        match put_up {
            Ok(()) => self.standing.push(name.to_owned()),
            Err(why) => self.missing.push((name.to_owned(), why)),
        }
    }
}
