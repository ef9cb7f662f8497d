//! Why a node failed, said so that a person knows what happened, where, and what to do.

use serde::{Deserialize, Serialize};

/// What kind of trouble it was; readers may treat some of them alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// A field or an incoming value is not what the component needs.
    Input,
    /// The outside world said no or nothing: HTTP, a database, a file.
    Outside,
    /// It took longer than it may.
    Timeout,
    /// More than a limit allows.
    Limit,
    /// The component cannot run here.
    Unavailable,
    /// Somebody stopped it.
    Cancelled,
    /// A mistake of ours.
    #[default]
    Internal,
}

/// Never contains a secret: it is shown, logged and stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct Failure {
    pub cause: Cause,
    /// What happened.
    pub message: String,
    /// What to do about it; may be empty.
    #[serde(default)]
    pub advice: String,
    /// The field it is about, if it is about one.
    #[serde(default)]
    pub field: Option<String>,
    /// The deepest cause in its own words, such as a server's answer.
    #[serde(default)]
    pub detail: String,
}

impl Failure {
    pub fn new(cause: Cause, message: impl Into<String>) -> Self {
        Self {
            cause,
            message: message.into(),
            advice: String::new(),
            field: None,
            detail: String::new(),
        }
    }

    /// A field or an incoming value is wrong.
    pub fn input(field: &str, message: impl Into<String>) -> Self {
        let mut failure = Self::new(Cause::Input, message);
        failure.field = Some(field.to_owned());
        failure
    }

    /// The outside world failed.
    pub fn outside(message: impl Into<String>) -> Self {
        Self::new(Cause::Outside, message)
    }

    pub fn limit(message: impl Into<String>) -> Self {
        Self::new(Cause::Limit, message)
    }

    pub fn unavailable(message: impl Into<String>) -> Self {
        Self::new(Cause::Unavailable, message)
    }

    #[must_use]
    pub fn advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = advice.into();
        self
    }

    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }
}
