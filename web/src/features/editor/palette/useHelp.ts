import { useEffect, useRef, useState } from "react";
import type { PaletteItem } from "@/flow/palette";

export interface Explained {
  item: PaletteItem;
  row: HTMLElement;
}

const WAIT = 350;
const GRACE = 150;

/** Which row is being explained: after a moment under the pointer, at once under the keyboard. */
export function useHelp() {
  const [explained, setExplained] = useState<Explained | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const show = (item: PaletteItem, row: HTMLElement | null, at: "hover" | "focus"): void => {
    clearTimeout(timer.current);
    if (row === null) {
      // The pointer may be on its way into the card, to the link in it.
      timer.current = setTimeout(() => setExplained(null), GRACE);
    } else if (at === "focus") setExplained({ item, row });
    else timer.current = setTimeout(() => setExplained({ item, row }), explained ? GRACE / 2 : WAIT);
  };
  const keep = (): void => clearTimeout(timer.current);
  const hide = (): void => {
    clearTimeout(timer.current);
    setExplained(null);
  };
  /** The list was scrolled: the card goes with its row, or away with it. */
  const scrolled = (list: HTMLElement): void => {
    if (!explained) return;
    const row = explained.row.getBoundingClientRect();
    const frame = list.getBoundingClientRect();
    const seen = row.bottom > frame.top && row.top < frame.bottom;
    setExplained(seen ? { ...explained } : null);
  };
  return { explained, show, keep, hide, scrolled };
}
