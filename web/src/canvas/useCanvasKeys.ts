import { type KeyboardEvent, useEffect } from "react";
import type { Flow } from "@/flow/model";
import { type Direction, step } from "@/flow/walk";
import { isTyping } from "@/ui/keys";
import type { CanvasStore } from "./canvasStore";
import type { View } from "./useView";

const ARROWS: Record<string, Direction> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};

const PAN = 60;
const PANS: Record<Direction, [number, number]> = {
  left: [PAN, 0],
  right: [-PAN, 0],
  up: [0, PAN],
  down: [0, -PAN],
};

interface Context {
  flow: Flow;
  order: readonly string[];
  store: CanvasStore;
  view: View;
  onSelect: (id: string | null) => void;
  onOpen: (id: string) => void;
}

/** Keys of the canvas: Tab walks the nodes in reading order, arrows follow wires, Enter opens, Escape lets go. */
export function useCanvasKeys({ flow, order, store, view, onSelect, onOpen }: Context): {
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
} {
  useViewKeys(view);

  const go = (id: string): void => {
    store.setState({ current: id });
    onSelect(id);
    view.show(id, true);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.defaultPrevented || isTyping(event.target) || event.altKey || event.ctrlKey || event.metaKey)
      return;
    const target = event.target as HTMLElement;
    const on = target.dataset.nodeId ?? null;
    const onCanvas = on !== null || target.classList.contains("ff-canvas");
    if (!onCanvas) return;
    const direction = ARROWS[event.key];
    if (direction) {
      event.preventDefault();
      if (on === null) return view.pan(...PANS[direction]);
      const next = step(flow, on, direction);
      if (next) go(next);
      return;
    }
    if (event.key === "Tab") return tab(event, on);
    if (event.key === "Enter" || event.key === " ") {
      const { current } = store.getState();
      const id = on ?? current;
      if (id === null) return;
      event.preventDefault();
      if (on === null) go(id);
      else onOpen(id);
      return;
    }
    if (event.key === "Escape" && store.getState().selected !== null) {
      event.preventDefault();
      onSelect(null);
    }
  };

  const tab = (event: KeyboardEvent<HTMLElement>, on: string | null): void => {
    const at = on === null ? -1 : order.indexOf(on);
    if (event.shiftKey && on === null) return;
    const first = on === null ? (store.getState().current ?? order[0]) : undefined;
    const next = first ?? order[at + (event.shiftKey ? -1 : 1)];
    // Before the first and after the last node, Tab leaves the canvas as anywhere else.
    if (next === undefined) return;
    event.preventDefault();
    go(next);
  };

  return { onKeyDown };
}

/** Zoom and fit work wherever the focus is on the page, except while typing or in a dialog or menu. */
function useViewKeys(view: View): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target))
        return;
      if (event.target instanceof Element && event.target.closest("[role=dialog],[role=menu],[role=listbox]"))
        return;
      if (viewKey(event.key, view)) event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [view]);
}

function viewKey(key: string, view: View): boolean {
  switch (key) {
    case "1":
      view.fit();
      return true;
    case "0":
      view.zoomTo(1);
      return true;
    case "+":
    case "=":
      view.zoomBy(1);
      return true;
    case "-":
      view.zoomBy(-1);
      return true;
    case ".":
      view.toggleCompact();
      return true;
    default:
      return false;
  }
}
