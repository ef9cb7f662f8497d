import type { InputSource, StepState } from "@/flow/runDetail";

export const stepStateKeys = {
  queued: "runs.node.queued",
  running: "runs.node.running",
  done: "runs.node.done",
  failed: "runs.node.error",
  skipped: "runs.node.skipped",
  waiting: "runs.node.waiting",
  cancelled: "runs.node.cancelled",
  reused: "runs.node.frozen",
} as const satisfies Record<StepState, string>;

export const runStatuses = [
  "queued",
  "running",
  "waiting",
  "completed",
  "failed",
  "cancelled",
  "timed_out",
] as const;

export type RunStatus = (typeof runStatuses)[number];

const statusKeys = {
  queued: "runs.status.queued",
  running: "runs.status.running",
  waiting: "runs.status.waiting",
  completed: "runs.status.done",
  failed: "runs.status.failed",
  cancelled: "runs.status.cancelled",
  timed_out: "runs.status.timedOut",
} as const satisfies Record<RunStatus, string>;

export function statusKey(status: string): (typeof statusKeys)[RunStatus] {
  return statusKeys[runStatuses.find((known) => known === status) ?? "failed"];
}

const kindKeys = {
  run: "runs.kind.run",
  build: "runs.kind.build",
  workflow: "runs.kind.workflow",
  webhook: "runs.kind.webhook",
  responses: "runs.kind.responses",
  public: "runs.kind.public",
} as const;

/** How it was started; null for a way that this page does not know. */
export function kindKey(kind: string): (typeof kindKeys)[keyof typeof kindKeys] | null {
  return Object.hasOwn(kindKeys, kind) ? kindKeys[kind as keyof typeof kindKeys] : null;
}

export const sourceKeys = {
  literal: "runs.source.literal",
  default: "runs.source.default",
  wire: "runs.source.wire",
  variable: "runs.source.variable",
  tweak: "runs.source.tweak",
  input: "runs.source.input",
  agent: "runs.source.agent",
} as const satisfies Record<InputSource, string>;
