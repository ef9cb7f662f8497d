//! Whole flows: from a spec, from a template, from a person's own component.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use ferro_model::{Descriptor, Registry};
use serde_json::{Value as Json, json};

use super::bench::{Bench, rules};
use crate::event::{AssistEvent, FlowUpdate};
use crate::fake::{CODE, chatbot, says, unavailable};

const CHAT: &str = "name: Chatbot\ndescription: Talks.\nnodes:\n  A: chat input\n  B: Agent\n  C: ChatOutput\nedges:\n  A.message -> B.input_value\n  B.response -> C.input_value\nconfig:\n  B.system_prompt: |\n    Be kind.\n    Always.\n";

#[tokio::test]
async fn a_spec_becomes_a_proposal() {
    let mut bench = Bench::on(chatbot());
    let fenced = format!("```yaml\n{CHAT}```");
    let built = bench.call("build_flow", json!({ "spec": fenced })).await.unwrap();
    assert_eq!(
        (&built["node_count"], &built["edge_count"], &built["name"]),
        (&json!(3), &json!(2), &json!("Chatbot"))
    );
    let agent = built["node_id_map"]["B"].as_str().unwrap();
    assert_eq!(bench.value(agent, "system_prompt"), "Be kind.\nAlways.");
    assert_eq!(
        bench.value(agent, "model"),
        json!([{ "provider": "OpenAI", "name": "gpt-5.4" }])
    );
    let told = bench.told();
    let [
        AssistEvent::ToolStart { .. },
        AssistEvent::FlowUpdate(FlowUpdate::SetFlow {
            flow,
            auto_apply: false,
        }),
        AssistEvent::FlowPreview {
            name,
            node_count: 3,
            edge_count: 2,
            graph,
            ..
        },
    ] = told.as_slice()
    else {
        panic!("{told:?}")
    };
    assert_eq!(
        (flow["name"].as_str(), flow["description"].as_str()),
        (Some("Chatbot"), Some("Talks."))
    );
    assert_eq!(flow["data"], bench.flow());
    assert!(
        name == "Chatbot" && graph.contains("Agent --> ChatOutput"),
        "{graph}"
    );
    let changed = bench.kit.work.changed().unwrap();
    assert!(changed.patch.is_empty() && changed.name == "Chatbot");
    assert_eq!(bench.world.restore_points.load(Ordering::SeqCst), 1);
    assert_eq!(
        bench.kit.work.changes(),
        ["Built a flow of 3 components: ChatInput, Agent, ChatOutput."]
    );
    // What comes after is done to the new flow.
    bench
        .call("remove_component", json!({ "component_id": agent }))
        .await
        .unwrap();
    assert_eq!(bench.flow()["nodes"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_spec_that_cannot_be_built_says_why_and_changes_nothing() {
    let mut bench = Bench::on(chatbot());
    for (spec, part) in [
        (
            "nodes:\n  A: ChatInput\n  B: Agent\n  C: ChatOutput\nedges:\n  A.message -> C.input_value",
            "no wire touches `B`",
        ),
        ("nodes:\n  A: ChatInputs\n", "`ChatInput`"),
        ("hello", "Unrecognized line"),
        (
            "nodes:\n  A: ChatInput\n  B: Agent\nedges:\n  A.message -> X.y",
            "X",
        ),
        (
            "nodes:\n  A: ChatInput\n  B: Agent\nedges:\n  A.message -> B.tools",
            "does not fit",
        ),
        ("nodes:\n  A: Agent\nconfig:\n  A.api_key: sk-1", "secret"),
        ("nodes:\n  A: Agent\nconfig:\n  A.made_up: 1", "made_up"),
        ("", "spec"),
    ] {
        let refusal = bench.refusal("build_flow", json!({ "spec": spec })).await;
        assert!(refusal.contains(part), "{spec}: {refusal}");
    }
    assert!(bench.updates().is_empty() && bench.kit.work.changed().is_none());
    assert_eq!(bench.world.restore_points.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn one_node_alone_is_a_flow() {
    let mut bench = Bench::empty();
    bench
        .call("build_flow", json!({ "spec": "nodes:\n  A: ChatInput" }))
        .await
        .unwrap();
    assert_eq!(bench.actions(), ["set_flow"]);
    assert_eq!(
        bench.kit.work.changed().unwrap().name,
        "",
        "a spec without a name names nothing"
    );
}

#[tokio::test]
async fn variables_of_a_prompt_and_models_by_wire_can_be_wired_in_a_spec() {
    let bench = Bench::empty();
    let spec = "nodes:\n  A: ChatInput\n  P: Prompt\n  M: LanguageModelComponent\n  B: Agent\n  C: ChatOutput\nedges:\n  A.message -> P.question\n  P.prompt -> B.input_value\n  M.model_output -> B.model\n  B.response -> C.input_value\nconfig:\n  P.template: Answer {question}.";
    let built = bench.call("build_flow", json!({ "spec": spec })).await.unwrap();
    let agent = bench.node(built["node_id_map"]["B"].as_str().unwrap());
    assert_eq!(agent["data"]["_connectionMode"], true);
    let prompt = bench.node(built["node_id_map"]["P"].as_str().unwrap());
    assert_eq!(
        prompt["data"]["node"]["custom_fields"]["template"],
        json!(["question"])
    );
}

#[tokio::test]
async fn a_template_is_opened_with_models_that_can_be_asked() {
    let mut bench = Bench::empty();
    let listed = bench.call("list_templates", json!({})).await.unwrap();
    assert_eq!(
        listed["templates"],
        json!([{ "name": "Basic Prompting", "description": "A chat with an agent." }])
    );
    let taken = bench
        .call("use_template", json!({ "template_name": "basic" }))
        .await
        .unwrap();
    assert_eq!(
        (&taken["template"], &taken["node_count"]),
        (&json!("Basic Prompting"), &json!(3))
    );
    assert_eq!(taken["node_types"], json!(["ChatInput", "Agent", "ChatOutput"]));
    assert_eq!(bench.actions(), ["set_flow"]);
    assert_eq!(
        bench.value("Agent-00002", "model"),
        json!([{ "provider": "OpenAI", "name": "gpt-5.4" }])
    );
    assert_eq!(bench.kit.work.changed().unwrap().name, "Basic Prompting");
    let refusal = bench
        .refusal("use_template", json!({ "template_name": "Zeppelin" }))
        .await;
    assert!(refusal.contains("`Basic Prompting`"), "{refusal}");
}

fn own_component() -> Arc<Descriptor> {
    let node = json!({
        "display_name": "Doubler", "description": "Doubles.", "field_order": ["value"],
        "template": {
            "_type": "Component",
            "code": { "type": "code", "name": "code", "value": CODE, "show": true },
            "value": { "type": "str", "_input_type": "MessageTextInput", "input_types": ["Message"], "show": true, "value": "" },
        },
        "outputs": [{ "name": "result", "method": "double", "types": ["Message"] }],
    });
    Arc::new(Descriptor::of_fresh("Doubler", Arc::new(node)))
}

fn with_own(bench: &Bench) {
    let mut registry = bench.world.registry.lock().unwrap();
    let all: Vec<Arc<Descriptor>> = registry.iter().cloned().chain([own_component()]).collect();
    *registry = Arc::new(Registry::new(all));
}

#[tokio::test]
async fn code_does_not_choose_which_secret_it_is_given() {
    let bench = Bench::empty();
    let mut node = own_component().to_node();
    node["template"]["key"] = json!({
        "name": "key", "type": "str", "_input_type": "SecretStrInput", "password": true, "load_from_db": true,
        "value": "OPENAI_API_KEY", "show": true,
    });
    let greedy = Arc::new(Descriptor::of_fresh("Doubler", Arc::new(node)));
    {
        let mut registry = bench.world.registry.lock().unwrap();
        let all: Vec<Arc<Descriptor>> = registry.iter().cloned().chain([greedy]).collect();
        *registry = Arc::new(Registry::new(all));
    }
    bench.kit.work.refresh_registry().await.unwrap();
    let check = |id: &str, told: &Json| {
        let field = &bench.node(id)["data"]["node"]["template"]["key"];
        assert_eq!(
            (&field["value"], &field["load_from_db"]),
            (&json!(""), &json!(false))
        );
        assert!(
            told["text"].as_str().unwrap().contains("key is a secret"),
            "{told}"
        );
    };
    let added = bench
        .call("add_component", json!({ "component_type": "Doubler" }))
        .await
        .unwrap();
    check(added["id"].as_str().unwrap(), &added);
    let spec = "nodes:\n  A: ChatInput\n  D: Doubler\n  C: ChatOutput\nedges:\n  A.message -> D.value\n  D.result -> C.input_value";
    let built = bench.call("build_flow", json!({ "spec": spec })).await.unwrap();
    check(built["node_id_map"]["D"].as_str().unwrap(), &built);
}

#[tokio::test]
async fn nodes_of_a_persons_own_component_bring_their_code() {
    let bench = Bench::empty();
    with_own(&bench);
    bench.kit.work.refresh_registry().await.unwrap();
    let added = bench
        .call("add_component", json!({ "component_type": "Doubler" }))
        .await
        .unwrap();
    let spec = "nodes:\n  A: ChatInput\n  D: Doubler\n  C: ChatOutput\nedges:\n  A.message -> D.value\n  D.result -> C.input_value";
    let check = |node: Json| {
        assert_eq!(
            (&node["data"]["type"], &node["type"]),
            (&json!("Doubler"), &json!("genericNode"))
        );
        assert_eq!(node["data"]["node"]["template"]["code"]["value"], CODE);
        assert_eq!(node["data"]["node"]["outputs"][0]["method"], "double");
    };
    check(bench.node(added["id"].as_str().unwrap()));
    let built = bench.call("build_flow", json!({ "spec": spec })).await.unwrap();
    check(bench.node(built["node_id_map"]["D"].as_str().unwrap()));
    // Its code is not for the model to write in passing.
    for (tool, call) in [
        (
            "configure_component",
            json!({ "component_id": "Doubler", "params": { "code": "class X(Component): ..." } }),
        ),
        (
            "propose_field_edit",
            json!({ "component_id": "Doubler", "field_name": "code", "new_value": "x" }),
        ),
        (
            "build_flow",
            json!({ "spec": "nodes:\n  D: Doubler\nconfig:\n  D.code: x" }),
        ),
    ] {
        let refusal = bench.refusal(tool, call).await;
        assert!(refusal.contains("generate_component"), "{tool}: {refusal}");
    }
}

#[tokio::test]
async fn a_component_that_was_written_can_be_built_with_at_once() {
    let answer = format!("Here it is.\n```python\n{CODE}```");
    let mut bench = Bench::with(None, rules(), vec![says(&answer)]);
    assert_eq!(
        bench
            .call("search_components", json!({ "query": "Doubler" }))
            .await
            .unwrap()["count"],
        0
    );
    let made = bench
        .call("generate_component", json!({ "spec": "doubles a text" }))
        .await
        .unwrap();
    assert_eq!(made["class_name"], "Doubler");
    assert_eq!(made["outputs"][0]["name"], "result", "what it can be wired by");
    assert!(!made.to_string().contains("from lfx"), "the code is not repeated");
    assert!(matches!(&bench.told()[0], AssistEvent::ToolStart { tool, .. } if tool == "generate_component"));
    let found = bench
        .call("search_components", json!({ "query": "Doubler" }))
        .await
        .unwrap();
    assert_eq!(found["count"], 1, "the cache forgot that there was none");
    bench
        .call("add_component", json!({ "component_type": "Doubler" }))
        .await
        .unwrap();
    let generated = bench.kit.work.generated();
    assert_eq!(
        (generated[0].class_name.as_deref(), &generated[0].error),
        (Some("Doubler"), &None)
    );
    assert_eq!(generated[0].code.trim(), CODE.trim());
}

#[tokio::test]
async fn a_component_that_was_not_written_is_remembered_as_that() {
    for said in [
        says("I would rather not."),
        says("```python\nx = 1\n```"),
        unavailable("gpt-5.4"),
    ] {
        let bench = Bench::with(None, rules(), vec![said]);
        let refusal = bench
            .refusal("generate_component", json!({ "spec": "doubles a text" }))
            .await;
        assert!(refusal.contains("No component was written"), "{refusal}");
        assert!(bench.kit.work.generated()[0].error.is_some());
    }
}
