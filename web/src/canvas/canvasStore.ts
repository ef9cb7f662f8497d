import { createContext, use } from "react";
import { createStore, type StoreApi, useStore } from "zustand";
import type { Refusal } from "@/flow/edit/refusal";
import type { Flow } from "@/flow/model";
import { NO_WIRES } from "@/flow/model";

/** A wire that is being pulled, and where it may end. */
export interface Pulling {
  node: string;
  /** Name of the port it comes from, and the side that port is on. */
  port: string;
  side: "in" | "out";
  /** By `portKey`: null where it fits, else why it does not. */
  fits: ReadonlyMap<string, Refusal | null>;
}

export function portKey(node: string, port: string): string {
  return `${node}\n${port}`;
}

/** What the drawing remembers about itself; the flow and the selection belong to the page. */
export interface CanvasState {
  selected: ReadonlySet<string>;
  hovered: string | null;
  /** The node that Tab leads to. */
  current: string | null;
  compact: boolean;
  /** There are so many nodes that what cannot be seen from afar is not drawn. */
  crowded: boolean;
  lit: ReadonlySet<string>;
  pulling: Pulling | null;
  /** The note whose text is being written, or the node whose name is. */
  writing: string | null;
  /** What a drag over the empty canvas does: move the view, or draw a box around nodes. */
  tool: "hand" | "pointer";
}

export type CanvasStore = StoreApi<CanvasState>;

const NONE: ReadonlySet<string> = new Set();

const CROWD = 150;

export function countNodes(store: CanvasStore, count: number): void {
  const crowded = count > CROWD;
  if (store.getState().crowded !== crowded) store.setState({ crowded });
}

export function createCanvasStore(): CanvasStore {
  return createStore<CanvasState>(() => ({
    selected: NONE,
    hovered: null,
    current: null,
    compact: false,
    crowded: false,
    lit: NONE,
    pulling: null,
    writing: null,
    tool: "hand",
  }));
}

export const CanvasContext = createContext<CanvasStore | null>(null);

export function useCanvasStore(): CanvasStore {
  const store = use(CanvasContext);
  if (!store) throw new Error("this part is used outside of a canvas");
  return store;
}

export function useCanvas<T>(select: (state: CanvasState) => T): T {
  return useStore(useCanvasStore(), select);
}

/** Wires of the hovered node, otherwise of the selected ones. */
function litWires(flow: Pick<Flow, "wiresOf">, ids: Iterable<string>): ReadonlySet<string> {
  const lit = new Set<string>();
  for (const id of ids) for (const wire of flow.wiresOf.get(id) ?? NO_WIRES) lit.add(wire.id);
  return lit.size === 0 ? NONE : lit;
}

export function hoverNode(store: CanvasStore, flow: Flow, hovered: string | null): void {
  store.setState(({ selected }) => ({ hovered, lit: litWires(flow, hovered === null ? selected : [hovered]) }));
}

export function selectNodes(store: CanvasStore, flow: Pick<Flow, "wiresOf">, selected: ReadonlySet<string>): void {
  store.setState(({ hovered, current }) => ({
    selected,
    current: selected.size === 1 ? ([...selected][0] ?? current) : current,
    lit: litWires(flow, hovered === null ? selected : [hovered]),
  }));
}
