import { client, unwrap } from "./client";
import type { MessageChange, Slice } from "./messages";
import type { MessageRead } from "./types";

/** What somebody with an account said to a flow that is shared with everybody. */
export async function listSharedSessions(flowId: string, signal?: AbortSignal): Promise<string[]> {
  return (await unwrap(
    client.GET("/api/v1/monitor/messages/shared/sessions", {
      params: { query: { source_flow_id: flowId } },
      ...(signal ? { signal } : {}),
    }),
  )) as string[];
}

export async function listSharedMessages(
  flowId: string,
  session: string,
  slice: Slice,
  signal?: AbortSignal,
): Promise<MessageRead[]> {
  return (await unwrap(
    client.GET("/api/v1/monitor/messages/shared", {
      params: { query: { source_flow_id: flowId, session_id: session, order: "DESC", ...slice } },
      ...(signal ? { signal } : {}),
    }),
  )) as MessageRead[];
}

export async function changeSharedMessage(flowId: string, id: string, change: MessageChange): Promise<void> {
  await unwrap(
    client.PUT("/api/v1/monitor/messages/shared/{message_id}", {
      params: { path: { message_id: id }, query: { source_flow_id: flowId } },
      body: change,
    }),
  );
}

export async function renameSharedSession(flowId: string, session: string, name: string): Promise<void> {
  await unwrap(
    client.PATCH("/api/v1/monitor/messages/shared/session/{session_id}", {
      params: { path: { session_id: session }, query: { new_session_id: name, source_flow_id: flowId } },
    }),
  );
}

export async function deleteSharedSession(flowId: string, session: string): Promise<void> {
  await unwrap(
    client.DELETE("/api/v1/monitor/messages/shared/session/{session_id}", {
      params: { path: { session_id: session }, query: { source_flow_id: flowId } },
    }),
  );
}
