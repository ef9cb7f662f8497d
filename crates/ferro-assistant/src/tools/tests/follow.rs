//! What follows from a value: fields and outputs that come and go with it.

use serde_json::{Value as Json, json};

use super::bench::Bench;
use super::configure::on_request;
use crate::event::FlowUpdate;
use crate::fake::flow_of;

#[tokio::test]
async fn a_prompt_gets_the_fields_of_its_variables_before_they_are_wired() {
    let before = flow_of(
        "nodes:\n  A: ChatInput\n  B: Prompt Template\n  C: ChatOutput\nedges:\n  B.prompt -> C.input_value",
    );
    let mut bench = Bench::on(before.clone());
    let set = |text: &str| json!({ "component_id": "Prompt Template-00002", "params": { "template": text } });
    bench
        .call("configure_component", set("Say {what} to {whom}"))
        .await
        .unwrap();
    let updates = bench.updates();
    assert!(matches!(&updates[0], FlowUpdate::Configure { .. }), "{updates:?}");
    let FlowUpdate::UpdateFields { fields, .. } = &updates[1] else {
        panic!("{updates:?}")
    };
    assert_eq!(fields.keys().collect::<Vec<_>>(), ["what", "whom"]);
    assert_eq!(fields["what"]["input_types"], json!(["Message"]));
    let wire = json!({ "source_id": "ChatInput", "source_output": "message", "target_id": "Prompt Template", "target_input": "what" });
    bench.call("connect_components", wire).await.unwrap();
    bench.updates();
    // What is wired stays, what is not goes.
    bench
        .call("configure_component", set("Only {this}"))
        .await
        .unwrap();
    let template = &bench.node("Prompt Template-00002")["data"]["node"]["template"];
    assert!(
        template.get("what").is_some() && template.get("whom").is_none() && template.get("this").is_some()
    );
    let updates = bench.updates();
    let FlowUpdate::UpdateFields { fields, .. } = &updates[1] else {
        panic!("{updates:?}")
    };
    assert_eq!((&fields["whom"], fields["this"].is_object()), (&Json::Null, true));
    let mut document = ferro_model::Document::new(&bench.kit.work.data());
    bench
        .kit
        .work
        .changed()
        .unwrap()
        .patch
        .inverse()
        .apply(&mut document)
        .unwrap();
    assert_eq!(document.text(), before.as_str(), "to the letter");
}

#[tokio::test]
async fn what_follows_from_a_value_comes_with_it() {
    let mut bench = on_request();
    let before = bench.kit.work.data();
    let call = json!({ "component_id": "Request-1", "params": { "method": "POST" } });
    bench.call("configure_component", call).await.unwrap();
    let updates = bench.updates();
    let [
        FlowUpdate::Configure { params, .. },
        FlowUpdate::UpdateFields { fields, .. },
        FlowUpdate::UpdateOutputs { outputs, .. },
        FlowUpdate::Disconnect { source_output, .. },
    ] = updates.as_slice()
    else {
        panic!("{updates:?}")
    };
    assert_eq!(params["method"], "POST");
    assert_eq!(
        (&fields["headers"], &fields["body"]["type"]),
        (&json!({ "advanced": true }), &json!("str"))
    );
    assert_eq!(
        (&outputs[0]["name"], source_output.as_deref()),
        (&json!("answer"), Some("data"))
    );
    let wire = json!({ "source_id": "Request-1", "source_output": "answer", "target_id": "ParserComponent", "target_input": "input_data" });
    bench.call("connect_components", wire).await.unwrap();
    bench.updates();
    let call = json!({ "component_id": "Request-1", "params": { "method": "GET" } });
    bench.call("configure_component", call).await.unwrap();
    assert_eq!(
        bench.actions(),
        ["configure", "update_fields", "update_outputs", "disconnect"]
    );
    assert!(
        bench.node("Request-1")["data"]["node"]["template"]
            .get("body")
            .is_none()
    );
    let mut document = ferro_model::Document::new(&bench.kit.work.data());
    bench
        .kit
        .work
        .changed()
        .unwrap()
        .patch
        .inverse()
        .apply(&mut document)
        .unwrap();
    assert_eq!(document.text(), before.as_str());
}

#[tokio::test]
async fn what_follows_from_a_value_in_a_spec_can_be_wired_there() {
    let bench = Bench::empty();
    let spec = "nodes:\n  A: ChatInput\n  R: Request\n  P: ParserComponent\nedges:\n  A.message -> R.body\n  R.answer -> P.input_data\nconfig:\n  R.method: POST";
    let built = bench.call("build_flow", json!({ "spec": spec })).await.unwrap();
    assert_eq!(built["edge_count"], 2);
}
