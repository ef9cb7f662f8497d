//! What is refused before anything is connected to: the client here has no network and a table for DNS.

use std::sync::Arc;

use expect_test::{Expect, expect};
use ferro_net::{AddressPolicy, Allow, Client, Limits, Request};

use crate::server::Names;

/// One URL against a policy with these exceptions.
async fn check_with(allowed: &[&str], url: &str, expected: Expect) {
    let allow = |policy: AddressPolicy, entry: &&str| policy.allow(entry.parse().unwrap());
    let policy = allowed.iter().fold(AddressPolicy::default(), allow);
    let names = Names::new(&[
        ("localhost", &["127.0.0.1", "::1"]),
        ("intranet.corp", &["10.1.2.3"]),
        ("corp", &["10.1.2.3"]),
        ("metadata.corp", &["169.254.169.254"]),
        ("public.example", &["93.184.215.14"]),
    ]);
    let limits = Limits {
        total: Some(std::time::Duration::from_millis(300)),
        ..Limits::default()
    };
    let client = Client::with(policy, limits, Arc::new(names)).unwrap();
    let outcome = match url.parse() {
        Ok(url) => client
            .send(Request::get(url))
            .await
            .map_or_else(|error| error.to_string(), |_| "sent".to_owned()),
        Err(error) => format!("not a URL: {error}"),
    };
    let brief = outcome.replace(
        "which is refused; an operator can allow it by adding",
        "refused; add",
    );
    let brief = brief.replace("is refused; an operator can allow it by adding", "refused; add");
    expected.assert_eq(&brief.replace(" to FERROFLOW_EGRESS_ALLOW", ""));
}

async fn check(url: &str, expected: Expect) {
    check_with(&[], url, expected).await;
}

#[tokio::test]
async fn literal_addresses_in_every_spelling() {
    check(
        "http://127.0.0.1/",
        expect!["`127.0.0.1` leads to the server's own machine, refused; add `127.0.0.1`"],
    )
    .await;
    check(
        "http://0x7f.1/",
        expect!["`127.0.0.1` leads to the server's own machine, refused; add `127.0.0.1`"],
    )
    .await;
    check(
        "http://2130706433:8080/",
        expect!["`127.0.0.1` leads to the server's own machine, refused; add `127.0.0.1`"],
    )
    .await;
    check(
        "http://0177.0.0.1/",
        expect!["`127.0.0.1` leads to the server's own machine, refused; add `127.0.0.1`"],
    )
    .await;
    check(
        "http://127.1/",
        expect!["`127.0.0.1` leads to the server's own machine, refused; add `127.0.0.1`"],
    )
    .await;
    check(
        "http://１２７.０.０.１/",
        expect!["`127.0.0.1` leads to the server's own machine, refused; add `127.0.0.1`"],
    )
    .await;
    check(
        "http://[::ffff:127.0.0.1]/",
        expect!["`[::ffff:7f00:1]` leads to an IPv4 address written as IPv6, refused; add `[::ffff:7f00:1]`"],
    )
    .await;
    check(
        "http://[::ffff:7f00:1]/",
        expect!["`[::ffff:7f00:1]` leads to an IPv4 address written as IPv6, refused; add `[::ffff:7f00:1]`"],
    )
    .await;
    check(
        "http://[64:ff9b::7f00:1]/",
        expect![
            "`[64:ff9b::7f00:1]` leads to an IPv4 address inside NAT64, refused; add `[64:ff9b::7f00:1]`"
        ],
    )
    .await;
    check(
        "http://[::1]/",
        expect!["`[::1]` leads to the server's own machine, refused; add `[::1]`"],
    )
    .await;
    check(
        "https://169.254.169.254/latest/meta-data?token=secret",
        expect!["`169.254.169.254` leads to a cloud metadata service, refused; add `169.254.169.254`"],
    )
    .await;
    check(
        "http://0/",
        expect!["`0.0.0.0` leads to an unspecified address, refused; add `0.0.0.0`"],
    )
    .await;
    check("http://127.0.0.1.5/", expect!["not a URL: invalid IPv4 address"]).await;
}

#[tokio::test]
async fn names_schemes_ports_and_users() {
    check(
        "http://localhost/",
        expect!["`localhost` leads to the server's own machine, refused; add `localhost`"],
    )
    .await;
    check(
        "http://LOCALHOST./",
        expect!["`localhost.` leads to the server's own machine, refused; add `localhost.`"],
    )
    .await;
    check(
        "http://intranet.corp/",
        expect!["`intranet.corp` leads to a private network, refused; add `intranet.corp`"],
    )
    .await;
    check(
        "http://nowhere.example/",
        expect!["the name `nowhere.example` could not be resolved; check its spelling and the server's DNS"],
    )
    .await;
    check(
        "http://example.com:22/",
        expect!["port 22 of `example.com` refused; add `example.com:22`"],
    )
    .await;
    check(
        "http://8.8.8.8:6379/",
        expect!["port 6379 of `8.8.8.8` refused; add `8.8.8.8:6379`"],
    )
    .await;
    check(
        "ftp://example.com/",
        expect!["`ftp` URLs are refused; use http or https"],
    )
    .await;
    check(
        "file:///etc/passwd",
        expect!["`file` URLs are refused; use http or https"],
    )
    .await;
    check(
        "gopher://127.0.0.1:70/x",
        expect!["`gopher` URLs are refused; use http or https"],
    )
    .await;
    check(
        "https://user:secret@example.com/",
        expect!["the URL cannot be used: it contains a user name or password; send them as a header"],
    )
    .await;
}

#[tokio::test]
async fn exceptions_open_what_they_say_and_no_more() {
    let closed = "http://localhost:8080/";
    check_with(
        &["intranet.corp"],
        closed,
        expect!["`localhost` leads to the server's own machine, refused; add `localhost`"],
    )
    .await;
    check_with(
        &["127.0.0.1:11434"],
        closed,
        expect!["`localhost` leads to the server's own machine, refused; add `localhost`"],
    )
    .await;
    check_with(
        &["localhost:11434"],
        closed,
        expect!["`localhost` leads to the server's own machine, refused; add `localhost`"],
    )
    .await;
    check_with(
        &["127.0.0.1:11434"],
        "http://public.example:11434/",
        expect!["port 11434 of `public.example` refused; add `public.example:11434`"],
    )
    .await;
    check_with(
        &["metadata.corp"],
        "http://metadata.corp/",
        expect!["`metadata.corp` leads to a cloud metadata service, refused; add its address"],
    )
    .await;
    check_with(
        &["*.corp"],
        "http://corp/",
        expect!["`corp` leads to a private network, refused; add `corp`"],
    )
    .await;
}

#[test]
fn entries_are_read() {
    for good in [
        "10.0.0.0/8",
        " 10.0.0.1 ",
        "127.0.0.1:11434",
        "::1",
        "[::1]",
        "[::1]:11434",
        "fd00::/8",
        "ollama.lan",
        "Ollama.LAN:11434",
        "*.lan",
        "bücher.example",
        "localhost.",
    ] {
        assert!(good.parse::<Allow>().is_ok(), "{good}");
    }
    assert_eq!("OLLAMA.lan".parse::<Allow>(), "ollama.lan.".parse());
    for bad in [
        "",
        "*",
        "*.",
        "http://x",
        "a:b",
        "x:99999",
        "10.0.0.0/99",
        "a*b.lan",
        "a b",
        "1.2.3.4.5",
        ":80",
    ] {
        assert!(bad.parse::<Allow>().is_err(), "{bad}");
    }
    expect!["`http://x` is no host or network; write 10.0.0.0/8, 127.0.0.1:11434, ollama.lan, ollama.lan:11434 or *.lan"].assert_eq(&"http://x".parse::<Allow>().unwrap_err().to_string());
}
