import type { MessageChange, Slice } from "@/api/messages";
import type { MessageRead } from "@/api/types";
import { changedKept, type Kept, keptSessions, readKept, withKept } from "@/flow/keptMessages";

export interface TabMessages {
  sessions: () => string[];
  page: (session: string, slice: Slice) => MessageRead[];
  put: (messages: MessageRead[]) => void;
  change: (id: string, change: MessageChange) => void;
  remove: (ids: string[]) => void;
  rename: (from: string, to: string) => void;
  removeSessions: (names: string[]) => void;
}

/** Messages in `sessionStorage`; where the browser refuses it, in memory until the page is left. */
export function tabMessages(key: string): TabMessages {
  let list = readKept(read(key));
  const save = (next: Kept[]): void => {
    list = next;
    write(key, next);
  };
  const of = (session: string): Kept[] => list.filter((message) => message.session_id === session);
  return {
    sessions: () => keptSessions(list),
    page: (session, { offset, limit }) =>
      of(session).toReversed().slice(offset, offset + limit) as unknown as MessageRead[],
    put: (messages) => save(withKept(list, messages as unknown as Kept[])),
    change: (id, change) => save(changedKept(list, id, change)),
    remove: (ids) => save(list.filter((message) => !ids.includes(message.id))),
    rename: (from, to) =>
      save(list.map((message) => (message.session_id === from ? { ...message, session_id: to } : message))),
    removeSessions: (names) => save(list.filter((message) => !names.includes(message.session_id))),
  };
}

function read(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, list: Kept[]): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(list));
  } catch {
    // Full, or refused: the page still has them.
  }
}
