//! Runs one component with given fields and wires, without a flow around it.

use std::sync::{Arc, OnceLock};

use ferro_components::Shared;
use ferro_engine::{Call, Component, Context, Failure, NodeInfo, Outcome, Outputs, Step, Value};
use serde_json::{Map, Value as Json};

pub fn all() -> &'static [Arc<dyn Component>] {
    static ALL: OnceLock<Vec<Arc<dyn Component>>> = OnceLock::new();
    ALL.get_or_init(|| {
        let net = ferro_net::Client::new(ferro_net::AddressPolicy::default()).unwrap();
        ferro_components::all(&Shared::new(net))
    })
}

pub fn find(r#type: &str) -> Arc<dyn Component> {
    let found = all()
        .iter()
        .find(|component| component.descriptor().r#type == r#type);
    Arc::clone(found.unwrap_or_else(|| panic!("there is no component {}", r#type)))
}

/// Runs it the way a node with these fields would: what is not given has its default, hidden fields are left out.
pub fn run(r#type: &str, fields: Json, wires: Vec<(&str, Value)>) -> Result<Outputs, Failure> {
    run_in(r#type, fields, wires, NodeInfo::default(), Context::nowhere())
}

pub fn run_in(
    r#type: &str,
    fields: Json,
    wires: Vec<(&str, Value)>,
    mut node: NodeInfo,
    cx: Context,
) -> Result<Outputs, Failure> {
    let component = find(r#type);
    let mut values = Map::new();
    for field in component.descriptor().fields {
        node.template.insert(field.name.clone(), field.to_json());
        if field.show {
            values.insert(field.name, field.value);
        }
    }
    let Json::Object(given) = fields else {
        panic!("fields are an object")
    };
    for (name, value) in given {
        if let Some(entry) = node.template.get_mut(&name) {
            entry["value"] = value.clone();
        } else {
            node.template
                .insert(name.clone(), serde_json::json!({ "value": value }));
        }
        values.insert(name, value);
    }
    finish(component.run(Call::new(node, values, wires, cx)))
}

pub fn finish(step: Step) -> Result<Outputs, Failure> {
    let outcome = match step {
        Step::Now(outcome) => outcome,
        Step::Later(work) => {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(work)
        }
    };
    match outcome? {
        Outcome::Done(outputs) => Ok(outputs),
        other => panic!("not done: {other:?}"),
    }
}

/// The JSON of one output.
#[track_caller]
pub fn json(outputs: &Outputs, name: &str) -> Json {
    outputs
        .get(name)
        .unwrap_or_else(|| panic!("no output {name} in {outputs:?}"))
        .to_json()
}

/// The text of one output.
#[track_caller]
pub fn text(outputs: &Outputs, name: &str) -> String {
    outputs
        .get(name)
        .unwrap_or_else(|| panic!("no output {name} in {outputs:?}"))
        .to_text()
        .into_owned()
}

/// Runs it and expects one output to be this JSON.
#[track_caller]
pub fn gives(r#type: &str, fields: Json, wires: Vec<(&str, Value)>, output: &str, expected: Json) {
    match run(r#type, fields, wires) {
        Ok(outputs) => assert_eq!(json(&outputs, output), expected, "{}", r#type),
        Err(failure) => panic!("{}: {failure:?}", r#type),
    }
}

/// Runs it and expects one output to have this text.
#[track_caller]
pub fn says(r#type: &str, fields: Json, wires: Vec<(&str, Value)>, output: &str, expected: &str) {
    match run(r#type, fields, wires) {
        Ok(outputs) => assert_eq!(text(&outputs, output), expected, "{}", r#type),
        Err(failure) => panic!("{}: {failure:?}", r#type),
    }
}

/// Runs it and expects a failure with advice, whose message has this part.
#[track_caller]
pub fn fails(r#type: &str, fields: Json, wires: Vec<(&str, Value)>, part: &str) {
    match run(r#type, fields, wires) {
        Ok(outputs) => panic!("{} should fail, but gave {outputs:?}", r#type),
        Err(failure) => {
            assert!(failure.message.contains(part), "{failure:?}");
            assert!(!failure.advice.is_empty(), "{failure:?}");
        }
    }
}

pub fn data(json: Json) -> Value {
    Value::from_json(json)
}

/// Rows become a table; a missing cell is empty.
pub fn table(rows: Json) -> Value {
    Value::table(ferro_engine::Table::from_rows(Value::from_json(rows).rows()))
}
