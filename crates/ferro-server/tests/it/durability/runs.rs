//! `kill -9` in the middle of fifty runs: after the restart all of them finish, and nothing that had finished runs again.

use std::collections::{HashMap, HashSet};

use ferro_testkit::{Client, Outside, until};
use serde_json::{Value, json};

use crate::{site::program, specs::flow};

const RUNS: usize = 50;
const STEPS: usize = 4;

/// Four requests, one after the other.
const CHAIN: &str = "
name: Chain
nodes:
  r0: APIRequest
  p0: ParserComponent
  r1: APIRequest
  p1: ParserComponent
  r2: APIRequest
  p2: ParserComponent
  r3: APIRequest
  p3: ParserComponent
  out: ChatOutput
edges:
  r0.data -> p0.input_data
  p0.parsed_text -> r1.url_input
  r1.data -> p1.input_data
  p1.parsed_text -> r2.url_input
  r2.data -> p2.input_data
  p2.parsed_text -> r3.url_input
  r3.data -> p3.input_data
  p3.parsed_text -> out.input_value
";

/// Each run's requests have addresses of their own.
fn tweaks(outside: &Outside, run: usize) -> Value {
    let mut tweaks = json!({ "APIRequest-000r0": { "url_input": outside.url(&format!("/run{run}/step0")) } });
    for step in 0..STEPS {
        let next = outside.url(&format!("/run{run}/step{}", step + 1));
        tweaks[format!("ParserComponent-000p{step}")] = json!({ "mode": "Parser", "pattern": next });
    }
    tweaks
}

/// Every event of a run, as `(number, name, data)`.
async fn events(client: &Client, run: &str) -> Vec<(u64, String, Value)> {
    let answer = client
        .get(&format!("/api/v1/runs/{run}/events"))
        .await
        .expect(200);
    let frames = answer.text();
    let frames = frames.split("\n\n").filter(|frame| frame.starts_with("id:"));
    frames
        .map(|frame| {
            let field = |name: &str| {
                let line = frame.lines().find_map(|line| line.strip_prefix(name));
                line.unwrap_or_else(|| panic!("no {name} in {frame}"))
                    .trim()
                    .to_owned()
            };
            let data = serde_json::from_str(&field("data:")).unwrap();
            (field("id:").parse().unwrap(), field("event:"), data)
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unfinished_runs_go_on_after_a_kill_and_nothing_runs_twice() {
    let outside = Outside::open().await;
    let allow = format!("--egress-allow={}", outside.address);
    let folder = tempfile::tempdir().unwrap();
    let ferroflow = program(folder.path()).with(&[&allow]);
    let mut server = ferroflow.serve();
    let key = ferroflow
        .run(&["api-key", "create"])
        .succeeded()
        .stdout
        .trim()
        .to_owned();
    let client = server.client().with_key(&key);
    let flow_id = client.post("/api/v1/flows", &flow(CHAIN)).await.expect(201).id();

    let mut runs = Vec::new();
    for run in 0..RUNS {
        let body = json!({ "flow_id": flow_id, "mode": "background", "tweaks": tweaks(&outside, run) });
        let job = client.post("/api/v2/workflows", &body).await.expect(202).json();
        runs.push(job["job_id"].as_str().unwrap().to_owned());
    }
    // Killed twice, the second time among resumed runs.
    for wanted in [RUNS, RUNS * 2] {
        until("enough requests", || async {
            (outside.calls().len() >= wanted).then_some(())
        })
        .await;
        server.kill();
        server = ferroflow.serve();
    }
    let client = server.client().with_key(&key);
    for run in &runs {
        until("the run to finish", || async {
            let status = client
                .get(&format!("/api/v1/runs/{run}"))
                .await
                .expect(200)
                .json()["status"]
                .clone();
            (status == "completed").then_some(())
        })
        .await;
    }

    let mut calls: HashMap<String, usize> = HashMap::new();
    for call in outside.calls() {
        *calls.entry(call).or_default() += 1;
    }
    let mut resumed = 0;
    for (number, run) in runs.iter().enumerate() {
        let events = events(&client, run).await;
        let numbers: Vec<u64> = events.iter().map(|(seq, ..)| *seq).collect();
        assert_eq!(
            numbers,
            (1..=numbers.len() as u64).collect::<Vec<_>>(),
            "run {number}"
        );
        let mut finished = HashSet::new();
        let mut attempts: HashMap<String, usize> = HashMap::new();
        for (_, name, data) in &events {
            let node = data["node"].as_str().unwrap_or_default().to_owned();
            match name.as_str() {
                "resumed" => resumed += 1,
                "node_started" => {
                    assert!(
                        !finished.contains(&node),
                        "run {number}: {node} ran again after it had finished"
                    );
                    *attempts.entry(node).or_default() += 1;
                }
                "node_finished" => assert!(
                    finished.insert(node.clone()),
                    "run {number}: {node} finished twice"
                ),
                _ => {}
            }
        }
        assert_eq!(finished.len(), STEPS * 2 + 1, "run {number}: {events:?}");
        for step in 0..STEPS {
            let made = calls[&format!("GET /run{number}/step{step}")];
            let begun = attempts[&format!("APIRequest-000r{step}")];
            // A request may have gone out before its beginning was written down, but then it had not finished.
            assert!(
                made <= begun + 2,
                "run {number}, step {step}: {made} requests in {begun} attempts"
            );
        }
    }
    assert!(resumed > 0, "the kills came too late to interrupt anything");
}

const INNER: &str = "
name: Inner
nodes:
  post: APIRequest
  text: ParserComponent
  out: ChatOutput
edges:
  post.data -> text.input_data
  text.parsed_text -> out.input_value
config:
  post.method: POST
  text.mode: Stringify
";

const OUTER: &str = "
name: Outer
nodes:
  call: RunFlow
  out: ChatOutput
edges:
  call.flow_output -> out.input_value
config:
  call.flow_name_selected: Inner
";

/// A POST that was under way is not sent again: a person decides. Also inside a flow that a flow runs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_acts_on_the_world_waits_for_a_person_after_a_kill() {
    let outside = Outside::closed().await;
    let allow = format!("--egress-allow={}", outside.address);
    let folder = tempfile::tempdir().unwrap();
    let ferroflow = program(folder.path()).with(&[&allow]);
    let mut server = ferroflow.serve();
    let key = ferroflow
        .run(&["api-key", "create"])
        .succeeded()
        .stdout
        .trim()
        .to_owned();
    let client = server.client().with_key(&key);
    let mut inner = flow(INNER);
    inner["data"]["nodes"][0]["data"]["node"]["template"]["url_input"]["value"] = json!(outside.url("/pay"));
    let direct = client.post("/api/v1/flows", &inner).await.expect(201).id();
    let nested = client.post("/api/v1/flows", &flow(OUTER)).await.expect(201).id();
    let mut jobs = Vec::new();
    for flow_id in [direct, nested] {
        let body = json!({ "flow_id": flow_id, "mode": "background" });
        jobs.push(client.post("/api/v2/workflows", &body).await.expect(202).json()["job_id"].clone());
    }
    until("both requests", || async {
        (outside.calls().len() == 2).then_some(())
    })
    .await;
    server.kill();
    server = ferroflow.serve();
    let client = server.client().with_key(&key);
    let pending = until("both questions", || async {
        let pending = client.get("/api/v2/workflows/pending").await.expect(200).json();
        pending.as_array().filter(|pending| pending.len() == 2).cloned()
    })
    .await;
    assert_eq!(outside.calls().len(), 2, "nothing was sent again by itself");
    outside.let_through(8);
    for question in &pending {
        let job = question["job_id"].as_str().unwrap();
        let body = json!({ "request_id": question["request_id"], "decision": { "action_id": "again" } });
        client
            .post(&format!("/api/v2/workflows/{job}/resume"), &body)
            .await
            .expect(200);
    }
    for job in jobs {
        let job = job.as_str().unwrap().to_owned();
        until("the run to finish", || async {
            let run = client
                .get(&format!("/api/v1/runs/{job}"))
                .await
                .expect(200)
                .json();
            (run["status"] == "completed").then_some(())
        })
        .await;
    }
    assert_eq!(outside.calls(), ["POST /pay"; 4]);
}

const ASKS: &str = "
nodes:
  in: ChatInput
  ask: HumanInput
  out: ChatOutput
edges:
  in.message -> ask.prompt
  ask.branch_approve -> out.input_value
";

/// What a run says after a kill is said in the session it was in, whatever that is called by now.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_renamed_session_is_found_again_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let ferroflow = program(folder.path());
    let mut server = ferroflow.serve();
    let key = ferroflow
        .run(&["api-key", "create"])
        .succeeded()
        .stdout
        .trim()
        .to_owned();
    let client = server.client().with_key(&key);
    let flow_id = client.post("/api/v1/flows", &flow(ASKS)).await.expect(201).id();
    let body =
        json!({ "flow_id": flow_id, "mode": "background", "session_id": "s", "input_value": "May I?" });
    client.post("/api/v2/workflows", &body).await.expect(202);
    let question = until("the question", || async {
        let pending = client.get("/api/v2/workflows/pending").await.expect(200).json();
        pending.as_array().unwrap().first().cloned()
    })
    .await;
    let rename = format!("/api/v1/monitor/messages/session/s?new_session_id=renamed&flow_id={flow_id}");
    client.call("PATCH", &rename).send().await.expect(200);
    server.kill();
    server = ferroflow.serve();
    let client = server.client().with_key(&key);
    let job = question["job_id"].as_str().unwrap();
    let body = json!({ "request_id": question["request_id"], "decision": { "action_id": "approve" } });
    client
        .post(&format!("/api/v2/workflows/{job}/resume"), &body)
        .await
        .expect(200);
    until("the run to finish", || async {
        let run = client
            .get(&format!("/api/v1/runs/{job}"))
            .await
            .expect(200)
            .json();
        (run["status"] == "completed").then_some(())
    })
    .await;
    let said = client
        .get(&format!("/api/v1/monitor/messages?flow_id={flow_id}"))
        .await
        .expect(200)
        .json();
    let said: Vec<_> = said
        .as_array()
        .unwrap()
        .iter()
        .map(|message| (message["sender"].clone(), message["session_id"].clone()))
        .collect();
    assert_eq!(
        said,
        [
            (json!("User"), json!("renamed")),
            (json!("Machine"), json!("renamed"))
        ]
    );
}
