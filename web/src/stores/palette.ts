import { create } from "zustand";
import { preferencesQuery, putPreference } from "@/api/preferences";
import { queryClient } from "@/api/queryClient";
import { isRecord, type JsonRecord, recordOr, strings } from "@/flow/json";
import { remembered } from "@/flow/palette";

interface PaletteState {
  /** Types of components, the first one starred first. */
  favourites: readonly string[];
  /** The last added first. */
  recent: readonly string[];
  legacy: boolean;
  beta: boolean;
  /** Categories that are folded. */
  folded: readonly string[];
}

const key = "ferroflow.palette";
const fresh: PaletteState = { favourites: [], recent: [], legacy: false, beta: true, folded: [] };

/** Storage may be full, blocked or filled by something else; the palette works without it. */
function readStored(): PaletteState {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    return isRecord(saved) ? sane(saved) : fresh;
  } catch {
    return fresh;
  }
}

function sane(saved: JsonRecord): PaletteState {
  return {
    favourites: strings(saved.favourites),
    recent: strings(saved.recent),
    legacy: saved.legacy === true,
    beta: saved.beta !== false,
    folded: strings(saved.folded),
  };
}

export const usePalette = create<PaletteState>(readStored);

usePalette.subscribe((state) => {
  try {
    localStorage.setItem(key, JSON.stringify(state));
  } catch {
    // Kept for this page only.
  }
});

const PAUSE = 800;
let pending: ReturnType<typeof setTimeout> | null = null;

/** Sends favourites and recent ones once nothing changed for a moment. What cannot be sent stays in this browser. */
function sendSoon(): void {
  if (pending !== null) clearTimeout(pending);
  pending = setTimeout(() => {
    pending = null;
    const { favourites, recent } = usePalette.getState();
    const palette = { favourites, recent };
    queryClient.setQueryData(preferencesQuery.queryKey, (known) => known && { ...known, palette });
    putPreference("palette", palette).catch(() => {});
  }, PAUSE);
}

/** What the server keeps for this person; it counts more than what is left of an earlier visit. */
export function adoptPalette(saved: unknown): void {
  if (pending !== null) return;
  const { favourites, recent } = recordOr(saved);
  usePalette.setState({ favourites: strings(favourites), recent: strings(recent) });
}

export function toggleFavourite(type: string): void {
  usePalette.setState(({ favourites }) => ({
    favourites: favourites.includes(type) ? favourites.filter((known) => known !== type) : [...favourites, type],
  }));
  sendSoon();
}

/** Call it whenever a component was put on a canvas. */
export function rememberAdded(type: string): void {
  usePalette.setState(({ recent }) => ({ recent: remembered(recent, type) }));
  sendSoon();
}

export function showKind(kind: "legacy" | "beta", on: boolean): void {
  usePalette.setState({ [kind]: on });
}

export function fold(category: string, folded: boolean): void {
  usePalette.setState((state) => {
    const others = state.folded.filter((known) => known !== category);
    return { folded: folded ? [...others, category] : others };
  });
}
