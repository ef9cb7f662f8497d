import { boundsOf } from "@/flow/bounds";
import { flowLayouts } from "@/flow/card";
import { apply } from "@/flow/edit/apply";
import { copiedEdge } from "@/flow/edit/copy";
import { edgesOf, type FlowDocument, nodesOf } from "@/flow/edit/document";
import type { Edit } from "@/flow/edit/edits";
import type { Change } from "@/flow/edit/patch";
import { isRecord, recordOr, text, type JsonRecord } from "@/flow/json";
import type { Point } from "@/flow/model";
import { readPosition } from "@/flow/nodes";
import { parseFlow } from "@/flow/parse";
import { wholeFlow } from "./settings";

/** Between what is there and what is added. */
const GAP = 80;
const TRIES = 100;
const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz";

/** Six letters and digits. */
function ending(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join("");
}

export interface Addition {
  /** Inserts nodes and wires, and touches nothing that is there. */
  edit: Edit;
  nodes: JsonRecord[];
  edges: JsonRecord[];
  /** From the ids in the proposal to those on the canvas. */
  idOf: ReadonlyMap<string, string>;
}

/**
 * A whole flow beside what is on the canvas: to the right of it, with new ids only where theirs are taken. On an empty
 * canvas it stands as it came. Null when it is no flow.
 */
export function additionTo(document: FlowDocument, flow: unknown, ids: () => string = ending): Addition | null {
  const opened = wholeFlow(flow);
  if (!opened.ok) return null;
  const idOf = freshIds(nodesOf(document), nodesOf(opened.document), ids);
  if (idOf === null) return null;
  const shift = shiftFor(document, opened.document);
  const nodes = nodesOf(opened.document).map((node) => movedNode(node, idOf, shift));
  const taken = new Set(edgesOf(document).map((edge) => text(edge.id)));
  const edges = edgesOf(opened.document).flatMap((edge): JsonRecord[] => {
    const moved = movedEdge(edge, idOf, taken, ids);
    if (moved) taken.add(text(moved.id));
    return moved ? [moved] : [];
  });
  const [nodesBefore, edgesBefore] = [nodesOf(document).length, edgesOf(document).length];
  const changes: Change[] = [
    ...nodes.map((item, index): Change => ({ change: "insert_node", index: nodesBefore + index, item })),
    ...edges.map((item, index): Change => ({ change: "insert_wire", index: edgesBefore + index, item })),
  ];
  return { edit: { op: "patch", changes }, nodes, edges, idOf };
}

/** The document with the flow beside what was there; the same document when it is no flow. */
export function mergeInto(
  document: FlowDocument,
  flow: unknown,
  ids?: () => string,
): { document: FlowDocument; idOf: ReadonlyMap<string, string> } {
  const addition = additionTo(document, flow, ids);
  const outcome = addition && apply(document, addition.edit);
  return addition && outcome?.ok
    ? { document: outcome.document, idOf: addition.idOf }
    : { document, idOf: new Map() };
}

/** Null when no free ids are to be had. */
function freshIds(
  there: readonly JsonRecord[],
  coming: readonly JsonRecord[],
  ids: () => string,
): ReadonlyMap<string, string> | null {
  const taken = new Set(there.map((node) => text(node.id)));
  const own = new Set(coming.map((node) => text(node.id)));
  const idOf = new Map<string, string>();
  for (const id of own) {
    let free = id;
    for (let round = 0; taken.has(free) || (free !== id && own.has(free)); round += 1) {
      if (round === TRIES) return null;
      free = `${prefixOf(id)}-${ids()}`;
    }
    taken.add(free);
    idOf.set(id, free);
  }
  return idOf;
}

/** The start of an id tells what a node is. */
function prefixOf(id: string): string {
  const dash = id.lastIndexOf("-");
  return dash > 0 ? id.slice(0, dash) : id;
}

/** How far everything moves to stand to the right of what is there. */
function shiftFor(document: FlowDocument, coming: FlowDocument): Point {
  const there = bounds(document);
  const here = bounds(coming);
  return there && here ? { x: there.x + there.width + GAP - here.x, y: 0 } : { x: 0, y: 0 };
}

function bounds(document: FlowDocument): ReturnType<typeof boundsOf> {
  const flow = parseFlow(document);
  const layouts = flowLayouts(flow);
  return boundsOf(
    flow.nodes.map(({ id, position }) => ({ position, size: layouts.get(id)?.size ?? { width: 0, height: 0 } })),
  );
}

function movedNode(node: JsonRecord, idOf: ReadonlyMap<string, string>, shift: Point): JsonRecord {
  const old = text(node.id);
  const id = idOf.get(old) ?? old;
  const place = readPosition(node);
  const parents = (["parentId", "parentNode"] as const).filter((key) => idOf.has(text(node[key])));
  // Inside a parent a place is relative, and the parent moves already.
  const moves = place !== null && parents.length === 0 && (shift.x !== 0 || shift.y !== 0);
  if (id === old && !moves && parents.every((key) => idOf.get(text(node[key])) === node[key])) return node;
  const moved: JsonRecord = { ...node, id };
  if (isRecord(node.data) && "id" in node.data) moved.data = { ...node.data, id };
  for (const key of parents) moved[key] = idOf.get(text(node[key]));
  if (moves) {
    moved.position = { ...recordOr(node.position), x: place.x + shift.x, y: place.y + shift.y };
    // What the canvas worked out for the old place.
    delete moved.positionAbsolute;
  }
  return moved;
}

/** A wire between the nodes that come; null when it leads elsewhere. */
function movedEdge(
  edge: JsonRecord,
  idOf: ReadonlyMap<string, string>,
  taken: ReadonlySet<string>,
  ids: () => string,
): JsonRecord | null {
  const [source, target] = [text(edge.source), text(edge.target)];
  if (!idOf.has(source) || !idOf.has(target)) return null;
  const same = idOf.get(source) === source && idOf.get(target) === target;
  const moved = same ? edge : copiedEdge(edge, idOf);
  if (!moved || !taken.has(text(moved.id)) || text(moved.id) === "") return moved;
  return { ...moved, id: `${text(moved.id)}-${ids()}` };
}
