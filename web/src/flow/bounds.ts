import type { Point, Size } from "./model";

export interface Rect extends Point, Size {}

export function boundsOf(items: Iterable<{ position: Point; size: Size }>): Rect | null {
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (const { position, size } of items) {
    left = Math.min(left, position.x);
    top = Math.min(top, position.y);
    right = Math.max(right, position.x + size.width);
    bottom = Math.max(bottom, position.y + size.height);
  }
  return left === Infinity ? null : { x: left, y: top, width: right - left, height: bottom - top };
}
