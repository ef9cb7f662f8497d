import { boundsOf } from "./bounds";
import { flowLayouts } from "./card";
import type { Flow, Point } from "./model";
import { type PortTypeKey, portLook } from "./portTypes";

/** A flow small enough for a card: boxes and curves in a frame of `width` × `height`. */
export interface Miniature {
  width: number;
  height: number;
  nodes: { id: string; x: number; y: number; width: number; height: number; note: boolean }[];
  wires: { id: string; path: string; type: PortTypeKey }[];
}

const MARGIN = 10;
/** Below this a box is a dot. */
const SMALLEST = 5;
/** A flow of two nodes is not to fill the frame with them. */
const LARGEST_SCALE = 0.16;

export function miniature(flow: Flow, width: number, height: number): Miniature {
  const layouts = flowLayouts(flow);
  const boxes = flow.nodes.flatMap((node) => {
    const size = node.kind === "note" ? node.size : layouts.get(node.id)?.size;
    return size ? [{ node, position: node.position, size }] : [];
  });
  // Notes lie beside the flow; without them there is more to see of it.
  const steps = boxes.filter(({ node }) => node.kind !== "note");
  const shown = steps.length > 0 ? steps : boxes;
  const bounds = boundsOf(shown);
  if (!bounds) return { width, height, nodes: [], wires: [] };
  const scale = Math.min(
    (width - 2 * MARGIN) / Math.max(1, bounds.width),
    (height - 2 * MARGIN) / Math.max(1, bounds.height),
    LARGEST_SCALE,
  );
  const left = (width - bounds.width * scale) / 2;
  const top = (height - bounds.height * scale) / 2;
  const place = ({ x, y }: Point): Point => ({
    x: round(left + (x - bounds.x) * scale),
    y: round(top + (y - bounds.y) * scale),
  });
  const nodes = shown.map(({ node, position, size }) => ({
    id: node.id,
    ...place(position),
    width: round(Math.max(SMALLEST, size.width * scale)),
    height: round(Math.max(SMALLEST, size.height * scale)),
    note: node.kind === "note",
  }));
  const wires = flow.wires.flatMap((wire) => {
    const from = flow.byId.get(wire.source);
    const to = flow.byId.get(wire.target);
    const out = layouts.get(wire.source);
    const into = layouts.get(wire.target);
    if (!from || !to || !out || !into) return [];
    const start = out.ports.get(wire.sourcePort) ?? { x: out.size.width, y: out.size.height / 2 };
    const end = into.ports.get(wire.targetPort) ?? { x: 0, y: into.size.height / 2 };
    const a = place({ x: from.position.x + start.x, y: from.position.y + start.y });
    const b = place({ x: to.position.x + end.x, y: to.position.y + end.y });
    const bend = round(Math.max(6, Math.abs(b.x - a.x) / 2));
    const type = wire.kind === "control" ? "control" : portLook(wire.type).key;
    return [
      {
        id: wire.id,
        path: `M${a.x} ${a.y}C${round(a.x + bend)} ${a.y} ${round(b.x - bend)} ${b.y} ${b.x} ${b.y}`,
        type,
      },
    ];
  });
  return { width, height, nodes, wires };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
