/** The end of a conversation, as far back as it was loaded. */
export interface Loaded<M extends Stamped> {
  /** The oldest first. */
  messages: M[];
  /** There are earlier ones. */
  more: boolean;
}

interface Stamped {
  id?: string | null;
  timestamp: string;
}

/** Messages fetched at a time. */
export const pageSize = 50;

/** The newest page (newest first) with what was loaded before it. */
export function withNewest<M extends Stamped>(before: Loaded<M> | undefined, page: M[]): Loaded<M> {
  const newest = page.toReversed();
  const [first] = newest;
  const whole = page.length < pageSize;
  if (!before || whole || !first) return { messages: reuse(before, newest), more: !whole };
  const earlier = before.messages.filter((message) => message.timestamp < first.timestamp);
  // Older ones that do not reach the page may have a hole before it.
  const joins = before.messages.some((message) => message.id === first.id);
  if (!joins || earlier.length === 0) return { messages: reuse(before, newest), more: true };
  return { messages: [...earlier, ...reuse(before, newest)], more: before.more };
}

/** One more page (newest first) before what is there; null when it does not join on. */
export function withEarlier<M extends Stamped>(now: Loaded<M>, page: M[]): Loaded<M> | null {
  const known = new Set(now.messages.map((message) => message.id));
  const joins = page.length === 0 || known.has(page[0]?.id);
  if (!joins) return null;
  const fresh = page.filter((message) => !known.has(message.id)).toReversed();
  return { messages: [...fresh, ...now.messages], more: page.length >= pageSize };
}

/** The same object for a message that has not changed: it is not drawn again. */
function reuse<M extends Stamped>(before: Loaded<M> | undefined, messages: M[]): M[] {
  if (!before) return messages;
  const known = new Map(before.messages.map((message) => [message.id, message]));
  return messages.map((message) => {
    const old = known.get(message.id);
    return old && JSON.stringify(old) === JSON.stringify(message) ? old : message;
  });
}

/** Somebody else emptied the conversation: of what was there, nothing is left. */
export function isEmptiedElsewhere<M extends Stamped>(before: Loaded<M> | undefined, page: M[]): boolean {
  if (!before || before.messages.length === 0) return false;
  const now = new Set(page.map((message) => message.id));
  return !before.messages.some((message) => now.has(message.id)) && page.length < pageSize;
}
