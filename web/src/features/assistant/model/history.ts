import { KEYS } from "./protocol";
import { keep, readKept } from "./storage";

/** What was sent before, the newest first. */
export type InputHistory = readonly string[];

const MOST = 10;

/** Where somebody is who walks through what was sent. `at` null: in the present, where nothing is recalled. */
export interface Recall {
  at: number | null;
  /** What was being written when the walk began. */
  draft: string;
}

export const PRESENT: Recall = { at: null, draft: "" };

export interface Recalled {
  recall: Recall;
  text: string;
}

/** Anything that is not a list of texts counts as nothing. */
export function parseHistory(kept: string | null): InputHistory {
  if (kept === null) return [];
  try {
    const value: unknown = JSON.parse(kept);
    return isTexts(value) ? value.slice(0, MOST) : [];
  } catch {
    return [];
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

/** The same text twice in a row is kept once. */
export function withInput(history: InputHistory, text: string): InputHistory {
  const entry = text.trim();
  if (entry === "" || history[0] === entry) return history;
  return [entry, ...history].slice(0, MOST);
}

/** One step towards older or newer texts; null where there is nothing further. */
export function recall(history: InputHistory, where: Recall, way: "older" | "newer", draft: string): Recalled | null {
  if (way === "newer") {
    if (where.at === null) return null;
    if (where.at === 0) return { recall: PRESENT, text: where.draft };
    return step(history, where.at - 1, where.draft);
  }
  if (where.at === null) return step(history, 0, draft);
  return step(history, Math.min(where.at + 1, history.length - 1), where.draft);
}

function step(history: InputHistory, at: number, draft: string): Recalled | null {
  const text = history[at];
  return text === undefined ? null : { recall: { at, draft }, text };
}

export function readHistory(): InputHistory {
  return parseHistory(readKept(KEYS.inputHistory));
}

/** Read anew each time: another tab may have sent something. */
export function rememberInput(text: string): void {
  const before = readHistory();
  const after = withInput(before, text);
  if (after !== before) keep(KEYS.inputHistory, JSON.stringify(after));
}
