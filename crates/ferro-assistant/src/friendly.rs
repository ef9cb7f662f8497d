//! What went wrong, in words for people: one sentence that says what to do.

mod cause;
mod key;
#[cfg(test)]
mod tests;

use ferro_agent::AgentError;
use ferro_llm::{Class, LlmError};

pub(crate) use self::cause::deepest_cause;

/// The longest text of somebody else that is shown.
const SHOWN_CHARS: usize = 150;

const SCHEMA: &str = "The model sent values of the wrong kind. Try again, or choose a more capable model.";
const ROUNDS: &str =
    "The assistant used up its steps before it was done. Ask for a smaller step, or allow more steps.";
const TOOL_CALL: &str = "The model called a tool in a way that cannot be read. Try again, or choose a model that is better at using tools.";
const RATE: &str = "The provider takes no more requests for now (rate limit). Wait a little and try again.";
const AUTH: &str = "The provider does not accept the API key. Check it in Settings › Model providers.";
const QUOTA: &str = "The provider's account has nothing left to spend. Check its plan and billing.";
const TIMEOUT: &str = "The model did not answer in time. Try again, or ask for less at once.";
const NETWORK: &str = "The provider could not be reached. Check the connection and try again.";
const SERVER: &str = "The provider failed. Try again in a moment.";
const MODEL: &str = "The provider has no such model for this key. Choose another model.";
const POLICY: &str = "The provider's content policy refused the request. Put it in other words.";
const CONTEXT: &str = "The conversation is too long for this model. Begin a new session, or choose a model with a larger context.";

/// For an error of a turn.
pub(crate) fn friendly_error(error: &AgentError) -> String {
    match error {
        AgentError::Model(error) => friendly_model(error),
        AgentError::Iterations { .. } => ROUNDS.to_owned(),
        AgentError::Malformed { .. } => TOOL_CALL.to_owned(),
        AgentError::Tool { message, .. } => friendly(message),
        AgentError::Shape { .. } => SCHEMA.to_owned(),
    }
}

/// For an error of a provider. Its class says more than its words.
pub(crate) fn friendly_model(error: &LlmError) -> String {
    let fixed = match error.class {
        // Names the variable that is missing, or the setting.
        Class::Configuration => return sentence(&error.message, &error.advice),
        // The words are the only thing that says what to change.
        Class::Request => return of_request(error),
        Class::Authentication => AUTH,
        Class::RateLimit => RATE,
        Class::ModelUnavailable => MODEL,
        Class::Quota => QUOTA,
        Class::ContextTooLong => CONTEXT,
        Class::ContentPolicy => POLICY,
        Class::Timeout => TIMEOUT,
        Class::Network => NETWORK,
        Class::Server => SERVER,
    };
    fixed.to_owned()
}

fn of_request(error: &LlmError) -> String {
    let cause = deepest_cause(&error.cause);
    if cause.is_empty() {
        sentence(&error.message, &error.advice)
    } else {
        known(&cause).map_or_else(|| shortened(&cause), str::to_owned)
    }
}

/// Two sentences out of a message and an advice.
fn sentence(message: &str, advice: &str) -> String {
    let mut text: String = message.to_owned();
    if let Some(first) = message.chars().next() {
        text = first.to_uppercase().chain(message.chars().skip(1)).collect();
    }
    if !text.is_empty() && !text.ends_with(['.', '!', '?']) {
        text.push('.');
    }
    if !advice.is_empty() {
        text.push(' ');
        text.push_str(advice);
    }
    text.trim().to_owned()
}

/// For an error of which there is only the text: the result of a run, the words of a worker.
pub(crate) fn friendly(text: &str) -> String {
    if let Some(said) = key::missing(text) {
        return said;
    }
    match known(text) {
        Some(said) => said.to_owned(),
        None => shortened(&deepest_cause(text)),
    }
}

/// Kinds of errors and how they show, the most telling first: a rate limit may speak of keys, a key of models.
const KNOWN: [(&[&str], &str); 12] = [
    (
        &[
            "validation error for",
            "input should be a valid",
            "pydantic.validationerror",
        ],
        SCHEMA,
    ),
    (&["recursion limit", "rounds without coming to an answer"], ROUNDS),
    (
        &[
            "error parsing tool call",
            "malformed tool call",
            "in a way that cannot be read",
        ],
        TOOL_CALL,
    ),
    (
        &[
            "rate limit",
            "rate_limit",
            "429",
            "too many requests",
            "consumption_limit",
        ],
        RATE,
    ),
    (
        &[
            "401",
            "unauthorized",
            "authentication",
            "invalid api key",
            "invalid_api_key",
            "incorrect api key",
            "api_key",
        ],
        AUTH,
    ),
    (&["quota", "billing", "credit balance"], QUOTA),
    (&["timed out", "timeout"], TIMEOUT),
    (&["connection", "network", "could not be reached"], NETWORK),
    (&["500", "internal server error"], SERVER),
    (
        &[
            "model_not_found",
            "model not found",
            "model does not exist",
            "no such model",
            "does not have access to model",
        ],
        MODEL,
    ),
    (
        &[
            "content policy",
            "content_policy",
            "content filter",
            "content_filter",
        ],
        POLICY,
    ),
    (
        &["context_length_exceeded", "context length", "context window"],
        CONTEXT,
    ),
];

fn known(text: &str) -> Option<&'static str> {
    let text = text.to_lowercase();
    let found = KNOWN
        .iter()
        .find(|(marks, _)| marks.iter().any(|mark| says(&text, mark)));
    found.map(|(_, said)| *said)
}

/// Numbers count only as whole numbers: `1500` is no status.
fn says(text: &str, mark: &str) -> bool {
    if !mark.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.contains(mark);
    }
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        .any(|word| word == mark)
}

fn shortened(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() {
        return "Something went wrong without saying what. Try again.".to_owned();
    }
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default().trim_end()),
        None => text.to_owned(),
    }
}

/// Every model of the provider was tried.
pub(crate) fn exhausted(provider: &str, tried: &[String]) -> String {
    format!(
        "No accessible model on {provider}. Tried: {}. Configure access to one of these models in your {provider} \
         account, or switch to a different provider in Settings → Model Providers.",
        tried.join(", ")
    )
}
