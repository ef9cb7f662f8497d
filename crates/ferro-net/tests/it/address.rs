use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use expect_test::{Expect, expect};
use ferro_net::{Network, classify};
use proptest::prelude::*;

/// The addresses in order, a line for each stretch of the same verdict.
fn check(addresses: &str, expected: Expect) {
    let mut lines = String::new();
    let mut last = None;
    for text in addresses.split_whitespace() {
        let range = classify(text.parse().unwrap());
        if last != Some(range) {
            let verdict = range.map_or_else(|| "public".to_owned(), |range| format!("{range:?}"));
            lines.push_str(&format!("\n{verdict}:"));
            last = Some(range);
        }
        lines.push_str(&format!(" {text}"));
    }
    expected.assert_eq(&format!("{}\n", lines.trim_start()));
}

#[test]
fn both_sides_of_every_ipv4_edge() {
    check(
        "0.0.0.0 0.255.255.255 1.0.0.0 9.255.255.255 10.0.0.0 10.255.255.255 11.0.0.0
         100.63.255.255 100.64.0.0 100.100.100.200 100.127.255.255 100.128.0.0
         126.255.255.255 127.0.0.0 127.0.0.1 127.255.255.255 128.0.0.0
         168.63.129.15 168.63.129.16 168.63.129.17
         169.253.255.255 169.254.0.0 169.254.169.253 169.254.169.254 169.254.170.2 169.254.255.255 169.255.0.0
         172.15.255.255 172.16.0.0 172.31.255.255 172.32.0.0
         191.255.255.255 192.0.0.0 192.0.0.192 192.0.0.255 192.0.1.0 192.0.2.0 192.0.2.255 192.0.3.0
         192.88.98.255 192.88.99.0 192.88.99.255 192.88.100.0
         192.167.255.255 192.168.0.0 192.168.255.255 192.169.0.0
         198.17.255.255 198.18.0.0 198.19.255.255 198.20.0.0
         198.51.99.255 198.51.100.0 198.51.100.255 198.51.101.0
         203.0.112.255 203.0.113.0 203.0.113.255 203.0.114.0
         223.255.255.255 224.0.0.0 233.252.0.1 239.255.255.255 240.0.0.0 255.255.255.254 255.255.255.255",
        expect![[r#"
            Unspecified: 0.0.0.0 0.255.255.255
            public: 1.0.0.0 9.255.255.255
            Private: 10.0.0.0 10.255.255.255
            public: 11.0.0.0 100.63.255.255
            Shared: 100.64.0.0
            Metadata: 100.100.100.200
            Shared: 100.127.255.255
            public: 100.128.0.0 126.255.255.255
            Loopback: 127.0.0.0 127.0.0.1 127.255.255.255
            public: 128.0.0.0 168.63.129.15
            Metadata: 168.63.129.16
            public: 168.63.129.17 169.253.255.255
            LinkLocal: 169.254.0.0 169.254.169.253
            Metadata: 169.254.169.254 169.254.170.2
            LinkLocal: 169.254.255.255
            public: 169.255.0.0 172.15.255.255
            Private: 172.16.0.0 172.31.255.255
            public: 172.32.0.0 191.255.255.255
            Protocol: 192.0.0.0
            Metadata: 192.0.0.192
            Protocol: 192.0.0.255
            public: 192.0.1.0
            Documentation: 192.0.2.0 192.0.2.255
            public: 192.0.3.0 192.88.98.255
            SixToFour: 192.88.99.0 192.88.99.255
            public: 192.88.100.0 192.167.255.255
            Private: 192.168.0.0 192.168.255.255
            public: 192.169.0.0 198.17.255.255
            Benchmarking: 198.18.0.0 198.19.255.255
            public: 198.20.0.0 198.51.99.255
            Documentation: 198.51.100.0 198.51.100.255
            public: 198.51.101.0 203.0.112.255
            Documentation: 203.0.113.0 203.0.113.255
            public: 203.0.114.0 223.255.255.255
            Multicast: 224.0.0.0
            Documentation: 233.252.0.1
            Multicast: 239.255.255.255
            Reserved: 240.0.0.0 255.255.255.254
            Broadcast: 255.255.255.255
        "#]],
    );
}

#[test]
fn both_sides_of_every_ipv6_edge() {
    check(
        ":: ::1 ::2 ::7f00:1 ::ffff:ffff ::1:0:0
         ::ffff:0:0 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:ffff:ffff ::1:0:0:0 ::ffff:0:7f00:1
         64:ff9a:ffff:: 64:ff9b:: 64:ff9b::7f00:1 64:ff9b::ffff:ffff 64:ff9b::1:0:0 64:ff9b:1:: 64:ff9b:1:ffff:ffff:ffff:ffff:ffff
         100:: 100::ffff:ffff:ffff:ffff 1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
         2000:: 2000:ffff:: 2001:: 2001:0:ffff:ffff:ffff:ffff:ffff:ffff 2001:1:: 2001:2:: 2001:2:0:ffff:: 2001:2:1:: 2001:1ff:: 2001:200::
         2001:db7:ffff:: 2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff 2001:db9::
         2001:ffff:: 2002:: 2002:7f00:1:: 2002:ffff:ffff:: 2003::
         2606:4700::1111 3ffe:ffff:: 3fff:: 3fff:fff:: 3fff:1000:: 3fff:ffff:: 4000:: 5f00::
         fbff:ffff:: fc00:: fd00:ec2::253 fd00:ec2::254 fd20:ce::254 fdff:ffff:: fe00:: fe7f::
         fe80:: fe80::1 febf:ffff:: fec0:: feff:ffff:: ff00:: ff02::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        expect![[r#"
            Unspecified: ::
            Loopback: ::1
            Compatible: ::2 ::7f00:1 ::ffff:ffff
            Reserved: ::1:0:0
            Mapped: ::ffff:0:0 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:ffff:ffff
            Reserved: ::1:0:0:0
            Mapped: ::ffff:0:7f00:1
            Reserved: 64:ff9a:ffff::
            Nat64: 64:ff9b:: 64:ff9b::7f00:1 64:ff9b::ffff:ffff
            Reserved: 64:ff9b::1:0:0
            Nat64: 64:ff9b:1:: 64:ff9b:1:ffff:ffff:ffff:ffff:ffff
            Reserved: 100:: 100::ffff:ffff:ffff:ffff 1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
            public: 2000:: 2000:ffff::
            Teredo: 2001:: 2001:0:ffff:ffff:ffff:ffff:ffff:ffff
            Protocol: 2001:1::
            Benchmarking: 2001:2:: 2001:2:0:ffff::
            Protocol: 2001:2:1:: 2001:1ff::
            public: 2001:200:: 2001:db7:ffff::
            Documentation: 2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff
            public: 2001:db9:: 2001:ffff::
            SixToFour: 2002:: 2002:7f00:1:: 2002:ffff:ffff::
            public: 2003:: 2606:4700::1111 3ffe:ffff::
            Documentation: 3fff:: 3fff:fff::
            public: 3fff:1000:: 3fff:ffff::
            Reserved: 4000:: 5f00:: fbff:ffff::
            UniqueLocal: fc00:: fd00:ec2::253
            Metadata: fd00:ec2::254 fd20:ce::254
            UniqueLocal: fdff:ffff::
            Reserved: fe00:: fe7f::
            LinkLocal: fe80:: fe80::1 febf:ffff::
            Private: fec0:: feff:ffff::
            Multicast: ff00:: ff02::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
        "#]],
    );
}

#[test]
fn networks() {
    let within = |network: &str, address: &str| {
        network
            .parse::<Network>()
            .unwrap()
            .contains(address.parse().unwrap())
    };
    assert!(within("10.1.0.0/16", "10.1.255.255"));
    assert!(!within("10.1.0.0/16", "10.2.0.0"));
    assert!(within("10.1.2.3/8", "10.9.9.9"));
    assert!(within("0.0.0.0/0", "255.255.255.255"));
    assert!(!within("0.0.0.0/0", "::"));
    assert!(!within("127.0.0.0/8", "::ffff:127.0.0.1"));
    assert!(within("fd00::/8", "fdff::1"));
    assert!(within("::/0", "ffff::"));
    assert!(within("::1/128", "::1"));
    for bad in [
        "",
        "10.0.0.0",
        "10.0.0.0/33",
        "::/129",
        "10.0.0/8",
        "a/8",
        "10.0.0.0/-1",
        "10.0.0.0/8/8",
    ] {
        assert!(bad.parse::<Network>().is_err(), "{bad}");
    }
}

proptest! {
    /// However an IPv4 address is dressed up as IPv6, it is refused; so its own verdict cannot be avoided.
    #[test]
    fn ipv4_inside_ipv6_is_refused(bits: u32, port: u16) {
        let v4 = Ipv4Addr::from(bits);
        let [a, b, c, d] = v4.octets().map(u16::from);
        let (high, low) = (a << 8 | b, c << 8 | d);
        let forms = [
            v4.to_ipv6_mapped(),
            Ipv6Addr::new(0, 0, 0, 0, 0, 0, high, low),
            Ipv6Addr::new(0, 0, 0, 0, 0xffff, 0, high, low),
            Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, high, low),
            Ipv6Addr::new(0x64, 0xff9b, 1, port, 0, 0, high, low),
            Ipv6Addr::new(0x2002, high, low, port, 0, 0, 0, 1),
            Ipv6Addr::new(0x2001, 0, 0x4136, 0xe378, 0x8000, !port, !high, !low),
        ];
        for form in forms {
            prop_assert!(classify(IpAddr::V6(form)).is_some(), "{form}");
        }
    }

    /// The standard library agrees about everything it knows.
    #[test]
    fn what_the_standard_library_calls_special_is_refused(bits: u32) {
        let v4 = Ipv4Addr::from(bits);
        let special = v4.is_private() || v4.is_loopback() || v4.is_link_local() || v4.is_broadcast()
            || v4.is_documentation() || v4.is_multicast() || v4.is_unspecified();
        prop_assert!(!special || classify(IpAddr::V4(v4)).is_some());
    }

    #[test]
    fn only_global_unicast_is_public(bits: u128) {
        let v6 = Ipv6Addr::from(bits);
        prop_assert!(classify(IpAddr::V6(v6)).is_some() || v6.segments()[0] >> 13 == 1);
    }
}
