//! Requests of Python code: sent by us, within the same limits.

use std::sync::{Arc, Mutex};

use base64::Engine as _;
use ferro_components::{Python, Shared, catalog};
use ferro_engine::{Catalog, OwnNode};
use ferro_net::{AddressPolicy, Client};
use ferro_python::{Host, Refusal, Trouble};
use futures_util::future::BoxFuture;
use serde_json::{Value as Json, json};

use crate::server::{Server, answer};
use crate::support::{Desk, call, run_call};

/// Asks for one thing and keeps the answer.
struct Asks {
    question: Json,
    answer: Mutex<Option<Result<Json, Refusal>>>,
}

impl Python for Asks {
    fn ask<'a>(
        &'a self,
        _: Option<&'a str>,
        _: &'a Json,
        host: &'a dyn Host,
    ) -> BoxFuture<'a, Result<Json, Trouble>> {
        Box::pin(async move {
            let answer = host.call(self.question.clone()).await;
            *self.answer.lock().unwrap() = Some(answer);
            Ok(json!({ "outputs": {}, "stopped": [] }))
        })
    }
}

async fn ask(server: Option<&Server>, question: Json) -> (Result<Json, Refusal>, usize) {
    let mut policy = AddressPolicy::default();
    if let Some(server) = server {
        policy = policy.allow(server.address.to_string().parse().unwrap());
    }
    let python = Arc::new(Asks {
        question,
        answer: Mutex::default(),
    });
    let shared = Shared::new(Client::new(policy).unwrap());
    let catalog: Catalog = catalog(&shared, Some(Arc::clone(&python) as Arc<dyn Python>));
    let node = OwnNode {
        id: "n",
        r#type: "Mine",
        name: "Mine",
        code: "class Mine: ...",
        code_hash: None,
        component: &json!({ "template": {}, "outputs": [{ "name": "out", "method": "go", "types": ["Message"] }] }),
    };
    let entry = catalog.own_code().unwrap().entry(node).unwrap();
    let desk = Arc::new(Desk::default());
    run_call(&entry.component, call(&desk, json!({}))).await.unwrap();
    let answer = python.answer.lock().unwrap().take().unwrap();
    let effects = *desk.effects.lock().unwrap();
    (answer, effects)
}

#[tokio::test]
async fn gets_what_is_there() {
    let server = Server::start(|_, _| answer("404 Not Found", "x-a: b\r\nset-cookie: s=1\r\n", "gone")).await;
    let question = json!({
        "ask": "http", "method": "get", "url": server.url("/x?q=1"), "timeout": 5,
        "headers": [["X-Key", "k"], ["Host", "evil"], ["Content-Length", "99"]],
    });
    let (answer, effects) = ask(Some(&server), question).await;
    let answer = answer.unwrap();
    assert_eq!(
        (&answer["status"], &answer["reason"]),
        (&json!(404), &json!("Not Found"))
    );
    let body = base64::engine::general_purpose::STANDARD.decode(answer["body_b64"].as_str().unwrap());
    assert_eq!(body.unwrap(), b"gone");
    assert!(
        answer["headers"]
            .as_array()
            .unwrap()
            .contains(&json!(["x-a", "b"])),
        "{answer}"
    );
    let asked = &server.requests()[0];
    assert!(
        asked.starts_with("GET /x?q=1 ") && asked.contains("x-key: k") && !asked.contains("evil"),
        "{asked}"
    );
    assert_eq!(effects, 0, "reading is no effect");
}

#[tokio::test]
async fn posts_after_saying_so() {
    let server = Server::start(|_, _| answer("200 OK", "", "ok")).await;
    let question = json!({
        "ask": "http", "method": "POST", "url": server.url("/"), "body": "{\"a\":1}",
        "headers": [["Content-Type", "application/json"]],
    });
    let (answer, effects) = ask(Some(&server), question).await;
    assert_eq!(answer.unwrap()["status"], 200);
    assert_eq!(effects, 1);
    let asked = &server.requests()[0];
    assert!(
        asked.contains("content-type: application/json") && asked.ends_with("{\"a\":1}"),
        "{asked}"
    );
}

#[tokio::test]
async fn redirects_are_followed_unless_told_otherwise() {
    let server = Server::start(|path, _| match path {
        "/old" => answer("302 Found", "location: /new\r\n", ""),
        _ => answer("200 OK", "", "new"),
    })
    .await;
    for (follow, status) in [(true, 200), (false, 302)] {
        let question = json!({ "ask": "http", "method": "GET", "url": server.url("/old"), "follow": follow });
        assert_eq!(ask(Some(&server), question).await.0.unwrap()["status"], status);
    }
}

#[tokio::test]
async fn what_is_not_allowed_is_refused() {
    let server = Server::start(|_, _| answer("200 OK", "", "inside")).await;
    // Nobody allowed this server.
    let inside = json!({ "ask": "http", "method": "GET", "url": server.url("/") });
    let refused = ask(None, inside).await.0.unwrap_err();
    assert_eq!(refused.kind, "refused", "{refused:?}");
    assert!(refused.message.contains(ferro_net::ALLOW_SETTING), "{refused:?}");
    assert!(server.requests().is_empty());
    for (question, part) in [
        (json!({ "ask": "http", "url": "no address" }), "not an address"),
        (
            json!({ "ask": "http", "method": "GET", "url": "file:///etc/passwd" }),
            "",
        ),
        (
            json!({ "ask": "http", "method": "G T", "url": "https://a.test" }),
            "HTTP method",
        ),
        (
            json!({ "ask": "http", "url": "https://a.test", "headers": [["a"]] }),
            "header",
        ),
        (
            json!({ "ask": "http", "url": "https://a.test", "headers": [["a", "b\nc"]] }),
            "",
        ),
        (
            json!({ "ask": "http", "method": "POST", "url": "https://a.test", "body_b64": "%" }),
            "base64",
        ),
    ] {
        let refused = ask(None, question.clone()).await.0.unwrap_err();
        assert_eq!(refused.kind, "refused", "{question}: {refused:?}");
        assert!(refused.message.contains(part), "{refused:?}");
    }
}

#[tokio::test]
async fn answers_have_a_size_and_a_time() {
    let server = Server::start(|path, _| match path {
        "/large" => answer("200 OK", "", vec![b'a'; 17 * 1024 * 1024]),
        _ => crate::server::Reply::Silence,
    })
    .await;
    let large = json!({ "ask": "http", "method": "GET", "url": server.url("/large") });
    assert_eq!(ask(Some(&server), large).await.0.unwrap_err().kind, "limit");
    let slow = json!({ "ask": "http", "method": "GET", "url": server.url("/slow"), "timeout": 0.05 });
    assert_eq!(ask(Some(&server), slow).await.0.unwrap_err().kind, "timeout");
}
