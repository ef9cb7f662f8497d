import { create } from "zustand";
import { useShallow } from "zustand/react/shallow";
import { asApiError } from "@/api/error";
import { queryClient } from "@/api/queryClient";
import {
  cancelRun,
  isOver,
  newestRunQuery,
  readRunEvents,
  runDetailQuery,
  runKeys,
  type RunStart,
  startRun as postRun,
} from "@/api/runs";
import type { Wire } from "@/flow/model";
import { nodeRuns } from "@/flow/runDetail";
import {
  beginRun,
  found,
  IDLE_NODE,
  isGoing,
  NO_RUN,
  type NodeOutput,
  type NodeRun,
  parseLogEvent,
  phaseOf,
  reduceRunState,
  type RunLogEvent,
  type RunPhase,
  type RunState,
} from "@/flow/runState";
import { carries, crossed, markStale as withStale } from "@/flow/runWires";
import { oncePerFrame } from "./frames";

/** The newest run of each flow, as far as this page has heard of it. */
const useRuns = create<{ runs: Record<string, RunState> }>(() => ({ runs: {} }));

export function runOf(flowId: string): RunState {
  return useRuns.getState().runs[flowId] ?? NO_RUN;
}

function setRun(flowId: string, run: RunState): void {
  if (run !== useRuns.getState().runs[flowId]) {
    useRuns.setState(({ runs }) => ({ runs: { ...runs, [flowId]: run } }));
  }
}

/** One node of the newest run: an event about another node does not render this one. */
export function useNodeRun(flowId: string, nodeId: string): NodeRun {
  return useRuns(({ runs }) => runs[flowId]?.nodes.get(nodeId) ?? IDLE_NODE);
}

export type RunSummary = Omit<RunState, "nodes" | "asked">;

/** The run as a whole, without its nodes. */
export function useRunSummary(flowId: string): RunSummary {
  return useRuns(
    useShallow(({ runs }) => {
      const { nodes: _nodes, asked: _asked, ...rest } = runs[flowId] ?? NO_RUN;
      return rest;
    }),
  );
}

export function useRunStatus(flowId: string): RunPhase {
  return useRuns(({ runs }) => (runs[flowId] ?? NO_RUN).status);
}

/** What is made of the whole run; `select` must give something that compares as equal when nothing changed. */
export function useRun<T>(flowId: string, select: (run: RunState) => T): T {
  return useRuns(({ runs }) => select(runs[flowId] ?? NO_RUN));
}

export function useWireCarries(flowId: string, wire: Wire): boolean {
  return useRuns(({ runs }) => carries(runs[flowId] ?? NO_RUN, wire));
}

/** What crossed a wire in the last run; null where nothing did. */
export function useWireValue(flowId: string, wire: Wire): NodeOutput | null {
  return useRuns(({ runs }) => {
    const node = runs[flowId]?.nodes.get(wire.source);
    return node ? crossed(node, wire) : null;
  });
}

/** How far the server's clock is behind ours, in milliseconds. */
let clockGap = 0;

/** The time on the server's clock, which is the one that runs are told by. */
export function serverNow(): number {
  return Date.now() - clockGap;
}

function noteServerTime(time: number | null): void {
  if (time === null) return;
  const gap = Date.now() - time;
  // The header has whole seconds only: a small gap is none.
  clockGap = Math.abs(gap) > 2_000 ? gap : 0;
}

export type RunOptions = Omit<RunStart, "flowId" | "key">;

/** A start that got no answer may have arrived all the same: sent again, it has the same key. */
const unsure = new Map<string, { asked: string; key: string }>();

/** `crypto.randomUUID` is missing where the page does not come over HTTPS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

/** Starts a run and follows it; resolves once it has started, rejects where it could not. */
export async function startRun(flowId: string, options: RunOptions = {}): Promise<void> {
  const before = runOf(flowId);
  if (isGoing(before.status)) return;
  followed.get(flowId)?.abort();
  setRun(flowId, beginRun(before, null, serverNow()));
  const asked = JSON.stringify(options);
  const last = unsure.get(flowId);
  const key = last?.asked === asked ? last.key : newKey();
  unsure.set(flowId, { asked, key });
  try {
    const runId = await postRun({ flowId, key, ...options });
    unsure.delete(flowId);
    const stopped = runOf(flowId).stopping;
    void followRun(flowId, runId);
    if (stopped) await stopRun(flowId);
  } catch (error) {
    const problem = asApiError(error);
    if (!problem.unreachable) unsure.delete(flowId);
    const failure = { message: problem.message, advice: "", detail: "" };
    setRun(flowId, { ...before, status: "failed", stopping: false, error: failure });
    throw error;
  }
}

const followed = new Map<string, AbortController>();

/** Follows any run of the flow to its end, through lost connections. */
export async function followRun(flowId: string, runId: string): Promise<void> {
  if (runOf(flowId).runId === runId && isGoing(runOf(flowId).status)) return;
  followed.get(flowId)?.abort();
  const control = new AbortController();
  followed.set(flowId, control);
  const mine = (): boolean => !control.signal.aborted;
  const change = (how: (run: RunState) => RunState): void => {
    if (mine()) setRun(flowId, how(runOf(flowId)));
  };
  setRun(flowId, { ...beginRun(runOf(flowId), runId, serverNow()), stopping: runOf(flowId).stopping });
  let lastEvent: string | null = null;
  const queue = oncePerFrame<RunLogEvent>((events) => change((run) => events.reduce(reduceRunState, run)));
  let wait = 500;
  while (mine() && isGoing(runOf(flowId).status)) {
    try {
      await readRunEvents(
        runId,
        lastEvent,
        {
          onOpen: (time) => {
            noteServerTime(time);
            change(found);
          },
          onEvents: (frames) => {
            wait = 500;
            lastEvent = frames.at(-1)?.id ?? lastEvent;
            queue.add(frames.flatMap((frame) => parseLogEvent(frame) ?? []));
          },
        },
        control.signal,
      );
      queue.flush();
    } catch (error) {
      queue.flush();
      if (!mine()) return;
      const problem = asApiError(error);
      if (problem.status > 0 && problem.status < 500) {
        change((run) => ({ ...run, status: "failed", error: { message: problem.message, advice: "", detail: "" } }));
        break;
      }
      change((run) => (isGoing(run.status) ? { ...run, status: "lost" } : run));
    }
    if (!mine() || !isGoing(runOf(flowId).status)) break;
    await new Promise((resume) => setTimeout(resume, wait));
    wait = Math.min(wait * 1.5, 5_000);
  }
  if (!mine()) return;
  void queryClient.invalidateQueries({ queryKey: runKeys.flow(flowId) });
  await showFinished(flowId, runId);
}

/** What only the server can add up: prices, and what the stream left out. */
async function showFinished(flowId: string, runId: string): Promise<void> {
  try {
    const { run, detail } = await queryClient.fetchQuery({ ...runDetailQuery(runId), staleTime: 0 });
    const now = runOf(flowId);
    if (now.runId !== runId || !isOver(run)) return;
    const told = nodeRuns(detail);
    const nodes = new Map(now.nodes);
    for (const [id, node] of told) {
      const live = nodes.get(id);
      // Edited since: it must stay marked, whatever the run says of it.
      if (live?.runId !== runId) nodes.set(id, node);
      else nodes.set(id, { ...live, usage: node.usage ?? live.usage, error: live.error ?? node.error });
    }
    setRun(flowId, { ...now, nodes, usage: usageOf(run) ?? now.usage });
  } catch {
    // What the stream told is enough to go on with.
  }
}

function usageOf(run: object): RunState["usage"] {
  const { input_tokens, output_tokens, cost_nanousd } = run as Record<string, unknown>;
  if (typeof input_tokens !== "number" || typeof output_tokens !== "number") return null;
  const cost = typeof cost_nanousd === "number" ? cost_nanousd / 1e9 : null;
  return { input: input_tokens, output: output_tokens, cached: 0, reasoning: 0, cost };
}

const attaching = new Map<string, Promise<void>>();

/** Shows the newest run of the flow: follows it if it goes on, else tells how it went. */
export function attachNewestRun(flowId: string): Promise<void> {
  const under = attaching.get(flowId);
  if (under) return under;
  const work = attach(flowId).finally(() => attaching.delete(flowId));
  attaching.set(flowId, work);
  return work;
}

async function attach(flowId: string): Promise<void> {
  const newest = await queryClient.fetchQuery({ ...newestRunQuery(flowId), staleTime: 0 });
  const now = runOf(flowId);
  if (!newest || isGoing(now.status) || now.runId === newest.id || cleared.get(flowId) === newest.id) return;
  if (isOver(newest)) await showRun(flowId, newest.id);
  else await followRun(flowId, newest.id);
}

/** Shows a run that is over on the cards. */
export async function showRun(flowId: string, runId: string): Promise<void> {
  const { run, detail } = await queryClient.fetchQuery(runDetailQuery(runId));
  if (isGoing(runOf(flowId).status)) return;
  followed.get(flowId)?.abort();
  const begun = Date.parse(detail.startedAt);
  const status = phaseOf(run.status);
  setRun(flowId, {
    ...NO_RUN,
    runId,
    status,
    startedAt: Number.isNaN(begun) ? null : begun,
    ms: lengthOf(run, detail.steps),
    usage: usageOf(run),
    error: status === "failed" && run.error ? { message: run.error, advice: "", detail: "" } : null,
    nodes: nodeRuns(detail),
  });
}

/** The list has whole seconds only; the end of the last step is more exact. */
function lengthOf(
  run: { created_at: string; finished_at: string | null },
  steps: readonly { finishedMs: number | null }[],
): number | null {
  const ends = steps.flatMap((step) => step.finishedMs ?? []);
  if (ends.length > 0) return Math.max(...ends);
  return run.finished_at === null ? null : Date.parse(run.finished_at) - Date.parse(run.created_at);
}

export async function stopRun(flowId: string): Promise<void> {
  const run = runOf(flowId);
  if (!isGoing(run.status)) return;
  setRun(flowId, { ...run, stopping: true });
  if (run.runId === null) return;
  try {
    await cancelRun(run.runId);
  } catch (error) {
    // Over already: its last event is on the way.
    if (asApiError(error).status === 409) return;
    setRun(flowId, { ...runOf(flowId), stopping: false });
    throw error;
  }
}

const cleared = new Map<string, string>();

/** Takes what the last run left off the cards. The run itself stays in the history. */
export function clearRun(flowId: string): void {
  followed.get(flowId)?.abort();
  followed.delete(flowId);
  const { runId } = runOf(flowId);
  if (runId !== null) cleared.set(flowId, runId);
  setRun(flowId, NO_RUN);
}

/** Call it with nodes that were changed: they, and all their wires lead to, show an outdated result. */
export function markStale(flowId: string, nodeIds: readonly string[], wires: readonly Wire[]): void {
  setRun(flowId, withStale(runOf(flowId), nodeIds, wires));
}
