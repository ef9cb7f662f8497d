//! Nodes that change with a choice: what they show, and which outputs they have.

use serde_json::{Value as Json, json};

use crate::harness::find;

fn refreshed(r#type: &str, changes: &[(&str, Json)]) -> Json {
    let component = find(r#type);
    let mut node = component.descriptor().to_node();
    for (field, value) in changes {
        node["template"][*field]["value"] = value.clone();
        component.refresh(&mut node, field, value).unwrap();
    }
    node
}

fn outputs(node: &Json) -> Vec<&str> {
    node["outputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|output| output["name"].as_str().unwrap())
        .collect()
}

fn shown(node: &Json, field: &str) -> bool {
    node["template"][field]["show"] == true
}

#[test]
fn text_operations_show_what_belongs_to_the_choice() {
    let node = refreshed(
        "TextOperations",
        &[("operation", json!([{ "name": "Text Replace" }]))],
    );
    assert!(shown(&node, "search_pattern") && shown(&node, "use_regex") && !shown(&node, "case_type"));
    assert_eq!(outputs(&node), ["message"]);
    let node = refreshed(
        "TextOperations",
        &[
            ("operation", json!([{ "name": "Text Join" }])),
            ("operation", json!([{ "name": "Word Count" }])),
        ],
    );
    assert!(shown(&node, "count_words") && !shown(&node, "text_input_2"));
    assert_eq!(outputs(&node), ["data"]);
    assert_eq!(node["base_classes"], json!(["JSON"]));
    let node = refreshed("TextOperations", &[("operation", json!([]))]);
    assert!(outputs(&node).is_empty());
}

#[test]
fn json_operations_offer_paths() {
    let choice = json!([{ "name": "Path Selection" }]);
    let node = refreshed(
        "DataOperations",
        &[
            ("operations", choice),
            ("mapped_json_display", json!("{\"a\": [1]}")),
        ],
    );
    assert!(shown(&node, "selected_key") && !shown(&node, "query"));
    assert_eq!(
        node["template"]["selected_key"]["options"],
        json!([".a", ".a[0]"])
    );
}

#[test]
fn table_operations_show_what_belongs_to_the_choice() {
    let node = refreshed(
        "DataFrameOperations",
        &[("operation", json!([{ "name": "Merge" }]))],
    );
    assert!(shown(&node, "left_dataframe") && !shown(&node, "column_name"));
    assert_eq!(node["template"]["df"]["required"], false);
}

#[test]
fn data_operations_change_with_the_input_type() {
    let node = refreshed(
        "Operations",
        &[
            ("input_type", json!("Table")),
            ("operation", json!([{ "name": "Head" }])),
        ],
    );
    assert!(shown(&node, "df") && shown(&node, "num_rows") && !shown(&node, "text_input"));
    assert_eq!(outputs(&node), ["dataframe_output"]);
    let options = node["template"]["operation"]["options"].as_array().unwrap();
    assert!(options.iter().any(|option| option["name"] == "Merge"));
    let node = refreshed(
        "Operations",
        &[
            ("input_type", json!("Text")),
            ("operation", json!([{ "name": "Word Count" }])),
        ],
    );
    assert_eq!(outputs(&node), ["data_output"]);
}

#[test]
fn other_nodes_follow_their_choice() {
    let node = refreshed("TypeConverterComponent", &[("output_type", json!("Table"))]);
    assert_eq!(outputs(&node), ["dataframe_output"]);
    let node = refreshed("TypeConverterComponent", &[("output_type", json!("Data"))]);
    assert_eq!(outputs(&node), ["data_output"]);
    let node = refreshed("ParserComponent", &[("mode", json!("Stringify"))]);
    assert!(!shown(&node, "pattern") && shown(&node, "clean_data"));
    let node = refreshed(
        "ParserComponent",
        &[("mode", json!("Stringify")), ("mode", json!("Parser"))],
    );
    assert!(shown(&node, "pattern") && node["template"].get("clean_data").is_none());
    let node = refreshed("TextInput", &[("use_global_variable", json!(true))]);
    assert_eq!(node["template"]["input_value"]["password"], true);
}

#[test]
fn a_key_of_another_provider_is_forgotten_with_the_choice() {
    let chosen = |provider: &str, key: &str| {
        let component = find("Agent");
        let mut node = component.descriptor().to_node();
        node["template"]["api_key"]["value"] = key.into();
        node["template"]["api_key"]["load_from_db"] = true.into();
        let model = json!([{ "provider": provider, "name": "m" }]);
        component.refresh(&mut node, "model", &model).unwrap();
        let key = &node["template"]["api_key"];
        (key["value"].clone(), key["load_from_db"].clone())
    };
    let kept = |key: &str| (json!(key), json!(true));
    assert_eq!(chosen("Anthropic", "OPENAI_API_KEY"), (json!(""), json!(false)));
    assert_eq!(chosen("OpenAI", "OPENAI_API_KEY"), kept("OPENAI_API_KEY"));
    assert_eq!(
        chosen("Anthropic", "TEAM_KEY"),
        kept("TEAM_KEY"),
        "nobody knows whose it is"
    );
}

#[test]
fn fields_grow_and_shrink_with_their_number() {
    for r#type in ["CreateData", "UpdateData"] {
        let node = refreshed(
            r#type,
            &[("number_of_fields", json!(3)), ("number_of_fields", json!("2"))],
        );
        assert!(shown(&node, "field_2_key") && node["template"].get("field_3_key").is_none());
        let component = find(r#type);
        let mut node = component.descriptor().to_node();
        assert!(
            component
                .refresh(&mut node, "number_of_fields", &json!(16))
                .is_err()
        );
    }
}

#[test]
fn forms_become_fields() {
    let rows = json!([{ "field_name": "title", "field_type": "Text" }, { "field_name": "stars", "field_type": "Number" }]);
    let node = refreshed("DynamicCreateData", &[("form_fields", rows)]);
    assert_eq!(node["template"]["dynamic_title"]["type"], "str");
    assert_eq!(node["template"]["dynamic_stars"]["type"], "float");
    let rows = json!([{ "field_name": "title", "field_type": "Boolean" }]);
    let node = {
        let component = find("DynamicCreateData");
        let mut node = node;
        component.refresh(&mut node, "form_fields", &rows).unwrap();
        assert!(
            component
                .refresh(
                    &mut node,
                    "form_fields",
                    &json!([{ "field_name": "a" }, { "field_name": "a" }])
                )
                .is_err()
        );
        node
    };
    assert_eq!(
        node["template"]["dynamic_title"]["type"], "bool",
        "another type is another field"
    );
    assert!(node["template"].get("dynamic_stars").is_none());
}
