//! Every route of the OpenAPI document, as nobody and as somebody else. A route without an expectation fails.

use std::collections::BTreeSet;

use ferro_server::{http::identity::PUBLIC, router::openapi_json};
use ferro_store::Principal;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::site::{Person, Site, is_clean_refusal, with_secret};
use crate::specs::{ECHO, flow as flow_of};

struct Operation {
    method: String,
    path: String,
    is_public: bool,
}

fn operations() -> Vec<Operation> {
    let document: Value = serde_json::from_str(openapi_json()).unwrap();
    let whole = document["security"].clone();
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let security = operation
                .get("security")
                .unwrap_or(&whole)
                .as_array()
                .unwrap()
                .clone();
            let is_public = security.iter().any(|one| one.as_object().unwrap().is_empty());
            found.push(Operation {
                method: method.to_uppercase(),
                path: path.clone(),
                is_public,
            });
        }
    }
    found
}

#[test]
fn the_public_routes_are_those_the_document_says() {
    let listed: BTreeSet<_> = PUBLIC
        .iter()
        .map(|(method, path)| format!("{method} {path}"))
        .collect();
    let documented: BTreeSet<_> = operations()
        .into_iter()
        .filter(|operation| operation.is_public)
        .map(|operation| format!("{} {}", operation.method, operation.path))
        .collect();
    assert_eq!(listed, documented);
}

#[tokio::test]
async fn nobody_gets_in_anywhere_else() {
    let site = Site::new().await;
    let strangers = [
        ("nothing", site.nobody()),
        ("a wrong key", site.nobody().with_key("sk-wrong")),
        ("an empty key", site.nobody().with_key("")),
        ("a wrong token", site.nobody().with_bearer("wrong")),
        (
            "a wrong cookie",
            site.nobody().with_cookie("ferroflow_session=wrong"),
        ),
        ("basic", site.nobody().with("authorization", "Basic YWRhOmFkYQ==")),
    ];
    let mut asked = 0;
    for operation in operations().iter().filter(|operation| !operation.is_public) {
        let id = uuid::Uuid::new_v4().to_string();
        let path = operation.path.replace("{kind}", "flow");
        let path = path
            .split('/')
            .map(|part| if part.starts_with('{') { id.as_str() } else { part });
        let path = path.collect::<Vec<_>>().join("/");
        for (how, client) in &strangers {
            for path in [path.clone(), format!("{path}/")] {
                let answer = client.call(&operation.method, &path).send().await;
                assert_eq!(
                    answer.status,
                    401,
                    "{} {path} with {how}: {}",
                    operation.method,
                    answer.text()
                );
                assert_eq!(answer.json()["code"], "unauthenticated");
                is_clean_refusal(&answer);
                asked += 1;
            }
        }
    }
    assert!(asked > 400, "only {asked} requests were made");
}

/// What somebody else is told.
enum Other {
    /// Names something by its id: not there for them. With the body to send.
    NotFound(Value),
    /// Speaks of their own things only.
    TheirOwn(Value),
    /// For admins.
    Forbidden(Value),
    /// Open to anyone, or about the connection itself; tested apart.
    Open,
}

fn expectation(method: &str, path: &str) -> Option<Other> {
    use Other::{Forbidden, NotFound, Open, TheirOwn};
    let nothing = Value::Null;
    let document = json!({ "nodes": [], "edges": [] });
    Some(match (method, path) {
        (_, "/health" | "/health_check" | "/openapi.json" | "/api/v1/version" | "/api/v1/config") => Open,
        (
            _,
            "/api/v1/login" | "/api/v1/auto_login" | "/api/v1/refresh" | "/api/v1/session" | "/api/v1/logout",
        ) => Open,
        ("GET", "/api/v1/flows/public_flow/{flow_id}") => NotFound(nothing),
        ("POST", "/api/v2/workflows/public") => NotFound(json!({ "flow_id": "{flow_id}" })),
        ("POST", "/api/v2/workflows/public/{job_id}/resume") => {
            NotFound(json!({ "request_id": "{job_id}", "decision": { "action_id": "x" } }))
        }
        ("POST", "/api/v1/build_public_tmp/{flow_id}/flow") => NotFound(json!({})),
        ("GET", "/api/v1/build_public_tmp/{job_id}/events")
        | ("POST", "/api/v1/build_public_tmp/{job_id}/cancel") => NotFound(nothing),
        ("GET", "/api/v1/preferences") => TheirOwn(nothing),
        ("PUT" | "DELETE", "/api/v1/preferences/{name}") => TheirOwn(json!({ "theirs": true })),
        ("GET", "/api/v1/users") => Forbidden(nothing),
        ("POST", "/api/v1/users") => {
            Forbidden(json!({ "username": "mallory", "password": "correct horse battery" }))
        }
        ("GET", "/api/v1/users/whoami") => TheirOwn(nothing),
        ("DELETE", "/api/v1/users/{user_id}") => Forbidden(nothing),
        ("PATCH", "/api/v1/users/{user_id}") => NotFound(json!({ "username": "mine" })),
        ("PATCH", "/api/v1/users/{user_id}/reset-password") => {
            NotFound(json!({ "current_password": "", "password": "correct horse battery" }))
        }
        (
            "GET",
            "/api/v1/api_key" | "/api/v1/variables" | "/api/v1/projects" | "/api/v1/flows" | "/api/v1/trash",
        ) => TheirOwn(nothing),
        ("GET" | "DELETE", "/api/v2/files") | ("DELETE", "/api/v1/trash") => TheirOwn(nothing),
        ("POST", "/api/v1/api_key" | "/api/v1/projects" | "/api/v1/flows") => {
            TheirOwn(json!({ "name": "x" }))
        }
        ("POST", "/api/v1/variables") => TheirOwn(json!({ "name": "x", "value": "y" })),
        ("POST", "/api/v1/projects/upload" | "/api/v1/flows/upload" | "/api/v2/files") => TheirOwn(nothing),
        ("POST", "/api/v1/flows/batch") => TheirOwn(json!({ "flows": [{ "name": "x" }] })),
        ("DELETE", "/api/v1/flows") | ("POST", "/api/v1/flows/download") => NotFound(json!(["{flow_id}"])),
        ("POST" | "DELETE", "/api/v2/files/batch") => NotFound(json!(["{file_id}"])),
        ("DELETE", "/api/v1/api_key/{api_key_id}" | "/api/v1/variables/{variable_id}") => NotFound(nothing),
        ("PATCH", "/api/v1/variables/{variable_id}") => NotFound(json!({ "value": "mine" })),
        ("GET" | "DELETE", "/api/v1/projects/{project_id}") => NotFound(nothing),
        ("GET", "/api/v1/projects/download/{project_id}") => NotFound(nothing),
        ("PUT" | "PATCH", "/api/v1/projects/{project_id}") => NotFound(json!({ "name": "mine" })),
        ("GET" | "DELETE", "/api/v1/flows/{flow_id}") => NotFound(nothing),
        ("PUT" | "PATCH", "/api/v1/flows/{flow_id}") => NotFound(json!({ "name": "mine", "data": document })),
        ("POST", "/api/v1/flows/{flow_id}/duplicate") => NotFound(json!({})),
        ("POST", "/api/v1/flows/{flow_id}/diff") => NotFound(json!({ "data": document })),
        ("GET", "/api/v1/flows/{flow_id}/versions") => NotFound(nothing),
        ("POST", "/api/v1/flows/{flow_id}/versions") => NotFound(json!({})),
        ("GET", "/api/v1/flows/{flow_id}/versions/diff") => NotFound(nothing),
        ("GET" | "DELETE", "/api/v1/flows/{flow_id}/versions/{version_id}") => NotFound(nothing),
        ("PATCH", "/api/v1/flows/{flow_id}/versions/{version_id}") => {
            NotFound(json!({ "description": "mine" }))
        }
        ("POST", "/api/v1/flows/{flow_id}/versions/{version_id}/activate") => NotFound(nothing),
        ("POST", "/api/v1/trash/{kind}/{id}/restore") | ("DELETE", "/api/v1/trash/{kind}/{id}") => {
            NotFound(nothing)
        }
        ("GET" | "DELETE", "/api/v2/files/{file_id}") => NotFound(nothing),
        ("PUT", "/api/v2/files/{file_id}") => NotFound(nothing),
        ("GET", "/api/v1/all" | "/api/v1/flows/basic_examples" | "/api/v1/starter-projects") => Open,
        ("POST", "/api/v1/validate/prompt") => TheirOwn(json!({ "template": "{x}" })),
        ("POST", "/api/v1/custom_component/update") => TheirOwn(
            json!({ "type": "ChatInput", "template": {}, "field": "tool_mode", "field_value": false }),
        ),
        ("POST", "/api/v1/validate/code" | "/api/v1/custom_component" | "/api/v1/user_components") => {
            TheirOwn(json!({ "code": "class" }))
        }
        ("GET", "/api/v1/user_components") => TheirOwn(nothing),
        ("DELETE", "/api/v1/user_components/{class_name}") => NotFound(nothing),
        ("POST", "/api/v1/agentic/sessions/reset") => TheirOwn(nothing),
        ("GET", "/api/v1/agentic/check-config" | "/api/v1/agentic/files") => TheirOwn(nothing),
        ("POST", "/api/v1/agentic/assist" | "/api/v1/agentic/assist/stream") => {
            NotFound(json!({ "flow_id": "{flow_id}", "input_value": "x" }))
        }
        ("POST", "/api/v1/agentic/assist/run") => {
            NotFound(json!({ "flow_id": "{flow_id}", "instruction": "x" }))
        }
        ("POST", "/api/v1/agentic/feedback") => TheirOwn(json!({ "name": "assistant_plan_continue_total" })),
        ("GET", "/metrics" | "/api/v1/monitor/python") => Forbidden(nothing),
        ("GET", "/api/v1/monitor/messages" | "/api/v1/monitor/messages/sessions") => TheirOwn(nothing),
        ("POST", "/api/v1/monitor/messages") => NotFound(json!({ "flow_id": "{flow_id}", "text": "mine" })),
        ("DELETE", "/api/v1/monitor/messages") => NotFound(json!(["{message_id}"])),
        ("PUT", "/api/v1/monitor/messages/{message_id}") => NotFound(json!({ "text": "mine" })),
        ("DELETE", "/api/v1/monitor/messages/sessions") => TheirOwn(json!(["her-session"])),
        ("PATCH", "/api/v1/monitor/messages/session/{session_id}") => NotFound(nothing),
        ("DELETE", "/api/v1/monitor/messages/session/{session_id}") => TheirOwn(nothing),
        ("GET" | "DELETE", "/api/v1/monitor/builds") => NotFound(nothing),
        ("GET", "/api/v1/monitor/transactions") => NotFound(nothing),
        ("GET", "/api/v1/monitor/traces") => TheirOwn(nothing),
        ("DELETE", "/api/v1/monitor/traces") => NotFound(nothing),
        ("GET" | "DELETE", "/api/v1/monitor/traces/{trace_id}") => NotFound(nothing),
        ("GET", "/api/v1/monitor/job_queue") => TheirOwn(nothing),
        ("GET" | "DELETE", "/api/v1/models/default_model") => TheirOwn(nothing),
        ("POST", "/api/v1/models/default_model") => {
            TheirOwn(json!({ "provider": "Rehearsal", "model_name": "rehearsal" }))
        }
        ("POST", "/api/v1/models/enabled_models") => {
            TheirOwn(json!([{ "provider": "OpenAI", "model_id": "x", "enabled": true }]))
        }
        ("POST", "/api/v1/models/validate-provider") => TheirOwn(json!({ "provider": "Rehearsal" })),
        (
            "GET",
            "/api/v1/models"
            | "/api/v1/models/providers"
            | "/api/v1/models/provider-descriptors"
            | "/api/v1/models/provider-variable-mapping"
            | "/api/v1/models/enabled_providers"
            | "/api/v1/models/enabled_models"
            | "/api/v1/model_options/language"
            | "/api/v1/model_options/embedding",
        ) => TheirOwn(nothing),
        ("GET", "/api/v1/monitor/messages/shared" | "/api/v1/monitor/messages/shared/sessions") => {
            TheirOwn(nothing)
        }
        ("PUT", "/api/v1/monitor/messages/shared/{message_id}") => NotFound(json!({ "text": "mine" })),
        ("PATCH", "/api/v1/monitor/messages/shared/session/{session_id}") => NotFound(nothing),
        ("DELETE", "/api/v1/monitor/messages/shared/session/{session_id}") => TheirOwn(nothing),
        (
            "POST",
            "/api/v1/run/{flow_id_or_name}"
            | "/api/v1/run/session/{flow_id_or_name}"
            | "/api/v1/run/advanced/{flow_id_or_name}",
        ) => NotFound(json!({})),
        ("POST", "/api/v1/webhook/{flow_id_or_name}") => NotFound(json!({ "x": 1 })),
        ("GET", "/api/v1/webhook-events/{flow_id_or_name}") => NotFound(nothing),
        ("POST", "/api/v1/build/{flow_id}/flow") => NotFound(json!({})),
        ("GET", "/api/v1/build/{job_id}/events") | ("POST", "/api/v1/build/{job_id}/cancel") => {
            NotFound(nothing)
        }
        ("GET", "/api/v2/workflows" | "/api/v2/workflows/{job_id}/events") => NotFound(nothing),
        ("POST", "/api/v2/workflows") => NotFound(json!({ "flow_id": "{flow_id}" })),
        ("POST", "/api/v2/workflows/stop") => NotFound(json!({ "job_id": "{job_id}" })),
        ("GET", "/api/v2/workflows/pending") => TheirOwn(nothing),
        ("POST", "/api/v2/workflows/{job_id}/resume") => {
            NotFound(json!({ "request_id": "{job_id}", "decision": { "action_id": "x" } }))
        }
        ("POST", "/api/v1/responses") => TheirOwn(json!({ "model": "{flow_id}", "input": "x" })),
        ("GET" | "DELETE", "/api/v1/runs") => TheirOwn(nothing),
        ("GET", "/api/v1/runs/{run_id}" | "/api/v1/runs/{run_id}/events") => NotFound(nothing),
        ("GET", "/api/v1/runs/{run_id}/detail" | "/api/v1/runs/{run_id}/steps/{node}") => NotFound(nothing),
        ("POST", "/api/v1/runs/{run_id}/cancel") => NotFound(nothing),
        ("POST", "/api/v1/runs/{run_id}/fork") => NotFound(json!({})),
        ("GET", "/api/v1/flows/{flow_id}/problems") => NotFound(nothing),
        ("POST", "/api/v1/files/upload/{flow_id}") => TheirOwn(nothing),
        _ => return None,
    })
}

/// One of everything, and what to put in the place of each parameter.
async fn possessions(ada: &Person) -> Vec<(&'static str, String)> {
    let flow = ada
        .post(
            "/api/v1/flows",
            &json!({ "name": "Hers", "data": with_secret("s3cret") }),
        )
        .await
        .expect(201)
        .id();
    let version = ada
        .post(&format!("/api/v1/flows/{flow}/versions"), &json!({}))
        .await
        .expect(201)
        .id();
    let project = ada.project("Her project").await.id();
    let binned = ada.flow("Binned").await.id();
    ada.delete(&format!("/api/v1/flows/{binned}")).await.expect(200);
    let binned_project = ada.project("Binned project").await.id();
    ada.delete(&format!("/api/v1/projects/{binned_project}"))
        .await
        .expect(204);
    let variable = json!({ "name": "HER_KEY", "value": "s3cret", "type": "Credential" });
    let variable = ada.post("/api/v1/variables", &variable).await.expect(201).id();
    let key = ada
        .post("/api/v1/api_key", &json!({ "name": "hers" }))
        .await
        .expect(201)
        .id();
    let file = ada.file("hers.txt", b"her words").await.id();
    let message = json!({ "flow_id": flow, "session_id": "her-session", "text": "Hers" });
    let message = ada
        .post("/api/v1/monitor/messages", &message)
        .await
        .expect(201)
        .id();
    let echo = ada.post("/api/v1/flows", &flow_of(ECHO)).await.expect(201).id();
    ada.post(&format!("/api/v1/run/{echo}"), &json!({ "input_value": "Hers" }))
        .await
        .expect(200);
    let run = ada.get("/api/v1/runs").await.expect(200).json()["items"][0]["id"].clone();
    let run = run.as_str().unwrap().to_owned();
    vec![
        ("{flow_id_or_name}", echo),
        ("{job_id}", run.clone()),
        ("{run_id}", run.clone()),
        ("{node}", "ChatOutput-00out".to_owned()),
        ("{name}", "editor".to_owned()),
        ("{user_id}", ada.id.clone()),
        ("{flow_id}", flow),
        ("{version_id}", version),
        ("{project_id}", project),
        ("{variable_id}", variable),
        ("{api_key_id}", key),
        ("{file_id}", file),
        ("{message_id}", message),
        ("{session_id}", "her-session".to_owned()),
        ("{trace_id}", run),
        ("{class_name}", "HerComponent".to_owned()),
        ("flow/{id}", format!("flow/{binned}")),
        ("project/{id}", format!("project/{binned_project}")),
    ]
}

/// Every row that is not the other person's and not the log of who did what.
async fn rows(site: &Site, other: &Person) -> BTreeSet<(String, String)> {
    let (out, mut incoming) = mpsc::channel(64);
    let (dumped, rows) = tokio::join!(site.app.store.dump(&Principal::System, out), async {
        let mut rows = BTreeSet::new();
        while let Some((table, line)) = incoming.recv().await {
            rows.insert((table.to_owned(), line));
        }
        rows
    });
    dumped.unwrap();
    let theirs: BTreeSet<_> = rows
        .iter()
        .filter(|(_, line)| line.contains(&other.id))
        .cloned()
        .collect();
    let flows: BTreeSet<String> = theirs.iter().filter_map(|(_, line)| id_of(line)).collect();
    let is_ours = |(table, line): &(String, String)| {
        let log = table == "audit" || table == "api_keys";
        !log && !theirs.contains(&(table.clone(), line.clone())) && !flows.iter().any(|id| line.contains(id))
    };
    rows.into_iter().filter(is_ours).collect()
}

fn id_of(line: &str) -> Option<String> {
    serde_json::from_str::<Value>(line).ok()?["id"]
        .as_str()
        .map(str::to_owned)
}

#[tokio::test]
async fn somebody_else_finds_nothing_and_changes_nothing() {
    let site = Site::new().await;
    let (ada, eve) = (site.user("ada").await, site.user("eve").await);
    let hers = possessions(&ada).await;
    let before = rows(&site, &eve).await;
    assert!(before.len() > 8);
    for operation in operations() {
        let Operation { method, path, .. } = &operation;
        let name = format!("{method} {path}");
        let Some(expected) = expectation(method, path) else {
            panic!("{name} has no expectation: say in `expectation` what somebody else is told");
        };
        let kinds: &[&str] = if path.contains("{kind}") {
            &["flow", "project"]
        } else {
            &[""]
        };
        for kind in kinds {
            let fill = |text: &str| {
                let text = text.replace("{kind}", kind);
                hers.iter()
                    .fold(text, |text, (parameter, id)| text.replace(parameter, id))
            };
            let mut path = fill(path);
            assert!(
                !path.contains('{'),
                "{name}: nothing stands for a parameter of {path}"
            );
            match name.as_str() {
                "GET /api/v1/flows/{flow_id}/versions/diff" => path += &fill("?from=draft&to={version_id}"),
                "PUT /api/v2/files/{file_id}" => path += "?name=mine.txt",
                "PATCH /api/v1/monitor/messages/session/{session_id}" => path += "?new_session_id=mine",
                "PATCH /api/v1/monitor/messages/shared/session/{session_id}" => {
                    path += &fill("?new_session_id=mine&source_flow_id={flow_id}");
                }
                shared if shared.contains("/messages/shared") => path += &fill("?source_flow_id={flow_id}"),
                "GET /api/v1/monitor/builds"
                | "DELETE /api/v1/monitor/builds"
                | "GET /api/v1/monitor/transactions"
                | "GET /api/v1/monitor/traces"
                | "DELETE /api/v1/monitor/traces"
                | "DELETE /api/v1/runs" => path += &fill("?flow_id={flow_id}"),
                "GET /api/v2/workflows" => path += &fill("?job_id={job_id}"),
                _ => {}
            }
            let (status, body) = match &expected {
                Other::Open => continue,
                Other::NotFound(body) => (Some(404), body),
                Other::Forbidden(body) => (Some(403), body),
                Other::TheirOwn(body) => (None, body),
            };
            let mut call = eve.call(method, &path);
            if !body.is_null() {
                call = call.json_text(fill(&body.to_string()));
            }
            let answer = call.send().await;
            match status {
                Some(status) => {
                    assert_eq!(answer.status, status, "{name} {path}: {}", answer.text());
                    is_clean_refusal(&answer);
                }
                None => assert!(!answer.status.is_server_error(), "{name}: {}", answer.text()),
            }
            for id in hers.iter().map(|(_, id)| id.rsplit('/').next().unwrap()) {
                assert!(
                    !answer.text().contains(id),
                    "{name} tells of {id}: {}",
                    answer.text()
                );
            }
            assert!(
                !answer.text().contains("s3cret") && !answer.text().contains("Hers"),
                "{name}"
            );
        }
    }
    let foreign = |name: &str| {
        hers.iter()
            .find(|(parameter, _)| *parameter == name)
            .unwrap()
            .1
            .clone()
    };
    let (flow, project) = (foreign("{flow_id}"), foreign("{project_id}"));
    for (method, path, body) in [
        (
            "POST",
            "/api/v1/projects",
            json!({ "name": "x", "flows_list": [flow] }),
        ),
        (
            "POST",
            "/api/v1/projects",
            json!({ "name": "x", "parent_id": project }),
        ),
        (
            "POST",
            "/api/v1/flows",
            json!({ "name": "x", "folder_id": project }),
        ),
        (
            "POST",
            "/api/v1/flows/batch",
            json!({ "flows": [{ "name": "x", "folder_id": project }] }),
        ),
    ] {
        eve.call(method, path)
            .json(&body)
            .send()
            .await
            .refused(404, "not_found");
    }
    let flow_file = br#"{"name":"x","data":{"nodes":[],"edges":[]}}"#;
    let upload = format!("/api/v1/flows/upload?folder_id={project}");
    eve.upload(&upload, &[("file", "x.json", flow_file)])
        .await
        .refused(404, "not_found");
    let listed = eve
        .get(&format!("/api/v1/flows?folder_id={project}"))
        .await
        .expect(200)
        .json();
    assert_eq!(listed, json!([]));
    let taken = eve
        .post("/api/v1/flows", &json!({ "name": "x", "id": flow }))
        .await
        .expect(201)
        .json();
    assert_ne!(taken["id"], flow, "an id that is someone's is not given twice");

    assert_eq!(rows(&site, &eve).await, before, "what is hers is as it was");
    let bytes = ada
        .get(&format!("/api/v2/files/{}", foreign("{file_id}")))
        .await
        .expect(200);
    assert_eq!(bytes.text(), "her words");
}

#[tokio::test]
async fn an_admin_owns_nothing_of_others() {
    let site = Site::new().await;
    let (ada, admin) = (site.user("ada").await, site.admin().await);
    let hers = possessions(&ada).await;
    for path in [
        "/api/v1/flows/{flow_id}",
        "/api/v1/projects/{project_id}",
        "/api/v2/files/{file_id}",
    ] {
        let path = hers.iter().fold(path.to_owned(), |text, (parameter, id)| {
            text.replace(parameter, id)
        });
        admin.get(&path).await.refused(404, "not_found");
        admin.delete(&path).await.refused(404, "not_found");
    }
    let variables = admin.get("/api/v1/variables").await.expect(200).json();
    assert_eq!(variables, json!([]));
}
