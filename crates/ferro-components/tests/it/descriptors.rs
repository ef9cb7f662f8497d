//! Holds for every component of the crate, whoever wrote it.

use std::collections::BTreeSet;

use ferro_engine::Value;
use serde_json::{Value as Json, json};

use crate::harness::{all, data, run, table};

#[test]
fn types_and_aliases_are_unique() {
    let mut seen = BTreeSet::new();
    for component in all() {
        let descriptor = component.descriptor();
        for name in std::iter::once(&descriptor.r#type).chain(&descriptor.aliases) {
            assert!(seen.insert(name.clone()), "{name} is there twice");
        }
    }
}

#[test]
fn every_component_explains_itself() {
    for component in all() {
        let descriptor = component.descriptor();
        let name = &descriptor.r#type;
        assert!(
            descriptor
                .help
                .lines()
                .filter(|line| !line.trim().is_empty())
                .count()
                >= 3,
            "{name} has no help page"
        );
        assert!(
            !descriptor.help.contains("use ferro_"),
            "{name}: code in the help page"
        );
        assert!(
            descriptor.description.ends_with('.'),
            "{name}: {:?} is not a sentence",
            descriptor.description
        );
        assert!(
            !descriptor.display_name.is_empty() && !descriptor.category.is_empty(),
            "{name}"
        );
        assert_ne!(descriptor.icon, "box", "{name} has no icon");
    }
}

#[test]
fn fields_and_outputs_are_well_formed() {
    for component in all() {
        let descriptor = component.descriptor();
        let name = &descriptor.r#type;
        let mut seen = BTreeSet::new();
        for field in &descriptor.fields {
            assert!(seen.insert(&field.name), "{name} has two fields {}", field.name);
            assert!(!field.display_name.is_empty(), "{name}.{}", field.name);
            if field.options.is_empty() {
                continue;
            }
            let chosen: Vec<&Json> = match &field.value {
                Json::Array(values) => values.iter().collect(),
                // A duration offers units.
                Json::Object(duration) => duration.get("unit").into_iter().collect(),
                one => vec![one],
            };
            for value in chosen {
                let known = field.options.iter().any(|option| value == option.as_str());
                assert!(
                    known || value == "",
                    "{name}.{}: {value} is not an option",
                    field.name
                );
            }
        }
        let mut seen = BTreeSet::new();
        for output in &descriptor.outputs {
            assert!(
                seen.insert(&output.name),
                "{name} has two outputs {}",
                output.name
            );
            assert!(
                !output.method.is_empty() && !output.types.is_empty(),
                "{name}.{}",
                output.name
            );
        }
    }
}

#[test]
fn nodes_are_well_formed() {
    for component in all() {
        let descriptor = component.descriptor();
        let node = descriptor.to_node();
        let name = &descriptor.r#type;
        assert_eq!(node["template"]["_type"], "Component", "{name}");
        for field in node["field_order"].as_array().unwrap() {
            let entry = &node["template"][field.as_str().unwrap()];
            assert_eq!(entry["name"], *field, "{name}");
            assert!(
                entry["type"].is_string() && !entry["value"].is_null() || entry["type"] != "str",
                "{name}.{field}"
            );
        }
        assert_eq!(
            node["outputs"].as_array().unwrap().len(),
            descriptor.outputs.len(),
            "{name}"
        );
    }
}

/// Wires and fields can carry anything. A component answers or fails; it never panics and never hangs.
#[test]
fn running_survives_anything() {
    let quiet = [
        "input_output",
        "processing",
        "langchain_utilities",
        "utilities",
        "tools",
    ];
    let mut deep = json!(1);
    for _ in 0..100 {
        deep = json!([{ "a": deep }]);
    }
    let values = [
        Value::Null,
        Value::text(""),
        Value::text("{ \u{0} } ä\n{{x"),
        Value::plain(f64::MAX),
        Value::plain(i64::MIN),
        Value::plain(json!([null, "", [], {}])),
        data(json!({ "": null, "text": { "a": [1] } })),
        data(deep),
        Value::List([].into()),
        Value::List([Value::List([Value::text("x")].into()), Value::Null].into()),
        table(json!([{}])),
        Value::table(Default::default()),
    ];
    for component in all() {
        let descriptor = component.descriptor();
        if !quiet.contains(&descriptor.category.as_str()) && descriptor.r#type != "Prompt Template" {
            continue;
        }
        let operations = descriptor
            .fields
            .iter()
            .filter(|field| field.r#type == "sortableList");
        let mut choices: Vec<Json> = operations
            .flat_map(|field| field.extra["options"].as_array().unwrap().clone())
            .map(|option| json!({ "operation": [option], "operations": [option] }))
            .collect();
        choices.push(json!({}));
        for choice in choices {
            for value in &values {
                let wires = || {
                    descriptor
                        .fields
                        .iter()
                        .filter(|field| !field.name.starts_with("operation"))
                };
                let everywhere = wires()
                    .map(|field| (field.name.as_str(), value.clone()))
                    .collect();
                let _ = run(&descriptor.r#type, choice.clone(), everywhere);
                let ports = wires().filter(|field| field.r#type == "other");
                let _ = run(
                    &descriptor.r#type,
                    choice.clone(),
                    ports.map(|field| (field.name.as_str(), value.clone())).collect(),
                );
            }
        }
    }
}

/// What a page sends is whatever it likes: neither a strange node nor a strange value may bring a component down.
#[test]
fn refreshing_survives_anything() {
    let nodes = [
        json!(null),
        json!([]),
        json!({}),
        json!({ "template": 1, "outputs": 2 }),
    ];
    let values = [
        json!(null),
        json!("x"),
        json!([1]),
        json!({ "name": 1 }),
        json!(-1),
    ];
    for component in all() {
        let descriptor = component.descriptor();
        for field in &descriptor.fields {
            for value in &values {
                for node in nodes.iter().cloned().chain([descriptor.to_node()]) {
                    let mut node = node;
                    let _ = component.refresh(&mut node, &field.name, value);
                }
            }
        }
    }
}
