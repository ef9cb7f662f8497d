//! Flows whose nodes have Python of their own.

use ferro_server::config::CustomComponents;
use ferro_store::{Principal, Window};
use serde_json::{Value, json};

use super::custom_components::make;
use crate::site::{Person, Site};
use crate::specs::flow;

const SHOUT: &str = r#"from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.message import Message


class Shout(Component):
    display_name = "Shout"
    inputs = [MessageTextInput(name="input_value", display_name="Text", tool_mode=True)]
    outputs = [Output(name="text", display_name="Text", method="shout")]

    def shout(self) -> Message:
        if self.input_value == "quietly":
            raise ValueError("cannot shout quietly")
        return Message(text=self.input_value.upper() + "!")
"#;

const FLOW: &str = "
nodes:
  in: ChatInput
  mid: TextOutput
  out: ChatOutput
edges:
  in.message -> mid.input_value
  mid.text -> out.input_value
";

/// The flow with this node in its middle.
fn around(node: &Value) -> Value {
    let mut flow = flow(FLOW);
    let nodes = flow["data"]["nodes"].as_array_mut().unwrap();
    let middle = nodes.iter_mut().find(|node| node["data"]["type"] == "TextOutput");
    middle.unwrap()["data"]["node"] = node.clone();
    flow
}

async fn saved(person: &Person, flow: &Value) -> String {
    person.post("/api/v1/flows", flow).await.expect(201).id()
}

#[tokio::test]
async fn a_pasted_component_runs() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let node = make(&ada, SHOUT, None).await["data"].take();
    let flow = saved(&ada, &around(&node)).await;
    let run = async |text: &str| {
        let body = json!({ "input_value": text });
        ada.post(&format!("/api/v1/run/{flow}"), &body).await
    };
    let answer = run("hello").await.expect(200).json();
    let text = answer.pointer("/outputs/0/outputs/0/results/message/text");
    assert_eq!(text, Some(&json!("HELLO!")), "{answer}");
    let failed = run("quietly").await.refused(400, "run_failed");
    let detail = failed["detail"].as_str().unwrap();
    assert!(
        detail.contains("cannot shout quietly") && detail.contains("13"),
        "{detail}"
    );
}

#[tokio::test]
async fn unsafe_code_never_runs_and_is_written_down() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let mut node = make(&ada, SHOUT, None).await["data"].take();
    let code = SHOUT.replace(
        "        if self",
        "        open(\"/etc/passwd\")\n        if self",
    );
    node["template"]["code"]["value"] = code.into();
    let flow = saved(&ada, &around(&node)).await;
    let refused = ada
        .post(&format!("/api/v1/run/{flow}"), &json!({ "input_value": "x" }))
        .await
        .refused(400, "invalid_flow");
    let detail = refused["detail"].as_str().unwrap();
    assert!(
        detail.starts_with("Refused to run: unsafe component code detected — ") && detail.contains("line 12"),
        "{detail}"
    );
    let problems = ada
        .get(&format!("/api/v1/flows/{flow}/problems"))
        .await
        .expect(200)
        .json();
    let known = problems
        .as_array()
        .into_iter()
        .flatten()
        .find(|problem| problem["code"] == "unsafe_code");
    let told = known
        .and_then(|problem| problem["message"].as_str())
        .unwrap_or_default();
    assert!(told.contains("line 12"), "it is known before the run: {problems}");
    let log = site.app.store.audit_log(&Principal::System, Window::ALL);
    let log = log.await.unwrap();
    assert!(
        log.iter()
            .any(|entry| entry.action == "code.refused" && entry.target.contains(&flow))
    );
}

#[tokio::test]
async fn code_does_not_run_where_an_operator_switched_it_off() {
    let site = Site::with(|config| config.python.custom_components = CustomComponents::Admins).await;
    let (ada, admin) = (site.user("ada").await, site.admin().await);
    let node = make(&admin, SHOUT, None).await["data"].take();
    for (person, status) in [(&ada, 403), (&admin, 200)] {
        let flow = saved(person, &around(&node)).await;
        let body = json!({ "input_value": "x" });
        let answer = person.post(&format!("/api/v1/run/{flow}"), &body).await;
        assert_eq!(answer.status, status, "{}", answer.text());
    }
}

#[tokio::test]
async fn visitors_do_not_run_the_code_of_others() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let node = make(&ada, SHOUT, None).await["data"].take();
    let mut shared = around(&node);
    shared["access_type"] = "PUBLIC".into();
    let flow = saved(&ada, &shared).await;
    let body = json!({ "flow_id": flow, "input_value": "x" });
    let answer = site.nobody().post("/api/v2/workflows/public", &body).await;
    answer.refused(400, "NOT_RUNNABLE_PUBLICLY");
}
