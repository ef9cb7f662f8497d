import type { ServerEvent } from "@/flow/sse";
import { client, unwrap } from "./client";
import { readStream } from "./stream";
import type { RunRead } from "./types";

export interface WorkflowStart {
  flowId: string;
  session: string;
  /** Left out where the flow has nothing to say it to. */
  input?: string | undefined;
  files: string[];
  /** The same key starts the same run only once, however often it is sent. */
  key: string;
}

/** Starts a run that goes on without us; answers with its id. */
export async function startWorkflow(start: WorkflowStart): Promise<string> {
  const job = await unwrap(
    client.POST("/api/v2/workflows", {
      body: {
        flow_id: start.flowId,
        session_id: start.session,
        mode: "background",
        idempotency_key: start.key,
        ...(start.input === undefined ? {} : { input_value: start.input }),
        ...(start.files.length === 0 ? {} : { files: start.files }),
      },
    }),
  );
  return (job as { job_id: string }).job_id;
}

export async function stopWorkflow(jobId: string): Promise<void> {
  await unwrap(client.POST("/api/v2/workflows/stop", { body: { job_id: jobId } }));
}

/** What was decided: the chosen option, and what goes with it. */
export interface Decision {
  action_id: string;
  [name: string]: unknown;
}

export async function answerQuestion(jobId: string, requestId: string, decision: Decision): Promise<void> {
  await unwrap(
    client.POST("/api/v2/workflows/{job_id}/resume", {
      params: { path: { job_id: jobId } },
      body: { request_id: requestId, decision },
    }),
  );
}

export async function getRun(id: string): Promise<RunRead> {
  return (await unwrap(
    client.GET("/api/v1/runs/{run_id}", { params: { path: { run_id: id } } }),
  )) as RunRead;
}

export async function newestRun(
  flowId: string,
  session: string,
  signal: AbortSignal,
): Promise<RunRead | null> {
  const page = await unwrap(
    client.GET("/api/v1/runs", {
      params: { query: { flow_id: flowId, session_id: session, size: 1 } },
      signal,
    }),
  );
  return (page as { items: RunRead[] }).items[0] ?? null;
}

/** Reads a run's events, those after `after` if it is given, until the server has no more of them. */
export function readEvents(
  jobId: string,
  after: string | null,
  onEvents: (events: ServerEvent[]) => void,
  signal: AbortSignal,
): Promise<void> {
  return readStream(`/api/v2/workflows/${encodeURIComponent(jobId)}/events`, after, { onEvents }, signal);
}
