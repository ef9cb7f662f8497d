//! What the state asks the driver to do.

use std::sync::Arc;

use serde_json::Value as Json;

use crate::component::{Answer, Outputs};
use crate::event::{At, Skipped};
use crate::value::Value;

/// What is to be done next. `at` where the state may have moved on before it is done.
#[derive(Clone, Debug)]
pub(crate) enum Command {
    Run {
        node: u32,
        given: Given,
    },
    /// Take over a result that is known already.
    Reuse {
        node: u32,
        outputs: Outputs,
    },
    /// Tell that a node does not run.
    Skip {
        node: u32,
        at: At,
        why: Skipped,
    },
    /// Tell that a round begins.
    Round {
        at: At,
        round: u32,
        of: Option<u32>,
    },
    /// Fail a node for a reason that is not its own.
    Break {
        at: At,
        why: Broken,
    },
    /// Everything is decided.
    Finish,
}

/// What a node is given beside its fields.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given {
    /// A loop's results.
    pub collected: Option<Vec<Value>>,
    /// A person's answer.
    pub answer: Option<Answer>,
    /// What the node remembers since it asked.
    pub memory: Option<Arc<Json>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Broken {
    /// A node of this round failed.
    BodyFailed {
        node: u32,
        round: u32,
    },
    /// A node of this round waits for one outside that failed.
    BodyBlocked {
        node: u32,
        round: u32,
    },
    TooManyRounds {
        limit: u32,
    },
    /// A person decided not to do again what may have been done.
    NotAgain,
}
