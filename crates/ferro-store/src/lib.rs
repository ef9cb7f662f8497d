//! Where Ferroflow keeps things: users, keys, variables, projects, flows, versions, files, runs, messages and what
//! was said to the assistant, in SQLite or PostgreSQL.
//!
//! It knows rows, queries and migrations. It refuses to know HTTP, secrets in the clear (it stores ciphertext it
//! cannot open) and how a flow runs. Every method takes the `Principal` that acts and finds only what is theirs.
//!
//! Read `src/db.rs` first (one body of SQL, two databases), then `src/writer.rs` (how a commit is shared).

mod api_keys;
mod assistant_turns;
mod audit;
mod db;
mod dump;
mod error;
pub mod external;
mod files;
mod flows;
mod ids;
mod messages;
mod names;
mod packed;
mod preferences;
mod principal;
mod projects;
mod runs;
mod settings;
mod text;
mod time;
mod tokens;
mod trash;
mod users;
mod variables;
mod versions;
mod writer;

pub use api_keys::{ApiKey, ApiKeyUse, NewApiKey};
pub use assistant_turns::{AssistantTurn, KeptTurn, SESSIONS_PER_PERSON, TURN_TEXT, TURNS_PER_SESSION};
pub use audit::{AuditEntry, AuditRecord};
pub use db::{Address, Kind, Store};
pub use dump::{Dump, TABLES};
pub use error::{Result, StoreError};
pub use files::{File, NewFile};
pub use flows::{Access, Document, Flow, FlowChange, FlowFilter, FlowHeader, FlowOrder, NewFlow};
pub use ids::{
    ApiKeyId, FileId, FlowId, MessageId, ProjectId, RunId, TokenFamily, UserId, VariableId, VersionId,
    WorkerId,
};
pub use messages::{
    MessageChange, MessageFilter, MessageOrder, MessageRecord, NewestFilter, SessionSummary, VISIT,
};
pub use packed::Packed;
pub use principal::{Principal, Role};
pub use projects::{NewProject, Project, ProjectChange};
pub use runs::{
    Append, DocumentHash, EventChunk, Lease, NewRun, Run, RunDocument, RunFilter, RunStatus, RunUpdate,
};
pub use time::Timestamp;
pub use tokens::{Grant, NewToken, TokenKind};
pub use trash::{TrashItem, TrashKind};
pub use users::{NewUser, User, UserChange};
pub use variables::{NewVariable, Variable, VariableChange, VariableKind, VariableValue};
pub use versions::{Activation, Version, VersionData};

/// One page of a longer list, and how long the whole list is.
#[derive(Clone, Debug)]
pub struct Page<T> {
    pub items: Vec<T>,
    pub total: i64,
}

/// Which part of a list is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    pub offset: i64,
    pub limit: i64,
}

impl Window {
    pub const ALL: Self = Self {
        offset: 0,
        limit: i64::MAX,
    };
}
