import { isRecord, toJson } from "../json";
import type { FlowDocument } from "./document";
import { apply } from "./apply";
import type { Edit } from "./edits";
import { inversePatch, isPatch, joinPatches, type Patch } from "./patch";
import type { Refusal } from "./refusal";

/** One step of undo: what was done, under the name of the edit that did it. */
export interface Entry {
  op: Edit["op"];
  patch: Patch;
  /** When it was last added to, in milliseconds. */
  at: number;
  /** Entries with the same key and close in time are one step. */
  key: string | null;
  /** Whose edit it was, if not the person's own: all of one turn are one step (`turns.ts`). */
  turn?: string;
}

/** Plain JSON. `done` is in order; the end of `undone` is what redo does next. */
export interface History {
  done: readonly Entry[];
  undone: readonly Entry[];
}

export const NO_HISTORY: History = { done: [], undone: [] };

export interface Limits {
  /** Steps that are kept. */
  steps: number;
  /** Letters of JSON that are kept over a reload. */
  letters: number;
  /** How long a pause may be within one step, in milliseconds. */
  pause: number;
}

export const LIMITS: Limits = { steps: 200, letters: 1_000_000, pause: 1000 };

/** Writes down an applied edit. What was undone before can no longer be redone. */
export function remember(
  history: History,
  edit: Edit,
  patch: Patch,
  at: number,
  limits: Limits = LIMITS,
): History {
  if (patch.changes.length === 0) return history;
  const key = coalescingKey(edit);
  const last = history.done.at(-1);
  const joins =
    last !== undefined &&
    key !== null &&
    last.key === key &&
    at - last.at <= limits.pause &&
    history.undone.length === 0;
  if (!joins)
    return { done: [...history.done, { op: edit.op, patch, at, key }].slice(-limits.steps), undone: [] };
  const joined = joinPatches(last.patch, patch);
  const before = history.done.slice(0, -1);
  // There and back again: nothing is left to undo.
  if (joined.changes.length === 0) return { done: before, undone: [] };
  return { done: [...before, { ...last, patch: joined, at }], undone: [] };
}

/** Dragging the same nodes, typing in the same field, pulling at the same note: one step each. */
function coalescingKey(edit: Edit): string | null {
  switch (edit.op) {
    case "move":
      return JSON.stringify(["move", ...edit.moves.map(({ node }) => node).toSorted()]);
    case "configure":
      return JSON.stringify(["configure", edit.node, ...Object.keys(edit.values).toSorted()]);
    case "note":
      return edit.node !== undefined && edit.text !== undefined && edit.color === undefined
        ? JSON.stringify(["note", edit.node])
        : null;
    case "rename":
      return JSON.stringify(["rename", edit.node, edit.name !== undefined, edit.description !== undefined]);
    case "resize":
      return JSON.stringify(["resize", edit.node]);
    default:
      return null;
  }
}

/** Ends the step that is going on: letting go of a node, leaving a field. */
export function settle(history: History): History {
  const last = history.done.at(-1);
  if (!last || last.key === null) return history;
  return { ...history, done: [...history.done.slice(0, -1), { ...last, key: null }] };
}

export type Stepped =
  | { ok: true; history: History; document: FlowDocument; entry: Entry; patch: Patch }
  /** The document is not what the step left behind; the history is without it then. */
  | { ok: false; history: History; refusal: Refusal };

/** Takes the last step back; null when there is none. */
export function undo(history: History, document: FlowDocument): Stepped | null {
  const entry = history.done.at(-1);
  if (!entry) return null;
  const done = history.done.slice(0, -1);
  const patch = inversePatch(entry.patch);
  const outcome = apply(document, { op: "patch", ...patch });
  if (!outcome.ok) return { ok: false, history: { ...history, done }, refusal: outcome.refusal };
  const undone = [...history.undone, { ...entry, key: null }];
  return { ok: true, history: { done, undone }, document: outcome.document, entry, patch };
}

/** Does the last step that was undone again; null when there is none. */
export function redo(history: History, document: FlowDocument): Stepped | null {
  const entry = history.undone.at(-1);
  if (!entry) return null;
  const undone = history.undone.slice(0, -1);
  const outcome = apply(document, { op: "patch", ...entry.patch });
  if (!outcome.ok) return { ok: false, history: { ...history, undone }, refusal: outcome.refusal };
  const done = [...history.done, entry];
  return { ok: true, history: { done, undone }, document: outcome.document, entry, patch: entry.patch };
}

const FORM = 1;

/**
 * The history as text for the next visit, no longer than the limit: the oldest steps go first. `of` names the document
 * it belongs to, such as the flow's id and revision.
 */
export function saveHistory(history: History, of: string, limits: Limits = LIMITS): string {
  let room = limits.letters;
  const kept = (entries: readonly Entry[]): Entry[] => {
    const fitting: Entry[] = [];
    for (const entry of entries.toReversed()) {
      room -= toJson(entry)?.length ?? Number.POSITIVE_INFINITY;
      // A step that is left out takes all before it along: undo must not skip one.
      if (room < 0) break;
      fitting.unshift(entry);
    }
    return fitting;
  };
  const done = kept(history.done);
  return JSON.stringify({ form: FORM, of, done, undone: kept(history.undone) });
}

/** What `saveHistory` wrote for the same document; an empty history for anything else. */
export function restoreHistory(source: string | null, of: string): History {
  try {
    const saved: unknown = JSON.parse(source ?? "null");
    if (!isRecord(saved) || saved.form !== FORM || saved.of !== of) return NO_HISTORY;
    const { done, undone } = saved;
    if (!isEntries(done) || !isEntries(undone)) return NO_HISTORY;
    return { done, undone };
  } catch {
    return NO_HISTORY;
  }
}

function isEntries(value: unknown): value is Entry[] {
  return Array.isArray(value) && value.every(isEntry);
}

function isEntry(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value.op === "string" &&
    typeof value.at === "number" &&
    (value.key === null || typeof value.key === "string") &&
    (value.turn === undefined || typeof value.turn === "string") &&
    isPatch(value.patch)
  );
}
