//! The value of a model field, in every way it has been seen.

use ferro_model::model_value::{coerce, parse};
use ferro_model::spec::build_flow_from_spec;
use ferro_model::{FlowData, ModelRef, ModelValueError, read, repair_models, upgrade};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::fixtures::{built, registry};
use crate::properties::any_json;

fn canonical() -> Value {
    json!([{"provider": "OpenAI", "name": "gpt-4o"}])
}

/// One model, in every disguise that has been seen in the wild.
fn disguises() -> Vec<Value> {
    let list = canonical().to_string();
    let object = canonical()[0].to_string();
    vec![
        canonical(),
        canonical()[0].clone(),
        json!(list),
        json!(object),
        json!(format!("  {list}\n")),
        json!("- provider: OpenAI\n  name: gpt-4o"),
        json!("- provider: \"OpenAI\"\n  name: 'gpt-4o'\n"),
        json!("---\nprovider: OpenAI\nname: gpt-4o # the model"),
        json!("{provider: OpenAI, name: gpt-4o}"),
        json!("[{provider: OpenAI, name: \"gpt-4o\"}]"),
        json!("- {provider: OpenAI, name: gpt-4o}"),
        // Stuffed into the name, once and twice.
        json!([{"name": list, "provider": "Unknown"}]),
        json!([{"name": object, "provider": "Unknown"}]),
        json!([{"name": "- provider: OpenAI\n  name: gpt-4o", "provider": "Unknown"}]),
        json!([{"name": json!([{"name": list, "provider": "Unknown"}]).to_string(), "provider": "Unknown"}]),
        json!({"name": list}),
        // A list whose entries are texts, and a text that holds a text.
        json!([object]),
        json!(json!(list).to_string()),
    ]
}

#[test]
fn every_disguise_is_the_same_model() {
    for value in disguises() {
        let plain = coerce(&value);
        let same = |plain: &Value| plain[0]["provider"] == "OpenAI" && plain[0]["name"] == "gpt-4o";
        assert!(
            same(&plain) && plain.as_array().unwrap().len() == 1,
            "{value} became {plain}"
        );
        assert_eq!(coerce(&plain), plain);
    }
}

#[test]
fn the_rest_of_an_entry_is_kept() {
    let full = json!([{"provider": "Ollama", "name": "llama3:8b", "icon": "Ollama", "metadata": {"context_length": 8192}}]);
    assert_eq!(coerce(&full), full);
    assert_eq!(coerce(&json!(full.to_string())), full);
    let yaml =
        "- provider: Ollama\n  name: llama3:8b\n  icon: Ollama\n  metadata:\n    context_length: 8192\n";
    assert_eq!(coerce(&json!(yaml)), full);
    let two = json!([{"provider": "a", "name": "x"}, {"provider": "b", "name": "y"}]);
    assert_eq!(
        coerce(&json!("- {provider: a, name: x}\n- {provider: b, name: y}")),
        two
    );
}

#[test]
fn the_provider_outside_is_kept_when_none_is_inside() {
    assert_eq!(
        coerce(&json!([{"provider": "OpenAI", "name": "{\"name\": \"gpt-4o\"}"}]))[0],
        json!({"name": "gpt-4o", "provider": "OpenAI"})
    );
    assert_eq!(
        coerce(&json!([{"provider": "OpenAI", "name": "[\"gpt-4o\"]"}]))[0],
        json!({"provider": "OpenAI", "name": "gpt-4o"})
    );
}

#[test]
fn what_is_no_description_stays() {
    for value in [
        json!("gpt-4o"),
        json!("llama3.1:8b-instruct-q4"),
        json!("openai/gpt-oss-120b: free"),
        json!("connect_other_models"),
        json!(""),
        json!(null),
        json!([]),
        json!(3),
        json!(true),
        json!("{not json"),
        json!("[1, 2]"),
        json!("- just\n- words"),
        json!("A note:\nthis is no model"),
        json!(["gpt-4o"]),
        json!([{"provider": "OpenAI"}]),
    ] {
        assert_eq!(coerce(&value), value);
    }
    // Wrapped more often than anybody has done by accident.
    let mut deep = json!("gpt-4o");
    for _ in 0..8 {
        deep = json!([{"name": if deep.is_string() { deep.as_str().unwrap().to_owned() } else { deep.to_string() }}]);
    }
    assert_eq!(coerce(&deep), deep);
}

#[test]
fn a_run_gets_providers_and_names() {
    let model = |provider: &str, name: &str| ModelRef {
        provider: provider.to_owned(),
        name: name.to_owned(),
    };
    for value in disguises() {
        assert_eq!(parse(&value), Ok(vec![model("OpenAI", "gpt-4o")]), "{value}");
    }
    assert_eq!(parse(&json!("gpt-4o")), Ok(vec![model("", "gpt-4o")]));
    assert_eq!(
        parse(&json!(["a", {"name": "b", "provider": "Unknown"}])),
        Ok(vec![model("", "a"), model("", "b")])
    );
    for empty in [
        json!(null),
        json!(""),
        json!([]),
        json!("[]"),
        json!({}),
        json!([{"name": " "}]),
    ] {
        assert_eq!(parse(&empty), Err(ModelValueError::Empty), "{empty}");
    }
    for wire in [
        json!("connect_other_models"),
        json!([{"name": "connect_other_models"}]),
    ] {
        assert_eq!(parse(&wire), Err(ModelValueError::ByWire), "{wire}");
    }
    for (value, said) in [
        (json!(3), "a number"),
        (json!([true]), "true or false"),
        (json!([[]]), "a list in a list"),
    ] {
        let error = parse(&value).unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
    }
}

/// A flow with an agent whose model was saved like this.
fn saved(value: &Value) -> FlowData {
    let mut document: Value = serde_json::from_str(built("nodes:\n A: Agent").as_str()).unwrap();
    document["nodes"][0]["data"]["node"]["template"]["model"]["value"] = value.clone();
    FlowData::parse(&serde_json::to_string_pretty(&document).unwrap()).unwrap()
}

#[test]
fn a_spec_is_built_with_models_in_their_one_form() {
    let spec = "name: x\n\nnodes:\n  A: Agent\n\nconfig:\n  A.model: |\n    - provider: OpenAI\n      name: gpt-4o\n";
    let mut ids = || "00001".to_owned();
    let flow = build_flow_from_spec(spec, &registry(), &mut ids).unwrap();
    let node = &read(&flow.data).nodes[0];
    let document = node.field("model").unwrap().value.unwrap().to_value();
    assert_eq!(document, canonical());
}

#[test]
fn saved_values_are_repaired_where_they_are_read_and_saved() {
    for value in disguises() {
        let flow = saved(&value);
        let view = read(&flow);
        let field = view.nodes[0].field("model").unwrap();
        assert_eq!(parse(&field.to_value().unwrap()).unwrap()[0].name, "gpt-4o");
        assert_eq!(field.to_value().unwrap(), coerce(&value));
        let entry = field.entry();
        assert_eq!(entry["value"], coerce(&value));
        assert_eq!(entry["type"], "model");

        let (upgraded, notes) = upgrade(&flow, &registry());
        match repair_models(&flow) {
            None => {
                assert_eq!(coerce(&value), value);
                assert_eq!((upgraded, notes), (flow, Vec::new()));
            }
            Some(repaired) => {
                assert_eq!(notes[0].code, "model_repaired");
                assert_eq!(upgraded, repaired);
                assert_eq!(repair_models(&repaired), None);
                // Only the value has changed: put back, every byte is as it was.
                let old = serde_json::to_string(&value).unwrap();
                let field = |flow: &FlowData| {
                    let view = read(flow);
                    view.nodes[0]
                        .field("model")
                        .unwrap()
                        .value
                        .unwrap()
                        .as_str()
                        .to_owned()
                };
                let back = repaired.as_str().replacen(&field(&repaired), &field(&flow), 1);
                assert_eq!(back, flow.as_str(), "{old}");
            }
        }
    }
}

#[test]
fn other_fields_and_bare_names_are_left_alone() {
    for value in [
        json!("gpt-4o"),
        json!("connect_other_models"),
        json!(null),
        canonical(),
    ] {
        assert_eq!(repair_models(&saved(&value)), None);
    }
    let mut document: Value = serde_json::from_str(saved(&json!("gpt-4o")).as_str()).unwrap();
    let text = canonical().to_string();
    document["nodes"][0]["data"]["node"]["template"]["mine"] = json!({"type": "str", "value": text});
    let flow = FlowData::parse(&document.to_string()).unwrap();
    assert_eq!(repair_models(&flow), None);
    assert_eq!(
        read(&flow).nodes[0].field("mine").unwrap().to_value(),
        Some(json!(text))
    );
}

/// Pieces of descriptions, so that chance finds the odd combinations.
fn broken_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("- "),
        Just("name: "),
        Just("provider: "),
        Just("\n"),
        Just("  "),
        Just("{"),
        Just("}"),
        Just("["),
        Just("]"),
        Just(","),
        Just("\""),
        Just("'"),
        Just("gpt"),
        Just("\"name\":"),
        Just("\\"),
        Just("é"),
        Just(": "),
    ];
    proptest::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

fn wrapped() -> impl Strategy<Value = Value> {
    (broken_text(), 0usize..9, any::<bool>()).prop_map(|(text, times, list)| {
        let mut value = json!(text);
        for _ in 0..times {
            let name = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            value = if list {
                json!([{"name": name}])
            } else {
                json!({"name": name, "provider": "Unknown"})
            };
        }
        value
    })
}

proptest! {
    #[test]
    fn twice_is_once(value in prop_oneof![any_json(), broken_text().prop_map(Value::from), wrapped()]) {
        let once = coerce(&value);
        prop_assert_eq!(&coerce(&once), &once);
        // And never a panic on the way to a run.
        let _ = parse(&value);
    }
}
