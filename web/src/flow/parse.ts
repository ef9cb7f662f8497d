import { isRecord, recordOr, finite, text, type JsonRecord } from "./json";
import type { Flow, Point } from "./model";
import { readNode, readPosition } from "./nodes";
import { problem, type Draft } from "./problems";
import { connect } from "./wires";

const NONE: ReadonlySet<string> = new Set();

/** Reads any JSON as a flow. Never throws: what could not be understood is listed in `problems`. Cards in `open` show all fields. */
export function parseFlow(document: unknown, open: ReadonlySet<string> = NONE): Flow {
  const draft: Draft = { nodes: [], byId: new Map(), problems: [] };
  const data = documentData(document);
  if (!data) {
    draft.problems.push(problem("document_missing", true, null));
    return { ...draft, wires: [], wiresOf: new Map(), viewport: null };
  }
  readNodes(data.nodes, draft);
  for (const id of open) {
    const node = draft.byId.get(id);
    if (node?.kind === "component") node.open = true;
  }
  const { wires, wiresOf } = connect(data.edges, draft);
  return { ...draft, wires, wiresOf, viewport: readViewport(data.viewport) };
}

// Accepts both a flow ({name, data: {nodes}}) and the bare data ({nodes, edges}).
function documentData(document: unknown): JsonRecord | null {
  if (!isRecord(document)) return null;
  if (!("nodes" in document) && !("edges" in document) && isRecord(document.data)) return document.data;
  return document;
}

function readViewport(value: unknown): Flow["viewport"] {
  const viewport = recordOr(value);
  const x = finite(viewport.x);
  const y = finite(viewport.y);
  const zoom = finite(viewport.zoom);
  return x !== null && y !== null && zoom !== null && zoom > 0 ? { x, y, zoom } : null;
}

function readNodes(value: unknown, draft: Draft): void {
  if (!Array.isArray(value)) {
    if (value !== undefined && value !== null) draft.problems.push(problem("nodes_not_list", true, null));
    return;
  }
  const raws: { id: string; raw: JsonRecord }[] = [];
  const seen = new Set<string>();
  value.forEach((raw: unknown, index) => {
    const at = { index: String(index + 1) };
    if (!isRecord(raw)) return void draft.problems.push(problem("node_not_object", true, null, at));
    const id = nodeId(raw);
    if (!id) return void draft.problems.push(problem("node_no_id", true, null, at));
    if (seen.has(id)) return void draft.problems.push(problem("node_duplicate", true, id, { ...at, id }));
    seen.add(id);
    raws.push({ id, raw });
  });
  const places = placeNodes(raws, draft);
  for (const { id, raw } of raws) {
    const node = readNode(id, raw, places.get(id) ?? { x: 0, y: 0 });
    draft.nodes.push(node);
    draft.byId.set(id, node);
    if (node.kind !== "unknown") continue;
    const code = node.reason === "unknown_type" ? "node_unknown_type" : "node_no_component";
    draft.problems.push(problem(code, false, id, { id, type: node.type }));
  }
}

function nodeId(raw: JsonRecord): string | null {
  if (typeof raw.id === "number" && Number.isFinite(raw.id)) return String(raw.id);
  return text(raw.id) || text(recordOr(raw.data).id) || null;
}

const SPARE_STEP = 400;

function placeNodes(raws: { id: string; raw: JsonRecord }[], draft: Draft): Map<string, Point> {
  const own = new Map(raws.map(({ id, raw }) => [id, readPosition(raw)]));
  const parents = new Map(raws.map(({ id, raw }) => [id, text(raw.parentId) || text(raw.parentNode)]));
  const places = new Map<string, Point>();
  const known = [...own.values()].filter((point) => point !== null);
  const left = known.reduce((min, point) => Math.min(min, point.x), known.length > 0 ? Infinity : 0);
  const below =
    known.reduce((max, point) => Math.max(max, point.y), known.length > 0 ? -Infinity : -SPARE_STEP) +
    SPARE_STEP;
  let spare = 0;
  for (const { id } of raws) {
    const place = absolute(id, own, parents);
    if (place) {
      places.set(id, place);
      continue;
    }
    // A row beneath everything else: visible, and never on top of a node that has its place.
    places.set(id, { x: left + (spare % 4) * SPARE_STEP, y: below + Math.floor(spare / 4) * SPARE_STEP });
    spare += 1;
    draft.problems.push(problem("node_no_position", false, id, { id }));
  }
  return places;
}

function absolute(id: string, own: Map<string, Point | null>, parents: Map<string, string>): Point | null {
  const start = own.get(id);
  if (!start) return null;
  const place = { ...start };
  const visited = new Set([id]);
  for (let parent = parents.get(id); parent && !visited.has(parent); parent = parents.get(parent)) {
    visited.add(parent);
    const offset = own.get(parent);
    if (!offset) break;
    place.x += offset.x;
    place.y += offset.y;
  }
  return place;
}
