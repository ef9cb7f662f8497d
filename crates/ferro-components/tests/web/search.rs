use ferro_engine::Cause;
use serde_json::{Value as Json, json};

use crate::server::{Reply, Server, answer, page};
use crate::support::{call, component, run, run_call};

const FEED: &str = r#"<rss><channel><item><title>One</title><link>https://one.test</link><pubDate>Mon</pubDate>
    <description>&lt;b&gt;Hi&lt;/b&gt;</description></item></channel></rss>"#;

async fn feed_server() -> Server {
    Server::start(|path, _| match path {
        "/feed" => answer("200 OK", "content-type: application/rss+xml\r\n", FEED),
        "/page" => page("<p>no feed</p>"),
        "/hang" => Reply::Silence,
        _ => answer("500 Oops", "", ""),
    })
    .await
}

async fn rows(server: &Server, url: &str) -> Vec<serde_json::Map<String, Json>> {
    let fields = json!({ "search_mode": "RSS", "query": url });
    let searched = run(&component(&[server], "UnifiedWebSearch"), fields)
        .await
        .unwrap();
    let read = run(
        &component(&[server], "RSSReaderSimple"),
        json!({ "rss_url": url }),
    )
    .await
    .unwrap();
    let rows = read.get("articles").unwrap().rows();
    assert_eq!(searched.get("results").unwrap().rows(), rows);
    rows
}

#[tokio::test]
async fn feeds_are_read_in_both_components() {
    let server = feed_server().await;
    let rows = rows(&server, &server.url("/feed")).await;
    assert_eq!(
        Json::Object(rows[0].clone()),
        json!({ "title": "One", "link": "https://one.test", "published": "Mon", "summary": "Hi" })
    );
}

#[tokio::test]
async fn failures_are_one_row_titled_error() {
    let server = feed_server().await;
    for (path, says) in [("/page", "not a feed"), ("/gone", "status 500")] {
        let rows = rows(&server, &server.url(path)).await;
        assert_eq!((rows.len(), rows[0]["title"].clone()), (1, json!("Error")));
        assert!(rows[0]["summary"].as_str().unwrap().contains(says), "{rows:?}");
    }
    let refused = rows(&server, "http://169.254.169.254/feed").await;
    assert!(
        refused[0]["summary"].as_str().unwrap().contains("metadata"),
        "{refused:?}"
    );
}

#[tokio::test]
async fn stopping_the_run_is_not_a_result() {
    let server = feed_server().await;
    let call = call(
        &std::sync::Arc::default(),
        json!({ "rss_url": server.url("/hang"), "timeout": 600 }),
    );
    let cancel = call.cx.cancel.clone();
    let component = component(&[&server], "RSSReaderSimple");
    let running = tokio::spawn(async move { run_call(&component, call).await });
    server.was_asked().await;
    cancel.cancel();
    assert_eq!(running.await.unwrap().unwrap_err().cause, Cause::Cancelled);
}

#[test]
fn the_mode_decides_about_fields() {
    let component = component(&[], "UnifiedWebSearch");
    let mut node = component.descriptor().to_node();
    let mut shown = |mode: &str, field: &str| {
        component.refresh(&mut node, "search_mode", &json!(mode)).unwrap();
        node["template"][field]["show"] == json!(true)
    };
    assert!(shown("News", "topic") && !shown("News", "max_results"));
    assert!(shown("Web", "max_results") && !shown("Web", "topic"));
    assert!(!shown("RSS", "topic") && !shown("RSS", "max_results"));
}
