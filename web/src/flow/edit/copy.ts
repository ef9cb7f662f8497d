import { isRecord, recordOr, text, type JsonRecord } from "../json";
import { readPosition } from "../nodes";
import type { Edit } from "./edits";
import { decodeHandle, edgeId, encodeHandle } from "./encode";
import { readEnds, readRaw } from "./read";
import type { Record } from "./record";
import { position } from "./nodeEdits";
import { Refused } from "./refusal";

type Of<Op extends Edit["op"]> = Extract<Edit, { op: Op }>;

/** Nodes with the wires between them; wires that lead elsewhere stay behind. */
export interface Selection {
  nodes: JsonRecord[];
  edges: JsonRecord[];
}

export function selectionOf(
  document: { nodes: readonly JsonRecord[]; edges: readonly JsonRecord[] },
  ids: Iterable<string>,
): Selection {
  const wanted = new Set(ids);
  return {
    nodes: document.nodes.filter((node) => wanted.has(text(node.id))),
    edges: document.edges.filter((edge) => {
      const { source, target } = readEnds(edge);
      return wanted.has(source) && wanted.has(target);
    }),
  };
}

export function duplicate(record: Record, { nodes, dx, dy }: Of<"duplicate">): void {
  for (const id of nodes) record.raw(id);
  const selection = selectionOf({ nodes: record.draft.nodes, edges: record.draft.edges }, nodes);
  paste(record, { op: "paste", ...selection, dx, dy });
}

/** Puts copies of nodes on the canvas: new ids, the wires between them led to the copies, all moved alike. */
export function paste(record: Record, { nodes, edges, dx, dy }: Of<"paste">): void {
  position(dx, dy);
  const ids = new Map<string, string>();
  const taken = new Set<string>();
  for (const node of nodes) {
    const old = text(node.id);
    if (old === "" || ids.has(old)) throw new Refused("malformed");
    let id = record.freeId(prefixOf(node));
    for (let round = 0; taken.has(id) && round < 100; round += 1) id = record.freeId(prefixOf(node));
    if (taken.has(id)) throw new Refused("node_exists", { node: id });
    taken.add(id);
    ids.set(old, id);
  }
  for (const node of nodes) record.insertNode(copiedNode(node, ids, dx, dy));
  for (const edge of edges) {
    const copy = copiedEdge(edge, ids);
    if (copy) record.insertWire(copy);
  }
}

// The start of an id tells what a node is, to the executor too; old notes were called `undefined-…`.
function prefixOf(node: JsonRecord): string {
  const { kind, type } = readRaw(node);
  if (kind === "note") return "note";
  return type || text(node.id).replace(/-[^-]*$/, "") || "node";
}

function copiedNode(node: JsonRecord, ids: ReadonlyMap<string, string>, dx: number, dy: number): JsonRecord {
  const id = ids.get(text(node.id)) ?? text(node.id);
  const place = readPosition(node) ?? { x: 0, y: 0 };
  const inside = [text(node.parentId), text(node.parentNode)].some((parent) => ids.has(parent));
  const copy: JsonRecord = {
    ...node,
    id,
    // Inside a copied parent a place is relative, and the parent moves already.
    position: { ...recordOr(node.position), ...(inside ? place : { x: place.x + dx, y: place.y + dy }) },
  };
  if (isRecord(node.data)) copy.data = "id" in node.data ? { ...node.data, id } : node.data;
  // What the canvas worked out for the original.
  delete copy.positionAbsolute;
  for (const key of ["parentId", "parentNode"] as const) {
    if (!(key in copy)) continue;
    const parent = ids.get(text(copy[key]));
    if (parent === undefined) delete copy[key];
    else copy[key] = parent;
  }
  return copy;
}

/** An edge between copied nodes, under their new ids; null when it leads elsewhere. */
export function copiedEdge(edge: JsonRecord, ids: ReadonlyMap<string, string>): JsonRecord | null {
  const source = ids.get(text(edge.source));
  const target = ids.get(text(edge.target));
  if (source === undefined || target === undefined) return null;
  const copy: JsonRecord = { ...edge, source, target };
  for (const [key, id] of [
    ["sourceHandle", source],
    ["targetHandle", target],
  ] as const) {
    if (typeof edge[key] === "string") copy[key] = renamedText(edge[key], id);
    const { data } = copy;
    if (isRecord(data) && isRecord(data[key])) copy.data = { ...data, [key]: { ...data[key], id } };
  }
  if ("id" in edge) copy.id = edgeId(source, text(copy.sourceHandle), target, text(copy.targetHandle));
  return copy;
}

function renamedText(handle: string, id: string): string {
  const decoded = handle.trimStart().startsWith("{") ? decodeHandle(handle) : null;
  return decoded ? encodeHandle({ ...decoded, id }) : handle;
}
