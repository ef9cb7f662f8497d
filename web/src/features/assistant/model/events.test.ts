import { describe, expect, it, vi } from "vitest";
import { damaged, random, randomJson } from "@/flow/fixtures/random";
import { readEvent } from "./events";
import { addNode, complete, connect, editField, progress, proposePlan, setFlow, token, toolStart } from "./fixtures/talk";
import type { AssistEvent, FlowUpdate } from "./types";

const read = (value: unknown): ReturnType<typeof readEvent> => readEvent(JSON.stringify(value));
const warns = (data: string): boolean => "warning" in readEvent(data);

const updates: FlowUpdate[] = [
  addNode("Agent-1"),
  { action: "remove_component", component_id: "a" },
  connect("a", "b"),
  { action: "configure", component_id: "a", params: { x: 1 } },
  setFlow("Chat"),
  setFlow("Chat", true),
  editField("e1"),
  proposePlan("# Plan"),
  { action: "select_output", component_id: "a", output_name: "o" },
  { action: "set_connection_mode", component_id: "a", enabled: false },
  { action: "enable_tool_mode", component_id: "a", outputs: [{ name: "t" }] },
  { action: "disconnect", source_id: "a", target_id: "b", source_output: null, target_input: "in" },
  { action: "rename_component", component_id: "a", name: "New" },
  { action: "update_fields", component_id: "a", fields: { x: null } },
  { action: "update_outputs", component_id: "a", outputs: [] },
];

const events: AssistEvent[] = [
  progress("retrying", { attempt: 2, error: "no" }),
  token("hi"),
  toolStart("add_component", "a"),
  ...updates.map((update): AssistEvent => ({ event: "flow_update", ...update })),
  { event: "flow_preview", flow: {}, name: "n", node_count: 1, edge_count: 0, graph: "a" },
  { event: "file_written", action: "write_file", path: "a.md", size: 3, content: "abc" },
  complete({ validated: true, pending_edits: ["e1"], changes: ["Added A."] }),
  { event: "error", message: "No", detail: { step: "answering" } },
  { event: "cancelled", message: null },
];

describe("an event that makes sense", () => {
  it.each(events.map((event) => [event.event, "action" in event ? event.action : "", event] as const))(
    "is read: %s %s",
    (_kind, _action, event) => {
      const result = read(event);
      expect("event" in result && result.event).toMatchObject(event);
    },
  );

  it("comes through with what is left out filled in", () => {
    expect(read({ event: "progress", step: "generating" })).toEqual({
      event: {
        event: "progress",
        step: "generating",
        attempt: 1,
        max_attempts: 1,
        message: null,
        error: null,
        class_name: null,
        component_code: null,
      },
    });
    expect(read({ event: "complete", data: {} })).toMatchObject({
      event: { data: { result: "", usage: { total_tokens: 0 }, duration_seconds: 0, validated: null } },
    });
    expect(read({ event: "error", message: "" })).toEqual({ event: { event: "error", message: "", detail: null } });
  });

  it("says whether edits were listed at all", () => {
    const listed = (data: object): unknown => {
      const result = read({ event: "complete", data });
      return "event" in result && result.event.event === "complete" && result.event.data.pending_edits;
    };
    expect(listed({})).toBeUndefined();
    expect(listed({ pending_edits: [] })).toEqual([]);
    expect(listed({ pending_edits: ["a", 1] })).toEqual(["a"]);
    expect(listed({ pending_edits: "a" })).toBeUndefined();
  });

  it("is not lost for odd parts of how a turn ended", () => {
    const data = {
      result: "Fine.",
      usage: "many",
      duration_seconds: -1,
      notices: [{ type: "model_fallback", reason: "gone" }, { type: "other", reason: "x" }, 7],
      sources: [{ path: "a.md" }, {}],
      conflicts: [{ message: "both" }, null],
      run_metrics: { duration_seconds: 2, input_tokens: 3, output_tokens: 4 },
      changes: ["One.", 2],
      rehearsal: "yes",
    };
    expect(read({ event: "complete", data })).toMatchObject({
      event: {
        data: {
          result: "Fine.",
          usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
          duration_seconds: 0,
          notices: [{ reason: "gone" }],
          sources: [{ title: "a.md", path: "a.md" }],
          conflicts: [{ component_id: "", message: "both" }],
          run_metrics: { total_tokens: 7 },
          changes: ["One."],
          rehearsal: false,
        },
      },
    });
  });
});

describe("an event that makes none is a warning", () => {
  it.each([
    "",
    "{",
    '{"event":"token","chunk":"he',
    "null",
    "[]",
    "7",
    '"token"',
    "{}",
    '{"event":7}',
    '{"event":"heartbeat"}',
    '{"event":"constructor"}',
    '{"event":"__proto__"}',
    '{"event":"token"}',
    '{"event":"token","chunk":7}',
    '{"event":"progress","step":"dreaming"}',
    '{"event":"progress","step":"toString"}',
    '{"event":"tool_start"}',
    '{"event":"flow_preview","flow":[]}',
    '{"event":"file_written","action":"burn","path":"a"}',
    '{"event":"file_written","action":"write_file","path":""}',
    '{"event":"complete"}',
    '{"event":"complete","data":[]}',
    '{"event":"error"}',
    '{"event":"flow_update"}',
    '{"event":"flow_update","action":"explode"}',
    '{"event":"flow_update","action":"hasOwnProperty"}',
    '{"event":"flow_update","action":"flow_ran","flow_id":"f"}',
  ])("%s", (data) => expect(warns(data)).toBe(true));

  it("when a piece of a change is missing", () => {
    for (const update of updates) {
      for (const key of Object.keys(update)) {
        if (["auto_apply", "source_output", "target_input", "component_type"].includes(key)) continue;
        if (update.action === "edit_field" && ["old_value", "description", "patch"].includes(key)) continue;
        const { [key]: _gone, ...rest } = { event: "flow_update", ...update } as Record<string, unknown>;
        expect(read(rest), `${update.action} without ${key}`).toHaveProperty("warning");
      }
    }
    for (const node of [{}, { id: "" }, { id: 7 }])
      expect(read({ event: "flow_update", action: "add_component", node })).toHaveProperty("warning");
    for (const edge of [{ source: "a" }, { target: "b" }, { source: "a", target: 1 }])
      expect(read({ event: "flow_update", action: "connect", edge })).toHaveProperty("warning");
    for (const flow of [{}, { data: {} }, { data: { nodes: {} } }, { data: { nodes: [1] } }])
      expect(read({ event: "flow_update", action: "set_flow", flow })).toHaveProperty("warning");
    expect(read({ event: "flow_update", ...proposePlan(" \n ") })).toHaveProperty("warning");
  });

  it("that names the kind and is short", () => {
    const result = readEvent(JSON.stringify({ event: "x".repeat(10_000) }));
    expect("warning" in result && result.warning.length).toBeLessThan(200);
    expect(read({ event: "flow_update", action: "explode" })).toEqual({
      warning: "The assistant sent an event that cannot be understood: flow_update (explode)",
    });
  });
});

it("is read or refused without an exception, whatever comes", () => {
  const spy = vi.fn();
  for (let seed = 1; seed <= 3000; seed += 1) {
    const next = random(seed);
    const event = events[Math.floor(next() * events.length)];
    const value = seed % 3 === 0 ? randomJson(next) : damaged(next, event, 0.15);
    const data = JSON.stringify(value) ?? "";
    spy(readEvent(seed % 5 === 0 ? data.slice(0, Math.floor(next() * data.length)) : data));
  }
  expect(spy).toHaveBeenCalledTimes(3000);
  const read = spy.mock.calls.filter(([result]) => "event" in result);
  expect(read.length).toBeGreaterThan(500);
  expect(read.length).toBeLessThan(2900);
});
