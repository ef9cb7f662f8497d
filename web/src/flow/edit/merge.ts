import { isRecord, text, type JsonRecord } from "../json";
import { apply } from "./apply";
import { edgesOf, nodesOf, type FlowDocument } from "./document";
import { overlap, type Change, type Patch, type SetValue } from "./patch";
import { readEnds } from "./read";
import { refusal, type Refusal } from "./refusal";
import { sameJson } from "./values";

/** A local change that cannot be put on top of the newer document. */
export interface MergeConflict<Step extends { patch: Patch }> {
  step: Step;
  refusal: Refusal;
}

export interface Merged<Step extends { patch: Patch }> {
  /** The newer document with the local steps that go on top of it. */
  document: FlowDocument;
  /** Those steps, as they apply to it now; steps that someone else has taken as well are left out. */
  steps: Step[];
  conflicts: MergeConflict<Step>[];
}

/**
 * Puts local steps, made since `base`, on top of what someone else made of `base`. A step whose ground is gone is listed
 * and left out, and so is every later one that stands on it; nobody's work is overwritten.
 */
export function mergeSteps<Step extends { patch: Patch }>(
  base: FlowDocument,
  remote: FlowDocument,
  local: readonly Step[],
): Merged<Step> {
  const theirs = patchBetween(base, remote);
  const merged: Merged<Step> = { document: remote, steps: [], conflicts: [] };
  // Nodes of steps that were left out: someone else's node may have the same id by now.
  const lost = new Set<string>();
  for (const step of local) {
    const gone = step.patch.changes.flatMap(mentioned).find((id) => lost.has(id));
    const rebased: Rebased =
      gone === undefined
        ? rebasePatch(step.patch, theirs)
        : { ok: false, refusal: refusal("node_gone", { node: gone }) };
    const patch = rebased.ok ? refreshed(rebased.patch, merged.document) : step.patch;
    if (patch.changes.length === 0) continue;
    const outcome = rebased.ok ? apply(merged.document, { op: "patch", ...patch }) : rebased;
    if (outcome.ok) {
      merged.document = outcome.document;
      merged.steps.push({ ...step, patch: outcome.patch });
      continue;
    }
    merged.conflicts.push({ step, refusal: outcome.refusal });
    for (const change of step.patch.changes)
      if (change.change === "insert_node") lost.add(text(change.item.id));
  }
  return merged;
}

/** Ids of the nodes that a step speaks of. */
function mentioned(change: Change): string[] {
  if (change.change === "replace") return [];
  if (change.change === "set") return [change.node];
  if (change.change === "insert_node" || change.change === "remove_node") return [text(change.item.id)];
  const { source, target } = readEnds(change.item);
  return [source, target];
}

// What is removed may differ in what the canvas keeps about it; undoing the removal gives back theirs.
function refreshed(patch: Patch, document: FlowDocument): Patch {
  const nodes = new Map(nodesOf(document).map((node) => [text(node.id), node]));
  const edges = edgesOf(document);
  const changes = patch.changes.map((change) => {
    if (change.change === "remove_node") {
      const item = nodes.get(text(change.item.id));
      return item && sameJson(settled(item), settled(change.item)) ? { ...change, item } : change;
    }
    if (change.change !== "remove_wire") return change;
    const { key } = withKey(change.item, 0);
    const alike = edges.filter((edge) => withKey(edge, 0).key === key);
    const item = alike.find((edge) => sameJson(edge, change.item)) ?? alike[0];
    return item ? { ...change, item } : change;
  });
  return { changes };
}

export type Rebased = { ok: true; patch: Patch } | { ok: false; refusal: Refusal };

/**
 * The patch for someone whose document has had `remote` applied first; refused when both speak of the same thing and
 * mean different things. What both mean alike is left out.
 */
export function rebasePatch(local: Patch, remote: Patch): Rebased {
  const changes: Change[] = [];
  for (const mine of local.changes) {
    let already = false;
    for (const theirs of remote.changes) {
      const met = meets(mine, theirs);
      if (typeof met !== "boolean") return { ok: false, refusal: met };
      already ||= met;
    }
    if (!already) changes.push(mine);
  }
  return { ok: true, patch: { changes } };
}

/** Whether `theirs` has done the same already; a refusal when the two cannot both be. */
function meets(mine: Change, theirs: Change): boolean | Refusal {
  if (mine.change === "replace" || theirs.change === "replace")
    return sameJson(mine, theirs) ? true : refusal("flow_replaced");
  if (mine.change === "set") {
    if (theirs.change === "set") return setsMeet(mine, theirs);
    const gone = theirs.change === "remove_node" && text(theirs.item.id) === mine.node;
    return gone ? refusal("node_gone", { node: mine.node }) : false;
  }
  if (theirs.change === "set") {
    const { node, path } = theirs;
    const changed = mine.change === "remove_node" && text(mine.item.id) === node;
    return changed ? refusal("value_changed", { node, path }) : false;
  }
  if (mine.change === theirs.change) return sameKindMeets(mine.change, mine.item, theirs.item);
  return wireMeetsNode(mine, theirs) ?? wireMeetsNode(theirs, mine) ?? false;
}

type ListChange = Exclude<Change, { change: "set" } | { change: "replace" }>;

function sameKindMeets(
  change: ListChange["change"],
  mine: JsonRecord,
  theirs: JsonRecord,
): boolean | Refusal {
  switch (change) {
    case "insert_node":
      return mine.id === theirs.id ? refusal("node_taken", { node: text(mine.id) }) : false;
    case "remove_node":
      return mine.id === theirs.id;
    case "insert_wire":
      return sameJson(readEnds(mine), readEnds(theirs));
    case "remove_wire":
      return sameJson(mine, theirs);
  }
}

function wireMeetsNode(one: ListChange, other: ListChange): Refusal | null {
  if (one.change !== "insert_wire" || other.change !== "remove_node") return null;
  const { source, target } = readEnds(one.item);
  const node = text(other.item.id);
  return source === node || target === node ? refusal("node_gone", { node }) : null;
}

function setsMeet(mine: SetValue, theirs: SetValue): boolean | Refusal {
  if (mine.node !== theirs.node || !overlap(mine.path, theirs.path)) return false;
  if (mine.path.length === theirs.path.length && sameJson(mine.to, theirs.to)) return true;
  return refusal("value_changed", { node: mine.node, path: mine.path });
}

/** What the canvas keeps about a node while it is open; a change of it means nothing. */
const TRANSIENT = new Set([
  "selected",
  "dragging",
  "measured",
  "buildStatus",
  "positionAbsolute",
  "resizing",
]);

function settled(node: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(node).filter(([key]) => !TRANSIENT.has(key)));
}

/**
 * What leads from one document to the other, as far as nodes and wires go: for telling where two people met. The order
 * of nodes, the view and what the canvas keeps about a node do not count.
 */
export function patchBetween(from: FlowDocument, to: FlowDocument): Patch {
  const changes: Change[] = [];
  const after = new Map(nodesOf(to).map((node) => [text(node.id), node]));
  const before = new Map(nodesOf(from).map((node) => [text(node.id), node]));
  const edgesBefore = edgesOf(from).map(withKey);
  const edgesAfter = edgesOf(to).map(withKey);
  const keysBefore = new Set(edgesBefore.map(({ key }) => key));
  const keysAfter = new Set(edgesAfter.map(({ key }) => key));
  for (const { key, item, index } of edgesBefore.toReversed())
    if (!keysAfter.has(key)) changes.push({ change: "remove_wire", index, item });
  for (const [index, item] of nodesOf(from).entries())
    if (!after.has(text(item.id))) changes.push({ change: "remove_node", index, item });
  for (const [id, node] of before) {
    const now = after.get(id);
    if (now && now !== node) sets(id, [], settled(node), settled(now), changes);
  }
  for (const [index, item] of nodesOf(to).entries())
    if (!before.has(text(item.id))) changes.push({ change: "insert_node", index, item });
  for (const { key, item, index } of edgesAfter)
    if (!keysBefore.has(key)) changes.push({ change: "insert_wire", index, item });
  return { changes };
}

function withKey(item: JsonRecord, index: number): { key: string; item: JsonRecord; index: number } {
  return { key: JSON.stringify(readEnds(item)), item, index };
}

function sets(node: string, path: string[], from: JsonRecord, to: JsonRecord, changes: Change[]): void {
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const old = Object.hasOwn(from, key) ? from[key] : undefined;
    const now = Object.hasOwn(to, key) ? to[key] : undefined;
    if (old === now) continue;
    const here = [...path, key];
    if (isRecord(old) && isRecord(now)) sets(node, here, old, now, changes);
    else if (!sameJson(old, now))
      changes.push({
        change: "set",
        node,
        path: here,
        ...(old === undefined ? {} : { from: old }),
        ...(now === undefined ? {} : { to: now }),
      });
  }
}
