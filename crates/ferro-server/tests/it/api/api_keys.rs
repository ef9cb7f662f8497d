//! Keys for programs.

use ferro_store::{Principal, Timestamp};
use serde_json::json;

use crate::site::{Site, texts};

#[tokio::test]
async fn a_key_is_shown_once_and_works_in_both_headers() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let made = ada
        .post("/api/v1/api_key", &json!({ "name": " ci " }))
        .await
        .expect(201)
        .json();
    let key = made["api_key"].as_str().unwrap();
    assert!(
        key.starts_with("sk-") && key.len() >= 46,
        "{} characters",
        key.len()
    );
    assert_eq!(made["name"], "ci");
    for client in [site.nobody().with_key(key), site.nobody().with_bearer(key)] {
        assert_eq!(
            client.get("/api/v1/users/whoami").await.expect(200).json()["username"],
            "ada"
        );
    }
    let query = site
        .nobody()
        .get(&format!("/api/v1/users/whoami?x-api-key={key}"))
        .await;
    query.refused(401, "unauthenticated");
    let listed = ada.get("/api/v1/api_key").await.expect(200).json();
    assert_eq!(
        (&listed["total_count"], &listed["user_id"]),
        (&json!(2), &json!(ada.id))
    );
    assert_eq!(texts(&listed["api_keys"], "name"), ["test", "ci"]);
    let shown = listed["api_keys"][1]["api_key"].as_str().unwrap();
    assert!(
        shown.len() < 16 && key.starts_with(shown.trim_end_matches('…')),
        "{shown}"
    );
    assert_eq!(
        listed["api_keys"][1]["total_uses"], 2,
        "counted, with the time of the last"
    );
    assert!(listed["api_keys"][1]["last_used_at"].is_string());
}

#[tokio::test]
async fn a_key_stops_when_it_runs_out_or_is_taken_back() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let soon = json!({ "name": "soon", "expires_at": "2999-01-01T00:00:00Z" });
    let made = ada.post("/api/v1/api_key", &soon).await.expect(201).json();
    assert_eq!(
        (&made["expires_at"], &made["is_active"]),
        (&json!("2999-01-01T00:00:00Z"), &json!(true))
    );
    let client = site.nobody().with_key(made["api_key"].as_str().unwrap());
    client.get("/api/v1/flows").await.expect(200);
    let path = format!("/api/v1/api_key/{}", made["id"].as_str().unwrap());
    ada.delete(&path).await.expect(204);
    client.get("/api/v1/flows").await.refused(401, "unauthenticated");
    ada.delete(&path).await.refused(404, "not_found");

    for past in ["2001-01-01T00:00:00Z", "2001-01-01T00:00:00"] {
        ada.post("/api/v1/api_key", &json!({ "name": "x", "expires_at": past }))
            .await
            .refused(422, "invalid");
    }
    // One that was good when it was made and is not any more.
    let key = ferro_store::NewApiKey {
        name: "old".into(),
        prefix: "sk-old".into(),
        hash: ferro_server::app::auth::digest("sk-old"),
        expires_at: Some(Timestamp::now()),
    };
    site.app
        .store
        .create_api_key(&ada.user.principal(), key)
        .await
        .unwrap();
    site.nobody()
        .with_key("sk-old")
        .get("/api/v1/flows")
        .await
        .refused(401, "unauthenticated");
    let listed = ada.get("/api/v1/api_key").await.json();
    assert_eq!(listed["api_keys"][1]["is_active"], false);
    for name in ["", "  ", &"x".repeat(101)] {
        ada.post("/api/v1/api_key", &json!({ "name": name }))
            .await
            .refused(422, "invalid");
    }
}

#[tokio::test]
async fn only_a_hash_of_a_key_is_kept() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    ada.get("/api/v1/flows").await.expect(200);
    site.app.flush_key_uses().await;
    let (out, mut rows) = tokio::sync::mpsc::channel(64);
    let (dumped, all) = tokio::join!(site.app.store.dump(&Principal::System, out), async {
        let mut all = String::new();
        while let Some((_, line)) = rows.recv().await {
            all.push_str(&line);
        }
        all
    });
    dumped.unwrap();
    assert!(!all.contains(&ada.key) && !all.contains(&ada.key[8..]));
    let file = std::fs::read(site.app.config.data_dir.join("ferroflow.db-wal")).unwrap();
    let key = ada.key.as_bytes();
    assert!(!file.windows(key.len()).any(|window| window == key));
}
