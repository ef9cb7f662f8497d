import { describe, expect, it } from "vitest";
import { approval, chat, component, edge, field, handle, note, output } from "./fixtures/build";
import type { ComponentNode } from "./model";
import { parseFlow } from "./parse";

function only(document: unknown): ComponentNode {
  const node = parseFlow(document).nodes[0];
  if (node?.kind !== "component") throw new Error("no component");
  return node;
}

describe("parseFlow", () => {
  it("reads components, notes and wires", () => {
    const flow = parseFlow({ name: "Chat", data: chat() });
    expect(flow.problems).toEqual([]);
    expect(flow.nodes.map((node) => node.kind)).toEqual(["component", "component", "component", "note"]);
    expect(
      flow.wires.map((wire) => [
        wire.source,
        wire.sourcePort,
        wire.target,
        wire.targetPort,
        wire.kind,
        wire.type,
      ]),
    ).toEqual([
      ["ChatInput-1", "out:message", "Model-1", "in:input_value", "data", "Message"],
      ["Model-1", "out:text_output", "ChatOutput-1", "in:input_value", "data", "Message"],
    ]);
    expect(flow.viewport).toEqual({ x: 10, y: 20, zoom: 0.8 });
  });

  it("shows the chosen output only, and every wired one", () => {
    const flow = parseFlow(chat());
    expect(flow.byId.get("Model-1")).toMatchObject({ shownOutputs: ["text_output"] });
  });

  it("shows all outputs when they are grouped, and loops as inputs too", () => {
    const loop = component("Loop-1", {
      outputs: [
        output("item", ["Data", "JSON"], { allows_loop: true, group_outputs: true }),
        output("done", ["DataFrame"], { group_outputs: true }),
        output("gone", ["Tool"], { hidden: true }),
      ],
    });
    const back = {
      source: "A-1",
      target: "Loop-1",
      sourceHandle: handle({ id: "A-1", name: "o", output_types: ["JSON"] }),
      targetHandle: handle({ dataType: "Loop", id: "Loop-1", name: "item", output_types: ["Data"] }),
    };
    const flow = parseFlow({
      nodes: [loop, component("A-1", { outputs: [output("o", ["JSON"])] })],
      edges: [back],
    });
    expect(flow.byId.get("Loop-1")).toMatchObject({ shownOutputs: ["item", "done"] });
    expect(flow.byId.get("Loop-1")?.ports.map((port) => port.id)).toEqual([
      "loop:item",
      "out:item",
      "out:done",
    ]);
    expect(flow.wires[0]).toMatchObject({ targetPort: "loop:item", broken: false });
  });

  it("prefers the handle objects and falls back to the strings", () => {
    const wire = edge("A-1", "o", "B-1", "f");
    const nodes = [
      component("A-1", { outputs: [output("o", ["Message"])] }),
      component("B-1", { template: { f: field("f", { input_types: ["Message"] }) } }),
    ];
    expect(parseFlow({ nodes, edges: [{ ...wire, data: undefined }] }).wires[0]?.broken).toBe(false);
    expect(
      parseFlow({ nodes, edges: [{ ...wire, sourceHandle: "junk", targetHandle: null }] }).wires[0]?.broken,
    ).toBe(false);
  });

  it("resolves group nodes through their proxies", () => {
    const group = component("Group-1", {
      flow: {
        data: { nodes: [{ data: { type: "Prompt", node: { display_name: "Prompt" } } }], edges: [{}] },
      },
      template: {
        inner_text: field("inner_text", {
          proxy: { id: "Prompt-9", field: "text" },
          input_types: ["Message"],
        }),
      },
      outputs: [output("prompt", ["Message"], { proxy: { id: "Prompt-9", name: "prompt" } })],
    });
    const a = component("A-1", {
      outputs: [output("o", ["Message"])],
      template: { f: field("f", { input_types: ["Message"] }) },
    });
    const into = {
      source: "A-1",
      target: "Group-1",
      data: {
        sourceHandle: { id: "A-1", name: "o", output_types: ["Message"] },
        targetHandle: { fieldName: "text", id: "Group-1", proxy: { id: "Prompt-9", field: "text" } },
      },
    };
    const outOf = {
      source: "Group-1",
      target: "A-1",
      data: {
        sourceHandle: { id: "Group-1", name: "Prompt-9_prompt", output_types: ["Message"] },
        targetHandle: { fieldName: "f", id: "A-1" },
      },
    };
    const flow = parseFlow({ nodes: [group, a], edges: [into, outOf] });
    expect(flow.wires.map((wire) => wire.broken)).toEqual([false, false]);
    expect(flow.byId.get("Group-1")).toMatchObject({ group: { names: ["Prompt"], wires: 1 } });
  });

  it("reads workflow nodes with named control ports", () => {
    const flow = parseFlow(approval());
    expect(flow.problems).toEqual([]);
    expect(flow.byId.get("check")?.ports.map((port) => [port.id, port.label])).toEqual([
      ["in:in", ""],
      ["out:short", "Too short"],
      ["out:else", "else"],
    ]);
    expect(flow.byId.get("ask")?.ports.map((port) => port.name)).toEqual(["in", "approve", "reject"]);
    expect(flow.byId.get("start")?.ports.map((port) => port.side)).toEqual(["out"]);
    expect(flow.wires.every((wire) => wire.kind === "control" && !wire.broken)).toBe(true);
    expect(flow.byId.get("memo")).toMatchObject({ kind: "note", markdown: "Ask **twice**" });
  });

  it("lets control reach components", () => {
    const document = {
      nodes: [{ id: "s", type: "start", position: { x: 0, y: 0 }, data: {} }, component("A-1")],
      edges: [{ source: "s", target: "A-1" }],
    };
    const flow = parseFlow(document);
    expect(flow.problems).toEqual([]);
    expect(flow.wires[0]).toMatchObject({ kind: "control", targetPort: "in:run" });
  });

  it("reads badges, minimised nodes and note colours", () => {
    const node = only({
      nodes: [
        component("A-1", {
          frozen: true,
          legacy: true,
          beta: true,
          tool_mode: true,
          data: { showNode: false },
        }),
      ],
    });
    expect(node).toMatchObject({
      minimised: true,
      badges: { frozen: true, legacy: true, beta: true, toolMode: true },
    });
    const colours = ["amber", "TRANSPARENT", "#abc", "url(x)", 7].map(
      (colour) => parseFlow({ nodes: [note("n", "", colour as string)] }).nodes[0],
    );
    expect(colours.map((item) => item?.kind === "note" && item.colour)).toEqual([
      { kind: "named", name: "amber" },
      { kind: "transparent" },
      { kind: "hex", hex: "#aabbcc" },
      { kind: "named", name: "amber" },
      { kind: "named", name: "amber" },
    ]);
  });
});

describe("broken documents", () => {
  it.each([null, undefined, 3, "x", []])("%j is no document", (document) => {
    expect(parseFlow(document).problems.map((item) => item.code)).toEqual(["document_missing"]);
  });

  it("an empty document has no problems", () => {
    expect(parseFlow({}).problems).toEqual([]);
    expect(parseFlow({ nodes: [], edges: [] }).problems).toEqual([]);
    expect(parseFlow({ nodes: null, edges: null }).problems).toEqual([]);
  });

  it("lists each thing that could not be drawn", () => {
    const codes = (document: unknown): string[] =>
      parseFlow(document).problems.map((item) => `${item.code}${item.lost ? "" : " (drawn)"}`);
    expect(codes({ nodes: 4, edges: {} })).toEqual(["nodes_not_list", "edges_not_list"]);
    expect(
      codes({ nodes: [null, {}, { id: "a", type: "custom", position: { x: 0, y: 0 } }, { id: "a" }] }),
    ).toEqual(["node_not_object", "node_no_id", "node_duplicate", "node_unknown_type (drawn)"]);
    expect(
      codes({
        nodes: [component("A-1")],
        edges: [3, {}, { source: "A-1", target: "gone" }, edge("A-1", "nope", "A-1", "nope")],
      }),
    ).toEqual([
      "edge_not_object",
      "edge_no_ends",
      "edge_missing_node",
      "edge_missing_port (drawn)",
      "edge_missing_port (drawn)",
    ]);
    expect(codes({ nodes: [{ id: "x", type: "genericNode", position: { x: 0, y: 0 }, data: {} }] })).toEqual([
      "node_no_component (drawn)",
    ]);
    expect(codes({ nodes: [{ ...component("A-1"), position: { x: "left" } }] })).toEqual([
      "node_no_position (drawn)",
    ]);
  });

  it("gives unknown nodes the ports their wires name", () => {
    const flow = parseFlow({
      nodes: [
        { id: "x", type: "rocket", position: { x: 0, y: 0 } },
        component("A-1", { template: { f: field("f") } }),
      ],
      edges: [edge("x", "fire", "A-1", "f")],
    });
    expect(flow.byId.get("x")?.ports).toMatchObject([{ id: "out:fire", types: ["Message"] }]);
  });

  it("keeps wire ids unique", () => {
    const wire = { id: "e", source: "a", target: "a" };
    const flow = parseFlow({
      nodes: [{ id: "a", type: "odd", position: { x: 0, y: 0 } }],
      edges: [wire, wire, wire],
    });
    expect(flow.wires.map((item) => item.id)).toEqual(["e", "e#2", "e#3"]);
  });

  it("puts nodes without a place beneath the others", () => {
    const flow = parseFlow({
      nodes: [component("A-1", { at: [100, 900] }), { id: "lost", type: "genericNode", data: {} }],
    });
    expect(flow.byId.get("lost")?.position).toEqual({ x: 100, y: 1300 });
  });

  it("adds up positions of nested nodes and survives a circle of parents", () => {
    const nodes = [
      { id: "p", type: "odd", parentId: "c", position: { x: 10, y: 10 } },
      { id: "c", type: "odd", parentId: "p", position: { x: 1, y: 2 } },
    ];
    expect(parseFlow({ nodes }).nodes).toHaveLength(2);
    expect(
      parseFlow({ nodes: [{ ...nodes[0], parentId: undefined }, nodes[1]] }).byId.get("c")?.position,
    ).toEqual({ x: 11, y: 12 });
  });
});
