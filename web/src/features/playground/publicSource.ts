import { answerPublic, type PublicFlow, startPublic } from "@/api/publicChat";
import {
  changeSharedMessage,
  deleteSharedSession,
  listSharedMessages,
  listSharedSessions,
  renameSharedSession,
} from "@/api/sharedMessages";
import { readBody } from "@/api/stream";
import type { MessageRead } from "@/api/types";
import type { ChatSource, Start } from "./source";
import { tabMessages } from "./tabMessages";

/** What both kinds of visitors have in common: a run lives as long as the stream that started it. */
function runsOf(flow: PublicFlow): Pick<ChatSource, "takesFiles" | "start" | "answer" | "runs"> {
  return {
    takesFiles: false,
    start: async ({ session, input }: Start, signal) => {
      const response = await startPublic(
        { flowId: flow.id, input, session: session === flow.id ? undefined : session },
        signal,
      );
      let body = response.body;
      return {
        jobId: null,
        read: async (_after, onEvents) => {
          const once = body;
          body = null;
          if (once) await readBody(once, onEvents);
        },
      };
    },
    answer: answerPublic,
    runs: null,
  };
}

/** Somebody without an account: what is said stays in this tab of the browser. */
export function tabSource(flow: PublicFlow): ChatSource {
  const kept = tabMessages(flow.virtual_flow_id ?? flow.id);
  return {
    flowId: flow.id,
    kept: "tab",
    ...runsOf(flow),
    sessions: async () => kept.sessions(),
    page: async (session, slice) => kept.page(session, slice),
    change: async (id, change) => kept.change(id, change),
    edits: {
      remove: async (messages) => kept.remove(messages.flatMap(({ id }) => id ?? [])),
      restore: async (messages) => kept.put(messages),
    },
    renameSession: async (from, to) => kept.rename(from, to),
    removeSessions: async (names) => kept.removeSessions(names),
    keep: (session, messages) => kept.put(messages.map((message) => ({ ...message, session_id: session }))),
  };
}

/** Somebody with an account who visits another's flow: the server keeps it for them alone. */
export function accountSource(flow: PublicFlow): ChatSource {
  const visited = flow.virtual_flow_id ?? flow.id;
  const toServer = (session: string): string => (session === flow.id ? visited : `${visited}:${session}`);
  const toPage = (session: string): string =>
    session === visited ? flow.id : session.startsWith(`${visited}:`) ? session.slice(visited.length + 1) : session;
  const forPage = (message: MessageRead): MessageRead => ({ ...message, session_id: toPage(message.session_id) });
  return {
    flowId: flow.id,
    kept: "account",
    ...runsOf(flow),
    sessions: async (signal) => (await listSharedSessions(flow.id, signal)).map(toPage),
    page: async (session, slice, signal) =>
      (await listSharedMessages(flow.id, toServer(session), slice, signal)).map(forPage),
    change: (id, change) => changeSharedMessage(flow.id, id, change),
    edits: null,
    renameSession: (from, to) => renameSharedSession(flow.id, toServer(from), toServer(to)),
    removeSessions: async (names) => {
      for (const name of names) await deleteSharedSession(flow.id, toServer(name));
    },
    keep: null,
  };
}
