//! The less used doors of a run: the session's address, forms, and several inputs as a stream.

use bytes::Bytes;
use ferro_testkit::{Client, multipart};
use serde_json::{Value, json};

use crate::{
    site::{Site, texts},
    specs::{ECHO, flow},
};

async fn scene(spec: &str) -> (Site, Client, String) {
    let site = Site::new().await;
    let client = site.user("ada").await.client.clone();
    let id = client.post("/api/v1/flows", &flow(spec)).await.expect(201).id();
    (site, client, id)
}

/// Text fields of a form, and files as `multipart` makes them.
fn form(fields: &[(&str, &str)], files: &[(&str, &str, &[u8])]) -> (String, Bytes) {
    let (kind, rest) = multipart(files);
    let (_, boundary) = kind.split_once("boundary=").unwrap();
    let mut body = String::new();
    for (name, value) in fields {
        body +=
            &format!("--{boundary}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
    }
    let mut body = body.into_bytes();
    body.extend_from_slice(&rest);
    (kind, body.into())
}

async fn send(client: &Client, path: &str, (kind, body): (String, Bytes)) -> ferro_testkit::Answer {
    client
        .call("POST", path)
        .header("content-type", &kind)
        .body(body)
        .send()
        .await
}

fn first_text(answer: &Value) -> &str {
    answer["outputs"][0]["outputs"][0]["outputs"]["message"]["message"]
        .as_str()
        .unwrap()
}

fn frames(text: &str) -> Vec<Value> {
    let frames = text.split("\n\n").filter(|frame| !frame.is_empty());
    frames.map(|frame| serde_json::from_str(frame).unwrap()).collect()
}

#[tokio::test]
async fn the_sessions_address_runs_as_the_other_does() {
    let (site, client, id) = scene(ECHO).await;
    let body = json!({ "input_value": "hello", "session_id": "s" });
    let answer = client
        .post(&format!("/api/v1/run/session/{id}"), &body)
        .await
        .expect(200)
        .json();
    assert_eq!(
        (first_text(&answer), &answer["session_id"]),
        ("hello", &json!("s"))
    );
    let stream = client
        .post(&format!("/api/v1/run/session/{id}?stream=true"), &body)
        .await
        .expect(200);
    assert_eq!(
        texts(&Value::Array(frames(&stream.text())), "event"),
        ["add_message", "add_message", "end"]
    );
    let eve = site.user("eve").await;
    eve.post(&format!("/api/v1/run/session/{id}"), &body)
        .await
        .refused(404, "not_found");
}

#[tokio::test]
async fn a_form_says_what_the_json_body_says() {
    let (_site, client, id) = scene(ECHO).await;
    let path = format!("/api/v1/run/{id}");
    let fields = [
        ("input_value", "from a form"),
        ("session_id", "forms"),
        ("output_type", "chat"),
        ("input_type", "chat"),
        ("user_id", "somebody"),
        (
            "tweaks",
            r#"{ "ChatOutput-00out": { "sender_name": "Tweaked" } }"#,
        ),
    ];
    let answer = send(&client, &path, form(&fields, &[])).await.expect(200).json();
    assert_eq!(
        (first_text(&answer), &answer["session_id"]),
        ("from a form", &json!("forms"))
    );
    assert!(answer.to_string().contains("Tweaked"), "{answer}");

    let answer = send(
        &client,
        &path,
        form(&fields, &[("upload", "a note.txt", b"words")]),
    )
    .await
    .expect(200);
    assert_eq!(first_text(&answer.json()), "from a form");
    let kept = client.get("/api/v2/files").await.expect(200).json();
    assert_eq!(texts(&kept, "name"), ["a note.txt"]);
    let said = client
        .get("/api/v1/monitor/messages?session_id=forms&order=DESC")
        .await
        .expect(200)
        .json();
    let with_file = said
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["sender"] == "User")
        .unwrap();
    assert_eq!(with_file["files"], json!([kept[0]["path"]]));

    for (field, value) in [
        ("input_type", "loud"),
        ("output_type", "loud"),
        ("tweaks", "[1]"),
        ("tweaks", "{"),
    ] {
        let refusal = send(&client, &path, form(&[(field, value)], &[]))
            .await
            .refused(422, "invalid");
        assert_eq!(refusal["errors"][0]["field"], field, "{refusal}");
    }
    let unbounded = ("multipart/form-data".to_owned(), Bytes::from_static(b"x"));
    let refused = send(&client, &path, unbounded).await;
    assert!(refused.status.is_client_error(), "{}", refused.text());
    let huge = "x".repeat(5 << 20);
    send(&client, &path, form(&[("input_value", &huge)], &[]))
        .await
        .refused(413, "too_large");
}

#[tokio::test]
async fn files_for_a_flow_that_is_not_there_are_not_kept() {
    let (_site, client, _) = scene(ECHO).await;
    let body = form(&[("input_value", "x")], &[("file", "a.txt", b"words")]);
    send(&client, "/api/v1/run/nowhere", body)
        .await
        .refused(404, "not_found");
    assert_eq!(client.get("/api/v2/files").await.expect(200).json(), json!([]));
}

#[tokio::test]
async fn several_inputs_are_one_stream() {
    let (_site, client, id) = scene(ECHO).await;
    let path = format!("/api/v1/run/advanced/{id}");
    let inputs = json!([{ "input_value": "one", "session": "a" }, { "input_value": "two", "session": "b" }]);
    let plain = client
        .post(&path, &json!({ "inputs": inputs }))
        .await
        .expect(200)
        .json();
    let answer = client
        .post(&path, &json!({ "inputs": inputs, "stream": true }))
        .await
        .expect(200);
    assert_eq!(answer.header("content-type"), "text/event-stream");
    let events = frames(&answer.text());
    assert_eq!(
        texts(&json!(events), "event"),
        ["add_message", "add_message", "add_message", "add_message", "end"]
    );
    let said: Vec<_> = events[..4]
        .iter()
        .map(|event| event["data"]["text"].as_str().unwrap())
        .collect();
    assert_eq!(said, ["one", "one", "two", "two"]);
    let result = &events[4]["data"]["result"];
    assert_eq!(result["session_id"], "a");
    for at in 0..2 {
        let one = |answer: &Value| answer["outputs"][at]["outputs"][0]["outputs"].clone();
        assert_eq!(one(result), one(&plain));
        assert_eq!(result["outputs"][at]["inputs"], plain["outputs"][at]["inputs"]);
    }
    // As the stream of a plain run, with one input.
    let one = client
        .post(
            &path,
            &json!({ "stream": true, "inputs": [{ "input_value": "x" }] }),
        )
        .await
        .expect(200);
    assert_eq!(
        texts(&json!(frames(&one.text())), "event"),
        ["add_message", "add_message", "end"]
    );

    let nowhere = json!({ "stream": true });
    client
        .post("/api/v1/run/advanced/nowhere", &nowhere)
        .await
        .refused(404, "not_found");
    // Not an object, and still no reason to fall over.
    let odd = json!({ "inputs": [{ "components": ["in"], "input_value": "x" }], "tweaks": { "in": "x" } });
    client.post(&path, &odd).await.refused(422, "invalid");
}

#[tokio::test]
async fn a_stream_of_several_ends_with_the_first_failure() {
    let spec = "nodes:\n in: ChatInput\n date: CurrentDate\n out: ChatOutput\n when: ChatOutput\nedges:\n \
                in.message -> out.input_value\n date.current_date -> when.input_value\nconfig:\n date.timezone: Nowhere/Atlantis";
    let (_site, client, id) = scene(spec).await;
    let inputs = json!([{ "input_value": "one" }, { "input_value": "two" }]);
    let body = json!({ "inputs": inputs, "stream": true });
    let answer = client
        .post(&format!("/api/v1/run/advanced/{id}"), &body)
        .await
        .expect(200);
    let events = frames(&answer.text());
    let last = events.last().unwrap();
    assert_eq!(last["event"], "error");
    assert!(
        last["data"]["error"].as_str().unwrap().contains("Atlantis"),
        "{last}"
    );
    assert!(!answer.text().contains("two"), "the second run was not begun");
    assert_eq!(client.get("/api/v1/runs").await.expect(200).json()["total"], 1);
}
