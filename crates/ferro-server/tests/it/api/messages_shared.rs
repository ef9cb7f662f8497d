//! Conversations with somebody else's shared flow: each visitor's own.

use ferro_store::{FlowId, MessageId, MessageRecord, Principal, Timestamp, UserId};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::site::{Person, Site, texts};

const SHARED: &str = "/api/v1/monitor/messages/shared";

/// As a run of the shared flow keeps it.
async fn said(site: &Site, visitor: &Person, flow: &str, session: &str, text: &str) -> String {
    let name = format!("user:{}_{flow}", visitor.id);
    let id = visitor.id.parse::<UserId>().unwrap();
    let by = site
        .app
        .store
        .user(&Principal::System, id)
        .await
        .unwrap()
        .principal();
    let message = MessageRecord {
        id: MessageId::new(),
        flow_id: FlowId(Uuid::new_v5(&Uuid::NAMESPACE_DNS, name.as_bytes())),
        session_id: session.to_owned(),
        context_id: None,
        run_id: None,
        timestamp: Timestamp::now(),
        sender: "User".to_owned(),
        sender_name: "User".to_owned(),
        text: text.to_owned(),
        files: "[]".to_owned(),
        error: false,
        edit: false,
        properties: "{}".to_owned(),
        category: "message".to_owned(),
        content_blocks: "[]".to_owned(),
        session_metadata: None,
        is_output: false,
        duration_ms: None,
    };
    site.app
        .store
        .create_message(&by, message)
        .await
        .unwrap()
        .id
        .to_string()
}

#[tokio::test]
async fn each_visitor_has_conversations_of_their_own() {
    let site = Site::new().await;
    let (ada, eve, bob) = (
        site.user("ada").await,
        site.user("eve").await,
        site.user("bob").await,
    );
    let flow = ada.flow("Shared").await.id();
    let private = json!({ "flow_id": flow, "session_id": "s", "text": "the owner's" });
    let private = ada
        .post("/api/v1/monitor/messages", &private)
        .await
        .expect(201)
        .id();
    let first = said(&site, &eve, &flow, "s", "one").await;
    said(&site, &eve, &flow, "t", "two").await;
    let bobs = said(&site, &bob, &flow, "s", "bob's").await;

    let of_flow = format!("source_flow_id={flow}");
    let list = async |person: &Person, more: &str| -> Value {
        let path = format!("{SHARED}?{of_flow}{more}");
        person.get(&path).await.expect(200).json()
    };
    let sessions = async |person: &Person| -> Value {
        let path = format!("{SHARED}/sessions?{of_flow}");
        person.get(&path).await.expect(200).json()
    };
    assert_eq!(texts(&list(&eve, "").await, "text"), ["one", "two"]);
    assert_eq!(texts(&list(&eve, "&session_id=t").await, "text"), ["two"]);
    assert_eq!(texts(&list(&eve, "&order=DESC&limit=1").await, "text"), ["two"]);
    assert_eq!(texts(&list(&bob, "").await, "text"), ["bob's"]);
    assert_eq!(
        list(&ada, "").await,
        json!([]),
        "the owner is a visitor like others"
    );
    assert_eq!(sessions(&eve).await, json!(["t", "s"]));
    assert_eq!(sessions(&ada).await, json!([]));
    let nowhere = format!("{SHARED}?source_flow_id={}", Uuid::new_v4());
    assert_eq!(eve.get(&nowhere).await.expect(200).json(), json!([]));

    let change = |id: &str, flow: &str| format!("{SHARED}/{id}?source_flow_id={flow}");
    let text = json!({ "text": "changed" });
    let changed = eve.put(&change(&first, &flow), &text).await.expect(200).json();
    assert_eq!(
        (&changed["text"], &changed["edit"]),
        (&json!("changed"), &json!(true))
    );
    for (person, id) in [(&eve, &bobs), (&ada, &first), (&ada, &private)] {
        person
            .put(&change(id, &flow), &text)
            .await
            .refused(404, "not_found");
    }
    let elsewhere = eve.flow("Elsewhere").await.id();
    eve.put(&change(&first, &elsewhere), &text)
        .await
        .refused(404, "not_found");
    let properties = json!({ "properties": { "positive_feedback": true } });
    ada.put(&change(&private, &flow), &properties)
        .await
        .refused(404, "not_found");

    let session = |name: &str| format!("{SHARED}/session/{name}?{of_flow}");
    let rename = |name: &str, new: &str| format!("{}&new_session_id={new}", session(name));
    ada.call("PATCH", &rename("s", "u"))
        .send()
        .await
        .refused(404, "not_found");
    eve.call("PATCH", &rename("s", "t"))
        .send()
        .await
        .refused(409, "name_taken");
    let renamed = eve
        .call("PATCH", &rename("s", "u"))
        .send()
        .await
        .expect(200)
        .json();
    assert_eq!(texts(&renamed, "session_id"), ["u"]);
    eve.delete(&session("u")).await.expect(204);
    assert_eq!(sessions(&eve).await, json!(["t"]));
    assert_eq!(texts(&list(&bob, "").await, "text"), ["bob's"]);
    let owners = ada
        .get(&format!("/api/v1/monitor/messages?flow_id={flow}"))
        .await
        .expect(200)
        .json();
    assert_eq!(texts(&owners, "text"), ["the owner's"]);
}

#[tokio::test]
async fn the_shared_flow_must_be_named() {
    let site = Site::new().await;
    let ada = site.user("ada").await;
    let id = Uuid::new_v4();
    let none = json!({ "text": "x" });
    for (method, path) in [
        ("GET", SHARED.to_owned()),
        ("GET", format!("{SHARED}?source_flow_id=nonsense")),
        ("GET", format!("{SHARED}/sessions")),
        ("PUT", format!("{SHARED}/{id}")),
        ("PATCH", format!("{SHARED}/session/s?new_session_id=t")),
        ("DELETE", format!("{SHARED}/session/s")),
    ] {
        let refusal = ada
            .call(method, &path)
            .json(&none)
            .send()
            .await
            .refused(422, "invalid");
        assert!(
            refusal.to_string().contains("source_flow_id"),
            "{method} {path}: {refusal}"
        );
    }
}
