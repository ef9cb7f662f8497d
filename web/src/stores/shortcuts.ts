/** Every shortcut of the page, in one list: the shortcut sheet and Settings › Shortcuts read it. */
export const shortcuts = [
  { id: "commandBar", group: "everywhere", keys: "mod+k" },
  { id: "shortcutSheet", group: "everywhere", keys: "?" },
  { id: "closeTopmost", group: "everywhere", keys: "escape" },
  { id: "search", group: "flows", keys: "/" },
  { id: "newFlow", group: "flows", keys: "n" },
  { id: "nextFlow", group: "flows", keys: "arrowdown" },
  { id: "previousFlow", group: "flows", keys: "arrowup" },
  { id: "openFlow", group: "flows", keys: "enter" },
  { id: "selectFlow", group: "flows", keys: "space" },
  { id: "renameFlow", group: "flows", keys: "f2" },
  { id: "deleteFlow", group: "flows", keys: "delete" },
  { id: "searchNodes", group: "canvas", keys: "/" },
  { id: "playground", group: "canvas", keys: "shift+p" },
  { id: "fit", group: "canvas", keys: "1" },
  { id: "zoomFull", group: "canvas", keys: "0" },
  { id: "zoomIn", group: "canvas", keys: "+" },
  { id: "zoomOut", group: "canvas", keys: "-" },
  { id: "compact", group: "canvas", keys: "." },
  { id: "nextNode", group: "canvas", keys: "tab" },
  { id: "followRight", group: "canvas", keys: "arrowright" },
  { id: "followLeft", group: "canvas", keys: "arrowleft" },
  { id: "openNode", group: "canvas", keys: "enter" },
] as const satisfies readonly { id: string; group: string; keys: string }[];

export type ShortcutId = (typeof shortcuts)[number]["id"];

export function keysOf(id: ShortcutId): string {
  return shortcuts.find((shortcut) => shortcut.id === id)?.keys ?? "";
}

export interface ShortcutGroup {
  title: string;
  rows: { label: string; keys: string }[];
}

/** Labels of the canvas group are `flow.shortcuts.<id>`, of all others `shell.shortcut.<id>`. */
export function shortcutGroups(translate: (key: string) => string): ShortcutGroup[] {
  const groups = new Map<string, ShortcutGroup>();
  for (const { id, group, keys } of shortcuts as readonly { id: string; group: string; keys: string }[]) {
    const found = groups.get(group) ?? { title: translate(`shell.shortcutGroup.${group}`), rows: [] };
    const label = group === "canvas" ? `flow.shortcuts.${id}` : `shell.shortcut.${id}`;
    found.rows.push({ label: translate(label), keys });
    groups.set(group, found);
  }
  return [...groups.values()];
}
