//! The list of components, and nodes that change.

use serde_json::{Value, json};

use crate::{site::Site, specs::flow};

#[tokio::test]
async fn the_list_is_sent_once() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let first = ada.get("/api/v1/all").await.expect(200);
    let all = first.json();
    assert_eq!(all["input_output"]["ChatInput"]["display_name"], "Chat Input");
    assert_eq!(all["component_display_names"]["ChatOutput"], "Chat Output");
    let etag = first.header("etag").to_owned();
    let again = ada
        .call("GET", "/api/v1/all")
        .header("if-none-match", &etag)
        .send()
        .await;
    assert_eq!((again.status.as_u16(), again.text().len()), (304, 0));
    let other = ada
        .call("GET", "/api/v1/all")
        .header("if-none-match", "\"x\"")
        .send()
        .await;
    assert_eq!(other.status, 200);
}

#[tokio::test]
async fn a_prompt_has_a_field_for_each_variable() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let check = async |body: Value| ada.post("/api/v1/validate/prompt", &body).await;
    let node = json!({ "template": { "_type": "Component", "old": { "value": "x" } }, "custom_fields": { "template": ["old"] } });
    let body =
        json!({ "name": "template", "template": "Hi {name} from {place}, {{not}}", "frontend_node": node });
    let answer = check(body).await.expect(200).json();
    assert_eq!(answer["input_variables"], json!(["name", "place"]));
    let template = &answer["frontend_node"]["template"];
    assert!(template["name"].is_object() && template["place"].is_object() && template.get("old").is_none());
    assert_eq!(
        answer["frontend_node"]["custom_fields"]["template"],
        json!(["name", "place"])
    );
    let bare = check(json!({ "template": "{{a}} {b}", "mustache": true }))
        .await
        .expect(200)
        .json();
    assert_eq!(bare, json!({ "input_variables": ["a"], "frontend_node": null }));
    check(json!({ "name": "template", "template": "{ }" }))
        .await
        .refused(400, "invalid_flow");
    check(json!({ "name": "template" })).await.refused(422, "invalid");
}

#[tokio::test]
async fn a_node_changes_with_its_field() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let update = async |body: Value| ada.post("/api/v1/custom_component/update", &body).await;
    let all = ada.get("/api/v1/all").await.expect(200).json();
    let node = all["data_source"]["URLComponent"].clone();
    assert!(node.is_object());
    let on = json!({ "code": "", "template": node["template"], "field": "tool_mode", "field_value": true, "tool_mode": true,
        "frontend_node": node });
    let tool = update(on).await.expect(200).json();
    assert_eq!(tool["outputs"][0]["name"], "component_as_tool");
    let rows = tool["template"]["tools_metadata"]["value"].as_array().unwrap();
    assert!(
        !rows.is_empty()
            && rows
                .iter()
                .all(|row| row["status"] == true && row["tags"][0].is_string())
    );
    let off = json!({ "type": "URLComponent", "template": tool["template"], "field": "tool_mode", "field_value": false,
        "frontend_node": tool });
    let back = update(off).await.expect(200).json();
    assert_eq!(back["outputs"], node["outputs"]);
    let unknown = json!({ "code": "", "type": "NoSuch", "template": {}, "field": "x", "field_value": 1 });
    let refusal = update(unknown).await.refused(400, "invalid_flow");
    assert!(
        refusal["detail"].as_str().unwrap().contains("knows no component"),
        "{refusal}"
    );
    update(json!({ "code": "" })).await.refused(422, "invalid");
}

#[tokio::test]
async fn run_flow_offers_ones_own_flows() {
    let site = Site::new().await;
    let (ada, eve) = (site.user("ada").await, site.user("eve").await);
    let hers = ada.flow("Hers").await.id();
    eve.flow("Eve's").await;
    let change =
        json!({ "type": "RunFlow", "template": {}, "field": "flow_name_selected", "field_value": "Hers" });
    let node = ada
        .post("/api/v1/custom_component/update", &change)
        .await
        .expect(200)
        .json();
    assert_eq!(node["template"]["flow_name_selected"]["options"], json!(["Hers"]));
    assert_eq!(node["template"]["flow_id_selected"]["value"], hers);
}

const INNER: &str = "
name: Inner
description: Says it louder.
nodes:
  ask: ChatInput
  hint: TextInput
  out: ChatOutput
  note: TextOutput
edges:
  ask.message -> out.input_value
  hint.text -> note.input_value
";

const OUTER: &str = "
name: Outer
nodes:
  call: RunFlow
  in: ChatInput
  out: ChatOutput
edges:
  in.message -> call.input_value
  call.flow_output -> out.input_value
";

/// The outer flow with this Run Flow node, its wires led to that field and from that output.
fn outer(node: &Value, field: &str, output: &str) -> Value {
    let mut outer = flow(OUTER);
    outer["name"] = format!("{field} {output}").into();
    outer["data"]["nodes"][0]["data"]["node"] = node.clone();
    for edge in outer["data"]["edges"].as_array_mut().unwrap() {
        let edge = edge.as_object_mut().unwrap();
        let (from, to) = (edge.remove("sourceHandle"), edge.remove("targetHandle"));
        assert!(from.is_some() && to.is_some());
    }
    outer["data"]["edges"][0]["data"]["targetHandle"]["fieldName"] = field.into();
    outer["data"]["edges"][1]["data"]["sourceHandle"]["name"] = output.into();
    outer
}

#[tokio::test]
async fn a_chosen_flow_lends_its_inputs_and_outputs_to_the_node() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let inner = ada.post("/api/v1/flows", &flow(INNER)).await.expect(201).id();
    let update = async |node: &Value, field: &str, value: Value| {
        let body = json!({ "type": "RunFlow", "template": node["template"], "field": field, "field_value": value,
            "tool_mode": node["tool_mode"], "frontend_node": node });
        let answer = ada.post("/api/v1/custom_component/update", &body).await;
        answer.expect(200).json()
    };
    let fresh = flow(OUTER)["data"]["nodes"][0]["data"]["node"].clone();
    let mut node = update(&fresh, "flow_name_selected", json!("Inner")).await;
    assert_eq!(node["outputs"][1]["name"], "TextOutput-0note~text");

    // A run uses what was typed and what wires bring.
    let (asked, hinted) = ("ChatInput-00ask~input_value", "TextInput-0hint~input_value");
    node["template"][asked]["value"] = "typed".into();
    node["template"][hinted]["value"] = "hinted".into();
    for (field, output, expected) in [
        (asked, "ChatOutput-00out~message", "wired"),
        (hinted, "ChatOutput-00out~message", "typed"),
        (asked, "TextOutput-0note~text", "hinted"),
        (hinted, "TextOutput-0note~text", "wired"),
        ("input_value", "ChatOutput-00out~message", "wired"),
    ] {
        let saved = ada.post("/api/v1/flows", &outer(&node, field, output)).await;
        let run = format!("/api/v1/run/{}", saved.expect(201).id());
        let answer = ada.post(&run, &json!({ "input_value": "wired" })).await;
        let answer = answer.expect(200).json();
        let text = answer.pointer("/outputs/0/outputs/0/results/message/text");
        assert_eq!(text, Some(&json!(expected)), "{field} {output}: {answer}");
    }

    // The inner flow was renamed and has another input.
    let mut changed = flow(&INNER.replace("  note: TextOutput", "  note: TextOutput\n  extra: TextInput"));
    changed["name"] = "Renamed".into();
    ada.patch(&format!("/api/v1/flows/{inner}"), &changed)
        .await
        .expect(200);
    let again = update(&node, "flow_name_selected", json!("Inner")).await;
    let template = &again["template"];
    assert_eq!(template["flow_name_selected"]["value"], "Renamed");
    assert_eq!(template[asked]["value"], "typed");
    assert!(template["TextInput-extra~input_value"].is_object());
    assert_eq!(again["outputs"], node["outputs"]);

    // As a tool it takes the flow's inputs, under the flow's name.
    let tool = update(&again, "tool_mode", json!(true)).await;
    assert_eq!(tool["outputs"][0]["name"], "component_as_tool");
    let row = &tool["template"]["tools_metadata"]["value"][0];
    assert_eq!(row["name"], "Renamed");
    let args: Vec<&String> = row["args"].as_object().unwrap().keys().collect();
    assert_eq!(
        args,
        [
            "ChatInput-00ask-input_value",
            "TextInput-0hint-input_value",
            "TextInput-extra-input_value"
        ]
    );
    let back = update(&tool, "tool_mode", json!(false)).await;
    assert_eq!(back["outputs"], node["outputs"]);

    let none = update(&back, "flow_name_selected", json!("")).await;
    let left = none["template"].as_object().unwrap();
    assert!(left.keys().all(|name| !name.contains('~')));
    assert_eq!(none["outputs"], fresh["outputs"]);
}
