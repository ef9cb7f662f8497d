import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { isTyping } from "@/lib/keys";
import { shortcutById } from "@/stores/shortcutList";
import { matches, type ShortcutId } from "@/stores/shortcuts";
import { editorKeys, type Surroundings } from "./editorKeys";

/**
 * Keys of a flow's page. What has the focus deals with a key first; popups stand outside the page's element and keep
 * theirs to themselves.
 */
export function useEditorKeys(around: Surroundings, onEscape: () => void): RefObject<HTMLElement | null> {
  const element = useRef<HTMLElement>(null);
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented || inPopup(event.target)) return;
    const inside = event.target instanceof Node && element.current?.contains(event.target);
    if (!inside && event.target !== document.body && isTyping(event.target)) return;
    if (event.key === "Escape" && (inside || event.target === document.body)) {
      onEscape();
      event.preventDefault();
      return;
    }
    if (event.key === "Enter" && onControl(event.target)) return;
    const beside = isBeside(event.target);
    for (const [id, act] of Object.entries(editorKeys(around))) {
      if (!act || !matches(event, id as ShortcutId)) continue;
      if (beside && (shortcutById.get(id)?.group === "nodes" || id === "selectAll")) continue;
      event.preventDefault();
      act();
      return;
    }
  });
  useEffect(() => {
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return element;
}

/** Enter belongs to the button or link that has the focus. */
function onControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button, a, summary, select, [role=button], [role=tab]") !== null;
}

/** In a panel beside the canvas: a key pressed there must not delete what is selected on the canvas. */
function isBeside(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("aside, #flow-bottom") !== null;
}

function inPopup(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null;
}
