import { finite, isRecord, type JsonRecord, textOrNull } from "@/flow/json";
import { firstCharacters, KEYS } from "./protocol";
import { readMessage } from "./savedMessages";
import { settledMessages } from "./settled";
import { keep, readKept } from "./storage";
import type { ChatState, Message } from "./types";

/** A conversation that was kept. */
export interface SavedSession {
  id: string;
  flowId: string;
  /** The first thing the person said, at most 80 characters. */
  title: string;
  /** When it was last kept. */
  at: number;
  messages: Message[];
}

const TITLE = 80;
/** Of one flow. */
const MOST = 10;
/**
 * All together, in characters. A browser has room for some five million, and changes of a flow that are not saved yet
 * must find theirs.
 */
const BUDGET = 1_500_000;
/** One of them: beyond this its beginning goes. */
const LONGEST = 500_000;

/** What is kept of a conversation; null when nothing was asked in it. */
export function keptSession(state: ChatState, at: number): SavedSession | null {
  const first = firstQuestion(state.messages);
  if (first === null) return null;
  const { sessionId: id, flowId } = state;
  return { id, flowId, title: titleOf(first), at, messages: settledMessages(state.messages) };
}

/** Commands are for the page: a talk that has nothing else is none. */
function firstQuestion(messages: readonly Message[]): string | null {
  const found = messages.find(
    (message, index) => message.role === "user" && messages[index + 1]?.role !== "local",
  );
  return found?.role === "user" ? found.text : null;
}

function titleOf(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const short = firstCharacters(line, TITLE);
  return short === line ? line : `${firstCharacters(line, TITLE - 1)}…`;
}

/** What is kept, as it was written; of other flows nothing more has to be known. */
interface Written {
  id: string;
  flowId: string;
  at: number;
  value: JsonRecord | SavedSession;
}

function written(source: string | null): Written[] {
  let value: unknown;
  try {
    value = JSON.parse(source ?? "[]");
  } catch {
    return [];
  }
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).flatMap((entry) => {
    const id = textOrNull(entry.id);
    const flowId = textOrNull(entry.flowId);
    return id === null || flowId === null ? [] : [{ id, flowId, at: finite(entry.at) ?? 0, value: entry }];
  });
}

/** Reads what is kept; anything odd is skipped. */
export function readSessions(source: string | null): SavedSession[] {
  return written(source).flatMap(({ value }) => readSession(value));
}

function readSession(value: Written["value"]): SavedSession[] {
  if (!Array.isArray(value.messages)) return [];
  const id = textOrNull(value.id);
  const flowId = textOrNull(value.flowId);
  const messages = settledMessages(value.messages.flatMap(readMessage));
  const first = firstQuestion(messages);
  if (id === null || flowId === null || first === null) return [];
  const title = titleOf(textOrNull(value.title) ?? first);
  return [{ id, flowId, title, at: finite(value.at) ?? 0, messages }];
}

type Placed = Pick<Written, "id" | "flowId" | "at">;

/** The list with this session in it: the newest first, ten of each flow. */
export function withSession<T extends Placed>(list: readonly T[], session: T): T[] {
  const sorted = [session, ...withoutSession(list, session.id)].toSorted((a, b) => b.at - a.at);
  let own = 0;
  return sorted.filter((other) => other.flowId !== session.flowId || (own += 1) <= MOST);
}

export function withoutSession<T extends Placed>(list: readonly T[], id: string): T[] {
  return list.filter((session) => session.id !== id);
}

/** The kept conversations of a flow, the newest first. */
export function sessionsOf(flowId: string): SavedSession[] {
  return written(readKept(KEYS.sessions)).flatMap((entry) => (entry.flowId === flowId ? readSession(entry.value) : []));
}

/**
 * Puts a conversation to those that are there by now: other tabs write too. Beyond the budget, or where the browser has
 * less room, the oldest ones go, of whatever flow. False when it could not be kept.
 */
export function storeSession(session: SavedSession): boolean {
  const list = written(readKept(KEYS.sessions));
  const there = list.find(({ id }) => id === session.id);
  const value = shortened(there ? joined(there, session) : session);
  const texts = withSession(list, { ...value, value }).map((entry) => ({
    own: entry.id === session.id,
    text: JSON.stringify(entry.value),
  }));
  let room = BUDGET;
  for (const { own, text } of texts) if (own) room -= text.length;
  let most = texts.findIndex(({ own, text }) => !own && (room -= text.length + 1) < 0);
  if (most < 0) most = texts.length;
  for (;;) {
    const left = texts.filter(({ own }, index) => own || index < most);
    if (keep(KEYS.sessions, `[${left.map(({ text }) => text).join(",")}]`)) return true;
    if (left.length === 1) return false;
    most = Math.floor((Math.min(most, left.length) * 2) / 3);
  }
}

/** Another tab may have gone on with it: what was said there stays, in the order of time. */
function joined({ value }: Written, session: SavedSession): SavedSession {
  const [theirs] = readSession(value);
  if (!theirs) return session;
  const own = new Set(session.messages.map(({ id }) => id));
  const more = theirs.messages.filter(({ id }) => !own.has(id));
  const messages = more.length === 0 ? session.messages : [...session.messages, ...more].toSorted((a, b) => a.at - b.at);
  // The beginning that it is called by may no longer be there.
  return { ...session, title: theirs.title, messages };
}

/** One that is too long begins with a later question. */
function shortened(session: SavedSession): SavedSession {
  const { messages } = session;
  let room = LONGEST;
  let start = messages.length;
  while (start > 0 && room > 0) {
    room -= JSON.stringify(messages[start - 1]).length;
    if (room >= 0) start -= 1;
  }
  if (start === 0) return session;
  const question = (at: number): boolean => messages[at]?.role === "user" && messages[at + 1]?.role !== "local";
  const questions = messages.flatMap((_, at) => (question(at) ? [at] : []));
  const from = questions.find((at) => at >= start) ?? questions.at(-1) ?? 0;
  return { ...session, messages: messages.slice(from) };
}

export function dropSession(id: string): void {
  const list = withoutSession(written(readKept(KEYS.sessions)), id);
  keep(KEYS.sessions, list.length === 0 ? null : JSON.stringify(list.map(({ value }) => value)));
}
