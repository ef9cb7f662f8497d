const apple = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);

const names: Record<string, string> = {
  mod: apple ? "⌘" : "Ctrl",
  shift: apple ? "⇧" : "Shift",
  alt: apple ? "⌥" : "Alt",
  enter: "↵",
  escape: "Esc",
  arrowup: "↑",
  arrowdown: "↓",
  arrowleft: "←",
  arrowright: "→",
  delete: "Del",
  backspace: "⌫",
  space: "Space",
};

export function keyLabels(keys: string): string[] {
  return keys.split("+").map((part) => {
    const key = part === "" ? "+" : part;
    return names[key] ?? (/^(.|f\d+)$/.test(key) ? key.toUpperCase() : key);
  });
}

interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

export function matchesKeys(event: KeyPress, keys: string): boolean {
  const parts = keys.split("+").map((part) => (part === "" ? "+" : part));
  const key = parts.at(-1) ?? "";
  const mod = parts.includes("mod");
  const shift = parts.includes("shift");
  // A printed sign such as "?" needs Shift on some keyboards and not on others.
  const sign = key.length === 1 && !/[a-z0-9]/i.test(key);
  return (
    event.key.toLowerCase() === key &&
    (event.ctrlKey || event.metaKey) === mod &&
    (sign || event.shiftKey === shift) &&
    event.altKey === parts.includes("alt")
  );
}

/** True while the person is typing, when plain letters are text and not shortcuts. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && !/^(checkbox|radio|button|submit|range)$/.test(target.type))
  );
}
