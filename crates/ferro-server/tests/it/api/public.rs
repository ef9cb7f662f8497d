//! Flows that anybody may talk with: what visitors get, what they do not, and what they cannot do to each other.

use ferro_store::Principal;
use ferro_testkit::{Client, Outside, until};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use uuid::Uuid;

use crate::site::{Person, Site, is_clean_refusal, texts};
use crate::specs::{ECHO, flow};

const RUN: &str = "/api/v2/workflows/public";

/// Answers with what was said before.
const REMEMBERS: &str = "
nodes:
  in: ChatInput
  memory: Memory
  out: ChatOutput
  echo: ChatOutput
edges:
  in.message -> echo.input_value
  memory.messages_text -> out.input_value
";

const PROMPTED: &str = "
nodes:
  in: ChatInput
  prompt: Prompt Template
  text: TextInput
  out: ChatOutput
edges:
  in.message -> out.input_value
config:
  prompt.template: The magic word is abracadabra.
  text.input_value: hunter2
";

const FAILS: &str = "
nodes:
  in: ChatInput
  date: CurrentDate
  out: ChatOutput
edges:
  date.current_date -> out.input_value
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

const CALLS: &str = "
nodes:
  in: ChatInput
  call: RunFlow
  out: ChatOutput
edges:
  in.message -> out.input_value
";

const SLOW: &str = "
nodes:
  in: ChatInput
  first: ChatOutput
  get: APIRequest
  text: ParserComponent
  last: ChatOutput
edges:
  in.message -> first.input_value
  get.data -> text.input_data
  text.parsed_text -> last.input_value
config:
  text.mode: Stringify
";

async fn shared(person: &Person, spec: &str) -> String {
    let mut flow = flow(spec);
    flow["access_type"] = json!("PUBLIC");
    flow["description"] = json!("Ask me");
    person.post("/api/v1/flows", &flow).await.expect(201).id()
}

fn guest(site: &Site) -> Client {
    site.nobody()
        .with("x-ferroflow-visitor", &Uuid::new_v4().to_string())
}

/// The frames of a stream, as JSON.
fn frames(text: &str) -> Vec<Value> {
    let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
    data.map(|frame| serde_json::from_str(frame).unwrap()).collect()
}

fn said(text: &str) -> Vec<Value> {
    let frames = frames(text).into_iter();
    frames
        .filter(|frame| frame["event"] == "add_message")
        .map(|frame| frame["data"].clone())
        .collect()
}

async fn ask(client: &Client, flow: &str, text: &str) -> String {
    let body = json!({ "flow_id": flow, "input_value": text, "session_id": "s" });
    let answer = client.post(RUN, &body).await.expect(200);
    assert_eq!(answer.header("content-type"), "text/event-stream");
    answer.text()
}

#[tokio::test]
async fn a_visitor_sees_a_name_and_a_chat_and_nothing_of_the_flow() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let id = shared(&ada, PROMPTED).await;
    let path = format!("/api/v1/flows/public_flow/{id}");
    let answer = site.nobody().get(&path).await.expect(200);
    let flow = answer.json();
    assert_eq!(
        (&flow["id"], &flow["description"]),
        (&json!(id), &json!("Ask me"))
    );
    assert_eq!(
        flow["public_access"],
        json!({ "can_read": true, "can_execute": true })
    );
    assert_eq!(
        (&flow["has_chat_input"], &flow["has_chat_output"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(
        flow["chat"],
        json!({ "inputs": [{ "id": "ChatInput-000in", "name": "Chat Input" }], "outputs": [{ "id": "ChatOutput-00out", "name": "Chat Output" }] })
    );
    assert_eq!(
        texts(&flow["data"]["nodes"], "id"),
        ["ChatInput-000in", "ChatOutput-00out"]
    );
    for hidden in ["abracadabra", "hunter2", "Prompt", &ada.id, "folder_id"] {
        assert!(!answer.text().contains(hidden), "{hidden}: {}", answer.text());
    }
    // The browser is known again by its cookie.
    let cookie = answer.header("set-cookie");
    assert!(
        cookie.starts_with("client_id=") && cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"),
        "{cookie}"
    );
    let back = site
        .nobody()
        .with_cookie(&answer.cookie())
        .get(&path)
        .await
        .expect(200);
    assert_eq!(back.header("set-cookie"), "");
    assert_eq!(back.json()["virtual_flow_id"], flow["virtual_flow_id"]);
    let other = guest(&site).get(&path).await.expect(200).json();
    assert_ne!(other["virtual_flow_id"], flow["virtual_flow_id"]);

    let private = ada
        .post("/api/v1/flows", &crate::specs::flow(ECHO))
        .await
        .expect(201)
        .id();
    let missing = Uuid::new_v4().to_string();
    for id in [&private, &missing] {
        let body = json!({ "flow_id": id, "input_value": "x" });
        let refused = site.nobody().post(RUN, &body).await;
        is_clean_refusal(&refused);
        refused.refused(404, "FLOW_NOT_FOUND");
        let legacy = format!("/api/v1/build_public_tmp/{id}/flow");
        site.nobody()
            .post(&legacy, &json!({}))
            .await
            .refused(404, "not_found");
    }
}

#[tokio::test]
async fn an_owner_who_is_switched_off_shares_nothing() {
    let site = Site::new().await;
    let (admin, ada) = (site.admin().await, site.user("ada").await);
    let id = shared(&ada, ECHO).await;
    let path = format!("/api/v1/users/{}", ada.id);
    admin
        .patch(&path, &json!({ "is_active": false }))
        .await
        .expect(200);
    let body = json!({ "flow_id": id, "input_value": "x" });
    site.nobody()
        .post(RUN, &body)
        .await
        .refused(404, "FLOW_NOT_FOUND");
    site.nobody()
        .get(&format!("/api/v1/flows/public_flow/{id}"))
        .await
        .refused(404, "not_found");
}

#[tokio::test]
async fn both_protocols_tell_the_conversation_alone() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let id = shared(&ada, PROMPTED).await;
    for protocol in ["langflow", "agui"] {
        let body =
            json!({ "flow_id": id, "input_value": "hello", "session_id": "s", "stream_protocol": protocol });
        let text = guest(&site).post(RUN, &body).await.expect(200).text();
        assert!(text.contains("hello"), "{text}");
        for hidden in [
            "abracadabra",
            "hunter2",
            "Prompt Template-",
            "TextInput",
            &id,
            &ada.id,
        ] {
            assert!(!text.contains(hidden), "{protocol} tells {hidden}: {text}");
        }
        let last = frames(&text).pop().unwrap();
        assert!(last["event"] == "end" || last["type"] == "RUN_FINISHED", "{last}");
    }
    let run = ada.get("/api/v1/runs").await.expect(200).json()["items"][0].clone();
    assert_eq!((&run["flow_id"], &run["kind"]), (&json!(id), &json!("public")));
    let listed = ada
        .get(&format!("/api/v1/monitor/messages?flow_id={id}"))
        .await
        .expect(200)
        .json();
    assert_eq!(
        listed,
        json!([]),
        "visitors do not turn up in the owner's playground"
    );
}

async fn isolated(site: &Site) {
    let ada = site.user("ada").await;
    let id = shared(&ada, REMEMBERS).await;
    let (one, two) = (guest(site), guest(site));
    let first = ask(&one, &id, "my secret is plum").await;
    let session = said(&first)[0]["session_id"].as_str().unwrap().to_owned();
    assert!(session.ends_with(":s"), "{session}");
    let again = ask(&one, &id, "what was it?").await;
    assert!(again.contains("plum"), "a conversation goes on: {again}");
    for stolen in ["s", session.as_str()] {
        let body = json!({ "flow_id": id, "input_value": "tell me", "session_id": stolen });
        let text = two.post(RUN, &body).await.expect(200).text();
        assert!(!text.contains("plum"), "{text}");
    }
    let body = json!({ "flow_id": id, "input_value": "and now?", "session_id": session });
    let text = one.post(RUN, &body).await.expect(200).text();
    assert!(
        text.contains("plum"),
        "the whole name of a session is one's own, too: {text}"
    );
    // The visitor may also be named in the body.
    let me = Uuid::new_v4();
    for (text, knows) in [("I like figs", false), ("what do I like?", true)] {
        let body = json!({ "flow_id": id, "input_value": text, "visitor_id": me });
        let answer = site.nobody().post(RUN, &body).await.expect(200).text();
        assert!(
            !answer.contains("plum") && (!knows || answer.contains("figs")),
            "{answer}"
        );
    }
}

#[tokio::test]
async fn visitors_do_not_reach_each_others_conversations() {
    isolated(&Site::new().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn visitors_are_apart_on_postgres_too() {
    let site = Site::on_postgres().await;
    isolated(&site).await;
    what_a_visitor_said_goes(&site).await;
}

#[tokio::test]
async fn what_a_visitor_said_is_kept_as_long_as_the_run() {
    what_a_visitor_said_goes(&Site::new().await).await;
}

async fn what_a_visitor_said_goes(site: &Site) {
    let bob = site.user("bob").await;
    let id = shared(&bob, ECHO).await;
    let visitor = guest(site);
    ask(&visitor, &id, "pomegranate").await;
    let kept = async || {
        let (out, mut incoming) = tokio::sync::mpsc::channel(64);
        let (dumped, found) = tokio::join!(site.app.store.dump(&Principal::System, out), async {
            let mut found = 0;
            while let Some((table, line)) = incoming.recv().await {
                found += usize::from(table == "messages" && line.contains("pomegranate"));
            }
            found
        });
        dumped.unwrap();
        found
    };
    assert_eq!(kept().await, 2, "the question and the answer");
    bob.delete(&format!("/api/v1/runs?flow_id={id}"))
        .await
        .expect(200);
    assert_eq!(kept().await, 0);
    ask(&visitor, &id, "pomegranate").await;
    bob.delete(&format!("/api/v1/flows/{id}")).await.expect(200);
    bob.delete(&format!("/api/v1/trash/flow/{id}")).await.expect(204);
    assert_eq!(kept().await, 0);
}

#[tokio::test]
async fn somebody_with_an_account_finds_their_conversation_again() {
    let site = Site::with(|config| config.auto_login = Some(false)).await;
    let (ada, eve) = (site.user("ada").await, site.user("eve").await);
    let id = shared(&ada, REMEMBERS).await;
    ask(&eve, &id, "I am eve").await;
    let path = format!("/api/v1/monitor/messages/shared?source_flow_id={id}");
    let listed = eve.get(&path).await.expect(200).json();
    assert!(
        texts(&listed, "text").contains(&"I am eve".to_owned()),
        "{listed}"
    );
    assert_eq!(ada.get(&path).await.expect(200).json(), json!([]));
    let own = ada.get("/api/v1/monitor/messages").await.expect(200).json();
    assert_eq!(own, json!([]), "not the owner's, either");
    assert!(ask(&eve, &id, "who am I?").await.contains("I am eve"));
    let runs = ada.get("/api/v1/runs").await.expect(200).json();
    assert_eq!(runs["total"], 2, "the runs are the owner's");
    assert_eq!(eve.get("/api/v1/runs").await.expect(200).json()["total"], 0);
}

#[tokio::test]
async fn a_visitor_is_not_told_what_went_wrong_and_the_owner_is() {
    let site = Site::with(|config| config.auto_login = Some(false)).await;
    let (ada, eve) = (site.user("ada").await, site.user("eve").await);
    let id = shared(&ada, FAILS).await;
    for protocol in ["langflow", "agui"] {
        let body = json!({ "flow_id": id, "input_value": "hi", "stream_protocol": protocol });
        let text = eve.post(RUN, &body).await.expect(200).text();
        assert!(text.contains("The flow could not answer."), "{text}");
        assert!(
            !text.contains("Atlantis") && !text.contains("CurrentDate"),
            "{text}"
        );
    }
    let path = format!("/api/v1/monitor/messages/shared?source_flow_id={id}");
    let kept = eve.get(&path).await.expect(200).text();
    assert!(
        kept.contains("could not answer") && !kept.contains("Atlantis"),
        "{kept}"
    );
    let run = ada.get("/api/v1/runs").await.expect(200).json()["items"][0].clone();
    assert_eq!(run["status"], "failed");
    assert!(run["error"].as_str().unwrap().contains("Atlantis"), "{run}");
}

#[tokio::test]
async fn what_visitors_may_not_send_or_run_is_refused() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let id = shared(&ada, ECHO).await;
    let nobody = site.nobody();
    for (more, code) in [
        (json!({ "tweaks": {} }), "invalid"),
        (json!({ "data": { "nodes": [], "edges": [] } }), "invalid"),
        (json!({ "mode": "background" }), "invalid"),
        (json!({ "files": [format!("{}/x", ada.id)] }), "invalid"),
        (json!({ "input_value": "x".repeat((64 << 10) + 1) }), "invalid"),
        (json!({ "session_id": "x".repeat(257) }), "invalid"),
        (json!({ "start_component_id": "ChatOutput-00out" }), "invalid"),
        (json!({ "stop_component_id": "Nothing-00000" }), "invalid"),
        (json!({ "stream_protocol": "smoke" }), "UNKNOWN_STREAM_PROTOCOL"),
    ] {
        let mut body = json!({ "flow_id": id });
        body.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        nobody.post(RUN, &body).await.refused(422, code);
    }
    let started = json!({ "flow_id": id, "input_value": "hi", "start_component_id": "ChatInput-000in" });
    assert!(nobody.post(RUN, &started).await.expect(200).text().contains("hi"));

    let mut custom = flow(ECHO);
    let node = json!({ "id": "Mine-1", "type": "genericNode", "position": { "x": 0, "y": 0 },
        "data": { "id": "Mine-1", "type": "Mine", "node": { "template": { "code": { "value": "import os" } }, "outputs": [] } } });
    custom["data"]["nodes"].as_array_mut().unwrap().push(node);
    custom["access_type"] = json!("PUBLIC");
    let custom = ada.post("/api/v1/flows", &custom).await.expect(201).id();
    let calls = shared(&ada, CALLS).await;
    for id in [custom, calls] {
        let refused = nobody
            .post(RUN, &json!({ "flow_id": id, "input_value": "x" }))
            .await;
        let text = refused.text();
        refused.refused(400, "NOT_RUNNABLE_PUBLICLY");
        assert!(!text.contains("RunFlow") && !text.contains("Mine"), "{text}");
        let shown = nobody
            .get(&format!("/api/v1/flows/public_flow/{id}"))
            .await
            .expect(200)
            .json();
        assert_eq!(shown["public_access"]["can_execute"], false);
        ada.post(
            &format!("/api/v1/run/{id}?durable=false"),
            &json!({ "input_value": "x" }),
        )
        .await;
    }
}

#[tokio::test]
async fn too_much_from_one_address_has_to_wait() {
    let site = Site::with(|config| config.public_rate = 2).await;
    let ada = site.user("ada").await;
    let id = shared(&ada, ECHO).await;
    ask(&guest(&site), &id, "1").await;
    ask(&guest(&site), &id, "2").await;
    let refused = guest(&site).post(RUN, &json!({ "flow_id": id })).await;
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait));
    let body = refused.refused(429, "RATE_LIMITED");
    assert!(
        body["error"].is_string() && body["message"] == body["detail"],
        "{body}"
    );
    let legacy = format!("/api/v1/build_public_tmp/{id}/flow");
    site.nobody()
        .post(&legacy, &json!({}))
        .await
        .refused(429, "RATE_LIMITED");
    ada.post(&format!("/api/v1/run/{id}"), &json!({ "input_value": "x" }))
        .await
        .expect(200);
}

/// A run of a public flow that waits for a request to be let through, read over a connection of its own.
async fn slow(outside: &Outside, site: &Site, owner: &Person) -> (String, tokio::net::TcpStream) {
    let mut flow = flow(SLOW);
    for node in flow["data"]["nodes"].as_array_mut().unwrap() {
        if node["data"]["type"] == "APIRequest" {
            node["data"]["node"]["template"]["url_input"]["value"] = json!(outside.url("/slow"));
        }
    }
    flow["access_type"] = json!("PUBLIC");
    let id = owner.post("/api/v1/flows", &flow).await.expect(201).id();
    let body = json!({ "flow_id": id, "input_value": "hi" }).to_string();
    #[expect(clippy::disallowed_methods, reason = "to the server under test, on loopback")]
    let mut stream = tokio::net::TcpStream::connect(site.address).await.unwrap();
    let head = format!(
        "POST {RUN} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        site.address,
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut text = String::new();
    while !text.contains("add_message") {
        let mut part = [0; 4096];
        let read = stream.read(&mut part).await.unwrap();
        assert!(read > 0, "{text}");
        text += &String::from_utf8_lossy(&part[..read]);
    }
    (id, stream)
}

#[tokio::test]
async fn closing_the_stream_stops_the_run() {
    let outside = Outside::closed().await;
    let address = outside.address.to_string();
    let site = Site::with(|config| config.egress_allow = vec![address]).await;
    let ada = site.user("ada").await;
    let (_, stream) = slow(&outside, &site, &ada).await;
    drop(stream);
    until("the run to stop", || async {
        let runs = ada.get("/api/v1/runs").await.expect(200).json();
        (runs["items"][0]["status"] == "cancelled").then_some(())
    })
    .await;
}

#[tokio::test]
async fn few_runs_of_one_address_are_under_way_at_once() {
    let outside = Outside::closed().await;
    let address = outside.address.to_string();
    let site = Site::with(|config| config.egress_allow = vec![address]).await;
    let ada = site.user("ada").await;
    let mut open = Vec::new();
    let mut id = String::new();
    for _ in 0..4 {
        let (flow, stream) = slow(&outside, &site, &ada).await;
        open.push(stream);
        id = flow;
    }
    let body = json!({ "flow_id": id, "input_value": "hi" });
    site.nobody().post(RUN, &body).await.refused(429, "RATE_LIMITED");
    drop(open);
    let echo = shared(&ada, ECHO).await;
    until("a place to be free", || async {
        let answer = site
            .nobody()
            .post(RUN, &json!({ "flow_id": echo, "input_value": "hi" }))
            .await;
        (answer.status == 200).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_question_is_for_the_visitor_who_began() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let id = shared(&ada, ASKS).await;
    let visitor = guest(&site);
    let running = {
        let (visitor, id) = (visitor.clone(), id.clone());
        tokio::spawn(async move { ask(&visitor, &id, "Shall I?").await })
    };
    let pending = until("the question", || async {
        let path = format!("/api/v2/workflows/pending?flow_id={id}");
        let pending = ada.get(&path).await.expect(200).json();
        pending.get(0).cloned()
    })
    .await;
    let path = format!("{RUN}/{}/resume", pending["job_id"].as_str().unwrap());
    let answer = json!({ "request_id": pending["request_id"], "decision": { "action_id": "approve" } });
    guest(&site)
        .post(&path, &answer)
        .await
        .refused(404, "JOB_NOT_FOUND");
    site.nobody()
        .post(&path, &answer)
        .await
        .refused(404, "JOB_NOT_FOUND");
    let wrong = json!({ "request_id": pending["request_id"], "decision": { "action_id": "maybe" } });
    visitor.post(&path, &wrong).await.refused(422, "INVALID_DECISION");
    let job = visitor.post(&path, &answer).await.expect(200).json();
    assert_eq!(
        (&job["job_id"], &job["status"]),
        (&pending["job_id"], &json!("in_progress"))
    );
    assert_ne!(job["flow_id"], json!(id));
    let text = running.await.unwrap();
    let asked = frames(&text)
        .into_iter()
        .find(|frame| frame["event"] == "human_input_required")
        .unwrap();
    assert_eq!(asked["data"]["prompt"], "Shall I?");
    assert_eq!(asked["data"]["job_id"], pending["job_id"]);
    assert!(text.contains("\"end\""), "the same stream goes on: {text}");
    visitor.post(&path, &answer).await.refused(409, "NOT_RESUMABLE");
    // A run of the owner's own is nobody else's.
    let body = json!({ "flow_id": id, "input_value": "Mine?", "mode": "background" });
    let own = ada.post("/api/v2/workflows", &body).await.expect(202).json();
    let path = format!("{RUN}/{}/resume", own["job_id"].as_str().unwrap());
    visitor.post(&path, &answer).await.refused(404, "JOB_NOT_FOUND");
}

#[tokio::test]
async fn langflows_first_addresses_work_for_the_same_browser() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let id = shared(&ada, PROMPTED).await;
    let path = format!("/api/v1/build_public_tmp/{id}/flow");
    let body = json!({ "inputs": { "input_value": "hello", "session": "s" } });
    let begun = site.nobody().post(&path, &body).await.expect(200);
    let browser = site.nobody().with_cookie(&begun.cookie());
    let job = begun.json()["job_id"].as_str().unwrap().to_owned();
    let events = format!("/api/v1/build_public_tmp/{job}/events");
    site.nobody().get(&events).await.refused(404, "not_found");
    let told = browser.get(&events).await.expect(200);
    assert_eq!(told.header("content-type"), "application/x-ndjson");
    assert!(
        told.text().contains("hello") && told.text().contains("\"end\""),
        "{}",
        told.text()
    );
    assert!(
        !told.text().contains("abracadabra") && !told.text().contains(&id),
        "{}",
        told.text()
    );
    let polled = browser
        .get(&format!("{events}?event_delivery=polling"))
        .await
        .expect(200);
    assert!(polled.text().contains("hello"));
    let cancel = format!("/api/v1/build_public_tmp/{job}/cancel");
    site.nobody()
        .post(&cancel, &json!({}))
        .await
        .refused(404, "not_found");
    let over = browser.post(&cancel, &json!({})).await.expect(200).json();
    assert_eq!(over["success"], false);
    let direct = browser
        .post(&format!("{path}?event_delivery=direct"), &body)
        .await
        .expect(200);
    assert!(direct.text().contains("hello"));
    let other = json!({ "data": { "nodes": [], "edges": [] } });
    browser.post(&path, &other).await.refused(422, "invalid");
    // A job of the owner's own is not a visitor's.
    let run = ada
        .post(&format!("/api/v1/build/{id}/flow"), &body)
        .await
        .expect(200)
        .json();
    let events = format!(
        "/api/v1/build_public_tmp/{}/events",
        run["job_id"].as_str().unwrap()
    );
    browser.get(&events).await.refused(404, "not_found");
}

#[tokio::test]
async fn other_sites_may_use_what_a_chat_needs_and_nothing_else() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let id = shared(&ada, ECHO).await;
    let elsewhere = site
        .nobody()
        .with("origin", "https://shop.example")
        .with("sec-fetch-site", "cross-site");
    let show = format!("/api/v1/flows/public_flow/{id}");
    for path in [
        RUN.to_owned(),
        show.clone(),
        format!("{RUN}/{id}/resume"),
        "/embed/chat.js".to_owned(),
    ] {
        let answer = elsewhere
            .call("OPTIONS", &path)
            .header("access-control-request-method", "POST")
            .header(
                "access-control-request-headers",
                "content-type, x-ferroflow-visitor",
            )
            .send()
            .await
            .expect(204);
        assert_eq!(answer.header("access-control-allow-origin"), "*");
        assert_eq!(answer.header("access-control-allow-credentials"), "");
        assert!(
            answer
                .header("access-control-allow-headers")
                .contains("x-ferroflow-visitor")
        );
        assert!(answer.header("access-control-allow-methods").contains("POST"));
    }
    let shown = elsewhere.get(&show).await.expect(200);
    assert_eq!(shown.header("access-control-allow-origin"), "*");
    assert_eq!(shown.header("cross-origin-resource-policy"), "cross-origin");
    assert_eq!(shown.header("set-cookie"), "", "no cookie for other sites");
    let body = json!({ "flow_id": id, "input_value": "hi", "visitor_id": Uuid::new_v4() });
    let run = elsewhere.post(RUN, &body).await.expect(200);
    assert_eq!(run.header("access-control-allow-origin"), "*");
    assert!(run.text().contains("hi"));
    let refused = elsewhere.post(RUN, &json!({ "flow_id": Uuid::new_v4() })).await;
    assert_eq!(
        refused.header("access-control-allow-origin"),
        "*",
        "the page can say what went wrong"
    );
    refused.refused(404, "FLOW_NOT_FOUND");
    let missing = elsewhere.get("/embed/nothing.js").await;
    assert_eq!(missing.header("access-control-allow-origin"), "*");
    missing.refused(404, "not_found");

    // A cookie of ours that comes along from there is not used.
    let browser = site.nobody().get(&show).await.expect(200);
    let with_cookie = elsewhere.clone().with_cookie(&browser.cookie());
    let seen = with_cookie.get(&show).await.expect(200).json();
    assert_ne!(seen["virtual_flow_id"], browser.json()["virtual_flow_id"]);

    for (method, path) in [
        ("POST", "/api/v2/workflows".to_owned()),
        ("POST", "/api/v1/flows".to_owned()),
        ("POST", format!("/api/v1/build_public_tmp/{id}/flow")),
        ("GET", format!("/api/v1/flows/{id}")),
        ("GET", "/".to_owned()),
    ] {
        let answer = elsewhere.call(method, &path).json(&json!({})).send().await;
        assert_eq!(answer.header("access-control-allow-origin"), "", "{path}");
        assert!(
            method == "GET" || answer.status == 403,
            "{path}: {}",
            answer.text()
        );
        let asked = elsewhere.call("OPTIONS", &path).send().await;
        assert_eq!(asked.header("access-control-allow-origin"), "", "{path}");
    }
}
