import type { Said } from "./conversation";
import type { Visit } from "./transport";

export interface Kept extends Visit {
  messages: Said[];
  open: boolean | null;
}

const MOST_MESSAGES = 200;
const MOST_TEXT = 400_000;

/** Where the browser gives no storage (private windows, sandboxed frames) the chat lives as long as the page. */
const memory = new Map<string, string>();

function read(key: string): string | null {
  try {
    return sessionStorage.getItem(key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

function write(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    memory.set(key, value);
  }
}

export const keyOf = (host: string, flowId: string): string => `ferroflow-chat:${host}:${flowId}`;

export function load(key: string): Kept {
  try {
    const kept = JSON.parse(read(key) ?? "null") as Partial<Kept> | null;
    if (kept?.visitor && kept.session) {
      const messages = (Array.isArray(kept.messages) ? kept.messages : []).filter(isSaid);
      // Leaving the page stops the run, so an answer that was under way has broken off.
      const settled = messages.map((said) => (said.state === "going" ? { ...said, state: "broken" as const } : said));
      return { visitor: kept.visitor, session: kept.session, messages: settled, open: kept.open ?? null };
    }
  } catch {
    // What is stored there is not ours.
  }
  return { visitor: newId(), session: newId(), messages: [], open: null };
}

function isSaid(value: unknown): value is Said {
  const said = value as Partial<Said> | null;
  return typeof said?.id === "string" && typeof said.text === "string" && (said.from === "person" || said.from === "flow");
}

export function save(key: string, kept: Kept): void {
  const messages = kept.messages.slice(-MOST_MESSAGES);
  while (messages.length > 1 && messages.reduce((sum, said) => sum + said.text.length, 0) > MOST_TEXT) messages.shift();
  write(key, JSON.stringify({ ...kept, messages }));
}

/** `crypto.randomUUID` is missing where the page does not come over HTTPS. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
