//! The part of JSON Schema that is understood.

use ferro_agent::{coerce, problems};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

fn fits(schema: &Json, value: Json) {
    assert_eq!(problems(schema, &value), [""; 0], "{value}");
}

fn refuses(schema: &Json, value: Json, why: &str) {
    assert_eq!(problems(schema, &value).join("; "), why, "{value}");
}

fn bent(schema: &Json, mut value: Json) -> Json {
    coerce(schema, &mut value);
    value
}

#[test]
fn types_places_and_limits() {
    let schema = json!({
        "type": "object",
        "properties": {
            "rows": { "type": "array", "maxItems": 2, "items": { "type": "object", "properties": { "n": { "type": "integer", "minimum": 1 } } } },
            "kind": { "enum": ["a", 1] },
            "note": { "type": ["string", "null"], "maxLength": 3 },
        },
        "additionalProperties": false,
    });
    fits(
        &schema,
        json!({ "rows": [{ "n": 1 }, { "n": 2.0 }], "kind": 1.0, "note": null }),
    );
    refuses(
        &schema,
        json!({ "rows": [{}, { "n": 1.5 }] }),
        "rows[1].n must be integer, not number",
    );
    refuses(
        &schema,
        json!({ "rows": [{}, {}, { "n": 0 }] }),
        "rows must have at most 2 items; rows[2].n must be at least 1",
    );
    refuses(
        &schema,
        json!({ "kind": "b", "note": "long" }),
        "kind must be one of \"a\", 1; note must have at most 3 characters",
    );
    refuses(&schema, json!({ "new": 1 }), "new is not known");
    refuses(&schema, json!([]), "the value must be object, not array");
}

#[test]
fn choices_and_references() {
    let schema = json!({
        "$defs": { "id": { "anyOf": [{ "type": "integer" }, { "type": "null" }] } },
        "type": "object",
        "properties": { "id": { "$ref": "#/$defs/id" }, "lost": { "$ref": "#/nowhere" }, "all": { "allOf": [{ "type": "string" }, { "const": "x" }] } },
        "required": ["id"],
    });
    fits(&schema, json!({ "id": null, "lost": [1], "all": "x" }));
    refuses(
        &schema,
        json!({ "id": "x" }),
        "id fits none of the choices in the schema",
    );
    refuses(&schema, json!({ "id": 1, "all": "y" }), "all must be \"x\"");
    assert_eq!(bent(&schema, json!({ "id": "7" })), json!({ "id": 7 }));
}

#[test]
fn what_is_clear_is_bent_and_what_is_not_is_left() {
    let of = |kind: &str| json!({ "type": kind });
    for (kind, value, meant) in [
        ("integer", json!("3"), json!(3)),
        ("integer", json!("3.5"), json!("3.5")),
        ("number", json!(" 3.5 "), json!(3.5)),
        ("boolean", json!("False"), json!(false)),
        ("boolean", json!("perhaps"), json!("perhaps")),
        ("boolean", json!(1), json!(1)),
        ("string", json!({ "a": 1 }), json!("{\"a\":1}")),
        ("array", json!("[1,2]"), json!([1, 2])),
        ("array", json!("one"), json!(["one"])),
        ("object", json!("{\"a\":1}"), json!({ "a": 1 })),
        ("object", json!("a"), json!("a")),
        ("string", Json::Null, Json::Null),
    ] {
        assert_eq!(bent(&of(kind), value.clone()), meant, "{kind} {value}");
    }
}

#[test]
fn a_schema_that_bites_its_tail_ends() {
    let turning = json!({ "$ref": "#" });
    fits(&turning, json!(1));
    let deep = json!({ "type": "object", "properties": { "next": { "$ref": "#" } }, "anyOf": [{ "$ref": "#/properties/next" }] });
    let mut value = json!({});
    for _ in 0..20 {
        value = json!({ "next": value });
    }
    problems(&deep, &value);
    coerce(&deep, &mut value);
}

fn any_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        "[a-z#/$]{0,5}".prop_map(Json::from),
        prop::sample::select(vec!["object", "string", "integer", "array", "null"]).prop_map(Json::from),
    ];
    let key = prop_oneof![
        prop::sample::select(vec![
            "type",
            "properties",
            "items",
            "required",
            "enum",
            "anyOf",
            "$ref",
            "minItems"
        ])
        .prop_map(str::to_owned),
        "[a-c]",
    ];
    leaf.prop_recursive(4, 32, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            prop::collection::btree_map(key.clone(), inner, 0..4).prop_map(|map| json!(map)),
        ]
    })
}

proptest! {
    #[test]
    fn any_schema_and_any_value_are_borne(schema in any_json(), mut value in any_json()) {
        let before = problems(&schema, &value);
        let kept = value.clone();
        coerce(&schema, &mut value);
        prop_assert!(!before.is_empty() || problems(&schema, &value).is_empty());
        // What was bent once stays as it is.
        let mut again = value.clone();
        coerce(&schema, &mut again);
        prop_assert_eq!(&again, &value, "{} from {}", schema, kept);
    }
}
