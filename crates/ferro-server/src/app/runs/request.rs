//! What a run was asked for, in a form that survives the process.

use std::collections::BTreeMap;

use ferro_engine::Selection;
use ferro_model::FlowData;
use ferro_store::{FlowId, Principal, Role, UserId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// Which inputs get `input_value`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum InputType {
    #[default]
    Chat,
    Text,
    Any,
}

/// Everything about a run but who asks and which flow.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RunRequest {
    /// Which door it came in by: `run`, `build`, `workflow`, `webhook`, `responses`, `public`.
    pub kind: String,
    pub session_id: Option<String>,
    /// `None` leaves what is typed into the input node.
    pub input_value: Option<String>,
    pub input_type: InputType,
    pub files: Vec<String>,
    pub tweaks: Map<String, Json>,
    pub start: Option<String>,
    pub stop: Option<String>,
    pub webhook: Option<String>,
    /// Names of variables that came with the request. Their values are not kept.
    pub global_names: Vec<String>,
    /// Values of those, while this process lives.
    #[serde(skip)]
    pub globals: BTreeMap<String, String>,
    /// Another document than the saved one.
    #[serde(skip)]
    pub data: Option<FlowData>,
    #[serde(skip)]
    pub idempotency_key: Option<String>,
    #[serde(skip)]
    pub keep: Keep,
    /// Somebody without an account, or without this flow, asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visit: Option<Visit>,
    /// Keep what models are asked and answer. When nobody says, it is kept for a person at the page and not for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<bool>,
    /// Runs as long as it needs, and not only while somebody waits.
    pub unhurried: bool,
}

/// Who visits a shared flow. The run is its owner's; what is said in it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visit {
    /// The flow id under which this visitor's conversations with the flow are kept.
    pub flow_id: FlowId,
    /// The visitor's account, if they have one.
    pub user_id: Option<UserId>,
}

impl Visit {
    /// Whose the messages are: the visitor's, or the owner's for a visitor without an account.
    pub fn speaker(self, owner: Principal) -> Principal {
        self.user_id
            .map_or(owner, |id| Principal::User { id, role: Role::User })
    }
}

/// Whether a run outlives the process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// Written down: it goes on after a crash, and can be read later.
    #[default]
    Durable,
    /// Only in memory: it stops with whoever asked for it.
    ThrowAway,
}

impl RunRequest {
    pub fn new(kind: &str) -> Self {
        Self {
            kind: kind.to_owned(),
            ..Self::default()
        }
    }

    pub fn selection(&self) -> Selection {
        match (&self.stop, &self.start) {
            (Some(stop), _) => Selection::UpTo(stop.clone()),
            (None, Some(start)) => Selection::From(start.clone()),
            (None, None) => Selection::Whole,
        }
    }
}
