import { createContext, use } from "react";
import { createStore, type StoreApi, useStore } from "zustand";
import type { Flow } from "@/flow/model";
import { NO_WIRES } from "@/flow/model";

/** What the drawing remembers about itself; the flow and the selection belong to the page. */
export interface CanvasState {
  selected: string | null;
  hovered: string | null;
  /** The node that Tab leads to. */
  current: string | null;
  compact: boolean;
  lit: ReadonlySet<string>;
}

export type CanvasStore = StoreApi<CanvasState>;

const NONE: ReadonlySet<string> = new Set();

export function createCanvasStore(): CanvasStore {
  return createStore<CanvasState>(() => ({
    selected: null,
    hovered: null,
    current: null,
    compact: false,
    lit: NONE,
  }));
}

export const CanvasContext = createContext<CanvasStore | null>(null);

export function useCanvas<T>(select: (state: CanvasState) => T): T {
  const store = use(CanvasContext);
  if (!store) throw new Error("useCanvas is used outside of a canvas");
  return useStore(store, select);
}

/** Wires of the hovered node, otherwise of the selected one. */
function litWires(flow: Flow, id: string | null): ReadonlySet<string> {
  const wires = id === null ? NO_WIRES : (flow.wiresOf.get(id) ?? NO_WIRES);
  return wires.length === 0 ? NONE : new Set(wires.map((wire) => wire.id));
}

export function hoverNode(store: CanvasStore, flow: Flow, hovered: string | null): void {
  store.setState((state) => ({ hovered, lit: litWires(flow, hovered ?? state.selected) }));
}

export function selectNode(store: CanvasStore, flow: Flow, selected: string | null): void {
  store.setState((state) => ({
    selected,
    current: selected ?? state.current,
    lit: litWires(flow, state.hovered ?? selected),
  }));
}
