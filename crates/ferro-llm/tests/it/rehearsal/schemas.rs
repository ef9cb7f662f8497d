//! JSON by schema: filled from the text, and valid whatever the schema.

use ferro_llm::{ChatMessage, ChatRequest, Format};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::ask;

fn filled(schema: Value, text: &str) -> Value {
    let request = ChatRequest {
        format: Format::Schema {
            name: "it".to_owned(),
            schema,
        },
        ..ChatRequest::new(vec![ChatMessage::user(text)])
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    serde_json::from_str(&runtime.block_on(ask(request)).text).unwrap()
}

/// What is wrong with a value, for the parts of JSON Schema that structured answers use.
fn wrong(schema: &Value, value: &Value) -> Option<String> {
    let fail = |what: &str| Some(format!("{what}: {value} for {schema}"));
    if let Some(values) = schema["enum"].as_array() {
        return (!values.contains(value)).then(|| "enum".to_owned());
    }
    if let Some(options) = schema["anyOf"].as_array() {
        return options
            .iter()
            .all(|option| wrong(option, value).is_some())
            .then(|| "anyOf".to_owned());
    }
    let bound = |key: &str| schema[key].as_f64();
    match schema["type"].as_str().unwrap_or("string") {
        "null" => (!value.is_null()).then(|| "null".to_owned()),
        "boolean" => (!value.is_boolean()).then(|| "boolean".to_owned()),
        "string" => {
            let Some(text) = value.as_str() else {
                return fail("string");
            };
            let length = text.chars().count() as f64;
            let bad = bound("minLength").is_some_and(|least| length < least)
                || bound("maxLength").is_some_and(|most| length > most);
            bad.then(|| "length".to_owned())
        }
        kind @ ("integer" | "number") => {
            let Some(number) = value.as_f64() else {
                return fail("number");
            };
            let bad = kind == "integer" && number.fract() != 0.0
                || bound("minimum").is_some_and(|least| number < least)
                || bound("maximum").is_some_and(|most| number > most);
            if bad { fail("bound") } else { None }
        }
        "array" => {
            let Some(items) = value.as_array() else {
                return fail("array");
            };
            let count = items.len() as f64;
            if bound("minItems").is_some_and(|least| count < least)
                || bound("maxItems").is_some_and(|most| count > most)
            {
                return fail("items");
            }
            items.iter().find_map(|item| wrong(&schema["items"], item))
        }
        "object" => {
            let Some(members) = value.as_object() else {
                return fail("object");
            };
            let properties = schema["properties"].as_object().unwrap();
            if let Some(extra) = members.keys().find(|key| !properties.contains_key(*key)) {
                return Some(format!("unknown {extra}"));
            }
            properties
                .iter()
                .find_map(|(key, schema)| match members.get(key) {
                    Some(value) => wrong(schema, value),
                    None => Some(format!("{key} is missing")),
                })
        }
        other => Some(other.to_owned()),
    }
}

#[test]
fn names_of_fields_say_what_to_look_for() {
    let schema = json!({"type": "object", "properties": {
        "name": {"type": "string"}, "email": {"type": "string"}, "due_date": {"type": "string", "format": "date"},
        "amount": {"type": "number"}, "sentiment": {"type": "string", "enum": ["positive", "negative", "neutral"]},
        "paid": {"type": "boolean"}, "colour": {"type": "string"}, "phone": {"type": ["string", "null"]},
    }});
    let text = "Our customer Ada Lovelace (ada@example.org) is happy. Amount: 99.5, due on 15 November 2026.\nPaid: yes";
    assert_eq!(
        filled(schema, text),
        json!({"name": "Ada Lovelace", "email": "ada@example.org", "due_date": "2026-11-15", "amount": 99.5,
            "sentiment": "positive", "paid": true, "colour": "", "phone": null})
    );
}

#[test]
fn lists_hold_a_record_for_each_line() {
    let schema = json!({"type": "object", "properties": {"people": {"type": "array", "items": {"$ref": "#/$defs/Person"}}},
        "$defs": {"Person": {"type": "object", "properties": {"email": {"type": "string"}, "age": {"type": "integer"}}}}});
    let made = filled(
        schema.clone(),
        "ada@example.org, age 36\nbob@example.org, age 41\n",
    );
    assert_eq!(
        made,
        json!({"people": [{"email": "ada@example.org", "age": 36}, {"email": "bob@example.org", "age": 41}]})
    );
    assert_eq!(filled(schema, "nothing at all"), json!({"people": []}));
}

#[test]
fn a_schema_that_contains_itself_has_an_end() {
    let many: serde_json::Map<String, Value> = (0..20)
        .map(|at| (format!("p{at}"), json!({"$ref": "#"})))
        .collect();
    let names: Vec<&String> = many.keys().collect();
    for schema in [
        json!({"$ref": "#"}),
        json!({"type": "object", "properties": many}),
        json!({"type": "object", "properties": many, "required": names}),
        json!({"type": "array", "items": {"$ref": "#"}, "minItems": 9}),
        json!({"allOf": [{"$ref": "#"}, {"$ref": "#"}, {"$ref": "#"}]}),
        json!({"anyOf": [{"$ref": "#"}]}),
    ] {
        let made = filled(schema, "one\ntwo");
        assert!(made.to_string().len() < 1_000_000);
    }
    // Where it may end, it ends with what is valid.
    let person = json!({"type": "object", "required": ["name", "boss"], "properties": {
        "name": {"type": "string"}, "boss": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}}});
    let made = filled(person, "Here is Ada Lovelace.");
    let mut made = &made;
    while !made.is_null() {
        assert_eq!(made["name"], "Ada Lovelace");
        made = &made["boss"];
    }
}

fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({"type": "boolean"})),
        (0u8..6, 0u8..6)
            .prop_map(|(a, more)| json!({"type": "string", "minLength": a, "maxLength": a + more})),
        (-50i32..50, 0i32..50)
            .prop_map(|(least, more)| json!({"type": "integer", "minimum": least, "maximum": least + more})),
        (-5.0..5.0f64, 0.1..5.0f64)
            .prop_map(|(least, more)| json!({"type": "number", "minimum": least, "maximum": least + more})),
        Just(json!({"type": "string", "enum": ["good", "bad", "x"]})),
        Just(json!({"enum": [1, "two", null]})),
        Just(json!({"type": "string", "format": "date"})),
    ];
    let name = prop_oneof![
        Just("email"),
        Just("name"),
        Just("amount"),
        Just("tags"),
        Just("date"),
        Just("summary"),
        Just("zzz"),
        Just("urls"),
    ];
    leaf.prop_recursive(3, 24, 4, move |inner| {
        prop_oneof![
            (inner.clone(), 0u8..3, 0u8..3)
                .prop_map(|(items, least, more)| json!({"type": "array", "items": items, "minItems": least, "maxItems": least + more})),
            proptest::collection::btree_map(name.clone(), inner.clone(), 0..4)
                .prop_map(|properties| json!({"type": "object", "properties": properties})),
            inner.prop_map(|schema| json!({"anyOf": [schema, {"type": "null"}]})),
        ]
    })
}

#[test]
fn a_list_of_alternatives_is_not_a_list_of_texts() {
    let items = json!({ "anyOf": [{ "type": "boolean" }, { "type": "null" }] });
    let schema = json!({ "type": "object", "properties": { "urls": { "type": "array", "items": items } } });
    assert_eq!(filled(schema, "see https://x.org"), json!({ "urls": [] }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn what_is_filled_is_valid(schema in schema(), text in prop_oneof![
        Just("Ada (ada@example.org) pays 12 on 2026-11-15, good. amount: 7.5\ntags: a, b, c\nhttps://x.org".to_owned()),
        ".{0,60}",
    ]) {
        let value = filled(schema.clone(), &text);
        prop_assert_eq!(wrong(&schema, &value), None);
    }
}
