import { describe, expect, it } from "vitest";
import { approval } from "../fixtures/build";
import { built, REGISTRY } from "../fixtures/components";
import type { FlowDocument } from "./document";
import { componentsAfter, componentsBefore, fittingInputs, fittingOutputs, type Fit } from "./fit";

const FLOW = built(
  ["ChatInput", "Prompt Template", "Agent", "LoopComponent", "ChatOutput"],
  [
    ["ChatInput-00001", "message", "Prompt Template-00002", "topic"],
    ["Prompt Template-00002", "prompt", "Agent-00003", "input_value"],
  ],
);

const shown = (fits: Fit[]) =>
  Object.fromEntries(fits.map(({ node, port, refusal }) => [`${node}.${port}`, refusal?.code ?? "fits"]));

describe("a dragged wire", () => {
  it("fits some inputs and says why not the others", () => {
    const fits = fittingInputs(FLOW, REGISTRY, { node: "Agent-00003", output: "response" });
    expect(shown(fits)).toEqual({
      "Prompt Template-00002.topic": "occupied",
      "Agent-00003.input_value": "self_wire",
      "Agent-00003.tools": "self_wire",
      "Agent-00003.model": "self_wire",
      "LoopComponent-00004.data": "types",
      "LoopComponent-00004.item": "fits",
      "ChatOutput-00005.input_value": "fits",
    });
    expect(fits.find(({ port }) => port === "data")?.refusal?.message).toBe(
      "Agent-00003.response -> LoopComponent-00004.data: Message does not fit Table; put a `TypeConverterComponent` between them, wired into its `input_data` and out of its `dataframe_output`",
    );
  });

  it("fits some outputs when it is dragged the other way", () => {
    expect(shown(fittingOutputs(FLOW, REGISTRY, { node: "ChatOutput-00005", input: "input_value" }))).toEqual(
      {
        "ChatInput-00001.message": "fits",
        "Prompt Template-00002.prompt": "fits",
        "Agent-00003.response": "fits",
        "LoopComponent-00004.item": "fits",
        "LoopComponent-00004.done": "fits",
        "ChatOutput-00005.message": "self_wire",
      },
    );
  });

  it("does not lead back to where it comes from", () => {
    const open = built(
      ["Prompt Template", "Agent"],
      [["Prompt Template-00001", "prompt", "Agent-00002", "input_value"]],
    );
    const fits = fittingInputs(open, REGISTRY, { node: "Agent-00002", output: "response" });
    expect(shown(fits)).toMatchObject({ "Prompt Template-00001.topic": "cycle" });
  });

  it("joins workflow nodes by their named exits", () => {
    const fits = shown(fittingOutputs(approval(), REGISTRY, { node: "end", input: "in" }));
    expect(fits).toMatchObject({ "ask.approve": "fits", "ask.reject": "fits", "again.exit": "fits" });
    expect(Object.keys(fits)).not.toContain("end.out");
    const into = shown(fittingInputs(approval(), REGISTRY, { node: "ask", output: "reject" }));
    expect(into).toMatchObject({ "writer.in": "fits", "ask.in": "self_wire" });
    expect(Object.keys(into)).not.toContain("start.in");
  });

  it("knows ports that an old file leaves to the component", () => {
    const old: FlowDocument = {
      nodes: [
        { id: "a", type: "genericNode", data: { type: "ChatInput", node: {} } },
        { id: "b", type: "genericNode", data: { type: "Agent", node: {} } },
      ],
      edges: [],
    };
    expect(shown(fittingInputs(old, REGISTRY, { node: "a", output: "message" }))).toEqual({
      "b.input_value": "fits",
      "b.tools": "types",
      "b.model": "types",
    });
    expect(shown(fittingOutputs(old, REGISTRY, { node: "b", input: "input_value" }))).toMatchObject({
      "a.message": "fits",
    });
  });

  it("from nowhere fits nothing", () => {
    expect(fittingInputs(FLOW, REGISTRY, { node: "gone", output: "x" })).toEqual([]);
    expect(fittingOutputs(FLOW, REGISTRY, { node: "gone", input: "x" })).toEqual([]);
    expect(componentsAfter(FLOW, REGISTRY, { node: "gone", output: "x" })).toEqual([]);
    expect(componentsBefore(FLOW, REGISTRY, { node: "gone", input: "x" })).toEqual([]);
  });
});

describe("a loose end", () => {
  const names = (list: ReturnType<typeof componentsAfter>) =>
    list.map(({ component, port }) => `${component.type}.${port}`);

  it("offers components that take what comes", () => {
    expect(names(componentsAfter(FLOW, REGISTRY, { node: "LoopComponent-00004", output: "done" }))).toEqual([
      "ChatOutput.input_value",
      "ParserComponent.input_data",
      "TypeConverterComponent.input_data",
      "LoopComponent.data",
    ]);
    expect(componentsAfter(FLOW, REGISTRY, { node: "ChatInput-00001", output: "nope" })).toEqual([]);
    expect(componentsAfter(approval(), REGISTRY, { node: "ask", output: "approve" })).toEqual([]);
  });

  it("offers components that give what is wanted, tools among them", () => {
    expect(names(componentsBefore(FLOW, REGISTRY, { node: "Agent-00003", input: "tools" }))).toEqual([
      "URLComponent.component_as_tool",
    ]);
    expect(names(componentsBefore(FLOW, REGISTRY, { node: "LoopComponent-00004", input: "data" }))).toEqual([
      "TypeConverterComponent.dataframe_output",
      "LoopComponent.done",
      "URLComponent.page_results",
    ]);
    expect(componentsBefore(FLOW, REGISTRY, { node: "Agent-00003", input: "nope" })).toEqual([]);
    expect(componentsBefore(approval(), REGISTRY, { node: "end", input: "in" })).toEqual([]);
  });
});
