import { isRecord, type JsonRecord, text } from "./json";

/** Messages as they are kept in a tab: told once, in the order in which they were said. */
export type Kept = JsonRecord & { id: string; session_id: string; timestamp: string };

/** What was read back; anything that is no message is left out. */
export function readKept(saved: string | null): Kept[] {
  try {
    const list: unknown = JSON.parse(saved ?? "[]");
    return Array.isArray(list) ? list.filter(isKept) : [];
  } catch {
    return [];
  }
}

function isKept(value: unknown): value is Kept {
  return isRecord(value) && text(value.id) !== "" && text(value.session_id) !== "" && text(value.timestamp) !== "";
}

/** Adds messages, or takes their newer form; none is there twice. */
export function withKept(list: readonly Kept[], more: readonly Kept[]): Kept[] {
  const newer = new Map(more.map((message) => [message.id, message]));
  const known = new Set(list.map((message) => message.id));
  const all = [
    ...list.map((message) => newer.get(message.id) ?? message),
    ...more.filter((message) => !known.has(message.id)),
  ];
  return all.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0));
}

/** Names of conversations, the last used first. */
export function keptSessions(list: readonly Kept[]): string[] {
  return [...new Set(list.toReversed().map((message) => message.session_id))];
}

export function changedKept(
  list: readonly Kept[],
  id: string,
  change: { text?: string; properties?: JsonRecord },
): Kept[] {
  return list.map((message) => {
    if (message.id !== id) return message;
    const edit = change.text !== undefined && change.text !== message.text;
    const properties = isRecord(message.properties) ? message.properties : {};
    return {
      ...message,
      ...(change.text === undefined ? {} : { text: change.text }),
      ...(edit ? { edit: true } : {}),
      properties: { ...properties, ...change.properties },
    };
  });
}
