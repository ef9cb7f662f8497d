import type { Flow, FlowNode } from "./model";
import { NO_WIRES } from "./model";

export type Direction = "left" | "right" | "up" | "down";

/** The node an arrow key leads to: left and right follow wires, up and down go to the nearest node that way. */
export function step(flow: Flow, from: string, direction: Direction): string | null {
  const node = flow.byId.get(from);
  if (!node) return null;
  if (direction === "left" || direction === "right") return alongWire(flow, node, direction);
  return nearest(flow, node, direction);
}

function alongWire(flow: Flow, node: FlowNode, direction: "left" | "right"): string | null {
  const ends = (flow.wiresOf.get(node.id) ?? NO_WIRES)
    .filter((wire) => (direction === "right" ? wire.source : wire.target) === node.id)
    .map((wire) => flow.byId.get(direction === "right" ? wire.target : wire.source))
    .filter((end): end is FlowNode => end !== undefined && end.id !== node.id);
  return closest(
    ends,
    (end) => Math.abs(end.position.y - node.position.y) + Math.abs(end.position.x - node.position.x) / 4,
  );
}

function nearest(flow: Flow, node: FlowNode, direction: "up" | "down"): string | null {
  const sign = direction === "down" ? 1 : -1;
  const that = flow.nodes.filter(
    (other) => other.id !== node.id && (other.position.y - node.position.y) * sign > 0,
  );
  // A column counts more than a short way: moving down should stay under the node.
  return closest(
    that,
    (other) =>
      Math.abs(other.position.y - node.position.y) + Math.abs(other.position.x - node.position.x) * 2,
  );
}

function closest(nodes: readonly FlowNode[], distance: (node: FlowNode) => number): string | null {
  let best: FlowNode | null = null;
  for (const node of nodes) {
    if (!best || distance(node) < distance(best)) best = node;
  }
  return best?.id ?? null;
}
