//! Secrets of a run, kept out of what it says about itself.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

use serde_json::Value as Json;

use crate::event::{Body, Kept};
use crate::failure::Failure;

const STARS: &str = "********";

/// Shorter ones would black out half of every text and protect nothing.
const SHORTEST: usize = 4;

#[derive(Default)]
pub(super) struct Mask {
    /// Longest first: one may be part of another.
    secrets: RwLock<Vec<String>>,
    any: AtomicBool,
}

impl Mask {
    pub(super) fn add(&self, secret: &str) {
        if secret.chars().count() < SHORTEST {
            return;
        }
        // As it would stand in a JSON text or a quoted message.
        let quoted = Json::from(secret).to_string();
        let mut secrets = self.secrets.write().unwrap_or_else(PoisonError::into_inner);
        for form in [secret, quoted.trim_matches('"')] {
            if !secrets.iter().any(|known| known == form) {
                let place = secrets.partition_point(|known| known.len() >= form.len());
                secrets.insert(place, form.to_owned());
            }
        }
        self.any.store(true, Ordering::Release);
    }

    pub(super) fn body(&self, body: &mut Body) {
        if !self.any.load(Ordering::Acquire) {
            return;
        }
        match body {
            Body::NodeFailed { failure, .. } => self.hide(failure),
            Body::RunEnded {
                failure: Some(failure),
                ..
            } => self.hide(failure),
            Body::Log { message, .. } => self.json(message),
            Body::NodeFinished { result, .. } => {
                if let Some(status) = &mut result.outputs.status {
                    self.json(status);
                }
                if let Some(why) = &mut result.outputs.why {
                    self.text(why);
                }
            }
            Body::VariableRead {
                value: Some(value), ..
            } => self.kept(value),
            Body::ModelCalled { call, .. } => {
                self.kept(&mut call.request);
                self.kept(&mut call.answer);
                if let Some(error) = &mut call.error {
                    self.text(error);
                }
            }
            _ => {}
        }
    }

    pub(super) fn failure(&self, mut failure: Failure) -> Failure {
        if self.any.load(Ordering::Acquire) {
            self.hide(&mut failure);
        }
        failure
    }

    fn hide(&self, failure: &mut Failure) {
        for text in [&mut failure.message, &mut failure.advice, &mut failure.detail] {
            self.text(text);
        }
    }

    fn text(&self, text: &mut String) {
        let secrets = self.secrets.read().unwrap_or_else(PoisonError::into_inner);
        for secret in secrets.iter() {
            if text.contains(secret.as_str()) {
                *text = text.replace(secret.as_str(), STARS);
            }
        }
    }

    /// A secret may have been cut in the middle.
    fn kept(&self, kept: &mut Kept) {
        self.text(&mut kept.text);
        if !kept.cut {
            return;
        }
        let secrets = self.secrets.read().unwrap_or_else(PoisonError::into_inner);
        let begun = secrets.iter().flat_map(|secret| {
            let ends = secret.char_indices().map(|(end, _)| &secret[..end]);
            ends.filter(|begin| !begin.is_empty() && kept.text.ends_with(begin))
        });
        if let Some(longest) = begun.map(str::len).max() {
            kept.text.truncate(kept.text.len() - longest);
        }
    }

    fn json(&self, json: &mut Json) {
        match json {
            Json::String(text) => self.text(text),
            Json::Array(items) => items.iter_mut().for_each(|item| self.json(item)),
            Json::Object(map) => map.values_mut().for_each(|value| self.json(value)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str, most: usize) -> String {
        let mask = Mask::default();
        mask.add("open sesame");
        let mut body = Body::ModelCalled {
            at: crate::event::At {
                node: "n".into(),
                rounds: Vec::new(),
            },
            call: Box::new(crate::event::ModelCall {
                request: Kept::new(text.to_owned(), most),
                ..crate::event::ModelCall::default()
            }),
        };
        mask.body(&mut body);
        match body {
            Body::ModelCalled { call, .. } => call.request.text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_secret_in_a_request_is_masked_even_where_it_was_cut() {
        assert_eq!(kept("say open sesame now", 100), "say ******** now");
        assert_eq!(kept("say open sesame now", 10), "say ");
        assert_eq!(kept("say open sesame now", 3), "say");
        assert_eq!(
            kept("say open", 100),
            "say open",
            "what was not cut is no part of a secret"
        );
    }
}
