//! Flows: making, saving, conflicts, sharing.

use serde_json::{Value, json};

use crate::site::{Site, texts, with_secret};

#[tokio::test]
async fn a_flow_is_made_with_what_is_given_and_keeps_what_it_does_not_know() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let body = json!({
        "name": " Crane ", "description": "d", "icon": "bird", "icon_bg_color": "#3b82f6", "gradient": "2",
        "tags": ["a", "b"], "endpoint_name": "crane", "mcp_enabled": true, "action_name": "fly", "flow_type": "agent",
        "a2a_enabled": true, "data": { "nodes": [{ "id": "Webhook-1" }, { "id": "n", "type": "noteNode" }], "edges": [] },
        "last_tested_version": "1.4.0", "x": { "y": [1] },
        "revision": 99, "user_id": "someone", "created_at": "never", "webhook": false, "node_count": 7
    });
    let made = ada.post("/api/v1/flows", &body).await.expect(201);
    assert_eq!(made.header("etag"), "\"1\"");
    let flow = made.json();
    for (member, expected) in [
        ("name", json!("Crane")),
        ("tags", json!(["a", "b"])),
        ("endpoint_name", json!("crane")),
        ("webhook", json!(true)),
        ("revision", json!(1)),
        ("user_id", json!(ada.id)),
        ("access_type", json!("PRIVATE")),
        ("last_tested_version", json!("1.4.0")),
        ("x", json!({ "y": [1] })),
        ("locked", json!(false)),
    ] {
        assert_eq!(flow[member], expected, "{member}");
    }
    let read = ada.get(&format!("/api/v1/flows/{}", made.id())).await.expect(200);
    assert_eq!(read.json(), flow);
    let header = &ada.get("/api/v1/flows?header_flows=true").await.json()[0];
    assert_eq!(
        (&header["node_count"], &header["note_count"], &header["x"]),
        (&json!(2), &json!(1), &json!({ "y": [1] }))
    );
    let changed = ada
        .patch(
            &format!("/api/v1/flows/{}", made.id()),
            &json!({ "x": 2, "z": 3 }),
        )
        .await
        .expect(200)
        .json();
    assert_eq!(
        (&changed["x"], &changed["z"], &changed["last_tested_version"]),
        (&json!(2), &json!(3), &json!("1.4.0"))
    );
    let large = json!({ "name": "x", "unknown": "x".repeat(256 << 10) });
    ada.post("/api/v1/flows", &large).await.refused(422, "invalid");
}

#[tokio::test]
async fn what_is_not_said_stays_and_null_empties() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let new = json!({ "name": "F", "description": "d", "tags": ["t"], "endpoint_name": "e", "data": { "nodes": [], "edges": [] } });
    let path = format!(
        "/api/v1/flows/{}",
        ada.post("/api/v1/flows", &new).await.expect(201).id()
    );
    let same = ada.patch(&path, &json!({})).await.expect(200).json();
    assert_eq!(
        (&same["description"], &same["tags"], &same["endpoint_name"]),
        (&json!("d"), &json!(["t"]), &json!("e"))
    );
    let change =
        json!({ "description": null, "endpoint_name": null, "tags": null, "name": null, "data": null });
    let emptied = ada.patch(&path, &change).await.expect(200).json();
    assert_eq!(
        (
            &emptied["description"],
            &emptied["endpoint_name"],
            &emptied["tags"]
        ),
        (&Value::Null, &Value::Null, &json!([]))
    );
    assert_eq!(
        emptied["name"], "F",
        "null says nothing where there must be something"
    );
    assert_eq!(emptied["data"], json!({ "nodes": [], "edges": [] }));
}

#[tokio::test]
async fn two_tabs_that_save_at_once_find_out() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let made = ada.flow("F").await;
    let path = format!("/api/v1/flows/{}", made.id());
    let save = |etag: &str, text: &str| {
        let data = json!({ "data": { "nodes": [], "edges": [], "tab": text } });
        ada.call("PATCH", &path)
            .header("if-match", etag)
            .json(&data)
            .send()
    };
    let first = save(made.header("etag"), "one").await.expect(200);
    assert_eq!(first.header("etag"), "\"2\"");
    let second = save(made.header("etag"), "two").await.expect(409);
    assert_eq!(second.header("etag"), "\"2\"");
    let conflict = second.refused(409, "stale");
    assert_eq!(
        (&conflict["etag"], &conflict["current"]["revision"]),
        (&json!("\"2\""), &json!(2))
    );
    assert_eq!(
        conflict["current"]["data"]["tab"], "one",
        "what is there now, to compare with"
    );
    save(conflict["etag"].as_str().unwrap(), "two").await.expect(200);
    save("W/\"3\"", "three").await.expect(200);
    save("*", "four").await.expect(200);
    ada.patch(&path, &json!({ "description": "without" }))
        .await
        .expect(200);
    for nonsense in ["abc", "\"x\"", ""] {
        save(nonsense, "five").await.refused(422, "invalid");
    }
    let delete = |etag: &str| ada.call("DELETE", &path).header("if-match", etag).send();
    delete("\"1\"").await.refused(409, "stale");
    delete("\"6\"").await.expect(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_savers_one_wins_each_time_and_no_win_is_lost() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let path = format!("/api/v1/flows/{}", ada.flow("F").await.id());
    let savers = (0..8).map(|saver| {
        let (client, path) = (ada.client.clone(), path.clone());
        tokio::spawn(async move {
            let (mut revision, mut won) = (1, Vec::new());
            while won.len() < 5 {
                let data = json!({ "data": { "nodes": [], "edges": [], "saver": saver, "won": won.len() } });
                let answer = client
                    .call("PATCH", &path)
                    .header("if-match", &format!("\"{revision}\""))
                    .json(&data)
                    .send()
                    .await;
                let now = answer.json();
                if answer.status == 200 {
                    revision = now["revision"].as_i64().unwrap();
                    won.push(revision);
                } else {
                    assert_eq!((answer.status.as_u16(), &now["code"]), (409, &json!("stale")));
                    revision = now["current"]["revision"].as_i64().unwrap();
                }
            }
            won
        })
    });
    let mut all = Vec::new();
    for saver in savers.collect::<Vec<_>>() {
        all.extend(saver.await.unwrap());
    }
    all.sort_unstable();
    assert_eq!(
        all,
        (2..=41).collect::<Vec<i64>>(),
        "every revision was won by exactly one"
    );
}

#[tokio::test]
async fn a_locked_flow_takes_nothing_but_the_key() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let id = ada.flow("F").await.id();
    let path = format!("/api/v1/flows/{id}");
    ada.patch(&path, &json!({ "locked": true })).await.expect(200);
    ada.patch(&path, &json!({ "name": "G" }))
        .await
        .refused(403, "locked");
    ada.put(&path, &json!({ "name": "G" }))
        .await
        .refused(403, "locked");
    ada.delete(&path).await.refused(403, "locked");
    ada.call("DELETE", "/api/v1/flows")
        .json(&json!([id]))
        .send()
        .await
        .refused(403, "locked");
    let copy = ada
        .post(&format!("{path}/duplicate"), &json!({}))
        .await
        .expect(201)
        .json();
    assert_eq!((&copy["locked"], &copy["name"]), (&json!(false), &json!("F (1)")));
    let opened = ada
        .patch(&path, &json!({ "locked": false, "name": "G" }))
        .await
        .expect(200)
        .json();
    assert_eq!(opened["name"], "G");
}

#[tokio::test]
async fn endpoint_names_stand_in_addresses() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let new = |name: &str, endpoint: &str| json!({ "name": name, "endpoint_name": endpoint });
    ada.post("/api/v1/flows", &new("A", "run-me_1")).await.expect(201);
    let second = ada
        .post("/api/v1/flows", &new("B", "run-me_1"))
        .await
        .expect(201)
        .json();
    assert_eq!(second["endpoint_name"], "run-me_1-1");
    let path = format!("/api/v1/flows/{}", second["id"].as_str().unwrap());
    ada.patch(&path, &json!({ "endpoint_name": "run-me_1" }))
        .await
        .refused(409, "name_taken");
    ada.patch(&path, &json!({ "name": "A" }))
        .await
        .refused(409, "name_taken");
    for bad in ["with space", "ümlaut", "a/b", "../x", "a?b", &"x".repeat(256)] {
        let refused = ada
            .patch(&path, &json!({ "endpoint_name": bad }))
            .await
            .refused(422, "invalid");
        assert_eq!(refused["errors"][0]["field"], "endpoint_name");
    }
    assert_eq!(
        ada.patch(&path, &json!({ "endpoint_name": "" }))
            .await
            .expect(200)
            .json()["endpoint_name"],
        Value::Null
    );
}

#[tokio::test]
async fn a_public_flow_is_open_and_the_document_is_not() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let new = json!({ "name": "F", "data": with_secret("hunter2") });
    let id = ada.post("/api/v1/flows", &new).await.expect(201).id();
    let public = format!("/api/v1/flows/public_flow/{id}");
    site.nobody().get(&public).await.refused(404, "not_found");
    ada.get(&public).await.refused(404, "not_found");
    ada.patch(
        &format!("/api/v1/flows/{id}"),
        &json!({ "access_type": "PUBLIC" }),
    )
    .await
    .expect(200);
    let shown = site.nobody().get(&public).await.expect(200);
    assert!(!shown.text().contains("hunter2"));
    assert_eq!(
        ada.get(&format!("/api/v1/flows/{id}")).await.json()["data"],
        with_secret("hunter2")
    );
    site.nobody()
        .get(&format!("/api/v1/flows/{id}"))
        .await
        .refused(401, "unauthenticated");
    site.nobody()
        .call("PATCH", &format!("/api/v1/flows/{id}"))
        .json(&json!({}))
        .send()
        .await
        .refused(401, "unauthenticated");
    ada.delete(&format!("/api/v1/flows/{id}")).await.expect(200);
    site.nobody().get(&public).await.refused(404, "not_found");
}

#[tokio::test]
async fn a_saver_may_ask_not_to_be_sent_the_document_back() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let path = format!("/api/v1/flows/{}", ada.flow("F").await.id());
    let save = ada
        .call("PATCH", &path)
        .header("prefer", "return=minimal")
        .json(&json!({ "data": with_secret("x") }));
    let saved = save.send().await.expect(200);
    assert_eq!(
        (saved.header("etag"), saved.header("preference-applied")),
        ("\"2\"", "return=minimal")
    );
    assert!(saved.json().get("data").is_none() && saved.json()["node_count"] == 1);
    assert_eq!(ada.get(&path).await.json()["data"], with_secret("x"));
}

#[tokio::test]
async fn putting_makes_or_replaces() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let path = format!("/api/v1/flows/{}", uuid::Uuid::new_v4());
    let made = ada
        .put(&path, &json!({ "name": "F", "data": {} }))
        .await
        .expect(201);
    assert!(path.ends_with(&made.id()));
    let again = ada
        .call("PUT", &path)
        .header("if-match", "\"1\"")
        .json(&json!({ "name": "G" }))
        .send()
        .await
        .expect(200);
    assert_eq!(
        (&again.json()["name"], again.header("etag")),
        (&json!("G"), "\"2\"")
    );
    ada.call("PUT", &path)
        .header("if-match", "\"1\"")
        .json(&json!({ "name": "H" }))
        .send()
        .await
        .refused(409, "stale");
}

#[tokio::test]
async fn flows_are_copied_and_moved() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let new = json!({ "name": "F", "endpoint_name": "e", "access_type": "PUBLIC", "x": 1, "data": with_secret("kept") });
    let original = ada.post("/api/v1/flows", &new).await.expect(201).json();
    let project = ada.project("Other").await.id();
    let duplicate = format!("/api/v1/flows/{}/duplicate", original["id"].as_str().unwrap());
    let copy = ada
        .post(&duplicate, &json!({ "name": "Copy", "folder_id": project }))
        .await
        .expect(201)
        .json();
    for (member, expected) in [
        ("name", json!("Copy")),
        ("endpoint_name", Value::Null),
        ("access_type", json!("PRIVATE")),
        ("x", json!(1)),
        ("folder_id", json!(project)),
        ("data", with_secret("kept")),
        ("revision", json!(1)),
    ] {
        assert_eq!(copy[member], expected, "{member}");
    }
    assert_ne!(copy["id"], original["id"]);
    ada.post(&duplicate, &json!({ "name": "" }))
        .await
        .refused(422, "invalid");
    ada.post(&duplicate, &json!({ "folder_id": uuid::Uuid::new_v4() }))
        .await
        .refused(404, "not_found");
    let path = format!("/api/v1/flows/{}", original["id"].as_str().unwrap());
    assert_eq!(
        ada.patch(&path, &json!({ "folder_id": project }))
            .await
            .expect(200)
            .json()["folder_id"],
        json!(project)
    );
    ada.patch(&path, &json!({ "folder_id": uuid::Uuid::new_v4() }))
        .await
        .refused(404, "not_found");
    let listed = ada
        .get(&format!(
            "/api/v1/flows?folder_id={project}&sort=name&header_flows=true"
        ))
        .await
        .json();
    assert_eq!(texts(&listed, "name"), ["Copy", "F"]);
}

/// A name may be as long as 255 characters, and a copy of it must still be copied and saved.
#[tokio::test]
async fn the_longest_name_can_be_copied_again() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let id = ada.flow(&"n".repeat(255)).await.id();
    let copy = ada
        .post(&format!("/api/v1/flows/{id}/duplicate"), &json!({}))
        .await
        .expect(201);
    let again = ada
        .post(&format!("/api/v1/flows/{}/duplicate", copy.id()), &json!({}))
        .await
        .expect(201);
    let named = json!({ "name": again.json()["name"] });
    ada.patch(&format!("/api/v1/flows/{}", again.id()), &named)
        .await
        .expect(200);
}
