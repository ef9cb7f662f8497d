import { create } from "zustand";
import { persist } from "zustand/middleware";
import { isLanguage, type Language } from "@/i18n";

export type Theme = "system" | "light" | "dark";
export type Density = "comfortable" | "compact";
export type Motion = "system" | "reduced";
export type FlowView = "cards" | "list";
export type Minimap = "shown" | "hidden";
export type PaletteShown = "shown" | "hidden";
export type Snap = "on" | "off";
export type FlowOrder = "updated_at:desc" | "created_at:desc" | "name:asc" | "name:desc";

interface Preferences {
  theme: Theme;
  density: Density;
  motion: Motion;
  language: Language | null;
  flowView: FlowView;
  flowOrder: FlowOrder;
  minimap: Minimap;
  palette: PaletteShown;
  snap: Snap;
}

// public/theme.js reads this key before the first paint.
export const preferencesKey = "ferroflow.preferences";

// Before the store: it reads what was saved while it is being made.
const choices = {
  theme: ["system", "light", "dark"],
  density: ["comfortable", "compact"],
  motion: ["system", "reduced"],
  flowView: ["cards", "list"],
  flowOrder: ["updated_at:desc", "created_at:desc", "name:asc", "name:desc"],
  minimap: ["shown", "hidden"],
  palette: ["shown", "hidden"],
  snap: ["on", "off"],
} as const;

export const usePreferences = create<Preferences>()(
  persist(
    () => ({
      theme: "system" as Theme,
      density: "comfortable" as Density,
      motion: "system" as Motion,
      language: null as Language | null,
      flowView: "cards" as FlowView,
      flowOrder: "updated_at:desc" as FlowOrder,
      minimap: "shown" as Minimap,
      palette: "shown" as PaletteShown,
      snap: "off" as Snap,
    }),
    {
      name: preferencesKey,
      merge: (saved, current) => sanePreferences(saved, current),
    },
  ),
);

/** Whatever an older or a foreign version left behind, only known values come in. */
function sanePreferences(saved: unknown, current: Preferences): Preferences {
  const found = (typeof saved === "object" && saved !== null ? saved : {}) as Record<string, unknown>;
  const merged: Record<string, unknown> = { ...current };
  for (const [key, values] of Object.entries(choices)) {
    if ((values as readonly unknown[]).includes(found[key])) merged[key] = found[key];
  }
  if (isLanguage(found.language)) merged.language = found.language;
  return merged as unknown as Preferences;
}

export function setPreference<K extends keyof Preferences>(key: K, value: Preferences[K]): void {
  usePreferences.setState({ [key]: value } as Pick<Preferences, K>);
}

const darkQuery = "(prefers-color-scheme: dark)";

export function isDark(theme: Theme): boolean {
  return theme === "dark" || (theme === "system" && matchMedia(darkQuery).matches);
}

function paint(preferences: Preferences): void {
  const root = document.documentElement;
  const dark = isDark(preferences.theme);
  root.dataset.theme = dark ? "dark" : "light";
  root.dataset.density = preferences.density;
  root.dataset.motion = preferences.motion;
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute("content", dark ? "#15171a" : "#ffffff");
}

/** Keeps the page's look in step with the preferences and the system. */
export function followPreferences(): void {
  paint(usePreferences.getState());
  usePreferences.subscribe(paint);
  matchMedia(darkQuery).addEventListener("change", () => paint(usePreferences.getState()));
}
