use expect_test::{Expect, expect};
use ferro_model::ports::{Entry, can_connect, canonical_type, compatible};
use ferro_model::read;

use crate::fixtures::{LOOP, after, built, registry};

#[test]
fn old_names_are_new_names() {
    assert_eq!(canonical_type("Data"), "JSON");
    assert_eq!(canonical_type("DataFrame"), "Table");
    assert_eq!(canonical_type("Message"), "Message");
}

/// `A|B -> C|D`.
fn check_types(types: &str, expected: Expect) {
    let (outputs, inputs) = types.split_once(" -> ").unwrap();
    let list = |text: &str| -> Vec<String> {
        text.split('|')
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let outcome = compatible(&list(outputs), &list(inputs));
    expected.assert_eq(&outcome.map_or_else(|error| error.to_string(), |()| "yes".to_owned()));
}

#[test]
fn types() {
    check_types("Message -> Message", expect!["yes"]);
    check_types("Data -> JSON", expect!["yes"]);
    check_types("Table -> Message|DataFrame", expect!["yes"]);
    check_types(
        "Message -> Tool",
        expect!["Message does not fit Tool; choose ports that have a type in common"],
    );
    check_types(
        "Data|JSON -> Message",
        expect![
            "JSON does not fit Message; put a `ParserComponent` between them, wired into its `input_data` and out of its `parsed_text`"
        ],
    );
    check_types(
        "Message -> Data|JSON",
        expect![
            "Message does not fit JSON; put a `TypeConverterComponent` between them, wired into its `input_data` and out of its `data_output`"
        ],
    );
    check_types(
        "Message -> DataFrame",
        expect![
            "Message does not fit Table; put a `TypeConverterComponent` between them, wired into its `input_data` and out of its `dataframe_output`"
        ],
    );
    check_types(
        "Message -> ",
        expect!["the input takes no wire; set its value instead"],
    );
    check_types(
        " -> Message",
        expect!["the output names no type; choose another output"],
    );
}

const NODES: &str = "nodes:
  In: ChatInput
  In2: ChatInput
  Prompt: Prompt Template
  Agent: Agent
  Url: URLComponent
  If: ConditionalRouter
  Conv: TypeConverterComponent
  Set: Settings
  Loop: LoopComponent
  Out: ChatOutput
edges:
  In.message -> Prompt.topic
  Prompt.prompt -> Agent.input_value
  Agent.response -> Out.input_value
";

/// `Node.output -> Node.input` over `NODES`, by the names there.
fn check(wire: &str, expected: Expect) {
    let names = [
        "In", "In2", "Prompt", "Agent", "Url", "If", "Conv", "Set", "Loop", "Out",
    ];
    let data = built(NODES);
    let flow = read(&data);
    let id = |name: &str| {
        let place = names.iter().position(|known| *known == name);
        place.map_or(name.to_owned(), |place| flow.nodes[place].id.to_string())
    };
    let (from, to) = wire.split_once(" -> ").unwrap();
    let ((source, output), (target, input)) = (from.split_once('.').unwrap(), to.split_once('.').unwrap());
    let outcome = can_connect(&flow, &registry(), &id(source), output, &id(target), input);
    let text = match outcome {
        Ok(connection) => match connection.into {
            Entry::Field { input_types, r#type } => {
                let flips = if connection.flips_tool_mode {
                    ", becomes a tool"
                } else {
                    ""
                };
                format!(
                    "yes: {} into {} ({type}){flips}",
                    connection.output_types.join("|"),
                    input_types.join("|")
                )
            }
            Entry::Loop { output_types, .. } => format!("yes: closes a loop of {}", output_types.join("|")),
            Entry::Control => "yes: then".to_owned(),
        },
        Err(refusal) => format!("no: {refusal}"),
    };
    expected.assert_eq(&text);
}

#[test]
fn wires() {
    check(
        "In2.message -> Prompt.template",
        expect![
            "no: ChatInput-00002.message -> Prompt Template-00003.template: the input takes no wire; set its value instead"
        ],
    );
    check(
        "In.message -> Prompt.topic",
        expect!["yes: Message into Message (str)"],
    );
    check(
        "In2.message -> If.input_text",
        expect!["yes: Message into Message (str)"],
    );
    check(
        "In2.message -> Prompt.topic",
        expect![
            "no: `Prompt Template-00003.topic` takes one wire and has one from `ChatInput-00001.message`; disconnect that first"
        ],
    );
    check(
        "In.message -> In.input_value",
        expect![
            "no: `ChatInput-00001` cannot be wired to itself; put another node between, or wire into a loop port"
        ],
    );
    check(
        "In.message -> Gone.x",
        expect![
            "no: there is no node `Gone`; there is `ChatInput-00001`, `ChatInput-00002`, `Prompt Template-00003`, `Agent-00004`, `URLComponent-00005`, `ConditionalRouter-00006`, `TypeConverterComponent-00007`, `Settings-00008`, `LoopComponent-00009`, `ChatOutput-00010`"
        ],
    );
    check(
        "In.text -> Agent.input_value",
        expect!["no: `ChatInput-00001` has no output `text`; it has `message`"],
    );
    check(
        "In.message -> Agent.prompt",
        expect!["no: `Agent-00004` has no input `prompt`; it has `input_value`, `tools`, `model`"],
    );
    check(
        "In.message -> Agent.tools",
        expect![
            "no: ChatInput-00001.message -> Agent-00004.tools: Message does not fit Tool; choose ports that have a type in common"
        ],
    );
    check(
        "In.message -> If.hidden_text",
        expect![
            "no: `ConditionalRouter-00006.hidden_text` is hidden with the present settings of `ConditionalRouter-00006`; change what hides it"
        ],
    );
    check(
        "Loop.item -> Conv.input_data",
        expect!["yes: Data into Message|Data|JSON|DataFrame|Table (other)"],
    );
    check(
        "Prompt.prompt -> Loop.item",
        expect!["yes: closes a loop of Data|Message"],
    );
    check(
        "Url.page_results -> Loop.item",
        expect![
            "no: URLComponent-00005.page_results -> LoopComponent-00009.item: Table does not fit JSON or Message; put a `ParserComponent` between them, wired into its `input_data` and out of its `parsed_text`"
        ],
    );
}

#[test]
fn tools() {
    check(
        "Url.component_as_tool -> Agent.tools",
        expect!["yes: Tool into Tool (other), becomes a tool"],
    );
    check(
        "In.component_as_tool -> Agent.tools",
        expect![
            "no: `ChatInput-00001` cannot be a tool: none of its fields is a tool argument; choose one of its outputs: `message`"
        ],
    );
    let data = built(NODES);
    let tool = after(
        &data,
        r#"{"op":"tool_mode","node":"URLComponent-00005","on":true}"#,
    );
    let refusal = can_connect(
        &read(&tool),
        &registry(),
        "Prompt Template-00003",
        "prompt",
        "URLComponent-00005",
        "urls",
    );
    expect!["`URLComponent-00005.urls` is an argument that the agent gives while `URLComponent-00005` is a tool; turn tool mode off to wire it"]
        .assert_eq(&refusal.unwrap_err().to_string());
}

#[test]
fn cycles() {
    let refusal = |spec: &str, [source, output, target, input]: [&str; 4]| {
        let data = built(spec);
        let outcome = can_connect(&read(&data), &registry(), source, output, target, input);
        outcome.map_or_else(|error| error.to_string(), |_| "yes".to_owned())
    };
    let chain = "nodes:\n  A: ConditionalRouter\n  B: Prompt Template\n  C: Prompt Template\nedges:\n  A.true_result -> B.topic\n  B.prompt -> C.topic";
    expect!["the wire would close a cycle that cannot end: Prompt Template-00003 -> ConditionalRouter-00001 -> Prompt Template-00002 -> Prompt Template-00003; lead it back into the loop port of a Loop instead"]
        .assert_eq(&refusal(chain, ["Prompt Template-00003", "prompt", "ConditionalRouter-00001", "input_text"]));
    // The loop port is on the way, so the cycle ends.
    let body = LOOP.replace("  P.parsed_text -> L.item\n", "")
        + "nodes:\n  X: Prompt Template\nedges:\n  X.prompt -> L.item";
    expect!["yes"].assert_eq(&refusal(
        &body,
        [
            "ParserComponent-00003",
            "parsed_text",
            "Prompt Template-00006",
            "topic",
        ],
    ));
}
