//! `Client`: how a request leaves.
//!
//! One `reqwest` client per open port: each resolves names for its port alone, so an address that is allowed on
//! one port cannot be reached on another, and a port nobody opened has no client at all.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use http::header::{ACCEPT, ACCEPT_LANGUAGE, CONTENT_TYPE, LOCATION, USER_AGENT};
use http::{HeaderMap, Method, StatusCode};
use rustls::ClientConfig;
use rustls_platform_verifier::BuilderVerifierExt as _;
use url::Url;

use crate::error::NetError;
use crate::lookup::{Checked, Lookup, SystemLookup};
use crate::policy::AddressPolicy;
use crate::request::{Limits, Redirects, Request};
use crate::response::{Clock, Response, failed};

/// How many redirects are followed.
pub const MAX_REDIRECTS: usize = 5;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Cheap to clone; build one and share it, for its connections are kept open.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

struct Shared {
    policy: Arc<AddressPolicy>,
    limits: Limits,
    by_port: BTreeMap<u16, reqwest::Client>,
}

impl Client {
    pub fn new(policy: AddressPolicy) -> Result<Self, NetError> {
        Self::with(policy, Limits::default(), Arc::new(SystemLookup))
    }

    /// With other limits than the usual, or another resolver.
    pub fn with(policy: AddressPolicy, limits: Limits, lookup: Arc<dyn Lookup>) -> Result<Self, NetError> {
        let (policy, tls) = (Arc::new(policy), tls()?);
        let mut by_port = BTreeMap::new();
        for port in policy.ports() {
            let checked = Checked {
                policy: Arc::clone(&policy),
                lookup: Arc::clone(&lookup),
                port,
            };
            by_port.insert(port, connector(checked, tls.clone())?);
        }
        Ok(Self {
            shared: Arc::new(Shared {
                policy,
                limits,
                by_port,
            }),
        })
    }

    /// Sends a request and, unless it says otherwise, follows redirects, checking every address on the way.
    pub async fn send(&self, request: Request) -> Result<Response, NetError> {
        let limits = request.limits.unwrap_or(self.shared.limits);
        let clock = Clock::start(limits);
        let mut hop = request;
        let mut followed = 0;
        loop {
            let (host, inner) = self.send_once(&clock, &hop).await?;
            let Some(next) = redirect(&host, &inner, &hop)? else {
                return Ok(Response {
                    inner,
                    host,
                    clock,
                    left: limits.body,
                });
            };
            if followed == MAX_REDIRECTS {
                return Err(NetError::TooManyRedirects {
                    host,
                    limit: MAX_REDIRECTS,
                });
            }
            followed += 1;
            hop = next;
        }
    }

    async fn send_once(&self, clock: &Clock, hop: &Request) -> Result<(String, reqwest::Response), NetError> {
        let (host, port) = self.shared.policy.check_url(&hop.url)?;
        let Some(client) = self.shared.by_port.get(&port) else {
            return Err(NetError::Port { host, port });
        };
        let mut request = reqwest::Request::new(hop.method.clone(), hop.url.clone());
        *request.headers_mut() = hop.headers.clone();
        if !hop.body.is_empty() {
            *request.body_mut() = Some(hop.body.clone().into());
        }
        let answer = clock.wait(&host, "to answer", client.execute(request)).await?;
        let answer = answer.map_err(|error| failed(&host, port, CONNECT_TIMEOUT, error))?;
        // Should URL and connection ever disagree about what an address is, the connection is what counts.
        if let Some(peer) = answer.remote_addr() {
            let checked = self.shared.policy.check(&host, peer.ip(), peer.port());
            checked.map_err(|denial| denial.at(&host, peer.ip(), peer.port()))?;
        }
        Ok((host, answer))
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client")
            .field("policy", &self.shared.policy)
            .finish_non_exhaustive()
    }
}

fn tls() -> Result<ClientConfig, NetError> {
    let setup = |error: rustls::Error| NetError::Setup {
        reason: error.to_string(),
    };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(setup)?;
    let mut config = builder
        .with_platform_verifier()
        .map_err(setup)?
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is the client that everyone else must use"
)]
fn connector(checked: Checked, tls: ClientConfig) -> Result<reqwest::Client, NetError> {
    reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .dns_resolver(checked)
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
        .connect_timeout(CONNECT_TIMEOUT)
        .user_agent(concat!("ferroflow/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| NetError::Setup {
            reason: error.without_url().to_string(),
        })
}

/// The request that `answer` asks for, if it is a redirect.
fn redirect(host: &str, answer: &reqwest::Response, hop: &Request) -> Result<Option<Request>, NetError> {
    let status = answer.status();
    let follows = hop.redirects == Redirects::Followed && is_redirect(status);
    let Some(location) = answer.headers().get(LOCATION).filter(|_| follows) else {
        return Ok(None);
    };
    let bad = |reason| NetError::BadRedirect {
        host: host.to_owned(),
        reason,
    };
    let location = location.to_str().map_err(|_| bad("its target is not readable"))?;
    let mut url = hop
        .url
        .join(location)
        .map_err(|_| bad("its target is not a URL"))?;
    // A server does not choose the credentials that we send. Refused only where there is no host to send them to.
    let _ = url.set_username("");
    let _ = url.set_password(None);

    let mut next = Request { url, ..hop.clone() };
    let becomes_get = match status {
        StatusCode::SEE_OTHER => hop.method != Method::HEAD,
        StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND => hop.method == Method::POST,
        _ => false,
    };
    if becomes_get {
        next.method = Method::GET;
        next.body.clear();
        next.headers.remove(CONTENT_TYPE);
    }
    if !trusts(&hop.url, &next.url) {
        if !next.body.is_empty() {
            return Err(bad("it would send the request's body to another host"));
        }
        next.headers = harmless(&next.headers);
    }
    Ok(Some(next))
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// The same origin, or the same host answering over TLS instead.
fn trusts(from: &Url, to: &Url) -> bool {
    let upgraded = from.scheme() == "http"
        && to.scheme() == "https"
        && from.host() == to.host()
        && from.port().is_none()
        && to.port().is_none();
    from.origin() == to.origin() || upgraded
}

/// What another origin may see. A header that is not listed may be a credential under any name.
fn harmless(headers: &HeaderMap) -> HeaderMap {
    let kept = [ACCEPT, ACCEPT_LANGUAGE, CONTENT_TYPE, USER_AGENT];
    let sent = kept
        .into_iter()
        .filter_map(|name| Some((name.clone(), headers.get(&name)?.clone())));
    sent.filter(|(_, value)| !value.is_sensitive()).collect()
}
