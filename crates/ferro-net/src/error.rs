//! Everything that can go wrong with a request: the host, the reason, and what an operator can do. Never a
//! query, a header or a body.

use std::net::IpAddr;
use std::time::Duration;

use crate::address::Range;

/// The setting that takes [`crate::Allow`] entries, as named in messages.
pub const ALLOW_SETTING: &str = "FERROFLOW_EGRESS_ALLOW";

type Source = Box<dyn std::error::Error + Send + Sync>;

#[derive(Debug, thiserror::Error)]
pub enum NetError {
    #[error("the URL cannot be used: {reason}")]
    BadUrl { reason: &'static str },
    #[error("the header `{name}` cannot be sent: {reason}")]
    BadHeader { name: String, reason: &'static str },
    #[error("`{scheme}` URLs are refused; use http or https")]
    Scheme { scheme: String },
    #[error(
        "port {port} of `{host}` is refused; an operator can allow it by adding `{host}:{port}` to {ALLOW_SETTING}"
    )]
    Port { host: String, port: u16 },
    /// `address` is for the audit log: what a name resolves to inside is not for the caller.
    #[error("`{host}` leads to {range}, which is refused; an operator can allow it by adding {} to {ALLOW_SETTING}", entry(host, *range))]
    Address {
        host: String,
        address: IpAddr,
        range: Range,
    },
    #[error("the name `{host}` could not be resolved; check its spelling and the server's DNS")]
    Dns { host: String },
    #[error("could not connect to `{host}`; check that it is up and that its certificate is valid")]
    Connect {
        host: String,
        #[source]
        source: Source,
    },
    #[error("`{host}` took longer than {after:?} {waiting}; try again or raise the limit of the request")]
    Timeout {
        host: String,
        waiting: &'static str,
        after: Duration,
    },
    #[error(
        "the answer of `{host}` is larger than {limit} bytes; ask for less or raise the limit of the request"
    )]
    TooLarge { host: String, limit: u64 },
    #[error("`{host}` redirected more than {limit} times; use the address it ends at")]
    TooManyRedirects { host: String, limit: usize },
    #[error("`{host}` sent a redirect that is not followed: {reason}")]
    BadRedirect { host: String, reason: &'static str },
    #[error("the exchange with `{host}` broke off; try again")]
    Broken {
        host: String,
        #[source]
        source: Source,
    },
    #[error(
        "the HTTP client cannot start: {reason}; install CA certificates or point SSL_CERT_FILE at a bundle"
    )]
    Setup { reason: String },
}

impl NetError {
    /// Refused by policy, so worth an entry in the audit log.
    pub fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::Scheme { .. } | Self::Port { .. } | Self::Address { .. }
        )
    }
}

/// What an operator would have to write. A name is not enough for a metadata service.
fn entry(host: &str, range: Range) -> String {
    let is_address = host.starts_with('[') || host.parse::<IpAddr>().is_ok();
    if range == Range::Metadata && !is_address {
        "its address".to_owned()
    } else {
        format!("`{host}`")
    }
}
