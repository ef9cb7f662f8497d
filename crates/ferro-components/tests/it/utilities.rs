use ferro_engine::Value;
use serde_json::json;

use crate::harness::{fails, find, gives, run, says, text};

#[test]
fn calculator_answers_or_explains() {
    gives(
        "CalculatorComponent",
        json!({ "expression": "2 * (3 + 4) ** 2 / 7" }),
        vec![],
        "result",
        json!({ "result": "14" }),
    );
    gives(
        "CalculatorComponent",
        json!({}),
        vec![("expression", Value::text("-1/3"))],
        "result",
        json!({ "result": "-0.333333" }),
    );
    let expected = json!({ "error": "Division by zero", "input": "1/0" });
    gives(
        "CalculatorComponent",
        json!({ "expression": "1/0" }),
        vec![],
        "result",
        expected,
    );
}

#[test]
fn the_old_calculator_is_a_tool_too() {
    gives(
        "CalculatorTool",
        json!({ "expression": "1+1" }),
        vec![],
        "api_run_model",
        json!({ "result": "2" }),
    );
    let outputs = run("CalculatorTool", json!({}), vec![]).unwrap();
    let Some(Value::Tools(tools)) = outputs.get("api_build_tool") else {
        panic!("{outputs:?}")
    };
    let arguments = json!({ "expression": "6*7" }).as_object().unwrap().clone();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let answer = runtime.block_on((tools[0].call)(arguments, None)).unwrap();
    assert_eq!(answer.value.to_json(), json!({ "result": "42" }));
    let answer = runtime
        .block_on((tools[0].call)(Default::default(), None))
        .unwrap();
    assert!(answer.value.to_json()["error"].is_string());
}

#[test]
fn current_date_knows_places() {
    let outputs = run("CurrentDate", json!({ "timezone": "Europe/Berlin" }), vec![]).unwrap();
    let shown = text(&outputs, "current_date");
    assert!(
        shown.ends_with("(Europe/Berlin)") && (shown.contains("CET") || shown.contains("CEST")),
        "{shown}"
    );
    fails(
        "CurrentDate",
        json!({ "timezone": "Nowhere" }),
        vec![],
        "no time zone \"Nowhere\"",
    );
}

#[test]
fn ids_differ_unless_given() {
    says(
        "IDGenerator",
        json!({ "unique_id": "mine" }),
        vec![],
        "id",
        "mine",
    );
    let one = || text(&run("IDGenerator", json!({}), vec![]).unwrap(), "id");
    assert_ne!(one(), one());
    let component = find("IDGenerator");
    let mut node = component.descriptor().to_node();
    component.refresh(&mut node, "unique_id", &json!("")).unwrap();
    assert_eq!(node["template"]["unique_id"]["value"].as_str().unwrap().len(), 36);
}
