//! Values of fields: set, proposed, refused.

use serde_json::{Value as Json, json};

use super::bench::{Bench, rules};
use crate::event::FlowUpdate;
use crate::fake::chatbot;
use crate::work::Rules;

pub(super) fn on_request() -> Bench {
    let spec = "nodes:\n  A: Request\n  B: ParserComponent\nedges:\n  A.data -> B.input_data";
    let data =
        ferro_model::spec::build_flow_from_spec(spec, &super::bench::components(), &mut || "1".to_owned());
    Bench::on(data.unwrap().data)
}

#[tokio::test]
async fn values_come_as_object_or_text_and_in_the_form_of_their_field() {
    let mut bench = on_request();
    let params = json!({ "url": "https://example.com", "timeout": "30", "follow": "no", "method": "post", "headers": "{\"a\": \"b\"}" });
    for params in [params.clone(), Json::String(params.to_string())] {
        let told = bench
            .call(
                "configure_component",
                json!({ "component_id": "Request-1", "params": params }),
            )
            .await;
        let told = told.unwrap();
        assert_eq!(
            told["configured"],
            json!(["url", "timeout", "follow", "method", "headers"])
        );
        assert!(told.get("proposed").is_none());
    }
    for (field, value) in [
        ("url", json!("https://example.com")),
        ("timeout", json!(30)),
        ("follow", json!(false)),
        ("method", json!("POST")),
        ("headers", json!({ "a": "b" })),
    ] {
        assert_eq!(bench.value("Request-1", field), value, "{field}");
    }
    let updates = bench.updates();
    let configured = |update: &&FlowUpdate| matches!(update, FlowUpdate::Configure { .. });
    assert_eq!(
        updates.iter().filter(configured).count(),
        1,
        "set once, told once: {updates:?}"
    );
    let FlowUpdate::Configure { component_id, params } = &updates[0] else {
        panic!("{updates:?}")
    };
    assert_eq!((component_id.as_str(), params.len()), ("Request-1", 5));
    let set = |said: &&String| said.starts_with("Set ");
    assert_eq!(bench.kit.work.changes().iter().filter(set).count(), 5);
}

#[tokio::test]
async fn what_does_not_fit_is_refused_with_what_would() {
    let mut bench = on_request();
    for (params, part) in [
        (json!({ "made_up": 1 }), "`url`"),
        (json!({ "timeout": "soon" }), "a whole number"),
        (json!({ "timeout": true }), "a number"),
        (json!({ "follow": "maybe" }), "true or false"),
        (json!({ "method": "BREW" }), "`GET`, `POST`"),
        (json!({ "headers": "none" }), "JSON"),
        (json!({ "api_token": "sk-1" }), "secret"),
        (json!({}), "JSON object"),
        (json!("not json"), "JSON object"),
        (json!([1]), "JSON object"),
        // All or nothing.
        (json!({ "url": "x", "made_up": 1 }), "`url`"),
    ] {
        let refusal = bench
            .refusal(
                "configure_component",
                json!({ "component_id": "Request-1", "params": params }),
            )
            .await;
        assert!(refusal.contains(part), "{params}: {refusal}");
    }
    assert!(bench.updates().is_empty());
    assert!(bench.kit.work.changed().is_none());
}

#[tokio::test]
async fn tool_mode_is_no_field_but_can_be_set() {
    let mut bench = on_request();
    let params = json!({ "component_id": "Request-1", "params": { "tool_mode": true } });
    bench.call("configure_component", params).await.unwrap();
    assert_eq!(bench.actions(), ["disconnect", "enable_tool_mode"]);
    let off = json!({ "component_id": "Request-1", "params": { "tool_mode": false } });
    assert!(
        bench
            .refusal("configure_component", off)
            .await
            .contains("on the canvas")
    );
    assert_eq!(bench.node("Request-1")["data"]["node"]["tool_mode"], true);
}

fn proposing() -> Rules {
    Rules {
        propose_existing_edits: true,
        ..rules()
    }
}

#[tokio::test]
async fn texts_of_what_was_there_are_proposed_and_the_rest_is_set() {
    let mut bench = Bench::with(Some(chatbot()), proposing(), Vec::new());
    let params = json!({ "system_prompt": "Be brief.", "model": "gpt-4o" });
    let told = bench
        .call(
            "configure_component",
            json!({ "component_id": "Agent-00002", "params": params }),
        )
        .await
        .unwrap();
    assert_eq!(
        (&told["configured"], &told["proposed"]),
        (&json!(["model"]), &json!(["system_prompt"]))
    );
    let updates = bench.updates();
    let [FlowUpdate::Configure { .. }, FlowUpdate::EditField(edit)] = updates.as_slice() else {
        panic!("{updates:?}")
    };
    assert_eq!(
        (edit.old_value.clone(), edit.new_value.clone()),
        (json!("You are kind."), json!("Be brief."))
    );
    assert_eq!(
        bench.value("Agent-00002", "system_prompt"),
        "You are kind.",
        "only proposed"
    );
    assert_eq!(bench.kit.work.pending_edits(), 1);
    let params = json!({ "system_prompt": "Be brief." });
    let again = bench
        .refusal(
            "configure_component",
            json!({ "component_id": "Agent-00002", "params": params }),
        )
        .await;
    assert!(again.contains("already"), "{again}");
    // What came in this turn is the assistant's own.
    let added = bench
        .call("add_component", json!({ "component_type": "Agent" }))
        .await
        .unwrap();
    let params = json!({ "component_id": added["id"], "params": { "system_prompt": "New." } });
    let told = bench.call("configure_component", params).await.unwrap();
    assert_eq!(told["configured"], json!(["system_prompt"]));
}

fn edit(field: &str, value: Json) -> Json {
    json!({ "component_id": "Agent-00002", "field_name": field, "new_value": value })
}

#[tokio::test]
async fn an_edit_is_a_patch_that_a_person_can_apply() {
    let mut bench = Bench::on(chatbot());
    bench
        .call("propose_field_edit", edit("system_prompt", json!("Be brief.")))
        .await
        .unwrap();
    let updates = bench.updates();
    let [FlowUpdate::EditField(told)] = updates.as_slice() else {
        panic!("{updates:?}")
    };
    assert!(
        told.id.len() == 8 && told.id.chars().all(|c| c.is_ascii_hexdigit()),
        "{}",
        told.id
    );
    assert_eq!(
        (told.component_type.as_str(), told.field.as_str()),
        ("Agent", "system_prompt")
    );
    let patch = json!([{ "op": "replace", "path": "/data/nodes/1/data/node/template/system_prompt/value", "value": "Be brief." }]);
    assert_eq!(json!(told.patch), patch);
    let flow = json!({ "data": bench.flow() });
    assert_eq!(
        flow.pointer("/data/nodes/1/data/node/template/system_prompt/value"),
        Some(&json!("You are kind."))
    );
    assert!(bench.kit.work.changed().is_none() && bench.kit.work.restore_version().is_some());
    // A better idea takes the place of the first.
    bench
        .call(
            "propose_field_edit",
            edit("system_prompt", json!("Be kind and brief.")),
        )
        .await
        .unwrap();
    assert_eq!(bench.kit.work.pending_edits(), 1);
}

#[tokio::test]
async fn edits_that_make_no_sense_are_refused() {
    let bench = Bench::on(chatbot());
    bench
        .call("propose_field_edit", edit("system_prompt", json!("Be brief.")))
        .await
        .unwrap();
    for (call, part) in [
        (edit("system_prompt", json!("Be brief.")), "waits"),
        (edit("system_prompt", json!("You are kind.")), "already"),
        (edit("api_key", json!("sk-1")), "secret"),
        (edit("made_up", json!("x")), "`system_prompt`"),
        (
            json!({ "component_id": "Agent-00002", "field_name": "system_prompt" }),
            "new_value",
        ),
    ] {
        let refusal = bench.refusal("propose_field_edit", call).await;
        assert!(refusal.contains(part), "{refusal}");
    }
    assert_eq!(bench.kit.work.pending_edits(), 1);
}

#[tokio::test]
async fn with_nobody_there_an_edit_is_made() {
    let headless = Rules {
        headless: true,
        propose_existing_edits: true,
        ..rules()
    };
    let mut bench = Bench::with(Some(chatbot()), headless, Vec::new());
    bench
        .call("propose_field_edit", edit("system_prompt", json!("Be brief.")))
        .await
        .unwrap();
    let params = json!({ "component_id": "ChatInput-00001", "params": { "sender_name": "Me" } });
    assert_eq!(
        bench.call("configure_component", params).await.unwrap()["configured"],
        json!(["sender_name"])
    );
    assert_eq!(bench.actions(), ["configure", "configure"]);
    assert_eq!(bench.value("Agent-00002", "system_prompt"), "Be brief.");
    assert_eq!(bench.kit.work.pending_edits(), 0);
}

#[tokio::test]
async fn what_was_set_or_removed_meanwhile_waits_for_nobody() {
    for (tool, call) in [
        (
            "configure_component",
            json!({ "component_id": "Agent-00002", "params": { "system_prompt": "Now." } }),
        ),
        ("remove_component", json!({ "component_id": "Agent-00002" })),
        ("use_template", json!({ "template_name": "Basic Prompting" })),
    ] {
        let bench = Bench::on(chatbot());
        bench
            .call("propose_field_edit", edit("system_prompt", json!("Be brief.")))
            .await
            .unwrap();
        assert_eq!(bench.kit.work.pending_edits(), 1);
        bench.call(tool, call).await.unwrap();
        assert_eq!(bench.kit.work.pending_edits(), 0, "{tool}");
    }
}

#[tokio::test]
async fn a_field_that_holds_several_texts_takes_them_however_they_are_written() {
    let spec = |urls: &str| {
        format!(
            "nodes:\n  A: URLComponent\n  B: ChatOutput\nedges:\n  A.raw_results -> B.input_value\nconfig:\n  A.urls: {urls}"
        )
    };
    for (written, in_spec, expected) in [
        (json!("https://a.b"), "https://a.b", json!(["https://a.b"])),
        (json!("[\"a\", \"b\"]"), "[\"a\", \"b\"]", json!(["a", "b"])),
        (json!(["a", "b"]), "\n    - a\n    - b", json!(["a", "b"])),
    ] {
        let bench = Bench::empty();
        let built = bench
            .call("build_flow", json!({ "spec": spec(in_spec) }))
            .await
            .unwrap();
        let id = built["node_id_map"]["A"].as_str().unwrap();
        assert_eq!(bench.value(id, "urls"), expected, "{in_spec}");
        let call = json!({ "component_id": id, "params": { "urls": written } });
        bench.call("configure_component", call).await.unwrap();
        assert_eq!(bench.value(id, "urls"), expected, "{written}");
    }
}
