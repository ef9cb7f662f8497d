//! One request and its whole answer, ended by the run's end.

use std::time::Duration;

use ferro_engine::{Call, Cause, Context, Failure};
use ferro_net::{Client, Limits, NetError, Request};
use http::HeaderMap;
use url::Url;

use crate::documents::decode;
use crate::wait::unless_stopped;

/// The longest time a person can ask for.
const MAX_SECONDS: i64 = 600;

pub(super) struct Fetched {
    pub status: u16,
    pub headers: HeaderMap,
    /// Where the answer came from, after redirects.
    pub url: Url,
    pub body: Vec<u8>,
}

impl Fetched {
    /// Lower case, without parameters; empty when the server did not say.
    pub(super) fn content_type(&self) -> String {
        let full = self.full_content_type();
        full.split(';').next().unwrap_or_default().trim().to_lowercase()
    }

    pub(super) fn full_content_type(&self) -> &str {
        self.headers
            .get(http::header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }

    pub(super) fn text(&self) -> String {
        decode::text(&self.body, decode::charset(self.full_content_type()))
    }
}

pub(super) async fn fetch(cx: &Context, net: &Client, request: Request) -> Result<Fetched, Failure> {
    unless_stopped(cx, async {
        let response = net.send(request).await.map_err(failure)?;
        let (status, headers, url) = (
            response.status().as_u16(),
            response.headers().clone(),
            response.url().clone(),
        );
        let body = response.bytes().await.map_err(failure)?.to_vec();
        Ok(Fetched {
            status,
            headers,
            url,
            body,
        })
    })
    .await
}

/// A page, asked for as a browser would: some servers answer nobody else.
pub(super) fn page_request(url: Url, limits: Limits) -> Result<Request, Failure> {
    let agent = "Mozilla/5.0 (compatible; Ferroflow)";
    Request::get(url)
        .limits(limits)
        .header("User-Agent", agent)
        .map_err(failure)
}

/// What the client says, split into what happened and what to do.
pub(crate) fn failure(error: NetError) -> Failure {
    let cause = match error {
        NetError::Timeout { .. } => Cause::Timeout,
        NetError::TooLarge { .. } => Cause::Limit,
        NetError::BadUrl { .. } | NetError::BadHeader { .. } | NetError::Scheme { .. } => Cause::Input,
        _ => Cause::Outside,
    };
    let text = error.to_string();
    let (message, advice) = text.split_once("; ").unwrap_or((&text, ""));
    let failure = Failure::new(cause, sentence(message));
    if advice.is_empty() {
        failure
    } else {
        failure.advice(sentence(advice) + ".")
    }
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map(|first| first.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}

/// The address in a field; `https://` is added where there is no scheme.
pub(super) fn address(field: &str, text: &str) -> Result<Url, Failure> {
    let text = text.trim();
    let bad = |reason: &str| {
        Failure::input(
            field,
            format!(
                "{:?} is not an address: {reason}",
                text.chars().take(80).collect::<String>()
            ),
        )
        .advice("Write it like https://example.com/page.")
    };
    if text.is_empty() {
        return Err(
            Failure::input(field, "The address is empty").advice("Write it like https://example.com/page.")
        );
    }
    let full = if text.contains("://") {
        text.to_owned()
    } else {
        format!("https://{text}")
    };
    let url = Url::parse(&full).map_err(|error| bad(&error.to_string()))?;
    if url.host_str().is_none() {
        return Err(bad("it has no host"));
    }
    Ok(url)
}

/// The time limit in a field, in seconds.
pub(super) fn limits(call: &Call, default: i64, body: u64) -> Result<Limits, Failure> {
    let seconds = call.int("timeout")?.unwrap_or(default);
    if seconds < 0 {
        return Err(
            Failure::input("timeout", "The timeout is less than zero").advice("Give a number of seconds.")
        );
    }
    // Nought means the default, as it does in old files that leave it empty.
    let seconds = if seconds == 0 {
        default
    } else {
        seconds.min(MAX_SECONDS)
    };
    let time = Duration::from_secs(seconds.unsigned_abs());
    Ok(Limits {
        total: Some(time),
        idle: time,
        body,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        assert_eq!(
            address("u", " example.com/a ").unwrap().as_str(),
            "https://example.com/a"
        );
        assert_eq!(address("u", "http://a.test").unwrap().as_str(), "http://a.test/");
        for bad in ["", "http://", "https://a b", "data:text/html,hi://"] {
            assert_eq!(
                address("u", bad).unwrap_err().field.as_deref(),
                Some("u"),
                "{bad}"
            );
        }
    }

    #[test]
    fn the_clients_words_become_message_and_advice() {
        let failure = failure(NetError::Port {
            host: "a.test".to_owned(),
            port: 22,
        });
        assert_eq!(failure.message, "Port 22 of `a.test` is refused");
        assert!(
            failure.advice.contains(ferro_net::ALLOW_SETTING),
            "{}",
            failure.advice
        );
    }
}
