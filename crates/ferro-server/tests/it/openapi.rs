//! The OpenAPI document: committed, and true.

use std::{collections::BTreeSet, path::Path};

use ferro_server::router::openapi_json;
use serde_json::{Value, json};

use crate::site::Site;

#[test]
fn the_committed_document_is_the_generated_one() {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    let committed = std::fs::read_to_string(committed).unwrap();
    assert!(
        committed.trim_end() == openapi_json().trim_end(),
        "docs/openapi.json is not what the server says: run `cargo xtask generate`"
    );
}

fn document() -> Value {
    serde_json::from_str(openapi_json()).unwrap()
}

/// The names a schema says an object has, those of its parts included.
fn properties(document: &Value, schema: &Value) -> BTreeSet<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap();
        return properties(document, &document["components"]["schemas"][name]);
    }
    let mut names: BTreeSet<String> = schema["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name.clone())
        .collect();
    for part in schema["allOf"].as_array().into_iter().flatten() {
        names.extend(properties(document, part));
    }
    names
}

#[track_caller]
fn has_shape(document: &Value, answer: &Value, schema: &str) {
    let said = properties(
        document,
        &json!({ "$ref": format!("#/components/schemas/{schema}") }),
    );
    let given: BTreeSet<String> = answer.as_object().expect("an object").keys().cloned().collect();
    assert_eq!(given, said, "{schema}");
}

#[tokio::test]
async fn answers_have_the_members_their_schemas_name() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let admin = site.admin().await;
    let document = document();
    let shape = |answer: &Value, schema: &str| has_shape(&document, answer, schema);

    let flow = ada.flow("One").await;
    let id = flow.id();
    shape(&flow.json(), "FlowRead");
    shape(&ada.get(&format!("/api/v1/flows/{id}")).await.json(), "FlowRead");
    shape(&ada.get("/api/v1/flows").await.json()[0], "FlowRead");
    shape(
        &ada.get("/api/v1/flows?header_flows=true").await.json()[0],
        "FlowHeader",
    );
    let page = ada.get("/api/v1/flows?page=1&header_flows=true").await.json();
    shape(&page, "FlowHeaderPage");
    shape(&page["items"][0], "FlowHeader");
    shape(&ada.get("/api/v1/flows?page=1").await.json(), "FlowPage");
    let stale = ada
        .call("PATCH", &format!("/api/v1/flows/{id}"))
        .header("if-match", "\"9\"")
        .json(&json!({}))
        .send()
        .await;
    shape(&stale.expect(409).json(), "StaleBody");
    let diff = ada
        .post(
            &format!("/api/v1/flows/{id}/diff"),
            &json!({ "data": { "nodes": [{ "id": "a" }], "edges": [] } }),
        )
        .await;
    let diff = diff.expect(200).json();
    shape(&diff, "FlowDiffRead");
    shape(&diff["summary"], "DiffSummary");
    shape(&diff["nodes_added"][0], "NodeRef");

    let version = ada
        .post(&format!("/api/v1/flows/{id}/versions"), &json!({}))
        .await
        .json();
    shape(&version, "VersionRead");
    shape(
        &ada.get(&format!("/api/v1/flows/{id}/versions")).await.json(),
        "VersionPage",
    );
    let one = format!("/api/v1/flows/{id}/versions/{}", version["id"].as_str().unwrap());
    shape(&ada.get(&one).await.json(), "VersionWithData");

    let project = ada.project("P").await.json();
    shape(&project, "ProjectRead");
    let one = format!("/api/v1/projects/{}", project["id"].as_str().unwrap());
    shape(&ada.get(&one).await.json(), "ProjectWithFlows");
    let page = ada.get(&format!("{one}?page=1")).await.json();
    shape(&page, "ProjectWithPage");
    shape(&page["folder"], "ProjectRead");
    shape(&page["flows"], "FlowHeaderPage");

    let variable = json!({ "name": "V", "value": "v", "type": "Credential" });
    shape(
        &ada.post("/api/v1/variables", &variable).await.json(),
        "VariableRead",
    );
    shape(
        &ada.post("/api/v1/api_key", &json!({ "name": "k" })).await.json(),
        "ApiKeyRead",
    );
    let keys = ada.get("/api/v1/api_key").await.json();
    shape(&keys, "ApiKeyList");
    shape(&keys["api_keys"][0], "ApiKeyRead");
    shape(&ada.file("a.txt", b"a").await.json(), "FileRead");
    shape(&ada.get("/api/v2/files").await.json()[0], "FileRead");
    shape(&ada.get("/api/v1/users/whoami").await.json(), "UserRead");
    let people = admin.get("/api/v1/users").await.json();
    shape(&people, "UserPage");
    shape(&people["users"][0], "UserRead");

    shape(&ada.delete(&format!("/api/v1/flows/{id}")).await.json(), "Done");
    let trash = ada.get("/api/v1/trash").await.json();
    shape(&trash, "TrashList");
    shape(&trash["items"][0], "TrashRead");
    shape(
        &ada.post(&format!("/api/v1/trash/flow/{id}/restore"), &json!({}))
            .await
            .json(),
        "Restored",
    );
    shape(&ada.delete("/api/v1/trash").await.json(), "Deleted");

    let nobody = site.nobody();
    shape(&nobody.get("/api/v1/auto_login").await.json(), "Tokens");
    shape(&nobody.get("/api/v1/session").await.json(), "Session");
    shape(&nobody.get("/api/v1/config").await.json(), "ConfigRead");
    shape(&nobody.get("/api/v1/version").await.json(), "Version");
    shape(&nobody.get("/health").await.json(), "Health");
    shape(&nobody.get("/health_check").await.json(), "HealthCheck");
    let invalid = ada
        .post("/api/v1/variables", &json!({ "name": "", "value": "" }))
        .await
        .refused(422, "invalid");
    shape(&invalid, "ErrorBody");
    shape(&invalid["errors"][0], "FieldError");
}

#[test]
fn every_operation_is_described_well_enough_to_call() {
    let document = document();
    let mut ids = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let id = operation["operationId"].as_str().unwrap();
            assert!(ids.insert(id.to_owned()), "{id} names two operations");
            assert!(
                operation["tags"].as_array().is_some_and(|tags| tags.len() == 1),
                "{method} {path}"
            );
            let responses = operation["responses"].as_object().unwrap();
            assert!(
                responses.keys().any(|status| status.starts_with('2')),
                "{method} {path}"
            );
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            let named: BTreeSet<_> = parameters
                .filter(|p| p["in"] == "path")
                .map(|p| p["name"].as_str().unwrap())
                .collect();
            for parameter in path
                .split('/')
                .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
            {
                assert!(named.contains(parameter), "{method} {path}: {parameter}");
            }
        }
    }
}

/// The document knows types by their bare names: of two with one name, one would silently stand for both.
#[test]
fn no_two_types_share_a_name() {
    let mut seen = std::collections::BTreeMap::new();
    let mut folders = vec![std::path::PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src"
    ))];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let derived = text.split("#[derive(").skip(1).filter(|rest| {
                rest.split(')')
                    .next()
                    .is_some_and(|list| list.contains("ToSchema"))
            });
            for rest in derived {
                let words: Vec<&str> = rest.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
                let at = words
                    .iter()
                    .position(|word| matches!(*word, "struct" | "enum"))
                    .unwrap();
                let name = words[at + 1].to_owned();
                if let Some(other) = seen.insert(name.clone(), path.clone()) {
                    panic!(
                        "{name} is in {} and in {}: give one another name",
                        other.display(),
                        path.display()
                    );
                }
            }
        }
    }
    assert!(seen.len() > 50, "only {} types were found", seen.len());
}
