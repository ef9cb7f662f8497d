//! Bytes that are no request, and requests that stop half-way.

use ferro_testkit::{Raw, until};

use crate::site::Site;

#[tokio::test]
async fn what_is_not_http_is_answered_or_closed_and_harms_nobody() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    for bytes in [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(),
        b"hello\r\n\r\n".to_vec(),
        b"GET\r\n\r\n".to_vec(),
        b"GET / HTTP/9.9\r\n\r\n".to_vec(),
        b"GET /\x00 HTTP/1.1\r\nhost: localhost\r\n\r\n".to_vec(),
        b"GET / HTTP/1.1\r\nhost: localhost\r\nbad header\r\n\r\n".to_vec(),
        b"GET / HTTP/1.1\r\nhost: localhost\r\nx: a\x00b\r\n\r\n".to_vec(),
        b"POST /api/v1/login HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n".to_vec(),
        b"POST /api/v1/login HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"
            .to_vec(),
        b"POST /api/v1/login HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"
            .to_vec(),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
    ] {
        let mut raw = Raw::connect(site.address).await;
        let _ = raw.try_send(&bytes).await;
        let answer = raw.read_head().await;
        let refused = answer.is_empty() || answer.starts_with("HTTP/1.1 4");
        assert!(refused, "{:?}: {answer}", String::from_utf8_lossy(&bytes));
    }
    ada.get("/api/v1/users/whoami").await.expect(200);
}

#[tokio::test]
async fn a_length_and_chunks_together_smuggle_nothing() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let inner = format!(
        "GET /api/v1/users/whoami HTTP/1.1\r\nhost: localhost\r\nx-api-key: {}\r\n\r\n",
        ada.key
    );
    let mut raw = Raw::connect(site.address).await;
    let head = "POST /api/v1/logout HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n";
    let _ = raw.try_send(format!("{head}{inner}")).await;
    let first = raw.read_head().await;
    // Refused, or read by its chunks and the connection closed: never by its length.
    assert!(!first.contains("ada"), "{first}");
    assert!(
        first.starts_with("HTTP/1.1 400") || first.starts_with("HTTP/1.1 200"),
        "{first}"
    );
}

#[tokio::test]
async fn a_body_that_breaks_off_keeps_nothing() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    for (length, part) in [
        (100, "{\"name\":\"half\""),
        (26, "{\"name\":\"half\",\"data\":{}"),
    ] {
        let mut raw = Raw::connect(site.address).await;
        let head = format!(
            "POST /api/v1/flows HTTP/1.1\r\nhost: localhost\r\nx-api-key: {}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n",
            ada.key
        );
        raw.send(format!("{head}{part}")).await;
        drop(raw);
    }
    // A chunk that lies about its length.
    let mut raw = Raw::connect(site.address).await;
    let head = format!(
        "POST /api/v1/flows HTTP/1.1\r\nhost: localhost\r\nx-api-key: {}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
        ada.key
    );
    raw.send(format!("{head}ffffffffffffffff\r\n{{}}")).await;
    drop(raw);
    ada.flow("Whole").await;
    assert_eq!(ada.flow_names().await, ["Whole"]);
}

#[tokio::test]
async fn several_requests_on_one_connection_are_answered_in_turn() {
    let site = Site::new().await;
    let mut raw = Raw::connect(site.address).await;
    let ask = "GET /api/v1/version HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let last = "GET /api/v1/none HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    raw.send(format!("{ask}{ask}{last}")).await;
    let answers = raw.read_to_end().await;
    assert_eq!(answers.matches("HTTP/1.1 200").count(), 2, "{answers}");
    assert_eq!(answers.matches("HTTP/1.1 404").count(), 1, "{answers}");
}

#[tokio::test]
async fn an_upload_that_is_aborted_leaves_nothing() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let incoming = site.app.config.files_dir().join("incoming");
    let waiting = || std::fs::read_dir(&incoming).unwrap().count();
    let mut raw = Raw::connect(site.address).await;
    let head = format!(
        "POST /api/v2/files HTTP/1.1\r\nhost: localhost\r\nx-api-key: {}\r\n\
         content-type: multipart/form-data; boundary=b\r\ncontent-length: 10000000\r\n\r\n\
         --b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"half.bin\"\r\n\r\n",
        ada.key
    );
    raw.send(head).await;
    raw.send(vec![7; 100_000]).await;
    until("the upload begins", async || (waiting() == 1).then_some(())).await;
    drop(raw);
    until("what came of it is removed", async || {
        (waiting() == 0).then_some(())
    })
    .await;
    assert_eq!(ada.get("/api/v2/files").await.json(), serde_json::json!([]));
}

#[tokio::test]
async fn a_multipart_body_that_is_none_is_refused_in_the_envelope() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    for path in ["/api/v2/files", "/api/v1/flows/upload", "/api/v1/projects/upload"] {
        for (kind, body, status) in [
            ("application/json", "{}", 415),
            ("text/plain", "x", 415),
            ("multipart/form-data", "x", 400),
            ("multipart/form-data; boundary=b", "no boundary here", 400),
            (
                "multipart/form-data; boundary=b",
                "--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nhalf",
                400,
            ),
            ("multipart/form-data; boundary=b", "--b--\r\n", 422),
        ] {
            let answer = ada
                .call("POST", path)
                .header("content-type", kind)
                .body(body)
                .send()
                .await;
            crate::site::is_clean_refusal(&answer);
            assert_eq!(answer.status, status, "{path} {kind} {body:?}: {}", answer.text());
        }
        let answer = ada.call("POST", path).send().await;
        crate::site::is_clean_refusal(&answer);
        answer.refused(415, "unsupported_media_type");
        let many = "--b\r\ncontent-disposition: form-data; name=\"x\"\r\n\r\ny\r\n".repeat(33) + "--b--\r\n";
        let call = ada
            .call("POST", path)
            .header("content-type", "multipart/form-data; boundary=b");
        call.body(many).send().await.refused(422, "invalid");
    }
    assert_eq!(ada.get("/api/v2/files").await.json(), serde_json::json!([]));
}
