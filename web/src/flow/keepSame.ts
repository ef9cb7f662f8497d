import type { CardLayout } from "./card";
import { cardLayout } from "./card";
import type { Flow, FlowNode, Port, Wire } from "./model";
import { NO_WIRES } from "./model";

/**
 * The flow that was just read, with the objects of the one before wherever nothing is different: whoever draws it looks
 * at identities, so a key typed into one node must not touch the others.
 */
export function keepSame(before: Flow, after: Flow): Flow {
  const nodes = after.nodes.map((node) => {
    const known = before.byId.get(node.id);
    return known && sameNode(known, node) ? known : node;
  });
  const known = new Map(before.wires.map((wire) => [wire.id, wire]));
  const wires = after.wires.map((wire) => {
    const old = known.get(wire.id);
    return old && sameWire(old, wire) ? old : wire;
  });
  const sameNodes = sameList(before.nodes, nodes);
  const sameWires = sameList(before.wires, wires);
  const sameProblems = JSON.stringify(before.problems) === JSON.stringify(after.problems);
  return {
    ...after,
    problems: sameProblems ? before.problems : after.problems,
    nodes: sameNodes ? before.nodes : nodes,
    byId: sameNodes ? before.byId : new Map(nodes.map((node) => [node.id, node])),
    wires: sameWires ? before.wires : wires,
    wiresOf: sameWires ? before.wiresOf : keptWires(before, wires),
  };
}

function sameList<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

function keptWires(before: Flow, wires: readonly Wire[]): Map<string, readonly Wire[]> {
  const lists = new Map<string, Wire[]>();
  for (const wire of wires) {
    for (const end of new Set([wire.source, wire.target])) {
      const list = lists.get(end);
      if (list) list.push(wire);
      else lists.set(end, [wire]);
    }
  }
  const kept = new Map<string, readonly Wire[]>();
  for (const [id, list] of lists) {
    const old = before.wiresOf.get(id);
    kept.set(id, old && sameList(old, list) ? old : list);
  }
  return kept;
}

function sameNode(one: FlowNode, other: FlowNode): boolean {
  if (one.raw !== other.raw || one.kind !== other.kind) return false;
  if (one.position.x !== other.position.x || one.position.y !== other.position.y) return false;
  if (one.ports.length !== other.ports.length) return false;
  if (!one.ports.every((port, index) => samePort(port, other.ports[index]))) return false;
  if (one.kind !== "component" || other.kind !== "component") return true;
  return one.open === other.open && sameList(one.shownOutputs, other.shownOutputs);
}

function samePort(one: Port, other: Port | undefined): boolean {
  return (
    other !== undefined &&
    one.id === other.id &&
    one.type === other.type &&
    one.label === other.label &&
    one.role === other.role &&
    sameList(one.types, other.types)
  );
}

function sameWire(one: Wire, other: Wire): boolean {
  return (
    one.source === other.source &&
    one.sourcePort === other.sourcePort &&
    one.target === other.target &&
    one.targetPort === other.targetPort &&
    one.kind === other.kind &&
    one.type === other.type &&
    one.broken === other.broken
  );
}

/** Layouts of all cards; those whose node and wires stayed are not worked out again. */
export function keptLayouts(
  before: { flow: Flow; layouts: ReadonlyMap<string, CardLayout> } | null,
  flow: Flow,
): ReadonlyMap<string, CardLayout> {
  let same = before !== null && before.layouts.size === flow.nodes.length;
  const layouts = new Map<string, CardLayout>();
  for (const node of flow.nodes) {
    const wires = flow.wiresOf.get(node.id) ?? NO_WIRES;
    const known = before?.layouts.get(node.id);
    const stays =
      known !== undefined &&
      before?.flow.byId.get(node.id) === node &&
      (before.flow.wiresOf.get(node.id) ?? NO_WIRES) === wires;
    same &&= stays;
    layouts.set(node.id, stays ? known : cardLayout(node, wires));
  }
  return same && before ? before.layouts : layouts;
}
