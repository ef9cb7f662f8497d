import { type KeyboardEvent, type PointerEvent, type RefObject, useState } from "react";
import { isRecord } from "@/flow/json";
import { KEYS } from "./model/protocol";
import { keep, readKept } from "./model/storage";

export interface PanelSize {
  width: number;
  height: number;
}

export type PanelEdge = "top" | "left" | "right";

export const USUAL: PanelSize = { width: 620, height: 600 };
export const LEAST: PanelSize = { width: 456, height: 400 };
export const MOST: PanelSize = { width: 900, height: 800 };

const STEP = 24;

function between(least: number, value: number, most: number): number {
  return Math.round(Math.min(most, Math.max(least, value)));
}

export function saneSize({ width, height }: PanelSize): PanelSize {
  return { width: between(LEAST.width, width, MOST.width), height: between(LEAST.height, height, MOST.height) };
}

/** What was kept, as far as it is a size. */
export function parseSize(kept: string | null): PanelSize {
  if (kept === null) return USUAL;
  try {
    const value: unknown = JSON.parse(kept);
    if (!isRecord(value)) return USUAL;
    const { width, height } = value;
    if (typeof width !== "number" || typeof height !== "number") return USUAL;
    return Number.isFinite(width + height) ? saneSize({ width, height }) : USUAL;
  } catch {
    return USUAL;
  }
}

/** The size after an edge was moved. It stands in the middle: what one side gives, the other gives, too. */
export function resized(from: PanelSize, edge: PanelEdge, dx: number, dy: number): PanelSize {
  if (edge === "top") return saneSize({ ...from, height: from.height - dy });
  return saneSize({ ...from, width: from.width + (edge === "left" ? -2 : 2) * dx });
}

export interface EdgeHandlers {
  onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onDoubleClick: () => void;
}

/** The panel's size, kept for the next visit; `edge` gives what its edges answer to. */
export function usePanelSize(panel: RefObject<HTMLElement | null>): {
  size: PanelSize;
  edge: (edge: PanelEdge) => EdgeHandlers;
} {
  const [size, setSize] = useState(() => parseSize(readKept(KEYS.panelSize)));
  const settle = (next: PanelSize): void => {
    setSize(next);
    keep(KEYS.panelSize, JSON.stringify(next));
  };
  /** As large as it is drawn: the canvas may not have room for all of it. */
  const drawn = (): PanelSize => {
    const box = panel.current?.getBoundingClientRect();
    return box && box.width > 0 ? { width: box.width, height: box.height } : size;
  };
  const edge = (which: PanelEdge): EdgeHandlers => ({
    onPointerDown: (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      const handle = event.currentTarget;
      const from = which === "top" ? { ...size, height: drawn().height } : { ...size, width: drawn().width };
      const start = { x: event.clientX, y: event.clientY };
      let next = from;
      handle.setPointerCapture(event.pointerId);
      const move = (moved: globalThis.PointerEvent): void => {
        next = resized(from, which, moved.clientX - start.x, moved.clientY - start.y);
        setSize(next);
      };
      const end = (): void => {
        handle.removeEventListener("pointermove", move);
        handle.removeEventListener("pointerup", end);
        handle.removeEventListener("pointercancel", end);
        settle(next);
      };
      handle.addEventListener("pointermove", move);
      handle.addEventListener("pointerup", end);
      handle.addEventListener("pointercancel", end);
    },
    onKeyDown: (event) => {
      const [dx, dy] = MOVES[event.key] ?? [0, 0];
      if (dx === 0 && dy === 0) return;
      event.preventDefault();
      settle(resized(size, which, dx, dy));
    },
    onDoubleClick: () => settle(USUAL),
  });
  return { size, edge };
}

const MOVES: Record<string, [number, number]> = {
  ArrowLeft: [-STEP / 2, 0],
  ArrowRight: [STEP / 2, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};
