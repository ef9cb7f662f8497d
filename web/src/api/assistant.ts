import { queryOptions } from "@tanstack/react-query";
import type { components } from "./__generated__/schema";
import { client, sessionFetch, unwrap } from "./client";
import { errorFromBody } from "./error";
import { modelKeys } from "./models";
import { readBody } from "./stream";

export type AssistantRequest = components["schemas"]["AssistantRequest"];
export type AssistantConfig = components["schemas"]["AssistantConfig"];
export type FeedbackName = components["schemas"]["FeedbackName"];

/** Below the models' key: who sets up a provider or switches a model makes it ask again. */
export const assistantConfigQuery = queryOptions({
  queryKey: [...modelKeys.all, "assistant"] as const,
  queryFn: async ({ signal }) =>
    (await unwrap(client.GET("/api/v1/agentic/check-config", { signal }))) as AssistantConfig,
  // Whoever opens the panel again writes at once.
  gcTime: Infinity,
});

/** One turn. Hands on the text of its events as they come, until the server has no more; leaving stops the turn. */
export async function streamTurn(
  body: AssistantRequest,
  onEvents: (events: string[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await sessionFetch(
    new Request("/api/v1/agentic/assist/stream", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      body: JSON.stringify(body),
      signal,
    }),
  );
  if (!response.ok || !response.body)
    throw errorFromBody(response.status, await response.json().catch(() => null), response.headers);
  await readBody(response.body, (events) => {
    if (!signal.aborted) onEvents(events.map((event) => event.data));
  });
}

/** The server forgets what was said in the session, and the components that were written. */
export async function resetSession(sessionId: string): Promise<void> {
  await unwrap(client.POST("/api/v1/agentic/sessions/reset", { params: { query: { session_id: sessionId } } }));
}

/** Counts what a person did. Nobody waits for it, and it may get lost. */
export function count(name: FeedbackName, sessionId: string): void {
  client.POST("/api/v1/agentic/feedback", { body: { name, session_id: sessionId } }).catch(() => {});
}

/** A file that the assistant wrote, as text. */
export async function readFile(path: string): Promise<string> {
  return (await unwrap(
    client.GET("/api/v1/agentic/files", { params: { query: { path } }, parseAs: "text" }),
  )) as string;
}
