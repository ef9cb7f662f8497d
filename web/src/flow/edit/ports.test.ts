import { describe, expect, it } from "vitest";
import { approval } from "../fixtures/build";
import { built, counting, done, REGISTRY, taken } from "../fixtures/components";
import { apply } from "./apply";
import { edgesOf, nodesOf } from "./document";
import { converter, incompatible } from "./refusal";
import { findComponent, readRegistry } from "./registry";

const NODES = built(
  [
    "ChatInput",
    "ChatInput",
    "Prompt Template",
    "Agent",
    "URLComponent",
    "ConditionalRouter",
    "TypeConverterComponent",
    "LoopComponent",
    "ChatOutput",
  ],
  [
    ["ChatInput-00001", "message", "Prompt Template-00003", "topic"],
    ["Prompt Template-00003", "prompt", "Agent-00004", "input_value"],
    ["Agent-00004", "response", "ChatOutput-00009", "input_value"],
  ],
);

/** `Node.output -> Node.input`: the edge's types, or why not. */
function check(wire: string, document = NODES): string {
  const [from = "", to = ""] = wire.split(" -> ");
  const [source = "", output = ""] = from.split(".");
  const [target = "", input = ""] = to.split(".");
  const outcome = apply(document, { op: "connect", source, output, target, input }, counting());
  if (!outcome.ok) return `no: ${outcome.refusal.message}`;
  const data = edgesOf(outcome.document).at(-1)?.data;
  return `yes: ${JSON.stringify(data)}`;
}

describe("wires", () => {
  it("are written as the server writes them", () => {
    const document = built(
      ["ChatInput", "ChatOutput"],
      [["ChatInput-00001", "message", "ChatOutput-00002", "input_value"]],
    );
    const source =
      "{œdataTypeœ:œChatInputœ,œidœ:œChatInput-00001œ,œnameœ:œmessageœ,œoutput_typesœ:[œMessageœ]}";
    const target =
      "{œfieldNameœ:œinput_valueœ,œidœ:œChatOutput-00002œ,œinputTypesœ:[œDataœ,œJSONœ,œDataFrameœ,œTableœ,œMessageœ],œtypeœ:œotherœ}";
    expect(JSON.stringify(edgesOf(document)[0])).toBe(
      JSON.stringify({
        animated: false,
        className: "",
        data: {
          sourceHandle: {
            dataType: "ChatInput",
            id: "ChatInput-00001",
            name: "message",
            output_types: ["Message"],
          },
          targetHandle: {
            fieldName: "input_value",
            id: "ChatOutput-00002",
            inputTypes: ["Data", "JSON", "DataFrame", "Table", "Message"],
            type: "other",
          },
        },
        id: `reactflow__edge-ChatInput-00001${source}-ChatOutput-00002${target}`,
        selected: false,
        source: "ChatInput-00001",
        sourceHandle: source,
        target: "ChatOutput-00002",
        targetHandle: target,
      }),
    );
  });

  it.each([
    [
      "ChatInput-00002.message -> Prompt Template-00003.template",
      "ChatInput-00002.message -> Prompt Template-00003.template: the input takes no wire; set its value instead",
    ],
    [
      "ChatInput-00002.message -> Prompt Template-00003.topic",
      "`Prompt Template-00003.topic` takes one wire and has one from `ChatInput-00001.message`; disconnect that first",
    ],
    [
      "ChatInput-00001.message -> ChatInput-00001.input_value",
      "`ChatInput-00001` cannot be wired to itself; put another node between, or wire into a loop port",
    ],
    [
      "ChatInput-00001.message -> Gone.x",
      "there is no node `Gone`; there is `ChatInput-00001`, `ChatInput-00002`, `Prompt Template-00003`, `Agent-00004`, `URLComponent-00005`, `ConditionalRouter-00006`, `TypeConverterComponent-00007`, `LoopComponent-00008`, `ChatOutput-00009`",
    ],
    [
      "ChatInput-00001.text -> Agent-00004.input_value",
      "`ChatInput-00001` has no output `text`; it has `message`",
    ],
    [
      "ChatInput-00001.message -> Agent-00004.prompt",
      "`Agent-00004` has no input `prompt`; it has `input_value`, `tools`, `model`",
    ],
    [
      "ChatInput-00001.message -> Agent-00004.tools",
      "ChatInput-00001.message -> Agent-00004.tools: Message does not fit Tool; choose ports that have a type in common",
    ],
    [
      "ChatInput-00001.message -> ConditionalRouter-00006.hidden_text",
      "`ConditionalRouter-00006.hidden_text` is hidden with the present settings of `ConditionalRouter-00006`; change what hides it",
    ],
    [
      "URLComponent-00005.page_results -> LoopComponent-00008.item",
      "URLComponent-00005.page_results -> LoopComponent-00008.item: Table does not fit JSON or Message; put a `ParserComponent` between them, wired into its `input_data` and out of its `parsed_text`",
    ],
    [
      "ChatInput-00001.component_as_tool -> Agent-00004.tools",
      "`ChatInput-00001` cannot be a tool: none of its fields is a tool argument; choose one of its outputs: `message`",
    ],
    [
      "Agent-00004.response -> Prompt Template-00003.topic",
      "`Prompt Template-00003.topic` takes one wire and has one from `ChatInput-00001.message`; disconnect that first",
    ],
  ])("%s is refused in the server's words", (wire, words) => {
    expect(check(wire)).toBe(`no: ${words}`);
  });

  it("may carry a type under its old or new name, and close a loop", () => {
    expect(check("LoopComponent-00008.item -> TypeConverterComponent-00007.input_data")).toContain(
      '"output_types":["Data"]',
    );
    expect(check("Prompt Template-00003.prompt -> LoopComponent-00008.item")).toContain(
      '"targetHandle":{"dataType":"LoopComponent","id":"LoopComponent-00008","name":"item","output_types":["Data","Message"]}',
    );
  });

  it("may not close a cycle without a loop port", () => {
    const chain = built(
      ["ConditionalRouter", "Prompt Template", "Prompt Template"],
      [
        ["ConditionalRouter-00001", "true_result", "Prompt Template-00002", "topic"],
        ["Prompt Template-00002", "prompt", "Prompt Template-00003", "topic"],
      ],
    );
    expect(check("Prompt Template-00003.prompt -> ConditionalRouter-00001.input_text", chain)).toBe(
      "no: the wire would close a cycle that cannot end: Prompt Template-00003 -> ConditionalRouter-00001 -> Prompt Template-00002 -> Prompt Template-00003; lead it back into the loop port of a Loop instead",
    );
    const loop = built(
      ["LoopComponent", "ParserComponent", "Prompt Template"],
      [
        ["LoopComponent-00001", "item", "ParserComponent-00002", "input_data"],
        ["Prompt Template-00003", "prompt", "LoopComponent-00001", "item"],
      ],
    );
    expect(check("ParserComponent-00002.parsed_text -> Prompt Template-00003.topic", loop)).toContain("yes");
  });

  it("make a tool of the node whose toolset they leave, and then spare its arguments", () => {
    const wired = taken(
      apply(
        NODES,
        {
          op: "connect",
          source: "URLComponent-00005",
          output: "component_as_tool",
          target: "Agent-00004",
          input: "tools",
        },
        counting(),
      ),
    ).document;
    const url = nodesOf(wired)[4]?.data as { node: { tool_mode: boolean; outputs: { name: string }[] } };
    expect(url.node.tool_mode).toBe(true);
    expect(url.node.outputs.map(({ name }) => name)).toEqual(["component_as_tool"]);
    expect(check("ChatInput-00002.message -> URLComponent-00005.urls", wired)).toBe(
      "no: `URLComponent-00005.urls` is an argument that the agent gives while `URLComponent-00005` is a tool; turn tool mode off to wire it",
    );
  });

  it("that are there already are not drawn twice", () => {
    const outcome = taken(
      apply(NODES, {
        op: "connect",
        source: "ChatInput-00001",
        output: "message",
        target: "Prompt Template-00003",
        input: "topic",
      }),
    );
    expect(outcome.document).toBe(NODES);
    expect(outcome.patch.changes).toEqual([]);
  });

  it("lead the chosen output and its tab along", () => {
    const wired = done(NODES, [
      {
        op: "connect",
        source: "TypeConverterComponent-00007",
        output: "dataframe_output",
        target: "LoopComponent-00008",
        input: "data",
      },
    ]);
    expect(nodesOf(wired)[6]).toMatchObject({
      data: { selected_output: "dataframe_output", node: { template: { output_type: { value: "Table" } } } },
    });
  });

  it("between workflow nodes say then", () => {
    const wired = done(approval(), [
      { op: "connect", source: "ask", output: "reject", target: "writer", input: "" },
    ]);
    expect(edgesOf(wired).at(-1)).toEqual({
      id: "reactflow__edge-askreject-writer",
      source: "ask",
      sourceHandle: "reject",
      target: "writer",
      targetHandle: null,
    });
  });
});

describe("types that do not fit", () => {
  it.each([
    [["Data", "JSON"], ["Message"], "ParserComponent", "parsed_text"],
    [["Message"], ["Data", "JSON"], "TypeConverterComponent", "data_output"],
    [["Message"], ["DataFrame"], "TypeConverterComponent", "dataframe_output"],
  ])("%j to %j need a %s", (outputs, inputs, component, output) => {
    expect(converter(outputs, inputs)).toEqual({ component, input: "input_data", output });
    expect(incompatible(outputs, inputs)).toContain(`put a \`${component}\` between them`);
  });

  it("may have nothing between them", () => {
    expect(converter(["Message"], ["Tool"])).toBeNull();
    expect(incompatible([], ["Message"])).toBe("the output names no type; choose another output");
  });
});

describe("components", () => {
  it("are found by type, alias and extension", () => {
    expect(findComponent(REGISTRY, "Prompt")?.type).toBe("Prompt Template");
    expect(findComponent(REGISTRY, "ext:web:URLComponent@0.1")?.type).toBe("URLComponent");
    expect(findComponent(REGISTRY, "ext:web:AgentComponent@0.1")?.type).toBe("Agent");
    expect(findComponent(REGISTRY, "constructor")).toBeNull();
    expect(REGISTRY.byType.has("ChatInput")).toBe(true);
    expect(findComponent(REGISTRY, "URLComponent")).toMatchObject({ toolCapable: true, category: "tests" });
  });

  it.each([null, [], { a: 1, b: { c: null, d: { template: [] } } }])("%j has none", (all) => {
    expect(readRegistry(all).byType.size).toBe(0);
  });
});
