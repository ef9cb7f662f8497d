import { useState } from "react";
import { useStore } from "zustand";
import type { Editor } from "@/stores/editor/state";
import { type Suggestion, type Suggestions, suggestionsFor } from "./suggestions";

export interface OpenSuggestions extends Suggestions {
  /** The row that Enter takes. */
  at: number;
  active: Suggestion | null;
}

export interface SuggestionControl {
  open: OpenSuggestions | null;
  /** To another row; beyond an end it goes on at the other. */
  move: (by: number) => void;
  point: (at: number) => void;
  /** Closes the list until something else is asked for. */
  dismiss: () => void;
}

/** The list under way. `cursor` null: the input is not being written in. */
export function useSuggestions(editor: Editor, text: string, cursor: number | null): SuggestionControl {
  const flow = useStore(editor, (state) => state.flow);
  const [place, setPlace] = useState({ of: "", at: 0 });
  const [dismissed, setDismissed] = useState<string | null>(null);
  const found = cursor === null ? null : suggestionsFor(text, cursor, flow);
  const key = found ? `${found.kind} ${found.from}` : null;
  if (key === null && cursor !== null && dismissed !== null) setDismissed(null);

  const asked = `${key} ${found?.query}`;
  const count = found?.items.length ?? 0;
  const at = place.of === asked ? Math.min(place.at, Math.max(0, count - 1)) : 0;
  const point = (next: number): void => setPlace({ of: asked, at: next });
  return {
    open: found && key !== dismissed ? { ...found, at, active: found.items[at] ?? null } : null,
    move: (by) => {
      if (count > 0) point((at + by + count) % count);
    },
    point,
    dismiss: () => setDismissed(key),
  };
}
