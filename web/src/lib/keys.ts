/** Keys are written "mod+shift+z", "?", "arrowdown". `mod` is ⌘ on Apple's keyboards and Ctrl on all others. */
export interface Combo {
  key: string;
  mod: boolean;
  /** Control beside ⌘, on Apple's keyboards only. */
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
}

export interface KeyPress {
  key: string;
  code?: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
  isComposing?: boolean;
}

export const isApple = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);

export function parseKeys(keys: string): Combo {
  const plus = keys === "+" || keys.endsWith("++");
  const parts = (plus ? keys.slice(0, -1) : keys).split("+").filter(Boolean);
  const key = plus ? "+" : (parts.pop() ?? "");
  const has = (name: string): boolean => parts.includes(name);
  return { key, mod: has("mod"), ctrl: has("ctrl"), alt: has("alt"), shift: has("shift") };
}

export function writeKeys({ key, mod, ctrl, alt, shift }: Combo): string {
  const held = [mod && "mod", ctrl && "ctrl", alt && "alt", shift && "shift"].filter(Boolean);
  return [...held, key].join("+");
}

/** The same keys in the same spelling, or null for what is not a combination. */
export function sameSpelling(keys: string): string | null {
  const combo = parseKeys(keys.toLowerCase());
  return combo.key === "" || isHeldKey(combo.key) ? null : writeKeys(combo);
}

const signs: Record<string, readonly [string, string]> = {
  Slash: ["/", "?"],
  Period: [".", ">"],
  Comma: [",", "<"],
  Minus: ["-", "_"],
  Equal: ["=", "+"],
  BracketLeft: ["[", "{"],
  BracketRight: ["]", "}"],
};

function keyByPlace(code: string, shift: boolean): string | null {
  const plain = /^(?:Key([A-Z])|(?:Digit|Numpad)([0-9]))$/.exec(code);
  if (plain) return (plain[1] ?? plain[2] ?? "").toLowerCase();
  return signs[code]?.[shift ? 1 : 0] ?? null;
}

// Letters of other scripts, what a dead key or an input method hides, and Turkish dotted and dotless i.
const foreign = /^(?:[\u0250-\u1dff\u1f00-\u1fff\u2c00-\uffff]|\u0130|\u0131|process|dead|unidentified)$/iu;

function pressedKey({ key, code = "", altKey, shiftKey }: KeyPress): string {
  // Option on a Mac and AltGr turn letters into signs that are not on the keys.
  const hidden = foreign.test(key) || (altKey && /^[^\x20-\x7e]$/u.test(key));
  const byPlace = hidden ? keyByPlace(code, shiftKey) : null;
  if (byPlace !== null) return byPlace;
  return key === " " ? "space" : key.toLowerCase();
}

const isLetter = (key: string): boolean => /^\p{L}$/u.test(key);

/** A sign or digit is one key on some keyboards and Shift with another on others; its name says it all. */
const shiftIsInKey = (key: string): boolean => key.length === 1 && !isLetter(key);

export function matchesKeys(event: KeyPress, keys: string, apple = isApple): boolean {
  if (event.isComposing) return false;
  const { key, mod, ctrl, alt, shift } = parseKeys(keys);
  const wanted = apple ? { control: ctrl, meta: mod } : { control: mod || ctrl, meta: false };
  if (event.ctrlKey !== wanted.control || event.metaKey !== wanted.meta || event.altKey !== alt) return false;
  return pressedKey(event) === key && (shiftIsInKey(key) || event.shiftKey === shift);
}

const isHeldKey = (key: string): boolean =>
  /^(control|ctrl|mod|shift|alt|altgraph|meta|os|capslock|numlock|fn|contextmenu)$/.test(key);

/** The combination somebody pressed, written as above; null while only Shift and the like are held. */
export function keysOfPress(event: KeyPress, apple = isApple): string | null {
  const key = pressedKey(event);
  if (isHeldKey(key) || /^(process|dead|unidentified)$/.test(key) || event.isComposing) return null;
  return writeKeys({
    key,
    mod: apple ? event.metaKey : event.ctrlKey,
    ctrl: apple && event.ctrlKey,
    alt: event.altKey,
    shift: event.shiftKey && !shiftIsInKey(key),
  });
}

// Some of these never reach a page; the others are how people leave, reload, zoom and inspect it.
const ofBrowsers = { plain: /^([wtnrl]|[0-9+=-])$/, shifted: /^([wtnrijc]|[0-9+=-])$/ };
const ofApple = /^([qhm`]|space)$/;

export type KeysRefusal = "browser" | "system" | "walk";

/** Why these keys cannot be a shortcut, or null. */
export function refuseKeys(keys: string, apple = isApple): KeysRefusal | null {
  const { key, mod, ctrl, alt, shift } = parseKeys(keys);
  if (key === "tab" || key === "escape") return mod || alt || ctrl ? "system" : "walk";
  if (/^f(5|6|7|11|12)$/.test(key)) return "browser";
  if (alt && !apple && (key === "f4" || key === "space")) return "system";
  if (alt && !mod && /^(arrowleft|arrowright|home)$/.test(key)) return "browser";
  if (!mod) return null;
  if ((shift ? ofBrowsers.shifted : ofBrowsers.plain).test(key)) return "browser";
  return apple && ofApple.test(key) ? "system" : null;
}

/** Whether keys act while somebody is typing; a plain letter or an arrow is text then. */
export function actWhileTyping(keys: string): boolean {
  const { key, mod } = parseKeys(keys);
  return mod || key === "escape" || /^f\d+$/.test(key);
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

const ariaNames: Record<string, string> = {
  arrowup: "ArrowUp",
  arrowdown: "ArrowDown",
  arrowleft: "ArrowLeft",
  arrowright: "ArrowRight",
  "+": "Plus",
};

/** For `aria-keyshortcuts`. */
export function ariaKeys(keys: string, apple = isApple): string {
  const { key, mod, ctrl, alt, shift } = parseKeys(keys);
  const held = [mod && (apple ? "Meta" : "Control"), ctrl && "Control", alt && "Alt", shift && "Shift"];
  const name = ariaNames[key] ?? key.charAt(0).toUpperCase() + key.slice(1);
  return [...held.filter(Boolean), name].join("+");
}
