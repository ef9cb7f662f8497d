import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "./client";
import type { MessageRead } from "./types";

export const messageKeys = {
  flow: (flowId: string) => ["messages", flowId] as const,
  sessions: (flowId: string) => ["messages", flowId, "sessions"] as const,
  list: (flowId: string, session: string) => ["messages", flowId, "list", session] as const,
};

/** Names of a flow's conversations, the last used first. */
export const sessionsQuery = (flowId: string) =>
  queryOptions({
    queryKey: messageKeys.sessions(flowId),
    queryFn: async ({ signal }) =>
      (await unwrap(
        client.GET("/api/v1/monitor/messages/sessions", { params: { query: { flow_id: flowId } }, signal }),
      )) as string[],
  });

export const messagesQuery = (flowId: string, session: string) =>
  queryOptions({
    queryKey: messageKeys.list(flowId, session),
    queryFn: async ({ signal }) =>
      (await unwrap(
        client.GET("/api/v1/monitor/messages", {
          params: { query: { flow_id: flowId, session_id: session, blocks: "flat" } },
          signal,
        }),
      )) as MessageRead[],
  });

export async function editMessage(id: string, text: string): Promise<void> {
  await unwrap(
    client.PUT("/api/v1/monitor/messages/{message_id}", {
      params: { path: { message_id: id } },
      body: { text },
    }),
  );
}

export async function deleteMessage(id: string): Promise<void> {
  await unwrap(client.DELETE("/api/v1/monitor/messages", { body: [id] }));
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

export async function deleteSession(flowId: string, session: string): Promise<void> {
  await unwrap(
    client.DELETE("/api/v1/monitor/messages/session/{session_id}", {
      params: { path: { session_id: session }, query: { flow_id: flowId } },
    }),
  );
}
