//! What all tools have in common.

use std::sync::Arc;

use ferro_agent::Tool;
use serde_json::json;

use super::bench::Bench;
use crate::event::FlowUpdate;
use crate::fake::chatbot;
use crate::files::Sandbox;
use crate::tools::{Toolset, tools};
use crate::work::MAX_TOOL_CALLS;

fn names(tools: &[Arc<dyn Tool>]) -> Vec<String> {
    tools.iter().map(|tool| tool.spec().name.clone()).collect()
}

#[tokio::test]
async fn a_reader_can_change_nothing() {
    let mut bench = Bench::on(chatbot());
    bench.kit.sandbox = Some(Arc::new(
        Sandbox::open(bench.world.dir.path().to_owned()).unwrap(),
    ));
    let reads = [
        "search_components",
        "describe_component",
        "describe_flow_io",
        "get_field_value",
        "list_templates",
        "search_docs",
        "read_file",
        "glob_search",
        "grep_search",
    ];
    assert_eq!(names(&tools(&bench.kit, Toolset::Reader)), reads);
    let all = names(&tools(&bench.kit, Toolset::Builder));
    assert!(reads.iter().all(|name| all.iter().any(|one| one == name)));
    assert_eq!(all.len(), reads.len() + 14);
    for tool in tools(&bench.kit, Toolset::Builder) {
        let spec = tool.spec();
        assert!(
            spec.description.len() > 10 && spec.schema["type"] == "object",
            "{}",
            spec.name
        );
    }
}

/// The prompt's prefix is paid for in every round.
#[tokio::test]
async fn schemas_are_small() {
    let mut bench = Bench::empty();
    bench.kit.sandbox = Some(Arc::new(
        Sandbox::open(bench.world.dir.path().to_owned()).unwrap(),
    ));
    let tools = tools(&bench.kit, Toolset::Builder);
    let size: usize = tools
        .iter()
        .map(|tool| {
            let spec = tool.spec();
            spec.name.len() + spec.description.len() + spec.schema.to_string().len()
        })
        .sum();
    assert!(size / 4 < 1600, "about {} tokens", size / 4);
}

#[tokio::test]
async fn what_cannot_change_is_answered_once() {
    let bench = Bench::empty();
    let query = json!({ "query": "agent" });
    let first = bench.call("search_components", query.clone()).await.unwrap();
    // The registry changes behind everybody's back: only an answer that was kept is still the same.
    *bench.world.registry.lock().unwrap() = Arc::default();
    bench.kit.work.refresh_registry().await.unwrap();
    assert_eq!(
        bench.call("search_components", query.clone()).await.unwrap(),
        first
    );
    bench.kit.cache.clear();
    assert_eq!(bench.call("search_components", query).await.unwrap()["count"], 0);
}

#[tokio::test]
async fn failures_and_what_can_change_are_not_kept() {
    let bench = Bench::on(chatbot());
    let unknown = json!({ "component_type": "Doubler" });
    bench.refusal("describe_component", unknown.clone()).await;
    let doubler = Arc::new(ferro_model::Descriptor::new("Doubler", "Doubler"));
    let with = ferro_model::Registry::new([doubler]);
    *bench.world.registry.lock().unwrap() = Arc::new(with);
    bench.kit.work.refresh_registry().await.unwrap();
    bench.call("describe_component", unknown).await.unwrap();
    let read = json!({ "component_id": "Agent-00002", "field_name": "system_prompt" });
    assert_eq!(
        bench.call("get_field_value", read.clone()).await.unwrap()["value"],
        "You are kind."
    );
    let set = json!({ "component_id": "Agent-00002", "params": { "system_prompt": "New." } });
    bench.call("configure_component", set).await.unwrap();
    assert_eq!(
        bench.call("get_field_value", read).await.unwrap()["value"],
        "New."
    );
}

#[tokio::test]
async fn a_turn_has_so_many_calls() {
    let bench = Bench::on(chatbot());
    let read = json!({ "component_id": "Agent-00002" });
    for _ in 0..MAX_TOOL_CALLS {
        bench.call("get_field_value", read.clone()).await.unwrap();
    }
    for _ in 0..3 {
        let error = bench.call("get_field_value", read.clone()).await.unwrap_err();
        assert!(error.fatal && error.message.contains("200"), "{}", error.message);
    }
    assert_eq!(bench.kit.work.tool_calls(), MAX_TOOL_CALLS);
}

/// The agent runs the calls of one answer side by side.
#[tokio::test]
async fn changes_come_in_the_order_they_were_asked_for() {
    let mut bench = Bench::on(chatbot());
    let set = |text: &str| json!({ "component_id": "Agent-00002", "params": { "system_prompt": text } });
    let calls = ["a", "b", "c", "d", "e"].map(|text| bench.call("configure_component", set(text)));
    let done = futures_util::future::join_all(calls).await;
    assert!(done.iter().all(Result::is_ok));
    let texts: Vec<String> = bench
        .updates()
        .into_iter()
        .map(|update| match update {
            FlowUpdate::Configure { params, .. } => params["system_prompt"].as_str().unwrap().to_owned(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(texts, ["a", "b", "c", "d", "e"]);
    assert_eq!(bench.value("Agent-00002", "system_prompt"), "e");
    assert_eq!(
        bench.kit.work.changes(),
        ["Set system_prompt of Agent (Agent-00002)."],
        "said once"
    );
}
