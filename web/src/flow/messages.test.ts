import { describe, expect, it } from "vitest";
import { parseMessage, parseMessages, problemOfEvent, stepsAbove, stepsBelow } from "./messages";

const tool = {
  type: "tool_use",
  id: "call_0",
  name: "add",
  tool_input: { a: 1 },
  output: { sum: 2 },
  error: null,
  duration: 12,
};
const said = (more: object) =>
  parseMessage({ id: "m", sender: "Machine", text: "The sum is 2.", properties: {}, ...more });

describe("a message", () => {
  it("tells who said what, when, at what cost and in what time", () => {
    const message = said({
      run_id: "r",
      sender_name: "AI",
      timestamp: "2026-11-15 11:15:23.628262 UTC",
      duration: 1160,
      edit: true,
      properties: {
        state: "complete",
        source: { id: "Agent-1", source: "rehearsal" },
        usage: { input_tokens: 23, output_tokens: 38, total_tokens: 61, cost_nanousd: 1_500_000 },
      },
    });
    expect(message).toMatchObject({
      runId: "r",
      fromPerson: false,
      name: "AI",
      at: "2026-11-15T11:15:23.628Z",
      duration: 1160,
      edited: true,
      partial: false,
      rehearsed: true,
      source: "Agent-1",
      usage: { input: 23, output: 38, cached: 0, cost: 0.0015 },
    });
  });

  it("has its duration from the properties where it has no other", () => {
    expect(said({ properties: { build_duration: 593 } })?.duration).toBe(593);
  });

  it("has no cost where no price is known", () => {
    expect(said({ properties: { usage: { input_tokens: 1, output_tokens: 2 } } })?.usage?.cost).toBeNull();
  });

  it("is the same for the same object, so that it is drawn once", () => {
    const raw = { id: "m", sender: "User", text: "hi" };
    expect(parseMessage(raw)).toBe(parseMessage(raw));
  });

  it("is passed over when it is none", () => {
    expect(parseMessages([null, "x", 3, [], {}, { id: "" }])).toEqual([]);
    expect(parseMessages([{ id: "a", content_blocks: "?", properties: 4, files: {} }])).toHaveLength(1);
  });
});

describe("the steps", () => {
  const answer = { type: "text", text: "The sum is 2." };

  it("are the same from a list and from a group", () => {
    const flat = said({ content_blocks: [tool, answer] });
    const grouped = said({ content_blocks: [{ title: "Agent Steps", contents: [tool, answer] }] });
    expect(flat?.steps).toEqual(grouped?.steps);
    expect(flat?.steps[0]).toEqual({
      kind: "tool",
      name: "add",
      input: { a: 1 },
      output: { sum: 2 },
      error: null,
      duration: 12,
    });
  });

  it("above the answer leave the answer out, also when a person has changed it", () => {
    const kinds = (more: object) => {
      const message = said(more);
      return message && stepsAbove(message).map((step) => step.kind);
    };
    expect(kinds({ content_blocks: [tool, answer] })).toEqual(["tool"]);
    expect(kinds({ content_blocks: [tool, answer], text: "Two." })).toEqual(["tool"]);
  });

  it("put what broke the answer off below it", () => {
    const broken = said({ content_blocks: [tool, { type: "error", reason: "no disk" }] });
    expect(broken && stepsAbove(broken).map((step) => step.kind)).toEqual(["tool"]);
    expect(broken && stepsBelow(broken)).toMatchObject([{ kind: "error", problem: { reason: "no disk" } }]);
  });

  it("keep what was said on the way, once", () => {
    const way = { type: "text", text: "Let me add." };
    const blocks = [{ type: "reasoning", text: "Hm.", duration: 5 }, way, tool, answer];
    const apart = said({ content_blocks: blocks });
    expect(apart && stepsAbove(apart).map((step) => step.kind)).toEqual(["reasoning", "text", "tool"]);
    const together = said({ content_blocks: blocks, text: "Let me add. The sum is 2." });
    expect(together && stepsAbove(together).map((step) => step.kind)).toEqual(["reasoning", "tool"]);
  });
});

describe("an error event", () => {
  it("says what happened, where and what to do", () => {
    const error = { type: "error", component: "Model", field: "model", reason: "no key", solution: "Set it." };
    const data = {
      id: "e",
      text: "no key",
      properties: { source: { id: "Model-1" } },
      content_blocks: [{ title: "Error", contents: [error] }],
    };
    expect(problemOfEvent(data)).toEqual({
      node: "Model-1",
      component: "Model",
      field: "model",
      reason: "no key",
      solution: "Set it.",
    });
  });

  it("may be a bare sentence, or nothing", () => {
    expect(problemOfEvent({ error: "broken" }).reason).toBe("broken");
    expect(problemOfEvent(null).reason).toBe("");
  });
});
