import { useLayoutEffect, useMemo, useRef } from "react";
import type { RowActions } from "./PaletteRow";

/** The same object for as long as the palette is there, so that rows are drawn again only for their own sake. */
export function useStable(actions: RowActions): RowActions {
  const latest = useRef(actions);
  useLayoutEffect(() => {
    latest.current = actions;
  });
  return useMemo(
    () => ({
      add: (type) => latest.current.add(type),
      star: (type) => latest.current.star(type),
      dropped: (type) => latest.current.dropped(type),
      help: (item, row, at) => latest.current.help(item, row, at),
      focused: (place) => latest.current.focused(place),
    }),
    [],
  );
}

/** Moves the focus along the rows; false at the upper end. */
export function moveFocus(list: HTMLElement | null, step: number): boolean {
  const stops = [...(list?.querySelectorAll<HTMLElement>("[data-stop]") ?? [])];
  const at = stops.findIndex((stop) => stop === document.activeElement || stop.parentElement?.contains(document.activeElement));
  if (at === 0 && step === -1) return false;
  const next = at < 0 ? 0 : Math.max(0, Math.min(stops.length - 1, at + step));
  const stop = stops[next];
  stop?.focus();
  stop?.scrollIntoView({ block: "nearest" });
  return stop !== undefined;
}
