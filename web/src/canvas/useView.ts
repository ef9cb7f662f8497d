import { type ReactFlowInstance, useReactFlow, type Viewport } from "@xyflow/react";
import { type RefObject, useLayoutEffect, useMemo } from "react";
import { boundsOf, type Rect } from "@/flow/bounds";
import type { CardLayout } from "@/flow/card";
import type { Flow, Point } from "@/flow/model";
import type { CanvasStore } from "./canvasStore";
import { nextZoom, ZOOM } from "./zoom";

export interface View {
  fit: (smooth?: boolean) => void;
  /** Fits again after a change of size, unless somebody has moved the view or chosen a node since. */
  refit: () => void;
  show: (id: string, focus?: boolean) => void;
  zoomTo: (zoom: number) => void;
  zoomBy: (direction: 1 | -1) => void;
  pan: (dx: number, dy: number) => void;
  onMove: (event: unknown, viewport: Viewport) => void;
  onMoveEnd: (event: unknown, viewport: Viewport) => void;
  toggleCompact: () => void;
  /** The middle of what can be seen, in the flow's measure. */
  middle: () => Point;
}

// The bottom leaves room for the tools, the top for what is said about the drawing.
const PADDING = { side: 48, top: 56, bottom: 68 };
const MARGIN = 24;
const READABLE = 0.4;

/** How far to move so that a length lies between two edges; of one that cannot fit, the beginning does. */
function nudge(start: number, length: number, from: number, to: number): number {
  if (start < from || length > to - from) return from - start;
  return Math.min(0, to - start - length);
}

export function calm(): boolean {
  return (
    matchMedia("(prefers-reduced-motion: reduce)").matches ||
    document.documentElement.dataset.motion === "reduced"
  );
}

/** What is drawn at the moment. */
interface Drawn {
  flow: Flow;
  layouts: ReadonlyMap<string, CardLayout>;
}

const drawnOn = new WeakMap<CanvasStore, Drawn>();

interface Surroundings {
  root: RefObject<HTMLElement | null>;
  store: CanvasStore;
  pane: Pick<ReactFlowInstance, "getViewport" | "setViewport" | "zoomTo">;
}

/** Everything that moves the view. `compact` follows the zoom until a person decides otherwise. */
export function useView(
  root: RefObject<HTMLElement | null>,
  flow: Flow,
  layouts: ReadonlyMap<string, CardLayout>,
  store: CanvasStore,
): View {
  const { getViewport, setViewport, zoomTo } = useReactFlow();
  useLayoutEffect(() => {
    drawnOn.set(store, { flow, layouts });
  }, [store, flow, layouts]);
  // Once for the canvas: what a person chose about the view must outlive every change of the flow.
  return useMemo(
    () => createView({ root, store, pane: { getViewport, setViewport, zoomTo } }),
    [root, store, getViewport, setViewport, zoomTo],
  );
}

function createView({ root, store, pane }: Surroundings): View {
  const { getViewport, setViewport, zoomTo } = pane;
  let chosen: boolean | null = null;
  let untouched = true;
  let awaited: string | null = null;
  let goal: { zoom: number; until: number } | null = null;
  const time = (ms: number): { duration: number } => ({ duration: calm() ? 0 : ms });
  const size = (): { width: number; height: number } => {
    const box = root.current?.getBoundingClientRect();
    return { width: box?.width ?? 0, height: box?.height ?? 0 };
  };
  const rectOf = (id: string): Rect | null => {
    const drawn = drawnOn.get(store);
    const node = drawn?.flow.byId.get(id);
    const layout = drawn?.layouts.get(id);
    return node && layout ? { ...node.position, ...layout.size } : null;
  };

  const view: View = {
    refit: () => {
      if (untouched && store.getState().selected.size === 0) view.fit();
    },
    fit: (smooth = true) => {
      const drawn = drawnOn.get(store);
      if (!drawn) return;
      const { flow, layouts } = drawn;
      const bounds = boundsOf(
        flow.nodes.map((node) => ({
          position: node.position,
          size: layouts.get(node.id)?.size ?? { width: 0, height: 0 },
        })),
      );
      const { width, height } = size();
      if (!bounds || width === 0 || height === 0) return;
      untouched = true;
      const room = height - PADDING.top - PADDING.bottom;
      const zoom = Math.min(
        1,
        Math.max(ZOOM.min, Math.min((width - PADDING.side * 2) / bounds.width, room / bounds.height)),
      );
      void setViewport(
        {
          x: Math.round((width - bounds.width * zoom) / 2 - bounds.x * zoom),
          y: Math.round(PADDING.top + (room - bounds.height * zoom) / 2 - bounds.y * zoom),
          zoom,
        },
        smooth ? time(250) : { duration: 0 },
      );
    },
    show: (id, focus = false) => {
      const rect = rectOf(id);
      // One that was just added is drawn with the next frame.
      if (!rect && awaited !== id) {
        awaited = id;
        requestAnimationFrame(() => view.show(id, focus));
        return;
      }
      awaited = null;
      const { width, height } = size();
      if (!rect || width === 0 || height === 0) return;
      untouched = false;
      const { x, y, zoom } = getViewport();
      const closer = Math.max(zoom, READABLE);
      const next =
        closer === zoom
          ? {
              x: x + nudge(rect.x * zoom + x, rect.width * zoom, MARGIN, width - MARGIN),
              y: y + nudge(rect.y * zoom + y, rect.height * zoom, PADDING.top, height - PADDING.bottom),
            }
          : {
              x: width / 2 - (rect.x + rect.width / 2) * closer,
              y: height / 2 - (rect.y + rect.height / 2) * closer,
            };
      if (next.x !== x || next.y !== y) {
        void setViewport({ x: Math.round(next.x), y: Math.round(next.y), zoom: closer }, time(200));
      }
      if (focus) focusCard(root.current, id);
    },
    zoomTo: (zoom) => {
      untouched = false;
      void zoomTo(zoom, time(150));
    },
    zoomBy: (direction) => {
      untouched = false;
      // Pressed again while still moving, the next step counts from where the last one is going.
      const from = goal && performance.now() < goal.until ? goal.zoom : getViewport().zoom;
      goal = { zoom: nextZoom(from, direction), until: performance.now() + 200 };
      void zoomTo(goal.zoom, time(150));
    },
    pan: (dx, dy) => {
      untouched = false;
      const { x, y, zoom } = getViewport();
      void setViewport({ x: x + dx, y: y + dy, zoom });
    },
    onMove: (event, { zoom }) => {
      if (event) untouched = false;
      const compact = chosen ?? zoom < ZOOM.compactBelow;
      if (compact !== store.getState().compact) store.setState({ compact });
    },
    onMoveEnd: (event, { x, y, zoom }) => {
      // Text is only sharp on whole pixels. Moves of our own end there, and must not be cut short.
      if (event && (x !== Math.round(x) || y !== Math.round(y))) {
        void setViewport({ x: Math.round(x), y: Math.round(y), zoom });
      }
    },
    middle: () => {
      const { x, y, zoom } = getViewport();
      const { width, height } = size();
      return { x: (width / 2 - x) / zoom, y: (height / 2 - y) / zoom };
    },
    toggleCompact: () => {
      chosen = !store.getState().compact;
      store.setState({ compact: chosen });
    },
  };
  return view;
}

/** The card may only be rendered once the view has moved to it. */
function focusCard(root: HTMLElement | null, id: string, tries = 60): void {
  const card = root?.querySelector<HTMLElement>(`[data-node-id="${CSS.escape(id)}"]`);
  if (card) card.focus({ preventScroll: true });
  else if (tries > 0) requestAnimationFrame(() => focusCard(root, id, tries - 1));
}
