use ferro_engine::Value;
use serde_json::json;

use crate::harness::{fails, find, says};

#[test]
fn variables_are_filled_in() {
    let fields = json!({ "template": "{greeting}, {name}! {{literal}}", "greeting": "Hi", "name": "" });
    says(
        "Prompt Template",
        fields,
        vec![("name", Value::text("Ada"))],
        "prompt",
        "Hi, Ada! {literal}",
    );
    let fields = json!({ "template": "{\"a\": \"{{ x }}\"}", "use_double_brackets": true, "x": "1" });
    says("Prompt Template", fields, vec![], "prompt", "{\"a\": \"1\"}");
    says(
        "Prompt Template",
        json!({ "template": "{a}.", "a": "" }),
        vec![],
        "prompt",
        ".",
    );
}

#[test]
fn mistakes_are_named() {
    fails(
        "Prompt Template",
        json!({ "template": "Hi {name}" }),
        vec![],
        "the variable \"name\"",
    );
    fails(
        "Prompt Template",
        json!({ "template": "Hi {name" }),
        vec![],
        "without a }",
    );
    fails(
        "Prompt Template",
        json!({ "template": "{\"a\": 1}" }),
        vec![],
        "not a name for a variable",
    );
}

#[test]
fn the_node_follows_its_template() {
    let component = find("Prompt Template");
    let mut node = component.descriptor().to_node();
    let mut set = |field: &str, value: serde_json::Value| {
        node["template"][field]["value"] = value.clone();
        component.refresh(&mut node, field, &value).map(|()| node.clone())
    };
    let node = set("template", json!("{a} {b}")).unwrap();
    assert_eq!(node["custom_fields"]["template"], json!(["a", "b"]));
    assert_eq!(node["template"]["a"]["_input_type"], "DefaultPromptField");
    let node = set("template", json!("{b} {{c}}")).unwrap();
    assert!(node["template"].get("a").is_none() && node["template"].get("b").is_some());
    let node = set("use_double_brackets", json!(true)).unwrap();
    assert_eq!(node["custom_fields"]["template"], json!(["c"]));
    assert_eq!(node["template"]["template"]["type"], "mustache");
    assert!(set("template", json!("{{c")).is_err());
}
