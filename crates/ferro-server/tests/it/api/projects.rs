//! Projects.

use serde_json::{Value, json};

use crate::site::{Site, texts};

#[tokio::test]
async fn projects_are_made_changed_and_listed() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let first = ada.project("Birds").await.json();
    assert_eq!(
        (&first["owner_username"], &first["is_owner"]),
        (&json!("ada"), &json!(true))
    );
    assert_eq!(ada.project("Birds").await.json()["name"], "Birds (1)");
    let path = format!("/api/v1/projects/{}", first["id"].as_str().unwrap());
    let change = json!({ "name": "Cranes", "description": "grey", "auth_settings": { "auth_type": "none" } });
    let changed = ada.patch(&path, &change).await.expect(200).json();
    assert_eq!(
        (&changed["name"], &changed["auth_settings"]["auth_type"]),
        (&json!("Cranes"), &json!("none"))
    );
    let cleared = ada
        .patch(&path, &json!({ "description": null, "auth_settings": null }))
        .await
        .expect(200)
        .json();
    assert_eq!(
        (
            &cleared["description"],
            &cleared["auth_settings"],
            &cleared["name"]
        ),
        (&Value::Null, &Value::Null, &json!("Cranes"))
    );
    ada.patch(&path, &json!({ "name": "Birds (1)" }))
        .await
        .refused(409, "name_taken");
    ada.patch(&path, &json!({ "parent_id": first["id"] }))
        .await
        .refused(409, "refused");
    let fresh = format!("/api/v1/projects/{}", uuid::Uuid::new_v4());
    ada.put(&fresh, &json!({ "name": "Put" })).await.expect(201);
    ada.put(&fresh, &json!({ "name": "Put again" })).await.expect(200);
    assert_eq!(
        texts(&ada.get("/api/v1/projects").await.json(), "name"),
        ["Cranes", "Birds (1)", "Put again"]
    );
}

#[tokio::test]
async fn a_project_shows_its_flows_whole_or_by_the_page() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let flows: Vec<String> = [
        ada.flow("c").await.id(),
        ada.flow("a").await.id(),
        ada.flow("b").await.id(),
    ]
    .into();
    let component = json!({ "name": "part", "is_component": true });
    let component = ada.post("/api/v1/flows", &component).await.expect(201).id();
    let new = json!({ "name": "Birds", "flows_list": flows, "components_list": [component] });
    let project = ada.post("/api/v1/projects", &new).await.expect(201).json();
    assert_eq!(
        (&project["flow_count"], &project["component_count"]),
        (&json!(3), &json!(1))
    );
    let path = format!("/api/v1/projects/{}", project["id"].as_str().unwrap());
    let whole = ada.get(&path).await.expect(200).json();
    assert_eq!(whole["flows"].as_array().unwrap().len(), 4);
    assert!(whole["flows"][0].get("data").is_some());
    let page = ada
        .get(&format!("{path}?page=2&size=2&is_flow=true&sort=name"))
        .await
        .expect(200)
        .json();
    assert_eq!(
        (texts(&page["flows"]["items"], "name"), &page["flows"]["pages"]),
        (vec!["c".into()], &json!(2))
    );
    let parts = ada
        .get(&format!("{path}?page=1&is_component=true"))
        .await
        .expect(200)
        .json();
    assert_eq!(texts(&parts["flows"]["items"], "name"), ["part"]);
    let found = ada
        .get(&format!("{path}?page=1&search=A&sort=name&order=desc"))
        .await
        .expect(200)
        .json();
    assert_eq!(texts(&found["flows"]["items"], "name"), ["part", "a"]);
    ada.get(&format!("{path}?page=0")).await.refused(422, "invalid");
}

#[tokio::test]
async fn a_project_goes_out_as_a_zip_and_comes_in_again() {
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
    let zip = ada
        .get(&format!("/api/v1/projects/download/{project}"))
        .await
        .expect(200);
    assert_eq!(zip.header("content-type"), "application/zip");
    assert!(
        zip.header("content-disposition").contains("Birds.zip"),
        "{}",
        zip.header("content-disposition")
    );

    let eve = site.user("eve").await;
    let made = eve
        .upload("/api/v1/projects/upload", &[("file", "Birds.zip", &zip.body)])
        .await
        .expect(201)
        .json();
    let mut names = texts(&made, "name");
    names.sort();
    assert_eq!(names, ["One", "Two"]);
    assert_eq!(
        texts(&eve.get("/api/v1/projects").await.json(), "name"),
        ["Birds"]
    );
    let named = eve
        .upload(
            "/api/v1/projects/upload?name=Gulls",
            &[("file", "x.zip", &zip.body)],
        )
        .await;
    named.expect(201);
    let bad = eve
        .upload(
            "/api/v1/projects/upload",
            &[("file", "bad.zip", b"PK\x03\x04 not a zip")],
        )
        .await;
    bad.refused(422, "invalid");
    let half = br#"{"flows":[{"name":"fine"},{"name":7}]}"#;
    eve.upload("/api/v1/projects/upload", &[("file", "half.json", half)])
        .await
        .refused(422, "invalid");
    assert_eq!(
        texts(&eve.get("/api/v1/projects").await.json(), "name"),
        ["Birds", "Gulls"],
        "nothing of those that failed"
    );
    assert_eq!(eve.get("/api/v1/trash").await.json()["items"], json!([]));
}
