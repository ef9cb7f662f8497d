import { describe, expect, it } from "vitest";
import { last, replay, runLog } from "./fixtures/runLog";
import type { Wire } from "./model";
import { isGoing, type NodeRun, parseLogEvent, type RunState } from "./runState";
import { carries, crossed, downstream, markStale } from "./runWires";

const stateOf = (run: RunState): Record<string, string> =>
  Object.fromEntries([...run.nodes].map(([id, node]) => [id.replace(/-\w+$/, ""), node.state]));

const named = (run: RunState, start: string): NodeRun => {
  const node = [...run.nodes].find(([id]) => id.startsWith(start))?.[1];
  if (!node) throw new Error(`No ${start} in the run`);
  return node;
};

const wire = (source: string, target: string, output: string): Wire => ({
  id: `${source}>${target}`,
  source,
  sourcePort: `out:${output}`,
  target,
  targetPort: "in:x",
  kind: "data",
  type: "Message",
  broken: false,
});

describe("a run with a branch", () => {
  const states = replay(runLog("branch"));
  const end = last(states);

  it("ends with what each node made, and what was left out", () => {
    expect(end.status).toBe("done");
    expect(end.ms).toBe(3.23);
    expect(named(end, "ChatOutput-fd399").state).toBe("skipped");
    expect(named(end, "ChatOutput-fd399").why).toBe("inactive");
    const router = named(end, "ConditionalRouter");
    expect(router.state).toBe("done");
    expect(router.stopped).toEqual(["true_result"]);
    expect(router.outputs).toEqual([{ name: "false_result", kind: "message", value: "hello there" }]);
  });

  it("has every node queued once it is planned", () => {
    expect(new Set([...(states[2]?.nodes.values() ?? [])].map((node) => node.state))).toEqual(
      new Set(["queued"]),
    );
  });

  it("changes only the node that an event is about", () => {
    runLog("branch").forEach((event, index) => {
      const [before, after] = [states[index], states[index + 1]];
      if (!before || !after || ["run_started", "planned", "run_ended"].includes(event.name)) return;
      const changed = [...after.nodes].filter(([id, node]) => before.nodes.get(id) !== node).map(([id]) => id);
      expect(changed, event.name).toEqual(event.name === "message" ? [] : [event.data.node]);
      if (event.name === "message") expect(after).toBe(before);
    });
  });

  it("lights the wires into the node at work, but not those of the branch not taken", () => {
    const at = states.find((run) => run.nodes.get("Prompt Template-efcfe")?.state === "running");
    if (!at) throw new Error("the node never ran");
    expect(carries(at, wire("ConditionalRouter-6b378", "Prompt Template-efcfe", "false_result"))).toBe(true);
    expect(carries(at, wire("ConditionalRouter-6b378", "Prompt Template-efcfe", "true_result"))).toBe(false);
    expect(carries(end, wire("ConditionalRouter-6b378", "Prompt Template-efcfe", "false_result"))).toBe(false);
  });

  it("tells what crossed a wire", () => {
    const prompt = named(end, "Prompt Template-efcfe");
    expect(crossed(prompt, wire("a", "b", "prompt"))?.value).toBe("You say: hello there I have made a note of it.");
    expect(crossed(prompt, wire("a", "b", "nothing"))).toBeNull();
  });
});

it("counts the rounds of a loop, and adds up their time", () => {
  const states = replay(runLog("loop"));
  const end = last(states);
  const body = named(end, "ParserComponent-b0753");
  expect(body).toMatchObject({ state: "done", rounds: 4, going: 0 });
  expect(body.ms).toBeCloseTo(0.126 + 0.181 + 0.059 + 0.051);
  expect(body.outputs[0]?.value).toContain("Order 1004");
  expect(named(end, "LoopComponent")).toMatchObject({ state: "done", of: 4 });
  const between = states.find((run) => run.nodes.get("ParserComponent-b0753")?.rounds === 2);
  expect(between?.nodes.get("LoopComponent-27304")?.state).toBe("running");
});

it("adds up what the model used", () => {
  const end = last(replay(runLog("model")));
  const usage = named(end, "LanguageModelComponent").usage;
  expect(usage).toMatchObject({ cost: null });
  expect(usage?.input).toBeGreaterThan(0);
  expect(end.usage).toMatchObject({ input: usage?.input, output: usage?.output });
});

it("waits for a person, and goes on with the answer", () => {
  const states = replay(runLog("waiting"));
  const asked = states.find((run) => run.status === "waiting");
  expect(asked && named(asked, "HumanInput").state).toBe("waiting");
  expect(last(states).status).toBe("done");
  expect(named(last(states), "HumanInput")).toMatchObject({ state: "done", going: 0 });
});

it("says where it failed, and that the rest was not reached", () => {
  const end = last(replay(runLog("failed")));
  expect(end.status).toBe("failed");
  expect(end.error?.message).toBe('Only sold: The table has no column "sold"');
  const failed = [...end.nodes.values()].filter((node) => node.state === "error");
  expect(failed.map((node) => node.error?.advice)).toEqual(["It has: text."]);
  expect(stateOf(end)).toMatchObject({ ChatOutput: "skipped", ParserComponent: "skipped" });
});

it("takes a stop for no failure", () => {
  const end = last(replay(runLog("cancelled")));
  expect(end).toMatchObject({ status: "cancelled", error: null, stopping: false });
  expect(named(end, "LanguageModelComponent")).toMatchObject({ state: "cancelled", error: null });
  expect([...end.nodes.values()].map((node) => node.state)).not.toContain("running");
});

it("shows what a fork took over as not run again", () => {
  expect(stateOf(last(replay(runLog("fork"))))).toMatchObject({ ChatInput: "frozen", ConditionalRouter: "done" });
});

it("goes on where it was after the connection was lost", () => {
  const events = runLog("model");
  const states = replay(events.slice(0, 8));
  const lost: RunState = { ...last(states), status: "lost" };
  expect(isGoing(lost.status)).toBe(true);
  expect(last(replay(events.slice(8), lost)).status).toBe("done");
  const next = { id: null, name: "node_started", data: { node: "x", attempt: 1 } };
  expect(replay([next], lost).at(-1)?.status).not.toBe("lost");
});

it("starts what was under way once more when the server has come back", () => {
  const event = (name: string, data: Record<string, unknown>) => ({ id: null, name, data });
  const end = last(
    replay([
      event("planned", { nodes: ["a"] }),
      event("node_started", { node: "a", attempt: 1 }),
      event("resumed", {}),
      event("node_started", { node: "a", attempt: 1 }),
      event("node_finished", { node: "a", outputs: {}, duration_ms: 5 }),
    ]),
  );
  expect(end.nodes.get("a")).toMatchObject({ state: "done", going: 0 });
});

it("clears the failure of an attempt that is tried again", () => {
  const event = (name: string, data: Record<string, unknown>) => ({ id: null, name, data });
  const end = last(
    replay([
      event("node_started", { node: "a", attempt: 1 }),
      event("node_failed", { node: "a", error: { message: "No", advice: "", detail: "" }, duration_ms: 1 }),
      event("node_started", { node: "a", attempt: 2 }),
      event("node_finished", { node: "a", outputs: {}, duration_ms: 2 }),
    ]),
  );
  expect(end.nodes.get("a")).toMatchObject({ state: "done", error: null, ms: 3 });
});

describe("after an edit", () => {
  const end = last(replay(runLog("branch")));
  const wires = [wire("ConditionalRouter-6b378", "Prompt Template-efcfe", "false_result")];

  it("the node and what hangs on it are outdated, the rest is not", () => {
    const stale = markStale(end, ["ConditionalRouter-6b378"], wires);
    expect(stale.nodes.get("Prompt Template-efcfe")?.state).toBe("stale");
    expect(stale.nodes.get("ConditionalRouter-6b378")?.state).toBe("stale");
    expect(stale.nodes.get("ChatInput-c5a0a")).toBe(end.nodes.get("ChatInput-c5a0a"));
    expect(markStale(stale, ["ConditionalRouter-6b378"], wires)).toBe(stale);
    expect(markStale(end, ["nobody"], wires)).toBe(end);
  });

  it("a new run of a part leaves the rest as it was", () => {
    const stale = markStale(end, ["ConditionalRouter-6b378"], wires);
    const part = last(replay([{ id: "1", name: "planned", data: { nodes: ["ChatInput-c5a0a"] } }], stale));
    expect(part.nodes.get("ChatInput-c5a0a")?.state).toBe("queued");
    expect(part.nodes.get("ConditionalRouter-6b378")?.state).toBe("stale");
  });

  it("a circle of wires comes to an end", () => {
    expect(downstream(["a"], [wire("a", "b", "x"), wire("b", "a", "x")])).toEqual(new Set(["a", "b"]));
  });
});

it("passes over frames that are not events", () => {
  expect(parseLogEvent({ id: "1", data: "{}" })).toBeNull();
  expect(parseLogEvent({ id: "1", name: "token", data: "half {" })).toBeNull();
  expect(parseLogEvent({ id: "1", name: "token", data: "[]" })).toBeNull();
});
