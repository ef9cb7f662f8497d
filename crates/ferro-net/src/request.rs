//! What to send.

use std::time::Duration;

use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use url::Url;
use zeroize::Zeroizing;

use crate::error::NetError;
use crate::secret::{RedactedUrl, Secret};

/// How long and how much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// From the first byte sent to the last byte read, redirects included; `None` for streams.
    pub total: Option<Duration>,
    /// The longest wait for anything at all: the head of the answer, or the next piece of its body.
    pub idle: Duration,
    /// Bytes of the body, after decompression.
    pub body: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            total: Some(Duration::from_secs(30)),
            idle: Duration::from_secs(30),
            body: 10 * 1024 * 1024,
        }
    }
}

/// A request that may be sent more than once, when the server redirects.
#[derive(Clone)]
pub struct Request {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) limits: Option<Limits>,
    pub(crate) redirects: Redirects,
}

/// What is done with an answer that points elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Redirects {
    Followed,
    /// The redirect itself is the answer.
    Answered,
}

/// Set by the connection itself: a caller's own would let one request look like another.
const CONNECTION_HEADERS: [&str; 10] = [
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "proxy-authorization",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

impl Request {
    pub fn new(method: Method, url: Url) -> Self {
        Self {
            method,
            url,
            headers: HeaderMap::new(),
            body: Bytes::new(),
            limits: None,
            redirects: Redirects::Followed,
        }
    }

    pub fn get(url: Url) -> Self {
        Self::new(Method::GET, url)
    }

    pub fn post(url: Url) -> Self {
        Self::new(Method::POST, url)
    }

    /// Sets a header. It is not sent on when the server redirects to another origin.
    pub fn header(self, name: &str, value: &str) -> Result<Self, NetError> {
        self.with_header(name, value, Shown::Yes)
    }

    /// Sets a header that is a credential.
    pub fn secret_header(self, name: &str, value: &Secret) -> Result<Self, NetError> {
        self.with_header(name, value.expose(), Shown::No)
    }

    pub fn bearer(self, token: &Secret) -> Result<Self, NetError> {
        let value = Zeroizing::new(format!("Bearer {}", token.expose()));
        self.with_header(AUTHORIZATION.as_str(), &value, Shown::No)
    }

    pub fn body(self, content_type: &str, body: impl Into<Bytes>) -> Result<Self, NetError> {
        let mut request = self.with_header(CONTENT_TYPE.as_str(), content_type, Shown::Yes)?;
        request.body = body.into();
        Ok(request)
    }

    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// Answers with a redirect instead of following it.
    #[must_use]
    pub fn no_redirects(mut self) -> Self {
        self.redirects = Redirects::Answered;
        self
    }

    fn with_header(mut self, name: &str, value: &str, shown: Shown) -> Result<Self, NetError> {
        let bad = |reason| NetError::BadHeader {
            name: name.escape_debug().to_string(),
            reason,
        };
        let key: HeaderName = name
            .parse()
            .map_err(|_| bad("its name has characters that headers cannot have"))?;
        if CONNECTION_HEADERS.contains(&key.as_str()) {
            return Err(bad("the connection sets it"));
        }
        let mut value = HeaderValue::from_str(value)
            .map_err(|_| bad("its value has characters that headers cannot have"))?;
        value.set_sensitive(matches!(shown, Shown::No));
        self.headers.insert(key, value);
        Ok(self)
    }
}

impl std::fmt::Debug for Request {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("url", &RedactedUrl::new(&self.url))
            .field("headers", &self.headers.keys().collect::<Vec<_>>())
            .field("body", &self.body.len())
            .finish_non_exhaustive()
    }
}

#[derive(Clone, Copy)]
enum Shown {
    Yes,
    No,
}
