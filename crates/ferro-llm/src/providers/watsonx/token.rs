//! Tokens of IBM Cloud: bought with a key, good for an hour, kept until shortly before they expire.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use ferro_net::{Client, Limits, Request, Secret};
use http::StatusCode;
use sha2::{Digest as _, Sha256};
use tokio::time::Instant;
use url::Url;
use url::form_urlencoded::Serializer;

use super::super::Target;
use super::super::wire::{count, text};
use crate::error::{Class, LlmError, refusal};
use crate::exchange::{from_net, read_some};
use crate::frames::lenient;

const IAM: &str = "https://iam.cloud.ibm.com";
const PATH: &str = "/identity/token";
/// A token must outlive the question it is sent with.
const MARGIN: Duration = Duration::from_secs(120);
const ATTEMPTS: u32 = 3;
const BACKOFF: Duration = Duration::from_millis(300);
/// Keys remembered at once.
const MOST: usize = 1024;

struct Kept {
    token: Secret,
    until: Instant,
}

/// One for each key: whoever comes first buys the token, the others wait for it.
type Place = Arc<tokio::sync::Mutex<Option<Kept>>>;

/// By the hash of key and address. Shared by everything that asks this provider: chats, embeddings, lists.
static PLACES: LazyLock<Mutex<HashMap<[u8; 32], Place>>> = LazyLock::new(Mutex::default);

fn place(target: &Target) -> Place {
    let key = target.key.as_ref().map_or("", |key| key.expose());
    let mut hash = Sha256::new();
    hash.update(iam(target));
    hash.update([0]);
    hash.update(key);
    let mut places = PLACES.lock().unwrap_or_else(PoisonError::into_inner);
    if places.len() >= MOST {
        places.retain(|_, place| Arc::strong_count(place) > 1);
    }
    Arc::clone(places.entry(hash.finalize().into()).or_default())
}

/// A token for the target's key.
pub(crate) async fn token(net: &Client, target: &Target) -> Result<Secret, LlmError> {
    let place = place(target);
    let mut kept = place.lock().await;
    if let Some(kept) = kept.as_ref().filter(|kept| kept.until > Instant::now()) {
        return Ok(kept.token.clone());
    }
    *kept = None;
    let mut attempt = 1;
    let bought = loop {
        match buy(net, target).await {
            Ok(bought) => break bought,
            Err(mut error) => {
                error.attempts = attempt;
                if !error.is_passing() || attempt >= ATTEMPTS || error.retry_after > Some(BACKOFF * 10) {
                    return Err(error);
                }
                tokio::time::sleep(error.retry_after.unwrap_or(BACKOFF * attempt)).await;
                attempt += 1;
            }
        }
    };
    let token = bought.token.clone();
    *kept = Some(bought);
    Ok(token)
}

/// The service does not take this token any more.
pub(crate) async fn forget(target: &Target, token: &Secret) {
    let place = place(target);
    let mut kept = place.lock().await;
    // Somebody else may have bought another one meanwhile.
    if kept
        .as_ref()
        .is_some_and(|kept| kept.token.expose() == token.expose())
    {
        *kept = None;
    }
}

fn iam(target: &Target) -> String {
    let base = target
        .extra
        .get("iam_url")
        .map_or(IAM, String::as_str)
        .trim_end_matches('/');
    if base.ends_with(PATH) {
        base.to_owned()
    } else {
        format!("{base}{PATH}")
    }
}

async fn buy(net: &Client, target: &Target) -> Result<Kept, LlmError> {
    let label = target.label;
    let Some(key) = &target.key else {
        return Err(
            LlmError::new(Class::Configuration, format!("{label} needs its API key"))
                .advice("Set `WATSONX_APIKEY` in Settings › Model providers."),
        );
    };
    let url = Url::parse(&iam(target)).map_err(|error| {
        LlmError::new(
            Class::Configuration,
            format!("the sign-in address of {label} is not a URL: {error}"),
        )
        .advice("Correct it in Settings › Model providers; it is usually https://iam.cloud.ibm.com.")
    })?;
    let form = Serializer::new(String::new())
        .append_pair("grant_type", "urn:ibm:params:oauth:grant-type:apikey")
        .append_pair("apikey", key.expose())
        .finish();
    let limits = Limits {
        body: 1024 * 1024,
        ..Limits::default()
    };
    let request = Request::post(url)
        .limits(limits)
        .body("application/x-www-form-urlencoded", form);
    let request = request.and_then(|request| request.header("accept", "application/json"));
    let request = request.map_err(|error| from_net(target, &error))?;
    let asked = Instant::now();
    let response = net
        .send(request)
        .await
        .map_err(|error| from_net(target, &error))?;
    let (status, headers) = (response.status(), response.headers().clone());
    let body = read_some(response).await;
    if !status.is_success() {
        return Err(refused(target, refusal(target, status, &headers, &body)));
    }
    let answer = std::str::from_utf8(&body)
        .ok()
        .and_then(|body| lenient(body).ok());
    let token = answer.as_ref().and_then(|answer| text(answer, "access_token"));
    let (Some(answer), Some(token)) = (&answer, token) else {
        return Err(LlmError::garbled(label, "the sign-in service sent no token"));
    };
    let life = Duration::from_secs(count(answer.get("expires_in")).unwrap_or_default().min(86_400));
    Ok(Kept {
        token: Secret::new(token),
        until: asked + life.saturating_sub(MARGIN),
    })
}

/// It answers 400 to a key it does not know.
fn refused(target: &Target, mut error: LlmError) -> LlmError {
    if error.status == Some(StatusCode::BAD_REQUEST.as_u16()) && error.class == Class::Request {
        error.class = Class::Authentication;
        error.message = format!("{} does not accept the API key", target.label);
        "Check the key in Settings › Model providers; it is one of IBM Cloud.".clone_into(&mut error.advice);
    }
    error
}
