//! What can be looked at, and what cannot.

use serde_json::{Value as Json, json};

use super::bench::Bench;
use crate::event::FlowUpdate;
use crate::fake::{chatbot, flow_of, parse};

fn types(found: &Json) -> Vec<&str> {
    found["results"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|one| one["type"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn components_are_found_by_name_category_and_purpose() {
    let bench = Bench::empty();
    for (query, first) in [
        ("agent", "Agent"),
        ("Agents", "Agent"),
        ("chat input", "ChatInput"),
        ("input chat", "ChatInput"),
        ("a component for the URL", "URLComponent"),
        ("llm", "LanguageModelComponent"),
        ("language model", "LanguageModelComponent"),
        ("flow_controls", "ConditionalRouter"),
        ("pages of the web", "URLComponent"),
    ] {
        let found = bench
            .call("search_components", json!({ "query": query }))
            .await
            .unwrap();
        assert_eq!(types(&found).first(), Some(&first), "{query}: {found}");
    }
}

#[tokio::test]
async fn a_search_shows_little_and_nothing_out_of_date() {
    let bench = Bench::empty();
    let found = bench
        .call("search_components", json!({ "query": "asks a server" }))
        .await
        .unwrap();
    assert_eq!(types(&found), ["Request"]);
    let one = &found["results"][0];
    assert_eq!(
        *one,
        json!({ "type": "Request", "category": "data_sources", "description": "Asks a server." })
    );
    let nothing = bench
        .call("search_components", json!({ "query": "zeppelin" }))
        .await
        .unwrap();
    assert_eq!(nothing["count"], 0);
    assert!(nothing.get("results").is_none() && nothing["text"].as_str().unwrap().contains("zeppelin"));
    let all = bench
        .call("search_components", json!({ "query": " " }))
        .await
        .unwrap();
    assert_eq!(all["categories"]["flow_controls"], 2);
    assert!(all.get("results").is_none());
}

#[tokio::test]
async fn a_component_is_described_in_short() {
    let bench = Bench::empty();
    let agent = bench
        .call("describe_component", json!({ "component_type": "Agent" }))
        .await
        .unwrap();
    let named = |list: &str| -> Vec<String> {
        let list = agent[list].as_array().into_iter().flatten();
        list.map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(
        named("inputs"),
        ["input_value", "tools", "model", "system_prompt"]
    );
    assert_eq!(named("fields"), ["api_key"]);
    assert_eq!(agent["fields"][0]["secret"], "the person sets it");
    assert_eq!(
        agent["outputs"],
        json!([{ "name": "response", "types": ["Message"] }])
    );
    let request = bench
        .call("describe_component", json!({ "component_type": "request" }))
        .await
        .unwrap();
    assert_eq!(request["advanced_fields"], json!(["follow"]));
    let method = request["fields"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["name"] == "method")
        .unwrap();
    assert_eq!(
        (&method["options"], &method["default"]),
        (&json!(["GET", "POST"]), &json!("GET"))
    );
    let outputs = request["outputs"].as_array().unwrap();
    assert_eq!(outputs.last().unwrap()["name"], "component_as_tool");
    let the_loop = bench
        .call("describe_component", json!({ "component_type": "Loop" }))
        .await
        .unwrap();
    let back = the_loop["inputs"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["name"] == "item")
        .unwrap();
    assert_eq!(
        (&back["input_types"], &back["closes_loop"]),
        (&json!(["Data", "Message"]), &json!(true))
    );
    let refusal = bench
        .refusal("describe_component", json!({ "component_type": "ChatInputs" }))
        .await;
    assert!(refusal.contains("`ChatInput`"), "{refusal}");
}

#[tokio::test]
async fn ends_are_told_from_the_wiring() {
    let bench = Bench::on(flow_of(
        "nodes:\n  A: ChatInput\n  P: Prompt Template\n  B: Agent\n  C: ChatOutput\n  U: URLComponent\n  L: ParserComponent\nedges:\n  \
         A.message -> B.input_value\n  P.prompt -> B.system_prompt\n  B.response -> C.input_value\n  U.component_as_tool -> B.tools",
    ));
    let ends = bench.call("describe_flow_io", json!({})).await.unwrap();
    assert_eq!(
        ends["inputs"],
        json!([{ "id": "ChatInput-00001", "type": "ChatInput", "value_field": "input_value" }])
    );
    assert_eq!(ends["outputs"][0]["id"], "ChatOutput-00004");
    assert_eq!(
        ends["tools"],
        json!([{ "id": "URLComponent-00005", "type": "URLComponent" }])
    );
    assert_eq!(ends["unconnected"], json!(["ParserComponent-00006"]));
    assert_eq!(
        ends,
        bench.call("describe_flow_io", json!({})).await.unwrap(),
        "the same every time"
    );
    // Without a component that is made for it, the wires alone say it.
    let bench = Bench::on(flow_of(
        "nodes:\n  P: Prompt Template\n  B: Agent\nedges:\n  P.prompt -> B.input_value",
    ));
    let ends = bench.call("describe_flow_io", json!({})).await.unwrap();
    assert_eq!(
        ends["inputs"],
        json!([{ "id": "Prompt Template-00001", "type": "Prompt Template" }])
    );
    assert_eq!(ends["outputs"][0]["id"], "Agent-00002");
    let empty = Bench::empty().call("describe_flow_io", json!({})).await.unwrap();
    assert_eq!(empty, json!({ "text": "The canvas is empty." }));
}

#[tokio::test]
async fn a_loop_that_comes_back_is_not_fed_from_outside() {
    let bench = Bench::on(flow_of(
        "nodes:\n  L: LoopComponent\n  P: ParserComponent\n  O: ChatOutput\nedges:\n  \
         L.item -> P.input_data\n  P.parsed_text -> L.item\n  L.done -> O.input_value",
    ));
    let ends = bench.call("describe_flow_io", json!({})).await.unwrap();
    assert_eq!(ends["inputs"][0]["id"], "LoopComponent-00001");
    assert_eq!(ends["outputs"].as_array().unwrap().len(), 1);
}

fn secretive() -> Bench {
    let mut flow: Json = serde_json::from_str(chatbot().as_str()).unwrap();
    let template = &mut flow["nodes"][1]["data"]["node"]["template"];
    template["api_key"]["value"] = json!("hunter2");
    template["api_key"]["load_from_db"] = json!(false);
    template["system_prompt"]["value"] = json!("Use https://me:hunter2@host and sk-abcdefgh12345678.");
    template["headers"] = json!({ "type": "dict", "show": true, "value": { "Authorization": "Bearer hunter2", "Accept": "x" } });
    template["other_api_key"] = json!({ "type": "str", "show": true, "value": "hunter2" });
    template["named_key"] =
        json!({ "type": "str", "show": true, "password": true, "load_from_db": true, "value": "MY_KEY" });
    template["pasted_key"] = json!({ "type": "str", "show": true, "password": true, "load_from_db": true, "value": "AKIA7hunter2" });
    template["empty_key"] =
        json!({ "type": "str", "show": true, "password": true, "load_from_db": false, "value": "" });
    template["by_name"] = json!({ "type": "str", "show": true, "load_from_db": true, "value": "GREETING" });
    template["long"] = json!({ "type": "str", "show": true, "value": "ä".repeat(4500) });
    flow["nodes"].as_array_mut().unwrap().push(json!({
        "id": "note-1", "type": "noteNode", "position": { "x": 0, "y": 0 },
        "data": { "id": "note-1", "type": "note", "node": { "description": "Remember sk-abcdefgh12345678", "template": {} } },
    }));
    Bench::on(parse(&flow.to_string()))
}

#[tokio::test]
async fn secrets_are_not_shown() {
    let bench = secretive();
    let read = async |field: &str| {
        let call = json!({ "component_id": "Agent-00002", "field_name": field });
        bench.call("get_field_value", call).await.unwrap()["value"].clone()
    };
    assert_eq!(read("api_key").await, "***REDACTED***");
    assert_eq!(read("other_api_key").await, "***REDACTED***");
    assert_eq!(read("named_key").await, "variable MY_KEY");
    assert_eq!(read("pasted_key").await, "***REDACTED***");
    assert_eq!(read("empty_key").await, "");
    assert_eq!(read("system_prompt").await, "Use https://me:***@host and ***.");
    assert_eq!(
        read("headers").await,
        json!({ "Authorization": "", "Accept": "x" })
    );
    let all = bench
        .call("get_field_value", json!({ "component_id": "Agent-00002" }))
        .await
        .unwrap()
        .to_string();
    assert!(!all.contains("hunter2") && !all.contains("sk-abc"), "{all}");
    let note = bench
        .call("get_field_value", json!({ "component_id": "note-1" }))
        .await
        .unwrap();
    assert_eq!(note["value"], "Remember ***");
}

#[tokio::test]
async fn a_proposal_does_not_show_what_was_there_in_secret() {
    let mut bench = secretive();
    let edit =
        json!({ "component_id": "Agent-00002", "field_name": "system_prompt", "new_value": "Be brief." });
    bench.call("propose_field_edit", edit).await.unwrap();
    let told = format!("{:?}", bench.told());
    assert!(
        told.contains("Be brief.") && !told.contains("hunter2") && !told.contains("sk-abc"),
        "{told}"
    );
    let all = format!("{:?}", bench.kit.work.changes());
    assert!(!all.contains("hunter2"));
}

/// A text in the place of a variable's name must not become a variable's name.
#[tokio::test]
async fn a_proposal_for_a_field_that_names_a_variable_sets_a_text() {
    let mut bench = secretive();
    let edit = json!({ "component_id": "Agent-00002", "field_name": "by_name", "new_value": "Hello" });
    bench.call("propose_field_edit", edit).await.unwrap();
    let updates = bench.updates();
    let [FlowUpdate::EditField(edit)] = updates.as_slice() else {
        panic!("{updates:?}")
    };
    let entry = "/data/nodes/1/data/node/template/by_name";
    assert_eq!(
        json!(edit.patch),
        json!([
            { "op": "replace", "path": format!("{entry}/value"), "value": "Hello" },
            { "op": "replace", "path": format!("{entry}/load_from_db"), "value": false },
        ])
    );
}

#[tokio::test]
async fn long_texts_are_read_piece_by_piece() {
    let bench = secretive();
    let read = async |offset: usize| {
        let call = json!({ "component_id": "Agent-00002", "field_name": "long", "offset": offset });
        bench.call("get_field_value", call).await.unwrap()
    };
    let first = read(0).await;
    assert_eq!(first["value"].as_str().unwrap().chars().count(), 2000);
    assert!(first["text"].as_str().unwrap().contains("offset 2000"));
    let last = read(4000).await;
    assert_eq!(last["value"].as_str().unwrap().chars().count(), 500);
    assert!(last.get("text").is_none());
    let unknown = bench
        .refusal(
            "get_field_value",
            json!({ "component_id": "Agent-00002", "field_name": "x" }),
        )
        .await;
    assert!(unknown.contains("`system_prompt`"), "{unknown}");
}
