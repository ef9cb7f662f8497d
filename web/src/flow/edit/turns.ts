import { recordOr, text, type JsonRecord } from "../json";
import { apply } from "./apply";
import { nodesOf, type FlowDocument } from "./document";
import type { Edit } from "./edits";
import { LIMITS, type Entry, type History, type Limits } from "./history";
import { inversePatch, joinPatches, overlap, type Change, type Patch, type SetValue } from "./patch";
import { readEnds } from "./read";
import { refusal, type Refusal } from "./refusal";
import { sameJson } from "./values";

/**
 * Writes down an edit of a turn. It joins what the turn did before, however long ago and whatever a person did since,
 * unless one of them has to do with the other: then a second step of the turn begins.
 */
export function rememberInTurn(
  history: History,
  turn: string,
  { op, patch, at }: { op: Edit["op"]; patch: Patch; at: number },
  limits: Limits = LIMITS,
): History {
  if (patch.changes.length === 0) return history;
  const { done } = history;
  const place = done.findLastIndex((entry) => entry.turn === turn);
  const earlier = done[place];
  const free = done.slice(place + 1).every((entry) => independent(entry.patch, patch));
  if (!earlier || !free)
    return { done: [...done, { op, patch, at, key: null, turn }].slice(-limits.steps), undone: [] };
  const joined = joinPatches(earlier.patch, patch);
  const entries = joined.changes.length === 0 ? [] : [{ ...earlier, patch: joined, at }];
  return { done: [...done.slice(0, place), ...entries, ...done.slice(place + 1)], undone: [] };
}

/** Whether the order of the two does not matter: neither stands on what the other made, or speaks of the same. */
export function independent(one: Patch, other: Patch): boolean {
  return one.changes.every((a) => other.changes.every((b) => apart(a, b)));
}

function apart(a: Change, b: Change): boolean {
  if (a.change === "replace" || b.change === "replace") return false;
  if (a.change === "set" && b.change === "set") return a.node !== b.node || !overlap(a.path, b.path);
  if (a.change === "set" || b.change === "set") {
    const set = a.change === "set" ? a : (b as SetValue);
    const list = (a.change === "set" ? b : a) as ListChange;
    if (isNode(list)) return text(list.item.id) !== set.node;
    const { source, target } = readEnds(list.item);
    return (source !== set.node && target !== set.node) || !shapesPorts(set.path);
  }
  if (isNode(a) && isNode(b)) return a.item.id !== b.item.id;
  if (!isNode(a) && !isNode(b)) return wiresApart(a.item, b.item);
  const [node, wire] = isNode(a) ? [a, b] : [b, a];
  const { source, target } = readEnds(wire.item);
  return source !== node.item.id && target !== node.item.id;
}

type ListChange = Exclude<Change, { change: "set" } | { change: "replace" }>;

function isNode(change: ListChange): boolean {
  return change.change === "insert_node" || change.change === "remove_node";
}

/** Places, sizes and values: whatever they are, the node has the same ports. */
function shapesPorts(path: readonly string[]): boolean {
  if (isPlace(path)) return false;
  const last = path.at(-1);
  return !(path[2] === "template" && path.length === 5 && (last === "value" || last === "load_from_db"));
}

// Two wires into one port get in each other's way.
function wiresApart(one: JsonRecord, other: JsonRecord): boolean {
  const [a, b] = [readEnds(one), readEnds(other)];
  return a.target !== b.target || a.input !== b.input;
}

const PLACES: ReadonlySet<string> = new Set(["position", "positionAbsolute", "width", "height", "measured", "style"]);

/** Where a node stands and how large it is: nothing that anybody would miss once the node is gone. */
function isPlace(path: readonly string[]): boolean {
  return PLACES.has(path[0] ?? "") || (path[0] === "data" && path[1] === "showNode");
}

export type TakenBack =
  | { ok: true; history: History; document: FlowDocument; patch: Patch }
  | { ok: false; refusal: Refusal };

/**
 * Takes all of a turn back, also from beneath later steps that have nothing to do with it; null when nothing of it is
 * there. Nodes of the turn that were only moved since go as well. Redo does it all again.
 */
export function takeBack(history: History, turn: string, document: FlowDocument): TakenBack | null {
  const own = history.done.filter((entry) => entry.turn === turn);
  if (own.length === 0) return null;
  const born = new Set(own.flatMap(({ patch }) => patch.changes.flatMap(bornNode)));
  const above: Entry[] = [];
  const redone: Entry[] = [];
  const inverse: Change[] = [];
  let now = document;
  for (const entry of history.done.toReversed()) {
    if (entry.turn !== turn) {
      above.unshift(withoutMoves(entry, born));
      continue;
    }
    const met = above.find(({ patch }) => !independent(patch, entry.patch));
    if (met) return { ok: false, refusal: refusal("built_on", { node: metNode(entry.patch, met.patch) }) };
    const outcome = apply(now, { op: "patch", ...whereTheyStand(inversePatch(entry.patch), now, born) });
    if (!outcome.ok) return outcome;
    now = outcome.document;
    inverse.push(...outcome.patch.changes);
    redone.push({ ...entry, patch: inversePatch(outcome.patch) });
  }
  const done = above.filter(({ patch }) => patch.changes.length > 0);
  return {
    ok: true,
    history: { done, undone: [...history.undone, ...redone] },
    document: now,
    patch: { changes: inverse },
  };
}

function bornNode(change: Change): string[] {
  return change.change === "insert_node" ? [text(change.item.id)] : [];
}

/** Without the moves of nodes that are going to be gone. */
function withoutMoves(entry: Entry, born: ReadonlySet<string>): Entry {
  const changes = entry.patch.changes.filter(
    (change) => change.change !== "set" || !born.has(change.node) || !isPlace(change.path),
  );
  return changes.length === entry.patch.changes.length ? entry : { ...entry, patch: { changes } };
}

/** Removes nodes from where they stand now, which is not always where they came. */
function whereTheyStand(patch: Patch, document: FlowDocument, born: ReadonlySet<string>): Patch {
  const nodes = new Map(nodesOf(document).map((node) => [text(node.id), node]));
  const changes = patch.changes.map((change): Change => {
    if (change.change !== "remove_node" || !born.has(text(change.item.id))) return change;
    const node = nodes.get(text(change.item.id));
    return node ? { ...change, item: standing(change.item, node) } : change;
  });
  return { changes };
}

function standing(item: JsonRecord, now: JsonRecord): JsonRecord {
  const kept = Object.entries(item).filter(([key]) => !PLACES.has(key));
  const places = Object.entries(now).filter(([key]) => PLACES.has(key));
  const made: JsonRecord = Object.fromEntries([...kept, ...places]);
  const [data, other] = [recordOr(item.data), recordOr(now.data)];
  if ("showNode" in data && "showNode" in other) made.data = { ...data, showNode: other.showNode };
  return made;
}

/** The node at which the two meet, for a sentence. */
function metNode(own: Patch, later: Patch): string {
  for (const a of own.changes) {
    const b = later.changes.find((change) => !apart(a, change));
    if (b) return nodeOf(b) || nodeOf(a);
  }
  return "";
}

function nodeOf(change: Change): string {
  if (change.change === "replace") return "";
  if (change.change === "set") return change.node;
  return isNode(change) ? text(change.item.id) : readEnds(change.item).target;
}

/** What a turn has done, as far as it can still be taken back. */
export interface TurnChanges {
  added: ReadonlySet<string>;
  /** Nodes in which something was set. */
  changed: ReadonlySet<string>;
  removed: ReadonlySet<string>;
  /** Nodes that wires now lead into, or no longer. */
  wired: ReadonlySet<string>;
  /** Changes that a person would count: nodes and wires. */
  count: number;
}

export function turnChanges({ done }: History, turn: string): TurnChanges {
  const [added, changed, removed, wired] = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<string>()];
  const wires = new Map<string, number>();
  const came = (id: string): void => {
    if (removed.delete(id)) changed.add(id);
    else added.add(id);
  };
  const went = (id: string): void => {
    changed.delete(id);
    if (!added.delete(id)) removed.add(id);
  };
  for (const change of done.flatMap((entry) => (entry.turn === turn ? entry.patch.changes : []))) {
    switch (change.change) {
      case "insert_node":
        came(text(change.item.id));
        break;
      case "remove_node":
        went(text(change.item.id));
        break;
      case "set":
        if (!added.has(change.node)) changed.add(change.node);
        break;
      case "insert_wire":
      case "remove_wire": {
        const ends = readEnds(change.item);
        const key = JSON.stringify(ends);
        wired.add(ends.target);
        wires.set(key, (wires.get(key) ?? 0) + (change.change === "insert_wire" ? 1 : -1));
        break;
      }
      case "replace": {
        const before = new Map(nodesOf(change.from).map((node) => [text(node.id), node]));
        const after = new Map(nodesOf(change.to).map((node) => [text(node.id), node]));
        for (const [id, node] of after) {
          const known = before.get(id);
          if (!known) came(id);
          else if (!added.has(id) && !sameJson(known, node)) changed.add(id);
        }
        for (const id of before.keys()) if (!after.has(id)) went(id);
      }
    }
  }
  // A wire that goes with its node is not worth a word, nor is one that came and went.
  const lasting = [...wires].filter(([key, sum]) => sum !== 0 && !atGone(key, removed));
  return { added, changed, removed, wired, count: added.size + changed.size + removed.size + lasting.length };
}

function atGone(key: string, removed: ReadonlySet<string>): boolean {
  const ends = recordOr(JSON.parse(key));
  return removed.has(text(ends.source)) || removed.has(text(ends.target));
}
