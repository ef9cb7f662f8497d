//! Looks at one key of JSON and goes on along **True Output** or along **False Output**.
//!
//! - **Data Input**: one JSON object, or several. Several are sorted: those that meet the condition go along true,
//!   the rest along false; a branch that gets nothing does not run.
//! - **Key Name**: the key whose value is compared.
//! - **Operator**: `equals`, `not equals`, `contains`, `starts with`, `ends with`, or `boolean validator`, which is
//!   met by `true`, `1`, `yes`, `y` and `on` and needs no value to compare with.
//! - **Match Text**: what the value is compared with, as text.
//!
//! Example: `{"status": "open"}`, key `status`, operator `equals`, match text `open` goes along true.
//!
//! Common mistakes: a key that is not there is an error for a single object, so check its spelling; among several
//! objects those without the key are left out. New flows do better with If-Else behind an operation that
//! picks the key.

use ferro_engine::{Call, Component, Data, Failure, Outcome, Outputs, Step, Value};
use ferro_model::{Descriptor, FieldSpec, OutputSpec};
use serde_json::Value as Json;

use super::condition::{Case, compared, holds, quoted};
use crate::text::fields;

pub(super) struct DataCondition;

const TRUE: &str = "true_output";
const FALSE: &str = "false_output";
const BOOLEAN: &str = "boolean validator";

impl Component for DataCondition {
    fn descriptor(&self) -> Descriptor {
        let operators = [
            "equals",
            "not equals",
            "contains",
            "starts with",
            "ends with",
            BOOLEAN,
        ];
        Descriptor::new("DataConditionalRouter", "Condition")
            .category("flow_controls")
            .icon("split")
            .description("Takes one of two branches, depending on a key of JSON.")
            .help(include_str!("data_condition.rs"))
            .legacy()
            .field(
                FieldSpec::handle("data_input", "Data Input", &["Data", "JSON"])
                    .class("DataInput")
                    .info("One object, or several that are sorted.")
                    .list(),
            )
            .field(FieldSpec::message_text("key_name", "Key Name").info("The key that is looked at."))
            .field(
                FieldSpec::dropdown("operator", "Operator", &operators, "equals")
                    .info("How its value is compared.")
                    .refresh(),
            )
            .field(
                FieldSpec::message_text("compare_value", "Match Text")
                    .info("What its value is compared with."),
            )
            .output(OutputSpec::new(TRUE, "True Output", "process_data", &["JSON"]))
            .output(OutputSpec::new(FALSE, "False Output", "process_data", &["JSON"]))
            .routes()
    }

    fn run(&self, call: Call) -> Step {
        let weight = fields::weight(&call, "data_input");
        fields::paced(weight, move || decide(&call))
    }

    fn refresh(&self, node: &mut Json, field: &str, value: &Json) -> Result<(), Failure> {
        if field == "operator" {
            let shown: &[&str] = if value == BOOLEAN { &[] } else { &["compare_value"] };
            fields::show_only(node, &["compare_value"], shown);
        }
        Ok(())
    }
}

fn decide(call: &Call) -> Result<Outcome, Failure> {
    let objects = fields::objects(call, "data_input")?;
    let key = call.required_text("key_name")?;
    let operator = fields::text_or(call, "operator", "equals");
    let wanted = call.text("compare_value");
    let single = objects.len() == 1;
    let (mut met, mut unmet) = (Vec::new(), Vec::new());
    for data in objects {
        let Some(value) = data.map.get(&key) else {
            if single {
                return Err(fields::missing_key("key_name", &key, &data.map));
            }
            continue;
        };
        let list = if meets(value, &operator, &wanted)? {
            &mut met
        } else {
            &mut unmet
        };
        list.push(data);
    }
    if met.is_empty() && unmet.is_empty() {
        return Err(
            Failure::input("data_input", format!("None of the objects has the key {key:?}"))
                .advice("Check the key's spelling, or what is wired in."),
        );
    }
    let why = match (met.as_slice(), unmet.as_slice()) {
        ([one], []) | ([], [one]) if single => {
            let value = one.map.get(&key).map(text_of).unwrap_or_default();
            let holds = !met.is_empty();
            let branch = if holds { "true" } else { "false" };
            let compared = if operator == BOOLEAN {
                format!(
                    "{} {} yes",
                    quoted(&value),
                    if holds { "means" } else { "does not mean" }
                )
            } else {
                compared(&value, &operator, &wanted, holds)
            };
            format!("{key}: {compared}, so the {branch} branch")
        }
        _ => format!(
            "{} of {} objects meet the condition on {key} and take the true branch",
            met.len(),
            met.len() + unmet.len()
        ),
    };
    let mut outputs = Outputs::new().because(why);
    for (name, list) in [(TRUE, met), (FALSE, unmet)] {
        outputs = if list.is_empty() {
            outputs.stop(name)
        } else {
            outputs.with(name, value(list))
        };
    }
    Ok(outputs.done())
}

fn value(mut list: Vec<Data>) -> Value {
    if list.len() == 1 {
        return list.pop().map_or(Value::Null, |data| Value::Data(data.into()));
    }
    fields::list(list)
}

fn text_of(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn meets(value: &Json, operator: &str, wanted: &str) -> Result<bool, Failure> {
    let text = text_of(value);
    if operator == BOOLEAN {
        let yes = ["true", "1", "1.0", "yes", "y", "on"];
        return Ok(yes.contains(&text.trim().to_lowercase().as_str()));
    }
    holds(&text, operator, wanted, Case::Kept)
}

#[cfg(test)]
mod tests {
    use ferro_engine::{Context, NodeInfo};
    use serde_json::json;

    use super::*;

    fn run(data: Json, fields: Json) -> Result<Outputs, Failure> {
        let Json::Object(fields) = fields else {
            panic!("fields are an object")
        };
        let wired = vec![("data_input", Value::from_json(data))];
        match decide(&Call::new(NodeInfo::default(), fields, wired, Context::nowhere()))? {
            Outcome::Done(outputs) => Ok(outputs),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn one_object_goes_one_way() {
        let outputs = run(
            json!({ "n": 5 }),
            json!({ "key_name": "n", "compare_value": "5" }),
        )
        .unwrap();
        assert_eq!(outputs.get(TRUE).unwrap().to_json(), json!({ "n": 5 }));
        assert_eq!(outputs.stopped, [FALSE]);
    }

    #[test]
    fn several_are_sorted() {
        let data = json!([{ "ok": true }, { "ok": "no" }, { "other": 1 }, { "ok": "Yes" }]);
        let outputs = run(data, json!({ "key_name": "ok", "operator": BOOLEAN })).unwrap();
        assert_eq!(
            outputs.get(TRUE).unwrap().to_json(),
            json!([{ "ok": true }, { "ok": "Yes" }])
        );
        assert_eq!(outputs.get(FALSE).unwrap().to_json(), json!({ "ok": "no" }));
        assert!(outputs.stopped.is_empty());
    }

    #[test]
    fn a_missing_key_is_said() {
        let failure = run(
            json!({ "a": 1 }),
            json!({ "key_name": "b", "compare_value": "1" }),
        )
        .unwrap_err();
        assert!(
            failure.advice.contains('a') && failure.message.contains("\"b\""),
            "{failure:?}"
        );
        assert!(run(json!([{ "a": 1 }, { "a": 2 }]), json!({ "key_name": "b" })).is_err());
    }
}
