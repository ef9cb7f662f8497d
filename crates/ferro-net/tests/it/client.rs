//! The client on real sockets. Loopback is refused like anywhere else, so every test allows its own server.

use std::sync::Arc;
use std::time::Duration;

use ferro_net::{AddressPolicy, Client, Limits, MAX_REDIRECTS, NetError, Range, Request, Response, Secret};

use crate::server::{Names, Server, Step, answer};

pub const FAST: Limits = Limits {
    total: Some(Duration::from_secs(5)),
    idle: Duration::from_secs(5),
    body: 1000,
};

/// A client that may reach `a.test` and `b.test`, which are these servers, and nothing else on this machine.
pub fn client(limits: Limits, servers: &[&Server]) -> Client {
    let mut policy = AddressPolicy::default();
    for server in servers {
        for name in ["a.test", "b.test"] {
            policy = policy.allow(format!("{name}:{}", server.port()).parse().unwrap());
        }
    }
    let names = Names::new(&[
        ("a.test", &["127.0.0.1"]),
        ("b.test", &["127.0.0.1"]),
        ("inside.test", &["127.0.0.1"]),
    ]);
    Client::with(policy, limits, Arc::new(names)).unwrap()
}

pub fn url(host: &str, server: &Server, path: &str) -> url::Url {
    format!("http://{host}:{}{path}", server.port()).parse().unwrap()
}

pub async fn get(client: &Client, url: url::Url) -> Result<Response, NetError> {
    client.send(Request::get(url)).await
}

#[tokio::test]
async fn fetches_from_an_allowed_host() {
    let server = Server::start(|_| answer("200 OK", "x-seen: yes\r\n", "hello")).await;
    let client = client(FAST, &[&server]);
    let request = Request::post(url("a.test", &server, "/p?q=1"))
        .body("text/plain", "data")
        .unwrap();
    let response = client
        .send(request.bearer(&Secret::new("t0ken")).unwrap())
        .await
        .unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["x-seen"], "yes");
    assert_eq!(response.bytes().await.unwrap(), "hello");
    let asked = server.requests()[0].to_lowercase();
    assert!(asked.starts_with("post /p?q=1 http/1.1\r\n"), "{asked}");
    assert!(
        asked.contains("authorization: bearer t0ken\r\n") && asked.ends_with("\r\n\r\ndata"),
        "{asked}"
    );
    assert!(
        asked.contains(&format!("host: a.test:{}\r\n", server.port())),
        "{asked}"
    );
}

#[tokio::test]
async fn statuses_are_the_callers_business() {
    let server = Server::start(|_| answer("503 Service Unavailable", "", "busy")).await;
    let response = get(&client(FAST, &[&server]), url("a.test", &server, "/"))
        .await
        .unwrap();
    assert_eq!(response.status(), 503);
    assert_eq!(response.bytes().await.unwrap(), "busy");
}

#[tokio::test]
async fn a_redirect_can_be_the_answer() {
    let server = Server::start(|_| answer("302 Found", "location: /next\r\n", "over there")).await;
    let request = Request::get(url("a.test", &server, "/")).no_redirects();
    let response = client(FAST, &[&server]).send(request).await.unwrap();
    assert_eq!(response.status(), 302);
    assert_eq!(response.headers()["location"], "/next");
    assert_eq!(response.bytes().await.unwrap(), "over there");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn the_same_port_under_another_name_stays_closed() {
    let server = Server::start(|_| answer("200 OK", "", "")).await;
    let error = get(&client(FAST, &[&server]), url("inside.test", &server, "/"))
        .await
        .unwrap_err();
    assert!(matches!(error, NetError::Port { .. }), "{error}");
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn a_mixed_answer_is_used_only_where_it_is_allowed() {
    let server = Server::start(|_| answer("200 OK", "", "good")).await;
    let names = || {
        Arc::new(Names::new(&[(
            "mixed.test",
            &["10.0.0.1", "127.0.0.1", "169.254.169.254"],
        )]))
    };
    let policy = AddressPolicy::default().allow(format!("127.0.0.1:{}", server.port()).parse().unwrap());
    let open = Client::with(policy, FAST, names()).unwrap();
    let response = get(&open, url("mixed.test", &server, "/")).await.unwrap();
    assert_eq!(response.bytes().await.unwrap(), "good");

    let closed = Client::with(AddressPolicy::default().allow_port(server.port()), FAST, names()).unwrap();
    let error = get(&closed, url("mixed.test", &server, "/")).await.unwrap_err();
    assert!(
        matches!(
            error,
            NetError::Address {
                range: Range::Private,
                ..
            }
        ),
        "{error}"
    );
    assert!(error.is_refusal());
    assert_eq!(
        error.to_string(),
        "`mixed.test` leads to a private network, which is refused; \
         an operator can allow it by adding `mixed.test` to FERROFLOW_EGRESS_ALLOW"
    );
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_redirect_to_a_refused_place_is_refused() {
    for (target, expected) in [
        (
            "http://169.254.169.254/latest/meta-data",
            "`169.254.169.254` leads to a cloud metadata service",
        ),
        (
            "http://inside.test/",
            "`inside.test` leads to the server's own machine",
        ),
        ("http://[::1]:8080/", "`[::1]` leads to the server's own machine"),
        ("http://a.test:22/", "port 22 of `a.test` is refused"),
        ("file:///etc/passwd", "`file` URLs are refused"),
    ] {
        let location = format!("location: {target}\r\n");
        let server = Server::start(move |_| answer("302 Found", &location, "")).await;
        let error = get(&client(FAST, &[&server]), url("a.test", &server, "/"))
            .await
            .unwrap_err();
        assert!(error.to_string().starts_with(expected), "{target}: {error}");
    }
}

#[tokio::test]
async fn redirects_are_counted() {
    let server = Server::start(|request| {
        let step: usize = request.split(['/', ' ']).nth(2).unwrap().parse().unwrap();
        if step == 0 {
            answer("200 OK", "", "there")
        } else {
            answer("302 Found", &format!("location: /{}\r\n", step - 1), "")
        }
    })
    .await;
    let client = client(FAST, &[&server]);
    let response = get(&client, url("a.test", &server, &format!("/{MAX_REDIRECTS}")))
        .await
        .unwrap();
    assert_eq!(response.url().path(), "/0");
    assert_eq!(response.bytes().await.unwrap(), "there");
    let error = get(
        &client,
        url("a.test", &server, &format!("/{}", MAX_REDIRECTS + 1)),
    )
    .await
    .unwrap_err();
    assert!(matches!(error, NetError::TooManyRedirects { .. }), "{error}");
}

#[tokio::test]
async fn another_origin_gets_no_credentials() {
    let there = Server::start(|_| answer("200 OK", "", "")).await;
    let target = url("b.test", &there, "/next");
    let here = Server::start(move |request| match request.contains("/same") {
        true => answer("302 Found", "location: /other\r\n", ""),
        false => answer(
            "302 Found",
            &format!(
                "location: {}\r\n",
                target.as_str().replace("b.test", "u:p@b.test")
            ),
            "",
        ),
    })
    .await;
    let request = Request::get(url("a.test", &here, "/same"))
        .bearer(&Secret::new("t0ken"))
        .unwrap();
    let request = request.secret_header("x-api-key", &Secret::new("k3y")).unwrap();
    let request = request
        .header("x-tenant", "acme")
        .unwrap()
        .header("accept", "text/csv")
        .unwrap();
    let response = client(FAST, &[&here, &there]).send(request).await.unwrap();
    assert_eq!(response.status(), 200);

    let kept = here.requests()[1].to_lowercase();
    assert!(
        kept.contains("t0ken") && kept.contains("k3y") && kept.contains("acme"),
        "{kept}"
    );
    let seen = there.requests()[0].to_lowercase();
    assert!(
        !seen.contains("t0ken") && !seen.contains("k3y") && !seen.contains("acme"),
        "{seen}"
    );
    assert!(
        !seen.contains("authorization") && seen.contains("accept: text/csv"),
        "{seen}"
    );
}

#[tokio::test]
async fn a_body_is_resent_to_its_own_origin_only() {
    let there = Server::start(|_| answer("200 OK", "", "")).await;
    let target = url("b.test", &there, "/");
    let here = Server::start(move |request| match request.split(' ').nth(1).unwrap() {
        "/keep" => answer("307 Temporary Redirect", "location: /end\r\n", ""),
        "/become-get" => answer("303 See Other", "location: /end\r\n", ""),
        "/leave" => answer("308 Permanent Redirect", &format!("location: {target}\r\n"), ""),
        _ => answer("200 OK", "", ""),
    })
    .await;
    let client = client(FAST, &[&here, &there]);
    let post = |path| {
        Request::post(url("a.test", &here, path))
            .body("text/plain", "payload")
            .unwrap()
    };
    client.send(post("/keep")).await.unwrap();
    assert!(here.requests()[1].starts_with("POST /end") && here.requests()[1].ends_with("payload"));
    client.send(post("/become-get")).await.unwrap();
    let asked = &here.requests()[3];
    assert!(
        asked.starts_with("GET /end") && !asked.contains("payload") && !asked.contains("content-type"),
        "{asked}"
    );
    let error = client.send(post("/leave")).await.unwrap_err();
    assert!(matches!(error, NetError::BadRedirect { .. }), "{error}");
    assert!(there.requests().is_empty());
}

#[tokio::test]
async fn errors_name_the_host_and_not_the_query() {
    let server = Server::start(|_| vec![Step::Send(b"garbage\r\n\r\n".to_vec())]).await;
    let client = client(FAST, &[&server]);
    let broken = get(&client, url("a.test", &server, "/?key=s3cret"))
        .await
        .unwrap_err();
    assert!(matches!(broken, NetError::Broken { .. }), "{broken:?}");
    let mut printed = format!("{broken:?}");
    let mut next: Option<&dyn std::error::Error> = Some(&broken);
    while let Some(error) = next {
        printed.push_str(&error.to_string());
        next = error.source();
    }
    assert!(
        printed.contains("a.test") && !printed.contains("s3cret"),
        "{printed}"
    );
}

#[tokio::test]
async fn a_closed_port_says_so() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let policy = AddressPolicy::default().allow(format!("127.0.0.1:{port}").parse().unwrap());
    let client = Client::with(policy, FAST, Arc::new(Names::new(&[]))).unwrap();
    let url = format!("http://127.0.0.1:{port}/?key=s3cret").parse().unwrap();
    let error = get(&client, url).await.unwrap_err();
    assert!(matches!(error, NetError::Connect { .. }), "{error:?}");
    assert!(!format!("{error:?}").contains("s3cret"));
}
