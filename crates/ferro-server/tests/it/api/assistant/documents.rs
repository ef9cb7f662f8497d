//! Files of a person's own folder: written, read and searched by the assistant, and by nobody else.

use ferro_testkit::Turn;
use serde_json::{Value, json};

use super::support::{CHATBOT, World};

fn files(path: &str) -> String {
    format!("/api/v1/agentic/files?path={path}")
}

#[tokio::test]
async fn create_a_documentation_file() {
    let world = World::new().await;
    let flow = world.flow(CHATBOT).await;
    let before = world.saved(&flow).await;
    let content = "# Chatbot\n\nIt chats.\n";
    world
        .means("manage_files")
        .calls(
            "write_file",
            json!({ "path": "FLOW_DOCS.md", "content": content }),
        )
        .says("Written.");
    let told = world
        .ask(&flow, "create a markdown file documenting this flow")
        .await;
    assert_eq!(told.steps()[0], "generating_document");
    assert_eq!(
        told.step("generating_document")["message"],
        "Generating document..."
    );
    let written = told.all("file_written")[0];
    assert_eq!(
        (&written["action"], &written["path"]),
        (&json!("write_file"), &json!("FLOW_DOCS.md"))
    );
    assert_eq!(
        (&written["size"], &written["content"]),
        (&json!(content.len()), &json!(content))
    );
    assert_eq!(told.complete()["intent"], "manage_files");
    assert!(
        told.complete()["changes"].to_string().contains("FLOW_DOCS.md"),
        "{}",
        told.complete()
    );
    assert_eq!(world.saved(&flow).await, before);
}

/// The panel shows and saves what came with the event; both are there.
#[tokio::test]
async fn backend_embeds_content_inline() {
    let world = World::new().await;
    let flow = world.empty().await;
    world.means("manage_files").calls(
        "write_file",
        json!({ "path": "a/NOTES.md", "content": "one\ntwo\n" }),
    );
    world
        .calls(
            "edit_file",
            json!({ "path": "a/NOTES.md", "old": "two", "new": "three" }),
        )
        .says("Done.");
    let told = world.ask(&flow, "write notes").await;
    let written = told.all("file_written");
    assert_eq!(written.len(), 2, "{told:#?}");
    assert_eq!(
        (&written[1]["action"], &written[1]["path"]),
        (&json!("edit_file"), &json!("a/NOTES.md"))
    );
    assert_eq!(written[0]["content"], "one\ntwo\n");
    if let Some(content) = written[1]["content"].as_str() {
        assert_eq!(content, "one\nthree\n");
    }
    // A panel that was reloaded meanwhile asks for it.
    let answer = world.ada.get(&files("a/NOTES.md")).await.expect(200);
    assert_eq!(answer.text(), "one\nthree\n");
    assert!(
        answer.header("content-type").starts_with("text/plain"),
        "{:?}",
        answer.headers
    );
    let download = world
        .ada
        .get(&(files("a/NOTES.md") + "&download=true"))
        .await
        .expect(200);
    assert!(
        download.header("content-disposition").contains("attachment"),
        "{:?}",
        download.headers
    );
}

/// No gate and no step of its own: what is written is in the person's own folder already.
#[tokio::test]
async fn no_continue_gate_for_sandboxed_file_actions() {
    let world = World::new().await;
    let flow = world.empty().await;
    world
        .means("manage_files")
        .calls("write_file", json!({ "path": "A.md", "content": "a" }))
        .says("Done.");
    let told = world.ask(&flow, "write A").await;
    assert!(
        !told.steps().contains(&"document_ready") && !told.steps().contains(&"flow_proposal_ready"),
        "{:?}",
        told.steps()
    );
    assert!(told.actions().is_empty());
    assert_eq!(told.all("file_written").len(), 1);
    assert_ne!(told.complete()["continuation_expected"], true);
}

#[tokio::test]
async fn read_a_sandboxed_file() {
    let world = World::new().await;
    let flow = world.empty().await;
    world
        .means("manage_files")
        .calls(
            "write_file",
            json!({ "path": "NOTES.md", "content": "buy tea\nsell coffee\n" }),
        )
        .says("Ok.");
    world.ask(&flow, "write the notes").await.complete();
    world
        .means("manage_files")
        .calls("read_file", json!({ "path": "NOTES.md" }))
        .says("You are to buy tea.");
    let told = world.ask(&flow, "read the NOTES.md file").await;
    assert!(told.all("file_written").is_empty());
    let read = world.results().pop().unwrap();
    assert!(
        read.contains("buy tea") && read.contains("sell coffee") && read.contains('2'),
        "{read}"
    );
    assert_eq!(told.result(), "You are to buy tea.");
}

#[tokio::test]
async fn search_across_sandbox_files() {
    let world = World::new().await;
    let flow = world.empty().await;
    world.means("manage_files");
    for (path, content) in [
        ("a.md", "the API key is kept elsewhere"),
        ("b/c.md", "no\nan API key\n"),
        ("d.md", "nothing"),
    ] {
        world.calls("write_file", json!({ "path": path, "content": content }));
    }
    world
        .calls("grep_search", json!({ "pattern": "API key" }))
        .calls("glob_search", json!({ "pattern": "**/*.md" }))
        .says("Two.");
    let told = world.ask(&flow, "find 'API key' across my docs").await;
    assert_eq!(told.all("file_written").len(), 3);
    let results = world.results();
    let (grep, glob) = (&results[3], &results[4]);
    assert!(
        grep.contains("a.md") && grep.contains("b/c.md") && !grep.contains("d.md"),
        "{grep}"
    );
    assert!(
        glob.contains("a.md") && glob.contains("b/c.md") && glob.contains("d.md"),
        "{glob}"
    );
}

#[tokio::test]
async fn failed_write_does_not_emit_a_stale_event() {
    let world = World::new().await;
    let flow = world.empty().await;
    let paths = [
        "../escape.md",
        "/etc/passwd",
        "a/../../b.md",
        "..\\escape.md",
        "C:\\x.md",
        "CON",
        "nul.txt",
        "a\u{0}b",
        "",
        ".",
        ".components/X.py",
        "a:b",
        "ends. ",
    ];
    world.means("manage_files");
    for path in paths {
        world.calls("write_file", json!({ "path": path, "content": "x" }));
    }
    world.says("Not one.");
    let told = world.ask(&flow, "write outside of my folder").await;
    assert!(
        told.all("file_written").is_empty(),
        "{:#?}",
        told.all("file_written")
    );
    assert_eq!(world.results().len(), paths.len());
    for (path, result) in paths.iter().zip(world.results()) {
        assert!(
            !result.contains("/tmp"),
            "nothing of the machine is told: {path:?}: {result}"
        );
    }
    for path in ["..%2F..%2Fferroflow.db", "%2Fetc%2Fpasswd", ".components%2FX.py"] {
        let status = world.ada.get(&files(path)).await.status;
        assert!(status == 400 || status == 404, "{path}: {status}");
    }
}

/// One person's folder is nobody else's.
#[tokio::test]
async fn files_are_ones_own() {
    let world = World::new().await;
    let flow = world.empty().await;
    world
        .means("manage_files")
        .calls("write_file", json!({ "path": "mine.md", "content": "x" }))
        .says("Ok.");
    world.ask(&flow, "write it").await.complete();
    let eve = world.site.user("eve").await;
    eve.get(&files("mine.md")).await.expect(404);
    let theirs = format!("..%2F{}%2Fmine.md", world.ada.id);
    let status = eve.get(&files(&theirs)).await.status;
    assert!(status == 400 || status == 404, "{status}");
    world.site.nobody().get(&files("mine.md")).await.expect(401);
    world.ada.get(&files("none.md")).await.expect(404);
    world.ada.get(&files("")).await.expect(422);
}

#[tokio::test]
async fn a_file_too_large_is_not_written() {
    let world = World::new().await;
    let flow = world.empty().await;
    let arguments = json!({ "path": "large.md", "content": "x".repeat((1 << 20) + 1) }).to_string();
    // In one frame: word by word it would take a while.
    let call = json!({ "index": 0, "id": "call_1", "type": "function",
        "function": { "name": "write_file", "arguments": arguments } });
    let frame = |delta: Value, end: Value| {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": end });
        let chunk =
            json!({ "id": "1", "object": "chat.completion.chunk", "model": "m", "choices": [choice] });
        format!("data: {chunk}\n\n")
    };
    let stream = frame(json!({ "role": "assistant", "tool_calls": [call] }), Value::Null)
        + &frame(json!({}), json!("tool_calls"))
        + "data: [DONE]\n\n";
    world
        .means("manage_files")
        .then(Turn::raw("text/event-stream", stream))
        .says("No.");
    let told = world.ask(&flow, "write a large file").await;
    assert!(told.all("file_written").is_empty());
    assert_eq!(world.results().len(), 1, "the model is told why");
    world.ada.get(&files("large.md")).await.expect(404);
}

/// A document can be about what the flow is: the file has no more than the model was told.
#[tokio::test]
async fn a_document_about_a_flow_has_no_secret() {
    let world = World::new().await;
    let mut flow = super::support::with_models(crate::specs::flow(CHATBOT));
    flow["data"]["nodes"][1]["data"]["node"]["template"]["api_key"] =
        json!({ "type": "str", "password": true, "load_from_db": false, "value": "sk-very-secret-0000" });
    let id = world.save(&flow).await;
    let ask = json!({ "component_id": "LanguageModelComponent-00llm" });
    world
        .means("manage_files")
        .calls("get_field_value", ask)
        .says("I saw nothing.");
    let told = world.ask(&id, "document every field").await;
    assert!(!world.received().contains("sk-very-secret-0000"));
    assert!(!told.text().contains("sk-very-secret-0000"));
    let fields: Value = serde_json::from_str(&world.results()[0]).unwrap();
    assert!(fields["fields"].is_object(), "{fields}");
}
