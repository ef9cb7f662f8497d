//! Several flows at once: lists, batches, deletions.

use serde_json::json;

use crate::site::{Site, texts};

#[tokio::test]
async fn lists_are_filtered_sorted_and_paged() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    for name in ["b", "A", "c"] {
        ada.flow(name).await;
    }
    ada.post(
        "/api/v1/flows",
        &json!({ "name": "part", "is_component": true, "flow_type": "agent" }),
    )
    .await
    .expect(201);
    let all = ada.get("/api/v1/flows").await.expect(200).json();
    assert_eq!(
        texts(&all, "name"),
        ["part", "c", "A", "b"],
        "the last changed first"
    );
    assert!(all[0].get("data").is_some());
    let headers = ada.get("/api/v1/flows?header_flows=true&sort=name").await.json();
    assert_eq!(texts(&headers, "name"), ["A", "b", "c", "part"]);
    assert!(headers[0].get("data").is_none());
    let page = ada
        .get("/api/v1/flows?header_flows=true&sort=name&order=desc&page=2&size=3")
        .await
        .json();
    assert_eq!(texts(&page["items"], "name"), ["A"]);
    assert_eq!(
        (&page["total"], &page["pages"], &page["page"], &page["size"]),
        (&json!(4), &json!(2), &json!(2), &json!(3))
    );
    let beyond = ada.get("/api/v1/flows?page=9").await.expect(200).json();
    assert_eq!((&beyond["items"], &beyond["total"]), (&json!([]), &json!(4)));
    assert!(ada.get("/api/v1/flows?get_all=false").await.json()["items"].is_array());
    assert_eq!(
        texts(
            &ada.get("/api/v1/flows?components_only=true").await.json(),
            "name"
        ),
        ["part"]
    );
    assert_eq!(
        texts(&ada.get("/api/v1/flows?flow_type=agent").await.json(), "name"),
        ["part"]
    );
    assert_eq!(
        texts(&ada.get("/api/v1/flows?search=%20").await.json(), "name").len(),
        4,
        "blanks are no search"
    );
    assert_eq!(
        texts(
            &ada.get("/api/v1/flows?search=PAR&remove_example_flows=true")
                .await
                .json(),
            "name"
        ),
        ["part"]
    );
}

#[tokio::test]
async fn a_batch_is_made_whole_or_not_at_all() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let good = json!({ "name": "Same", "data": { "nodes": [], "edges": [] } });
    let made = ada
        .post("/api/v1/flows/batch", &json!({ "flows": [good, good] }))
        .await
        .expect(201)
        .json();
    assert_eq!(texts(&made, "name"), ["Same", "Same (1)"]);
    for bad in [
        json!({ "name": 7 }),
        json!({ "name": "x", "data": [] }),
        json!({ "name": "x", "data": { "nodes": [] } }),
        json!({ "name": "x", "endpoint_name": "a b" }),
    ] {
        let refused = ada
            .post("/api/v1/flows/batch", &json!({ "flows": [good, bad] }))
            .await
            .refused(422, "invalid");
        assert!(
            refused["detail"].as_str().unwrap().contains("flows[1]"),
            "{refused}"
        );
    }
    let nowhere = json!({ "name": "x", "folder_id": uuid::Uuid::new_v4() });
    ada.post("/api/v1/flows/batch", &json!({ "flows": [good, nowhere] }))
        .await
        .refused(404, "not_found");
    assert_eq!(ada.flow_names().await, ["Same", "Same (1)"]);
    assert_eq!(
        ada.post("/api/v1/flows/batch", &json!({ "flows": [] }))
            .await
            .expect(201)
            .json(),
        json!([])
    );
    let many: Vec<_> = (0..1001).map(|n| json!({ "name": n.to_string() })).collect();
    ada.post("/api/v1/flows/batch", &json!({ "flows": many }))
        .await
        .refused(422, "invalid");
    ada.post("/api/v1/flows/batch", &json!({}))
        .await
        .refused(422, "invalid");
}

#[tokio::test]
async fn several_are_deleted_together_or_none() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let (one, two) = (ada.flow("1").await.id(), ada.flow("2").await.id());
    let delete = |ids: serde_json::Value| ada.call("DELETE", "/api/v1/flows").json(&ids).send();
    delete(json!([one, uuid::Uuid::new_v4()]))
        .await
        .refused(404, "not_found");
    delete(json!(["x"])).await.refused(422, "invalid");
    assert_eq!(ada.flow_names().await, ["1", "2"]);
    assert_eq!(delete(json!([])).await.expect(200).json()["deleted"], 0);
    assert_eq!(delete(json!([one, two])).await.expect(200).json()["deleted"], 2);
    assert_eq!(
        ada.get("/api/v1/trash").await.json()["items"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}
