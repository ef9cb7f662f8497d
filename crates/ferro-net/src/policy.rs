//! `AddressPolicy`: where requests may go.

use std::collections::BTreeSet;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use url::{Host, Url};

use crate::address::{Network, Range, classify};
use crate::error::NetError;

/// Ports that are open to every allowed address.
pub const DEFAULT_PORTS: [u16; 4] = [80, 443, 8080, 8443];

/// Public addresses on the usual ports, and what an operator allowed besides.
#[derive(Debug, Clone)]
pub struct AddressPolicy {
    ports: BTreeSet<u16>,
    allowed: Vec<Allow>,
}

/// An operator's exception: `10.0.0.0/8`, `127.0.0.1`, `127.0.0.1:11434`, `ollama.lan`, `ollama.lan:11434` or
/// `*.lan`. With a port it opens that port there; without one, the ports that are open anyway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allow {
    target: Target,
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Target {
    Network(Network),
    Host(String),
    /// Every name below this one.
    Below(String),
}

/// An exception that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no host or network; write 10.0.0.0/8, 127.0.0.1:11434, ollama.lan, ollama.lan:11434 or *.lan"
)]
pub struct BadAllow(String);

/// Why the policy says no.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Denial {
    Port,
    Address(Range),
}

impl Default for AddressPolicy {
    fn default() -> Self {
        Self {
            ports: DEFAULT_PORTS.into(),
            allowed: Vec::new(),
        }
    }
}

impl AddressPolicy {
    #[must_use]
    pub fn allow(mut self, exception: Allow) -> Self {
        self.allowed.push(exception);
        self
    }

    /// Opens a port at every allowed address.
    #[must_use]
    pub fn allow_port(mut self, port: u16) -> Self {
        self.ports.insert(port);
        self
    }

    /// Every port that some rule opens.
    pub(crate) fn ports(&self) -> BTreeSet<u16> {
        self.ports
            .iter()
            .copied()
            .chain(self.allowed.iter().filter_map(|allow| allow.port))
            .collect()
    }

    /// Whether a connection to `address` on behalf of `host` may be opened, for protocols other than HTTP.
    pub fn check_address(&self, host: &str, address: IpAddr, port: u16) -> Result<(), NetError> {
        self.check(host, address, port)
            .map_err(|denial| denial.at(host, address, port))
    }

    /// Whether a connection to `address` on behalf of `host` may be opened.
    pub(crate) fn check(&self, host: &str, address: IpAddr, port: u16) -> Result<(), Denial> {
        let matching = || {
            let here = self
                .allowed
                .iter()
                .filter(move |allow| allow.port.is_none_or(|open| open == port));
            here.filter(|allow| allow.target.matches(host, address))
        };
        if !self.ports.contains(&port) && !matching().any(|allow| allow.port.is_some()) {
            return Err(Denial::Port);
        }
        match classify(address) {
            None => Ok(()),
            // Trusting a name is not trusting whoever answers for it with the machine's own credentials.
            Some(Range::Metadata) if !matching().any(|allow| allow.target.is_network()) => {
                Err(Denial::Address(Range::Metadata))
            }
            Some(range) if matching().next().is_none() => Err(Denial::Address(range)),
            Some(_) => Ok(()),
        }
    }

    /// Everything that can be said about a URL before its name is resolved; gives its host and port.
    pub(crate) fn check_url(&self, url: &Url) -> Result<(String, u16), NetError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(NetError::Scheme {
                scheme: url.scheme().to_owned(),
            });
        }
        let (Some(host), Some(port)) = (url.host(), url.port_or_known_default()) else {
            return Err(NetError::BadUrl {
                reason: "it names no host",
            });
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(NetError::BadUrl {
                reason: "it contains a user name or password; send them as a header",
            });
        }
        let name = host.to_string();
        let address = match host {
            Host::Domain(_) => return Ok((name, port)),
            Host::Ipv4(address) => IpAddr::V4(address),
            Host::Ipv6(address) => IpAddr::V6(address),
        };
        self.check(&name, address, port)
            .map_err(|denial| denial.at(&name, address, port))?;
        Ok((name, port))
    }
}

impl Denial {
    pub(crate) fn at(self, host: &str, address: IpAddr, port: u16) -> NetError {
        let host = host.to_owned();
        match self {
            Denial::Port => NetError::Port { host, port },
            Denial::Address(range) => NetError::Address { host, address, range },
        }
    }
}

impl Target {
    fn matches(&self, host: &str, address: IpAddr) -> bool {
        let host = host.strip_suffix('.').unwrap_or(host);
        match self {
            Target::Network(network) => network.contains(address),
            Target::Host(name) => host.eq_ignore_ascii_case(name),
            Target::Below(name) => {
                let split = host.len().checked_sub(name.len()).filter(|split| *split > 1);
                let parts = split.and_then(|split| Some((host.get(..split)?, host.get(split..)?)));
                parts.is_some_and(|(below, end)| below.ends_with('.') && end.eq_ignore_ascii_case(name))
            }
        }
    }

    fn is_network(&self) -> bool {
        matches!(self, Target::Network(_))
    }
}

impl FromStr for Allow {
    type Err = BadAllow;

    fn from_str(text: &str) -> Result<Self, BadAllow> {
        let text = text.trim();
        let bad = || BadAllow(text.to_owned());
        let network = |network, port| {
            Ok(Self {
                target: Target::Network(network),
                port,
            })
        };
        if text.contains('/') {
            return network(text.parse().map_err(|_| bad())?, None);
        }
        if let Ok(address) = text.parse::<SocketAddr>() {
            return network(Network::of(address.ip()), Some(address.port()));
        }
        if let Ok(address) = text.trim_start_matches('[').trim_end_matches(']').parse() {
            return network(Network::of(address), None);
        }
        let (name, port) = match text.rsplit_once(':') {
            Some((name, port)) => (name, Some(port.parse().map_err(|_| bad())?)),
            None => (text, None),
        };
        let (below, name) = name.strip_prefix("*.").map_or((false, name), |name| (true, name));
        // As the URL parser will spell it, so that the two compare equal.
        let Ok(Host::Domain(name)) = Host::parse(name.strip_suffix('.').unwrap_or(name)) else {
            return Err(bad());
        };
        if name.is_empty() || name.contains('*') {
            return Err(bad());
        }
        Ok(Self {
            target: if below {
                Target::Below(name)
            } else {
                Target::Host(name)
            },
            port,
        })
    }
}
