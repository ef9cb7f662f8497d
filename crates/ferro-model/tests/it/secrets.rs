use expect_test::{Expect, expect};
use ferro_model::{FlowData, strip_secrets};
use serde_json::{Value, json};

use crate::fixtures::{BASE, flow};

/// A node with these template fields.
fn check(fields: &str, expected: Expect) {
    let (start, end) = (
        r#"{"nodes":[{"id":"a","data":{"node":{"template":{"#,
        r#"}}}}],"edges":[]}"#,
    );
    let stripped = strip_secrets(&flow(&format!("{start}{fields}{end}")));
    let text = stripped
        .data
        .as_str()
        .strip_prefix(start)
        .and_then(|text| text.strip_suffix(end))
        .unwrap();
    expected.assert_eq(&format!("{} removed: {text}", stripped.removed));
}

/// The same cases as the web page's `stripSecrets`.
#[test]
fn strips_what_the_page_strips() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("../secrets.json")).unwrap();
    for case in cases {
        let document = |fields: &Value| json!({ "nodes": [{ "id": "a", "data": { "node": { "template": fields } } }], "edges": [] });
        let expected = document(case.get("stripped").unwrap_or(&case["fields"]));
        let stripped = strip_secrets(&flow(&document(&case["fields"]).to_string()));
        let found: Value = serde_json::from_str(stripped.data.as_str()).unwrap();
        assert_eq!(found, expected, "{}", case["about"]);
        assert_eq!(
            stripped.removed,
            case["removed"].as_array().unwrap().len(),
            "{}",
            case["about"]
        );
        let again = strip_secrets(&stripped.data);
        assert_eq!(
            (again.removed, again.data),
            (0, stripped.data),
            "{}",
            case["about"]
        );
    }
}

#[test]
fn takes_out_literal_passwords_only() {
    check(
        r#""k":{"password":true,"value":"sk-1"}"#,
        expect![[r#"1 removed: "k":{"password":true,"value":""}"#]],
    );
    check(
        r#""k":{"value":"sk-1","password":true}"#,
        expect![[r#"1 removed: "k":{"value":"","password":true}"#]],
    );
    check(
        r#""k":{ "password" : true , "load_from_db" : false , "value" : "a\"b\\" , "n" : 1.0 }"#,
        expect![[
            r#"1 removed: "k":{ "password" : true , "load_from_db" : false , "value" : "" , "n" : 1.0 }"#
        ]],
    );
    check(
        r#""k":{"password":true,"load_from_db":true,"value":"OPENAI_API_KEY"}"#,
        expect![[r#"0 removed: "k":{"password":true,"load_from_db":true,"value":"OPENAI_API_KEY"}"#]],
    );
    check(
        r#""k":{"password":false,"value":"x"}"#,
        expect![[r#"0 removed: "k":{"password":false,"value":"x"}"#]],
    );
    check(
        r#""k":{"password":true,"value":""}"#,
        expect![[r#"0 removed: "k":{"password":true,"value":""}"#]],
    );
    check(
        r#""k":{"password":true,"value":null}"#,
        expect![[r#"0 removed: "k":{"password":true,"value":null}"#]],
    );
}

#[test]
fn finds_secrets_that_hide() {
    check(
        r#""k":{"p\u0061ssword":true,"v\u0061lue":"sk-1"}"#,
        expect![[r#"1 removed: "k":{"p\u0061ssword":true,"v\u0061lue":""}"#]],
    );
    check(
        r#""k":{"password":true,"value":"sk-1","value":"sk-2"}"#,
        expect![[r#"1 removed: "k":{"password":true,"value":"","value":""}"#]],
    );
    check(
        r#""k":{"password":true,"value":["sk-1",{"x":"sk-2"},"",1234,true]}"#,
        expect![[r#"1 removed: "k":{"password":true,"value":["",{"x":""},"","",true]}"#]],
    );
    check(
        r#""d":{"dialog_inputs":{"fields":{"k":{"password":true,"value":"sk-1"}}}}"#,
        expect![[r#"1 removed: "d":{"dialog_inputs":{"fields":{"k":{"password":true,"value":""}}}}"#]],
    );
    check(
        r#""v":{"value":{"k":{"password":true,"value":"sk-1"}}},"w":{"value":"plain"}"#,
        expect![[r#"1 removed: "v":{"value":{"k":{"password":true,"value":""}}},"w":{"value":"plain"}"#]],
    );
}

#[test]
fn json_in_a_text_keeps_its_shape() {
    check(
        r#""b":{"type":"str","value":"{ \"token\" : \"t\", \"n\": 1.0 }"}"#,
        expect![[r#"1 removed: "b":{"type":"str","value":"{ \"token\" : \"\", \"n\": 1.0 }"}"#]],
    );
}

#[test]
fn fields_may_be_named_like_flags() {
    for name in ["password", "load_from_db", "value", "flow"] {
        let field = |value: &str| format!(r#""{name}":{{"password":true,"value":"{value}"}}"#);
        let text = |value: &str| {
            format!(
                r#"{{"nodes":[{{"id":"a","data":{{"node":{{"template":{{{}}}}}}}}}],"edges":[]}}"#,
                field(value)
            )
        };
        let stripped = strip_secrets(&flow(&text("sk-1")));
        assert_eq!(stripped.data.as_str(), text(""), "{name}");
        let changes =
            serde_json::to_string(&ferro_model::diff(&flow(&text("sk-1")), &flow(&text("sk-2")))).unwrap();
        assert!(
            changes.contains("••••••") && !changes.contains("sk-"),
            "{changes}"
        );
    }
}

#[test]
fn reaches_into_groups() {
    let inner =
        r#"{"data":{"nodes":[{"data":{"node":{"template":{"k":{"password":true,"value":"sk-inner"}}}}}]}}"#;
    let text = format!(r#"{{"nodes":[{{"id":"g","data":{{"node":{{"flow":{inner}}}}}}}],"edges":[]}}"#);
    let stripped = strip_secrets(&flow(&text));
    assert_eq!(stripped.data.as_str(), text.replace("sk-inner", ""));
    assert_eq!(stripped.removed, 1);
}

#[test]
fn changes_nothing_else() {
    let stripped = strip_secrets(&flow(BASE));
    assert_eq!(stripped.data.as_str(), BASE.replace("sk-old", ""));
    assert_eq!(stripped.data.summary(), flow(BASE).summary());
    assert_eq!(FlowData::parse(stripped.data.as_str()).unwrap(), stripped.data);
}
