//! Flows as text. A line is a node (`id Type field=value flag`) or a wire (`a.out -> b.in`, into a loop port
//! `a.out => l.item`, control `a ~> b`); `;` also ends a line. Values are JSON where they can be; `$NAME` is a
//! variable. Flags: `frozen`, `tool`, `toolset` (has the output
//! of tool mode), `edited`. `code=…` is Python of the node's own and `hash=…` what its metadata says of it; with code a
//! node of an unknown type has the ports of Echo.

use ferro_model::FlowData;
use serde_json::{Value as Json, json};

use super::fakes;

pub fn flow(text: &str) -> FlowData {
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    for line in text
        .split(['\n', ';'])
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        if line.contains(" -> ") || line.contains(" => ") || line.contains(" ~> ") {
            edges.push(wire(line));
        } else {
            nodes.push(node(line));
        }
    }
    FlowData::parse(&json!({ "nodes": nodes, "edges": edges }).to_string()).expect("a flow document")
}

fn node(line: &str) -> Json {
    let mut words = words(line).into_iter();
    let (id, kind) = (words.next().unwrap(), words.next().expect("a node has a type"));
    let mut inner = match fakes::descriptor(&kind) {
        Some(descriptor) => descriptor.to_node(),
        None => json!({ "template": {}, "outputs": [] }),
    };
    inner["display_name"] = json!(id.to_uppercase());
    for word in words {
        match word.split_once('=') {
            None if word == "tool" => inner["tool_mode"] = json!(true),
            None if word == "toolset" => {
                inner["outputs"] = json!([ferro_model::OutputSpec::toolset().to_json()])
            }
            None => inner[word.as_str()] = json!(true),
            Some(("hash", hash)) => inner["metadata"]["code_hash"] = json!(hash),
            Some(("code", code)) => {
                if fakes::descriptor(&kind).is_none() {
                    inner = fakes::descriptor("Echo").expect("Echo is there").to_node();
                    inner["display_name"] = json!(id.to_uppercase());
                }
                let code = code.trim_matches('"');
                inner["template"]["code"] = json!({ "type": "code", "name": "code", "value": code });
            }
            Some((field, value)) => {
                let entry = &mut inner["template"][field];
                assert!(entry.is_object(), "{kind} has no field {field}");
                if let Some(name) = value.strip_prefix('$') {
                    entry["load_from_db"] = json!(true);
                    entry["value"] = json!(name);
                } else {
                    entry["load_from_db"] = json!(false);
                    entry["value"] = serde_json::from_str(value).unwrap_or_else(|_| json!(value));
                }
            }
        }
    }
    json!({ "id": id, "type": "genericNode", "position": { "x": 0, "y": 0 }, "data": { "id": id, "type": kind, "node": inner } })
}

/// Split at blanks outside of brackets and quotes.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut depth, mut quoted) = (Vec::new(), String::new(), 0, false);
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            '[' | '{' if !quoted => depth += 1,
            ']' | '}' if !quoted => depth -= 1,
            ' ' if !quoted && depth == 0 => {
                words.push(std::mem::take(&mut word));
                continue;
            }
            _ => {}
        }
        word.push(letter);
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

fn wire(line: &str) -> Json {
    let parts: Vec<&str> = line.split(' ').collect();
    let (from, arrow, to) = (parts[0], parts[1], parts[2]);
    let (source, output) = from.split_once('.').unwrap_or((from, "out"));
    let (target, field) = to.split_once('.').unwrap_or((to, "in"));
    let kind = if arrow == "~>" { "Control" } else { "Message" };
    let out = json!({ "dataType": "X", "id": source, "name": output, "output_types": [kind] });
    let into = match arrow {
        "=>" => json!({ "dataType": "X", "id": target, "name": field, "output_types": ["Message"] }),
        _ => json!({ "fieldName": field, "id": target, "inputTypes": ["Message"], "type": "str" }),
    };
    let text = |handle: &Json| handle.to_string().replace('"', "œ");
    json!({
        "source": source, "target": target,
        "sourceHandle": text(&out), "targetHandle": text(&into),
        "data": { "sourceHandle": out, "targetHandle": into },
    })
}

#[test]
fn a_line_is_a_node_or_a_wire() {
    let flow = flow("a Echo in=hi; b Upper\na.out -> b.in");
    assert_eq!((flow.summary().nodes, flow.summary().edges), (2, 1));
}
