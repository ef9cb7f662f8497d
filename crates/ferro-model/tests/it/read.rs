use std::fmt::Write as _;

use expect_test::{Expect, expect};
use ferro_model::{Flow, read};

use crate::fixtures::{BASE, flow};

/// A flow as lines of text.
pub fn render(flow: &Flow<'_>) -> String {
    let mut text = String::new();
    for node in &flow.nodes {
        let place = node
            .position
            .map_or("nowhere".to_owned(), |at| format!("({}, {})", at.x, at.y));
        writeln!(
            text,
            "{:?} {} [{}] {:?} at {place}",
            node.kind, node.id, node.r#type, node.name
        )
        .unwrap();
        for field in &node.fields {
            let flags = [
                (field.required, " required"),
                (!field.show, " hidden"),
                (field.advanced, " advanced"),
                (field.load_from_db, " variable"),
                (field.is_secret(), " secret"),
            ];
            let flags: String = flags
                .iter()
                .filter(|(on, _)| *on)
                .map(|(_, word)| *word)
                .collect();
            let value = field.value.map_or("-", |value| value.as_str());
            writeln!(
                text,
                "  {} {:?} {}{flags} = {value}",
                field.name, field.display_name, field.r#type
            )
            .unwrap();
        }
        for output in &node.outputs {
            writeln!(
                text,
                "  > {} {:?} {}",
                output.name,
                output.display_name,
                output.types.join("|")
            )
            .unwrap();
        }
    }
    for edge in &flow.edges {
        let (from, to) = (edge.from.name(), edge.to.name());
        writeln!(text, "{}.{from} -> {}.{to}", edge.source, edge.target).unwrap();
    }
    for issue in &flow.issues {
        writeln!(text, "! {} {}", issue.path, issue.message).unwrap();
    }
    text
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&render(&read(&flow(text))));
}

#[test]
fn reads_a_flow() {
    check(
        BASE,
        expect![[r#"
            Component ChatInput-q [ChatInput] "Chat Input" at (0, 0)
              code "code" code = "a = 1\nb = 2\n"
              input_value "Input Text" str = "Hi"
              temperature "temperature" float = 1.0
              > message "Chat Message" Message
              > data "Data" JSON
            Component Agent-x1 [Agent] "Agent" at (400, 0)
              input_value "Input" str = ""
              api_key "API Key" str secret = "sk-old"
              > response "Response" Message
            Note note-1 [note] "Note" at (0, 300)
            ChatInput-q.message -> Agent-x1.input_value
        "#]],
    );
    check("{}", expect![""]);
}

#[test]
fn keeps_what_it_can_of_an_odd_node() {
    check(
        r#"{"nodes":[
            {"id":"a","type":7,"position":{"x":"left","y":0},"data":{"type":["x"],"node":{"display_name":{},"template":{
                "f":{"type":1,"show":"yes","required":null,"value":1e999,"name":"\ud800"},"g":"no field","_x":1},
                "outputs":[{"name":"o","types":["A",2,"B"]},5]}}},
            {"id":"b","type":"genericNode","data":[]},
            {"id":"c","type":"customNode","data":{"node":{"template":[],"outputs":{}}}}],"edges":[]}"#,
        expect![[r#"
            Component a [] "a" at nowhere
              f "f"  = 1e999
              > o "o" A|B
              >  "" 
            Component b [genericNode] "genericNode" at nowhere
            Unknown c [customNode] "customNode" at nowhere
            ! nodes[0].type should be a string, not a number
            ! nodes[0].data.type should be a string, not an array
            ! nodes[0].data.node.template.f.type should be a string, not a number
            ! nodes[0].data.node.template.f.show should be a boolean, not a string
            ! nodes[0].data.node.template.g should be an object, not a string
            ! nodes[0].data.node.outputs[1] should be an object, not a number
            ! nodes[0].position should have the numbers `x` and `y`
            ! nodes[1].data should be an object, not an array
            ! nodes[1].position is missing
            ! nodes[2].data.node.template should be an object, not an array
            ! nodes[2].data.node.outputs should be an array, not an object
            ! nodes[2].position is missing
        "#]],
    );
}

#[test]
fn reads_every_form_of_edge() {
    check(
        r#"{"nodes":[],"edges":[
            {"source":"a","target":"b","sourceHandle":"{œidœ:œaœ,œnameœ:œtextœ}","targetHandle":"{œidœ:œbœ,œfieldNameœ:œfœ}",
             "data":{"sourceHandle":{"id":"a","name":"object"},"targetHandle":{"id":"b","fieldName":"g"}}},
            {"source":"a","target":"b","sourceHandle":"{œidœ:œaœ,œnameœ:œtextœ}","targetHandle":"{œidœ:œbœ,œfieldNameœ:œfœ}","data":{"sourceHandle":{}}},
            {"source":"a","target":"b","sourceHandle":"approve","targetHandle":null},
            {"source":"a","target":"b"},
            {"source":"a","target":"l","sourceHandle":"{œidœ:œaœ,œbaseClassesœ:[œToolœ]}","targetHandle":"{œidœ:œlœ,œnameœ:œitemœ}"},
            {"source":"a","target":"b","sourceHandle":"{œbrokenœ","targetHandle":5}]}"#,
        expect![[r#"
            a.object -> b.g
            a.text -> b.f
            a.approve -> b.
            a. -> b.
            a.Tool -> l.item
            a.{œbrokenœ -> b.
            ! edges[5].sourceHandle is not a handle; draw the wire again
        "#]],
    );
}
