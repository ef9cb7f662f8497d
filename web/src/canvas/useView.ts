import { type ReactFlowInstance, useReactFlow, type Viewport } from "@xyflow/react";
import { type RefObject, useMemo } from "react";
import { boundsOf, type Rect } from "@/flow/bounds";
import type { CardLayout } from "@/flow/card";
import type { Flow } from "@/flow/model";
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
}

// The bottom leaves room for the tools, the top for what is said about the drawing.
const PADDING = { side: 48, top: 56, bottom: 68 };
const MARGIN = 24;
const READABLE = 0.4;

/** How far to move so that a length lies inside; one that cannot fit is centred. */
function nudge(start: number, length: number, room: number): number {
  if (length > room - MARGIN * 2) return (room - length) / 2 - start;
  if (start < MARGIN) return MARGIN - start;
  return Math.min(0, room - MARGIN - start - length);
}

function calm(): boolean {
  return (
    matchMedia("(prefers-reduced-motion: reduce)").matches ||
    document.documentElement.dataset.motion === "reduced"
  );
}

interface Surroundings {
  root: RefObject<HTMLElement | null>;
  flow: Flow;
  layouts: ReadonlyMap<string, CardLayout>;
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
  return useMemo(
    () => createView({ root, flow, layouts, store, pane: { getViewport, setViewport, zoomTo } }),
    [root, flow, layouts, store, getViewport, setViewport, zoomTo],
  );
}

function createView({ root, flow, layouts, store, pane }: Surroundings): View {
  const { getViewport, setViewport, zoomTo } = pane;
  let chosen: boolean | null = null;
  let untouched = true;
  let goal: { zoom: number; until: number } | null = null;
  const time = (ms: number): { duration: number } => ({ duration: calm() ? 0 : ms });
  const size = (): { width: number; height: number } => {
    const box = root.current?.getBoundingClientRect();
    return { width: box?.width ?? 0, height: box?.height ?? 0 };
  };
  const rectOf = (id: string): Rect | null => {
    const node = flow.byId.get(id);
    const layout = layouts.get(id);
    return node && layout ? { ...node.position, ...layout.size } : null;
  };

  const view: View = {
    refit: () => {
      if (untouched && store.getState().selected === null) view.fit();
    },
    fit: (smooth = true) => {
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
      const { width, height } = size();
      if (!rect || width === 0 || height === 0) return;
      untouched = false;
      const { x, y, zoom } = getViewport();
      const closer = Math.max(zoom, READABLE);
      const next =
        closer === zoom
          ? {
              x: x + nudge(rect.x * zoom + x, rect.width * zoom, width),
              y: y + nudge(rect.y * zoom + y, rect.height * zoom, height),
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
