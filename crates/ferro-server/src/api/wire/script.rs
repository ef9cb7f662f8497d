//! Scripted runs for the tests of the wire formats, written as the log spells them.

use std::sync::Arc;

use ferro_engine::Event;
use ferro_model::FlowData;
use serde_json::json;

use super::{Encoder, Meta};

/// Chat Input → Router → Model → Chat Output, and Router → Text Output.
pub fn meta() -> Arc<Meta> {
    let node = |id: &str, name: &str, outputs: &[&str]| {
        let kind = id.split('-').next().unwrap();
        let outputs: Vec<_> = outputs
            .iter()
            .map(|name| json!({ "name": name, "display_name": name, "types": ["Message"] }))
            .collect();
        json!({ "id": id, "type": "genericNode", "data": { "id": id, "type": kind,
            "node": { "display_name": name, "template": {}, "outputs": outputs } } })
    };
    let edge = |from: &str, output: &str, to: &str| {
        let source = json!({ "dataType": from, "id": from, "name": output, "output_types": ["Message"] });
        let target =
            json!({ "fieldName": "input_value", "id": to, "inputTypes": ["Message"], "type": "str" });
        json!({ "source": from, "target": to, "data": { "sourceHandle": source, "targetHandle": target } })
    };
    let document = json!({
        "nodes": [
            node("ChatInput-1", "Chat Input", &["message"]),
            node("Router-1", "Router", &["yes", "no"]),
            node("Model-1", "Model", &["text"]),
            node("ChatOutput-1", "Chat Output", &["message"]),
            node("TextOutput-1", "Text Output", &["text"]),
            { "id": "note-1", "type": "noteNode", "data": { "type": "note", "node": {} } },
        ],
        "edges": [
            edge("ChatInput-1", "message", "Router-1"),
            edge("Router-1", "yes", "Model-1"),
            edge("Model-1", "text", "ChatOutput-1"),
            edge("Router-1", "no", "TextOutput-1"),
        ],
    });
    let data = FlowData::parse(&document.to_string()).unwrap();
    Arc::new(Meta::of(&ferro_model::read(&data)))
}

/// Events from the bodies' JSON; number, id and time are filled in.
pub fn events(bodies: &[&str]) -> Vec<Event> {
    let event = |(at, body): (usize, &&str)| {
        let mut event: serde_json::Value =
            serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {body}"));
        event["seq"] = json!(at + 1);
        event["id"] = json!(format!("01J{:023}", at + 1));
        event["at"] = json!(1_800_000_000_000_000_i64 + at as i64 * 1_000_000);
        serde_json::from_value(event).unwrap_or_else(|error| panic!("{error}: {body}"))
    };
    bodies.iter().enumerate().map(event).collect()
}

/// What an encoder makes of them.
pub fn encode(encoder: &mut dyn Encoder, events: &[Event]) -> String {
    let mut out = Vec::new();
    for event in events {
        encoder.encode(event, &mut out);
    }
    encoder.finish(&mut out);
    String::from_utf8(out).unwrap()
}

const STARTED: &str = r#"{"type":"run_started","run_id":"00000000-0000-0000-0000-000000000001","flow_id":"00000000-0000-0000-0000-000000000002","session_id":"s"}"#;

/// The smallest conversation.
pub fn echo() -> Vec<Event> {
    let said = |id: u8, sender: &str, name: &str| {
        format!(
            r#"{{"id":"00000000-0000-0000-0000-0000000000{id:02}","text":"hello","sender":"{sender}","sender_name":"{name}","session_id":"s","timestamp":1800000000500000}}"#
        )
    };
    let (question, answer) = (said(11, "User", "User"), said(12, "Machine", "AI"));
    let message = |message: &str, node: &str, is_output: bool| {
        format!(
            r#"{{"type":"message","message":{message},"node":"{node}","store":true,"is_output":{is_output}}}"#
        )
    };
    let finished = |node: &str, message: &str| {
        format!(
            r#"{{"type":"node_finished","node":"{node}","result":{{"values":{{"message":{{"message":{message}}}}},"duration_us":1500}}}}"#
        )
    };
    let script = [
        STARTED.to_owned(),
        r#"{"type":"planned","nodes":["ChatInput-1","ChatOutput-1"],"first":["ChatInput-1"]}"#.to_owned(),
        r#"{"type":"node_started","node":"ChatInput-1","attempt":1}"#.to_owned(),
        message(&question, "ChatInput-1", false),
        finished("ChatInput-1", &question),
        r#"{"type":"node_started","node":"ChatOutput-1","attempt":1}"#.to_owned(),
        message(&answer, "ChatOutput-1", true),
        finished("ChatOutput-1", &answer),
        r#"{"type":"run_ended","status":"completed","duration_us":4200}"#.to_owned(),
    ];
    events(&script.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A run in which everything that can happen happens once.
pub fn everything() -> Vec<Event> {
    events(&[
        STARTED,
        r#"{"type":"planned","nodes":["ChatInput-1","Router-1","Model-1","ChatOutput-1","TextOutput-1"],"first":["ChatInput-1"]}"#,
        r#"{"type":"node_started","node":"ChatInput-1","attempt":1}"#,
        r#"{"type":"message","message":{"id":"00000000-0000-0000-0000-000000000011","text":"hi","sender":"User","sender_name":"User","session_id":"s","files":["a.png"],"timestamp":1800000000500000},"node":"ChatInput-1","store":true,"is_output":false}"#,
        r#"{"type":"node_finished","node":"ChatInput-1","result":{"values":{"message":{"message":{"text":"hi","sender":"User","sender_name":"User","session_id":"s"}}},"duration_us":1500}}"#,
        r#"{"type":"node_started","node":"Router-1","attempt":1}"#,
        r#"{"type":"log","node":"Router-1","name":"Decision","message":{"route":"yes"}}"#,
        r#"{"type":"node_finished","node":"Router-1","result":{"values":{"yes":{"plain":"hi"},"no":{"data":{"rows":[1,2]},"key":"text"}},"live":["tool"],"stopped":["no"],"inactivated":["TextOutput-1"],"status":"yes","usage":{"input_tokens":1,"output_tokens":2,"total_tokens":3},"duration_us":1250000,"reused":true}}"#,
        r#"{"type":"node_skipped","node":"TextOutput-1","why":"inactive"}"#,
        r#"{"type":"effect_started","node":"Model-1"}"#,
        r#"{"type":"node_started","node":"Model-1","rounds":[2],"attempt":2}"#,
        r#"{"type":"round_started","node":"Model-1","round":1,"of":3}"#,
        r#"{"type":"message","message":{"id":"00000000-0000-0000-0000-000000000012","text":"He","sender":"Machine","sender_name":"AI","session_id":"s","properties":{"state":"partial"},"timestamp":1800000001500000},"node":"Model-1","store":true,"is_output":false}"#,
        r#"{"type":"token","message_id":"00000000-0000-0000-0000-000000000012","node":"Model-1","chunk":"llo"}"#,
        r#"{"type":"token","message_id":"00000000-0000-0000-0000-000000000012","node":"Model-1","chunk":" you\n"}"#,
        r#"{"type":"message","message":{"id":"00000000-0000-0000-0000-000000000012","text":"Hello you\n!","sender":"Machine","sender_name":"AI","session_id":"s","properties":{"state":"complete"},"timestamp":1800000001500000,"usage":{"input_tokens":4,"output_tokens":5,"total_tokens":9},"content_blocks":[{"type":"text","text":"thinking"},{"type":"tool_use","name":"add","input":{"a":1},"output":2},{"type":"json","data":{"x":1}}]},"node":"Model-1","store":true,"is_output":true}"#,
        r#"{"type":"message_removed","message_id":"00000000-0000-0000-0000-000000000013"}"#,
        r#"{"type":"node_finished","node":"Model-1","result":{"each":[{"plain":1},{"plain":2}],"duration_us":10}}"#,
        r#"{"type":"node_finished","node":"Model-1","result":{"values":{"text":{"table":{"columns":["a"],"cells":[[1]]}}},"duration_us":65000000}}"#,
        r#"{"type":"asked","node":"ChatOutput-1","request_id":"00000000-0000-0000-0000-000000000021","question":{"kind":"human_input","prompt":"Go on?","options":[{"id":"yes","label":"Yes"},{"id":"no","label":"No"}],"state":{"kept":"for the node alone"}}}"#,
        r#"{"type":"answered","request_id":"00000000-0000-0000-0000-000000000021","answer":{"action_id":"yes","values":{"private":"never shown"}}}"#,
        r#"{"type":"resumed"}"#,
        r#"{"type":"node_finished","node":"ChatOutput-1","result":{"values":{"message":{"message":{"text":"out","sender":"Machine","sender_name":"AI"}}},"duration_us":2000}}"#,
        r#"{"type":"node_finished","node":"TextOutput-1","result":{"values":{"text":{"plain":"plain"}},"duration_us":1}}"#,
        r#"{"type":"node_failed","node":"Router-1","failure":{"cause":"outside","message":"The server said no","advice":"Check the address.","field":"url","detail":"HTTP 503"},"duration_us":900}"#,
        r#"{"type":"cancel_requested"}"#,
        r#"{"type":"run_ended","status":"failed","failure":{"cause":"outside","message":"The server said no","advice":"Check the address."},"duration_us":66000000,"usage":{"input_tokens":5,"output_tokens":7,"total_tokens":12}}"#,
    ])
}
