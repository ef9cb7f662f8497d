import { arrayOr, isRecord, recordOr, text, type JsonRecord } from "../json";
import { readPosition } from "../nodes";
import type { Point } from "../model";
import { copiedEdge, selectionOf } from "./copy";
import { hasEnds } from "./document";
import type { Edit } from "./edits";
import { decodeHandle, edgeId, encodeHandle } from "./encode";
import { readEnds, readRaw, type RawField, type WireEnds } from "./read";
import type { Record } from "./record";
import { Refused } from "./refusal";
import { setAt } from "./values";

type Of<Op extends Edit["op"]> = Extract<Edit, { op: Op }>;

/**
 * Puts nodes into one node with a flow inside. It shows the fields that no inner wire feeds and the outputs that are not
 * used up inside, under names made of both; wires from outside lead to these.
 */
export function group(record: Record, { nodes: ids, name }: Of<"group">): void {
  const inner = selectionOf({ nodes: record.draft.nodes, edges: record.draft.edges }, ids);
  const inside = new Set(ids);
  for (const id of ids) {
    const { kind } = record.node(id);
    if (kind !== "component" && kind !== "group") throw new Refused("not_a_component", { node: id });
  }
  const [first] = inner.nodes;
  if (!first) throw new Refused("empty_group");
  const outer = record.draft.edges.filter((edge) => crosses(readEnds(edge), inside));
  refuseWhatCannotLead(record, outer, inside);
  const id = record.freeId("GroupNode");
  const wires = inner.edges.map(readEnds);
  const crossing = outer.map((edge) => redirected(edge, id, inside));
  const node: JsonRecord = {
    id,
    type: "genericNode",
    position: corner(inner.nodes),
    selected: false,
    data: {
      id,
      type: "GroupNode",
      node: {
        display_name: name,
        description: "",
        documentation: "",
        template: proxyFields(inner.nodes, wires),
        outputs: proxyOutputs(inner.nodes, wires, outer.map(readEnds)),
        flow: { data: { nodes: inner.nodes, edges: inner.edges } },
      },
      showNode: true,
    },
  };
  record.removeWires((wire) => inside.has(wire.source) || inside.has(wire.target));
  for (const one of ids) record.removeNode(one);
  record.insertNode(node);
  for (const edge of crossing) record.insertWire(edge);
}

function crosses(wire: WireEnds, inside: ReadonlySet<string>): boolean {
  return inside.has(wire.source) !== inside.has(wire.target);
}

function refuseWhatCannotLead(
  record: Record,
  outer: readonly JsonRecord[],
  inside: ReadonlySet<string>,
): void {
  const wires = record.wires();
  for (const { source, target, intoLoop } of outer.map(readEnds)) {
    // A group has no loop ports to lead such a wire to.
    if (intoLoop && inside.has(target)) throw new Refused("loop_across", { node: target, from: source });
    if (!inside.has(source)) continue;
    for (const id of inside) {
      const way = wires.way(target, id);
      if (way) throw new Refused("group_cycle", { path: [source, ...way] });
    }
  }
}

function proxyFields(nodes: readonly JsonRecord[], wires: readonly WireEnds[]): JsonRecord {
  const entries = nodes.flatMap((raw) => {
    const { id, fields } = readRaw(raw);
    const fed = new Set(wires.flatMap((wire) => (wire.target === id && !wire.intoLoop ? [wire.input] : [])));
    const shown = fields.filter(
      (field) => field.show && field.type !== "code" && !field.name.startsWith("_") && !fed.has(field.name),
    );
    return shown.map((field) => [
      fieldName(id, field.name),
      { ...field.raw, proxy: { id, field: field.name } },
    ]);
  });
  return Object.fromEntries(entries) as JsonRecord;
}

function proxyOutputs(
  nodes: readonly JsonRecord[],
  inner: readonly WireEnds[],
  outer: readonly WireEnds[],
): JsonRecord[] {
  const uses = (wires: readonly WireEnds[], id: string, name: string): boolean =>
    wires.some((wire) => wire.source === id && wire.output === name);
  return nodes.flatMap((raw) => {
    const id = text(raw.id);
    const outputs = arrayOr(recordOr(recordOr(raw.data).node).outputs).filter(isRecord);
    return outputs.flatMap((output) => {
      const name = text(output.name);
      if (uses(inner, id, name) && !uses(outer, id, name)) return [];
      // A handle for each: a choice among outputs of different nodes would make no sense.
      return [{ ...output, name: `${id}_${name}`, group_outputs: true, proxy: { id, name } }];
    });
  });
}

function fieldName(id: string, field: string): string {
  return `${field}_${id}`;
}

function corner(nodes: readonly JsonRecord[]): Point {
  const places = nodes.map((node) => readPosition(node) ?? { x: 0, y: 0 });
  return { x: Math.min(...places.map(({ x }) => x)), y: Math.min(...places.map(({ y }) => y)) };
}

/** The edge with its inner end moved to the group. */
function redirected(edge: JsonRecord, id: string, inside: ReadonlySet<string>): JsonRecord {
  const { source, output, target, input } = readEnds(edge);
  if (inside.has(source)) {
    const handle = {
      ...handleOf(edge, "sourceHandle"),
      dataType: "GroupNode",
      id,
      name: `${source}_${output}`,
    };
    return withEnd(edge, "source", id, handle);
  }
  const proxy = { field: input, id: target };
  return withEnd(edge, "target", id, {
    ...handleOf(edge, "targetHandle"),
    fieldName: fieldName(target, input),
    id,
    proxy,
  });
}

function handleOf(edge: JsonRecord, key: "sourceHandle" | "targetHandle"): JsonRecord {
  const { data } = edge;
  if (isRecord(data) && isRecord(data[key])) return data[key];
  return decodeHandle(text(edge[key])) ?? {};
}

function withEnd(edge: JsonRecord, end: "source" | "target", id: string, handle: JsonRecord): JsonRecord {
  const key = `${end}Handle` as const;
  const moved: JsonRecord = {
    ...edge,
    [end]: id,
    [key]: encodeHandle(handle),
    data: { ...recordOr(edge.data), [key]: handle },
  };
  return {
    ...moved,
    id: edgeId(text(moved.source), text(moved.sourceHandle), text(moved.target), text(moved.targetHandle)),
  };
}

/**
 * Puts what is in a group back on the canvas. The values that were set on the group count; ids stay, and only one that
 * is taken gets the group's in front. A wire that the group cannot lead on is removed.
 */
export function ungroup(record: Record, id: string): void {
  const raw = record.raw(id);
  const node = readRaw(raw);
  if (node.kind !== "group") throw new Refused("not_a_group", { node: id });
  const flow = recordOr(recordOr(recordOr(raw.data).node).flow);
  // Old groups keep `nodes` and `edges` without a `data` around them.
  const data = isRecord(flow.data) ? flow.data : flow;
  const nodes = arrayOr(data.nodes).filter(isRecord);
  const edges = arrayOr(data.edges).filter(hasEnds);
  const ids = new Map(
    nodes.map((inner) => {
      const old = text(inner.id);
      const taken = old !== id && record.draft.place(old) !== null;
      return [old, taken ? `${id}/${old}` : old];
    }),
  );
  const from = corner(nodes);
  const to = readPosition(raw) ?? from;
  const outside = record.draft.edges.filter((edge) => {
    const { source, target } = readEnds(edge);
    return source === id || target === id;
  });
  const led = outside.map((edge) => ledInside(edge, raw, ids, nodes));
  record.removeWires(({ source, target }) => source === id || target === id);
  record.removeNode(id);
  for (const inner of nodes) {
    const place = readPosition(inner) ?? { x: 0, y: 0 };
    const shown = withValues(inner, node.fields);
    const now = ids.get(text(inner.id)) ?? text(inner.id);
    record.insertNode({
      ...shown,
      id: now,
      position: { ...recordOr(inner.position), x: place.x + to.x - from.x, y: place.y + to.y - from.y },
      ...(isRecord(shown.data) && "id" in shown.data ? { data: { ...shown.data, id: now } } : {}),
    });
  }
  const same = [...ids].every(([old, now]) => old === now);
  for (const edge of edges) {
    const kept = same ? edge : copiedEdge(edge, ids);
    if (kept) record.insertWire(kept);
  }
  for (const edge of led) if (edge) record.insertWire(edge);
}

// Whether an inner field is shown, and what it is called, stays its own affair.
const OWN = new Set(["proxy", "name", "display_name", "show", "advanced"]);

function withValues(inner: JsonRecord, fields: readonly RawField[]): JsonRecord {
  const id = text(inner.id);
  let node = inner;
  for (const field of fields) {
    if (field.proxy?.id !== id) continue;
    const path = ["data", "node", "template", field.proxy.field];
    const own = readRaw(inner).fields.find(({ name }) => name === field.proxy?.field);
    if (!own) continue;
    const set = Object.fromEntries(Object.entries(field.raw).filter(([key]) => !OWN.has(key)));
    node = setAt(node, path, { ...own.raw, ...set }) ?? node;
  }
  return node;
}

function ledInside(
  edge: JsonRecord,
  group: JsonRecord,
  ids: ReadonlyMap<string, string>,
  nodes: readonly JsonRecord[],
): JsonRecord | null {
  const { id, outputs, fields } = readRaw(group);
  const { source, output, target, input } = readEnds(edge);
  if (source === id) {
    const shown = outputs.find(({ name }) => name === output)?.proxy;
    const end = shown ?? splitName(output, ids);
    const now = ids.get(end?.id ?? "");
    if (!end || now === undefined) return null;
    const dataType = nodes.map(readRaw).find((node) => node.id === end.id)?.type ?? "";
    return withEnd(edge, "source", now, {
      ...handleOf(edge, "sourceHandle"),
      dataType,
      id: now,
      name: end.name,
    });
  }
  if (target !== id) return edge;
  const { proxy: own, ...handle } = handleOf(edge, "targetHandle");
  const named = recordOr(own);
  const shown = fields.find(({ name }) => name === input)?.proxy;
  const end = shown ?? { id: text(named.id), field: text(named.field) };
  const now = ids.get(end.id);
  if (now === undefined || end.field === "") return null;
  return withEnd(edge, "target", now, { ...handle, fieldName: end.field, id: now });
}

/** `<inner id>_<output>`; the longest id wins, because ids may hold underscores. */
function splitName(name: string, ids: ReadonlyMap<string, string>): { id: string; name: string } | null {
  for (let place = name.lastIndexOf("_"); place > 0; place = name.lastIndexOf("_", place - 1)) {
    const id = name.slice(0, place);
    if (ids.has(id)) return { id, name: name.slice(place + 1) };
  }
  return null;
}
