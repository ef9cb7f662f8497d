//! Questions whose answer is one document: vectors.

use std::time::Duration;

use ferro_net::{Client, Limits, Response};
use http::{HeaderMap, StatusCode};
use serde_json::Value as Json;

use super::{again, from_net, gate_key, read_some, to_request};
use crate::budget::Budgets;
use crate::error::LlmError;
use crate::frames::lenient;
use crate::providers::{Outgoing, Target};

/// The longest wait for a whole document.
const TOTAL: Duration = Duration::from_secs(300);

/// Who is asked, within which limits.
pub(crate) struct Asked<'a> {
    pub net: &'a Client,
    pub budgets: &'a Budgets,
    pub target: &'a Target,
    /// What an error status means there.
    pub refusal: fn(&Target, StatusCode, &HeaderMap, &[u8]) -> LlmError,
}

/// Asks until there is an answer or nothing helps any more: the same places, pauses and circuit as for chats.
pub(crate) async fn ask_whole(asked: &Asked<'_>, outgoing: &Outgoing) -> Result<Json, LlmError> {
    let (target, budget) = (asked.target, *asked.budgets.budget());
    let gate = asked.budgets.gate(&gate_key(target));
    let mut attempt = 1;
    loop {
        let place = gate.enter(target.label, budget.patience).await?;
        let mut error = match send(asked, outgoing).await {
            Ok(answer) => {
                gate.succeeded();
                return Ok(answer);
            }
            Err(error) => error.redacted(target.key.as_ref()),
        };
        drop(place);
        gate.failed(&error);
        error.attempts = attempt;
        again(&gate, &budget, error).await?;
        attempt += 1;
    }
}

async fn send(asked: &Asked<'_>, outgoing: &Outgoing) -> Result<Json, LlmError> {
    let (target, budget) = (asked.target, asked.budgets.budget());
    let limits = Limits {
        total: Some(TOTAL),
        idle: budget.idle,
        body: budget.answer,
    };
    let request = to_request(target, outgoing, limits)?;
    let sent = asked.net.send(request).await;
    let response = sent.map_err(|error| from_net(target, &error))?;
    read(target, response, asked.refusal).await
}

/// The document, or what the provider says instead.
pub(crate) async fn read(
    target: &Target,
    mut response: Response,
    refusal: fn(&Target, StatusCode, &HeaderMap, &[u8]) -> LlmError,
) -> Result<Json, LlmError> {
    let status = response.status();
    if !status.is_success() {
        let headers = response.headers().clone();
        let body = read_some(response).await;
        return Err(refusal(target, status, &headers, &body));
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| from_net(target, &error))? {
        body.extend_from_slice(&chunk);
    }
    let text = std::str::from_utf8(&body).map_err(|_| LlmError::garbled(target.label, "it is not UTF-8"))?;
    lenient(text).map_err(|error| LlmError::garbled(target.label, format!("not JSON: {error}")))
}
