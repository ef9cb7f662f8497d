import { type KeyboardEvent, type RefObject, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type KeysRefusal, keysOfPress, refuseKeys } from "@/lib/keys";
import { shortcutById, type ShortcutId } from "@/stores/shortcutList";
import { allKeysOf, conflicts, labelKey, setShortcut, type ShortcutRow } from "@/stores/shortcuts";
import { keyLabels } from "@/ui/keys";
import { toastError } from "@/ui/toastError";

const refusals = {
  browser: "settings.shortcuts.refusedBrowser",
  system: "settings.shortcuts.refusedSystem",
  walk: "settings.shortcuts.refusedWalk",
} as const satisfies Record<KeysRefusal, string>;

interface Waiting {
  keys: readonly string[];
  losers: readonly ShortcutId[];
}

export interface Recorder {
  recording: boolean;
  /** What stands in the way of the keys that were pressed; `moves` when they can be taken from another. */
  note: { text: string; moves: boolean } | null;
  start: (how: "replace" | "add") => void;
  cancel: () => void;
  move: () => void;
  reset: () => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  onKeyUp: (event: KeyboardEvent<HTMLElement>) => void;
  onBlur: () => void;
}

/** Records keys for one shortcut on its button, which keeps the focus. */
export function useRecorder({ id, keys }: ShortcutRow, button: RefObject<HTMLButtonElement | null>): Recorder {
  const { t } = useTranslation();
  const swallowed = useRef(false);
  const [mode, setMode] = useState<"replace" | "add" | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [waiting, setWaiting] = useState<Waiting | null>(null);

  const end = (): void => {
    setMode(null);
    setProblem(null);
    setWaiting(null);
    button.current?.focus();
  };

  const store = (next: readonly string[], losers: readonly ShortcutId[] = []): void => {
    end();
    setShortcut(id, next, losers).catch(toastError);
  };

  const offer = (next: readonly string[]): void => {
    const others = conflicts(id, next);
    if (others.length === 0) return store(next);
    const names = others.map((other) => t(labelKey(other) as "shell.shortcuts")).join(", ");
    const shared = next.filter((each) => others.some((other) => allKeysOf(other.id).includes(each)));
    const shown = shared.map((each) => keyLabels(each).join("+")).join(", ");
    if (others.some((other) => other.fixed)) {
      setProblem(t("settings.shortcuts.conflictFixed", { keys: shown, names }));
      return;
    }
    setMode(null);
    setProblem(t("settings.shortcuts.conflict", { keys: shown, names }));
    setWaiting({ keys: next, losers: others.map((other) => other.id) });
  };

  return {
    recording: mode !== null,
    note: problem === null ? null : { text: problem, moves: waiting !== null },
    start: (how) => {
      setMode(how);
      setProblem(null);
      setWaiting(null);
      button.current?.focus();
    },
    cancel: end,
    move: () => {
      if (waiting) store(waiting.keys, waiting.losers);
    },
    reset: () => offer(shortcutById.get(id)?.keys ?? []),
    onKeyDown: (event) => {
      if (mode === null) return;
      // Away from the list, Tab goes on as anywhere else; losing the focus ends it.
      if (event.key === "Tab" && !event.ctrlKey && !event.metaKey && !event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      swallowed.current = true;
      const pressed = keysOfPress(event.nativeEvent);
      if (pressed === null || event.repeat) return;
      if (pressed === "escape") return end();
      if (pressed === "backspace") return store([]);
      const refusal = refuseKeys(pressed);
      if (refusal) {
        setProblem(t(refusals[refusal], { keys: keyLabels(pressed).join("+") }));
        return;
      }
      offer(mode === "add" ? [...keys.filter((each) => each !== pressed), pressed] : [pressed]);
    },
    onKeyUp: (event) => {
      // Space presses a button when it comes up, which would start the next recording.
      if (swallowed.current && event.key === " ") event.preventDefault();
      swallowed.current = false;
    },
    onBlur: () => {
      if (mode === null) return;
      setMode(null);
      setProblem(null);
    },
  };
}
