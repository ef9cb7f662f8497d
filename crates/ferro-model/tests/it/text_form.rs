use expect_test::{Expect, expect};
use ferro_model::text_form::{format, format_flow, parse, parse_flow};
use proptest::prelude::*;
use serde_json::Value;

use crate::fixtures::{BASE, ECHO, built, edited, flow};
use crate::properties::{any_json, document};

fn check(json: &str, expected: Expect) {
    let written = format(json).unwrap();
    expected.assert_eq(&written);
    let back = parse(&written).unwrap();
    assert_eq!(format(&back).unwrap(), written);
}

#[test]
fn a_flow() {
    check(
        BASE,
        expect![[r#"
        {
          "nodes": [
            {
              "id": "ChatInput-q",
              "type": "genericNode",
              "data": {
                "id": "ChatInput-q",
                "type": "ChatInput",
                "selected_output": "message",
                "showNode": true,
                "node": {
                  "display_name": "Chat Input",
                  "description": "Gets text.",
                  "frozen": false,
                  "metadata": {"code_hash": "aa"},
                  "tool_mode": false,
                  "outputs": [
                    {
                      "display_name": "Chat Message",
                      "name": "message",
                      "selected": "Message",
                      "types": ["Message"]
                    },
                    {
                      "display_name": "Data",
                      "name": "data",
                      "types": ["JSON"]
                    }
                  ],
                  "template": {
                    "_type": "Component",
                    "code": {
                      "name": "code",
                      "type": "code",
                      "value": {"$lines": [
                        "a = 1",
                        "b = 2",
                        ""
                      ]}
                    },
                    "input_value": {
                      "advanced": false,
                      "display_name": "Input Text",
                      "type": "str",
                      "value": "Hi"
                    },
                    "temperature": {
                      "type": "float",
                      "value": 1.0
                    }
                  }
                }
              },
              "position": {"x": 0, "y": 0},
              "measured": {"height": 200, "width": 320},
              "selected": false
            },
            {
              "id": "Agent-x1",
              "type": "genericNode",
              "data": {
                "id": "Agent-x1",
                "type": "Agent",
                "display_name": "Helper",
                "node": {
                  "display_name": "Agent",
                  "outputs": [
                    {
                      "display_name": "Response",
                      "name": "response",
                      "types": ["Message"]
                    }
                  ],
                  "template": {
                    "_type": "Component",
                    "input_value": {
                      "display_name": "Input",
                      "input_types": ["Message"],
                      "type": "str",
                      "value": ""
                    },
                    "api_key": {
                      "display_name": "API Key",
                      "load_from_db": false,
                      "password": true,
                      "type": "str",
                      "value": "sk-old"
                    }
                  }
                }
              },
              "position": {"x": 400, "y": 0}
            },
            {
              "id": "note-1",
              "type": "noteNode",
              "data": {
                "id": "note-1",
                "type": "note",
                "node": {
                  "display_name": "",
                  "description": "Read me",
                  "template": {
                    "backgroundColor": "amber"
                  }
                }
              },
              "position": {"x": 0, "y": 300},
              "width": 324,
              "height": 200
            }
          ],
          "edges": [
            {
              "source": "ChatInput-q",
              "target": "Agent-x1",
              "id": "e1",
              "sourceHandle": "{œdataTypeœ:œChatInputœ,œidœ:œChatInput-qœ,œnameœ:œmessageœ,œoutput_typesœ:[œMessageœ]}",
              "targetHandle": "{œfieldNameœ:œinput_valueœ,œidœ:œAgent-x1œ,œinputTypesœ:[œMessageœ],œtypeœ:œstrœ}"
            }
          ],
          "viewport": {"x": 0, "y": 0, "zoom": 1}
        }
    "#]],
    );
}

#[test]
fn values_keep_what_they_are() {
    check(
        r#"{"b":1.0,"a":[1e999,"x\u00e9\/","two\nlines\r\n",{"$lines":["x"]},{"$$lines":null},{"k":1,"l":[]}],"\ud800":"\ud800","z":{},"z":2}"#,
        expect![[r#"
            {
              "b": 1.0,
              "a": [
                1e999,
                "xé/",
                {"$lines": [
                  "two",
                  "lines\r",
                  ""
                ]},
                {
                  "$$lines": ["x"]
                },
                {"$$$lines": null},
                {
                  "k": 1,
                  "l": []
                }
              ],
              "\ud800": "\ud800",
              "z": 2
            }
        "#]],
    );
}

#[test]
fn one_change_is_one_line() {
    let lines = |old: &ferro_model::FlowData, new: &ferro_model::FlowData| {
        let (old, new) = (format_flow(old).unwrap(), format_flow(new).unwrap());
        let gone = old.lines().filter(|line| !new.contains(line)).count();
        let came = new.lines().filter(|line| !old.contains(line)).count();
        assert_eq!(old.lines().count(), new.lines().count());
        (gone, came)
    };
    assert_eq!(
        lines(
            &flow(BASE),
            &edited(&[(r#""value": "Hi""#, r#""value": "Hello""#)])
        ),
        (1, 1)
    );
    assert_eq!(lines(&flow(BASE), &edited(&[("a = 1", "a = 17")])), (1, 1));
    assert_eq!(
        lines(&flow(BASE), &edited(&[(r#""x": 400"#, r#""x": 401"#)])),
        (1, 1)
    );
}

#[test]
fn errors_name_the_line() {
    let error = |text: &str| parse(text).unwrap_err().to_string();
    expect!["line 3: this is not valid JSON (key must be a string at line 3 column 3); correct it there"]
        .assert_eq(&error("{\n  \"a\": 1,\n  b\n}"));
    expect!["line 2: `$lines` must be a list of texts without line breaks; write each line as one text"]
        .assert_eq(&error("{\n  \"a\": {\"$lines\": [\n 1]}}"));
    expect!["line 1: `$lines` must be a list of texts without line breaks; write each line as one text"]
        .assert_eq(&error("{\"$lines\": [\"a\\nb\"]}"));
    expect![
        "line 1: this is not valid JSON (EOF while parsing a value at line 1 column 0); correct it there"
    ]
    .assert_eq(&error(""));
    expect!["line 81: the JSON is nested deeper than 80 levels; flatten it"]
        .assert_eq(&error(&"[\n".repeat(200)));
    expect!["line 1: `nodes` is a number; make it an array"]
        .assert_eq(&parse_flow("{\"nodes\": 3}").unwrap_err().to_string());
}

#[test]
fn a_document_comes_back() {
    let data = built(ECHO);
    let back = parse_flow(&format_flow(&data).unwrap()).unwrap();
    assert!(ferro_model::diff(&data, &back).identical);
}

proptest! {
    #[test]
    fn nothing_is_lost(value in any_json()) {
        // `serde_json` may read a number a little differently from how it wrote it.
        let value: Value = serde_json::from_str(&value.to_string()).unwrap();
        let written = format(&value.to_string()).unwrap();
        let back = parse(&written).unwrap();
        prop_assert_eq!(serde_json::from_str::<Value>(&back).unwrap(), value);
        prop_assert_eq!(format(&back).unwrap(), written);
    }

    #[test]
    fn no_document_is_lost(data in document()) {
        let written = format_flow(&data).unwrap();
        let back = parse_flow(&written).unwrap();
        let values = [back.as_str(), data.as_str()].map(|text| serde_json::from_str::<Value>(text).unwrap());
        prop_assert_eq!(&values[0], &values[1]);
        prop_assert_eq!(format_flow(&back).unwrap(), written);
    }

    #[test]
    fn texts_of_several_lines_come_back(lines in prop::collection::vec("[a\"\\\\\\r\\t ]{0,3}", 0..4), wrap in any::<bool>()) {
        let text = Value::from(lines.join("\n"));
        let value = if wrap { serde_json::json!({"$lines": text, "nodes": [text]}) } else { serde_json::json!({"$lines": text}) };
        let written = format(&value.to_string()).unwrap();
        prop_assert_eq!(serde_json::from_str::<Value>(&parse(&written).unwrap()).unwrap(), value);
    }
}
