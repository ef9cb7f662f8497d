//! What every answer carries, and how addresses are understood.

use serde_json::json;

use crate::site::{Site, is_clean_refusal};

#[tokio::test]
async fn every_answer_carries_the_security_headers() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let file = ada.file("a.html", b"<script>alert(1)</script>").await.id();
    for (method, path, status) in [
        ("GET", "/".to_owned(), 200),
        ("GET", "/flows/anything".to_owned(), 200),
        ("GET", "/assets/missing.js".to_owned(), 404),
        ("GET", "/health".to_owned(), 200),
        ("GET", "/api/v1/flows".to_owned(), 200),
        ("GET", "/api/v1/none".to_owned(), 404),
        ("GET", "/api/v1/flows/x".to_owned(), 404),
        ("TRACE", "/api/v1/flows".to_owned(), 405),
        ("POST", "/api/v1/flows".to_owned(), 415),
        ("GET", format!("/api/v2/files/{file}"), 200),
    ] {
        let answer = ada.call(method, &path).send().await;
        assert_eq!(answer.status, status, "{method} {path}: {}", answer.text());
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("x-frame-options"), "DENY", "{path}");
        assert_eq!(answer.header("referrer-policy"), "same-origin", "{path}");
        assert_eq!(
            answer.header("cross-origin-opener-policy"),
            "same-origin",
            "{path}"
        );
        assert_eq!(
            answer.header("cross-origin-resource-policy"),
            "same-origin",
            "{path}"
        );
        let policy = answer.header("content-security-policy");
        let strict = policy.contains("script-src 'self'") || policy.starts_with("sandbox");
        assert!(
            strict && !policy.contains("unsafe-inline") && !policy.contains("unsafe-eval"),
            "{path}: {policy}"
        );
        assert!(!answer.header("x-request-id").is_empty(), "{path}");
        assert_eq!(
            answer.header("access-control-allow-origin"),
            "",
            "{path}: no other site may read answers"
        );
        assert_eq!(answer.header("server"), "", "{path}");
    }
}

#[tokio::test]
async fn a_request_id_is_echoed_when_it_is_harmless() {
    let site = Site::new().await;
    let ask = async |id: &str| {
        site.nobody()
            .call("GET", "/api/v1/none")
            .header("x-request-id", id)
            .send()
            .await
    };
    let answer = ask("trace-0123_ABC").await;
    assert_eq!(answer.header("x-request-id"), "trace-0123_ABC");
    assert_eq!(answer.json()["request_id"], "trace-0123_ABC");
    for bad in [
        "short",
        "has space in it",
        "<script>alert(1)</script>",
        &"x".repeat(65),
    ] {
        let answer = ask(bad).await;
        assert_ne!(answer.header("x-request-id"), bad);
        is_clean_refusal(&answer);
    }
    assert_ne!(
        ask("short").await.header("x-request-id"),
        ask("short").await.header("x-request-id")
    );
}

#[tokio::test]
async fn a_last_slash_makes_no_difference() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    for slash in ["", "/"] {
        ada.post(&format!("/api/v1/flows{slash}"), &json!({ "name": "x" }))
            .await
            .expect(201);
        let listed = ada
            .get(&format!("/api/v1/flows{slash}?header_flows=true&page=1"))
            .await
            .expect(200)
            .json();
        assert!(listed["items"].is_array(), "the query is kept");
        let id = listed["items"][0]["id"].as_str().unwrap().to_owned();
        ada.get(&format!("/api/v1/flows/{id}{slash}")).await.expect(200);
        ada.get(&format!("/api/v1/users/whoami{slash}")).await.expect(200);
        // What older clients call a folder.
        let projects = ada.get(&format!("/api/v1/projects{slash}")).await.expect(200);
        assert_eq!(
            ada.get(&format!("/api/v1/folders{slash}")).await.expect(200).body,
            projects.body
        );
        site.nobody()
            .get(&format!("/api/v1/folders{slash}"))
            .await
            .refused(401, "unauthenticated");
    }
}

#[tokio::test]
async fn what_is_not_there_says_so_as_json_under_api_and_as_the_page_elsewhere() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    for path in [
        "/api",
        "/api/",
        "/api/v1",
        "/api/v1/none",
        "/api/v9/flows",
        "/api/v1/flows/not-an-id",
        "/api/v1/trash/cat/x",
    ] {
        let answer = ada.get(path).await;
        is_clean_refusal(&answer);
    }
    ada.get("/api/v1/none").await.refused(404, "not_found");
    ada.get("/api/v1/flows/%ff%fe").await.refused(404, "not_found");
    ada.get("/assets/none.js").await.refused(404, "not_found");
    let page = site.nobody().get("/").await.expect(200);
    assert!(
        page.header("content-type").starts_with("text/html"),
        "{}",
        page.header("content-type")
    );
    assert_eq!(
        site.nobody().get("/flows/deep/link").await.expect(200).body,
        page.body
    );
    for path in [
        "/../../Cargo.toml",
        "/..%2f..%2fCargo.toml",
        "/%2e%2e/Cargo.toml",
        "/.git/config",
        "//etc/passwd",
    ] {
        let answer = site.nobody().get(path).await;
        let text = answer.text();
        assert!(
            !text.contains("[workspace]") && !text.contains("root:") && !text.contains("[core]"),
            "{path}: {text}"
        );
    }
    for (method, path) in [
        ("PUT", "/api/v1/flows"),
        ("OPTIONS", "/api/v1/flows"),
        ("DELETE", "/health"),
        ("TRACE", "/health"),
    ] {
        let answer = ada.call(method, path).send().await;
        is_clean_refusal(&answer);
        answer.refused(405, "method_not_allowed");
    }
    site.nobody()
        .call("POST", "/")
        .send()
        .await
        .refused(405, "method_not_allowed");
}

#[tokio::test]
async fn head_answers_as_get_without_the_body() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    for path in ["/health", "/", "/api/v1/version", "/openapi.json"] {
        let head = site.nobody().call("HEAD", path).send().await.expect(200);
        assert!(head.body.is_empty(), "{path}");
    }
    let id = ada.flow("One").await.id();
    let head = ada
        .call("HEAD", &format!("/api/v1/flows/{id}"))
        .send()
        .await
        .expect(200);
    assert_eq!((head.header("etag"), head.body.len()), ("\"1\"", 0));
    assert_eq!(
        site.nobody().call("HEAD", "/api/v1/flows").send().await.status,
        401
    );
}

#[tokio::test]
async fn json_is_compressed_for_those_who_can_read_it() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let text = "lorem ipsum ".repeat(500);
    let body = json!({ "name": "Long", "data": { "nodes": [], "edges": [], "text": text } });
    let id = ada.post("/api/v1/flows", &body).await.expect(201).id();
    let path = format!("/api/v1/flows/{id}");
    let plain = ada.get(&path).await.expect(200);
    assert_eq!(plain.header("content-encoding"), "");
    let packed = ada
        .call("GET", &path)
        .header("accept-encoding", "gzip")
        .send()
        .await
        .expect(200);
    assert_eq!(packed.header("content-encoding"), "gzip");
    assert!(packed.body.starts_with(&[0x1f, 0x8b]) && packed.body.len() < plain.body.len() / 4);
    assert_eq!(packed.header("etag"), "\"1\"");
    assert!(packed.header("vary").to_lowercase().contains("accept-encoding"));
    let none = ada
        .call("GET", &path)
        .header("accept-encoding", "gzip;q=0, identity")
        .send()
        .await
        .expect(200);
    assert_eq!(none.header("content-encoding"), "");
}

#[tokio::test]
async fn the_page_is_checked_each_time_and_its_parts_are_kept() {
    let site = Site::new().await;
    let page = site.nobody().get("/").await.expect(200);
    if page.text().contains("The web UI is not built") {
        assert!(
            !ferro_testkit::is_strict(),
            "`cargo xtask test` builds the web UI first"
        );
        return;
    }
    assert_eq!(page.header("cache-control"), "no-cache");
    let etag = page.header("etag").to_owned();
    let again = site
        .nobody()
        .call("GET", "/")
        .header("if-none-match", &etag)
        .send()
        .await;
    assert_eq!((again.status.as_u16(), again.body.len()), (304, 0));
    let text = page.text();
    let script = text
        .split("src=\"/assets/")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .expect("a script");
    let script = site
        .nobody()
        .call("GET", &format!("/assets/{script}"))
        .header("accept-encoding", "br")
        .send()
        .await
        .expect(200);
    assert!(
        script.header("cache-control").contains("immutable"),
        "{}",
        script.header("cache-control")
    );
    assert_eq!(script.header("content-encoding"), "br");
    assert!(script.header("content-type").contains("javascript"));
}
