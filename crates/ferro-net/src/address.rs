//! Which addresses are not the public internet, and what they are instead.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// Why an address is refused unless an operator allows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Range {
    Unspecified,
    Loopback,
    Private,
    Shared,
    LinkLocal,
    Metadata,
    UniqueLocal,
    Multicast,
    Broadcast,
    Documentation,
    Benchmarking,
    Protocol,
    SixToFour,
    Nat64,
    Teredo,
    Mapped,
    Compatible,
    Reserved,
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Range::Unspecified => "an unspecified address",
            Range::Loopback => "the server's own machine",
            Range::Private => "a private network",
            Range::Shared => "a provider's shared network",
            Range::LinkLocal => "a link-local network",
            Range::Metadata => "a cloud metadata service",
            Range::UniqueLocal => "a unique local network",
            Range::Multicast => "a multicast group",
            Range::Broadcast => "the broadcast address",
            Range::Documentation => "a documentation range",
            Range::Benchmarking => "a benchmarking range",
            Range::Protocol => "a protocol assignment",
            Range::SixToFour => "an IPv4 address inside 6to4",
            Range::Nat64 => "an IPv4 address inside NAT64",
            Range::Teredo => "an IPv4 address inside Teredo",
            Range::Mapped => "an IPv4 address written as IPv6",
            Range::Compatible => "an IPv4-compatible IPv6 address",
            Range::Reserved => "a reserved range",
        })
    }
}

/// A range of addresses in CIDR form. IPv4 and IPv6 never contain each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    prefix: u8,
}

/// A network that is not written `address/prefix`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a network; write an address and a prefix length, as in 10.0.0.0/8 or fd00::/8")]
pub struct BadNetwork;

impl Network {
    /// One address.
    pub fn of(address: IpAddr) -> Self {
        Self {
            address,
            prefix: if address.is_ipv4() { 32 } else { 128 },
        }
    }

    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address) {
            (IpAddr::V4(network), IpAddr::V4(address)) => within_v4(address, network, self.prefix),
            (IpAddr::V6(network), IpAddr::V6(address)) => within_v6(address, network, self.prefix),
            _ => false,
        }
    }
}

impl FromStr for Network {
    type Err = BadNetwork;

    fn from_str(text: &str) -> Result<Self, BadNetwork> {
        let (address, prefix) = text.split_once('/').ok_or(BadNetwork)?;
        let address: IpAddr = address.parse().map_err(|_| BadNetwork)?;
        let prefix: u8 = prefix.parse().map_err(|_| BadNetwork)?;
        if prefix > Self::of(address).prefix {
            Err(BadNetwork)
        } else {
            Ok(Self { address, prefix })
        }
    }
}

fn within_v4(address: Ipv4Addr, network: Ipv4Addr, prefix: u8) -> bool {
    let shift = 32 - u32::from(prefix);
    let bits = |address: Ipv4Addr| address.to_bits().checked_shr(shift).unwrap_or(0);
    bits(address) == bits(network)
}

fn within_v6(address: Ipv6Addr, network: Ipv6Addr, prefix: u8) -> bool {
    let shift = 128 - u32::from(prefix);
    let bits = |address: Ipv6Addr| address.to_bits().checked_shr(shift).unwrap_or(0);
    bits(address) == bits(network)
}

/// What `address` is when it is not a public one.
pub fn classify(address: IpAddr) -> Option<Range> {
    match address {
        IpAddr::V4(address) => V4.iter().find_map(|&([a, b, c, d], prefix, range)| {
            within_v4(address, Ipv4Addr::new(a, b, c, d), prefix).then_some(range)
        }),
        IpAddr::V6(address) => V6
            .iter()
            .find_map(|&(network, prefix, range)| {
                within_v6(address, Ipv6Addr::from_segments(network), prefix).then_some(range)
            })
            // Only 2000::/3 has been given out as public addresses.
            .or_else(|| (!within_v6(address, Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3)).then_some(Range::Reserved)),
    }
}

/// From the IANA special-purpose registry. The first match counts, so single addresses come before their ranges.
const V4: [([u8; 4], u8, Range); 22] = [
    ([0, 0, 0, 0], 8, Range::Unspecified),
    ([10, 0, 0, 0], 8, Range::Private),
    ([100, 100, 100, 200], 32, Range::Metadata),
    ([100, 64, 0, 0], 10, Range::Shared),
    ([127, 0, 0, 0], 8, Range::Loopback),
    // A public address that answers as Azure's host agent from inside its network.
    ([168, 63, 129, 16], 32, Range::Metadata),
    ([169, 254, 169, 254], 32, Range::Metadata),
    ([169, 254, 170, 2], 32, Range::Metadata),
    ([169, 254, 0, 0], 16, Range::LinkLocal),
    ([172, 16, 0, 0], 12, Range::Private),
    ([192, 0, 0, 192], 32, Range::Metadata),
    ([192, 0, 0, 0], 24, Range::Protocol),
    ([192, 0, 2, 0], 24, Range::Documentation),
    ([192, 88, 99, 0], 24, Range::SixToFour),
    ([192, 168, 0, 0], 16, Range::Private),
    ([198, 18, 0, 0], 15, Range::Benchmarking),
    ([198, 51, 100, 0], 24, Range::Documentation),
    ([203, 0, 113, 0], 24, Range::Documentation),
    ([233, 252, 0, 0], 24, Range::Documentation),
    ([224, 0, 0, 0], 4, Range::Multicast),
    ([255, 255, 255, 255], 32, Range::Broadcast),
    ([240, 0, 0, 0], 4, Range::Reserved),
];

const V6: [([u16; 8], u8, Range); 20] = [
    ([0, 0, 0, 0, 0, 0, 0, 0], 128, Range::Unspecified),
    ([0, 0, 0, 0, 0, 0, 0, 1], 128, Range::Loopback),
    ([0, 0, 0, 0, 0, 0xffff, 0, 0], 96, Range::Mapped),
    ([0, 0, 0, 0, 0xffff, 0, 0, 0], 96, Range::Mapped),
    ([0, 0, 0, 0, 0, 0, 0, 0], 96, Range::Compatible),
    ([0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96, Range::Nat64),
    ([0x64, 0xff9b, 1, 0, 0, 0, 0, 0], 48, Range::Nat64),
    ([0x2001, 0, 0, 0, 0, 0, 0, 0], 32, Range::Teredo),
    ([0x2001, 2, 0, 0, 0, 0, 0, 0], 48, Range::Benchmarking),
    ([0x2001, 0, 0, 0, 0, 0, 0, 0], 23, Range::Protocol),
    ([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32, Range::Documentation),
    ([0x2002, 0, 0, 0, 0, 0, 0, 0], 16, Range::SixToFour),
    ([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20, Range::Documentation),
    ([0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254], 128, Range::Metadata),
    ([0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254], 128, Range::Metadata),
    ([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7, Range::UniqueLocal),
    ([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10, Range::LinkLocal),
    ([0xfec0, 0, 0, 0, 0, 0, 0, 0], 10, Range::Private),
    ([0xff00, 0, 0, 0, 0, 0, 0, 0], 8, Range::Multicast),
    ([0x0100, 0, 0, 0, 0, 0, 0, 0], 64, Range::Reserved),
];
