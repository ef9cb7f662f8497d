//! What can go wrong between us and a model, in one vocabulary for every provider.

use std::time::Duration;

use ferro_net::Secret;
use http::{HeaderMap, StatusCode};
use jiff::Timestamp;
use jiff::fmt::rfc2822;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::frames::lenient;
use crate::providers::Target;
use crate::redact::redact;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// No key, no provider, a setting that is missing: nothing was sent.
    Configuration,
    /// The provider does not accept the key.
    Authentication,
    RateLimit,
    /// There is no such model, or not for this key.
    ModelUnavailable,
    /// Nothing left to spend.
    Quota,
    ContextTooLong,
    ContentPolicy,
    Timeout,
    /// The provider could not be reached, or the connection broke.
    Network,
    /// The provider failed, or sent what is not an answer.
    Server,
    /// The provider refused the question as it was asked.
    Request,
}

impl Class {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Configuration => "configuration",
            Self::Authentication => "authentication",
            Self::RateLimit => "rate_limit",
            Self::ModelUnavailable => "model_unavailable",
            Self::Quota => "quota",
            Self::ContextTooLong => "context_too_long",
            Self::ContentPolicy => "content_policy",
            Self::Timeout => "timeout",
            Self::Network => "network",
            Self::Server => "server",
            Self::Request => "request",
        }
    }
}

/// Never contains a key: it is shown, logged and stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct LlmError {
    pub class: Class,
    /// What happened, in our words, with the provider and the model named.
    pub message: String,
    /// What to do about it.
    pub advice: String,
    /// The provider's own words, the deepest cause; may be empty.
    pub cause: String,
    pub status: Option<u16>,
    /// The provider's code, such as `model_not_found`. Boxed, so that the error stays small enough to be returned.
    pub code: Option<Box<str>>,
    /// How long the provider asked to wait.
    pub retry_after: Option<Duration>,
    /// How often it was tried.
    pub attempts: u32,
}

impl LlmError {
    pub fn new(class: Class, message: impl Into<String>) -> Self {
        Self {
            class,
            message: message.into(),
            advice: String::new(),
            cause: String::new(),
            status: None,
            code: None,
            retry_after: None,
            attempts: 0,
        }
    }

    #[must_use]
    pub fn advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = advice.into();
        self
    }

    #[must_use]
    pub fn cause(mut self, cause: impl Into<String>) -> Self {
        self.cause = cause.into();
        self
    }

    /// The answer is not what the wire format promises.
    pub fn garbled(provider: &str, what: impl Into<String>) -> Self {
        Self::new(
            Class::Server,
            format!("{provider} sent an answer that cannot be read"),
        )
        .cause(what)
        .advice("Try again; if it stays so, check that the base URL belongs to this provider.")
    }

    /// Worth asking again without changing anything.
    pub(crate) fn is_passing(&self) -> bool {
        match self.class {
            Class::RateLimit | Class::Network | Class::Server => true,
            // A gateway that gave up has cost no patience of ours; silence has.
            Class::Timeout => self.status.is_some(),
            _ => false,
        }
    }

    /// Without anything in the provider's words that is, or looks like, a key.
    #[must_use]
    pub(crate) fn redacted(mut self, key: Option<&Secret>) -> Self {
        self.cause = redact(&self.cause, key);
        self.code = self.code.map(|code| redact(&code, key).into());
        self
    }
}

/// What an answer with an error status means. The words are the provider's, the class and the advice ours.
pub(crate) fn refusal(target: &Target, status: StatusCode, headers: &HeaderMap, body: &[u8]) -> LlmError {
    let said = said(body);
    let class = classify(status, said.code.as_deref(), &said.message);
    let mut error = explain(target, class, status, said);
    error.retry_after = retry_after(headers, Timestamp::now());
    error
}

/// What an error in the middle of an answer means, where no status tells: its code stands in for one.
pub(crate) fn in_stream(target: &Target, body: &Json) -> LlmError {
    let said = said_in(body);
    let status = said
        .status
        .unwrap_or_else(|| implied(said.code.as_deref().unwrap_or_default()));
    let class = classify(status, said.code.as_deref(), &said.message);
    let known = said.status.map(|status| status.as_u16());
    let mut error = explain(target, class, status, said);
    error.status = known;
    if class == Class::Server {
        error.message = format!("{} failed in the middle of its answer", target.label);
    }
    error
}

/// The status an error with this code has when it comes with one.
fn implied(code: &str) -> StatusCode {
    let code = code.to_ascii_lowercase();
    let says = |word| code.contains(word);
    if says("rate_limit") || says("too_many") {
        StatusCode::TOO_MANY_REQUESTS
    } else if says("invalid_request")
        || says("invalid_value")
        || says("bad_request")
        || says("invalid_prompt")
    {
        StatusCode::BAD_REQUEST
    } else if says("authentication") || says("permission") {
        StatusCode::UNAUTHORIZED
    } else if says("timeout") {
        StatusCode::GATEWAY_TIMEOUT
    } else {
        StatusCode::INTERNAL_SERVER_ERROR
    }
}

fn explain(target: &Target, class: Class, status: StatusCode, said: Said) -> LlmError {
    // Cut last: half a key would not be recognised.
    let words = redact(&said.message, target.key.as_ref());
    let code = said.code.map(|code| redact(&code, target.key.as_ref()).into());
    let label = target.label;
    let model = &target.model;
    let (message, advice) = match class {
        Class::Authentication if status == StatusCode::FORBIDDEN => (
            format!("{label} does not let this API key do that"),
            "Check what the key may do, and where it may be used from, with the provider.".to_owned(),
        ),
        Class::Authentication => (
            format!("{label} does not accept the API key"),
            "Check the key in Settings › Model providers; a key of another provider does not work here."
                .to_owned(),
        ),
        Class::RateLimit => (
            format!("{label} takes no more questions for now (rate limit)"),
            "Wait a little and try again, or use another model.".to_owned(),
        ),
        Class::Quota => (
            format!("the {label} account has nothing left to spend"),
            "Check plan and billing with the provider, or use another provider.".to_owned(),
        ),
        Class::ModelUnavailable => (
            format!("{label} has no model `{model}` for this key"),
            "Choose another model, or ask for access to this one; a wrong base URL looks the same."
                .to_owned(),
        ),
        Class::ContextTooLong => (
            format!("the conversation is too long for `{model}`"),
            "Send less text or history, or choose a model with a larger context.".to_owned(),
        ),
        Class::ContentPolicy => (
            format!("{label} refused the content"),
            "Change the text; the provider's policy decides.".to_owned(),
        ),
        Class::Timeout => (format!("{label} did not answer in time"), "Try again.".to_owned()),
        Class::Request => (
            format!("{label} refused the question as it was asked of `{model}`"),
            "See the provider's words below; a setting or a tool may not fit this model.".to_owned(),
        ),
        _ => (
            format!("{label} failed (HTTP {})", status.as_u16()),
            "Try again; if it stays so, look at the provider's status page.".to_owned(),
        ),
    };
    LlmError {
        class,
        message,
        advice,
        cause: words.chars().take(SHOWN).collect(),
        status: Some(status.as_u16()),
        code,
        retry_after: None,
        attempts: 0,
    }
}

/// The longest text of a provider that is shown.
const SHOWN: usize = 2000;

struct Said {
    message: String,
    code: Option<String>,
    /// Where the code is a status.
    status: Option<StatusCode>,
}

/// The provider's own words.
fn said(body: &[u8]) -> Said {
    let text = String::from_utf8_lossy(body);
    if let Ok(json) = lenient(&text) {
        return said_in(&json);
    }
    let plain = text.trim();
    // A page of a proxy says nothing worth showing.
    let shown = if plain.starts_with('<') {
        "an HTML page"
    } else {
        plain
    };
    Said {
        message: shown.to_owned(),
        code: None,
        status: None,
    }
}

/// From the shapes providers use: `error` as an object or text, `errors` as a list, all of it in a list, or bare.
fn said_in(json: &Json) -> Said {
    let json = json.get(0).unwrap_or(json);
    let error = json.get("error").filter(|error| !error.is_null());
    let error = error
        .or_else(|| json.get("errors").and_then(|all| all.get(0)))
        .unwrap_or(json);
    let word = |keys: &[&str]| {
        let mut words = keys.iter().filter_map(|key| error.get(key)?.as_str());
        words.find(|word| !word.is_empty()).map(str::to_owned)
    };
    let mut message = match error {
        Json::String(text) => text.clone(),
        _ => word(&["message", "detail", "error_description", "errorMessage"])
            .unwrap_or_else(|| error.to_string()),
    };
    // A go-between says "provider returned error"; the cause is what that provider said.
    if let Some(raw) = error.pointer("/metadata/raw").and_then(Json::as_str) {
        message = format!("{message}: {raw}");
    }
    let codes = [
        error.get("code"),
        error.get("status"),
        error.get("status_code"),
        json.get("status_code"),
    ];
    let number = codes.into_iter().flatten().find_map(Json::as_u64);
    let status = number.and_then(|code| StatusCode::from_u16(u16::try_from(code).ok()?).ok());
    Said {
        message,
        code: word(&["code", "type", "status", "errorCode"]),
        status: status.filter(|status| status.is_client_error() || status.is_server_error()),
    }
}

/// From the status, the code and, where providers leave no choice, the words.
pub(crate) fn classify(status: StatusCode, code: Option<&str>, message: &str) -> Class {
    let text = format!("{} {}", code.unwrap_or_default(), message).to_ascii_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if says(&[
        "insufficient_quota",
        "quota exceeded",
        "exceeded your current quota",
        "billing",
        "credit balance",
        "insufficient credits",
    ]) {
        return Class::Quota;
    }
    // With 429 the same words speak of tokens a minute.
    let too_long = [
        "context_length_exceeded",
        "context length",
        "context window",
        "maximum context",
        "prompt is too long",
        "too many tokens",
        "input token count",
        "reduce the length",
        "total tokens limit",
    ];
    if status != StatusCode::TOO_MANY_REQUESTS && says(&too_long) {
        return Class::ContextTooLong;
    }
    if says(&[
        "model_not_found",
        "does not have access to model",
        "model is not available",
        "model does not exist",
        "model not available",
        "no access to model",
        "model_not_supported",
        "deploymentnotfound",
        "requires a subscription",
    ]) || (status == StatusCode::NOT_FOUND && text.contains("model"))
    {
        return Class::ModelUnavailable;
    }
    if says(&[
        "content_policy",
        "content_filter",
        "content management policy",
        "safety",
    ]) && status.is_client_error()
    {
        return Class::ContentPolicy;
    }
    if says(&[
        "invalid_api_key",
        "api key not valid",
        "api_key_invalid",
        "authentication_error",
    ]) {
        return Class::Authentication;
    }
    match status.as_u16() {
        401 | 403 => Class::Authentication,
        402 => Class::Quota,
        404 => Class::ModelUnavailable,
        408 | 504 => Class::Timeout,
        413 => Class::ContextTooLong,
        429 => Class::RateLimit,
        400..=499 => Class::Request,
        _ => Class::Server,
    }
}

/// Seconds or a date, or milliseconds in OpenAI's own header. Nonsense counts as nothing said.
fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    const LONGEST: f64 = 86_400.0;
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let number = |text: &str| {
        text.parse::<f64>()
            .ok()
            .filter(|number| number.is_finite() && *number >= 0.0)
    };
    if let Some(ms) = text("retry-after-ms").and_then(number) {
        return Some(Duration::from_secs_f64((ms / 1000.0).min(LONGEST)));
    }
    let said = text("retry-after")?;
    if let Some(seconds) = number(said) {
        return Some(Duration::from_secs_f64(seconds.min(LONGEST)));
    }
    let date = |text: &str| Some(rfc2822::parse(text).ok()?.timestamp());
    let until = date(said)?;
    // By the provider's own clock where it shows it: ours may be wrong.
    let from = text("date").and_then(date).unwrap_or(now);
    let wait = until.duration_since(from).as_secs_f64();
    Some(Duration::from_secs_f64(wait.clamp(0.0, LONGEST)))
}

#[cfg(test)]
mod tests;
