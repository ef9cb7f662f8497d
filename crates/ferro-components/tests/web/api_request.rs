use std::sync::Arc;

use ferro_engine::{Cause, Failure};
use serde_json::{Value as Json, json};

use crate::server::{Reply, Server, answer};
use crate::support::{Desk, call, component, run, run_call};

async fn ask(server: &Server, fields: Json) -> Result<Json, Failure> {
    let outputs = run(&component(&[server], "APIRequest"), fields).await?;
    Ok(outputs.get("data").unwrap().to_json())
}

fn json_answer(body: Json) -> Reply {
    answer(
        "200 OK",
        "content-type: application/json\r\nset-cookie: s=secret\r\n",
        body.to_string(),
    )
}

#[tokio::test]
async fn gets_json_with_parameters_and_headers() {
    let server = Server::start(|_, _| json_answer(json!({ "items": [1, 2] }))).await;
    let data = ask(
        &server,
        json!({
            "url_input": server.url("/list?a=1"), "method": "GET", "query_params": { "q": "x y" }, "include_httpx_metadata": true,
            "headers": [{ "key": "X-Api-Key", "value": "t0psecret" }, { "key": "X-Plain", "value": "seen" }, { "key": "Host", "value": "evil" }],
        }),
    )
    .await
    .unwrap();
    assert_eq!(data["result"], json!({ "items": [1, 2] }));
    assert_eq!(data["status_code"], 200);
    assert_eq!(data["source"], server.url("/list?a=1&q=x+y"));
    assert_eq!(data["headers"]["X-Plain"], "seen");
    let asked = &server.requests()[0];
    assert!(asked.starts_with("GET /list?a=1&q=x+y HTTP/1.1\r\n"), "{asked}");
    assert!(
        asked.contains("x-api-key: t0psecret\r\n") && !asked.contains("evil"),
        "{asked}"
    );
    let shown = data.to_string();
    assert!(
        !shown.contains("t0psecret") && !shown.contains("s=secret"),
        "{shown}"
    );
}

#[tokio::test]
async fn posts_once_and_says_so_before() {
    let server = Server::start(|_, _| answer("201 Created", "content-type: text/plain\r\n", "made")).await;
    let desk = Arc::new(Desk::default());
    let fields = json!({
        "url_input": server.url("/"), "method": "POST", "body": [{ "key": "n", "value": "1" }, { "key": "t", "value": "one" }],
    });
    let outputs = run_call(&component(&[&server], "APIRequest"), call(&desk, fields))
        .await
        .unwrap();
    let data = outputs.get("data").unwrap().to_json();
    assert_eq!(
        (data["status_code"].clone(), data["result"].clone()),
        (json!(201), json!("made"))
    );
    let asked = &server.requests()[0];
    assert!(
        asked.starts_with("POST / ") && asked.contains("content-type: application/json\r\n"),
        "{asked}"
    );
    let sent: Json = serde_json::from_str(asked.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    assert_eq!(sent, json!({ "n": 1, "t": "one" }));
    assert_eq!(*desk.effects.lock().unwrap(), 1);
}

#[tokio::test]
async fn a_form_is_sent_as_one() {
    let server = Server::start(|_, _| answer("200 OK", "", "")).await;
    let fields = json!({
        "url_input": server.url("/"), "method": "PUT", "body": { "a": "x y", "b": 2 },
        "headers": { "Content-Type": "application/x-www-form-urlencoded" },
    });
    ask(&server, fields).await.unwrap();
    assert!(
        server.requests()[0].ends_with("\r\n\r\na=x+y&b=2"),
        "{}",
        server.requests()[0]
    );
}

#[tokio::test]
async fn a_curl_command_is_a_request() {
    let server = Server::start(|_, _| json_answer(json!("ok"))).await;
    let command = format!(
        "curl -X PATCH '{}' -u me:pw -H 'X-A: b' --json '{{\"a\": 1}}'",
        server.url("/c")
    );
    let data = ask(&server, json!({ "mode": "cURL", "curl_input": command }))
        .await
        .unwrap();
    assert_eq!(data["result"], "ok");
    let asked = &server.requests()[0];
    assert!(
        asked.starts_with("PATCH /c ") && asked.ends_with("{\"a\": 1}"),
        "{asked}"
    );
    assert!(
        asked.contains("authorization: Basic bWU6cHc=\r\n") && asked.contains("x-a: b\r\n"),
        "{asked}"
    );
    let failure = ask(
        &server,
        json!({ "mode": "cURL", "curl_input": "curl -d @/etc/passwd x" }),
    )
    .await
    .unwrap_err();
    assert_eq!(failure.field.as_deref(), Some("curl_input"));
}

#[tokio::test]
async fn redirects_are_followed_only_when_asked_for() {
    let server = Server::start(|path, _| match path {
        "/old" => answer("302 Found", "location: /new\r\n", ""),
        _ => json_answer(json!("new")),
    })
    .await;
    let data = ask(&server, json!({ "url_input": server.url("/old") }))
        .await
        .unwrap();
    assert_eq!(
        (
            data["status_code"].clone(),
            data["response_headers"]["location"].clone()
        ),
        (json!(302), json!("/new"))
    );
    let data = ask(
        &server,
        json!({ "url_input": server.url("/old"), "follow_redirects": true }),
    )
    .await
    .unwrap();
    assert_eq!(
        (data["result"].clone(), data["redirected_to"].clone()),
        (json!("new"), json!(server.url("/new")))
    );
}

#[tokio::test]
async fn inside_addresses_are_refused_also_behind_a_redirect() {
    let server = Server::start(|_, _| answer("302 Found", "location: http://10.1.2.3/\r\n", "")).await;
    let direct = ask(&server, json!({ "url_input": "http://10.1.2.3/" }))
        .await
        .unwrap_err();
    let behind = ask(
        &server,
        json!({ "url_input": server.url("/"), "follow_redirects": true }),
    )
    .await
    .unwrap_err();
    for failure in [direct, behind] {
        assert_eq!(failure.cause, Cause::Outside);
        assert!(failure.message.contains("private network"), "{failure:?}");
        assert!(failure.advice.contains("FERROFLOW_EGRESS_ALLOW"), "{failure:?}");
    }
    let other_port = ask(&server, json!({ "url_input": "http://127.0.0.1:9/" }))
        .await
        .unwrap_err();
    assert!(other_port.message.contains("refused"), "{other_port:?}");
}

#[tokio::test]
async fn a_huge_answer_is_not_taken() {
    let server = Server::start(|_, _| {
        Reply::Bytes(b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\nx".to_vec())
    })
    .await;
    let failure = ask(&server, json!({ "url_input": server.url("/") }))
        .await
        .unwrap_err();
    assert_eq!(failure.cause, Cause::Limit);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_hangs_is_given_up() {
    let server = Server::start(|_, _| Reply::Silence).await;
    let failure = ask(&server, json!({ "url_input": server.url("/"), "timeout": 2 }))
        .await
        .unwrap_err();
    assert_eq!(failure.cause, Cause::Timeout);
    assert!(failure.message.contains("2s"), "{failure}");
}

#[tokio::test]
async fn stopping_the_run_ends_the_request() {
    let server = Server::start(|_, _| Reply::Silence).await;
    let call = call(
        &Arc::default(),
        json!({ "url_input": server.url("/"), "timeout": 600 }),
    );
    let cancel = call.cx.cancel.clone();
    let component = component(&[&server], "APIRequest");
    let running = tokio::spawn(async move { run_call(&component, call).await });
    server.was_asked().await;
    cancel.cancel();
    assert_eq!(running.await.unwrap().unwrap_err().cause, Cause::Cancelled);
}

#[tokio::test]
async fn what_is_no_text_comes_as_base64_or_as_a_file() {
    let server =
        Server::start(|_, _| answer("200 OK", "content-type: image/png\r\n", [0x89, 0x50, 0, 1])).await;
    let data = ask(&server, json!({ "url_input": server.url("/img/pic") }))
        .await
        .unwrap();
    assert_eq!(
        (data["result"].clone(), data["encoding"].clone()),
        (json!("iVAAAQ=="), json!("base64"))
    );
    let desk = Arc::new(Desk::default());
    let fields = json!({ "url_input": server.url("/img/..%2Fpic"), "save_to_file": true });
    let outputs = run_call(&component(&[&server], "APIRequest"), call(&desk, fields))
        .await
        .unwrap();
    let data = outputs.get("data").unwrap().to_json();
    let (name, bytes) = desk.files.lock().unwrap()[0].clone();
    assert!(
        !name.contains('/') && name.ends_with(".png") && bytes == [0x89, 0x50, 0, 1],
        "{name}"
    );
    assert_eq!(data["file_path"], json!(format!("mine/{name}")));
    assert_eq!(*desk.effects.lock().unwrap(), 1);
}

#[tokio::test]
async fn bad_input_is_named() {
    let server = Server::start(|_, _| answer("200 OK", "", "")).await;
    for (fields, field) in [
        (json!({}), "url_input"),
        (json!({ "url_input": "http://" }), "url_input"),
        (
            json!({ "url_input": server.url("/"), "method": "BREW" }),
            "method",
        ),
        (
            json!({ "url_input": server.url("/"), "query_params": "not json" }),
            "query_params",
        ),
        (
            json!({ "url_input": server.url("/"), "timeout": "soon" }),
            "timeout",
        ),
    ] {
        assert_eq!(
            ask(&server, fields.clone()).await.unwrap_err().field.as_deref(),
            Some(field),
            "{fields}"
        );
    }
    assert!(
        ask(&server, json!({ "url_input": "ftp://a.test/" }))
            .await
            .is_err()
    );
    let split = json!({ "url_input": server.url("/"), "headers": { "X": "a\r\nY: b" } });
    assert_eq!(ask(&server, split).await.unwrap_err().cause, Cause::Input);
    assert!(server.requests().is_empty());
}

#[test]
fn the_mode_decides_about_fields_and_a_command_fills_them_in() {
    let component = component(&[], "APIRequest");
    let mut node = component.descriptor().to_node();
    component.refresh(&mut node, "mode", &json!("cURL")).unwrap();
    assert_eq!(
        (
            node["template"]["curl_input"]["show"].clone(),
            node["template"]["url_input"]["show"].clone()
        ),
        (json!(true), json!(false))
    );
    component
        .refresh(
            &mut node,
            "curl_input",
            &json!("curl https://a.test -H 'A: b' -d '{\"k\": 1}'"),
        )
        .unwrap();
    assert_eq!(node["template"]["url_input"]["value"], "https://a.test");
    assert_eq!(node["template"]["method"]["value"], "POST");
    assert_eq!(
        node["template"]["headers"]["value"][0],
        json!({ "key": "A", "value": "b" })
    );
    assert_eq!(
        node["template"]["body"]["value"],
        json!([{ "key": "k", "value": 1 }])
    );
    assert!(
        component
            .refresh(&mut node, "curl_input", &json!("wget x"))
            .is_err()
    );
}
