use std::sync::Arc;

use ferro_engine::{Cause, Failure, Outputs};
use serde_json::{Value as Json, json};

use crate::server::{Reply, Server, answer, page};
use crate::support::{call, component, run, run_call};

async fn read(server: &Server, fields: Json) -> Result<Outputs, Failure> {
    run(&component(&[server], "URLComponent"), fields).await
}

fn column(outputs: &Outputs, name: &str) -> Vec<String> {
    let rows = outputs.get("page_results").unwrap().rows();
    rows.iter()
        .map(|row| row[name].as_str().unwrap().to_owned())
        .collect()
}

/// `/docs/` links to a, b, itself, and outside; a links to c; c to d.
async fn site() -> Server {
    Server::start(|path, _| match path {
        "/docs/" => page(
            r##"<html lang="en"><head><title>Docs</title><meta name="description" content="All of it"></head>
               <body><h1>Start</h1><a href="a">A</a> <a href="b.html#x">B</a> <a href="b.html#y">B again</a> <a href="/docs/">Me</a>
               <a href="/other">Out</a> <a href="https://elsewhere.test/">Away</a> <a href="mailto:x@y.z">Mail</a></body></html>"##,
        ),
        "/docs/a" => page("<p>Page A <a href='c'>C</a></p>"),
        "/docs/b.html" => page("<p>Page B</p>"),
        "/docs/c" => page("<p>Page C <a href='d'>D</a></p>"),
        "/docs/d" => page("<p>Page D</p>"),
        "/other" => page("<p>Other</p>"),
        "/moved" => answer("301 Moved", "location: /docs/b.html\r\n", ""),
        "/style.css" => answer("200 OK", "content-type: text/css\r\n", "p {}"),
        "/pic" => answer("200 OK", "content-type: image/png\r\n", "x"),
        "/latin" => answer("200 OK", "content-type: text/html\r\n", b"<meta charset=iso-8859-1><p>caf\xe9</p>"),
        _ => answer("404 Not Found", "content-type: text/html\r\n", "<p>Nothing here</p>"),
    })
    .await
}

#[tokio::test]
async fn one_page_with_what_is_known_of_it() {
    let server = site().await;
    let outputs = read(&server, json!({ "urls": [server.url("/docs/")], "max_depth": 1 }))
        .await
        .unwrap();
    let rows = outputs.get("page_results").unwrap().rows();
    assert_eq!(rows.len(), 1);
    assert_eq!(
        (rows[0]["title"].clone(), rows[0]["language"].clone()),
        (json!("Docs"), json!("en"))
    );
    assert_eq!(
        (rows[0]["description"].clone(), rows[0]["content_type"].clone()),
        (json!("All of it"), json!("text/html"))
    );
    assert_eq!(rows[0]["url"], json!(server.url("/docs/")));
    let text = outputs.get("raw_results").unwrap().to_text().into_owned();
    assert!(text.starts_with("Start\n\nA B B again"), "{text}");
}

#[tokio::test]
async fn formats() {
    let server = site().await;
    let get = |format: &str| json!({ "urls": server.url("/docs/a"), "format": format });
    assert_eq!(
        column(&read(&server, get("Text")).await.unwrap(), "text"),
        ["Page A C"]
    );
    assert_eq!(
        column(&read(&server, get("Markdown")).await.unwrap(), "text"),
        ["Page A [C](c)"]
    );
    assert_eq!(
        column(&read(&server, get("HTML")).await.unwrap(), "text"),
        ["<p>Page A <a href='c'>C</a></p>"]
    );
    let latin = read(&server, json!({ "urls": server.url("/latin") }))
        .await
        .unwrap();
    assert_eq!(column(&latin, "text"), ["café"]);
}

#[tokio::test]
async fn follows_links_to_its_depth_and_each_page_once() {
    let server = site().await;
    let outputs = read(&server, json!({ "urls": [server.url("/docs/")], "max_depth": 2 }))
        .await
        .unwrap();
    assert_eq!(
        column(&outputs, "url"),
        [
            server.url("/docs/"),
            server.url("/docs/a"),
            server.url("/docs/b.html")
        ]
    );
    assert_eq!(server.paths(), ["/docs/", "/docs/a", "/docs/b.html"]);
    let server = site().await;
    let outputs = read(&server, json!({ "urls": [server.url("/docs/")], "max_depth": 9 }))
        .await
        .unwrap();
    assert_eq!(column(&outputs, "text").len(), 5);
    let server = site().await;
    read(
        &server,
        json!({ "urls": [server.url("/docs/")], "max_depth": 2, "prevent_outside": false }),
    )
    .await
    .unwrap();
    assert!(server.paths().contains(&"/other".to_owned()));
}

#[tokio::test]
async fn a_site_without_end_is_left_after_fifty_pages() {
    let server = Server::start(|path, _| {
        let links: String = (0..30).map(|n| format!("<a href='{path}{n}/'>x</a>")).collect();
        page(&links)
    })
    .await;
    let outputs = read(&server, json!({ "urls": [server.url("/")], "max_depth": 5 }))
        .await
        .unwrap();
    assert_eq!((server.requests().len(), column(&outputs, "url").len()), (50, 50));
}

#[tokio::test]
async fn redirects_and_what_is_no_page() {
    let server = site().await;
    let both = json!({ "urls": [server.url("/docs/b.html"), server.url("/style.css"), server.url("/pic")] });
    let outputs = read(&server, both).await.unwrap();
    assert_eq!(column(&outputs, "url"), [server.url("/docs/b.html")]);
    let outputs = read(&server, json!({ "urls": [server.url("/moved")] }))
        .await
        .unwrap();
    assert_eq!(column(&outputs, "url"), [server.url("/docs/b.html")]);
    let again = json!({ "urls": [server.url("/docs/b.html"), server.url("/moved")] });
    assert_eq!(column(&read(&server, again).await.unwrap(), "text"), ["Page B"]);
    let failure = read(&server, json!({ "urls": [server.url("/pic")] }))
        .await
        .unwrap_err();
    assert!(failure.advice.contains("Read File"), "{failure:?}");
}

#[tokio::test]
async fn failures_are_left_out_or_said() {
    let server = site().await;
    let urls = json!([server.url("/docs/a"), server.url("/gone"), "http://10.0.0.1/"]);
    let outputs = read(&server, json!({ "urls": urls })).await.unwrap();
    assert_eq!(column(&outputs, "text"), ["Page A C", "Nothing here"]);
    let outputs = read(&server, json!({ "urls": urls, "check_response_status": true }))
        .await
        .unwrap();
    assert_eq!(column(&outputs, "text"), ["Page A C"]);
    let strict = read(&server, json!({ "urls": urls, "continue_on_failure": false }))
        .await
        .unwrap_err();
    assert!(strict.advice.contains("FERROFLOW_EGRESS_ALLOW"), "{strict:?}");
    let only_bad = read(&server, json!({ "urls": ["http://10.0.0.1/"] }))
        .await
        .unwrap_err();
    assert!(only_bad.message.contains("private network"), "{only_bad:?}");
    assert_eq!(
        read(&server, json!({ "urls": [""] }))
            .await
            .unwrap_err()
            .field
            .as_deref(),
        Some("urls")
    );
    assert_eq!(
        read(&server, json!({ "urls": ["https://a b"] }))
            .await
            .unwrap_err()
            .field
            .as_deref(),
        Some("urls")
    );
}

#[tokio::test]
async fn headers_are_sent() {
    let server = site().await;
    let fields = json!({ "urls": [server.url("/docs/a")], "headers": [{ "key": "X-Who", "value": "me" }] });
    read(&server, fields).await.unwrap();
    assert!(server.requests()[0].contains("x-who: me\r\n"));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_hangs_is_given_up() {
    let server = Server::start(|_, _| Reply::Silence).await;
    let failure = read(&server, json!({ "urls": [server.url("/")], "timeout": 3 }))
        .await
        .unwrap_err();
    assert_eq!(failure.cause, Cause::Timeout);
}

#[tokio::test]
async fn stopping_the_run_ends_the_crawl() {
    let server = Server::start(|_, _| Reply::Silence).await;
    let call = call(
        &Arc::default(),
        json!({ "urls": [server.url("/")], "timeout": 600 }),
    );
    let cancel = call.cx.cancel.clone();
    let component = component(&[&server], "URLComponent");
    let running = tokio::spawn(async move { run_call(&component, call).await });
    server.was_asked().await;
    cancel.cancel();
    assert_eq!(running.await.unwrap().unwrap_err().cause, Cause::Cancelled);
}
