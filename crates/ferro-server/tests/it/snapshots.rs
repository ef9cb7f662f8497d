//! The main answers as they are, so that a change of any of them is seen. Ids and times are named, not shown.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::site::{Site, with_secret};

/// Puts "id 1", "time" and so on in the place of what differs from run to run; the same id keeps its number.
#[derive(Default)]
struct Scrubber {
    ids: HashMap<String, usize>,
}

impl Scrubber {
    fn scrub(&mut self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(&text)),
            Value::Array(items) => items.into_iter().map(|item| self.scrub(item)).collect(),
            Value::Object(members) => members
                .into_iter()
                .map(|(name, value)| (name, self.scrub(value)))
                .collect(),
            other => other,
        }
    }

    fn text(&mut self, text: &str) -> String {
        if let Some((owner, id)) = text.split_once('/')
            && is_id(owner)
            && is_id(id)
        {
            return format!("{}/{}", self.text(owner), self.text(id));
        }
        if is_id(text) {
            let next = self.ids.len() + 1;
            return format!("id {}", self.ids.entry(text.to_owned()).or_insert(next));
        }
        if text.len() == 20 && text.ends_with('Z') && text.as_bytes()[10] == b'T' {
            return "time".to_owned();
        }
        if text.starts_with("sk-") {
            return if text.ends_with('…') { "key…" } else { "key" }.to_owned();
        }
        if text.len() == 43 && !text.contains(' ') {
            return "token".to_owned();
        }
        if text == env!("CARGO_PKG_VERSION") {
            "version".to_owned()
        } else {
            text.to_owned()
        }
    }
}

fn is_id(text: &str) -> bool {
    uuid::Uuid::parse_str(text).is_ok()
}

#[tokio::test]
async fn the_main_answers() {
    let site = Site::new().await;
    let (ada, admin, nobody) = (site.user("ada").await, site.admin().await, site.nobody());
    let mut scrubber = Scrubber::default();
    let mut all = serde_json::Map::new();
    let mut keep = |name: &str, answer: ferro_testkit::Answer| {
        let mut value = answer.json();
        if let Some(id) = value.get_mut("request_id") {
            *id = json!("request id");
        }
        let shown = json!({ "status": answer.status.as_u16(), "body": scrubber.scrub(value.clone()) });
        all.insert(name.to_owned(), shown);
        value
    };

    keep("auto_login", nobody.get("/api/v1/auto_login").await);
    keep("config", nobody.get("/api/v1/config").await);
    keep("version", nobody.get("/api/v1/version").await);
    keep("session of nobody", nobody.get("/api/v1/session").await);
    keep("session", ada.get("/api/v1/session").await);
    keep("whoami", ada.get("/api/v1/users/whoami").await);
    keep("users", admin.get("/api/v1/users").await);
    keep(
        "new key",
        ada.post("/api/v1/api_key", &json!({ "name": "ci" })).await,
    );
    keep("keys", ada.get("/api/v1/api_key").await);
    keep(
        "new variable",
        ada.post("/api/v1/variables", &json!({ "name": "V", "value": "v" }))
            .await,
    );
    let credential = json!({ "name": "C", "value": "s3cret", "type": "Credential" });
    keep("new credential", ada.post("/api/v1/variables", &credential).await);
    let project = keep(
        "new project",
        ada.post("/api/v1/projects", &json!({ "name": "P" })).await,
    );
    let new = json!({ "name": "F", "folder_id": project["id"], "tags": ["t"], "x_unknown": 1, "data": with_secret("s3cret") });
    let flow = keep("new flow", ada.post("/api/v1/flows", &new).await);
    let path = format!("/api/v1/flows/{}", flow["id"].as_str().unwrap());
    keep(
        "flow headers",
        ada.get("/api/v1/flows?header_flows=true&page=1").await,
    );
    keep(
        "project page",
        ada.get(&format!(
            "/api/v1/projects/{}?page=1",
            project["id"].as_str().unwrap()
        ))
        .await,
    );
    keep(
        "exported flow",
        ada.post("/api/v1/flows/download", &json!([flow["id"]])).await,
    );
    keep(
        "stale",
        ada.call("PATCH", &path)
            .header("if-match", "\"7\"")
            .json(&json!({}))
            .send()
            .await,
    );
    let version = keep(
        "new version",
        ada.post(&format!("{path}/versions"), &json!({ "description": "d" }))
            .await,
    );
    keep("versions", ada.get(&format!("{path}/versions")).await);
    keep(
        "one version",
        ada.get(&format!("{path}/versions/{}", version["id"].as_str().unwrap()))
            .await,
    );
    let other = json!({ "data": { "nodes": [{ "id": "n", "type": "noteNode" }], "edges": [] } });
    keep("diff", ada.post(&format!("{path}/diff"), &other).await);
    keep(
        "new file",
        ada.upload("/api/v2/files", &[("file", "a.txt", b"abc")]).await,
    );
    keep("deleted flow", ada.delete(&path).await);
    keep("trash", ada.get("/api/v1/trash").await);
    keep(
        "restored",
        ada.post(
            &format!("/api/v1/trash/flow/{}/restore", flow["id"].as_str().unwrap()),
            &json!({}),
        )
        .await,
    );
    keep("unauthenticated", nobody.get("/api/v1/flows").await);
    keep(
        "not found",
        ada.get(&format!("/api/v1/flows/{}", uuid::Uuid::nil())).await,
    );
    keep(
        "invalid",
        ada.post("/api/v1/flows", &json!({ "name": "", "tags": 1 })).await,
    );
    keep(
        "unknown field",
        ada.post(
            "/api/v1/variables",
            &json!({ "name": "x", "value": "", "surprise": 1 }),
        )
        .await,
    );
    keep(
        "unreadable",
        ada.call("POST", "/api/v1/flows").json_text("{").send().await,
    );
    keep("forbidden", ada.get("/api/v1/users").await);
    keep(
        "name taken",
        ada.post("/api/v1/variables", &json!({ "name": "V", "value": "" }))
            .await,
    );
    keep(
        "auto_login refused",
        nobody
            .call("GET", "/api/v1/auto_login")
            .header("via", "1.1 x")
            .send()
            .await,
    );
    insta::assert_json_snapshot!("main_answers", all);
}
