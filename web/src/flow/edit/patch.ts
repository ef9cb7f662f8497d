import { isRecord, text, type JsonRecord } from "../json";
import { hasEnds, openDocument, type Draft, type FlowDocument } from "./document";
import { readEnds } from "./read";
import { refusal, type Refusal, type RefusalCode } from "./refusal";
import { getAt, placeOf, sameJson, setAt } from "./values";

/** A node or edge that comes or goes. */
export interface Inserted {
  index: number;
  item: JsonRecord;
  /** The document was `{}` before, and is again once nothing is left in it. */
  bare?: boolean;
}

/** One value inside a node. */
export interface SetValue {
  node: string;
  /** The keys that lead to the value. */
  path: string[];
  /** The value before; absent when there was none. */
  from?: unknown;
  /** The value after; absent when it is taken out. */
  to?: unknown;
  /** Which of its object's keys it is, when it is taken out or put back. */
  place?: number;
}

/** One step. The names are those of the server's patches; there JSON is kept as text (`wire.ts` translates). */
export type Change =
  | ({ change: "insert_node" } & Inserted)
  | ({ change: "remove_node" } & Inserted)
  | ({ change: "insert_wire" } & Inserted)
  | ({ change: "remove_wire" } & Inserted)
  | ({ change: "set" } & SetValue)
  | { change: "replace"; from: FlowDocument; to: FlowDocument };

/** What an edit did, step by step. */
export interface Patch {
  changes: Change[];
}

const OPPOSITE = {
  insert_node: "remove_node",
  remove_node: "insert_node",
  insert_wire: "remove_wire",
  remove_wire: "insert_wire",
} as const;

export function inversePatch(patch: Patch): Patch {
  return { changes: patch.changes.toReversed().map(inverse) };
}

function inverse(change: Change): Change {
  if (change.change === "replace") return { ...change, from: change.to, to: change.from };
  if (change.change !== "set") return { ...change, change: OPPOSITE[change.change] };
  const { from, to, ...rest } = change;
  return {
    ...rest,
    ...(to === undefined ? {} : { from: to }),
    ...(from === undefined ? {} : { to: from }),
  };
}

export type Taken = { ok: true; change: Change } | { ok: false; refusal: Refusal };

function no(code: RefusalCode, params: Refusal["params"] = {}): Taken {
  return { ok: false, refusal: refusal(code, params) };
}

/**
 * Takes one step on a draft, or says why it does not fit. Gives the step with the place where it really happened, which
 * is elsewhere when others have changed the lists; only that one can be undone exactly.
 */
export function takeStep(draft: Draft, change: Change): Taken {
  switch (change.change) {
    case "insert_node": {
      const { id } = change.item;
      if (typeof id !== "string") return no("malformed");
      if (draft.place(id) !== null) return no("node_taken", { node: id });
      const step = inserted(change, draft, draft.nodes.length);
      draft.insertNode(step.index, change.item);
      return { ok: true, change: step };
    }
    case "remove_node": {
      const id = text(change.item.id);
      const index = draft.place(id);
      const item = draft.node(id);
      if (index === null || !item) return no("node_gone", { node: id });
      if (!sameJson(item, change.item)) return no("value_changed", { node: id, path: [] });
      draft.removeNode(index);
      if (change.bare) draft.bare = true;
      return { ok: true, change: { ...change, index, item } };
    }
    case "insert_wire": {
      if (!hasEnds(change.item)) return no("malformed");
      const step = inserted(change, draft, draft.edges.length);
      draft.insertEdge(step.index, change.item);
      return { ok: true, change: step };
    }
    case "remove_wire": {
      const index = edgePlace(draft, change);
      const item = draft.edges[index];
      if (!item) {
        const { source, target } = readEnds(change.item);
        return no("wire_gone", { source, target });
      }
      draft.removeEdge(index);
      if (change.bare) draft.bare = true;
      return { ok: true, change: { ...change, index, item } };
    }
    case "set":
      return setValue(draft, change);
    case "replace": {
      if (!sameJson(draft.finish(), change.from)) return no("flow_replaced");
      const opened = openDocument(change.to);
      if (!opened.ok) return no("malformed");
      draft.replace(opened.document);
      return { ok: true, change };
    }
  }
}

function inserted<C extends Inserted>(change: C, draft: Draft, length: number): C {
  const { bare: _bare, ...rest } = change;
  const index = Math.max(0, Math.min(change.index, length));
  return { ...rest, index, ...(draft.bare ? { bare: true } : {}) } as C;
}

function edgePlace(draft: Draft, { index, item }: Inserted): number {
  if (sameJson(draft.edges[index], item)) return index;
  return draft.edges.findIndex((edge) => sameJson(edge, item));
}

function setValue(draft: Draft, { node, path, from, to, place }: SetValue): Taken {
  const index = draft.place(node);
  const current = draft.node(node);
  if (index === null || !current) return no("node_gone", { node });
  // The id is how everything else finds the node.
  if (path.length === 0 || (path.length === 1 && path[0] === "id")) return no("malformed");
  const there = getAt(current, path);
  const fits = from === undefined ? there === undefined && to !== undefined : sameJson(there, from);
  const next = fits ? setAt(current, path, to, place ?? null) : null;
  if (!next) return no("value_changed", { node, path });
  const change = setting(current, node, path, to, place);
  draft.putNode(index, next);
  return { ok: true, change };
}

/** The step that sets a value, as the document is now; null when it is there already. */
export function settingStep(draft: Draft, node: string, path: string[], to: unknown): Change | null {
  const current = draft.node(node);
  const from = getAt(current, path);
  if (from === undefined && to === undefined) return null;
  if (from !== undefined && to !== undefined && sameJson(from, to)) return null;
  return setting(current, node, path, to);
}

function setting(current: unknown, node: string, path: string[], to: unknown, back?: number): Change {
  const from = getAt(current, path);
  // A value that is taken out, or put back, has a place among its object's keys.
  const place = to === undefined ? placeOf(current, path) : from === undefined ? back : undefined;
  return {
    change: "set",
    node,
    path,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(place === undefined || place === null ? {} : { place }),
  };
}

/** Both, one after the other; a value that is set twice is set once. */
export function joinPatches(first: Patch, later: Patch): Patch {
  const changes = [...first.changes];
  for (const change of later.changes) {
    const before = change.change === "set" ? earlierSet(changes, change) : null;
    const earlier = before === null ? undefined : changes[before];
    if (before === null || change.change !== "set" || earlier?.change !== "set") {
      changes.push(change);
      continue;
    }
    // There and back again.
    if (earlier.from !== undefined && sameJson(earlier.from, change.to)) changes.splice(before, 1);
    else changes[before] = { ...earlier, to: change.to };
  }
  return { changes };
}

/** The place of a step that set the same value, with nothing since that speaks of it. */
function earlierSet(changes: readonly Change[], later: SetValue): number | null {
  for (let place = changes.length - 1; place >= 0; place -= 1) {
    const earlier = changes[place];
    if (!earlier || earlier.change === "replace") return null;
    if (earlier.change === "insert_wire" || earlier.change === "remove_wire") continue;
    if (earlier.change !== "set") {
      if (text(earlier.item.id) === later.node) return null;
      continue;
    }
    if (earlier.node !== later.node || !overlap(earlier.path, later.path)) continue;
    // What comes or goes keeps its place among the keys, so only values that stay can be joined.
    const joins =
      earlier.path.length === later.path.length &&
      earlier.to !== undefined &&
      later.to !== undefined &&
      earlier.place === undefined &&
      later.place === undefined;
    return joins ? place : null;
  }
  return null;
}

/** Whether one path leads to the other, or both are the same. */
export function overlap(one: readonly string[], other: readonly string[]): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length).every((key, index) => key === other[index]);
}

/** Whether any JSON has the shape of a patch; its steps check what they find when they are taken. */
export function isPatch(value: unknown): value is Patch {
  return isRecord(value) && Array.isArray(value.changes) && value.changes.every(isChange);
}

function isChange(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (value.change === "replace") return isRecord(value.from) && isRecord(value.to);
  if (value.change === "set")
    return (
      typeof value.node === "string" &&
      Array.isArray(value.path) &&
      value.path.every((key) => typeof key === "string")
    );
  return Object.hasOwn(OPPOSITE, text(value.change)) && Number.isInteger(value.index) && isRecord(value.item);
}
