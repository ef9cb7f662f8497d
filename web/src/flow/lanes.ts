import type { CardLayout } from "./card";
import type { Flow, Point, Wire } from "./model";

const GAP = 28;
const BACK = 40;

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * Wires that lead back to the left run along a horizontal lane. Gives each such wire the height of the lane
 * that crosses the fewest cards: between its ends, beneath both nodes, or above them.
 */
export function backLanes(flow: Flow, layouts: ReadonlyMap<string, CardLayout>): Map<string, number> {
  const boxes = new Map<string, Box>();
  for (const node of flow.nodes) {
    const size = layouts.get(node.id)?.size;
    if (!size || node.kind === "note") continue;
    const { x, y } = node.position;
    boxes.set(node.id, { left: x, right: x + size.width, top: y, bottom: y + size.height });
  }
  const all = [...boxes.values()];
  const lanes = new Map<string, number>();
  for (const wire of flow.wires) {
    const start = portAt(flow, layouts, wire, "source");
    const end = portAt(flow, layouts, wire, "target");
    const from = boxes.get(wire.source);
    const to = boxes.get(wire.target);
    if (!start || !end || !from || !to || end.x >= start.x - BACK) continue;
    const candidates = [
      (start.y + end.y) / 2,
      Math.max(from.bottom, to.bottom) + GAP,
      Math.min(from.top, to.top) - GAP,
    ];
    const span = { left: end.x - GAP, right: start.x + GAP };
    const crossed = (y: number): number =>
      all.filter((box) => box.left < span.right && box.right > span.left && box.top < y && box.bottom > y)
        .length;
    const length = (y: number): number => Math.abs(start.y - y) + Math.abs(end.y - y);
    lanes.set(
      wire.id,
      candidates.reduce((best, y) => {
        const gain = crossed(best) - crossed(y);
        return gain > 0 || (gain === 0 && length(y) < length(best)) ? y : best;
      }),
    );
  }
  return lanes;
}

function portAt(
  flow: Flow,
  layouts: ReadonlyMap<string, CardLayout>,
  wire: Wire,
  end: "source" | "target",
): Point | null {
  const node = flow.byId.get(wire[end]);
  const place = layouts.get(wire[end])?.ports.get(end === "source" ? wire.sourcePort : wire.targetPort);
  return node && place ? { x: node.position.x + place.x, y: node.position.y + place.y } : null;
}
