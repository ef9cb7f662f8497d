import { client, unwrap } from "./client";
import type { MessageRead } from "./types";

/** Names of a flow's conversations, the last used first. */
export async function listSessions(flowId: string, signal?: AbortSignal): Promise<string[]> {
  return (await unwrap(
    client.GET("/api/v1/monitor/messages/sessions", {
      params: { query: { flow_id: flowId } },
      ...(signal ? { signal } : {}),
    }),
  )) as string[];
}

export interface Slice {
  offset: number;
  limit: number;
}

/** Part of a conversation, the newest first. */
export async function listMessages(
  flowId: string,
  session: string,
  slice: Slice,
  signal?: AbortSignal,
): Promise<MessageRead[]> {
  return (await unwrap(
    client.GET("/api/v1/monitor/messages", {
      params: { query: { flow_id: flowId, session_id: session, blocks: "flat", order: "DESC", ...slice } },
      ...(signal ? { signal } : {}),
    }),
  )) as MessageRead[];
}

export interface MessageChange {
  text?: string;
  properties?: Record<string, unknown>;
}

export async function changeMessage(id: string, change: MessageChange): Promise<void> {
  await unwrap(
    client.PUT("/api/v1/monitor/messages/{message_id}", { params: { path: { message_id: id } }, body: change }),
  );
}

export async function deleteMessages(ids: string[]): Promise<void> {
  await unwrap(client.DELETE("/api/v1/monitor/messages", { body: ids }));
}

/** Puts a deleted message back where it was. */
export async function restoreMessage(message: MessageRead): Promise<void> {
  await unwrap(
    client.POST("/api/v1/monitor/messages", { body: { ...message, flow_id: message.flow_id ?? "" } }),
  );
}

export async function renameSession(flowId: string, session: string, name: string): Promise<void> {
  await unwrap(
    client.PATCH("/api/v1/monitor/messages/session/{session_id}", {
      params: { path: { session_id: session }, query: { new_session_id: name, flow_id: flowId } },
    }),
  );
}

export async function deleteSessions(flowId: string, sessions: string[]): Promise<void> {
  await unwrap(
    client.DELETE("/api/v1/monitor/messages/sessions", {
      params: { query: { flow_id: flowId } },
      body: sessions,
    }),
  );
}
