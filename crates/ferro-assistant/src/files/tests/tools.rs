//! The five tools as the agent's loop calls them.

use std::sync::Arc;

use ferro_agent::Tool;
use serde_json::{Value as Json, json};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::Place;
use crate::event::AssistEvent;
use crate::fake;
use crate::files::{read_tools, tools};
use crate::gate::Gate;
use crate::out::Out;
use crate::work::{Rules, Work};

struct Desk {
    place: tempfile::TempDir,
    tools: Vec<Arc<dyn Tool>>,
    work: Arc<Work>,
    told: UnboundedReceiver<AssistEvent>,
}

fn desk() -> Desk {
    let Place { sandbox, around } = Place::new();
    let (sender, told) = unbounded_channel();
    let out = Arc::new(Out::new(sender, Gate::default()));
    let registry = Arc::new(fake::registry());
    let work = Work::new(
        None,
        registry,
        fake::World::new(),
        Arc::clone(&out),
        Rules::default(),
    );
    let tools = tools(&Arc::new(sandbox), &work, &out);
    Desk {
        place: around,
        tools,
        work,
        told,
    }
}

impl Desk {
    async fn call(&self, name: &str, arguments: Json) -> Result<Json, String> {
        let tool = self.tools.iter().find(|tool| tool.spec().name == name).unwrap();
        let done = tool.call(arguments.as_object().unwrap().clone()).await;
        done.map(|output| serde_json::from_str(&output.text).unwrap())
            .map_err(|error| {
                assert!(!error.fatal, "{error}");
                error.message
            })
    }

    fn heard(&mut self) -> Vec<Json> {
        std::iter::from_fn(|| self.told.try_recv().ok())
            .map(|event| serde_json::to_value(event).unwrap())
            .collect()
    }
}

#[tokio::test]
async fn a_written_file_is_told_with_its_whole_content() {
    let mut desk = desk();
    let told = desk
        .call(
            "write_file",
            json!({"path": "FLOW_DOCS.md", "content": "# Flow\nold"}),
        )
        .await
        .unwrap();
    assert_eq!(
        told,
        json!({"path": "FLOW_DOCS.md", "size": 10, "text": "The file was created."})
    );
    desk.call(
        "edit_file",
        json!({"path": "FLOW_DOCS.md", "old": "old", "new": "new"}),
    )
    .await
    .unwrap();
    let heard = desk.heard();
    assert_eq!(
        heard,
        [
            json!({"event": "file_written", "action": "write_file", "path": "FLOW_DOCS.md", "size": 10, "content": "# Flow\nold"}),
            json!({"event": "file_written", "action": "edit_file", "path": "FLOW_DOCS.md", "size": 10, "content": "# Flow\nnew"}),
        ]
    );
    assert_eq!(desk.work.files(), ["FLOW_DOCS.md"]);
    let on_disk = std::fs::read_to_string(desk.place.path().join("mine/FLOW_DOCS.md")).unwrap();
    assert_eq!(on_disk, "# Flow\nnew");
}

#[tokio::test]
async fn a_failed_write_tells_nothing() {
    let mut desk = desk();
    let refused = [
        (
            "write_file",
            json!({"path": "../escape.md", "content": "x"}),
            "..",
        ),
        (
            "write_file",
            json!({"path": ".components/Sum.py", "content": "x"}),
            "reserved",
        ),
        ("write_file", json!({"path": "a.md"}), "content"),
        ("write_file", json!({"path": "a.md", "content": 7}), "text"),
        ("write_file", json!({"content": "x"}), "path"),
        (
            "write_file",
            json!({"path": "big.md", "content": "x".repeat((1 << 20) + 1)}),
            "too large",
        ),
        (
            "edit_file",
            json!({"path": "no.md", "old": "a", "new": "b"}),
            "no file",
        ),
        (
            "edit_file",
            json!({"path": "no.md", "old": "a", "new": "b", "replace_all": "yes"}),
            "replace_all",
        ),
        ("read_file", json!({"path": ".components/Sum.py"}), "reserved"),
        ("read_file", json!({"path": "a.md", "offset": -1}), "offset"),
        ("glob_search", json!({"pattern": ".components/*"}), "reserved"),
        (
            "grep_search",
            json!({"pattern": "x", "glob": ".components/*"}),
            "reserved",
        ),
    ];
    for (tool, arguments, why) in refused {
        let told = desk.call(tool, arguments.clone()).await.expect_err(tool);
        assert!(told.contains(why), "{tool}: {told}");
    }
    assert_eq!(desk.heard(), [Json::Null; 0]);
    assert!(desk.work.files().is_empty());
}

#[tokio::test]
async fn what_is_read_changes_and_tells_nothing() {
    let mut desk = desk();
    desk.call(
        "write_file",
        json!({"path": "docs/a.md", "content": "one\nthe API key\nthree"}),
    )
    .await
    .unwrap();
    desk.heard();
    let told = desk
        .call("read_file", json!({"path": "docs/a.md", "limit": 2}))
        .await
        .unwrap();
    assert_eq!(
        told,
        json!({"path": "docs/a.md", "lines": 3, "content": "1\tone\n2\tthe API key", "next_offset": 3})
    );
    let told = desk
        .call("glob_search", json!({"pattern": "*.md"}))
        .await
        .unwrap();
    assert_eq!(
        told,
        json!({"count": 1, "files": [{"path": "docs/a.md", "size": 21}]})
    );
    let told = desk
        .call("grep_search", json!({"pattern": "API key"}))
        .await
        .unwrap();
    assert_eq!(
        told,
        json!({"count": 1, "matches": [{"path": "docs/a.md", "line": 2, "text": "the API key"}]})
    );
    assert_eq!(
        desk.call("glob_search", json!({"pattern": "*.py"}))
            .await
            .unwrap(),
        json!({"count": 0})
    );
    assert_eq!(desk.heard(), [Json::Null; 0]);
}

#[tokio::test]
async fn nothing_is_written_while_a_plan_waits() {
    let mut desk = desk();
    desk.work.set_plan("1. Write a file");
    assert!(
        desk.call("write_file", json!({"path": "a.md", "content": "x"}))
            .await
            .unwrap_err()
            .contains("plan")
    );
    assert_eq!(desk.heard(), [Json::Null; 0]);
}

#[test]
fn those_who_only_read_get_only_what_reads() {
    let sandbox = Arc::new(Place::new().sandbox);
    let names: Vec<String> = read_tools(&sandbox)
        .iter()
        .map(|tool| tool.spec().name.clone())
        .collect();
    assert_eq!(names, ["read_file", "glob_search", "grep_search"]);
}
