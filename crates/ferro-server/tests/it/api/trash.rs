//! Deleting with undo.

use serde_json::json;

use crate::site::{Site, texts};

#[tokio::test]
async fn what_is_deleted_comes_back() {
    let site = Site::with(|config| config.trash_days = 2).await;
    let ada = site.user("ada").await;
    let id = ada.flow("Crane").await.id();
    ada.delete(&format!("/api/v1/flows/{id}")).await.expect(200);
    ada.get(&format!("/api/v1/flows/{id}"))
        .await
        .refused(404, "not_found");
    ada.patch(&format!("/api/v1/flows/{id}"), &json!({ "name": "x" }))
        .await
        .refused(404, "not_found");
    ada.put(&format!("/api/v1/flows/{id}"), &json!({ "name": "x" }))
        .await
        .refused(404, "not_found");
    let trash = ada.get("/api/v1/trash").await.expect(200).json();
    let item = &trash["items"][0];
    assert_eq!(
        (&item["kind"], &item["name"], &item["id"]),
        (&json!("flow"), &json!("Crane"), &json!(id))
    );
    assert!(item["expires_at"].as_str() > item["deleted_at"].as_str());

    ada.flow("Crane").await;
    let back = ada
        .call("POST", &format!("/api/v1/trash/flow/{id}/restore"))
        .send()
        .await
        .expect(200)
        .json();
    assert_eq!(back["name"], "Crane (1)");
    assert_eq!(
        ada.get(&format!("/api/v1/flows/{id}"))
            .await
            .expect(200)
            .header("etag"),
        "\"2\""
    );
    ada.call("POST", &format!("/api/v1/trash/flow/{id}/restore"))
        .send()
        .await
        .refused(404, "not_found");
}

#[tokio::test]
async fn a_project_goes_and_comes_with_its_flows() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let flows = [ada.flow("One").await.id(), ada.flow("Two").await.id()];
    let project = ada
        .post(
            "/api/v1/projects",
            &json!({ "name": "Birds", "flows_list": flows }),
        )
        .await
        .expect(201)
        .id();
    let lock = format!("/api/v1/flows/{}", flows[0]);
    ada.patch(&lock, &json!({ "locked": true })).await.expect(200);
    ada.delete(&format!("/api/v1/projects/{project}"))
        .await
        .refused(409, "refused");
    ada.patch(&lock, &json!({ "locked": false })).await.expect(200);
    ada.delete(&format!("/api/v1/projects/{project}"))
        .await
        .expect(204);
    assert!(ada.flow_names().await.is_empty());
    let trash = ada.get("/api/v1/trash").await.json();
    assert_eq!(
        (texts(&trash["items"], "name"), &trash["items"][0]["flow_count"]),
        (vec!["Birds".into()], &json!(2))
    );
    ada.call("POST", &format!("/api/v1/trash/project/{project}/restore"))
        .send()
        .await
        .expect(200);
    assert_eq!(ada.flow_names().await, ["One", "Two"]);

    ada.delete(&format!("/api/v1/projects/{project}"))
        .await
        .expect(204);
    ada.delete(&format!("/api/v1/trash/project/{project}"))
        .await
        .expect(204);
    ada.delete(&format!("/api/v1/trash/project/{project}"))
        .await
        .refused(404, "not_found");
    ada.call("POST", &format!("/api/v1/trash/project/{project}/restore"))
        .send()
        .await
        .refused(404, "not_found");
    assert!(ada.flow_names().await.is_empty());
    let gone = ada.flow("Gone").await.id();
    ada.delete(&format!("/api/v1/flows/{gone}")).await.expect(200);
    assert_eq!(ada.delete("/api/v1/trash").await.expect(200).json()["deleted"], 1);
    ada.delete("/api/v1/trash/cat/x").await.refused(404, "not_found");
}
