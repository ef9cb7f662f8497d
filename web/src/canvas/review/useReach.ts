import { useReactFlow, useStoreApi } from "@xyflow/react";
import { useCallback } from "react";
import type { Rect } from "@/flow/bounds";
import { calm } from "../useView";
import { ZOOM } from "../zoom";

// The top leaves room for what is said about it, the bottom for the tools.
const PADDING = { side: 48, top: 72, bottom: 68 };

/** Whoever asked for something should see what they got: moves the view when one of these is out of it. */
export function useReach(): (rects: readonly Rect[]) => void {
  const { setViewport, getNodesBounds, getNodes } = useReactFlow();
  const store = useStoreApi();
  return useCallback(
    (rects) => {
      const { width, height, transform, paneDragging, nodes } = store.getState();
      // Not under somebody's hands.
      if (width === 0 || height === 0 || paneDragging || nodes.some(({ dragging }) => dragging)) return;
      if (rects.every((rect) => isInside(rect, { width, height }, transform))) return;
      const known = getNodes();
      const all = rects.reduce(union, known.length === 0 ? rects[0] : getNodesBounds(known));
      if (!all) return;
      const room = height - PADDING.top - PADDING.bottom;
      const zoom = Math.max(ZOOM.min, Math.min(1, (width - 2 * PADDING.side) / all.width, room / all.height));
      const x = Math.round(width / 2 - (all.x + all.width / 2) * zoom);
      const y = Math.round(PADDING.top + room / 2 - (all.y + all.height / 2) * zoom);
      void setViewport({ x, y, zoom }, { duration: calm() ? 0 : 250 });
    },
    [store, setViewport, getNodesBounds, getNodes],
  );
}

function isInside(
  { x, y, width, height }: Rect,
  pane: { width: number; height: number },
  [left, top, zoom]: readonly [number, number, number],
): boolean {
  const [from, to] = [{ x: x * zoom + left, y: y * zoom + top }, { x: (x + width) * zoom + left, y: (y + height) * zoom + top }];
  return from.x >= 0 && from.y >= 0 && to.x <= pane.width && to.y <= pane.height;
}

function union(one: Rect | undefined, other: Rect): Rect {
  if (!one) return other;
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  };
}
