/** Which conversation of a flow is open, and those that exist only here because nothing was said in them yet. */
export interface Remembered {
  session: string;
  fresh: string[];
}

const nameOf = (flowId: string): string => `ferroflow.playground.${flowId}`;

export function recall(flowId: string): Remembered {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(nameOf(flowId)) ?? "null");
    if (typeof saved === "object" && saved !== null) {
      const { session, fresh } = saved as Record<string, unknown>;
      return {
        session: typeof session === "string" && session !== "" ? session : flowId,
        fresh: Array.isArray(fresh) ? fresh.filter((name) => typeof name === "string") : [],
      };
    }
  } catch {
    // Storage is blocked, or somebody else wrote there: begin with the default session.
  }
  return { session: flowId, fresh: [] };
}

export function remember(flowId: string, what: Remembered): void {
  try {
    sessionStorage.setItem(nameOf(flowId), JSON.stringify(what));
  } catch {
    // A private window may refuse; then it is remembered until the page is left.
  }
}
