import type { Rect } from "@/flow/bounds";
import { cardLayout } from "@/flow/card";
import type { Box } from "@/flow/edit/arrange";
import { placeAll, placeFree } from "@/flow/edit/place";
import { findComponent } from "@/flow/edit/registry";
import type { JsonRecord } from "@/flow/json";
import type { Point, Size } from "@/flow/model";
import { readNode, readPosition } from "@/flow/nodes";
import { parseFlow } from "@/flow/parse";
import type { EditorState } from "./state";

const NOTE: Size = { width: 324, height: 324 };

/** Where the cards stand, all or the named ones. */
export function boxes(state: EditorState, ids?: ReadonlySet<string>): Box[] {
  return state.flow.nodes.flatMap((node) => {
    const size = state.layouts.get(node.id)?.size;
    return size && (!ids || ids.has(node.id)) ? [{ id: node.id, ...node.position, ...size }] : [];
  });
}

// A note lies beneath cards, so cards may stand on it.
function ground(state: EditorState): Box[] {
  return boxes(state).filter(({ id }) => state.flow.byId.get(id)?.kind !== "note");
}

export function sizeOf(state: EditorState, type: string): Size {
  const found = findComponent(state.registry, type);
  if (!found) return { width: 320, height: 200 };
  const raw: JsonRecord = { type: "genericNode", data: { type, node: found.node } };
  return cardLayout(readNode("new", raw, { x: 0, y: 0 }), []).size;
}

/** Nobody pointed at a place: to the right of the one chosen card, or else around `near`. */
export interface Anywhere {
  near: Point;
}

const GAP = 80;
const MARGIN = 40;

/** A free place for a new card whose middle was to be at `at`; at the end of a wire the card lies beyond it. */
export function freePlace(
  state: EditorState,
  type: string,
  at: Point | Anywhere,
  wireFrom?: "in" | "out",
): Point {
  const size = sizeOf(state, type);
  if ("near" in at) {
    const chosen = state.selection.size === 1 ? ground(state).find(({ id }) => state.selection.has(id)) : undefined;
    const corner = chosen ? { x: chosen.x + chosen.width + GAP, y: chosen.y } : cornerFor(at.near, size);
    return snapped(placeFree({ ...corner, ...size }, ground(state).map(withMargin)));
  }
  const beyond = wireFrom === undefined ? 0 : (wireFrom === "out" ? size.width : -size.width) / 2;
  const corner = cornerFor({ x: at.x + beyond, y: at.y }, size);
  return snapped(placeFree({ ...corner, ...size }, ground(state)));
}

function cornerFor(middle: Point, size: Size): Point {
  return { x: middle.x - size.width / 2, y: middle.y - Math.min(size.height, 120) / 2 };
}

function withMargin({ x, y, width, height }: Rect): Rect {
  return { x: x - MARGIN, y: y - MARGIN, width: width + MARGIN * 2, height: height + MARGIN * 2 };
}

export function notePlace(state: EditorState, at: Point): Point {
  const wanted = { x: at.x - NOTE.width / 2, y: at.y - NOTE.height / 2, ...NOTE };
  return snapped(placeFree(wanted, boxes(state)));
}

/** How far copies move: to where they are wanted, and on until they stand free. */
export function pasteShift(state: EditorState, nodes: readonly JsonRecord[], at: Point | null): Point {
  const flow = parseFlow({ nodes, edges: [] });
  const rects: Rect[] = flow.nodes.map((node) => ({ ...node.position, ...cardLayout(node, []).size }));
  const places = nodes.map((node) => readPosition(node) ?? { x: 0, y: 0 });
  if (rects.length === 0 || places.length === 0) return { x: 0, y: 0 };
  const left = Math.min(...rects.map(({ x }) => x));
  const top = Math.min(...rects.map(({ y }) => y));
  const right = Math.max(...rects.map(({ x, width }) => x + width));
  const bottom = Math.max(...rects.map(({ y, height }) => y + height));
  const start = at ? { x: at.x - (left + right) / 2, y: at.y - (top + bottom) / 2 } : { x: 0, y: 0 };
  const moved = rects.map((rect) => ({ ...rect, x: rect.x + start.x, y: rect.y + start.y }));
  const free = placeAll(moved, ground(state));
  return { x: Math.round(start.x + free.x), y: Math.round(start.y + free.y) };
}

function snapped({ x, y }: Point): Point {
  return { x: Math.round(x), y: Math.round(y) };
}
