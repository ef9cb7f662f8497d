//! Global variables and credentials.

use serde_json::{Value, json};

use crate::site::{Site, texts};

#[tokio::test]
async fn a_credential_is_never_given_back() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let secret = "sk-live-0123456789abcdef";
    let new = json!({ "name": "OPENAI_API_KEY", "value": secret, "type": "Credential", "default_fields": ["api_key"] });
    let made = ada.post("/api/v1/variables", &new).await.expect(201);
    let id = made.id();
    assert_eq!(
        (&made.json()["value"], &made.json()["has_value"]),
        (&Value::Null, &json!(true))
    );
    let path = format!("/api/v1/variables/{id}");
    for answer in [
        made,
        ada.get("/api/v1/variables").await,
        ada.patch(&path, &json!({ "name": "RENAMED" })).await,
    ] {
        assert!(!answer.text().contains(secret), "{}", answer.text());
    }
    // Turned into a plain one it would be shown: that needs the value again.
    ada.patch(&path, &json!({ "type": "Generic" }))
        .await
        .refused(422, "invalid");
    let plain = ada
        .patch(&path, &json!({ "type": "Generic", "value": "open" }))
        .await
        .expect(200)
        .json();
    assert_eq!(
        (&plain["value"], &plain["type"]),
        (&json!("open"), &json!("Generic"))
    );
    let sealed = ada
        .patch(&path, &json!({ "type": "Credential" }))
        .await
        .expect(200)
        .json();
    assert_eq!(
        (&sealed["value"], &sealed["type"]),
        (&Value::Null, &json!("Credential"))
    );

    for entry in std::fs::read_dir(&site.app.config.data_dir)
        .unwrap()
        .flatten()
        .filter(|entry| entry.path().is_file())
    {
        let bytes = std::fs::read(entry.path()).unwrap();
        let found = bytes
            .windows(secret.len())
            .any(|window| window == secret.as_bytes());
        assert!(!found, "{:?} holds the secret in the clear", entry.file_name());
    }
}

#[tokio::test]
async fn variables_are_made_changed_and_deleted() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let made = ada
        .post("/api/v1/variables", &json!({ "name": " B ", "value": "" }))
        .await
        .expect(201)
        .json();
    assert_eq!(
        (&made["name"], &made["type"], &made["has_value"]),
        (&json!("B"), &json!("Generic"), &json!(false))
    );
    ada.post("/api/v1/variables", &json!({ "name": "A", "value": "1" }))
        .await
        .expect(201);
    ada.post("/api/v1/variables", &json!({ "name": "A", "value": "2" }))
        .await
        .refused(409, "name_taken");
    let path = format!("/api/v1/variables/{}", made["id"].as_str().unwrap());
    let change = json!({ "id": made["id"], "value": "new", "default_fields": ["x"] });
    let changed = ada.patch(&path, &change).await.expect(200).json();
    assert_eq!(
        (&changed["value"], &changed["default_fields"]),
        (&json!("new"), &json!(["x"]))
    );
    ada.patch(&path, &json!({ "name": "A" }))
        .await
        .refused(409, "name_taken");
    assert_eq!(
        texts(&ada.get("/api/v1/variables").await.json(), "name"),
        ["A", "B"]
    );
    ada.delete(&path).await.expect(204);
    ada.delete(&path).await.refused(404, "not_found");
    ada.patch(&path, &json!({ "value": "x" }))
        .await
        .refused(404, "not_found");
    for name in ["", " ", &"x".repeat(201), "a\nb"] {
        ada.post("/api/v1/variables", &json!({ "name": name, "value": "" }))
            .await
            .refused(422, "invalid");
    }
    let large = json!({ "name": "L", "value": "x".repeat((1 << 20) + 1) });
    ada.post("/api/v1/variables", &large)
        .await
        .refused(422, "invalid");
}
