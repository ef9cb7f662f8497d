//! A small flow with one of everything, and ways to make others from it.

use ferro_model::FlowData;

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
