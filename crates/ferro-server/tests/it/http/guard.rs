//! Hosts, origins, proxies.

use ferro_testkit::Raw;
use serde_json::json;

use crate::site::{Site, is_clean_refusal};

#[tokio::test]
async fn a_foreign_host_name_is_turned_away() {
    let site = Site::with(|config| config.allowed_hosts = vec!["flows.example.org".into()]).await;
    let port = site.address.port();
    for host in [
        "localhost",
        "LOCALHOST:80",
        "127.0.0.1",
        "[::1]:7860",
        "flows.example.org",
        "Flows.Example.ORG:443",
    ] {
        let answer = site.nobody().with("host", host).get("/api/v1/version").await;
        assert_eq!(answer.status, 200, "{host}");
    }
    for host in [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        "flows.example.org.evil.example".to_owned(),
        "localhost.evil.example".to_owned(),
        "127.0.0.1.nip.io".to_owned(),
        "10.0.0.1".to_owned(),
        "0.0.0.0".to_owned(),
        String::new(),
    ] {
        for path in ["/api/v1/version", "/", "/health", "/assets/none.js"] {
            let answer = site.nobody().with("host", &host).get(path).await;
            is_clean_refusal(&answer);
            answer.refused(421, "host_refused");
        }
    }
    let mut raw = Raw::connect(site.address).await;
    raw.send("GET /api/v1/version HTTP/1.0\r\n\r\n").await;
    assert!(
        raw.read_to_end().await.starts_with("HTTP/1.0 421"),
        "no Host at all"
    );
}

#[tokio::test]
async fn another_site_cannot_make_a_browser_change_things() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let (host, port) = (site.address.to_string(), site.address.port());
    let body = json!({ "name": "x" });
    let evil = [
        ("origin", "http://evil.example".to_owned()),
        ("origin", "null".to_owned()),
        ("origin", format!("http://localhost:{port}")),
        ("origin", "http://127.0.0.1:1".to_owned()),
        ("origin", format!("http://{host}.evil.example")),
        ("sec-fetch-site", "cross-site".to_owned()),
        ("sec-fetch-site", "same-site".to_owned()),
    ];
    for (name, value) in &evil {
        for (method, path) in [
            ("POST", "/api/v1/projects"),
            ("PATCH", "/api/v1/projects/x"),
            ("DELETE", "/api/v1/trash"),
        ] {
            let answer = ada
                .call(method, path)
                .header(name, value)
                .json(&body)
                .send()
                .await;
            is_clean_refusal(&answer);
            answer.refused(403, "origin_refused");
        }
        site.nobody()
            .call("POST", "/api/v1/login")
            .header(name, value)
            .send()
            .await
            .refused(403, "origin_refused");
    }
    // Our own page, and programs, which say nothing.
    for (name, value) in [
        ("origin", format!("http://{host}")),
        ("sec-fetch-site", "same-origin".to_owned()),
    ] {
        ada.call("POST", "/api/v1/projects")
            .header(name, &value)
            .json(&body)
            .send()
            .await
            .expect(201);
    }
    ada.post("/api/v1/projects", &body).await.expect(201);
    // What a browser says itself counts more than an origin that a proxy may have changed.
    let mixed = ada
        .call("POST", "/api/v1/projects")
        .header("origin", &format!("http://{host}"));
    mixed
        .header("sec-fetch-site", "cross-site")
        .json(&body)
        .send()
        .await
        .refused(403, "origin_refused");
}

#[tokio::test]
async fn a_cookie_alone_changes_nothing() {
    let site = Site::new().await;
    let cookie = site.nobody().get("/api/v1/auto_login").await.expect(200).cookie();
    let bare = site.nobody().with("cookie", &cookie);
    bare.get("/api/v1/users/whoami").await.expect(200);
    bare.post("/api/v1/projects", &json!({ "name": "x" }))
        .await
        .refused(403, "origin_refused");
    let page = site.nobody().with_cookie(&cookie);
    page.post("/api/v1/projects", &json!({ "name": "x" }))
        .await
        .expect(201);
    let fetch = bare.with("sec-fetch-site", "same-origin");
    fetch
        .post("/api/v1/projects", &json!({ "name": "x" }))
        .await
        .expect(201);
}

#[tokio::test]
async fn single_user_mode_is_for_this_machine_only() {
    let site = Site::new().await;
    let answer = site.nobody().get("/api/v1/auto_login").await.expect(200);
    let cookie = answer.header("set-cookie");
    for part in [
        "ferroflow_session=",
        "HttpOnly",
        "SameSite=Lax",
        "Path=/",
        "Max-Age=43200",
    ] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert_eq!(answer.header("cache-control"), "no-store");
    for (name, value) in [
        ("x-forwarded-for", "203.0.113.9"),
        ("x-forwarded-for", "127.0.0.1"),
        ("x-forwarded-host", "localhost"),
        ("x-forwarded-proto", "https"),
        ("x-real-ip", "127.0.0.1"),
        ("forwarded", "for=127.0.0.1"),
        ("via", "1.1 proxy"),
    ] {
        let answer = site
            .nobody()
            .call("GET", "/api/v1/auto_login")
            .header(name, value)
            .send()
            .await;
        let refused = answer.refused(403, "auto_login_disabled");
        assert_eq!(
            refused["detail"]["auto_login"], false,
            "where Langflow's clients look"
        );
    }
    let cross = site
        .nobody()
        .call("GET", "/api/v1/auto_login")
        .header("sec-fetch-site", "cross-site");
    cross.send().await.refused(403, "origin_refused");

    let site = Site::with(|config| config.allowed_hosts = vec!["flows.example.org".into()]).await;
    let by_name = site
        .nobody()
        .call("GET", "/api/v1/auto_login")
        .header("host", "flows.example.org");
    by_name.send().await.refused(403, "auto_login_disabled");
    let site = Site::with(|config| config.auto_login = Some(false)).await;
    site.nobody()
        .get("/api/v1/auto_login")
        .await
        .refused(403, "auto_login_disabled");
    assert_eq!(
        site.nobody().get("/api/v1/config").await.json()["auto_login"],
        false
    );
}

#[tokio::test]
async fn a_trusted_proxy_is_believed_and_another_is_not() {
    let site = Site::with(|config| config.trusted_proxies = vec!["127.0.0.1".parse().unwrap()]).await;
    let over_tls = site
        .nobody()
        .with("x-forwarded-proto", "https")
        .with("x-forwarded-for", "203.0.113.9");
    let user = site.user_with_password("ada").await;
    let answer = over_tls.login("ada", crate::site::PASSWORD).await.expect(200);
    assert!(
        answer
            .header("set-cookie")
            .starts_with("__Host-ferroflow_session="),
        "{}",
        answer.header("set-cookie")
    );
    assert!(answer.header("set-cookie").contains("; Secure"));
    assert_eq!(answer.header("strict-transport-security"), "max-age=31536000");
    let log = site
        .app
        .store
        .audit_log(&ferro_store::Principal::System, ferro_store::Window::ALL)
        .await
        .unwrap();
    assert_eq!(log[0].ip.as_deref(), Some("203.0.113.9"));
    assert_eq!(log[0].actor, Some(user.user.id));

    let site = Site::new().await;
    site.user_with_password("ada").await;
    let claims = site
        .nobody()
        .with("x-forwarded-proto", "https")
        .with("x-forwarded-for", "203.0.113.9");
    let answer = claims.login("ada", crate::site::PASSWORD).await.expect(200);
    assert!(answer.header("set-cookie").starts_with("ferroflow_session="));
    assert_eq!(answer.header("strict-transport-security"), "");
    let log = site
        .app
        .store
        .audit_log(&ferro_store::Principal::System, ferro_store::Window::ALL)
        .await
        .unwrap();
    assert_eq!(
        log[0].ip.as_deref(),
        Some("127.0.0.1"),
        "anyone can send a header"
    );
}
