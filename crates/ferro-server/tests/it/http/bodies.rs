//! Bodies that are not what they should be: each gets its own clear refusal, and nothing is kept of them.

use serde_json::{Value, json};

use crate::site::{Person, Site, is_clean_refusal};

/// Every route that takes JSON, with a body it takes.
fn routes(ids: &[(&str, String)]) -> Vec<(&'static str, String, Value)> {
    let fill = |path: &str| {
        ids.iter()
            .fold(path.to_owned(), |path, (name, id)| path.replace(name, id))
    };
    let flow = json!({ "name": "n", "data": { "nodes": [], "edges": [] } });
    vec![
        ("POST", fill("/api/v1/flows"), flow.clone()),
        ("PATCH", fill("/api/v1/flows/{flow}"), flow.clone()),
        ("PUT", fill("/api/v1/flows/{flow}"), flow.clone()),
        ("POST", fill("/api/v1/flows/batch"), json!({ "flows": [flow] })),
        (
            "POST",
            fill("/api/v1/flows/{flow}/diff"),
            json!({ "data": { "nodes": [], "edges": [] } }),
        ),
        (
            "POST",
            fill("/api/v1/flows/{flow}/duplicate"),
            json!({ "name": "n" }),
        ),
        (
            "POST",
            fill("/api/v1/flows/{flow}/versions"),
            json!({ "description": "d" }),
        ),
        ("POST", fill("/api/v1/flows/download"), json!([ids[0].1])),
        ("POST", fill("/api/v1/projects"), json!({ "name": "n" })),
        (
            "PATCH",
            fill("/api/v1/projects/{project}"),
            json!({ "name": "p" }),
        ),
        ("PUT", fill("/api/v1/projects/{project}"), json!({ "name": "p" })),
        (
            "POST",
            fill("/api/v1/variables"),
            json!({ "name": "n", "value": "v" }),
        ),
        (
            "PATCH",
            fill("/api/v1/variables/{variable}"),
            json!({ "value": "v" }),
        ),
        ("POST", fill("/api/v1/api_key"), json!({ "name": "n" })),
        ("POST", fill("/api/v1/refresh"), json!({ "refresh_token": "t" })),
        (
            "POST",
            fill("/api/v1/users"),
            json!({ "username": "n", "password": "p" }),
        ),
        (
            "PATCH",
            fill("/api/v1/users/{user}"),
            json!({ "username": "ada" }),
        ),
        (
            "PATCH",
            fill("/api/v1/users/{user}/reset-password"),
            json!({ "password": "p" }),
        ),
        ("POST", fill("/api/v2/files/batch"), json!([])),
    ]
}

async fn ids(ada: &Person) -> Vec<(&'static str, String)> {
    let variable = ada
        .post("/api/v1/variables", &json!({ "name": "V", "value": "v" }))
        .await
        .expect(201)
        .id();
    vec![
        ("{flow}", ada.flow("Mine").await.id()),
        ("{project}", ada.project("Mine").await.id()),
        ("{variable}", variable),
        ("{user}", ada.id.clone()),
    ]
}

#[tokio::test]
async fn every_route_refuses_every_kind_of_broken_body() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let ids = ids(&ada).await;
    let before = ada.flow_names().await;
    for (method, path, body) in routes(&ids) {
        let whole = body.to_string();
        let call = || ada.call(method, &path);
        let is_list = body.is_array();
        let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        let nested = format!(
            "{{\"name\":\"x\",\"data\":{}1{}}}",
            "{\"a\":".repeat(100),
            "}".repeat(100)
        );
        let broken: Vec<(&str, Vec<u8>)> = vec![
            ("nothing", vec![]),
            ("blanks", b"  \n\t ".to_vec()),
            ("half of it", whole.as_bytes()[..whole.len() - 1].to_vec()),
            ("words", b"hello".to_vec()),
            ("something after it", format!("{whole} x").into_bytes()),
            ("two of it", format!("{whole}{whole}").into_bytes()),
            ("a comma too many", b"{\"name\":\"x\",}".to_vec()),
            ("single quotes", b"{'name':'x'}".to_vec()),
            ("NaN", b"{\"name\":NaN}".to_vec()),
            ("bytes that are not UTF-8", b"{\"name\":\"\xff\xfe\"}".to_vec()),
            (
                "UTF-16",
                "{\"name\":\"x\"}"
                    .encode_utf16()
                    .flat_map(u16::to_le_bytes)
                    .collect(),
            ),
            ("a bare control character", b"{\"name\":\"a\nb\"}".to_vec()),
            ("half a surrogate pair", b"{\"name\":\"\\ud800\"".to_vec()),
            ("ten thousand levels", deep.into_bytes()),
            ("a hundred levels", nested.into_bytes()),
        ];
        for (what, bytes) in broken {
            let shown = String::from_utf8_lossy(&bytes).into_owned();
            let answer = call().json_text(bytes).send().await;
            is_clean_refusal(&answer);
            // Where no object or no such field is expected, that is found before the mistake.
            let foreign = is_list && shown.starts_with('{')
                || shown.starts_with("{\"name\"") && body.get("name").is_none();
            let expected = if foreign && answer.status == 422 {
                (422, "invalid")
            } else {
                (400, "unreadable")
            };
            let told = (
                answer.status.as_u16(),
                answer.json()["code"].as_str().unwrap_or_default().to_owned(),
            );
            assert_eq!(
                told,
                (expected.0, expected.1.to_owned()),
                "{method} {path} with {what}: {}",
                answer.text()
            );
        }
        for wrong in ["null", "true", "7", "\"text\"", if is_list { "{}" } else { "[]" }] {
            let answer = call().json_text(wrong).send().await;
            is_clean_refusal(&answer);
            assert_eq!(
                answer.status,
                422,
                "{method} {path} with {wrong}: {}",
                answer.text()
            );
        }
        for kind in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "application/xml",
            "multipart/form-data",
        ] {
            let answer = call()
                .header("content-type", kind)
                .body(whole.clone())
                .send()
                .await;
            is_clean_refusal(&answer);
            answer.refused(415, "unsupported_media_type");
        }
    }
    assert_eq!(ada.flow_names().await, before, "nothing was made on the way");
}

#[tokio::test]
async fn a_field_nobody_knows_is_refused_and_named() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let ids = ids(&ada).await;
    for (method, path, mut body) in routes(&ids) {
        // Flows keep what they do not know; lists have no fields.
        let keeps =
            path.starts_with("/api/v1/flows") && !path.contains("duplicate") && !path.contains("versions");
        if keeps || body.is_array() {
            continue;
        }
        for field in [
            "surprise",
            "id2",
            "user_id",
            "is_admin",
            "created_at",
            "__proto__",
        ] {
            body[field] = json!(1);
            let refused = ada
                .call(method, &path)
                .json(&body)
                .send()
                .await
                .refused(422, "invalid");
            assert!(
                refused["detail"].as_str().unwrap().contains(field),
                "{method} {path}: {refused}"
            );
            body.as_object_mut().unwrap().remove(field);
        }
    }
}

#[tokio::test]
async fn a_field_of_the_wrong_type_is_named() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let flow = ada.flow("Mine").await.id();
    for (method, path, body, field) in [
        ("POST", "/api/v1/flows".to_owned(), json!({ "name": 7 }), "name"),
        ("POST", "/api/v1/flows".to_owned(), json!({ "name": "" }), "name"),
        (
            "POST",
            "/api/v1/flows".to_owned(),
            json!({ "name": "x".repeat(256) }),
            "name",
        ),
        ("POST", "/api/v1/flows".to_owned(), json!({}), "name"),
        (
            "POST",
            "/api/v1/flows".to_owned(),
            json!({ "name": "x", "folder_id": "here" }),
            "folder_id",
        ),
        (
            "POST",
            "/api/v1/flows".to_owned(),
            json!({ "name": "x", "tags": "a" }),
            "tags",
        ),
        (
            "POST",
            "/api/v1/flows".to_owned(),
            json!({ "name": "x", "tags": vec!["a"; 51] }),
            "tags",
        ),
        (
            "POST",
            "/api/v1/flows".to_owned(),
            json!({ "name": "x", "tags": ["a".repeat(51)] }),
            "tags",
        ),
        (
            "POST",
            "/api/v1/flows".to_owned(),
            json!({ "name": "x", "icon_bg_color": "red" }),
            "icon_bg_color",
        ),
        (
            "POST",
            "/api/v1/flows".to_owned(),
            json!({ "name": "x", "flow_type": "cat" }),
            "flow_type",
        ),
        (
            "PATCH",
            format!("/api/v1/flows/{flow}"),
            json!({ "locked": "yes" }),
            "locked",
        ),
        (
            "PATCH",
            format!("/api/v1/flows/{flow}"),
            json!({ "access_type": "OPEN" }),
            "access_type",
        ),
        (
            "PATCH",
            format!("/api/v1/flows/{flow}"),
            json!({ "description": "x".repeat(20_001) }),
            "description",
        ),
        (
            "POST",
            "/api/v1/projects".to_owned(),
            json!({ "name": [] }),
            "name",
        ),
        (
            "POST",
            "/api/v1/projects".to_owned(),
            json!({ "name": "x", "flows_list": ["y"] }),
            "flows_list[0]",
        ),
        (
            "POST",
            "/api/v1/variables".to_owned(),
            json!({ "name": "x", "value": {} }),
            "value",
        ),
        (
            "POST",
            "/api/v1/variables".to_owned(),
            json!({ "name": "x", "value": "y", "type": "Cat" }),
            "type",
        ),
        (
            "POST",
            "/api/v1/api_key".to_owned(),
            json!({ "name": "x", "expires_at": "tomorrow" }),
            "expires_at",
        ),
    ] {
        let refused = ada
            .call(method, &path)
            .json(&body)
            .send()
            .await
            .refused(422, "invalid");
        assert_eq!(refused["errors"][0]["field"], field, "{body}: {refused}");
    }
    for query in [
        "page=0",
        "page=x",
        "size=0",
        "size=101",
        "page=-1",
        "header_flows=maybe",
        "sort=size",
        "order=up",
        "folder_id=x",
    ] {
        let answer = ada.get(&format!("/api/v1/flows?{query}")).await;
        is_clean_refusal(&answer);
        answer.refused(422, "invalid");
    }
    ada.get("/api/v1/flows?page=9223372036854775807&size=100")
        .await
        .expect(200);
}

#[tokio::test]
async fn a_document_that_is_no_flow_is_refused_with_its_place() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let flow = ada.flow("Mine").await.id();
    for (data, place) in [
        ("[]", "array"),
        ("7", "number"),
        ("\"{}\"", "string"),
        (r#"{"nodes":[]}"#, "`edges` is missing"),
        (r#"{"edges":[]}"#, "`nodes` is missing"),
        (r#"{"viewport":{}}"#, "`nodes` is missing"),
        (r#"{"nodes":{},"edges":[]}"#, "`nodes`"),
        (r#"{"nodes":null,"edges":[]}"#, "`nodes`"),
        (r#"{"nodes":[7],"edges":[]}"#, "`nodes[0]`"),
        (r#"{"nodes":[{}],"edges":[]}"#, "`nodes[0].id` is missing"),
        (r#"{"nodes":[{"id":1}],"edges":[]}"#, "`nodes[0].id`"),
        (r#"{"nodes":[{"id":"a"},{"id":"a"}],"edges":[]}"#, "`nodes[1].id`"),
        (
            r#"{"nodes":[],"edges":[{"source":"a"}]}"#,
            "`edges[0].target` is missing",
        ),
        (r#"{"nodes":[],"edges":[],"nodes":[]}"#, "appears twice"),
    ] {
        for (method, path) in [
            ("POST", "/api/v1/flows".to_owned()),
            ("PATCH", format!("/api/v1/flows/{flow}")),
        ] {
            let text = format!("{{\"name\":\"x\",\"data\":{data}}}");
            let refused = ada
                .call(method, &path)
                .json_text(text)
                .send()
                .await
                .refused(422, "invalid");
            assert_eq!(refused["errors"][0]["field"], "data");
            assert!(
                refused["errors"][0]["message"].as_str().unwrap().contains(place),
                "{data}: {refused}"
            );
        }
    }
    for fine in ["{}", "null", r#"{"nodes":[],"edges":[]}"#] {
        let text = format!("{{\"name\":\"x\",\"data\":{fine}}}");
        ada.call("POST", "/api/v1/flows")
            .json_text(text)
            .send()
            .await
            .expect(201);
    }
}
