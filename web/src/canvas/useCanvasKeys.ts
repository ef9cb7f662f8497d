import { type RefObject, useEffect, useEffectEvent } from "react";
import type { Flow } from "@/flow/model";
import { type Direction, step } from "@/flow/walk";
import { isTyping } from "@/lib/keys";
import { matches } from "@/stores/shortcuts";
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
  root: RefObject<HTMLElement | null>;
  flow: Flow;
  order: readonly string[];
  store: CanvasStore;
  view: View;
  onSelect: (id: string | null) => void;
  onOpen: (id: string) => void;
  onEscape: () => void;
}

/** Keys of the canvas: Tab walks the nodes in reading order, arrows follow wires, Enter opens, Escape lets go. */
export function useCanvasKeys({ root, flow, order, store, view, onSelect, onOpen, onEscape }: Context): void {
  const go = (id: string): true => {
    store.setState({ current: id });
    onSelect(id);
    view.show(id, true);
    return true;
  };

  const tab = (on: string | null, back: boolean): boolean => {
    if (on === null) {
      const first = store.getState().current ?? order[0];
      return !back && first !== undefined && go(first);
    }
    // Before the first and after the last node, Tab leaves the canvas as anywhere else.
    const next = order[order.indexOf(on) + (back ? -1 : 1)];
    return next !== undefined && go(next);
  };

  const canvasKey = (event: KeyboardEvent, target: HTMLElement): boolean => {
    const on = target.dataset.nodeId ?? null;
    if (on === null && !target.classList.contains("ff-canvas")) return false;
    const direction = Object.hasOwn(ARROWS, event.key) ? ARROWS[event.key] : undefined;
    if (direction && on === null) {
      view.pan(...PANS[direction]);
      return true;
    }
    if (direction && on !== null) {
      const next = step(flow, on, direction);
      return next === null || go(next);
    }
    if (event.key === "Tab") return tab(on, event.shiftKey);
    if (event.key === "Escape") {
      onEscape();
      return true;
    }
    if (event.key !== "Enter" && event.key !== " ") return false;
    const id = on ?? store.getState().current;
    if (id !== null && on === null) go(id);
    if (on !== null) onOpen(on);
    return true;
  };

  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented || isTyping(event.target)) return;
    if (!(event.target instanceof HTMLElement) || inPopup(event.target)) return;
    const held = event.altKey || event.ctrlKey || event.metaKey;
    const handled =
      viewKey(event, view) ||
      (!held && root.current?.contains(event.target) && canvasKey(event, event.target));
    if (handled) event.preventDefault();
  });

  useEffect(() => {
    // On the window, so that everything inside the page has had its say before.
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

function inPopup(target: HTMLElement): boolean {
  return target.closest("[role=dialog],[role=menu],[role=listbox]") !== null;
}

/** Zoom and fit work wherever the focus is on the page. */
function viewKey(event: KeyboardEvent, view: View): boolean {
  if (matches(event, "fit")) view.fit();
  else if (matches(event, "zoomFull")) view.zoomTo(1);
  else if (matches(event, "zoomIn")) view.zoomBy(1);
  else if (matches(event, "zoomOut")) view.zoomBy(-1);
  else if (matches(event, "compact")) view.toggleCompact();
  else return false;
  return true;
}
