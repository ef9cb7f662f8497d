import type { Rect } from "../bounds";
import type { Point, Size } from "../model";
import type { Edit } from "./edits";
import { edgesOf, nodesOf, type FlowDocument } from "./document";
import { readEnds, readRaw } from "./read";
import { text } from "../json";

/** A node's box on the canvas. */
export interface Box extends Rect {
  id: string;
}

export type Alignment = "left" | "centre" | "right" | "top" | "middle" | "bottom";
export type Axis = "horizontal" | "vertical";

/** Lines boxes up at a common edge or middle line. Null when there is nothing to move. */
export function alignEdit(boxes: readonly Box[], how: Alignment): Edit | null {
  if (boxes.length < 2) return null;
  const left = Math.min(...boxes.map(({ x }) => x));
  const right = Math.max(...boxes.map(({ x, width }) => x + width));
  const top = Math.min(...boxes.map(({ y }) => y));
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
  const places: Record<Alignment, (box: Box) => Point> = {
    left: ({ y }) => ({ x: left, y }),
    centre: ({ y, width }) => ({ x: (left + right - width) / 2, y }),
    right: ({ y, width }) => ({ x: right - width, y }),
    top: ({ x }) => ({ x, y: top }),
    middle: ({ x, height }) => ({ x, y: (top + bottom - height) / 2 }),
    bottom: ({ x, height }) => ({ x, y: bottom - height }),
  };
  return moving(boxes, places[how]);
}

/** Makes the gaps between boxes equal; the first and the last stay. Null when there is nothing to move. */
export function distributeEdit(boxes: readonly Box[], axis: Axis): Edit | null {
  if (boxes.length < 3) return null;
  const at = axis === "horizontal" ? "x" : "y";
  const long = axis === "horizontal" ? "width" : "height";
  const order = boxes.toSorted((a, b) => a[at] + a[long] / 2 - (b[at] + b[long] / 2));
  const [first] = order;
  const last = order.at(-1);
  if (!first || !last) return null;
  const filled = order.reduce((sum, box) => sum + box[long], 0);
  const gap = (last[at] + last[long] - first[at] - filled) / (order.length - 1);
  const starts = new Map<string, number>();
  let next = first[at];
  for (const box of order) {
    starts.set(box.id, next);
    next += box[long] + gap;
  }
  starts.set(last.id, last[at]);
  return moving(boxes, (box) => ({ x: box.x, y: box.y, [at]: starts.get(box.id) ?? box[at] }));
}

export interface LayoutTask {
  nodes: (Size & { id: string })[];
  wires: { source: string; target: string }[];
}

/** Places for nodes that nobody has placed: the server's, a library's, one's own. */
export type LayoutFunction = (
  task: LayoutTask,
) => ReadonlyMap<string, Point> | Promise<ReadonlyMap<string, Point>>;

/**
 * Moves everything that takes part in a run to where `layout` puts it; notes stay where they are. The upper left corner
 * of the flow stays in place, so that the view does not jump. Null when nothing moves.
 */
export async function layoutEdit(
  document: FlowDocument,
  boxes: readonly Box[],
  layout: LayoutFunction,
): Promise<Edit | null> {
  const steps = new Set(
    nodesOf(document).flatMap((node) => (readRaw(node).kind === "note" ? [] : [text(node.id)])),
  );
  const moved = boxes.filter(({ id }) => steps.has(id));
  const wires = edgesOf(document).map(readEnds);
  const places = await layout({
    nodes: moved.map(({ id, width, height }) => ({ id, width, height })),
    wires: wires
      .filter(({ source, target }) => steps.has(source) && steps.has(target))
      .map(({ source, target }) => ({ source, target })),
  });
  const placed = moved.flatMap((box) => {
    const place = places.get(box.id);
    return place && Number.isFinite(place.x) && Number.isFinite(place.y) ? [{ box, place }] : [];
  });
  if (placed.length === 0) return null;
  const least = (values: number[]): number => Math.min(...values);
  const dx = least(placed.map(({ box }) => box.x)) - least(placed.map(({ place }) => place.x));
  const dy = least(placed.map(({ box }) => box.y)) - least(placed.map(({ place }) => place.y));
  const ends = new Map(placed.map(({ box, place }) => [box.id, { x: place.x + dx, y: place.y + dy }]));
  return moving(moved, (box) => ends.get(box.id) ?? box);
}

function moving(boxes: readonly Box[], to: (box: Box) => Point): Edit | null {
  const moves = boxes.flatMap((box) => {
    const { x, y } = to(box);
    return x === box.x && y === box.y ? [] : [{ node: box.id, x, y }];
  });
  return moves.length === 0 ? null : { op: "move", moves };
}
