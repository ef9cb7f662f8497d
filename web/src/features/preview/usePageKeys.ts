import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { isTyping } from "@/ui/keys";

/**
 * Keys of a flow's page: Escape inside it, unless something in it has dealt with it, and "/" to search.
 * Popups are outside the element, so they keep their Escape to themselves.
 */
export function usePageKeys({
  onEscape,
  onSearch,
}: {
  onEscape: () => void;
  onSearch: () => void;
}): RefObject<HTMLElement | null> {
  const element = useRef<HTMLElement>(null);
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const inside = event.target instanceof Node && element.current?.contains(event.target);
    if (event.key === "Escape" && inside) onEscape();
    else if (event.key === "/" && !isTyping(event.target) && (inside || event.target === document.body))
      onSearch();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return element;
}
