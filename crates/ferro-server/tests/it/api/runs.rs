//! Running flows through every door, and what is left of a run afterwards.

use ferro_testkit::{Client, Outside, until};
use serde_json::{Value, json};

use crate::{
    site::Site,
    specs::{ECHO, flow},
};

const BRANCH: &str = "
nodes:
  in: ChatInput
  if: ConditionalRouter
  yes: ChatOutput
  no: ChatOutput
edges:
  in.message -> if.input_text
  if.true_result -> yes.input_value
  if.false_result -> no.input_value
config:
  if.match_text: yes
  if.operator: equals
";

const FAILS: &str = "
nodes:
  in: ChatInput
  sum: CalculatorComponent
  date: CurrentDate
  out: ChatOutput
  bad: ChatOutput
edges:
  in.message -> out.input_value
  date.current_date -> bad.input_value
config:
  date.timezone: Nowhere/Atlantis
";

const ASKS: &str = "
nodes:
  in: ChatInput
  ask: HumanInput
  yes: ChatOutput
  no: ChatOutput
edges:
  in.message -> ask.prompt
  ask.branch_approve -> yes.input_value
  ask.branch_reject -> no.input_value
";

const HOOK: &str = "
nodes:
  hook: Webhook
  text: ParserComponent
  out: ChatOutput
edges:
  hook.output_data -> text.input_data
  text.parsed_text -> out.input_value
config:
  text.pattern: got {what}
";

const FETCH: &str = "
nodes:
  get: APIRequest
  text: ParserComponent
  out: ChatOutput
edges:
  get.data -> text.input_data
  text.parsed_text -> out.input_value
config:
  text.mode: Stringify
";

async fn saved(client: &Client, spec: &str) -> String {
    client.post("/api/v1/flows", &flow(spec)).await.expect(201).id()
}

async fn person(site: &Site) -> Client {
    site.user("ada").await.client
}

fn first_text(answer: &Value) -> &str {
    answer["outputs"][0]["outputs"][0]["outputs"]["message"]["message"]
        .as_str()
        .unwrap()
}

/// The data of server-sent events.
fn frames(text: &str) -> Vec<Value> {
    let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
    data.map(|data| serde_json::from_str(data).unwrap()).collect()
}

#[tokio::test]
async fn a_plain_run_answers_and_leaves_its_messages() {
    let site = Site::new().await;
    let client = person(&site).await;
    let id = saved(&client, ECHO).await;
    let answer = client
        .post(&format!("/api/v1/run/{id}"), &json!({ "input_value": "hello" }))
        .await
        .expect(200)
        .json();
    assert_eq!(first_text(&answer), "hello");
    assert_eq!(answer["session_id"], id);

    let messages = client
        .get(&format!("/api/v1/monitor/messages?flow_id={id}"))
        .await
        .expect(200)
        .json();
    let said: Vec<_> = messages
        .as_array()
        .unwrap()
        .iter()
        .map(|m| (m["sender"].clone(), m["text"].clone()))
        .collect();
    assert_eq!(
        said,
        [
            (json!("User"), json!("hello")),
            (json!("Machine"), json!("hello"))
        ]
    );
    // A reload must not show zero: the duration is kept by the server.
    let machine = &messages[1];
    assert!(machine["duration"].as_i64().unwrap() > 0, "{machine}");
    assert_eq!(machine["properties"]["build_duration"], machine["duration"]);

    let runs = client
        .get(&format!("/api/v1/runs?flow_id={id}"))
        .await
        .expect(200)
        .json();
    assert_eq!(
        (runs["total"].clone(), runs["items"][0]["status"].clone()),
        (json!(1), json!("completed"))
    );
}

#[tokio::test]
async fn a_throw_away_run_leaves_nothing() {
    let site = Site::new().await;
    let client = person(&site).await;
    let id = saved(&client, ECHO).await;
    let path = format!("/api/v1/run/{id}?durable=false");
    let answer = client
        .post(&path, &json!({ "input_value": "hello" }))
        .await
        .expect(200)
        .json();
    assert_eq!(first_text(&answer), "hello");
    assert_eq!(
        client
            .get(&format!("/api/v1/runs?flow_id={id}"))
            .await
            .expect(200)
            .json()["total"],
        0
    );
    let messages = client
        .get(&format!("/api/v1/monitor/messages?flow_id={id}"))
        .await
        .expect(200)
        .json();
    assert_eq!(messages, json!([]));
}

#[tokio::test]
async fn an_empty_body_an_unknown_flow_and_a_foreign_one() {
    let site = Site::new().await;
    let client = person(&site).await;
    let id = saved(&client, ECHO).await;
    client
        .call("POST", &format!("/api/v1/run/{id}"))
        .send()
        .await
        .expect(200);
    client
        .post("/api/v1/run/nothing-here", &json!({}))
        .await
        .refused(404, "not_found");
    let other = site.user("eve").await.client;
    for path in [
        format!("/api/v1/run/{id}"),
        format!("/api/v1/run/advanced/{id}"),
        format!("/api/v1/webhook/{id}"),
    ] {
        other
            .post(&path, &json!({ "input_value": "x" }))
            .await
            .refused(404, "not_found");
    }
    let run = client.get("/api/v1/runs").await.expect(200).json()["items"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    for path in [
        format!("/api/v1/runs/{run}"),
        format!("/api/v1/runs/{run}/events"),
        format!("/api/v1/build/{run}/events"),
    ] {
        other.get(&path).await.refused(404, "not_found");
    }
    other
        .post(&format!("/api/v1/runs/{run}/cancel"), &json!({}))
        .await
        .refused(404, "not_found");
    other
        .post(&format!("/api/v1/runs/{run}/fork"), &json!({}))
        .await
        .refused(404, "not_found");
}

#[tokio::test]
async fn a_stream_has_messages_and_then_the_result() {
    let site = Site::new().await;
    let client = person(&site).await;
    let id = saved(&client, ECHO).await;
    let answer = client
        .post(
            &format!("/api/v1/run/{id}?stream=true"),
            &json!({ "input_value": "hi" }),
        )
        .await
        .expect(200);
    let events: Vec<Value> = answer
        .text()
        .split("\n\n")
        .filter(|t| !t.is_empty())
        .map(|t| serde_json::from_str(t).unwrap())
        .collect();
    let names: Vec<_> = events
        .iter()
        .map(|event| event["event"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["add_message", "add_message", "end"]);
    assert_eq!(first_text(&events[2]["data"]["result"]), "hi");
}

#[tokio::test]
async fn only_the_branch_that_was_taken_answers() {
    let site = Site::new().await;
    let client = person(&site).await;
    let id = saved(&client, BRANCH).await;
    for (input, node) in [("yes", "ChatOutput-00yes"), ("perhaps", "ChatOutput-000no")] {
        let answer = client
            .post(&format!("/api/v1/run/{id}"), &json!({ "input_value": input }))
            .await
            .expect(200)
            .json();
        let outputs = answer["outputs"][0]["outputs"].as_array().unwrap().clone();
        let ids: Vec<_> = outputs
            .iter()
            .map(|output| output["component_id"].as_str().unwrap())
            .collect();
        assert_eq!(ids, [node], "{input}");
    }
}

#[tokio::test]
async fn a_failing_node_is_named_with_what_to_do_and_its_siblings_finish() {
    let site = Site::new().await;
    let client = person(&site).await;
    let id = saved(&client, FAILS).await;
    let refusal = client
        .post(&format!("/api/v1/run/{id}"), &json!({ "input_value": "x" }))
        .await
        .refused(400, "run_failed");
    let detail = refusal["detail"].as_str().unwrap();
    assert!(
        detail.contains("Current Date") && detail.contains("Atlantis"),
        "{detail}"
    );
    let body = json!({ "flow_id": id, "input_value": "still here" });
    let whole = client.post("/api/v2/workflows", &body).await.expect(200).json();
    assert_eq!(whole["status"], "failed");
    assert_eq!(whole["has_errors"], true);
    assert_eq!(
        whole["outputs"]["ChatOutput-00out"]["content"], "still here",
        "{whole}"
    );
}

#[tokio::test]
async fn tweaks_reach_fields_and_not_code() {
    let site = Site::new().await;
    let client = person(&site).await;
    let id = saved(&client, ECHO).await;
    let path = format!("/api/v1/run/{id}");
    let body = json!({ "input_value": "x", "tweaks": { "ChatOutput-00out": { "sender_name": "Parrot", "code": "import os" } } });
    let answer = client.post(&path, &body).await.expect(200).json();
    assert_eq!(
        answer["outputs"][0]["outputs"][0]["messages"][0]["sender_name"],
        "Parrot"
    );
    let twice = json!({ "input_value": "x", "tweaks": { "ChatInput-000in": { "input_value": "y" } } });
    client.post(&path, &twice).await.refused(400, "bad_request");
}

#[tokio::test]
async fn variables_are_looked_up_when_needed_and_credentials_only_for_passwords() {
    let site = Site::new().await;
    let client = person(&site).await;
    let mut body = flow(ECHO);
    body["data"]["nodes"][1]["data"]["node"]["template"]["sender_name"]["load_from_db"] = json!(true);
    body["data"]["nodes"][1]["data"]["node"]["template"]["sender_name"]["value"] = json!("BOT_NAME");
    let id = client.post("/api/v1/flows", &body).await.expect(201).id();
    let path = format!("/api/v1/run/{id}");
    let refusal = client
        .post(&path, &json!({ "input_value": "x" }))
        .await
        .refused(400, "run_failed");
    assert!(
        refusal["detail"].as_str().unwrap().contains("BOT_NAME"),
        "{refusal}"
    );

    let variable = json!({ "name": "BOT_NAME", "value": "Polly", "type": "Generic" });
    let made = client.post("/api/v1/variables", &variable).await.expect(201).id();
    let answer = client
        .post(&path, &json!({ "input_value": "x" }))
        .await
        .expect(200)
        .json();
    assert_eq!(
        answer["outputs"][0]["outputs"][0]["messages"][0]["sender_name"],
        "Polly"
    );
    // A variable of the request wins over the stored one.
    let call = client
        .call("POST", &path)
        .header("x-langflow-global-var-bot-name", "Request")
        .json(&json!({ "input_value": "x" }));
    let answer = call.send().await.expect(200).json();
    assert_eq!(
        answer["outputs"][0]["outputs"][0]["messages"][0]["sender_name"],
        "Request"
    );

    let secret = json!({ "value": "hunter2hunter2", "type": "Credential" });
    client
        .patch(&format!("/api/v1/variables/{made}"), &secret)
        .await
        .expect(200);
    let refusal = client
        .post(&path, &json!({ "input_value": "x" }))
        .await
        .refused(400, "run_failed");
    let detail = refusal["detail"].as_str().unwrap();
    assert!(
        detail.contains("credential") && !detail.contains("hunter2"),
        "{detail}"
    );
}

#[tokio::test]
async fn jobs_are_polled_streamed_and_stopped() {
    let site = Site::new().await;
    let client = person(&site).await;
    let id = saved(&client, ECHO).await;
    let body = json!({ "inputs": { "input_value": "build me" } });
    let job = client
        .post(&format!("/api/v1/build/{id}/flow"), &body)
        .await
        .expect(200)
        .json();
    let job = job["job_id"].as_str().unwrap();
    let path = format!("/api/v1/build/{job}/events");
    let whole = client
        .get(&format!("{path}?event_delivery=streaming"))
        .await
        .expect(200)
        .text();
    let events: Vec<Value> = whole
        .split("\n\n")
        .filter(|t| !t.is_empty())
        .map(|t| serde_json::from_str(t).unwrap())
        .collect();
    let names: Vec<_> = events
        .iter()
        .map(|event| event["event"].as_str().unwrap())
        .collect();
    assert_eq!(names.first(), Some(&"vertices_sorted"));
    assert_eq!(names.last(), Some(&"end"));
    assert_eq!(names.iter().filter(|name| **name == "end_vertex").count(), 2);
    // Polled, everything comes once.
    let first = client
        .get(&format!("{path}?event_delivery=polling"))
        .await
        .expect(200)
        .text();
    assert_eq!(first, whole);
    assert_eq!(
        client
            .get(&format!("{path}?event_delivery=polling"))
            .await
            .expect(200)
            .text(),
        ""
    );
    let stopped = client
        .post(&format!("/api/v1/build/{job}/cancel"), &json!({}))
        .await
        .expect(200)
        .json();
    assert_eq!(stopped["success"], false);
    let direct = client
        .post(&format!("/api/v1/build/{id}/flow?event_delivery=direct"), &body)
        .await
        .expect(200)
        .text();
    assert!(direct.contains("\"end\""), "{direct}");
    // The canvas as it is now, and only a part of it.
    let other = json!({ "inputs": { "input_value": "x" }, "data": flow(BRANCH)["data"] });
    let part = client
        .post(
            &format!(
                "/api/v1/build/{id}/flow?event_delivery=direct&stop_component_id=ConditionalRouter-000if"
            ),
            &other,
        )
        .await
        .expect(200)
        .text();
    assert!(
        part.contains("ConditionalRouter-000if") && !part.contains("\"id\":\"ChatOutput-00yes\""),
        "{part}"
    );
}

#[tokio::test]
async fn stopping_reaches_a_request_that_hangs() {
    let outside = Outside::closed().await;
    let address = outside.address.to_string();
    let site = Site::with(|config| config.egress_allow = vec![address]).await;
    let client = person(&site).await;
    let id = saved(&client, FETCH).await;
    let tweaks = json!({ "APIRequest-00get": { "url_input": outside.url("/never") } });
    let body = json!({ "flow_id": id, "mode": "background", "tweaks": tweaks });
    let job = client.post("/api/v2/workflows", &body).await.expect(202).json();
    let job = job["job_id"].as_str().unwrap().to_owned();
    until("the request to be made", || async {
        (!outside.calls().is_empty()).then_some(())
    })
    .await;
    client
        .post("/api/v2/workflows/stop", &json!({ "job_id": job }))
        .await
        .expect(200);
    let status = until("the run to stop", || async {
        let run = client
            .get(&format!("/api/v1/runs/{job}"))
            .await
            .expect(200)
            .json();
        (run["finished_at"] != Value::Null).then(|| run["status"].clone())
    })
    .await;
    assert_eq!(status, "cancelled");
}

#[tokio::test]
async fn requests_to_this_machine_are_refused_unless_allowed() {
    let outside = Outside::open().await;
    let site = Site::new().await;
    let client = person(&site).await;
    let id = saved(&client, FETCH).await;
    let tweaks = json!({ "APIRequest-00get": { "url_input": outside.url("/secret") } });
    let refusal = client
        .post(&format!("/api/v1/run/{id}"), &json!({ "tweaks": tweaks }))
        .await
        .refused(400, "run_failed");
    assert!(
        refusal["detail"]
            .as_str()
            .unwrap()
            .contains("FERROFLOW_EGRESS_ALLOW"),
        "{refusal}"
    );
    assert_eq!(outside.calls(), Vec::<String>::new());
}

#[tokio::test]
async fn a_stream_can_be_taken_up_where_it_broke_off() {
    let site = Site::new().await;
    let client = person(&site).await;
    let id = saved(&client, ECHO).await;
    let body = json!({ "flow_id": id, "mode": "background", "input_value": "hi" });
    let job = client.post("/api/v2/workflows", &body).await.expect(202).json()["job_id"]
        .as_str()
        .unwrap()
        .to_owned();
    for path in [
        format!("/api/v1/runs/{job}/events"),
        format!("/api/v2/workflows/{job}/events"),
        format!("/api/v2/workflows/{job}/events?stream_protocol=agui"),
    ] {
        let whole = client.get(&path).await.expect(200).text();
        let parts: Vec<&str> = whole
            .split_inclusive("\n\n")
            .filter(|part| part.starts_with("id: "))
            .collect();
        assert!(parts.len() > 4, "{whole}");
        for (place, part) in parts.iter().enumerate() {
            let number = part.lines().next().unwrap().trim_start_matches("id: ");
            assert_eq!(number, (place + 1).to_string(), "numbers without gaps");
            let rest = client
                .call("GET", &path)
                .header("last-event-id", number)
                .send()
                .await
                .expect(200)
                .text();
            let rest: Vec<&str> = rest
                .split_inclusive("\n\n")
                .filter(|part| part.starts_with("id: "))
                .collect();
            assert_eq!(rest, parts[place + 1..], "after {number}");
        }
    }
}

#[tokio::test]
async fn the_same_key_starts_one_run() {
    let site = Site::new().await;
    let client = person(&site).await;
    let id = saved(&client, ECHO).await;
    let body = json!({ "flow_id": id, "mode": "background", "idempotency_key": "once" });
    let first = client.post("/api/v2/workflows", &body).await.expect(202).json();
    let second = client.post("/api/v2/workflows", &body).await.expect(200).json();
    assert_eq!(first["job_id"], second["job_id"]);
    let sync = json!({ "flow_id": id, "idempotency_key": "once" });
    client
        .post("/api/v2/workflows", &sync)
        .await
        .refused(422, "MODE_UNSUPPORTED_FIELDS");
    let unknown = json!({ "flow_id": id, "stream_protocol": "morse" });
    client
        .post("/api/v2/workflows", &unknown)
        .await
        .refused(422, "UNKNOWN_STREAM_PROTOCOL");
    let extra = json!({ "flow_id": id, "surprise": 1 });
    client.post("/api/v2/workflows", &extra).await.expect(422);
    client
        .get(&format!("/api/v2/workflows?job_id={}", uuid::Uuid::now_v7()))
        .await
        .refused(404, "JOB_NOT_FOUND");
}

#[tokio::test]
async fn a_person_is_asked_and_the_answer_decides() {
    let site = Site::new().await;
    let client = person(&site).await;
    let id = saved(&client, ASKS).await;
    client
        .post(&format!("/api/v1/run/{id}"), &json!({ "input_value": "x" }))
        .await
        .refused(400, "bad_request");
    let body = json!({ "flow_id": id, "mode": "background", "input_value": "May I?" });
    let job = client.post("/api/v2/workflows", &body).await.expect(202).json()["job_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let pending = until("the question", || async {
        let pending = client
            .get(&format!("/api/v2/workflows/pending?flow_id={id}"))
            .await
            .expect(200)
            .json();
        pending.as_array().unwrap().first().cloned()
    })
    .await;
    assert_eq!(
        (pending["job_id"].clone(), pending["prompt"].clone()),
        (json!(job), json!("May I?"))
    );
    let resume = format!("/api/v2/workflows/{job}/resume");
    let decide =
        |action: &str| json!({ "request_id": pending["request_id"], "decision": { "action_id": action } });
    client
        .post(&resume, &decide("maybe"))
        .await
        .refused(422, "INVALID_DECISION");
    client.post(&resume, &decide("reject")).await.expect(200);
    let ended = until("the end", || async {
        let whole = client
            .get(&format!("/api/v2/workflows?job_id={job}"))
            .await
            .expect(200)
            .json();
        (whole["status"] == "completed").then_some(whole)
    })
    .await;
    let outputs: Vec<_> = ended["outputs"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(outputs, ["ChatOutput-000no"], "{ended}");
    client
        .post(&resume, &decide("reject"))
        .await
        .refused(409, "NOT_RESUMABLE");
}

#[tokio::test]
async fn a_webhook_starts_a_run_with_what_was_sent() {
    let site = Site::new().await;
    let client = person(&site).await;
    let id = saved(&client, HOOK).await;
    let path = format!("/api/v1/webhook/{id}");
    client
        .call("POST", &path)
        .send()
        .await
        .refused(400, "bad_request");
    let started = client
        .post(&path, &json!({ "what": "a parcel" }))
        .await
        .expect(202)
        .json();
    let run = started["run_id"].as_str().unwrap();
    let events = client
        .get(&format!("/api/v1/runs/{run}/events"))
        .await
        .expect(200)
        .text();
    assert!(events.contains("got a parcel"), "{events}");
}

#[tokio::test]
async fn a_flow_answers_like_a_model() {
    let site = Site::new().await;
    let client = person(&site).await;
    let id = saved(&client, ECHO).await;
    let answer = client
        .post("/api/v1/responses", &json!({ "model": id, "input": "hi" }))
        .await
        .expect(200)
        .json();
    assert_eq!(answer["object"], "response");
    assert_eq!(answer["output"][0]["content"][0]["text"], "hi", "{answer}");
    let stream = client
        .post(
            "/api/v1/responses",
            &json!({ "model": id, "input": "hi", "stream": true }),
        )
        .await
        .expect(200)
        .text();
    assert!(
        stream.contains("response.completed") && stream.trim_end().ends_with("data: [DONE]"),
        "{stream}"
    );
    let unknown = client
        .post("/api/v1/responses", &json!({ "model": "gpt", "input": "hi" }))
        .await
        .expect(404)
        .json();
    assert_eq!(unknown["error"]["code"], "flow_not_found");
}

#[tokio::test]
async fn a_fork_takes_over_what_came_before() {
    let outside = Outside::open().await;
    let address = outside.address.to_string();
    let site = Site::with(|config| config.egress_allow = vec![address]).await;
    let client = person(&site).await;
    let id = saved(&client, FETCH).await;
    let tweaks = json!({ "APIRequest-00get": { "url_input": outside.url("/once") } });
    client
        .post(&format!("/api/v1/run/{id}"), &json!({ "tweaks": tweaks }))
        .await
        .expect(200);
    let run = client.get("/api/v1/runs").await.expect(200).json()["items"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let body = json!({ "from_node": "ParserComponent-0text", "tweaks": { "ChatOutput-00out": { "sender_name": "Second" } } });
    let fork = client
        .post(&format!("/api/v1/runs/{run}/fork"), &body)
        .await
        .expect(202)
        .json();
    assert_eq!(fork["parent_id"], run);
    let events = client
        .get(&format!("/api/v1/runs/{}/events", fork["id"].as_str().unwrap()))
        .await
        .expect(200)
        .text();
    assert!(
        frames(&events)
            .iter()
            .any(|event| event.to_string().contains("Second")),
        "{events}"
    );
    assert_eq!(outside.calls(), ["GET /once"], "the request was not made again");
    client
        .post(
            &format!("/api/v1/runs/{run}/fork"),
            &json!({ "from_node": "nobody" }),
        )
        .await
        .refused(404, "not_found");
}

#[tokio::test]
async fn what_cannot_run_says_why() {
    let site = Site::new().await;
    let client = person(&site).await;
    for (data, words) in [
        (json!({ "nodes": [], "edges": [] }), None),
        (
            flow("nodes:\n a: ChatInput\n b: ChatInput\n c: ChatOutput\nedges:\n a.message -> c.input_value")
                ["data"]
                .clone(),
            Some("chat input"),
        ),
    ] {
        let id = client
            .post("/api/v1/flows", &json!({ "name": "odd", "data": data }))
            .await
            .expect(201)
            .id();
        let answer = client.post(&format!("/api/v1/run/{id}"), &json!({})).await;
        match words {
            None => assert_eq!(answer.expect(200).json()["outputs"][0]["outputs"], json!([])),
            Some(words) => {
                let refusal = answer.refused(400, "invalid_flow");
                assert!(refusal["detail"].as_str().unwrap().contains(words), "{refusal}");
            }
        }
    }
}
