export type ShortcutGroup = "everywhere" | "flows" | "canvas" | "nodes" | "playground";

interface Entry {
  id: string;
  group: ShortcutGroup;
  /** The first is shown on buttons and in menus; all of them work. */
  keys: readonly string[];
  /** What the browser or the way through the page is made of: shown, and not to be changed. */
  fixed?: true;
  /** Works in the middle of a text too, if its keys are no text. */
  typing?: true;
}

/** Every shortcut of the page, in one list: keys, sheet and Settings › Shortcuts read it. */
export const shortcuts = [
  { id: "commandBar", group: "everywhere", keys: ["mod+k"], typing: true },
  { id: "shortcutSheet", group: "everywhere", keys: ["?"] },
  { id: "closeTopmost", group: "everywhere", keys: ["escape"], fixed: true, typing: true },

  { id: "search", group: "flows", keys: ["/"] },
  { id: "newFlow", group: "flows", keys: ["n"] },
  { id: "nextFlow", group: "flows", keys: ["arrowdown"], fixed: true },
  { id: "previousFlow", group: "flows", keys: ["arrowup"], fixed: true },
  { id: "openFlow", group: "flows", keys: ["enter"], fixed: true },
  { id: "selectFlow", group: "flows", keys: ["space"] },
  { id: "selectUpTo", group: "flows", keys: ["shift+space"] },
  { id: "selectAllFlows", group: "flows", keys: ["mod+a"] },
  { id: "renameFlow", group: "flows", keys: ["f2"] },
  { id: "deleteFlow", group: "flows", keys: ["delete"] },

  { id: "searchComponents", group: "canvas", keys: ["/"] },
  { id: "addNode", group: "canvas", keys: ["n"] },
  { id: "find", group: "canvas", keys: ["mod+f"], typing: true },
  { id: "note", group: "canvas", keys: ["shift+s"] },
  { id: "undo", group: "canvas", keys: ["mod+z"] },
  { id: "redo", group: "canvas", keys: ["mod+shift+z", "mod+y"] },
  { id: "paste", group: "canvas", keys: ["mod+v"] },
  { id: "selectAll", group: "canvas", keys: ["mod+a"] },
  { id: "arrange", group: "canvas", keys: ["shift+l"] },
  { id: "lock", group: "canvas", keys: ["mod+shift+l"] },
  { id: "saveVersion", group: "canvas", keys: ["mod+s"], typing: true },
  { id: "run", group: "canvas", keys: ["mod+enter"], typing: true },
  { id: "stop", group: "canvas", keys: ["mod+shift+enter"], typing: true },
  { id: "assistant", group: "canvas", keys: ["a"] },
  { id: "playground", group: "canvas", keys: ["shift+p"] },
  { id: "problems", group: "canvas", keys: ["shift+e"] },
  { id: "runs", group: "canvas", keys: ["shift+r"] },
  { id: "outline", group: "canvas", keys: ["shift+o"] },
  { id: "sidebar", group: "canvas", keys: ["mod+b"], typing: true },
  { id: "fit", group: "canvas", keys: ["1"] },
  { id: "zoomFull", group: "canvas", keys: ["0"] },
  { id: "zoomIn", group: "canvas", keys: ["+", "="] },
  { id: "zoomOut", group: "canvas", keys: ["-"] },
  { id: "compact", group: "canvas", keys: ["."] },
  { id: "pointer", group: "canvas", keys: ["v"] },
  { id: "hand", group: "canvas", keys: ["h"] },

  { id: "nextNode", group: "nodes", keys: ["tab"], fixed: true },
  { id: "followRight", group: "nodes", keys: ["arrowright"], fixed: true },
  { id: "followLeft", group: "nodes", keys: ["arrowleft"], fixed: true },
  { id: "followUp", group: "nodes", keys: ["arrowup"], fixed: true },
  { id: "followDown", group: "nodes", keys: ["arrowdown"], fixed: true },
  { id: "openNode", group: "nodes", keys: ["enter"] },
  { id: "code", group: "nodes", keys: ["e"] },
  { id: "rename", group: "nodes", keys: ["f2"] },
  { id: "copy", group: "nodes", keys: ["mod+c"] },
  { id: "cut", group: "nodes", keys: ["mod+x"] },
  { id: "duplicate", group: "nodes", keys: ["mod+d"] },
  { id: "delete", group: "nodes", keys: ["delete", "backspace"] },
  { id: "group", group: "nodes", keys: ["mod+g"] },
  { id: "ungroup", group: "nodes", keys: ["mod+shift+g"] },
  { id: "runNode", group: "nodes", keys: ["p"] },
  { id: "output", group: "nodes", keys: ["o"] },
  { id: "freeze", group: "nodes", keys: ["f"] },
  { id: "minimise", group: "nodes", keys: ["m"] },
  { id: "toolMode", group: "nodes", keys: ["shift+t"] },

  { id: "sendMessage", group: "playground", keys: ["enter"], fixed: true },
  { id: "newLine", group: "playground", keys: ["shift+enter"], fixed: true },
] as const satisfies readonly Entry[];

export type ShortcutId = (typeof shortcuts)[number]["id"];

export interface Shortcut extends Entry {
  id: ShortcutId;
}

export const shortcutById: ReadonlyMap<string, Shortcut> = new Map(
  (shortcuts as readonly Shortcut[]).map((shortcut) => [shortcut.id, shortcut]),
);

/** Where keys of one group would get in the way of another's: what is on the page at the same time. */
export function shareScope(one: ShortcutGroup, other: ShortcutGroup): boolean {
  const place = (group: ShortcutGroup): string => (group === "nodes" ? "canvas" : group);
  return one === "everywhere" || other === "everywhere" || place(one) === place(other);
}
