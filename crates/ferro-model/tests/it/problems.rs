use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use expect_test::{Expect, expect};
use ferro_model::{FlowData, MAX_NODES, Problem, problems};

use crate::fixtures::{ECHO, LOOP, after, built, flow, registry};

fn render(found: &[Problem]) -> String {
    let mut text = String::new();
    for problem in found {
        let place = [problem.node.as_deref(), problem.field.as_deref()];
        let place: Vec<&str> = place.into_iter().flatten().collect();
        writeln!(
            text,
            "{:?} {} [{}] {} {}",
            problem.severity,
            problem.code,
            place.join("."),
            problem.message,
            problem.advice
        )
        .unwrap();
    }
    text
}

fn check(data: &FlowData, expected: Expect) {
    let known = BTreeSet::from(["KNOWN".to_owned()]);
    expected.assert_eq(&render(&problems(data, &registry(), Some(&known))));
}

const CODE: &str = r#""code":{"type":"code","name":"code","value":"class X: ..."}"#;

fn changed(data: &FlowData, from: &str, to: &str) -> FlowData {
    assert!(data.as_str().contains(from), "{from}");
    flow(&data.as_str().replacen(from, to, 1))
}

#[test]
fn good_flows_have_none() {
    check(&built(ECHO), expect![""]);
    check(&built(LOOP), expect![""]);
    check(&flow("{}"), expect![""]);
}

#[test]
fn missing_fields() {
    check(
        &built("nodes:\n A: Settings\n B: ChatOutput\n C: URLComponent\n"),
        expect![[r#"
            Error missing_field [Settings-00001.name] Settings is missing Name. Set its value.
            Error missing_field [ChatOutput-00002.input_value] Chat Output is missing Inputs. Set its value or wire something into it.
            Error missing_field [URLComponent-00003.urls] URL is missing URLs. Set its value or wire something into it.
            Warning unreachable_node [Settings-00001] Settings is joined to nothing. Wire it to the rest of the flow, or remove it.
            Warning unreachable_node [ChatOutput-00002] Chat Output is joined to nothing. Wire it to the rest of the flow, or remove it.
            Warning unreachable_node [URLComponent-00003] URL is joined to nothing. Wire it to the rest of the flow, or remove it.
        "#]],
    );
    // A tool's arguments are the agent's to give.
    check(
        &built("nodes:\n A: URLComponent\n B: Agent\nedges:\n A.component_as_tool -> B.tools"),
        expect![""],
    );
}

#[test]
fn values_of_the_wrong_type() {
    let set = |values: &str| {
        let base = built("nodes:\n A: Settings\nconfig:\n A.name: x");
        after(
            &base,
            &format!(r#"{{"op":"configure","node":"Settings-00001","values":{values}}}"#),
        )
    };
    check(
        &set(r#"{"count":"many","ratio":"NaN","flag":"maybe","settings":"[not json","rows":["x"]}"#),
        expect![[r#"
            Error wrong_type [Settings-00001.count] Count of Settings should be a whole number, not `many`. Correct the value.
            Error wrong_type [Settings-00001.ratio] Ratio of Settings should be a number, not `NaN`. Correct the value.
            Error wrong_type [Settings-00001.flag] Flag of Settings should be true or false, not `maybe`. Correct the value.
            Error wrong_type [Settings-00001.settings] Settings of Settings should be an object, not `[not json`. Correct the value.
            Error wrong_type [Settings-00001.rows] Rows of Settings should be a list of rows, not a list. Correct the value.
        "#]],
    );
    check(
        &set(r#"{"count":1.5,"ratio":[],"flag":7,"settings":4,"rows":"rows"}"#),
        expect![[r#"
            Error wrong_type [Settings-00001.count] Count of Settings should be a whole number, not 1.5. Correct the value.
            Error wrong_type [Settings-00001.flag] Flag of Settings should be true or false, not 7. Correct the value.
            Error wrong_type [Settings-00001.settings] Settings of Settings should be an object, not 4. Correct the value.
            Error wrong_type [Settings-00001.rows] Rows of Settings should be a list of rows, not `rows`. Correct the value.
        "#]],
    );
    check(
        &set(r#"{"count":"12","ratio":"1e3","flag":"true","settings":"{}","rows":[{"a":1}]}"#),
        expect![""],
    );
    let huge = changed(&set(r#"{"ratio":0.25}"#), "0.25", "1e999");
    check(
        &huge,
        expect![[r#"
        Error wrong_type [Settings-00001.ratio] Ratio of Settings should be a number, not `1e999`. Correct the value.
    "#]],
    );
}

#[test]
fn dictionaries_without_keys() {
    let settings = built("nodes:\n A: Settings\nconfig:\n A.name: x");
    let dict = |value: &str| {
        let field = format!(r#""headers":{{"type":"dict","required":true,"value":{value}}},"name":"#);
        changed(&settings, r#""name":{"#, &format!("{field}{{"))
    };
    check(
        &dict(r#"{"":"x"}"#),
        expect![[r#"
        Error empty_key [Settings-00001.headers] headers of Settings has a value without a key. Name the key, or remove that row.
    "#]],
    );
    check(
        &dict(r#"[{"key":"","value":1}]"#),
        expect![[r#"
        Error empty_key [Settings-00001.headers] headers of Settings has a value without a key. Name the key, or remove that row.
    "#]],
    );
    check(&dict(r#"{"a":"x"}"#), expect![""]);
}

#[test]
fn variables() {
    let base = built("nodes:\n A: Agent\n B: Agent");
    let named = changed(
        &base,
        r#""password":true,"placeholder":"","required":false,"show":true,"title_case":false,"tool_mode":false,"trace_as_metadata":true,"type":"str","value":"""#,
        r#""password":true,"placeholder":"","required":true,"show":true,"title_case":false,"tool_mode":false,"trace_as_metadata":true,"type":"str","value":"GONE""#,
    );
    check(
        &named,
        expect![[r#"
        Error unknown_variable [Agent-00001.api_key] API Key of Agent names a variable that does not exist. Create the variable, choose another, or type the value itself.
        Warning unreachable_node [Agent-00001] Agent is joined to nothing. Wire it to the rest of the flow, or remove it.
        Warning unreachable_node [Agent-00002] Agent is joined to nothing. Wire it to the rest of the flow, or remove it.
    "#]],
    );
    check(
        &changed(&named, "GONE", "KNOWN"),
        expect![[r#"
        Warning unreachable_node [Agent-00001] Agent is joined to nothing. Wire it to the rest of the flow, or remove it.
        Warning unreachable_node [Agent-00002] Agent is joined to nothing. Wire it to the rest of the flow, or remove it.
    "#]],
    );
    assert!(!render(&problems(&named, &registry(), None)).contains("variable"));
}

#[test]
fn wires() {
    let echo = built(ECHO);
    check(
        &changed(&echo, r#""source":"ChatInput-00001""#, r#""source":"gone""#),
        expect![[r#"
            Error missing_field [ChatOutput-00002.input_value] Chat Output is missing Inputs. Set its value or wire something into it.
            Error wire_to_missing_node [ChatOutput-00002] Wire 1 comes from `gone`, which is not there. Remove the wire, or draw it again.
            Warning unreachable_node [ChatInput-00001] Chat Input is joined to nothing. Wire it to the rest of the flow, or remove it.
            Warning unreachable_node [ChatOutput-00002] Chat Output is joined to nothing. Wire it to the rest of the flow, or remove it.
        "#]],
    );
    check(
        &changed(
            &echo,
            r#""name":"message","output_types":["Message"]}"#,
            r#""name":"text","output_types":["Message"]}"#,
        ),
        expect![[r#"
            Error wire_to_missing_port [ChatInput-00001] A wire leaves Chat Input by the output `text`, which it does not have. Draw it again from one of: message.
        "#]],
    );
    check(
        &changed(&echo, r#""fieldName":"input_value""#, r#""fieldName":"nope""#),
        expect![[r#"
            Error missing_field [ChatOutput-00002.input_value] Chat Output is missing Inputs. Set its value or wire something into it.
            Error wire_to_missing_port [ChatOutput-00002] A wire enters Chat Output by the input `nope`, which it does not have. Draw it again into one of: input_value.
        "#]],
    );
    check(
        &changed(
            &echo,
            r#""selected":"Message","tool_mode":true,"types":["Message"]"#,
            r#""selected":"Tool","tool_mode":true,"types":["Tool"]"#,
        ),
        expect![[r#"
            Error incompatible_wire [ChatOutput-00002.input_value] Chat Input (message) cannot be wired to Chat Output (input_value): Tool does not fit JSON or Table or Message or other. Choose ports that have a type in common.
        "#]],
    );
    let two = built(
        "nodes:\n A: ChatInput\n B: ChatOutput\n C: Agent\nedges:\n A.message -> B.input_value\n A.message -> C.input_value",
    );
    check(
        &wired(
            &two,
            ("Agent-00003", "response"),
            ("ChatOutput-00002", "input_value"),
        ),
        expect![[r#"
            Warning several_wires [ChatOutput-00002.input_value] Inputs of Chat Output takes one wire and has several. Remove all but one of them.
        "#]],
    );
    let hidden = built("nodes:\n A: ChatInput\n B: ConditionalRouter");
    check(
        &wired(
            &hidden,
            ("ChatInput-00001", "message"),
            ("ConditionalRouter-00002", "hidden_text"),
        ),
        expect![[r#"
            Warning wire_to_hidden_field [ConditionalRouter-00002.hidden_text] Hidden of If-Else is hidden with its present settings; the wire from Chat Input is ignored. Change what hides the field, or remove the wire.
        "#]],
    );
}

/// With one more wire, whatever the rules say.
fn wired(data: &FlowData, (source, output): (&str, &str), (target, field): (&str, &str)) -> FlowData {
    let edge = format!(
        r#"{{"source":"{source}","target":"{target}","data":{{"sourceHandle":{{"id":"{source}","name":"{output}"}},"targetHandle":{{"id":"{target}","fieldName":"{field}"}}}}}}"#
    );
    let comma = if data.summary().edges == 0 { "" } else { "," };
    flow(
        &data
            .as_str()
            .replace(r#""edges":["#, &format!(r#""edges":[{edge}{comma}"#)),
    )
}

#[test]
fn unknown_and_edited_components() {
    let echo = built(ECHO);
    check(
        &changed(&echo, r#""type":"ChatInput","#, r#""type":"Mystery","#),
        expect![[r#"
            Error unknown_component [ChatInput-00001] There is no component of the type `Mystery` here. Replace it with a component of this installation, or remove it.
        "#]],
    );
    check(
        &changed(&echo, r#""edited":false"#, r#""edited":true"#),
        expect![[r#"
            Error missing_code [ChatInput-00001] Chat Input should have Python code of its own and has none. Open its code and write it, or add the component anew.
        "#]],
    );
    // With code of its own a node needs nobody to know its type.
    let own = changed(&echo, r#""template":{"#, &format!(r#""template":{{{CODE},"#));
    check(
        &changed(&own, r#""type":"ChatInput","#, r#""type":"Mystery","#),
        expect![""],
    );
    check(
        &changed(&own, r#""edited":false"#, r#""edited":true"#),
        expect![""],
    );
    // A field that is only called so, or is empty, is no code.
    for (from, to) in [
        (r#""type":"code""#, r#""type":"str""#),
        (r#""value":"class X: ...""#, r#""value":" ""#),
    ] {
        let none = changed(
            &changed(&own, r#""type":"ChatInput","#, r#""type":"Mystery","#),
            from,
            to,
        );
        assert!(
            render(&problems(&none, &registry(), None)).contains("unknown_component"),
            "{from}"
        );
    }
    // Old names are known.
    let prompt = built("nodes:\n A: Prompt Template\n B: ChatOutput\nedges:\n A.prompt -> B.input_value");
    check(
        &flow(
            &prompt
                .as_str()
                .replace(r#""type":"Prompt Template","#, r#""type":"Prompt","#),
        ),
        expect![""],
    );
}

#[test]
fn shapes() {
    // A wire back without a loop port.
    let ring = "nodes:\n A: Prompt Template\n B: Prompt Template\n C: ChatOutput\nedges:\n A.prompt -> B.topic\n B.prompt -> C.input_value";
    check(
        &wired(
            &built(ring),
            ("Prompt Template-00002", "prompt"),
            ("Prompt Template-00001", "topic"),
        ),
        expect![[r#"
            Error endless_cycle [Prompt Template-00001] These nodes wait for each other and would never end: Prompt Template, Prompt Template. Remove one of the wires, or lead it back into the loop port of a Loop.
        "#]],
    );
    // The same through a node that chooses.
    let chosen = "nodes:\n A: ConditionalRouter\n B: Prompt Template\n C: ChatOutput\nedges:\n A.true_result -> B.topic\n A.false_result -> C.input_value";
    check(
        &wired(
            &built(chosen),
            ("Prompt Template-00002", "prompt"),
            ("ConditionalRouter-00001", "input_text"),
        ),
        expect![""],
    );
    check(
        &built(&LOOP.replace("  P.parsed_text -> L.item\n", "")),
        expect![[r#"
            Error loop_without_return [LoopComponent-00002.item] Nothing leads from Loop (Item) back into it, so it never gets a result. Wire the last node of the loop's body back into that port.
        "#]],
    );
    check(
        &built(&format!("{ECHO}nodes:\n  X: ChatInput\n")),
        expect![[r#"
        Warning several_chat_inputs [ChatInput-00003] The flow has more than one Chat Input, and each gets the same message. Keep one and draw several wires from it.
        Warning unreachable_node [ChatInput-00003] Chat Input is joined to nothing. Wire it to the rest of the flow, or remove it.
    "#]],
    );
    let tool = after(
        &built(
            "nodes:\n A: URLComponent\n B: ChatOutput\n C: ChatInput\nedges:\n C.message -> B.input_value",
        ),
        r#"{"op":"tool_mode","node":"URLComponent-00001","on":true}"#,
    );
    check(
        &tool,
        expect![[r#"
        Warning unreachable_node [URLComponent-00001] URL is joined to nothing. Wire it to the rest of the flow, or remove it.
    "#]],
    );
}

#[test]
fn odd_json_is_told() {
    check(
        &flow(
            r#"{"nodes":[{"id":"a","data":7},{"id":"b","type":"genericNode","position":{"x":0,"y":0},"data":{"type":"Settings","node":{"template":{"x":3}}}}],"edges":[{"source":"a","target":"b"}]}"#,
        ),
        expect![[r#"
            Warning malformed [] `nodes[0].data` should be an object, not a number. It was read as if it were empty; correct it or add the node again.
            Warning malformed [] `nodes[0].position` is missing. It was read as if it were empty; correct it or add the node again.
            Warning malformed [] `nodes[1].data.node.template.x` should be an object, not a number. It was read as if it were empty; correct it or add the node again.
            Error unknown_component [a] There is no component of the type `` here. Replace it with a component of this installation, or remove it.
            Error wire_to_missing_port [a] A wire leaves a without saying by which output. Remove the wire.
            Error wire_to_missing_port [b] A wire enters Settings without saying by which input. Remove the wire.
        "#]],
    );
}

#[test]
fn ten_thousand_nodes_take_no_time() {
    let chain = |count: usize| {
        let node = |place: usize| {
            format!(
                r#"{{"id":"n{place}","type":"genericNode","position":{{"x":0,"y":0}},"data":{{"type":"Prompt Template","node":{{"template":{{"topic":{{"type":"str","input_types":["Message"],"value":""}},"template":{{"type":"prompt","value":"hello"}}}},"outputs":[{{"name":"prompt","types":["Message"],"allows_loop":{}}}]}}}}}}"#,
                place.is_multiple_of(2)
            )
        };
        let wire = |place: usize| {
            format!(
                r#"{{"source":"n{place}","target":"n{}","data":{{"sourceHandle":{{"id":"n{place}","name":"prompt"}},"targetHandle":{{"id":"n","fieldName":"topic"}}}}}}"#,
                (place + 1) % count
            )
        };
        let nodes: Vec<String> = (0..count).map(node).collect();
        let wires: Vec<String> = (0..count).map(wire).collect();
        flow(&format!(
            r#"{{"nodes":[{}],"edges":[{}]}}"#,
            nodes.join(","),
            wires.join(",")
        ))
    };
    // Ten times the nodes may take ten times as long, not a hundred times; the machine may be busy with other things.
    let time = |data: &FlowData| {
        let once = || {
            let start = Instant::now();
            problems(data, &registry(), None);
            start.elapsed()
        };
        once().min(once())
    };
    let (small, data) = (chain(MAX_NODES / 10), chain(MAX_NODES));
    let (little, much) = (time(&small), time(&data));
    assert!(
        much < little.max(Duration::from_millis(5)) * 40,
        "{little:?} and {much:?}"
    );
    let found = problems(&data, &registry(), None);
    assert_eq!(
        found
            .iter()
            .filter(|problem| problem.code == "endless_cycle")
            .count(),
        1
    );
    let found = problems(&chain(MAX_NODES + 1), &registry(), None);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].code, "too_many_nodes");
}
