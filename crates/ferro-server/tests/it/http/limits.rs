//! How large a request may be.

use ferro_testkit::{Raw, form};
use serde_json::json;

use crate::site::{Site, is_clean_refusal};

const MB: usize = 1 << 20;

#[tokio::test]
async fn json_of_more_than_four_megabytes_is_too_large() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let padded = |size: usize| {
        let text = json!({ "name": "x", "description": "" }).to_string();
        format!("{}{text}", " ".repeat(size - text.len()))
    };
    ada.call("POST", "/api/v1/projects")
        .json_text(padded(4 * MB))
        .send()
        .await
        .expect(201);
    for (method, path) in [
        ("POST", "/api/v1/projects"),
        ("POST", "/api/v1/variables"),
        ("POST", "/api/v1/refresh"),
    ] {
        let answer = ada.call(method, path).json_text(padded(4 * MB + 1)).send().await;
        is_clean_refusal(&answer);
        answer.refused(413, "too_large");
    }
}

#[tokio::test]
async fn a_flow_of_more_than_sixteen_megabytes_is_too_large() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let flow = |size: usize| {
        let text = |n: usize| {
            format!(
                "{{\"name\":\"x\",\"data\":{{\"nodes\":[],\"edges\":[],\"t\":\"{}\"}}}}",
                "x".repeat(n)
            )
        };
        text(size - text(0).len())
    };
    let made = ada
        .call("POST", "/api/v1/flows")
        .json_text(flow(16 * MB))
        .send()
        .await
        .expect(201);
    assert!(made.body.len() > 16 * MB);
    let answer = ada
        .call("POST", "/api/v1/flows")
        .json_text(flow(16 * MB + 1))
        .send()
        .await;
    is_clean_refusal(&answer);
    answer.refused(413, "too_large");
}

#[tokio::test]
async fn a_sign_in_form_of_megabytes_is_too_large() {
    let site = Site::new().await;
    let body = form(&[("username", "ada"), ("password", &"x".repeat(2 * MB))]);
    assert!(body.len() > 4 * MB);
    let call = site
        .nobody()
        .call("POST", "/api/v1/login")
        .header("content-type", "application/x-www-form-urlencoded");
    let answer = call.body(body).send().await;
    is_clean_refusal(&answer);
    answer.refused(413, "too_large");
}

#[tokio::test]
async fn uploads_end_at_the_limit_that_was_set() {
    let site = Site::with(|config| config.max_upload_mb = 1).await;
    let ada = site.user("ada").await;
    ada.file("fits.bin", &vec![7; MB]).await;
    for path in ["/api/v2/files", "/api/v1/flows/upload", "/api/v1/projects/upload"] {
        let answer = ada
            .upload(path, &[("file", "large.json", &vec![b' '; MB + 1])])
            .await;
        is_clean_refusal(&answer);
        answer.refused(413, "too_large");
    }
    // Several small ones add up where they are read together.
    let half = vec![b' '; MB / 2 + 1];
    let answer = ada
        .upload(
            "/api/v1/flows/upload",
            &[("a", "a.json", &half), ("b", "b.json", &half)],
        )
        .await;
    answer.refused(413, "too_large");
    assert_eq!(ada.get("/api/v2/files").await.json().as_array().unwrap().len(), 1);
    let incoming = site.app.config.files_dir().join("incoming");
    assert_eq!(
        std::fs::read_dir(incoming).unwrap().count(),
        0,
        "nothing is left of them"
    );
}

#[tokio::test]
async fn headers_and_addresses_have_a_limit() {
    let site = Site::new().await;
    let answer = site
        .nobody()
        .call("GET", "/health")
        .header("x-long", &"x".repeat(17_000))
        .send()
        .await;
    is_clean_refusal(&answer);
    answer.refused(431, "headers_too_large");
    let answer = site
        .nobody()
        .get(&format!("/api/v1/flows?search={}", "x".repeat(17_000)))
        .await;
    answer.refused(431, "headers_too_large");
    site.nobody()
        .call("GET", "/health")
        .header("x-long", &"x".repeat(12_000))
        .send()
        .await
        .expect(200);

    // Beyond what the connection itself will read.
    for head in [
        format!(
            "GET /health HTTP/1.1\r\nhost: localhost\r\nx-long: {}\r\n\r\n",
            "x".repeat(100_000)
        ),
        format!(
            "GET /health HTTP/1.1\r\nhost: localhost\r\n{}\r\n",
            "a: b\r\n".repeat(200)
        ),
    ] {
        let mut raw = Raw::connect(site.address).await;
        let _ = raw.try_send(head).await;
        let answer = raw.read_head().await;
        assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
    }
    site.nobody().get("/health").await.expect(200);
}

/// A browser that is still sending when it is refused must get the refusal, not a broken connection.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refusal_arrives_although_the_client_is_still_sending() {
    let site = Site::with(|config| config.max_upload_mb = 1).await;
    let ada = site.user("ada").await;
    let large = vec![b' '; 40 * MB];
    for _ in 0..5 {
        for client in [&ada.client, &site.nobody()] {
            let answer = client
                .upload("/api/v2/files", &[("file", "large.bin", &large)])
                .await;
            assert!(answer.status == 413 || answer.status == 401, "{}", answer.status);
            is_clean_refusal(&answer);
        }
        ada.call("POST", "/api/v1/projects")
            .json_text(large.clone())
            .send()
            .await
            .refused(413, "too_large");
        let foreign = ada
            .call("POST", "/api/v1/flows")
            .header("origin", "http://evil.example");
        foreign
            .json_text(large.clone())
            .send()
            .await
            .refused(403, "origin_refused");
    }
    // One that asks first is told before it sends anything.
    let mut raw = Raw::connect(site.address).await;
    let head = "POST /api/v1/projects HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\ncontent-length: 40000000\r\n\r\n";
    raw.send(head).await;
    assert!(raw.read_head().await.starts_with("HTTP/1.1 401"));
}
