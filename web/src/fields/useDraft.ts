import { type ClipboardEvent, useState } from "react";
import { LONG_TEXT } from "./box";

interface Own<T> {
  value: T;
  /** How what was handed on will look when it comes back; what has not come back yet. */
  sent: string[];
}

const MOST_SENT = 50;

/**
 * Something that stays the typist's own while it is edited. What was handed on and comes back changes nothing, so the
 * caret stays; a value from elsewhere, such as an undo, takes its place.
 */
export function useOwn<T>(saved: string): {
  own: T | null;
  hold: (value: T, comesBackAs: string) => void;
  drop: () => void;
} {
  const [own, setOwn] = useState<Own<T> | null>(null);
  const [seen, setSeen] = useState(saved);
  if (saved !== seen) {
    setSeen(saved);
    const at = own?.sent.indexOf(saved) ?? -1;
    if (own) setOwn(at < 0 ? null : { value: own.value, sent: own.sent.slice(at + 1) });
  }
  return {
    own: own ? own.value : null,
    hold: (value, comesBackAs) =>
      setOwn((now) => ({ value, sent: [...(now?.sent ?? []), comesBackAs].slice(-MOST_SENT) })),
    drop: () => setOwn(null),
  };
}

interface Draft {
  text: string;
  focused: boolean;
  onFocus: () => void;
  onType: (text: string) => void;
  onPaste: (event: ClipboardEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
  onBlur: () => void;
}

const same = (text: string): string => text;

/** The text of an input, its own while it has the focus. `echo` says how a text is shown once it was saved. */
export function useDraft(
  value: string,
  onChange: (text: string) => void,
  onLeave: () => void,
  echo: (text: string) => string = same,
): Draft {
  const [focused, setFocused] = useState(false);
  const { own, hold, drop } = useOwn<string>(value);
  const onType = (text: string): void => {
    hold(text, echo(text));
    onChange(text);
  };
  return {
    text: own ?? value,
    focused,
    onFocus: () => setFocused(true),
    onType,
    // A browser takes many seconds to lay out megabytes in an input that is about to be replaced anyway.
    onPaste: (event) => {
      const pasted = event.clipboardData.getData("text/plain");
      const { value: before, selectionStart, selectionEnd, readOnly } = event.currentTarget;
      if (readOnly || pasted.length <= LONG_TEXT) return;
      event.preventDefault();
      const start = selectionStart ?? before.length;
      onType(before.slice(0, start) + pasted + before.slice(selectionEnd ?? start));
    },
    onBlur: () => {
      setFocused(false);
      drop();
      onLeave();
    },
  };
}
