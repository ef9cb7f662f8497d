//! Versions of a flow.

use serde_json::{Value, json};

use crate::site::{Site, with_secret};

fn document(text: &str) -> Value {
    json!({ "nodes": [{ "id": "a", "data": { "type": "T", "node": { "template": { "t": { "value": text } } } } }], "edges": [] })
}

#[tokio::test]
async fn versions_are_kept_compared_and_brought_back() {
    let site = Site::with(|config| config.max_versions = 3).await;
    let ada = site.user("ada").await;
    let id = ada
        .post("/api/v1/flows", &json!({ "name": "F", "data": document("one") }))
        .await
        .expect(201)
        .id();
    let flow = format!("/api/v1/flows/{id}");
    let versions = format!("{flow}/versions");
    let first = ada
        .post(&versions, &json!({ "description": " first " }))
        .await
        .expect(201)
        .json();
    assert_eq!(
        (
            &first["version_number"],
            &first["description"],
            &first["node_count"]
        ),
        (&json!(1), &json!("first"), &json!(1))
    );
    let first = first["id"].as_str().unwrap().to_owned();
    ada.patch(&flow, &json!({ "data": document("two") }))
        .await
        .expect(200);

    let same = ada
        .get(&format!("{versions}/diff?from=draft&to=draft"))
        .await
        .expect(200)
        .json();
    assert_eq!(same["identical"], true);
    let diff = ada
        .get(&format!("{versions}/diff?from={first}&to=draft"))
        .await
        .expect(200)
        .json();
    assert_eq!(
        (&diff["identical"], &diff["summary"]["nodes_changed"]),
        (&json!(false), &json!(1))
    );
    assert!(diff["text"].as_str().unwrap().contains("two"), "{diff}");
    for query in ["", "?from=draft", "?from=x&to=draft", "?from=draft&to=1"] {
        ada.get(&format!("{versions}/diff{query}"))
            .await
            .refused(422, "invalid");
    }
    ada.get(&format!("{versions}/diff?from=draft&to={}", uuid::Uuid::new_v4()))
        .await
        .refused(404, "not_found");

    let activate = format!("{versions}/{first}/activate");
    let stale = ada
        .call("POST", &activate)
        .header("if-match", "\"1\"")
        .send()
        .await;
    stale.refused(409, "stale");
    let back = ada
        .call("POST", &activate)
        .header("if-match", "\"2\"")
        .send()
        .await
        .expect(200);
    assert_eq!(
        (&back.json()["data"], back.header("etag")),
        (&document("one"), "\"3\"")
    );
    let listed = ada.get(&versions).await.expect(200).json();
    assert_eq!((&listed["total"], &listed["max_entries"]), (&json!(2), &json!(3)));
    assert_eq!(
        listed["entries"][0]["description"],
        "Auto-saved before activating v1"
    );
    ada.call("POST", &format!("{activate}?save_draft=false"))
        .send()
        .await
        .expect(200);
    assert_eq!(ada.get(&versions).await.json()["total"], 2);

    for _ in 0..3 {
        ada.post(&versions, &json!({})).await.expect(201);
    }
    let listed = ada
        .get(&format!("{versions}?limit=2&offset=1"))
        .await
        .expect(200)
        .json();
    assert_eq!(
        (&listed["total"], &listed["entries"][0]["version_number"]),
        (&json!(3), &json!(4))
    );
    ada.get(&format!("{versions}/{first}"))
        .await
        .refused(404, "not_found");
}

#[tokio::test]
async fn versions_are_described_and_deleted() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let id = ada.flow("F").await.id();
    let versions = format!("/api/v1/flows/{id}/versions");
    let one = format!(
        "{versions}/{}",
        ada.post(&versions, &json!({})).await.expect(201).id()
    );
    assert_eq!(
        ada.patch(&one, &json!({ "description": "d" }))
            .await
            .expect(200)
            .json()["description"],
        "d"
    );
    assert_eq!(
        ada.patch(&one, &json!({ "description": null }))
            .await
            .expect(200)
            .json()["description"],
        Value::Null
    );
    ada.patch(&one, &json!({})).await.refused(422, "invalid");
    ada.patch(&one, &json!({ "description": "x".repeat(501) }))
        .await
        .refused(422, "invalid");
    ada.delete(&one).await.expect(204);
    ada.delete(&one).await.refused(404, "not_found");
    let other = ada.flow("G").await.id();
    let kept = ada.post(&versions, &json!({})).await.expect(201).id();
    ada.get(&format!("/api/v1/flows/{other}/versions/{kept}"))
        .await
        .refused(404, "not_found");

    let empty = ada
        .post("/api/v1/flows", &json!({ "name": "Empty" }))
        .await
        .expect(201)
        .id();
    let none = ada
        .post(&format!("/api/v1/flows/{empty}/versions"), &json!({}))
        .await
        .expect(201)
        .id();
    assert_eq!(
        ada.get(&format!("/api/v1/flows/{empty}/versions/{none}"))
            .await
            .expect(200)
            .json()["data"],
        Value::Null
    );
    ada.call("POST", &format!("/api/v1/flows/{empty}/versions/{none}/activate"))
        .send()
        .await
        .refused(400, "bad_request");
}

#[tokio::test]
async fn a_version_shows_no_secret_and_still_has_it() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let new = json!({ "name": "F", "data": with_secret("hunter2") });
    let id = ada.post("/api/v1/flows", &new).await.expect(201).id();
    let versions = format!("/api/v1/flows/{id}/versions");
    let version = ada.post(&versions, &json!({})).await.expect(201).id();
    let shown = ada.get(&format!("{versions}/{version}")).await.expect(200);
    assert!(!shown.text().contains("hunter2"));
    ada.patch(
        &format!("/api/v1/flows/{id}"),
        &json!({ "data": with_secret("other") }),
    )
    .await
    .expect(200);
    let diff = ada
        .get(&format!("{versions}/diff?from={version}&to=draft"))
        .await
        .expect(200);
    assert_eq!(diff.json()["identical"], false);
    assert!(
        !diff.text().contains("hunter2") && !diff.text().contains("other"),
        "{}",
        diff.text()
    );
    let back = ada
        .call("POST", &format!("{versions}/{version}/activate"))
        .send()
        .await
        .expect(200);
    assert_eq!(back.json()["data"], with_secret("hunter2"));
}
