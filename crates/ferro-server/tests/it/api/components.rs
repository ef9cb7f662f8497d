//! The list of components, and nodes that change.

use serde_json::{Value, json};

use crate::site::Site;

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
    let custom =
        json!({ "code": "class Mine(Component): pass", "template": {}, "field": "x", "field_value": 1 });
    let refusal = update(custom).await.refused(400, "invalid_flow");
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
