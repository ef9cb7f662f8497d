/** Which conversation of a flow is open, and those that exist only here because nothing was said in them yet. */
export interface Remembered {
  session: string;
  fresh: string[];
}

/** Reads what this tab remembers; null when there is nothing, or the browser refuses. */
export function recallValue(name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(`ferroflow.playground.${name}`) ?? "null");
  } catch {
    return null;
  }
}

/** Where the browser refuses, the page remembers until it is left. */
export function rememberValue(name: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(`ferroflow.playground.${name}`);
    else sessionStorage.setItem(`ferroflow.playground.${name}`, JSON.stringify(value));
  } catch {
    // A private window, or no room.
  }
}

export function recall(name: string, first: string): Remembered {
  const saved = recallValue(name);
  if (typeof saved !== "object" || saved === null) return { session: first, fresh: [] };
  const { session, fresh } = saved as Record<string, unknown>;
  return {
    session: typeof session === "string" && session !== "" ? session : first,
    fresh: Array.isArray(fresh) ? fresh.filter((entry) => typeof entry === "string") : [],
  };
}
