import { queryOptions } from "@tanstack/react-query";
import { parseDetail, parseStep, type RunDetail, type RunStep } from "@/flow/runDetail";
import { client, sessionFetch, unwrap } from "./client";
import { errorFromBody } from "./error";
import { readStream, type StreamReader } from "./stream";
import type { FlowDocument, RunRead } from "./types";

export const runKeys = {
  flow: (flowId: string) => ["runs", flowId] as const,
  newest: (flowId: string) => ["runs", flowId, "newest"] as const,
  list: (flowId: string, status: string, page: number) => ["runs", flowId, "list", status, page] as const,
  one: (runId: string) => ["run", runId] as const,
  detail: (runId: string) => ["run", runId, "detail"] as const,
  step: (runId: string, node: string, iteration: string | null) =>
    ["run", runId, "step", node, iteration] as const,
};

export interface RunPage {
  items: RunRead[];
  total: number;
  page: number;
  size: number;
}

export const PAGE_SIZE = 25;

export function isOver(run: Pick<RunRead, "status">): boolean {
  return !["queued", "running", "waiting"].includes(run.status);
}

/** The runs of a flow, newest first; all of them where no status is given. */
export async function listRuns(
  flowId: string,
  { status, page, size = PAGE_SIZE }: { status: string; page: number; size?: number },
  signal?: AbortSignal,
): Promise<RunPage> {
  return (await unwrap(
    client.GET("/api/v1/runs", {
      params: { query: { flow_id: flowId, page, size, ...(status === "" ? {} : { status }) } },
      ...(signal ? { signal } : {}),
    }),
  )) as RunPage;
}

export const runsQuery = (flowId: string, status: string, page: number) =>
  queryOptions({
    queryKey: runKeys.list(flowId, status, page),
    queryFn: ({ signal }) => listRuns(flowId, { status, page }, signal),
    // Someone else may start a run; and one that goes on is to be seen going on.
    refetchInterval: ({ state }) => (state.data?.items.every(isOver) === false ? 2_000 : 5_000),
  });

export const newestRunQuery = (flowId: string) =>
  queryOptions({
    queryKey: runKeys.newest(flowId),
    queryFn: async ({ signal }) =>
      (await listRuns(flowId, { status: "", page: 1, size: 1 }, signal)).items[0] ?? null,
  });

export interface DetailedRun {
  run: RunRead;
  detail: RunDetail;
}

async function getJson(path: string, signal?: AbortSignal): Promise<unknown> {
  const response = await sessionFetch(
    new Request(path, { headers: { accept: "application/json" }, ...(signal ? { signal } : {}) }),
  );
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw errorFromBody(response.status, body, response.headers);
  return body;
}

const runPath = (runId: string): string => `/api/v1/runs/${encodeURIComponent(runId)}`;

export const runDetailQuery = (runId: string) =>
  queryOptions({
    queryKey: runKeys.detail(runId),
    queryFn: async ({ signal }): Promise<DetailedRun> => {
      const raw = await getJson(`${runPath(runId)}/detail`, signal);
      return { run: (raw as { run: RunRead }).run, detail: parseDetail(raw) };
    },
    // A run that is over stays as it is.
    staleTime: ({ state }) => (state.data && isOver(state.data.run) ? Infinity : 0),
    refetchInterval: ({ state }) => (state.data && !isOver(state.data.run) ? 1_500 : false),
  });

/** One step with nothing cut. */
export const runStepQuery = (runId: string, node: string, iteration: string | null) =>
  queryOptions({
    queryKey: runKeys.step(runId, node, iteration),
    queryFn: async ({ signal }): Promise<RunStep> => {
      const query = iteration === null ? "" : `?iteration=${encodeURIComponent(iteration)}`;
      return parseStep(await getJson(`${runPath(runId)}/steps/${encodeURIComponent(node)}${query}`, signal));
    },
    staleTime: Infinity,
    gcTime: 60_000,
  });

export interface RunStart {
  flowId: string;
  /** The same key starts the same run only once, however often it is sent. */
  key: string;
  input?: string | undefined;
  session?: string | undefined;
  tweaks?: Record<string, Record<string, unknown>> | undefined;
  /** The canvas as it is now; the saved flow when left out. */
  data?: FlowDocument | undefined;
  startAt?: string | undefined;
  stopAt?: string | undefined;
}

/** Starts a run that goes on without us; answers with its id. */
export async function startRun(start: RunStart): Promise<string> {
  const job = await unwrap(
    client.POST("/api/v2/workflows", {
      body: {
        flow_id: start.flowId,
        mode: "background",
        idempotency_key: start.key,
        ...(start.input === undefined ? {} : { input_value: start.input }),
        ...(start.session === undefined ? {} : { session_id: start.session }),
        ...(start.tweaks === undefined ? {} : { tweaks: start.tweaks }),
        ...(start.data === undefined ? {} : { data: start.data }),
        ...(start.startAt === undefined ? {} : { start_component_id: start.startAt }),
        ...(start.stopAt === undefined ? {} : { stop_component_id: start.stopAt }),
      },
    }),
  );
  return (job as { job_id: string }).job_id;
}

export async function cancelRun(runId: string): Promise<void> {
  await unwrap(client.POST("/api/v1/runs/{run_id}/cancel", { params: { path: { run_id: runId } } }));
}

export interface Fork {
  /** From here on everything runs again; all of it where nothing is given. */
  from_node?: string;
  input_value?: string;
  tweaks?: Record<string, Record<string, unknown>>;
}

export async function forkRun(runId: string, fork: Fork): Promise<RunRead> {
  return (await unwrap(
    client.POST("/api/v1/runs/{run_id}/fork", {
      params: { path: { run_id: runId } },
      body: { from_node: null, input_value: null, tweaks: null, session_id: null, ...fork },
    }),
  )) as RunRead;
}

/** Forgets the runs of a flow that are over. */
export async function deleteRuns(flowId: string): Promise<void> {
  await unwrap(client.DELETE("/api/v1/runs", { params: { query: { flow_id: flowId } } }));
}

/** Every event of a run, those after `after` if it is given, until the run is over. */
export function readRunEvents(
  runId: string,
  after: string | null,
  reader: StreamReader,
  signal: AbortSignal,
): Promise<void> {
  return readStream(`${runPath(runId)}/events`, after, reader, signal);
}
