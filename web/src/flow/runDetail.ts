import { arrayOr, finite, isRecord, recordOr, scalarText, text, textOrNull, toJson } from "./json";
import type { Usage } from "./messages";
import { addUsage, parseUsage, type Trouble, troubleOf } from "./runFigures";
import { IDLE_NODE, type NodeRun, type NodeState } from "./runState";

export type StepState =
  | "queued"
  | "running"
  | "done"
  | "failed"
  | "skipped"
  | "waiting"
  | "cancelled"
  | "reused";

/** A value as far as the server sent it. */
export interface Shown {
  kind: "text" | "json" | "table" | "none" | "secret";
  value: unknown;
  /** How large all of it is. */
  bytes: number;
  cut: boolean;
}

export type InputSource = "literal" | "default" | "wire" | "variable" | "tweak" | "input" | "agent";

export interface StepInput {
  field: string;
  label: string;
  source: InputSource;
  /** The output or the variable it came from. */
  from: string | null;
  shown: Shown;
}

export interface StepOutput {
  name: string;
  type: string;
  shown: Shown;
}

/** One question to a model and what it answered. */
export interface ModelCall {
  provider: string;
  model: string;
  startedMs: number | null;
  finishedMs: number | null;
  request: Shown;
  response: Shown;
  /** Why there is no whole answer. */
  error: string | null;
  usage: Usage | null;
}

/** One node once: in a loop there is one for each round. */
export interface RunStep {
  node: string;
  name: string;
  type: string;
  iteration: string | null;
  state: StepState;
  /** Milliseconds since the run began. */
  startedMs: number | null;
  finishedMs: number | null;
  usage: Usage | null;
  error: Trouble | null;
  why: string | null;
  inputs: StepInput[];
  outputs: StepOutput[];
  calls: ModelCall[];
}

export interface RunDetail {
  id: string;
  input: string | null;
  startedAt: string;
  steps: RunStep[];
  /** How many more there were than a list can hold. */
  leftOut: number;
  /** Whether what was said to models was kept. */
  recordsCalls: boolean;
}

const states: readonly StepState[] = [
  "queued",
  "running",
  "done",
  "failed",
  "skipped",
  "waiting",
  "cancelled",
  "reused",
];
const sources: readonly InputSource[] = ["literal", "default", "wire", "variable", "tweak", "input", "agent"];
const kinds: readonly Shown["kind"][] = ["text", "json", "table", "none", "secret"];

function oneOf<T extends string>(list: readonly T[], value: unknown, otherwise: T): T {
  return list.find((item) => item === value) ?? otherwise;
}

export function parseDetail(raw: unknown): RunDetail {
  const detail = recordOr(raw);
  return {
    id: text(recordOr(detail.run).id),
    input: typeof detail.input === "string" ? detail.input : null,
    startedAt: text(detail.started_at) || text(recordOr(detail.run).created_at),
    steps: arrayOr(detail.steps).flatMap((step) => (isRecord(step) ? [parseStep(step)] : [])),
    leftOut: finite(detail.steps_left_out) ?? 0,
    recordsCalls: detail.records_calls !== false,
  };
}

export function parseStep(raw: unknown): RunStep {
  const step = recordOr(raw);
  return {
    node: text(step.node),
    name: text(step.name) || text(step.node),
    type: text(step.type),
    iteration: textOrNull(step.iteration),
    state: oneOf(states, step.state, "done"),
    startedMs: finite(step.started_ms),
    finishedMs: finite(step.finished_ms),
    usage: parseUsage(step.usage),
    error: troubleOf(step.error),
    why: textOrNull(step.why),
    inputs: arrayOr(step.inputs).map((input) => {
      const { field, label, source, from, shown } = recordOr(input);
      return {
        field: text(field),
        label: text(label) || text(field),
        source: oneOf(sources, source, "literal"),
        from: textOrNull(from),
        shown: parseShown(shown),
      };
    }),
    outputs: arrayOr(step.outputs).map((output) => {
      const { name, type, shown } = recordOr(output);
      return { name: text(name), type: text(type), shown: parseShown(shown) };
    }),
    calls: arrayOr(step.calls).map(parseCall),
  };
}

function parseCall(raw: unknown): ModelCall {
  const call = recordOr(raw);
  return {
    provider: text(call.provider),
    model: text(call.model),
    startedMs: finite(call.started_ms),
    finishedMs: finite(call.finished_ms),
    request: parseShown(call.request),
    response: parseShown(call.response),
    error: textOrNull(call.error),
    usage: parseUsage(call.usage),
  };
}

function parseShown(raw: unknown): Shown {
  const shown = recordOr(raw);
  return {
    kind: oneOf(kinds, shown.kind, shown.value === undefined || shown.value === null ? "none" : "json"),
    value: shown.value,
    bytes: finite(shown.bytes) ?? 0,
    cut: shown.cut === true,
  };
}

/** The value as text: what is copied, downloaded and compared. */
export function shownText({ kind, value }: Pick<Shown, "kind" | "value">): string {
  if (kind === "none" || value === undefined || value === null) return "";
  return typeof value === "string" ? value : (toJson(value, 2) ?? "");
}

/** What people call an output whose title is not known here. */
export function outputTitle(name: string): string {
  if (name === "component_as_tool") return "Toolset";
  const words = name.replaceAll("_", " ").trim();
  return words === "" ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

/** The chosen models of a field, by name; null for any other value. */
function modelNames(value: unknown): string | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const names = value.map((one) =>
    isRecord(one) && isRecord(one.metadata) && typeof one.name === "string" && typeof one.provider === "string"
      ? `${one.name} · ${one.provider}`
      : null,
  );
  return names.includes(null) ? null : names.join(", ");
}

/** A value that fits in a line; null for any other. */
export function lineOf({ kind, value, cut }: Shown): string | null {
  const models = cut ? null : modelNames(value);
  if (models !== null) return models;
  if (cut || kind === "table" || (typeof value === "object" && value !== null)) return null;
  const line = scalarText(value);
  return line !== "" && line.length <= 100 && !line.includes("\n") ? line : null;
}

/** The server's clauses stand alone here. */
export function sentence(clause: string): string {
  const text = clause.trim();
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return text === "" || /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

/** All that one node did in a run. */
export interface NodeSteps {
  node: string;
  name: string;
  type: string;
  steps: RunStep[];
  state: StepState;
  startedMs: number | null;
  finishedMs: number | null;
  /** Time at work, without the time between rounds. */
  ms: number | null;
  usage: Usage | null;
  error: Trouble | null;
}

// What a person should hear of first when the rounds of a node went differently.
const weight: readonly StepState[] = [
  "skipped",
  "queued",
  "reused",
  "done",
  "cancelled",
  "running",
  "waiting",
  "failed",
];

/** Nodes in the order in which they began; those that never did come last. */
export function byNode(steps: readonly RunStep[]): NodeSteps[] {
  const groups = new Map<string, RunStep[]>();
  for (const step of steps) groups.set(step.node, [...(groups.get(step.node) ?? []), step]);
  const nodes = [...groups.values()].flatMap((list) => (list[0] ? [summary(list[0], list)] : []));
  return nodes.sort((a, b) => (a.startedMs ?? Infinity) - (b.startedMs ?? Infinity) || 0);
}

function summary(first: RunStep, steps: RunStep[]): NodeSteps {
  const starts = steps.flatMap((step) => step.startedMs ?? []);
  const ends = steps.flatMap((step) => step.finishedMs ?? []);
  const spans = steps.flatMap((step) => stepMs(step) ?? []);
  return {
    node: first.node,
    name: first.name,
    type: first.type,
    steps,
    state: steps
      .map((step) => step.state)
      .reduce((worst, state) => (weight.indexOf(state) > weight.indexOf(worst) ? state : worst)),
    startedMs: starts.length > 0 ? Math.min(...starts) : null,
    finishedMs: ends.length > 0 ? Math.max(...ends) : null,
    ms: spans.length > 0 ? spans.reduce((sum, span) => sum + span, 0) : null,
    usage: steps.map((step) => step.usage).reduce(addUsage, null),
    error: steps.find((step) => step.error)?.error ?? null,
  };
}

export function stepMs({ startedMs, finishedMs }: Pick<RunStep, "startedMs" | "finishedMs">): number | null {
  return startedMs === null || finishedMs === null ? null : Math.max(0, finishedMs - startedMs);
}

const nodeStates: Record<StepState, NodeState> = {
  queued: "queued",
  running: "running",
  done: "done",
  failed: "error",
  skipped: "skipped",
  waiting: "waiting",
  cancelled: "cancelled",
  reused: "frozen",
};

/** What the cards show of a run that is over. */
export function nodeRuns(detail: RunDetail): Map<string, NodeRun> {
  const begun = Date.parse(detail.startedAt);
  return new Map(
    byNode(detail.steps).map((node) => {
      const last = node.steps.findLast((step) => step.outputs.length > 0) ?? node.steps.at(-1);
      return [
        node.node,
        {
          ...IDLE_NODE,
          runId: detail.id,
          state: nodeStates[node.state],
          startedAt: node.startedMs === null || Number.isNaN(begun) ? null : begun + node.startedMs,
          ms: node.ms,
          usage: node.usage,
          error: node.error,
          rounds: node.steps.filter((step) => step.iteration !== null).length,
          outputs: (last?.outputs ?? []).map(({ name, shown }) => ({
            name,
            kind: shown.kind,
            value: shown.value,
          })),
        },
      ];
    }),
  );
}

/** A stretch of the time line, in parts of a hundred. */
export interface Bar {
  left: number;
  width: number;
}

/** How long the time line is: the whole run, also when its last step never came to an end. */
export function spanOf(steps: readonly RunStep[], runMs: number | null): number {
  const ends = steps.flatMap((step) => [step.startedMs ?? 0, step.finishedMs ?? 0]);
  return Math.max(runMs ?? 0, ...ends, 0.001);
}

/** Where a step stands on the time line; null for what never began. */
export function barOf(step: Pick<RunStep, "startedMs" | "finishedMs">, span: number): Bar | null {
  if (step.startedMs === null) return null;
  const left = Math.min(100, (step.startedMs / span) * 100);
  const end = Math.min(100, ((step.finishedMs ?? span) / span) * 100);
  return { left, width: Math.max(0, end - left) };
}
