//! The main paths once more on PostgreSQL, over HTTP. The store's own suite has the rest.

use ferro_testkit::{ModelServer, Turn};
use serde_json::json;

use crate::site::{Site, texts};
use crate::specs::{ECHO, flow as flow_of};

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

/// What the assistant writes while nobody watches: the flow, the version from before and the conversation.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_assistant_writes_is_there() {
    let models = ModelServer::start().await;
    let address = models.address().to_string();
    let site = Site::on_postgres_with(move |config| config.egress_allow = vec![address]).await;
    let ada = site.user("ada").await;
    for (name, value) in [
        ("OPENAI_API_KEY", "sk-x".to_owned()),
        ("OPENAI_BASE_URL", format!("{}/v1", models.url())),
    ] {
        let kind = if name.ends_with("KEY") {
            "Credential"
        } else {
            "Generic"
        };
        let body = json!({ "name": name, "value": value, "type": kind });
        ada.post("/api/v1/variables", &body).await.expect(201);
    }
    let flow = ada.post("/api/v1/flows", &flow_of(ECHO)).await.expect(201).id();
    let mut versions = Vec::new();
    for _ in 0..2 {
        models.push(Turn::text(
            &json!({ "translation": "", "intent": "build_flow" }).to_string(),
        ));
        models.push(Turn::text("").tool("add_component", json!({ "component_type": "TextInput" })));
        models.push(Turn::text("A text input was added."));
        let body = json!({ "instruction": "Add a text input", "flow_id": flow, "session_id": "agentic_1",
            "provider": "OpenAI", "model_name": "gpt-4o" });
        let told = ada
            .post("/api/v1/agentic/assist/run", &body)
            .await
            .expect(200)
            .text();
        let last = told
            .trim_end()
            .rsplit("\n\n")
            .next()
            .unwrap()
            .trim_start_matches("data: ");
        let last: serde_json::Value = serde_json::from_str(last).unwrap();
        assert_eq!(last["event"], "complete", "{told}");
        versions.push(last["data"]["restore_version_id"].as_str().unwrap().to_owned());
    }
    let saved = ada.get(&format!("/api/v1/flows/{flow}")).await.expect(200).json();
    assert_eq!(saved["data"]["nodes"].as_array().unwrap().len(), 4, "{saved}");
    assert_ne!(versions[0], versions[1]);
    for id in versions {
        ada.get(&format!("/api/v1/flows/{flow}/versions/{id}"))
            .await
            .expect(200);
    }
    let asked: String = models
        .requests()
        .iter()
        .map(|request| request.body.to_string())
        .collect();
    assert!(
        asked.contains("A text input was added."),
        "the second turn knows of the first"
    );
}
