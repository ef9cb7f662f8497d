//! One question on its way: a place in the budget, the request, retries before the first word, the answer as it
//! comes.

mod answer;
mod whole;

pub(crate) use whole::{Asked, ask_whole, read};

use std::sync::Arc;
use std::time::Duration;

use ferro_net::{Client, Limits, NetError, Request, Response};
use futures_util::StreamExt as _;
use futures_util::stream;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, timeout_at};

use self::answer::Answer;
use crate::budget::{Budget, Budgets, Gate};
use crate::chat::{ChatRequest, SeenBy};
use crate::error::{Class, LlmError};
use crate::model::{ChatModel, ChatStream, ModelInfo};
use crate::providers::{Codec, Outgoing, Target};

/// A model behind HTTP.
pub(crate) struct Remote {
    pub net: Client,
    pub budgets: Budgets,
    pub codec: Arc<dyn Codec>,
    pub target: Target,
    pub info: ModelInfo,
}

impl ChatModel for Remote {
    fn info(&self) -> &ModelInfo {
        &self.info
    }

    fn stream(&self, request: ChatRequest) -> ChatStream {
        let line = Line {
            net: self.net.clone(),
            gate: self.budgets.gate(&gate_key(&self.target)),
            budgets: self.budgets.clone(),
            codec: Arc::clone(&self.codec),
            target: self.target.clone(),
        };
        stream::once(async move { line.ask(&request).await })
            .flat_map(|opened| match opened {
                Ok(answer) => answer.events(),
                Err(error) => stream::iter([Err(error)]).boxed(),
            })
            .boxed()
    }
}

/// Budgets belong to a provider, where it is and who pays.
fn gate_key(target: &Target) -> String {
    use sha2::Digest as _;
    let key = target.key.as_ref().map_or("", |key| key.expose());
    let hash = sha2::Sha256::digest(key.as_bytes());
    let short = hash
        .iter()
        .take(8)
        .fold(0_u64, |sum, byte| (sum << 8) | u64::from(*byte));
    format!("{}|{}|{short:016x}", target.provider, target.base_url)
}

/// How often a request is changed because the provider does not know one of its settings.
const MAX_ADAPTED: u32 = 4;

/// So many times the longest silence may go by with heartbeats and nothing else: some models think for minutes.
const QUIET: u32 = 4;

struct Line {
    net: Client,
    gate: Arc<Gate>,
    budgets: Budgets,
    codec: Arc<dyn Codec>,
    target: Target,
}

impl Line {
    /// Asks until the first event of an answer is there, or nothing helps any more.
    async fn ask(self, request: &ChatRequest) -> Result<Answer, LlmError> {
        let mut outgoing = self.codec.request(&self.target, request)?;
        let budget = *self.budgets.budget();
        let mut attempt = 1;
        let mut adapted = 0;
        loop {
            let place = self.gate.enter(self.target.label, budget.patience).await?;
            let mut error = match self.open(&outgoing, request.seen_by.as_ref(), place).await {
                Ok(mut answer) => {
                    self.gate.succeeded();
                    answer.attempts = attempt;
                    return Ok(answer);
                }
                Err(error) => error.redacted(self.target.key.as_ref()),
            };
            self.gate.failed(&error);
            error.attempts = attempt;
            if error.class == Class::Request
                && adapted < MAX_ADAPTED
                && self.codec.adapt(&mut outgoing.body, &error)
            {
                // Another question, which nobody has refused yet.
                adapted += 1;
                continue;
            }
            again(&self.gate, &budget, error).await?;
            attempt += 1;
        }
    }

    /// One attempt, up to the first event.
    async fn open(
        &self,
        outgoing: &Outgoing,
        seen_by: Option<&SeenBy>,
        place: OwnedSemaphorePermit,
    ) -> Result<Answer, LlmError> {
        let budget = self.budgets.budget();
        let limits = Limits {
            total: None,
            idle: budget.idle,
            body: budget.answer,
        };
        let request = to_request(&self.target, outgoing, limits)?;
        if let Some(seen_by) = seen_by {
            seen_by.show(&body_of(outgoing));
        }
        let response = self
            .net
            .send(request)
            .await
            .map_err(|error| from_net(&self.target, &error))?;
        let status = response.status();
        if !status.is_success() {
            let headers = response.headers().clone();
            let body = read_some(response).await;
            return Err(self.codec.refusal(&self.target, status, &headers, &body));
        }
        let decoder = self.codec.decoder(&self.target);
        let mut answer = Answer::new(response, decoder, self.codec.framing(), &self.target, place);
        answer.quiet = budget.idle.saturating_mul(QUIET);
        answer.idle = budget.idle;
        while answer.ready.is_empty() && answer.failed.is_none() && answer.response.is_some() {
            answer.read().await;
        }
        match answer.failed.take() {
            Some(error) if answer.ready.is_empty() => Err(error),
            failed => {
                answer.failed = failed;
                Ok(answer)
            }
        }
    }
}

/// Waits until it is worth asking again after this error, or gives the error back when it is not.
async fn again(gate: &Gate, budget: &Budget, error: LlmError) -> Result<(), LlmError> {
    if let Some(wait) = error.retry_after
        && wait > budget.patience
    {
        if error.class == Class::RateLimit {
            gate.pause(wait.min(Duration::from_secs(600)));
        }
        return Err(error);
    }
    // An open circuit would only hide what went wrong.
    if !error.is_passing() || error.attempts >= budget.attempts || gate.is_open() {
        return Err(error);
    }
    let backoff = jitter(
        budget
            .backoff
            .saturating_mul(1 << error.attempts.saturating_sub(1).min(10)),
    );
    tokio::time::sleep(error.retry_after.unwrap_or_default().max(backoff)).await;
    Ok(())
}

fn body_of(outgoing: &Outgoing) -> Vec<u8> {
    serde_json::to_vec(&outgoing.body).unwrap_or_default()
}

pub(crate) fn to_request(target: &Target, outgoing: &Outgoing, limits: Limits) -> Result<Request, LlmError> {
    let body = body_of(outgoing);
    let build = || -> Result<Request, NetError> {
        let mut request = Request::post(outgoing.url.clone())
            .limits(limits)
            .body("application/json", body)?;
        for (name, value) in &outgoing.headers {
            request = request.header(name, value)?;
        }
        for (name, value) in &outgoing.secrets {
            request = request.secret_header(name, value)?;
        }
        Ok(request)
    };
    build().map_err(|error| from_net(target, &error))
}

/// An error's body, as much of it as is worth reading and waiting for.
pub(crate) async fn read_some(mut response: Response) -> Vec<u8> {
    const ENOUGH: usize = 64 * 1024;
    let until = Instant::now() + Duration::from_secs(10);
    let mut body = Vec::new();
    while body.len() < ENOUGH
        && let Ok(Ok(Some(chunk))) = timeout_at(until, response.chunk()).await
    {
        let room = ENOUGH - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
    }
    body
}

/// Between half and one and a half of the wait, so that many do not come back at once.
fn jitter(wait: Duration) -> Duration {
    let mut byte = [128_u8];
    // Without randomness the wait is just not jittered.
    let _ = getrandom::fill(&mut byte);
    wait.mul_f64(0.5 + f64::from(byte[0]) / 255.0)
}

pub(crate) fn from_net(target: &Target, error: &NetError) -> LlmError {
    let label = target.label;
    let cause = error.to_string();
    match error {
        NetError::Timeout { .. } => LlmError::new(Class::Timeout, format!("{label} did not answer in time"))
            .advice("Try again, or use a faster model."),
        NetError::BadUrl { .. } | NetError::BadHeader { .. } | NetError::Scheme { .. } => LlmError::new(
            Class::Configuration,
            format!("a request to {label} cannot be made from these settings"),
        )
        .advice("Check the key and the base URL in Settings › Model providers."),
        NetError::Port { .. } | NetError::Address { .. } => LlmError::new(
            Class::Configuration,
            format!("the address of {label} is not allowed here"),
        )
        .advice("Ask the operator to allow it, or use another address."),
        NetError::TooLarge { .. } | NetError::TooManyRedirects { .. } | NetError::BadRedirect { .. } => {
            LlmError::new(
                Class::Server,
                format!("{label} sent an answer that cannot be taken"),
            )
            .advice("Check that the base URL belongs to this provider.")
        }
        NetError::Dns { .. } | NetError::Connect { .. } | NetError::Setup { .. } => {
            LlmError::new(Class::Network, format!("{label} cannot be reached"))
                .advice("Check the network and the base URL in Settings › Model providers.")
        }
        NetError::Broken { .. } => {
            LlmError::new(Class::Network, format!("the connection to {label} broke")).advice("Try again.")
        }
    }
    .cause(cause)
}
