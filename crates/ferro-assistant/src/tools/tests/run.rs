//! Running, and planning.

use serde_json::{Value as Json, json};

use super::bench::{Bench, rules};
use crate::event::{AssistEvent, FlowUpdate, TurnUsage};
use crate::fake::{chatbot, flow_of, parse};
use crate::work::Rules;

#[tokio::test]
async fn a_run_gives_its_answer_and_its_cost() {
    let mut bench = Bench::on(chatbot());
    bench.world.next_run(Ok("Your key is sk-abcdefgh12345678."));
    let ran = bench.call("run_flow", json!({ "input": "Hi" })).await.unwrap();
    assert_eq!(ran["result"], "Your key is ***.");
    assert_eq!(
        (
            &ran["metrics"]["total_tokens"],
            &ran["metrics"]["duration_seconds"]
        ),
        (&json!(120), &json!(0.5))
    );
    let (flow, input) = bench.world.ran.lock().unwrap()[0].clone();
    assert_eq!((flow, input.as_deref()), (bench.kit.work.data(), Some("Hi")));
    assert!(bench.kit.work.last_run().unwrap().result.is_ok());
    assert!(
        matches!(bench.told().as_slice(), [AssistEvent::ToolStart { .. }]),
        "that it ran stays between us"
    );
    assert!(bench.kit.work.changed().is_none() && bench.kit.work.restore_version().is_none());
}

#[tokio::test]
async fn what_was_built_is_applied_once_it_ran_and_only_then() {
    let mut bench = Bench::empty();
    let spec = "nodes:\n  A: ChatInput\n  B: ChatOutput\nedges:\n  A.message -> B.input_value";
    bench.call("build_flow", json!({ "spec": spec })).await.unwrap();
    bench.told();
    bench.world.next_run(Err("no key"));
    let refusal = bench.refusal("run_flow", json!({})).await;
    assert!(refusal.contains("failed: no key"), "{refusal}");
    assert!(bench.kit.work.last_run().unwrap().result.is_err());
    assert!(bench.updates().is_empty(), "a run that fails does not count");
    bench.call("run_flow", json!({})).await.unwrap();
    let updates = bench.updates();
    assert!(
        matches!(updates.as_slice(), [FlowUpdate::SetFlow { auto_apply: true, .. }]),
        "{updates:?}"
    );
}

#[tokio::test]
async fn a_flow_that_cannot_work_is_not_run() {
    let nothing = Bench::empty().refusal("run_flow", json!({})).await;
    assert!(nothing.contains("no flow on the canvas"), "{nothing}");
    let bench = Bench::on(flow_of(
        "nodes:\n  A: ParserComponent\n  B: ChatOutput\nedges:\n  A.parsed_text -> B.input_value",
    ));
    let refusal = bench.refusal("run_flow", json!({})).await;
    assert!(refusal.contains("ParserComponent-00001.input_data"), "{refusal}");
    assert_eq!(bench.world.times_run(), 0);
    let bench = Bench::on(chatbot());
    let edit =
        json!({ "component_id": "Agent-00002", "field_name": "system_prompt", "new_value": "Be brief." });
    bench.call("propose_field_edit", edit).await.unwrap();
    assert!(
        bench
            .refusal("run_flow", json!({}))
            .await
            .contains("wait for the person")
    );
    assert_eq!(bench.world.times_run(), 0);
}

#[tokio::test]
async fn a_turn_has_three_runs() {
    let bench = Bench::on(chatbot());
    for _ in 0..3 {
        bench.call("run_flow", json!({})).await.unwrap();
    }
    assert!(bench.refusal("run_flow", json!({})).await.contains("3 times"));
    assert_eq!(bench.world.times_run(), 3);
    let usage = TurnUsage {
        input_tokens: 300,
        output_tokens: 60,
        total_tokens: 360,
    };
    assert_eq!(bench.kit.work.run_usage(), usage);
}

#[tokio::test]
async fn after_a_plan_nothing_is_done_until_the_person_answers() {
    let mut bench = Bench::on(chatbot());
    let told = bench
        .call("propose_plan", json!({ "plan": "1. Remove everything" }))
        .await
        .unwrap();
    assert_eq!(told["status"], "awaiting_user_approval");
    assert_eq!(
        bench.updates(),
        [FlowUpdate::ProposePlan {
            markdown: "1. Remove everything".to_owned()
        }]
    );
    assert_eq!(bench.kit.work.plan().as_deref(), Some("1. Remove everything"));
    for (tool, call) in [
        ("remove_component", json!({ "component_id": "Agent-00002" })),
        ("build_flow", json!({ "spec": "nodes:\n  A: ChatInput" })),
        ("run_flow", json!({})),
        ("propose_plan", json!({ "plan": "2." })),
    ] {
        assert!(
            bench.refusal(tool, call).await.contains("waits for the person"),
            "{tool}"
        );
    }
    bench.call("describe_flow_io", json!({})).await.unwrap();
    assert!(bench.told().is_empty(), "what did not begin is not announced");
    assert!(
        bench
            .refusal("propose_plan", json!({ "plan": " " }))
            .await
            .contains("plan")
    );
}

#[tokio::test]
async fn with_nobody_there_a_plan_is_no_reason_to_stop() {
    let headless = Rules {
        headless: true,
        ..rules()
    };
    let mut bench = Bench::with(Some(chatbot()), headless, Vec::new());
    let told = bench.call("propose_plan", json!({ "plan": "1." })).await.unwrap();
    assert!(told["text"].as_str().unwrap().contains("go on") && told.get("status").is_none());
    bench
        .call("remove_component", json!({ "component_id": "Agent-00002" }))
        .await
        .unwrap();
    assert_eq!(bench.actions(), ["remove_component"]);
    assert!(bench.kit.work.plan().is_none());
}

#[tokio::test]
async fn what_was_changed_and_acts_on_the_world_is_run_by_a_person() {
    let asked = Rules {
        run_wanted: true,
        ..rules()
    };
    let bench = Bench::with(Some(chatbot()), asked, Vec::new());
    *bench.world.effects.lock().unwrap() = Some("Save File (S-1) writes a file".to_owned());
    bench
        .call("run_flow", json!({}))
        .await
        .expect("a person's own flow is run when they ask for it");
    let rename = json!({ "component_id": "Agent-00002", "name": "Clerk" });
    bench.call("rename_component", rename).await.unwrap();
    let refusal = bench.refusal("run_flow", json!({})).await;
    assert!(
        refusal.contains("Save File (S-1) writes a file. The person"),
        "{refusal}"
    );
    assert_eq!(bench.world.ran.lock().unwrap().len(), 1);

    let unasked = Bench::on(chatbot());
    *unasked.world.effects.lock().unwrap() = Some("Save File (S-1) writes a file".to_owned());
    let refusal = unasked.refusal("run_flow", json!({})).await;
    assert!(refusal.contains("nobody asked for a run"), "{refusal}");
}

#[tokio::test]
async fn a_component_without_a_model_gets_one_before_the_run_and_it_is_told() {
    let mut flow: Json = serde_json::from_str(chatbot().as_str()).unwrap();
    let model = flow.pointer_mut("/nodes/1/data/node/template/model").unwrap();
    model["value"] = json!([]);
    model["required"] = json!(true);
    let mut bench = Bench::on(parse(&flow.to_string()));
    let ran = bench.call("run_flow", json!({})).await.unwrap();
    assert!(ran["text"].as_str().unwrap().contains("given one first"), "{ran}");
    let (flow, _) = bench.world.ran.lock().unwrap()[0].clone();
    assert_eq!(flow, bench.kit.work.data());
    assert_eq!(bench.value("Agent-00002", "model")[0]["name"], "gpt-5.4");
    let updates = bench.updates();
    assert!(
        matches!(updates.as_slice(), [FlowUpdate::Configure { .. }]),
        "{updates:?}"
    );
}
