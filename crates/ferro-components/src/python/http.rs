//! Requests of Python code, sent by us: the address policy, the limits and the run's end hold for them as for any other.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ferro_engine::{Cause, Context, Failure};
use ferro_net::{Client, Limits, NetError, Request, Secret};
use ferro_python::workers::Answer;
use ferro_python::{Host, Refusal};
use http::Method;
use serde_json::{Value as Json, json};
use url::Url;

use crate::data_source::fetch;
use crate::data_source::secrecy::is_secret;
use crate::wait::unless_stopped;

/// As base64 it must fit into one line of the protocol.
const MAX_BODY: u64 = 16 * 1024 * 1024;
const MAX_SECONDS: f64 = 600.0;
const USUAL_SECONDS: f64 = 30.0;
/// Set by the connection.
const DROPPED: [&str; 6] = [
    "accept-encoding",
    "connection",
    "content-length",
    "host",
    "te",
    "transfer-encoding",
];

pub(super) async fn answer(cx: &Context, net: &Client, ask: &Json) -> Result<Json, Refusal> {
    let (request, harmless) = read(ask)?;
    if !harmless {
        cx.begin_effect().await.map_err(|failure| refusal(&failure))?;
    }
    let mut refused = false;
    let sent = unless_stopped(cx, async {
        let mut told = |error: NetError| {
            refused = error.is_refusal();
            fetch::failure(error)
        };
        let response = net.send(request).await.map_err(&mut told)?;
        let (status, headers, url) = (
            response.status(),
            response.headers().clone(),
            response.url().clone(),
        );
        let body = response.bytes().await.map_err(&mut told)?;
        Ok((status, headers, url, body))
    });
    let (status, headers, url, body) = match sent.await {
        Ok(answer) => answer,
        Err(failure) if refused => return Err(Refusal::new("refused", sentence(&failure))),
        Err(failure) => return Err(refusal(&failure)),
    };
    let headers = headers
        .iter()
        .map(|(name, value)| json!([name.as_str(), String::from_utf8_lossy(value.as_bytes())]));
    Ok(json!({
        "status": status.as_u16(),
        "reason": status.canonical_reason().unwrap_or_default(),
        "url": url.as_str(),
        "headers": headers.collect::<Vec<_>>(),
        "body_b64": STANDARD.encode(&body),
    }))
}

/// For code that is not part of a run: a component that asks the outside which choices its fields have.
#[derive(Clone, Debug)]
pub struct Fetcher {
    net: Client,
}

impl Fetcher {
    pub fn new(net: Client) -> Self {
        Self { net }
    }
}

impl Host for Fetcher {
    fn event(&self, _: Json) {}

    fn call<'a>(&'a self, ask: Json) -> Answer<'a> {
        Box::pin(async move {
            if ask.get("ask").and_then(Json::as_str) != Some("http") {
                let message = "only HTTP requests can be made while a field changes; the rest needs a run";
                return Err(Refusal::new("refused", message));
            }
            answer(&Context::nowhere(), &self.net, &ask).await
        })
    }
}

/// The request, and whether it only reads.
fn read(ask: &Json) -> Result<(Request, bool), Refusal> {
    let text = |key: &str| ask.get(key).and_then(Json::as_str);
    let bad = |message: String| Refusal::new("refused", message);
    let method = text("method").unwrap_or("GET").to_ascii_uppercase();
    let method: Method = method
        .parse()
        .map_err(|_| bad(format!("there is no HTTP method {method:?}")))?;
    let shown: String = text("url").unwrap_or_default().chars().take(80).collect();
    let url = Url::parse(text("url").unwrap_or_default())
        .map_err(|error| bad(format!("{shown:?} is not an address: {error}")))?;
    let seconds = ask
        .get("timeout")
        .and_then(Json::as_f64)
        .filter(|seconds| *seconds > 0.0);
    let time = Duration::from_secs_f64(seconds.unwrap_or(USUAL_SECONDS).clamp(0.01, MAX_SECONDS));
    let harmless = matches!(method, Method::GET | Method::HEAD | Method::OPTIONS);
    let mut request = Request::new(method, url).limits(Limits {
        total: Some(time),
        idle: time,
        body: MAX_BODY,
    });
    if ask.get("follow") == Some(&Json::Bool(false)) {
        request = request.no_redirects();
    }
    let mut kind = None;
    for pair in ask.get("headers").and_then(Json::as_array).into_iter().flatten() {
        let part = |at: usize| pair.get(at).and_then(Json::as_str);
        let (Some(name), Some(value)) = (part(0), part(1)) else {
            return Err(bad("a header is not a pair of texts".to_owned()));
        };
        let lower = name.to_ascii_lowercase();
        if DROPPED.contains(&lower.as_str()) {
            continue;
        }
        if lower == "content-type" {
            kind = Some(value);
            continue;
        }
        let set = if is_secret(name) {
            request.secret_header(name, &Secret::new(value))
        } else {
            request.header(name, value)
        };
        request = set.map_err(|error| refusal(&fetch::failure(error)))?;
    }
    let body = match (text("body"), text("body_b64")) {
        (_, Some(encoded)) => {
            let body = STANDARD.decode(encoded);
            Some(body.map_err(|_| bad("the body is not base64".to_owned()))?)
        }
        (Some(body), None) => Some(body.as_bytes().to_vec()),
        (None, None) => None,
    };
    request = match (body, kind) {
        (Some(body), kind) => request.body(kind.unwrap_or("application/octet-stream"), body),
        (None, Some(kind)) => request.header("content-type", kind),
        (None, None) => Ok(request),
    }
    .map_err(|error| refusal(&fetch::failure(error)))?;
    Ok((request, harmless))
}

/// A failure as Python is told of it.
pub(super) fn refusal(failure: &Failure) -> Refusal {
    let kind = match failure.cause {
        Cause::Timeout => "timeout",
        Cause::Limit => "limit",
        Cause::Input | Cause::Unavailable => "refused",
        Cause::Outside | Cause::Cancelled | Cause::Internal => "outside",
    };
    Refusal::new(kind, sentence(failure))
}

fn sentence(failure: &Failure) -> String {
    match failure.advice.as_str() {
        "" => failure.message.clone(),
        advice => format!("{}. {advice}", failure.message.trim_end_matches('.')),
    }
}
