import type { FlowDocument } from "./document";
import { openDocument } from "./document";
import { connect, cut, disconnect } from "./connect";
import { duplicate, paste } from "./copy";
import type { Edit } from "./edits";
import { configure, connectionMode, entry, refresh, selectOutput, toolMode, variable } from "./fieldEdits";
import { group, ungroup } from "./group";
import { add, freeze, minimise, move, note, remove, rename, resize } from "./nodeEdits";
import { inversePatch, type Patch } from "./patch";
import { recode } from "./recode";
import { Record, type Context } from "./record";
import { Refused, refusal, type Refusal } from "./refusal";
import { NO_COMPONENTS } from "./registry";

/** What an edit did, or why not. A refused edit has changed nothing. */
export type Outcome =
  | {
      ok: true;
      document: FlowDocument;
      /** What takes it back. */
      inverse: Edit;
      patch: Patch;
      /** Ids of the nodes that came. */
      nodes: string[];
    }
  | { ok: false; refusal: Refusal };

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(5));
  return Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join("");
}

const ALONE: Context = { registry: NO_COMPONENTS, ids: randomId };

/** Applies an edit, wholly or not at all. Nodes and edges it does not touch are the same objects afterwards. */
export function apply(document: FlowDocument, edit: Edit, context: Context = ALONE): Outcome {
  const opened = openable(document);
  if (opened) return { ok: false, refusal: opened };
  const record = new Record(document, context);
  try {
    perform(record, edit);
  } catch (error) {
    if (error instanceof Refused) return { ok: false, refusal: error.refusal };
    throw error;
  }
  const { patch, document: changed } = record.finish();
  sound.add(changed);
  return {
    ok: true,
    document: changed,
    patch,
    inverse: { op: "patch", ...inversePatch(patch) },
    nodes: record.added,
  };
}

// Documents that were made here need no second look.
const sound = new WeakSet<object>();

function openable(document: FlowDocument): Refusal | null {
  if (sound.has(document)) return null;
  const opened = openDocument(document);
  return opened.ok ? null : refusal("not_a_flow", { reason: opened.reason });
}

function perform(record: Record, edit: Edit): void {
  switch (edit.op) {
    case "add":
      return add(record, edit);
    case "remove":
      return remove(record, edit.node);
    case "connect":
      return connect(record, edit);
    case "disconnect":
      return disconnect(record, edit);
    case "cut":
      return cut(record, edit.wire);
    case "configure":
      return configure(record, edit.node, edit.values);
    case "variable":
      return variable(record, edit);
    case "entry":
      return entry(record, edit);
    case "set_flow":
      return setFlow(record, edit.data);
    case "select_output":
      return selectOutput(record, edit);
    case "connection_mode":
      return connectionMode(record, edit);
    case "tool_mode":
      return toolMode(record, edit);
    case "refresh":
      return refresh(record, edit);
    case "recode":
      return recode(record, edit);
    case "move":
      return move(record, edit.moves);
    case "note":
      return note(record, edit);
    case "rename":
      return rename(record, edit);
    case "freeze":
      return freeze(record, edit);
    case "minimise":
      return minimise(record, edit);
    case "resize":
      return resize(record, edit);
    case "paste":
      return paste(record, edit);
    case "duplicate":
      return duplicate(record, edit);
    case "group":
      return group(record, edit);
    case "ungroup":
      return ungroup(record, edit.node);
    case "patch":
      return edit.changes.forEach((change) => record.step(change));
    case "batch":
      return edit.edits.forEach((one) => perform(record, one));
  }
}

function setFlow(record: Record, data: unknown): void {
  const opened = openDocument(typeof data === "string" ? parsed(data) : data);
  if (!opened.ok) throw new Refused("not_a_flow", { reason: opened.reason });
  record.step({ change: "replace", from: record.draft.finish(), to: opened.document });
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source) as unknown;
  } catch {
    return undefined;
  }
}
