//! The starter flows, and flows that are made from them.

use serde_json::{Value, json};

use crate::site::{Person, Site};

/// The node with this name.
fn node<'a>(flow: &'a Value, name: &str) -> &'a Value {
    let nodes = flow["data"]["nodes"].as_array().unwrap();
    let called = |node: &&Value| node["data"]["node"]["display_name"] == name;
    nodes
        .iter()
        .find(called)
        .unwrap_or_else(|| panic!("no node {name}"))
}

async fn examples(site: &Site) -> Vec<Value> {
    let list = site
        .nobody()
        .get("/api/v1/flows/basic_examples/")
        .await
        .expect(200)
        .json();
    list.as_array().unwrap().clone()
}

async fn made(ada: &Person, list: &[Value], name: &str) -> String {
    let starter = list.iter().find(|starter| starter["name"] == name).unwrap();
    ada.post("/api/v1/flows", starter).await.expect(201).id()
}

async fn answer(ada: &Person, flow: &str, body: &Value) -> String {
    let answer = ada
        .post(&format!("/api/v1/run/{flow}"), body)
        .await
        .expect(200)
        .json();
    answer["outputs"][0]["outputs"][0]["results"]["message"]["text"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[tokio::test]
async fn anyone_sees_the_examples_and_gets_them_once() {
    let site = Site::new().await;
    let first = site
        .nobody()
        .get("/api/v1/flows/basic_examples")
        .await
        .expect(200);
    let list = first.json();
    let list = list.as_array().unwrap();
    assert!(list.len() >= 8);
    for starter in list {
        let name = &starter["name"];
        assert!(
            starter["description"].is_string() && starter["icon"].is_string(),
            "{name}"
        );
        assert!(!starter["tags"].as_array().unwrap().is_empty(), "{name}");
        assert!(
            starter["user_id"].is_null() && starter["folder_id"].is_null(),
            "{name}"
        );
        assert!(
            starter["data"]["edges"].is_array() && starter["data"]["viewport"].is_object(),
            "{name}"
        );
        let nodes = starter["data"]["nodes"].as_array().unwrap();
        assert!(
            nodes.iter().any(|node| node["type"] == "noteNode"),
            "{name} has a note"
        );
        assert_eq!(starter["webhook"], name == "Webhook");
    }
    let etag = first.header("etag").to_owned();
    for tag in [etag.clone(), format!("W/{etag}"), format!("\"x\", {etag}")] {
        let again = site
            .nobody()
            .with("if-none-match", &tag)
            .get("/api/v1/flows/basic_examples")
            .await;
        assert_eq!((again.status.as_u16(), again.text().len()), (304, 0), "{tag}");
    }
    let other = site
        .nobody()
        .with("if-none-match", "\"x\"")
        .get("/api/v1/flows/basic_examples")
        .await;
    assert_eq!(other.status, 200);
}

#[tokio::test]
async fn the_graphs_are_for_those_who_are_signed_in() {
    let site = Site::new().await;
    site.nobody()
        .get("/api/v1/starter-projects")
        .await
        .refused(401, "unauthenticated");
    let ada = site.user("ada").await;
    let graphs = ada.get("/api/v1/starter-projects/").await.expect(200);
    assert!(graphs.header("etag").starts_with('"'));
    let graphs = graphs.json();
    let examples = examples(&site).await;
    assert_eq!(graphs.as_array().unwrap().len(), examples.len());
    for (graph, example) in graphs.as_array().unwrap().iter().zip(&examples) {
        assert_eq!(
            (&graph["name"], &graph["data"]),
            (&example["name"], &example["data"])
        );
        assert_eq!(
            (&graph["is_component"], &graph["endpoint_name"]),
            (&json!(false), &Value::Null)
        );
    }
}

#[tokio::test]
async fn every_example_becomes_a_flow_of_its_maker() {
    let site = Site::new().await;
    let (ada, bob) = (site.user("ada").await, site.user("bob").await);
    for starter in examples(&site).await {
        let hers = ada.post("/api/v1/flows", &starter).await.expect(201).json();
        let his = bob.post("/api/v1/flows", &starter).await.expect(201).json();
        for (flow, owner) in [(&hers, &ada), (&his, &bob)] {
            assert_eq!(
                (&flow["name"], &flow["data"]),
                (&starter["name"], &starter["data"])
            );
            assert_eq!(flow["user_id"], owner.id);
            let problems = owner
                .get(&format!(
                    "/api/v1/flows/{}/problems",
                    flow["id"].as_str().unwrap()
                ))
                .await;
            assert_eq!(problems.expect(200).json(), json!([]), "{}", starter["name"]);
        }
        assert_ne!(hers["id"], his["id"]);
        let again = ada.post("/api/v1/flows", &starter).await.expect(201).json();
        assert_eq!(
            again["name"],
            format!("{} (1)", starter["name"].as_str().unwrap())
        );
    }
}

#[tokio::test]
async fn flows_made_from_them_run() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let list = examples(&site).await;
    let echo = made(&ada, &list, "Echo").await;
    assert_eq!(
        answer(&ada, &echo, &json!({ "input_value": "hello" })).await,
        "hello"
    );
    let calculator = made(&ada, &list, "Calculator").await;
    assert_eq!(
        answer(&ada, &calculator, &json!({ "input_value": "6 * 7" })).await,
        "42"
    );
    let report = made(&ada, &list, "CSV report").await;
    let starter = list
        .iter()
        .find(|starter| starter["name"] == "CSV report")
        .unwrap();
    let one = json!({ node(starter, "Top three")["id"].as_str().unwrap(): { "num_rows": 1 } });
    let said = answer(&ada, &report, &json!({ "tweaks": one })).await;
    assert_eq!(
        said,
        "# Best sellers\n\n| product | sold |\n| :--- | :--- |\n| Chair | 210 |"
    );
}

#[tokio::test]
async fn a_flow_may_run_a_starter_until_there_is_one_of_ones_own() {
    let site = Site::new().await;
    let (ada, bob) = (site.user("ada").await, site.user("bob").await);
    let list = examples(&site).await;
    let sub = made(&ada, &list, "Sub-flow").await;
    let input = json!({ "input_value": "one  two" });
    let starters = "Text pipeline says:\n\nOne Two\n\nWords: 2 (2 different), lines: 1";
    assert_eq!(answer(&ada, &sub, &input).await, starters);
    let echo = list.iter().find(|starter| starter["name"] == "Echo").unwrap();
    let own = json!({ "name": "Text pipeline", "data": echo["data"] });
    bob.post("/api/v1/flows", &own).await.expect(201);
    assert_eq!(
        answer(&ada, &sub, &input).await,
        starters,
        "what is someone else's is not run"
    );
    ada.post("/api/v1/flows", &own).await.expect(201);
    assert_eq!(
        answer(&ada, &sub, &input).await,
        "Text pipeline says:\n\none  two"
    );
}
