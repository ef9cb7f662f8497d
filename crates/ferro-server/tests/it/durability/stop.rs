//! Asked to stop, it finishes what is under way and takes nothing new.

use ferro_testkit::{Raw, until};
use serde_json::json;

use crate::site::program;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_under_way_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let ferroflow = program(folder.path());
    let server = ferroflow.serve();
    let key = ferroflow.run(&["api-key", "create"]).succeeded().stdout;
    let key = key.trim();
    let body = json!({ "name": "Slow", "data": { "nodes": [], "edges": [], "text": "x".repeat(100_000) } })
        .to_string();
    let (first, second) = body.split_at(body.len() / 2);
    let mut saving = Raw::connect(server.address).await;
    let head = format!(
        "POST /api/v1/flows HTTP/1.1\r\nhost: localhost\r\nx-api-key: {key}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    saving.send(format!("{head}{first}")).await;
    let upload = "--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"slow.txt\"\r\n\r\nhalf";
    let rest = " and half\r\n--b--\r\n";
    let mut uploading = Raw::connect(server.address).await;
    let head = format!(
        "POST /api/v2/files HTTP/1.1\r\nhost: localhost\r\nx-api-key: {key}\r\n\
         content-type: multipart/form-data; boundary=b\r\ncontent-length: {}\r\n\r\n",
        upload.len() + rest.len()
    );
    uploading.send(format!("{head}{upload}")).await;
    let incoming = folder.path().join("files/incoming");
    until("the upload is under way", async || {
        (std::fs::read_dir(&incoming).unwrap().count() == 1).then_some(())
    })
    .await;
    // One that only keeps its connection open does not hold anything up.
    let idle = Raw::connect(server.address).await;

    server.ask_to_stop();
    until("nobody new is let in", async || {
        Raw::try_connect(server.address).await.is_err().then_some(())
    })
    .await;
    saving.send(second).await;
    uploading.send(rest).await;
    let saved = saving.read_to_end().await;
    assert!(saved.starts_with("HTTP/1.1 201"), "{saved}");
    let uploaded = uploading.read_to_end().await;
    assert!(uploaded.starts_with("HTTP/1.1 201"), "{uploaded}");
    assert!(server.wait().success());
    drop(idle);

    let server = ferroflow.serve();
    let client = server.client().with_key(key);
    assert_eq!(client.get("/api/v1/flows").await.json()[0]["name"], "Slow");
    assert_eq!(client.get("/api/v2/files").await.json()[0]["size"], 13);
    server.stop();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_server_stops_at_once_and_counts_what_was_used() {
    let folder = tempfile::tempdir().unwrap();
    let ferroflow = program(folder.path());
    let server = ferroflow.serve();
    let key = ferroflow
        .run(&["api-key", "create", "--name", "counted"])
        .succeeded()
        .stdout;
    for _ in 0..7 {
        server
            .client()
            .with_key(key.trim())
            .get("/api/v1/flows")
            .await
            .expect(200);
    }
    let log = server.log();
    assert!(log.contains("listening on"), "{log}");
    let started = std::time::Instant::now();
    server.stop();
    assert!(
        started.elapsed() < std::time::Duration::from_secs(5),
        "nothing was under way"
    );
    let listed = ferroflow.run(&["api-key", "list"]).succeeded().stdout;
    assert!(listed.contains("used 7 times"), "{listed}");
}
