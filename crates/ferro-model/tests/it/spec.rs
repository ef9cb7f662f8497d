use expect_test::{Expect, expect};
use ferro_model::spec::{
    build_flow_from_spec, build_spec, flow_info, flow_to_spec_summary, parse, validate_references,
};
use ferro_model::{EditError, FlowData};

use crate::fixtures::{ECHO, LOOP, built, counting, flow, registry};

/// The parsed spec as JSON, or the error.
fn check(text: &str, expected: Expect) {
    let outcome = match parse(text) {
        Ok(spec) => match validate_references(&spec) {
            Ok(()) => serde_json::to_string_pretty(&spec).unwrap(),
            Err(error) => error.to_string(),
        },
        Err(error) => match error.line {
            Some(line) => format!("line {line}: {error}"),
            None => error.to_string(),
        },
    };
    expected.assert_eq(&outcome);
}

/// Only the config, one value per line.
fn check_config(lines: &str, expected: Expect) {
    let spec = parse(&format!("nodes:\n  A: X\n  B: X\nconfig:\n{lines}")).unwrap();
    let mut text = String::new();
    for (node, fields) in &spec.config {
        for (field, value) in fields {
            text.push_str(&format!("{node}.{field} = {value}\n"));
        }
    }
    expected.assert_eq(&text);
}

#[test]
fn a_whole_spec() {
    check(
        "\n  name:  My flow: one \ndescription: says hello\n\n nodes:\nA: ChatInput\n  B : Prompt: Template\nedges:\n  A.message -> B.input.value -> x\nconfig:\n  B.text: hi\nnodes:\n  C: ChatOutput",
        expect![[r#"
            {
              "name": "My flow: one",
              "description": "says hello",
              "nodes": [
                {
                  "id": "A",
                  "type": "ChatInput"
                },
                {
                  "id": "B",
                  "type": "Prompt: Template"
                },
                {
                  "id": "C",
                  "type": "ChatOutput"
                }
              ],
              "edges": [
                {
                  "source_id": "A",
                  "source_output": "message",
                  "target_id": "B",
                  "target_input": "input.value -> x"
                }
              ],
              "config": {
                "B": {
                  "text": "hi"
                }
              }
            }"#]],
    );
}

#[test]
fn errors_are_the_ones_assistants_know() {
    check(
        "hello\nnodes:\n A: B",
        expect!["line 1: Unrecognized line: 'hello'. Expected 'name:', 'description:', or a section header."],
    );
    check(
        "name: x\n",
        expect!["No nodes found in spec. Expected 'nodes:' section with 'ID: Type' entries."],
    );
    check(
        "",
        expect!["No nodes found in spec. Expected 'nodes:' section with 'ID: Type' entries."],
    );
    check(
        "\n\nnodes:\n  A ChatInput",
        expect!["line 4: Invalid node definition: 'A ChatInput'. Expected format: 'ID: ComponentType'"],
    );
    check(
        "nodes:\n A: X\nedges:\n A.x->A.y",
        expect!["line 4: Invalid edge definition: 'A.x->A.y'. Expected format: 'Node.output -> Node.input'"],
    );
    check(
        "nodes:\n A: X\nedges:\n A.x -> y",
        expect!["line 4: Invalid edge definition: 'A.x -> y'. Both sides must be 'Node.port'"],
    );
    check(
        "nodes:\n A: X\nconfig:\n just text",
        expect!["line 4: Invalid config entry: 'just text'. Expected format: 'Node.field: value'"],
    );
    check(
        "nodes:\n A: X\n C: X\nconfig:\n B.f: 1",
        expect!["Config references unknown node 'B'. Available: ['A', 'C']"],
    );
    check(
        "nodes:\n A: X\nedges:\n B.x -> A.y",
        expect!["Edge references unknown source 'B'. Available: ['A']"],
    );
    check(
        "nodes:\n A: X\n It's: X\nedges:\n A.x -> B.y",
        expect![[r#"Edge references unknown target 'B'. Available: ['A', "It's"]"#]],
    );
}

#[test]
fn values() {
    check_config(
        "A.a: TRUE\nA.b: none\nA.c: -12\nA.d: 1_000\nA.e: 1.5e3\nA.f: nan\nA.g: 1__0\nA.h: +7\nA.i: .5\nA.j: 12345678901234567890\nA.k: 0x10\nA.l:x\nA.m: false positive",
        expect![[r#"
            A.a = true
            A.b = null
            A.c = -12
            A.d = 1000
            A.e = 1500.0
            A.f = "nan"
            A.g = "1__0"
            A.h = 7
            A.i = 0.5
            A.j = "12345678901234567890"
            A.k = "0x10"
            A.l = "x"
            A.m = "false positive"
        "#]],
    );
}

#[test]
fn values_over_several_lines() {
    check_config(
        "  A.block: |\n    first\n      indented\n\n    A.looks: like a key\n    42\n  A.number: |\n    42\n  B.list:\n    - name: x\n      provider: y\n  B.empty:\n  B.open: one\n    two\n  A.number: 7",
        expect![[r#"
            A.block = "first\n  indented\n\nA.looks: like a key\n42"
            A.number = 7
            B.list = "- name: x\n  provider: y"
            B.open = "one\ntwo"
        "#]],
    );
}

fn check_build(spec: &str, expected: Expect) {
    let outcome = build_flow_from_spec(spec, &registry(), &mut counting());
    expected.assert_eq(&match outcome {
        Ok(built) => format!(
            "{} nodes, {} edges, {:?}",
            built.node_count, built.edge_count, built.node_id_map
        ),
        Err(error) => format!("{}\n{}", error.error, error.details),
    });
}

#[test]
fn builds() {
    check_build(
        ECHO,
        expect![[r#"2 nodes, 1 edges, [("A", "ChatInput-00001"), ("B", "ChatOutput-00002")]"#]],
    );
    check_build(
        "nodes:\n  A: Nope\n  B: It's",
        expect![[r#"
        Unknown component types: ['Nope', "It's"]
        Available types (sample): ['Agent', 'ChatInput', 'ChatOutput', 'ConditionalRouter', 'LoopComponent', 'ParserComponent', 'Prompt Template', 'Settings', 'TypeConverterComponent', 'URLComponent']"#]],
    );
    check_build(
        "nodes:\n  A: ChatInput\nconfig:\n  A.nope: 1",
        expect![[r#"
        Failed to configure node 'A'
        `ChatInput-00001` has no field `nope`; it has `input_value`, `sender_name`"#]],
    );
    check_build(
        "nodes:\n  A: ChatInput\nconfig:\n  A._type: 1",
        expect![[r#"
        Failed to configure node 'A'
        `_type` of `ChatInput-00001` is no field but something the editor keeps there; the fields are `input_value`, `sender_name`"#]],
    );
    check_build(
        "nodes:\n  A: ChatInput\n  B: Agent\nedges:\n  A.message -> B.tools",
        expect![[r#"
            Failed to connect A.message -> B.tools
            ChatInput-00001.message -> Agent-00002.tools: Message does not fit Tool; choose ports that have a type in common"#]],
    );
    check_build(
        "nodes:\n  A: ChatInput\nedges:\n  A.message -> Z.tools",
        expect![[r#"
            Edge references unknown target 'Z'. Available: ['A']
            Edge references unknown target 'Z'. Available: ['A']"#]],
    );
    check_build(
        "nodes",
        expect![[r#"
        Invalid spec
        Unrecognized line: 'nodes'. Expected 'name:', 'description:', or a section header."#]],
    );
}

#[test]
fn whoever_builds_has_a_say_between_values_and_wires() {
    let spec =
        parse("nodes:\n  A: ChatInput\n  B: ChatOutput\nedges:\n  A.message -> B.input_value").unwrap();
    let mut seen = Vec::new();
    let built = build_spec(&spec, &registry(), &mut counting(), &mut |document, id| {
        seen.push((id.to_owned(), document.wire_count()));
        Ok(())
    });
    let ids = built.unwrap().node_id_map.into_iter().map(|(_, real)| (real, 0));
    assert_eq!(seen, ids.collect::<Vec<_>>(), "every node, before any wire");
    let refused = build_spec(&spec, &registry(), &mut counting(), &mut |_, id| {
        Err(EditError::NoModel { node: id.to_owned() })
    });
    assert_eq!(refused.unwrap_err().error, "Failed to configure node 'A'");
}

#[test]
fn summaries() {
    let summary = |data: &FlowData| flow_to_spec_summary(Some("Echo"), data);
    expect![[r#"
        name: Echo

        components:
          ChatInput-00001: ChatInput
          ChatOutput-00002: ChatOutput

        connections:
          ChatInput-00001.message -> ChatOutput-00002.input_value"#]]
    .assert_eq(&summary(&built(ECHO)));
    expect![[r#"
        name: Echo

        components:
          URLComponent-00001: URLComponent
          LoopComponent-00002: LoopComponent
          ParserComponent-00003: ParserComponent
          ParserComponent-00004: ParserComponent
          ChatOutput-00005: ChatOutput

        connections:
          URLComponent-00001.page_results -> LoopComponent-00002.data
          LoopComponent-00002.item -> ParserComponent-00003.input_data
          ParserComponent-00003.parsed_text -> LoopComponent-00002.?
          LoopComponent-00002.done -> ParserComponent-00004.input_data
          ParserComponent-00004.parsed_text -> ChatOutput-00005.input_value"#]]
    .assert_eq(&summary(&built(LOOP)));
    expect!["(empty canvas)"].assert_eq(&summary(&flow("{}")));
    expect![[r#"{"name":"Unknown","description":"demo","node_count":2,"edge_count":1,"components":[{"id":"ChatInput-00001","display_name":"Chat Input","type":"ChatInput"},{"id":"ChatOutput-00002","display_name":"Chat Output","type":"ChatOutput"}],"inputs":["ChatInput-00001"],"outputs":["ChatOutput-00002"]}"#]].assert_eq(&serde_json::to_string(&flow_info(None, "demo", &built(ECHO))).unwrap());
}

/// A spec made of a summary is the same flow again.
#[test]
fn a_summary_names_every_wire_but_those_into_loops() {
    let text = flow_to_spec_summary(None, &built(LOOP));
    assert_eq!(text.matches(" -> ").count(), 5);
    assert!(
        text.contains("ParserComponent-00003.parsed_text -> LoopComponent-00002.?"),
        "{text}"
    );
    assert!(!text.contains("example.com"), "{text}");
}
