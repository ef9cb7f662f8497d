import type { Flow, FlowNode, Wire } from "./model";
import { NO_WIRES } from "./model";

export interface Connection {
  wire: Wire;
  /** The port on this node. */
  port: string;
  /** The node at the other end and its port there. */
  node: string;
  nodeTitle: string;
  otherPort: string;
}

export interface OutlineEntry {
  node: FlowNode;
  inputs: Connection[];
  outputs: Connection[];
}

export interface Outline {
  steps: OutlineEntry[];
  notes: FlowNode[];
}

const COLUMN = 160;

/** Left to right by columns, each from top to bottom: cards placed by hand never stand exactly under each other. */
function byPlace(nodes: readonly FlowNode[]): FlowNode[] {
  const sorted = nodes.toSorted((a, b) => a.position.x - b.position.x);
  const column = new Map<FlowNode, number>();
  let start = Number.NEGATIVE_INFINITY;
  let index = 0;
  for (const node of sorted) {
    if (node.position.x - start > COLUMN) {
      start = node.position.x;
      index += 1;
    }
    column.set(node, index);
  }
  const rank = (node: FlowNode): number => column.get(node) ?? 0;
  return sorted.sort((a, b) => rank(a) - rank(b) || a.position.y - b.position.y || (a.id < b.id ? -1 : 1));
}

/** Nodes in the order they would be read: what feeds a node comes before it, otherwise left to right, top to bottom. */
export function readingOrder(flow: Flow): FlowNode[] {
  const waiting = byPlace(flow.nodes.filter((node) => node.kind !== "note"));
  const open = new Map(waiting.map((node) => [node.id, 0]));
  const forward = flow.wires.filter(
    (wire) => !wire.targetPort.startsWith("loop:") && wire.source !== wire.target,
  );
  const next = new Map<string, string[]>();
  for (const wire of forward) {
    open.set(wire.target, (open.get(wire.target) ?? 0) + 1);
    const list = next.get(wire.source);
    if (list) list.push(wire.target);
    else next.set(wire.source, [wire.target]);
  }
  const order: FlowNode[] = [];
  while (waiting.length > 0) {
    // In a cycle nothing is free: start it at its leftmost node.
    const free = waiting.findIndex((node) => (open.get(node.id) ?? 0) <= 0);
    const [node] = waiting.splice(Math.max(0, free), 1);
    if (!node) break;
    order.push(node);
    for (const target of next.get(node.id) ?? []) open.set(target, (open.get(target) ?? 0) - 1);
  }
  return order;
}

export function connectionsOf(flow: Flow, id: string): { inputs: Connection[]; outputs: Connection[] } {
  const own = flow.byId.get(id);
  const inputs: Connection[] = [];
  const outputs: Connection[] = [];
  if (!own) return { inputs, outputs };
  for (const wire of flow.wiresOf.get(id) ?? NO_WIRES) {
    if (wire.target === id)
      inputs.push(connection(flow, own, wire, wire.targetPort, wire.source, wire.sourcePort));
    if (wire.source === id)
      outputs.push(connection(flow, own, wire, wire.sourcePort, wire.target, wire.targetPort));
  }
  const rank = new Map(own.ports.map((port, index) => [port.id, index]));
  const place = (port: string): number => rank.get(port) ?? rank.size;
  inputs.sort((a, b) => place(a.wire.targetPort) - place(b.wire.targetPort));
  outputs.sort((a, b) => place(a.wire.sourcePort) - place(b.wire.sourcePort));
  return { inputs, outputs };
}

function connection(
  flow: Flow,
  own: FlowNode,
  wire: Wire,
  ownPort: string,
  other: string,
  otherPort: string,
): Connection {
  const node = flow.byId.get(other);
  const label = (item: FlowNode | undefined, port: string): string =>
    item?.ports.find((known) => known.id === port)?.label ?? "";
  return {
    wire,
    port: label(own, ownPort),
    node: other,
    nodeTitle: node?.title ?? other,
    otherPort: label(node, otherPort),
  };
}

export function outline(flow: Flow): Outline {
  return {
    steps: readingOrder(flow).map((node) => ({ node, ...connectionsOf(flow, node.id) })),
    notes: byPlace(flow.nodes.filter((node) => node.kind === "note")),
  };
}

/** The order in which Tab walks the nodes: as they are read, notes last. */
export function tabOrder(flow: Flow): string[] {
  const notes = flow.nodes.filter((node) => node.kind === "note");
  return [...readingOrder(flow), ...notes].map((node) => node.id);
}
