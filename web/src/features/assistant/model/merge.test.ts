import { describe, expect, it } from "vitest";
import { flowLayouts } from "@/flow/card";
import { edgesOf, nodesOf } from "@/flow/edit/document";
import { collides } from "@/flow/edit/place";
import { chat, component, edge, field, note, output } from "@/flow/fixtures/build";
import { text, type JsonRecord } from "@/flow/json";
import { parseFlow } from "@/flow/parse";
import { mergeInto } from "./merge";

const proposal = (): JsonRecord => ({
  name: "Proposed",
  description: "",
  data: {
    nodes: [
      component("ChatInput-1", { at: [-200, 50], outputs: [output("message", ["Message"])] }),
      component("Agent-9", {
        at: [200, 60],
        template: { input_value: field("input_value", { input_types: ["Message"] }) },
        outputs: [output("response", ["Message"])],
      }),
    ],
    edges: [edge("ChatInput-1", "message", "Agent-9", "input_value")],
  },
});

const ids = (document: JsonRecord): string[] => nodesOf(document).map((node) => text(node.id));
const counter = () => {
  let count = 0;
  return () => `aaaaa${(count += 1)}`;
};

describe("adding a proposed flow", () => {
  it.each([{}, { nodes: [], edges: [] }])("leaves it as it came on an empty canvas (%j)", (empty) => {
    const { document, idOf } = mergeInto(empty, proposal());
    const data = proposal().data as JsonRecord;
    expect(document).toEqual({ nodes: data.nodes, edges: data.edges });
    expect([...idOf]).toEqual([["ChatInput-1", "ChatInput-1"], ["Agent-9", "Agent-9"]]);
  });

  it("keeps ids that nobody has", () => {
    const { document } = mergeInto({ nodes: [component("Other-1")], edges: [] }, proposal());
    expect(ids(document)).toEqual(["Other-1", "ChatInput-1", "Agent-9"]);
    expect(edgesOf(document)).toEqual((proposal().data as JsonRecord).edges);
  });

  it("puts it to the right of everything, with a gap, and no higher or lower than it was", () => {
    const { document } = mergeInto(chat(), proposal());
    const flow = parseFlow(document);
    const layouts = flowLayouts(flow);
    const right = Math.max(
      ...parseFlow(chat()).nodes.map(({ id, position }) => position.x + (layouts.get(id)?.size.width ?? 0)),
    );
    const [first, second] = flow.nodes.slice(-2);
    expect(first?.position).toEqual({ x: right + 80, y: 50 });
    expect(second?.position).toEqual({ x: right + 480, y: 60 });
  });

  it("covers nobody, also where cards are wide and notes lie around", () => {
    const canvas = { nodes: [...nodesOf(chat()), note("note-9", "far", "blue", [2000, 0])], edges: [] };
    const flow = parseFlow(mergeInto(canvas, proposal()).document);
    const layouts = flowLayouts(flow);
    const boxes = flow.nodes.map(({ id, position }) => ({
      ...position,
      ...(layouts.get(id)?.size ?? { width: 0, height: 0 }),
    }));
    const [old, fresh] = [boxes.slice(0, 5), boxes.slice(5)];
    expect(fresh.some((box) => old.some((other) => collides(box, other)))).toBe(false);
  });

  it("gives an id that is taken a new ending, six letters and digits", () => {
    const { document, idOf } = mergeInto(chat(), proposal());
    const fresh = idOf.get("ChatInput-1") ?? "";
    expect(fresh).toMatch(/^ChatInput-[0-9a-z]{6}$/);
    expect(idOf.get("Agent-9")).toBe("Agent-9");
    const node = nodesOf(document).find(({ id }) => id === fresh);
    expect(node?.data).toMatchObject({ id: fresh });
  });

  it("gives several new ids, each its own", () => {
    const { document, idOf } = mergeInto(chat(), chat());
    expect(new Set(ids(document)).size).toBe(8);
    expect([...idOf].every(([old, now]) => old !== now)).toBe(true);
    expect(idOf.get("Model-1")).toMatch(/^Model-/);
  });

  it("leads wires to the new ids, in their handles too", () => {
    const { document } = mergeInto(chat(), proposal(), counter());
    const added = edgesOf(document).at(-1);
    expect(added).toMatchObject({
      source: "ChatInput-aaaaa1",
      target: "Agent-9",
      data: { sourceHandle: { id: "ChatInput-aaaaa1" }, targetHandle: { id: "Agent-9" } },
    });
    expect(text(added?.sourceHandle)).toContain("ChatInput-aaaaa1");
    expect(parseFlow(document).wires.at(-1)).toMatchObject({ broken: false });
    expect(parseFlow(document).wires).toHaveLength(3);
  });

  it("gives a wire whose id is taken another", () => {
    const there = { nodes: [component("A-1"), component("B-1")], edges: [{ ...edge("A-1", "o", "B-1", "i"), id: "same" }] };
    const coming = {
      nodes: [component("C-1"), component("D-1")],
      edges: [{ ...edge("C-1", "o", "D-1", "i"), id: "same" }, { ...edge("D-1", "o", "C-1", "i"), id: "same" }],
    };
    const { document } = mergeInto(there, coming, counter());
    expect(edgesOf(document).map(({ id }) => id)).toEqual(["same", "same-aaaaa1", "same-aaaaa2"]);
  });

  it("makes two copies when it is done twice, the second beyond the first", () => {
    const once = mergeInto(chat(), proposal()).document;
    const twice = mergeInto(once, proposal()).document;
    expect(new Set(ids(twice)).size).toBe(8);
    const flow = parseFlow(twice);
    const [first, second] = [flow.nodes.at(-4), flow.nodes.at(-2)];
    expect((second?.position.x ?? 0) > (first?.position.x ?? 0)).toBe(true);
    expect(flow.wires).toHaveLength(4);
    expect(flow.wires.every(({ broken }) => !broken)).toBe(true);
  });

  it("tries again when the new id is taken as well, by either side", () => {
    const endings = ["1", "9", "free01"];
    const flow = { nodes: [component("Agent-1"), component("Agent-9")], edges: [] };
    const { idOf } = mergeInto({ nodes: [component("Agent-1")], edges: [] }, flow, () => endings.shift() ?? "");
    expect([...idOf.values()]).toEqual(["Agent-free01", "Agent-9"]);
  });

  it("adds nothing rather than something broken when no id is free", () => {
    const { document } = mergeInto(chat(), proposal(), () => "1");
    expect(document).toEqual(chat());
  });

  it("keeps a second Chat Input: nothing is left out in silence", () => {
    const { document } = mergeInto(chat(), proposal());
    expect(ids(document).filter((id) => id.startsWith("ChatInput-"))).toHaveLength(2);
  });

  it("changes neither of the two", () => {
    const [there, coming] = [chat(), proposal()];
    mergeInto(there, coming);
    expect([there, coming]).toEqual([chat(), proposal()]);
  });

  it("moves what stands inside another with it, and not twice", () => {
    const flow = {
      nodes: [component("Model-1", { at: [10, 0] }), { ...component("In-1", { at: [5, 5] }), parentId: "Model-1" }],
      edges: [],
    };
    const { document, idOf } = mergeInto(chat(), flow);
    const inside = nodesOf(document).find(({ id }) => id === "In-1");
    expect(inside).toMatchObject({ parentId: idOf.get("Model-1"), position: { x: 5, y: 5 } });
  });

  it("leaves out wires that lead to nothing", () => {
    const { document } = mergeInto({}, { nodes: [component("A-1")], edges: [edge("A-1", "o", "Gone-1", "i")] });
    expect(edgesOf(document)).toEqual([]);
  });

  it.each([[null], ["text"], [{ data: { nodes: 1, edges: [] } }], [{ nodes: [{}], edges: [] }]])(
    "takes nothing that is no flow: %j",
    (flow) => {
      const there = chat();
      expect(mergeInto(there, flow)).toEqual({ document: there, idOf: new Map() });
    },
  );
});
