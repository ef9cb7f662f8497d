import { type Edge, type Node, Position } from "@xyflow/react";
import type { CardLayout } from "@/flow/card";
import type { Mark } from "@/flow/diff";
import type { Flow, FlowNode, Wire } from "@/flow/model";

export type CardNode = Node<{ node: FlowNode; layout: CardLayout; mark: Mark | null }, FlowNode["kind"]>;
export type WireEdge = Edge<
  {
    wire: Wire;
    mark: Mark | null;
    lane: number | null;
    /** Titles of the nodes at its ends, and the word for a wire: what its label is made of. */
    ends: string;
    kind: string;
  },
  "wire"
>;

export interface Marks {
  nodes: ReadonlyMap<string, Mark>;
  wires: ReadonlyMap<string, Mark>;
}

export const PORT_SIZE = 16;

const NONE: ReadonlySet<string> = new Set();

export function toNodes(
  flow: Flow,
  layouts: ReadonlyMap<string, CardLayout>,
  marks: Marks | null,
  selected: ReadonlySet<string> = NONE,
): CardNode[] {
  return flow.nodes.flatMap((node) => {
    const layout = layouts.get(node.id);
    return layout ? [keptNode(node, layout, marks?.nodes.get(node.id) ?? null, selected.has(node.id))] : [];
  });
}

// The canvas library takes a node that is the same object for unchanged.
const knownNodes = new WeakMap<FlowNode, CardNode>();

function keptNode(node: FlowNode, layout: CardLayout, mark: Mark | null, selected: boolean): CardNode {
  const known = knownNodes.get(node);
  if (known && known.data.layout === layout && known.data.mark === mark && known.selected === selected)
    return known;
  const made = toNode(node, layout, mark, selected);
  knownNodes.set(node, made);
  return made;
}

function toNode(node: FlowNode, layout: CardLayout, mark: Mark | null, selected: boolean): CardNode {
  return {
    selected,
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
  selected: string | null = null,
): WireEdge[] {
  const edges = flow.wires.map((wire) => {
    const mark = marks?.wires.get(wire.id) ?? null;
    const lane = lanes.get(wire.id) ?? null;
    const ends = `${flow.byId.get(wire.source)?.title ?? ""}\n${flow.byId.get(wire.target)?.title ?? ""}`;
    const known = knownEdges.get(wire);
    const same =
      known?.data?.mark === mark &&
      known.data.lane === lane &&
      known.data.ends === ends &&
      known.data.kind === words.kind &&
      known.selected === (wire.id === selected);
    if (known && same) return known;
    const made: WireEdge = {
      id: wire.id,
      type: "wire",
      source: wire.source,
      target: wire.target,
      sourceHandle: wire.sourcePort,
      targetHandle: wire.targetPort,
      selected: wire.id === selected,
      data: { wire, mark, lane, ends, kind: words.kind },
      ariaLabel: words.label(wire),
      domAttributes: { "aria-roledescription": words.kind },
    };
    knownEdges.set(wire, made);
    return made;
  });
  const known = knownLists.get(flow.wires);
  if (known?.length === edges.length && known.every((edge, index) => edge === edges[index])) return known;
  knownLists.set(flow.wires, edges);
  return edges;
}

const knownEdges = new WeakMap<Wire, WireEdge>();
// The same list again spares the canvas library its bookkeeping.
const knownLists = new WeakMap<readonly Wire[], WireEdge[]>();
