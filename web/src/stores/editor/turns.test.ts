import { beforeEach, describe, expect, it, vi } from "vitest";
import type { FlowRead } from "@/api/types";
import type { Edit } from "@/flow/edit/edits";
import { turnChanges } from "@/flow/edit/turns";
import { chat, component, edge, field, output } from "@/flow/fixtures/build";
import type { JsonRecord } from "@/flow/json";
import { edit, onRefusal, redo, undo } from "./actions";
import { createEditor, type Editor } from "./state";
import { keepHistory, keptHistory } from "./storage";
import { editInTurn, hasTurn, undoTurn } from "./turns";

function editorOf(data: unknown = chat()): Editor {
  return createEditor({ id: "f1", data, revision: 1, locked: false, updated_at: "" } as unknown as FlowRead);
}

const agent = (id: string, at: [number, number] = [900, 0]): JsonRecord =>
  component(id, {
    at,
    template: { input_value: field("input_value", { input_types: ["Message"] }) },
    outputs: [output("response", ["Message"])],
  });
const insert = (id: string): Edit => ({ op: "patch", changes: [{ change: "insert_node", index: 99, item: agent(id) }] });
const wire = (from: string, out: string, to: string, into: string): Edit => ({
  op: "patch",
  changes: [{ change: "insert_wire", index: 99, item: edge(from, out, to, into) }],
});
const say = (text: string, node = "ChatInput-1"): Edit => ({ op: "configure", node, values: { input_value: text } });
const ids = (editor: Editor): string[] => editor.getState().flow.nodes.map(({ id }) => id);
const steps = (editor: Editor): number => editor.getState().history.done.length;
const shape = (editor: Editor): unknown => structuredClone(editor.getState().document);

const START = ["ChatInput-1", "Model-1", "ChatOutput-1", "note-1"];
const refused = vi.fn();

beforeEach(() => {
  refused.mockClear();
  sessionStorage.clear();
  return onRefusal(({ code }) => refused(code));
});

describe("a turn", () => {
  it("is one step of undo, however far apart its edits are", () => {
    vi.useFakeTimers({ now: 0 });
    const editor = editorOf();
    const before = shape(editor);
    editInTurn(editor, "t1", insert("Agent-1"));
    vi.setSystemTime(60_000);
    editInTurn(editor, "t1", say("hello"));
    vi.setSystemTime(120_000);
    editInTurn(editor, "t1", wire("ChatInput-1", "message", "Agent-1", "input_value"));
    vi.useRealTimers();
    const after = shape(editor);
    expect(steps(editor)).toBe(1);
    expect(undo(editor)).toBe(true);
    expect(editor.getState().document).toEqual(before);
    expect(redo(editor)).toBe(true);
    expect(editor.getState().document).toEqual(after);
    expect(hasTurn(editor, "t1")).toBe(true);
  });

  it("does not swallow another turn, nor what the person does after it", () => {
    const editor = editorOf();
    editInTurn(editor, "t1", say("one"));
    editInTurn(editor, "t2", say("two"));
    edit(editor, say("three"));
    edit(editor, say("three!"));
    expect(steps(editor)).toBe(3);
  });

  it("stays one step around an edit of the person that has nothing to do with it", () => {
    const editor = editorOf();
    const before = shape(editor);
    editInTurn(editor, "t1", insert("Agent-1"));
    edit(editor, { op: "move", moves: [{ node: "ChatOutput-1", x: 5, y: 6 }] });
    editInTurn(editor, "t1", say("hello", "Agent-1"));
    expect(steps(editor)).toBe(2);
    const whole = shape(editor);
    undo(editor);
    expect(editor.getState().flow.byId.get("ChatOutput-1")?.position).not.toEqual({ x: 5, y: 6 });
    expect(ids(editor)).toContain("Agent-1");
    undo(editor);
    expect(editor.getState().document).toEqual(before);
    redo(editor);
    redo(editor);
    expect(editor.getState().document).toEqual(whole);
  });

  it("begins a second step on top of what the person did to the same thing", () => {
    const editor = editorOf();
    editInTurn(editor, "t1", say("one"));
    edit(editor, say("mine"));
    editInTurn(editor, "t1", say("two"));
    expect(steps(editor)).toBe(3);
    undo(editor);
    undo(editor);
    expect(editor.getState().flow.byId.get("ChatInput-1")?.raw).toMatchObject({
      data: { node: { template: { input_value: { value: "one" } } } },
    });
  });

  it("begins a second step for a wire to a node of the person, so that undo leaves no loose end", () => {
    const editor = editorOf();
    editInTurn(editor, "t1", insert("Agent-1"));
    edit(editor, insert("Agent-2"));
    editInTurn(editor, "t1", wire("Agent-1", "response", "Agent-2", "input_value"));
    expect(steps(editor)).toBe(3);
    undo(editor);
    undo(editor);
    expect(ids(editor)).not.toContain("Agent-2");
    expect(editor.getState().flow.problems).toEqual(editorOf().getState().flow.problems);
  });

  it("leaves nothing to undo when it takes back itself what it did", () => {
    const editor = editorOf();
    editInTurn(editor, "t1", say("one"));
    editInTurn(editor, "t1", say("Hi"));
    expect(steps(editor)).toBe(0);
  });

  it("says why it is refused, and is silent when asked to be", () => {
    const editor = editorOf();
    expect(editInTurn(editor, "t1", { op: "remove", node: "No-1" })?.ok).toBe(false);
    expect(refused).toHaveBeenCalledWith("unknown_node");
    refused.mockClear();
    editInTurn(editor, "t1", { op: "remove", node: "No-1" }, { quiet: true });
    expect(refused).not.toHaveBeenCalled();
    expect(steps(editor)).toBe(0);
  });

  it("changes nothing in a locked flow", () => {
    const editor = editorOf();
    editor.setState({ locked: true });
    expect(editInTurn(editor, "t1", insert("Agent-1"))).toBeNull();
    expect(undoTurn(editor, "t1")).toBe(false);
    expect(ids(editor)).not.toContain("Agent-1");
  });

  it("goes to the server step by step, and undoing it too", () => {
    const editor = editorOf();
    editInTurn(editor, "t1", insert("Agent-1"));
    editInTurn(editor, "t1", say("x", "Agent-1"));
    undoTurn(editor, "t1");
    expect(editor.getState().steps).toHaveLength(3);
  });
});

describe("taking a turn back", () => {
  it("does the same as undo when nothing came after it", () => {
    const editor = editorOf();
    const before = shape(editor);
    editInTurn(editor, "t1", insert("Agent-1"));
    editInTurn(editor, "t1", wire("ChatInput-1", "message", "Agent-1", "input_value"));
    const after = shape(editor);
    expect(undoTurn(editor, "t1")).toBe(true);
    expect(editor.getState().document).toEqual(before);
    redo(editor);
    expect(editor.getState().document).toEqual(after);
  });

  it("leaves later work of the person that does not stand on it, which can still be undone", () => {
    const editor = editorOf();
    editInTurn(editor, "t1", insert("Agent-1"));
    edit(editor, say("mine"));
    edit(editor, { op: "note", text: "hello" });
    expect(undoTurn(editor, "t1")).toBe(true);
    expect(ids(editor)).not.toContain("Agent-1");
    expect(steps(editor)).toBe(2);
    undo(editor);
    undo(editor);
    expect(ids(editor)).toEqual(START);
    expect(refused).not.toHaveBeenCalled();
  });

  it("takes all of its steps", () => {
    const editor = editorOf();
    editInTurn(editor, "t1", insert("Agent-1"));
    edit(editor, insert("Agent-2"));
    editInTurn(editor, "t1", wire("Agent-1", "response", "Agent-2", "input_value"));
    const after = shape(editor);
    expect(undoTurn(editor, "t1")).toBe(true);
    expect(ids(editor)).toEqual([...START, "Agent-2"]);
    expect(hasTurn(editor, "t1")).toBe(false);
    redo(editor);
    redo(editor);
    const { nodes, edges } = shape(editor) as { nodes: JsonRecord[]; edges: unknown };
    const known = after as { nodes: JsonRecord[]; edges: unknown };
    expect(nodes.map(({ id }) => id).toSorted()).toEqual(known.nodes.map(({ id }) => id).toSorted());
    expect(edges).toEqual(known.edges);
  });

  it("takes a node along that was only moved, and forgets the move", () => {
    const editor = editorOf();
    editInTurn(editor, "t1", insert("Agent-1"));
    edit(editor, { op: "move", moves: [{ node: "Agent-1", x: 1, y: 2 }, { node: "ChatInput-1", x: 3, y: 4 }] });
    expect(undoTurn(editor, "t1")).toBe(true);
    expect(ids(editor)).not.toContain("Agent-1");
    expect(undo(editor)).toBe(true);
    expect(editor.getState().flow.byId.get("ChatInput-1")?.position).not.toEqual({ x: 3, y: 4 });
    expect(refused).not.toHaveBeenCalled();
  });

  it("brings a node that was moved back to where it was moved", () => {
    const editor = editorOf();
    editInTurn(editor, "t1", insert("Agent-1"));
    edit(editor, { op: "move", moves: [{ node: "Agent-1", x: 1, y: 2 }] });
    undoTurn(editor, "t1");
    redo(editor);
    expect(editor.getState().flow.byId.get("Agent-1")?.position).toEqual({ x: 1, y: 2 });
  });

  it.each([
    ["a value of a new node", (editor: Editor) => edit(editor, say("mine", "Agent-1"))],
    ["a wire to a new node", (editor: Editor) => edit(editor, wire("ChatInput-1", "message", "Agent-1", "input_value"))],
    ["a value the turn set", (editor: Editor) => edit(editor, say("mine"))],
    ["everything", (editor: Editor) => edit(editor, { op: "set_flow", data: { nodes: [], edges: [] } })],
  ])("refuses when the person changed %s since, and changes nothing", (_, change) => {
    const editor = editorOf();
    editInTurn(editor, "t1", insert("Agent-1"));
    editInTurn(editor, "t1", say("its own"));
    change(editor);
    const before = editor.getState();
    expect(undoTurn(editor, "t1")).toBe(false);
    expect(refused).toHaveBeenCalledWith("built_on");
    expect(editor.getState()).toBe(before);
  });

  it("can be done after a reload", () => {
    const editor = editorOf();
    const before = shape(editor);
    editInTurn(editor, "t1", insert("Agent-1"));
    edit(editor, say("mine"));
    const { document, history } = editor.getState();
    keepHistory("f1", document, history);
    const again = editorOf(structuredClone(document));
    again.setState({ history: keptHistory("f1", again.getState().document) });
    editInTurn(again, "t1", say("more", "Agent-1"));
    expect(steps(again)).toBe(2);
    expect(undoTurn(again, "t1")).toBe(true);
    undo(again);
    expect(again.getState().document).toEqual(before);
  });

  it("is nothing when there is nothing of the turn", () => {
    expect(undoTurn(editorOf(), "t1")).toBe(false);
    expect(refused).not.toHaveBeenCalled();
  });
});

/** Numbers that look like chance and are the same every time. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % sides;
  };
}

/** Something to do to the flow as it is; much of it does not fit, which is fine. */
function anything(editor: Editor, roll: (sides: number) => number, count: number): Edit {
  const known = ids(editor);
  const one = (): string => known[roll(known.length)] ?? "";
  const value = `v${roll(3)}`;
  const all: Edit[] = [
    insert(`Agent-${count}`),
    { op: "remove", node: one() },
    say(value, one()),
    { op: "move", moves: [{ node: one(), x: roll(500), y: roll(500) }] },
    { op: "connect", source: one(), output: "response", target: one(), input: "input_value" },
    { op: "disconnect", source: one(), target: one() },
    { op: "rename", node: one(), name: value },
    { op: "note", text: value },
  ];
  return all[roll(all.length)] ?? insert(`Agent-${count}`);
}

describe("whatever a turn and a person do between each other", () => {
  it.each(Array.from({ length: 60 }, (_, seed) => seed))("undo leads back to the start, and redo to the end (%i)", (seed) => {
    const roll = dice(seed * 7919 + 1);
    const editor = editorOf();
    const start = shape(editor);
    for (let count = 0; count < 25; count += 1) {
      const wanted = anything(editor, roll, count);
      if (roll(2) === 0) editInTurn(editor, "t1", wanted, { quiet: true });
      else edit(editor, wanted, { quiet: true });
    }
    const end = shape(editor);
    const taken = undoTurn(editor, "t1");
    if (taken) expect(hasTurn(editor, "t1")).toBe(false);
    while (steps(editor) > 0) expect(undo(editor)).toBe(true);
    expect(sorted(shape(editor))).toEqual(sorted(start));
    while (editor.getState().history.undone.length > 0) expect(redo(editor)).toBe(true);
    expect(sorted(shape(editor))).toEqual(sorted(end));
  });
});

/** Steps that changed their order may leave lists in another. */
function sorted(document: unknown): unknown {
  const { nodes, edges } = document as { nodes: JsonRecord[]; edges: JsonRecord[] };
  const by = (list: JsonRecord[]): JsonRecord[] => list.toSorted((a, b) => String(a.id).localeCompare(String(b.id)));
  return { nodes: by(nodes), edges: by(edges) };
}

describe("what a turn changed", () => {
  it("is told node by node, and counted as a person would", () => {
    const editor = editorOf();
    editInTurn(editor, "t1", insert("Agent-1"));
    editInTurn(editor, "t1", say("x", "Agent-1"));
    editInTurn(editor, "t1", say("hello"));
    editInTurn(editor, "t1", wire("ChatInput-1", "message", "Agent-1", "input_value"));
    const changes = turnChanges(editor.getState().history, "t1");
    expect(changes).toMatchObject({ added: new Set(["Agent-1"]), changed: new Set(["ChatInput-1"]), count: 3 });
  });

  it("says nothing of what came and went, nor of wires that went with their node", () => {
    const editor = editorOf();
    editInTurn(editor, "t1", insert("Agent-1"));
    editInTurn(editor, "t1", { op: "remove", node: "Agent-1" });
    expect(turnChanges(editor.getState().history, "t1").count).toBe(0);
    editInTurn(editor, "t1", { op: "remove", node: "ChatOutput-1" });
    expect(turnChanges(editor.getState().history, "t1")).toMatchObject({
      removed: new Set(["ChatOutput-1"]),
      count: 1,
    });
  });

  it("compares the two flows when one took the place of the other", () => {
    const editor = editorOf();
    const { nodes } = chat() as { nodes: JsonRecord[] };
    const [first] = nodes;
    editInTurn(editor, "t1", { op: "set_flow", data: { nodes: [first, agent("Agent-1")], edges: [] } });
    expect(turnChanges(editor.getState().history, "t1")).toMatchObject({
      added: new Set(["Agent-1"]),
      changed: new Set(),
      removed: new Set(["Model-1", "ChatOutput-1", "note-1"]),
    });
    undoTurn(editor, "t1");
    expect(turnChanges(editor.getState().history, "t1").count).toBe(0);
  });
});
