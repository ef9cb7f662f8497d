import { queryOptions } from "@tanstack/react-query";
import type { MessageChange, Slice } from "@/api/messages";
import { queryClient } from "@/api/queryClient";
import type { MessageRead } from "@/api/types";
import type { Decision } from "@/api/workflows";
import { isEmptiedElsewhere, type Loaded, pageSize, withEarlier, withNewest } from "@/flow/chatPages";
import type { ServerEvent } from "@/flow/sse";
import { chatOf, setEmptied } from "./chatStore";

export interface Start {
  session: string;
  /** Left out where the flow has nothing to say it to. */
  input: string | undefined;
  files: string[];
  /** The same key starts the same run only once. */
  key: string;
}

export interface RunStream {
  jobId: string | null;
  /** Reads events, those after `after` if it is given. */
  read: (after: string | null, onEvents: (events: ServerEvent[]) => void, signal: AbortSignal) => Promise<void>;
}

export interface FoundRun {
  id: string;
  status: string;
  created_at: string;
}

/** What can be asked about runs that go on without the page. */
export interface RunRegistry {
  newest: (session: string, signal: AbortSignal) => Promise<FoundRun | null>;
  find: (jobId: string) => Promise<FoundRun>;
  stream: (jobId: string) => RunStream;
  stop: (jobId: string) => Promise<void>;
}

/** Where the conversations with a flow are kept and its runs are started. The page does not ask which it is. */
export interface ChatSource {
  flowId: string;
  kept: "server" | "account" | "tab";
  sessions: (signal?: AbortSignal) => Promise<string[]>;
  /** Part of a conversation, the newest first. */
  page: (session: string, slice: Slice, signal?: AbortSignal) => Promise<MessageRead[]>;
  change: (id: string, change: MessageChange) => Promise<void>;
  /** Null where single messages cannot be taken away and put back. */
  edits: {
    remove: (messages: MessageRead[]) => Promise<void>;
    restore: (messages: MessageRead[]) => Promise<void>;
  } | null;
  renameSession: (from: string, to: string) => Promise<void>;
  removeSessions: (names: string[]) => Promise<void>;
  /** Takes in what a run told, where no server does it. */
  keep: ((session: string, messages: MessageRead[]) => void) | null;
  takesFiles: boolean;
  start: (start: Start, signal: AbortSignal) => Promise<RunStream>;
  answer: (jobId: string, requestId: string, decision: Decision) => Promise<void>;
  /** Null where a run ends with the stream that started it. */
  runs: RunRegistry | null;
}

export const chatKeys = {
  flow: ({ kept, flowId }: ChatSource) => ["messages", flowId, kept] as const,
  sessions: ({ kept, flowId }: ChatSource) => ["messages", flowId, kept, "sessions"] as const,
  list: ({ kept, flowId }: ChatSource, session: string) => ["messages", flowId, kept, "list", session] as const,
};

export const sessionsQuery = (source: ChatSource) =>
  queryOptions({ queryKey: chatKeys.sessions(source), queryFn: ({ signal }) => source.sessions(signal) });

export type LoadedMessages = Loaded<MessageRead>;

/** The end of a conversation. Fetched again, it keeps what was loaded further back. */
export const messagesQuery = (source: ChatSource, session: string) =>
  queryOptions({
    queryKey: chatKeys.list(source, session),
    // The messages that did not change are the same objects already.
    structuralSharing: false,
    queryFn: async ({ signal }): Promise<LoadedMessages> => {
      const page = await source.page(session, { offset: 0, limit: pageSize }, signal);
      const before = loadedOf(source, session);
      if (isEmptiedElsewhere(before, page)) setEmptied(chatOf(source, session), true);
      return withNewest(before, page);
    },
  });

export function loadedOf(source: ChatSource, session: string): LoadedMessages | undefined {
  return queryClient.getQueryData<LoadedMessages>(chatKeys.list(source, session));
}

export function changeLoaded(
  source: ChatSource,
  session: string,
  change: (messages: MessageRead[]) => MessageRead[],
): void {
  queryClient.setQueryData<LoadedMessages>(
    chatKeys.list(source, session),
    (loaded) => loaded && { ...loaded, messages: change(loaded.messages) },
  );
}

/** Loads one page further back. */
export async function loadEarlier(source: ChatSource, session: string): Promise<void> {
  const now = loadedOf(source, session);
  if (!now?.more) return;
  // One that is known comes again: only then is it sure that nothing lies between.
  let offset = Math.max(0, now.messages.length - 1);
  for (;;) {
    const page = await source.page(session, { offset, limit: pageSize });
    const current = loadedOf(source, session);
    if (!current) return;
    const longer = withEarlier(current, page);
    if (longer || offset === 0) {
      queryClient.setQueryData(chatKeys.list(source, session), longer ?? withNewest(undefined, page));
      return;
    }
    offset = Math.max(0, offset - pageSize + 1);
  }
}

export async function reloadMessages(source: ChatSource, session: string): Promise<LoadedMessages> {
  return queryClient.fetchQuery({ ...messagesQuery(source, session), staleTime: 0 });
}

/** Every message of a conversation, or null when there are more than `most`. */
export async function wholeSession(
  source: ChatSource,
  session: string,
  most: number,
): Promise<MessageRead[] | null> {
  const all: MessageRead[] = [];
  for (;;) {
    const limit = Math.min(1000, most + 1);
    const page = await source.page(session, { offset: all.length, limit });
    all.push(...page);
    if (all.length > most) return null;
    if (page.length < limit) return all.toReversed();
  }
}
