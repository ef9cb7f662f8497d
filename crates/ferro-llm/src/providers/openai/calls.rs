//! Tool calls as they come in: pieces that may lack an id, a name or an index, or share one.

use serde_json::Value as Json;

use super::super::wire::{made_up_id, next_call, text};
use crate::chat::ChatEvent;
use crate::error::LlmError;

/// The calls of one answer so far.
pub(crate) struct Calls {
    label: &'static str,
    count: usize,
    begun: usize,
    all: Vec<Call>,
}

#[derive(Default)]
struct Call {
    /// The provider's number for it.
    key: Option<u64>,
    /// The provider's id for it; may be empty.
    wire_id: String,
    /// The id it was announced with, which no other call of the answer has.
    id: String,
    name: String,
    arguments: String,
    signature: Option<String>,
    /// Our number for it, once it was announced.
    index: Option<usize>,
}

/// A piece of a call, with what the provider said of it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Piece<'a> {
    pub key: Option<u64>,
    pub id: &'a str,
    pub name: &'a str,
    pub arguments: &'a str,
}

impl Calls {
    pub(crate) fn new(label: &'static str) -> Self {
        Self {
            label,
            count: 0,
            begun: 0,
            all: Vec::new(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// One of `tool_calls`. `position` is its place in the list, where the list is the whole of it.
    pub(crate) fn take(
        &mut self,
        call: &Json,
        position: Option<u64>,
        out: &mut Vec<ChatEvent>,
    ) -> Result<(), LlmError> {
        let function = call.get("function").unwrap_or(call);
        let written = match function.get("arguments") {
            None | Some(Json::Null) => String::new(),
            Some(Json::String(text)) => text.clone(),
            // Some servers write the object itself instead of its text.
            Some(other) => other.to_string(),
        };
        let piece = Piece {
            key: position.or_else(|| call.get("index").and_then(Json::as_u64)),
            id: text(call, "id").unwrap_or_default(),
            name: text(function, "name").unwrap_or_default(),
            arguments: &written,
        };
        self.add(piece, None, out)
    }

    /// More of a call, or the beginning of one.
    pub(crate) fn add(
        &mut self,
        piece: Piece<'_>,
        signature: Option<String>,
        out: &mut Vec<ChatEvent>,
    ) -> Result<(), LlmError> {
        let at = match self.find(piece) {
            Some(at) => at,
            None => {
                next_call(self.label, &mut self.count)?;
                self.all.push(Call {
                    key: piece.key,
                    signature,
                    ..Call::default()
                });
                self.all.len() - 1
            }
        };
        let call = &mut self.all[at];
        if call.wire_id.is_empty() {
            piece.id.clone_into(&mut call.wire_id);
        }
        if call.name.is_empty() {
            piece.name.clone_into(&mut call.name);
        }
        call.arguments.push_str(piece.arguments);
        match call.index {
            Some(index) if !piece.arguments.is_empty() => out.push(ChatEvent::ToolArguments {
                index,
                chunk: piece.arguments.to_owned(),
            }),
            // Nobody can be told of a call without a name; it may still come.
            None if !call.name.is_empty() => self.announce(at, out),
            _ => {}
        }
        Ok(())
    }

    /// The arguments of the call with this number so far.
    pub(crate) fn arguments(&self, key: u64) -> Option<&str> {
        let call = self.all.iter().rfind(|call| call.key == Some(key))?;
        Some(&call.arguments)
    }

    /// The answer is over: calls that never got a name are told of as they are, so that whoever asked can say so.
    pub(crate) fn finish(&mut self, out: &mut Vec<ChatEvent>) {
        for at in 0..self.all.len() {
            if self.all[at].index.is_none() {
                self.announce(at, out);
            }
        }
    }

    fn find(&self, piece: Piece<'_>) -> Option<usize> {
        let last = self.all.len().checked_sub(1);
        if piece.key.is_some() {
            let same = self.all.iter().rposition(|call| call.key == piece.key)?;
            return (!self.all[same].is_another(piece)).then_some(same);
        }
        if !piece.id.is_empty() {
            let same = self.all.iter().rposition(|call| call.wire_id == piece.id);
            return same
                .or_else(|| last.filter(|at| piece.name.is_empty() && self.all[*at].wire_id.is_empty()));
        }
        last.filter(|at| !self.all[*at].is_another(piece))
    }

    fn announce(&mut self, at: usize, out: &mut Vec<ChatEvent>) {
        let index = self.begun;
        self.begun += 1;
        let wire_id = &self.all[at].wire_id;
        let is_taken = |id: &str| self.all.iter().any(|call| call.id == id);
        let id = if wire_id.is_empty() || is_taken(wire_id) {
            let mut numbers = index..;
            let free = numbers.by_ref().map(made_up_id).find(|id| !is_taken(id));
            free.unwrap_or_else(|| made_up_id(index))
        } else {
            wire_id.clone()
        };
        let call = &mut self.all[at];
        call.id.clone_from(&id);
        call.index = Some(index);
        out.push(ChatEvent::ToolStart {
            index,
            id,
            name: call.name.clone(),
            signature: call.signature.take(),
        });
        if !call.arguments.is_empty() {
            out.push(ChatEvent::ToolArguments {
                index,
                chunk: call.arguments.clone(),
            });
        }
    }
}

impl Call {
    /// Whether the piece begins another call although nothing but its words tells: some servers give every call the
    /// same number, or none.
    fn is_another(&self, piece: Piece<'_>) -> bool {
        if piece.name.is_empty() || self.name.is_empty() {
            return false;
        }
        if !piece.id.is_empty() && !self.wire_id.is_empty() {
            return piece.id != self.wire_id;
        }
        if piece.name != self.name {
            return true;
        }
        // The same name again: a second call if the first is complete, else only a repetition.
        piece.arguments.trim_start().starts_with('{')
            && self.arguments.trim_end().ends_with('}')
            && serde_json::from_str::<serde::de::IgnoredAny>(&self.arguments).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use serde_json::json;

    use super::super::super::wire::MAX_CALLS;
    use super::*;

    fn some(values: &'static [&'static str]) -> impl Strategy<Value = Json> {
        prop_oneof![
            Just(Json::Null),
            proptest::sample::select(values).prop_map(Json::from)
        ]
    }

    fn number() -> impl Strategy<Value = Json> {
        prop_oneof![
            Just(Json::Null),
            (-1_i64..4).prop_map(Json::from),
            Just(json!(1e300)),
            Just(json!(u64::MAX))
        ]
    }

    proptest! {
        /// Whatever a server sends, nothing of it is lost, invented or confused.
        #[test]
        fn every_piece_belongs_to_one_call(pieces in proptest::collection::vec(
            (number(), some(&["", "a", "b", "call_0", "call_1"]), some(&["", "f", "g"]), some(&["", "{", "}", "{}", "x"])),
            0..200,
        )) {
            let mut calls = Calls::new("X");
            let mut out = Vec::new();
            let mut sent = 0;
            let mut refused = false;
            for (index, id, name, arguments) in &pieces {
                let call = json!({"index": index, "id": id, "function": {"name": name, "arguments": arguments}});
                refused = calls.take(&call, None, &mut out).is_err();
                if refused {
                    break;
                }
                sent += arguments.as_str().unwrap_or_default().len();
            }
            calls.finish(&mut out);

            let mut ids = BTreeSet::new();
            let mut begun = 0;
            let mut received = 0;
            for event in out {
                match event {
                    ChatEvent::ToolStart { index, id, .. } => {
                        prop_assert_eq!(index, begun);
                        prop_assert!(!id.is_empty() && ids.insert(id));
                        begun += 1;
                    }
                    ChatEvent::ToolArguments { index, chunk } => {
                        prop_assert!(index < begun);
                        received += chunk.len();
                    }
                    other => prop_assert!(false, "{:?}", other),
                }
            }
            prop_assert_eq!(received, sent);
            prop_assert!(begun <= MAX_CALLS);
            prop_assert_eq!(refused, refused && begun == MAX_CALLS);
        }
    }
}
