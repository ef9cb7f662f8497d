//! What came back, read within the request's limits.

use std::future::Future;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, StatusCode};
use tokio::time::Instant;
use url::Url;

use crate::error::NetError;
use crate::lookup::{self, LookupError};
use crate::request::Limits;

/// An answer whose body has not been read yet. Its status may be any; redirects have been followed unless
/// the request said not to.
#[derive(Debug)]
pub struct Response {
    pub(crate) inner: reqwest::Response,
    pub(crate) host: String,
    pub(crate) clock: Clock,
    pub(crate) left: u64,
}

impl Response {
    pub fn status(&self) -> StatusCode {
        self.inner.status()
    }

    pub fn headers(&self) -> &HeaderMap {
        self.inner.headers()
    }

    /// Where the answer came from, after redirects. Show it as a [`crate::RedactedUrl`].
    pub fn url(&self) -> &Url {
        self.inner.url()
    }

    /// The next piece of the body, or `None` at its end. An error ends the body.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, NetError> {
        let waited = self
            .clock
            .wait(&self.host, "to send its answer", self.inner.chunk())
            .await?;
        let Some(bytes) = waited.map_err(|error| broken(&self.host, error))? else {
            return Ok(None);
        };
        match self.left.checked_sub(bytes.len() as u64) {
            Some(left) => {
                self.left = left;
                Ok(Some(bytes))
            }
            None => Err(self.too_large()),
        }
    }

    /// The whole body.
    pub async fn bytes(mut self) -> Result<Bytes, NetError> {
        if self
            .inner
            .content_length()
            .is_some_and(|length| length > self.left)
        {
            return Err(self.too_large());
        }
        let mut body = BytesMut::new();
        while let Some(chunk) = self.chunk().await? {
            body.extend_from_slice(&chunk);
        }
        Ok(body.freeze())
    }

    fn too_large(&mut self) -> NetError {
        self.left = 0;
        NetError::TooLarge {
            host: self.host.clone(),
            limit: self.clock.limits.body,
        }
    }
}

/// The time a request has left.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    limits: Limits,
    deadline: Option<Instant>,
}

impl Clock {
    pub(crate) fn start(limits: Limits) -> Self {
        Self {
            limits,
            deadline: limits.total.and_then(|total| Instant::now().checked_add(total)),
        }
    }

    pub(crate) async fn wait<T>(
        &self,
        host: &str,
        waiting: &'static str,
        work: impl Future<Output = T>,
    ) -> Result<T, NetError> {
        // A limit too far away to be a point in time is no limit.
        let idle = Instant::now().checked_add(self.limits.idle);
        let (until, after) = match (self.deadline, idle) {
            (Some(deadline), idle) if idle.is_none_or(|idle| deadline < idle) => {
                (deadline, self.limits.total.unwrap_or_default())
            }
            (_, Some(idle)) => (idle, self.limits.idle),
            (_, None) => return Ok(work.await),
        };
        let late = |_| NetError::Timeout {
            host: host.to_owned(),
            waiting,
            after,
        };
        tokio::time::timeout_at(until, work).await.map_err(late)
    }
}

pub(crate) fn broken(host: &str, error: reqwest::Error) -> NetError {
    // The URL in it may carry a token in its query.
    NetError::Broken {
        host: host.to_owned(),
        source: Box::new(error.without_url()),
    }
}

/// An error from before the answer began.
pub(crate) fn failed(host: &str, port: u16, connect_timeout: Duration, error: reqwest::Error) -> NetError {
    match lookup::find(&error) {
        Some(LookupError::Denied { address, denial }) => return denial.at(host, address, port),
        Some(LookupError::NotFound) => {
            return NetError::Dns {
                host: host.to_owned(),
            };
        }
        None => {}
    }
    let host = host.to_owned();
    if error.is_timeout() {
        NetError::Timeout {
            host,
            waiting: "to connect",
            after: connect_timeout,
        }
    } else if error.is_connect() {
        NetError::Connect {
            host,
            source: Box::new(error.without_url()),
        }
    } else {
        NetError::Broken {
            host,
            source: Box::new(error.without_url()),
        }
    }
}
