import { findOutput, shownOutputs } from "./outputs";
import { parseHandle, type Handle } from "./handles";
import { isRecord, recordOr, text, textOrNull, type JsonRecord } from "./json";
import type { ComponentNode, FlowNode, Port, UnknownNode, Wire } from "./model";
import { componentPorts } from "./nodes";
import { controlPort, fieldPort, guessedPort, loopPort, lostPort, outputPort } from "./ports";
import { problem, type Draft } from "./problems";
import { canonicalType } from "./portTypes";

interface End {
  port: Port;
  broken: boolean;
}

interface Pending {
  id: string;
  source: FlowNode;
  target: FlowNode;
  from: End;
  to: End;
  type: string | null;
}

/** Joins nodes by the document's edges and gives every node its ports. */
export function connect(edges: unknown, draft: Draft): { wires: Wire[]; wiresOf: Map<string, Wire[]> } {
  const pending = readEdges(edges, draft);
  assignPorts(pending, draft);
  const wiresOf = new Map<string, Wire[]>();
  const wires = pending.map((item) => toWire(item));
  for (const wire of wires) {
    for (const end of new Set([wire.source, wire.target])) {
      const list = wiresOf.get(end);
      if (list) list.push(wire);
      else wiresOf.set(end, [wire]);
    }
  }
  return { wires, wiresOf };
}

function toWire({ id, source, target, from, to, type }: Pending): Wire {
  const isControl = from.port.role === "control" || (from.port.role === "lost" && to.port.role === "control");
  return {
    id,
    source: source.id,
    sourcePort: from.port.id,
    target: target.id,
    targetPort: to.port.id,
    kind: isControl ? "control" : "data",
    type: isControl ? null : type,
    broken: from.broken || to.broken,
  };
}

function readEdges(edges: unknown, draft: Draft): Pending[] {
  if (!Array.isArray(edges)) {
    if (edges !== undefined && edges !== null) draft.problems.push(problem("edges_not_list", true, null));
    return [];
  }
  const ids = new Set<string>();
  const pending: Pending[] = [];
  edges.forEach((edge: unknown, index) => {
    const at = { index: String(index + 1) };
    if (!isRecord(edge)) return void draft.problems.push(problem("edge_not_object", true, null, at));
    const item = readEdge(edge, at, draft);
    if (!item) return;
    item.id = uniqueId(textOrNull(edge.id) ?? `wire-${index}`, ids);
    pending.push(item);
  });
  return pending;
}

function uniqueId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let copy = 2; taken.has(id); copy += 1) id = `${wanted}#${copy}`;
  taken.add(id);
  return id;
}

function readEdge(edge: JsonRecord, at: { index: string }, draft: Draft): Pending | null {
  const { from: fromHandle, to: toHandle } = handlesOf(edge);
  const sourceId = text(edge.source) || handleNode(fromHandle);
  const targetId = text(edge.target) || handleNode(toHandle);
  if (!sourceId || !targetId) {
    draft.problems.push(problem("edge_no_ends", true, null, at));
    return null;
  }
  const source = draft.byId.get(sourceId);
  const target = draft.byId.get(targetId);
  if (!source || !target || source.kind === "note" || target.kind === "note") {
    const missing = !source || source.kind === "note" ? sourceId : targetId;
    draft.problems.push(
      problem("edge_missing_node", true, null, { ...at, source: sourceId, target: targetId, id: missing }),
    );
    return null;
  }
  const from = sourceEnd(source, fromHandle, source.kind === "component" && target.kind === "workflow");
  const to = targetEnd(target, toHandle, from.port.role === "control");
  for (const [end, node, handle] of [
    [from, source, fromHandle],
    [to, target, toHandle],
  ] as const) {
    if (end.broken)
      draft.problems.push(
        problem("edge_missing_port", false, node.id, { ...at, node: node.title, port: handleName(handle) }),
      );
  }
  return { id: "", source, target, from, to, type: wireType(from, fromHandle) };
}

// Documents are never changed in place: an edge that is the same object says the same.
const knownHandles = new WeakMap<JsonRecord, { from: Handle | null; to: Handle | null }>();

function handlesOf(edge: JsonRecord): { from: Handle | null; to: Handle | null } {
  const known = knownHandles.get(edge);
  if (known) return known;
  const data = recordOr(edge.data);
  const handles = {
    from: parseHandle(data.sourceHandle) ?? parseHandle(edge.sourceHandle),
    to: parseHandle(data.targetHandle) ?? parseHandle(edge.targetHandle),
  };
  knownHandles.set(edge, handles);
  return handles;
}

function handleNode(handle: Handle | null): string {
  return handle && handle.kind !== "named" ? (handle.node ?? "") : "";
}

function handleName(handle: Handle | null): string {
  if (!handle) return "";
  return handle.kind === "field" ? handle.field : handle.name;
}

function wireType(from: End, handle: Handle | null): string | null {
  const declared = handle?.kind === "output" && handle.types.length === 1 ? handle.types[0] : undefined;
  const type = from.port.role === "output" ? (from.port.types[0] ?? declared) : declared;
  return type ? canonicalType(type) : null;
}

function lost(side: "in" | "out", name: string): End {
  return { port: lostPort(side, name), broken: true };
}

function sourceEnd(node: FlowNode, handle: Handle | null, toWorkflow: boolean): End {
  if (node.kind === "workflow") return workflowEnd(node, "out", handle);
  if (node.kind === "unknown") return guessedEnd(node, "out", handle);
  if (node.kind === "note") return lost("out", "");
  const output =
    handle?.kind === "output"
      ? findOutput(node.outputs, handle.name, handle.types)
      : namedOutput(node, handle);
  if (output) return { port: outputPort(output), broken: false };
  if (toWorkflow && handle?.kind !== "output") return { port: controlPort("out", "then", ""), broken: false };
  return lost("out", handleName(handle));
}

function namedOutput(node: ComponentNode, handle: Handle | null): ComponentNode["outputs"][number] | null {
  if (handle?.kind === "named") return node.outputs.find((output) => output.name === handle.name) ?? null;
  return null;
}

function targetEnd(node: FlowNode, handle: Handle | null, fromControl: boolean): End {
  if (node.kind === "workflow") return workflowEnd(node, "in", handle);
  if (node.kind === "unknown") return guessedEnd(node, "in", handle);
  if (node.kind === "note") return lost("in", "");
  if (handle?.kind === "field") {
    const field =
      node.fields.find((item) => item.name === handle.field) ??
      node.fields.find(
        (item) =>
          handle.proxy && item.proxy?.id === handle.proxy.id && item.proxy.field === handle.proxy.field,
      );
    return field ? { port: fieldPort(field), broken: false } : lost("in", handle.field);
  }
  const name = handle?.name ?? "";
  const loop = findOutput(
    node.outputs.filter((output) => output.loop),
    name,
    [],
  );
  if (handle && loop) return { port: loopPort(loop), broken: false };
  const field = node.fields.find((item) => item.name === name);
  if (field) return { port: fieldPort(field), broken: false };
  if (fromControl) return { port: controlPort("in", "run", ""), broken: false };
  return lost("in", name);
}

function workflowEnd(node: FlowNode, side: "in" | "out", handle: Handle | null): End {
  const ports = node.ports.filter((port) => port.side === side);
  const name = handleName(handle);
  const named = ports.find((port) => port.name === name || port.id === name);
  if (named) return { port: named, broken: false };
  // Single ports are written with no name, or with any name the editor of the day used.
  const only = ports.length === 1 ? ports[0] : undefined;
  if (only && (side === "in" || name === "" || only.label === "")) return { port: only, broken: false };
  return lost(side, name);
}

/** A node we know nothing about gets the ports its wires name. */
function guessedEnd(node: UnknownNode, side: "in" | "out", handle: Handle | null): End {
  const name = handleName(handle) || (side === "in" ? "in" : "out");
  const types = handle && handle.kind !== "named" ? handle.types.map(canonicalType) : [];
  const port = guessedPort(side, name, types);
  const known = node.ports.find((item) => item.id === port.id);
  if (!known) node.ports.push(port);
  return { port: known ?? port, broken: false };
}

function assignPorts(pending: readonly Pending[], draft: Draft): void {
  const used = new Map<string, Port[]>();
  const use = (node: FlowNode, port: Port): void => {
    const list = used.get(node.id);
    if (list) list.push(port);
    else used.set(node.id, [port]);
  };
  for (const { source, target, from, to } of pending) {
    use(source, from.port);
    use(target, to.port);
  }
  for (const node of draft.nodes) {
    const ports = used.get(node.id) ?? [];
    if (node.kind === "component") {
      const names = (role: Port["role"], side?: Port["side"]): Set<string> =>
        new Set(
          ports
            .filter((port) => port.role === role && (!side || port.side === side))
            .map((port) => port.name),
        );
      const wiredOutputs = new Set([...names("output"), ...names("loop")]);
      const selected = textOrNull(recordOr(node.raw.data).selected_output);
      node.shownOutputs = shownOutputs(node.outputs, selected, wiredOutputs);
      node.ports = componentPorts(node, names("field"));
    }
    for (const port of ports) {
      if (!node.ports.some((known) => known.id === port.id)) node.ports.push(port);
    }
  }
  for (const { target, to, type } of pending) {
    const port = target.ports.find((known) => known.id === to.port.id);
    if (port && port.role !== "control") port.type = type ?? port.type;
  }
}

/** Names of the fields of a node that a wire feeds. */
export function wiredFields(node: FlowNode, wires: readonly Wire[]): Set<string> {
  const names = new Set<string>();
  for (const wire of wires) {
    if (wire.target !== node.id || !wire.targetPort.startsWith("in:")) continue;
    names.add(wire.targetPort.slice(3));
  }
  return names;
}
