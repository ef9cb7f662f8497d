import { arrayOr, finite, isRecord, recordOr, strings, text, textOrNull } from "./json";
import type { Usage } from "./messages";
import { addUsage, parseUsage, type Trouble, troubleOf } from "./runFigures";

export type RunPhase =
  | "idle"
  | "starting"
  | "running"
  | "waiting"
  | "done"
  | "failed"
  | "cancelled"
  | "lost";

export type NodeState =
  | "idle"
  | "queued"
  | "running"
  | "done"
  | "stale"
  | "error"
  | "skipped"
  | "waiting"
  | "frozen"
  | "cancelled";

export interface NodeOutput {
  name: string;
  kind: string;
  value: unknown;
}

export interface NodeRun {
  /** The run this is about: a run of a part leaves the rest as an earlier run left it. */
  runId: string | null;
  state: NodeState;
  /** The server's clock, in milliseconds. */
  startedAt: number | null;
  /** Milliseconds, all rounds together. */
  ms: number | null;
  usage: Usage | null;
  error: Trouble | null;
  /** How often it ran as part of a loop. */
  rounds: number;
  /** Of a loop: how many rounds there will be. */
  of: number | null;
  outputs: readonly NodeOutput[];
  /** Outputs whose branch was not taken. */
  stopped: readonly string[];
  why: "inactive" | "blocked" | "cancelled" | null;
  /** Rounds that run right now. */
  going: number;
}

export interface RunState {
  runId: string | null;
  status: RunPhase;
  stopping: boolean;
  /** It went on before our eyes; false for one that was over when the page was opened. */
  live: boolean;
  /** The server's clock, in milliseconds. */
  startedAt: number | null;
  ms: number | null;
  usage: Usage | null;
  error: Trouble | null;
  nodes: ReadonlyMap<string, NodeRun>;
  /** Questions without an answer, and the node that asks each. */
  asked: ReadonlyMap<string, string>;
}

export const IDLE_NODE: NodeRun = {
  runId: null,
  state: "idle",
  startedAt: null,
  ms: null,
  usage: null,
  error: null,
  rounds: 0,
  of: null,
  outputs: [],
  stopped: [],
  why: null,
  going: 0,
};

export const NO_RUN: RunState = {
  runId: null,
  status: "idle",
  stopping: false,
  live: false,
  startedAt: null,
  ms: null,
  usage: null,
  error: null,
  nodes: new Map(),
  asked: new Map(),
};

/** A run that begins; what earlier runs left on the nodes stays until it reaches them. */
export function beginRun(before: RunState, runId: string | null, startedAt: number): RunState {
  const status = runId === null ? "starting" : "running";
  return { ...NO_RUN, runId, status, live: true, startedAt, nodes: before.nodes };
}

export function isGoing(status: RunPhase): boolean {
  return status === "starting" || status === "running" || status === "waiting" || status === "lost";
}

export interface RunLogEvent {
  id: string | null;
  name: string;
  data: Record<string, unknown>;
}

/** One frame of a run's own stream; null for what is not an event. */
export function parseLogEvent(frame: { id: string | null; name?: string; data: string }): RunLogEvent | null {
  if (frame.name === undefined) return null;
  try {
    const data: unknown = JSON.parse(frame.data);
    return isRecord(data) ? { id: frame.id, name: frame.name, data } : null;
  } catch {
    return null;
  }
}

/** The run after one more event. What the event does not concern keeps its identity. */
export function reduceRunState(run: RunState, event: RunLogEvent): RunState {
  const next = change(run, event);
  return next !== run && next.status === "lost" ? { ...next, status: liveStatus(next) } : next;
}

function liveStatus(run: RunState): RunPhase {
  return run.asked.size > 0 ? "waiting" : "running";
}

/** The connection is back: what was known before holds again. */
export function found(run: RunState): RunState {
  return run.status === "lost" ? { ...run, status: liveStatus(run) } : run;
}

function change(run: RunState, { name, data }: RunLogEvent): RunState {
  switch (name) {
    case "run_started":
      return {
        ...run,
        runId: textOrNull(data.run_id) ?? run.runId,
        status: "running",
        startedAt: time(data.at) ?? run.startedAt,
      };
    case "planned":
      return planned(run, strings(data.nodes));
    case "node_started":
      return withNode(run, data, started);
    case "node_finished":
      return withNode(run, data, finished);
    case "node_failed":
      return withNode(run, data, failed);
    case "node_skipped":
      return withNode(run, data, skipped);
    case "round_started":
      return withNode(run, data, (node) => ({ ...node, state: "running", of: finite(data.of) ?? node.of }));
    case "asked":
      return asked(run, data);
    case "answered":
      return answered(run, text(data.request_id));
    case "resumed":
      return resumed(run);
    case "cancel_requested":
      return run.stopping ? run : { ...run, stopping: true };
    case "run_ended":
      return ended(run, data);
    default:
      return run;
  }
}

function planned(run: RunState, ids: readonly string[]): RunState {
  const nodes = new Map(run.nodes);
  for (const id of ids) nodes.set(id, { ...IDLE_NODE, runId: run.runId, state: "queued" });
  return { ...run, nodes };
}

function withNode(
  run: RunState,
  data: Record<string, unknown>,
  how: (node: NodeRun, data: Record<string, unknown>) => NodeRun,
): RunState {
  const id = textOrNull(data.node);
  if (id === null) return run;
  const before = run.nodes.get(id);
  const known = before && before.runId === run.runId ? before : { ...IDLE_NODE, runId: run.runId };
  return { ...run, nodes: new Map(run.nodes).set(id, how(known, data)) };
}

function started(node: NodeRun, data: Record<string, unknown>): NodeRun {
  const again = (finite(data.attempt) ?? 1) > 1;
  const inLoop = arrayOr(data.rounds).length > 0;
  return {
    ...node,
    state: "running",
    startedAt: time(data.at),
    error: again ? null : node.error,
    rounds: inLoop && !again ? node.rounds + 1 : node.rounds,
    going: again ? Math.max(1, node.going) : node.going + 1,
  };
}

function finished(node: NodeRun, data: Record<string, unknown>): NodeRun {
  const going = Math.max(0, node.going - 1);
  const ahead = finite(data.rounds_ahead);
  return {
    ...node,
    state: stateAfter(node, going, data.reused === true, ahead),
    ms: (node.ms ?? 0) + (finite(data.duration_ms) ?? 0),
    usage: addUsage(node.usage, parseUsage(data.usage)),
    of: ahead ?? node.of,
    outputs: outputsOf(data.outputs, node.outputs),
    stopped: strings(data.stopped),
    going,
  };
}

function stateAfter(node: NodeRun, going: number, reused: boolean, ahead: number | null): NodeState {
  if (going > 0) return "running";
  if (node.error) return "error";
  if (ahead !== null && ahead > 0) return "running";
  return reused ? "frozen" : "done";
}

/** A loop says nothing of its outputs while it goes on; then those of the last time stay. */
function outputsOf(value: unknown, before: readonly NodeOutput[]): readonly NodeOutput[] {
  const list = Object.entries(recordOr(value)).map(([name, output]) => ({
    name,
    kind: text(recordOr(output).kind),
    value: recordOr(output).value,
  }));
  return list.length === 0 ? before : list;
}

function failed(node: NodeRun, data: Record<string, unknown>): NodeRun {
  const stopped = recordOr(data.error).cause === "cancelled";
  return {
    ...node,
    state: stopped ? "cancelled" : "error",
    ms: (node.ms ?? 0) + (finite(data.duration_ms) ?? 0),
    usage: addUsage(node.usage, parseUsage(data.usage)),
    error: stopped ? null : troubleOf(data.error),
    why: stopped ? "cancelled" : node.why,
    going: Math.max(0, node.going - 1),
  };
}

function skipped(node: NodeRun, data: Record<string, unknown>): NodeRun {
  const why = data.why === "blocked" || data.why === "cancelled" ? data.why : "inactive";
  // In a loop one round may leave out what another round did.
  if (node.state === "done" || node.state === "error") return node;
  return { ...node, state: why === "cancelled" ? "cancelled" : "skipped", why };
}

function asked(run: RunState, data: Record<string, unknown>): RunState {
  const id = textOrNull(data.node);
  if (id === null) return run;
  const next = withNode(run, data, (node) => ({
    ...node,
    state: "waiting",
    // With the answer it starts once more.
    going: Math.max(0, node.going - 1),
  }));
  return { ...next, status: "waiting", asked: new Map(run.asked).set(text(data.request_id), id) };
}

function answered(run: RunState, request: string): RunState {
  const id = run.asked.get(request);
  if (id === undefined) return run;
  const asked = new Map(run.asked);
  asked.delete(request);
  const next = withNode(run, { node: id }, (node) => ({ ...node, state: "running" }));
  return { ...next, asked, status: asked.size > 0 ? "waiting" : "running" };
}

/** The server came back: what was under way then starts once more. */
function resumed(run: RunState): RunState {
  let nodes: Map<string, NodeRun> | null = null;
  for (const [id, node] of run.nodes) {
    if (node.going === 0) continue;
    nodes ??= new Map(run.nodes);
    nodes.set(id, { ...node, going: 0 });
  }
  return { ...run, nodes: nodes ?? run.nodes, status: liveStatus(run) };
}

function ended(run: RunState, data: Record<string, unknown>): RunState {
  const status = phaseOf(text(data.status));
  return {
    ...run,
    status,
    stopping: false,
    ms: finite(data.duration_ms) ?? run.ms,
    usage: parseUsage(data.usage) ?? run.usage,
    error: status === "failed" ? troubleOf(data.error) : null,
    asked: NO_RUN.asked,
    nodes: settled(run),
  };
}

/** When a run is over nothing of it is under way any more. */
function settled(run: RunState): ReadonlyMap<string, NodeRun> {
  let nodes: Map<string, NodeRun> | null = null;
  for (const [id, node] of run.nodes) {
    if (!["queued", "running", "waiting"].includes(node.state)) continue;
    nodes ??= new Map(run.nodes);
    nodes.set(id, { ...node, state: node.state === "queued" ? "idle" : "cancelled", going: 0 });
  }
  return nodes ?? run.nodes;
}

/** What the server calls a run's state, in the words of this page. */
export function phaseOf(status: string): RunPhase {
  switch (status) {
    case "queued":
    case "running":
      return "running";
    case "waiting":
      return "waiting";
    case "completed":
      return "done";
    case "cancelled":
      return "cancelled";
    default:
      return "failed";
  }
}

function time(value: unknown): number | null {
  const at = Date.parse(text(value));
  return Number.isNaN(at) ? null : at;
}
