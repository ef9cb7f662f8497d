import { describe, expect, it } from "vitest";
import { compareRuns } from "./runCompare";
import {
  barOf,
  byNode,
  lineOf,
  nodeRuns,
  outputTitle,
  parseDetail,
  parseStep,
  type RunDetail,
  sentence,
  shownText,
  spanOf,
  stepMs,
} from "./runDetail";

const shown = (value: unknown, more: object = {}) => ({ kind: "text", value, bytes: 4, cut: false, ...more });

const step = (node: string, more: object = {}) => ({
  node,
  name: node.toUpperCase(),
  type: "Some",
  iteration: null,
  state: "done",
  started_ms: 0,
  finished_ms: 1,
  usage: null,
  error: null,
  why: null,
  inputs: [],
  outputs: [],
  calls: [],
  ...more,
});

const detail = (steps: object[], id = "r1"): RunDetail =>
  parseDetail({ run: { id }, input: "hi", started_at: "2026-01-01T00:00:00Z", steps });

const usage = (input: number, cost: number | null) => ({
  input_tokens: input,
  output_tokens: 1,
  cached_tokens: 0,
  reasoning_tokens: 0,
  cost_nanousd: cost,
});

describe("what a node did", () => {
  const run = detail([
    step("late", { started_ms: 10, finished_ms: 40 }),
    step("loop", { iteration: "0", started_ms: 1, finished_ms: 3, usage: usage(2, 1_000_000) }),
    step("loop", {
      iteration: "1",
      started_ms: 5,
      finished_ms: 6,
      usage: usage(3, null),
      outputs: [{ name: "text", type: "Message", shown: shown("second") }],
    }),
    step("never", { state: "skipped", started_ms: null, finished_ms: null }),
  ]);
  const nodes = byNode(run.steps);

  it("is grouped, in the order in which it began", () => {
    expect(nodes.map((node) => node.node)).toEqual(["loop", "late", "never"]);
    expect(nodes[0]).toMatchObject({ ms: 3, startedMs: 1, finishedMs: 6, state: "done" });
  });

  it("has an unknown price when one part of it is unknown", () => {
    expect(nodes[0]?.usage).toMatchObject({ input: 5, cost: null });
  });

  it("becomes what its card shows", () => {
    const cards = nodeRuns(run);
    expect(cards.get("loop")).toMatchObject({ runId: "r1", state: "done", rounds: 2, ms: 3 });
    expect(cards.get("loop")?.outputs).toEqual([{ name: "text", kind: "text", value: "second" }]);
    expect(cards.get("never")).toMatchObject({ state: "skipped", ms: null, startedAt: null });
    expect(cards.get("late")?.startedAt).toBe(Date.parse("2026-01-01T00:00:00Z") + 10);
  });

  it("stands on the time line", () => {
    const span = spanOf(run.steps, null);
    expect(span).toBe(40);
    expect(run.steps[0] && barOf(run.steps[0], span)).toEqual({ left: 25, width: 75 });
    expect(run.steps[3] && barOf(run.steps[3], span)).toBeNull();
    expect(barOf({ startedMs: 15, finishedMs: null }, 30)).toEqual({ left: 50, width: 50 });
  });
});

it("failed when one of its rounds did", () => {
  const error = { message: "No", advice: "Try", detail: "" };
  const [node] = byNode(
    detail([step("a", { iteration: "0", state: "failed", error }), step("a", { iteration: "1" })]).steps,
  );
  expect(node).toMatchObject({ state: "failed", error });
});

describe("two runs", () => {
  const out = (text: string, more: object = {}) => ({ outputs: [{ name: "text", type: "Message", shown: shown(text, more) }] });
  const a = detail([step("same", out("x")), step("other", out("one")), step("gone"), step("kept", out("x"))]);
  const b = detail(
    [step("same", out("x")), step("other", out("two")), step("new"), step("kept", { ...out("x"), state: "reused" })],
    "r2",
  );
  const pairs = new Map(compareRuns(a, b).map((pair) => [pair.node, pair]));

  it("are compared node by node", () => {
    expect([...pairs.keys()].sort()).toEqual(["gone", "kept", "new", "other", "same"]);
    expect(pairs.get("same")?.differs).toBe(false);
    expect(pairs.get("other")).toMatchObject({ differs: true, sameState: true });
    expect(pairs.get("other")?.outputs).toEqual([
      { name: "text", a: "one", b: "two", same: false, cut: false },
    ]);
    expect(pairs.get("gone")).toMatchObject({ differs: true, b: null });
    expect(pairs.get("new")).toMatchObject({ differs: true, a: null });
  });

  it("do not differ where one took over what the other made", () => {
    expect(pairs.get("kept")?.differs).toBe(false);
  });

  it("differ where the beginnings are equal and the sizes are not", () => {
    const [pair] = compareRuns(
      detail([step("a", out("x", { bytes: 9000, cut: true }))]),
      detail([step("a", out("x", { bytes: 9001, cut: true }))]),
    );
    expect(pair).toMatchObject({ differs: true, outputs: [{ same: false, cut: true }] });
  });
});

it("makes do with nonsense", () => {
  expect(parseDetail(null)).toEqual({ id: "", input: null, startedAt: "", steps: [], leftOut: 0, recordsCalls: true });
  const odd = parseStep({ node: "a", state: "dreaming", inputs: [null], outputs: "no", calls: [1] });
  expect(odd).toMatchObject({ name: "a", state: "done", outputs: [] });
  expect(odd.inputs[0]).toMatchObject({ source: "literal", shown: { kind: "none" } });
  expect(stepMs(odd)).toBeNull();
});

it.each([
  [{ kind: "text", value: "a" }, "a"],
  [{ kind: "json", value: { a: 1 } }, '{\n  "a": 1\n}'],
  [{ kind: "none", value: null }, ""],
  [{ kind: "json", value: false }, "false"],
] as const)("writes %j as text", (value, expected) => {
  expect(shownText(value)).toBe(expected);
});

it("knows what fits in a line", () => {
  const value = (kind: "text" | "json" | "table", what: unknown, cut = false) => ({ kind, value: what, bytes: 1, cut });
  expect(lineOf(value("text", "short"))).toBe("short");
  expect(lineOf(value("json", true))).toBe("true");
  expect(lineOf(value("json", 0))).toBe("0");
  for (const other of [value("text", "a\nb"), value("text", "x".repeat(200)), value("json", {}), value("text", "cut", true), value("text", "")]) {
    expect(lineOf(other)).toBeNull();
  }
});

it("names chosen models in a line", () => {
  const value = [{ name: "small", provider: "Acme", metadata: {} }];
  const shownModels = { kind: "json" as const, value, bytes: 9, cut: false };
  expect(lineOf(shownModels)).toBe("small · Acme");
  expect(lineOf({ ...shownModels, value: [{ name: "small", provider: "Acme" }] })).toBeNull();
});

it.each([
  ["chat_message", "Chat message"],
  ["component_as_tool", "Toolset"],
  ["_", "_"],
])("calls the output %j %j", (name, title) => {
  expect(outputTitle(name)).toBe(title);
});

it.each([
  ['"a" equals "a", so the true branch', '"a" equals "a", so the true branch.'],
  ["it needs X, which failed", "It needs X, which failed."],
  ["Already one.", "Already one."],
  ["", ""],
])("makes a sentence of %j", (clause, expected) => {
  expect(sentence(clause)).toBe(expected);
});
