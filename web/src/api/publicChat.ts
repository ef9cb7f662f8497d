import { client, sessionFetch, unwrap } from "./client";
import { type ApiError, errorFromBody } from "./error";
import type { Decision } from "./workflows";

/** A flow that is shared with everybody, as far as visitors may see it. */
export interface PublicFlow {
  id: string;
  name: string;
  description: string | null;
  /** Under this id the server and the browser keep what this visitor says. */
  virtual_flow_id?: string;
  public_access?: { can_read: boolean; can_execute: boolean };
  has_chat_input?: boolean;
  has_chat_output?: boolean;
}

export async function getPublicFlow(id: string, signal: AbortSignal): Promise<PublicFlow> {
  return (await unwrap(
    client.GET("/api/v1/flows/public_flow/{flow_id}", { params: { path: { flow_id: id } }, signal }),
  )) as unknown as PublicFlow;
}

export interface PublicStart {
  flowId: string;
  /** Left out for the visitor's first conversation. */
  session?: string | undefined;
  input?: string | undefined;
}

/** Runs a shared flow. The answer is the run's stream; whoever closes it stops the run. */
export async function startPublic(start: PublicStart, signal: AbortSignal): Promise<Response> {
  const response = await sessionFetch(
    new Request("/api/v2/workflows/public", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      body: JSON.stringify({
        flow_id: start.flowId,
        input_value: start.input ?? "",
        ...(start.session === undefined ? {} : { session_id: start.session }),
      }),
      signal,
    }),
  );
  if (!response.ok) throw await errorOf(response);
  return response;
}

export async function answerPublic(jobId: string, requestId: string, decision: Decision): Promise<void> {
  const response = await sessionFetch(
    new Request(`/api/v2/workflows/public/${encodeURIComponent(jobId)}/resume`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ request_id: requestId, decision }),
    }),
  );
  if (!response.ok) throw await errorOf(response);
}

async function errorOf(response: Response): Promise<ApiError> {
  return errorFromBody(response.status, await response.json().catch(() => null), response.headers);
}
