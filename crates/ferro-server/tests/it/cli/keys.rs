//! Rotating the key that credentials are encrypted with, under a server that runs.

use serde_json::json;

use crate::site::program;

fn keys_in(folder: &std::path::Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("secret.key")).unwrap();
    let ring: serde_json::Value = serde_json::from_str(&text).unwrap();
    let keys = ring["keys"].as_object().unwrap().keys();
    keys.map(|id| id.split('-').next().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn credentials_outlive_their_key_whoever_wrote_them() {
    let folder = tempfile::tempdir().unwrap();
    let ferroflow = program(folder.path());
    let server = ferroflow.serve();
    let key = ferroflow.run(&["api-key", "create"]).succeeded().stdout;
    let client = server.client().with_key(key.trim());
    let credential =
        |name: &str| json!({ "name": name, "value": format!("secret of {name}"), "type": "Credential" });
    for name in ["A", "B"] {
        client
            .post("/api/v1/variables", &credential(name))
            .await
            .expect(201);
    }
    let said = ferroflow.run(&["key", "rotate"]).succeeded().stdout;
    assert!(said.contains("2 credentials") && said.contains("k2"), "{said}");
    assert_eq!(keys_in(folder.path()), ["k1", "k2"]);
    ferroflow.run(&["key", "forget-old"]).succeeded();
    assert_eq!(keys_in(folder.path()), ["k2"]);

    // The server that ran meanwhile has seen nothing of it, and must not seal with a key that is gone.
    client
        .post("/api/v1/variables", &credential("C"))
        .await
        .expect(201);
    let listed = client.get("/api/v1/variables").await.expect(200).json();
    assert_eq!(listed.as_array().unwrap().len(), 3);
    let said = ferroflow.run(&["key", "rotate"]).succeeded().stdout;
    assert!(
        said.contains("3 credentials") && said.contains("k3"),
        "each of them opened: {said}"
    );
    ferroflow.run(&["key", "forget-old"]).succeeded();
    server.stop();
    let said = ferroflow.run(&["key", "rotate"]).succeeded().stdout;
    assert!(
        said.contains("3 credentials") && said.contains("k4"),
        "and again: {said}"
    );
}

#[tokio::test]
async fn a_key_file_that_is_lost_is_not_replaced_in_silence() {
    let folder = tempfile::tempdir().unwrap();
    let ferroflow = program(folder.path());
    let server = ferroflow.serve();
    let key = ferroflow.run(&["api-key", "create"]).succeeded().stdout;
    let client = server.client().with_key(key.trim());
    let credential = json!({ "name": "A", "value": "s", "type": "Credential" });
    client.post("/api/v1/variables", &credential).await.expect(201);
    server.stop();
    std::fs::write(folder.path().join("secret.key"), "{}").unwrap();
    ferroflow.run(&["migrate"]).failed_with("damaged");
    std::fs::remove_file(folder.path().join("secret.key")).unwrap();
    ferroflow.run(&["key", "rotate"]).failed_with("is missing");
    ferroflow.run(&["migrate"]).failed_with("ferroflow key new");
    ferroflow.run(&["key", "new"]).succeeded();
    ferroflow.run(&["key", "new"]).failed_with("there is a key");
    // Another key is told apart from the lost one; nothing is guessed.
    ferroflow
        .run(&["key", "rotate"])
        .failed_with("which the key file does not hold");
}
