//! Stored messages and sessions.

use ferro_testkit::Client;
use serde_json::{Value, json};

use crate::site::{Site, texts};
use crate::specs::flow;

const MESSAGES: &str = "/api/v1/monitor/messages";

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

async fn say(client: &Client, flow: &str, session: &str, text: &str) -> Value {
    let message =
        json!({ "message": { "flow_id": flow, "session_id": session, "text": text, "sender": "User" } });
    client.post(MESSAGES, &message).await.expect(201).json()
}

/// A run that fails leaves its reason in the conversation, once, whoever reads it later.
#[tokio::test]
async fn a_failed_run_leaves_one_message_that_says_why() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let flow = ada.post("/api/v1/flows", &flow(FAILS)).await.expect(201).id();
    let body = json!({ "flow_id": flow, "input_value": "when?", "session_id": "s", "mode": "stream" });
    let stream = ada.post("/api/v2/workflows", &body).await.expect(200).text();
    let listed = ada
        .get(&format!("{MESSAGES}?flow_id={flow}&session_id=s"))
        .await
        .expect(200)
        .json();
    assert_eq!(texts(&listed, "sender"), ["User", "Machine"], "{listed}");
    let told = &listed[1];
    assert_eq!(
        (&told["category"], &told["error"]),
        (&json!("error"), &json!(true))
    );
    assert!(
        stream.contains(told["id"].as_str().unwrap()),
        "the same message is in the stream: {stream}"
    );
    let block = &told["content_blocks"][0]["contents"][0];
    let (text, reason, solution) = (&told["text"], &block["reason"], &block["solution"]);
    let [text, reason, solution] = [text, reason, solution].map(|text| text.as_str().unwrap());
    assert!(reason.contains("Atlantis"), "{told}");
    assert!(text.starts_with(reason) && text.ends_with(solution), "{told}");
    assert_eq!(told["properties"]["source"]["display_name"], block["component"]);
}

#[tokio::test]
async fn a_message_is_made_changed_and_deleted() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let flow = ada.flow("Talk").await.id();
    let new = json!({
        "flow_id": flow, "session_id": "s", "text": "helo", "sender": "Machine", "sender_name": "AI",
        "timestamp": "2027-01-31 12:00:00.123456 UTC", "files": ["a.png"], "duration": 1500.4,
        "properties": { "usage": { "total_tokens": 3 } }, "content_blocks": [{ "type": "json", "data": {} }],
    });
    let made = ada.post(MESSAGES, &new).await.expect(201).json();
    assert_eq!(made["timestamp"], "2027-01-31 12:00:00.123456 UTC");
    assert_eq!(
        (&made["duration"], &made["properties"]["build_duration"]),
        (&json!(1500), &json!(1500))
    );
    assert_eq!(made["properties"]["state"], "complete");
    assert_eq!(made["content_blocks"][0]["type"], "json");

    let path = format!("{MESSAGES}/{}", made["id"].as_str().unwrap());
    // A client that knows only some properties does not lose the others; a null does not either.
    let change = json!({ "id": made["id"], "text": "hello", "properties": { "positive_feedback": true, "usage": null } });
    let changed = ada.put(&path, &change).await.expect(200).json();
    assert_eq!(
        (&changed["text"], &changed["edit"]),
        (&json!("hello"), &json!(true))
    );
    assert_eq!(changed["properties"]["usage"]["total_tokens"], 3);
    assert_eq!(changed["properties"]["positive_feedback"], true);
    assert_eq!(changed["duration"], 1500);
    let same = ada
        .put(&path, &json!({ "properties": { "build_duration": 2000 } }))
        .await
        .expect(200)
        .json();
    assert_eq!(
        (&same["duration"], &same["text"]),
        (&json!(2000), &json!("hello"))
    );

    let listed = ada
        .get(&format!("{MESSAGES}?flow_id={flow}"))
        .await
        .expect(200)
        .json();
    assert_eq!(texts(&listed, "text"), ["hello"]);
    assert_eq!(
        listed[0]["content_blocks"],
        json!([]),
        "a block that stands alone has no place in the old shape"
    );
    let flat = ada
        .get(&format!("{MESSAGES}?flow_id={flow}&blocks=flat"))
        .await
        .expect(200)
        .json();
    assert_eq!(flat[0]["content_blocks"][0]["type"], "json");

    ada.call("DELETE", MESSAGES)
        .json(&json!([made["id"]]))
        .send()
        .await
        .expect(204);
    ada.call("DELETE", MESSAGES)
        .json(&json!([made["id"]]))
        .send()
        .await
        .refused(404, "not_found");
    ada.call("DELETE", MESSAGES)
        .json(&json!([]))
        .send()
        .await
        .expect(204);
    ada.put(&path, &json!({ "text": "x" }))
        .await
        .refused(404, "not_found");
}

#[tokio::test]
async fn lists_are_filtered_ordered_and_cut() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let (one, two) = (ada.flow("One").await.id(), ada.flow("Two").await.id());
    for text in ["b", "a", "c"] {
        say(&ada, &one, "s", text).await;
    }
    say(&ada, &one, "t", "d").await;
    say(&ada, &two, "s", "e").await;
    say(&ada, &one, "agentic_1", "hidden").await;
    for (query, expected) in [
        (format!("flow_id={one}&session_id=s"), &["b", "a", "c"][..]),
        (format!("flow_id={one}"), &["b", "a", "c", "d"]),
        (format!("flow_id={one}&session_id=s&order=DESC"), &["c", "a", "b"]),
        (
            format!("flow_id={one}&session_id=s&order_by=text"),
            &["a", "b", "c"],
        ),
        (format!("flow_id={one}&session_id=s&limit=1&offset=1"), &["a"]),
        (format!("flow_id={one}&session_id=agentic_1"), &["hidden"]),
        (format!("flow_id={one}&order=DESC&limit=1"), &["d"]),
        ("order=DESC&limit=2".to_owned(), &["e", "d"]),
        (format!("flow_id={one}&sender=Machine"), &[]),
        ("session_id=s&order_by=text".to_owned(), &["a", "b", "c", "e"]),
    ] {
        let found = ada.get(&format!("{MESSAGES}?{query}")).await.expect(200).json();
        assert_eq!(texts(&found, "text"), expected, "{query}");
    }
    for query in [
        "limit=1001",
        "limit=-1",
        "offset=-1",
        "order=sideways",
        "order_by=password",
        "flow_id=x",
    ] {
        ada.get(&format!("{MESSAGES}?{query}"))
            .await
            .refused(422, "invalid");
    }
}

#[tokio::test]
async fn sessions_are_listed_renamed_and_deleted() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let (one, two) = (ada.flow("One").await.id(), ada.flow("Two").await.id());
    for (flow, session) in [
        (&one, "a b/c"),
        (&one, "other"),
        (&two, "a b/c"),
        (&one, "agentic_9"),
    ] {
        say(&ada, flow, session, "x").await;
    }
    let sessions = async |flow: &str| {
        let found = ada
            .get(&format!("{MESSAGES}/sessions?flow_id={flow}"))
            .await
            .expect(200)
            .json();
        let mut names: Vec<String> = serde_json::from_value(found).unwrap();
        names.sort();
        names
    };
    assert_eq!(sessions(&one).await, ["a b/c", "other"]);
    let path = format!("{MESSAGES}/session/a%20b%2Fc");
    let taken = format!("{path}?new_session_id=other&flow_id={one}");
    ada.call("PATCH", &taken).send().await.refused(409, "name_taken");
    let renamed = format!("{path}?new_session_id=new&flow_id={one}");
    let moved = ada.call("PATCH", &renamed).send().await.expect(200).json();
    assert_eq!(texts(&moved, "session_id"), ["new"]);
    ada.call("PATCH", &renamed).send().await.refused(404, "not_found");
    ada.call("PATCH", &format!("{path}?new_session_id=%20"))
        .send()
        .await
        .refused(422, "invalid");
    assert_eq!(
        sessions(&two).await,
        ["a b/c"],
        "a session of another flow is another session"
    );

    ada.delete(&format!("{MESSAGES}/session/new?flow_id={one}"))
        .await
        .expect(204);
    assert_eq!(sessions(&one).await, ["other"]);
    let gone = json!(["other", "a b/c", "nobody"]);
    ada.call("DELETE", &format!("{MESSAGES}/sessions"))
        .json(&gone)
        .send()
        .await
        .expect(204);
    assert!(sessions(&one).await.is_empty() && sessions(&two).await.is_empty());
}

#[tokio::test]
async fn what_is_not_right_is_refused_and_what_is_not_yours_is_not_there() {
    let site = Site::new().await;
    let (ada, eve) = (site.user("ada").await, site.user("eve").await);
    let flow = ada.flow("Hers").await.id();
    let message = say(&ada, &flow, "s", "hers").await;
    for (field, value) in [
        ("sender", json!("Robot")),
        ("session_id", json!(" ")),
        ("session_id", json!("a\nb")),
        ("session_id", json!("x".repeat(600))),
        ("sender_name", json!("x".repeat(300))),
        ("text", json!("x".repeat((2 << 20) + 1))),
        ("files", json!("a.png")),
        ("properties", json!([])),
        ("timestamp", json!("yesterday")),
    ] {
        let mut new = json!({ "flow_id": flow, "text": "x" });
        new[field] = value;
        let refusal = ada.post(MESSAGES, &new).await.refused(422, "invalid");
        assert!(refusal.to_string().contains(field), "{field}: {refusal}");
    }
    ada.post(MESSAGES, &json!({ "text": "no flow" }))
        .await
        .refused(422, "invalid");
    ada.post(MESSAGES, &json!(7)).await.refused(422, "invalid");
    let taken = json!({ "flow_id": flow, "id": message["id"], "text": "again" });
    ada.post(MESSAGES, &taken).await.refused(409, "name_taken");

    eve.post(MESSAGES, &json!({ "flow_id": flow, "text": "mine" }))
        .await
        .refused(404, "not_found");
    let path = format!("{MESSAGES}/{}", message["id"].as_str().unwrap());
    eve.put(&path, &json!({ "text": "mine" }))
        .await
        .refused(404, "not_found");
    eve.call("DELETE", MESSAGES)
        .json(&json!([message["id"]]))
        .send()
        .await
        .refused(404, "not_found");
    assert_eq!(eve.get(MESSAGES).await.expect(200).json(), json!([]));
    eve.delete(&format!("{MESSAGES}/session/s")).await.expect(204);
    assert_eq!(texts(&ada.get(MESSAGES).await.json(), "text"), ["hers"]);
}
