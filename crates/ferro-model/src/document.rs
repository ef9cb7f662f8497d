//! `FlowData`: a flow's `data` document, kept as the exact text its author sent.
//!
//! Style rule 4's one exception lives here: the JSON is the domain, so that people take their flows away
//! byte for byte where we changed nothing.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::value::RawValue;
use thiserror::Error;

use crate::read::is_note;
use crate::scan::{Cursor, DepthError, Kind};

/// How deep a document may nest. Below `serde_json`'s own recursion limit of 128, on which readers rely.
pub const MAX_DEPTH: usize = 64;

/// A flow document that has been checked: `{}` or an object with `nodes` and `edges`. Cheap to clone.
///
/// Deserialises only where `serde_json` can hand over raw text: not inside untagged or internally tagged
/// enums, nor from a `serde_json::Value`.
#[derive(Clone)]
pub struct FlowData {
    raw: Arc<RawValue>,
    summary: FlowSummary,
}

/// What a list of flows shows about a document without reading it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct FlowSummary {
    /// Nodes of every kind, notes included.
    pub nodes: usize,
    pub edges: usize,
    pub notes: usize,
    pub has_webhook: bool,
    /// There is no node at all.
    pub is_empty: bool,
}

/// Why a document is refused. Each message says where, what is wrong and what to do.
#[derive(Debug, Error)]
pub enum DocumentError {
    #[error("the flow data is not valid JSON ({0}); export the flow again or correct it at that place")]
    Syntax(String),
    #[error("the flow data is {found}; send an object with `nodes` and `edges`, or `{{}}` for an empty flow")]
    NotAnObject { found: &'static str },
    #[error("`{path}` is missing; add it as {expected}")]
    Missing { path: String, expected: &'static str },
    #[error("`{path}` is {found}; make it {expected}")]
    WrongType {
        path: String,
        expected: &'static str,
        found: &'static str,
    },
    #[error("`{path}` is a string that is not valid Unicode; write it without unpaired surrogate escapes")]
    NotText { path: String },
    #[error("`{path}` appears twice in the same object; keep one of them")]
    RepeatedKey { path: String },
    #[error("`{path}` repeats the id `{id}` of `{first}`; give every node its own id")]
    DuplicateId { path: String, first: String, id: String },
    #[error(transparent)]
    TooDeep(#[from] DepthError),
}

impl DocumentError {
    /// The place in the document, such as `nodes[3].id`, when the error is about one place.
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::Missing { path, .. }
            | Self::WrongType { path, .. }
            | Self::NotText { path }
            | Self::RepeatedKey { path }
            | Self::DuplicateId { path, .. } => Some(path),
            Self::Syntax(_) | Self::NotAnObject { .. } | Self::TooDeep(_) => None,
        }
    }
}

impl FlowData {
    /// Checks `text` and keeps it as it is, white space around it excepted.
    pub fn parse(text: &str) -> Result<Self, DocumentError> {
        let raw: &RawValue =
            serde_json::from_str(text).map_err(|error| DocumentError::Syntax(error.to_string()))?;
        Self::from_raw(raw.to_owned())
    }

    /// Checks JSON that a request has already been split into.
    pub fn from_raw(raw: Box<RawValue>) -> Result<Self, DocumentError> {
        let summary = check(raw.get())?;
        Ok(Self {
            raw: Arc::from(raw),
            summary,
        })
    }

    pub fn as_str(&self) -> &str {
        self.raw.get()
    }

    pub fn summary(&self) -> FlowSummary {
        self.summary
    }

    /// The same flow with other text: for edits that cannot change what the check looked at.
    pub(crate) fn with_text(&self, raw: Box<RawValue>) -> Self {
        Self {
            raw: Arc::from(raw),
            summary: self.summary,
        }
    }
}

impl fmt::Debug for FlowData {
    // A document may hold secrets, so logs get its size only.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FlowData")
            .field("bytes", &self.as_str().len())
            .field("summary", &self.summary)
            .finish()
    }
}

impl PartialEq for FlowData {
    /// Equal as text; use `diff` to compare meaning.
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for FlowData {}

impl Serialize for FlowData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for FlowData {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_raw(Box::<RawValue>::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

fn check(text: &str) -> Result<FlowSummary, DocumentError> {
    let mut checker = Checker {
        cursor: Cursor::new(text, MAX_DEPTH),
        ids: HashMap::new(),
        summary: FlowSummary::default(),
    };
    let outcome = checker.document();
    // Past the depth limit the cursor reads nothing more, so what it then finds missing is not the cause.
    match checker.cursor.depth_error() {
        Some(error) => Err(error.into()),
        None => outcome.map(|()| checker.summary),
    }
}

struct Checker<'a> {
    cursor: Cursor<'a>,
    ids: HashMap<Cow<'a, str>, usize>,
    summary: FlowSummary,
}

impl<'a> Checker<'a> {
    fn document(&mut self) -> Result<(), DocumentError> {
        let found = self.cursor.kind();
        if found != Kind::Object {
            return Err(DocumentError::NotAnObject { found: found.name() });
        }
        self.cursor.enter();
        let (mut nodes, mut edges, mut empty) = (false, false, true);
        while let Some(key) = self.cursor.next_key() {
            empty = false;
            match key.as_ref() {
                "nodes" => {
                    once(&mut nodes, || "nodes".into())?;
                    self.nodes()?;
                }
                "edges" => {
                    once(&mut edges, || "edges".into())?;
                    self.edges()?;
                }
                _ => {
                    self.cursor.value();
                }
            }
        }
        self.summary.is_empty = self.summary.nodes == 0;
        for (present, path) in [(nodes, "nodes"), (edges, "edges")] {
            if !present && !empty {
                return Err(DocumentError::Missing {
                    path: path.into(),
                    expected: "an array, empty if there are none",
                });
            }
        }
        Ok(())
    }

    fn nodes(&mut self) -> Result<(), DocumentError> {
        self.expect(Kind::Array, || "nodes".into())?;
        self.cursor.enter();
        while self.cursor.next_item() {
            let index = self.summary.nodes;
            self.node(index)?;
            self.summary.nodes += 1;
        }
        Ok(())
    }

    fn node(&mut self, index: usize) -> Result<(), DocumentError> {
        let at = |key: &str| format!("nodes[{index}]{key}");
        self.expect(Kind::Object, || at(""))?;
        self.cursor.enter();
        let (mut id, mut node_type, mut data_type) = (None, None, None);
        while let Some(key) = self.cursor.next_key() {
            match key.as_ref() {
                "id" => {
                    once(&mut id.is_some(), || at(".id"))?;
                    id = Some(self.text(|| at(".id"))?);
                }
                "type" => node_type = self.cursor.string(),
                "data" => data_type = self.data_type(),
                _ => {
                    self.cursor.value();
                }
            }
        }
        let Some(id) = id else {
            return Err(DocumentError::Missing {
                path: at(".id"),
                expected: "a string that no other node has",
            });
        };
        let (node_type, data_type) = (node_type.unwrap_or_default(), data_type.unwrap_or_default());
        self.summary.notes += usize::from(is_note(&node_type, &data_type));
        self.summary.has_webhook |= id.starts_with("Webhook") || data_type == "Webhook";
        match self.ids.entry(id) {
            Entry::Vacant(place) => {
                place.insert(index);
                Ok(())
            }
            Entry::Occupied(place) => Err(DocumentError::DuplicateId {
                path: at(".id"),
                first: format!("nodes[{}]", place.get()),
                id: place.key().to_string(),
            }),
        }
    }

    /// `data.type` of the node whose `data` comes next.
    fn data_type(&mut self) -> Option<Cow<'a, str>> {
        if self.cursor.kind() != Kind::Object {
            self.cursor.value();
            return None;
        }
        self.cursor.enter();
        let mut found = None;
        while let Some(key) = self.cursor.next_key() {
            match key.as_ref() {
                "type" => found = self.cursor.string(),
                _ => {
                    self.cursor.value();
                }
            }
        }
        found
    }

    fn edges(&mut self) -> Result<(), DocumentError> {
        self.expect(Kind::Array, || "edges".into())?;
        self.cursor.enter();
        while self.cursor.next_item() {
            let index = self.summary.edges;
            self.edge(index)?;
            self.summary.edges += 1;
        }
        Ok(())
    }

    fn edge(&mut self, index: usize) -> Result<(), DocumentError> {
        let at = |key: &str| format!("edges[{index}]{key}");
        self.expect(Kind::Object, || at(""))?;
        self.cursor.enter();
        let (mut source, mut target) = (false, false);
        while let Some(key) = self.cursor.next_key() {
            match key.as_ref() {
                "source" => {
                    once(&mut source, || at(".source"))?;
                    self.text(|| at(".source"))?;
                }
                "target" => {
                    once(&mut target, || at(".target"))?;
                    self.text(|| at(".target"))?;
                }
                _ => {
                    self.cursor.value();
                }
            }
        }
        for (present, key) in [(source, ".source"), (target, ".target")] {
            if !present {
                return Err(DocumentError::Missing {
                    path: at(key),
                    expected: "the id of a node",
                });
            }
        }
        Ok(())
    }

    fn expect(&mut self, expected: Kind, path: impl Fn() -> String) -> Result<(), DocumentError> {
        let found = self.cursor.kind();
        if found == expected {
            return Ok(());
        }
        Err(DocumentError::WrongType {
            path: path(),
            expected: expected.name(),
            found: found.name(),
        })
    }

    fn text(&mut self, path: impl Fn() -> String) -> Result<Cow<'a, str>, DocumentError> {
        self.expect(Kind::String, &path)?;
        self.cursor
            .string()
            .ok_or_else(|| DocumentError::NotText { path: path() })
    }
}

/// Two values under one key mean different things to different parsers, so where we rely on a key it is refused.
fn once(seen: &mut bool, path: impl Fn() -> String) -> Result<(), DocumentError> {
    if std::mem::replace(seen, true) {
        Err(DocumentError::RepeatedKey { path: path() })
    } else {
        Ok(())
    }
}
