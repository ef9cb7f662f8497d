//! The main paths once more on PostgreSQL, over HTTP. The store's own suite has the rest.

use serde_json::json;

use crate::site::{Site, texts};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_main_paths_work() {
    let site = Site::on_postgres().await;
    let nobody = site.nobody();
    assert_eq!(nobody.get("/health_check").await.expect(200).json()["db"], "ok");
    let tokens = nobody.get("/api/v1/auto_login").await.expect(200).json();
    let me = nobody
        .clone()
        .with_bearer(tokens["access_token"].as_str().unwrap());
    assert_eq!(
        me.get("/api/v1/users/whoami").await.expect(200).json()["username"],
        "ferroflow"
    );

    let text = "{\"name\":\"Ünï\", \"data\": {\"nodes\" : [ ], \"edges\":[], \"n\":1.50,\"z\":\"\\u0000\"}, \"x_extra\": [1.0]}";
    let flow = me
        .call("POST", "/api/v1/flows")
        .json_text(text)
        .send()
        .await
        .expect(201);
    assert!(
        flow.text()
            .contains("{\"nodes\" : [ ], \"edges\":[], \"n\":1.50,\"z\":\"\\u0000\"}"),
        "{}",
        flow.text()
    );
    let one = format!("/api/v1/flows/{}", flow.id());
    let change = me
        .call("PATCH", &one)
        .header("if-match", "\"1\"")
        .json(&json!({ "description": "d" }));
    change.clone().send().await.expect(200);
    let stale = change.send().await.refused(409, "stale");
    assert_eq!(stale["current"]["revision"], 2);
    me.post(&format!("{one}/versions"), &json!({})).await.expect(201);
    let listed = me
        .get("/api/v1/flows?search=üNÏ&header_flows=true&page=1&size=10")
        .await
        .expect(200)
        .json();
    assert_eq!(texts(&listed["items"], "name"), ["Ünï"]);
    me.delete(&one).await.expect(200);
    me.call("POST", &format!("/api/v1/trash/flow/{}/restore", flow.id()))
        .send()
        .await
        .expect(200);

    me.post(
        "/api/v1/variables",
        &json!({ "name": "K", "value": "v", "type": "Credential" }),
    )
    .await
    .expect(201);
    me.post("/api/v1/variables", &json!({ "name": "K", "value": "v" }))
        .await
        .refused(409, "name_taken");
    let file = me
        .upload("/api/v2/files", &[("file", "a.txt", b"abc")])
        .await
        .expect(201)
        .id();
    assert_eq!(
        me.get(&format!("/api/v2/files/{file}")).await.expect(200).text(),
        "abc"
    );
    me.post(
        "/api/v1/projects",
        &json!({ "name": "P", "flows_list": [flow.id()] }),
    )
    .await
    .expect(201);
    me.call("POST", "/api/v1/logout").send().await.expect(200);
    me.get("/api/v1/users/whoami")
        .await
        .refused(401, "unauthenticated");
}

/// PostgreSQL cannot keep U+0000 in text: it must be refused before it gets there, not fail there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_one_character_it_cannot_keep_is_refused() {
    for site in [Site::on_postgres().await, Site::new().await] {
        let ada = site.user("ada").await;
        let flow = ada.flow("One").await.id();
        let nul = "a\0b";
        for (method, path, body) in [
            ("POST", "/api/v1/flows".to_owned(), json!({ "name": nul })),
            (
                "POST",
                "/api/v1/flows".to_owned(),
                json!({ "name": "x", "description": nul }),
            ),
            (
                "POST",
                "/api/v1/flows".to_owned(),
                json!({ "name": "x", "icon": nul }),
            ),
            (
                "PATCH",
                format!("/api/v1/flows/{flow}"),
                json!({ "action_description": nul }),
            ),
            (
                "POST",
                format!("/api/v1/flows/{flow}/versions"),
                json!({ "description": nul }),
            ),
            (
                "POST",
                "/api/v1/projects".to_owned(),
                json!({ "name": "x", "description": nul }),
            ),
            (
                "POST",
                "/api/v1/variables".to_owned(),
                json!({ "name": "x", "value": nul }),
            ),
            (
                "POST",
                "/api/v1/variables".to_owned(),
                json!({ "name": nul, "value": "x" }),
            ),
            ("POST", "/api/v1/api_key".to_owned(), json!({ "name": nul })),
            (
                "PATCH",
                format!("/api/v1/users/{}", ada.id),
                json!({ "profile_image": nul }),
            ),
        ] {
            let answer = ada.call(method, &path).json(&body).send().await;
            assert_eq!(answer.status, 422, "{method} {path} {body}: {}", answer.text());
        }
        // In what is kept as JSON text it is six harmless characters.
        let tags = ada
            .patch(
                &format!("/api/v1/flows/{flow}"),
                &json!({ "tags": [nul], "x_unknown": nul }),
            )
            .await;
        assert_eq!(tags.expect(200).json()["tags"], json!([nul]));
        let file = ada.file("a.txt", b"a").await.id();
        for (method, path) in [
            ("GET", "/api/v1/flows?search=a%00b".to_owned()),
            ("GET", "/api/v1/flows?flow_type=%00".to_owned()),
            (
                "GET",
                format!("/api/v1/projects/{}?search=%00", ada.project("P").await.id()),
            ),
            ("PUT", format!("/api/v2/files/{file}?name=a%00b.txt")),
        ] {
            ada.call(method, &path).send().await.refused(422, "invalid");
        }
        let answer = site.nobody().login("a\0b", "whatever it is").await;
        assert_eq!(answer.status, 401, "{}", answer.text());
        // Only where it is the character, not where it is talked about.
        let talk = json!({ "name": "x", "value": r"\u0000" });
        assert_eq!(
            ada.post("/api/v1/variables", &talk).await.expect(201).json()["value"],
            r"\u0000"
        );
    }
}
