//! Everything in one file and back again, from one database to the other.

use std::path::Path;

use ferro_testkit::{Client, Database, Program};
use serde_json::{Value, json};

use crate::site::program;

async fn fill(client: &Client) {
    for n in 0..5 {
        let data = json!({ "nodes": [{ "id": format!("n{n}") }], "edges": [], "text": "ü".repeat(1000) });
        client
            .post(
                "/api/v1/flows",
                &json!({ "name": format!("flow {n}"), "data": data }),
            )
            .await
            .expect(201);
    }
    let flows = client.get("/api/v1/flows?header_flows=true").await.json();
    let flow = flows[0]["id"].as_str().unwrap().to_owned();
    client
        .post(&format!("/api/v1/flows/{flow}/versions"), &json!({}))
        .await
        .expect(201);
    client
        .delete(&format!("/api/v1/flows/{}", flows[1]["id"].as_str().unwrap()))
        .await
        .expect(200);
    client
        .post(
            "/api/v1/variables",
            &json!({ "name": "K", "value": "s3cret", "type": "Credential" }),
        )
        .await
        .expect(201);
    client
        .upload("/api/v2/files", &[("file", "a.txt", b"the bytes")])
        .await
        .expect(201);
    // The older project inside the younger.
    let projects = client.get("/api/v1/projects").await.json();
    let younger = client
        .post("/api/v1/projects", &json!({ "name": "Younger" }))
        .await
        .expect(201)
        .id();
    let older = format!("/api/v1/projects/{}", projects[0]["id"].as_str().unwrap());
    client
        .patch(&older, &json!({ "parent_id": younger }))
        .await
        .expect(200);
}

/// Everything a person sees, to compare.
async fn seen(client: &Client) -> Value {
    let mut all = Vec::new();
    for path in [
        "/api/v1/flows",
        "/api/v1/projects",
        "/api/v1/variables",
        "/api/v2/files",
        "/api/v1/trash",
    ] {
        all.push(client.get(path).await.expect(200).json());
    }
    let file = all[3][0]["id"].as_str().unwrap().to_owned();
    all.push(json!(
        client
            .get(&format!("/api/v2/files/{file}"))
            .await
            .expect(200)
            .text()
    ));
    json!(all)
}

fn backup(from: &Program, to: &Path, more: &[&str]) -> String {
    let to = to.display().to_string();
    from.run(&[&["backup", to.as_str()], more].concat())
        .succeeded()
        .stdout
}

#[tokio::test]
async fn a_backup_of_a_running_server_is_restored_on_either_database() {
    let (one, two, three) = (
        tempfile::tempdir().unwrap(),
        tempfile::tempdir().unwrap(),
        tempfile::tempdir().unwrap(),
    );
    let ferroflow = program(one.path());
    let server = ferroflow.serve();
    let key = ferroflow.run(&["api-key", "create"]).succeeded().stdout;
    let key = key.trim();
    let client = server.client().with_key(key);
    fill(&client).await;
    let before = seen(&client).await;
    let file = one.path().join("backup.zip");
    let said = backup(&ferroflow, &file, &["--include-key"]);
    assert!(said.contains("1 files"), "{said}");
    // Made while it runs: what comes after is not in it.
    client
        .post("/api/v1/flows", &json!({ "name": "later" }))
        .await
        .expect(201);
    server.stop();

    let database = Database::create().await;
    let file = file.display().to_string();
    let on_postgres = program(two.path()).with(&["--database-url", database.url()]);
    on_postgres.run(&["restore", &file]).succeeded();
    let server = on_postgres.serve();
    assert_eq!(
        seen(&server.client().with_key(key)).await,
        before,
        "on PostgreSQL"
    );
    let there = two.path().join("there.zip");
    backup(&on_postgres, &there, &["--include-key"]);
    server.stop();

    let back = program(three.path());
    back.run(&["restore", &there.display().to_string()]).succeeded();
    let server = back.serve();
    assert_eq!(
        seen(&server.client().with_key(key)).await,
        before,
        "and back on SQLite"
    );
    server.stop();
    let said = back.run(&["key", "rotate"]).succeeded().stdout;
    assert!(
        said.contains("1 credentials"),
        "the credential still opens: {said}"
    );
}

#[tokio::test]
async fn a_restore_never_overwrites_and_never_half_succeeds() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let ferroflow = program(one.path());
    let server = ferroflow.serve();
    let key = ferroflow.run(&["api-key", "create"]).succeeded().stdout;
    let client = server.client().with_key(key.trim());
    fill(&client).await;
    let file = one.path().join("backup.zip");
    let said = backup(&ferroflow, &file, &[]);
    assert!(said.contains("secret.key"), "it says what is not in it: {said}");
    let name = file.display().to_string();
    ferroflow.run(&["restore", &name]).failed_with("empty one");
    assert_eq!(
        client.get("/api/v1/flows").await.json().as_array().unwrap().len(),
        4
    );
    server.stop();

    let target = program(two.path());
    let bytes = std::fs::read(&file).unwrap();
    let bad = two.path().join("bad.zip");
    for broken in [bytes[..bytes.len() / 2].to_vec(), b"hello".to_vec(), vec![]] {
        std::fs::write(&bad, broken).unwrap();
        target
            .run(&["restore", &bad.display().to_string()])
            .failed_with("backup");
    }
    target.run(&["restore", "no-such.zip"]).failed_with("no-such.zip");
    // Without its key file a credential cannot be read, and that is said, not hidden.
    let said = target.run(&["restore", &name]).succeeded().stdout;
    assert!(said.contains("do not open"), "{said}");
    target.run(&["restore", &name]).failed_with("empty one");
    target
        .run(&["key", "rotate"])
        .failed_with("which the key file does not hold");
    assert!(!std::fs::read_dir(one.path()).unwrap().flatten().any(|entry| {
        entry
            .file_name()
            .to_string_lossy()
            .starts_with(".ferroflow-backup")
    }));
}
