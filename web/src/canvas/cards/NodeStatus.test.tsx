import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { readRunEvents, startRun as post } from "@/api/runs";
import type { FlowRead } from "@/api/types";
import { component } from "@/flow/fixtures/build";
import { showCodeOf, useCodeOpen } from "@/stores/editor/codeOpen";
import { createEditor } from "@/stores/editor/state";
import { clearRun, followRun, markStale, runOf, startRun } from "@/stores/run";
import { RunButton } from "../RunButton";
import { NodeStatus } from "./NodeStatus";

vi.mock("@/api/runs", async (original) => ({
  ...(await original<typeof import("@/api/runs")>()),
  readRunEvents: vi.fn(),
  startRun: vi.fn(),
}));

const frame = (id: number, name: string, data: object) => ({ id: String(id), name, data: JSON.stringify(data) });
const begin = [
  frame(1, "run_started", { run_id: "r", at: "2026-01-01T00:00:00Z" }),
  frame(2, "planned", { nodes: ["a", "b"] }),
  frame(3, "node_started", { node: "a", attempt: 1, at: "2026-01-01T00:00:00Z" }),
];
const end = [
  frame(4, "node_finished", {
    node: "a",
    outputs: {},
    duration_ms: 1250,
    usage: { input_tokens: 1200, output_tokens: 34 },
  }),
  frame(5, "node_failed", { node: "b", error: { message: "No such model", advice: "Choose one" }, duration_ms: 1 }),
  frame(6, "run_ended", { status: "failed", duration_ms: 1300, error: { message: "B: No such model" }, usage: null }),
];

beforeEach(() => {
  clearRun("f");
  vi.stubGlobal("requestAnimationFrame", (call: () => void) => setTimeout(call, 0));
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no server in this test")));
});

function show(): void {
  render(
    <>
      <NodeStatus flowId="f" nodeId="a" />
      <NodeStatus flowId="f" nodeId="b" />
      <RunButton flowId="f" onRun={() => void startRun("f")} />
    </>,
  );
}

it("shows a run from the start to its failure", async () => {
  let more: (frames: typeof end) => void = () => {};
  let finish: () => void = () => {};
  vi.mocked(post).mockResolvedValue("r");
  vi.mocked(readRunEvents).mockImplementation(async (_run, _after, reader) => {
    reader.onEvents(begin);
    more = reader.onEvents;
    await new Promise<void>((resolve) => (finish = resolve));
  });
  show();
  await userEvent.click(screen.getByRole("button", { name: "Run" }));
  expect(await screen.findByText("Running")).toBeInTheDocument();
  expect(screen.getByText("Queued")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Stop" })).toBeInTheDocument();

  await act(async () => {
    more(end);
    finish();
  });
  expect(await screen.findByText("1.3s · 1.2K→34")).toBeInTheDocument();
  expect(screen.getByText("No such model")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Run" })).toBeInTheDocument();

  act(() => markStale("f", ["a"], []));
  expect(screen.getAllByText("Outdated").length).toBeGreaterThan(0);
});

it("goes on after the last event that it read when the connection comes back", async () => {
  const asked: (string | null)[] = [];
  vi.mocked(readRunEvents).mockImplementation(async (_run, after, reader) => {
    asked.push(after);
    if (asked.length === 1) {
      reader.onEvents(begin);
      throw new TypeError("gone");
    }
    reader.onOpen?.(null);
    reader.onEvents(end);
  });
  show();
  await act(() => followRun("f", "r"));
  expect(asked).toEqual([null, "3"]);
  expect(runOf("f").status).toBe("failed");
  expect(runOf("f").nodes.get("a")?.state).toBe("done");
});

it("puts back what was there when a run cannot start", async () => {
  vi.mocked(post).mockRejectedValue(new Error("Nobody is there"));
  await expect(startRun("f")).rejects.toThrow("Nobody is there");
  expect(runOf("f")).toMatchObject({ status: "failed", error: { message: "Nobody is there" } });
});

it("leads from a failure to the line of the node's own code", async () => {
  const code = { code: { name: "code", type: "code", value: "class A(Component):\n    pass\n" } };
  const data = { nodes: [component("b", { template: code }), component("a")], edges: [] };
  const flow = { id: "f", name: "F", data, revision: 1, updated_at: "2026-01-01T00:00:00Z" } as unknown as FlowRead;
  const stop = showCodeOf(createEditor(flow));
  const failed = (id: number, node: string) =>
    frame(id, "node_failed", { node, error: { message: "ValueError: too loud (line 2)" }, duration_ms: 1 });
  vi.mocked(post).mockResolvedValue("r");
  vi.mocked(readRunEvents).mockImplementation(async (_run, _after, reader) => {
    reader.onEvents([...begin, failed(4, "a"), failed(5, "b")]);
    await new Promise<void>(() => {});
  });
  show();
  await userEvent.click(screen.getByRole("button", { name: "Run" }));
  // The other one has no code to be opened.
  await userEvent.click(await screen.findByRole("button", { name: "Open the code at line 2" }));
  expect(useCodeOpen.getState().open).toEqual({ node: "b", line: 2 });
  stop();
});
