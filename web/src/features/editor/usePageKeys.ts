import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { isTyping } from "@/lib/keys";
import { matches } from "@/stores/shortcuts";

/**
 * Keys of a flow's page: Escape inside it, unless something in it has dealt with it, "/" to search and the key of the playground.
 * Popups are outside the element, so they keep their Escape to themselves.
 */
export function usePageKeys({
  onEscape,
  onSearch,
  onPlayground,
  onAssistant,
}: {
  onEscape: () => void;
  onSearch: () => void;
  /** Left out where there is none. */
  onPlayground?: () => void;
  onAssistant?: () => void;
}): RefObject<HTMLElement | null> {
  const element = useRef<HTMLElement>(null);
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const inside = event.target instanceof Node && element.current?.contains(event.target);
    if (event.key === "Escape" && inside) onEscape();
    else if (isTyping(event.target)) return;
    else if (matches(event, "searchComponents") && (inside || event.target === document.body)) onSearch();
    else if (onPlayground && matches(event, "playground") && !isInPopup(event.target)) onPlayground();
    else if (onAssistant && matches(event, "assistant") && !isInPopup(event.target)) onAssistant();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return element;
}

function isInPopup(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"], [role="menu"], [role="listbox"]') !== null;
}
