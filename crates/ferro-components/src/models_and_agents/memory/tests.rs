use std::sync::{Arc, Mutex};

use ferro_engine::{Body, Context, Host, NodeInfo, RunInfo, Sink};
use futures_util::future::BoxFuture;

use super::*;

/// Two messages; remembers what was asked for.
#[derive(Default)]
struct Stored(Mutex<Option<MessageQuery>>);

impl Host for Stored {
    fn messages(&self, query: MessageQuery) -> BoxFuture<'_, Result<Vec<Message>, Failure>> {
        *self.0.lock().unwrap() = Some(query);
        let message = |text: &str, sender, name: &str| Message {
            sender,
            sender_name: name.to_owned(),
            timestamp: 1_000_000,
            ..Message::text(text)
        };
        let found = vec![
            message("hi", Sender::User, "Ada"),
            message("hello", Sender::Machine, "AI"),
        ];
        Box::pin(async move { Ok(found) })
    }
}

/// Keeps what was said.
#[derive(Default)]
pub(in crate::models_and_agents) struct Heard(pub Mutex<Vec<(Message, bool)>>);

impl Sink for Heard {
    fn emit(&self, body: Body) {
        if let Body::Message { message, store, .. } = body {
            self.0.lock().unwrap().push((*message, store));
        }
    }
    fn settle(&self, _: Body) -> BoxFuture<'_, Result<(), Failure>> {
        Box::pin(async { Ok(()) })
    }
}

pub(in crate::models_and_agents) async fn run_heard(
    component: &dyn Component,
    fields: Json,
) -> (Result<Outcome, Failure>, Arc<Heard>) {
    let Json::Object(fields) = fields else {
        panic!("fields are an object")
    };
    let heard = Arc::new(Heard::default());
    let run = RunInfo {
        session_id: "s1".to_owned(),
        ..RunInfo::default()
    };
    let cx = Context::heard(
        run,
        Arc::new(ferro_engine::NoHost),
        Arc::clone(&heard) as Arc<dyn Sink>,
    );
    let done = match component.run(Call::new(NodeInfo::default(), fields, vec![], cx)) {
        Step::Now(done) => done,
        Step::Later(work) => work.await,
    };
    (done, heard)
}

async fn read(fields: Json) -> (Outputs, MessageQuery) {
    let Json::Object(fields) = fields else {
        panic!("fields are an object")
    };
    let host = Arc::new(Stored::default());
    let run = RunInfo {
        session_id: "s1".to_owned(),
        ..RunInfo::default()
    };
    let cx = Context::silent(run, Arc::clone(&host) as Arc<dyn Host>);
    let Step::Later(work) = Memory.run(Call::new(NodeInfo::default(), fields, vec![], cx)) else {
        panic!("it takes a while")
    };
    let Ok(Outcome::Done(outputs)) = work.await else {
        panic!("it is done")
    };
    let query = host.0.lock().unwrap().clone().unwrap();
    (outputs, query)
}

#[tokio::test]
async fn reads_the_runs_own_session() {
    let (outputs, query) = read(json!({ "session_id": "", "n_messages": 100 })).await;
    assert_eq!(
        (query.session_id.as_str(), query.limit, query.sender),
        ("s1", Some(100), None)
    );
    assert_eq!(
        outputs.get("messages_text").unwrap().to_text(),
        "Ada: hi\nAI: hello"
    );
    let Some(Value::Table(table)) = outputs.get("dataframe") else {
        panic!("a table")
    };
    assert_eq!(table.cells[0][..3], [json!("hi"), json!("User"), json!("Ada")]);
    assert_eq!(table.cells[0][5], json!("1970-01-01 00:00:01 UTC"));
}

#[tokio::test]
async fn filters_order_and_template() {
    let fields = json!({ "session_id": "s2", "sender_type": "User", "sender_name": "Ada", "n_messages": 0, "order": "Descending", "template": "[{sender}] {text}{nothing}" });
    let (outputs, query) = read(fields).await;
    assert_eq!(
        (query.session_id.as_str(), query.limit, query.sender),
        ("s2", None, Some(Sender::User))
    );
    assert_eq!(query.sender_name.as_deref(), Some("Ada"));
    assert_eq!(
        outputs.get("messages_text").unwrap().to_text(),
        "[Machine] hello\n[User] hi"
    );
}

#[tokio::test]
async fn stores_a_message() {
    let fields = json!({ "mode": "Store", "message": "keep me", "sender": "User", "sender_name": "Ada" });
    let (done, heard) = run_heard(&Memory, fields).await;
    let Ok(Outcome::Done(outputs)) = done else {
        panic!("it is done")
    };
    assert_eq!(outputs.get(STORED).unwrap().to_text(), "keep me");
    let heard = heard.0.lock().unwrap();
    let (message, store) = &heard[0];
    assert!(*store && message.id.is_some());
    assert_eq!(
        (
            message.sender,
            message.sender_name.as_str(),
            message.session_id.as_str()
        ),
        (Sender::User, "Ada", "s1")
    );
}

#[tokio::test]
async fn what_cannot_be_stored() {
    let (done, heard) = run_heard(&Memory, json!({ "mode": "Store" })).await;
    assert_eq!(done.unwrap_err().field.as_deref(), Some("message"));
    let (done, _) = run_heard(
        &Memory,
        json!({ "mode": "Store", "message": "x", "sender": "Cat" }),
    )
    .await;
    assert_eq!(done.unwrap_err().field.as_deref(), Some("sender"));
    assert!(heard.0.lock().unwrap().is_empty());
}

#[test]
fn the_mode_decides_about_fields_and_outputs() {
    let mut node = Memory.descriptor().to_node();
    Memory.refresh(&mut node, "mode", &json!("Store")).unwrap();
    assert_eq!(node["outputs"][0]["name"], json!(STORED));
    assert_eq!(node["template"]["message"]["show"], json!(true));
    assert_eq!(node["template"]["n_messages"]["show"], json!(false));
    Memory.refresh(&mut node, "mode", &json!("Retrieve")).unwrap();
    assert_eq!(node["outputs"][1]["name"], json!("dataframe"));
    assert_eq!(node["template"]["message"]["show"], json!(false));
}
