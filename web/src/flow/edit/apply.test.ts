import { describe, expect, it } from "vitest";
import { approval, chat } from "../fixtures/build";
import { at, check, node, refused } from "../fixtures/check";
import { built, counting, done } from "../fixtures/components";
import type { JsonRecord } from "../json";
import { parseFlow } from "../parse";
import { apply, randomId } from "./apply";
import { edgesOf, openDocument, type FlowDocument } from "./document";
import { mergeEdits, removeNodes, type Edit } from "./edits";
import { getAt } from "./values";

const echo = () =>
  built(["ChatInput", "ChatOutput"], [["ChatInput-00001", "message", "ChatOutput-00002", "input_value"]]);

describe("nodes", () => {
  it("come as the server makes them", () => {
    const document = check(echo(), { op: "add", type: "Prompt", x: 10.5, y: -3 });
    const added = node(document, "Prompt Template-00501");
    expect(Object.keys(added ?? {})).toEqual(["id", "type", "position", "selected", "data"]);
    expect(added).toMatchObject({
      position: { x: 10.5, y: -3 },
      data: { type: "Prompt Template", showNode: true },
    });
    // What the palette's list adds stays there.
    expect(Object.keys(getAt(added, ["data", "node"]) as JsonRecord)).not.toContain("help");
  });

  it("come into an empty flow, which is empty again afterwards", () => {
    const document = check({}, { op: "add", type: "ChatInput", x: 0, y: 0 });
    expect(Object.keys(document)).toEqual(["nodes", "edges"]);
    check({ other: 1 }, { op: "note", text: "Hi" });
  });

  it("are refused with a reason", () => {
    expect(refused(echo(), { op: "add", type: "Nope", x: 0, y: 0 })).toMatch(
      /^there is no component of the type `Nope`; there is `Agent`, `ChatInput`/,
    );
    expect(refused(echo(), { op: "add", type: "ChatInput", id: "ChatInput-00001", x: 0, y: 0 })).toBe(
      "there is a node `ChatInput-00001` already; choose another id",
    );
    expect(refused(echo(), { op: "add", type: "ChatInput", x: Number.NaN, y: 0 })).toBe(
      "a position must be two finite numbers",
    );
    expect(refused(echo(), { op: "remove", node: "gone" })).toBe(
      "there is no node `gone` in the flow; it may have been removed",
    );
    expect(apply(echo(), { op: "add", type: "ChatInput", x: 0, y: 0 })).toMatchObject({ ok: false });
    const stuck = { ...counting(), ids: () => "00001" };
    expect(apply(echo(), { op: "add", type: "ChatInput", x: 0, y: 0 }, stuck)).toMatchObject({
      ok: false,
      refusal: { code: "node_exists" },
    });
  });

  it("go with their wires", () => {
    const document = check(chat(), { op: "remove", node: "Model-1" });
    expect(edgesOf(document)).toEqual([]);
    const none = check(chat(), removeNodes(["ChatInput-1", "Model-1", "ChatOutput-1", "note-1"]));
    expect(none).toEqual({ nodes: [], edges: [], viewport: { x: 10, y: 20, zoom: 0.8 } });
  });

  it("move, and only they change", () => {
    const before = chat();
    const document = check(before, { op: "move", moves: [{ node: "Model-1", x: 1, y: 2 }] }, ["Model-1"]);
    expect(document.edges).toBe(before.edges);
    expect(node(document, "Model-1")?.data).toBe(node(before, "Model-1")?.data);
    const unplaced = { nodes: [{ id: "a", data: {} }], edges: [] };
    expect(check(unplaced, { op: "move", moves: [{ node: "a", x: 1, y: 2 }] }, ["a"])).toEqual({
      nodes: [{ id: "a", data: {}, position: { x: 1, y: 2 } }],
      edges: [],
    });
    expect(refused(before, { op: "move", moves: [{ node: "a", x: 1, y: 2 }] })).toContain("no node `a`");
  });

  it("are renamed where their cards read the name", () => {
    const document = check(chat(), { op: "rename", node: "Model-1", name: "Brain", description: "Thinks" }, [
      "Model-1",
    ]);
    expect(parseFlow(document).byId.get("Model-1")).toMatchObject({ title: "Brain", description: "Thinks" });
    for (const id of ["writer", "start"]) {
      const flow = check(approval(), { op: "rename", node: id, name: "New" }, [id]);
      expect(parseFlow(flow).byId.get(id)?.title).toBe("New");
    }
    const labelled = {
      nodes: [{ id: "s", type: "start", position: { x: 0, y: 0 }, data: { label: "Go" } }],
      edges: [],
    };
    expect(at(check(labelled, { op: "rename", node: "s", name: "New" }, ["s"]), "s", "data.label")).toBe(
      "New",
    );
    expect(refused(chat(), { op: "rename", node: "note-1", name: "x" })).toBe("`note-1` is not a component");
  });

  it("freeze and shrink", () => {
    const cold = check(chat(), { op: "freeze", node: "Model-1", on: true }, ["Model-1"]);
    expect(parseFlow(cold).byId.get("Model-1")).toMatchObject({ badges: { frozen: true } });
    const small = check(chat(), { op: "minimise", node: "Model-1", on: true }, ["Model-1"]);
    expect(parseFlow(small).byId.get("Model-1")).toMatchObject({ minimised: true });
    expect(refused(chat(), { op: "freeze", node: "note-1", on: true })).toBe("`note-1` is not a component");
  });
});

describe("notes", () => {
  it("come, change and grow", () => {
    const made = check(chat(), { op: "note", text: "Hi", color: "lime", x: 5, y: 6 });
    expect(parseFlow(made).byId.get("note-00501")).toMatchObject({
      kind: "note",
      markdown: "Hi",
      colour: { name: "lime" },
      position: { x: 5, y: 6 },
    });
    const changed = check(chat(), { op: "note", node: "note-1", text: "New", color: "rose" }, ["note-1"]);
    expect(parseFlow(changed).byId.get("note-1")).toMatchObject({
      markdown: "New",
      colour: { name: "rose" },
    });
    const memo = check(approval(), { op: "note", node: "memo", text: "Once" }, ["memo"]);
    expect(parseFlow(memo).byId.get("memo")).toMatchObject({ markdown: "Once" });
    const large = check(chat(), { op: "resize", node: "note-1", width: 500, height: 10, x: -5, y: 0 }, [
      "note-1",
    ]);
    expect(node(large, "note-1")).toMatchObject({ width: 500, height: 140, position: { x: -5, y: 0 } });
  });

  it("follow their style where that repeats the size", () => {
    const old = {
      nodes: [{ id: "n", type: "noteNode", style: { width: 1, color: "red" }, data: {} }],
      edges: [],
    };
    const document = check(old, { op: "resize", node: "n", width: 400, height: 300 }, ["n"]);
    expect(node(document, "n")?.style).toEqual({ width: 400, color: "red" });
  });

  it("are told from other nodes", () => {
    expect(refused(chat(), { op: "note", node: "Model-1", text: "x" })).toBe("`Model-1` is not a note");
    expect(refused(chat(), { op: "resize", node: "Model-1", width: 400, height: 300 })).toBe(
      "`Model-1` is not a note",
    );
    expect(refused(chat(), { op: "resize", node: "note-1", width: 0, height: 300 })).toContain(
      "a size must be",
    );
  });
});

describe("wires", () => {
  it("go between two nodes, or at a port, or nothing happens", () => {
    const between: Edit = { op: "disconnect", source: "ChatInput-1", target: "Model-1" };
    expect(edgesOf(check(chat(), between))).toHaveLength(1);
    expect(edgesOf(check(chat(), { ...between, input: "other" }))).toHaveLength(2);
    expect(edgesOf(check(chat(), { ...between, output: "message", input: "input_value" }))).toHaveLength(1);
  });

  it("are cut by the id they are drawn under", () => {
    const plain = approval();
    const [first, ...rest] = edgesOf(plain);
    const { id: _id, ...unnamed } = first ?? {};
    const odd = { ...plain, edges: [unnamed, ...rest, ...rest] };
    for (const wire of parseFlow(odd).wires) {
      const left = parseFlow(check(odd, { op: "cut", wire: wire.id })).wires;
      expect(left).toHaveLength(edgesOf(odd).length - 1);
    }
    const [, twin] = parseFlow(odd).wires.filter(
      ({ source, target }) => source === "writer" && target === "check",
    );
    expect(twin?.id).toMatch(/#2$/);
    expect(refused(plain, { op: "cut", wire: "nope" })).toContain("there is no wire `nope`");
  });

  it("are reconnected in one edit, or stay", () => {
    const document = built(
      ["ChatInput", "ChatOutput", "Agent"],
      [["ChatInput-00001", "message", "ChatOutput-00002", "input_value"]],
    );
    const off: Edit = { op: "disconnect", source: "ChatInput-00001", target: "ChatOutput-00002" };
    const on = (input: string): Edit => ({
      op: "connect",
      source: "ChatInput-00001",
      output: "message",
      target: "Agent-00003",
      input,
    });
    expect(edgesOf(check(document, { op: "batch", edits: [off, on("input_value")] }))[0]?.target).toBe(
      "Agent-00003",
    );
    expect(refused(document, { op: "batch", edits: [off, on("tools")] })).toContain(
      "Message does not fit Tool",
    );
  });
});

describe("documents", () => {
  it("are replaced whole", () => {
    expect(check(chat(), { op: "set_flow", data: { nodes: [], edges: [] } })).toEqual({
      nodes: [],
      edges: [],
    });
    expect(check(chat(), { op: "set_flow", data: "{}" })).toEqual({});
    expect(refused(chat(), { op: "set_flow", data: "{" })).toContain("the flow data is not an object");
  });

  it.each([
    [[], "the flow data is not an object"],
    [{ nodes: {}, edges: [] }, "`nodes` is not a list"],
    [{ nodes: [] }, "`edges` is not a list"],
    [{ nodes: [1], edges: [] }, "`nodes[0]` has no id"],
    [{ nodes: [{ id: "a" }, { id: "a" }], edges: [] }, "`nodes[1]` repeats the id `a`"],
    [{ nodes: [], edges: [null] }, "`edges[0]` does not name the nodes it joins"],
    [{ nodes: [], edges: [{ source: "a" }] }, "`edges[0]` does not name the nodes it joins"],
  ])("%j cannot be edited", (value, reason) => {
    const opened = openDocument(value);
    expect(opened.ok ? "" : opened.reason).toContain(reason);
    if (!Array.isArray(value)) expect(refused(value as FlowDocument, { op: "note" })).toContain(reason);
  });

  it("are found inside a flow", () => {
    const data = chat();
    const opened = openDocument({ name: "Chat", data });
    expect(opened.ok && opened.document).toBe(data);
  });

  it("keep what nobody here knows", () => {
    const odd = JSON.parse(
      '{"zeta":[1],"nodes":[{"zz":{"y":1},"id":"a","__proto__":{"x":1},"position":{"y":1,"z":9,"x":0},"data":{"node":{"template":{}}}}],"edges":[]}',
    ) as FlowDocument;
    check(odd, { op: "move", moves: [{ node: "a", x: 5, y: 5 }] }, ["a"]);
    const moved = done(odd, [{ op: "move", moves: [{ node: "a", x: 5, y: 6 }] }]);
    expect(JSON.stringify(moved)).toBe(
      JSON.stringify(odd).replace('{"y":1,"z":9,"x":0}', '{"y":6,"z":9,"x":5}'),
    );
  });
});

describe("edits", () => {
  it("merge where that means the same", () => {
    const move = (node: string, x: number): Edit => ({ op: "move", moves: [{ node, x, y: 0 }] });
    expect(
      mergeEdits(
        {
          op: "move",
          moves: [
            { node: "a", x: 1, y: 1 },
            { node: "b", x: 1, y: 1 },
          ],
        },
        move("a", 2),
      ),
    ).toEqual({
      op: "move",
      moves: [
        { node: "b", x: 1, y: 1 },
        { node: "a", x: 2, y: 0 },
      ],
    });
    const type = (node: string, x: string): Edit => ({ op: "configure", node, values: { x } });
    expect(mergeEdits(type("a", "h"), type("a", "he"))).toEqual(type("a", "he"));
    expect(mergeEdits(type("a", "h"), type("b", "he"))).toBeNull();
    expect(
      mergeEdits({ op: "note", node: "n", text: "a", color: "rose" }, { op: "note", node: "n", text: "ab" }),
    ).toEqual({ op: "note", node: "n", text: "ab", color: "rose" });
    expect(mergeEdits({ op: "note", text: "a" }, { op: "note", text: "b" })).toBeNull();
    expect(
      mergeEdits({ op: "rename", node: "a", name: "x" }, { op: "rename", node: "a", name: "xy" }),
    ).toEqual({
      op: "rename",
      node: "a",
      name: "xy",
    });
    expect(
      mergeEdits(
        { op: "resize", node: "a", width: 1, height: 1 },
        { op: "resize", node: "a", width: 2, height: 3 },
      ),
    ).toEqual({ op: "resize", node: "a", width: 2, height: 3 });
  });

  it("give ids of five letters and digits", () => {
    expect(randomId()).toMatch(/^[A-Za-z0-9]{5}$/);
    expect(new Set(Array.from({ length: 50 }, randomId)).size).toBeGreaterThan(45);
  });
});
