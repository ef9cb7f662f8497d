use expect_test::{Expect, expect};
use ferro_model::edit::{Change, Patch};
use ferro_model::{Document, Edit, FlowData, apply, diff};
use serde_json::{Value, json};

use crate::fixtures::{BASE, ECHO, LOOP, after, built, counting, edited, flow, registry};

pub fn edit(text: &str) -> Edit {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Applies one edit and shows the difference, or why not. Whatever it was, undoing gives the same bytes again.
fn check(data: &FlowData, text: &str, expected: Expect) {
    let mut document = Document::new(data);
    assert_eq!(document.text(), data.as_str());
    let outcome = apply(&mut document, &registry(), edit(text), &mut counting());
    let shown = match outcome {
        Err(error) => format!("no: {error}"),
        Ok(applied) => {
            let shown = diff(data, &document.to_data().unwrap()).text;
            let node = applied
                .node
                .map_or(String::new(), |node| format!("new: {node}\n"));
            apply(&mut document, &registry(), applied.inverse, &mut counting()).unwrap();
            format!("{node}{shown}")
        }
    };
    assert_eq!(document.text(), data.as_str());
    expected.assert_eq(&shown);
}

#[test]
fn adds_and_removes() {
    check(
        &flow("{}"),
        r#"{"op":"add","type":"ChatInput"}"#,
        expect![[r#"
        new: ChatInput-00001
        + node Chat Input (ChatInput-00001)
    "#]],
    );
    check(
        &built(ECHO),
        r#"{"op":"add","type":"Prompt","x":10.5,"y":-3}"#,
        expect![[r#"
            new: Prompt Template-00001
            + node Prompt Template (Prompt Template-00001)
        "#]],
    );
    check(
        &built(ECHO),
        r#"{"op":"add","type":"Nope"}"#,
        expect![
            "no: there is no component of the type `Nope`; there is `Agent`, `ChatInput`, `ChatOutput`, `ConditionalRouter`, `LoopComponent`, `ParserComponent`, `Prompt Template`, `Settings`, `TypeConverterComponent`, `URLComponent`"
        ],
    );
    check(
        &built(ECHO),
        r#"{"op":"add","type":"ChatInput","id":"ChatInput-00001"}"#,
        expect!["no: there is a node `ChatInput-00001` already; choose another id"],
    );
    check(
        &built(LOOP),
        r#"{"op":"remove","node":"LoopComponent-00002"}"#,
        expect![[r#"
            - node Loop (LoopComponent-00002)
            - wire URL.page_results → Loop.data
            - wire Loop.item → Parser.input_data
            - wire Parser.parsed_text → Loop.item
            - wire Loop.done → Parser.input_data
        "#]],
    );
    check(
        &flow(BASE),
        r#"{"op":"remove","node":"ChatInput-q"}"#,
        expect![[r#"
            - node Chat Input (ChatInput-q)
            - wire Chat Input.message → Agent.input_value
        "#]],
    );
    check(
        &flow(BASE),
        r#"{"op":"remove","node":"Agent-x1"}"#,
        expect![[r#"
        - node Agent (Agent-x1)
        - wire Chat Input.message → Agent.input_value
    "#]],
    );
    check(
        &flow(BASE),
        r#"{"op":"remove","node":"gone"}"#,
        expect!["no: there is no node `gone` in the flow; it may have been removed"],
    );
}

#[test]
fn wires() {
    let nodes = built(
        "nodes:\n A: ChatInput\n B: TypeConverterComponent\n C: LoopComponent\n D: URLComponent\n E: Agent",
    );
    let connect = |source: &str, output: &str, target: &str, input: &str| {
        json!({"op": "connect", "source": source, "output": output, "target": target, "input": input})
            .to_string()
    };
    check(
        &nodes,
        &connect(
            "ChatInput-00001",
            "message",
            "TypeConverterComponent-00002",
            "input_data",
        ),
        expect![[r#"
            + wire Chat Input.message → Type Convert.input_data
        "#]],
    );
    // The tab and the chosen output follow the wire.
    check(
        &nodes,
        &connect(
            "TypeConverterComponent-00002",
            "dataframe_output",
            "LoopComponent-00003",
            "data",
        ),
        expect![[r#"
            ~ node Type Convert (TypeConverterComponent-00002)
                Output Type: "Message" → "Table"
                Selected output: null → "dataframe_output"
            + wire Type Convert.dataframe_output → Loop.data
        "#]],
    );
    check(
        &nodes,
        &connect("URLComponent-00004", "component_as_tool", "Agent-00005", "tools"),
        expect![[r#"
            ~ node URL (URLComponent-00004)
                Output Toolset: added
                Output Pages: removed
                Output Raw: removed
                Tool mode: false → true
            + wire URL.component_as_tool → Agent.tools
        "#]],
    );
    check(
        &nodes,
        &connect("ChatInput-00001", "message", "Agent-00005", "tools"),
        expect![
            "no: ChatInput-00001.message -> Agent-00005.tools: Message does not fit Tool; choose ports that have a type in common"
        ],
    );
    check(
        &nodes,
        &connect("ChatInput-00001", "message", "gone", "tools"),
        expect![
            "no: there is no node `gone`; there is `ChatInput-00001`, `TypeConverterComponent-00002`, `LoopComponent-00003`, `URLComponent-00004`, `Agent-00005`"
        ],
    );
    // A wire that is there is not drawn twice.
    check(
        &built(ECHO),
        &connect("ChatInput-00001", "message", "ChatOutput-00002", "input_value"),
        expect![[""]],
    );
    check(
        &built(LOOP),
        r#"{"op":"disconnect","source":"ParserComponent-00003","target":"LoopComponent-00002"}"#,
        expect![[r#"
            - wire Parser.parsed_text → Loop.item
        "#]],
    );
    check(
        &built(ECHO),
        r#"{"op":"disconnect","source":"ChatInput-00001","target":"ChatOutput-00002","input":"other"}"#,
        expect![[""]],
    );
}

#[test]
fn a_wire_is_written_as_the_canvas_writes_it() {
    let data = built(ECHO);
    let document: Value = serde_json::from_str(data.as_str()).unwrap();
    expect![[r#"
        {
          "animated": false,
          "className": "",
          "data": {
            "sourceHandle": {
              "dataType": "ChatInput",
              "id": "ChatInput-00001",
              "name": "message",
              "output_types": [
                "Message"
              ]
            },
            "targetHandle": {
              "fieldName": "input_value",
              "id": "ChatOutput-00002",
              "inputTypes": [
                "Data",
                "JSON",
                "DataFrame",
                "Table",
                "Message"
              ],
              "type": "other"
            }
          },
          "id": "reactflow__edge-ChatInput-00001{œdataTypeœ:œChatInputœ,œidœ:œChatInput-00001œ,œnameœ:œmessageœ,œoutput_typesœ:[œMessageœ]}-ChatOutput-00002{œfieldNameœ:œinput_valueœ,œidœ:œChatOutput-00002œ,œinputTypesœ:[œDataœ,œJSONœ,œDataFrameœ,œTableœ,œMessageœ],œtypeœ:œotherœ}",
          "selected": false,
          "source": "ChatInput-00001",
          "sourceHandle": "{œdataTypeœ:œChatInputœ,œidœ:œChatInput-00001œ,œnameœ:œmessageœ,œoutput_typesœ:[œMessageœ]}",
          "target": "ChatOutput-00002",
          "targetHandle": "{œfieldNameœ:œinput_valueœ,œidœ:œChatOutput-00002œ,œinputTypesœ:[œDataœ,œJSONœ,œDataFrameœ,œTableœ,œMessageœ],œtypeœ:œotherœ}"
        }"#]].assert_eq(&serde_json::to_string_pretty(&document["edges"][0]).unwrap());
}

#[test]
fn values() {
    let agent = flow(BASE);
    check(
        &agent,
        r#"{"op":"configure","node":"ChatInput-q","values":{"input_value":"Hello","temperature":0.5}}"#,
        expect![[r#"
            ~ node Chat Input (ChatInput-q)
                Input Text: "Hi" → "Hello"
                temperature: 1.0 → 0.5
        "#]],
    );
    check(
        &agent,
        r#"{"op":"configure","node":"Agent-x1","values":{"nope":1}}"#,
        expect!["no: `Agent-x1` has no field `nope`; it has `input_value`, `api_key`"],
    );
    check(
        &agent,
        r#"{"op":"configure","node":"Agent-x1","values":{"_type":1}}"#,
        expect![
            "no: `_type` of `Agent-x1` is no field but something the editor keeps there; the fields are `input_value`, `api_key`"
        ],
    );
    check(
        &agent,
        r#"{"op":"configure","node":"gone","values":{}}"#,
        expect!["no: there is no node `gone` in the flow; it may have been removed"],
    );
    // All or nothing.
    check(
        &agent,
        r#"{"op":"configure","node":"Agent-x1","values":{"input_value":"x","nope":1}}"#,
        expect!["no: `Agent-x1` has no field `nope`; it has `input_value`, `api_key`"],
    );
    // A literal is a literal, even where a variable was named.
    let variable = edited(&[(
        r#""load_from_db": false, "value": "sk-old""#,
        r#""load_from_db": true, "value": "KEY""#,
    )]);
    check(
        &variable,
        r#"{"op":"configure","node":"Agent-x1","values":{"api_key":"sk-new"}}"#,
        expect![[r#"
            ~ node Agent (Agent-x1)
                API Key (load_from_db): true → false
                API Key: "KEY" → "••••••"
        "#]],
    );
}

#[test]
fn models_in_every_disguise() {
    let model = |value: Value| {
        let data = built("nodes:\n A: Agent");
        let set = json!({"op": "configure", "node": "Agent-00001", "values": {"model": value}});
        let document: Value = serde_json::from_str(after(&data, &set.to_string()).as_str()).unwrap();
        document["nodes"][0]["data"]["node"]["template"]["model"]["value"].clone()
    };
    let wanted = r#"[{"name":"gpt-4o","provider":"OpenAI"}]"#;
    let same: Value = serde_json::from_str(wanted).unwrap();
    for value in [
        json!([{"name": "gpt-4o", "provider": "OpenAI"}]),
        json!({"name": "gpt-4o", "provider": "OpenAI"}),
        json!(wanted),
        json!("{\"name\": \"gpt-4o\", \"provider\": \"OpenAI\"}"),
        json!("- provider: OpenAI\n  name: 'gpt-4o'"),
        json!("provider: OpenAI\nname: gpt-4o"),
        json!([{"name": wanted, "provider": "Unknown"}]),
    ] {
        assert_eq!(model(value.clone()), same, "{value}");
    }
    assert_eq!(model(json!("gpt-4o")), "gpt-4o");
    assert_eq!(model(Value::Null), Value::Null);
}

#[test]
fn an_output_that_is_only_called_like_the_toolset_is_kept() {
    let usual = built(
        "nodes:\n A: URLComponent\n B: ParserComponent\n C: ParserComponent\nedges:\n A.page_results -> B.input_data",
    );
    let own = flow(&usual.as_str().replace("page_results", "component_as_tool"));
    // It is not in tool mode, so there is nothing to leave.
    check(
        &own,
        r#"{"op":"tool_mode","node":"URLComponent-00001","on":false}"#,
        expect![[""]],
    );
    check(
        &own,
        r#"{"op":"connect","source":"URLComponent-00001","output":"component_as_tool","target":"ParserComponent-00003","input":"input_data"}"#,
        expect![[r#"
            + wire URL.component_as_tool → Parser.input_data
        "#]],
    );
    check(
        &own,
        r#"{"op":"tool_mode","node":"URLComponent-00001","on":true}"#,
        expect![[r#"
            ~ node URL (URLComponent-00001)
                Actions: added
                Output Toolset (display_name): "Pages" → "Toolset"
                Output Toolset (method): "fetch_content" → "to_toolkit"
                Output Toolset (selected): "Table" → "Tool"
                Output Toolset (types): ["Table"] → ["Tool"]
                Output Raw: removed
                Tool mode: false → true
            - wire URL.component_as_tool → Parser.input_data
        "#]],
    );
}

#[test]
fn modes() {
    let tool = built(
        "nodes:\n A: ChatInput\n B: URLComponent\n C: ParserComponent\nedges:\n A.message -> B.urls\n B.page_results -> C.input_data",
    );
    check(
        &tool,
        r#"{"op":"tool_mode","node":"URLComponent-00002","on":true}"#,
        expect![[r#"
            ~ node URL (URLComponent-00002)
                Actions: added
                Output Toolset: added
                Output Pages: removed
                Output Raw: removed
                Tool mode: false → true
            - wire Chat Input.message → URL.urls
            - wire URL.page_results → Parser.input_data
        "#]],
    );
    check(
        &tool,
        r#"{"op":"tool_mode","node":"ChatInput-00001","on":true}"#,
        expect!["no: `ChatInput-00001` cannot be a tool: none of its fields is a tool argument"],
    );
    let on = after(
        &tool,
        r#"{"op":"tool_mode","node":"URLComponent-00002","on":true}"#,
    );
    check(
        &on,
        r#"{"op":"tool_mode","node":"URLComponent-00002","on":true}"#,
        expect![[""]],
    );
    check(
        &on,
        r#"{"op":"tool_mode","node":"URLComponent-00002","on":false}"#,
        expect![[r#"
            ~ node URL (URLComponent-00002)
                Actions: removed
                Output Pages: added
                Output Raw: added
                Output Toolset: removed
                Tool mode: true → false
        "#]],
    );
    let agent = built("nodes:\n A: Agent");
    check(
        &agent,
        r#"{"op":"connection_mode","node":"Agent-00001","on":true}"#,
        expect![[r#"
            ~ node Agent (Agent-00001)
                Model (_connection_mode): null → true
                _connectionMode: null → true
        "#]],
    );
    check(
        &tool,
        r#"{"op":"connection_mode","node":"ChatInput-00001","on":true}"#,
        expect!["no: `ChatInput-00001` has no field that holds a model"],
    );
    check(
        &tool,
        r#"{"op":"select_output","node":"URLComponent-00002","output":"raw_results"}"#,
        expect![[r#"
            ~ node URL (URLComponent-00002)
                Selected output: "page_results" → "raw_results"
            - wire URL.page_results → Parser.input_data
        "#]],
    );
    check(
        &tool,
        r#"{"op":"select_output","node":"URLComponent-00002","output":"x"}"#,
        expect!["no: `URLComponent-00002` has no output `x`; it has `page_results`, `raw_results`"],
    );
}

#[test]
fn moves_notes_and_whole_flows() {
    check(
        &flow(BASE),
        r#"{"op":"move","moves":[{"node":"Agent-x1","x":1.5,"y":2},{"node":"note-1","x":0,"y":300}]}"#,
        expect![[r#"
            ~ node Agent (Agent-x1)
                moved (400, 0) → (1.5, 2)
        "#]],
    );
    check(
        &flow(BASE),
        r#"{"op":"move","moves":[{"node":"Agent-x1","x":1,"y":2},{"node":"gone","x":0,"y":0}]}"#,
        expect!["no: there is no node `gone` in the flow; it may have been removed"],
    );
    check(
        &flow(BASE),
        r#"{"op":"note","text":"Mind this","color":"rose","x":5}"#,
        expect![[r#"
            new: note-00001
            + node Note (note-00001)
        "#]],
    );
    check(
        &flow(BASE),
        r#"{"op":"note","node":"note-1","text":"Changed"}"#,
        expect![[r#"
            ~ node Note (note-1)
                Text: "Read me" → "Changed"
        "#]],
    );
    check(
        &flow(BASE),
        r#"{"op":"note","node":"Agent-x1","text":"Changed"}"#,
        expect!["no: `Agent-x1` is not a note"],
    );
    check(
        &flow(BASE),
        r#"{"op":"set_flow","data":{}}"#,
        expect![[r#"
        - node Chat Input (ChatInput-q)
        - node Agent (Agent-x1)
        - node Note (note-1)
        - wire Chat Input.message → Agent.input_value
    "#]],
    );
    check(
        &flow(BASE),
        r#"{"op":"set_flow","data":{"nodes":3}}"#,
        expect!["no: `nodes` is a number; make it an array"],
    );
}

#[test]
fn untouched_text_stays() {
    let moved = after(
        &flow(BASE),
        r#"{"op":"move","moves":[{"node":"Agent-x1","x":401,"y":0}]}"#,
    );
    assert_eq!(moved.as_str(), BASE.replace(r#""x": 400"#, r#""x": 401"#));
}

#[test]
fn a_step_for_one_value_is_undone_to_the_letter() {
    let data = built(ECHO);
    let mut document = Document::new(&data);
    let id = document.ids()[0].clone();
    let template = ["data", "node", "template"];
    let path = |field: &'static str| [&template[..], &[field]].concat();
    let step =
        |document: &Document, field, to: Option<&Value>| Change::of_value(document, &id, &path(field), to);
    assert_eq!(document.value_text(&id, &path("new")), None);
    assert!(step(&document, "new", None).is_none(), "nothing to take out");
    assert!(Change::of_value(&document, "nobody", &path("new"), Some(&json!(1))).is_none());
    for (field, to) in [
        ("new", Some(json!({ "value": 1 }))),
        ("input_value", None),
        ("sender", Some(json!(2))),
    ] {
        let change = step(&document, field, to.as_ref()).unwrap();
        let patch = Patch {
            changes: vec![change],
        };
        patch.apply(&mut document).unwrap();
        let now = document.value_text(&id, &path(field)).map(str::to_owned);
        assert_eq!(now, to.map(|to| to.to_string()), "{field}");
        patch.inverse().apply(&mut document).unwrap();
        assert_eq!(document.text(), data.as_str(), "{field}");
    }
}
