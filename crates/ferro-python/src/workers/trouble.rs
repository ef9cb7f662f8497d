//! Why a request to a worker came to nothing.

use serde::{Deserialize, Serialize};

/// What the user's code did, or what is wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct PythonError {
    /// `syntax`, `import`, `class`, `input`, `raise`, `limit` or `internal`.
    pub kind: String,
    /// The class of the exception.
    pub r#type: String,
    pub message: String,
    /// In the user's code, from 1.
    pub line: Option<u32>,
    pub column: Option<u32>,
    /// Only frames of the user's code.
    pub trace: String,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    #[error("{}", told(.0))]
    Python(PythonError),
    #[error("the code ran longer than the {seconds} s it may")]
    TooLong { seconds: u64 },
    #[error("the code used more than the {seconds} s of processor time it may")]
    TooBusy { seconds: u64 },
    #[error("the code needed more than the {memory_mb} MB of memory it may use, or called itself too deeply")]
    TooLarge { memory_mb: u64 },
    #[error("{0}")]
    TooMuch(String),
    /// The worker went away for a reason that is not one of the above.
    #[error("the worker ended unexpectedly ({0})")]
    Died(String),
    #[error("Python cannot run here: {}", reasons(.missing))]
    Unavailable { missing: Vec<(String, String)> },
    #[error("Python cannot be started: {0}")]
    Start(String),
}

fn told(error: &PythonError) -> String {
    let kind = match error.r#type.as_str() {
        "" => String::new(),
        name => format!("{name}: "),
    };
    match error.line {
        Some(line) => format!("{kind}{} (line {line})", error.message),
        None => format!("{kind}{}", error.message),
    }
}

fn reasons(missing: &[(String, String)]) -> String {
    let reasons = missing.iter().map(|(name, why)| format!("{name}: {why}"));
    reasons.collect::<Vec<_>>().join("; ")
}
