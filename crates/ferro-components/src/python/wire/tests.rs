use std::borrow::Cow;
use std::sync::Arc;

use ferro_engine::{Called, Data, Live, Message, Sender, Table, Tool, Value};
use proptest::prelude::*;
use serde_json::{Map, Value as Json, json};
use uuid::Uuid;

use super::super::read::{Reader, fit, flatten};
use super::*;

fn tool(name: &str) -> Tool {
    Tool {
        name: name.to_owned(),
        description: "does it".to_owned(),
        schema: json!({ "type": "object" }),
        approval: false,
        call: Arc::new(|_, _| Box::pin(async { Ok(Called::default()) })),
    }
}

fn read(tables: &Tables, wire: Json) -> Value {
    let reader = Reader {
        tables,
        message: &|id| id.parse().ok(),
        tool: &|told| tool(&told.name),
    };
    reader.value(wire)
}

fn there_and_back(value: &Value) -> Value {
    let mut tables = Tables::default();
    let wire = tables.write(value).unwrap();
    read(&tables, wire)
}

/// Equal in what a flow can tell: several bare values are one bare list.
fn plain(value: &Value) -> Json {
    match value {
        Value::Message(message) => json!({ "message": serde_json::to_value(&**message).unwrap() }),
        Value::Data(data) => json!({ "data": data.map, "key": data.text_key }),
        Value::Table(table) => json!({ "columns": table.columns, "cells": table.cells }),
        Value::List(items) => items.iter().map(plain).collect(),
        Value::Plain(json) => (**json).clone(),
        other => other.to_json(),
    }
}

fn any_json() -> impl Strategy<Value = Json> {
    let key = prop_oneof![Just("$type".to_owned()), Just("text".to_owned()), "[a-z]{0,3}"];
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        prop_oneof![Just("Message".to_owned()), Just("dict".to_owned()), ".{0,6}"].prop_map(Json::from),
    ];
    leaf.prop_recursive(3, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            prop::collection::vec((key.clone(), inner), 0..4)
                .prop_map(|pairs| Json::Object(pairs.into_iter().collect())),
        ]
    })
}

fn any_map() -> impl Strategy<Value = Map<String, Json>> {
    let key = prop_oneof![Just("$type".to_owned()), Just("text".to_owned()), "[a-z]{1,4}"];
    prop::collection::vec((key, any_json()), 0..4).prop_map(|pairs| pairs.into_iter().collect())
}

fn any_message() -> impl Strategy<Value = Message> {
    let texts = (
        ".{0,12}",
        "[a-z]{0,4}",
        "[a-z]{0,4}",
        any::<bool>(),
        any::<bool>(),
    );
    let more = (
        prop::option::of(any::<u128>()),
        0_i64..4_000_000_000_000_000,
        any_map(),
        any_map(),
        prop::collection::vec("[a-z/]{1,6}", 0..3),
    );
    (texts, more).prop_map(|(texts, more)| {
        let (text, name, session_id, by_user, error) = texts;
        let (id, timestamp, mut data, properties, files) = more;
        data.remove("text");
        Message {
            id: id.map(Uuid::from_u128),
            text,
            sender: if by_user { Sender::User } else { Sender::Machine },
            sender_name: name,
            session_id,
            context_id: String::new(),
            files,
            category: if error { "error".to_owned() } else { String::new() },
            error,
            properties,
            content_blocks: if error {
                vec![json!({ "type": "text" })]
            } else {
                Vec::new()
            },
            timestamp,
            data,
            usage: None,
        }
    })
}

fn any_value() -> impl Strategy<Value = Value> {
    let data = (any_map(), prop_oneof![Just("text"), Just("other")]).prop_map(|(map, key)| {
        let mut data = Data::new(map);
        data.text_key = Cow::Borrowed(key);
        Value::Data(Arc::new(data))
    });
    let table = prop::collection::vec(any_map(), 0..4).prop_map(|rows| Value::table(Table::from_rows(rows)));
    let leaf = prop_oneof![
        Just(Value::Null),
        any_message().prop_map(|message| Value::Message(Arc::new(message))),
        data,
        table,
        any_json().prop_map(Value::plain),
    ];
    leaf.prop_recursive(2, 12, 4, |inner| {
        prop::collection::vec(inner, 0..4).prop_map(|items| Value::List(items.into()))
    })
}

proptest! {
    #[test]
    fn values_come_back_as_they_went(value in any_value()) {
        prop_assert_eq!(plain(&there_and_back(&value)), plain(&value));
    }

    /// Python may say anything.
    #[test]
    fn reading_survives_anything(wire in any_json()) {
        let tables = Tables::default();
        let value = read(&tables, wire.clone());
        let _ = fit(value, &[Cow::Borrowed("Data"), Cow::Borrowed("Table")]);
        flatten(wire);
    }
}

#[test]
fn a_dict_that_says_its_type_is_not_one_of_ours() {
    let sly = Value::plain(json!({ "$type": "Message", "text": "x", "in": [{ "$type": "Live", "ref": 0 }] }));
    let mut tables = Tables::default();
    let wire = tables.write(&sly).unwrap();
    assert_eq!(wire["$type"], "dict");
    assert!(matches!(read(&tables, wire), Value::Plain(_)));
}

#[test]
fn what_lives_here_goes_by_number() {
    let mut tables = Tables::default();
    let model = Value::Live(Live {
        kind: "LanguageModel",
        value: Arc::new(1_u8),
    });
    let tools = Value::Tools([tool("a"), tool("b")].into());
    let wire = tables.write(&Value::List([model, tools].into())).unwrap();
    assert_eq!(
        wire[0],
        json!({ "$type": "Live", "kind": "LanguageModel", "ref": 0 })
    );
    assert_eq!(
        (&wire[1]["ref"], &wire[1]["tools"][1]["name"]),
        (&json!(0), &json!("b"))
    );
    assert!(matches!(read(&tables, wire[0].clone()), Value::Live(live) if live.value.is::<u8>()));
    assert!(matches!(read(&tables, wire[1].clone()), Value::Tools(tools) if tools.len() == 2));
    // A number that nobody gave out is nothing.
    for forged in [
        json!({ "$type": "Live", "kind": "LanguageModel", "ref": 1 }),
        json!({ "$type": "Live" }),
    ] {
        assert!(matches!(read(&tables, forged), Value::Null));
    }
}

#[test]
fn tools_of_python_are_its_own() {
    let wire = json!([
        { "$type": "Tools", "tools": [{ "name": "x" }, { "name": "" }, 3] },
        { "$type": "Tools", "tools": [{ "name": "y", "schema": 4 }] },
    ]);
    let Value::Tools(tools) = read(&Tables::default(), wire) else {
        panic!("no tools")
    };
    assert_eq!(
        tools.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(),
        ["x", "y"]
    );
}

#[test]
fn typed_values_inside_plain_ones_become_plain() {
    let wire = json!({
        "a": { "$type": "Data", "data": { "x": { "$type": "bytes", "b64": "aGk=" } } },
        "b": [{ "$type": "DataFrame", "columns": ["c"], "rows": [[1], []] }],
        "m": { "$type": "Message", "text": "hi", "data": { "k": 1 } },
    });
    let Value::Plain(json) = read(&Tables::default(), wire) else {
        panic!("not plain")
    };
    assert_eq!(json["a"], json!({ "x": "aGk=" }));
    assert_eq!(json["b"], json!([[{ "c": 1 }, { "c": null }]]));
    assert_eq!((&json["m"]["text"], &json["m"]["k"]), (&json!("hi"), &json!(1)));
}

#[test]
fn plain_results_become_what_the_output_says() {
    let fitted = |json: Json, kind: &'static str| fit(Value::plain(json), &[Cow::Borrowed(kind)]);
    assert!(matches!(fitted(json!("x"), "Message"), Value::Message(_)));
    assert!(matches!(fitted(json!({ "a": 1 }), "JSON"), Value::Data(_)));
    assert!(matches!(fitted(json!([{ "a": 1 }]), "Table"), Value::Table(_)));
    assert!(matches!(fitted(json!([{ "a": 1 }]), "Data"), Value::List(_)));
    assert!(matches!(fitted(json!([1, 2]), "Table"), Value::Plain(_)));
    assert!(matches!(fitted(json!(3), "Message"), Value::Plain(_)));
}

#[test]
fn values_that_are_too_deep_are_refused() {
    let mut deep = json!(1);
    for _ in 0..80 {
        deep = json!([deep]);
    }
    let refused = Tables::default().write(&Value::plain(deep)).unwrap_err();
    assert!(refused.message.contains("levels deep"), "{refused}");
}
