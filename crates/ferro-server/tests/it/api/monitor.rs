//! What the logs of runs tell: builds, transactions, traces.

use ferro_testkit::{Outside, until};
use serde_json::{Value, json};

use crate::{
    site::{Person, Site, texts},
    specs::flow as flow_of,
};

/// Chat Input → Chat Output, out of the server's own list of components.
pub async fn echo(person: &Person) -> String {
    let all = person.get("/api/v1/all").await.expect(200).json();
    let node = |kind: &str| {
        let id = format!("{kind}-1");
        json!({ "id": id, "type": "genericNode", "position": { "x": 0, "y": 0 },
            "data": { "id": id, "type": kind, "node": all["input_output"][kind] } })
    };
    let source = json!({ "dataType": "ChatInput", "id": "ChatInput-1", "name": "message", "output_types": ["Message"] });
    let target =
        json!({ "fieldName": "input_value", "id": "ChatOutput-1", "inputTypes": ["Message"], "type": "str" });
    let text = |handle: &Value| handle.to_string().replace('"', "œ");
    let edge = json!({ "id": "e", "source": "ChatInput-1", "target": "ChatOutput-1",
        "sourceHandle": text(&source), "targetHandle": text(&target),
        "data": { "sourceHandle": source, "targetHandle": target } });
    let data = json!({ "nodes": [node("ChatInput"), node("ChatOutput")], "edges": [edge] });
    person
        .post("/api/v1/flows", &json!({ "name": "Echo", "data": data }))
        .await
        .expect(201)
        .id()
}

async fn run(person: &Person, flow: &str, text: &str) {
    let body = json!({ "input_value": text, "session_id": "s" });
    person
        .post(&format!("/api/v1/run/{flow}"), &body)
        .await
        .expect(200);
}

#[tokio::test]
async fn builds_tell_what_each_node_produced_last() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let flow = echo(&ada).await;
    let path = format!("/api/v1/monitor/builds?flow_id={flow}");
    assert_eq!(
        ada.get(&path).await.expect(200).json(),
        json!({ "vertex_builds": {} })
    );
    for text in ["one", "two", "three"] {
        run(&ada, &flow, text).await;
    }
    let builds = ada.get(&path).await.expect(200).json();
    let of_output = builds["vertex_builds"]["ChatOutput-1"].as_array().unwrap();
    let said: Vec<_> = of_output
        .iter()
        .map(|build| &build["data"]["outputs"]["message"]["message"])
        .collect();
    assert_eq!(
        said,
        ["three", "two"],
        "the newest first, and no more than are kept of one node"
    );
    assert_eq!(
        (&of_output[0]["valid"], &of_output[0]["flow_id"]),
        (&json!(true), &json!(flow))
    );

    ada.delete(&path).await.expect(204);
    assert_eq!(
        ada.get(&path).await.expect(200).json(),
        json!({ "vertex_builds": {} })
    );
    let missing = format!("/api/v1/monitor/builds?flow_id={}", uuid::Uuid::new_v4());
    ada.get(&missing).await.refused(404, "not_found");
    ada.get("/api/v1/monitor/builds").await.refused(422, "invalid");
}

#[tokio::test]
async fn transactions_come_in_pages() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let flow = echo(&ada).await;
    for text in ["one", "two"] {
        run(&ada, &flow, text).await;
    }
    let path = |page: u32| format!("/api/v1/monitor/transactions?flow_id={flow}&page={page}&size=3");
    let first = ada.get(&path(1)).await.expect(200).json();
    assert_eq!(
        (&first["total"], &first["pages"], &first["page"]),
        (&json!(4), &json!(2), &json!(1))
    );
    let items = first["items"].as_array().unwrap();
    let nodes: Vec<_> = items
        .iter()
        .map(|item| item["vertex_id"].as_str().unwrap())
        .collect();
    assert_eq!(nodes, ["ChatOutput-1", "ChatInput-1", "ChatOutput-1"]);
    assert_eq!(items[0]["outputs"]["message"]["message"], "two");
    assert_eq!(items[0]["inputs"], json!({ "ChatInput-1": "two" }));
    assert_eq!(
        (&items[0]["status"], &items[0]["error"]),
        (&json!("success"), &Value::Null)
    );
    assert_eq!(
        ada.get(&path(2)).await.expect(200).json()["items"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_eq!(ada.get(&path(9)).await.expect(200).json()["items"], json!([]));
    let huge = format!("/api/v1/monitor/transactions?flow_id={flow}&size=101");
    ada.get(&huge).await.refused(422, "invalid");
}

#[tokio::test]
async fn one_trace_is_deleted_and_only_when_it_is_over() {
    let outside = Outside::closed().await;
    let address = outside.address.to_string();
    let site = Site::with(|config| config.egress_allow = vec![address]).await;
    let (ada, eve) = (site.user("ada").await, site.user("eve").await);
    let flow = echo(&ada).await;
    for text in ["apple", "pear"] {
        run(&ada, &flow, text).await;
    }
    let inputs = async || {
        let traces = ada.get("/api/v1/monitor/traces").await.expect(200).json();
        texts(&traces["traces"], "input")
    };
    let traces = ada.get("/api/v1/monitor/traces").await.expect(200).json();
    let path = format!(
        "/api/v1/monitor/traces/{}",
        traces["traces"][0]["id"].as_str().unwrap()
    );
    eve.delete(&path).await.refused(404, "not_found");
    assert_eq!(inputs().await, ["pear", "apple"]);
    ada.delete(&path).await.expect(204);
    assert_eq!(inputs().await, ["apple"]);
    ada.get(&path).await.refused(404, "not_found");
    ada.delete(&path).await.refused(404, "not_found");
    let said = ada
        .get(&format!("/api/v1/monitor/messages?flow_id={flow}"))
        .await
        .expect(200)
        .json();
    assert_eq!(said.as_array().unwrap().len(), 4, "what was said stays");

    let (job, _) = hanging(&ada, &outside).await;
    let path = format!("/api/v1/monitor/traces/{job}");
    eve.delete(&path).await.refused(404, "not_found");
    ada.delete(&path).await.refused(409, "refused");
    outside.let_through(1);
    until("the run to be over", || async {
        (ada.delete(&path).await.status == 204).then_some(())
    })
    .await;
}

/// A run in the background whose request hangs until it is let through.
async fn hanging(person: &Person, outside: &Outside) -> (String, String) {
    let spec = "nodes:\n get: APIRequest\n text: ParserComponent\n out: ChatOutput\nedges:\n get.data -> text.input_data\n \
                text.parsed_text -> out.input_value\nconfig:\n text.mode: Stringify";
    let flow = person
        .post("/api/v1/flows", &flow_of(spec))
        .await
        .expect(201)
        .id();
    let tweaks = json!({ "APIRequest-00get": { "url_input": outside.url("/slow") } });
    let body = json!({ "flow_id": flow, "mode": "background", "tweaks": tweaks });
    let job = person.post("/api/v2/workflows", &body).await.expect(202).json();
    (job["job_id"].as_str().unwrap().to_owned(), flow)
}

#[tokio::test]
async fn the_queue_tells_of_ones_own_runs() {
    let outside = Outside::closed().await;
    let address = outside.address.to_string();
    let site = Site::with(|config| {
        config.egress_allow = vec![address];
        config.max_runs = 7;
    })
    .await;
    let (ada, eve) = (site.user("ada").await, site.user("eve").await);
    let queue = async |person: &Person| person.get("/api/v1/monitor/job_queue").await.expect(200).json();
    let nothing = json!({ "queued": 0, "running": 0, "waiting": 0, "max_runs": 7, "jobs": [] });
    assert_eq!(queue(&ada).await, nothing);
    let flow = echo(&ada).await;
    run(&ada, &flow, "over at once").await;
    let (job, hangs) = hanging(&ada, &outside).await;
    let asks = "nodes:\n ask: HumanInput\n out: ChatOutput\nedges:\n ask.branch_approve -> out.input_value";
    let asks = ada.post("/api/v1/flows", &flow_of(asks)).await.expect(201).id();
    let body = json!({ "flow_id": asks, "mode": "background" });
    ada.post("/api/v2/workflows", &body).await.expect(202);
    let told = until("the question", || async {
        let told = queue(&ada).await;
        (told["waiting"] == 1).then_some(told)
    })
    .await;
    assert_eq!((&told["queued"], &told["running"]), (&json!(0), &json!(1)));
    assert_eq!(texts(&told["jobs"], "status"), ["waiting", "running"]);
    assert_eq!(
        (&told["jobs"][1]["id"], &told["jobs"][1]["flow_id"]),
        (&json!(job), &json!(hangs))
    );
    assert_eq!(queue(&eve).await, nothing);
    outside.let_through(1);
    until("the run to be over", || async {
        (queue(&ada).await["running"] == 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_trace_is_a_run_with_its_nodes() {
    let site = Site::new().await;
    let (ada, eve) = (site.user("ada").await, site.user("eve").await);
    let flow = echo(&ada).await;
    for text in ["apple", "pear"] {
        run(&ada, &flow, text).await;
    }
    let list = async |query: &str| {
        let found = ada
            .get(&format!("/api/v1/monitor/traces?flow_id={flow}{query}"))
            .await
            .expect(200)
            .json();
        let inputs = found["traces"]
            .as_array()
            .unwrap()
            .iter()
            .map(|trace| trace["input"].as_str().unwrap().to_owned());
        (inputs.collect::<Vec<_>>().join(" "), found["total"].clone())
    };
    assert_eq!(list("").await, ("pear apple".to_owned(), json!(2)));
    assert_eq!(list("&query=APP").await, ("apple".to_owned(), json!(1)));
    assert_eq!(list("&status=error").await, (String::new(), json!(0)));
    assert_eq!(
        list("&status=ok&page=2&size=1").await,
        ("apple".to_owned(), json!(2))
    );
    assert_eq!(
        list("&start_time=2100-01-01T00:00:00Z").await,
        (String::new(), json!(0))
    );
    assert_eq!(
        list("&end_time=2000-01-01T00:00:00Z").await,
        (String::new(), json!(0))
    );
    assert_eq!(list("&session_id=t").await, (String::new(), json!(0)));
    for wrong in ["size=0", "size=201", "page=0", "status=fine", "start_time=now"] {
        ada.get(&format!("/api/v1/monitor/traces?{wrong}"))
            .await
            .refused(422, "invalid");
    }

    let traces = ada
        .get(&format!("/api/v1/monitor/traces?flow_id={flow}"))
        .await
        .expect(200)
        .json();
    let id = traces["traces"][0]["id"].as_str().unwrap();
    let path = format!("/api/v1/monitor/traces/{id}");
    let trace = ada.get(&path).await.expect(200).json();
    assert_eq!((&trace["name"], &trace["status"]), (&json!("Echo"), &json!("ok")));
    let spans = trace["spans"].as_array().unwrap();
    let names: Vec<_> = spans.iter().map(|span| span["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Chat Input", "Chat Output"]);
    assert_eq!(spans[1]["inputs"], json!({ "ChatInput-1": "pear" }));
    eve.get(&path).await.refused(404, "not_found");
    let hers = format!("/api/v1/monitor/traces?flow_id={flow}");
    assert_eq!(eve.get(&hers).await.expect(200).json()["traces"], json!([]));
    eve.delete(&hers).await.refused(404, "not_found");
    for noun in ["builds", "transactions"] {
        let path = format!("/api/v1/monitor/{noun}?flow_id={flow}");
        eve.get(&path).await.refused(404, "not_found");
    }
    let builds = format!("/api/v1/monitor/builds?flow_id={flow}");
    eve.delete(&builds).await.refused(404, "not_found");
    ada.delete(&hers).await.expect(204);
    ada.get(&path).await.refused(404, "not_found");
}
