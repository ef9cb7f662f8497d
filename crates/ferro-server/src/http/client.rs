//! Who is at the other end of the connection, as far as it can be believed.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, HeaderName, HeaderValue, Version, header};

use crate::config::Config;

/// What proxies say of themselves.
static FORWARDED: [HeaderName; 6] = [
    HeaderName::from_static("x-forwarded-for"),
    HeaderName::from_static("x-forwarded-host"),
    HeaderName::from_static("x-forwarded-proto"),
    header::FORWARDED,
    header::VIA,
    HeaderName::from_static("x-real-ip"),
];

/// The socket's other end; put there by the listener.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

#[derive(Clone, Debug)]
pub struct Client {
    pub ip: IpAddr,
    /// A program on this very machine that asked for this machine by name, not through a proxy.
    pub is_local: bool,
    pub is_https: bool,
}

impl Client {
    pub fn of(peer: Option<&Peer>, version: Version, headers: &HeaderMap, config: &Config) -> Self {
        let Some(Peer(address)) = peer else {
            return Self {
                ip: IpAddr::from([0, 0, 0, 0]),
                is_local: false,
                is_https: false,
            };
        };
        let peer = address.ip().to_canonical();
        let forwarded = FORWARDED.iter().any(|name| headers.contains_key(name));
        let trusted = config.trusted_proxies.contains(&peer);
        let ip = if trusted {
            forwarded_for(headers, &config.trusted_proxies).unwrap_or(peer)
        } else {
            peer
        };
        let is_https = trusted
            && headers
                .get("x-forwarded-proto")
                .is_some_and(|proto| proto.as_bytes().eq_ignore_ascii_case(b"https"));
        let direct = !forwarded && version > Version::HTTP_10 && names_only_this_machine(headers);
        let is_local = peer.is_loopback() && direct;
        Self {
            ip,
            is_local,
            is_https,
        }
    }
}

/// A proxy that says nothing of itself still passes on which page the browser asked from (and the plainest of them
/// speak HTTP/1.0, which no browser does).
fn names_only_this_machine(headers: &HeaderMap) -> bool {
    let is_ours = |value: &HeaderValue| {
        let (_, rest) = value
            .to_str()
            .unwrap_or_default()
            .split_once("://")
            .unwrap_or_default();
        is_loopback_name(without_port(rest.split('/').next().unwrap_or_default()))
    };
    let mut pages = headers
        .get(header::REFERER)
        .into_iter()
        .chain(headers.get(header::ORIGIN));
    host_of(headers).is_some_and(is_loopback_name) && pages.all(is_ours)
}

/// The last hop that is not a proxy of ours: what comes before it is the client's own word.
fn forwarded_for(headers: &HeaderMap, trusted: &[IpAddr]) -> Option<IpAddr> {
    let hops: Vec<IpAddr> = headers
        .get_all("x-forwarded-for")
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|hop| hop.trim().parse().ok())
        .collect();
    hops.into_iter().rev().find(|hop| !trusted.contains(hop))
}

/// The host name the client asked for, without the port.
pub fn host_of(headers: &HeaderMap) -> Option<&str> {
    let host = headers.get(header::HOST)?.to_str().ok()?;
    Some(without_port(host))
}

pub fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port))
            if port.bytes().all(|b| b.is_ascii_digit()) && (!name.contains(':') || name.ends_with(']')) =>
        {
            name
        }
        _ => host,
    }
}

pub fn is_loopback_name(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}
