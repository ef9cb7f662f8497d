import { isApple, parseKeys } from "@/lib/keys";

const names: Record<string, string> = {
  enter: "↵",
  escape: "Esc",
  arrowup: "↑",
  arrowdown: "↓",
  arrowleft: "←",
  arrowright: "→",
  delete: "Del",
  backspace: "⌫",
  space: "Space",
  tab: "Tab",
  pageup: "PgUp",
  pagedown: "PgDn",
  home: "Home",
  end: "End",
  insert: "Ins",
};

/** The keys as they are printed on the keyboard, those that are held first. */
export function keyLabels(keys: string): string[] {
  const { key, mod, ctrl, alt, shift } = parseKeys(keys);
  return [
    mod && (isApple ? "⌘" : "Ctrl"),
    ctrl && (isApple ? "⌃" : "Ctrl"),
    alt && (isApple ? "⌥" : "Alt"),
    shift && (isApple ? "⇧" : "Shift"),
    names[key] ?? (/^(.|f\d+)$/u.test(key) ? key.toUpperCase() : key),
  ].filter((label): label is string => Boolean(label));
}
