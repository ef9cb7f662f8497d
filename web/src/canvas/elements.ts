import { type Edge, type Node, Position } from "@xyflow/react";
import type { CardLayout } from "@/flow/card";
import type { Mark } from "@/flow/diff";
import type { Flow, FlowNode, Wire } from "@/flow/model";

export type CardNode = Node<{ node: FlowNode; layout: CardLayout; mark: Mark | null }, FlowNode["kind"]>;
export type WireEdge = Edge<{ wire: Wire; mark: Mark | null; lane: number | null }, "wire">;

export interface Marks {
  nodes: ReadonlyMap<string, Mark>;
  wires: ReadonlyMap<string, Mark>;
}

export const PORT_SIZE = 16;

export function toNodes(
  flow: Flow,
  layouts: ReadonlyMap<string, CardLayout>,
  marks: Marks | null,
): CardNode[] {
  return flow.nodes.flatMap((node) => {
    const layout = layouts.get(node.id);
    return layout ? [toNode(node, layout, marks?.nodes.get(node.id) ?? null)] : [];
  });
}

function toNode(node: FlowNode, layout: CardLayout, mark: Mark | null): CardNode {
  return {
    id: node.id,
    type: node.kind,
    position: node.position,
    data: { node, layout, mark },
    width: layout.size.width,
    height: layout.size.height,
    measured: layout.size,
    // Given up front, so that nothing has to be rendered before its wires can be drawn.
    handles: node.ports.map((port) => {
      const place = layout.ports.get(port.id) ?? { x: 0, y: 0 };
      return {
        id: port.id,
        type: port.side === "in" ? "target" : "source",
        position: port.side === "in" ? Position.Left : Position.Right,
        x: place.x - PORT_SIZE / 2,
        y: place.y - PORT_SIZE / 2,
        width: PORT_SIZE,
        height: PORT_SIZE,
      };
    }),
    zIndex: node.kind === "note" ? -1 : 1,
    domAttributes: { "aria-roledescription": undefined },
  };
}

export function toEdges(
  flow: Flow,
  marks: Marks | null,
  lanes: ReadonlyMap<string, number>,
  words: { kind: string; label: (wire: Wire) => string },
): WireEdge[] {
  return flow.wires.map((wire) => ({
    id: wire.id,
    type: "wire",
    source: wire.source,
    target: wire.target,
    sourceHandle: wire.sourcePort,
    targetHandle: wire.targetPort,
    data: { wire, mark: marks?.wires.get(wire.id) ?? null, lane: lanes.get(wire.id) ?? null },
    ariaLabel: words.label(wire),
    domAttributes: { "aria-roledescription": words.kind },
  }));
}
