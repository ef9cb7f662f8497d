import type { Rect } from "../bounds";
import type { Point } from "../model";

const RIGHT = 40;
const DOWN = 100;
const TRIES = 50;

export interface Placed extends Point {
  /** False: every try met something, and this is the last one. */
  free: boolean;
}

/** Whether two boxes share ground; boxes that only touch do not. */
export function collides(one: Rect, other: Rect): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

/** A place near the wanted one that nothing else stands on, see `placeAll`. */
export function placeFree(wanted: Rect, others: readonly Rect[]): Placed {
  const { x, y, free } = placeAll([wanted], others);
  return { x: wanted.x + x, y: wanted.y + y, free };
}

/**
 * How far to move boxes that keep their places among each other: as long as one of them meets something they go 40 to
 * the right, then 100 down, in turn, at most 50 times.
 */
export function placeAll(boxes: readonly Rect[], others: readonly Rect[]): Placed {
  let x = 0;
  let y = 0;
  for (let shifts = 0; ; shifts += 1) {
    const meets = boxes.some((box) => {
      const moved = { ...box, x: box.x + x, y: box.y + y };
      return others.some((other) => collides(moved, other));
    });
    if (!meets || shifts === TRIES) return { x, y, free: !meets };
    if (shifts % 2 === 0) x += RIGHT;
    else y += DOWN;
  }
}
