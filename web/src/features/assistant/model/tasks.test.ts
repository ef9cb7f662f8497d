import { describe, expect, it } from "vitest";
import { addNode, connect, editField, proposePlan, removeNode, setFlow, talk } from "./fixtures/talk";
import { taskOf, tellTask } from "./tasks";
import type { BuildTask, FlowUpdate } from "./types";

const configure = (component_id: string, ...fields: string[]): FlowUpdate => ({
  action: "configure",
  component_id,
  params: Object.fromEntries(fields.map((field) => [field, 1])),
});
const disconnect = (source_id: string, target_id: string): FlowUpdate => ({
  action: "disconnect",
  source_id,
  target_id,
});

const rows = (tasks: BuildTask[]): string[] =>
  tasks.map(({ action, componentId, sourceId, targetId, detail }) =>
    [action, componentId, sourceId, targetId, detail].filter(Boolean).join(" "),
  );

/** Rows, and which of the updates reached the canvas. */
function built(...updates: FlowUpdate[]): { rows: string[]; applied: number[] } {
  const chat = talk().send("build");
  const applied = updates.flatMap((update, index) => (chat.update(update).of("apply").length > 0 ? [index] : []));
  return { rows: rows(chat.answer("a1").tasks), applied };
}

it("tells of changes in the order they came", () => {
  const update = configure("Agent-1", "model");
  expect(built(addNode("ChatInput-1"), addNode("Agent-1"), connect("ChatInput-1", "Agent-1"), update)).toEqual({
    rows: ["add ChatInput-1", "add Agent-1", "connect ChatInput-1 Agent-1", "configure Agent-1 model"],
    applied: [0, 1, 2, 3],
  });
});

it("knows what was added", () => {
  expect(taskOf(addNode("ChatInput-1"))).toMatchObject({ componentId: "ChatInput-1", componentType: "ChatInput" });
  expect(taskOf({ action: "add_component", node: { id: "x" } })).toMatchObject({ componentType: null });
  expect(taskOf({ action: "rename_component", component_id: "a", name: "Bot" })).toMatchObject({ detail: "Bot" });
  expect(taskOf({ action: "enable_tool_mode", component_id: "a", outputs: [] })).toMatchObject({
    action: "tool_mode",
  });
});

it.each<FlowUpdate>([
  setFlow("x"),
  editField("e"),
  proposePlan("p"),
  { action: "select_output", component_id: "a", output_name: "o" },
  { action: "set_connection_mode", component_id: "a", enabled: true },
  { action: "update_fields", component_id: "a", fields: {} },
  { action: "update_outputs", component_id: "a", outputs: [] },
  { action: "flow_ran", flow_id: "f" },
])("has no row for $action", (update) => expect(taskOf(update)).toBeNull());

it("applies changes that have no row", () => {
  const update: FlowUpdate = { action: "select_output", component_id: "a", output_name: "o" };
  expect(built(update, update)).toEqual({ rows: [], applied: [0, 1] });
});

describe("a change that is told twice", () => {
  it("is done once", () => {
    expect(built(addNode("A-1"), addNode("A-1"))).toEqual({ rows: ["add A-1"], applied: [0] });
    expect(built(connect("a", "b"), connect("a", "b"))).toEqual({ rows: ["connect a b"], applied: [0] });
    expect(built(removeNode("a"), removeNode("a"))).toEqual({ rows: ["remove a"], applied: [0] });
    expect(built(disconnect("a", "b"), disconnect("a", "b")).applied).toEqual([0]);
  });

  it("is another one with other ends or handles", () => {
    const { rows, applied } = built(connect("a", "b"), connect("a", "c"), connect("a", "b", "other"));
    expect(rows).toEqual(["connect a b", "connect a c", "connect a b"]);
    expect(applied).toEqual([0, 1, 2]);
  });

  it("is harmless for settings, and has one row with all fields", () => {
    expect(built(configure("a", "x"), configure("a", "y"), configure("a", "x"))).toEqual({
      rows: ["configure a x, y"],
      applied: [0, 1, 2],
    });
    const rename = (name: string): FlowUpdate => ({ action: "rename_component", component_id: "a", name });
    expect(built(rename("One"), rename("Two"))).toEqual({ rows: ["rename a Two"], applied: [0, 1] });
  });

  it("is done again where it was undone in between", () => {
    expect(built(addNode("a"), removeNode("a"), addNode("a"), addNode("a"))).toEqual({
      rows: ["remove a", "add a"],
      applied: [0, 1, 2],
    });
    expect(built(connect("a", "b"), disconnect("a", "b"), connect("a", "b")).applied).toEqual([0, 1, 2]);
    expect(built(connect("a", "b"), removeNode("b"), addNode("b"), connect("a", "b")).applied).toEqual([0, 1, 2, 3]);
    expect(built(disconnect("a", "b"), connect("a", "b"), disconnect("a", "b")).applied).toEqual([0, 1, 2]);
  });

  it("is done again on another canvas", () => {
    const { rows, applied } = built(addNode("a"), setFlow("New", true), addNode("a"));
    expect(rows).toEqual(["add a"]);
    expect(applied).toEqual([0, 1, 2]);
  });
});

it("belongs to one answer", () => {
  const chat = talk().send("one").update(addNode("a")).hear({ event: "cancelled" }).send("two");
  expect(chat.answer("a2").tasks).toEqual([]);
  expect(chat.answer("a1").tasks).toHaveLength(1);
  expect(chat.update(addNode("a")).of("apply")).toHaveLength(1);
});

it("keeps the list when nothing changes", () => {
  const task = taskOf(addNode("a"));
  if (!task) throw new Error("no row");
  const { tasks } = tellTask([], task);
  expect(tellTask(tasks, task).tasks).toBe(tasks);
});

it("says nothing of a change that the canvas could not take", () => {
  const chat = talk().send("build").update(configure("a", "x")).update(removeNode("b")).update(configure("a", "y"));
  chat.do({ type: "notApplied", message: "a1", update: removeNode("b") });
  expect(rows(chat.answer("a1").tasks)).toEqual(["configure a x, y"]);
  // The row tells of what was done before, too.
  chat.do({ type: "notApplied", message: "a1", update: configure("a", "y") });
  chat.do({ type: "notApplied", message: "a1", update: addNode("unheard-of") });
  expect(rows(chat.answer("a1").tasks)).toEqual(["configure a x, y"]);
});
