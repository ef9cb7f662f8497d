//! A conversation with tools as one straight line of rules.
//!
//! The rehearsal model remembers nothing between two requests. Its rules are written as if calls answered at once;
//! each time, they run from the beginning, and calls that were made before answer from the conversation. The first
//! one that was not made yet is what is said now.

use ferro_llm::rehearsal::{Call, LABEL};
use ferro_llm::{ChatMessage, Part, Role, ToolSpec};
use serde_json::{Map, Value as Json};

use super::ask::Ask;
use super::said::Lang;

/// What is said now.
#[derive(Debug)]
pub(super) enum Next {
    Call(Vec<Call>),
    Say(String),
}

/// Goes on with a value, or ends with what is said now.
pub(super) type Step<T> = Result<T, Next>;

/// What a tool answered.
#[derive(Clone, Debug, Default)]
pub(super) struct Heard {
    pub text: String,
    /// `Null` when it is not JSON.
    pub json: Json,
    pub failed: bool,
}

impl Heard {
    pub(super) fn list(&self, key: &str) -> &[Json] {
        self.json
            .get(key)
            .and_then(Json::as_array)
            .map_or(&[], Vec::as_slice)
    }

    pub(super) fn str(&self, key: &str) -> Option<&str> {
        self.json.get(key).and_then(Json::as_str)
    }

    /// What went wrong, in the tool's words.
    pub(super) fn error(&self) -> &str {
        self.str("error").unwrap_or(&self.text)
    }
}

/// Answers that do not change during a turn: one call serves every rule that asks.
const READS: &[&str] = &["search_components", "describe_component", "list_templates"];

struct Past {
    name: String,
    arguments: Json,
    heard: Heard,
    used: bool,
}

pub(super) struct Tape<'r> {
    tools: &'r [ToolSpec],
    past: Vec<Past>,
    /// What every tool said in this conversation, earlier requests included.
    all: Vec<Json>,
    /// From an earlier request of the conversation, where this one names none.
    pub default_model: Option<(String, String)>,
}

impl<'r> Tape<'r> {
    /// The calls since the last thing a person said.
    pub(super) fn read(messages: &[ChatMessage], tools: &'r [ToolSpec]) -> Self {
        let last = messages.iter().rposition(|message| message.role == Role::User);
        let since = messages.iter().skip(last.map_or(0, |last| last + 1));
        let results = messages
            .iter()
            .flat_map(|message| &message.parts)
            .filter_map(|part| match part {
                Part::ToolResult { content, .. } => serde_json::from_str(content).ok(),
                _ => None,
            });
        let users = messages.iter().rev().filter(|message| message.role == Role::User);
        let default_model = users
            .map(|message| Ask::of(&message.text()))
            .find_map(|ask| ask.default_model);
        let mut open = Vec::new();
        let mut past = Vec::new();
        for message in since {
            for part in &message.parts {
                match part {
                    Part::ToolCall(call) => open.push(call.clone()),
                    Part::ToolResult {
                        id,
                        content,
                        is_error,
                        ..
                    } => {
                        let Some(place) = open.iter().position(|call| call.id == *id) else {
                            continue;
                        };
                        let call = open.remove(place);
                        past.push(Past {
                            name: call.name,
                            arguments: serde_json::from_str(&call.arguments).unwrap_or_default(),
                            heard: heard(content, *is_error),
                            used: false,
                        });
                    }
                    _ => {}
                }
            }
        }
        Self {
            tools,
            past,
            all: results.collect(),
            default_model,
        }
    }

    /// The ids of nodes that were built or added in this conversation.
    pub(super) fn ids(&self) -> Vec<String> {
        let built = self
            .all
            .iter()
            .filter_map(|json| json.get("node_id_map")?.as_object());
        let built = built.flat_map(|map| map.values()).filter_map(Json::as_str);
        let added = self.all.iter().filter_map(|json| json.get("id")?.as_str());
        built.chain(added).map(str::to_owned).collect()
    }

    /// The calls, or words instead when there is no such tool here.
    pub(super) fn allowed(&self, next: Next, lang: Lang) -> Next {
        let Next::Call(calls) = &next else {
            return next;
        };
        match calls.iter().find(|call| !self.has(&call.name)) {
            None => next,
            Some(call) => Next::Say(match lang {
                Lang::En => format!(
                    "{LABEL} That needs the tool `{}`, which is not there in this turn.",
                    call.name
                ),
                Lang::Pt => format!(
                    "{LABEL} Isso precisa da ferramenta `{}`, que não existe neste turno.",
                    call.name
                ),
            }),
        }
    }

    pub(super) fn has(&self, tool: &str) -> bool {
        self.tools.iter().any(|spec| spec.name == tool)
    }

    /// The first of these names that the tool takes an argument under; the first of all when it says nothing.
    pub(super) fn argument<'n>(&self, tool: &str, names: &[&'n str]) -> &'n str {
        let spec = self.tools.iter().find(|spec| spec.name == tool);
        let properties = spec.and_then(|spec| spec.schema.get("properties"));
        let known = names
            .iter()
            .find(|name| properties.is_some_and(|properties| properties.get(**name).is_some()));
        known.or(names.first()).copied().unwrap_or_default()
    }

    pub(super) fn call(&mut self, name: &str, arguments: &[(&str, Json)]) -> Step<Heard> {
        let mut heard = self.all(vec![call(name, arguments)])?;
        Ok(heard.pop().unwrap_or_default())
    }

    /// Several calls at once; only for those whose order does not matter.
    pub(super) fn all(&mut self, calls: Vec<Call>) -> Step<Vec<Heard>> {
        let mut open = Vec::new();
        let mut heard = Vec::new();
        for call in calls {
            let again = READS.contains(&call.name.as_str());
            let made = self.past.iter_mut().find(|past| {
                (again || !past.used) && past.name == call.name && past.arguments == call.arguments
            });
            match made {
                Some(past) => {
                    past.used = true;
                    heard.push(past.heard.clone());
                }
                None => open.push(call),
            }
        }
        if open.is_empty() {
            Ok(heard)
        } else {
            Err(Next::Call(open))
        }
    }
}

pub(super) fn call(name: &str, arguments: &[(&str, Json)]) -> Call {
    let arguments: Map<String, Json> = arguments
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()))
        .collect();
    Call {
        name: name.to_owned(),
        arguments: Json::Object(arguments),
    }
}

fn heard(content: &str, is_error: bool) -> Heard {
    let json: Json = serde_json::from_str(content).unwrap_or_default();
    let says_so = json.get("error").is_some_and(|error| !error.is_null());
    Heard {
        text: content.to_owned(),
        json,
        failed: is_error || says_so,
    }
}
