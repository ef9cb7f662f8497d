//! Secrets of a run, kept out of what it says about itself.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

use serde_json::Value as Json;

use crate::event::Body;
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

    fn json(&self, json: &mut Json) {
        match json {
            Json::String(text) => self.text(text),
            Json::Array(items) => items.iter_mut().for_each(|item| self.json(item)),
            Json::Object(map) => map.values_mut().for_each(|value| self.json(value)),
            _ => {}
        }
    }
}
