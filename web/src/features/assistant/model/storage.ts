import { HISTORY_MOST, ITERATIONS_LEAST, ITERATIONS_MOST, KEYS } from "./protocol";

/** Reads what was kept for the next visit; null where there is nothing, or the browser refuses. */
export function readKept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps it, or with null forgets it. False where the browser refuses (private windows, no room): then it lasts until the page is left. */
export function keep(key: string, value: string | null): boolean {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

/** What says something about the person; the size of the panel does not. */
const OWN = [KEYS.sessions, KEYS.inputHistory, KEYS.model, KEYS.skipAll, KEYS.historyLimit, KEYS.iterationsLimit] as const;

/** From now on what is kept is this person's; what another one kept in this browser goes. True when there was another one. */
export function claim(user: string): boolean {
  const owner = readKept(KEYS.owner);
  if (owner === user) return false;
  if (owner !== null) for (const key of OWN) keep(key, null);
  keep(KEYS.owner, user);
  return owner !== null;
}

/** Whether what is kept by now is another person's. */
export function isForeign(user: string | null): boolean {
  const owner = readKept(KEYS.owner);
  return user !== null && owner !== null && owner !== user;
}

/** Anything but the one word means that the person is asked. */
export function keptSkipAll(): boolean {
  return readKept(KEYS.skipAll) === "true";
}

export function keepSkipAll(on: boolean): void {
  keep(KEYS.skipAll, String(on));
}

function keptNumber(key: string, least: number, most: number): number | null {
  const kept = readKept(key);
  if (kept === null || !/^\d{1,3}$/.test(kept)) return null;
  const number = Number(kept);
  return number >= least && number <= most ? number : null;
}

export function keptHistoryLimit(): number | null {
  return keptNumber(KEYS.historyLimit, 0, HISTORY_MOST);
}

export function keptIterationsLimit(): number | null {
  return keptNumber(KEYS.iterationsLimit, ITERATIONS_LEAST, ITERATIONS_MOST);
}

export function keepLimit(which: "historyLimit" | "iterationsLimit", limit: number | null): void {
  keep(KEYS[which], limit === null ? null : String(limit));
}
