import type { Flow, FlowNode, Wire } from "./model";

export type Mark = "added" | "removed" | "changed";

export interface Comparison {
  flow: Flow;
  nodeMarks: ReadonlyMap<string, Mark>;
  wireMarks: ReadonlyMap<string, Mark>;
}

function wireKey(wire: Wire): string {
  return [wire.source, wire.sourcePort, wire.target, wire.targetPort].join("\n");
}

/** One drawing of two documents: the newer one, with what it lost from the older one still in place. */
export function compareFlows(from: Flow, to: Flow, changed: Iterable<string>): Comparison {
  const nodeMarks = new Map<string, Mark>();
  const wireMarks = new Map<string, Mark>();
  for (const id of changed) if (to.byId.has(id)) nodeMarks.set(id, "changed");
  for (const node of to.nodes) if (!from.byId.has(node.id)) nodeMarks.set(node.id, "added");
  const gone = from.nodes.filter((node) => !to.byId.has(node.id));
  for (const node of gone) nodeMarks.set(node.id, "removed");

  const before = new Set(from.wires.map(wireKey));
  const after = new Set(to.wires.map(wireKey));
  for (const wire of to.wires) if (!before.has(wireKey(wire))) wireMarks.set(wire.id, "added");
  const taken = new Set(to.wires.map((wire) => wire.id));
  const goneWires = from.wires
    .filter((wire) => !after.has(wireKey(wire)))
    .map((wire) => (taken.has(wire.id) ? { ...wire, id: `${wire.id}#removed` } : wire));
  for (const wire of goneWires) wireMarks.set(wire.id, "removed");

  const nodes = [...to.nodes.map((node) => withPortsOf(node, from, goneWires)), ...gone];
  const wires = [...to.wires, ...goneWires];
  const wiresOf = new Map<string, Wire[]>();
  for (const wire of wires) {
    for (const id of new Set([wire.source, wire.target])) wiresOf.set(id, [...(wiresOf.get(id) ?? []), wire]);
  }
  const flow = {
    nodes,
    byId: new Map(nodes.map((node) => [node.id, node])),
    wires,
    wiresOf,
    problems: to.problems,
    viewport: to.viewport,
  };
  return { flow, nodeMarks, wireMarks };
}

// A removed wire may end at a port only the older node had.
function withPortsOf(node: FlowNode, from: Flow, gone: readonly Wire[]): FlowNode {
  const old = from.byId.get(node.id);
  if (!old) return node;
  const ends = gone.flatMap((wire) => [
    ...(wire.source === node.id ? [wire.sourcePort] : []),
    ...(wire.target === node.id ? [wire.targetPort] : []),
  ]);
  const missing = old.ports.filter(
    (port) => ends.includes(port.id) && !node.ports.some((known) => known.id === port.id),
  );
  return missing.length === 0 ? node : { ...node, ports: [...node.ports, ...missing] };
}
