//! The part of JSON Schema that Google understands. What it does not know, it refuses.

use serde_json::{Map, Value as Json, json};

/// Keywords whose values are taken as they are.
const KEPT: [&str; 14] = [
    "$anchor",
    "$id",
    "additionalProperties",
    "description",
    "enum",
    "format",
    "maxItems",
    "maximum",
    "minItems",
    "minimum",
    "propertyOrdering",
    "required",
    "title",
    "type",
];

/// The schema without what is not understood, said in other words where there are some.
pub(super) fn known(schema: &Json) -> Json {
    let Json::Object(given) = schema else {
        // `true` and `false` are schemas too: anything, nothing.
        return json!({});
    };
    let mut plain = Map::new();
    for (key, value) in given {
        match key.as_str() {
            // Here the members are names, not keywords.
            "properties" => put_named(&mut plain, "properties", value),
            "$defs" | "definitions" => put_named(&mut plain, "$defs", value),
            "items" => {
                plain.insert(key.clone(), known(value));
            }
            "anyOf" | "oneOf" | "prefixItems" => {
                let all = value.as_array().map(Vec::as_slice).unwrap_or_default();
                plain.insert(key.clone(), all.iter().map(known).collect());
            }
            "$ref" => {
                let place = value.as_str().unwrap_or_default();
                plain.insert(
                    key.clone(),
                    json!(place.replacen("#/definitions/", "#/$defs/", 1)),
                );
            }
            "const" => {
                plain.insert("enum".to_owned(), json!([value]));
            }
            "additionalProperties" if value.is_object() => {
                plain.insert(key.clone(), known(value));
            }
            word if KEPT.contains(&word) => {
                plain.insert(key.clone(), value.clone());
            }
            _ => {}
        }
    }
    // All of several: what each of them says, together.
    for part in given.get("allOf").and_then(Json::as_array).into_iter().flatten() {
        if let Json::Object(part) = known(part) {
            for (key, value) in part {
                plain.entry(key).or_insert(value);
            }
        }
    }
    Json::Object(plain)
}

fn put_named(plain: &mut Map<String, Json>, key: &str, value: &Json) {
    let named = value.as_object().into_iter().flatten();
    let each: Map<String, Json> = named
        .map(|(name, schema)| (name.clone(), known(schema)))
        .collect();
    plain.insert(key.to_owned(), Json::Object(each));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_understood_is_left() {
        let given = json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object",
            "properties": {
                "pattern": { "type": "string", "pattern": "^a", "minLength": 2 },
                "kind": { "const": "cat" },
                "at": { "$ref": "#/definitions/Place" },
                "one": { "allOf": [{ "type": "string" }], "description": "a word" },
            },
            "definitions": { "Place": { "type": "object", "patternProperties": {} } },
            "additionalProperties": false,
        });
        let expected = json!({
            "type": "object",
            "properties": {
                "pattern": { "type": "string" },
                "kind": { "enum": ["cat"] },
                "at": { "$ref": "#/$defs/Place" },
                "one": { "type": "string", "description": "a word" },
            },
            "$defs": { "Place": { "type": "object" } },
            "additionalProperties": false,
        });
        assert_eq!(known(&given), expected);
    }
}
