import { create } from "zustand";
import { preferencesQuery, putPreference } from "@/api/preferences";
import { queryClient } from "@/api/queryClient";
import { actWhileTyping, isTyping, type KeyPress, matchesKeys, sameSpelling } from "@/lib/keys";
import { shareScope, type Shortcut, shortcutById, type ShortcutGroup, type ShortcutId, shortcuts } from "./shortcutList";

export type { ShortcutId };

/** What a person changed, by id: an empty list is a shortcut without keys. Ids of other versions are kept. */
export type Overrides = Readonly<Record<string, readonly string[]>>;

interface ShortcutState {
  userId: string | null;
  overrides: Overrides;
  /** Whether the server has said what is stored; before that, a change would write over it. */
  loaded: boolean;
}

const preference = "shortcuts";
const cacheKey = "ferroflow.shortcuts";
const atMost = 4;

export const useShortcuts = create<ShortcutState>(() => ({ userId: null, overrides: {}, loaded: false }));

function keysIn(overrides: Overrides, id: ShortcutId): readonly string[] {
  const shortcut = shortcutById.get(id);
  if (!shortcut) return [];
  return (shortcut.fixed ? undefined : overrides[id]) ?? shortcut.keys;
}

export function allKeysOf(id: ShortcutId): readonly string[] {
  return keysIn(useShortcuts.getState().overrides, id);
}

/** The keys to show beside what they do; "" when it has none. In components take `useKeys`. */
export function keysOf(id: ShortcutId): string {
  return allKeysOf(id)[0] ?? "";
}

export function useKeys(id: ShortcutId): string {
  return useShortcuts((state) => keysIn(state.overrides, id)[0] ?? "");
}

/**
 * Whether this press is the shortcut. Never while somebody is typing, except for those of the list that work
 * then (`typing`) with keys that are no text.
 */
export function matches(event: KeyPress & { target: EventTarget | null }, id: ShortcutId): boolean {
  const typing = isTyping(event.target);
  if (typing && !shortcutById.get(id)?.typing) return false;
  return allKeysOf(id).some((keys) => matchesKeys(event, keys) && (!typing || actWhileTyping(keys)));
}

/** Only what can be keys comes in, whatever is stored. */
export function saneOverrides(stored: unknown): Overrides {
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return {};
  const sane: Record<string, readonly string[]> = {};
  for (const [id, keys] of Object.entries(stored)) {
    if (!Array.isArray(keys)) continue;
    const known = keys.flatMap((each) => (typeof each === "string" ? (sameSpelling(each) ?? []) : []));
    // All of it nonsense is not the same as "no keys".
    if (known.length > 0 || keys.length === 0) sane[id] = [...new Set(known)].slice(0, atMost);
  }
  return sane;
}

function readCache(userId: string): Overrides {
  try {
    const cached: unknown = JSON.parse(localStorage.getItem(cacheKey) ?? "null");
    if (typeof cached !== "object" || cached === null || !("userId" in cached)) return {};
    return cached.userId === userId && "overrides" in cached ? saneOverrides(cached.overrides) : {};
  } catch {
    return {};
  }
}

function keep(userId: string | null, overrides: Overrides): void {
  useShortcuts.setState({ userId, overrides });
  try {
    if (Object.keys(overrides).length === 0) localStorage.removeItem(cacheKey);
    else if (userId !== null) localStorage.setItem(cacheKey, JSON.stringify({ userId, overrides }));
  } catch {
    // A browser that stores nothing asks the server each time.
  }
}

/** What this user changed: at once from this browser, then from the server. */
export async function loadShortcuts(userId: string): Promise<void> {
  if (useShortcuts.getState().userId !== userId) {
    useShortcuts.setState({ userId, overrides: readCache(userId), loaded: false });
  }
  const changes = changesMade;
  const stored = await queryClient.fetchQuery({ ...preferencesQuery, staleTime: 0 });
  // What was changed or who signed in while the answer was under way is newer than the answer.
  if (changes === changesMade && useShortcuts.getState().userId === userId) {
    keep(userId, saneOverrides(stored[preference]));
    useShortcuts.setState({ loaded: true });
  }
}

if (typeof window !== "undefined") {
  // Changed in another tab.
  window.addEventListener("storage", (event) => {
    const { userId, loaded } = useShortcuts.getState();
    if (event.key === cacheKey && userId !== null && loaded) {
      useShortcuts.setState({ overrides: readCache(userId) });
    }
  });
}

let changesMade = 0;
let writing: Promise<unknown> = Promise.resolve();

/** Shows the change at once; when the server does not take it, it is taken back and the promise fails. */
async function change(make: (overrides: Overrides) => Overrides): Promise<void> {
  const { userId, loaded } = useShortcuts.getState();
  if (userId === null) throw new Error("Nobody is signed in whose shortcuts could be changed.");
  if (!loaded) await loadShortcuts(userId);
  const before = useShortcuts.getState().overrides;
  const next = make(before);
  changesMade += 1;
  const mine = changesMade;
  keep(userId, next);
  const store = (): Promise<void> => putPreference(preference, next);
  // One after the other, so that the last one stays.
  const stored = writing.then(store, store);
  writing = stored.catch(() => {});
  try {
    await stored;
    queryClient.setQueryData(preferencesQuery.queryKey, (all) => ({ ...all, [preference]: next }));
  } catch (error) {
    if (mine === changesMade && useShortcuts.getState().userId === userId) keep(userId, before);
    throw error;
  }
}

const same = (one: readonly string[], other: readonly string[]): boolean => one.join(" ") === other.join(" ");

function withKeys(overrides: Overrides, id: ShortcutId, keys: readonly string[]): Overrides {
  const { [id]: _, ...rest } = overrides;
  return same(keys, shortcutById.get(id)?.keys ?? []) ? rest : { ...rest, [id]: keys.slice(0, atMost) };
}

/** Gives a shortcut other keys, or none; `taken` are shortcuts that lose these keys to it. */
export function setShortcut(
  id: ShortcutId,
  keys: readonly string[] | string | null,
  taken: readonly ShortcutId[] = [],
): Promise<void> {
  const list = keys === null ? [] : typeof keys === "string" ? [keys] : keys;
  return change((overrides) => {
    let next = overrides;
    for (const loser of taken) {
      next = withKeys(next, loser, keysIn(next, loser).filter((each) => !list.includes(each)));
    }
    return withKeys(next, id, list);
  });
}

export function resetShortcut(id: ShortcutId, taken: readonly ShortcutId[] = []): Promise<void> {
  return setShortcut(id, shortcutById.get(id)?.keys ?? [], taken);
}

export function resetAll(): Promise<void> {
  return change(() => ({}));
}

/** The other shortcuts that these keys would set off in the same place. */
export function conflicts(id: ShortcutId, keys: readonly string[]): Shortcut[] {
  const own = shortcutById.get(id);
  return (shortcuts as readonly Shortcut[]).filter(
    (other) =>
      own !== undefined &&
      other.id !== id &&
      shareScope(own.group, other.group) &&
      allKeysOf(other.id).some((each) => keys.includes(each)),
  );
}

export interface ShortcutRow {
  id: ShortcutId;
  label: string;
  keys: readonly string[];
  changed: boolean;
  fixed: boolean;
}

export interface ShortcutGroupRows {
  group: ShortcutGroup;
  title: string;
  rows: ShortcutRow[];
}

/** Labels of what works on a flow's page are `flow.shortcuts.<id>`, of all others `shell.shortcut.<id>`. */
export function labelKey({ id, group }: Pick<Shortcut, "id" | "group">): string {
  return group === "everywhere" || group === "flows" ? `shell.shortcut.${id}` : `flow.shortcuts.${id}`;
}

export function shortcutGroups(overrides: Overrides, translate: (key: string) => string): ShortcutGroupRows[] {
  const groups = new Map<ShortcutGroup, ShortcutGroupRows>();
  for (const shortcut of shortcuts as readonly Shortcut[]) {
    const { id, group } = shortcut;
    const found = groups.get(group) ?? { group, title: translate(`shell.shortcutGroup.${group}`), rows: [] };
    const keys = keysIn(overrides, id);
    found.rows.push({
      id,
      label: translate(labelKey(shortcut)),
      keys,
      changed: !same(keys, shortcut.keys),
      fixed: shortcut.fixed ?? false,
    });
    groups.set(group, found);
  }
  return [...groups.values()];
}
