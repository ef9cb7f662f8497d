use std::sync::{Arc, Mutex};

use ferro_engine::{Body, Context, Failure, Message, NoHost, NodeInfo, RunInfo, Sender, Sink, Value};
use futures_util::future::BoxFuture;
use serde_json::json;

use crate::harness::{data, fails, gives, json, run, run_in, says, table, text};

/// Remembers the messages that were shown: text, whether to store, whether it is the answer.
#[derive(Default)]
struct Heard(Mutex<Vec<(Message, bool, bool)>>);

impl Sink for Heard {
    fn emit(&self, body: Body) {
        if let Body::Message {
            message,
            store,
            is_output,
            ..
        } = body
        {
            self.0.lock().unwrap().push((*message, store, is_output));
        }
    }

    fn settle(&self, _: Body) -> BoxFuture<'static, Result<(), Failure>> {
        Box::pin(async { Ok(()) })
    }
}

fn context(run: RunInfo) -> (Context, Arc<Heard>) {
    let heard = Arc::new(Heard::default());
    (Context::heard(run, Arc::new(NoHost), heard.clone()), heard)
}

#[test]
fn chat_input_takes_what_the_run_brings() {
    let run = RunInfo {
        input_value: "hello".into(),
        files: vec!["a.png".into()],
        session_id: "s".into(),
        ..RunInfo::default()
    };
    let (cx, heard) = context(run);
    let outputs = run_in(
        "ChatInput",
        json!({ "input_value": "stored" }),
        vec![],
        NodeInfo::default(),
        cx,
    )
    .unwrap();
    let Some(Value::Message(message)) = outputs.get("message") else {
        panic!("{outputs:?}")
    };
    assert_eq!(
        (
            message.text.as_str(),
            message.sender,
            message.sender_name.as_str()
        ),
        ("hello", Sender::User, "User")
    );
    assert_eq!(
        (&message.files[..], message.session_id.as_str()),
        (&["a.png".to_owned()][..], "s")
    );
    assert!(message.id.is_some() && message.timestamp > 0);
    let heard = heard.0.lock().unwrap();
    assert_eq!(heard.len(), 1);
    assert_eq!(
        (heard[0].1, heard[0].2),
        (true, false),
        "stored, and not the answer"
    );
}

#[test]
fn chat_input_uses_its_own_text_when_the_run_has_none() {
    says(
        "ChatInput",
        json!({ "input_value": "stored" }),
        vec![],
        "message",
        "stored",
    );
    says("ChatInput", json!({}), vec![], "message", "");
}

#[test]
fn nothing_is_stored_without_a_session_or_against_the_switch() {
    for (session, field) in [("", json!({})), ("s", json!({ "should_store_message": false }))] {
        let (cx, heard) = context(RunInfo {
            session_id: session.into(),
            ..RunInfo::default()
        });
        run_in("ChatInput", field, vec![], NodeInfo::default(), cx).unwrap();
        assert!(!heard.0.lock().unwrap()[0].1, "{session}");
    }
}

#[test]
fn chat_output_writes_every_kind() {
    let chat = |value, expected| {
        says(
            "ChatOutput",
            json!({}),
            vec![("input_value", value)],
            "message",
            expected,
        )
    };
    chat(Value::text("hi"), "hi");
    chat(data(json!({ "a": 1 })), "```json\n{\n  \"a\": 1\n}\n```");
    chat(table(json!([{ "a": 1 }])), "| a |\n| :--- |\n| 1 |");
    chat(Value::List([Value::text("x"), Value::text("y")].into()), "x\ny");
    let fields = json!({ "data_template": "{city}: {t}" });
    says(
        "ChatOutput",
        fields,
        vec![("input_value", data(json!({ "city": "Oslo", "t": 4 })))],
        "message",
        "Oslo: 4",
    );
}

#[test]
fn chat_output_needs_something_to_show() {
    fails("ChatOutput", json!({}), vec![], "empty");
    let wires = vec![("input_value", data(json!({ "city": "Oslo" })))];
    fails(
        "ChatOutput",
        json!({ "data_template": "{town}" }),
        wires,
        "no key \"town\"",
    );
}

#[test]
fn chat_output_keeps_the_message_it_gets() {
    let id = uuid::Uuid::now_v7();
    let mut incoming = Message {
        id: Some(id),
        text: "answer".into(),
        ..Message::default()
    };
    incoming
        .properties
        .insert("source".into(), json!({ "source": "gpt" }));
    let node = NodeInfo {
        id: "ChatOutput-1".into(),
        display_name: "Out".into(),
        ..NodeInfo::default()
    };
    let (cx, heard) = context(RunInfo {
        session_id: "s".into(),
        ..RunInfo::default()
    });
    let wires = vec![("input_value", Value::Message(Arc::new(incoming.clone())))];
    run_in("ChatOutput", json!({}), wires, node.clone(), cx).unwrap();
    let shown = heard.0.lock().unwrap()[0].clone();
    assert_eq!(shown.0.id, Some(id), "it is the same message, not a second one");
    assert_eq!(
        (shown.0.sender, shown.0.sender_name.as_str()),
        (Sender::Machine, "AI")
    );
    assert_eq!(
        shown.0.properties["source"],
        json!({ "id": "ChatOutput-1", "display_name": "Out", "source": "gpt" })
    );
    assert_eq!(shown.0.properties["state"], "complete");
    assert_eq!((shown.1, shown.2), (true, true));

    let node = NodeInfo {
        fed_by_chat_input: true,
        ..node
    };
    let (cx, heard) = context(RunInfo::default());
    run_in(
        "ChatOutput",
        json!({}),
        vec![("input_value", Value::Message(Arc::new(incoming)))],
        node,
        cx,
    )
    .unwrap();
    let shown = heard.0.lock().unwrap()[0].clone();
    assert_ne!(shown.0.id, Some(id), "an echo is a message of its own");
    assert_eq!((shown.0.text.as_str(), shown.1), ("answer", false));
}

#[test]
fn large_tables_leave_the_scheduler() {
    let rows: Vec<_> = (0..5_000)
        .map(|n| json!({ "n": n, "text": "some words in a cell" }))
        .collect();
    let outputs = run("ChatOutput", json!({}), vec![("input_value", table(json!(rows)))]).unwrap();
    assert_eq!(text(&outputs, "message").lines().count(), 5_002);
}

#[test]
fn text_input_and_output_pass_text() {
    says("TextInput", json!({ "input_value": "a" }), vec![], "text", "a");
    let (cx, _) = context(RunInfo {
        input_value: "from the run".into(),
        ..RunInfo::default()
    });
    let outputs = run_in("TextInput", json!({}), vec![], NodeInfo::default(), cx).unwrap();
    assert_eq!(text(&outputs, "text"), "from the run");
    says(
        "TextOutput",
        json!({}),
        vec![("input_value", data(json!({ "text": "b" })))],
        "text",
        "b",
    );
    says("TextOutput", json!({}), vec![], "text", "");
}

#[test]
fn webhook_reads_what_was_sent() {
    for (body, expected) in [
        ("{\"a\": 1}", json!({ "a": 1 })),
        ("[1]", json!({ "payload": [1] })),
        ("not json {", json!({ "payload": "not json {" })),
        ("", json!({})),
    ] {
        let (cx, _) = context(RunInfo {
            webhook: Some(body.into()),
            ..RunInfo::default()
        });
        let outputs = run_in("Webhook", json!({}), vec![], NodeInfo::default(), cx).unwrap();
        assert_eq!(json(&outputs, "output_data"), expected, "{body}");
    }
    gives(
        "Webhook",
        json!({ "data": "{\"x\": 2}" }),
        vec![],
        "output_data",
        json!({ "x": 2 }),
    );
}
