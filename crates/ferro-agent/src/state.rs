//! `AgentState`: all the loop knows, so that it can be put away while a person decides.

use std::collections::BTreeMap;

use ferro_llm::{ChatMessage, Usage};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::blocks::Blocks;

/// What was said so far: system messages first, then history, then the question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Conversation {
    pub messages: Vec<ChatMessage>,
}

impl Conversation {
    pub fn new(messages: Vec<ChatMessage>) -> Self {
        Self { messages }
    }
}

/// Where the loop is. Written down while a person is asked, so its fields keep their names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AgentState {
    pub(crate) conversation: Conversation,
    /// The calls of the turn under way, in the model's order.
    #[serde(default)]
    pub(crate) calls: Vec<OpenCall>,
    /// How often the model was asked.
    #[serde(default)]
    pub(crate) asked: u32,
    /// Rounds of tool calls.
    #[serde(default)]
    pub(crate) rounds: u32,
    /// Turns in a row with calls that could not be read.
    #[serde(default)]
    pub(crate) malformed: u32,
    /// How often an answer of the wrong shape was sent back.
    #[serde(default)]
    pub(crate) repairs: u32,
    /// Calls that failed, with their arguments.
    #[serde(default)]
    pub(crate) failures: Vec<Failed>,
    /// How often each tool was called.
    #[serde(default)]
    pub(crate) used: BTreeMap<String, u32>,
    #[serde(default)]
    pub(crate) usage: Usage,
    #[serde(default)]
    pub(crate) blocks: Blocks,
}

impl AgentState {
    pub(crate) fn new(conversation: Conversation) -> Self {
        Self {
            conversation,
            ..Self::default()
        }
    }

    /// What people have seen of it; whoever shows it live goes on from here.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// Tokens spent so far.
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// Calls that wait for a person.
    pub fn pending(&self) -> Vec<PendingCall> {
        let open = self.calls.iter().filter(|call| call.result.is_none());
        open.map(|call| PendingCall {
            id: call.id.clone(),
            name: call.name.clone(),
            arguments: call.arguments.clone(),
        })
        .collect()
    }

    /// What was done, for people: `search 3 times, calculator once`.
    pub(crate) fn done(&self) -> String {
        let times = |count: u32| match count {
            1 => "once".to_owned(),
            2 => "twice".to_owned(),
            more => format!("{more} times"),
        };
        let all = self
            .used
            .iter()
            .map(|(name, count)| format!("{name} {}", times(*count)));
        all.collect::<Vec<_>>().join(", ")
    }

    pub(crate) fn times_failed(&self, name: &str, arguments: &Map<String, Json>) -> u32 {
        let same = |failed: &&Failed| failed.name == name && failed.arguments == *arguments;
        self.failures.iter().find(same).map_or(0, |failed| failed.times)
    }

    pub(crate) fn note(&mut self, name: &str, arguments: &Map<String, Json>, failed: bool) {
        let same = |known: &Failed| known.name == name && known.arguments == *arguments;
        let place = self.failures.iter().position(same);
        match (place, failed) {
            (Some(place), true) => self.failures[place].times += 1,
            // It works now: what failed before was a passing trouble.
            (Some(place), false) => {
                self.failures.remove(place);
            }
            (None, true) => self.failures.push(Failed {
                name: name.to_owned(),
                arguments: arguments.clone(),
                times: 1,
            }),
            (None, false) => {}
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct OpenCall {
    pub id: String,
    pub name: String,
    pub arguments: Map<String, Json>,
    /// `None` while a person is asked.
    #[serde(default)]
    pub result: Option<CallResult>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CallResult {
    /// For the model.
    pub content: String,
    pub is_error: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Failed {
    pub name: String,
    pub arguments: Map<String, Json>,
    pub times: u32,
}

/// A call that waits for a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PendingCall {
    pub id: String,
    pub name: String,
    pub arguments: Map<String, Json>,
}

/// What a person decided about a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "decision")]
pub enum Decision {
    Approve,
    /// The model is told, with the reason.
    Reject {
        #[serde(default)]
        reason: String,
    },
    /// Do it, but with these arguments.
    Edit {
        arguments: Map<String, Json>,
    },
}
