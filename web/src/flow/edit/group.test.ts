import { describe, expect, it } from "vitest";
import { chat, component, edge, field, output } from "../fixtures/build";
import { built, counting, frozen, taken } from "../fixtures/components";
import { parseFlow } from "../parse";
import { apply } from "./apply";
import { edgesOf, nodesOf, type FlowDocument } from "./document";
import type { Edit } from "./edits";
import { readEnds } from "./read";

function run(document: FlowDocument, edit: Edit): FlowDocument {
  frozen(document);
  const outcome = taken(apply(document, edit, counting()));
  expect(JSON.stringify(taken(apply(outcome.document, outcome.inverse)).document)).toBe(
    JSON.stringify(document),
  );
  return outcome.document;
}

const ends = (document: FlowDocument) =>
  edgesOf(document)
    .map((one) => Object.values(readEnds(one)).join(" "))
    .toSorted();

describe("a group", () => {
  const grouped = () => run(chat(), { op: "group", nodes: ["ChatInput-1", "Model-1"], name: "Ask" });

  it("takes nodes in and leads wires to its edge", () => {
    const flow = parseFlow(grouped());
    expect(flow.problems).toEqual([]);
    const group = flow.byId.get("GroupNode-00001");
    expect(group).toMatchObject({
      title: "Ask",
      group: { names: ["Chat Input", "Language Model"], wires: 1 },
    });
    expect(flow.wires).toMatchObject([
      {
        source: "GroupNode-00001",
        sourcePort: "out:Model-1_text_output",
        target: "ChatOutput-1",
        broken: false,
      },
    ]);
    const names = group?.kind === "component" ? group.fields.map(({ name }) => name) : [];
    // What an inner wire feeds cannot be set from outside.
    expect(names).toContain("input_value_ChatInput-1");
    expect(names).not.toContain("input_value_Model-1");
  });

  it("opened again is the flow as it was, in another order", () => {
    const open = run(grouped(), { op: "ungroup", node: "GroupNode-00001" });
    const byId = (document: FlowDocument) =>
      Object.fromEntries(nodesOf(document).map((node) => [node.id, node]));
    expect(byId(open)).toEqual(byId(chat()));
    expect(ends(open)).toEqual(ends(chat()));
    expect(parseFlow(open).wires.every(({ broken }) => !broken)).toBe(true);
  });

  it("opened elsewhere moves what is inside, and its values count", () => {
    const edited = taken(
      apply(grouped(), {
        op: "batch",
        edits: [
          { op: "move", moves: [{ node: "GroupNode-00001", x: 100, y: 50 }] },
          { op: "configure", node: "GroupNode-00001", values: { "input_value_ChatInput-1": "Hello" } },
        ],
      }),
    ).document;
    const open = parseFlow(run(edited, { op: "ungroup", node: "GroupNode-00001" }));
    expect(open.byId.get("Model-1")?.position).toEqual({ x: 580, y: 50 });
    const input = open.byId.get("ChatInput-1");
    expect(input?.kind === "component" && input.fields[0]).toMatchObject({
      value: "Hello",
      label: "Input Text",
      proxy: null,
    });
  });

  it("receives wires, also under an id that is taken by the time it is opened", () => {
    const first = run(chat(), { op: "group", nodes: ["Model-1", "ChatOutput-1"], name: "Answer" });
    expect(ends(first)).toEqual(["ChatInput-1 message GroupNode-00001 input_value_Model-1 false"]);
    const taken2 = { ...first, nodes: [...nodesOf(first), component("Model-1")] };
    const open = run(taken2, { op: "ungroup", node: "GroupNode-00001" });
    expect(ends(open)).toEqual([
      "ChatInput-1 message GroupNode-00001/Model-1 input_value false",
      "GroupNode-00001/Model-1 text_output ChatOutput-1 input_value false",
    ]);
    const flow = parseFlow(open);
    expect(flow.wires.every(({ broken }) => !broken)).toBe(true);
  });

  it("of an old file is opened by the names in its handles", () => {
    const inner = [component("in_1", { template: { t: field("t") }, outputs: [output("out", ["Message"])] })];
    const group = component("G", { flow: { nodes: inner, edges: [] }, template: {} });
    const document = {
      nodes: [group, component("X", { template: { q: field("q", { input_types: ["Message"] }) } })],
      edges: [edge("G", "in_1_out", "X", "q"), edge("G", "nowhere", "X", "q")],
    };
    const open = run(document, { op: "ungroup", node: "G" });
    expect(ends(open)).toEqual(["in_1 out X q false"]);
  });

  it("is refused where wires could not follow", () => {
    const why = (document: FlowDocument, edit: Edit): string => {
      const outcome = apply(document, edit, counting());
      return outcome.ok ? "taken" : outcome.refusal.message;
    };
    expect(why(chat(), { op: "group", nodes: [], name: "" })).toContain("at least one node");
    expect(why(chat(), { op: "group", nodes: ["note-1"], name: "" })).toBe("`note-1` is not a component");
    expect(why(chat(), { op: "group", nodes: ["ChatInput-1", "ChatOutput-1"], name: "" })).toBe(
      "wires would lead out of the group and back into it: ChatInput-1 -> Model-1 -> ChatOutput-1; take what lies between into the group",
    );
    const loop = built(
      ["LoopComponent", "ParserComponent"],
      [
        ["LoopComponent-00001", "item", "ParserComponent-00002", "input_data"],
        ["ParserComponent-00002", "parsed_text", "LoopComponent-00001", "item"],
      ],
    );
    expect(why(loop, { op: "group", nodes: ["LoopComponent-00001"], name: "" })).toContain(
      "enters the loop port",
    );
    expect(
      why(loop, { op: "group", nodes: ["LoopComponent-00001", "ParserComponent-00002"], name: "" }),
    ).toBe("taken");
    expect(why(chat(), { op: "ungroup", node: "Model-1" })).toBe("`Model-1` is not a group");
  });
});
