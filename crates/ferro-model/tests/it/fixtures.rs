//! A small flow with one of everything, and ways to make others from it.

use std::sync::Arc;

use ferro_model::spec::build_flow_from_spec;
use ferro_model::{Descriptor, Document, Edit, FieldSpec, FlowData, OutputSpec, Registry, apply};
use serde_json::json;

/// Chat Input and a note, with an agent behind them.
pub const BASE: &str = r##"{
  "nodes": [
    {"id": "ChatInput-q", "type": "genericNode", "position": {"x": 0, "y": 0}, "selected": false, "measured": {"width": 320, "height": 200},
     "data": {"id": "ChatInput-q", "type": "ChatInput", "showNode": true, "selected_output": "message",
       "node": {"display_name": "Chat Input", "description": "Gets text.", "frozen": false, "tool_mode": false,
         "metadata": {"code_hash": "aa"},
         "template": {"_type": "Component",
           "code": {"type": "code", "name": "code", "value": "a = 1\nb = 2\n"},
           "input_value": {"display_name": "Input Text", "type": "str", "advanced": false, "value": "Hi"},
           "temperature": {"type": "float", "value": 1.0}},
         "outputs": [{"name": "message", "display_name": "Chat Message", "types": ["Message"], "selected": "Message"},
                     {"name": "data", "display_name": "Data", "types": ["JSON"]}]}}},
    {"id": "Agent-x1", "type": "genericNode", "position": {"x": 400, "y": 0},
     "data": {"id": "Agent-x1", "type": "Agent", "display_name": "Helper",
       "node": {"display_name": "Agent",
         "template": {"_type": "Component",
           "input_value": {"display_name": "Input", "type": "str", "input_types": ["Message"], "value": ""},
           "api_key": {"display_name": "API Key", "type": "str", "password": true, "load_from_db": false, "value": "sk-old"}},
         "outputs": [{"name": "response", "display_name": "Response", "types": ["Message"]}]}}},
    {"id": "note-1", "type": "noteNode", "position": {"x": 0, "y": 300}, "width": 324, "height": 200,
     "data": {"id": "note-1", "type": "note",
       "node": {"description": "Read me", "display_name": "", "template": {"backgroundColor": "amber"}}}}
  ],
  "edges": [
    {"id": "e1", "source": "ChatInput-q", "target": "Agent-x1",
     "sourceHandle": "{œdataTypeœ:œChatInputœ,œidœ:œChatInput-qœ,œnameœ:œmessageœ,œoutput_typesœ:[œMessageœ]}",
     "targetHandle": "{œfieldNameœ:œinput_valueœ,œidœ:œAgent-x1œ,œinputTypesœ:[œMessageœ],œtypeœ:œstrœ}"}
  ],
  "viewport": {"x": 0, "y": 0, "zoom": 1}
}"##;

pub fn flow(text: &str) -> FlowData {
    FlowData::parse(text).unwrap()
}

/// `BASE` with each text replaced by the next; each must be there.
pub fn edited(edits: &[(&str, &str)]) -> FlowData {
    let mut text = BASE.to_owned();
    for (from, to) in edits {
        assert!(text.contains(from), "{from} is not in the flow");
        text = text.replacen(from, to, 1);
    }
    flow(&text)
}

/// A few components that together have every kind of port and field.
pub fn registry() -> Registry {
    let data = ["Data", "JSON", "DataFrame", "Table"];
    let components = [
        Descriptor::new("ChatInput", "Chat Input")
            .input()
            .field(FieldSpec::multiline("input_value", "Input Text").accepts(&[]))
            .field(FieldSpec::text("sender_name", "Sender").value("User").advanced())
            .output(OutputSpec::new(
                "message",
                "Chat Message",
                "message_response",
                &["Message"],
            )),
        Descriptor::new("ChatOutput", "Chat Output")
            .answer()
            .field(
                FieldSpec::handle(
                    "input_value",
                    "Inputs",
                    &["Data", "JSON", "DataFrame", "Table", "Message"],
                )
                .required(),
            )
            .output(OutputSpec::new(
                "message",
                "Output Message",
                "message_response",
                &["Message"],
            )),
        Descriptor::new("Prompt Template", "Prompt Template")
            .aliases(&["Prompt"])
            .field(FieldSpec::prompt("template", "Template"))
            .field(FieldSpec::message_text("topic", "Topic"))
            .output(OutputSpec::new("prompt", "Prompt", "build_prompt", &["Message"])),
        Descriptor::new("ParserComponent", "Parser")
            .aliases(&["parser"])
            .field(FieldSpec::handle("input_data", "Data or Table", &data).required())
            .field(FieldSpec::multiline("pattern", "Template").value("{text}"))
            .output(OutputSpec::new(
                "parsed_text",
                "Parsed Text",
                "parse",
                &["Message"],
            )),
        Descriptor::new("TypeConverterComponent", "Type Convert")
            .field(
                FieldSpec::handle(
                    "input_data",
                    "Input",
                    &["Message", "Data", "JSON", "DataFrame", "Table"],
                )
                .required(),
            )
            .field(
                FieldSpec::tab(
                    "output_type",
                    "Output Type",
                    &["Message", "JSON", "Table"],
                    "Message",
                )
                .refresh(),
            )
            .output(OutputSpec::new(
                "message_output",
                "Message",
                "to_message",
                &["Message"],
            ))
            .output(OutputSpec::new("data_output", "JSON", "to_data", &["JSON"]))
            .output(OutputSpec::new(
                "dataframe_output",
                "Table",
                "to_table",
                &["Table"],
            )),
        Descriptor::new("LoopComponent", "Loop")
            .field(FieldSpec::handle("data", "Inputs", &["DataFrame", "Table"]))
            .output(
                OutputSpec::new("item", "Item", "item_output", &["Data", "JSON"])
                    .loops(&["Message"])
                    .group(),
            )
            .output(OutputSpec::new("done", "Done", "done_output", &["DataFrame", "Table"]).group()),
        Descriptor::new("Agent", "Agent")
            .field(FieldSpec::message("input_value", "Input"))
            .field(FieldSpec::handle("tools", "Tools", &["Tool"]).list())
            .field(FieldSpec::other("model", "Model", "model", "ModelInput").accepts(&["LanguageModel"]))
            .field(FieldSpec::secret("api_key", "API Key"))
            .output(OutputSpec::new(
                "response",
                "Response",
                "message_response",
                &["Message"],
            )),
        Descriptor::new("URLComponent", "URL")
            .field(FieldSpec::message_text("urls", "URLs").list().tool().required())
            .field(FieldSpec::int("max_depth", "Depth", 1))
            .output(OutputSpec::new(
                "page_results",
                "Pages",
                "fetch_content",
                &["Table"],
            ))
            .output(OutputSpec::new("raw_results", "Raw", "fetch_raw", &["Message"])),
        Descriptor::new("ConditionalRouter", "If-Else")
            .routes()
            .field(FieldSpec::message_text("input_text", "Text Input"))
            .field(FieldSpec::text("mode", "Mode").hidden())
            .field(FieldSpec::message_text("hidden_text", "Hidden").hidden())
            .output(OutputSpec::new("true_result", "True", "yes", &["Message"]).group())
            .output(OutputSpec::new("false_result", "False", "no", &["Message"]).group()),
        Descriptor::new("Settings", "Settings")
            .field(FieldSpec::int("count", "Count", 1))
            .field(FieldSpec::float("ratio", "Ratio", 0.5))
            .field(FieldSpec::bool("flag", "Flag", false))
            .field(FieldSpec::nested_dict("settings", "Settings", json!({})))
            .field(FieldSpec::table("rows", "Rows", json!([]), json!([])))
            .field(FieldSpec::text("name", "Name").required()),
    ];
    Registry::new(components.into_iter().map(Arc::new))
}

/// `00001`, `00002`, …
pub fn counting() -> impl FnMut() -> String {
    let mut next = 0;
    move || {
        next += 1;
        format!("{next:05}")
    }
}

/// The flow a spec describes, with ids that count.
pub fn built(spec: &str) -> FlowData {
    build_flow_from_spec(spec, &registry(), &mut counting())
        .unwrap()
        .data
}

/// Applies edits written in JSON, one per line, to a flow.
pub fn after(data: &FlowData, edits: &str) -> FlowData {
    let mut document = Document::new(data);
    let mut ids = counting();
    for line in edits.lines().filter(|line| !line.trim().is_empty()) {
        let edit: Edit = serde_json::from_str(line).unwrap();
        apply(&mut document, &registry(), edit, &mut || format!("x{}", ids())).unwrap();
    }
    document.to_data().unwrap()
}

pub const ECHO: &str =
    "name: Echo\nnodes:\n  A: ChatInput\n  B: ChatOutput\nedges:\n  A.message -> B.input_value\n";

pub const LOOP: &str = "nodes:
  U: URLComponent
  L: LoopComponent
  P: ParserComponent
  D: ParserComponent
  O: ChatOutput
edges:
  U.page_results -> L.data
  L.item -> P.input_data
  P.parsed_text -> L.item
  L.done -> D.input_data
  D.parsed_text -> O.input_value
config:
  U.urls: https://example.com
";
