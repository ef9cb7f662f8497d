export type Theme = "auto" | "light" | "dark";

export interface Options {
  flowId: string;
  host: string;
  title: string | null;
  placeholder: string | null;
  sending: string | null;
  note: string | null;
  theme: Theme;
  /** Null where the chat stands in the page instead of over it. */
  corner: { x: "left" | "center" | "right"; y: "top" | "center" | "bottom" } | null;
  startOpen: boolean;
  accent: string | null;
  width: string | null;
  height: string | null;
  session: string | null;
  apiKey: string | null;
  tweaks: Record<string, unknown> | null;
  run: Record<string, string>;
  headers: Record<string, string>;
  language: string;
  styles: Record<StyledPart, Record<string, string | number>>;
}

export type StyledPart = "launcher" | "window" | "person" | "flow" | "failure" | "input" | "composer" | "send";

/** The names that Langflow's widget has for what can be styled. */
const STYLE_NAMES: Record<StyledPart, string> = {
  launcher: "chat_trigger_style",
  window: "chat_window_style",
  person: "user_message_style",
  flow: "bot_message_style",
  failure: "error_message_style",
  input: "input_style",
  composer: "input_container_style",
  send: "send_button_style",
};

const NAMES = [
  "flow-id", "host-url", "window-title", "placeholder", "placeholder-sending", "online-message", "theme", "position", "chat-position",
  "start-open", "accent", "width", "height", "session-id", "api-key", "tweaks", "input-type", "output-type", "output-component",
  "additional-headers", "lang", ...Object.values(STYLE_NAMES),
] as const;

const snake = (name: string): string => name.replaceAll("-", "_");

/** Each name in both spellings: ours with hyphens, and Langflow's with underscores. */
export const ATTRIBUTES: string[] = [...new Set(NAMES.flatMap((name) => [name, snake(name)]))];

export function readOptions(element: Element, origin: string): Options {
  const get = (name: string): string | null => element.getAttribute(name) ?? element.getAttribute(snake(name));
  const filled = (name: string): string | null => get(name)?.trim() || null;
  const theme = filled("theme");
  const run: Record<string, string> = {};
  for (const name of ["input-type", "output-type", "output-component"]) {
    const value = filled(name);
    if (value !== null) run[snake(name)] = value;
  }
  return {
    flowId: filled("flow-id") ?? "",
    host: (filled("host-url") ?? origin).replace(/\/+$/, ""),
    title: filled("window-title"),
    placeholder: filled("placeholder"),
    sending: filled("placeholder-sending"),
    note: filled("online-message"),
    theme: theme === "light" || theme === "dark" ? theme : "auto",
    corner: cornerOf(filled("position") ?? filled("chat-position") ?? "bottom-right"),
    startOpen: isOn(get("start-open")),
    accent: filled("accent"),
    width: lengthOf(filled("width")),
    height: lengthOf(filled("height")),
    session: filled("session-id"),
    apiKey: filled("api-key"),
    tweaks: recordIn(get("tweaks")),
    run,
    headers: stringsIn(recordIn(get("additional-headers"))),
    language: filled("lang") ?? (element.ownerDocument.documentElement.lang || navigator.language || "en"),
    styles: stylesOf(get),
  };
}

function cornerOf(position: string): Options["corner"] {
  if (position === "inline") return null;
  const parts = position.split(/[-_\s]/);
  const y = parts.includes("top") ? "top" : parts[0] === "center" ? "center" : "bottom";
  const x = parts.includes("left") ? "left" : parts[1] === "center" ? "center" : "right";
  return { x, y };
}

const isOn = (value: string | null): boolean => value !== null && value !== "false" && value !== "0";

function lengthOf(value: string | null): string | null {
  if (value === null) return null;
  return /^\d+(\.\d+)?$/.test(value) ? `${value}px` : value;
}

function recordIn(value: string | null): Record<string, unknown> | null {
  if (!value) return null;
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function stringsIn(record: Record<string, unknown> | null): Record<string, string> {
  return Object.fromEntries(Object.entries(record ?? {}).flatMap(([key, value]) => (typeof value === "string" ? [[key, value]] : [])));
}

function stylesOf(get: (name: string) => string | null): Options["styles"] {
  const entries = Object.entries(STYLE_NAMES).map(([part, name]) => {
    const record = recordIn(get(name)) ?? {};
    const usable = Object.entries(record).filter(([, value]) => typeof value === "string" || typeof value === "number");
    return [part, Object.fromEntries(usable)];
  });
  return Object.fromEntries(entries) as Options["styles"];
}
